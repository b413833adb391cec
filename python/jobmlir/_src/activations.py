"""Activations, and the gradients of some as ops."""

from __future__ import annotations

import math

import numpy

from . import arguments
from .blob import Blob, BlobDef
from .documentation import family, of_op
from .hints import Number
from .math_ops import compare, operands, round_to, softplus_of, splat, widen
from .trace import begin

_of_floats = family(
    returns="A blob of the shape and element type of x.",
    x="(...), f16/bf16/f32/f64.",
)


def _start(api, prefix, x, name):
    """The call of an activation: its scope, its operand, and that in at least f32."""
    op = begin(api, name, prefix)
    x = op.float_blob(x, "x")
    return op, x, widen(op, x)


def _scaled(op, x, factor):
    return op("mul", *operands(op, [x, factor]))


def _shifted(op, x, term):
    return op("add", *operands(op, [x, term]))


def _clipped(op, x, low, high):
    """`x` between two numbers, where it has no gradient: as for relu, the gradient of
    a tie is not that of x."""
    x = op("maximum", *operands(op, [low, x]))
    return op("minimum", *operands(op, [high, x]))


def _most(x):
    return float(numpy.finfo(x.dtype.numpy).max)


def _finite_below(op, x):
    """`x` with the least number in place of minus infinity."""
    return op("maximum", *operands(op, [-_most(x), x]))


def _finite_above(op, x):
    """`x` with the largest number in place of infinity."""
    return op("minimum", *operands(op, [_most(x), x]))


@_of_floats
def elu(x: BlobDef, alpha: Number = 1.0, name: str | None = None) -> Blob:
    """x of each element where it is positive, alpha * (e^x - 1) elsewhere.

    Args:
        alpha: The negative of the limit at minus infinity.
    """
    op, x, wide = _start("nn.elu", "Elu", x, name)
    alpha = arguments.number(op.fail, alpha, "alpha")
    zero = splat(op, 0.0, x.shape, wide.dtype)
    # The exponential of a large number would be infinite, and its gradient NaN.
    below = op("expm1", op("minimum", wide, zero))
    result = op(
        "select", compare(op, wide, zero, "gt"), wide, _scaled(op, below, alpha)
    )
    return round_to(op, result, x)


@_of_floats
def relu6(x: BlobDef, name: str | None = None) -> Blob:
    """Each element between 0 and 6. The gradient at both is 0."""
    op, x, _ = _start("nn.relu6", "Relu6", x, name)
    return _clipped(op, x, 0.0, 6.0)


@_of_floats
def hardtanh(
    x: BlobDef, min_val: Number = -1.0, max_val: Number = 1.0, name: str | None = None
) -> Blob:
    """Each element between min_val and max_val. The gradient at both is 0.

    Args:
        min_val: The lower bound.
        max_val: The upper bound, above min_val.
    """
    op, x, _ = _start("nn.hardtanh", "Hardtanh", x, name)
    low = arguments.number(op.fail, min_val, "min_val")
    high = arguments.number(op.fail, max_val, "max_val")
    if low >= high:
        op.fail(f"expects min_val below max_val but got {min_val!r} and {max_val!r}")
    return _clipped(op, x, low, high)


@_of_floats
def hardsigmoid(x: BlobDef, name: str | None = None) -> Blob:
    """x / 6 + 1 / 2 of each element, between 0 and 1."""
    op, x, wide = _start("nn.hardsigmoid", "HardSigmoid", x, name)
    line = _shifted(op, _scaled(op, wide, 1 / 6), 0.5)
    return round_to(op, _clipped(op, line, 0.0, 1.0), x)


@_of_floats
def hardswish(x: BlobDef, name: str | None = None) -> Blob:
    """x * hardsigmoid(x): 0 below -3, x above 3, x * (x + 3) / 6 between."""
    op, x, wide = _start("nn.hardswish", "HardSwish", x, name)
    factor = _scaled(op, _clipped(op, _shifted(op, wide, 3.0), 0.0, 6.0), 1 / 6)
    # Below -3 the factor is 0, and minus infinity times it would be NaN.
    finite = op("maximum", *operands(op, [-3.0, wide]))
    return round_to(op, op("mul", finite, factor), x)


@_of_floats
def swish(x: BlobDef, beta: Number = 1.0, name: str | None = None) -> Blob:
    """x * sigmoid(beta * x) of each element; 0 at the infinity where the sigmoid is 0.

    Args:
        beta: The factor in the sigmoid.
    """
    op, x, wide = _start("nn.swish", "Swish", x, name)
    beta = arguments.number(op.fail, beta, "beta")
    if beta == 0:
        return round_to(op, _scaled(op, wide, 0.5), x)
    # An infinity times 0 would be NaN.
    bounded = _finite_below(op, wide) if beta > 0 else _finite_above(op, wide)
    gate = op("sigmoid", _scaled(op, bounded, beta))
    return round_to(op, op("mul", bounded, gate), x)


@_of_floats
def mish(x: BlobDef, name: str | None = None) -> Blob:
    """x * tanh(log(1 + e^x)) of each element; 0 at minus infinity."""
    op, x, wide = _start("nn.mish", "Mish", x, name)
    # The hyperbolic tangent is 0 there, and minus infinity times it would be NaN.
    factor = _finite_below(op, wide)
    return round_to(op, op("mul", factor, op("tanh", softplus_of(op, wide))), x)


# ===- Gradients -----------------------------------------------------------===#


def _gradient(api, prefix, given, what, dy, name):
    """The call of a gradient: its scope, and both operands in at least f32."""
    op = begin(api, name, prefix)
    given, dy = op.float_blob(given, what), op.float_blob(dy, "dy")
    if dy.shape != given.shape:
        op.fail(f"expects dy of shape {given.shape} as {what} has but got {dy.shape}")
    operands(op, [given, dy])  # complains about different dtypes
    return op, given, widen(op, given), widen(op, dy)


@of_op
def gelu_grad(x: BlobDef, dy: BlobDef, name: str | None = None) -> Blob:
    """The gradient of math.gelu with respect to x: dy times its derivative at x.

    Args:
        x: (...), f16/bf16/f32/f64, the operand of math.gelu.
        dy: The gradient of its result, of the shape and element type of x.

    Returns:
        A blob of the shape and element type of x.
    """
    op, x, wide, dy = _gradient("math.gelu_grad", "GeluGrad", x, "x", dy, name)
    # Where the density is 0, x times it is 0 as well; an infinite x would give NaN.
    near = _clipped(op, wide, -40.0, 40.0)
    density = op("exp", _scaled(op, op("mul", near, near), -0.5))
    density = _scaled(op, op("mul", near, density), 1 / math.sqrt(2 * math.pi))
    # erfc would be more accurate for small x, where the sum is nearly 0.
    share = _shifted(op, op("erf", _scaled(op, wide, 1 / math.sqrt(2))), 1.0)
    slope = op("add", _scaled(op, share, 0.5), density)
    return round_to(op, op("mul", dy, slope), x)


@of_op
def tanh_grad(y: BlobDef, dy: BlobDef, name: str | None = None) -> Blob:
    """The gradient of math.tanh with respect to its operand: dy * (1 - y^2).

    Args:
        y: (...), f16/bf16/f32/f64, the result of math.tanh.
        dy: Its gradient, of the shape and element type of y.

    Returns:
        A blob of the shape and element type of y.
    """
    op, y, wide, dy = _gradient("math.tanh_grad", "TanhGrad", y, "y", dy, name)
    one = splat(op, 1.0, y.shape, wide.dtype)
    return round_to(op, op("mul", dy, op("sub", one, op("mul", wide, wide))), y)


@of_op
def sigmoid_grad(y: BlobDef, dy: BlobDef, name: str | None = None) -> Blob:
    """The gradient of math.sigmoid with respect to its operand: dy * y * (1 - y).

    Args:
        y: (...), f16/bf16/f32/f64, the result of math.sigmoid.
        dy: Its gradient, of the shape and element type of y.

    Returns:
        A blob of the shape and element type of y.
    """
    op, y, wide, dy = _gradient("math.sigmoid_grad", "SigmoidGrad", y, "y", dy, name)
    one = splat(op, 1.0, y.shape, wide.dtype)
    return round_to(op, op("mul", dy, op("mul", wide, op("sub", one, wide))), y)


@of_op
def softmax_grad(
    y: BlobDef, dy: BlobDef, axis: int | None = None, name: str | None = None
) -> Blob:
    """The gradient of nn.softmax with respect to its operand: y * (dy - sum(y * dy)).

    Args:
        y: (...), f16/bf16/f32/f64, the result of nn.softmax.
        dy: Its gradient, of the shape and element type of y.
        axis: The axis of the softmax; None is the last one.

    Returns:
        A blob of the shape and element type of y.
    """
    op, y, wide, dy = _gradient("nn.softmax_grad", "SoftmaxGrad", y, "y", dy, name)
    over = arguments.axes(op, -1 if axis is None else axis, len(y.shape))
    if len(over) != 1:
        op.fail(f"expects one axis but got {axis!r}")
    total = op("reduce_sum", op("mul", wide, dy), axes=over, keepdims=True)
    rest = op("sub", *operands(op, [dy, total]))
    return round_to(op, op("mul", wide, rest), y)
