"""Losses are equal, bit for bit, from Python, job-run and a resumed run, on any
number of threads."""

import json
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Trains LeNet `steps` steps and prints its losses in full. A process each: one
# process has one session.
SCRIPT = """
import json, sys
import numpy as np
import jobmlir as flow
import jobmlir.typing as tp

folder, threads, steps, load, save = sys.argv[1:]
flow.config.compute_thread_pool_size(int(threads))
BATCH = 20

@flow.global_function(type="train")
def train(images: tp.Numpy.Placeholder((BATCH, 1, 28, 28)),
          labels: tp.Numpy.Placeholder((BATCH,), dtype=flow.int32)) -> tp.Numpy:
    init = flow.truncated_normal(0.1)
    x = flow.layers.conv2d(images, 8, 5, padding="SAME", activation=flow.nn.relu,
                           kernel_initializer=init, name="conv")
    x = flow.nn.max_pool2d(x, 2, 2, padding="SAME")
    x = flow.reshape(x, [BATCH, -1])
    x = flow.nn.dropout(x, rate=0.5)
    x = flow.layers.dense(x, 10, kernel_initializer=init, name="output")
    loss = flow.nn.sparse_softmax_cross_entropy_with_logits(labels, x)
    rate = flow.optimizer.PiecewiseConstantScheduler([], [1e-3])
    flow.optimizer.Adam(rate, do_bias_correction=True).minimize(loss)
    return loss

checkpoint = flow.train.CheckPoint()
if load:
    checkpoint.load(load)
else:
    checkpoint.init()
images, labels = np.load(folder + "/images.npy"), np.load(folder + "/labels.npy")
losses = [float(train(images, labels).mean(dtype=np.float64)) for _ in range(int(steps))]
if save:
    checkpoint.save(save)
with open(folder + "/train.mlir", "w") as file:
    file.write(flow.dump_ir("job"))
print(json.dumps(losses))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("bits")
    generator = np.random.default_rng(7)
    np.save(path / "images.npy", generator.random((20, 1, 28, 28), np.float32))
    np.save(path / "labels.npy", generator.integers(0, 10, 20).astype(np.int32))
    (path / "script.py").write_text(SCRIPT)
    return path


def run_python(folder, steps, threads=2, load="", save=""):
    run = subprocess.run(
        [
            sys.executable,
            folder / "script.py",
            folder,
            str(threads),
            str(steps),
            load,
            save,
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


@pytest.fixture(scope="module")
def losses(folder):
    return run_python(folder, 6)


def test_losses_fall(losses):
    assert losses[-1] < losses[0]


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads(folder, losses, threads):
    assert run_python(folder, 6, threads) == losses


def test_resumed(folder, losses):
    save = str(folder / "checkpoint")
    first = run_python(folder, 3, save=save)
    assert first + run_python(folder, 3, load=save) == losses


def test_job_run(folder, losses):
    job_run = pathlib.Path(
        os.environ.get("JOBMLIR_BUILD_DIR", ROOT / "build"), "bin", "job-run"
    )
    if not job_run.exists():
        pytest.skip(f"{job_run} is not there")
    run = subprocess.run(
        [
            job_run,
            folder / "train.mlir",
            "--entry",
            "train",
            "--steps",
            "6",
            "--init",
            "1",
            "--json",
            "--input",
            folder / "images.npy",
            "--input",
            folder / "labels.npy",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["loss"] == losses
