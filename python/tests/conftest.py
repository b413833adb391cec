"""Each test has a session and settings of its own; the compile cache is shared
by all tests of a run and by nothing else."""

import os
import pathlib
import signal
import tempfile

# The jobs of these tests run on the CPU also where there is a GPU; those of gpu/
# choose the simulated CUDA, which reads the number of its devices once.
os.environ["CUDA_VISIBLE_DEVICES"] = ""
os.environ.pop("JOBMLIR_CUDA_LIBRARY", None)
os.environ["JOBSIM_DEVICES"] = "2"

_CACHE = tempfile.TemporaryDirectory(prefix="jobmlir-tests-")
os.environ["JOBMLIR_CACHE_DIR"] = _CACHE.name

# A shell has it ignored in what it starts in the background; tests raise it.
signal.signal(signal.SIGINT, signal.default_int_handler)

import pytest

import jobmlir as flow
from jobmlir._src import global_config, notices

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def fresh_session(monkeypatch):
    flow.clear_default_session()
    monkeypatch.setattr(global_config.state, "values", dict(global_config.state.values))
    monkeypatch.setattr(notices, "_said", set())
    yield
    flow.clear_default_session()


@pytest.fixture
def root():
    return ROOT


@pytest.fixture
def simulator():
    """The path of the simulated CUDA's library."""
    build = pathlib.Path(os.environ.get("JOBMLIR_BUILD_DIR", ROOT / "build"))
    path = build / "lib" / "libjobsim_cuda.so"
    if not path.exists():
        pytest.skip("no simulated CUDA here")
    return path
