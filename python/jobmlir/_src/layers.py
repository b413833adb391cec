"""Layers: ops together with their variables.

A layer without a name is named after its kind: Dense, Dense_1, Dense_2 in the
order of their creation in a job. Each kind has its own counter in each job, so a
training and a prediction job that build the same layers use the same variables,
independent of their other ops.
"""

from __future__ import annotations

import functools
import inspect

from . import (
    arguments,
    array_ops,
    distributions,
    initializers,
    math_ops,
    micro_steps,
    nn_ops,
    norm_ops,
    notices,
    text,
)
from . import dtype as dtypes
from .arguments import is_int
from .blob import Blob, BlobDef
from .distributions import Distribution
from .documentation import family, of_op
from .hints import Activation, Number
from .initializers import InitializerLike
from .regularizers import Regularizer
from .reuse import reusable
from .trace import begin, current
from .variables import get_variable


def activate(trace, activation, blob, name):
    """The activation of a layer, as an op that is named after the layer."""
    if activation is None:
        return blob
    if not callable(activation):
        trace.fail(
            "expects activation to be a function such as oneflow.nn.relu but got "
            f"{activation!r}",
            op=name,
        )
    op_name = f"{name}-activation"
    try:
        inspect.signature(activation).bind(blob, name=op_name)
    except TypeError:
        trace.fail(
            "expects activation to be a function of a blob and a name but got "
            f"{activation!r}",
            op=name,
        )
    except ValueError:
        pass  # Some C functions have no signature.
    return activation(blob, name=op_name)


def _warn_of_zeros(trace, weight):
    """Says that a layer begins with zeros, as in the original API, once for all."""
    variable = trace.module_trace.variables[weight._variable]
    if trace.trains(weight._variable) and variable.job.name == trace.name:
        notices.warn_once(
            "layers.dense without a kernel_initializer begins with zeros, which hidden "
            "layers cannot learn from; pass, for example, "
            "kernel_initializer=oneflow.glorot_uniform_initializer()"
        )


@reusable
@of_op
def dense(
    inputs: BlobDef,
    units: int,
    activation: Activation | None = None,
    use_bias: bool = True,
    kernel_initializer: InitializerLike | None = None,
    bias_initializer: InitializerLike | None = None,
    kernel_regularizer: Regularizer | None = None,
    bias_regularizer: Regularizer | None = None,
    trainable: bool = True,
    name: str | None = None,
    model_distribute: Distribution = distributions.broadcast(),
    *,
    reuse: bool = False,
) -> Blob:
    """inputs times a weight, plus a bias.

    All dimensions but the last are rows. The variables are name-weight, (units, K), and
    name-bias, (units,).

    Args:
        inputs: (..., K), f16/bf16/f32/f64, of at least 2 dimensions.
        units: The extent of the last dimension of the result.
        kernel_initializer: The initial value of the weight; None is zeros, as in the
            original API, which hidden layers cannot learn from.

    Returns:
        (..., units), of the element type of inputs.
    """
    trace = current("layers.dense")
    name = trace.layer_name(name, "Dense")
    if not is_int(units) or units < 1:
        trace.fail(f"expects units to be a positive int but got {units!r}", op=name)
    shape = getattr(inputs, "shape", None)
    if shape is None or len(shape) < 2:
        trace.fail(
            f"expects inputs of at least 2 dimensions but got {inputs!r}", op=name
        )
    fail = functools.partial(trace.fail, op=name)
    arguments.bools(fail, use_bias=use_bias)
    distributions.check(fail, model_distribute, "model_distribute", 1)
    if model_distribute.axis is not None and len(shape) != 2:
        fail(
            f"expects inputs of 2 dimensions to split units but got {len(shape)} "
            "dimensions"
        )
    units = int(units)
    rows = inputs
    if len(shape) > 2:
        rows = array_ops.reshape(inputs, [-1, shape[-1]], name=f"{name}-rows")
    weight = get_variable(
        f"{name}-weight",
        shape=(units, shape[-1]),
        dtype=inputs.dtype,
        initializer=initializers.given_or_constant(kernel_initializer, 0),
        regularizer=kernel_regularizer,
        trainable=trainable,
        model_name="weight",
        distribute=model_distribute,
        reuse=False,
    )
    if kernel_initializer is None:
        _warn_of_zeros(trace, weight)
    out = math_ops.matmul(rows, weight, transpose_b=True, name=f"{name}-matmul")
    if use_bias:
        bias = get_variable(
            f"{name}-bias",
            shape=(units,),
            dtype=inputs.dtype,
            initializer=initializers.given_or_constant(bias_initializer, 0),
            regularizer=bias_regularizer,
            trainable=trainable,
            model_name="bias",
            distribute=model_distribute,
            reuse=False,
        )
        out = nn_ops.bias_add(out, bias, name=f"{name}-bias_add")
    out = activate(trace, activation, out, name)
    if len(shape) > 2:
        out = array_ops.reshape(out, [*shape[:-1], units], name=f"{name}-unrows")
    return out


# ===- Normalisation -------------------------------------------------------===#


def _parameter(name, shape, dtype, initializer, value, trainable, regularizer=None):
    return get_variable(
        name,
        shape=shape,
        dtype=dtype,
        initializer=initializers.given_or_constant(initializer, value),
        regularizer=regularizer,
        trainable=trainable,
        model_name="weight",
        reuse=False,
    )


_of_batch = family(
    returns="A blob of the shape and element type of inputs.",
    inputs="(N, C, ...), or with the channels on another axis; f16/bf16/f32/f64.",
    axis="The axis of the channels: 1 for NCHW.",
    momentum="The share of the moving statistics that stays in a step, in [0, 1].",
    epsilon="What is added to the variance, positive.",
    center="Whether beta is added.",
    scale="Whether it is multiplied by gamma.",
    beta_initializer="The initial value of beta; None is zeros.",
    gamma_initializer="The initial value of gamma; None is ones.",
    beta_regularizer="What training adds to the gradient of beta, or None.",
    gamma_regularizer="What training adds to the gradient of gamma, or None.",
    moving_mean_initializer="The initial value of moving_mean; None is zeros.",
    moving_variance_initializer="The initial value of moving_variance; None is ones.",
    training="Whether a training job uses the statistics of the batch.",
)


@reusable
@_of_batch
def batch_normalization(
    inputs: BlobDef,
    axis: int = -1,
    momentum: Number = 0.99,
    epsilon: Number = 0.001,
    center: bool = True,
    scale: bool = True,
    beta_initializer: InitializerLike | None = None,
    gamma_initializer: InitializerLike | None = None,
    beta_regularizer: Regularizer | None = None,
    gamma_regularizer: Regularizer | None = None,
    moving_mean_initializer: InitializerLike | None = None,
    moving_variance_initializer: InitializerLike | None = None,
    trainable: bool = True,
    training: bool = True,
    name: str | None = None,
    *,
    reuse: bool = False,
) -> Blob:
    """Each channel with mean 0 and variance 1, times gamma, plus beta.

    A training job uses the statistics of the batch and updates the variables
    moving_mean and moving_variance: moving = momentum * moving + (1 - momentum) *
    batch, the variance divided by the number of elements. With micro-steps, each is
    normalised separately, and the statistics of the batch are the mean of theirs. A
    prediction job, and a layer with training=False or trainable=False, uses the moving
    statistics. The variables, name-gamma and so on, (C,), are f32 if inputs has 16
    bits.
    """
    trace = current("layers.batch_normalization")
    name = trace.layer_name(name, "BatchNorm")
    shape = getattr(inputs, "shape", None)
    if shape is None:
        trace.fail(f"expects inputs to be a blob but got {inputs!r}", op=name)
    rank = len(shape)
    if not is_int(axis) or not -rank <= axis < rank:
        trace.fail(f"expects an axis in [{-rank}, {rank}) but got {axis!r}", op=name)
    axis %= rank
    fail = functools.partial(trace.fail, op=name)
    momentum = arguments.number(fail, momentum, "momentum")
    if not 0 <= momentum <= 1:
        fail(f"expects a momentum in [0, 1] but got {momentum!r}")
    arguments.bools(
        fail, center=center, scale=scale, trainable=trainable, training=training
    )
    vector, dtype = (shape[axis],), inputs.dtype
    if dtype in (dtypes.float16, dtypes.bfloat16):
        # Of 16 bits, moving averages would stop moving.
        dtype = dtypes.float32

    def parameter(suffix, initializer, value, trained, wanted=True, regularizer=None):
        if not wanted:
            return array_ops.constant(value, dtype, vector, name=f"{name}-{suffix}")
        return _parameter(
            f"{name}-{suffix}", vector, dtype, initializer, value, trained, regularizer
        )

    gamma = parameter(
        "gamma", gamma_initializer, 1.0, trainable, scale, gamma_regularizer
    )
    beta = parameter("beta", beta_initializer, 0.0, trainable, center, beta_regularizer)
    mean = parameter("moving_mean", moving_mean_initializer, 0.0, False)
    variance = parameter("moving_variance", moving_variance_initializer, 1.0, False)
    if not (training and trainable and trace.kind == "train"):
        return norm_ops.batch_normalization(
            inputs, mean, variance, beta, gamma, epsilon, axis, name=name
        )
    op = begin("layers.batch_normalization", name, "BatchNorm")
    result, _, _ = normalize_batch(
        op, inputs, mean, variance, gamma, beta, axis, epsilon, momentum
    )
    return result


def normalize_batch(
    op, x, moving_mean, moving_variance, gamma, beta, axis, epsilon, momentum
):
    """(normalised x, mean, variance) by the statistics of the batch, by which the
    variables moving_mean and moving_variance move, as a part of the call `op`."""
    result, *batch = norm_ops.batch_statistics_normalization(
        op, x, gamma, beta, axis, epsilon
    )
    for moving, current_value in zip((moving_mean, moving_variance), batch):
        current_value = micro_steps.mean(op, current_value)
        if op.trace.reusing:
            # An earlier use of the layer has assigned it in this step.
            moving = _read_again(op, moving)
        kept = op("mul", *math_ops.operands(op, [moving, momentum]))
        added = op("mul", *math_ops.operands(op, [current_value, 1 - momentum]))
        op(
            "assign",
            op("add", kept, added),
            variable=op.text(text.symbol(moving._variable)),
        )
    return result, *batch


def _read_again(op, blob):
    again = op(
        "read",
        variable=op.text(text.symbol(blob._variable)),
        result=(blob.shape, blob.dtype.mlir),
    )
    again._variable = blob._variable
    return again


@reusable
@_of_batch
def batch_normalization_relu(
    inputs: BlobDef,
    axis: int = -1,
    momentum: Number = 0.99,
    epsilon: Number = 0.001,
    center: bool = True,
    scale: bool = True,
    beta_initializer: InitializerLike | None = None,
    gamma_initializer: InitializerLike | None = None,
    beta_regularizer: Regularizer | None = None,
    gamma_regularizer: Regularizer | None = None,
    moving_mean_initializer: InitializerLike | None = None,
    moving_variance_initializer: InitializerLike | None = None,
    trainable: bool = True,
    training: bool = True,
    name: str | None = None,
    *,
    reuse: bool = False,
) -> Blob:
    """batch_normalization, and relu of its result."""
    result = batch_normalization(
        inputs,
        axis,
        momentum,
        epsilon,
        center,
        scale,
        beta_initializer,
        gamma_initializer,
        beta_regularizer,
        gamma_regularizer,
        moving_mean_initializer,
        moving_variance_initializer,
        trainable,
        training,
        name,
    )
    return math_ops.relu(result, name=f"{result.op_name}-relu")


@reusable
@_of_batch
def batch_normalization_add_relu(
    inputs: BlobDef,
    addend: BlobDef | None = None,
    axis: int = -1,
    momentum: Number = 0.99,
    epsilon: Number = 0.001,
    center: bool = True,
    scale: bool = True,
    beta_initializer: InitializerLike | None = None,
    gamma_initializer: InitializerLike | None = None,
    beta_regularizer: Regularizer | None = None,
    gamma_regularizer: Regularizer | None = None,
    moving_mean_initializer: InitializerLike | None = None,
    moving_variance_initializer: InitializerLike | None = None,
    trainable: bool = True,
    training: bool = True,
    name: str | None = None,
    *,
    reuse: bool = False,
) -> Blob:
    """batch_normalization plus a blob, and relu of the sum.

    Args:
        addend: A blob of the shape and element type of inputs; None is 0.
    """
    result = batch_normalization(
        inputs,
        axis,
        momentum,
        epsilon,
        center,
        scale,
        beta_initializer,
        gamma_initializer,
        beta_regularizer,
        gamma_regularizer,
        moving_mean_initializer,
        moving_variance_initializer,
        trainable,
        training,
        name,
    )
    layer = result.op_name
    if addend is not None:
        result = math_ops.add(result, addend, name=f"{layer}-add")
    return math_ops.relu(result, name=f"{layer}-relu")


@reusable
@of_op
def layer_norm(
    inputs: BlobDef,
    center: bool = True,
    scale: bool = True,
    trainable: bool = True,
    begin_norm_axis: int = 1,
    begin_params_axis: int = -1,
    epsilon: Number = 1e-05,
    name: str | None = None,
    *,
    reuse: bool = False,
) -> Blob:
    """Each sample with mean 0 and variance 1, times gamma, plus beta.

    The statistics are over the axes from begin_norm_axis on. The variables are
    name-gamma and name-beta, of the shape inputs.shape[begin_params_axis:].

    Args:
        inputs: (...), f16/bf16/f32/f64.
        center: Whether beta is added.
        scale: Whether it is multiplied by gamma.
        begin_norm_axis: The first axis of the statistics.
        begin_params_axis: The first axis of gamma and beta.
        epsilon: What is added to the variance, positive.

    Returns:
        A blob of the shape and element type of inputs.
    """
    trace = current("layers.layer_norm")
    name = trace.layer_name(name, "LayerNorm")
    shape = getattr(inputs, "shape", None)
    if shape is None:
        trace.fail(f"expects inputs to be a blob but got {inputs!r}", op=name)
    rank = len(shape)
    if not is_int(begin_params_axis) or not -rank <= begin_params_axis < rank:
        trace.fail(
            f"expects begin_params_axis in [{-rank}, {rank}) but got "
            f"{begin_params_axis!r}",
            op=name,
        )
    arguments.bools(functools.partial(trace.fail, op=name), center=center, scale=scale)
    params = shape[begin_params_axis % rank :]

    def parameter(suffix, value):
        return _parameter(
            f"{name}-{suffix}", params, inputs.dtype, None, value, trainable
        )

    gamma = parameter("gamma", 1.0) if scale else None
    beta = parameter("beta", 0.0) if center else None
    return norm_ops.layer_norm(
        inputs, gamma, beta, begin_norm_axis, begin_params_axis, epsilon, name=name
    )
