"""Dynamic blobs: argwhere, whose result has as many rows as the input decides."""

import typing

import jobmlir as flow
import jobmlir.typing as tp
import numpy as np
import pytest
from jobmlir import errors
from jobmlir._src.default_session import get_default_session

RANDOM = np.random.default_rng(5)


def mask(shape, fraction):
    """Numbers of which about that fraction is not zero."""
    numbers = RANDOM.normal(size=shape).astype(np.float32)
    return np.where(RANDOM.random(shape) < fraction, numbers, 0).astype(np.float32)


def test_the_result_has_its_true_size():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((5, 6, 7))) -> tp.Numpy:
        return flow.argwhere(x)

    for fraction in (0, 0.01, 0.5, 1):
        x = mask((5, 6, 7), fraction)
        rows = job(x)
        assert rows.dtype == np.int32
        np.testing.assert_array_equal(rows, np.argwhere(x))


def test_nan_and_minus_zero():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((4,))) -> tp.Numpy:
        return flow.argwhere(x)

    x = np.array([np.nan, -0.0, 0.0, np.inf], np.float32)
    np.testing.assert_array_equal(job(x), [[0], [3]])


def test_where_without_values_is_argwhere():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((5, 7))) -> tp.Numpy:
        return flow.where(x)

    x = mask((5, 7), 0.5)
    np.testing.assert_array_equal(job(x), np.argwhere(x))


def test_a_blob_knows_its_bound():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((3, 4))) -> tp.Numpy:
        rows = flow.argwhere(x, dtype=flow.int64)
        assert (rows.shape, rows.dtype, rows.is_dynamic) == ((12, 2), flow.int64, True)
        assert not x.is_dynamic
        padded = flow.pad_to_static(rows, -1)
        assert (padded.shape, padded.is_dynamic) == ((12, 2), False)
        assert flow.identity(rows) is rows
        return rows

    rows = job(mask((3, 4), 0.5))
    assert rows.dtype == np.int64


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_large_blobs_on_several_threads(threads):
    flow.config.compute_thread_pool_size(threads)

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((1000, 777))) -> tp.Numpy:
        return flow.argwhere(x)

    x = mask((1000, 777), 0.3)
    np.testing.assert_array_equal(job(x), np.argwhere(x))


@pytest.mark.parametrize(
    "dtype", [flow.int8, flow.uint8, flow.int32, flow.int64, flow.double, flow.float16]
)
def test_every_element_type(dtype):
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((50,), dtype=dtype)) -> tp.Numpy:
        return flow.argwhere(x)

    numpy_type = flow.convert_oneflow_dtype_to_numpy_dtype(dtype)
    x = (RANDOM.integers(0, 3, 50) * 100).astype(numpy_type)
    np.testing.assert_array_equal(job(x), np.argwhere(x))


def test_results_nest_and_repeat():
    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder((6, 2)),
    ) -> typing.Dict[str, typing.Tuple[tp.Numpy, tp.Numpy]]:
        rows = flow.argwhere(x)
        others = flow.argwhere(flow.math.greater(x, 0.0))
        return {"a": (rows, others), "b": (flow.math.exp(x), rows)}

    x = mask((6, 2), 0.6)
    result = job(x)
    np.testing.assert_array_equal(result["a"][0], np.argwhere(x))
    np.testing.assert_array_equal(result["a"][1], np.argwhere(x > 0))
    np.testing.assert_allclose(result["b"][0], np.exp(x), rtol=1e-6)
    np.testing.assert_array_equal(result["b"][1], np.argwhere(x))


def test_rows_of_a_micro_step_are_returned_padded():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((6, 2))) -> tp.Numpy:
        return flow.pack(flow.pad_to_static(flow.argwhere(flow.unpack(x, 2)), -1), 2)

    x = mask((6, 2), 0.5)
    expected = np.full((12, 2), -1)
    for part in range(2):
        found = np.argwhere(x[3 * part : 3 * part + 3])
        expected[6 * part : 6 * part + len(found)] = found
    np.testing.assert_array_equal(job(x), expected)


def test_rows_of_a_micro_step_are_not_returned():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((6, 2))) -> tp.Numpy:
        return flow.argwhere(flow.unpack(x, 2))

    hint = "which pack joins and acc adds after pad_to_static"
    with pytest.raises(errors.JobBuildAndInferError, match=hint):
        job(mask((6, 2), 0.5))


def test_other_ops_work_on_the_padded_blob():
    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder((10,)), table: tp.Numpy.Placeholder((10, 3))
    ) -> tp.Numpy:
        rows = flow.pad_to_static(flow.argwhere(x), 9)
        return flow.gather(table, flow.reshape(rows, (10,)))

    x = np.array([0, 1, 0, 0, 2, 0, 0, 0, 3, 0], np.float32)
    table = RANDOM.normal(size=(10, 3)).astype(np.float32)
    np.testing.assert_array_equal(job(x, table), table[[1, 4, 8] + 7 * [9]])


def train_job():
    @flow.global_function(type="train")
    def train(x: tp.Numpy.Placeholder((8, 3))) -> typing.Tuple[tp.Numpy, tp.Numpy]:
        w = flow.get_variable("w", (8, 3), initializer=flow.ones_initializer())
        loss = flow.math.reduce_sum(flow.math.squared_difference(w, x), axis=1)
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
        flow.optimizer.SGD(rate).minimize(loss)
        # Of the loss, which depends on a variable.
        return loss, flow.argwhere(flow.math.greater(loss, 2.0))

    return train


def test_training_jobs():
    train = train_job()
    counts = set()
    for _ in range(6):
        loss, rows = train(RANDOM.normal(size=(8, 3)).astype(np.float32))
        np.testing.assert_array_equal(rows, np.argwhere(loss > 2))
        counts.add(len(rows))
    assert len(counts) > 1


def test_results_of_steps_in_flight_have_their_own_sizes():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((40, 5))) -> tp.Callback[tp.Numpy]:
        return flow.argwhere(x)

    inputs = [mask((40, 5), fraction) for fraction in np.linspace(0, 1, 20)]
    results = []
    for x in inputs:
        job(x)(results.append)
    flow.sync_default_session()
    for x, rows in zip(inputs, results, strict=True):
        np.testing.assert_array_equal(rows, np.argwhere(x))


def test_futures_keep_their_sizes():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((40, 5))):
        return flow.argwhere(x)

    inputs = [mask((40, 5), fraction) for fraction in np.linspace(0, 1, 20)]
    futures = [job(x) for x in inputs]
    for x, future in zip(inputs, futures):
        np.testing.assert_array_equal(future.get().numpy(), np.argwhere(x))


REFUSED = [
    lambda rows: flow.math.add(rows, 1),
    lambda rows: flow.transpose(rows, [1, 0]),
    lambda rows: flow.zeros_like(rows),
    lambda rows: flow.cast(rows, flow.float),
    lambda rows: flow.argwhere(rows),
    lambda rows: flow.stack([rows, rows]),
    lambda rows: rows == rows,
]


@pytest.mark.parametrize("function", REFUSED)
def test_other_ops_refuse_dynamic_blobs(function):
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((3, 4))) -> tp.Numpy:
        return function(flow.argwhere(x))

    with pytest.raises(
        flow.errors.JobBuildAndInferError,
        match=r"test_bounded.py:\d+: job job, op .*to have a static shape but got a "
        r"blob of at most \(12, 2\), of which pad_to_static makes one",
    ):
        job(mask((3, 4), 0.5))


def test_losses_are_static():
    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((3, 4))):
        flow.losses.add_loss(flow.argwhere(x))

    with pytest.raises(flow.errors.JobBuildAndInferError):
        job(mask((3, 4), 0.5))


ARGUMENTS = [
    (
        lambda x: flow.argwhere(x, dtype=flow.float),
        "expects dtype to be int32 or int64 but got float32",
    ),
    (lambda x: flow.argwhere([1]), "expects condition to be a blob but got list"),
    (
        lambda x: flow.pad_to_static(x),
        r"expects x to be dynamic but got a blob of shape \(3, 4\)",
    ),
    (
        lambda x: flow.pad_to_static(flow.argwhere(x), 2**31),
        "expects an int that int32 can hold but got 2147483648",
    ),
]


@pytest.mark.parametrize("function, message", ARGUMENTS)
def test_arguments(function, message):
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((3, 4))) -> tp.Numpy:
        return function(x)

    with pytest.raises(flow.errors.JobMLIRError, match=message):
        job(mask((3, 4), 0.5))


def test_the_description_of_a_job_has_the_bound():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((5, 20))) -> tp.Numpy:
        return flow.argwhere(x)

    job(mask((5, 20), 0.5))
    entry = next(
        e for e in get_default_session()._artifact.entries if e["name"] == "job"
    )
    assert [port["type"] for port in entry["inputs"]] == ["5x20xf32"]
    assert [port["type"] for port in entry["outputs"]] == ["?<=100>x2xi32", "1xi64"]


def test_padding_is_used_as_it_is_and_transposed():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((1, 2))) -> tp.Numpy:
        padded = flow.pad_to_static(flow.argwhere(x), 5)
        return padded - flow.transpose(padded, [1, 0]) * 2

    expected = np.array([[0, 1], [5, 5]])
    np.testing.assert_array_equal(
        job(np.array([[0, 3]], np.float32)), expected - 2 * expected.T
    )
