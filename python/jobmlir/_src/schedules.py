"""Learning rates as functions of the step, and their warm-ups."""

from . import arguments, errors, frames, text


def _fail(message, cls=errors.TrainConfError):
    raise cls(errors.located(message, frames.user_frames()))


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


class LrScheduler:
    """A learning rate as a function of the step."""

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
