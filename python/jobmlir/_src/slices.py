"""Bounds of slices, as Python has them."""

import builtins

from . import arguments


def bounds(op, shape, triples):
    """(offsets, sizes, strides) of a list with (start, stop, step) for each dimension,
    or for the first ones, where None is the default. Steps are positive and no
    dimension is empty."""
    if not isinstance(triples, (list, tuple)) or len(triples) > len(shape):
        op.fail(
            f"expects a list of at most {len(shape)} (start, stop, step) but got "
            f"{triples!r}"
        )
    offsets, sizes, strides = [], [], []
    for dim, extent in enumerate(shape):
        triple = triples[dim] if dim < len(triples) else (None,) * 3
        if (
            not isinstance(triple, (list, tuple))
            or len(triple) != 3
            or not all(e is None or arguments.is_int(e) for e in triple)
        ):
            op.fail(f"expects (start, stop, step) but got {triple!r}")
        if triple[2] is not None and triple[2] < 1:
            op.fail(f"expects a positive step in dimension {dim} but got {triple[2]}")
        start, stop, step = builtins.slice(*triple).indices(extent)
        count = len(range(start, stop, step))
        if count == 0:
            op.fail(
                f"expects at least one element in dimension {dim} of extent {extent} "
                f"but got {tuple(triple)}"
            )
        offsets.append(start)
        sizes.append(count)
        strides.append(step)
    return offsets, sizes, strides


def take(op, x, offsets, sizes, strides):
    """A slice of a blob."""
    return op("slice", x, offsets=offsets, sizes=sizes, strides=strides)


def place(op, part, shape, offsets, sizes, strides):
    """A blob of `shape` with the elements of `part`, which has the shape `sizes`, at
    the places of a slice and zeros elsewhere."""
    last = [o + (n - 1) * s for o, n, s in zip(offsets, sizes, strides)]
    return op(
        "pad",
        part,
        low=offsets,
        high=[extent - 1 - end for extent, end in zip(shape, last)],
        interior=[stride - 1 for stride in strides],
        value=0.0,
    )
