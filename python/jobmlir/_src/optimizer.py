"""The optimizers: how variables follow from gradients."""

from __future__ import annotations

import copy
from collections.abc import Sequence

from . import clipping, loss_scale, minimize, schedules, weight_decay
from . import optimizer_rules as rules
from .blob import BlobDef
from .clipping import Clipping
from .documentation import documented
from .hints import Blobs, Number, Patterns, Variables
from .loss_scale import LossScale
from .schedules import LrScheduler

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

    def minimize(
        self, loss: BlobDef | Blobs, variables: Variables | None = None
    ) -> None:
        """Minimizes losses with this optimizer.

        A job may have several with the same losses, each with variables but one; two
        for one variable are an error.

        Args:
            loss: (...), f16/bf16/f32/f64, or a list of such blobs.
            variables: What it updates: a name, a regular expression that is searched in
                names, a blob of get_variable, or a list of these. A str that is the
                name of a variable of the job stands for this one alone. None is what
                the constructor got, or else the variables that no other minimize of the
                job updates.

        Raises:
            OutsideJobError: Called outside of a job function.
            TrainConfError: The job is no training job, or no variable fits.
        """
        if variables is None:
            variables = self._variables
            variables = variables() if callable(variables) else variables
        minimize.from_optimizer(self, loss, variables)


@documented
class CombinedOptimizer:
    """Several optimizers that minimize one loss.

    Args:
        optimizers: A list of optimizers, each with variables but one.
        loss_scale_factor: The loss scale of all.
        loss_scale_policy: What optimizer.loss_scale makes, for all, or None.

    Raises:
        TrainConfError: An argument does not fit.
    """

    def __init__(
        self,
        optimizers: Sequence[Optimizer],
        loss_scale_factor: Number | None = None,
        loss_scale_policy: LossScale | None = None,
    ) -> None:
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

    def minimize(self, loss: BlobDef | Blobs) -> None:
        """Minimizes losses with all optimizers.

        Args:
            loss: (...), f16/bf16/f32/f64, or a list of such blobs.

        Raises:
            OutsideJobError: Called outside of a job function.
            TrainConfError: The job is no training job, or two optimizers update one
                variable.
        """
        for each in self._optimizers:
            each.minimize(loss)


@documented
class SGD(Optimizer):
    """Stochastic gradient descent: w <- w - lr * g, with momentum by default.

    m <- momentum * m - lr * g, then w <- w + m. State: name-momentum.

    Args:
        momentum: In [0, 1); 0 has no state.

    Raises:
        TrainConfError: An argument does not fit.
    """

    def __init__(
        self,
        lr_scheduler: LrScheduler,
        loss_scale_factor: Number | None = None,
        momentum: Number = 0.9,
        grad_clipping: Clipping | None = None,
        train_step_lbn: str | BlobDef | None = None,
        loss_scale_policy: LossScale | None = None,
        variables: Variables | None = None,
    ) -> None:
        super().__init__(rules.momentum(momentum), **_shared(locals()))


@documented
class SGDW(Optimizer):
    """SGD with weight decay (Loshchilov and Hutter 2019).

    lr * weight_decay * w is subtracted beside the step of SGD. State: name-momentum.

    Args:
        momentum: In [0, 1); 0 has no state.

    Raises:
        TrainConfError: An argument does not fit, or both patterns are given.
    """

    def __init__(
        self,
        lr_scheduler: LrScheduler,
        loss_scale_factor: Number | None = None,
        momentum: Number = 0.9,
        weight_decay: Number | None = None,
        weight_decay_includes: Patterns | None = None,
        weight_decay_excludes: Patterns | None = None,
        grad_clipping: Clipping | None = None,
        train_step_lbn: str | BlobDef | None = None,
        loss_scale_policy: LossScale | None = None,
        variables: Variables | None = None,
    ) -> None:
        super().__init__(rules.momentum(momentum), **_shared(locals()))


@documented
class Adam(Optimizer):
    """Adam (Kingma and Ba 2015): w <- w - lr * m / (sqrt(v) + epsilon).

    m and v are moving averages of the gradient and its square. State: name-m, name-v;
    with do_bias_correction also name-beta1_t, name-beta2_t.

    Args:
        epsilon: What is added to the root, positive.
        do_bias_correction: Whether lr is times sqrt(1 - beta2^t) / (1 - beta1^t) at the
            step t, counted from 1.

    Raises:
        TrainConfError: An argument does not fit.
    """

    def __init__(
        self,
        lr_scheduler: LrScheduler,
        beta1: Number = 0.9,
        beta2: Number = 0.999,
        epsilon: Number = 1e-08,
        do_bias_correction: bool = False,
        loss_scale_factor: Number | None = None,
        grad_clipping: Clipping | None = None,
        train_step_lbn: str | BlobDef | None = None,
        loss_scale_policy: LossScale | None = None,
        variables: Variables | None = None,
    ) -> None:
        rule = rules.adam(beta1, beta2, epsilon, do_bias_correction)
        super().__init__(rule, **_shared(locals()))


@documented
class AdamW(Optimizer):
    """Adam with weight decay (Loshchilov and Hutter 2019).

    weight_decay * w is added to m / (sqrt(v) + epsilon). State as of Adam.

    Args:
        epsilon: What is added to the root, positive.
        do_bias_correction: Whether lr is times sqrt(1 - beta2^t) / (1 - beta1^t) at the
            step t, counted from 1.

    Raises:
        TrainConfError: An argument does not fit, or both patterns are given.
    """

    def __init__(
        self,
        lr_scheduler: LrScheduler,
        beta1: Number = 0.9,
        beta2: Number = 0.999,
        epsilon: Number = 1e-08,
        do_bias_correction: bool = False,
        loss_scale_factor: Number | None = None,
        weight_decay: Number | None = None,
        weight_decay_includes: Patterns | None = None,
        weight_decay_excludes: Patterns | None = None,
        grad_clipping: Clipping | None = None,
        train_step_lbn: str | BlobDef | None = None,
        loss_scale_policy: LossScale | None = None,
        variables: Variables | None = None,
    ) -> None:
        rule = rules.adam(beta1, beta2, epsilon, do_bias_correction)
        super().__init__(rule, **_shared(locals()))


@documented
class RMSProp(Optimizer):
    """RMSProp (Tieleman and Hinton 2012): w <- w - lr * g / sqrt(s + epsilon).

    s is a moving average of g * g. State: name-mean_square, name-mean_gradient.

    Args:
        decay_rate: The decay of the average.
        epsilon: What is added below the root, positive.
        centered: Whether s - a * a stands for s, where a is a moving average of g
            (Graves 2013).

    Raises:
        TrainConfError: An argument does not fit.
    """

    def __init__(
        self,
        lr_scheduler: LrScheduler,
        decay_rate: Number = 0.99,
        epsilon: Number = 1e-08,
        centered: bool = False,
        loss_scale_factor: Number | None = None,
        grad_clipping: Clipping | None = None,
        train_step_lbn: str | BlobDef | None = None,
        loss_scale_policy: LossScale | None = None,
        variables: Variables | None = None,
    ) -> None:
        rule = rules.rmsprop(decay_rate, epsilon, centered)
        super().__init__(rule, **_shared(locals()))


@documented
class LARS(Optimizer):
    """Layer-wise adaptive rate scaling (You, Gitman and Ginsburg 2017).

    Momentum whose rate is lr * lars_coefficient * rms(w) / (epsilon + rms(g)) for each
    variable. So a variable that is all zeros stays so: give it another initializer, or
    an optimizer of its own. State: name-momentum.

    Args:
        momentum_beta: The momentum, in [0, 1).
        epsilon: What is added to the divisor, positive.
        lars_coefficient: The factor of the rate.

    Raises:
        TrainConfError: An argument does not fit.
    """

    def __init__(
        self,
        lr_scheduler: LrScheduler,
        momentum_beta: Number = 0.9,
        epsilon: Number = 1e-09,
        lars_coefficient: Number = 0.0001,
        loss_scale_factor: Number | None = None,
        grad_clipping: Clipping | None = None,
        train_step_lbn: str | BlobDef | None = None,
        loss_scale_policy: LossScale | None = None,
        variables: Variables | None = None,
    ) -> None:
        rule = rules.lars(momentum_beta, epsilon, lars_coefficient)
        super().__init__(rule, **_shared(locals()))


@documented
class LazyAdam(Optimizer):
    """Adam with bias correction that updates single rows of some variables.

    Of the variables that function_config.indexed_slices_optimizer_conf names, such as a
    table of embeddings, a step updates only the rows with a gradient other than 0: the
    others, and their m and v, keep their values. State as of Adam.

    Args:
        epsilon: What is added to the root, positive.

    Raises:
        TrainConfError: An argument does not fit.
    """

    def __init__(
        self,
        lr_scheduler: LrScheduler,
        beta1: Number = 0.9,
        beta2: Number = 0.999,
        epsilon: Number = 1e-08,
        loss_scale_factor: Number | None = None,
        grad_clipping: Clipping | None = None,
        train_step_lbn: str | BlobDef | None = None,
        loss_scale_policy: LossScale | None = None,
        variables: Variables | None = None,
    ) -> None:
        super().__init__(rules.lazy_adam(beta1, beta2, epsilon), **_shared(locals()))


@documented
class LAMB(Optimizer):
    """Layer-wise adaptive moments (You et al. 2020).

    With m and v of Adam without their bias, r = m / sqrt(v + epsilon), and w <- w - lr
    * norm(w) / norm(r) * (r + weight_decay * w). The quotient is 1 if a norm is 0.
    State as of Adam.

    As in OneFlow, the norm is of r alone, where the paper has norm(r + weight_decay *
    w): with weight decay a variable whose gradient is almost 0, such as a bias before
    a batch normalization, grows without bound. weight_decay_excludes keeps it out.

    Args:
        epsilon: What is added below the root, positive.

    Raises:
        TrainConfError: An argument does not fit, or both patterns are given.
    """

    def __init__(
        self,
        lr_scheduler: LrScheduler,
        beta1: Number = 0.9,
        beta2: Number = 0.999,
        epsilon: Number = 1e-06,
        loss_scale_factor: Number | None = None,
        weight_decay: Number | None = None,
        weight_decay_includes: Patterns | None = None,
        weight_decay_excludes: Patterns | None = None,
        grad_clipping: Clipping | None = None,
        train_step_lbn: str | BlobDef | None = None,
        loss_scale_policy: LossScale | None = None,
        variables: Variables | None = None,
    ) -> None:
        super().__init__(rules.lamb(beta1, beta2, epsilon), **_shared(locals()))
