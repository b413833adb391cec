#!/usr/bin/env python3
"""Writes damaged copies of an artifact: damage_artifact.py ARTIFACT FOLDER."""

import json
import pathlib
import struct
import sys
import zlib

FOOTER = 64


def with_manifest(whole, change):
    """The same code under a changed manifest, with the right checksums."""
    footer = bytearray(whole[-FOOTER:])
    code_bytes, manifest_bytes = struct.unpack_from("<QQ", footer, 16)
    code = whole[:code_bytes]
    manifest = json.loads(whole[code_bytes:code_bytes + manifest_bytes])
    change(manifest)
    text = json.dumps(manifest).encode()
    struct.pack_into("<QII", footer, 24, len(text), zlib.crc32(code),
                     zlib.crc32(text))
    struct.pack_into("<I", footer, 60, zlib.crc32(footer[:60]))
    return code + text + footer


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
    write("no-jobs.so", with_manifest(
        whole, lambda manifest: manifest.update(entries=[], variables=[])))
    write("feature.so", with_manifest(
        whole, lambda manifest: manifest["target"].update(features=["beads"])))


if __name__ == "__main__":
    main()
