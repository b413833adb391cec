"""Norms, counts, polynomials, and the padding of images, against NumPy."""

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from models import define_unary, raises_here
from numeric import check, evaluate, gradients, random

X = random((4, 3, 5))


@pytest.mark.parametrize("axis", [None, 0, -1, [0, 2], 1])
def test_l2_normalize(axis):
    over = tuple(axis) if isinstance(axis, list) else axis

    def reference(x):
        return x / np.sqrt(np.maximum((x * x).sum(over, keepdims=True), 1e-12))

    check(lambda x: flow.math.l2_normalize(x, axis), reference, X)


def test_l2_normalize_of_small_and_of_narrow_numbers():
    x = np.array([[0, 0], [1e-5, 0]])
    result = evaluate(lambda x: flow.math.l2_normalize(x, -1, 1e-6), x)
    np.testing.assert_allclose(result, x / 1e-3)
    half = np.full((1, 4), 300, np.float16)
    result = evaluate(lambda x: flow.math.l2_normalize(x, -1), half)
    np.testing.assert_array_equal(result, np.full((1, 4), 0.5, np.float16))


def test_square_sum():
    check(flow.experimental.square_sum, lambda x: (x * x).sum().reshape(1), X)
    assert evaluate(flow.experimental.square_sum, np.array([3, 4])) == 25


@pytest.mark.parametrize("axis", [None, 1, [0, -1]])
@pytest.mark.parametrize("keepdims", [False, True])
def test_two_stage_reductions(axis, keepdims):
    over = tuple(axis) if isinstance(axis, list) else axis
    for function, reference in (
        (flow.math.two_stage_reduce_max, np.max),
        (flow.math.two_stage_reduce_min, np.min),
    ):
        check(
            lambda x, f=function: f(x, axis, keepdims),
            lambda x, f=reference: np.atleast_1d(f(x, over, keepdims=keepdims)),
            X,
        )


def test_counts():
    def job(x):
        return (
            flow.math.elem_cnt(x),
            flow.math.elem_cnt(x, flow.int64),
            flow.math.reduced_shape_elem_cnt(x),
            flow.math.reduced_shape_elem_cnt(x, [0, -1], flow.float),
            flow.math.reduced_shape_elem_cnt(x, 1, dtype=flow.int8),
        )

    results = evaluate(job, X)
    for result, count, dtype in zip(
        results, (60, 60, 60, 20, 3), ("int32", "int64", "int32", "float32", "int8")
    ):
        assert result.shape == (1,) and result == count and result.dtype == dtype


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_count_not_finite(dtype):
    x = np.array([[1, np.nan, np.inf], [-np.inf, -np.nan, np.finfo(dtype).max]], dtype)

    def job(x, y, i):
        return (
            flow.count_not_finite(x),
            flow.count_not_finite(i),
            flow.multi_count_not_finite([x, y, i]),
        )

    results = evaluate(job, x, x[:, 1], np.arange(3))
    assert all(r.dtype == np.int64 and r.shape == (1,) for r in results)
    assert [int(r) for r in results] == [4, 0, 6]


def test_broadcast_to_compatible_with():
    x, y, z = random((3, 1)), random((4, 1, 1)), random((5,))
    check(
        lambda x: flow.math.broadcast_to_compatible_with(
            x, [flow.constant(y), flow.constant(z)]
        ),
        lambda x: np.broadcast_to(x, (4, 3, 5)),
        x,
    )


@pytest.mark.parametrize("coeffs", [[], [2.0], [1.0, 3.0, -2.0], (0.5, 0, 0, -1, 2)])
def test_polyval(coeffs):
    check(
        lambda x: flow.math.polyval(coeffs, x),
        lambda x: np.polyval(coeffs, x) + 0 * x,
        X,
        gradient=len(coeffs) > 1,
    )


def test_polyval_of_blobs_and_of_ints():
    c = random((5,), 1)
    check(
        lambda x, c: flow.math.polyval([c, 2.0, x], x),
        lambda x, c: c * x * x + 2 * x + x,
        X,
        c,
    )
    i = np.arange(4, dtype=np.int32)
    np.testing.assert_array_equal(
        evaluate(lambda i: flow.math.polyval([1, -2, 3], i), i), i * i - 2 * i + 3
    )


@pytest.mark.parametrize(
    "function", [flow.nn.fused_scale_tril, flow.math.fused_scale_tril]
)
def test_fused_scale_tril(function):
    below = np.tri(3, 5, 1, dtype=bool)
    check(
        lambda x: function(x, 1, -3.0, 0.5), lambda x: np.where(below, x * 0.5, -3), X
    )
    check(lambda x: function(x), np.tril, X)
    i = np.arange(9, dtype=np.int8).reshape(3, 3)
    np.testing.assert_array_equal(
        evaluate(lambda i: function(i, scale=3, fill_value=-1), i),
        np.where(np.tri(3) == 1, i * 3, -1),
    )


def test_tril_with_a_value():
    check(
        lambda x: flow.math.tril(x, -1, 7.5),
        lambda x: np.where(np.tri(3, 5, -1, dtype=bool), x, 7.5),
        X,
    )


# ===- Identities and padding ----------------------------------------------===#


def test_identities():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 3)), y: tp.Numpy.Placeholder((3,))):
        first, second = flow.identity_n([x, y])
        return (
            first,
            second,
            flow.amp_white_identity(x),
            flow.dynamic_reshape(x, [3, -1]),
        )

    x, y = random((2, 3), dtype=np.float32), random((3,), 1, dtype=np.float32)
    first, second, white, reshaped = (blob.numpy() for blob in job(x, y).get())
    np.testing.assert_array_equal(first, x)
    np.testing.assert_array_equal(second, y)
    np.testing.assert_array_equal(white, x)
    np.testing.assert_array_equal(reshaped, x.reshape(3, 2))


def test_pad_grad():
    check(
        lambda x: flow.pad_grad(x, [(1, 0), (0, 0), (2, 2)]), lambda x: x[1:, :, 2:3], X
    )


@pytest.mark.parametrize("is_last", [0, 1])
@pytest.mark.parametrize("dims", [1, 2, 3])
@pytest.mark.parametrize("kind", ["SAME_LOWER", "same_upper"])
def test_same_padding(is_last, dims, kind):
    data_format = {1: ("NCW", "NWC"), 2: ("NCHW", "NHWC"), 3: ("NCDHW", "NDHWC")}[dims]
    x = random((2, 3, 5, 6, 7)[: dims + 2])
    # Windows of 3, 3 and 2 cells with strides of 2, 1 and 2.
    pads = [(1, 1), (2, 2), (1, 0)][:dims]
    if kind == "same_upper":
        pads = [pair[::-1] for pair in pads]
    expected = np.pad(x, [(0, 0), (0, 0), *pads])
    if is_last:
        x, expected = (np.moveaxis(a, 1, -1) for a in (x, expected))
    check(
        lambda x: flow.same_padding(
            x,
            kind,
            data_format[is_last],
            [3, 3, 2][:dims],
            [2, 1, 2][:dims],
            [1, 2, 1][:dims],
        ),
        lambda x: (
            np.pad(x, [(0, 0), (0, 0), *pads])
            if not is_last
            else np.pad(x, [(0, 0), *pads, (0, 0)])
        ),
        x,
    )
    assert expected.shape[1 - is_last] in (2, 3)


def test_same_padding_of_nothing():
    check(lambda x: flow.same_padding(x, "SAME", "NCW", 1, 1, 1) * 1.0, lambda x: x, X)


@pytest.mark.parametrize(
    "function, message",
    [
        (
            lambda x: flow.math.l2_normalize(x, []),
            "op L2Normalize: expects axes to normalize along but got none",
        ),
        (
            lambda x: flow.math.l2_normalize(x, 0, -1),
            "expects epsilon to be at least 0 but got -1",
        ),
        (
            lambda x: flow.math.l2_normalize(flow.cast(x, flow.int8), 0),
            "expects input to be a blob of floats but got int8",
        ),
        (
            lambda x: flow.multi_count_not_finite(),
            "op MultiCountNotFinite: expects x to be a list of blobs but got None",
        ),
        (
            lambda x: flow.math.broadcast_to_compatible_with(x, [flow.transpose(x)]),
            "expects shapes that broadcast to one but got (4, 3) and (3, 4)",
        ),
        (
            lambda x: flow.math.polyval(3.0, x),
            "op Polyval: expects coeffs to be a list but got 3.0",
        ),
        (
            lambda x: flow.math.polyval([flow.constant(1.0, shape=[2, 1, 1])], x),
            "expects coeffs[0] to broadcast to (4, 3) but got (2, 4, 3)",
        ),
        (
            lambda x: flow.math.polyval(["a"], x),
            "expects blobs and numbers but got str",
        ),
        (
            lambda x: flow.identity_n([x]),
            "op IdentityN: expects a list of at least two blobs but got [<Blob",
        ),
        (
            lambda x: flow.pad_grad(x, [(1, 1)]),
            "op PadGrad: expects a (before, after) for each of 2 dimensions but got",
        ),
        (
            lambda x: flow.pad_grad(x, [(1, -1), (0, 0)]),
            "expects pairs of ints that are not negative but got",
        ),
        (
            lambda x: flow.pad_grad(x, [(2, 2), (0, 0)]),
            "expects padding that (4, 3) has but got",
        ),
        (
            lambda x: flow.same_padding(x, "SAME", "NCHW", 3, 1, 1),
            "op SamePadding: expects x of 3, 4 or 5 dimensions but got shape (4, 3)",
        ),
        (
            lambda x: flow.same_padding(x[None], "VALID", "NCW", 3, 1, 1),
            "expects padding to be one of 'SAME', 'SAME_LOWER', 'SAME_UPPER' but got",
        ),
        (
            lambda x: flow.same_padding(x[None], "SAME", "NCW", 0, 1, 1),
            "expects a positive kernel_size but got 0",
        ),
    ],
)
def test_error(function, message):
    define_unary(function, (4, 3))
    with raises_here(Exception, message):
        flow.dump_ir()


# ===- Powers --------------------------------------------------------------===#


@pytest.mark.parametrize("exponent", [2, 3, -1, -3, 5.0, 16, 17, 40])
def test_int_powers_of_negative_numbers(exponent):
    x = random((3, 4), 1, -1.1, 1.1)
    x = np.where(np.abs(x) < 0.5, 0.75, x)
    check(lambda x: x**exponent, lambda x: x**exponent, x)


def test_powers_by_blobs():
    """With gradients of both where the base is positive."""
    check(flow.math.pow, np.power, random((3, 4), 1, 0.2, 2), random((3, 4), 2))
    y = np.array([[2.0], [-3.0], [1.0]])
    x = random((3, 4), 3)
    check(lambda x: x ** flow.constant(y), lambda x: x**y, x)


def test_the_gradient_of_powers_of_zero():
    x, y = np.zeros(4), np.array([1.0, 2.0, 0.0, 3.0])
    slope, _ = gradients(flow.math.pow, np.ones(4), x, y)
    np.testing.assert_array_equal(slope, [1, 0, 0, 0])


def test_no_root_of_negative_numbers():
    x = np.array([-4.0, 4.0, 0.0])

    def roots(x):
        return x**0.5, x ** flow.constant(np.full(3, 0.5))

    for result in evaluate(roots, x):
        np.testing.assert_array_equal(result, [np.nan, 2, 0])
