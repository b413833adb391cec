"""Trigonometric and hyperbolic functions, the gamma function and divisions, against
Python's math module and NumPy, near the edges of their domains as well."""

import math

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from models import define_unary, raises_here

SEED = 21

EULER = 0.57721566490153286
ZETA2, ZETA3 = math.pi**2 / 6, 1.2020569031595943


def lgamma(x):
    """Python's, which is not precise near its zeros, 1 and 2, with the series there."""
    d = x - 1 if abs(x - 1) < 1e-4 else x - 2
    if abs(d) > 1e-4:
        return math.lgamma(x)
    series = d * (-EULER + d * (ZETA2 / 2 - d * (ZETA3 / 3 - d * ZETA2**2 / 10)))
    return series + (math.log1p(d) if x > 1.5 else 0)


TINY = 1e-30
NEAR_ZERO = [-TINY, -1e-6, 0.0, 1e-6, TINY]
INSIDE = [-1 + 2.0**-20, -0.999, -0.5, 0.3, 0.999, 1 - 2.0**-20]
FUNCTIONS = {
    "tan": (math.tan, [*NEAR_ZERO, -20.0, 1.5, 1e6]),
    "acos": (math.acos, [*NEAR_ZERO, *INSIDE, -1.0, 1.0]),
    "asin": (math.asin, [*NEAR_ZERO, *INSIDE, -1.0, 1.0]),
    "atan": (math.atan, [*NEAR_ZERO, -1e30, -1.0, 0.5, 2.0, 1e30]),
    "cosh": (math.cosh, [*NEAR_ZERO, -89.4, 3.0, 89.4]),
    "sinh": (math.sinh, [*NEAR_ZERO, -89.4, 0.4, 3.0, 89.4]),
    "acosh": (math.acosh, [1.0, 1 + 2.0**-20, 1.5, 100.0, 1e30]),
    "asinh": (math.asinh, [*NEAR_ZERO, -1e30, -100.0, 2.0, 1e30]),
    "atanh": (math.atanh, [*NEAR_ZERO, *INSIDE]),
    "erfc": (math.erfc, [*NEAR_ZERO, -3.0, 0.7, 3.0, 9.0]),
    "lgamma": (lgamma, [TINY, 0.5, 1 + 2.0**-20, 2 - 2.0**-20, 7.9, 8.1, 1e30]),
}


@pytest.mark.parametrize("dtype", [flow.float, flow.double])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_result_is_precise(name, dtype):
    function, points = FUNCTIONS[name]
    kind = np.float32 if dtype == flow.float else np.float64
    x = np.array(points, kind)
    expected = np.array([function(float(value)) for value in x])
    y = define_unary(getattr(flow.math, name), x.shape, dtype)(x)
    assert y.dtype == kind
    np.testing.assert_allclose(y, expected, rtol=5 * np.finfo(kind).eps, atol=0)


@pytest.mark.parametrize("dtype", [flow.float16, flow.bfloat16])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_narrow_floats(name, dtype):
    function, _ = FUNCTIONS[name]
    x = np.array([1.0, 1.5] if name == "acosh" else [0.25, 0.75], np.float32)

    def body(x):
        return flow.cast(getattr(flow.math, name)(flow.cast(x, dtype)), flow.float)

    y = define_unary(body, x.shape)(x)
    expected = [function(float(value)) for value in x]
    eps = 2.0**-8 if dtype == flow.bfloat16 else 2.0**-11
    np.testing.assert_allclose(y, expected, rtol=eps, atol=0)


def test_lgamma_below_zero():
    x = np.array([-0.5, -1.5, -2.457024738, -10.25, -0.0, -3.0], np.float32)
    y = define_unary(flow.math.lgamma, x.shape)(x)
    expected = [math.lgamma(float(value)) for value in x[:4]] + [np.inf, np.inf]
    np.testing.assert_allclose(y, expected, rtol=1e-6, atol=1e-6)


POINTS = {
    "tan": [-1.2, 0.5, 2.0],
    "acos": [-0.9, 0.1, 0.9],
    "asin": [-0.9, 0.1, 0.9],
    "atan": [-3.0, 0.1, 2.0],
    "cosh": [-2.0, 0.0, 1.0],
    "sinh": [-2.0, 0.0, 1.0],
    "acosh": [1.1, 2.0, 9.0],
    "asinh": [-5.0, 0.0, 1.0],
    "atanh": [-0.9, 0.0, 0.8],
    "erfc": [-1.0, 0.1, 2.0],
    "lgamma": [-3.4, -0.5, 0.2, 1.4616, 3.0, 20.0],
}


def gradient_at(body, x):
    """The gradient of the sum of what `body` makes of a float64 variable: what a step
    of rate 1 subtracts from it, times the number of elements of the loss."""
    x = np.asarray(x, np.float64)

    @flow.global_function(type="train")
    def job(start: tp.Numpy.Placeholder(x.shape, dtype=flow.double)) -> tp.Numpy:
        w = flow.get_variable(
            "w", x.shape, flow.double, flow.constant_initializer(0.0, flow.double)
        )
        loss = body(w + start)
        rate = flow.optimizer.PiecewiseConstantScheduler([], [1.0])
        flow.optimizer.SGD(rate, momentum=0).minimize(loss)
        return loss

    loss = job(x)
    change = flow.checkpoint.get_all_variables()["w"].numpy()
    flow.clear_default_session()
    return -change * loss.size


@pytest.mark.parametrize("name", POINTS)
def test_gradients(name):
    function = FUNCTIONS[name][0]
    x = np.array(POINTS[name])
    step = 1e-5
    expected = [
        (function(value + step) - function(value - step)) / (2 * step) for value in x
    ]
    gradient = gradient_at(getattr(flow.math, name), x)
    np.testing.assert_allclose(gradient, expected, rtol=1e-6, atol=1e-8)


def two_inputs(function, x, y, dtype=flow.float):
    flow.clear_default_session()

    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder(x.shape, dtype=dtype),
        y: tp.Numpy.Placeholder(y.shape, dtype=dtype),
    ) -> tp.Numpy:
        return function(x, y)

    return job(x, y)


A = np.array([[7.5], [-7.5], [0.0]], np.float32)
B = np.array([2.0, -2.0, 0.7, 5.0], np.float32)


@pytest.mark.parametrize(
    "function, expected",
    [
        (flow.math.atan2, np.arctan2(A, B)),
        (flow.math.mod, np.mod(A, B)),
        (lambda x, y: x % y, np.mod(A, B)),
        (flow.math.floordiv, np.floor_divide(A, B)),
        (lambda x, y: x // y, np.floor_divide(A, B)),
        (flow.math.xdivy, A / B),
        (flow.math.xlogy, A * np.log(np.abs(B))),
    ],
)
def test_binary_functions_broadcast(function, expected):
    y = np.abs(B) if function is flow.math.xlogy else B
    result = two_inputs(function, A, y)
    np.testing.assert_allclose(result, expected, rtol=1e-6, atol=0)


@pytest.mark.parametrize(
    "dtype", [flow.int8, flow.uint8, flow.int32, flow.int64], ids=lambda d: d.canonical
)
def test_integer_divisions(dtype):
    kind = flow.convert_oneflow_dtype_to_numpy_dtype(dtype)
    limits = np.iinfo(kind)
    rng = np.random.default_rng(SEED)
    x = rng.integers(limits.min, limits.max, 200, kind, endpoint=True)
    y = rng.integers(max(limits.min, -9), 9, 200, kind, endpoint=True)
    y[y == 0] = 3
    x[:2], y[:2] = limits.min, limits.max
    quotient = two_inputs(lambda x, y: x // y, x, y, dtype)
    rest = two_inputs(lambda x, y: x % y, x, y, dtype)
    truncated = two_inputs(lambda x, y: x / y, x, y, dtype)
    assert quotient.dtype == rest.dtype == truncated.dtype == kind
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(quotient, x // y, f"seed {SEED}")
        # The remainder of C has the sign of x, and both are exact.
        exact = (x - np.fmod(x, y)) // y
        np.testing.assert_array_equal(truncated, exact, f"seed {SEED}")
    np.testing.assert_array_equal(rest, x % y, f"seed {SEED}")


def test_integers_divided_by_zero_give_zero():
    x = np.array([5, -5, 0], np.int32)
    zero = np.zeros(3, np.int32)
    for function in (flow.math.mod, flow.math.floordiv, flow.math.divide):
        np.testing.assert_array_equal(two_inputs(function, x, zero, flow.int32), zero)


def test_numbers_on_either_side():
    x = np.array([7.0, -7.0, 2.5], np.float32)
    for function, expected in (
        (lambda x: x % 3, np.mod(x, 3)),
        (lambda x: 20 % x, np.mod(20, x)),
        (lambda x: x // 3, np.floor_divide(x, 3)),
        (lambda x: 20 // x, np.floor_divide(20, x)),
    ):
        np.testing.assert_array_equal(define_unary(function, (3,))(x), expected)
        flow.clear_default_session()


def test_remainders_of_large_quotients():
    x = np.array([1e10, 3e38, -1e20], np.float32)
    y = np.array([3.0, 7.0, 0.1], np.float32)
    expected = np.mod(x.astype(np.float64), y.astype(np.float64)).astype(np.float32)
    np.testing.assert_array_equal(two_inputs(flow.math.mod, x, y), expected)


def test_zero_where_a_quotient_has_no_value():
    x = np.array([0.0, 0.0, 0.0, 2.0, -3.0], np.float32)
    y = np.array([0.0, np.nan, np.inf, 4.0, 0.5], np.float32)
    np.testing.assert_array_equal(
        two_inputs(flow.math.xdivy, x, y), [0, 0, 0, 0.5, -6.0]
    )
    np.testing.assert_allclose(
        two_inputs(flow.math.xlogy, x, y),
        [0, np.nan, 0, 2 * np.log(4), -3 * np.log(0.5)],
        rtol=1e-6,
    )
    flow.clear_default_session()
    np.testing.assert_array_equal(
        define_unary(flow.math.reciprocal_no_nan, (5,))(x),
        [0, 0, 0, 0.5, -1 / np.float32(3)],
    )


def test_gradients_of_divisions():
    x = np.array([1.7, -2.6, 5.5])
    y = np.array([0.6, 1.3, -2.1])

    def constant(values):
        return flow.concat([flow.constant(float(v), flow.double, (1,)) for v in values])

    cases = [
        (flow.math.atan2, y / (x * x + y * y), -x / (x * x + y * y)),
        (flow.math.mod, np.ones(3), -np.floor(x / y)),
        (lambda a, b: a // b + a + b, np.ones(3), np.ones(3)),
        (flow.math.xdivy, 1 / y, -x / y**2),
    ]
    for function, of_x, of_y in cases:
        found = gradient_at(lambda w: function(w, constant(y)), x)
        np.testing.assert_allclose(found, of_x, rtol=1e-9)
        found = gradient_at(lambda w: function(constant(x), w), y)
        np.testing.assert_allclose(found, of_y, rtol=1e-9)
    positive = np.abs(y)
    found = gradient_at(lambda w: flow.math.xlogy(w, constant(positive)), x)
    np.testing.assert_allclose(found, np.log(positive), rtol=1e-9)
    found = gradient_at(lambda w: flow.math.xlogy(constant(x), w), positive)
    np.testing.assert_allclose(found, x / positive, rtol=1e-9)
    found = gradient_at(flow.math.reciprocal_no_nan, x)
    np.testing.assert_allclose(found, -1 / x**2, rtol=1e-9)


def test_gradients_are_zero_where_the_value_is_replaced():
    zeros = np.zeros(2)
    for function in (
        flow.math.reciprocal_no_nan,
        lambda w: flow.math.xdivy(w, w),
        lambda w: flow.math.xlogy(w, w),
    ):
        np.testing.assert_array_equal(gradient_at(function, zeros), zeros)


def test_functions_of_ints_are_refused():
    define_unary(lambda x: flow.math.tan(x), (3,), flow.int32)
    with raises_here(ValueError, "op Tan", "to be a blob of floats"):
        flow.dump_ir()


def test_mod_of_two_dtypes_is_refused():
    define_unary(lambda x: x % flow.constant(1, flow.int32, (3,)), (3,))
    with raises_here(ValueError, "op Mod", "expects operands of one dtype"):
        flow.dump_ir()


def test_gradients_of_extreme_values():
    """No square of them is computed."""
    np.testing.assert_allclose(
        gradient_at(flow.math.asinh, [1e200, -1e200, 1e-200]), [1e-200, 1e-200, 1]
    )
    for scale in (1e-200, 1e200):
        np.testing.assert_allclose(
            gradient_at(
                lambda w: flow.math.atan2(w, flow.constant(scale, flow.double, (3,))),
                [scale, -scale, 2 * scale],
            ),
            np.array([0.5, 0.5, 0.2]) / scale,
        )
