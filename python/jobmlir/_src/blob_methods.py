"""Indexing of blobs, and the methods that users of NumPy expect."""

from __future__ import annotations

import builtins

import numpy

from . import arguments, array_ops, errors, math_ops, reduce_ops, slices
from .blob import Blob, BlobDef
from .documentation import family, of_op
from .hints import Axes, Shape
from .host_graph import HostBlob
from .trace import begin

_ALL = builtins.slice(None)


def _is_item(item):
    return (
        item is None
        or item is Ellipsis
        or arguments.is_int(item)
        or isinstance(item, builtins.slice)
    )


def _items(op, x, key):
    """An index as a list with an item for each dimension, in which None stands for a
    new one."""
    items = list(key) if isinstance(key, tuple) else [key]
    for item in items:
        if not _is_item(item):
            op.fail(
                "expects an index of ints, slices, None and ... but got "
                f"{type(item).__name__}; gather takes indices in a blob",
                errors.BlobValueError,
            )
    rests = [i for i, item in enumerate(items) if item is Ellipsis]
    if len(rests) > 1:
        op.fail(f"expects an index with one ... at most but got {len(rests)}")
    used = sum(item is not None and item is not Ellipsis for item in items)
    rank = len(x.shape)
    if used > rank:
        op.fail(f"expects at most {rank} indices for shape {x.shape} but got {used}")
    at = rests[0] if rests else len(items)
    return items[:at] + [_ALL] * (rank - used) + items[at + 1 :]


def _bounds_of(op, item, extent, dim):
    """(start, stop, step) of an item of an index."""
    if not isinstance(item, builtins.slice):
        if not -extent <= item < extent:
            op.fail(
                f"expects an index in [{-extent}, {extent}) in dimension {dim} but got "
                f"{arguments.show(item)}"
            )
        return int(item) % extent, int(item) % extent + 1, 1
    for bound in (item.start, item.stop, item.step):
        if bound is not None and not arguments.is_int(bound):
            op.fail(
                f"expects a slice of ints and None but got {item!r}",
                errors.BlobValueError,
            )
    if item.step == 0:
        op.fail(f"expects a step other than 0 but got {item!r}")
    if len(range(*item.indices(extent))) == 0:
        op.fail(
            f"expects at least one element in dimension {dim} of extent {extent} but "
            f"got {item!r}"
        )
    return item.start, item.stop, item.step


def _get(x, key):
    """Elements as NumPy's basic indexing has them: an int drops its dimension, a slice
    keeps it, None adds one of extent 1, and `...` stands for all other dimensions."""
    op = begin("an index", None, "Index")
    x = op.blob(x, "x")
    items = _items(op, x, key)
    indexed = [item for item in items if item is not None]
    part = slices.bounds(
        op,
        x.shape,
        [_bounds_of(op, *each) for each in zip(indexed, x.shape, range(len(x.shape)))],
    )
    sizes = part.sizes
    if sizes == list(x.shape):
        result = slices.reverse(op, x, part.backwards)
    else:
        result = slices.take(op, x, part)
    shape, extents = [], iter(sizes)
    for item in items:
        extent = 1 if item is None else next(extents)
        if item is None or isinstance(item, builtins.slice):
            shape.append(extent)
    if (shape or [1]) == sizes:
        return result
    return op("reshape", result, result=(shape or [1], x.dtype.mlir))


_of_axes = family(
    returns="A blob without the axes, or with extent 1 there; (1,) if none is left.",
    axis="An axis, a list of axes, or None for all.",
)


def _reduction(name, function):
    def method(self: Blob, axis: Axes = None, keepdims: bool = False) -> Blob:
        return function(self, axis, keepdims)

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"math.{function.__name__} of the blob."
    return _of_axes(method)


for _name in ("mean", "sum", "max", "min"):
    setattr(Blob, _name, _reduction(_name, getattr(reduce_ops, f"reduce_{_name}")))


@of_op
def _reshape(self: Blob, *shape: int | Shape) -> Blob:
    """The same elements in another shape, as reshape.

    Args:
        shape: A list of ints, or ints.

    Returns:
        A blob of that shape.
    """
    is_listed = len(shape) == 1 and not arguments.is_int(shape[0])
    return array_ops.reshape(self, shape[0] if is_listed else list(shape))


def _matmul(left, right):
    # The op rejects an array, since it has the user's line.
    if not all(isinstance(one, (BlobDef, numpy.ndarray)) for one in (left, right)):
        return NotImplemented
    return math_ops.matmul(left, right)


def _set(x, key, value):
    """Always an error: the value of a blob does not change."""
    begin("an assignment", None, "Index").fail(
        "expects an index to read from but got an assignment: where and concat make a "
        "new blob, experimental.logical_slice_assign writes a part of a variable",
        errors.BlobValueError,
    )


# Records and images, which are no operands, get the errors of the ops.
for _class in (Blob, HostBlob):
    _class.__getitem__ = _get
    _class.__matmul__ = _matmul
    _class.__rmatmul__ = lambda self, other: _matmul(other, self)
Blob.__setitem__ = _set
Blob.reshape = _reshape
