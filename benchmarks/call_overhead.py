#!/usr/bin/env python3
"""What a blocking call costs besides its computation.

    ninja -C build call_overhead
    .venv/bin/python benchmarks/call_overhead.py --c build/bin/call_overhead

One job with an input and an output of two numbers, on an idle session: called
through jobmlir, through jobmlir_runtime, and from C. Prints the median and the
least time of a call, over batches of 100 calls.
"""

import argparse
import statistics
import subprocess
import time

import numpy as np

import jobmlir as flow
import jobmlir.typing as tp
import jobmlir_runtime
from jobmlir._src.default_session import get_default_session

BATCH = 100


@flow.global_function()
def job(x: tp.Numpy.Placeholder((2,))) -> tp.Numpy:
    return x + 1.0


def measure(call, calls):
    """Microseconds of one call: (median, least)."""
    times = []
    for _ in range(calls // BATCH):
        start = time.perf_counter()
        for _ in range(BATCH):
            call()
        times.append((time.perf_counter() - start) / BATCH * 1e6)
    return statistics.median(times), min(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, default=50_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--c", metavar="PROGRAM", help="the program in C")
    options = parser.parse_args()

    x = np.zeros(2, np.float32)
    job(x)
    artifact = get_default_session()._artifact.path
    model = jobmlir_runtime.load(artifact)
    for _ in range(options.rounds):
        rows = {
            "jobmlir": measure(lambda: job(x), options.calls),
            "jobmlir_runtime": measure(lambda: model.run("job", x), options.calls),
        }
        if options.c:
            command = [options.c, artifact, "job", str(options.calls)]
            nanoseconds = subprocess.check_output(command, text=True).split()
            rows["C"] = [float(value) / 1000 for value in nanoseconds]
        print(
            ", ".join(
                f"{name} {median:.2f} us (least {least:.2f})"
                for name, (median, least) in rows.items()
            )
        )


if __name__ == "__main__":
    main()
