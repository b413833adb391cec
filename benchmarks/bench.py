"""Seconds a training step, side by side with PyTorch and JAX at their best.

Every contender is a process of its own that keeps its model and answers "run n
steps" with the n wall times of a step (host numpy in, mean loss as a Python
float out). Rounds go through the contenders in turn, so that a slow minute of
the machine meets all of them; a turn in which other processes take processors is
repeated. All use the same number of threads on the same processors, and only one
works at a time.

First each configuration of a peer (configurations.py) runs a few rounds beside
JobMLIR, as many processes at a time as memory allows. Then the best of each peer,
and any that comes within 3 % of the best of all, run the rounds that give the
figures. A peer that fails is reported with its message and left out.

With --against DIR two builds of JobMLIR run instead: this one, and the one whose
package is in DIR (`build/python` of another checkout).

    scripts/bench.sh [--models mlp,lenet] [--quick] [--json FILE]
    scripts/bench.sh --against DIR
"""

import argparse
import datetime
import json
import os
import pathlib
import platform
import sys

import configurations
import worker
from contender import Contender, Failure, ratio, run_rounds

# The part of the machine's memory that must be free before another peer starts.
RESERVE = 0.35


def log(text):
    print(text, file=sys.stderr, flush=True)


def memory(field):
    """A field of /proc/meminfo in bytes."""
    for line in pathlib.Path("/proc/meminfo").read_text().splitlines():
        name, value = line.split(":")
        if name == field:
            return int(value.split()[0]) * 1024
    raise KeyError(field)


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":")[1].strip()
    return platform.machine()


def start_report(options):
    """Pins this process and all that it starts to as many processors as there are
    threads (XLA has no other way to set their number), and prints what a reader
    has to know of the measurement; the same for JSON."""
    cpus = sorted(os.sched_getaffinity(0))
    if not 1 <= options.threads <= len(cpus):
        sys.exit(f"expects 1 to {len(cpus)} threads but got {options.threads}")
    os.sched_setaffinity(0, cpus[: options.threads])
    if options.peers:
        for name in configurations.missing_allocators():
            log(f"{name} is not installed: its configurations are left out")
    about = {
        "date": datetime.date.today().isoformat(),
        "processor": processor(),
        "threads": options.threads,
    }
    print(
        f"{about['date']}, {about['processor']}, {options.threads} threads\n",
        flush=True,
    )
    return about


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def heading(*cells):
    row(*cells)
    row(*("---" for _ in cells))


def spread(median, quartiles):
    """A median in milliseconds, and the quartiles beside it."""
    first, third = (f"{t * 1e3:.4g}" for t in quartiles)
    return f"{median * 1e3:.4g} ms ({first} to {third})"


class Benchmark:
    """The measurement of one model."""

    def __init__(self, model, options):
        self.model = model
        self.options = options
        # Configurations with their messages.
        self.failures = []
        # Configurations with their times and the ratio of ours to them.
        self.tried = []
        # Those of the last rounds, ours first.
        self.contenders = []

    def fail(self, configuration, message):
        if configuration.is_ours:
            sys.exit(f"{configuration.group} fails on {self.model}: {message}")
        log(f"{self.model}, {configuration.title}: {message}")
        self.failures.append((configuration, message))

    def start(self, waiting):
        """Starts configurations, taking them from the list, while there is
        memory, but at least one; those that did not fail. The next one starts
        while one does: much of a start is on one core."""
        options = self.options
        starting, started = [], []
        while True:
            while (
                waiting
                and len(starting) < 2
                and (
                    not starting + started
                    or memory("MemAvailable") > RESERVE * memory("MemTotal")
                )
            ):
                starting.append(
                    Contender(
                        waiting.pop(0), self.model, options.threads, options.timeout
                    )
                )
            if not starting:
                return started
            one = starting.pop(0)
            try:
                started.append(one.wait_until_ready())
            except Failure as failure:
                self.fail(one.configuration, str(failure))
                continue
            log(
                f"{self.model}, {one.configuration.title}: "
                f"{one.step_seconds * 1e3:.2f} ms, started in {one.start_seconds:.0f} s"
            )

    def run_rounds(self, contenders, count):
        for failure in run_rounds(
            contenders, count, self.options.seconds, self.options.patience
        ):
            self.fail(*failure)

    def screen(self, ours, waiting):
        """Runs all configurations of peers beside ours; those that are still
        alive at the end."""
        while True:
            alive = [ours, *self.start(waiting)]
            self.run_rounds(alive, self.options.tries)
            for one in alive[1:]:
                middle, _, _ = ratio(ours.times, one.times)
                self.tried.append((one.configuration, one.times, middle))
            if not waiting:
                return alive[1:]
            for one in alive[1:]:
                one.close()

    def finalists(self):
        best = {}
        for configuration, _, speed in self.tried:
            group = configuration.group
            best[group] = max(speed, best.get(group, 0))
        limit = 0.97 * max(best.values(), default=0)
        return [
            configuration
            for configuration, _, speed in self.tried
            if speed >= min(best[configuration.group], limit)
        ]

    def run(self):
        options = self.options
        (ours,) = self.start([configurations.ours(sys.executable)])
        others, alive = [], {}
        if options.against:
            others = [
                configurations.ours(sys.executable, "JobMLIR, other", options.against)
            ]
        elif options.peers and options.quick:
            others = configurations.best_known(
                self.model, options.peers, options.threads
            )
        elif options.peers:
            every = configurations.peers(self.model, options.peers, options.threads)
            screened = self.screen(ours, list(every))
            alive = {one.configuration.title: one for one in screened}
            others = self.finalists()
        kept = [alive.pop(one.title) for one in others if one.title in alive]
        for one in alive.values():
            one.close()
        titles = [one.configuration.title for one in kept]
        missing = [one for one in others if one.title not in titles]
        self.contenders = [ours, *kept]
        while missing:
            self.contenders += self.start(missing)
        self.run_rounds(self.contenders, options.rounds)
        for one in self.contenders:
            one.close()

    def report(self):
        """Markdown."""
        ours = self.contenders[0].times
        print(f"### {self.model}, batch {worker.SHAPES[self.model][0]}\n")
        heading(
            "contender",
            "median (quartiles)",
            "steps",
            "disturbed rounds",
            "ours / it (quartiles)",
        )
        for one in self.contenders:
            comparison = ""
            if one.times is not ours:
                middle, first, third = ratio(ours, one.times)
                comparison = f"{middle:.2f} ({first:.2f} to {third:.2f})"
            row(
                one.configuration.title,
                spread(one.times.median, one.times.quartiles),
                len(one.times.steps),
                one.times.disturbed,
                comparison,
            )
        for configuration, message in self.failures:
            print(f"\n{configuration.title} fails: {message}")
        print(flush=True)

    def record(self):
        """What was measured, for JSON."""
        ours = self.contenders[0].times

        def entry(configuration, times, speed):
            return {
                "group": configuration.group,
                "configuration": configuration.name,
                "median": times.median,
                "quartiles": times.quartiles,
                "disturbed": times.disturbed,
                "ours_by_it": speed,
            }

        return {
            "model": self.model,
            "batch": worker.SHAPES[self.model][0],
            "contenders": [
                {
                    **entry(one.configuration, one.times, ratio(ours, one.times)),
                    "version": one.about["version"],
                    "rounds": one.times.rounds,
                }
                for one in self.contenders
            ],
            "tried": [entry(*one) for one in self.tried],
            "failures": [
                {"configuration": configuration.title, "message": message}
                for configuration, message in self.failures
            ],
        }


def summarize(records):
    """Ours beside the best of each peer, and all that was tried, in one table
    each. `records` are the models as in JSON."""
    groups = {}
    for record in records:
        for one in record["contenders"][1:]:
            groups.setdefault(one["group"], one["version"])
    if not groups:
        return
    print("### Summary\n")
    heading("model, batch", "JobMLIR", *groups, "ours / best (quartiles)")
    for record in records:
        ours, *peers = record["contenders"]
        best = {}
        for one in sorted(peers, key=lambda one: one["median"]):
            best.setdefault(one["group"], one)
        cells = [spread(ours["median"], ours["quartiles"])]
        for group in groups:
            if group in best:
                one = best[group]
                note = f", {one['configuration']}" if one["configuration"] else ""
                cells.append(spread(one["median"], one["quartiles"]) + note)
            else:
                cells.append("fails")
        ratios = [one["ours_by_it"] for one in best.values()]
        if ratios:
            middle, first, third = max(ratios)
            cells.append(f"{middle:.2f} ({first:.2f} to {third:.2f})")
        row(f"{record['model']}, {record['batch']}", *cells)
    print("\n" + ", ".join(dict.fromkeys(groups.values())) + "\n")
    tried = {}
    for record in records:
        for one in record["tried"]:
            title = ", ".join(filter(None, [one["group"], one["configuration"]]))
            tried.setdefault(title, {})[record["model"]] = one["ours_by_it"]
    if tried:
        print("Ours / it, for all that was tried:\n")
        models = [record["model"] for record in records]
        heading("configuration", *models)
        for title, ratios in tried.items():
            row(title, *(f"{ratios[m]:.2f}" if m in ratios else "" for m in models))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--models", default=",".join(worker.SHAPES))
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument(
        "--tries", type=int, default=3, help="rounds for each configuration of a peer"
    )
    parser.add_argument(
        "--seconds", type=float, default=0.5, help="of a contender in a round"
    )
    parser.add_argument(
        "--patience",
        type=float,
        default=10,
        help="seconds to repeat a turn that other processes disturb",
    )
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument(
        "--timeout", type=int, default=600, help="seconds to wait for an answer"
    )
    parser.add_argument("--peers", help="Python with torch and jax; none: ours alone")
    parser.add_argument(
        "--quick",
        action="store_true",
        help="only the configurations of peers that are known as the best",
    )
    parser.add_argument(
        "--against", metavar="DIR", help="another build's package, instead of peers"
    )
    parser.add_argument("--json", metavar="FILE", help="also write all times there")
    options = parser.parse_args()
    models = options.models.split(",")
    for model in models:
        if model not in worker.SHAPES:
            parser.error(
                f"expects models of {', '.join(worker.SHAPES)} but got '{model}'"
            )
    if options.against and not pathlib.Path(options.against, "jobmlir").is_dir():
        parser.error(
            f"expects a folder with the package jobmlir but got '{options.against}'"
        )
    about = start_report(options)
    records = []
    for model in models:
        benchmark = Benchmark(model, options)
        benchmark.run()
        benchmark.report()
        records.append(benchmark.record())
        if options.json:
            pathlib.Path(options.json).write_text(
                json.dumps({**about, "models": records}, indent=1)
            )
    summarize(records)


if __name__ == "__main__":
    main()
