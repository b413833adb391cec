"""Learning rates as functions of the step, and their warm-ups."""

from __future__ import annotations

from collections.abc import Sequence

from . import arguments, errors, text
from .blob import Blob, BlobDef
from .documentation import documented
from .hints import Number

_fail = errors.failing(errors.TrainConfError)


def require_number(value, what):
    return arguments.number(_fail, value, what)


def require_int(value, what, least=1):
    if not arguments.is_int(value):
        _fail(f"expects {what} to be an int but got {value!r}")
    if value < least:
        _fail(f"expects {what} to be at least {least} but got {arguments.show(value)}")
    if not arguments.fits_int64(value):
        _fail(f"expects {what} to be below 2^63 but got {arguments.show(value)}")
    return int(value)


class Warmup:
    """Replaces a schedule over the first steps."""

    def __init__(self, attribute):
        self.attribute = attribute


def linear_warmup(steps: int, start_multiplier: Number) -> Warmup:
    """A learning rate that increases linearly over the first steps.

    Args:
        steps: The number of steps.
        start_multiplier: The factor of the learning rate at the first step, in [0, 1].

    Returns:
        What a scheduler takes as warmup.

    Raises:
        TrainConfError: An argument is out of range.
    """
    steps = require_int(steps, "the steps of a warm-up")
    start = require_number(start_multiplier, "start_multiplier")
    if not 0 <= start <= 1:
        _fail(f"expects start_multiplier to be in [0, 1] but got {start_multiplier!r}")
    return Warmup(f"#job.linear_warmup<steps = {steps}, start = {text.number(start)}>")


def constant_warmup(steps: int, multiplier: Number) -> Warmup:
    """A part of the learning rate over the first steps.

    Args:
        steps: The number of steps.
        multiplier: The factor of the learning rate, in [0, 1].

    Returns:
        What a scheduler takes as warmup.

    Raises:
        TrainConfError: An argument is out of range.
    """
    steps = require_int(steps, "the steps of a warm-up")
    part = require_number(multiplier, "multiplier")
    if not 0 <= part <= 1:
        _fail(f"expects multiplier to be in [0, 1] but got {multiplier!r}")
    return Warmup(
        f"#job.constant_warmup<steps = {steps}, multiplier = {text.number(part)}>"
    )


class LrScheduler:
    """A learning rate as a function of the step."""

    # The learning rate itself, as the name of a blob, in place of a function.
    blob = None

    def __init__(self, attribute, warmup):
        if warmup is not None and not isinstance(warmup, Warmup):
            _fail(
                "expects a warm-up such as optimizer.warmup.linear(...) but got "
                f"{warmup!r}"
            )
        self.attribute = attribute
        self.warmup = warmup


def constant_attribute(learning_rate):
    return f"#job.constant_schedule<{text.number(learning_rate)}>"


@documented
class PiecewiseConstantScheduler(LrScheduler):
    """values[i] for the first i with step <= boundaries[i], else the last value.

    Args:
        boundaries: Steps in increasing order; without any, the rate is constant.
        values: One learning rate more than boundaries.

    Raises:
        TrainConfError: The lists do not fit.
    """

    def __init__(
        self,
        boundaries: Sequence[int],
        values: Sequence[float],
        warmup: Warmup | None = None,
    ) -> None:
        if not isinstance(boundaries, (list, tuple)) or not isinstance(
            values, (list, tuple)
        ):
            _fail(f"expects two lists but got {boundaries!r} and {values!r}")
        if len(values) != len(boundaries) + 1:
            _fail(
                f"expects {len(boundaries) + 1} values for {len(boundaries)} "
                f"boundaries but got {len(values)}"
            )
        values = [require_number(value, "each value") for value in values]
        steps = [require_int(step, "each boundary", 0) for step in boundaries]
        for before, after in zip(steps, steps[1:]):
            if before >= after:
                _fail(f"expects boundaries to increase but got {steps}")
        if not steps:
            attribute = constant_attribute(values[0])
        else:
            attribute = (
                "#job.piecewise_constant_schedule<boundaries = "
                f"[{', '.join(map(str, steps))}], values = "
                f"[{', '.join(map(text.number, values))}]>"
            )
        super().__init__(attribute, warmup)


@documented
class CosineScheduler(LrScheduler):
    """base_lr * (alpha + (1 - alpha) * (1 + cos(pi * min(step, steps) / steps)) / 2).

    Args:
        steps: The number of steps of the decay.
        alpha: The factor of the learning rate at the end.

    Raises:
        TrainConfError: An argument is out of range.
    """

    def __init__(
        self,
        base_lr: Number,
        steps: int,
        alpha: Number = 0.0,
        warmup: Warmup | None = None,
    ) -> None:
        base = require_number(base_lr, "base_lr")
        steps = require_int(steps, "steps")
        alpha = require_number(alpha, "alpha")
        super().__init__(
            f"#job.cosine_schedule<base = {text.number(base)}, steps = {steps}, "
            f"alpha = {text.number(alpha)}>",
            warmup,
        )


@documented
class CustomScheduler(LrScheduler):
    """The learning rate that the job computes.

    Args:
        lbn: The logical_blob_name of a blob with one float, or the blob itself.

    Raises:
        TrainConfError: lbn is neither.
    """

    def __init__(self, lbn: str | BlobDef) -> None:
        if not isinstance(lbn, (str, Blob)):
            _fail(f"expects lbn to be the name of a blob but got {lbn!r}")
        super().__init__(None, None)
        self.blob = lbn


@documented
class PiecewiseScalingScheduler(PiecewiseConstantScheduler):
    """base_lr up to the first boundary, then base_lr times the scale of each range.

    The scales are not multiplied with each other.

    Args:
        boundaries: Steps in increasing order.
        scale: A factor for each boundary, or one for all.

    Raises:
        TrainConfError: The lists do not fit.
    """

    def __init__(
        self,
        base_lr: Number,
        boundaries: Sequence[int],
        scale: float | Sequence[float],
        warmup: Warmup | None = None,
    ) -> None:
        base = require_number(base_lr, "base_lr")
        if not isinstance(boundaries, (list, tuple)):
            _fail(f"expects a list of boundaries but got {boundaries!r}")
        if isinstance(scale, (list, tuple)):
            if len(scale) != len(boundaries):
                _fail(
                    f"expects {len(boundaries)} scales for {len(boundaries)} "
                    f"boundaries but got {len(scale)}"
                )
            scales = [require_number(each, "each scale") for each in scale]
        else:
            scales = [require_number(scale, "scale")] * len(boundaries)
        values = [base, *(base * each for each in scales)]
        super().__init__(boundaries, values, warmup)


class _DecayScheduler(LrScheduler):
    """A learning rate that decays by the quotient of the step and `steps`, which
    `staircase` rounds down."""

    def __init__(
        self,
        base_lr: Number,
        steps: int,
        decay_rate: Number,
        staircase: bool = False,
        warmup: Warmup | None = None,
    ) -> None:
        base = require_number(base_lr, "base_lr")
        steps = require_int(steps, "steps")
        rate = require_number(decay_rate, "decay_rate")
        self._require_rate(rate)
        arguments.bools(_fail, staircase=staircase)
        super().__init__(
            f"#job.{self._mnemonic}<base = {text.number(base)}, steps = {steps}, "
            f"rate = {text.number(rate)}, staircase = {'true' if staircase else 'false'}>",
            warmup,
        )

    @staticmethod
    def _require_rate(rate):
        pass


@documented
class ExponentialScheduler(_DecayScheduler):
    """base_lr * decay_rate^(step / steps).

    Args:
        steps: The number of steps after which decay_rate is multiplied once.
        decay_rate: A positive number.

    Raises:
        TrainConfError: An argument is out of range.
    """

    _mnemonic = "exponential_schedule"

    @staticmethod
    def _require_rate(rate):
        if not rate > 0:
            _fail(f"expects decay_rate to be positive but got {rate}")


@documented
class NaturalExpScheduler(_DecayScheduler):
    """base_lr * e^(-decay_rate * step / steps).

    Args:
        steps: The divisor of the step.
        decay_rate: The factor in the exponent.

    Raises:
        TrainConfError: An argument is out of range.
    """

    _mnemonic = "natural_exp_schedule"


@documented
class InverseTimeScheduler(_DecayScheduler):
    """base_lr / (1 + decay_rate * step / steps).

    Args:
        steps: The divisor of the step.
        decay_rate: A factor, at least 0.

    Raises:
        TrainConfError: An argument is out of range.
    """

    _mnemonic = "inverse_time_schedule"

    @staticmethod
    def _require_rate(rate):
        if not rate >= 0:
            _fail(f"expects decay_rate to be at least 0 but got {rate}")


@documented
class PolynomialScheduler(LrScheduler):
    """(base_lr - end) * (1 - min(step, steps) / steps)^power + end.

    Args:
        steps: The number of steps of the decay.
        end_learning_rate: The learning rate at the end.
        power: The exponent, positive.
        cycle: Whether the decay starts again, from a lower learning rate, after every
            steps: steps in the formula is its first multiple that is not below the
            step.

    Raises:
        TrainConfError: An argument is out of range.
    """

    def __init__(
        self,
        base_lr: Number,
        steps: int,
        end_learning_rate: Number = 0.0001,
        power: Number = 1.0,
        cycle: bool = False,
        warmup: Warmup | None = None,
    ) -> None:
        base = require_number(base_lr, "base_lr")
        steps = require_int(steps, "steps")
        end = require_number(end_learning_rate, "end_learning_rate")
        power = require_number(power, "power")
        if not power > 0:
            _fail(f"expects power to be positive but got {power}")
        arguments.bools(_fail, cycle=cycle)
        super().__init__(
            f"#job.polynomial_schedule<base = {text.number(base)}, steps = {steps}, "
            f"end = {text.number(end)}, power = {text.number(power)}, "
            f"cycle = {'true' if cycle else 'false'}>",
            warmup,
        )


@documented
class LinearCosineScheduler(LrScheduler):
    """A cosine with a linear decay (Bello et al. 2017).

    base_lr * ((alpha + (steps - t) / steps) * (1 + cos(2 * pi * num_periods * t /
    steps)) / 2 + beta), where t = min(step, steps).

    Args:
        steps: The number of steps of the decay.
        num_periods: The number of periods of the cosine.
        alpha: What is added to the linear part.
        beta: What is added at the end.

    Raises:
        TrainConfError: An argument is out of range.
    """

    def __init__(
        self,
        base_lr: Number,
        steps: int,
        num_periods: Number = 0.5,
        alpha: Number = 0.0,
        beta: Number = 0.001,
        warmup: Warmup | None = None,
    ) -> None:
        base = require_number(base_lr, "base_lr")
        steps = require_int(steps, "steps")
        periods = require_number(num_periods, "num_periods")
        alpha = require_number(alpha, "alpha")
        beta = require_number(beta, "beta")
        super().__init__(
            f"#job.linear_cosine_schedule<base = {text.number(base)}, steps = {steps}, "
            f"periods = {text.number(periods)}, alpha = {text.number(alpha)}, "
            f"beta = {text.number(beta)}>",
            warmup,
        )
