#!/usr/bin/env python3
"""Converts floats of 16 bits from and to wider ones, compiled with the options
given, and compares the bits with the nearest number of the type.

    conversions.py WORK-FOLDER [OPTION-OF-JOB-RUN...]

From 16 bits: all numbers. To them: all numbers, what lies half-way between two
neighbours and next to it, and random bits. A NaN must stay one.
"""

import pathlib
import subprocess
import sys

import ml_dtypes
import numpy

NARROW = {"f16": numpy.float16, "bf16": ml_dtypes.bfloat16}
WIDE = {"f32": (numpy.float32, numpy.uint32),
        "f64": (numpy.float64, numpy.uint64)}


def every(narrow):
    return numpy.arange(1 << 16, dtype=numpy.uint16).view(NARROW[narrow])


def samples(narrow, wide):
    """Wide numbers; the random ones are the same in every run."""
    float_type, bits_type = WIDE[wide]
    with numpy.errstate(invalid="ignore"):
        numbers = every(narrow).astype(float_type)
        # Half a unit in the last place, also below the least normal number.
        halves = numpy.sort(numbers[numpy.isfinite(numbers)])
        halves = halves[:-1] / 2 + halves[1:] / 2
    infinity = float_type(numpy.inf)
    # The first one that becomes an infinity.
    limit = {"f16": 65520.0, "bf16": 255.5 * 2.0 ** 120}[narrow]
    halves = numpy.concatenate([halves, [limit, -limit]]).astype(float_type)
    random = numpy.random.default_rng(7).integers(
        0, numpy.iinfo(bits_type).max, 1 << 16, bits_type, endpoint=True)
    # Those whose exponent is near the range of an f16, too.
    near = numpy.random.default_rng(8).uniform(-20, 20, 1 << 16)
    return numpy.concatenate([
        numbers, halves, numpy.nextafter(halves, infinity),
        numpy.nextafter(halves, -infinity), random.view(float_type),
        numpy.exp2(near).astype(float_type) * numpy.sign(near)]).astype(
            float_type)


def rounded(values, narrow):
    """The nearest numbers, of two as near the one whose last bit is 0; ml_dtypes
    rounds an f64 twice."""
    # The magnitudes in order are the first half of all bits.
    grid = every(narrow)[:1 << 15].astype(numpy.float64)
    grid = grid[numpy.isfinite(grid)]
    # What would come next stands for infinity.
    grid = numpy.append(grid, 2 * grid[-1] - grid[-2])
    magnitude = numpy.minimum(numpy.abs(values.astype(numpy.float64)), grid[-1])
    below = numpy.clip(numpy.searchsorted(grid, magnitude, "right") - 1, 0,
                       grid.size - 2)
    down, up = magnitude - grid[below], grid[below + 1] - magnitude
    bits = below + ((up < down) | ((up == down) & (below % 2 == 1)))
    sign = numpy.signbit(values).astype(numpy.uint16) << 15
    result = (bits.astype(numpy.uint16) | sign).view(NARROW[narrow])
    return numpy.where(numpy.isnan(values), NARROW[narrow](numpy.nan), result)


def convert(folder, values, source, target, options):
    path = folder / "job.mlir"
    count = values.size
    path.write_text(
        f"job.func @f(%x: !job.blob<{count}x{source}>) -> "
        f"(!job.blob<{count}x{target}> {{job.name = \"y\"}}) kind predict {{\n"
        f"  %y = job.cast %x : !job.blob<{count}x{source}> "
        f"to !job.blob<{count}x{target}>\n"
        f"  job.return %y : !job.blob<{count}x{target}>\n}}\n")
    numpy.save(folder / "x.npy", values)
    subprocess.run(["job-run", path, "--entry=f", f"--input={folder}/x.npy",
                    f"--output={folder}", *options], check=True,
                   stdout=subprocess.DEVNULL)
    kind = NARROW[target] if target in NARROW else WIDE[target][0]
    return numpy.load(folder / "y.npy").view(kind)


def compare(what, values, found, wanted):
    bits = {2: numpy.uint16, 4: numpy.uint32, 8: numpy.uint64}[found.itemsize]
    same = (found.view(bits) == wanted.view(bits)) \
        | (numpy.isnan(found) & numpy.isnan(wanted))
    print(f"{what}: {values.size} numbers, {numpy.sum(~same)} differ")
    for at in numpy.flatnonzero(~same)[:5]:
        print(f"  expects {wanted[at]!r} of {values[at]!r} but got {found[at]!r}")
    return same.all()


def main():
    folder, options = pathlib.Path(sys.argv[1]), sys.argv[2:]
    folder.mkdir(parents=True, exist_ok=True)
    right = True
    for narrow in NARROW:
        for wide, (float_type, _) in WIDE.items():
            with numpy.errstate(all="ignore"):
                values = every(narrow)
                found = convert(folder, values, narrow, wide, options)
                right &= compare(f"{narrow} to {wide}", values, found,
                                 values.astype(float_type))
                values = samples(narrow, wide)
                found = convert(folder, values, wide, narrow, options)
                right &= compare(f"{wide} to {narrow}", values, found,
                                 rounded(values, narrow))
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
