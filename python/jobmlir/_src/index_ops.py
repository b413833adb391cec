"""Transposes, slices, concatenation, padding, and access by index."""

from __future__ import annotations

import builtins
import math
from collections.abc import Sequence

from . import arguments, dynamic_ops, errors, slices
from . import dtype as dtypes
from .blob import Blob, BlobDef
from .documentation import of_op
from .hints import Blobs, DType, Number, Operand, Slices
from .math_ops import (
    broadcast,
    common_shape,
    element,
    one_dtype,
    operands,
    splat,
    truth,
)
from .trace import begin as _begin

# This module defines its own `range` and `slice`.
range_ = builtins.range


def _axis(op, axis, rank, what="axis"):
    if not arguments.is_int(axis):
        op.fail(f"expects {what} to be an int but got {axis!r}")
    place = arguments.axis(op, axis, rank)
    return place


@of_op
def transpose(
    a: BlobDef,
    perm: Sequence[int] | None = None,
    conjugate: bool = False,
    name: str | None = None,
    batch_axis_non_change: bool = False,
) -> Blob:
    """The dimensions in another order: i of the result is perm[i] of a.

    Args:
        a: (...), any element type.
        perm: A permutation of the dimensions; None reverses them.
        conjugate: Has no effect: numbers are real.
        batch_axis_non_change: Whether the batch axis of the result has the number of
            that of a.

    Returns:
        A blob of the permuted shape, of the element type of a.
    """
    op = _begin("transpose", name, "Transpose")
    a = op.blob(a, "a")
    rank = len(a.shape)
    arguments.bools(
        op.fail, conjugate=conjugate, batch_axis_non_change=batch_axis_non_change
    )
    if perm is None:
        perm = list(reversed(range_(rank)))
    perm = arguments.shape(op, perm, "perm")
    if sorted(p % rank if -rank <= p < rank else p for p in perm) != list(range_(rank)):
        op.fail(f"expects a permutation of {rank} dimensions but got {perm}")
    result = op("transpose", a, permutation=[p % rank for p in perm])
    if batch_axis_non_change:
        result._batch_axis = a._batch_axis
    return result


@of_op
def concat(
    inputs: Blobs | None = None,
    axis: int = 0,
    max_dim_size: int | None = None,
    name: str | None = None,
    values: Blobs | None = None,
) -> Blob:
    """Blobs one after another along an axis.

    If the axis is dynamic in some of them, it is in the result.

    Args:
        inputs: Blobs of one element type, any element type, whose other extents are
            equal.
        axis: The axis; negative ones count from the end.
        max_dim_size: The bound of a dynamic axis of the result; None is the sum of the
            extents. A step with more elements fails if the job returns the blob.
        values: Another name of inputs.

    Returns:
        A blob whose extent along the axis is the sum of theirs.
    """
    op = _begin("concat", name, "Concat")
    inputs = values if inputs is None else inputs
    if not isinstance(inputs, (list, tuple)) or not inputs:
        op.fail(f"expects a list of blobs but got {inputs!r}")
    blobs = [
        op.blob(blob, f"inputs[{i}]", dynamic=True) for i, blob in enumerate(inputs)
    ]
    one_dtype(op, blobs)
    place = _axis(op, axis, len(blobs[0].shape))
    for i, blob in enumerate(blobs):
        if blob._dynamic_axis not in (None, place):
            op.fail(
                f"expects blobs whose axis {place} may be dynamic but got one with a "
                f"dynamic axis {blob._dynamic_axis} for inputs[{i}]"
            )
    fixed = sum(blob.shape[place] for blob in blobs if not blob.is_dynamic)
    bound = sum(blob.shape[place] for blob in blobs)
    if max_dim_size is not None:
        if not arguments.is_int(max_dim_size) or max_dim_size < max(fixed, 1):
            op.fail(
                "expects max_dim_size to be None or an int of at least "
                f"{max(fixed, 1)}, the sum of the extents that are not dynamic, but got "
                f"{max_dim_size!r}"
            )
        bound = int(max_dim_size)
    if len(blobs) == 1:
        return blobs[0]
    if fixed == sum(blob.shape[place] for blob in blobs):
        return op("concat", *blobs, axis=place)
    return dynamic_ops.join(op, blobs, place, bound)


@of_op
def stack(inputs: Blobs, axis: int = 0, name: str | None = None) -> Blob:
    """Blobs along a new axis.

    Args:
        inputs: Blobs of one shape and element type, any element type.
        axis: The place of the new axis; negative ones count from the end.

    Returns:
        A blob with one more dimension, of extent len(inputs).
    """
    op = _begin("stack", name, "Stack")
    if not isinstance(inputs, (list, tuple)) or not inputs:
        op.fail(f"expects a list of blobs but got {inputs!r}")
    blobs = [op.blob(blob, f"inputs[{i}]") for i, blob in enumerate(inputs)]
    first = blobs[0]
    for i, blob in enumerate(blobs):
        if blob.shape != first.shape:
            op.fail(
                f"expects blobs of shape {first.shape} but got {blob.shape} for "
                f"inputs[{i}]"
            )
    one_dtype(op, blobs)
    place = _axis(op, axis, len(first.shape) + 1)
    shape = [*first.shape[:place], 1, *first.shape[place:]]
    blobs = [op("reshape", blob, result=(shape, blob.dtype.mlir)) for blob in blobs]
    return blobs[0] if len(blobs) == 1 else op("concat", *blobs, axis=place)


def _without_none(values, default):
    """A list with `default` in place of each None."""
    if not isinstance(values, (list, tuple)):
        return values
    return [default if value is None else value for value in values]


@of_op
def slice(
    x: BlobDef,
    begin: Sequence[int | None],
    size: Sequence[int | None],
    name: str | None = None,
) -> Blob:
    """size[i] elements from begin[i] on in dimension i.

    Args:
        x: (...), any element type.
        begin: An int for each dimension; negative ones count from the end, None is 0.
        size: An int for each dimension; -1 or None is all that remain.

    Returns:
        A blob of the shape size, of the element type of x.
    """
    op = _begin("slice", name, "Slice")
    x = op.blob(x, "x")
    rank = len(x.shape)
    offsets, sizes = [], []
    begin = arguments.shape(op, _without_none(begin, 0), "begin")
    size = arguments.shape(op, _without_none(size, -1), "size")
    for what, value in (("begin", begin), ("size", size)):
        if len(value) != rank:
            op.fail(f"expects {rank} values of {what} but got {len(value)}")
    for extent, first, count in zip(x.shape, begin, size):
        offsets.append(first + extent if first < 0 else first)
        sizes.append(extent - offsets[-1] if count == -1 else count)
    return slices.take(op, x, slices.Slice(offsets, sizes, [1] * rank))


@of_op
def slice_v2(x: BlobDef, slice_tup_list: Slices, name: str | None = None) -> Blob:
    """A slice with (start, stop, step) for each dimension, as Python's slices.

    Args:
        x: (...), any element type.

    Returns:
        A blob of the shape of the slice, of the element type of x.
    """
    op = _begin("slice_v2", name, "Slice")
    x = op.blob(x, "x")
    return slices.take(op, x, slices.bounds(op, x.shape, slice_tup_list))


@of_op
def split(
    x: BlobDef,
    num_or_sizes: int | Sequence[int],
    axis: int = 0,
    name: str | None = None,
) -> list[Blob]:
    """The parts of a blob along an axis.

    Args:
        x: (...), any element type.
        num_or_sizes: The number of equal parts, which divides the extent, or the extent
            of each.
        axis: The axis; negative ones count from the end.

    Returns:
        The parts, in order, of the element type of x.
    """
    op = _begin("split", name, "Split")
    x = op.blob(x, "x")
    place = _axis(op, axis, len(x.shape))
    extent = x.shape[place]
    if arguments.is_int(num_or_sizes):
        if num_or_sizes < 1 or extent % num_or_sizes:
            op.fail(
                f"expects a number of parts that divides {extent} but got "
                f"{num_or_sizes}"
            )
        sizes = [extent // num_or_sizes] * num_or_sizes
    else:
        sizes = arguments.shape(op, num_or_sizes, "num_or_sizes")
        if sum(sizes) != extent or any(size < 1 for size in sizes):
            op.fail(f"expects positive sizes that sum to {extent} but got {sizes}")
    parts, first = [], 0
    for size in sizes:
        offsets, counts = [0] * len(x.shape), list(x.shape)
        offsets[place], counts[place] = first, size
        part = slices.Slice(offsets, counts, [1] * len(x.shape))
        parts.append(slices.take(op, x, part))
        first += size
    return parts


def padding_pairs(op, x, paddings):
    """The (before, after) of each dimension of `x`."""
    if not isinstance(paddings, (list, tuple)) or len(paddings) != len(x.shape):
        op.fail(
            f"expects a (before, after) for each of {len(x.shape)} dimensions but got "
            f"{paddings!r}"
        )
    pairs = [arguments.shape(op, pair, "each padding") for pair in paddings]
    if any(len(pair) != 2 or min(pair) < 0 for pair in pairs):
        op.fail(f"expects pairs of ints that are not negative but got {paddings!r}")
    return pairs


@of_op
def pad(
    x: BlobDef,
    paddings: Sequence[Sequence[int]],
    constant_value: Number = 0,
    name: str | None = None,
) -> Blob:
    """A blob with more elements before and after it in each dimension.

    Args:
        x: (...), any element type.
        paddings: (before, after) for each dimension, not negative.
        constant_value: The new elements.

    Returns:
        A blob of the larger shape, of the element type of x.
    """
    op = _begin("pad", name, "Pad")
    x = op.blob(x, "x")
    pairs = padding_pairs(op, x, paddings)
    value = element(op, constant_value, x.dtype)
    if isinstance(value, int) and int(float(value)) != value:
        op.fail(f"expects a constant_value that float64 can hold but got {value}")
    return op(
        "pad",
        x,
        low=[pair[0] for pair in pairs],
        high=[pair[1] for pair in pairs],
        interior=[0] * len(pairs),
        value=float(value),
    )


def _count(op, start, limit, delta):
    """The number of elements from start up to limit."""
    steps = (start - limit) // delta
    if not arguments.is_finite(steps):
        op.fail("expects at most 2^59 elements but got more")
    return -int(steps)


@of_op
def range(
    start: Number,
    limit: Number | None = None,
    delta: Number = 1,
    dtype: DType | None = None,
    name: str | None = None,
) -> Blob:
    """The numbers from start up to limit, as a constant.

    Args:
        start: The first number; without limit this is the limit, and the first is 0.
        limit: The end, which is excluded.
        delta: The difference of two numbers, not 0.
        dtype: The element type; None is int64.

    Returns:
        (N,), of dtype, with N at least 1.

    Raises:
        ArgumentTypeError: dtype is no element type.
        UnsupportedError: dtype is none that blobs have.
    """
    op = _begin("range", name, "Range")
    if limit is None:
        start, limit = 0, start
    for value in (start, limit, delta):
        if not arguments.is_number(value):
            op.fail(
                f"expects a number but got {value!r}",
                errors.BlobValueError,
            )
        if not arguments.is_finite(value):
            op.fail(f"expects a finite number but got {arguments.show(value)}")
    dtype = dtypes.int64 if dtype is None else dtype
    kind = dtypes.require_mlir(dtype, f"op {op.name}")
    count = _count(op, start, limit, delta) if delta else 0
    if count < 1:
        op.fail(
            f"expects at least one number but got none from {start} to {limit} by {delta}"
        )
    numbers_ = op("iota", axis=0, result=([count], kind))
    element(op, start + (count - 1) * delta, dtype)  # complains when it does not fit
    scale, first = (splat(op, value, [count], dtype) for value in (delta, start))
    return op("add", op("mul", numbers_, scale), first)


@of_op
def one_hot(
    indices: BlobDef,
    depth: int,
    on_value: Number = 1,
    off_value: Number = 0,
    axis: int = -1,
    dtype: DType | None = None,
    name: str | None = None,
) -> Blob:
    """on_value at each index along a new axis, off_value elsewhere.

    It has no gradient.

    Args:
        indices: (...), i8/u8/i32/i64. An index outside of [0, depth) is nowhere.
        depth: The extent of the new axis.
        on_value: The elements at the indices.
        off_value: All other elements.
        axis: The place of the new axis; -1 is the end.
        dtype: The element type of the result; None is int32.

    Returns:
        A blob with one more dimension, of dtype.

    Raises:
        ArgumentTypeError: dtype is no element type.
        UnsupportedError: dtype is none that blobs have.
    """
    op = _begin("one_hot", name, "OneHot")
    indices = op.blob(indices, "indices")
    if not arguments.is_int(depth) or depth < 1:
        op.fail(f"expects depth to be a positive int but got {depth!r}")
    rank = len(indices.shape)
    place = _axis(op, axis, rank + 1)
    dtype = dtypes.int32 if dtype is None else dtype
    dtypes.require_mlir(dtype, f"op {op.name}")
    if indices.dtype.is_float():
        op.fail(f"expects indices of ints but got {indices.dtype.canonical}")
    shape = [*indices.shape[:place], int(depth), *indices.shape[place:]]
    kind = indices.dtype.mlir
    if depth - 1 > indices.dtype.integer_range()[1]:
        # The element type of the indices is too small for the depth.
        kind = "i32" if depth <= 2**31 else "i64"
        indices = op("cast", indices, result=(indices.shape, kind))
    spread = op(
        "broadcast_in_dim",
        indices,
        dims=[d for d in range_(rank + 1) if d != place],
        result=(shape, kind),
    )
    counted = op("iota", axis=place, result=(shape, kind))
    hot = op("compare", spread, counted, predicate=op.text("#job<predicate eq>"))
    return op(
        "select",
        hot,
        splat(op, on_value, shape, dtype),
        splat(op, off_value, shape, dtype),
    )


@of_op
def gather(
    params: BlobDef,
    indices: BlobDef,
    validate_indices: object = None,
    axis: int | None = None,
    batch_dims: int = 0,
    name: str | None = None,
) -> Blob:
    """The slices of a blob at some indices along an axis.

    An index out of range gives NaN, or 0 for ints.

    Args:
        params: (...), any element type.
        indices: (...), i8/u8/i32/i64.
        validate_indices: Has no effect.
        axis: The axis of params; None is batch_dims.
        batch_dims: How many dimensions, the first ones of both, are not gathered along.

    Returns:
        A blob with the dimensions of indices, without the first batch_dims, in place of
        axis, of the element type of params.
    """
    op = _begin("gather", name, "Gather")
    params, indices = op.blob(params, "params"), op.blob(indices, "indices")
    if not arguments.is_int(batch_dims):
        op.fail(f"expects batch_dims to be an int but got {batch_dims!r}")
    batch = batch_dims + len(indices.shape) if batch_dims < 0 else batch_dims
    place = batch if axis is None else _axis(op, axis, len(params.shape))
    return op("gather", params, indices, axis=place, batch_dims=int(batch))


@of_op
def argwhere(
    condition: BlobDef, dtype: DType | None = None, name: str | None = None
) -> Blob:
    """The indices of the elements that are not 0, in row-major order.

    It has no gradient.

    Args:
        condition: (...) of rank R, any element type.
        dtype: int32 or int64; None is int32.

    Returns:
        A dynamic blob (N, R) of dtype. N is the number of indices, and in the shape of
        the blob its bound; a job returns an array of the true size.

    Raises:
        ArgumentTypeError: dtype is no element type.
        UnsupportedError: dtype is none that blobs have.
    """
    op = _begin("argwhere", name, "Argwhere")
    condition = op.blob(condition, "condition")
    dtype = dtypes.int32 if dtype is None else dtype
    kind = dtypes.require_mlir(dtype, f"op {op.name}")
    if dtype not in (dtypes.int32, dtypes.int64):
        op.fail(f"expects dtype to be int32 or int64 but got {dtype.canonical}")
    indices, count = op("argwhere", condition, dtype=op.text(kind))
    indices._count = count
    return indices


@of_op
def masked_fill(
    x: BlobDef, mask: BlobDef, value: Number, name: str | None = None
) -> Blob:
    """value where a mask is not 0, x elsewhere.

    Args:
        x: (...), any element type.
        mask: Any element type. It and x are broadcast to one shape.
        value: A number, which for a blob of ints is rounded towards 0.

    Returns:
        A blob of the common shape, of the element type of x.
    """
    op = _begin("masked_fill", name, "MaskedFill")
    x, mask = op.blob(x, "x"), op.blob(mask, "mask")
    if arguments.is_number(value) and not x.dtype.is_float() and math.isfinite(value):
        value = int(value)
    x, filled = operands(op, [x, value])
    shape = common_shape(op, [x, mask])
    mask, filled, x = (
        broadcast(op, blob, shape) for blob in (truth(op, mask), filled, x)
    )
    return op("select", mask, filled, x)


def _tril(op, x, diagonal, fill_value, scale=1):
    x = op.blob(x, "x")
    rank = len(x.shape)
    if rank < 2:
        op.fail(f"expects at least 2 dimensions but got shape {x.shape}")
    if not arguments.is_int(diagonal):
        op.fail(f"expects diagonal to be an int but got {diagonal!r}")
    rows, columns = (
        op("iota", axis=axis, result=(x.shape, "i64")) for axis in (rank - 2, rank - 1)
    )
    limit = op("add", rows, splat(op, int(diagonal), x.shape, dtypes.int64))
    below = op("compare", columns, limit, predicate=op.text("#job<predicate le>"))
    if not (arguments.is_number(scale) and scale == 1):
        x = op("mul", *operands(op, [x, scale]))
    return op("select", below, x, splat(op, fill_value, x.shape, x.dtype))


@of_op
def tril(
    x: BlobDef, diagonal: int = 0, fill_value: Number = 0, name: str | None = None
) -> Blob:
    """Each matrix with fill_value above a diagonal.

    Args:
        x: (..., M, N), any element type.
        diagonal: The last diagonal that stays: 0 is the main one, positive ones are
            above.
        fill_value: The elements above it.

    Returns:
        A blob of the shape and element type of x.
    """
    op = _begin("nn.tril", name, "Tril")
    return _tril(op, x, diagonal, fill_value)


@of_op
def fused_scale_tril(
    x: BlobDef,
    diagonal: int = 0,
    fill_value: Number = 0,
    scale: Operand = 1,
    name: str | None = None,
) -> Blob:
    """scale times each matrix with fill_value above a diagonal.

    Args:
        x: (..., M, N), any element type.
        diagonal: The last diagonal that stays: 0 is the main one, positive ones are
            above.
        fill_value: The elements above it.
        scale: A factor.

    Returns:
        A blob of the shape and element type of x.
    """
    op = _begin("nn.fused_scale_tril", name, "FusedScaleTril")
    return _tril(op, x, diagonal, fill_value, scale)
