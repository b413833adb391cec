#!/usr/bin/env python3
"""How much slower steps are that are checked for NaN and infinity.

    .venv/bin/python benchmarks/numerics_overhead.py [MODEL...]

Compiles the training step of each model of models_jobmlir.py with
config.check_numerics off and on, runs the two sessions in turn, a few steps
each, so that whatever else the machine does meets both, and prints the medians
of all steps and the median over rounds of the ratio of a round's medians.
"""

import argparse
import statistics
import time

import numpy as np

import jobmlir as flow
from jobmlir import _runtime
from jobmlir._src import compiling
from jobmlir._src.default_session import get_default_session

import models_jobmlir

MODELS = ("mlp", "lenet", "resnet20", "chars")


def compile_model(name, checked):
    """The path of the artifact."""
    flow.clear_default_session()
    flow.config.check_numerics(checked)
    models_jobmlir.define(name)
    session = get_default_session()
    return compiling.compile_module(session.trace())


def draw(port, rng):
    if port["dtype"] == "f32":
        return rng.random(port["shape"], dtype=np.float32)
    return rng.integers(0, 10, port["shape"], dtype=np.int32)


def timed(session, inputs, steps):
    times = []
    for _ in range(steps):
        start = time.perf_counter()
        session.run("train", inputs).wait()
        times.append(time.perf_counter() - start)
    return times


def measure(name, options):
    sessions = []
    for checked in (False, True):
        artifact = _runtime.Artifact.load(compile_model(name, checked))
        sessions.append(_runtime.Session(artifact, threads=options.threads))
        sessions[-1].initialize(1)
    (entry,) = [e for e in artifact.entries if e["name"] == "train"]
    rng = np.random.default_rng(1)
    inputs = [draw(port, rng) for port in entry["inputs"]]
    # About a fifth of a second a turn.
    step = max(timed(sessions[0], inputs, 3)[1:])
    timed(sessions[1], inputs, 3)
    steps = max(1, min(200, int(0.2 / step)))
    times, ratios = ([], []), []
    for _ in range(options.rounds):
        turns = [timed(session, inputs, steps) for session in sessions]
        for all_times, turn in zip(times, turns):
            all_times += turn
        ratios.append(statistics.median(turns[1]) / statistics.median(turns[0]))
    off, on = (statistics.median(t) * 1e6 for t in times)
    print(
        f"{name}: off {off:.1f} us (least {min(times[0]) * 1e6:.1f}), on {on:.1f} us "
        f"(least {min(times[1]) * 1e6:.1f}), ratio {statistics.median(ratios):.3f}",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", default=MODELS)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--rounds", type=int, default=20)
    options = parser.parse_args()
    for name in options.models:
        measure(name, options)


if __name__ == "__main__":
    main()
