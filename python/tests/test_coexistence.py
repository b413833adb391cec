"""The compiler beside another copy of LLVM, as other frameworks bring one along."""

import json
import platform
import shutil
import subprocess
import sys

import pytest

from jobmlir import _compiler

TRAIN = """
import ctypes, json, sys
import numpy as np
library, when = sys.argv[1:]
if when == "before":
    ctypes.CDLL(library, ctypes.RTLD_GLOBAL)
import jobmlir as flow, jobmlir.typing as tp
from jobmlir import _compiler
if when == "after":
    ctypes.CDLL(library, ctypes.RTLD_GLOBAL)

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


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_library_with_the_symbols_of_llvm(stand_in, when, tmp_path):
    result = subprocess.run(
        [sys.executable, "-c", TRAIN, stand_in, when],
        env={
            "PYTHONPATH": ":".join(sys.path),
            "PATH": "/usr/bin:/bin",
            "JOBMLIR_CACHE_DIR": str(tmp_path / "cache"),
        },
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (result.returncode, result.stderr) == (0, "")
    first, second = json.loads(result.stdout)
    assert first == 3.0
    assert second < first
