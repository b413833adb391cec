"""Softmax, normalisation, cross entropies and attention."""

from __future__ import annotations

import math

from . import arguments
from .blob import Blob, BlobDef
from .documentation import of_op
from .hints import Axes
from .math_ops import operands, round_to, softplus_of, splat, widen
from .trace import begin

# ===- Softmax -------------------------------------------------------------===#


def _along(op, kind, x, axis):
    """Applies a function of the last dimension along `axis`."""
    rank = len(x.shape)
    place = arguments.axis(op, -1 if axis is None else axis, rank)
    if place == rank - 1:
        return op(kind, x)
    swapped = list(range(rank))
    swapped[place], swapped[-1] = swapped[-1], swapped[place]
    result = op(kind, op("transpose", x, permutation=swapped))
    return op("transpose", result, permutation=swapped)


def softmax(logits, axis=None, name=None):
    """The softmax along an axis (default: the last one)."""
    op = begin("nn.softmax", name, "Softmax")
    return _along(op, "softmax", op.blob(logits, "logits"), axis)


def logsoftmax(logits, axis=None, name=None):
    """The logarithm of the softmax along an axis (default: the last one)."""
    op = begin("nn.logsoftmax", name, "LogSoftmax")
    return _along(op, "log_softmax", op.blob(logits, "logits"), axis)


# ===- Cross entropies -----------------------------------------------------===#


def softmax_cross_entropy_with_logits(labels, logits, name=None):
    """Cross entropy of logits and probabilities, one per row."""
    op = begin("nn.softmax_cross_entropy_with_logits", name, "SoftmaxCrossEntropy")
    labels, logits = op.blob(labels, "labels"), op.blob(logits, "logits")
    if labels.shape != logits.shape:
        op.fail(
            f"expects labels of shape {logits.shape} as the logits have but got "
            f"{labels.shape}"
        )
    z, x = (widen(op, blob) for blob in operands(op, [labels, logits]))
    products = op("mul", z, op("log_softmax", x))
    loss = op("neg", op("reduce_sum", products, axes=[len(x.shape) - 1]))
    return round_to(op, loss, logits)


def sigmoid_cross_entropy_with_logits(labels, logits, name=None):
    """Elementwise cross entropy of independent logits and probabilities:
    log(1 + e^x) - x z, where no exponential can overflow. Labels may be ints."""
    op = begin("nn.sigmoid_cross_entropy_with_logits", name, "SigmoidCrossEntropy")
    labels, logits = op.blob(labels, "labels"), op.blob(logits, "logits")
    if labels.shape != logits.shape:
        op.fail(
            f"expects labels of shape {logits.shape} as the logits have but got "
            f"{labels.shape}"
        )
    if not labels.dtype.is_float():
        labels = op("cast", labels, result=(labels.shape, logits.dtype.mlir))
    z, x = (widen(op, blob) for blob in operands(op, [labels, logits]))
    loss = op("sub", softplus_of(op, x), op("mul", x, z))
    return round_to(op, loss, logits)


# ===- Normalisation -------------------------------------------------------===#


def positive(op, value, what):
    """A positive float from an argument of the call `op`."""
    value = arguments.number(op.fail, value, what)
    if not value > 0:
        op.fail(f"expects {what} to be a positive number but got {value!r}")
    return value


def _per_channel(op, blob, what, x, axis):
    """Broadcasts a vector along `axis`, or a blob of rank x.rank, to x.shape."""
    blob = op.blob(blob, what)
    if len(blob.shape) == len(x.shape):
        return operands(op, [x, blob])[1]
    if blob.shape != (x.shape[axis],):
        op.fail(
            f"expects {what} of shape {(x.shape[axis],)} for axis {axis} of {x.shape} "
            f"but got {blob.shape}"
        )
    return op("broadcast_in_dim", blob, dims=[axis], result=(x.shape, blob.dtype.mlir))


def batch_normalization(
    x,
    mean,
    variance,
    offset=None,
    scale=None,
    variance_epsilon=1e-5,
    axis=1,
    name=None,
):
    """(x - mean) / sqrt(variance + epsilon), times scale, plus offset, with given
    statistics, which are vectors along `axis` or have the rank of x. They have the
    dtype of x, or float32 if x has 16 bits."""
    op = begin("nn.batch_normalization", name, "BatchNorm")
    x = op.blob(x, "x")
    axis = arguments.axis(op, axis, len(x.shape))
    epsilon = positive(op, variance_epsilon, "variance_epsilon")

    def wide(blob, what):
        blob = op.blob(blob, what)
        if blob.dtype not in (x.dtype, result.dtype):
            also = "" if result is x else " or of float32"
            op.fail(
                f"expects {what} of {x.dtype.canonical} as x is{also} but got "
                f"{blob.dtype.canonical}"
            )
        return widen(op, blob)

    result = widen(op, x)
    # Per channel first: values common to a channel are computed once.
    variance = wide(variance, "variance")
    factor = op("rsqrt", op("add", *operands(op, [variance, epsilon])))
    if scale is not None:
        factor = op("mul", *operands(op, [factor, wide(scale, "scale")]))
    mean = _per_channel(op, wide(mean, "mean"), "mean", result, axis)
    factor = _per_channel(op, factor, "variance", result, axis)
    result = op("mul", op("sub", result, mean), factor)
    if offset is not None:
        offset = _per_channel(op, wide(offset, "offset"), "offset", result, axis)
        result = op("add", result, offset)
    return round_to(op, result, x)


def batch_statistics_normalization(op, x, gamma, beta, axis, epsilon):
    """(normalised x, mean, variance) by the statistics of the batch, as a part of
    the call `op`. The statistics have the dtype of gamma and beta, which is float32
    if x has 16 bits."""
    result, mean, variance = op(
        "batch_norm",
        widen(op, x),
        gamma,
        beta,
        axis=axis,
        epsilon=positive(op, epsilon, "epsilon"),
    )
    return round_to(op, result, x), mean, variance


def layer_norm(
    inputs,
    gamma=None,
    beta=None,
    begin_norm_axis=1,
    begin_params_axis=-1,
    epsilon=1e-05,
    name=None,
):
    """Normalises over the dimensions from begin_norm_axis on to mean 0 and variance 1,
    times gamma, plus beta, which have the shape of the dimensions from
    begin_params_axis on."""
    op = begin("nn.layer_norm", name, "LayerNorm")
    x = op.blob(inputs, "inputs")
    rank = len(x.shape)
    norm_axis = arguments.axis(op, begin_norm_axis, rank)
    params_axis = arguments.axis(op, begin_params_axis, rank)
    epsilon = positive(op, epsilon, "epsilon")
    params = x.shape[params_axis:]
    for what, blob in (("gamma", gamma), ("beta", beta)):
        if blob is not None and op.blob(blob, what).shape != params:
            op.fail(f"expects {what} of shape {params} but got {blob.shape}")
    columns = math.prod(x.shape[norm_axis:])
    rows = math.prod(x.shape[:norm_axis])
    kind = x.dtype.mlir

    def vector(blob, value):
        if blob is None:
            return splat(op, value, [columns], x.dtype)
        return op("reshape", blob, result=([columns], kind))

    # Parameters along the normalised dimensions are operands of the op.
    inside = params_axis == norm_axis
    flat = op("reshape", x, result=([rows, columns], kind))
    result, _, _ = op(
        "layer_norm",
        flat,
        vector(gamma if inside else None, 1.0),
        vector(beta if inside else None, 0.0),
        epsilon=epsilon,
    )
    result = op("reshape", result, result=(x.shape, kind))
    if not inside:
        if gamma is not None:
            result = op("mul", *operands(op, [result, gamma]))
        if beta is not None:
            result = op("add", *operands(op, [result, beta]))
    return result


# ===- Attention -----------------------------------------------------------===#


def attention(query, key, value, causal=False, scale=None, name=None):
    """softmax(scale Q K^T) V for each batch and head.

    Blobs are (batch, position, head, channel). `scale` is 1 / sqrt(channels)
    unless given. With `causal` a query attends to the keys up to its own position,
    counted from the end if there are more keys than queries.
    """
    op = begin("nn.attention", name, "Attention")
    query, key, value = (
        op.blob(blob, what)
        for blob, what in ((query, "query"), (key, "key"), (value, "value"))
    )
    if len(query.shape) != 4:
        op.fail(
            "expects a query of (batch, position, head, channel) but got shape "
            f"{query.shape}"
        )
    if scale is None:
        scale = 1 / math.sqrt(query.shape[3])
    scale = arguments.number(op.fail, scale, "scale")
    arguments.bools(op.fail, causal=causal)
    result, _ = op("attention", query, key, value, scale=scale, causal=bool(causal))
    return result
