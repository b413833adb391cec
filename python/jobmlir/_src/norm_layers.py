"""Normalisation by the statistics of each sample, with variables per channel, and a
rectifier with slopes that are variables."""

from __future__ import annotations

import functools
import math

from . import arguments, distributions, initializers, norm_ops
from .blob import Blob, BlobDef
from .distributions import Distribution
from .documentation import of_op
from .hints import Axes, Number
from .initializers import InitializerLike
from .math_ops import compare, operands, round_to, splat, widen
from .regularizers import Regularizer
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


@of_op
def GroupNorm(
    x: BlobDef,
    num_groups: int = 32,
    eps: Number = 1e-05,
    affine: bool = True,
    name: str | None = None,
) -> Blob:
    """Each group of channels of each sample with mean 0 and variance 1.

    With affine, times gamma plus beta, variables of shape (1, C, 1) that start at 1 and
    0 (Wu and He 2018).

    Args:
        x: (N, C, ...), f16/bf16/f32/f64.
        num_groups: The number of groups, which divides C.
        eps: What is added to the variance, positive.
        affine: Whether there are gamma and beta.

    Returns:
        A blob of the shape and element type of x.
    """
    return _sample_norm("nn.GroupNorm", "GroupNorm", x, num_groups, eps, affine, name)


@of_op
def InstanceNorm1d(
    x: BlobDef, eps: Number = 1e-05, affine: bool = True, name: str | None = None
) -> Blob:
    """Each channel of each sample with mean 0 and variance 1.

    With affine, times gamma plus beta, variables of shape (1, C, 1) that start at 1 and
    0.

    Args:
        x: (N, C, W), f16/bf16/f32/f64.
        eps: What is added to the variance, positive.
        affine: Whether there are gamma and beta.

    Returns:
        A blob of the shape and element type of x.
    """
    return _sample_norm(
        "nn.InstanceNorm1d", "InstanceNorm1D", x, None, eps, affine, name, 3
    )


@of_op
def InstanceNorm2d(
    x: BlobDef, eps: Number = 1e-05, affine: bool = True, name: str | None = None
) -> Blob:
    """Each channel of each sample with mean 0 and variance 1.

    With affine, times gamma plus beta, variables of shape (1, C, 1) that start at 1 and
    0.

    Args:
        x: (N, C, H, W), f16/bf16/f32/f64.
        eps: What is added to the variance, positive.
        affine: Whether there are gamma and beta.

    Returns:
        A blob of the shape and element type of x.
    """
    return _sample_norm(
        "nn.InstanceNorm2d", "InstanceNorm2D", x, None, eps, affine, name, 4
    )


@of_op
def InstanceNorm3d(
    x: BlobDef, eps: Number = 1e-05, affine: bool = True, name: str | None = None
) -> Blob:
    """Each channel of each sample with mean 0 and variance 1.

    With affine, times gamma plus beta, variables of shape (1, C, 1) that start at 1 and
    0.

    Args:
        x: (N, C, D, H, W), f16/bf16/f32/f64.
        eps: What is added to the variance, positive.
        affine: Whether there are gamma and beta.

    Returns:
        A blob of the shape and element type of x.
    """
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


@of_op
def layer_norm_grad(
    dy: BlobDef,
    x: BlobDef,
    mean: BlobDef,
    inv_variance: BlobDef,
    begin_norm_axis: int = 1,
    name: str | None = None,
) -> Blob:
    """The gradient of a layer normalisation without gamma and beta to its operand.

    Args:
        dy: The gradient of the result, of the shape and element type of x.
        x: (...), f16/bf16/f32/f64.
        mean: x.shape[:begin_norm_axis], of the element type of x.
        inv_variance: As mean, 1 / sqrt(variance + epsilon).
        begin_norm_axis: The first axis of the statistics.

    Returns:
        A blob of the shape and element type of x.
    """
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


@of_op
def layer_norm_param_grad(
    dy: BlobDef,
    norm: BlobDef,
    gamma: BlobDef,
    begin_params_axis: int = -1,
    name: str | None = None,
) -> tuple[Blob, Blob, Blob]:
    """The gradients of norm * gamma + beta to its operands.

    Args:
        dy: (...), any element type, the gradient of the result.
        norm: The normalised blob, of the shape and element type of dy.
        gamma: dy.shape[begin_params_axis:], of the element type of dy.
        begin_params_axis: The first axis of gamma and beta.

    Returns:
        The gradients of norm, beta and gamma.
    """
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
@of_op
def prelu(
    inputs: BlobDef,
    alpha_initializer: InitializerLike | None = None,
    alpha_regularizer: Regularizer | None = None,
    shared_axes: Axes = None,
    trainable: bool = True,
    name: str | None = None,
    model_distribute: Distribution = distributions.broadcast(),
    *,
    reuse: bool = False,
) -> Blob:
    """inputs where they are positive, alpha * inputs elsewhere.

    alpha is the variable name-alpha of the shape inputs.shape[1:], with extent 1 on the
    shared axes.

    Args:
        inputs: (N, ...), f16/bf16/f32/f64.
        alpha_initializer: The initial value of alpha; None is zeros.
        alpha_regularizer: What training adds to the gradient of alpha, or None.
        shared_axes: Axes of inputs, from 1 on, with one slope.

    Returns:
        A blob of the shape and element type of inputs.
    """
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
