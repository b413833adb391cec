#!/usr/bin/env python3
"""Writes files that are no input of a job: write_npy.py FOLDER."""

import pathlib
import sys

import numpy


def main():
    folder = pathlib.Path(sys.argv[1])
    numpy.save(folder / "shape.npy", numpy.zeros((2, 3), numpy.float32))
    numpy.save(folder / "f64.npy", numpy.zeros((100, 1, 28, 28)))
    numpy.save(folder / "complex.npy", numpy.zeros(3, numpy.complex64))
    numpy.save(folder / "zeros.npy",
               numpy.zeros((100, 1, 28, 28), numpy.float32))
    (folder / "text.npy").write_text("not an array, whatever it is called\n")


if __name__ == "__main__":
    main()
