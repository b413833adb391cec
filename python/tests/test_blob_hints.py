"""Operators that blobs lack, functions of NumPy, and operands of other types."""

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from jobmlir import errors
from models import define_unary, raises_here

X = np.array([[1, -2, 3]], np.float32)


class Right:
    """Has operators with a blob on the left."""

    def __radd__(self, other):
        return other


def subtract_from_array(x):
    array = np.ones((1, 3), np.float32)
    array -= x


def delete(x):
    del x[0]


@pytest.mark.parametrize(
    "body, message",
    [
        (
            lambda x: x & x,
            "an operator that blobs have but got &: did you mean jobmlir.math.logical_and?",
        ),
        (lambda x: True & x, "but got &: did you mean jobmlir.math.logical_and?"),
        (lambda x: x | x, "but got |: did you mean jobmlir.math.logical_or?"),
        (lambda x: x ^ 1, "but got ^: did you mean jobmlir.math.not_equal?"),
        (lambda x: ~x, "but got ~: did you mean jobmlir.math.logical_not?"),
        (lambda x: divmod(x, 2), "but got divmod: did you mean jobmlir.math.floordiv?"),
        (lambda x: divmod(2, x), "but got divmod: did you mean jobmlir.math.floordiv?"),
        (lambda x: x << 1, "expects an operator that blobs have but got <<"),
        (lambda x: 1 >> x, "expects an operator that blobs have but got >>"),
        (lambda x: round(x), "but got round: did you mean jobmlir.math.round?"),
        (lambda x: round(x, 2), "but got round: did you mean jobmlir.math.round?"),
        (
            delete,
            "expects an index to read from but got a deletion: did you mean jobmlir.concat?",
        ),
        (
            np.exp,
            "expects a function of jobmlir for a blob but got numpy.exp: did you mean jobmlir.math.exp?",
        ),
        (
            lambda x: np.maximum(x, 0),
            "numpy.maximum: did you mean jobmlir.math.maximum?",
        ),
        (lambda x: np.add(1, x, out=X), "numpy.add: did you mean jobmlir.math.add?"),
        (np.add.reduce, "numpy.add: did you mean jobmlir.math.add?"),
        (subtract_from_array, "numpy.subtract: did you mean jobmlir.math.subtract?"),
        (np.sum, "numpy.sum: did you mean jobmlir.math.reduce_sum?"),
        (lambda x: np.stack([x, x]), "numpy.stack: did you mean jobmlir.stack?"),
        (lambda x: np.where(x > 0, x, 0), "numpy.where: did you mean jobmlir.where?"),
        (np.fft.fft, "expects a function of jobmlir for a blob but got numpy.fft"),
        (lambda x: x < None, "expects blobs and numbers but got NoneType"),
        (lambda x: None >= x, "expects blobs and numbers but got NoneType"),
        (lambda x: x + [1, 2, 3], "expects blobs and numbers but got list"),
        (lambda x: "a" * x, "expects blobs and numbers but got str"),
        (lambda x: x - 2j, "expects blobs and numbers but got complex"),
        (lambda x: np.ones((1, 3)) + x, "got ndarray, of which constant makes a blob"),
        (lambda x: np.ones((1, 3)) < x, "got ndarray, of which constant makes a blob"),
        (lambda x: 1 in x, "expects a value to search but got a blob"),
        (lambda x: f"{x:.2f}", "expects a value to format but got a blob"),
    ],
)
def test_hints(body, message):
    def job(x):
        with raises_here(errors.BlobValueError, "job job, op ", message):
            body(x)
        return x

    define_unary(job)
    flow.dump_ir()


@pytest.mark.parametrize(
    "body",
    [
        lambda x: np.float32(2) * x,
        lambda x: np.float64(2) - x,
        lambda x: np.float32(2) / x,
        lambda x: np.float32(2) ** x,
        lambda x: np.int64(7) % x,
        lambda x: np.float32(7) // x,
        lambda x: np.float32(1) + x,
        lambda x: (np.float32(1) == x) * 3,
        lambda x: (np.float32(1) != x) * 3,
        lambda x: (np.float32(1) < x) * 3,
        lambda x: (np.float32(1) >= x) * 3,
    ],
)
def test_a_number_of_numpy_on_the_left(body):
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder(X.shape)) -> tp.Numpy:
        return body(x)

    np.testing.assert_allclose(job(X), body(X), rtol=1e-6)


def test_what_needs_no_value():
    """Comparisons with None, shapes and types that have operators of their own."""

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder(X.shape)) -> tp.Numpy:
        assert not x == None and x != None and x in [None, x]  # noqa: E711
        assert np.shape(x) == (1, 3) and np.ndim(x) == 2
        assert np.size(x) == 3 and np.size(x, 1) == 3
        assert f"{x}" == repr(x)
        return x + Right()

    np.testing.assert_array_equal(job(X), X)
