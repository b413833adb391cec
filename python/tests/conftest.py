"""Each test has a session and settings of its own; the compile cache is shared
by all tests of a run and by nothing else."""

import os
import pathlib
import tempfile

_CACHE = tempfile.TemporaryDirectory(prefix="jobmlir-tests-")
os.environ["JOBMLIR_CACHE_DIR"] = _CACHE.name

import pytest

import jobmlir as flow
from jobmlir._src import global_config, scopes

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def fresh_session(monkeypatch):
    flow.clear_default_session()
    monkeypatch.setattr(global_config.state, "values", dict(global_config.state.values))
    monkeypatch.setattr(scopes, "_said", set())
    yield
    flow.clear_default_session()


@pytest.fixture
def root():
    return ROOT
