"""The optimizers: how variables follow from gradients."""

import copy

from . import clipping, loss_scale, minimize, schedules, weight_decay
from . import optimizer_rules as rules

_fail = rules.fail


# Of every constructor, which may also have those of weight decay.
_SHARED = (
    "lr_scheduler",
    "loss_scale_factor",
    "loss_scale_policy",
    "grad_clipping",
    "train_step_lbn",
    "variables",
)


def _shared(arguments):
    """The arguments of Optimizer among those of the constructor of a subclass."""
    shared = {name: arguments[name] for name in _SHARED}
    if "weight_decay" in arguments:
        shared["decay"] = weight_decay.from_arguments(
            arguments["weight_decay"],
            arguments["weight_decay_includes"],
            arguments["weight_decay_excludes"],
        )
    return shared


class Optimizer:
    """Base class of the optimizers. Their common arguments:

    lr_scheduler: the learning rate, such as PiecewiseConstantScheduler([], [0.1]).
    loss_scale_factor: a factor of the losses, by which gradients are divided.
    grad_clipping: what optimizer.grad_clipping makes.
    train_step_lbn: the name of a blob with one int, which is the step of the learning
        rate in place of the job's counter.
    loss_scale_policy: what optimizer.loss_scale makes.
    variables: what it updates, as of minimize; or a function that returns this, which
        minimize calls.

    A step divides the gradients by the loss scale, adds those of regularizers, clips
    them, and updates the variables. With a dynamic loss scale, a step with a gradient
    that is not finite updates none."""

    def __init__(
        self,
        rule,
        lr_scheduler,
        loss_scale_factor,
        loss_scale_policy,
        grad_clipping=None,
        train_step_lbn=None,
        variables=None,
        decay=None,
    ):
        if not isinstance(lr_scheduler, schedules.LrScheduler):
            _fail(
                "expects a learning-rate scheduler such as "
                f"optimizer.PiecewiseConstantScheduler([], [0.1]) but got {lr_scheduler!r}"
            )
        self._rule = rule
        self._scheduler = lr_scheduler
        self._policy = loss_scale.from_arguments(loss_scale_factor, loss_scale_policy)
        self._clipping = clipping.check(grad_clipping)
        self._step = minimize.check_lbn(_fail, train_step_lbn, "train_step_lbn")
        self._decay = decay
        self._variables = variables

    def minimize(self, loss, variables=None):
        """Minimizes `loss`, a blob or a list of blobs, with this optimizer.

        `variables` is what it updates: a name, a regular expression that is searched
        in names, a blob of get_variable, or a list of these. A str that is the name
        of a variable of the job stands for this one alone. Without it, those of the
        constructor, or else the variables that no other `minimize` of the job
        updates.

        A job may have several with the same losses, each with `variables` but one;
        two for one variable are an error."""
        if variables is None:
            variables = self._variables
            variables = variables() if callable(variables) else variables
        minimize.from_optimizer(self, loss, variables)


class CombinedOptimizer:
    """Several optimizers, each with `variables` but one, which minimize one loss. A
    loss scale that is given here is that of all."""

    def __init__(self, optimizers, loss_scale_factor=None, loss_scale_policy=None):
        if (
            not isinstance(optimizers, (list, tuple))
            or not optimizers
            or not all(isinstance(each, Optimizer) for each in optimizers)
        ):
            _fail(f"expects a list of optimizers but got {optimizers!r}")
        self._optimizers = [copy.copy(each) for each in optimizers]
        if loss_scale_factor is not None or loss_scale_policy is not None:
            policy = loss_scale.from_arguments(loss_scale_factor, loss_scale_policy)
            for each in self._optimizers:
                each._policy = policy

    def minimize(self, loss):
        """Minimizes `loss`, a blob or a list of blobs, with all optimizers."""
        for each in self._optimizers:
            each.minimize(loss)


class SGD(Optimizer):
    """Stochastic gradient descent: w <- w - lr * g; with momentum, which is the
    default, m <- momentum * m - lr * g, then w <- w + m. State: `<name>-momentum`."""

    def __init__(
        self,
        lr_scheduler,
        loss_scale_factor=None,
        momentum=0.9,
        grad_clipping=None,
        train_step_lbn=None,
        loss_scale_policy=None,
        variables=None,
    ):
        super().__init__(rules.momentum(momentum), **_shared(locals()))


class SGDW(Optimizer):
    """SGD with weight decay (Loshchilov and Hutter 2019): lr * weight_decay * w is
    subtracted beside the step of SGD.

    `weight_decay_includes` or `weight_decay_excludes`, a regular expression or a list
    of them, say which variables decay: those in whose name one is found, or none. Both
    together are an error."""

    def __init__(
        self,
        lr_scheduler,
        loss_scale_factor=None,
        momentum=0.9,
        weight_decay=None,
        weight_decay_includes=None,
        weight_decay_excludes=None,
        grad_clipping=None,
        train_step_lbn=None,
        loss_scale_policy=None,
        variables=None,
    ):
        super().__init__(rules.momentum(momentum), **_shared(locals()))


class Adam(Optimizer):
    """Adam (Kingma and Ba 2015): w <- w - lr * m / (sqrt(v) + epsilon), where m and v
    are moving averages of the gradient and its square. With do_bias_correction, lr is
    times sqrt(1 - beta2**t) / (1 - beta1**t) at the step t, counted from 1. State:
    `<name>-m`, `<name>-v`, and `<name>-beta1_t`, `<name>-beta2_t`."""

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
        variables=None,
    ):
        rule = rules.adam(beta1, beta2, epsilon, do_bias_correction)
        super().__init__(rule, **_shared(locals()))


class AdamW(Optimizer):
    """Adam with weight decay (Loshchilov and Hutter 2019): weight_decay * w is added to
    m / (sqrt(v) + epsilon). The patterns are those of SGDW."""

    def __init__(
        self,
        lr_scheduler,
        beta1=0.9,
        beta2=0.999,
        epsilon=1e-08,
        do_bias_correction=False,
        loss_scale_factor=None,
        weight_decay=None,
        weight_decay_includes=None,
        weight_decay_excludes=None,
        grad_clipping=None,
        train_step_lbn=None,
        loss_scale_policy=None,
        variables=None,
    ):
        rule = rules.adam(beta1, beta2, epsilon, do_bias_correction)
        super().__init__(rule, **_shared(locals()))


class RMSProp(Optimizer):
    """RMSProp (Tieleman and Hinton 2012): w <- w - lr * g / sqrt(s + epsilon), where s
    is a moving average of g * g with the decay `decay_rate`. If `centered`, with
    s - a * a for s, where a is a moving average of g (Graves 2013). State:
    `<name>-mean_square`, `<name>-mean_gradient`."""

    def __init__(
        self,
        lr_scheduler,
        decay_rate=0.99,
        epsilon=1e-08,
        centered=False,
        loss_scale_factor=None,
        grad_clipping=None,
        train_step_lbn=None,
        loss_scale_policy=None,
        variables=None,
    ):
        rule = rules.rmsprop(decay_rate, epsilon, centered)
        super().__init__(rule, **_shared(locals()))


class LARS(Optimizer):
    """Layer-wise adaptive rate scaling (You, Gitman and Ginsburg 2017): momentum whose
    rate is lr * lars_coefficient * |w| / (epsilon + |g|) for each variable, where |x|
    is the root mean square of the elements of x. So a variable that is all zeros stays
    so: give it another initializer, or an optimizer of its own. State:
    `<name>-momentum`."""

    def __init__(
        self,
        lr_scheduler,
        momentum_beta=0.9,
        epsilon=1e-09,
        lars_coefficient=0.0001,
        loss_scale_factor=None,
        grad_clipping=None,
        train_step_lbn=None,
        loss_scale_policy=None,
        variables=None,
    ):
        rule = rules.lars(momentum_beta, epsilon, lars_coefficient)
        super().__init__(rule, **_shared(locals()))


class LazyAdam(Optimizer):
    """Adam with bias correction. Of the variables that
    function_config.indexed_slices_optimizer_conf names, such as a table of
    embeddings, a step updates only the rows with a gradient other than 0: the others,
    and their m and v, keep their values."""

    def __init__(
        self,
        lr_scheduler,
        beta1=0.9,
        beta2=0.999,
        epsilon=1e-08,
        loss_scale_factor=None,
        grad_clipping=None,
        train_step_lbn=None,
        loss_scale_policy=None,
        variables=None,
    ):
        super().__init__(rules.lazy_adam(beta1, beta2, epsilon), **_shared(locals()))


class LAMB(Optimizer):
    """Layer-wise adaptive moments (You et al. 2020): with m and v of Adam without their
    bias, r = m / sqrt(v + epsilon), w <- w - lr * |w| / |r| * (r + weight_decay * w),
    where |x| is the norm; the quotient is 1 if a norm is 0. State as of Adam; the
    patterns are those of SGDW."""

    def __init__(
        self,
        lr_scheduler,
        beta1=0.9,
        beta2=0.999,
        epsilon=1e-06,
        loss_scale_factor=None,
        weight_decay=None,
        weight_decay_includes=None,
        weight_decay_excludes=None,
        grad_clipping=None,
        train_step_lbn=None,
        loss_scale_policy=None,
        variables=None,
    ):
        super().__init__(rules.lamb(beta1, beta2, epsilon), **_shared(locals()))
