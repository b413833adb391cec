#!/usr/bin/env python3
"""Prints what gpu-check.sh has found as tables, and writes it to RESULTS as
summary.json and gpu-results.md, which is the page docs/gpu-results.md.

    table.py RESULTS --device sm_90 --version COMMIT

Status 1 where a unit has failed. Modules of benchmarks/ are on PYTHONPATH.
"""

import argparse
import datetime
import json
import pathlib
import statistics
import subprocess
import sys

import bench_gpu
import gpu_rows

NEVER = "never measured"


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


def read_benchmarks(folder):
    """{row: {peer: what bench_gpu.py has written}}"""
    found = {}
    for path in sorted(folder.glob("*.json")):
        entry = json.loads(path.read_text())
        found.setdefault(entry["row"], {})[entry["peer"]] = entry
    return found


def microseconds(seconds):
    return f"{seconds * 1e6:,.1f}"


def describe_rate(row, seconds):
    return f"{microseconds(seconds)} ({row.items / seconds:,.0f}/s)"


def describe_peer(entry):
    """The fastest configuration of a peer, or why there is none."""
    if entry is None:
        return NEVER
    if len(entry["contenders"]) < 2:
        return entry["obstacle"] or "fails"
    best = entry["contenders"][1]
    name = best["title"].removeprefix(bench_gpu.PEERS[entry["peer"]]).lstrip(", ")
    text = microseconds(best["seconds"])
    return f"{text} ({name})" if name else text


def describe_row(row, entries, is_simulated):
    """The cells of a row of the benchmark."""
    ours = [entry["contenders"][0]["seconds"] for entry in entries.values()]
    if not ours:
        cells = [NEVER] * (3 + len(bench_gpu.PEERS))
        return [row.title, row.goal, *cells]
    seconds = statistics.median(ours)
    ratios = [one["ours_by_it"][0] for entry in entries.values()
              for one in entry["contenders"][1:]]
    peers = [describe_peer(entries.get(peer)) for peer in bench_gpu.PEERS]
    if is_simulated:
        return [" ".join(map(str, row.small)), "", microseconds(seconds), "",
                *peers, ""]
    met = ""
    if row.limit:
        met = "yes" if seconds <= row.limit else "no"
    return [row.title, row.goal,
            describe_rate(row, seconds) if row.goal_rate
            else microseconds(seconds),
            met, *peers, f"{max(ratios):.2f}" if ratios else ""]


def make_table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(map(str, line)) + " |\n" for line in lines)


def make_benchmark_table(found, is_simulated):
    head = ["model", "goal", "JobMLIR, us", "met",
            *(f"{title}, us" for title in bench_gpu.PEERS.values()),
            "ours / best"]
    return make_table(head, [describe_row(row, found.get(row.name, {}),
                                          is_simulated)
                             for row in gpu_rows.ROWS])


def make_check_table(units):
    if not units:
        return f"Checks: {NEVER}.\n"
    rows = []
    for unit in units:
        says = unit["says"] if unit["stage"] == "check" else ""
        rows.append([unit["stage"], unit["unit"],
                     "passed" if unit["passed"] else "FAILED",
                     f"{unit['seconds']:.1f}", says])
    return make_table(["stage", "unit", "", "seconds", ""], rows)


def make_page(summary, checks, benchmarks, is_simulated):
    """docs/gpu-results.md"""
    if is_simulated or not summary["units"]:
        about = "No GPU has run anything so far: all of this was never measured."
    else:
        about = (f"On {summary['date']}, {summary['device']}, code of "
                 f"{summary['version']}.")
    if is_simulated:
        checks, benchmarks = make_check_table([]), make_benchmark_table({}, True)
    return f"""# Results on a GPU

Written by `gpu-check.sh` in a folder of `scripts/gpu-pack.sh` ([gpu.md](gpu.md)). A
figure is the median of the steps of all rounds, host numpy in and mean loss out;
JobMLIR and a peer take turns. The ratio is the median, over rounds, of the ratio to
the fastest configuration of all peers.

{about}

## Training steps

{benchmarks}
## Checks

{checks}"""


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("--device", required=True)
    parser.add_argument("--version", required=True)
    arguments = parser.parse_args()
    folder = arguments.results
    units = [read_unit(path) for path in sorted(folder.glob("*/*"))
             if path.suffix in (".passed", ".failed")]
    found = read_benchmarks(folder / "bench")
    summary = {"date": datetime.date.today().isoformat(),
               "device": describe_device(arguments.device),
               "version": arguments.version, "units": units,
               "benchmarks": found}
    (folder / "summary.json").write_text(json.dumps(summary, indent=1))
    is_simulated = arguments.device == "simulated"
    checks = make_check_table(units)
    benchmarks = make_benchmark_table(found, is_simulated)
    (folder / "gpu-results.md").write_text(
        make_page(summary, checks, benchmarks, is_simulated))
    print(f"{summary['device']}, {summary['date']}, {summary['version']}\n")
    print(checks)
    if found:
        print(benchmarks)
        if is_simulated:
            print("Small models on the simulated CUDA and the CPU: no measurement.\n")
    failed = sum(not unit["passed"] for unit in units)
    print(f"{len(units) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
