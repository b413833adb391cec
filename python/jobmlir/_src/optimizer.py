"""Optimizers: objects of the newer API and dictionaries of the older one."""

from . import arguments, errors, frames, loss_scale, losses, schedules, text
from .trace import OpScope, current


def _fail(message, cls=errors.TrainConfError):
    raise cls(errors.located(message, frames.user_frames()))


class Minimize:
    """The optimizer and schedule of a training job, in MLIR's syntax, and the policy
    of its loss scale."""

    def __init__(self, optimizer, schedule, warmup, policy, place):
        self.optimizer = optimizer
        self.schedule = schedule
        self.warmup = warmup
        self.policy = policy
        self.frames = place

    def emit(self, trace):
        op = OpScope(trace, "optimizer", "", self.frames)
        attributes = {
            "optimizer": op.text(self.optimizer),
            "schedule": op.text(self.schedule),
            **self.policy.attributes(op, self.frames),
        }
        if self.warmup:
            attributes["warmup"] = op.text(self.warmup)
        op("minimize", **attributes)


def _decay(value, what):
    value = schedules.require_number(value, what)
    if not 0 <= value < 1:
        _fail(f"expects {what} to be in [0, 1) but got {value}")
    return value


def _momentum_attribute(beta):
    beta = _decay(beta, "momentum")
    return f"#job.momentum<beta = {text.number(beta)}>" if beta else "#job.sgd"


def _adam_attribute(beta1, beta2, epsilon, bias_correction):
    arguments.bools(_fail, do_bias_correction=bias_correction)
    epsilon = schedules.require_number(epsilon, "epsilon")
    if not epsilon > 0:
        _fail(f"expects epsilon to be positive but got {epsilon}")
    return (
        f"#job.adam<beta1 = {text.number(_decay(beta1, 'beta1'))}, "
        f"beta2 = {text.number(_decay(beta2, 'beta2'))}, "
        f"epsilon = {text.number(epsilon)}, "
        f"bias_correction = {'true' if bias_correction else 'false'}>"
    )


class Optimizer:
    """Base class of the optimizers."""

    def __init__(
        self,
        attribute,
        lr_scheduler,
        loss_scale_factor,
        loss_scale_policy,
        **unsupported,
    ):
        for what, value in unsupported.items():
            if value is not None:
                _fail(
                    f"expects {what} to be None in this version but got {value!r}",
                    errors.UnsupportedError,
                )
        if not isinstance(lr_scheduler, schedules.LrScheduler):
            _fail(
                "expects a learning-rate scheduler such as "
                f"optimizer.PiecewiseConstantScheduler([], [0.1]) but got {lr_scheduler!r}"
            )
        self._attribute = attribute
        self._scheduler = lr_scheduler
        self._policy = loss_scale.from_arguments(loss_scale_factor, loss_scale_policy)

    def minimize(self, loss):
        """Minimizes `loss`, a blob or a list of blobs, with this optimizer. May be
        called once in a job."""
        trace = current("optimizer.minimize")
        place = frames.user_frames()
        if trace.kind != "train":
            trace.fail("expects a training job to minimize in but got a predict job")
        if trace.minimize is not None:
            before = trace.minimize.frames
            where = f" at {before[0][0]}:{before[0][1]}" if before else ""
            trace.fail(
                f"expects one minimize in a job but got a second after that{where}"
            )
        blobs = list(loss) if isinstance(loss, (list, tuple)) else [loss]
        if not blobs:
            trace.fail("expects at least one loss but got none")
        for blob in blobs:
            losses.mark(trace, blob, place)
        warmup = self._scheduler.warmup
        trace.minimize = Minimize(
            self._attribute,
            self._scheduler.attribute,
            warmup.attribute if warmup else None,
            self._policy,
            place,
        )


class SGD(Optimizer):
    """Stochastic gradient descent, with momentum unless that is 0."""

    def __init__(
        self,
        lr_scheduler,
        loss_scale_factor=None,
        momentum=0.9,
        grad_clipping=None,
        train_step_lbn=None,
        loss_scale_policy=None,
    ):
        super().__init__(
            _momentum_attribute(momentum),
            lr_scheduler,
            loss_scale_factor,
            loss_scale_policy,
            grad_clipping=grad_clipping,
            train_step_lbn=train_step_lbn,
        )


class Adam(Optimizer):
    """Adam (Kingma and Ba 2015)."""

    def __init__(
        self,
        lr_scheduler,
        beta1=0.9,
        beta2=0.999,
        epsilon=1e-08,
        do_bias_correction=False,
        loss_scale_factor=None,
        grad_clipping=None,
        train_step_lbn=None,
        loss_scale_policy=None,
    ):
        super().__init__(
            _adam_attribute(beta1, beta2, epsilon, do_bias_correction),
            lr_scheduler,
            loss_scale_factor,
            loss_scale_policy,
            grad_clipping=grad_clipping,
            train_step_lbn=train_step_lbn,
        )


# ===- model_update_conf ---------------------------------------------------===#


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


def _choose(conf, what, known, unsupported=()):
    """The one entry of `conf` among `known`, as (name, value)."""
    if not isinstance(conf, dict):
        _fail(f"expects {what} to be a dict but got {conf!r}")
    for key in conf:
        if key in unsupported:
            _fail(
                f"expects no {key} in {what} in this version", errors.UnsupportedError
            )
        if key not in known:
            _fail(f"expects {what} to be one of {', '.join(known)} but got {key!r}")
    if len(conf) != 1:
        _fail(f"expects one of {', '.join(known)} in {what} but got {sorted(conf)}")
    return next(iter(conf.items()))


def _naive(conf):
    _fields(conf, "naive_conf")
    return "#job.sgd"


def _momentum(conf):
    return _momentum_attribute(_fields(conf, "momentum_conf", beta=0.9)["beta"])


def _adam(conf):
    fields = _fields(
        conf,
        "adam_conf",
        beta1=0.9,
        beta2=0.999,
        epsilon=1e-8,
        do_bias_correction=False,
    )
    return _adam_attribute(
        fields["beta1"],
        fields["beta2"],
        fields["epsilon"],
        fields["do_bias_correction"],
    )


_RULES = {"naive_conf": _naive, "momentum_conf": _momentum, "adam_conf": _adam}
_OTHER_RULES = ("rmsprop_conf", "lars_conf", "lazy_adam_conf", "lamb_conf")


def _piecewise_schedule(conf, base):
    fields = _fields(conf, "piecewise_constant_conf", required=("boundaries", "values"))
    return schedules.PiecewiseConstantScheduler(
        fields["boundaries"], fields["values"]
    ).attribute


def _cosine_schedule(conf, base):
    fields = _fields(conf, "cosine_conf", required=("decay_batches",), alpha=0.0)
    return schedules.CosineScheduler(
        base, fields["decay_batches"], fields["alpha"]
    ).attribute


def _decay_schedule(name, scheduler):
    def build(conf, base):
        fields = _fields(
            conf, name, required=("decay_batches", "decay_rate"), staircase=False
        )
        return scheduler(
            base, fields["decay_batches"], fields["decay_rate"], fields["staircase"]
        ).attribute

    return build


def _polynomial_schedule(conf, base):
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
    ).attribute


def _linear_cosine_schedule(conf, base):
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
    ).attribute


def _scaling_schedule(conf, base):
    fields = _fields(conf, "piecewise_scaling_conf", required=("boundaries", "scales"))
    return schedules.PiecewiseScalingScheduler(
        base, fields["boundaries"], fields["scales"]
    ).attribute


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


class ModelUpdateConf:
    """A checked model_update_conf."""

    def __init__(self, conf):
        if not isinstance(conf, dict):
            _fail(f"expects model_update_conf to be a dict but got {conf!r}")
        conf = dict(conf)
        decay = conf.pop("learning_rate_decay", None)
        warmup = conf.pop("warmup_conf", None)
        for key in ("clip_conf", "weight_decay_conf"):
            if key in conf:
                _fail(
                    f"expects no {key} in model_update_conf in this version",
                    errors.UnsupportedError,
                )
        rule, fields = _choose(conf, "model_update_conf", _RULES, _OTHER_RULES)
        self._optimizer = _RULES[rule](fields)
        self._decay = (
            _choose(decay, "learning_rate_decay", _DECAYS)
            if decay is not None
            else None
        )
        if self._decay:
            _DECAYS[self._decay[0]](self._decay[1], 1.0)
        self._warmup = None
        if warmup is not None:
            kind, fields = _choose(warmup, "warmup_conf", _WARMUPS)
            self._warmup = _WARMUPS[kind](fields).attribute

    def minimize(self, learning_rate, policy, place):
        """The Minimize of a job with this model_update_conf."""
        if self._decay:
            kind, fields = self._decay
            schedule = _DECAYS[kind](fields, learning_rate)
        else:
            schedule = schedules.constant_attribute(learning_rate)
        return Minimize(self._optimizer, schedule, self._warmup, policy, place)
