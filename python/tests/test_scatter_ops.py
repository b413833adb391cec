"""Gathering, scattering and replacing parts by index, against NumPy."""

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from models import define_unary, raises_here
from test_special_ops import gradient_at

SEED = 23
RNG = np.random.default_rng(SEED)
X = RNG.standard_normal((4, 3, 5)).astype(np.float32)
ROWS = np.array([[1, 2], [3, 0], [1, 2], [0, 1]], np.int32)


def run(function, *arrays):
    """What a job makes of up to three arrays."""
    kinds = {
        np.dtype(np.float32): flow.float,
        np.dtype(np.float64): flow.double,
        np.dtype(np.int32): flow.int32,
        np.dtype(np.int64): flow.int64,
        np.dtype(np.int8): flow.int8,
    }
    holders = [tp.Numpy.Placeholder(a.shape, dtype=kinds[a.dtype]) for a in arrays]
    if len(arrays) == 1:

        @flow.global_function()
        def job(a: holders[0]) -> tp.Numpy:
            return function(a)

    elif len(arrays) == 2:

        @flow.global_function()
        def job(a: holders[0], b: holders[1]) -> tp.Numpy:
            return function(a, b)

    else:

        @flow.global_function()
        def job(a: holders[0], b: holders[1], c: holders[2]) -> tp.Numpy:
            return function(a, b, c)

    return job(*arrays)


@pytest.mark.parametrize("kind", [np.int8, np.int32, np.int64])
def test_gather_nd(kind):
    rows = ROWS.astype(kind)
    np.testing.assert_array_equal(
        run(flow.gather_nd, X, rows), X[ROWS[:, 0], ROWS[:, 1]]
    )


def test_gather_nd_of_all_dimensions_and_of_one_row():
    places = np.array([[[0, 2, 4], [3, 1, 0]]], np.int32)
    np.testing.assert_array_equal(
        run(flow.gather_nd, X, places), [[X[0, 2, 4], X[3, 1, 0]]]
    )
    flow.clear_default_session()
    np.testing.assert_array_equal(run(flow.gather_nd, X, np.array([2], np.int32)), X[2])
    flow.clear_default_session()
    place = np.array([1, 2, 3], np.int32)
    np.testing.assert_array_equal(run(flow.gather_nd, X, place), [X[1, 2, 3]])


def test_gather_nd_out_of_range():
    rows = np.array([[0, 3], [-1, 0], [1, 1], [4, 0]], np.int32)
    result = run(flow.gather_nd, X, rows)
    np.testing.assert_array_equal(result[2], X[1, 1])
    assert np.isnan(result[[0, 1, 3]]).all()
    flow.clear_default_session()
    result = run(flow.gather_nd, X.astype(np.int32) + 1, rows)
    assert not result[[0, 1, 3]].any()


UPDATES = RNG.standard_normal((4, 5)).astype(np.float32)


def added(start):
    expected = start.copy()
    np.add.at(expected, (ROWS[:, 0], ROWS[:, 1]), UPDATES)
    return expected


def test_scatter_nd_adds_equal_indices():
    result = run(lambda i, u: flow.scatter_nd(i, u, [4, 3, 5]), ROWS, UPDATES)
    np.testing.assert_allclose(result, added(np.zeros_like(X)), rtol=1e-6)


def test_scatter_nd_ignores_indices_out_of_range():
    rows = np.array([[0, 3], [-1, 0], [1, 1], [4, 0]], np.int64)
    result = run(lambda i, u: flow.scatter_nd(i, u, [4, 3, 5]), rows, UPDATES)
    expected = np.zeros_like(X)
    expected[1, 1] = UPDATES[2]
    np.testing.assert_array_equal(result, expected)


def test_tensor_scatter_nd_add():
    result = run(flow.tensor_scatter_nd_add, X, ROWS, UPDATES)
    np.testing.assert_allclose(result, added(X), rtol=1e-6)


def test_tensor_scatter_nd_update_keeps_the_last():
    expected = X.copy()
    for row, update in zip(ROWS, UPDATES):
        expected[tuple(row)] = update
    result = run(flow.tensor_scatter_nd_update, X, ROWS, UPDATES)
    np.testing.assert_array_equal(result, expected)


def test_tensor_scatter_nd_update_of_elements():
    x = np.arange(6, dtype=np.int32)
    rows = np.array([[5], [9], [0], [5], [-1]], np.int32)
    updates = np.array([10, 20, 30, 40, 50], np.int32)
    result = run(flow.tensor_scatter_nd_update, x, rows, updates)
    np.testing.assert_array_equal(result, [30, 1, 2, 3, 4, 40])
    flow.clear_default_session()
    one = np.array([[7.0, 8.0]], np.float32)
    result = run(
        flow.tensor_scatter_nd_update,
        np.zeros((1, 2), np.float32),
        np.array([[0]], np.int32),
        one,
    )
    np.testing.assert_array_equal(result, one)


@pytest.mark.parametrize("dim", [0, 1, -1])
def test_dim_gather(dim):
    shape = list(X.shape)
    shape[dim] = 2
    index = RNG.integers(0, X.shape[dim], shape).astype(np.int32)
    result = run(lambda x, i: flow.dim_gather(x, dim, i), X, index)
    np.testing.assert_array_equal(result, np.take_along_axis(X, index, dim))


def test_dim_gather_of_a_shorter_index():
    index = np.array([[[1, 0]], [[2, 2]]], np.int64)
    result = run(lambda x, i: flow.dim_gather(x, 1, i), X, index)
    np.testing.assert_array_equal(result, np.take_along_axis(X[:2, :, :2], index, 1))


@pytest.mark.parametrize("axis", [0, -1, [0, 2], (0, 1, 2)])
def test_reverse(axis):
    result = run(lambda x: flow.reverse(x, axis), X)
    np.testing.assert_array_equal(result, np.flip(X, axis))


@pytest.mark.parametrize(
    "parts, place",
    [
        ([(1, 3, 1)], np.s_[1:3]),
        ([(None, None, 2), (1, None, None), (0, 4, 3)], np.s_[::2, 1:, 0:4:3]),
        ([(None, None, None)] * 3, np.s_[:, :, :]),
        ([(-1, None, None), (None, -1, None)], np.s_[-1:, :-1]),
    ],
)
def test_slice_update(parts, place):
    update = RNG.standard_normal(X[place].shape).astype(np.float32)
    expected = X.copy()
    expected[place] = update
    result = run(lambda x, u: flow.slice_update(x, u, parts), X, update)
    np.testing.assert_array_equal(result, expected)


def test_segment_sums():
    ids = np.array([2, 0, 2, 9], np.int32)
    expected = np.zeros((6, 3, 5), np.float32)
    for place, slice_ in zip(ids, X):
        if place < 6:
            expected[place] += slice_
    like = np.zeros((6, 3, 5), np.float32)
    result = run(flow.math.unsorted_segment_sum_like, X, ids, like)
    np.testing.assert_allclose(result, expected, rtol=1e-6)
    flow.clear_default_session()
    ids = np.array([[0, 1, 0], [2, 2, 2], [1, 0, 3], [-1, 1, 1]], np.int32)
    expected = np.zeros((4, 3, 5), np.float32)
    for batch, place in np.ndindex(4, 3):
        if 0 <= ids[batch, place] < 3:
            expected[batch, ids[batch, place]] += X[batch, place]
    result = run(lambda x, i: flow.math.unsorted_batch_segment_sum(x, i, 3), X, ids)
    np.testing.assert_allclose(result, expected, rtol=1e-6)


def rows_of(numbers):
    """A constant blob of indices."""
    return flow.stack([flow.constant(n, flow.int32, (1,)) for n in numbers])


def test_gradients():
    x = RNG.standard_normal((3, 2))
    weights = np.arange(1.0, 7.0).reshape(3, 2)

    def weighted(blob):
        rows, columns = blob.shape
        numbers = flow.cast(flow.range(rows * columns) + 1, flow.double)
        return blob * flow.reshape(numbers, [rows, columns])

    def check(body, expected):
        np.testing.assert_allclose(gradient_at(body, x), expected, rtol=1e-12)

    check(
        lambda w: weighted(flow.gather_nd(w, rows_of([2, 0, 2]))),
        [[3, 4], [0, 0], [1 + 5, 2 + 6]],
    )
    check(
        lambda w: weighted(flow.scatter_nd(rows_of([1, 0, 1]), w, [3, 2])),
        weights[[1, 0, 1]],
    )
    check(
        lambda w: weighted(flow.tensor_scatter_nd_add(w, rows_of([1, 0, 1]), w)),
        weights + weights[[1, 0, 1]],
    )
    zeros = np.zeros(2)
    check(
        lambda w: weighted(
            flow.tensor_scatter_nd_update(w * 10.0, rows_of([1, 0, 1]), w)
        ),
        # Rows 1 and 2 of the updates replace rows 0 and 1.
        [zeros, weights[0], weights[1] + 10 * weights[2]],
    )
    check(lambda w: weighted(flow.reverse(w, 0)), weights[::-1])
    check(
        lambda w: weighted(
            flow.slice_update(w, flow.slice(w, [0, 0], [1, 2]), [(2, 3, 1)])
        ),
        [weights[0] + weights[2], weights[1], zeros],
    )
    index = np.array([[2, 2]])

    def dim_gather(w):
        two = flow.constant(2, flow.int32, (1, 2))
        return weighted(flow.dim_gather(w, 0, two))

    expected = np.zeros((3, 2))
    expected[index, [0, 1]] = [1, 2]
    check(dim_gather, expected)


def ids(shape):
    return flow.constant(0, flow.int32, shape)


@pytest.mark.parametrize(
    "body, op, text",
    [
        (
            lambda x: flow.gather_nd(x, ids((1, 3))),
            "GatherNd",
            "expects indices of at most 2 numbers, the dimensions of params, but got 3",
        ),
        (
            lambda x: flow.gather_nd(x, x),
            "GatherNd",
            "expects indices of ints but got float",
        ),
        (
            lambda x: flow.scatter_nd(ids((4, 1)), x, [5, 3]),
            "ScatterNd",
            "expects updates of shape (4, 3) but got (2, 3)",
        ),
        (
            lambda x: flow.tensor_scatter_nd_add(x, ids((2, 1)), ids((2, 3))),
            "TensorScatterNdAdd",
            "expects updates of float32, the dtype of params, but got int32",
        ),
        (
            lambda x: flow.dim_gather(x, 0, ids((2, 4))),
            "DimGather",
            "expects an index of at most shape (2, 3) except in dimension 0 but got "
            "(2, 4)",
        ),
        (
            lambda x: flow.dim_gather(x, 0.5, ids((2, 3))),
            "DimGather",
            "expects dim to be an int but got 0.5",
        ),
        (
            lambda x: flow.reverse(x, 2),
            "Reverse",
            "expects an axis in [-2, 2) but got 2",
        ),
        (
            lambda x: flow.slice_update(x, x, [(0, 1, 1)]),
            "SliceUpdate",
            "expects an update of shape (1, 3) but got (2, 3)",
        ),
        (
            lambda x: flow.slice_update(x, ids((2, 3)), []),
            "SliceUpdate",
            "expects an update of float32, the dtype of x, but got int32",
        ),
        (
            lambda x: flow.slice_update(x, x, [(1, 0, 0)]),
            "SliceUpdate",
            "expects a step other than 0 in dimension 0 but got 0",
        ),
        (
            lambda x: flow.math.unsorted_segment_sum_like(x, ids((2,)), x * 1.0, 1),
            "UnsortedSegmentSumLike",
            "expects the indices' dimensions from dimension 1",
        ),
        (
            lambda x: flow.math.unsorted_segment_sum_like(x, ids((2,)), ids((4, 3)), 0),
            "UnsortedSegmentSumLike",
            "expects like of shape (4, 3) and float32 but got (4, 3) and int32",
        ),
        (
            lambda x: flow.math.unsorted_batch_segment_sum(x, ids((3,)), 4),
            "UnsortedBatchSegmentSum",
            "expects segment_ids of the first dimensions of data, (2, 3), but got (3,)",
        ),
        (
            lambda x: flow.math.unsorted_batch_segment_sum(x, ids((2,)), 0),
            "UnsortedBatchSegmentSum",
            "expects num_segments to be a positive int but got 0",
        ),
    ],
)
def test_errors(body, op, text):
    define_unary(body)
    with raises_here(ValueError, f"op {op}", text):
        flow.dump_ir()
