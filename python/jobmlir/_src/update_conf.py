"""config.train.model_update_conf: an optimizer, its schedule and what else belongs to
it, as a dictionary."""

import copy
import warnings

from . import clipping, frames, schedules, weight_decay
from . import optimizer_rules as rules
from .minimize import Minimize

_fail = rules.fail


def _fields(conf, what, required=(), **defaults):
    """The fields of one dictionary of the configuration."""
    if not isinstance(conf, dict):
        _fail(f"expects {what} to be a dict but got {conf!r}")
    for key in conf:
        if key not in required and key not in defaults:
            known = ", ".join([*required, *defaults]) or "none"
            _fail(f"expects fields of {what} out of {known} but got {key!r}")
    for key in required:
        if key not in conf:
            _fail(f"expects field {key!r} in {what} but got {sorted(conf)}")
    return {**defaults, **conf}


def _choose(conf, what, known):
    """The one entry of `conf` among `known`, as (name, value)."""
    if not isinstance(conf, dict):
        _fail(f"expects {what} to be a dict but got {conf!r}")
    for key in conf:
        if key not in known:
            _fail(f"expects {what} to be one of {', '.join(known)} but got {key!r}")
    if len(conf) != 1:
        _fail(f"expects one of {', '.join(known)} in {what} but got {sorted(conf)}")
    return next(iter(conf.items()))


def _rule(name, build, **defaults):
    return lambda conf: build(**_fields(conf, name, **defaults))


_RULES = {
    "naive_conf": _rule("naive_conf", rules.sgd),
    "momentum_conf": _rule("momentum_conf", rules.momentum, beta=0.9),
    "rmsprop_conf": _rule(
        "rmsprop_conf", rules.rmsprop, decay_rate=0.99, epsilon=1e-8, centered=False
    ),
    "lars_conf": _rule(
        "lars_conf",
        rules.lars,
        momentum_beta=0.9,
        epsilon=1e-9,
        lars_coefficient=1e-4,
    ),
    "adam_conf": _rule(
        "adam_conf",
        lambda do_bias_correction, **moments: rules.adam(
            bias_correction=do_bias_correction, **moments
        ),
        beta1=0.9,
        beta2=0.999,
        epsilon=1e-8,
        do_bias_correction=False,
    ),
    "lazy_adam_conf": _rule(
        "lazy_adam_conf", rules.lazy_adam, beta1=0.9, beta2=0.999, epsilon=1e-8
    ),
    "lamb_conf": _rule(
        "lamb_conf", rules.lamb, beta1=0.9, beta2=0.999, epsilon=1e-6
    ),
}


def _piecewise_schedule(conf, base, warmup):
    fields = _fields(conf, "piecewise_constant_conf", required=("boundaries", "values"))
    return schedules.PiecewiseConstantScheduler(
        fields["boundaries"], fields["values"], warmup
    )


def _cosine_schedule(conf, base, warmup):
    fields = _fields(conf, "cosine_conf", required=("decay_batches",), alpha=0.0)
    return schedules.CosineScheduler(
        base, fields["decay_batches"], fields["alpha"], warmup
    )


def _decay_schedule(name, scheduler):
    def build(conf, base, warmup):
        fields = _fields(
            conf, name, required=("decay_batches", "decay_rate"), staircase=False
        )
        return scheduler(
            base,
            fields["decay_batches"],
            fields["decay_rate"],
            fields["staircase"],
            warmup,
        )

    return build


def _polynomial_schedule(conf, base, warmup):
    fields = _fields(
        conf,
        "polynomial_conf",
        required=("decay_batches",),
        end_learning_rate=0.0001,
        power=1.0,
        cycle=False,
    )
    return schedules.PolynomialScheduler(
        base,
        fields["decay_batches"],
        fields["end_learning_rate"],
        fields["power"],
        fields["cycle"],
        warmup,
    )


def _linear_cosine_schedule(conf, base, warmup):
    fields = _fields(
        conf,
        "linear_cosine_conf",
        required=("decay_batches",),
        num_periods=0.5,
        alpha=0.0,
        beta=0.001,
    )
    return schedules.LinearCosineScheduler(
        base,
        fields["decay_batches"],
        fields["num_periods"],
        fields["alpha"],
        fields["beta"],
        warmup,
    )


def _scaling_schedule(conf, base, warmup):
    fields = _fields(conf, "piecewise_scaling_conf", required=("boundaries", "scales"))
    return schedules.PiecewiseScalingScheduler(
        base, fields["boundaries"], fields["scales"], warmup
    )


_DECAYS = {
    "exponential_conf": _decay_schedule(
        "exponential_conf", schedules.ExponentialScheduler
    ),
    "inverse_time_conf": _decay_schedule(
        "inverse_time_conf", schedules.InverseTimeScheduler
    ),
    "natural_exp_conf": _decay_schedule(
        "natural_exp_conf", schedules.NaturalExpScheduler
    ),
    "piecewise_constant_conf": _piecewise_schedule,
    "polynomial_conf": _polynomial_schedule,
    "cosine_conf": _cosine_schedule,
    "linear_cosine_conf": _linear_cosine_schedule,
    "piecewise_scaling_conf": _scaling_schedule,
}


def _linear_warmup(conf):
    fields = _fields(
        conf, "linear_conf", required=("warmup_batches", "start_multiplier")
    )
    return schedules.linear_warmup(
        fields["warmup_batches"], fields["start_multiplier"]
    )


def _constant_warmup(conf):
    fields = _fields(conf, "constant_conf", required=("warmup_batches", "multiplier"))
    return schedules.constant_warmup(fields["warmup_batches"], fields["multiplier"])


_WARMUPS = {"constant_conf": _constant_warmup, "linear_conf": _linear_warmup}


def _clipping(conf):
    kind, fields = _choose(conf, "clip_conf", ("clip_by_global_norm",))
    fields = _fields(fields, kind, required=("clip_norm",))
    return clipping.by_global_norm(fields["clip_norm"])


def _patterns(conf, what):
    return None if conf is None else _fields(conf, what, pattern=[])["pattern"]


def _weight_decay(conf):
    fields = _fields(
        conf,
        "weight_decay_conf",
        required=("weight_decay_rate",),
        includes=None,
        excludes=None,
    )
    return weight_decay.from_arguments(
        fields["weight_decay_rate"],
        _patterns(fields["includes"], "includes"),
        _patterns(fields["excludes"], "excludes"),
    )


class ModelUpdateConf:
    """A checked model_update_conf."""

    def __init__(self, conf):
        if not isinstance(conf, dict):
            _fail(f"expects model_update_conf to be a dict but got {conf!r}")
        # For those who ask what was set.
        self.conf = copy.deepcopy(conf)
        conf = dict(conf)
        decay = conf.pop("learning_rate_decay", None)
        warmup = conf.pop("warmup_conf", None)
        clip = conf.pop("clip_conf", None)
        weights = conf.pop("weight_decay_conf", None)
        kind, fields = _choose(conf, "model_update_conf", _RULES)
        self._rule = _RULES[kind](fields)
        self._clipping = None if clip is None else _clipping(clip)
        self._decay = None if weights is None else _weight_decay(weights)
        if self._decay and kind == "rmsprop_conf":
            warnings.warn(
                "weight_decay_conf has no effect with rmsprop_conf, as in OneFlow",
                UserWarning,
                stacklevel=frames.warn_stacklevel(),
            )
            self._decay = None
        self._warmup = None
        if warmup is not None:
            kind, fields = _choose(warmup, "warmup_conf", _WARMUPS)
            self._warmup = _WARMUPS[kind](fields)
        self._schedule = (
            None if decay is None else _choose(decay, "learning_rate_decay", _DECAYS)
        )
        # Errors are where the user wrote the dictionary.
        self._scheduler(1.0)

    def _scheduler(self, learning_rate):
        if self._schedule is None:
            return schedules.PiecewiseConstantScheduler(
                [], [learning_rate], self._warmup
            )
        kind, fields = self._schedule
        return _DECAYS[kind](fields, learning_rate, self._warmup)

    def minimize(self, learning_rate, policy, place):
        """The Minimize of a job with this model_update_conf."""
        return Minimize(
            self._rule,
            self._scheduler(learning_rate),
            policy,
            place,
            self._clipping,
            self._decay,
        )
