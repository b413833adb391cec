"""Loss scales: gradients are those of the losses times a factor, by which they are
divided before the update."""

from __future__ import annotations

from . import dtype, errors, initializers, schedules, text
from .hints import Number
from .trace import Variable

_fail = errors.failing(errors.TrainConfError)


def _require(value, what, low, relation):
    value = schedules.require_number(value, what)
    if not value > low:
        _fail(f"expects {what} to be {relation} but got {value}")
    return value


class LossScale:
    """Base class of the policies. Equal ones are one policy of a job."""

    def __eq__(self, other):
        return type(self) is type(other) and vars(self) == vars(other)

    __hash__ = None

    def attributes(self, op, place):
        """The attributes of job.minimize in the job of the OpScope `op`."""
        raise NotImplementedError


class StaticLossScale(LossScale):
    """One factor for all steps."""

    def __init__(self, factor):
        self.factor = factor

    def attributes(self, op, place):
        return {"loss_scale": self.factor}


class DynamicLossScale(LossScale):
    """A factor in a variable, which the job itself changes."""

    def __init__(self, initial, period, multiplier):
        self.initial = initial
        self.period = period
        self.multiplier = multiplier

    def _state(self, trace, what, element, initial, place):
        name = f"System-Train-{what}-{trace.job_name}"
        made = Variable(
            name,
            (1,),
            element,
            initializers.constant_initializer(initial).attribute((1,)),
            False,
            trace,
            place,
        )
        # Another entry of the job may have made it.
        trace.module_trace.variables.setdefault(name, made)
        return text.symbol(name)

    def attributes(self, op, place):
        scale = self._state(op.trace, "LossScale", dtype.float32, self.initial, place)
        steps = self._state(op.trace, "GoodSteps", dtype.int64, 0.0, place)
        return {
            "dynamic_loss_scale": op.text(
                f"#job.dynamic_loss_scale<scale = {scale}, good_steps = {steps}, "
                f"period = {self.period}, "
                f"multiplier = {text.number(self.multiplier)}>"
            )
        }


def static_loss_scale(loss_scale_factor: Number) -> LossScale:
    """One loss scale for all steps.

    Args:
        loss_scale_factor: A positive number.

    Returns:
        A policy for an optimizer.

    Raises:
        TrainConfError: The factor is not positive.
    """
    return StaticLossScale(
        _require(loss_scale_factor, "loss_scale_factor", 0, "positive")
    )


def dynamic_loss_scale(
    initial_loss_scale: Number = 2**15,
    increment_period: int = 2000,
    multiplier: Number = 2.0,
) -> LossScale:
    """A loss scale that follows the gradients.

    It is divided by multiplier after a step with a gradient that is not finite, which
    updates no variable, and multiplied by it after increment_period other steps in a
    row.

    Args:
        initial_loss_scale: The first factor, positive.
        increment_period: How many steps, positive.
        multiplier: A number above 1.

    Returns:
        A policy for an optimizer.

    Raises:
        TrainConfError: An argument is out of range.
    """
    initial = _require(initial_loss_scale, "initial_loss_scale", 0, "positive")
    period = schedules.require_int(increment_period, "increment_period")
    multiplier = _require(multiplier, "multiplier", 1, "greater than 1")
    return DynamicLossScale(initial, period, multiplier)


def from_arguments(factor, policy):
    """The policy of an optimizer with these arguments."""
    if factor is not None and policy is not None:
        _fail(
            "expects loss_scale_factor or loss_scale_policy but got both, "
            f"{factor!r} and {policy!r}"
        )
    if policy is None:
        return StaticLossScale(1.0) if factor is None else static_loss_scale(factor)
    if not isinstance(policy, LossScale):
        _fail(
            "expects loss_scale_policy to be what optimizer.loss_scale makes, such as "
            f"dynamic_loss_scale(), but got {policy!r}"
        )
    return policy
