"""Single kernels, side by side with numpy and PyTorch.

Each contender is a process of its own with its operands in memory, in the layout
that suits it, and repeats one kernel; rounds go through the contenders in turn.
Ours is a job of one kernel between variables, measured as a blocking call.
PyTorch runs eagerly and compiled, with the allocator and thread binding that are
best for its models. Results of all are compared before anything is measured.

    scripts/bench.sh --kernels [--cases softmax,transpose] [--rounds 10]
"""

import argparse
import json
import os
import pathlib
import sys

import bench
import configurations
import kernel_cases
from contender import Configuration, Contender, Failure, ratio, run_rounds

# Of checksums: rounding makes less of a difference, a wrong kernel more.
RELATIVE_ERROR = 1e-4


def contenders_of(options):
    yield Configuration(
        "JobMLIR",
        "",
        sys.executable,
        "kernels_jobmlir.py",
        {"compiler": options.compiler},
    )
    if options.peers:
        yield Configuration("numpy", "", options.peers, "kernels_numpy.py")
        places = configurations.environments(options.threads)
        environment = places.get("tcmalloc, bound", places["bound"])
        for group, compiled in (("PyTorch", False), ("torch.compile", True)):
            yield Configuration(
                group,
                "",
                options.peers,
                "kernels_torch.py",
                {"compile": compiled},
                # Few lines to compile: no processes for that.
                {**environment, "TORCHINDUCTOR_COMPILE_THREADS": "1"},
            )


def find_difference(ours, other):
    """What differs between the results of two contenders, or None."""
    theirs = other.about["checksums"]
    for name, (value, size) in ours.about["checksums"].items():
        if abs(value - theirs[name][0]) > RELATIVE_ERROR * size:
            return f"expects '{name}' with sum {value} but got {theirs[name][0]}"
    return None


def measure(case, options):
    """The contenders that ran, ours first, and the failures of the others."""
    started, failures = [], []
    for configuration in contenders_of(options):
        one = Contender(configuration, case.title, options.threads, options.timeout)
        try:
            started.append(one.wait_until_ready())
        except Failure as failure:
            failures.append((configuration, str(failure)))
            continue
        if difference := find_difference(started[0], one):
            failures.append((configuration, difference))
            started.pop().close()
    failures += run_rounds(started, options.rounds, options.seconds, options.patience)
    for one in started:
        one.close()
    for configuration, message in failures:
        if configuration.is_ours:
            sys.exit(f"JobMLIR fails on '{case.title}': {message}")
    return started, failures


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--cases", default="", help="kinds, as softmax,gather; all")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument(
        "--seconds", type=float, default=0.1, help="of a contender in a round"
    )
    parser.add_argument(
        "--patience",
        type=float,
        default=10,
        help="seconds to repeat a turn that other processes disturb",
    )
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--timeout", type=int, default=300, help="for an answer")
    parser.add_argument("--compiler", default="job-compile", help="path of job-compile")
    parser.add_argument("--peers", help="Python with numpy and torch; none: ours alone")
    parser.add_argument("--json", metavar="FILE", help="also write all times there")
    options = parser.parse_args()
    kinds = {case.kind for case in kernel_cases.CASES.values()}
    wanted = set(filter(None, options.cases.split(","))) or kinds
    if wanted - kinds:
        parser.error(
            f"expects cases of {', '.join(sorted(kinds))} but got "
            f"'{', '.join(sorted(wanted - kinds))}'"
        )
    about = bench.start_report(options)
    groups = [configuration.group for configuration in contenders_of(options)]
    bench.heading("kernel", *groups, *(f"ours / {group}" for group in groups[1:]))
    records = []
    for case in kernel_cases.CASES.values():
        if case.kind not in wanted:
            continue
        started, failures = measure(case, options)
        ours = started[0].times
        by_group = {one.configuration.group: one for one in started}
        ratios = {group: ratio(ours, one.times)[0] for group, one in by_group.items()}
        cells = []
        for group in groups:
            if group in by_group:
                times = by_group[group].times
                cells.append(bench.spread(times.median, times.quartiles))
            else:
                cells.append("fails")
        bench.row(
            case.title,
            *cells,
            *(f"{ratios[g]:.2f}" if g in ratios else "" for g in groups[1:]),
        )
        for configuration, message in failures:
            bench.log(f"{configuration.group} fails on '{case.title}': {message}")
        records.append(
            {
                "kernel": case.title,
                "contenders": [
                    {
                        "group": group,
                        "about": one.about,
                        "median": one.times.median,
                        "quartiles": one.times.quartiles,
                        "rounds": one.times.rounds,
                        "disturbed": one.times.disturbed,
                    }
                    for group, one in by_group.items()
                ],
            }
        )
    if options.json:
        pathlib.Path(options.json).write_text(
            json.dumps({**about, "kernels": records}, indent=1)
        )


if __name__ == "__main__":
    main()
