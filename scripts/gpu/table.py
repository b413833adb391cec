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


STATES = ("passed", "failed", "skipped")


def read_unit(path):
    begin, end = map(float, path.with_suffix(".time").read_text().split())
    lines = path.read_text().strip().splitlines() or [""]
    unit = {"stage": path.parent.name, "unit": path.stem,
            "state": path.suffix.removeprefix("."),
            "seconds": round(end - begin, 2), "says": lines[-1]}
    if unit["state"] == "failed":
        unit["log"] = lines[-20:]
        unit["says"] = describe_failure(lines)
    return unit


def describe_failure(lines):
    """The last lines tell how it ended; what they end with may have no reason."""
    return "; ".join(line.strip() for line in lines[-3:] if line.strip())[-300:]


def read_skipped(path):
    """The tests that a unit of tests has skipped, each as a unit."""
    file = path.with_suffix(".json")
    if path.suffix != ".passed" or path.parent.name != "check" or not file.exists():
        return []
    return [{"stage": "check", "unit": f"{path.stem}: {name}", "state": "skipped",
             "seconds": 0, "says": reason}
            for name, reason in json.loads(file.read_text())["skipped"].items()]


def read_units(folder):
    return [unit for path in sorted(folder.glob("*/*"))
            if path.suffix.removeprefix(".") in STATES
            for unit in (read_unit(path), *read_skipped(path))]


def read_benchmarks(folder):
    """{row: [what bench_gpu.py has written]}"""
    found = {}
    for path in sorted(folder.glob("*.json")):
        entry = json.loads(path.read_text())
        found.setdefault(entry["row"], []).append(entry)
    return found


def microseconds(seconds):
    return f"{seconds * 1e6:,.1f}"


def describe_rate(row, seconds):
    return f"{microseconds(seconds)} ({row.items / seconds:,.0f}/s)"


def find_peer(entry):
    """What was measured of the peer; None if nothing was."""
    return entry["contenders"][1] if len(entry["contenders"]) > 1 else None


def describe_peer(entries):
    """The fastest configuration of a peer, or why there is none. Those that have
    failed are counted: one of them may have been the fastest."""
    if not entries:
        return NEVER
    measured = [entry for entry in entries if find_peer(entry)]
    failed = [entry for entry in entries if entry["failure"]]
    if not measured:
        return entries[0]["obstacle"] or f"{len(failed)} of {len(entries)} failed"
    best = min(measured, key=lambda entry: find_peer(entry)["seconds"])
    notes = [best["name"]] if best["name"] else []
    if failed:
        notes.append(f"{len(failed)} of {len(entries)} failed")
    text = microseconds(find_peer(best)["seconds"])
    return f"{text} ({'; '.join(notes)})" if notes else text


def describe_row(row, entries, is_simulated):
    """The cells of a row of the benchmark."""
    ours = [entry["contenders"][0]["seconds"] for entry in entries
            if entry["contenders"]]
    peers = ["" if row.one_queue else
             describe_peer([entry for entry in entries if entry["peer"] == peer])
             for peer in bench_gpu.PEERS]
    if not ours:
        cells = [NEVER] * (3 + len(bench_gpu.PEERS))
        return [row.title, row.goal, *cells]
    seconds = statistics.median(ours)
    ratios = [find_peer(entry)["ours_by_it"][0] for entry in entries
              if find_peer(entry)]
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
    return make_table(head, [describe_row(row, found.get(row.name, []),
                                          is_simulated)
                             for row in gpu_rows.ROWS])


def make_check_table(units):
    if not units:
        return f"Checks: {NEVER}.\n"
    rows = []
    for unit in units:
        is_told = unit["stage"] == "check" or unit["state"] != "passed"
        says = unit["says"].replace("|", "\\|") if is_told else ""
        rows.append([unit["stage"], unit["unit"],
                     "FAILED" if unit["state"] == "failed" else unit["state"],
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
    units = read_units(folder)
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
    counts = {state: sum(unit["state"] == state for unit in units)
              for state in STATES}
    print(", ".join(f"{count} {state}" for state, count in counts.items()))
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
