"""How blobs are distributed over devices, of which there is one in this version: hints
are checked and kept, the parts of a blob are the blob."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import arguments, errors, scopes
from .blob import Blob, BlobDef
from .deprecation import old_name
from .documentation import family_of_values, of_op
from .hints import Blobs
from .trace import begin

# The axes that a blob may be split along.
_MAX_AXIS = 10

_fail = errors.failing(errors.ArgumentError)


class Distribution:
    """A distribution; there is one object of each."""

    def __init__(self, text, axis=None):
        self._text = text
        self.axis = axis

    def __repr__(self):
        return self._text


_SPLITS = [Distribution(f"split({axis})", axis) for axis in range(_MAX_AXIS + 1)]
_BROADCAST = Distribution("broadcast()")
_AUTO = Distribution("auto()")


def split(axis: int) -> Distribution:
    """The distribution in which each device has a part along an axis.

    Args:
        axis: The axis, 0 to 10.

    Returns:
        A distribution.

    Raises:
        ArgumentError: The axis is out of range.
    """
    if not arguments.is_int(axis) or not 0 <= axis <= _MAX_AXIS:
        _fail(f"expects an axis from 0 to {_MAX_AXIS} to split but got {axis!r}")
    return _SPLITS[axis]


def broadcast() -> Distribution:
    """The distribution in which each device has all of a blob.

    Returns:
        A distribution.
    """
    return _BROADCAST


def auto() -> Distribution:
    """The distribution that the compiler decides.

    Returns:
        A distribution.
    """
    return _AUTO


def assert_is_valid_distribute(distribute: object, msg: str = "") -> None:
    """Raises an error unless a value is a distribution.

    Args:
        distribute: What split, broadcast or auto gives.
        msg: The message of the error; empty is one by default.

    Raises:
        ArgumentError: It is none.
    """
    if not isinstance(distribute, Distribution):
        _fail(
            msg
            or f"expects what distribute.split, broadcast or auto gives but got "
            f"{distribute!r}"
        )


def check(fail, distribute, what, rank=None):
    """Checks an argument that is a distribution of a blob of `rank` dimensions."""
    if not isinstance(distribute, Distribution):
        fail(
            f"expects {what} to be what distribute.split, broadcast or auto gives but "
            f"got {distribute!r}"
        )
    if rank is not None and distribute.axis is not None and distribute.axis >= rank:
        fail(
            f"expects {what} to split an axis below {rank}, the number of dimensions, "
            f"but got {distribute}"
        )


# ===- Hints of blobs ------------------------------------------------------===#


_of_hint = family_of_values(
    returns="The blob.",
    raises={
        "ArgumentError": "The axis is out of range.",
        "JobBuildAndInferError": "It is no distribution, or splits no axis of the blob.",
    },
    distribute="What distribute.split, broadcast or auto gives.",
)


@_of_hint
def _with_distribute(self: Blob, distribute: Distribution) -> Blob:
    """The blob, for consumers that take it in a distribution."""
    check(self._trace.fail, distribute, "distribute", len(self.shape))
    return self._hinted(distribute)


@_of_hint
def _with_split_distribute(self: Blob, axis: int) -> Blob:
    """The blob, for consumers that take a part of it on each device.

    Args:
        axis: The axis of the parts.
    """
    return self.with_distribute(split(axis))


@_of_hint
def _with_broadcast_distribute(self: Blob) -> Blob:
    """The blob, for consumers that take all of it on each device."""
    return self.with_distribute(_BROADCAST)


def _distribute(self: Blob) -> Distribution:
    """The distribution that with_distribute has given it, else auto."""
    return self._distribute or _AUTO


Blob.with_distribute = _with_distribute
Blob.with_split_distribute = _with_split_distribute
Blob.with_broadcast_distribute = _with_broadcast_distribute
Blob.distribute = property(_distribute)


@_of_hint
def _with_gradient_distribute(self: Blob, distribute: Distribution) -> Blob:
    """The blob; its gradient is in a distribution."""
    check(self._trace.fail, distribute, "distribute", len(self.shape))
    return self


Blob.with_gradient_distribute = _with_gradient_distribute


@of_op
def parallel_cast(
    input: BlobDef,
    name: str | None = None,
    distribute: Distribution | None = None,
    gradient_distribute: Distribution | None = None,
) -> Blob:
    """A blob in a distribution, and its gradient in another one.

    Args:
        input: (...), any element type; may be dynamic.
        distribute: The distribution, or None.
        gradient_distribute: That of the gradient, or None.

    Returns:
        input.
    """
    op = begin("parallel_cast", name, "ParallelCast")
    blob = op.blob(input, "input", dynamic=True)
    rank = len(blob.shape)
    if gradient_distribute is not None:
        check(op.fail, gradient_distribute, "gradient_distribute", rank)
    if distribute is None:
        return blob
    check(op.fail, distribute, "distribute", rank)
    return blob._hinted(distribute)


@of_op
def cast_to_current_logical_view(x: BlobDef) -> Blob:
    """A blob in the view of the ops here.

    Args:
        x: (...), any element type; may be dynamic.

    Returns:
        x.
    """
    op = begin("cast_to_current_logical_view", None, "CastToView")
    return op.blob(x, "x", dynamic=True)


# ===- Parts on each device ------------------------------------------------===#


def _parts(op, xs):
    """The only blob of a list with one per device."""
    if not isinstance(xs, (list, tuple)):
        op.fail(f"expects a list with one blob per device but got {xs!r}")
    if len(xs) != 1:
        op.fail(
            f"expects a list with one blob per device, of which there is one, but got "
            f"{len(xs)}"
        )
    return op.blob(xs[0], "the blob", dynamic=True)


def _check_axis(op, blob, axis):
    rank = len(blob.shape)
    if not arguments.is_int(axis) or not 0 <= axis < rank:
        op.fail(f"expects an axis in [0, {rank}) but got {axis!r}")


@of_op
def distribute_clone(x: BlobDef, name: str | None = None) -> tuple[Blob, ...]:
    """A blob on each device.

    Args:
        x: (...), any element type; may be dynamic.

    Returns:
        One blob for each device.

    Raises:
        UnsupportedError: There are several devices.
    """
    op = begin("advanced.distribute_clone", name, "DistributeClone")
    scopes.require_one_device("advanced.distribute_clone")
    return (op.blob(x, "x", dynamic=True),)


@of_op
def distribute_add(xs: Blobs, name: str | None = None) -> Blob:
    """The sum of the blobs of all devices.

    Args:
        xs: One blob for each device, of any element type.

    Returns:
        A blob of their shape and element type.

    Raises:
        UnsupportedError: There are several devices.
    """
    op = begin("advanced.distribute_add", name, "DistributeAdd")
    scopes.require_one_device("advanced.distribute_add")
    return _parts(op, xs)


@of_op
def distribute_split(
    x: BlobDef, axis: int = 0, name: str | None = None
) -> tuple[Blob, ...]:
    """The part of a blob of each device.

    Args:
        x: (...), any element type; may be dynamic.
        axis: The axis of the parts.

    Returns:
        One blob for each device.

    Raises:
        UnsupportedError: There are several devices.
    """
    op = begin("advanced.distribute_split", name, "DistributeSplit")
    scopes.require_one_device("advanced.distribute_split")
    blob = op.blob(x, "x", dynamic=True)
    _check_axis(op, blob, axis)
    return (blob,)


@of_op
def distribute_concat(xs: Blobs, axis: int = 0, name: str | None = None) -> Blob:
    """The parts of all devices as one blob.

    Args:
        xs: One blob for each device, of any element type.
        axis: The axis of the parts.

    Returns:
        A blob of their element type.

    Raises:
        UnsupportedError: There are several devices.
    """
    op = begin("advanced.distribute_concat", name, "DistributeConcat")
    scopes.require_one_device("advanced.distribute_concat")
    blob = _parts(op, xs)
    _check_axis(op, blob, axis)
    return blob


@of_op
def distribute_map(
    xs: BlobDef | Blobs, f: Callable[..., Any], axis: int = 0
) -> Blob | tuple[Blob, ...]:
    """A function of the parts of each device, joined along an axis.

    Args:
        xs: A blob, or the operands of f, of any element types.
        f: A function of blobs that gives a blob or several.
        axis: The axis of the parts.

    Returns:
        A blob, or a tuple if f gives several.

    Raises:
        UnsupportedError: There are several devices.
    """
    op = begin("advanced.distribute_map", None, "DistributeMap")
    if not callable(f):
        op.fail(f"expects a function to map but got {f!r}")
    listed = xs if isinstance(xs, (list, tuple)) else [xs]
    results = f(*(distribute_split(x, axis)[0] for x in listed))
    if isinstance(results, Blob):
        return distribute_concat([results], axis)
    return tuple(distribute_concat([result], axis) for result in results)


# ===- Older names ---------------------------------------------------------===#


consistent_strategy = old_name(
    "distribute.consistent_strategy", scopes.consistent_view, "scope.consistent_view"
)
mirrored_strategy = old_name(
    "distribute.mirrored_strategy", scopes.mirrored_view, "scope.mirrored_view"
)
consistent_strategy_enabled = old_name(
    "distribute.consistent_strategy_enabled",
    scopes.consistent_view_enabled,
    "scope.consistent_view_enabled",
)
mirrored_strategy_enabled = old_name(
    "distribute.mirrored_strategy_enabled",
    scopes.mirrored_view_enabled,
    "scope.mirrored_view_enabled",
)
