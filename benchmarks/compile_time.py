#!/usr/bin/env python3
"""How long training steps take to compile, and in which passes.

    .venv/bin/python benchmarks/compile_time.py [MODEL...] [--passes 8]

A model is one of models_jobmlir.py, or mlp-N: N equal layers with Adam. Each
is traced once and compiled by job-compile in a process of its own, so that
nothing is there from before: process start, parser, passes, code generation
and linker count. Prints the median and the least of some runs, the kernels that
code is generated for, the buffers that plan-pack-memory places, the bytes of the
arena and of its lower bound, the most that is alive at once, how long that takes,
and the slowest passes.
"""

import argparse
import pathlib
import re
import statistics
import subprocess
import tempfile
import time

import jobmlir as flow
import jobmlir.typing as tp

import models_jobmlir

MODELS = ("lenet", "resnet20", "resnet50", "chars", "gpt2", "mlp-24", "mlp-200", "mlp-400")
PIPELINES = ("--job-train-pipeline", "--job-plan-pipeline", "--job-lower-pipeline")


def define_mlp(layers, batch=32, width=64):
    @flow.global_function(type="train")
    def train(
        inputs: tp.Numpy.Placeholder((batch, width)),
        labels: tp.Numpy.Placeholder((batch,), dtype=flow.int32),
    ) -> tp.Numpy:
        x = inputs
        for _ in range(layers):
            x = flow.layers.dense(
                x,
                width,
                activation=flow.nn.relu,
                kernel_initializer=models_jobmlir.INIT,
            )
        loss = flow.nn.sparse_softmax_cross_entropy_with_logits(
            labels,
            flow.layers.dense(x, 10, kernel_initializer=models_jobmlir.INIT),
        )
        models_jobmlir.optimizer("lenet").minimize(loss)
        return loss


def trace(name, path):
    flow.clear_default_session()
    if name.startswith("mlp-"):
        define_mlp(int(name[4:]))
    else:
        models_jobmlir.define(name)
    path.write_text(flow.dump_ir("job", locations=True))
    return flow.memory_totals()


def run(*command):
    answer = subprocess.run(
        [str(word) for word in command], check=True, capture_output=True, text=True
    )
    return answer.stdout, answer.stderr


def timed(*command):
    start = time.perf_counter()
    run(*command)
    return time.perf_counter() - start


def seconds_of_passes(report):
    """The seconds of each pass, without pipelines."""
    rows = re.findall(r"^ *([0-9.]+) \( *[0-9.]+%\) +(\w+)$", report, re.M)
    passes = {}
    for seconds, name in rows:
        if name not in ("Total", "Rest", "Parser", "Output"):
            passes[name] = passes.get(name, 0) + float(seconds)
    return passes


def measure(name, folder, options):
    job, library = folder / "job.mlir", folder / "job.so"
    totals = trace(name, job)
    times = [timed(options.tools / "job-compile", job, "-o", library) for _ in range(options.runs)]
    text, report = run(
        options.tools / "job-opt", job, *PIPELINES, "--mlir-timing", "--mlir-disable-threading"
    )
    kernels = len(re.findall(r"^ *llvm\.func internal @", text, re.M))
    buffers = len(re.findall(r"= plan\.alloc ", text))
    passes = seconds_of_passes(report)
    print(
        f"{name}: {statistics.median(times):.2f} s (least {min(times):.2f}), "
        f"{kernels} kernels; {buffers} buffers in an arena of {totals['arena']:,} bytes "
        f"(at least {totals['arena_lower_bound']:,}) in {passes['PlanPackMemory']:.2f} s"
    )
    slowest = sorted(((s, n) for n, s in passes.items()), reverse=True)
    for seconds, pass_name in slowest[: options.passes]:
        print(f"  {seconds:7.3f} s  {pass_name}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", default=MODELS)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--passes", type=int, default=3, help="how many to print")
    parser.add_argument(
        "--tools",
        type=pathlib.Path,
        default=pathlib.Path(__file__).resolve().parents[1] / "build" / "bin",
        help="the folder of job-compile and job-opt",
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name in options.models:
            measure(name, pathlib.Path(folder), options)


if __name__ == "__main__":
    main()
