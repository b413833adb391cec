"""Sums, counts and polynomials."""

import math

from . import arguments
from . import dtype as dtypes
from .blob import Blob
from .math_ops import broadcast, compare, operands, round_to, splat, widen
from .reduce_ops import reduction
from .trace import begin


def _listed(op, values, what):
    """A list of blobs."""
    if not isinstance(values, (list, tuple)) or not values:
        op.fail(f"expects {what} to be a list of blobs but got {values!r}")
    return [op.blob(blob, f"{what}[{i}]") for i, blob in enumerate(values)]


def _sum(op, x):
    """The sum of all elements, of shape (1,)."""
    return op("reduce_sum", x, axes=list(range(len(x.shape))), keepdims=False)


# ===- Norms ---------------------------------------------------------------===#


def l2_normalize(input, axis=None, epsilon=1e-12, name=None):
    """input / sqrt(max(sum(input^2), epsilon)) of floats, with the sum over an axis, a
    list of axes, or all."""
    op = begin("math.l2_normalize", name, "L2Normalize")
    x = op.float_blob(input, "input")
    over = arguments.axes(op, axis, len(x.shape))
    epsilon = arguments.number(op.fail, epsilon, "epsilon")
    if not epsilon >= 0:
        op.fail(f"expects epsilon to be at least 0 but got {epsilon!r}")
    if not over:
        op.fail("expects axes to normalize along but got none")
    wide = widen(op, x)
    total = op("reduce_sum", op("mul", wide, wide), axes=over, keepdims=True)
    norm = op("sqrt", op("maximum", *operands(op, [total, epsilon])))
    return round_to(op, op("div", *operands(op, [wide, norm])), x)


def square_sum(x, name=None):
    """The sum of the squares of all elements, of shape (1,)."""
    op = begin("experimental.square_sum", name, "SquareSum")
    x = op.blob(x, "x")
    wide = widen(op, x)
    return round_to(op, _sum(op, op("mul", wide, wide)), x)


two_stage_reduce_max = reduction(
    "math.two_stage_reduce_max", "reduce_max", "TwoStageReduceMax", "maximum"
)
two_stage_reduce_min = reduction(
    "math.two_stage_reduce_min", "reduce_min", "TwoStageReduceMin", "minimum"
)

# ===- Counts --------------------------------------------------------------===#


def _count(op, shape, axis, dtype):
    axes = arguments.axes(op, axis, len(shape))
    dtype = dtypes.int32 if dtype is None else dtype
    dtypes.require_mlir(dtype, f"op {op.name}")
    return splat(op, math.prod(shape[i] for i in axes), [1], dtype)


def reduced_shape_elem_cnt(input_blob, axis=None, dtype=None, name=None):
    """The product of the extents of an axis, of a list of axes, or of all: a constant
    of shape (1,) of int32, or of `dtype`."""
    op = begin("math.reduced_shape_elem_cnt", name, "ShapeElemCnt")
    return _count(op, op.blob(input_blob, "input_blob").shape, axis, dtype)


def elem_cnt(inputs, dtype=None, name=None):
    """The number of elements: a constant of shape (1,) of int32, or of `dtype`."""
    op = begin("math.elem_cnt", name, "ElemCnt")
    return _count(op, op.blob(inputs, "inputs").shape, None, dtype)


def _not_finite(op, x):
    """How many elements are NaN or infinite, of shape (1,)."""
    if not x.dtype.is_float():
        return splat(op, 0, [1], dtypes.int64)
    infinity = splat(op, math.inf, x.shape, x.dtype)
    finite = compare(op, op("abs", x), infinity, "lt")
    counted = op("cast", op("logical_not", finite), result=(x.shape, "i64"))
    return _sum(op, counted)


def count_not_finite(x, name=None):
    """How many elements are NaN or infinite: int64 of shape (1,)."""
    op = begin("count_not_finite", name, "CountNotFinite")
    return _not_finite(op, op.blob(x, "x"))


def multi_count_not_finite(x=None, name=None):
    """How many elements of a list of blobs are NaN or infinite: int64 of shape (1,)."""
    op = begin("multi_count_not_finite", name, "MultiCountNotFinite")
    counts = [_not_finite(op, blob) for blob in _listed(op, x, "x")]
    total = counts[0]
    for count in counts[1:]:
        total = op("add", total, count)
    return total


# ===- Others --------------------------------------------------------------===#


def broadcast_to_compatible_with(x, compatible, name=None):
    """`x` broadcast to the common shape of itself and a list of blobs."""
    op = begin("math.broadcast_to_compatible_with", name, "BroadcastToCompatibleWith")
    x = op.blob(x, "x")
    shape = list(x.shape)
    for blob in _listed(op, compatible, "compatible"):
        rank = max(len(shape), len(blob.shape))
        padded = [
            [1] * (rank - len(extents)) + list(extents)
            for extents in (shape, blob.shape)
        ]
        if any(a != b and 1 not in (a, b) for a, b in zip(*padded)):
            op.fail(
                f"expects shapes that broadcast to one but got {tuple(shape)} and "
                f"{blob.shape}"
            )
        shape = [max(extents) for extents in zip(*padded)]
    return broadcast(op, x, shape)


def polyval(coeffs, x, name=None):
    """The polynomial coeffs[0] * x^n + ... + coeffs[n] of each element; `coeffs` is a
    list of numbers, or of blobs that broadcast to x. 0 without any. Numbers 0 in front
    do not count, so that an infinite x has the limit."""
    op = begin("math.polyval", name, "Polyval")
    x = op.blob(x, "x")
    if not isinstance(coeffs, (list, tuple)):
        op.fail(f"expects coeffs to be a list but got {coeffs!r}")
    wide = widen(op, x)
    total = splat(op, 0, x.shape, wide.dtype)
    is_first = True
    for i, one in enumerate(coeffs):
        if isinstance(one, Blob):
            one = widen(op, op.blob(one, f"coeffs[{i}]"))
        if not is_first:
            total = op("mul", total, wide)
        is_first = is_first and not isinstance(one, Blob) and one == 0
        total = op("add", *operands(op, [total, one]))
        if total.shape != x.shape:
            op.fail(
                f"expects coeffs[{i}] to broadcast to {x.shape} but got {total.shape}"
            )
    return round_to(op, total, x)


def _moved(op, x, axis, by):
    """`x` moved along an axis by `by` places, to the front if negative; zeros move
    in."""
    rank = len(x.shape)
    offsets, sizes, low, high = [0] * rank, list(x.shape), [0] * rank, [0] * rank
    offsets[axis], sizes[axis] = max(-by, 0), x.shape[axis] - abs(by)
    low[axis], high[axis] = max(by, 0), max(-by, 0)
    if sizes[axis] < 1:
        return splat(op, 0, x.shape, x.dtype)
    kept = op("slice", x, offsets=offsets, sizes=sizes, strides=[1] * rank)
    return op("pad", kept, low=low, high=high, interior=[0] * rank, value=0.0)


def cumsum(x, axis=0, exclusive=False, reverse=False, name=None):
    """The sum of each element and all before it along an axis: without the element
    itself if `exclusive`, and of those after it if `reverse`. Integers wrap."""
    op = begin("math.cumsum", name, "CumSum")
    x = op.blob(x, "x")
    if not arguments.is_int(axis):
        op.fail(f"expects axis to be an int but got {axis!r}")
    axis = arguments.axis(op, axis, len(x.shape))
    arguments.bools(op.fail, exclusive=exclusive, reverse=reverse)
    result = widen(op, x)
    sign = -1 if reverse else 1
    if exclusive:
        result = _moved(op, result, axis, sign)
    # After n passes each is the sum of 2^n elements.
    by = 1
    while by < x.shape[axis]:
        result = op("add", result, _moved(op, result, axis, sign * by))
        by *= 2
    return round_to(op, result, x)
