"""Normalisation by the statistics of each sample, with variables per channel, and a
rectifier with slopes that are variables."""

import functools
import math

from . import arguments, distributions, initializers, norm_ops
from .math_ops import compare, operands, round_to, splat, widen
from .reuse import reusable
from .trace import begin, current
from .variables import get_variable


def _normalized(op, x, groups, eps):
    """Each group of channels of each sample with mean 0 and variance 1."""
    columns = math.prod(x.shape[1:]) // groups
    rows = op("reshape", x, result=([x.shape[0] * groups, columns], x.dtype.mlir))
    one, zero = (splat(op, value, [columns], x.dtype) for value in (1.0, 0.0))
    result, _, _ = op("layer_norm", rows, one, zero, epsilon=eps)
    return op("reshape", result, result=(x.shape, x.dtype.mlir))


def _sample_norm(api, prefix, x, groups, eps, affine, name, rank=None):
    """A normalisation of groups of channels: one each if `groups` is None. Its
    variables are gamma and beta, one number per channel."""
    trace = current(api)
    name = trace.layer_name(name, prefix)
    arguments.bools(functools.partial(trace.fail, op=name), affine=affine)
    op = begin(api, name, prefix)
    x = op.blob(x, "x")
    if not x.dtype.is_float():
        op.fail(f"expects x to be a blob of floats but got {x.dtype.canonical}")
    if rank is not None and len(x.shape) != rank:
        op.fail(f"expects x of {rank} dimensions but got shape {x.shape}")
    if len(x.shape) < 3:
        op.fail(f"expects x of at least 3 dimensions but got shape {x.shape}")
    channels = x.shape[1]
    if groups is None:
        groups = channels
    if not arguments.is_int(groups) or groups < 1 or channels % groups:
        op.fail(
            f"expects num_groups to be an int that divides {channels} channels but got "
            f"{groups!r}"
        )
    eps = norm_ops.positive(op, eps, "eps")
    result = _normalized(op, x, int(groups), eps)
    if not affine:
        return result
    for suffix, mnemonic, initializer in (
        ("gamma", "mul", initializers.ones_initializer()),
        ("beta", "add", initializers.zeros_initializer()),
    ):
        variable = get_variable(
            f"{name}_{suffix}",
            shape=(1, channels, 1),
            dtype=x.dtype,
            initializer=initializer,
            trainable=True,
            reuse=False,
        )
        vector = op("reshape", variable, result=([channels], x.dtype.mlir))
        vector = op(
            "broadcast_in_dim", vector, dims=[1], result=(x.shape, x.dtype.mlir)
        )
        result = op(mnemonic, result, vector)
    return result


def GroupNorm(x, num_groups=32, eps=1e-05, affine=True, name=None):
    """Normalises each group of channels of each sample of floats (batch, channels, ...)
    to mean 0 and variance 1. With `affine`, times gamma plus beta, variables of shape
    (1, channels, 1) that start at 1 and 0 (Wu and He 2018)."""
    return _sample_norm("nn.GroupNorm", "GroupNorm", x, num_groups, eps, affine, name)


def InstanceNorm1d(x, eps=1e-05, affine=True, name=None):
    """Normalises each channel of each sample of floats (batch, channels, width) to mean
    0 and variance 1. With `affine`, times gamma plus beta, variables of shape
    (1, channels, 1) that start at 1 and 0."""
    return _sample_norm(
        "nn.InstanceNorm1d", "InstanceNorm1D", x, None, eps, affine, name, 3
    )


def InstanceNorm2d(x, eps=1e-05, affine=True, name=None):
    """InstanceNorm1d of floats (batch, channels, height, width)."""
    return _sample_norm(
        "nn.InstanceNorm2d", "InstanceNorm2D", x, None, eps, affine, name, 4
    )


def InstanceNorm3d(x, eps=1e-05, affine=True, name=None):
    """InstanceNorm1d of floats (batch, channels, depth, height, width)."""
    return _sample_norm(
        "nn.InstanceNorm3d", "InstanceNorm3D", x, None, eps, affine, name, 5
    )


# ===- Gradients of layer_norm ---------------------------------------------===#


def _like(op, blob, what, x, shape=None):
    """A further operand: of the dtype of `x`, and of its shape or `shape`."""
    blob = op.blob(blob, what)
    shape = x.shape if shape is None else tuple(shape)
    if blob.dtype != x.dtype or blob.shape != shape:
        op.fail(
            f"expects {what} of {x.dtype.canonical} and shape {shape} but got "
            f"{blob.dtype.canonical} and {blob.shape}"
        )
    return widen(op, blob)


def layer_norm_grad(dy, x, mean, inv_variance, begin_norm_axis=1, name=None):
    """The gradient of a layer normalisation without gamma and beta with respect to x.
    `mean` and `inv_variance`, 1 / sqrt(variance + epsilon), have the shape of x before
    begin_norm_axis."""
    op = begin("layers.layer_norm_grad", name, "LayerNormGrad")
    x = op.blob(x, "x")
    axis = arguments.axis(op, begin_norm_axis, len(x.shape))
    rows = x.shape[:axis] or (1,)
    dims = list(range(axis)) or [0]
    over = list(range(axis, len(x.shape)))
    count = float(math.prod(x.shape[axis:]))
    wide, dy = widen(op, x), _like(op, dy, "dy", x)
    kind = wide.dtype.mlir
    if not axis:
        # One row: its statistics, of shape (1,), are along the first dimension.
        shape = (1,) + (1,) * (len(x.shape) - 1)

    def spread(blob):
        if not axis:
            blob = op("reshape", blob, result=(shape, kind))
            return operands(op, [wide, blob])[1]
        return op("broadcast_in_dim", blob, dims=dims, result=(x.shape, kind))

    def average(blob):
        total = op("reduce_sum", blob, axes=over, keepdims=False)
        return op("div", *operands(op, [total, count]))

    scale = spread(_like(op, inv_variance, "inv_variance", x, rows))
    centre = spread(_like(op, mean, "mean", x, rows))
    normal = op("mul", op("sub", wide, centre), scale)
    bend = op("mul", normal, spread(average(op("mul", dy, normal))))
    slope = op("sub", op("sub", dy, spread(average(dy))), bend)
    return round_to(op, op("mul", scale, slope), x)


def layer_norm_param_grad(dy, norm, gamma, begin_params_axis=-1, name=None):
    """The gradients (of the normalised blob, beta, gamma) of norm * gamma + beta, where
    beta and gamma have the shape of dy from begin_params_axis on."""
    op = begin("layers.layer_norm_param_grad", name, "LayerNormParamGrad")
    dy = op.blob(dy, "dy")
    axis = arguments.axis(op, begin_params_axis, len(dy.shape))
    wide, norm = widen(op, dy), _like(op, norm, "norm", dy)
    gamma = _like(op, gamma, "gamma", dy, dy.shape[axis:])
    over = list(range(axis))

    def total(blob):
        if over:
            blob = op("reduce_sum", blob, axes=over, keepdims=False)
        return round_to(op, blob, dy)

    scaled = op("mul", *operands(op, [wide, gamma]))
    return round_to(op, scaled, dy), total(wide), total(op("mul", wide, norm))


# ===- prelu ---------------------------------------------------------------===#


@reusable
def prelu(
    inputs,
    alpha_initializer=None,
    alpha_regularizer=None,
    shared_axes=None,
    trainable=True,
    name=None,
    model_distribute=distributions.broadcast(),
):
    """inputs where they are positive, alpha * inputs elsewhere, of floats. alpha is a
    variable with the shape of the inputs without the batch, and 1 along the
    `shared_axes` of the inputs (from 1 on); it starts at 0 unless an initializer is
    given. `model_distribute` is how several devices will store it."""
    trace = current("layers.prelu")
    name = trace.layer_name(name, "PRelu")
    op = begin("layers.prelu", name, "PRelu")
    x = op.blob(inputs, "inputs")
    rank = len(x.shape)
    if not x.dtype.is_float() or rank < 2:
        op.fail(
            "expects inputs to be a blob of floats of at least 2 dimensions but got "
            f"{x.dtype.canonical} of shape {x.shape}"
        )
    distributions.check(op.fail, model_distribute, "model_distribute", rank - 1)
    shape = list(x.shape[1:])
    if shared_axes is not None:
        for axis in arguments.axes(op, shared_axes, rank):
            if axis == 0:
                op.fail(f"expects shared_axes from 1 on but got {shared_axes!r}")
            shape[axis - 1] = 1
    alpha = get_variable(
        f"{name}-alpha",
        shape=tuple(shape),
        dtype=x.dtype,
        initializer=initializers.given_or_constant(alpha_initializer, 0),
        regularizer=alpha_regularizer,
        trainable=trainable,
        model_name="weight",
        distribute=model_distribute,
        reuse=False,
    )
    zero = splat(op, 0.0, x.shape, x.dtype)
    below = op("mul", *operands(op, [x, alpha]))
    return op("select", compare(op, x, zero, "gt"), x, below)
