"""The tests of this folder run on the simulated CUDA, which has two devices."""

import ctypes
import os
import pathlib
import random
import subprocess
import sys
import textwrap

import pytest

import jobmlir as flow

TESTS = pathlib.Path(__file__).resolve().parents[1]
# For `models`, as in the tests of the folder above.
sys.path.insert(0, str(TESTS))


@pytest.fixture
def use(simulator):
    """use("gpu") and use("cpu") begin a session on that device."""

    def use(device):
        flow.clear_default_session()
        flow.config.cuda_library(simulator if device == "gpu" else "")

    return use


@pytest.fixture(autouse=True)
def gpu(use):
    use("gpu")


@pytest.fixture(autouse=True)
def seed(simulator):
    """Of the order in which streams run; pytest shows it with a test that fails.
    JOBSIM_SEED repeats it."""
    seed = int(os.environ.get("JOBSIM_SEED") or random.getrandbits(32))
    print(f"JOBSIM_SEED={seed}")
    ctypes.CDLL(str(simulator)).jobsim_set_seed(ctypes.c_uint64(seed))
    return seed


@pytest.fixture
def run_script(tmp_path, simulator, seed):
    """Runs a script in a process with these variables of the environment; returns
    what it printed, on stdout and on stderr."""

    def run(script, *arguments, status=0, **variables):
        file = tmp_path / "script.py"
        file.write_text(textwrap.dedent(script))
        environment = {
            "PATH": "/usr/bin:/bin",
            "PYTHONPATH": f"{pathlib.Path(flow.__file__).parents[1]}:{TESTS}",
            "JOBMLIR_CACHE_DIR": str(tmp_path / "cache"),
            "JOBMLIR_CUDA_LIBRARY": str(simulator),
            "JOBSIM_SEED": str(seed),
            **variables,
        }
        done = subprocess.run(
            [sys.executable, file, *map(str, arguments)],
            capture_output=True,
            text=True,
            env={key: value for key, value in environment.items() if value},
        )
        assert done.returncode == status, done.stderr
        return done.stdout, done.stderr

    return run
