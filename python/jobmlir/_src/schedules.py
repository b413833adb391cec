"""Learning rates as functions of the step, and their warm-ups."""

from . import arguments, errors, text
from .blob import Blob

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


def linear_warmup(steps, start_multiplier):
    """Increases linearly from start_multiplier times the learning rate to the full
    learning rate over `steps` steps."""
    steps = require_int(steps, "the steps of a warm-up")
    start = require_number(start_multiplier, "start_multiplier")
    if not 0 <= start <= 1:
        _fail(f"expects start_multiplier to be in [0, 1] but got {start_multiplier!r}")
    return Warmup(f"#job.linear_warmup<steps = {steps}, start = {text.number(start)}>")


def constant_warmup(steps, multiplier):
    """The learning rate times `multiplier` over the first `steps` steps."""
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


class PiecewiseConstantScheduler(LrScheduler):
    """values[i] for the first i with step <= boundaries[i], else the last
    value. Without boundaries, a constant learning rate."""

    def __init__(self, boundaries, values, warmup=None):
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


class CosineScheduler(LrScheduler):
    """Cosine decay from base_lr to alpha * base_lr over `steps` steps."""

    def __init__(self, base_lr, steps, alpha=0.0, warmup=None):
        base = require_number(base_lr, "base_lr")
        steps = require_int(steps, "steps")
        alpha = require_number(alpha, "alpha")
        super().__init__(
            f"#job.cosine_schedule<base = {text.number(base)}, steps = {steps}, "
            f"alpha = {text.number(alpha)}>",
            warmup,
        )


class CustomScheduler(LrScheduler):
    """The learning rate that the job computes: `lbn` is the name of a blob with one
    float (its logical_blob_name), or the blob itself."""

    def __init__(self, lbn):
        if not isinstance(lbn, (str, Blob)):
            _fail(f"expects lbn to be the name of a blob but got {lbn!r}")
        super().__init__(None, None)
        self.blob = lbn


class PiecewiseScalingScheduler(PiecewiseConstantScheduler):
    """base_lr up to the first boundary, then base_lr times the scale of each range: the
    scales are not multiplied with each other. One number is the scale of all ranges
    but the first."""

    def __init__(self, base_lr, boundaries, scale, warmup=None):
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

    def __init__(self, base_lr, steps, decay_rate, staircase=False, warmup=None):
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


class ExponentialScheduler(_DecayScheduler):
    """base_lr * decay_rate ** (step / steps); with `staircase` the quotient is rounded
    down."""

    _mnemonic = "exponential_schedule"

    @staticmethod
    def _require_rate(rate):
        if not rate > 0:
            _fail(f"expects decay_rate to be positive but got {rate}")


class NaturalExpScheduler(_DecayScheduler):
    """base_lr * exp(-decay_rate * step / steps); with `staircase` the quotient of the
    step and `steps` is rounded down."""

    _mnemonic = "natural_exp_schedule"


class InverseTimeScheduler(_DecayScheduler):
    """base_lr / (1 + decay_rate * step / steps); with `staircase` the quotient of the
    step and `steps` is rounded down."""

    _mnemonic = "inverse_time_schedule"

    @staticmethod
    def _require_rate(rate):
        if not rate >= 0:
            _fail(f"expects decay_rate to be at least 0 but got {rate}")


class PolynomialScheduler(LrScheduler):
    """(base_lr - end_learning_rate) * (1 - min(step, steps) / steps) ** power +
    end_learning_rate. With `cycle` the decay starts again, from a lower learning rate,
    after every `steps` steps: `steps` in the formula is its first multiple that is not
    below the step."""

    def __init__(
        self,
        base_lr,
        steps,
        end_learning_rate=0.0001,
        power=1.0,
        cycle=False,
        warmup=None,
    ):
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


class LinearCosineScheduler(LrScheduler):
    """base_lr * ((alpha + (steps - t) / steps) * (1 + cos(2 * pi * num_periods * t /
    steps)) / 2 + beta), where t = min(step, steps) (Bello et al. 2017)."""

    def __init__(
        self, base_lr, steps, num_periods=0.5, alpha=0.0, beta=0.001, warmup=None
    ):
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
