#!/usr/bin/env python3
"""Estimates the training steps of benchmarks/gpu_rows.py on one H200, from plans.

    estimate.py [--rows mlp-f32,...] [--plans FOLDER] [--write docs/performance.md]

Prints a table of microseconds by job-report-time, whose defaults are the device's
rates and the efficiencies that kernels reach. --plans keeps the plans, as ROW.mlir.
--write puts the table into the page, between the lines that begin with
`<!-- estimates`. job-opt is on PATH, the package jobmlir on
PYTHONPATH.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
for folder in ("benchmarks", "scripts/gpu"):
    sys.path.insert(0, str(ROOT / folder))

import gpu_rows
import pack

PARTS = ("launches", "memory", "arithmetic", "commands", "inputs", "outputs",
         "total")
BEGIN, END = "<!-- estimates begin -->\n", "<!-- estimates end -->\n"


def job_opt(*arguments):
    return subprocess.run(["job-opt", *map(str, arguments)], check=True,
                          capture_output=True, text=True).stdout


def estimate(row, folder, plans):
    """{part: microseconds} of a step, and its number of launches."""
    module, plan = folder / f"{row.name}.job.mlir", plans / f"{row.name}.mlir"
    pack.write_row(row, "gpu", module)
    precision = "bf16" if row.precision == "bf16" else "f32"
    planning = ["device=gpu", *["tf32"] * (row.precision == "tf32"),
                f"queues={row.queues_for('sm_90')}"]
    job_opt(module, f"--job-train-pipeline=precision={precision}",
            f"--job-plan-pipeline={' '.join(planning)}", "-o", plan)
    text = job_opt(plan, "--job-report-time=largest=0", "-o", "/dev/null")
    found = re.search(r"^time of 'train' .*?(?=^time of|\Z)", text,
                      re.MULTILINE | re.DOTALL)[0]
    return {part: float(re.search(rf"^  {part} +([0-9.]+)$", found,
                                  re.MULTILINE)[1]) for part in PARTS}


def make_row(row, times):
    total = times["total"]
    cells = [row.title, *(f"{times[part]:,.1f}" for part in PARTS)]
    if row.goal_rate:
        cells[-1] += f" ({row.items / total * 1e6:,.0f}/s)"
    met = ""
    if row.limit:
        met = "yes" if total <= row.limit * 1e6 else \
            f"no, {total / (row.limit * 1e6):.2f} times as long"
    return [*cells, row.goal, met]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", help="only these, comma-separated")
    parser.add_argument("--plans", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--write", type=pathlib.Path, metavar="PAGE")
    arguments = parser.parse_args()
    if arguments.plans:
        arguments.plans.mkdir(parents=True, exist_ok=True)
    rows = [gpu_rows.find(name) for name in arguments.rows.split(",")] \
        if arguments.rows else gpu_rows.ROWS
    header = ["step", *PARTS, "goal", "met"]
    lines = [header, ["---"] * len(header)]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for row in rows:
            times = estimate(row, folder, arguments.plans or folder)
            lines.append(make_row(row, times))
    table = "".join("| " + " | ".join(line) + " |\n" for line in lines)
    print(table, end="")
    if arguments.write:
        before, rest = arguments.write.read_text().split(BEGIN)
        after = rest.split(END)[1]
        arguments.write.write_text(f"{before}{BEGIN}{table}{END}{after}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
