"""Activations and gradients as ops, against NumPy."""

from math import erf

import numpy as np
import pytest

import jobmlir as flow
from models import define_unary, raises_here
from numeric import check, evaluate, gradients, random

X = random((3, 5), low=-5, high=5)
DY = random((3, 5), 1)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def gelu(x):
    return x * (1 + np.vectorize(erf)(x / np.sqrt(2))) / 2


ACTIVATIONS = [
    (flow.nn.elu, lambda x: np.where(x > 0, x, np.expm1(x))),
    (lambda x: flow.nn.elu(x, 0.3), lambda x: np.where(x > 0, x, 0.3 * np.expm1(x))),
    (flow.nn.relu6, lambda x: np.clip(x, 0, 6)),
    (flow.nn.hardtanh, lambda x: np.clip(x, -1, 1)),
    (lambda x: flow.nn.hardtanh(x, -0.5, 2), lambda x: np.clip(x, -0.5, 2)),
    (flow.nn.hardsigmoid, lambda x: np.clip(x / 6 + 0.5, 0, 1)),
    (flow.nn.hardswish, lambda x: x * np.clip(x + 3, 0, 6) / 6),
    (flow.nn.swish, lambda x: x * sigmoid(x)),
    (lambda x: flow.nn.swish(x, beta=0.5), lambda x: x * sigmoid(0.5 * x)),
    (flow.nn.mish, lambda x: x * np.tanh(np.log1p(np.exp(x)))),
    (flow.math.mish, lambda x: x * np.tanh(np.log1p(np.exp(x)))),
]


@pytest.mark.parametrize("function, reference", ACTIVATIONS)
def test_activation(function, reference):
    check(function, reference, X)


@pytest.mark.parametrize("function, reference", ACTIVATIONS)
@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_activation_of_narrow_floats(function, reference, dtype):
    x = X.astype(dtype)
    result = evaluate(function, x)
    assert result.dtype == dtype
    eps = np.finfo(dtype).eps
    np.testing.assert_allclose(result, reference(x.astype(float)), 4 * eps, 4 * eps)


def test_ends():
    x = np.array([-np.inf, -1e30, -3, 0, 3, 1e30, np.inf, np.nan], np.float32)

    def job(x):
        return tuple(
            f(x)
            for f in (
                flow.nn.elu,
                flow.nn.relu6,
                flow.nn.hardtanh,
                flow.nn.hardsigmoid,
                flow.nn.hardswish,
                flow.nn.swish,
                lambda x: flow.nn.swish(x, -1.0),
                flow.nn.mish,
                lambda x: flow.math.gelu_grad(x, flow.ones_like(x)),
            )
        )

    inf, nan = np.inf, np.nan
    for result, expected in zip(
        evaluate(job, x),
        (
            [-1, -1, np.expm1(-3), 0, 3, 1e30, inf, nan],
            [0, 0, 0, 0, 3, 6, 6, nan],
            [-1, -1, -1, 0, 1, 1, 1, nan],
            [0, 0, 0, 0.5, 1, 1, 1, nan],
            [0, 0, 0, 0, 3, 1e30, inf, nan],
            [0, 0, -0.14227762, 0, 2.85772238, 1e30, inf, nan],
            [-inf, -1e30, -2.85772238, 0, 0.14227762, 0, 0, nan],
            [0, 0, -0.14564745, 0, 2.98653500, 1e30, inf, nan],
            [0, 0, -0.01194565, 0.5, 1.01194565, 1, 1, nan],
        ),
    ):
        np.testing.assert_allclose(result, np.float32(expected), 1e-5, 1e-6)


@pytest.mark.parametrize(
    "function, slopes",
    [
        (flow.nn.swish, [0, 1]),
        (lambda x: flow.nn.swish(x, -2.0), [1, 0]),
        (flow.nn.mish, [0, 1]),
    ],
)
def test_the_gradients_of_gates_far_from_0(function, slopes):
    found = gradients(function, np.ones(2), np.array([-1e4, 1e4]))[0]
    np.testing.assert_array_equal(found, slopes)


def test_the_gradient_of_a_large_elu_is_finite():
    found = gradients(flow.nn.elu, np.ones(2), np.array([1e4, -1e4]))[0]
    np.testing.assert_array_equal(found, [1, 0])


@pytest.mark.parametrize(
    "function, x, slopes",
    [
        (flow.nn.relu6, [0, 6], [0, 0]),
        (flow.nn.hardtanh, [-1, 1], [0, 0]),
        (flow.nn.hardsigmoid, [-3, 3], [0, 0]),
        (flow.nn.hardswish, [-3, 0, 3], [0, 0.5, 1]),
        (lambda x: flow.nn.elu(x, 0.3), [0], [0.3]),
    ],
)
def test_the_gradient_at_a_kink(function, x, slopes):
    x = np.array(x, np.float64)
    found = gradients(function, np.ones(x.shape), x)[0]
    np.testing.assert_allclose(found, slopes, 1e-12)


@pytest.mark.parametrize(
    "function, slope",
    [
        (flow.math.softplus, 0.5),
        (flow.math.log_sigmoid, 0.5),
        (
            lambda x: flow.nn.sigmoid_cross_entropy_with_logits(
                flow.constant_like(x, 0.25), x
            ),
            0.25,
        ),
        (
            lambda x: flow.nn.BCEWithLogitsLoss(
                x, flow.constant_like(x, 0.25), reduction="none"
            ),
            0.25,
        ),
    ],
)
def test_the_gradient_at_zero_of_what_is_smooth(function, slope):
    """Where parameters that start at 0 begin."""
    found = gradients(function, np.ones(2), np.array([0.0, -0.0]))[0]
    np.testing.assert_allclose(found, [slope] * 2, 1e-12)


# ===- Gradients -----------------------------------------------------------===#


@pytest.mark.parametrize(
    "function, reference",
    [
        (
            flow.math.gelu_grad,
            lambda x, dy: (
                dy
                * (
                    (1 + np.vectorize(erf)(x / np.sqrt(2))) / 2
                    + x * np.exp(-x * x / 2) / np.sqrt(2 * np.pi)
                )
            ),
        ),
        (flow.math.tanh_grad, lambda y, dy: dy * (1 - y * y)),
        (flow.math.sigmoid_grad, lambda y, dy: dy * y * (1 - y)),
        (
            flow.nn.softmax_grad,
            lambda y, dy: y * (dy - (y * dy).sum(-1, keepdims=True)),
        ),
        (
            lambda y, dy: flow.nn.softmax_grad(y, dy, axis=-2),
            lambda y, dy: y * (dy - (y * dy).sum(0, keepdims=True)),
        ),
    ],
)
def test_gradient_as_an_op(function, reference):
    check(function, reference, X, DY)


@pytest.mark.parametrize(
    "forward, backward, takes_result",
    [
        (flow.math.gelu, flow.math.gelu_grad, False),
        (flow.math.tanh, flow.math.tanh_grad, True),
        (flow.math.sigmoid, flow.math.sigmoid_grad, True),
        (flow.nn.softmax, flow.nn.softmax_grad, True),
    ],
)
def test_gradients_are_those_of_training(forward, backward, takes_result):
    found = gradients(forward, DY, X)[0]

    def job(x, dy):
        return backward(forward(x) if takes_result else x, dy)

    np.testing.assert_allclose(evaluate(job, X, DY), found, 1e-10, 1e-12)


@pytest.mark.parametrize(
    "function, message",
    [
        (lambda x: flow.nn.elu(1), "op Elu: expects x to be a blob but got int"),
        (
            lambda x: flow.nn.mish(flow.cast(x, flow.int32)),
            "op Mish: expects x to be a blob of floats but got int32",
        ),
        (lambda x: flow.nn.elu(x, "1"), "expects alpha to be a number but got '1'"),
        (
            lambda x: flow.nn.hardtanh(x, 1, 1),
            "op Hardtanh: expects min_val below max_val but got 1 and 1",
        ),
        (
            lambda x: flow.math.tanh_grad(x, flow.math.reduce_sum(x, 0)),
            "op TanhGrad: expects dy of shape (4, 3) as y has but got (3,)",
        ),
        (
            lambda x: flow.math.gelu_grad(x, flow.cast(x, flow.float16)),
            "op GeluGrad: expects operands of one dtype but got float32 and float16",
        ),
        (
            lambda x: flow.nn.softmax_grad(x, x, [0, 1]),
            "op SoftmaxGrad: expects one axis but got [0, 1]",
        ),
    ],
)
def test_error(function, message):
    define_unary(function, (4, 3))
    with raises_here(Exception, message):
        flow.dump_ir()
