"""Where the time of a training step goes, and how far it is from a floor.

Each model of models_jobmlir.py runs some steps with a trace. The commands of a
step are added up by family; what is left of the step is "between commands". The
floor is the time that the floating-point operations of convolutions, matrix
products and attention would take at the speed that one core reaches in a large
matrix product, on all cores.

    scripts/bench.sh --breakdown [--models mlp,lenet] [--top 10]
"""

import argparse
import collections
import json
import os
import pathlib
import statistics
import sys
import tempfile
import time

import jobmlir as flow

import bench
import kernel_cases
import models_jobmlir
import worker
from contender import Configuration, Contender

# Family by what the name of the first op of a command contains, the first match.
NAMES = (
    ("updates", ("update of",)),
    ("normalization", ("LayerNorm", "BatchNorm", "batch_normalization")),
    ("pooling", ("Pool",)),
    ("loss", ("CrossEntropy",)),
    ("bias and activation", ("bias_add", "activation")),
)
CALLS = (
    ("convolutions", "onednn.conv2d"),
    ("matrix products", "onednn.matmul"),
    ("attention", "host.attention"),
)
PRODUCTS = [family for family, _ in CALLS]


def family_of(command):
    """The family of a command's row of the trace."""
    kernel, op = command["args"]["kernel"], command["args"]["op"]
    for family, prefix in CALLS:
        if kernel.startswith(prefix):
            return family
    for family, words in NAMES:
        if any(word in op for word in words):
            return family
    return "other kernels and copies"


class Step:
    """Microseconds of a step, by family, and operations of products."""

    def __init__(self):
        self.families = collections.Counter()
        self.operations = 0
        self.start, self.end = float("inf"), 0.0

    def add(self, command):
        family = family_of(command)
        self.families[family] += command["dur"]
        if family in PRODUCTS:
            self.operations += command["args"]["flops"]
        self.start = min(self.start, command["ts"])
        self.end = max(self.end, command["ts"] + command["dur"])

    def finish(self):
        self.total = self.end - self.start
        self.families["between commands"] = self.total - self.families.total()


def trace(model, options):
    """The rows of the commands in a trace of some seconds."""
    flow.clear_default_session()
    flow.config.compute_thread_pool_size(options.threads)
    train = models_jobmlir.define(model)
    step = worker.training(
        worker.batches(model),
        lambda inputs, labels: float(train(inputs, labels).mean()),
    )
    step()
    start = time.perf_counter()
    step()
    count = int(options.seconds / (time.perf_counter() - start))
    count = max(3, min(500, count))
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "trace.json")
        with flow.profiler.trace(str(path), steps=count):
            for _ in range(count):
                step()
        events = json.loads(path.read_text())["traceEvents"]
    return [event for event in events if "kernel" in event.get("args", {})]


def steps_of(commands):
    steps = collections.defaultdict(Step)
    for command in commands:
        steps[command["args"]["step"]].add(command)
    for one in steps.values():
        one.finish()
    return list(steps.values())


def print_longest(model, commands, count):
    """The commands that take the most time, and how fast they are."""
    times = collections.defaultdict(list)
    for command in commands:
        times[command["args"]["command"]].append(command)
    medians = {
        number: statistics.median(one["dur"] for one in rows)
        for number, rows in times.items()
    }
    print(f"\n{model}\n")
    bench.heading("command", "time", "op", "kernel", "chunks", "GFLOP/s", "GB/s")
    for number in sorted(medians, key=medians.get, reverse=True)[:count]:
        args, time_us = times[number][0]["args"], medians[number]
        bench.row(
            number,
            f"{time_us:.0f} us",
            args["op"],
            args["kernel"],
            args["chunks"],
            f"{args['flops'] / time_us / 1e3:.1f}",
            f"{(args['bytes_read'] + args['bytes_written']) / time_us / 1e3:.1f}",
        )


def percent(share):
    return f"{100 * share:.1f}" if share >= 0.0005 else ""


def measure_peak(options):
    """Operations a second of one core in a large matrix product."""
    (case,) = [c for c in kernel_cases.CASES.values() if c.kind == "matmul"]
    product = Contender(
        Configuration(
            "JobMLIR",
            "",
            sys.executable,
            "kernels_jobmlir.py",
            {"compiler": options.compiler},
        ),
        case.title,
        threads=1,
        timeout=120,
    )
    product.wait_until_ready()
    seconds = min(product.request(10)["seconds"])
    product.close()
    rows, depth = case.inputs["a"]
    return 2 * rows * depth * case.inputs["b"][1] / seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--models", default=",".join(worker.SHAPES))
    parser.add_argument("--seconds", type=float, default=5, help="of each model")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--compiler", default="job-compile", help="path of job-compile")
    parser.add_argument(
        "--top", type=int, default=0, help="also print that many commands of each model"
    )
    options = parser.parse_args()
    options.peers = None
    bench.start_report(options)
    peak = measure_peak(options)
    print(f"One core: {peak / 1e9:.0f} GFLOP/s\n")
    families = [*PRODUCTS, *(family for family, _ in NAMES)]
    families += ["other kernels and copies", "between commands"]
    print("Families in percent of the step.\n")
    bench.heading(
        "model", "step", "floor", "step / floor", "products / floor", *families
    )
    commands = {}
    for model in options.models.split(","):
        commands[model] = trace(model, options)
        steps = steps_of(commands[model])
        total = statistics.median(step.total for step in steps)
        floor = steps[0].operations / peak / options.threads * 1e6
        medians = {
            family: statistics.median(step.families[family] for step in steps)
            for family in families
        }
        products = sum(medians[family] for family in PRODUCTS)
        bench.row(
            model,
            f"{total / 1e3:.2f} ms",
            f"{floor / 1e3:.2f} ms",
            f"{total / floor:.2f}",
            f"{products / floor:.2f}",
            *(percent(medians[family] / total) for family in families),
        )
    if options.top:
        for model, rows in commands.items():
            print_longest(model, rows, options.top)


if __name__ == "__main__":
    main()
