"""Activations, and the gradients of some as ops."""

import math

import numpy

from . import arguments
from .math_ops import compare, operands, round_to, softplus_of, splat, widen
from .trace import begin


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


def elu(x, alpha=1.0, name=None):
    """x where it is positive, alpha * (e^x - 1) elsewhere, of floats."""
    op, x, wide = _start("nn.elu", "Elu", x, name)
    alpha = arguments.number(op.fail, alpha, "alpha")
    zero = splat(op, 0.0, x.shape, wide.dtype)
    # The exponential of a large number would be infinite, and its gradient NaN.
    below = op("expm1", op("minimum", wide, zero))
    result = op(
        "select", compare(op, wide, zero, "gt"), wide, _scaled(op, below, alpha)
    )
    return round_to(op, result, x)


def relu6(x, name=None):
    """x between 0 and 6, of floats."""
    op, x, _ = _start("nn.relu6", "Relu6", x, name)
    return _clipped(op, x, 0.0, 6.0)


def hardtanh(x, min_val=-1.0, max_val=1.0, name=None):
    """x between min_val and max_val, of floats."""
    op, x, _ = _start("nn.hardtanh", "Hardtanh", x, name)
    low = arguments.number(op.fail, min_val, "min_val")
    high = arguments.number(op.fail, max_val, "max_val")
    if low >= high:
        op.fail(f"expects min_val below max_val but got {min_val!r} and {max_val!r}")
    return _clipped(op, x, low, high)


def hardsigmoid(x, name=None):
    """x / 6 + 1 / 2 between 0 and 1, of floats."""
    op, x, wide = _start("nn.hardsigmoid", "HardSigmoid", x, name)
    line = _shifted(op, _scaled(op, wide, 1 / 6), 0.5)
    return round_to(op, _clipped(op, line, 0.0, 1.0), x)


def hardswish(x, name=None):
    """x * hardsigmoid(x): 0 below -3, x above 3, x * (x + 3) / 6 between, of floats."""
    op, x, wide = _start("nn.hardswish", "HardSwish", x, name)
    factor = _scaled(op, _clipped(op, _shifted(op, wide, 3.0), 0.0, 6.0), 1 / 6)
    # Below -3 the factor is 0, and minus infinity times it would be NaN.
    finite = op("maximum", *operands(op, [-3.0, wide]))
    return round_to(op, op("mul", finite, factor), x)


def swish(x, beta=1.0, name=None):
    """x * sigmoid(beta * x) of floats; 0 at the infinity where the sigmoid is 0."""
    op, x, wide = _start("nn.swish", "Swish", x, name)
    beta = arguments.number(op.fail, beta, "beta")
    if beta == 0:
        return round_to(op, _scaled(op, wide, 0.5), x)
    # An infinity times 0 would be NaN.
    bounded = _finite_below(op, wide) if beta > 0 else _finite_above(op, wide)
    gate = op("sigmoid", _scaled(op, bounded, beta))
    return round_to(op, op("mul", bounded, gate), x)


def mish(x, name=None):
    """x * tanh(log(1 + e^x)) of floats; 0 at minus infinity."""
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


def gelu_grad(x, dy, name=None):
    """The gradient of math.gelu with respect to x: dy times its derivative at x. Both
    are floats of one shape."""
    op, x, wide, dy = _gradient("math.gelu_grad", "GeluGrad", x, "x", dy, name)
    # Where the density is 0, x times it is 0 as well; an infinite x would give NaN.
    near = _clipped(op, wide, -40.0, 40.0)
    density = op("exp", _scaled(op, op("mul", near, near), -0.5))
    density = _scaled(op, op("mul", near, density), 1 / math.sqrt(2 * math.pi))
    # erfc would be more accurate for small x, where the sum is nearly 0.
    share = _shifted(op, op("erf", _scaled(op, wide, 1 / math.sqrt(2))), 1.0)
    slope = op("add", _scaled(op, share, 0.5), density)
    return round_to(op, op("mul", dy, slope), x)


def tanh_grad(y, dy, name=None):
    """The gradient of math.tanh, of which `y` is the result: dy * (1 - y * y). Both are
    floats of one shape."""
    op, y, wide, dy = _gradient("math.tanh_grad", "TanhGrad", y, "y", dy, name)
    one = splat(op, 1.0, y.shape, wide.dtype)
    return round_to(op, op("mul", dy, op("sub", one, op("mul", wide, wide))), y)


def sigmoid_grad(y, dy, name=None):
    """The gradient of math.sigmoid, of which `y` is the result: dy * y * (1 - y). Both
    are floats of one shape."""
    op, y, wide, dy = _gradient("math.sigmoid_grad", "SigmoidGrad", y, "y", dy, name)
    one = splat(op, 1.0, y.shape, wide.dtype)
    return round_to(op, op("mul", dy, op("mul", wide, op("sub", one, wide))), y)


def softmax_grad(y, dy, axis=None, name=None):
    """The gradient of nn.softmax along an axis (default: the last one), of which `y` is
    the result: y * (dy - sum(y * dy)). Both are floats of one shape."""
    op, y, wide, dy = _gradient("nn.softmax_grad", "SoftmaxGrad", y, "y", dy, name)
    over = arguments.axes(op, -1 if axis is None else axis, len(y.shape))
    if len(over) != 1:
        op.fail(f"expects one axis but got {axis!r}")
    total = op("reduce_sum", op("mul", wide, dy), axes=over, keepdims=True)
    rest = op("sub", *operands(op, [dy, total]))
    return round_to(op, op("mul", wide, rest), y)
