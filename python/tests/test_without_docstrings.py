"""Python's option -OO: functions have no docstrings, and nothing asserts."""

import subprocess
import sys

PROGRAM = """
import importlib
import pkgutil

import numpy as np

import jobmlir as flow
import jobmlir.typing as tp

for module in pkgutil.walk_packages(flow.__path__, "jobmlir."):
    if module.name != "jobmlir.__main__":
        importlib.import_module(module.name)


@flow.global_function(type="train")
def job(x: tp.Numpy.Placeholder((4, 3))) -> tp.Numpy:
    w = flow.get_variable("w", (3, 1), initializer=flow.ones_initializer())
    loss = flow.math.reduce_mean(flow.matmul(x, w))
    rate = flow.optimizer.PiecewiseConstantScheduler([], [0.5])
    flow.optimizer.SGD(rate).minimize(loss)
    return loss


x = np.ones((4, 3), np.float32)
print(flow.matmul.__doc__, job(x), job(x))
"""


def run(*arguments):
    done = subprocess.run(
        [sys.executable, "-B", "-OO", *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_a_job_trains(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    assert run(program) == "None [3.] [1.5]\n"


def test_the_package_as_a_program(tmp_path):
    program = tmp_path / "program.py"
    program.write_text("import oneflow\nprint(oneflow.float32)\n")
    assert run("-m", "jobmlir", "run", str(program)) == "oneflow.float32\n"
    assert "run a program" in run("-m", "jobmlir", "--help")
