"""Transposes, slices, concatenation, padding, and access by index."""

import builtins
import math

from . import arguments, dynamic_ops, errors, slices
from . import dtype as dtypes
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


def transpose(a, perm=None, conjugate=False, name=None, batch_axis_non_change=False):
    """Dimension i of the result is dimension perm[i] of `a`; without perm the
    dimensions are reversed. Numbers are real, which `conjugate` does not change. With
    batch_axis_non_change, the batch axis of the result is the number of that of `a`."""
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


def concat(inputs=None, axis=0, max_dim_size=None, name=None, values=None):
    """Concatenates the inputs along an axis. If it is dynamic in some of them, it is in
    the result, up to `max_dim_size` or else to the sum of their extents; a step with
    more elements fails if the job returns the blob."""
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


def stack(inputs, axis=0, name=None):
    """Stacks the inputs, which have equal shapes, along a new axis."""
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


def slice(x, begin, size, name=None):
    """`size[i]` elements from `begin[i]` on in dimension i; a size of -1 or None means
    all remaining elements, a begin of None 0."""
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


def slice_v2(x, slice_tup_list, name=None):
    """A slice with (start, stop, step) per dimension, with the semantics of Python's
    slices; None means the default, in place of all three the whole dimension."""
    op = _begin("slice_v2", name, "Slice")
    x = op.blob(x, "x")
    return slices.take(op, x, slices.bounds(op, x.shape, slice_tup_list))


def split(x, num_or_sizes, axis=0, name=None):
    """Splits along an axis into a list: `num_or_sizes` equal parts, or parts of these
    sizes."""
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


def pad(x, paddings, constant_value=0, name=None):
    """(before, after) elements of `constant_value` for each dimension."""
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


def range(start, limit=None, delta=1, dtype=None, name=None):
    """The numbers from start up to and excluding limit, with step delta; with one
    argument, from 0 up to and excluding it."""
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


def one_hot(indices, depth, on_value=1, off_value=0, axis=-1, dtype=None, name=None):
    """`on_value` at each index along a new axis of extent `depth`, `off_value`
    elsewhere."""
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


def gather(params, indices, validate_indices=None, axis=None, batch_dims=0, name=None):
    """Gathers slices of `params` along an axis by index. An index out of range gives
    NaN (0 for ints). `axis` is `batch_dims` unless given."""
    op = _begin("gather", name, "Gather")
    params, indices = op.blob(params, "params"), op.blob(indices, "indices")
    if not arguments.is_int(batch_dims):
        op.fail(f"expects batch_dims to be an int but got {batch_dims!r}")
    batch = batch_dims + len(indices.shape) if batch_dims < 0 else batch_dims
    place = batch if axis is None else _axis(op, axis, len(params.shape))
    return op("gather", params, indices, axis=place, batch_dims=int(batch))


def argwhere(condition, dtype=None, name=None):
    """The indices of the elements that are not zero, one row each, in row-major order:
    a dynamic blob of int32, or of `dtype` int64. The shape of the blob is an upper
    bound; a job returns an array of the true size."""
    op = _begin("argwhere", name, "Argwhere")
    condition = op.blob(condition, "condition")
    dtype = dtypes.int32 if dtype is None else dtype
    kind = dtypes.require_mlir(dtype, f"op {op.name}")
    if dtype not in (dtypes.int32, dtypes.int64):
        op.fail(f"expects dtype to be int32 or int64 but got {dtype.canonical}")
    indices, count = op("argwhere", condition, dtype=op.text(kind))
    indices._count = count
    return indices


def masked_fill(x, mask, value, name=None):
    """`value` where the mask is not zero, x elsewhere; x and the mask are broadcast to
    one shape. In a blob of ints, `value` is rounded towards zero."""
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


def tril(x, diagonal=0, fill_value=0, name=None):
    """Sets elements above a diagonal of each matrix (the last two dimensions) to
    fill_value; diagonal 0 is the main one, positive ones are above it."""
    op = _begin("nn.tril", name, "Tril")
    return _tril(op, x, diagonal, fill_value)


def fused_scale_tril(x, diagonal=0, fill_value=0, scale=1, name=None):
    """`tril` of scale times x."""
    op = _begin("nn.fused_scale_tril", name, "FusedScaleTril")
    return _tril(op, x, diagonal, fill_value, scale)
