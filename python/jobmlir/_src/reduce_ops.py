"""Reductions: over some axes, or over all of them.

A reduction over all axes without keepdims has the shape (1,).
"""

import math

from . import arguments, errors
from .math_ops import as_int8, compare, operands, round_to, splat, widen
from .trace import begin


def _reduce(op, kind, x, axis, keepdims):
    arguments.bools(op.fail, keepdims=keepdims)
    over = arguments.axes(op, axis, len(x.shape))
    return op(kind, x, axes=over, keepdims=bool(keepdims)) if over else x


def reduction(api, kind, prefix, what):
    """The function of the API for a reduction of the dialect."""

    def function(x, axis=None, keepdims=False, name=None):
        op = begin(api, name, prefix)
        return _reduce(op, kind, op.blob(x, "x"), axis, keepdims)

    function.__name__ = function.__qualname__ = api.rpartition(".")[2]
    function.__doc__ = f"The {what} over some axes, or over all of them."
    return function


reduce_sum = reduction("reduce_sum", "reduce_sum", "ReduceSum", "sum")
reduce_prod = reduction("reduce_prod", "reduce_prod", "ReduceProd", "product")
reduce_max = reduction("reduce_max", "reduce_max", "ReduceMax", "maximum")
reduce_min = reduction("reduce_min", "reduce_min", "ReduceMin", "minimum")


def _truth_reduction(function_name, kind, prefix, what):
    def function(x, axis=None, keepdims=False, name=None):
        op = begin(function_name, name, prefix)
        x = op.blob(x, "x")
        zero = splat(op, 0, x.shape, x.dtype)
        truth = op("compare", x, zero, predicate=op.text("#job<predicate ne>"))
        return _reduce(op, kind, as_int8(op, truth), axis, keepdims)

    function.__name__ = function.__qualname__ = function_name
    function.__doc__ = f"int8 ones where {what} not zero along some axes, or all."
    return function


reduce_any = _truth_reduction("reduce_any", "reduce_max", "ReduceAny", "any element is")
reduce_all = _truth_reduction(
    "reduce_all", "reduce_min", "ReduceAll", "all elements are"
)


def mean(op, x, axis, keepdims):
    """The mean of blob `x`, as a part of the call `op`."""
    over = arguments.axes(op, axis, len(x.shape))
    total = _reduce(op, "reduce_sum", x, axis, keepdims)
    if not over:
        return x
    count = math.prod(x.shape[i] for i in over)
    return op("div", *operands(op, [total, float(count)]))


def reduce_mean(x, axis=None, keepdims=False, name=None):
    """The mean over some axes, or over all of them."""
    op = begin("reduce_mean", name, "ReduceMean")
    x = op.float_blob(x, "x")
    return round_to(op, mean(op, widen(op, x), axis, keepdims), x)


def variance(op, x, axis, keepdims):
    """The mean squared distance from the mean, as a part of the call `op`."""
    difference = op("sub", *operands(op, [x, mean(op, x, axis, True)]))
    return mean(op, op("mul", difference, difference), axis, keepdims)


def reduce_variance(x, axis=None, keepdims=False, name=None):
    """The mean squared distance from the mean over some axes."""
    op = begin("reduce_variance", name, "ReduceVariance")
    x = op.float_blob(x, "x")
    return round_to(op, variance(op, widen(op, x), axis, keepdims), x)


def reduce_std(x, axis=None, keepdims=False, name=None):
    """The square root of the variance over some axes."""
    op = begin("reduce_std", name, "ReduceStd")
    x = op.float_blob(x, "x")
    squared = variance(op, widen(op, x), axis, keepdims)
    return round_to(op, op("sqrt", squared), x)


def reduce_euclidean_norm(x, axis=None, keepdims=False, name=None):
    """The square root of the sum of squares over some axes."""
    op = begin("reduce_euclidean_norm", name, "ReduceEuclideanNorm")
    x = op.float_blob(x, "x")
    wide = widen(op, x)
    total = _reduce(op, "reduce_sum", op("mul", wide, wide), axis, keepdims)
    return round_to(op, op("sqrt", total), x)


def reduce_logsumexp(x, axis=None, keepdims=False, name=None):
    """The logarithm of the sum of exponentials over some axes, which does not
    overflow."""
    op = begin("reduce_logsumexp", name, "ReduceLogSumExp")
    x = op.float_blob(x, "x")
    arguments.bools(op.fail, keepdims=keepdims)
    over = arguments.axes(op, axis, len(x.shape))
    if not over:
        return x
    wide = widen(op, x)
    top = op("reduce_max", wide, axes=over, keepdims=True)
    # An infinite maximum minus itself would be NaN.
    infinity, zero = (splat(op, v, top.shape, top.dtype) for v in (math.inf, 0.0))
    top = op("select", compare(op, op("abs", top), infinity, "lt"), top, zero)
    exponentials = op("exp", op("sub", *operands(op, [wide, top])))
    total = op("log", op("reduce_sum", exponentials, axes=over, keepdims=True))
    result = round_to(op, op("add", total, top), x)
    if keepdims:
        return result
    shape = [extent for i, extent in enumerate(x.shape) if i not in over] or [1]
    return op("reshape", result, result=(shape, x.dtype.mlir))


def argmax(input, name=None, axis=-1):
    """int32 indices of the maximum along an axis, the first of a tie."""
    op = begin("argmax", name, "ArgMax")
    x = op.blob(input, "input")
    axis = arguments.axis(op, axis, len(x.shape))
    indices = op("argmax", x, axis=axis)
    return op("cast", indices, result=(indices.shape, "i32"))


def moments(x, axes, keepdims=False, name=None):
    """(mean, variance) over a list of axes."""
    op = begin("nn.moments", name, "Moments")
    x = op.float_blob(x, "x")
    if not isinstance(axes, (list, tuple)):
        op.fail(
            f"expects axes to be a list of ints but got {axes!r}",
            errors.BlobValueError,
        )
    wide = widen(op, x)
    return (
        round_to(op, mean(op, wide, axes, keepdims), x),
        round_to(op, variance(op, wide, axes, keepdims), x),
    )
