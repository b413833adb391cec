"""Penalties of variables: their gradients are added to those of the losses, before
anything is clipped; the losses that a job returns have none."""

from __future__ import annotations

import typing

from . import arguments, errors, math_ops, scopes
from . import dtype as dtypes
from .documentation import family_of_values
from .hints import Number
from .trace import OpScope


class Regularizer(typing.NamedTuple):
    """The factors of the sign of a variable, where that of 0 is 1, and of its value."""

    l1: float
    l2: float


_fail = errors.failing(errors.ArgumentError)


def _factor(value, what):
    value = arguments.number(_fail, value, what)
    if value < 0:
        _fail(f"expects {what} to be at least 0 but got {value}")
    return value


_of_penalty = family_of_values(
    returns="What get_variable and layers take as a regularizer.",
    raises={"ArgumentError": "A factor is negative or no finite number."},
)


@_of_penalty
def l1_l2(l1: Number = 0.01, l2: Number = 0.01) -> Regularizer:
    """Adds l1 * sign(w) + l2 * w to the gradient of a variable w.

    Args:
        l1: A factor, at least 0.
        l2: A factor, at least 0.
    """
    return Regularizer(_factor(l1, "l1"), _factor(l2, "l2"))


@_of_penalty
def l1(l: Number = 0.01) -> Regularizer:
    """Adds l * sign(w) to the gradient of a variable w.

    Args:
        l: A factor, at least 0.
    """
    return Regularizer(_factor(l, "l"), 0.0)


@_of_penalty
def l2(l: Number = 0.01) -> Regularizer:
    """Adds l * w to the gradient of a variable w.

    Args:
        l: A factor, at least 0.
    """
    return Regularizer(0.0, _factor(l, "l"))


def check(fail, regularizer, what):
    """Checks an argument that is a regularizer or None."""
    if regularizer is not None and not isinstance(regularizer, Regularizer):
        fail(
            f"expects {what} to be a regularizer such as oneflow.regularizers.l2() but "
            f"got {regularizer!r}"
        )


# ===- In training jobs -----------------------------------------------------===#


def _trained(losses):
    """The names of the variables that losses depend on through blobs of floats."""
    names, seen, stack = set(), set(), list(losses)
    while stack:
        blob = stack.pop()
        if id(blob) in seen or not blob.dtype.is_float():
            continue
        seen.add(id(blob))
        if blob._variable is not None:
            names.add(blob._variable)
        stack.extend(blob._operands)
    return names


def _scaled(op, blob, factor):
    return op("mul", *math_ops.operands(op, [blob, factor]))


def _penalty(op, value, regularizer):
    """A blob with one element, whose gradient is that of the regularizer."""
    zero = math_ops.splat(op, 0, value.shape, value.dtype)
    terms = []
    if regularizer.l1:
        # Of abs, the gradient at 0 is 0.
        is_negative = math_ops.compare(op, value, zero, "lt")
        magnitude = op("select", is_negative, op("neg", value), value)
        terms.append(_scaled(op, magnitude, regularizer.l1))
    if regularizer.l2:
        terms.append(_scaled(op, op("mul", value, value), regularizer.l2 / 2))
    total = terms[0] if len(terms) == 1 else op("add", *terms)
    axes = list(range(len(value.shape)))
    return op("reduce_sum", total, axes=axes, keepdims=False)


def _add_penalty(op, value, regularizer, loss):
    """Marks the penalty of one variable as a loss beside `loss`."""
    if value.dtype in (dtypes.float16, dtypes.bfloat16):
        # The gradient of the broadcast is a sum over the losses' elements.
        value = op("cast", value, result=(value.shape, "f32"))
    penalty = math_ops.broadcast(op, _penalty(op, value, regularizer), loss.shape)
    if penalty.dtype != loss.dtype:
        penalty = op("cast", penalty, result=(loss.shape, loss.dtype.mlir))
    if loss._micro_steps > 1:
        penalty = op("broadcast_micro_steps", penalty, count=loss._micro_steps)
    op("loss", penalty)


def add_penalties(trace):
    """Marks the penalties of the variables that a training job trains as losses: blobs
    of the size of its other losses, so that their means are the penalties. They are
    computed where the variables are."""
    trained = _trained(trace.losses) if trace.regularizers else ()
    for name, (regularizer, value, place) in trace.regularizers.items():
        if name not in trained or not trace.trains(name):
            continue
        if not regularizer.l1 and not regularizer.l2:
            continue
        op = OpScope(trace, "regularizer", f"{name}-regularizer", place)
        with scopes.placed(value._scope):
            _add_penalty(op, value, regularizer, trace.losses[0])
