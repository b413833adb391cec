#!/usr/bin/env python3
"""Checks what `job-run --json` printed, and files that runs have written.

    check_run.py report FILE STEPS THREADS COUNTED
                                             one run of examples/mlp.mlir; with
                                             `counted`, a runtime that counts
                                             allocations
    check_run.py close FILE FILE TOLERANCE   two .npy files, in units of the
                                             largest magnitude
"""

import json
import math
import sys

import numpy


def check(condition, message):
    if not condition:
        sys.exit(message)


def check_report(path, steps, threads, counted):
    report = json.load(open(path))
    check(set(report) == {
        "entry", "reference", "threads", "steps", "loss", "seconds_per_step",
        "device", "memory", "arena_lower_bound", "allocations_per_step"}, report)
    check(report["entry"] == "train" and report["reference"] is False, report)
    check(report["threads"] == threads and report["steps"] == steps, report)
    check(len(report["loss"]) == steps, report)
    check(all(math.isfinite(loss) for loss in report["loss"]), report)
    seconds = report["seconds_per_step"]
    check(0 < seconds["min"] <= seconds["median"], report)
    memory = dict(report["memory"])
    check(memory["arena"] >= report["arena_lower_bound"] > 0, report)
    check(memory.pop("total") == sum(memory.values()), report)
    allocations = report["allocations_per_step"]
    if not counted:
        check(set(allocations.values()) == {-1}, report)
        return
    check(allocations["ours"] == 0, f"the runtime allocates: {report}")
    # The library's own are counted: oneDNN makes some in each call.
    check(allocations["library"] > 0, f"nothing was counted: {report}")


def check_close(first, second, tolerance):
    a, b = numpy.load(first), numpy.load(second)
    check(a.shape == b.shape and a.dtype == b.dtype, f"{a.shape} and {b.shape}")
    far = numpy.abs(a.astype(float) - b).max() / numpy.abs(b).max()
    check(far <= tolerance, f"{first} and {second} differ by {far}")
    check(far > 0, f"{first} and {second} are the same numbers, which two ways "
                   "of computing do not give")


def main():
    what, *arguments = sys.argv[1:]
    if what == "report":
        path, steps, threads, counted = arguments
        check_report(path, int(steps), int(threads), counted == "counted")
    else:
        check_close(arguments[0], arguments[1], float(arguments[2]))


if __name__ == "__main__":
    main()
