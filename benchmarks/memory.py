"""Bytes of a training step, side by side with PyTorch.

Ours is what the plan says before the first step, all of it (arena, variables,
staging, workspace, constants), and what the process is seen to take; PyTorch's
is what its process takes. "Takes" is the peak resident memory above that of the
process with library and data loaded, after a few steps: PyTorch's optimizer has
its state from the end of the first one on, and its allocator settles later.

With --budgets: what is computed again instead of kept when the arena may have
only a share of the bytes that it has without a budget.

    scripts/bench.sh --memory [--models lenet,resnet50,gpt2] [--budgets]
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys

import bench
import configurations
import worker
from contender import Contender

HERE = pathlib.Path(__file__).resolve().parent


# In percent.
SHARES = (95, 90, 80, 70, 60, 50, 40)


def planned(model, threads, budget=None):
    """The totals of our plan and its report, None if no plan meets the budget."""
    script = (
        "import json, sys, jobmlir as flow, models_jobmlir\n"
        f"flow.config.compute_thread_pool_size({threads})\n"
        f"flow.config.memory_budget({budget})\n"
        f"models_jobmlir.define({model!r})\n"
        "try:\n"
        "    answer = flow.memory_totals(), flow.memory_report()\n"
        "except flow.errors.CompileError as error:\n"
        "    if 'to need at most' not in str(error):\n"
        "        raise\n"
        "    answer = None\n"
        "print(json.dumps(answer))\n"
    )
    answer = subprocess.run(
        [sys.executable, "-c", script], cwd=HERE, stdout=subprocess.PIPE, check=True
    )
    return json.loads(answer.stdout)


def print_budgets(model, threads):
    totals, _ = planned(model, threads)
    rest = totals["total"] - totals["arena"]
    print(f"\n{model}, batch {worker.SHAPES[model][0]}\n")
    bench.heading("share", "budget", "arena", "computed again", "operations added")
    bench.row("100 %", "", f"{totals['arena']:,}", "", "")
    for share in SHARES:
        budget = rest + totals["arena"] * share // 100
        answer = planned(model, threads, budget)
        if not answer:
            bench.row(f"{share} %", f"{budget:,}", "no plan", "", "")
            continue
        again = re.search(
            r"computed again instead of kept: (\d+ commands?), .*, ([0-9.]+ %)",
            answer[1],
        )
        added = again.groups() if again else ("", "")
        bench.row(f"{share} %", f"{budget:,}", f"{answer[0]['arena']:,}", *added)


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
    parser.add_argument("--budgets", action="store_true", help="ours under budgets")
    options = parser.parse_args()
    for model in options.models.split(","):
        if options.budgets:
            print_budgets(model, options.threads)
            continue
        plan, _ = planned(model, options.threads)
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
