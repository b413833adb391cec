#!/usr/bin/env python3
"""Converts floats of 16 bits from and to wider ones, and integers to floats,
compiled with the options given, and compares the bits with the nearest number of
the type.

    conversions.py WORK-FOLDER [OPTION-OF-JOB-RUN...]

From 16 bits: all numbers. To them: all numbers, what lies half-way between two
neighbours and next to it, and random bits. A NaN must stay one. Integers lie next
to what is half-way between two floats, and are converted through another type of
floats as well: each conversion rounds.
"""

import pathlib
import subprocess
import sys

import ml_dtypes
import numpy

NARROW = {"f16": numpy.float16, "bf16": ml_dtypes.bfloat16}
WIDE = {"f32": (numpy.float32, numpy.uint32),
        "f64": (numpy.float64, numpy.uint64)}
INTEGERS = {"i32": numpy.int32, "i64": numpy.int64}
# Bits of a significand.
PRECISION = {"bf16": 8, "f16": 11, "f32": 24, "f64": 53}
# By which types integers come to a float.
PATHS = [("bf16",), ("f16",), ("f32",), ("f64",), ("f64", "f32"), ("f64", "bf16"),
         ("f32", "bf16"), ("f64", "f16")]


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


def near_ties(source):
    """Integers at, below and above what is half-way between floats of a type, and
    next to each in the bit that another rounding before would lose."""
    random = numpy.random.default_rng(9)
    width = numpy.iinfo(INTEGERS[source]).bits - 1
    values = []
    for precision in PRECISION.values():
        for shift in range(1, width - precision + 1):
            for _ in range(8):
                upper = int(random.integers(1 << precision - 1, 1 << precision))
                tie = (upper << shift) + (1 << shift - 1)
                values += [sign * (tie + offset) for offset in (-1, 0, 1)
                           for sign in (-1, 1)]
    return numpy.array(values, INTEGERS[source])


def nearest_float(value, target):
    """The nearest number of an integer or of a float with an integer's value, of
    two as near the even one."""
    magnitude = abs(int(value))
    shift = max(magnitude.bit_length() - PRECISION[target], 0)
    upper, rest = magnitude >> shift, magnitude & (1 << shift) - 1
    half = (1 << shift) >> 1
    upper += shift > 0 and (rest > half or (rest == half and upper & 1))
    # What is beyond the range of f16 becomes an infinity below.
    return numpy.copysign(float(upper << shift), float(value))


def convert(folder, values, source, targets, options):
    path = folder / "job.mlir"
    count, target = values.size, targets[-1]
    blobs = [f"!job.blob<{count}x{type}>" for type in (source, *targets)]
    casts = "".join(f"  %x{i + 1} = job.cast %x{i} : {blobs[i]} to {blobs[i + 1]}\n"
                    for i in range(len(targets)))
    path.write_text(
        f"job.func @f(%x0: {blobs[0]}) -> ({blobs[-1]} {{job.name = \"y\"}}) "
        f"kind predict {{\n{casts}"
        f"  job.return %x{len(targets)} : {blobs[-1]}\n}}\n")
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
                found = convert(folder, values, narrow, [wide], options)
                right &= compare(f"{narrow} to {wide}", values, found,
                                 values.astype(float_type))
                values = samples(narrow, wide)
                found = convert(folder, values, wide, [narrow], options)
                right &= compare(f"{wide} to {narrow}", values, found,
                                 rounded(values, narrow))
    for source in INTEGERS:
        values = near_ties(source)
        for path in PATHS:
            found = convert(folder, values, source, path, options)
            wanted = values.tolist()
            for target in path:
                wanted = [nearest_float(value, target) for value in wanted]
            with numpy.errstate(over="ignore"):
                right &= compare(f"{source} to {' to '.join(path)}", values, found,
                                 numpy.array(wanted).astype(found.dtype))
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
