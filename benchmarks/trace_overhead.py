#!/usr/bin/env python3
"""How much slower steps are while a trace records them.

    .venv/bin/python benchmarks/trace_overhead.py ARTIFACT... [--entry train]

Turns a trace on and off every few steps of one session, so that whatever else
the machine does meets both; prints the medians of all steps of each kind, the
least times, and the median over rounds of the ratio of a round's medians.
"""

import argparse
import os
import statistics
import tempfile
import time

import numpy as np

from jobmlir import _runtime


def draw(port, rng):
    if np.dtype(port["dtype"].replace("f", "float").replace("i", "int")).kind == "f":
        return rng.random(port["shape"], dtype=np.float32)
    return rng.integers(0, 10, port["shape"], dtype=port["dtype"].replace("i", "int"))


def timed(session, entry, inputs, steps):
    times = []
    for _ in range(steps):
        start = time.perf_counter()
        session.run(entry, inputs).wait()
        times.append(time.perf_counter() - start)
    return times


def measure(path, options):
    artifact = _runtime.Artifact.load(path)
    (entry,) = [e for e in artifact.entries if e["name"] == options.entry]
    session = _runtime.Session(artifact, threads=options.threads)
    session.initialize(1)
    rng = np.random.default_rng(1)
    inputs = [draw(port, rng) for port in entry["inputs"]]
    timed(session, options.entry, inputs, options.steps)
    off, on, ratios = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "trace.json")
        for _ in range(options.rounds):
            plain = timed(session, options.entry, inputs, options.steps)
            session.start_trace(trace, options.steps)
            traced = timed(session, options.entry, inputs, options.steps)
            session.finish_trace()
            off += plain
            on += traced
            ratios.append(statistics.median(traced) / statistics.median(plain))
    us = 1e6
    print(
        f"{path}: off {statistics.median(off) * us:.1f} us (least {min(off) * us:.1f}), "
        f"on {statistics.median(on) * us:.1f} us (least {min(on) * us:.1f}), "
        f"ratio {statistics.median(ratios):.4f}"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("artifacts", nargs="+")
    parser.add_argument("--entry", default="train")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--steps", type=int, default=20)
    options = parser.parse_args()
    for path in options.artifacts:
        measure(path, options)


if __name__ == "__main__":
    main()
