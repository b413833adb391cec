"""Argument checks shared by several op families. Each reports the wrong argument
through the OpScope `op`, or the function `fail`, that is passed in."""

import math
import numbers
import operator
import os
import sys

import numpy

from . import errors, text

# Limits of the dialect: elements of a blob, and ints as attributes.
_MAX_ELEMENTS = 2**59
_MAX_INT = 2**63 - 1


def is_int(value):
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def is_bool(value):
    return isinstance(value, (bool, numpy.bool_))


def is_number(value):
    """Whether `value` is a real number, including NumPy scalars."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def is_masked(value):
    """Whether `value` is a masked array. NumPy imports them when they are first
    named, which takes longer than a job's tracing."""
    masked = getattr(sys.modules.get("numpy.ma"), "MaskedArray", ())
    return isinstance(value, masked)


def is_shape(value):
    """Whether `value` is a list or tuple of positive ints."""
    return isinstance(value, (list, tuple)) and all(
        is_int(extent) and extent > 0 for extent in value
    )


def scalar(value):
    """The one element of a NumPy array without dimensions; else `value`."""
    is_array = isinstance(value, numpy.ndarray) and value.ndim == 0
    return value[()] if is_array else value


def fits_int64(value):
    return -_MAX_INT - 1 <= value <= _MAX_INT


def is_finite(value):
    """Whether a real number is finite as a float64."""
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def too_many_elements(shape):
    """The reason why this shape of positive ints is too large for a blob, or None."""
    if math.prod(map(int, shape)) > _MAX_ELEMENTS:
        return "expects at most 2^59 elements but got more"
    return None


def show(value):
    """`value` as text for a message. Python cannot print very large ints."""
    if is_int(value) and not -(2**128) < value < 2**128:
        return f"an int of {int(value).bit_length()} bits"
    return repr(value)


def number(fail, value, what):
    """A finite float from a real number."""
    value = scalar(value)
    if not is_number(value):
        fail(f"expects {what} to be a number but got {value!r}")
    if not is_finite(value):
        fail(f"expects {what} to be finite but got {show(value)}")
    return float(value)


def bools(fail, **values):
    """Rejects values other than bools, such as "no", which Python counts as true."""
    for what, value in values.items():
        if not is_bool(value):
            fail(f"expects {what} to be a bool but got {value!r}")


def array(fail, value, what):
    """A NumPy array from any value that converts to one; a ragged list does not, and
    a masked array would lose its mask."""
    if is_masked(value):
        fail(
            f"expects {what} without a mask but got a masked array",
            errors.ArgumentTypeError,
        )
    try:
        return numpy.asarray(value)
    except ValueError:
        pass
    fail(f"expects {what} but got {type(value).__name__}")


def path(fail, value, what):
    """A path as a str, from a str or a path-like object."""
    if not isinstance(value, (str, os.PathLike)) or not os.fspath(value):
        fail(f"expects a path to {what} but got {value!r}")
    value = os.fsdecode(value)
    if not text.is_unicode(value):
        fail(f"expects a path that UTF-8 can encode to {what} but got {value!r}")
    if "\0" in value:
        fail(f"expects a path without null characters to {what} but got {value!r}")
    return value


def shape(op, value, what="shape"):
    """A list of ints from a list or tuple of ints."""
    if not isinstance(value, (list, tuple)) or not all(map(is_int, value)):
        op.fail(f"expects {what} to be a list of ints but got {value!r}")
    return [int(extent) for extent in value]


def extents(op, value, what="shape"):
    """The shape of a new blob from a list or tuple of positive ints."""
    listed = shape(op, value, what)
    for dim, extent in enumerate(listed):
        if extent < 1:
            op.fail(
                f"expects positive extents but got {show(extent)} in dimension {dim}"
            )
    if reason := too_many_elements(listed):
        op.fail(reason)
    return listed


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


def axis(op, value, rank):
    """One axis from an int."""
    if not is_int(value):
        op.fail(f"expects axis to be an int but got {value!r}")
    if not -rank <= value < rank:
        op.fail(f"expects an axis in [{-rank}, {rank}) but got {show(value)}")
    return int(value) % rank


def one_of(op, value, choices, what):
    # An array would be compared with each choice element by element.
    if isinstance(value, numpy.ndarray) or value not in choices:
        listed = ", ".join(map(repr, choices))
        op.fail(f"expects {what} to be one of {listed} but got {value!r}")
    return value
