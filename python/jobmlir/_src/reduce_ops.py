"""Reductions: over some axes, or over all of them.

A reduction over all axes without keepdims has the shape (1,).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from . import arguments, errors
from .blob import Blob, BlobDef
from .documentation import family, of_op
from .hints import Axes
from .math_ops import as_int8, compare, operands, round_to, splat, widen
from .trace import begin


def _reduce(op, kind, x, axis, keepdims):
    arguments.bools(op.fail, keepdims=keepdims)
    over = arguments.axes(op, axis, len(x.shape))
    return op(kind, x, axes=over, keepdims=bool(keepdims)) if over else x


def reduction(api, kind, prefix, x, axis, keepdims, name):
    """The call of a function of the API for a reduction of the dialect."""
    op = begin(api, name, prefix)
    return _reduce(op, kind, op.blob(x, "x"), axis, keepdims)


_AXES = "An axis, a list of axes, or None for all."
_REDUCED = "A blob without the axes, or with extent 1 there; (1,) if none is left."

of_axes = family(
    returns=_REDUCED + " Of the element type of x.",
    x="(...), any element type.",
    axis=_AXES,
)
of_float_axes = family(
    returns=_REDUCED + " Of the element type of x.",
    x="(...), f16/bf16/f32/f64.",
    axis=_AXES,
)
_of_truth_axes = family(
    returns=_REDUCED + " Of i8, 1 or 0.",
    x="(...), any element type.",
    axis=_AXES,
)


@of_axes
def reduce_sum(
    x: BlobDef, axis: Axes = None, keepdims: bool = False, name: str | None = None
) -> Blob:
    """The sum over some axes, or over all of them; ints wrap."""
    return reduction("reduce_sum", "reduce_sum", "ReduceSum", x, axis, keepdims, name)


@of_axes
def reduce_prod(
    x: BlobDef, axis: Axes = None, keepdims: bool = False, name: str | None = None
) -> Blob:
    """The product over some axes, or over all of them; ints wrap."""
    return reduction(
        "reduce_prod", "reduce_prod", "ReduceProd", x, axis, keepdims, name
    )


@of_axes
def reduce_max(
    x: BlobDef, axis: Axes = None, keepdims: bool = False, name: str | None = None
) -> Blob:
    """The maximum over some axes, or over all of them."""
    return reduction("reduce_max", "reduce_max", "ReduceMax", x, axis, keepdims, name)


@of_axes
def reduce_min(
    x: BlobDef, axis: Axes = None, keepdims: bool = False, name: str | None = None
) -> Blob:
    """The minimum over some axes, or over all of them."""
    return reduction("reduce_min", "reduce_min", "ReduceMin", x, axis, keepdims, name)


def _truth_reduction(api, kind, prefix, x, axis, keepdims, name):
    op = begin(api, name, prefix)
    x = op.blob(x, "x")
    zero = splat(op, 0, x.shape, x.dtype)
    truth = op("compare", x, zero, predicate=op.text("#job<predicate ne>"))
    return _reduce(op, kind, as_int8(op, truth), axis, keepdims)


@_of_truth_axes
def reduce_any(
    x: BlobDef, axis: Axes = None, keepdims: bool = False, name: str | None = None
) -> Blob:
    """Whether any element along some axes, or of all, is not 0.

    It has no gradient.
    """
    return _truth_reduction(
        "reduce_any", "reduce_max", "ReduceAny", x, axis, keepdims, name
    )


@_of_truth_axes
def reduce_all(
    x: BlobDef, axis: Axes = None, keepdims: bool = False, name: str | None = None
) -> Blob:
    """Whether all elements along some axes, or all at all, are not 0.

    It has no gradient.
    """
    return _truth_reduction(
        "reduce_all", "reduce_min", "ReduceAll", x, axis, keepdims, name
    )


def mean(op, x, axis, keepdims):
    """The mean of blob `x`, as a part of the call `op`."""
    over = arguments.axes(op, axis, len(x.shape))
    total = _reduce(op, "reduce_sum", x, axis, keepdims)
    if not over:
        return x
    count = math.prod(x.shape[i] for i in over)
    return op("div", *operands(op, [total, float(count)]))


@of_float_axes
def reduce_mean(
    x: BlobDef, axis: Axes = None, keepdims: bool = False, name: str | None = None
) -> Blob:
    """The mean over some axes, or over all of them; of f16 and bf16 computed in f32."""
    op = begin("reduce_mean", name, "ReduceMean")
    x = op.float_blob(x, "x")
    return round_to(op, mean(op, widen(op, x), axis, keepdims), x)


def variance(op, x, axis, keepdims):
    """The mean squared distance from the mean, as a part of the call `op`."""
    difference = op("sub", *operands(op, [x, mean(op, x, axis, True)]))
    return mean(op, op("mul", difference, difference), axis, keepdims)


@of_float_axes
def reduce_variance(
    x: BlobDef, axis: Axes = None, keepdims: bool = False, name: str | None = None
) -> Blob:
    """The mean squared distance from the mean over some axes, or over all of them."""
    op = begin("reduce_variance", name, "ReduceVariance")
    x = op.float_blob(x, "x")
    return round_to(op, variance(op, widen(op, x), axis, keepdims), x)


def _root(op, total):
    """The square root of sums of squares, as a part of the call `op`.

    All terms of a sum of 0 are 0, and the infinite slope of the root times each would
    be NaN: such a sum has the gradient 0, which is one of the norm's subgradients.
    """
    zero = splat(op, 0, total.shape, total.dtype)
    is_zero = op("compare", total, zero, predicate=op.text("#job<predicate eq>"))
    one = splat(op, 1, total.shape, total.dtype)
    return op("select", is_zero, zero, op("sqrt", op("select", is_zero, one, total)))


@of_float_axes
def reduce_std(
    x: BlobDef, axis: Axes = None, keepdims: bool = False, name: str | None = None
) -> Blob:
    """The square root of the variance over some axes, or over all of them.

    Its gradient is 0 where it is 0.
    """
    op = begin("reduce_std", name, "ReduceStd")
    x = op.float_blob(x, "x")
    squared = variance(op, widen(op, x), axis, keepdims)
    return round_to(op, _root(op, squared), x)


@of_float_axes
def reduce_euclidean_norm(
    x: BlobDef, axis: Axes = None, keepdims: bool = False, name: str | None = None
) -> Blob:
    """The square root of the sum of squares over some axes, or over all of them.

    Its gradient is 0 where it is 0.
    """
    op = begin("reduce_euclidean_norm", name, "ReduceEuclideanNorm")
    x = op.float_blob(x, "x")
    wide = widen(op, x)
    total = _reduce(op, "reduce_sum", op("mul", wide, wide), axis, keepdims)
    return round_to(op, _root(op, total), x)


@of_float_axes
def reduce_logsumexp(
    x: BlobDef, axis: Axes = None, keepdims: bool = False, name: str | None = None
) -> Blob:
    """log(sum(e^x)) over some axes, or over all of them, without overflow."""
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


@of_op
def argmax(input: BlobDef, name: str | None = None, axis: int = -1) -> Blob:
    """The indices of the maxima along an axis, the first of equal ones.

    It has no gradient.

    Args:
        input: (...), any element type.
        axis: The axis; negative ones count from the end.

    Returns:
        A blob of i32 without the axis.
    """
    op = begin("argmax", name, "ArgMax")
    x = op.blob(input, "input")
    axis = arguments.axis(op, axis, len(x.shape))
    indices = op("argmax", x, axis=axis)
    return op("cast", indices, result=(indices.shape, "i32"))


@of_op
def moments(
    x: BlobDef, axes: Sequence[int], keepdims: bool = False, name: str | None = None
) -> tuple[Blob, Blob]:
    """The mean and the variance over some axes.

    Args:
        x: (...), f16/bf16/f32/f64.
        axes: A list of axes.

    Returns:
        (mean, variance), each without the axes, or with extent 1 there, of the element
        type of x.
    """
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
