"""Sums, counts and polynomials."""

from __future__ import annotations

import math
from collections.abc import Sequence

from . import arguments
from . import dtype as dtypes
from .blob import Blob, BlobDef
from .documentation import of_op
from .hints import Axes, Blobs, DType, Number, Operand
from .math_ops import broadcast, compare, operands, round_to, splat, widen
from .reduce_ops import of_axes, reduction
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


@of_op
def l2_normalize(
    input: BlobDef, axis: Axes = None, epsilon: Number = 1e-12, name: str | None = None
) -> Blob:
    """The input divided by its Euclidean norm along some axes.

    input / sqrt(max(sum(input^2), epsilon)).

    Args:
        input: (...), f16/bf16/f32/f64.
        axis: An axis, a list of axes, or None for all.
        epsilon: The least sum of squares, at least 0.

    Returns:
        A blob of the shape and element type of input.
    """
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


@of_op
def square_sum(x: BlobDef, name: str | None = None) -> Blob:
    """The sum of the squares of all elements.

    Args:
        x: (...), any element type; ints wrap.

    Returns:
        (1,), of the element type of x.
    """
    op = begin("experimental.square_sum", name, "SquareSum")
    x = op.blob(x, "x")
    wide = widen(op, x)
    return round_to(op, _sum(op, op("mul", wide, wide)), x)


@of_axes
def two_stage_reduce_max(
    x: BlobDef, axis: Axes = None, keepdims: bool = False, name: str | None = None
) -> Blob:
    """The maximum over some axes, or over all; here as reduce_max."""
    return reduction(
        "math.two_stage_reduce_max",
        "reduce_max",
        "TwoStageReduceMax",
        x,
        axis,
        keepdims,
        name,
    )


@of_axes
def two_stage_reduce_min(
    x: BlobDef, axis: Axes = None, keepdims: bool = False, name: str | None = None
) -> Blob:
    """The minimum over some axes, or over all; here as reduce_min."""
    return reduction(
        "math.two_stage_reduce_min",
        "reduce_min",
        "TwoStageReduceMin",
        x,
        axis,
        keepdims,
        name,
    )


# ===- Counts --------------------------------------------------------------===#


def _count(op, shape, axis, dtype):
    axes = arguments.axes(op, axis, len(shape))
    dtype = dtypes.int32 if dtype is None else dtype
    dtypes.require_mlir(dtype, f"op {op.name}")
    return splat(op, math.prod(shape[i] for i in axes), [1], dtype)


@of_op
def reduced_shape_elem_cnt(
    input_blob: BlobDef,
    axis: Axes = None,
    dtype: DType | None = None,
    name: str | None = None,
) -> Blob:
    """The product of the extents of some axes, as a constant.

    It has no gradient.

    Args:
        input_blob: (...), any element type, of which only the shape is used.
        axis: An axis, a list of axes, or None for all.
        dtype: The element type of the result; None is int32.

    Returns:
        (1,), of dtype.

    Raises:
        ArgumentTypeError: dtype is no element type.
        UnsupportedError: dtype is none that blobs have.
    """
    op = begin("math.reduced_shape_elem_cnt", name, "ShapeElemCnt")
    return _count(op, op.blob(input_blob, "input_blob").shape, axis, dtype)


@of_op
def elem_cnt(
    inputs: BlobDef, dtype: DType | None = None, name: str | None = None
) -> Blob:
    """The number of elements of a blob, as a constant.

    It has no gradient.

    Args:
        inputs: (...), any element type, of which only the shape is used.
        dtype: The element type of the result; None is int32.

    Returns:
        (1,), of dtype.

    Raises:
        ArgumentTypeError: dtype is no element type.
        UnsupportedError: dtype is none that blobs have.
    """
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


@of_op
def count_not_finite(x: BlobDef, name: str | None = None) -> Blob:
    """The number of elements that are NaN or infinite.

    It has no gradient.

    Args:
        x: (...), any element type.

    Returns:
        (1,), i64.
    """
    op = begin("count_not_finite", name, "CountNotFinite")
    return _not_finite(op, op.blob(x, "x"))


@of_op
def multi_count_not_finite(x: Blobs | None = None, name: str | None = None) -> Blob:
    """The number of elements of some blobs that are NaN or infinite.

    Args:
        x: A list of at least one blob, of any element types.

    Returns:
        (1,), i64.
    """
    op = begin("multi_count_not_finite", name, "MultiCountNotFinite")
    counts = [_not_finite(op, blob) for blob in _listed(op, x, "x")]
    total = counts[0]
    for count in counts[1:]:
        total = op("add", total, count)
    return total


# ===- Others --------------------------------------------------------------===#


@of_op
def broadcast_to_compatible_with(
    x: BlobDef, compatible: Blobs, name: str | None = None
) -> Blob:
    """A blob broadcast to the common shape of itself and others.

    Args:
        x: (...), any element type.
        compatible: A list of blobs, of which only the shapes are used.

    Returns:
        A blob of the common shape, of the element type of x.
    """
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


@of_op
def polyval(coeffs: Sequence[Operand], x: BlobDef, name: str | None = None) -> Blob:
    """The polynomial coeffs[0] * x^n + ... + coeffs[n] of each element.

    Numbers 0 in front do not count, so that an infinite x has the limit.

    Args:
        coeffs: A list of numbers, or of blobs that broadcast to x; [] is 0.
        x: (...), any element type.

    Returns:
        A blob of the shape and element type of x.
    """
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


@of_op
def cumsum(
    x: BlobDef,
    axis: int = 0,
    exclusive: bool = False,
    reverse: bool = False,
    name: str | None = None,
) -> Blob:
    """The sum of each element and all before it along an axis; ints wrap.

    Args:
        x: (...), any element type.
        axis: The axis; negative ones count from the end.
        exclusive: Whether the element itself is left out.
        reverse: Whether it is the sum of those behind, not before.

    Returns:
        A blob of the shape and element type of x.
    """
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
