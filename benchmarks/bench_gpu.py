"""Seconds a training step on a GPU, beside one peer: PyTorch eager, compiled or as
a CUDA graph, or JAX.

    bench_gpu.py ROW PEER --artifacts FOLDER [--target sm_90] [--peers PYTHON]
                 [--json FILE]

ROW is a name of gpu_rows.py, PEER one of `eager`, `compiled`, `graph`, `jax`. Ours is
the artifact FOLDER/TARGET/ROW.so, run by jobmlir_runtime alone; nothing is compiled
here. Host numpy in, mean loss as a Python float out, random inputs. As in bench.py,
every contender is a process of its own, and rounds go through them in turn. A peer
that is missing or fails is reported with the reason; only ours has to run. With the
target `simulated`, small models stand for the rows and peers run on the CPU: that
rehearses the program and measures nothing.
"""

import argparse
import json
import pathlib
import subprocess
import sys

import gpu_rows
import worker
from contender import Configuration, Contender, Failure, ratio, run_rounds

PEERS = {
    "eager": "PyTorch, eager",
    "compiled": "PyTorch, compiled",
    "graph": "PyTorch, CUDA graph",
    "jax": "JAX",
}
# The whole step captured, of plain and of compiled ops, and torch.compile's own.
GRAPHS = {
    "captured": {"compile": False, "capture": True},
    "captured, compiled": {"compile": True, "capture": True},
    "reduce-overhead": {"compile": True, "mode": "reduce-overhead"},
}
# Memory for several processes: JAX would take most of it at once.
ENVIRONMENT = {"XLA_PYTHON_CLIENT_PREALLOCATE": "false"}

PROBES = {
    "torch": "import torch; print(torch.__version__, torch.cuda.is_available())",
    "jax": "import jax; print(jax.__version__, "
    "any(d.platform == 'gpu' for d in jax.devices()))",
}


def find_obstacle(python, module, device):
    """Why a peer cannot run; None when it can."""
    if not python:
        return "left out"
    done = subprocess.run(
        [python, "-c", PROBES[module]], capture_output=True, text=True
    )
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or ["no message"]
        if lines[-1] == f"ModuleNotFoundError: No module named '{module}'":
            return "not on this machine"
        return f"cannot be imported: {lines[-1]}"
    version, has_device = done.stdout.split()[-2:]
    if device == "cuda" and has_device != "True":
        return f"{module} {version} finds no GPU here"
    return None


def layouts(model):
    return ("nhwc", "nchw") if model in worker.CONVOLUTIONAL else ("",)


def configurations(row, peer, target, python):
    """Those of a peer; the fastest counts."""
    model, *size = row.size_for(target)
    device = "cpu" if target == "simulated" else "cuda"
    choices = {
        "eager": {"": {"compile": False}},
        "compiled": {"": {"compile": True}},
        "graph": GRAPHS if device == "cuda" else {},
        "jax": {"": {}},
    }[peer]
    script = "worker_jax.py" if peer == "jax" else "worker_torch.py"
    for layout in layouts(model):
        for name, choice in choices.items():
            options = {
                "layout": layout or "nchw",
                "device": device,
                "precision": row.precision,
                "shape": size,
                **choice,
            }
            yield Configuration(
                PEERS[peer],
                ", ".join(filter(None, [layout, name])),
                python,
                script,
                options,
                ENVIRONMENT,
            )


def ours(row, target, artifacts):
    model, *size = row.size_for(target)
    return Configuration(
        "JobMLIR",
        "",
        sys.executable,
        "worker_artifact.py",
        {
            "artifact": str(artifacts / target / f"{row.name}.so"),
            "driver": "cuda",
            "shape": size,
        },
    )


class Measurement:
    """Ours beside the configurations of one peer."""

    def __init__(self, row, options):
        self.model = row.size_for(options.target)[0]
        self.options = options
        self.failures = []
        self.contenders = []

    def start(self, configuration):
        one = Contender(
            configuration, self.model, self.options.threads, self.options.timeout
        )
        try:
            self.contenders.append(one.wait_until_ready())
        except Failure as failure:
            self.fail(configuration, str(failure))

    def fail(self, configuration, message):
        if configuration.is_ours:
            sys.exit(f"JobMLIR fails: {message}")
        print(f"{configuration.title} fails: {message}", flush=True)
        self.failures.append({"title": configuration.title, "message": message})

    def run(self):
        failed = run_rounds(
            self.contenders, self.options.rounds, self.options.seconds
        )
        for failure in failed:
            self.fail(*failure)
        for one in self.contenders:
            one.close()

    def record(self):
        """What was measured: ours first, then the peer's, the fastest first."""
        first, *others = self.contenders
        others.sort(key=lambda one: one.times.median)
        return [
            {
                "title": one.configuration.title,
                "version": one.about["version"],
                "seconds": one.times.median,
                "quartiles": one.times.quartiles,
                "steps": len(one.times.steps),
                "ours_by_it": ratio(first.times, one.times),
            }
            for one in [first, *others]
        ]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("row")
    parser.add_argument("peer", choices=PEERS)
    parser.add_argument("--artifacts", type=pathlib.Path, required=True)
    parser.add_argument("--target", default="sm_90")
    parser.add_argument("--peers", help="Python with torch and jax; none: ours alone")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=0.5, help="of a round")
    parser.add_argument("--threads", type=int, default=4)
    parser.add_argument(
        "--timeout", type=int, default=240, help="seconds to wait for an answer"
    )
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    row = gpu_rows.find(options.row)
    device = "cpu" if options.target == "simulated" else "cuda"
    module = "jax" if options.peer == "jax" else "torch"

    measurement = Measurement(row, options)
    measurement.start(ours(row, options.target, options.artifacts))
    obstacle = find_obstacle(options.peers, module, device)
    if obstacle is None:
        for one in configurations(row, options.peer, options.target, options.peers):
            measurement.start(one)
        if len(measurement.contenders) == 1 and not measurement.failures:
            obstacle = "needs a GPU"
    measurement.run()
    record = measurement.record()
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(
            json.dumps(
                {
                    "row": row.name,
                    "peer": options.peer,
                    "obstacle": obstacle,
                    "contenders": record,
                    "failures": measurement.failures,
                },
                indent=1,
            )
        )
    for one in record:
        print(f"{one['title']}: {one['seconds'] * 1e6:.1f} us")
    if obstacle:
        print(f"{PEERS[options.peer]}: {obstacle}")


if __name__ == "__main__":
    main()
