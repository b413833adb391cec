#!/usr/bin/env python3
"""How long a program takes until its first results: medians of new processes.

    start_up.py [--tries 9]

Prints the time of `import jobmlir` and the memory of the process after it, and the
time of the first call of a small training job, compiled and from the cache. NumPy is
imported before, as every program does.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

PROGRAM = """
import json, resource, time
import numpy as np
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
start = time.perf_counter()
import jobmlir as flow
import jobmlir.typing as tp
imported = time.perf_counter()
memory = peak()

@flow.global_function(type="train")
def train(x: tp.Numpy.Placeholder((32, 64)),
          labels: tp.Numpy.Placeholder((32,), dtype=flow.int32)) -> tp.Numpy:
    init = flow.truncated_normal(0.1)
    x = flow.layers.dense(x, 64, activation=flow.nn.relu, kernel_initializer=init)
    x = flow.layers.dense(x, 10, kernel_initializer=init)
    loss = flow.nn.sparse_softmax_cross_entropy_with_logits(labels, x)
    rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
    flow.optimizer.SGD(rate).minimize(loss)
    return loss

images, labels = np.ones((32, 64), np.float32), np.zeros(32, np.int32)
begin = time.perf_counter()
train(images, labels)
print(json.dumps([imported - start, memory, time.perf_counter() - begin]))
"""


def run(cache):
    """Seconds of the import, bytes after it, seconds of the first call."""
    process = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "JOBMLIR_CACHE_DIR": cache},
        check=True,
        capture_output=True,
        text=True,
    )
    return json.loads(process.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tries", type=int, default=9)
    arguments = parser.parse_args()
    compiled, cached = [], []
    for _ in range(arguments.tries):
        with tempfile.TemporaryDirectory() as cache:
            compiled.append(run(cache))
            cached.append(run(cache))
    imports, memory, _ = map(statistics.median, zip(*compiled, *cached))
    first = statistics.median(times[2] for times in compiled)
    again = statistics.median(times[2] for times in cached)
    print("| import | memory after it | first call | first call, from the cache |")
    print("|---|---|---|---|")
    print(
        f"| {imports * 1e3:.0f} ms | {memory / 1e6:.0f} MB | {first * 1e3:.0f} ms "
        f"| {again * 1e3:.0f} ms |"
    )


if __name__ == "__main__":
    main()
