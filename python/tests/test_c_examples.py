"""examples/c trains with the losses of Python, bit for bit, and so does
jobmlir_runtime with the same artifact."""

import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest
from c_compiler import CC

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("JOBMLIR_BUILD_DIR", ROOT / "build"))
STEPS = 6

pytestmark = [
    pytest.mark.skipif(not CC, reason="no C compiler here"),
    pytest.mark.skipif(
        not os.path.isdir("/usr/share/datasets/fashion-mnist"),
        reason="no Fashion-MNIST here",
    ),
    pytest.mark.skipif(
        not (BUILD / "bin" / "job-compile").exists(), reason="no job-compile here"
    ),
]

# Trains, then saves the losses and the module that the C program is to run. A
# process each: one process has one session.
PROLOGUE = """
import sys
import numpy as np
import jobmlir as flow
import jobmlir.typing as tp

folder, steps = sys.argv[1], int(sys.argv[2])
BATCH = 100
Images = tp.Numpy.Placeholder((BATCH, 1, 28, 28))
Labels = tp.Numpy.Placeholder((BATCH,), dtype=flow.int32)
init = flow.truncated_normal(0.1)

def loss_of(labels, logits):
    return flow.nn.sparse_softmax_cross_entropy_with_logits(labels, logits, name="loss")
"""
MODELS = {
    "mlp": """
@flow.global_function(type="train")
def train(images: Images, labels: Labels) -> tp.Numpy:
    x = flow.reshape(images, [BATCH, -1])
    x = flow.layers.dense(x, 512, activation=flow.nn.relu, kernel_initializer=init, name="hidden")
    x = flow.layers.dense(x, 10, kernel_initializer=init, name="output")
    loss = loss_of(labels, x)
    rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
    flow.optimizer.SGD(rate, momentum=0).minimize(loss)
    return loss
""",
    "lenet": """
def lenet(images, train=False):
    x = images
    for name, filters in (("conv1", 32), ("conv2", 64)):
        x = flow.layers.conv2d(x, filters, 5, padding="SAME", activation=flow.nn.relu,
                               kernel_initializer=init, name=name)
        x = flow.nn.max_pool2d(x, 2, 2, padding="SAME")
    x = flow.reshape(x, [BATCH, -1])
    x = flow.layers.dense(x, 512, activation=flow.nn.relu, kernel_initializer=init, name="dense1")
    if train:
        x = flow.nn.dropout(x, rate=0.5)
    return flow.layers.dense(x, 10, kernel_initializer=init, name="dense2")

@flow.global_function(type="train")
def train(images: Images, labels: Labels) -> tp.Numpy:
    loss = loss_of(labels, lenet(images, train=True))
    rate = flow.optimizer.PiecewiseConstantScheduler([], [1e-3])
    flow.optimizer.Adam(rate, do_bias_correction=True).minimize(loss)
    return loss

@flow.global_function(type="predict")
def eval(images: Images):
    return {"logits": lenet(images)}
""",
}
EPILOGUE = """
(images, labels), _ = flow.data.load_mnist(BATCH)
losses = [train(images[i], labels[i]) for i in range(steps)]
np.save(folder + "/python.npy", np.stack(losses))
with open(folder + "/job.mlir", "w") as file:
    file.write(flow.dump_ir("job"))
"""


def run(*command, **kwargs):
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, **kwargs
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def build(folder, name, module):
    """The artifact of a module and the example on it."""
    artifact, program = folder / f"{name}.so", folder / name
    run(
        BUILD / "bin" / "job-compile",
        module,
        "-o",
        artifact,
        f"--emit-header={folder / name}.h",
    )
    library = BUILD / "lib"
    run(
        CC,
        "-std=c99",
        "-pedantic",
        "-Wall",
        "-Wextra",
        "-Werror",
        ROOT / "examples" / "c" / f"{name}.c",
        ROOT / "examples" / "c" / "mnist.c",
        f"-I{ROOT / 'examples' / 'c'}",
        f"-I{ROOT / 'runtime' / 'include'}",
        f"-I{folder}",
        f"-L{library}",
        "-ljobrt",
        f"-Wl,-rpath,{library}",
        "-o",
        program,
    )
    return artifact, program


def bits(losses):
    assert losses.dtype == np.float32
    return losses.view(np.uint32)


@pytest.mark.parametrize("name", MODELS)
def test_same_losses_as_python(name, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(PROLOGUE + MODELS[name] + EPILOGUE)
    run(sys.executable, script, tmp_path, STEPS)
    expected = np.load(tmp_path / "python.npy")
    assert expected.shape == (STEPS, 100)
    assert len(np.unique(expected.mean(axis=1))) == STEPS

    artifact, program = build(tmp_path, name, tmp_path / "job.mlir")
    for threads in (1, 2):
        file = tmp_path / f"c-{threads}.npy"
        out = run(
            program,
            artifact,
            "--steps",
            STEPS,
            "--threads",
            threads,
            "--losses",
            file,
        )
        np.testing.assert_array_equal(bits(np.load(file)), bits(expected))
        printed = [
            float(line.split("loss ")[1])
            for line in out.splitlines()
            if line.startswith("step ")
        ]
        means = expected.mean(axis=1, dtype=np.float64)
        np.testing.assert_allclose(printed, means, rtol=1e-8)

    np.testing.assert_array_equal(bits(run_with_runtime(artifact)), bits(expected))


# jobmlir_runtime runs in a process of its own: not even the package jobmlir is
# there.
RUNTIME = """
import gzip, sys
import numpy as np
import jobmlir_runtime

artifact, steps, out = sys.argv[1], int(sys.argv[2]), sys.argv[3]
model = jobmlir_runtime.load(artifact)
model.init(1)
folder = "/usr/share/datasets/fashion-mnist/train-"
images = np.frombuffer(gzip.open(folder + "images-idx3-ubyte.gz").read(), np.uint8, offset=16)
labels = np.frombuffer(gzip.open(folder + "labels-idx1-ubyte.gz").read(), np.uint8, offset=8)
images = (images.astype(np.float32) / np.float32(255)).reshape(-1, 100, 1, 28, 28)
labels = labels.astype(np.int32).reshape(-1, 100)
losses = [model.run("train", images=images[i], labels=labels[i]) for i in range(steps)]
np.save(out, np.stack(losses))
assert "jobmlir" not in sys.modules
"""


def run_with_runtime(artifact):
    out = artifact.with_suffix(".npy")
    run(sys.executable, "-c", RUNTIME, artifact, STEPS, out)
    return np.load(out)


@pytest.mark.parametrize("name", MODELS)
def test_modules_of_the_readme(name, tmp_path):
    """The modules that examples/c/README.md names fit the programs."""
    artifact, program = build(tmp_path, name, ROOT / "examples" / f"{name}.mlir")
    out = run(program, artifact, "--steps", "2", "--save", tmp_path / "checkpoint")
    lines = out.splitlines()
    assert lines[1].startswith("step 0: loss ")
    # The header's sizes are those of a session.
    runtime = pytest.importorskip("jobmlir_runtime")
    assert lines[0] == f"memory: {runtime.load(artifact).memory()['total']} bytes"
    assert (tmp_path / "checkpoint" / "variables.safetensors").exists()
    if name == "lenet":
        assert lines[-1].startswith("test accuracy: 0.")


def test_errors(tmp_path):
    artifact, program = build(tmp_path, "mlp", ROOT / "examples" / "mlp.mlir")

    def fail(*arguments):
        done = subprocess.run(
            [program, *map(str, arguments)], capture_output=True, text=True
        )
        return done.returncode, done.stderr

    status, text = fail()
    assert status == 2 and text.startswith("usage: ")
    status, text = fail(artifact, "--steps", "many")
    assert status == 2 and text.startswith("usage: ")
    status, text = fail(tmp_path / "gone.so")
    assert status == 1 and text.startswith("error: ") and "gone.so" in text
    status, text = fail(artifact, "--data", tmp_path)
    assert status == 1 and "train-images-idx3-ubyte.gz" in text
