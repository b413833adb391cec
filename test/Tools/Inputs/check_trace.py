#!/usr/bin/env python3
"""Checks a trace that `job-run --trace` has written.

    check_trace.py FILE STEPS DROPPED ENTRY...   the entries in the file
"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "python/tests"))

import trace_format


def check(condition, message):
    if not condition:
        sys.exit(str(message))


def main(path, steps, dropped, *entries):
    trace_format.check(path)
    trace = json.load(open(path))
    about = trace["otherData"]
    check(about["steps"] == int(steps), about)
    check(about["dropped_steps"] == int(dropped), about)
    rows = [event for event in trace["traceEvents"] if event["ph"] == "X"]
    step_rows = [row for row in rows if row["cat"] == "step"]
    check(len(step_rows) == int(steps), step_rows)
    check({row["name"] for row in step_rows} == set(entries), step_rows)
    for step in step_rows:
        number = step["args"]["step"]
        commands = [
            row for row in rows if "kernel" in row["args"] and row["args"]["step"] == number
        ]
        check(len(commands) == step["args"]["commands"], step)
        check([row["args"]["command"] for row in commands] == list(range(len(commands))),
              commands)
        check(sum(row["args"]["flops"] for row in commands) == step["args"]["flops"], step)
        for row in commands:
            check(row["ts"] >= step["ts"] - 1e-3, row)
            check(row["ts"] + row["dur"] <= step["ts"] + step["dur"] + 2e-3, row)
        for row in commands:
            if row["cat"] in ("dispatch", "call"):
                check(".mlir:" in row["args"]["line"], row)
                check(row["args"]["bytes_read"] + row["args"]["bytes_written"] > 0, row)
    products = [row["args"]["flops"] for row in rows
                if row["args"].get("kernel") == "onednn.matmul"]
    # 100x784 by 784x512: two operations a term.
    check(2 * 100 * 784 * 512 in products, products)


main(*sys.argv[1:])
