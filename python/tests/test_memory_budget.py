"""Budgets for memory: what is computed again has the same bits."""

import importlib
import pathlib
import re
import sys
import warnings

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from models import define_train, define_unary, raises_here

KINDS = {"arena", "arena_lower_bound", "bank", "staging", "workspace", "constants"}


@pytest.fixture
def benchmark_models(monkeypatch):
    """The models of the benchmarks."""
    folder = pathlib.Path(__file__).resolve().parents[2] / "benchmarks"
    monkeypatch.syspath_prepend(str(folder))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield importlib.import_module("models_jobmlir").MODELS
    for name in ("models_jobmlir", "worker"):
        sys.modules.pop(name, None)


def define(model, batch, shape):
    """A training job of a model of images."""

    @flow.global_function(type="train")
    def train_job(
        images: tp.Numpy.Placeholder((batch, *shape)),
        labels: tp.Numpy.Placeholder((batch,), dtype=flow.int32),
    ) -> tp.Numpy:
        loss = flow.nn.sparse_softmax_cross_entropy_with_logits(labels, model(images))
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.01])
        flow.optimizer.Adam(rate).minimize(loss)
        return loss

    return train_job


def train(model, batch, shape, budget=None, steps=5):
    """The losses of some steps, what memory they take, and the report."""
    flow.clear_default_session()
    if budget:
        flow.config.memory_budget(budget)
    job = define(model, batch, shape)
    totals, report = flow.memory_totals(), flow.memory_report()
    rng = np.random.default_rng(0)
    losses = []
    for _ in range(steps):
        images = rng.standard_normal((batch, *shape)).astype(np.float32)
        losses.append(job(images, rng.integers(0, 10, batch).astype(np.int32)))
    return np.stack(losses), totals, report


# Of LeNet, nothing can be computed again: what its first pooling needs at once is
# all of the arena.
@pytest.mark.parametrize(
    "name, batch, shape, percent",
    [("resnet20", 8, (3, 16, 16), 70), ("resnet20", 50, (1, 28, 28), 50)],
)
def test_a_budget_changes_no_bit(benchmark_models, name, batch, shape, percent):
    model = benchmark_models[name]
    losses, totals, report = train(model, batch, shape)
    assert "computed again" not in report
    arena = totals["arena"] * percent // 100
    budget = totals["total"] - totals["arena"] + arena
    with_budget, less, report = train(model, batch, shape, budget)
    assert less["total"] <= budget
    assert less["arena"] <= arena
    assert re.search(
        r"computed again instead of kept: \d+ commands?, .*FLOP, .* % of the step's",
        report,
    )
    assert "recomputation of" in report
    assert with_budget.tobytes() == losses.tobytes()


def test_totals():
    define_train()
    define_unary(lambda x: x, shape=(1000, 3))
    totals = flow.memory_totals()
    assert set(totals) == KINDS | {"total"}
    assert all(type(value) is int for value in totals.values())
    assert totals["total"] == sum(
        totals[kind] for kind in KINDS - {"arena_lower_bound"}
    )
    # Inputs and outputs of the larger job.
    assert totals["staging"] == 2 * 12032
    assert totals["bank"] > 0
    assert totals["arena_lower_bound"] <= totals["arena"]


def test_an_impossible_budget():
    flow.config.memory_budget(1000)
    job = define_unary(lambda x: flow.math.exp(flow.matmul(x, x)), shape=(64, 64))
    with raises_here(
        RuntimeError,
        "to need at most 1000 bytes but it needs",
        "an arena of",
        "note: ",
        "bytes, 64x64xf32 of 'MatMul', are live there",
    ):
        job(np.zeros((64, 64), np.float32))


def test_variables_beyond_the_budget():
    """The jobs that users have written are named, and what is too large."""
    flow.config.memory_budget(1000)
    ones = flow.ones_initializer()

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 64))) -> tp.Numpy:
        return flow.matmul(x, flow.get_variable("table", (64, 8), initializer=ones))

    with pytest.raises(RuntimeError) as caught:
        job(np.zeros((2, 64), np.float32))
    assert "expects job 'job' to need at most 1000 bytes" in str(caught.value)
    assert "2048 bytes, 64x8xf32 of variable 'table'" in str(caught.value)
    assert "jobmlir_init" not in str(caught.value)


@pytest.mark.parametrize(
    "value, message",
    [
        (0, "expects at least 1 for config.memory_budget but got 0"),
        ("1G", "expects an int for config.memory_budget but got '1G'"),
    ],
)
def test_what_is_no_budget(value, message):
    with raises_here(AssertionError, message):
        flow.config.memory_budget(value)


def test_a_budget_is_taken_back():
    flow.config.memory_budget(1000)
    flow.config.memory_budget(None)
    job = define_unary(lambda x: x)
    job(np.zeros((2, 3), np.float32))


def test_a_budget_beyond_all_memory_is_none():
    flow.config.memory_budget(1 << 80)
    job = define_unary(lambda x: x)
    job(np.zeros((2, 3), np.float32))
