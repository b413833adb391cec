"""Compares the losses of two runs: compare_runs.py RUN.json RUN.json, each a
line for each entry, as `job-run --json` prints them."""

import json
import sys


def read(path):
    with open(path) as file:
        return {run["entry"]: run["loss"] for run in map(json.loads, file)}


got, expected = map(read, sys.argv[1:])
assert got.keys() == expected.keys() and got, (got, expected)
for entry, losses in got.items():
    for step, (left, right) in enumerate(
            zip(losses, expected[entry], strict=True)):
        if abs(left - right) > 1e-4 * max(abs(right), 1e-2):
            sys.exit(f"{entry}, step {step}: expects {right} but got {left}")
