"""Gradient accumulation: unpack, repeat, acc and pack."""

import json
import re

import numpy as np
import pytest
import trace_format
from models import raises_here

import jobmlir as flow
import jobmlir.typing as tp
from jobmlir import errors

BATCH, STEPS = 32, 5


def _mlp(images):
    init = flow.truncated_normal(0.1)
    x = flow.reshape(images, [images.shape[0], -1])
    x = flow.layers.dense(x, 24, activation=flow.nn.relu, kernel_initializer=init)
    x = flow.layers.dense(x, 16, activation=flow.math.tanh, kernel_initializer=init)
    return flow.layers.dense(x, 10, kernel_initializer=init)


def _lenet(images):
    init = flow.truncated_normal(0.1)
    x = flow.layers.conv2d(
        images, 6, 5, padding="SAME", activation=flow.nn.relu, kernel_initializer=init
    )
    x = flow.nn.max_pool2d(x, 2, 2, padding="SAME")
    x = flow.layers.conv2d(
        x, 8, 3, padding="SAME", activation=flow.nn.relu, kernel_initializer=init
    )
    x = flow.nn.max_pool2d(x, 2, 2, padding="SAME")
    return flow.layers.dense(
        flow.reshape(x, [x.shape[0], -1]), 10, kernel_initializer=init
    )


def _define(model, count, optimizer, batch=BATCH):
    """A training job in `count` micro-steps that returns its losses."""

    @flow.global_function(type="train")
    def train_job(
        images: tp.Numpy.Placeholder((batch, 1, 16, 16)),
        labels: tp.Numpy.Placeholder((batch,), dtype=flow.int32),
    ) -> tp.Numpy:
        logits = model(flow.unpack(images, count))
        loss = flow.nn.sparse_softmax_cross_entropy_with_logits(
            flow.unpack(labels, count), logits
        )
        optimizer().minimize(loss)
        return flow.pack(loss, count)

    return train_job


def _rate(value):
    return flow.optimizer.PiecewiseConstantScheduler([], [value])


def _sgd():
    return flow.optimizer.SGD(_rate(0.1), momentum=0.9)


def _adam():
    return flow.optimizer.Adam(_rate(1e-3), do_bias_correction=True)


def _data(batch=BATCH):
    generator = np.random.default_rng(5)
    images = generator.standard_normal((batch, 1, 16, 16)).astype(np.float32)
    return images, generator.integers(0, 10, batch).astype(np.int32)


def _train(model, count, optimizer, threads=2):
    """Losses of all steps, the variables after them, the bytes of the arena."""
    flow.clear_default_session()
    flow.config.compute_thread_pool_size(threads)
    flow.config.random_seed(3)
    job = _define(model, count, optimizer)
    flow.train.CheckPoint().init()
    losses = [job(*_data()) for _ in range(STEPS)]
    variables = {
        name: value.numpy() for name, value in flow.get_all_variables().items()
    }
    arena = int(re.search(
        r"@train_job .*?sizes<arena = (\d+)", flow.dump_ir("plan")
    ).group(1))
    return losses, variables, arena


# Sums of at most BATCH * 16 * 16 terms in another order, five times over.
BOUND = 1e-6 * np.sqrt(BATCH * 16 * 16) * STEPS


@pytest.mark.parametrize("model", [_mlp, _lenet])
def test_equals_the_large_batch_within_rounding(model):
    losses, variables, arena = _train(model, 1, _sgd)
    for count in (2, 4):
        micro_losses, micro_variables, micro_arena = _train(model, count, _sgd)
        for loss, micro_loss in zip(losses, micro_losses):
            assert micro_loss.shape == loss.shape
            np.testing.assert_allclose(micro_loss, loss, rtol=0, atol=BOUND * 3)
        assert variables.keys() == micro_variables.keys()
        for name, value in variables.items():
            scale = max(1.0, np.abs(value).max())
            difference = np.abs(micro_variables[name] - value).max()
            assert difference <= BOUND * scale, name
        assert losses[-1].mean() < losses[0].mean()


def test_needs_less_memory():
    arenas = [_train(_lenet, count, _sgd)[2] for count in (1, 2, 4, 8)]
    assert arenas[1] < 0.6 * arenas[0]
    assert arenas[2] < 0.6 * arenas[1]
    assert arenas[3] < arenas[2]


@pytest.mark.parametrize("model", [_mlp, _lenet])
def test_same_bits_from_run_to_run_and_for_any_threads(model):
    def dropped(images):
        return model(flow.nn.dropout(images, rate=0.2))

    first = _train(dropped, 4, _adam)
    for threads in (2, 1, 3):
        losses, variables, _ = _train(dropped, 4, _adam, threads)
        for a, b in zip(first[0], losses):
            assert a.tobytes() == b.tobytes()
        for name, value in first[1].items():
            assert value.tobytes() == variables[name].tobytes()


def test_rows_of_any_size():
    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder((6, 5)), w: tp.Numpy.Placeholder((5,))
    ) -> tuple[tp.Numpy, tp.Numpy, tp.Numpy]:
        part = flow.unpack(x, 3)
        product = part * w
        return (
            flow.pack(product, 3),
            flow.acc(product, 3),
            flow.pack(flow.repeat(w, 3), 3),
        )

    x = np.arange(30, dtype=np.float32).reshape(6, 5)
    w = np.array([1, 2, -3, 4, 0.5], np.float32)
    packed, total, repeated = job(x, w)
    np.testing.assert_array_equal(packed, x * w)
    np.testing.assert_array_equal(total, (x * w).reshape(3, 2, 5).sum(0))
    np.testing.assert_array_equal(repeated, np.tile(w, 3))


def test_one_micro_step_is_the_step():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((6, 5))) -> tp.Numpy:
        y = flow.acc(flow.repeat(flow.unpack(x, 1), 1), 1)
        assert y is x
        return flow.pack(y, 1)

    flow.train.CheckPoint().init()
    assert "micro_steps" not in flow.dump_ir("plan")


def test_dropout_draws_other_numbers_in_each_micro_step():
    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((8, 64))) -> tp.Numpy:
        w = flow.get_variable("w", (64,), initializer=flow.ones_initializer())
        y = flow.nn.dropout(flow.unpack(x, 2) * w, rate=0.5)
        flow.optimizer.SGD(_rate(0.0), momentum=0).minimize(y)
        return flow.pack(y, 2)

    flow.train.CheckPoint().init()
    ones = np.ones((8, 64), np.float32)
    masks = [half for _ in range(2) for half in np.split(job(ones), 2)]
    for i, mask in enumerate(masks):
        assert 0.3 < (mask == 0).mean() < 0.7
        assert all((mask != other).any() for other in masks[:i])


def test_batch_normalization_moves_by_the_mean_of_the_micro_steps():
    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((8, 3))) -> tp.Numpy:
        y = flow.layers.batch_normalization(
            flow.unpack(x, 2), momentum=0.75, name="norm"
        )
        flow.optimizer.SGD(_rate(0.0), momentum=0).minimize(y)
        return flow.pack(y, 2)

    flow.train.CheckPoint().init()
    x = np.random.default_rng(2).standard_normal((8, 3)).astype(np.float32)
    y = job(x)
    halves = x.reshape(2, 4, 3)
    mean, variance = halves.mean(1), halves.var(1)
    expected = (halves - mean[:, None]) / np.sqrt(variance[:, None] + 1e-3)
    np.testing.assert_allclose(y, expected.reshape(8, 3), atol=1e-5)
    variables = flow.get_all_variables()
    np.testing.assert_allclose(
        variables["norm-moving_mean"].numpy(), 0.25 * mean.mean(0), atol=1e-6
    )
    np.testing.assert_allclose(
        variables["norm-moving_variance"].numpy(),
        0.75 + 0.25 * variance.mean(0),
        atol=1e-6,
    )


def test_the_trace_names_the_micro_step(tmp_path):
    path = tmp_path / "trace.json"
    job = _define(_mlp, 4, _sgd)
    flow.train.CheckPoint().init()
    with flow.profiler.trace(str(path)):
        job(*_data())
    trace_format.check(path)
    rows = [
        row for row in json.loads(path.read_text())["traceEvents"] if row["ph"] == "X"
    ]
    steps = {}
    for row in rows:
        if row["cat"] in ("dispatch", "call") and "micro_step" in row["args"]:
            steps.setdefault(row["args"]["command"], []).append(
                row["args"]["micro_step"]
            )
    assert steps
    assert all(of_command == [0, 1, 2, 3] for of_command in steps.values())
    assert any(
        row["cat"] == "dispatch" and "micro_step" not in row["args"] for row in rows
    )


# ===- Errors --------------------------------------------------------------===#


def _define_body(body):
    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder((6, 5)), w: tp.Numpy.Placeholder((6, 5))
    ) -> tp.Numpy:
        return body(x, w)

    return lambda: job(np.zeros((6, 5), np.float32), np.zeros((6, 5), np.float32))


@pytest.mark.parametrize(
    "body, message",
    [
        (
            lambda x, w: flow.unpack(x, 4),
            "op Unpack: expects dimension 0 to be a multiple of 4 but got 6",
        ),
        (
            lambda x, w: flow.unpack(x, 0),
            "expects unpack_num to be an int from 1 to 65536 but got 0",
        ),
        (
            lambda x, w: flow.repeat(x, 2.0),
            "expects repeat_num to be an int from 1 to 65536 but got 2.0",
        ),
        (
            lambda x, w: flow.unpack(x, 2) + flow.unpack(w, 3),
            "expects unpack_num to be 2, the number of micro-steps of this job, but "
            "got 3",
        ),
        (
            lambda x, w: flow.acc(flow.unpack(x, 2), 3),
            "expects max_acc_num to be 2, the number of micro-steps of this job, but "
            "got 3",
        ),
        (
            lambda x, w: flow.acc(flow.unpack(x, 2), 1),
            "expects max_acc_num to be 2, the number of micro-steps of this job, but "
            "got 1",
        ),
        (
            lambda x, w: flow.unpack(flow.unpack(x, 2), 2),
            "expects a per-step blob but got a per-micro-step blob (2 micro-steps)",
        ),
        (
            lambda x, w: flow.pack(x, 2),
            "expects a per-micro-step blob (2 micro-steps) but got a per-step blob",
        ),
        (
            lambda x, w: flow.unpack(x, 2),
            "expects a per-step blob to return but got a per-micro-step blob (2 "
            "micro-steps), which pack joins and acc adds",
        ),
    ],
)
def test_errors(body, message):
    with raises_here(errors.JobBuildAndInferError, message):
        _define_body(body)()


def test_errors_of_other_things_than_blobs():
    with raises_here(errors.BlobValueError, "expects input to be a blob but got int"):
        _define_body(lambda x, w: flow.unpack(3, 2))()


def test_micro_steps_cannot_depend_on_results_of_micro_steps():
    def body(x, w):
        total = flow.acc(flow.unpack(x, 2), 2)
        return flow.acc(flow.repeat(total, 2), 2)

    with raises_here(
        errors.CompileError,
        "op Repeat: expects an operand that is independent of results of micro-steps "
        "but got one that depends on them",
    ):
        _define_body(body)()
