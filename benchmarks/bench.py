"""Seconds a training step, side by side with PyTorch and JAX.

Every contender is a process of its own that keeps its model and answers "run n
steps" with the n wall times of a step (host numpy in, mean loss as a Python
float out). Rounds go through the contenders in turn, so that a slow minute of
the machine hits all of them; the figure is the median over all rounds. All use
the same number of threads, and only one works at a time.

    scripts/bench.sh [--models mlp,lenet,resnet20,chars] [--rounds 7] [--steps 20] [--threads 2]
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys

import worker

HERE = pathlib.Path(__file__).resolve().parent


class Contender:
    """A worker process that holds one model."""

    def __init__(self, name, python, script, model, arguments, environment):
        self.name = name
        self.times = []
        self.process = subprocess.Popen(
            [python, str(HERE / script), model, *arguments],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env=environment)
        self.about = json.loads(self.process.stdout.readline())

    def run(self, steps):
        self.process.stdin.write(f"{steps}\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        self.losses = answer["losses"]
        self.memory = answer["memory"]
        self.times.extend(answer["seconds"])

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def start(model, options):
    """Starts the contenders whose packages are there."""
    environment = dict(os.environ, OMP_NUM_THREADS=str(options.threads),
                       MKL_NUM_THREADS=str(options.threads))
    candidates = [("jobmlir", sys.executable, "worker_jobmlir.py", [])]
    if options.peers:
        candidates += [
            ("torch", options.peers, "worker_torch.py", ["eager"]),
            ("torch.compile", options.peers, "worker_torch.py", ["compile"]),
        ]
        if model in ("mlp", "lenet"):
            candidates.append(("jax", options.peers, "worker_jax.py", []))
    contenders = []
    for name, python, script, arguments in candidates:
        try:
            contenders.append(Contender(
                name, python, script, model,
                [*arguments, str(options.threads)], environment))
        except json.JSONDecodeError:
            if name == "jobmlir":
                sys.exit("jobmlir does not start")
            print(f"{name}: does not start, left out", file=sys.stderr)
    return contenders


def measure(model, options):
    contenders = start(model, options)
    for contender in contenders:  # warm up: compile, touch memory
        contender.run(options.steps)
        contender.times.clear()
    for _ in range(options.rounds):
        for contender in contenders:
            contender.run(options.steps)
    rows = []
    for contender in contenders:
        rows.append({
            "model": model, "contender": contender.name,
            "about": contender.about,
            "median": statistics.median(contender.times),
            "min": min(contender.times), "steps": len(contender.times),
        })
        contender.close()
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--models", default="mlp,lenet,resnet20,chars")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--threads", type=int,
                        default=len(os.sched_getaffinity(0)))
    parser.add_argument("--peers", default=None,
                        help="Python with torch and jax; none: ours alone")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    for model in options.models.split(","):
        rows = measure(model, options)
        if options.json:
            for row in rows:
                print(json.dumps(row))
            continue
        ours = rows[0]["median"]
        print(f"{model}, batch {worker.SHAPES[model][0]}, {options.threads} threads, "
              f"{rows[0]['steps']} steps")
        for row in rows:
            print(f"  {row['contender']:<14} {row['median'] * 1e3:8.3f} ms "
                  f"(least {row['min'] * 1e3:8.3f})  "
                  f"{row['median'] / ours:5.2f} of ours  {row['about']}")


if __name__ == "__main__":
    main()
