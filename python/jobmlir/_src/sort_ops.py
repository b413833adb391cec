"""Sorting of rows, and what is computed from sorted rows."""

from __future__ import annotations

import math

from . import arguments
from . import dtype as dtypes
from .blob import Blob, BlobDef
from .documentation import of_op
from .hints import DType
from .math_ops import compare, splat
from .trace import begin

DIRECTIONS = ("ASCENDING", "DESCENDING")


def _order(op, x, descending):
    return op("argsort", x, **({"descending": op.text("unit")} if descending else {}))


def _take(op, x, indices):
    """The elements of each row of `x` at the indices of the same row."""
    last = len(x.shape) - 1
    return op("gather", x, indices, axis=last, batch_dims=last)


@of_op
def argsort(
    input: BlobDef, direction: str = "ASCENDING", name: str | None = None
) -> Blob:
    """The indices that sort the last axis.

    Equal elements stay in the order of their indices, and NaN comes last, in both
    directions. It has no gradient.

    Args:
        input: (...), any element type.
        direction: "ASCENDING" or "DESCENDING".

    Returns:
        A blob of i32 of the shape of input.
    """
    op = begin("argsort", name, "ArgSort")
    x = op.blob(input, "input")
    arguments.one_of(op, direction, DIRECTIONS, "direction")
    return _order(op, x, direction == "DESCENDING")


@of_op
def sort(input: BlobDef, direction: str = "ASCENDING", name: str | None = None) -> Blob:
    """The last axis sorted.

    NaN comes last in both directions. The gradient of an element goes to where it comes
    from.

    Args:
        input: (...), any element type.
        direction: "ASCENDING" or "DESCENDING".

    Returns:
        A blob of the shape and element type of input.
    """
    op = begin("sort", name, "Sort")
    x = op.blob(input, "input")
    arguments.one_of(op, direction, DIRECTIONS, "direction")
    return _take(op, x, _order(op, x, direction == "DESCENDING"))


@of_op
def top_k(
    input: BlobDef, k: int = 1, sorted: bool = True, name: str | None = None
) -> Blob:
    """The indices of the largest elements along the last axis, the largest first.

    Of equal elements the lower index comes first, and NaN is less than all numbers. The
    values are a gather of the indices. It has no gradient.

    Args:
        input: (..., N), any element type.
        k: How many, from 1 to N.
        sorted: Has no effect: they are always sorted.

    Returns:
        (..., k), i32.
    """
    op = begin("math.top_k", name, "TopK")
    x = op.blob(input, "input")
    arguments.bools(op.fail, sorted=sorted)
    extent = x.shape[-1]
    if not arguments.is_int(k) or not 1 <= k <= extent:
        op.fail(f"expects k to be an int in [1, {extent}] but got {k!r}")
    order = _order(op, x, descending=True)
    rank = len(x.shape)
    sizes = [*x.shape[:-1], int(k)]
    return op("slice", order, offsets=[0] * rank, sizes=sizes, strides=[1] * rank)


def _part(op, x, first, count):
    return op("slice", x, offsets=[first], sizes=[count], strides=[1])


@of_op
def unique_with_counts(
    x: BlobDef, out_idx: DType | None = None, name: str | None = None
) -> tuple[Blob, Blob, Blob, Blob]:
    """The different elements of a blob, in the order of their first places.

    NaN is different from all elements. Only y has a gradient.

    Args:
        x: (N,), any element type.
        out_idx: int32 or int64, the element type of the last three results; None is
            int32.

    Returns:
        (y, idx, count, num_unique). The first num_unique, (1,), elements of y and
        count, (N,), are the different elements and how often each occurs; the others
        are 0, and a job returns y and count without them. idx, (N,), is the place in y
        of each element.

    Raises:
        ArgumentTypeError: out_idx is no element type.
        UnsupportedError: out_idx is none that blobs have.
    """
    op = begin("experimental.unique_with_counts", name, "UniqueWithCounts")
    x = op.blob(x, "x")
    out_idx = dtypes.int32 if out_idx is None else out_idx
    kind = dtypes.require_mlir(out_idx, f"op {op.name}")
    if out_idx not in (dtypes.int32, dtypes.int64):
        op.fail(f"expects out_idx to be int32 or int64 but got {out_idx.canonical}")
    if len(x.shape) != 1:
        op.fail(f"expects x of one dimension but got shape {x.shape}")
    (n,) = x.shape
    order = _order(op, x, descending=False)
    ordered = _take(op, x, order)
    is_first = splat(op, 1, [1], dtypes.int8)
    if n > 1:
        differs = compare(
            op, _part(op, ordered, 1, n - 1), _part(op, ordered, 0, n - 1), "ne"
        )
        differs = op("cast", differs, result=((n - 1,), "i8"))
        is_first = op("concat", is_first, differs, axis=0)
    is_first = compare(op, is_first, splat(op, 0, [n], dtypes.int8), "ne")
    none = splat(op, -1, [n], order.dtype)
    one = splat(op, 1, [n], order.dtype)
    places = op("iota", axis=0, result=([n], "i32"))

    def firsts(indices):
        """How many of the indices are at most 0, 1, ..., and the indices in order, -1
        behind them."""
        chosen = op("select", is_first, indices, none)
        groups = op("group_indices", chosen, extent=n)
        numbers, positions = _part(op, groups, 0, n), _part(op, groups, n, n)
        return numbers, positions

    # Of each run of equal elements of the sorted ones: its number, where it begins, and
    # the first place of its element.
    numbers, begins = firsts(places)
    runs = op("sub", numbers, one)
    first_places = _take(op, order, _take(op, begins, runs))
    # First places before each place.
    before, by_place = firsts(order)
    ids = op("sub", _take(op, before, first_places), one)
    idx = op("scatter_add", ids, order, axis=0, extent=n)
    count = op("scatter_add", one, idx, axis=0, extent=n)
    num_unique = _part(op, before, n - 1, 1)
    # by_place has positions of sorted elements.
    is_there = compare(op, by_place, splat(op, 0, [n], order.dtype), "ge")
    sources = _take(
        op, order, op("select", is_there, by_place, splat(op, 0, [n], order.dtype))
    )
    y = op("select", is_there, _take(op, x, sources), splat(op, 0, [n], x.dtype))

    def typed(blob):
        return op("cast", blob, result=(blob.shape, kind))

    rows = typed(num_unique)
    return _trimmed(y, rows), typed(idx), _trimmed(typed(count), rows), rows


def _trimmed(blob, rows):
    """The blob, of which a job returns only its first rows."""
    blob._rows = rows
    return blob


@of_op
def indexed_slices_reduce_sum(
    indices: BlobDef, values: BlobDef, name: str | None = None
) -> tuple[Blob, Blob, Blob]:
    """The sums of the slices that have the same index.

    Args:
        indices: (...), i8/u8/i32/i64.
        values: indices.shape and then the shape of a slice, any element type.

    Returns:
        (indices, values, num_unique). Of the N results, the first num_unique, (1,), are
        the different indices, in the order of their first places, and their sums; the
        others are 0, and a job returns the results without them.
    """
    op = begin("experimental.indexed_slices_reduce_sum", name, "IndexedSlicesReduceSum")
    indices, values = op.blob(indices, "indices"), op.blob(values, "values")
    if indices.dtype.is_float():
        op.fail(f"expects indices of ints but got {indices.dtype.canonical}")
    rank = len(indices.shape)
    if values.shape[:rank] != indices.shape:
        op.fail(
            f"expects values of a shape that begins with {indices.shape} but got "
            f"{values.shape}"
        )
    n = math.prod(indices.shape)
    flat = op("reshape", indices, result=([n], indices.dtype.mlir))
    shape = [n, *values.shape[rank:]]
    rows = op("reshape", values, result=(shape, values.dtype.mlir))
    different, places, _, count = unique_with_counts(flat, name=f"{op.name}-unique")
    sums = op("scatter_add", rows, places, axis=0, extent=n)
    return different, _trimmed(sums, count), count
