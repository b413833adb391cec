"""The update rules of optimizers: their arguments, checked, in MLIR's syntax.

A rule is a function of the names of the variables that it updates; it may depend on
the job's settings."""

from . import arguments, errors, frames, schedules, text
from .trace import current_or_none


def fail(message, cls=errors.TrainConfError):
    raise cls(errors.located(message, frames.user_frames()))


def _decay(value, what):
    value = schedules.require_number(value, what)
    if not 0 <= value < 1:
        fail(f"expects {what} to be in [0, 1) but got {value}")
    return value


def _positive(value, what):
    value = schedules.require_number(value, what)
    if not value > 0:
        fail(f"expects {what} to be positive but got {value}")
    return value


# The smallest normal number of float32.
_SMALLEST = 2.0**-126


def _epsilon(value):
    """0 becomes the smallest normal number: the same steps, but no 0 / 0 where there is
    no gradient."""
    value = schedules.require_number(value, "epsilon")
    if not value >= 0:
        fail(f"expects epsilon to be at least 0 but got {value}")
    return max(value, _SMALLEST)


def _fields(**values):
    def show(value):
        return str(value).lower() if isinstance(value, bool) else text.number(value)

    return ", ".join(f"{name} = {show(value)}" for name, value in values.items())


def _constant(attribute):
    return lambda names: attribute


def sgd():
    return _constant("#job.sgd")


def momentum(beta):
    beta = _decay(beta, "momentum")
    return _constant(f"#job.momentum<{_fields(beta=beta)}>") if beta else sgd()


def _moments(beta1, beta2, epsilon):
    return {
        "beta1": _decay(beta1, "beta1"),
        "beta2": _decay(beta2, "beta2"),
        "epsilon": _epsilon(epsilon),
    }


def adam(beta1, beta2, epsilon, bias_correction):
    arguments.bools(fail, do_bias_correction=bias_correction)
    fields = _moments(beta1, beta2, epsilon)
    bias_correction = bool(bias_correction)
    return _constant(f"#job.adam<{_fields(**fields, bias_correction=bias_correction)}>")


def lazy_adam(beta1, beta2, epsilon):
    fields = _fields(**_moments(beta1, beta2, epsilon))

    def attribute(names):
        conf = current_or_none().config.get("indexed_slices_optimizer_conf") or {}
        listed = conf.get("include_op_names", {}).get("op_name", ())
        if not conf.get("enable", True):
            listed = ()
        sparse = ", ".join(text.symbol(name) for name in names if name in listed)
        return f"#job.lazy_adam<{fields}{f', sparse = [{sparse}]' if sparse else ''}>"

    return attribute


def lamb(beta1, beta2, epsilon):
    return _constant(f"#job.lamb<{_fields(**_moments(beta1, beta2, epsilon))}>")


def rmsprop(decay_rate, epsilon, centered):
    arguments.bools(fail, centered=centered)
    fields = _fields(
        decay_rate=_decay(decay_rate, "decay_rate"),
        epsilon=_epsilon(epsilon),
        centered=bool(centered),
    )
    return _constant(f"#job.rmsprop<{fields}>")


def lars(momentum_beta, epsilon, lars_coefficient):
    fields = _fields(
        beta=_decay(momentum_beta, "momentum_beta"),
        epsilon=_epsilon(epsilon),
        coefficient=_positive(lars_coefficient, "lars_coefficient"),
    )
    return _constant(f"#job.lars<{fields}>")
