"""Bytes of a training step, side by side with PyTorch.

Ours is what the plan says before the first step, all of it (arena, variables,
staging, workspace, constants), and what the process is seen to take; PyTorch's
is what its process takes. "Takes" is the peak resident memory above that of the
process with library and data loaded, after a few steps: PyTorch's optimizer has
its state from the end of the first one on, and its allocator settles later.

    scripts/bench.sh --memory [--models lenet,resnet50,gpt2]
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys

import configurations
import worker
from contender import Contender

HERE = pathlib.Path(__file__).resolve().parent


def planned(model, threads):
    """The memory report of our plan."""
    script = (
        "import json, sys, jobmlir as flow, models_jobmlir\n"
        f"flow.config.compute_thread_pool_size({threads})\n"
        f"models_jobmlir.define({model!r})\n"
        "print(json.dumps(flow.memory_totals()))\n"
    )
    answer = subprocess.run(
        [sys.executable, "-c", script], cwd=HERE, stdout=subprocess.PIPE, check=True
    )
    return json.loads(answer.stdout)


def contenders_of(model, options):
    yield configurations.ours(sys.executable)
    if options.peers:
        environment = configurations.environments(options.threads)[""]
        yield configurations.torch_configuration(
            model,
            options.peers,
            False,
            configurations.layouts(model)[0],
            ("", environment),
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--models", default="lenet,resnet50,gpt2")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--peers", help="Python with torch; none: ours alone")
    options = parser.parse_args()
    for model in options.models.split(","):
        plan = planned(model, options.threads)
        print(f"{model}, batch {worker.SHAPES[model][0]}")
        for name, value in plan.items():
            print(f"  {name:<20} {value:>15,}")
        for configuration in contenders_of(model, options):
            one = Contender(configuration, model, options.threads, timeout=600)
            one.wait_until_ready()
            print(f"  {configuration.group + ' takes':<20} {one.memory:>15,}")
            one.close()


if __name__ == "__main__":
    main()
