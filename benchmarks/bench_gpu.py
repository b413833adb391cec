"""Seconds a training step on a GPU, beside one configuration of a peer: PyTorch
eager, compiled or as a CUDA graph, or JAX.

    bench_gpu.py ROW CONTENDER --artifacts FOLDER [--target sm_90] [--peers PYTHON]
                 [--json FILE]
    bench_gpu.py --list --artifacts FOLDER [--target sm_90]

ROW is a name of gpu_rows.py, CONTENDER `ours`, which runs alone, or a configuration of
a peer; --list prints all pairs of the artifacts in FOLDER, ours first. Ours is the
artifact FOLDER/TARGET/ROW.so, run by jobmlir_runtime alone; nothing is compiled here.
Host numpy in, mean loss as a Python float out, random inputs. As in bench.py, each of
the two is a process of its own, and rounds go through them in turn; no third one takes
memory of the device. A peer that is missing or fails is reported with the reason; only
ours has to run. FILE says "not finished" until the peer has, so that a process that is
stopped leaves that. With the target `simulated`, small models stand for the rows and
peers run on the CPU: that rehearses the program and measures nothing.
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
# What there is to try of a peer, by name. Of graphs: the whole step captured, of plain
# and of compiled ops, and torch.compile's own.
CHOICES = {
    "eager": {"": {"compile": False}},
    "compiled": {"": {"compile": True}},
    "graph": {
        "captured": {"compile": False, "capture": True},
        "captured-compiled": {"compile": True, "capture": True},
        "reduce-overhead": {"compile": True, "mode": "reduce-overhead"},
    },
    "jax": {"": {}},
}
# Memory for two processes: JAX would take most of it at once.
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


def configurations(row, target, python):
    """{name: (peer, configuration)} of a row; of those of a peer the fastest counts."""
    model, *size = row.size_for(target)
    device = "cpu" if target == "simulated" else "cuda"
    found = {}
    for peer, choices in CHOICES.items():
        for layout in layouts(model):
            for choice, values in choices.items():
                name = "-".join(filter(None, [layout, choice]))
                options = {
                    "layout": layout or "nchw",
                    "device": device,
                    "precision": row.precision,
                    "shape": size,
                    **values,
                }
                found["-".join(filter(None, [peer, name]))] = peer, Configuration(
                    PEERS[peer],
                    name,
                    python,
                    "worker_jax.py" if peer == "jax" else "worker_torch.py",
                    options,
                    ENVIRONMENT,
                )
    return found


def list_contenders(artifacts, target):
    """Pairs of a row and a contender, those of ours first."""
    rows = [row for row in gpu_rows.ROWS
            if (artifacts / target / f"{row.name}.so").exists()]
    for row in rows:
        yield row.name, "ours"
    for row in rows:
        if not row.one_queue:
            for name in configurations(row, target, None):
                yield row.name, name


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


def describe(contenders):
    """What was measured: ours first."""
    return [
        {
            "title": one.configuration.title,
            "version": one.about["version"],
            "seconds": one.times.median,
            "quartiles": one.times.quartiles,
            "steps": len(one.times.steps),
            "ours_by_it": ratio(contenders[0].times, one.times),
        }
        for one in contenders
    ]


def measure(configurations, model, options):
    """The contenders, ours first, and why the peer is not one of them."""
    contenders, failures = [], []
    for configuration in configurations:
        one = Contender(configuration, model, options.threads, options.timeout)
        try:
            contenders.append(one.wait_until_ready())
        except Failure as failure:
            failures.append((configuration, str(failure)))
            if configuration.is_ours:
                break
    else:
        failures += run_rounds(contenders, options.rounds, options.seconds)
    for one in contenders:
        one.close()
    for configuration, message in failures:
        if configuration.is_ours:
            sys.exit(f"JobMLIR fails: {message}")
    return contenders, failures[0][1] if failures else None


def write(path, entry):
    if path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(entry, indent=1))


def run(row, contender, options):
    """Measures, and writes what was found."""
    competitors = [ours(row, options.target, options.artifacts)]
    entry = {"row": row.name, "peer": "ours", "name": "", "obstacle": None,
             "failure": None, "contenders": []}
    if contender != "ours":
        known = configurations(row, options.target, options.peers)
        if contender not in known:
            sys.exit(f"expects a contender of ours, {', '.join(known)} but got "
                     f"'{contender}'")
        peer, configuration = known[contender]
        competitors.append(configuration)
        entry.update(peer=peer, name=configuration.name, failure="not finished")
        device = "cpu" if options.target == "simulated" else "cuda"
        entry["obstacle"] = find_obstacle(
            options.peers, "jax" if peer == "jax" else "torch", device)
        if not entry["obstacle"] and peer == "graph" and device == "cpu":
            entry["obstacle"] = "needs a GPU"
        if entry["obstacle"]:
            print(f"{PEERS[peer]}: {entry['obstacle']}")
            return write(options.json, {**entry, "failure": None})
    write(options.json, entry)
    contenders, entry["failure"] = measure(
        competitors, row.size_for(options.target)[0], options)
    entry["contenders"] = describe(contenders)
    write(options.json, entry)
    for one in entry["contenders"]:
        print(f"{one['title']}: {one['seconds'] * 1e6:.1f} us")
    if entry["failure"]:
        print(f"{competitors[-1].title} fails: {entry['failure']}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("row", nargs="?")
    parser.add_argument("contender", nargs="?")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--artifacts", type=pathlib.Path, required=True)
    parser.add_argument("--target", default="sm_90")
    parser.add_argument("--peers", help="Python with torch and jax")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=0.5, help="of a round")
    parser.add_argument("--threads", type=int, default=4)
    parser.add_argument(
        "--timeout", type=int, default=120, help="seconds to wait for an answer"
    )
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    if options.list:
        for pair in list_contenders(options.artifacts, options.target):
            print(*pair)
    elif not options.contender:
        parser.error("expects a row and a contender")
    else:
        run(gpu_rows.find(options.row), options.contender, options)


if __name__ == "__main__":
    main()
