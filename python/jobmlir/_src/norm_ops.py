"""Softmax, normalisation, cross entropies and attention."""

from __future__ import annotations

import math

from . import arguments
from .blob import Blob, BlobDef
from .documentation import of_op
from .hints import Number
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


@of_op
def softmax(logits: BlobDef, axis: int | None = None, name: str | None = None) -> Blob:
    """e^x / sum(e^x) along an axis, without overflow.

    Args:
        logits: (...), f16/bf16/f32/f64.
        axis: The axis; None is the last one.

    Returns:
        A blob of the shape and element type of logits.
    """
    op = begin("nn.softmax", name, "Softmax")
    return _along(op, "softmax", op.blob(logits, "logits"), axis)


@of_op
def logsoftmax(
    logits: BlobDef, axis: int | None = None, name: str | None = None
) -> Blob:
    """The logarithm of the softmax along an axis, x - log(sum(e^x)).

    Args:
        logits: (...), f16/bf16/f32/f64.
        axis: The axis; None is the last one.

    Returns:
        A blob of the shape and element type of logits.
    """
    op = begin("nn.logsoftmax", name, "LogSoftmax")
    return _along(op, "log_softmax", op.blob(logits, "logits"), axis)


# ===- Cross entropies -----------------------------------------------------===#


@of_op
def softmax_cross_entropy_with_logits(
    labels: BlobDef, logits: BlobDef, name: str | None = None
) -> Blob:
    """The cross entropy of logits and probabilities, one number for each row.

    -sum(labels * log(softmax(logits))).

    Args:
        labels: (..., C), of the element type of logits, the probability of each class.
        logits: (..., C), f16/bf16/f32/f64.

    Returns:
        (...), of the element type of logits.
    """
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


@of_op
def sigmoid_cross_entropy_with_logits(
    labels: BlobDef, logits: BlobDef, name: str | None = None
) -> Blob:
    """The cross entropy of each logit x and its probability z.

    log(1 + e^x) - x * z, without overflow.

    Args:
        labels: (...), of the element type of logits, or ints.
        logits: (...), f16/bf16/f32/f64.

    Returns:
        A blob of the shape and element type of logits.
    """
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


@of_op
def batch_normalization(
    x: BlobDef,
    mean: BlobDef,
    variance: BlobDef,
    offset: BlobDef | None = None,
    scale: BlobDef | None = None,
    variance_epsilon: Number = 1e-05,
    axis: int = 1,
    name: str | None = None,
) -> Blob:
    """A normalisation by given statistics.

    (x - mean) / sqrt(variance + variance_epsilon) * scale + offset.

    Args:
        x: (...), f16/bf16/f32/f64, with C channels along axis.
        mean: (C,), or the rank of x with extent 1 but along axis. Of the element type
            of x, or f32 if x has 16 bits.
        variance: As mean.
        offset: As mean; None is 0.
        scale: As mean; None is 1.
        variance_epsilon: A positive number.
        axis: The axis of the channels.

    Returns:
        A blob of the shape and element type of x.
    """
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


@of_op
def layer_norm(
    inputs: BlobDef,
    gamma: BlobDef | None = None,
    beta: BlobDef | None = None,
    begin_norm_axis: int = 1,
    begin_params_axis: int = -1,
    epsilon: Number = 1e-05,
    name: str | None = None,
) -> Blob:
    """A normalisation of each sample to mean 0 and variance 1.

    (x - mean) / sqrt(variance + epsilon) * gamma + beta, where the mean and the
    variance are over the axes from begin_norm_axis on.

    Args:
        inputs: (...), f16/bf16/f32/f64.
        gamma: A blob of the shape inputs.shape[begin_params_axis:]; None is 1.
        beta: As gamma; None is 0.
        begin_norm_axis: The first axis of the statistics.
        begin_params_axis: The first axis of gamma and beta.
        epsilon: A positive number.

    Returns:
        A blob of the shape and element type of inputs.
    """
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


@of_op
def attention(
    query: BlobDef,
    key: BlobDef,
    value: BlobDef,
    causal: bool = False,
    scale: Number | None = None,
    name: str | None = None,
) -> Blob:
    """softmax(scale * Q K^T) V of each batch and head.

    Args:
        query: (N, T, H, D), f16/bf16/f32/f64.
        key: (N, S, H, D), of the element type of query.
        value: (N, S, H, E), of the element type of query.
        causal: Whether a query attends to the keys up to its own position only, counted
            from the end if S is larger than T.
        scale: A factor; None is 1 / sqrt(D).

    Returns:
        (N, T, H, E), of the element type of query.
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
