"""Parts of blobs by index: gathering, scattering and replacing them."""

from __future__ import annotations

import builtins
import math

from . import arguments, slices
from . import dtype as dtypes
from .blob import Blob, BlobDef
from .documentation import of_op
from .hints import Axes, Shape, Slices
from .index_ops import _axis
from .math_ops import compare, splat, truth
from .trace import begin

range_ = builtins.range


def _ints(op, indices, what):
    indices = op.blob(indices, what)
    if indices.dtype.is_float():
        op.fail(f"expects {what} of ints but got {indices.dtype.canonical}")
    return indices


def _check_indices(op, indices, rank, what):
    depth = indices.shape[-1]
    if depth > rank:
        op.fail(
            f"expects indices of at most {rank} numbers, the dimensions of {what}, but "
            f"got {depth}"
        )
    return depth


def _rows(op, indices, shape):
    """The rows of `indices`, each the index of a slice of a blob of this shape, as
    numbers of slices in row-major order; -1 if a number is outside of its dimension."""
    depth = indices.shape[-1]
    extents = shape[:depth]
    dtype = dtypes.int32 if math.prod(extents) <= 2**31 - 1 else dtypes.int64
    if indices.dtype == dtypes.int64:
        dtype = dtypes.int64
    rank = len(indices.shape)
    result = is_inside = None
    outer = list(indices.shape[:-1]) or [1]
    for place, extent in enumerate(extents):
        number = op(
            "slice",
            indices,
            offsets=[0] * (rank - 1) + [place],
            sizes=[*indices.shape[:-1], 1],
            strides=[1] * rank,
        )
        number = op("reshape", number, result=(outer, number.dtype.mlir))
        number = op("cast", number, result=(outer, dtype.mlir))
        zero, bound = (splat(op, value, outer, dtype) for value in (0, extent))
        here = op(
            "logical_and",
            compare(op, number, zero, "ge"),
            compare(op, number, bound, "lt"),
        )
        is_inside = here if place == 0 else op("logical_and", is_inside, here)
        if place:
            result = op("add", op("mul", result, bound), number)
        else:
            result = number
    return op("select", is_inside, result, splat(op, -1, outer, dtype))


def _slices(op, x, depth):
    """`x` with one dimension in place of the first `depth`."""
    shape = [math.prod(x.shape[:depth]), *x.shape[depth:]]
    return op("reshape", x, result=(shape, x.dtype.mlir))


@of_op
def gather_nd(params: BlobDef, indices: BlobDef, name: str | None = None) -> Blob:
    """The slices of a blob whose indices are the rows of another one.

    An index out of range gives NaN, or 0 for ints.

    Args:
        params: (...), any element type.
        indices: (..., K), i8/u8/i32/i64.

    Returns:
        A blob with the dimensions of indices but the last, then those of params from K
        on, of the element type of params.
    """
    op = begin("gather_nd", name, "GatherNd")
    params, indices = op.blob(params, "params"), _ints(op, indices, "indices")
    depth = _check_indices(op, indices, len(params.shape), "params")
    rows = _rows(op, indices, params.shape)
    result = op("gather", _slices(op, params, depth), rows, axis=0, batch_dims=0)
    shape = [*indices.shape[:-1], *params.shape[depth:]] or [1]
    return op("reshape", result, result=(shape, params.dtype.mlir))


def _check_updates(op, updates, indices, shape, depth):
    expected = (*indices.shape[:-1], *shape[depth:]) or (1,)
    if tuple(updates.shape) != tuple(expected):
        op.fail(f"expects updates of shape {expected} but got {updates.shape}")


def _scatter(op, indices, updates, shape):
    depth = _check_indices(op, indices, len(shape), "the result")
    _check_updates(op, updates, indices, shape, depth)
    rows = _rows(op, indices, shape)
    count = math.prod(rows.shape)
    flat = op("reshape", rows, result=([count], rows.dtype.mlir))
    slices = op(
        "reshape", updates, result=([count, *shape[depth:]], updates.dtype.mlir)
    )
    return flat, slices, math.prod(shape[:depth])


def _scatter_add(op, indices, updates, shape):
    flat, slices, extent = _scatter(op, indices, updates, shape)
    sums = op("scatter_add", slices, flat, axis=0, extent=extent, batch_dims=0)
    return op("reshape", sums, result=(shape, updates.dtype.mlir))


@of_op
def scatter_nd(
    indices: BlobDef, updates: BlobDef, shape: Shape, name: str | None = None
) -> Blob:
    """Zeros to which the slices of a blob are added at the rows of another one.

    Indices out of range add nothing. Sums have the order of the updates, so that
    results are the same in every run.

    Args:
        indices: (..., K), i8/u8/i32/i64.
        updates: indices.shape[:-1] + shape[K:], any element type.
        shape: The shape of the result.

    Returns:
        A blob of that shape, of the element type of updates.
    """
    op = begin("scatter_nd", name, "ScatterNd")
    indices, updates = _ints(op, indices, "indices"), op.blob(updates, "updates")
    shape = arguments.extents(op, shape)
    return _scatter_add(op, indices, updates, shape)


def _same_dtype(op, params, updates):
    if params.dtype != updates.dtype:
        op.fail(
            f"expects updates of {params.dtype.canonical}, the dtype of params, but "
            f"got {updates.dtype.canonical}"
        )


@of_op
def tensor_scatter_nd_add(
    params: BlobDef, indices: BlobDef, updates: BlobDef, name: str | None = None
) -> Blob:
    """A blob to which the slices of another one are added at some indices.

    Indices out of range add nothing.

    Args:
        params: (...), any element type.
        indices: (..., K), i8/u8/i32/i64.
        updates: indices.shape[:-1] + params.shape[K:], of the element type of params.

    Returns:
        A blob of the shape and element type of params.
    """
    op = begin("tensor_scatter_nd_add", name, "TensorScatterNdAdd")
    params, indices = op.blob(params, "params"), _ints(op, indices, "indices")
    updates = op.blob(updates, "updates")
    _same_dtype(op, params, updates)
    return op("add", params, _scatter_add(op, indices, updates, params.shape))


@of_op
def tensor_scatter_nd_update(
    params: BlobDef, indices: BlobDef, updates: BlobDef, name: str | None = None
) -> Blob:
    """A blob of which the slices at some indices are replaced.

    Of several with one index the last counts. Indices out of range replace nothing.

    Args:
        params: (...), any element type.
        indices: (..., K), i8/u8/i32/i64.
        updates: indices.shape[:-1] + params.shape[K:], of the element type of params.

    Returns:
        A blob of the shape and element type of params.
    """
    op = begin("tensor_scatter_nd_update", name, "TensorScatterNdUpdate")
    params, indices = op.blob(params, "params"), _ints(op, indices, "indices")
    updates = op.blob(updates, "updates")
    _same_dtype(op, params, updates)
    flat, slices, extent = _scatter(op, indices, updates, params.shape)
    # The updates of each slice are the places from the end of those of the slice before
    # up to its own end.
    (count,) = flat.shape
    groups = op("group_indices", flat, extent=extent)
    dtype = groups.dtype

    def part(x, first, size):
        return op("slice", x, offsets=[first], sizes=[size], strides=[1])

    ends, places = part(groups, 0, extent), part(groups, extent, count)
    begins = splat(op, 0, [1], dtype)
    if extent > 1:
        begins = op("concat", begins, part(ends, 0, extent - 1), axis=0)
    is_replaced = compare(op, ends, begins, "gt")
    zero, one = (splat(op, value, [extent], dtype) for value in (0, 1))
    last = op("select", is_replaced, op("sub", ends, one), zero)
    last = op("gather", places, last, axis=0, batch_dims=0)
    last = op("select", is_replaced, last, zero)
    replacement = op("gather", slices, last, axis=0, batch_dims=0)
    rank = len(replacement.shape)
    mask = op(
        "broadcast_in_dim", is_replaced, dims=[0], result=(replacement.shape, "i1")
    )
    depth = len(params.shape) - rank + 1
    kept = _slices(op, params, depth)
    result = op("select", mask, replacement, kept)
    return op("reshape", result, result=(params.shape, params.dtype.mlir))


@of_op
def dim_gather(
    input: BlobDef, dim: int, index: BlobDef, name: str | None = None
) -> Blob:
    """The elements at other places along one dimension.

    For dim 0, result[i, j] = input[index[i, j], j]. An index out of range gives NaN, or
    0 for ints.

    Args:
        input: (...), any element type.
        dim: The dimension; negative ones count from the end.
        index: i8/u8/i32/i64, of the rank of input; its other extents are at most those
            of input.

    Returns:
        A blob of the shape of index, of the element type of input.
    """
    op = begin("dim_gather", name, "DimGather")
    x, index = op.blob(input, "input"), _ints(op, index, "index")
    rank = len(x.shape)
    place = _axis(op, dim, rank, "dim")
    fits = len(index.shape) == rank and all(
        d == place or index.shape[d] <= x.shape[d] for d in range_(rank)
    )
    if not fits:
        op.fail(
            f"expects an index of at most shape {x.shape} except in dimension {place} "
            f"but got {index.shape}"
        )
    sizes = list(index.shape)
    sizes[place] = x.shape[place]
    if tuple(sizes) != tuple(x.shape):
        x = op("slice", x, offsets=[0] * rank, sizes=sizes, strides=[1] * rank)
    # The dimension is moved to the end, and back.
    order = [d for d in range_(rank) if d != place] + [place]
    back = [order.index(d) for d in range_(rank)]

    def moved(blob, permutation):
        if permutation == list(range_(rank)):
            return blob
        return op("transpose", blob, permutation=permutation)

    x, index = moved(x, order), moved(index, order)
    return moved(op("gather", x, index, axis=rank - 1, batch_dims=rank - 1), back)


@of_op
def reverse(input: BlobDef, axis: Axes, name: str | None = None) -> Blob:
    """The elements of a blob in the reverse order along some axes.

    Args:
        input: (...), any element type.
        axis: An axis, a list of axes, or None for all.

    Returns:
        A blob of the shape and element type of input.
    """
    op = begin("reverse", name, "Reverse")
    x = op.blob(input, "input")
    return slices.reverse(op, x, arguments.axes(op, axis, len(x.shape)))


@of_op
def slice_update(
    x: BlobDef, update: BlobDef, slice_tup_list: Slices, name: str | None = None
) -> Blob:
    """A blob of which the elements of a slice are replaced.

    Args:
        x: (...), any element type.
        update: Of the shape of the slice and the element type of x.

    Returns:
        A blob of the shape and element type of x.
    """
    op = begin("slice_update", name, "SliceUpdate")
    x, update = op.blob(x, "x"), op.blob(update, "update")
    if x.dtype != update.dtype:
        op.fail(
            f"expects an update of {x.dtype.canonical}, the dtype of x, but got "
            f"{update.dtype.canonical}"
        )
    part = slices.bounds(op, x.shape, slice_tup_list)
    if tuple(update.shape) != tuple(part.sizes):
        op.fail(
            f"expects an update of shape {tuple(part.sizes)} but got {update.shape}"
        )
    ones = splat(op, 1, part.sizes, dtypes.int8)
    mask = truth(op, slices.place(op, ones, x.shape, part))
    return op("select", mask, slices.place(op, update, x.shape, part), x)


def _segments(op, data, segment_ids):
    return op.blob(data, "data"), _ints(op, segment_ids, "segment_ids")


def _count_of(op, num_segments):
    if not arguments.is_int(num_segments) or num_segments < 1:
        op.fail(f"expects num_segments to be a positive int but got {num_segments!r}")
    return int(num_segments)


@of_op
def unsorted_segment_sum(
    data: BlobDef,
    segment_ids: BlobDef,
    num_segments: int,
    axis: int = 0,
    name: str | None = None,
) -> Blob:
    """The sums of the slices along an axis that have the same id.

    Ids out of range are ignored.

    Args:
        data: (...), any element type.
        segment_ids: i8/u8/i32/i64, of the shape of the dimensions of data from axis on.
        num_segments: The number of sums, positive.
        axis: The first dimension that the ids have.

    Returns:
        data with (num_segments,) in place of the dimensions of segment_ids.
    """
    op = begin("math.unsorted_segment_sum", name, "UnsortedSegmentSum")
    data, ids = _segments(op, data, segment_ids)
    extent = _count_of(op, num_segments)
    place = _axis(op, axis, len(data.shape))
    return op("scatter_add", data, ids, axis=place, extent=extent)


@of_op
def unsorted_segment_sum_like(
    data: BlobDef,
    segment_ids: BlobDef,
    like: BlobDef,
    axis: int = 0,
    name: str | None = None,
) -> Blob:
    """The sums of the slices along an axis that have the same id, with a given shape.

    Ids out of range are ignored.

    Args:
        data: (...), any element type.
        segment_ids: i8/u8/i32/i64, of the shape of the dimensions of data from axis on.
        like: A blob with the shape and the element type of the result.
        axis: The first dimension that the ids have.

    Returns:
        A blob of the shape and element type of like.
    """
    op = begin("math.unsorted_segment_sum_like", name, "UnsortedSegmentSumLike")
    data, ids = _segments(op, data, segment_ids)
    like = op.blob(like, "like")
    place = _axis(op, axis, len(data.shape))
    expected = (
        *data.shape[:place],
        *like.shape[place : place + 1],
        *data.shape[place + len(ids.shape) :],
    )
    if tuple(like.shape) != expected or like.dtype != data.dtype:
        op.fail(
            f"expects like of shape {expected} and {data.dtype.canonical} but got "
            f"{like.shape} and {like.dtype.canonical}"
        )
    return op("scatter_add", data, ids, axis=place, extent=like.shape[place])


@of_op
def unsorted_batch_segment_sum(
    data: BlobDef, segment_ids: BlobDef, num_segments: int, name: str | None = None
) -> Blob:
    """The sums of the slices of each batch that have the same id.

    Ids out of range are ignored.

    Args:
        data: (..., N, ...), any element type.
        segment_ids: (..., N), i8/u8/i32/i64, of the first dimensions of data, of which
            all but the last are batches.
        num_segments: The number of sums, positive.

    Returns:
        data with num_segments in place of N.
    """
    op = begin("math.unsorted_batch_segment_sum", name, "UnsortedBatchSegmentSum")
    data, ids = _segments(op, data, segment_ids)
    extent = _count_of(op, num_segments)
    rank = len(ids.shape)
    if tuple(data.shape[:rank]) != tuple(ids.shape):
        op.fail(
            f"expects segment_ids of the first dimensions of data, {data.shape}, but "
            f"got {ids.shape}"
        )
    place = rank - 1
    return op("scatter_add", data, ids, axis=place, extent=extent, batch_dims=place)
