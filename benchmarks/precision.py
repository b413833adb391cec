"""How long training steps take in bfloat16 on the CPU, beside PyTorch's.

Ours in float32, in bfloat16 with the instructions that the processor has for it,
and in bfloat16 without them; PyTorch, eager and compiled, under torch.autocast, in
the configurations that are its fastest in float32. All in turn; the table has the
median of all steps, the ratio of our step in bfloat16 to each, and our step in
float32 to each: medians of the ratios of rounds.

    scripts/bench.sh --precision [--models lenet,resnet20] [--rounds 6]
"""

import argparse
import dataclasses
import os
import sys

import bench
import configurations
import contender

MODELS = ("mlp", "lenet", "resnet20", "resnet50", "chars")
# What ours are called, and the options of their workers.
OURS = (
    ("float32", {"precision": "f32"}),
    ("bfloat16", {"precision": "bf16"}),
    (
        "bfloat16 through float32",
        {"precision": "bf16", "features": "-avx512bf16"},
    ),
)


def contenders_of(model, options):
    own = configurations.ours(sys.executable)
    for name, setting in OURS:
        yield dataclasses.replace(own, name=name, options=setting)
    if options.peers:
        for peer in configurations.best_known(model, options.peers, options.threads):
            if peer.group != "JAX":
                yield dataclasses.replace(
                    peer,
                    name=f"bfloat16, {peer.name}",
                    options={**peer.options, "precision": "bf16"},
                )


def measure(model, options):
    running = [
        contender.Contender(
            configuration, model, options.threads, timeout=600
        ).wait_until_ready()
        for configuration in contenders_of(model, options)
    ]
    for configuration, message in contender.run_rounds(
        list(running), options.rounds, options.seconds
    ):
        sys.exit(f"{configuration.title}: {message}")
    wide, narrow = (one.times for one in running[:2])
    for one in running:
        one.close()
        times = one.times
        bench.row(
            model,
            one.configuration.title,
            f"{times.median * 1e3:.3g} ms",
            ratio(narrow, times),
            ratio(wide, times),
        )


def ratio(one, other):
    """The ratio with its quartiles over rounds."""
    median, first, third = contender.ratio(one, other)
    return f"{median:.2f} ({first:.2f} to {third:.2f})"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--models", default=",".join(MODELS))
    parser.add_argument("--seconds", type=float, default=0.4, help="of a turn")
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--peers", help="Python with torch; none: ours alone")
    options = parser.parse_args()
    bench.start_report(options)
    bench.heading(
        "model", "contender", "step", "ours in bfloat16 / it", "ours in float32 / it"
    )
    for model in options.models.split(","):
        measure(model, options)


if __name__ == "__main__":
    main()
