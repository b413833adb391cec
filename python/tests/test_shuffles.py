"""Rows in a random order, and sums of slices with the same index."""

import numpy as np
import pytest
from models import raises_here

import jobmlir as flow
import jobmlir.typing as tp

X = np.arange(60, dtype=np.float32).reshape(20, 3)


def define(body, shape=X.shape, kind="predict", dtype=flow.float):
    @flow.global_function(type=kind)
    def job(x: tp.Numpy.Placeholder(shape, dtype=dtype)) -> tp.Numpy:
        return body(x)

    return job


def test_shuffle_moves_whole_rows_anew_in_each_step():
    job = define(lambda x: flow.random.shuffle(x, seed=3))
    first, second = job(X), job(X)
    for result in (first, second):
        assert not np.array_equal(result, X)
        np.testing.assert_array_equal(result[np.argsort(result[:, 0])], X)
    assert not np.array_equal(first, second)
    flow.clear_default_session()
    again = define(lambda x: flow.random.shuffle(x, seed=3))
    np.testing.assert_array_equal(again(X), first)


def test_each_place_gets_each_row_equally_often():
    job = define(
        lambda x: flow.random.generate_random_batch_permutation_indices(x), (4, 1)
    )
    counts = np.zeros((4, 4))
    for _ in range(2000):
        counts[np.arange(4), job(np.zeros((4, 1), np.float32))] += 1
    # Of a binomial distribution with a deviation of 19.4.
    np.testing.assert_allclose(counts, 500, atol=100)


def test_the_gradient_goes_back_to_the_row():
    seen = []

    @flow.global_function(type="train")
    def train(x: tp.Numpy.Placeholder((5, 2))) -> tp.Numpy:
        w = flow.get_variable("w", (5, 2), initializer=flow.ones_initializer())
        flow.watch_diff(w, lambda value: seen.append(value.numpy()))
        y = flow.random.shuffle(w * x, seed=1)
        weights = flow.constant([[1.0], [2.0], [3.0], [4.0], [5.0]], flow.float)
        loss = y * weights
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.0])
        flow.optimizer.SGD(rate, momentum=0).minimize(loss)
        return y

    x = np.arange(10, dtype=np.float32).reshape(5, 2) + 1
    y = train(x)
    order = [int(np.flatnonzero(x[:, 0] == row)[0]) for row in y[:, 0]]
    expected = np.zeros_like(x)
    for place, row in enumerate(order):
        expected[row] = x[row] * (place + 1)
    np.testing.assert_array_equal(seen[0], expected)


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.int8])
def test_sums_of_slices(dtype):
    rng = np.random.default_rng(5)
    indices = rng.integers(-2, 3, (3, 4)).astype(dtype)
    values = rng.standard_normal((3, 4, 2)).astype(np.float32)
    kind = {np.int32: flow.int32, np.int64: flow.int64, np.int8: flow.int8}[dtype]

    @flow.global_function()
    def job(
        i: tp.Numpy.Placeholder((3, 4), dtype=kind),
        v: tp.Numpy.Placeholder((3, 4, 2)),
    ) -> tp.Bundle[tp.Numpy]:
        return flow.experimental.indexed_slices_reduce_sum(i, v)

    different, sums, count = job(indices, values)
    expected = list(dict.fromkeys(indices.reshape(-1).tolist()))
    assert different.tolist() == expected
    assert len(sums) == count[0] == len(expected)
    for place, index in enumerate(expected):
        np.testing.assert_allclose(
            sums[place], values[indices == index].sum(0), rtol=1e-5, atol=1e-6
        )


def test_errors_of_slices():
    define(lambda x: flow.experimental.indexed_slices_reduce_sum(x, x)[1])
    with raises_here(Exception, "expects indices of ints but got float32"):
        flow.dump_ir()
    flow.clear_default_session()

    def body(x):
        indices = flow.range(3)
        return flow.experimental.indexed_slices_reduce_sum(indices, x)[1]

    define(body)
    with raises_here(Exception, "a shape that begins with (3,) but got (20, 3)"):
        flow.dump_ir()
