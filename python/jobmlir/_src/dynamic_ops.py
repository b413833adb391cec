"""Dynamic blobs: an axis has an extent that a step decides, up to a bound.

They are computed with as static blobs and counts. The elements before the count of a
static blob, which has the bound, are those of the dynamic one.
"""

from __future__ import annotations

import math
import re

from . import arguments
from . import dtype as dtypes
from .blob import Blob, BlobDef
from .documentation import of_op
from .hints import Blobs, Number
from .math_ops import broadcast, compare, element, splat
from .trace import begin


def make(op, x, count, axis):
    """The dynamic blob of the first `count` elements along an axis of a static blob.
    A step in which the count is negative, or above the extent, fails if the job returns
    the blob."""
    blob = op("slice_to_dynamic", x, count, dim=axis)
    blob._count = count
    blob._static = x
    return blob


def _numbers(op, shape, axis):
    return op("iota", axis=axis, result=(list(shape), "i64"))


def _number(op, value, shape=(1,)):
    return splat(op, value, list(shape), dtypes.int64)


def _spread(op, number, shape):
    return broadcast(op, number, tuple(shape))


def padded(op, x, value=0):
    """A blob of the shape of the bound, with `value` behind the count; a static blob as
    it is."""
    if not x.is_dynamic:
        return x
    if x._static is None:
        return op("pad_to_static", x, x._count, value=value)
    axis, shape = x._dynamic_axis, x.shape
    is_there = compare(
        op, _numbers(op, shape, axis), _spread(op, x._count, shape), "lt"
    )
    return op("select", is_there, x._static, splat(op, value, shape, x.dtype))


@of_op
def pad_to_static(x: BlobDef, value: Number = 0, name: str | None = None) -> Blob:
    """A dynamic blob with the static shape of its bound.

    Args:
        x: (...), any element type; may be dynamic.
        value: The elements past the true extent.

    Returns:
        A static blob of the shape and element type of x.
    """
    op = begin("pad_to_static", name, "PadToStatic")
    x = op.blob(x, "x", dynamic=True)
    if not x.is_dynamic:
        op.fail(f"expects x to be dynamic but got a blob of shape {x.shape}")
    return padded(op, x, element(op, value, x.dtype))


def _extent(op, x, axis):
    """The true extent of an axis."""
    if x._dynamic_axis == axis:
        return x._count
    return _number(op, x.shape[axis])


def _gathered(op, flat, places):
    """The elements at places of a blob of one axis, the last one for a larger place."""
    (n,) = flat.shape
    last = _number(op, n - 1, places.shape)
    return op("gather", flat, op("minimum", places, last), axis=0, batch_dims=0)


def _flatten(op, x):
    """The elements of a blob, one after another, at the front of a blob of one axis,
    and how many they are."""
    n, axis = math.prod(x.shape), x._dynamic_axis
    flat = op("reshape", padded(op, x), result=([n], x.dtype.mlir))
    if axis is None:
        return flat, _number(op, n)
    inner = math.prod(x.shape[axis + 1 :])
    row = op("mul", x._count, _number(op, inner))
    total = op("mul", row, _number(op, math.prod(x.shape[:axis])))
    if axis == 0:
        return flat, total
    # Place p is in slice p // row, where a slice has the bound.
    places = _numbers(op, (n,), 0)
    length = _spread(op, op("maximum", row, _number(op, 1)), (n,))
    slices = op("floor_div", places, length)
    missing = op(
        "sub", _number(op, x.shape[axis] * inner, (n,)), _spread(op, row, (n,))
    )
    places = op("add", places, op("mul", slices, missing))
    return _gathered(op, flat, places), total


def _unflatten(op, flat, total, shape, axis):
    """The dynamic blob, with the bound in `shape`, of the first `total` elements of a
    blob of one axis. No other number of elements makes whole slices: -1 elements, which
    no blob has, say so."""
    (n,) = flat.shape
    outer, inner = math.prod(shape[:axis]), math.prod(shape[axis + 1 :])
    slice_size = _number(op, outer * inner)
    count = op("floor_div", total, slice_size)
    is_whole = compare(op, op("mul", count, slice_size), total, "eq")
    count = op("select", is_whole, count, _number(op, -1))
    row = shape[axis] * inner
    columns = _numbers(op, (outer, row), 1)
    if outer > 1:
        first = op(
            "mul",
            _numbers(op, (outer, row), 0),
            _spread(op, op("mul", count, _number(op, inner)), (outer, row)),
        )
        # Without a row, any place will do.
        columns = op("maximum", op("add", first, columns), _number(op, 0, (outer, row)))
        flat = _gathered(op, flat, columns)
    elif row != n:
        flat = _gathered(op, flat, columns)
    static = op("reshape", flat, result=(list(shape), flat.dtype.mlir))
    return make(op, static, count, axis)


def reshape(op, x, wanted):
    """The elements of a dynamic blob in another shape, whose extent of -1 is dynamic."""
    count = math.prod(x.shape)
    known = math.prod(e for e in wanted if e != -1)
    if -1 not in wanted:
        op.fail(f"expects -1 for the extent of a dynamic blob but got {tuple(wanted)}")
    if known > count:
        op.fail(
            f"expects extents of at most {count} elements, as a blob of at most "
            f"{x.shape} has, but got {tuple(wanted)}"
        )
    axis = wanted.index(-1)
    bounds = [count // known if e == -1 else e for e in wanted]
    return _unflatten(op, *_flatten(op, x), bounds, axis)


@of_op
def sync_dynamic_resize(
    inputs: BlobDef, size: BlobDef, name: str | None = None
) -> Blob:
    """The first rows of a blob, a dynamic blob.

    A step in which size is negative or too large fails if the job returns the blob.

    Args:
        inputs: (N, ...), any element type.
        size: (1,), i32 or i64, the number of rows.

    Returns:
        A dynamic blob of the shape and element type of inputs.
    """
    op = begin("sync_dynamic_resize", name, "SyncDynamicResize")
    x, size = op.blob(inputs, "inputs"), op.blob(size, "size")
    if size.shape != (1,) or size.dtype not in (dtypes.int32, dtypes.int64):
        op.fail(
            "expects a size of int32 or int64 and shape (1,) but got "
            f"{size.dtype.canonical} and {size.shape}"
        )
    if size.dtype != dtypes.int64:
        size = op("cast", size, result=((1,), "i64"))
    return make(op, x, size, 0)


@of_op
def nonzero(a: BlobDef, name: str | None = None) -> Blob:
    """The indices of the elements that are not 0, in row-major order.

    It has no gradient.

    Args:
        a: (...) of rank R, any element type.

    Returns:
        A dynamic blob (R, N) of i32. N is the number of indices, and in the shape of
        the blob its bound.
    """
    op = begin("nonzero", name, "Nonzero")
    a = op.blob(a, "a")
    indices, count = op("argwhere", a, dtype=op.text("i32"))
    rows = op("pad_to_static", indices, count, value=0)
    return make(op, op("transpose", rows, permutation=[1, 0]), count, 1)


# ===- Joining and splitting ------------------------------------------------------===#


def join(op, blobs, axis, bound):
    """The blobs one after another along an axis, which is dynamic in some of them and
    in the result, up to `bound`."""
    statics = [padded(op, blob) for blob in blobs]
    joined = op("concat", *statics, axis=axis) if len(statics) > 1 else statics[0]
    counts = [_extent(op, blob, axis) for blob in blobs]
    places, first, total = _numbers(op, (bound,), 0), 0, None
    sources = places
    for blob, count in zip(blobs, counts):
        if total is not None:
            begins = _spread(op, total, (bound,))
            # From where its elements are to where they have been put.
            moved = op("sub", _number(op, first, (bound,)), begins)
            is_behind = compare(op, places, begins, "ge")
            sources = op("select", is_behind, op("add", places, moved), sources)
        first += blob.shape[axis]
        total = count if total is None else op("add", total, count)
    # A count that no blob has makes one that none has, and not a plausible sum.
    for blob in blobs:
        if blob.is_dynamic:
            for predicate, limit in (("ge", 0), ("le", blob.shape[axis])):
                fits = compare(op, blob._count, _number(op, limit), predicate)
                total = op("select", fits, total, _number(op, -1))
    sources = op("minimum", sources, _number(op, first - 1, (bound,)))
    return make(op, op("gather", joined, sources, axis=axis, batch_dims=0), total, axis)


@of_op
def dynamic_binary_split(
    x: BlobDef, base_shift: int = 2, out_num: int = 2, name: str | None = None
) -> list[Blob]:
    """The elements of a blob as several dynamic blobs of one axis.

    The bounds are powers of two: 2^base_shift bytes for the last blob and the one
    before it, and twice as many for each before; together they have all elements. From
    the first blob on, one is full if so many elements remain, else empty, and the last
    one has the rest.

    Args:
        x: (...), any element type; may be dynamic.
        base_shift: The logarithm of the least bound.
        out_num: The number of blobs, at least 2.

    Returns:
        A list of dynamic blobs of the element type of x.
    """
    op = begin("experimental.dynamic_binary_split", name, "DynamicBinarySplit")
    x = op.blob(x, "x", dynamic=True)
    size = int(re.sub(r"\D", "", x.dtype.mlir)) // 8
    for what, value, least in (
        ("base_shift", base_shift, size.bit_length() - 1),
        ("out_num", out_num, 2),
    ):
        if not arguments.is_int(value) or not least <= value <= 62:
            op.fail(f"expects {what} to be an int in [{least}, 62] but got {value!r}")
    if base_shift + out_num > 62:
        op.fail(
            "expects base_shift + out_num to be at most 62 but got "
            f"{base_shift + out_num}"
        )
    bytes_, room = math.prod(x.shape) * size, 1 << (base_shift + out_num - 1)
    if bytes_ > room:
        op.fail(
            f"expects x of at most {room} bytes, as {out_num} blobs with a base_shift of "
            f"{base_shift} have, but got {bytes_}"
        )
    flat, remaining = _flatten(op, x)
    begins, parts = _number(op, 0), []
    for index in range(out_num):
        is_last = index == out_num - 1
        bound = (1 << (base_shift + max(out_num - 2 - index, 0))) // size
        full = _number(op, bound)
        count = op("minimum", remaining, full)
        if not is_last:
            fits = compare(op, remaining, full, "ge")
            count = op("select", fits, full, _number(op, 0))
        bound = min(bound, flat.shape[0])
        places = op("add", _numbers(op, (bound,), 0), _spread(op, begins, (bound,)))
        parts.append(make(op, _gathered(op, flat, places), count, 0))
        begins = op("add", begins, count)
        remaining = op("sub", remaining, count)
    return parts


@of_op
def dynamic_binary_concat(
    input_blob_list: Blobs,
    source_blob: BlobDef,
    source_sbp: str = "S:0",
    name: str | None = None,
) -> Blob:
    """The parts that dynamic_binary_split has made of a blob as one again.

    Args:
        input_blob_list: The parts, in order.
        source_blob: A blob with the shape and the element type of the result, any
            element type.
        source_sbp: "S:0" to "S:n", "B" or "P": how several devices would store it.

    Returns:
        A dynamic blob of the shape and element type of source_blob.
    """
    op = begin("experimental.dynamic_binary_concat", name, "DynamicBinaryConcat")
    source = op.blob(source_blob, "source_blob", dynamic=True)
    if not isinstance(source_sbp, str) or not re.fullmatch(r"S:\d+|B|P", source_sbp):
        op.fail(f'expects source_sbp to be "S:0", "B" or "P" but got {source_sbp!r}')
    if not isinstance(input_blob_list, (list, tuple)) or len(input_blob_list) < 2:
        op.fail(f"expects a list of at least two blobs but got {input_blob_list!r}")
    parts = [
        op.blob(blob, f"input_blob_list[{i}]", dynamic=True)
        for i, blob in enumerate(input_blob_list)
    ]
    for i, part in enumerate(parts):
        if (part.dtype, len(part.shape)) != (source.dtype, 1):
            op.fail(
                f"expects blobs of one axis and of {source.dtype.canonical} but got "
                f"{part.dtype.canonical} and shape {part.shape} for input_blob_list[{i}]"
            )
    axis = source._dynamic_axis or 0
    joined = join(op, parts, 0, math.prod(source.shape))
    return _unflatten(op, joined._static, joined._count, list(source.shape), axis)
