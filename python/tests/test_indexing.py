"""Indices and methods of blobs, cumsum and constants from arrays, against NumPy."""

import pickle

import ml_dtypes
import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from models import define_unary, raises_here
from numeric import check, evaluate, random

X = random((4, 3, 5))

KEYS = [
    np.s_[0],
    np.s_[-1],
    np.s_[:, 0],
    np.s_[:, -1, 2],
    np.s_[..., 0],
    np.s_[..., None],
    np.s_[None],
    np.s_[:, None, :, 1:3],
    np.s_[1:3],
    np.s_[::2, ::-1],
    np.s_[3:0:-2, :, ::-3],
    np.s_[1:2, ..., None, -2:],
    np.s_[-100:100],
    np.s_[0, None, ..., 0],
    np.s_[:],
    np.s_[...],
    np.s_[np.int64(2), np.int8(-1)],
    (),
]


@pytest.mark.parametrize("key", KEYS, ids=str)
def test_index(key):
    check(lambda x: x[key] * 1.0, lambda x: x[key], X)


def test_an_index_of_all_dimensions_has_one_element():
    result = evaluate(lambda x: x[1, 2, 3], X)
    assert result.shape == (1,) and result == X[1, 2, 3]


def test_an_index_of_ints():
    x = np.arange(12, dtype=np.uint8).reshape(3, 4)
    np.testing.assert_array_equal(evaluate(lambda x: x[::-1, 1:], x), x[::-1, 1:])


@pytest.mark.parametrize(
    "function, reference",
    [
        (lambda x: x.mean(), lambda x: x.mean().reshape(1)),
        (lambda x: x.mean(-1), lambda x: x.mean(-1)),
        (lambda x: x.sum(axis=[0, 1]), lambda x: x.sum((0, 1))),
        (lambda x: x.max(1, keepdims=True), lambda x: x.max(1, keepdims=True)),
        (lambda x: x.min(0), lambda x: x.min(0)),
        (lambda x: x.reshape(3, -1), lambda x: x.reshape(3, -1)),
        (lambda x: x.reshape([60]), lambda x: x.reshape(60)),
        (lambda x: x @ flow.transpose(x, [0, 2, 1]), lambda x: x @ x.swapaxes(1, 2)),
        (lambda x: x[0] @ x[1].reshape(5, 3), lambda x: x[0] @ x[1].reshape(5, 3)),
        (
            lambda x: flow.slice(x, [None, 1, 0], [2, None, -1]),
            lambda x: x[:2, 1:],
        ),
    ],
)
def test_method(function, reference):
    check(function, reference, X)


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("exclusive", [False, True])
@pytest.mark.parametrize("reverse", [False, True])
def test_cumsum(axis, exclusive, reverse):
    def reference(x):
        x = np.flip(x, axis) if reverse else x
        sums = np.cumsum(x, axis)
        sums = sums - x if exclusive else sums
        return np.flip(sums, axis) if reverse else sums

    check(
        lambda x: flow.math.cumsum(x, axis, exclusive, reverse),
        reference,
        X,
    )


def test_cumsum_of_others():
    x = np.array([100, 100, 100, -7], np.int8)
    np.testing.assert_array_equal(evaluate(flow.cumsum, x), np.cumsum(x, dtype=np.int8))
    for exclusive, expected in ((False, 3), (True, 0)):
        one = np.array([3], np.int64)
        result = evaluate(lambda x, e=exclusive: flow.cumsum(x, 0, e), one)
        np.testing.assert_array_equal(result, [expected])
    half = np.full(3000, 0.1, np.float16)
    np.testing.assert_allclose(
        evaluate(flow.cumsum, half), np.cumsum(half.astype(float)), 1e-3
    )


# ===- Arrays as constants --------------------------------------------------===#


@pytest.mark.parametrize(
    "array",
    [
        random((2, 3)),
        random((2, 3), dtype=np.float32),
        random((2, 3), dtype=np.float16),
        np.arange(6, dtype=np.int8).reshape(2, 3) - 3,
        np.arange(200, 206, dtype=np.uint8),
        np.array([[2**31 - 1, -(2**31)]], np.int32),
        np.array([2**62, -1]),
        np.array([np.nan, np.inf, -0.0], np.float32),
        np.arange(12.0).reshape(3, 4).T[::2],
        np.full((3, 3), 7.0),
        np.array([True, False]),
        np.array([1.5, -2], ml_dtypes.bfloat16),
        np.array([1.5, -2], ">f4"),
    ],
    ids=lambda a: f"{a.dtype}{a.shape}",
)
def test_constant_of_an_array(array):
    @flow.global_function()
    def job() -> tp.Numpy:
        return flow.constant(array)

    result = job()
    native = array.dtype.newbyteorder("=")
    assert result.dtype == (np.int8 if native == bool else native)
    np.testing.assert_array_equal(result, array)
    assert (np.signbit(result) == np.signbit(array)).all()


def test_constants_take_part_in_gradients():
    table = random((3, 4), 1)
    check(
        lambda x: flow.matmul(x, flow.constant(table)) + flow.constant(table[0]),
        lambda x: x @ table + table[0],
        random((2, 3)),
    )


@pytest.mark.parametrize(
    "make, expected",
    [
        (lambda: flow.constant(np.arange(3), flow.float32), np.float32([0, 1, 2])),
        (lambda: flow.constant(np.float64([0.1]), flow.float16), np.float16([0.1])),
        (lambda: flow.constant(np.arange(2), shape=(2, 2)), np.array([[0, 1]] * 2)),
        (lambda: flow.constant(np.array(3), flow.int8), np.int8([3])),
        (lambda: flow.constant([[1, 2], [3, 4]]), np.int32([[1, 2], [3, 4]])),
        (lambda: flow.constant((0.5, 2)), np.float32([0.5, 2])),
        (lambda: flow.constant([1, 2], flow.double), np.float64([1, 2])),
        (lambda: flow.constant([7], shape=[2, 2]), np.full((2, 2), 7, np.int32)),
        (lambda: flow.constant(np.array([3]), flow.int8), np.int8([3])),
    ],
)
def test_conversion_of_an_array(make, expected):
    @flow.global_function()
    def job() -> tp.Numpy:
        return make()

    result = job()
    assert result.dtype == expected.dtype
    np.testing.assert_array_equal(result, expected)


def test_a_scalar_loss_converts_to_a_number():
    """NumPy itself refuses arrays that have dimensions."""
    x = np.float32([[1, 4]])

    def body(x):
        return flow.math.reduce_mean(x)

    result = define_unary(body, (1, 2))(x)
    other = evaluate(body, x)
    for loss in (result, other, result * 1, result[:]):
        assert isinstance(loss, np.ndarray) and loss.shape == (1,)
        assert (float(loss), int(loss), complex(loss)) == (2.5, 2, 2.5 + 0j)
        assert f"{float(loss):.2f}" == f"{loss:.2f}" == "2.50"
        assert f"{loss}" == str(loss)
    assert repr(result) == repr(np.float32([2.5])) and str(result) == "[2.5]"
    again = pickle.loads(pickle.dumps(result))
    assert type(again) is np.ndarray and again == result
    with pytest.raises(TypeError):
        float(np.concatenate([result, result]).view(type(result)))
    flow.clear_default_session()

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((1, 2))):
        return flow.math.reduce_mean(x)

    assert float(job(x).get()) == 2.5 and int(job(x).get()) == 2
    assert f"{job(x).get():.2f}" == "2.50"


@pytest.mark.parametrize(
    "function, message",
    [
        (lambda x: x["a"], "op Index: expects an index of ints, slices, None and ..."),
        (lambda x: x[x > 0], "but got Blob; gather takes indices in a blob"),
        (lambda x: x[[0, 1]], "but got list; gather takes indices in a blob"),
        (lambda x: x[True], "but got bool"),
        (lambda x: x[..., ...], "expects an index with one ... at most but got 2"),
        (
            lambda x: x[0, 0, 0],
            "expects at most 2 indices for shape (4, 3) but got 3",
        ),
        (lambda x: x[:, 3], "expects an index in [-3, 3) in dimension 1 but got 3"),
        (lambda x: x[2:2], "expects at least one element in dimension 0 of extent 4"),
        (lambda x: x[3:1], "expects at least one element in dimension 0 of extent 4"),
        (lambda x: x[1:3:-1], "expects at least one element in dimension 0 of extent"),
        (lambda x: x[0.5:], "expects a slice of ints and None but got slice(0.5"),
        (lambda x: x[::0], "expects a step other than 0 but got slice(None, None, 0)"),
        (lambda x: x @ x, "op MatMul: "),
        (lambda x: x @ np.eye(3), "op MatMul: expects b to be a blob but got ndarray"),
        (lambda x: np.eye(4) @ x, "op MatMul: expects a to be a blob but got ndarray"),
        (
            lambda x: x + np.ones(3),
            "expects blobs and numbers but got ndarray, of which constant makes a blob",
        ),
        (
            lambda x: x.__setitem__(0, 1.0),
            "op Index: expects an index to read from but got an assignment: where and",
        ),
        (
            lambda x: flow.cumsum(x, 2),
            "op CumSum: expects an axis in [-2, 2) but got 2",
        ),
        (lambda x: flow.cumsum(x, [0]), "expects axis to be an int but got [0]"),
        (
            lambda x: flow.constant(np.array(["a"])),
            "op Constant: expects an array of a dtype that blobs have but got <U1",
        ),
        (
            lambda x: flow.constant(["a"]),
            "op Constant: expects a list of numbers but got ['a']",
        ),
        (
            lambda x: flow.constant([[1], [1, 2]]),
            "expects a list of numbers of one shape but got list",
        ),
        (lambda x: flow.constant([]), "expects an array with elements but got shape"),
        (
            lambda x: flow.constant([2**40]),
            "expects an array of ints that int32 can hold but got int64",
        ),
        (
            lambda x: flow.constant(np.array([1.5]), flow.int32),
            "expects an array of ints that int32 can hold but got float64",
        ),
        (
            lambda x: flow.constant(np.array([300, 0]), flow.int8),
            "expects an array of ints that int8 can hold but got int64",
        ),
        (
            lambda x: flow.constant(np.zeros((0, 2))),
            "expects an array with elements but got shape (0, 2)",
        ),
        (
            lambda x: flow.constant(np.zeros(3), shape=(2, 2)),
            "expects an array that broadcasts to (2, 2) but got (3,)",
        ),
        (
            lambda x: flow.constant(np.ma.array([1, 2], mask=[0, 1])),
            "expects an array without a mask but got a masked array",
        ),
    ],
)
def test_error(function, message):
    define_unary(function, (4, 3))
    with raises_here(Exception, message):
        flow.dump_ir()
