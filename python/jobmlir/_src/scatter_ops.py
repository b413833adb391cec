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


def gather_nd(params, indices, name=None):
    """The slices of `params` whose indices are the rows of `indices`: for indices of
    shape (..., k) the result has the shape (...) + params.shape[k:]. An index out of
    range gives NaN (0 for ints)."""
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


def scatter_nd(indices, updates, shape, name=None):
    """A blob of zeros of this shape to which each slice of `updates` is added at its
    index, a row of `indices`: for indices of shape (..., k) the updates have the shape
    (...) + shape[k:]. Indices out of range add nothing. Sums have the order of the
    updates, so that results are the same in every run."""
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


def tensor_scatter_nd_add(params, indices, updates, name=None):
    """`params` with each slice of `updates` added at its index, a row of `indices`, as
    in scatter_nd."""
    op = begin("tensor_scatter_nd_add", name, "TensorScatterNdAdd")
    params, indices = op.blob(params, "params"), _ints(op, indices, "indices")
    updates = op.blob(updates, "updates")
    _same_dtype(op, params, updates)
    return op("add", params, _scatter_add(op, indices, updates, params.shape))


def tensor_scatter_nd_update(params, indices, updates, name=None):
    """`params` with the slice at each index, a row of `indices`, replaced by a slice of
    `updates`: the last one of those with the same index. Indices out of range replace
    nothing."""
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


def dim_gather(input, dim, index, name=None):
    """The element of `input` at each place of `index`, with the number there in place
    of that of dimension `dim`: for dim 0, result[i, j] = input[index[i, j], j]. The
    other dimensions of index are at most as long as those of input. An index out of
    range gives NaN (0 for ints)."""
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


def reverse(input, axis, name=None):
    """`input` with the order of its elements reversed along one or more axes."""
    op = begin("reverse", name, "Reverse")
    x = op.blob(input, "input")
    return slices.reverse(op, x, arguments.axes(op, axis, len(x.shape)))


def slice_update(x, update, slice_tup_list, name=None):
    """`x` with the elements of a slice replaced by those of `update`, which has the
    shape of the slice. The slice is given as in slice_v2, with (start, stop, step) per
    dimension."""
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


def unsorted_segment_sum(data, segment_ids, num_segments, axis=0, name=None):
    """The sums of the slices of `data` along an axis that have the same id; ids out
    of range are ignored."""
    op = begin("math.unsorted_segment_sum", name, "UnsortedSegmentSum")
    data, ids = _segments(op, data, segment_ids)
    extent = _count_of(op, num_segments)
    place = _axis(op, axis, len(data.shape))
    return op("scatter_add", data, ids, axis=place, extent=extent)


def unsorted_segment_sum_like(data, segment_ids, like, axis=0, name=None):
    """The sums of the slices of `data` along an axis that have the same id, with the
    shape of `like`; ids out of range are ignored. `like` is not computed with."""
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


def unsorted_batch_segment_sum(data, segment_ids, num_segments, name=None):
    """The sums of the slices of `data` that have the same id, in each batch alone: the
    ids have the first dimensions of data, of which all but the last are batches. Ids
    out of range are ignored."""
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
