#!/usr/bin/env python3
"""Prints what gpu-check.sh has found as one table, and writes summary.json.

    table.py RESULTS --device sm_90 --version COMMIT

Status 1 where a unit has failed.
"""

import argparse
import datetime
import json
import pathlib
import subprocess
import sys


def describe_device(device):
    """The name of the GPU and its driver."""
    if device == "simulated":
        return "simulated CUDA"
    try:
        return subprocess.run(
            ["nvidia-smi", "--query-gpu=name,driver_version",
             "--format=csv,noheader"], capture_output=True, text=True,
            check=True).stdout.strip().splitlines()[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        return device


def read_unit(path):
    begin, end = map(float, path.with_suffix(".time").read_text().split())
    lines = path.read_text().strip().splitlines() or [""]
    return {"stage": path.parent.name, "unit": path.stem,
            "passed": path.suffix == ".passed",
            "seconds": round(end - begin, 2), "says": lines[-1]}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("--device", required=True)
    parser.add_argument("--version", required=True)
    arguments = parser.parse_args()
    units = [read_unit(path) for path in sorted(arguments.results.glob("*/*"))
             if path.suffix in (".passed", ".failed")]
    summary = {"date": datetime.date.today().isoformat(),
               "device": describe_device(arguments.device),
               "version": arguments.version, "units": units}
    (arguments.results / "summary.json").write_text(json.dumps(summary,
                                                               indent=1))
    print(f"{summary['device']}, {summary['date']}, {summary['version']}\n")
    print("| stage | unit | | seconds | |\n|---|---|---|---|---|")
    for unit in units:
        says = unit["says"] if unit["stage"] == "check" else ""
        print(f"| {unit['stage']} | {unit['unit']} "
              f"| {'passed' if unit['passed'] else 'FAILED'} "
              f"| {unit['seconds']:.1f} | {says} |")
    failed = sum(not unit["passed"] for unit in units)
    print(f"\n{len(units) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
