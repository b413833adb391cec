"""Resumed runs and the order of their data."""

import json
import subprocess
import sys

import numpy as np
import pytest

import jobmlir as flow
from models import define_eval, define_train, raises_here

# Trains steps up to `last` on shuffled data, from a checkpoint when there is
# one, and prints the losses and the examples of each step. A process each.
SCRIPT = """
import json, os, sys
import numpy as np
import jobmlir as flow
import jobmlir.typing as tp

folder, layout, last = sys.argv[1], sys.argv[2], int(sys.argv[3])
BATCH, COUNT = 4, 23

@flow.global_function(type="train")
def train(x: tp.Numpy.Placeholder((BATCH, 6)),
          labels: tp.Numpy.Placeholder((BATCH,), dtype=flow.int32)) -> tp.Numpy:
    init = flow.truncated_normal(0.5)
    x = flow.layers.dense(x, 16, activation=flow.nn.relu, kernel_initializer=init)
    x = flow.nn.dropout(x, rate=0.5)
    x = flow.layers.dense(x, 3, kernel_initializer=init)
    loss = flow.nn.sparse_softmax_cross_entropy_with_logits(labels, x)
    rate = flow.optimizer.CosineScheduler(0.05, 40)
    flow.optimizer.Adam(rate, do_bias_correction=True).minimize(loss)
    return loss

random = np.random.default_rng(5)
examples = random.standard_normal((COUNT, 6)).astype(np.float32)
labels = random.integers(0, 3, COUNT).astype(np.int32)
batches = flow.data.Batches(
    examples, labels, np.arange(COUNT), batch_size=BATCH, seed=11)
checkpoint = flow.train.CheckPoint()
path = os.path.join(folder, "model")
if os.path.exists(path):
    checkpoint.load(path)
steps = []
for step in range(flow.train.step_count(train), last):
    x, y, numbers = batches.at(step)
    steps.append([numbers.tolist(), [value.hex() for value in map(float, train(x, y))]])
checkpoint.save(path, layout=layout, replace=True)
variables = flow.get_all_variables()
print(json.dumps([steps, {n: v.numpy().tobytes().hex() for n, v in variables.items()}]))
"""


def run(folder, layout, last):
    (folder / "script.py").write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, folder / "script.py", folder, layout, str(last)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_resumed_run_repeats_the_uninterrupted_one(tmp_path):
    (tmp_path / "whole").mkdir()
    expected_steps, expected_variables = run(tmp_path / "whole", "native", 20)
    assert len(expected_steps) == 20
    # Interrupted in the middle of an epoch, and again in a later one.
    for layout in ("legacy", "native"):
        folder = tmp_path / layout
        folder.mkdir()
        steps = []
        for last in (7, 13, 20):
            part, variables = run(folder, layout, last)
            steps += part
        assert steps == expected_steps
        assert variables == expected_variables
    # What is compared does differ: epochs shuffle, dropout draws anew.
    orders = [step[0] for step in expected_steps]
    assert orders[:5] != orders[5:10]
    assert expected_steps[0][1] != expected_steps[5][1]


# ===- Batches -------------------------------------------------------------===#


def numbers(batches, epoch):
    return np.concatenate([batch for (batch,) in batches.epoch(epoch)])


def test_an_epoch_has_each_example_once():
    data = np.arange(100)
    batches = flow.data.Batches(data, batch_size=10, seed=3)
    assert batches.per_epoch == 10
    for epoch in range(3):
        assert sorted(numbers(batches, epoch)) == list(range(100))
    assert (numbers(batches, 0) != numbers(batches, 1)).any()
    assert (numbers(batches, 0) != data).any()


def test_the_order_depends_on_seed_and_step_only():
    data = np.arange(23)
    batches = flow.data.Batches(data, batch_size=5, seed=3)
    forward = [batches.at(step)[0] for step in range(12)]
    again = flow.data.Batches(data, batch_size=5, seed=3)
    for step in reversed(range(12)):
        assert (again.at(step)[0] == forward[step]).all()
    other = flow.data.Batches(data, batch_size=5, seed=4)
    assert any((other.at(step)[0] != forward[step]).any() for step in range(4))
    # Pinned: a checkpoint of today resumes with the package of tomorrow.
    assert batches.order(0)[:8].tolist() == [6, 13, 1, 18, 11, 19, 8, 5]


def test_arrays_stay_together():
    data = np.arange(12)
    batches = flow.data.Batches(data, data.reshape(12, 1) * 2.0, batch_size=4)
    for step in range(6):
        left, right = batches.at(step)
        assert right.shape == (4, 1) and (right[:, 0] == left * 2).all()


def test_in_order():
    batches = flow.data.Batches(np.arange(7), batch_size=3, shuffle=False)
    assert [b.tolist() for (b,) in batches.epoch(1)] == [[0, 1, 2], [3, 4, 5]]
    assert batches.at(2)[0].tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    "make, text",
    [
        (
            lambda: flow.data.Batches(batch_size=1),
            "expects at least one array but got none",
        ),
        (
            lambda: flow.data.Batches(3, batch_size=1),
            "expects arrays of at least one dimension but got a number",
        ),
        (
            lambda: flow.data.Batches([[1], [1, 2]], batch_size=1),
            "expects an array of examples but got list",
        ),
        (
            lambda: flow.data.Batches(np.ma.zeros(3), batch_size=1),
            "expects an array of examples without a mask but got a masked array",
        ),
        (
            lambda: flow.data.Batches([1, 2], [1], batch_size=1),
            "expects arrays of one length but got [2, 1]",
        ),
        (
            lambda: flow.data.Batches([1, 2], batch_size=3),
            "expects batch_size to be an int from 1 to 2 but got 3",
        ),
        (
            lambda: flow.data.Batches([1, 2], batch_size=1, seed=-1),
            "expects seed to be an int from 0 to 2^64 - 1 but got -1",
        ),
        (
            lambda: flow.data.Batches([1, 2], batch_size=1, shuffle=1),
            "expects shuffle to be a bool but got 1",
        ),
        (
            lambda: flow.data.Batches([1, 2], batch_size=1).at(-1),
            "expects a step of at least 0 but got -1",
        ),
        (
            lambda: flow.data.Batches([1, 2], batch_size=1).epoch(1.5),
            "expects an epoch of at least 0 but got 1.5",
        ),
    ],
)
def test_what_batches_refuse(make, text):
    with raises_here(AssertionError, text):
        make()


# ===- step_count ----------------------------------------------------------===#


def test_step_count_needs_a_training_job():
    evaluate = define_eval()
    for job in (evaluate, 3):
        with raises_here(TypeError, "expects a training job to count the steps of"):
            flow.train.step_count(job)


def test_step_count_of_an_older_session():
    job = define_train()
    flow.clear_default_session()
    define_train()
    with raises_here(NotImplementedError, "expects a job of the running session"):
        flow.train.step_count(job)
