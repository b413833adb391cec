#!/usr/bin/env python3
"""Compares the memory that is predicted for random jobs with that of their plans.

    arena.py FOLDER [--seed N] [--count N] [--batch N]

job-schedule and job-rematerialize work with the bytes of the arena that are live
at the peak, and subtract from a budget those of all other spaces. Both numbers
have to be those of the plan: the lower bound of the packer and the recorded
sizes. Every batch of jobs is planned with and without kernels that overwrite
inputs, with and without checks for NaN and infinity, as written, ordered, and
under a budget that few jobs meet.
"""

import argparse
import itertools
import pathlib
import re
import statistics
import subprocess
import sys

import generate

BEFORE = ("job-train-pipeline,job-verify,job-verify-placement,"
          "job.func(job-widen-types,job-decompose,canonicalize,cse),"
          "job-assign-layouts,job.func(job-convert-conv-to-matmul,"
          "job-form-micro-steps,job-select-implementations,"
          "job-form-kernels{{fuse={fuse}}}{schedule}){budget}")
AFTER = ("job-print-blob-places{{in-place={in_place} check-numerics={checks}}},"
         "convert-job-to-plan{{in-place={in_place} check-numerics={checks}}},"
         "plan-assign-offsets,plan.program(plan-pack-memory),"
         "plan-verify-memory")

PREDICTED = re.compile(r"job '(\w+)' needs (\d+) bytes of the arena at the peak "
                       r"and (\d+) bytes beside the arena")
PLANNED = re.compile(r"plan\.program @(\w+) kind \w+ sizes<([^>]*)>")
SHARED = re.compile(r"plan\.sizes = #plan\.sizes<([^>]*)>")
# The status of a kernel's checks, which is counted also for a kernel that needs
# none.
STATUS_BYTES = 256


def pipeline(fuse, schedule, in_place, checks, budget):
    """Passes from the job's text to its plan. With `budget`, ops run again; with
    `schedule` they are ordered."""
    places = f"in-place={in_place} check-numerics={checks}"
    of_schedule = f",job-schedule{{{places}}}" if schedule else ""
    of_budget = f",job-rematerialize{{budget={budget} {places} " \
        f"schedule={schedule}}}" if budget else ""
    text = BEFORE.format(fuse=fuse, schedule=of_schedule, budget=of_budget) \
        + "," + AFTER.format(in_place=in_place, checks=checks)
    return f"builtin.module({text})"


def total(sizes):
    """The bytes of a #plan.sizes without the arena."""
    return sum(int(value) for name, value in
               re.findall(r"(\w+) = (\d+)", sizes) if name != "arena")


def plan(path, *options):
    """Of each job the predicted and the planned bytes: those of the arena at the
    peak, and those beside the arena."""
    process = subprocess.run(
        ["job-opt", str(path), "--mlir-disable-threading",
         f"--pass-pipeline={pipeline(*options)}"],
        capture_output=True, text=True, timeout=900)
    if process.returncode != 0:
        raise RuntimeError(f"job-opt: {process.stderr[-2000:]}")
    predicted = {name: (int(peak), int(beside)) for name, peak, beside
                 in PREDICTED.findall(process.stderr)}
    shared = SHARED.search(process.stdout)
    planned = {}
    for name, sizes in PLANNED.findall(process.stdout):
        bound = int(re.search(r"arena = \d+ above (\d+)", sizes)[1])
        planned[name] = (bound, total(sizes) + total(shared[1]))
    if predicted.keys() != planned.keys() or not planned:
        raise RuntimeError(f"{predicted.keys()} and {planned.keys()}")
    return {name: (predicted[name], planned[name]) for name in planned}


def is_predicted(predicted, planned, checks):
    above = predicted[0] - planned[0]
    return predicted[1] == planned[1] and \
        0 <= above <= (STATUS_BYTES if checks == "true" else 0)


def check(path, failures):
    """Plans a module in all ways; returns the number of plans."""
    count = 0
    for in_place, checks in itertools.product(("true", "false"), repeat=2):
        found = plan(path, "true", "true", in_place, checks, 0)
        budget = statistics.median(
            beside + peak * 2 // 3 for (peak, beside), _ in found.values())
        for fuse, schedule, budget in (("true", "true", 0),
                                       ("false", "false", 0),
                                       ("true", "true", int(budget)),
                                       ("true", "false", int(budget))):
            for name, (predicted, planned) in plan(
                    path, fuse, schedule, in_place, checks, budget).items():
                count += 1
                if not is_predicted(predicted, planned, checks):
                    failures.append(
                        f"{name}: {predicted} were predicted but the plan has "
                        f"{planned}, with fuse={fuse} schedule={schedule} "
                        f"in-place={in_place} check-numerics={checks} "
                        f"budget={budget}")
    return count


def main():
    parser = argparse.ArgumentParser(
        description="Compares predicted memory with that of plans.")
    parser.add_argument("folder", type=pathlib.Path, help="for scratch files")
    parser.add_argument("--seed", type=int, default=1, help="of the first job")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--batch", type=int, default=25,
                        help="jobs in one module")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    path = arguments.folder / "jobs.mlir"
    failures, plans = [], 0
    end = arguments.seed + arguments.count
    for first in range(arguments.seed, end, arguments.batch):
        seeds = range(first, min(first + arguments.batch, end))
        path.write_text(generate.module(
            [generate.generate(seed, f"job{seed}", host_calls=True)
             for seed in seeds]))
        plans += check(path, failures)
    for failure in failures:
        print(failure)
    print(f"seeds {arguments.seed} to {end - 1}: {plans} plans, "
          f"{len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
