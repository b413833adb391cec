"""What oneDNN takes of a training step, beside PyTorch in its best eager
configuration.

Both use oneDNN, of different versions: this says whether a difference is in its
primitives or around them. It prints each primitive that it runs with its time
(ONEDNN_VERBOSE). Ours run on one thread each and several at a time, PyTorch's on
all threads; the table has milliseconds a step on all threads for both. What is
left of a step is around the primitives. MKL, which multiplies PyTorch's
matrices, is not seen.

    scripts/bench.sh --primitives [--models lenet,resnet20,resnet50]
"""

import argparse
import collections
import dataclasses
import os
import statistics
import sys

import bench
import configurations
import worker
from contender import Contender

# Columns, by words of a primitive's kind and direction.
COLUMNS = {
    "convolution": ("convolution", "forward"),
    "data gradient": ("convolution", "backward_data"),
    "filter gradient": ("convolution", "backward_weights"),
    "matrix product": ("matmul", ""),
    "reorder": ("reorder", ""),
}


def column_of(kind, direction):
    for column, (kind_of_column, prefix) in COLUMNS.items():
        if kind == kind_of_column and direction.startswith(prefix):
            return column
    return None


def add_up(lines):
    """Milliseconds by column. A line of an execution is
    onednn_verbose,...,exec,cpu,KIND,IMPLEMENTATION,DIRECTION,...,MILLISECONDS."""
    times = collections.Counter()
    for line in lines:
        fields = line.strip().split(",")
        if fields[0] not in ("onednn_verbose", "dnnl_verbose") or "exec" not in fields:
            continue
        _, kind, _, direction = fields[fields.index("exec") + 1 :][:4]
        if column := column_of(kind, direction):
            times[column] += float(fields[-1])
    return times


def measure(configuration, model, options):
    """Milliseconds of a step and, by column, of its primitives."""
    environment = {**configuration.environment, "ONEDNN_VERBOSE": "1"}
    configuration = dataclasses.replace(configuration, environment=environment)
    contender = Contender(configuration, model, options.threads, timeout=600)
    contender.wait_until_ready()
    steps = max(3, contender.steps_for(options.seconds))
    contender.errors.seek(0, os.SEEK_END)
    before = contender.errors.tell()
    seconds = contender.request(steps)["seconds"]
    contender.errors.seek(before)
    times = add_up(contender.errors)
    contender.close()
    threads = options.threads if configuration.is_ours else 1
    return statistics.median(seconds) * 1e3, {
        column: time / steps / threads for column, time in times.items()
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--models", default=",".join(worker.CONVOLUTIONAL))
    parser.add_argument("--seconds", type=float, default=2, help="of each contender")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--peers", help="Python with torch; none: ours alone")
    options = parser.parse_args()
    bench.start_report(options)
    bench.heading("model", "contender", "step", *COLUMNS)
    for model in options.models.split(","):
        contenders = [configurations.ours(sys.executable)]
        if options.peers:
            contenders += [
                peer
                for peer in configurations.best_known(
                    model, options.peers, options.threads
                )
                if peer.group == "PyTorch"
            ]
        for configuration in contenders:
            step, times = measure(configuration, model, options)
            cells = (f"{times[c]:.2f} ms" if c in times else "" for c in COLUMNS)
            bench.row(model, configuration.title, f"{step:.2f} ms", *cells)


if __name__ == "__main__":
    main()
