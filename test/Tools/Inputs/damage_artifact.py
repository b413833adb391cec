#!/usr/bin/env python3
"""Writes damaged copies of an artifact: damage_artifact.py ARTIFACT FOLDER."""

import pathlib
import sys

FOOTER = 64


def main():
    whole = pathlib.Path(sys.argv[1]).read_bytes()
    folder = pathlib.Path(sys.argv[2])

    def write(name, data):
        (folder / name).write_bytes(data)

    def flip(name, at):
        data = bytearray(whole)
        data[at] ^= 1
        write(name, data)

    flip("code.so", len(whole) // 3)
    flip("manifest.so", -FOOTER - 100)
    flip("footer.so", -FOOTER + 20)
    flip("magic.so", -FOOTER)
    write("short.so", whole[:FOOTER - 1])
    write("cut.so", whole[:-1])
    write("hole.so", whole[:4096] + whole[-FOOTER:])
    write("empty.so", b"")


if __name__ == "__main__":
    main()
