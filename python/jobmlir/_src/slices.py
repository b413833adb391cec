"""Slices of blobs, as Python has them."""

import builtins
import typing

from . import arguments
from . import dtype as dtypes
from .math_ops import splat


class Slice(typing.NamedTuple):
    """The elements of a slice: in each dimension `size` ones from `offset` on, `stride`
    apart, in the reverse order in the dimensions `backwards`."""

    offsets: list
    sizes: list
    strides: list
    backwards: tuple = ()


def bounds(op, shape, triples):
    """The Slice of a list with (start, stop, step) for each dimension, or for the first
    ones, where None is the default, of a number or of all three. No dimension is
    empty."""
    if not isinstance(triples, (list, tuple)) or len(triples) > len(shape):
        op.fail(
            f"expects a list of at most {len(shape)} (start, stop, step) but got "
            f"{triples!r}"
        )
    offsets, sizes, strides, backwards = [], [], [], []
    for dim, extent in enumerate(shape):
        triple = triples[dim] if dim < len(triples) else None
        triple = (None,) * 3 if triple is None else triple
        if (
            not isinstance(triple, (list, tuple))
            or len(triple) != 3
            or not all(e is None or arguments.is_int(e) for e in triple)
        ):
            op.fail(f"expects (start, stop, step) but got {triple!r}")
        if triple[2] == 0:
            op.fail(f"expects a step other than 0 in dimension {dim} but got 0")
        start, stop, step = builtins.slice(*triple).indices(extent)
        count = len(range(start, stop, step))
        if count == 0:
            op.fail(
                f"expects at least one element in dimension {dim} of extent {extent} "
                f"but got {tuple(triple)}"
            )
        if step < 0:
            start, step = start + (count - 1) * step, -step
            backwards.append(dim)
        offsets.append(start)
        sizes.append(count)
        strides.append(step)
    return Slice(offsets, sizes, strides, tuple(backwards))


def reverse(op, x, dims):
    """`x` with the order along dimensions reversed."""
    for dim in dims:
        extent = x.shape[dim]
        if extent > 1:
            counted = op("iota", axis=0, result=([extent], "i64"))
            last = splat(op, extent - 1, [extent], dtypes.int64)
            places = op("sub", last, counted)
            x = op("gather", x, places, axis=dim, batch_dims=0)
    return x


def take(op, x, part):
    """A Slice of a blob."""
    taken = op(
        "slice", x, offsets=part.offsets, sizes=part.sizes, strides=part.strides
    )
    return reverse(op, taken, part.backwards)


def place(op, value, shape, part):
    """A blob of `shape` with the elements of `value`, which has the shape of the Slice
    `part`, at the places of this and zeros elsewhere."""
    ends = [
        extent - 1 - offset - (size - 1) * stride
        for extent, offset, size, stride in zip(shape, *part[:3])
    ]
    return op(
        "pad",
        reverse(op, value, part.backwards),
        low=part.offsets,
        high=ends,
        interior=[stride - 1 for stride in part.strides],
        value=0.0,
    )
