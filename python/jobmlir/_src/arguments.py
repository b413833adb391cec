"""Checks that several families of ops share. Each error names the argument
through the OpScope that is passed in."""

import numbers
import operator


def is_int(value):
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def shape(op, value, what="shape"):
    """A list of ints from a list or tuple of ints."""
    if not isinstance(value, (list, tuple)) or not all(map(is_int, value)):
        op.fail(f"expects {what} to be a list of ints but got {value!r}")
    return [int(extent) for extent in value]


def pair(op, value, what):
    """(height, width) from an int, or a list of one or two."""
    if is_int(value):
        value = [value]
    if not isinstance(value, (list, tuple)) or not all(map(is_int, value)):
        op.fail(f"expects {what} to be an int or a list of ints but got {value!r}")
    if len(value) not in (1, 2):
        op.fail(f"expects one or two values of {what} but got {len(value)}")
    return [int(value[0]), int(value[-1])]


def axes(op, axis, rank):
    """Distinct axes in ascending order from an int, a list of ints, or None
    for all."""
    if axis is None:
        return list(range(rank))
    listed = [axis] if is_int(axis) else axis
    if not isinstance(listed, (list, tuple)) or not all(map(is_int, listed)):
        op.fail(f"expects axis to be an int, a list of ints or None but got {axis!r}")
    out = set()
    for one in map(operator.index, listed):
        if not -rank <= one < rank:
            op.fail(f"expects an axis in [{-rank}, {rank}) but got {one}")
        out.add(one % rank)
    if len(out) != len(listed):
        op.fail(f"expects distinct axes but got {axis!r}")
    return sorted(out)


def one_of(op, value, choices, what):
    if value not in choices:
        listed = ", ".join(map(repr, choices))
        op.fail(f"expects {what} to be one of {listed} but got {value!r}")
    return value
