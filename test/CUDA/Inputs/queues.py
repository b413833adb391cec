"""Trains a model of the benchmarks on one and on two queues of the simulated CUDA,
whose streams run in a random order that events allow, and compares losses and
variables bit for bit; then removes each wait of its plan, which must be found.

    queues.py MODEL FOLDER
"""

import filecmp
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts/gpu"))

import pack
import worker

STEPS = 4
SEEDS = (1, 2, 3)


def run(*command, **options):
    return subprocess.run(list(map(str, command)), check=True, text=True,
                          stdout=subprocess.PIPE, **options).stdout


def train(artifact, folder, seed):
    """The losses; variables are saved to the folder."""
    text = run("job-run", artifact, "--entry=train", f"--steps={STEPS}", "--json",
               "--int-range=10", f"--save={folder}",
               env={**os.environ, "JOBSIM_SEED": str(seed)})
    return json.loads(text)["loss"]


def same_files(left, right):
    names = [path.relative_to(left) for path in left.rglob("*") if path.is_file()]
    assert names
    _, differ, errors = filecmp.cmpfiles(left, right, names, shallow=False)
    return not differ and not errors


def count_waits(module, folder):
    """The waits of a plan, all of which are missed when they are gone."""
    plan = folder / "plan.mlir"
    run("job-opt", module, "--job-train-pipeline",
        "--job-plan-pipeline=device=gpu queues=two", "-o", plan)
    lines = plan.read_text().splitlines(keepends=True)
    waits = [i for i, line in enumerate(lines) if "plan.wait " in line]
    for wait in waits:
        text = "".join(lines[:wait] + lines[wait + 1:])
        check = subprocess.run(["job-opt", "--plan-verify-memory", "-o", os.devnull],
                               input=text, text=True, stderr=subprocess.PIPE)
        # Without an order, a buffer is used too early or shares its memory.
        assert check.returncode != 0 and any(
            message in check.stderr
            for message in ("to wait for", "another queue may use")), text
    return len(waits)


def main():
    name, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True)
    worker.SHAPES[name] = pack.SHAPES[name]
    module = folder / f"{name}.mlir"
    pack.write_model(name, module, "gpu")
    results = {}
    for queues in ("one", "two"):
        artifact = folder / f"{queues}.so"
        pack.compile_module(module, artifact, "--gpu-target=simulated",
                            f"--queues={queues}")
        for seed in SEEDS if queues == "two" else SEEDS[:1]:
            saved = folder / f"{queues}-{seed}"
            results[saved] = train(artifact, saved, seed)
    first, *others = results
    for other in others:
        assert results[other] == results[first], (other, results)
        assert same_files(first, other), other
    print(f"{name}: {len(others)} runs on two queues have the bits of one; "
          f"{count_waits(module, folder)} waits, all missed when gone")


if __name__ == "__main__":
    main()
