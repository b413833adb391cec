"""Rules of ops that find elements, move them by index, and sort."""

import math

import numpy

from . import dtype as dtypes
from .onnx_rules import NeedsOpset, rule
from .onnx_values import concat, where

_ADDING_OPSET = 16


def _as_index(x):
    return x if x.dtype in (dtypes.int32, dtypes.int64) else x.cast(dtypes.int32)


def _is_inside(indices, extent):
    """A condition that holds where an index is one of a dimension; None if all are."""
    if indices.bound is not None and indices.bound <= extent:
        return None
    known = indices.array
    if known is not None and ((known >= 0) & (known < extent)).all():
        return None
    return (indices >= 0) & (indices < extent)


def _missing(dtype):
    """What an index outside of the dimension gives."""
    return math.nan if dtype.is_float() else 0


def _gather_plain(c, x, indices, axis, batch):
    if batch == 0:
        return x.apply("Gather", indices, axis=axis)
    # The dimension next to those of the batch, and the indices' dimensions where it was.
    rank, count = len(c.operands[0].shape), len(c.operands[1].shape) - batch
    between = list(range(batch, axis))
    x = x.transpose([*range(batch), axis, *between, *range(axis + 1, rank)])
    indices = indices.cast(dtypes.int64).reshape([*c.operands[1].shape, 1])
    result = x.apply("GatherND", indices, batch_dims=batch)
    end = batch + count + len(between)
    return result.transpose(
        [
            *range(batch),
            *range(batch + count, end),
            *range(batch, batch + count),
            *range(end, rank - 1 + count),
        ]
    )


@rule("gather")
def _gather(c):
    axis, batch = c.take("axis"), c.take("batch_dims", 0)
    (x, indices), shape = c.inputs, c.operands[1].shape
    indices = _as_index(indices)
    inside = _is_inside(indices, c.operands[0].shape[axis])
    if inside is None:
        c.set(_gather_plain(c, x, indices, axis, batch))
        return
    result = _gather_plain(c, x, where(inside, indices, 0), axis, batch)
    after = len(c.operands[0].shape) - axis - 1
    line = [*shape[:batch], *[1] * (axis - batch), *shape[batch:], *[1] * after]
    c.set(where(inside.reshape(line), result, _missing(x.dtype)))


@rule("scatter_add")
def _scatter_add(c):
    axis, extent, batch = c.take("axis"), c.take("extent"), c.take("batch_dims", 0)
    if c.graph.opset < _ADDING_OPSET:
        raise NeedsOpset("a sum by index", _ADDING_OPSET)
    (updates, indices), shape = c.inputs, list(c.operands[0].shape)
    index_shape = c.operands[1].shape
    count = len(index_shape) - batch
    # The dimensions of the indices first, as one with those of the batch.
    first, between = list(range(batch)), list(range(batch, axis))
    of_indices = list(range(axis, axis + count))
    after = list(range(axis + count, len(shape)))
    updates = updates.transpose(first + of_indices + between + after)
    rest = [shape[dim] for dim in between + after]
    batches = math.prod(index_shape[:batch])
    updates = updates.reshape([math.prod(index_shape), *rest])

    indices = _as_index(indices)
    inside = _is_inside(indices, extent)
    rows = extent
    if inside is not None:
        # A row more takes what no row of the result does.
        indices, rows = where(inside, indices, extent), extent + 1
    indices = indices.cast(dtypes.int64).reshape([batches, -1])
    if batches > 1:
        indices = indices + c.ints(numpy.arange(batches) * rows).reshape([batches, 1])
    zero = updates.constant([0])
    sums = zero.apply("Expand", [batches * rows, *rest]).apply(
        "ScatterND", indices.reshape([-1, 1]), updates, reduction="add"
    )
    sums = sums.reshape([*index_shape[:batch], rows, *rest])
    if inside is not None:
        sums = sums.slice(batch, 0, extent)
    # The dimension behind those that were between.
    place = batch + len(between)
    c.set(
        sums.transpose(
            [*first, *range(batch + 1, place + 1), batch]
            + list(range(place + 1, batch + 1 + len(rest)))
        )
    )


@rule("argmax")
def _argmax(c):
    axis, (x,) = c.take("axis"), c.inputs
    index = x.apply("ArgMax", axis=axis, keepdims=1).reshape(c.result.shape)
    index.bound = c.operands[0].shape[axis]
    c.set(index)


def _argsort(x, extent, is_descending=False):
    """The indices that sort the last dimension: TopK takes the first of equal
    elements first."""
    _, order = x.apply(
        "TopK", [extent], outputs=2, axis=-1, largest=int(is_descending), sorted=1
    )
    return order


@rule("argsort")
def _argsort_rule(c):
    (x,), extent = c.inputs, c.operands[0].shape[-1]
    is_descending = bool(c.take("descending", False))
    if x.dtype.is_float():
        # NaN last: all that is not, in order, then by whether it is.
        last = -math.inf if is_descending else math.inf
        is_nan = x.apply("IsNaN")
        order = _argsort(where(is_nan, last, x), extent, is_descending)
        nans = is_nan.cast(dtypes.int32).apply("GatherElements", order, axis=-1)
        order = order.apply("GatherElements", _argsort(nans, extent), axis=-1)
    else:
        order = _argsort(x, extent, is_descending)
    order.bound = extent
    c.set(order)


@rule("argwhere")
def _argwhere(c):
    c.take("dtype")
    (x,) = c.inputs
    found = x.cast(dtypes.bool_).apply("NonZero").apply("Transpose", perm=[1, 0])
    c.set(found)
    c.set(found.apply("Shape").slice(0, 0, 1), 1)


@rule("group_indices")
def _group_indices(c):
    extent, shape = c.take("extent"), list(c.operands[0].shape)
    if c.graph.opset < _ADDING_OPSET:
        raise NeedsOpset("a count by index", _ADDING_OPSET)
    indices = _as_index(c.inputs[0]).cast(dtypes.int64)
    inside = _is_inside(indices, extent)
    keys = indices if inside is None else where(inside, indices, extent)
    places = _argsort(keys, shape[-1])
    is_place = keys.apply("GatherElements", places, axis=-1) < extent
    places = where(is_place, places, -1)
    zero, one = keys.constant([0]), keys.constant([1])
    counts = zero.apply("Expand", [*shape[:-1], extent + 1]).apply(
        "ScatterElements", keys, one.apply("Expand", shape), axis=-1, reduction="add"
    )
    axis = len(shape) - 1
    counts = counts.slice(axis, 0, extent)
    ends = counts.apply("CumSum", c.ints([axis]).reshape([]))
    c.set(concat([ends, places], axis=-1))
