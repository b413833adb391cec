#!/usr/bin/env python3
"""How long steps take in mixed precision on the CPU.

    .venv/bin/python benchmarks/precision_speed.py [MODEL...]

Compiles the training step of each model of models_jobmlir.py in float32, in
bfloat16 with the instructions that the processor has for it, and in bfloat16
without them, runs the sessions in turn, a few steps each, and prints the medians
of all steps and, over rounds, of the ratios of a round's medians to float32.
"""

import argparse
import statistics

import numpy as np

import jobmlir as flow
from jobmlir import _runtime
from jobmlir._src import compiling
from jobmlir._src.default_session import get_default_session

import models_jobmlir
from numerics_overhead import draw, timed

MODELS = ("mlp", "lenet", "resnet20", "chars")
# What the contender is called, whether it is in bfloat16, and what is removed from
# the features of the processor.
CONTENDERS = (
    ("float32", False, ""),
    ("bfloat16", True, ""),
    ("bfloat16 through float32", True, "-avx512bf16"),
)


def start(name, is_narrow, features, threads):
    """A session of the model."""
    flow.clear_default_session()
    flow.config.compiler_features(features)
    config = flow.function_config()
    config.enable_auto_mixed_precision(is_narrow)
    models_jobmlir.define(name, config)
    session = get_default_session()
    artifact = _runtime.Artifact.load(compiling.compile_module(session.trace()))
    session = _runtime.Session(artifact, threads=threads)
    session.initialize(1)
    return artifact, session


def measure(name, options):
    sessions = []
    for _, is_narrow, features in CONTENDERS:
        artifact, session = start(name, is_narrow, features, options.threads)
        sessions.append(session)
    (entry,) = [e for e in artifact.entries if e["name"] == "train"]
    rng = np.random.default_rng(1)
    inputs = [draw(port, rng) for port in entry["inputs"]]
    # About a fifth of a second a turn.
    step = max(timed(sessions[0], inputs, 3)[1:])
    for session in sessions[1:]:
        timed(session, inputs, 3)
    steps = max(1, min(200, int(0.2 / step)))
    times, ratios = [[] for _ in sessions], [[] for _ in sessions]
    for _ in range(options.rounds):
        turns = [timed(session, inputs, steps) for session in sessions]
        for i, turn in enumerate(turns):
            times[i] += turn
            ratios[i].append(statistics.median(turn) / statistics.median(turns[0]))
    for (what, *_), all_times, of_rounds in zip(CONTENDERS, times, ratios):
        print(
            f"{name}, {what}: {statistics.median(all_times) * 1e3:.3f} ms (least "
            f"{min(all_times) * 1e3:.3f}), ratio {statistics.median(of_rounds):.2f}",
            flush=True,
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", default=MODELS)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=10)
    options = parser.parse_args()
    for name in options.models:
        measure(name, options)


if __name__ == "__main__":
    main()
