"""The compiler beside another copy of LLVM, as other frameworks bring one along."""

import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys

import pytest

import jobmlir
from jobmlir import _compiler

# Loads a library, or imports TensorFlow, before or after the compiler, and trains.
TRAIN = """
import ctypes, json, sys
import numpy as np
other, when = sys.argv[1:]
def load_other():
    if other != "tensorflow":
        ctypes.CDLL(other, ctypes.RTLD_GLOBAL)
        return
    import tensorflow as tf
    double = tf.function(lambda x: 2 * x, jit_compile=True)
    assert double(tf.ones((3,))).numpy().sum() == 6
if when == "before":
    load_other()
import jobmlir as flow, jobmlir.typing as tp
from jobmlir import _compiler
if when == "after":
    load_other()

@flow.global_function(type="train")
def train(x: tp.Numpy.Placeholder((4, 3))) -> tp.Numpy:
    w = flow.get_variable("w", (3, 2), initializer=flow.ones_initializer())
    loss = flow.math.reduce_mean(flow.nn.relu(flow.matmul(x, w)))
    rate = flow.optimizer.PiecewiseConstantScheduler([], [0.5])
    flow.optimizer.SGD(rate).minimize(loss)
    return loss

x = np.ones((4, 3), np.float32)
print(json.dumps([float(train(x)) for step in range(2)]))
"""


def symbols(*arguments):
    """The names that nm prints."""
    tool = shutil.which("nm") or shutil.which("llvm-nm-22")
    printed = subprocess.run(
        [tool, "-D", "--defined-only", *map(str, arguments)],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    fields = (line.split() for line in printed.splitlines())
    return {names[2]: names[1] for names in fields if len(names) == 3}


def test_the_compiler_exports_its_start_alone():
    assert list(symbols(_compiler.__file__)) == ["PyInit__compiler"]


@pytest.fixture(scope="module")
def stand_in(tmp_path_factory):
    """A library with every function that the shared LLVM and MLIR have, each of
    which ends the program."""
    folder = tmp_path_factory.mktemp("stand-in")
    libraries = subprocess.run(
        ["llvm-config-22", "--libdir"], check=True, capture_output=True, text=True
    ).stdout.strip()
    functions = set()
    for name in ("libLLVM.so.22.1", "libMLIR.so.22.1"):
        found = symbols(f"{libraries}/{name}")
        functions |= {
            symbol.split("@")[0] for symbol, kind in found.items() if kind in "TW"
        }
    # Those of the standard library are everybody's.
    names = sorted(name for name in functions if "llvm" in name or "mlir" in name)
    assert len(names) > 50_000
    definitions = "".join(
        f".weak {name}\n.type {name}, @function\n{name}:\n" for name in names
    )
    source = folder / "functions.s"
    trap = ".long 0" if platform.machine() == "aarch64" else "ud2"
    source.write_text(
        f".text\n{definitions}{trap}\n.section .note.GNU-stack, \"\", @progbits\n"
    )
    library = folder / "libstand_in.so"
    subprocess.run(["clang-22", "-shared", "-o", library, source], check=True)
    return library


def train_beside(python, other, when, cache):
    result = subprocess.run(
        [python, "-c", TRAIN, other, when],
        env={
            "PYTHONPATH": str(pathlib.Path(jobmlir.__file__).parents[1]),
            "PATH": "/usr/bin:/bin",
            "JOBMLIR_CACHE_DIR": str(cache),
        },
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert result.returncode == 0, result.stderr
    first, second = json.loads(result.stdout)
    assert first == 3.0
    assert second < first


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_library_with_the_symbols_of_llvm(stand_in, when, tmp_path):
    train_beside(sys.executable, stand_in, when, tmp_path)


@pytest.mark.skipif(
    "JOBMLIR_TENSORFLOW_PYTHON" not in os.environ,
    reason="JOBMLIR_TENSORFLOW_PYTHON is no Python of this version with TensorFlow",
)
@pytest.mark.parametrize("when", ["before", "after"])
def test_tensorflow(when, tmp_path):
    python = os.environ["JOBMLIR_TENSORFLOW_PYTHON"]
    train_beside(python, "tensorflow", when, tmp_path)
