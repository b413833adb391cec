"""Sorting and what is made of it, against NumPy."""

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from models import define_unary, raises_here
from test_special_ops import gradient_at

SEED = 22
LENGTHS = [1, 2, 7, 8, 9, 64, 65, 513, 5000]


def descending(x):
    """The stable order, NaN last."""
    keys = np.where(np.isnan(x), -np.inf, x) if x.dtype.kind == "f" else x
    is_nan = np.isnan(x) if x.dtype.kind == "f" else np.zeros(x.shape, bool)
    order = np.empty(x.shape, np.int64)
    for row in np.ndindex(x.shape[:-1]):
        order[row] = sorted(
            range(x.shape[-1]), key=lambda i: (is_nan[row][i], -float(keys[row][i]), i)
        )
    return order


@pytest.mark.parametrize("length", LENGTHS)
def test_order_of_rows(length):
    x = np.random.default_rng(SEED).integers(-20, 20, (2, length)).astype(np.float32)
    if length > 6:
        x[0, 3] = x[1, 0] = np.nan
        x[1, 2], x[1, 4] = np.inf, -np.inf
        x[0, 5], x[0, 6] = -0.0, 0.0

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder(x.shape)):
        return (
            flow.argsort(x),
            flow.argsort(x, "DESCENDING"),
            flow.sort(x),
            flow.sort(x, direction="DESCENDING"),
            flow.math.top_k(x, min(length, 5)),
        )

    up, down, rising, falling, best = (blob.numpy() for blob in job(x).get())
    order = descending(x)
    assert up.dtype == best.dtype == np.int32
    np.testing.assert_array_equal(up, np.argsort(x, -1, "stable"), f"seed {SEED}")
    np.testing.assert_array_equal(down, order, f"seed {SEED}")
    np.testing.assert_array_equal(rising, np.sort(x, -1))
    np.testing.assert_array_equal(falling, np.take_along_axis(x, order, -1))
    np.testing.assert_array_equal(best, order[:, :5])


@pytest.mark.parametrize(
    "dtype",
    [flow.int8, flow.uint8, flow.int32, flow.int64, flow.double],
    ids=lambda dtype: dtype.canonical,
)
def test_sort_of_each_dtype(dtype):
    kind = flow.convert_oneflow_dtype_to_numpy_dtype(dtype)
    rng = np.random.default_rng(SEED)
    if np.issubdtype(kind, np.integer):
        limits = np.iinfo(kind)
        x = rng.integers(limits.min, limits.max, (3, 70), kind, endpoint=True)
    else:
        x = rng.standard_normal((3, 70))
    y = define_unary(flow.sort, x.shape, dtype)(x)
    assert y.dtype == kind
    np.testing.assert_array_equal(y, np.sort(x, -1), f"seed {SEED}")


@pytest.mark.parametrize("dtype", [flow.float16, flow.bfloat16])
def test_sort_of_narrow_floats(dtype):
    x = np.random.default_rng(SEED).integers(-99, 99, (2, 40)).astype(np.float32)

    def body(x):
        return flow.cast(flow.sort(flow.cast(x, dtype)), flow.float)

    np.testing.assert_array_equal(define_unary(body, x.shape)(x), np.sort(x, -1))


def test_gradients_go_to_where_elements_come_from():
    x = np.array([[3.0, 1.0, 2.0], [5.0, 6.0, 4.0]])

    def body(w):
        weights = flow.cast(flow.range(3) + 1, flow.double)
        return flow.sort(w) * flow.reshape(weights, [1, 3])

    np.testing.assert_array_equal(gradient_at(body, x), [[3, 1, 2], [2, 3, 1]])

    def best(w):
        indices = flow.math.top_k(w, 2)
        return flow.gather(w, indices, axis=1, batch_dims=1)

    np.testing.assert_array_equal(gradient_at(best, x), [[1, 0, 1], [1, 1, 0]])


def test_top_k_of_equal_elements_takes_the_first():
    x = np.array([[1.0, 7.0, 7.0, np.nan, 7.0]], np.float32)
    y = define_unary(lambda x: flow.math.top_k(x, 3, sorted=False), x.shape)(x)
    np.testing.assert_array_equal(y, [[1, 2, 4]])
    flow.clear_default_session()
    y = define_unary(flow.math.top_k, x.shape)(x)
    np.testing.assert_array_equal(y, [[1]])


def unique(x, **more):
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder(x.shape, dtype=more.pop("dtype", flow.float))):
        return flow.experimental.unique_with_counts(x, **more)

    return [blob.numpy() for blob in job(x).get()]


@pytest.mark.parametrize("length", [1, 2, 9, 300])
def test_unique_with_counts(length):
    x = np.random.default_rng(SEED).integers(-20, 20, length).astype(np.float32)
    y, idx, count, number = unique(x)
    values, first, inverse, counts = np.unique(
        x, return_index=True, return_inverse=True, return_counts=True
    )
    order = np.argsort(first)
    n = len(values)
    np.testing.assert_array_equal(number, [n])
    np.testing.assert_array_equal(y, values[order], f"seed {SEED}")
    np.testing.assert_array_equal(count, counts[order])
    np.testing.assert_array_equal(y[idx], x)
    assert idx.dtype == count.dtype == number.dtype == np.int32


def test_unique_elements_have_zeros_behind_them_in_a_job():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((5,))) -> tp.Bundle[tp.Numpy]:
        y, _, count, _ = flow.experimental.unique_with_counts(x)
        assert y.shape == count.shape == (5,) and not y.is_dynamic
        return [y + 1, -count, (y, y)]

    more, negated, (y, again) = job(np.array([7, 2, 7, 7, 2], np.float32))
    np.testing.assert_array_equal(more, [8, 3, 1, 1, 1])
    np.testing.assert_array_equal(negated, [-3, -2, 0, 0, 0])
    np.testing.assert_array_equal(y, [7, 2])
    np.testing.assert_array_equal(again, y)


def test_unique_ints_and_nan():
    y, idx, count, number = unique(
        np.array([5, 3, 5, -2, 3], np.int64), dtype=flow.int64, out_idx=flow.int64
    )
    assert idx.dtype == number.dtype == np.int64
    np.testing.assert_array_equal(y, [5, 3, -2])
    np.testing.assert_array_equal(idx, [0, 1, 0, 2, 1])
    np.testing.assert_array_equal(count, [2, 2, 1])
    np.testing.assert_array_equal(number, [3])
    flow.clear_default_session()
    y, idx, count, number = unique(np.array([np.nan, 1, np.nan], np.float32))
    np.testing.assert_array_equal(y, [np.nan, 1, np.nan])
    np.testing.assert_array_equal(idx, [0, 1, 2])
    np.testing.assert_array_equal(number, [3])


@pytest.mark.parametrize(
    "body, op, text",
    [
        (
            lambda x: flow.sort(x, "up"),
            "Sort",
            "expects direction to be one of 'ASCENDING', 'DESCENDING' but got 'up'",
        ),
        (
            lambda x: flow.argsort(x, None),
            "ArgSort",
            "expects direction to be one of 'ASCENDING', 'DESCENDING' but got None",
        ),
        (
            lambda x: flow.math.top_k(x, 4),
            "TopK",
            "expects k to be an int in [1, 3] but got 4",
        ),
        (
            lambda x: flow.math.top_k(x, 1.0),
            "TopK",
            "expects k to be an int in [1, 3] but got 1.0",
        ),
        (
            lambda x: flow.experimental.unique_with_counts(x),
            "UniqueWithCounts",
            "expects x of one dimension but got shape (2, 3)",
        ),
        (
            lambda x: flow.experimental.unique_with_counts(x, flow.int8),
            "UniqueWithCounts",
            "expects out_idx to be int32 or int64 but got int8",
        ),
    ],
)
def test_errors(body, op, text):
    define_unary(body)
    with raises_here(ValueError, f"op {op}", text):
        flow.dump_ir()
