"""Losses. Unless reduction is "none", a loss is one number, of shape (1,)."""

from __future__ import annotations

import math

from . import arguments
from .blob import Blob, BlobDef
from .documentation import of_op
from .hints import Number
from .math_ops import broadcast, compare, operands, round_to, softplus_of, splat, widen
from .trace import begin

_REDUCTIONS = ("none", "mean", "sum")


class _Loss:
    """The call of a loss: its scope, and its operands, which are floats of one dtype
    and, unless `broadcasts`, of one shape, in at least f32."""

    def __init__(self, api, prefix, name, broadcasts=False, **operands_by_name):
        self.op = op = begin(api, name, prefix)
        (first, *_) = operands_by_name
        blobs = []
        for what, value in operands_by_name.items():
            blob = op.blob(value, what)
            if not blob.dtype.is_float():
                op.fail(
                    f"expects {what} to be a blob of floats but got "
                    f"{blob.dtype.canonical}"
                )
            blobs.append(blob)
            if blob.dtype != blobs[0].dtype:
                op.fail(
                    f"expects {what} of {blobs[0].dtype.canonical} as {first} is but "
                    f"got {blob.dtype.canonical}"
                )
            if not broadcasts and blob.shape != blobs[0].shape:
                op.fail(
                    f"expects {what} of shape {blobs[0].shape} as {first} has but got "
                    f"{blob.shape}"
                )
        if broadcasts:
            blobs = operands(op, blobs)
        self.like = blobs[0]
        self.blobs = [widen(op, blob) for blob in blobs]

    def number(self, value, what):
        return arguments.number(self.op.fail, value, what)

    def weighted(self, loss, weight, what="weight"):
        """The loss times an optional weight, which broadcasts to its shape."""
        if weight is None:
            return loss
        return self.op("mul", loss, self.spread(weight, what, loss.shape))

    def spread(self, value, what, shape):
        """A further operand of the dtype of the first, broadcast to `shape`."""
        op = self.op
        blob = op.blob(value, what)
        if blob.dtype != self.like.dtype:
            op.fail(
                f"expects {what} of {self.like.dtype.canonical} but got "
                f"{blob.dtype.canonical}"
            )
        padded = (1,) * (len(shape) - len(blob.shape)) + blob.shape
        if len(padded) != len(shape) or any(
            one not in (1, extent) for one, extent in zip(padded, shape)
        ):
            op.fail(
                f"expects {what} of a shape that broadcasts to {tuple(shape)} but got "
                f"{blob.shape}"
            )
        return broadcast(op, widen(op, blob), shape)

    def reduced(self, loss, reduction):
        """The result: the loss of each element, their mean or their sum."""
        op = self.op
        arguments.one_of(op, reduction, _REDUCTIONS, "reduction")
        if reduction != "none":
            axes = list(range(len(loss.shape)))
            count = math.prod(loss.shape)
            loss = op("reduce_sum", loss, axes=axes, keepdims=False)
            if reduction == "mean":
                loss = op("div", *operands(op, [loss, float(count)]))
        return round_to(op, loss, self.like)


def _clipped_below(op, x, low):
    return op("maximum", *operands(op, [x, low]))


@of_op
def L1Loss(
    input: BlobDef, target: BlobDef, reduction: str = "mean", name: str | None = None
) -> Blob:
    """abs(target - input) of each element.

    Args:
        input: (...), f16/bf16/f32/f64.
        target: Of the shape and element type of input.

    Returns:
        The losses, or their mean or sum, of the element type of input.
    """
    loss = _Loss("nn.L1Loss", "L1Loss", name, input=input, target=target)
    x, z = loss.blobs
    return loss.reduced(loss.op("abs", loss.op("sub", z, x)), reduction)


@of_op
def MSELoss(
    input: BlobDef, target: BlobDef, reduction: str = "mean", name: str | None = None
) -> Blob:
    """(target - input)^2 of each element.

    Args:
        input: (...), f16/bf16/f32/f64.
        target: Of the shape and element type of input.

    Returns:
        The losses, or their mean or sum, of the element type of input.
    """
    loss = _Loss("nn.MSELoss", "MSELoss", name, input=input, target=target)
    x, z = loss.blobs
    difference = loss.op("sub", z, x)
    return loss.reduced(loss.op("mul", difference, difference), reduction)


# The least logarithm of a probability in BCELoss.
_LEAST_LOGARITHM = -100.0


def _bounded_log(op, p):
    """The larger of log(p) and -100; the gradient is 0 where that is -100."""
    zero, one, least = (
        splat(op, value, p.shape, p.dtype) for value in (0.0, 1.0, _LEAST_LOGARITHM)
    )
    is_zero = compare(op, p, zero, "eq")
    # Of one, where the logarithm is infinite, whose gradient would be NaN.
    safe = op("select", is_zero, one, p)
    return op("select", is_zero, least, op("maximum", op("log", safe), least))


@of_op
def BCELoss(
    input: BlobDef,
    target: BlobDef,
    weight: BlobDef | None = None,
    reduction: str = "mean",
    name: str | None = None,
) -> Blob:
    """The cross entropy of probabilities.

    -(target * log(input) + (1 - target) * log(1 - input)) * weight. A logarithm below
    -100 counts as that and has no gradient: an input of 0 with a target of 0 gives a
    loss of 0, one of 1 with a target of 0 a loss of 100.

    Args:
        input: (...), f16/bf16/f32/f64, probabilities.
        target: Of the shape and element type of input.
        weight: A blob that broadcasts to input; None is 1.

    Returns:
        The losses, or their mean or sum, of the element type of input.
    """
    loss = _Loss("nn.BCELoss", "BCELoss", name, input=input, target=target)
    op, (x, z) = loss.op, loss.blobs
    one = splat(op, 1.0, x.shape, x.dtype)
    hit = op("mul", z, _bounded_log(op, x))
    miss = op("mul", op("sub", one, z), _bounded_log(op, op("sub", one, x)))
    total = op("neg", op("add", hit, miss))
    return loss.reduced(loss.weighted(total, weight), reduction)


@of_op
def BCEWithLogitsLoss(
    input: BlobDef,
    target: BlobDef,
    weight: BlobDef | None = None,
    pos_weight: BlobDef | None = None,
    reduction: str = "mean",
    name: str | None = None,
) -> Blob:
    """BCELoss of sigmoid(input), without overflow.

    Args:
        input: (...), f16/bf16/f32/f64, logits.
        target: Of the shape and element type of input.
        weight: A blob that broadcasts to input; None is 1.
        pos_weight: A factor of the term with the target, one number for each class,
            say: a blob that broadcasts to input; None is 1.

    Returns:
        The losses, or their mean or sum, of the element type of input.
    """
    loss = _Loss(
        "nn.BCEWithLogitsLoss", "BCEWithLogitsLoss", name, input=input, target=target
    )
    op, (x, z) = loss.op, loss.blobs
    one = splat(op, 1.0, x.shape, x.dtype)
    softplus = softplus_of(op, op("neg", x))
    if pos_weight is not None:
        positive = loss.spread(pos_weight, "pos_weight", x.shape)
        factor = op("add", op("mul", op("sub", positive, one), z), one)
        softplus = op("mul", factor, softplus)
    total = op("add", op("mul", op("sub", one, z), x), softplus)
    return loss.reduced(loss.weighted(total, weight), reduction)


@of_op
def KLDivLoss(
    input: BlobDef,
    target: BlobDef,
    log_target: bool = False,
    reduction: str = "mean",
    name: str | None = None,
) -> Blob:
    """The divergence of a target from e^input.

    target * (log(target) - input), 0 where the target is not positive; with log_target,
    e^target * (target - input).

    Args:
        input: (...), f16/bf16/f32/f64, logarithms of probabilities.
        target: Of the shape and element type of input.
        log_target: Whether the target is a logarithm, too.

    Returns:
        The losses, or their mean or sum, of the element type of input.
    """
    loss = _Loss("nn.KLDivLoss", "KLDivLoss", name, input=input, target=target)
    op, (x, z) = loss.op, loss.blobs
    arguments.bools(op.fail, log_target=log_target)
    if log_target:
        return loss.reduced(op("mul", op("exp", z), op("sub", z, x)), reduction)
    zero, one = (splat(op, value, x.shape, x.dtype) for value in (0.0, 1.0))
    is_positive = compare(op, z, zero, "gt")
    # Of one, where the target has no logarithm, whose gradient would be NaN.
    safe = op("select", is_positive, z, one)
    value = op("mul", safe, op("sub", op("log", safe), x))
    return loss.reduced(op("select", is_positive, value, zero), reduction)


@of_op
def MarginRankingLoss(
    input1: BlobDef,
    input2: BlobDef,
    target: BlobDef,
    margin: Number = 0.0,
    reduction: str = "mean",
    name: str | None = None,
) -> Blob:
    """max(0, margin - target * (input1 - input2)) of each element.

    Args:
        input1: (...), f16/bf16/f32/f64.
        input2: A blob that broadcasts with input1, of its element type.
        target: As input2: 1 says that input1 is to be larger, -1 that input2 is.
        margin: By how much.

    Returns:
        The losses, or their mean or sum, of the element type of input1.
    """
    loss = _Loss(
        "nn.MarginRankingLoss",
        "MarginRankingLoss",
        name,
        broadcasts=True,
        input1=input1,
        input2=input2,
        target=target,
    )
    op, (x, y, z) = loss.op, loss.blobs
    margin = loss.number(margin, "margin")
    short = op("sub", *operands(op, [margin, op("mul", z, op("sub", x, y))]))
    return loss.reduced(_clipped_below(op, short, 0.0), reduction)


def _distance(op, x, y, p, eps):
    """The p-norm of x - y + eps of each row of dimension 1."""
    difference = op("add", *operands(op, [op("sub", x, y), eps]))
    if p == 2:
        powers = op("mul", difference, difference)
    else:
        powers = op("pow", *operands(op, [op("abs", difference), p]))
    total = op("reduce_sum", powers, axes=[1], keepdims=False)
    if p == 2:
        return op("sqrt", total)
    return op("pow", *operands(op, [total, 1 / p]))


@of_op
def TripletMarginLoss(
    anchor: BlobDef,
    positive: BlobDef,
    negative: BlobDef,
    margin: Number = 1.0,
    p: Number = 2.0,
    eps: Number = 1e-06,
    swap: bool = False,
    reduction: str = "mean",
    name: str | None = None,
) -> Blob:
    """max(0, d(anchor, positive) - d(anchor, negative) + margin) of each row.

    d is the p-norm, along axis 1, of the difference plus eps.

    Args:
        anchor: (N, C), f16/bf16/f32/f64.
        positive: Of the shape and element type of anchor.
        negative: Of the shape and element type of anchor.
        margin: By how much the negative is to be further away.
        p: The degree of the norm, positive.
        eps: What is added to each difference.
        swap: Whether d(positive, negative) takes the place of d(anchor, negative) where
            it is less.

    Returns:
        The losses, (N,), or their mean or sum, of the element type of anchor.
    """
    loss = _Loss(
        "nn.TripletMarginLoss",
        "TripletMarginLoss",
        name,
        anchor=anchor,
        positive=positive,
        negative=negative,
    )
    op, (a, near, far) = loss.op, loss.blobs
    margin, p = loss.number(margin, "margin"), loss.number(p, "p")
    eps = loss.number(eps, "eps")
    if not p > 0:
        op.fail(f"expects a positive p but got {p!r}")
    if len(a.shape) < 2:
        op.fail(f"expects blobs of at least 2 dimensions but got shape {a.shape}")
    arguments.bools(op.fail, swap=swap)
    close, apart = _distance(op, a, near, p, eps), _distance(op, a, far, p, eps)
    if swap:
        apart = op("minimum", apart, _distance(op, near, far, p, eps))
    gap = op("add", *operands(op, [op("sub", close, apart), margin]))
    return loss.reduced(_clipped_below(op, gap, 0.0), reduction)


@of_op
def smooth_l1_loss(
    prediction: BlobDef, label: BlobDef, beta: Number = 1.0, name: str | None = None
) -> Blob:
    """With d = abs(prediction - label): d^2 / (2 beta) below beta, d - beta / 2 above.

    Args:
        prediction: (...), f16/bf16/f32/f64.
        label: Of the shape and element type of prediction.
        beta: Where the line begins, at least 0.

    Returns:
        A blob of the shape and element type of prediction.
    """
    loss = _Loss(
        "smooth_l1_loss", "SmoothL1Loss", name, prediction=prediction, label=label
    )
    op, (x, z) = loss.op, loss.blobs
    beta = loss.number(beta, "beta")
    if beta < 0:
        op.fail(f"expects beta to be at least 0 but got {beta!r}")
    distance = op("abs", op("sub", x, z))
    if beta == 0:
        return loss.reduced(distance, "none")
    # m (d - m / 2) / beta, where m is the smaller one of d and beta.
    inside = op("minimum", *operands(op, [distance, beta]))
    half = op("mul", *operands(op, [inside, 0.5]))
    product = op("mul", inside, op("sub", distance, half))
    return loss.reduced(op("div", *operands(op, [product, beta])), "none")


# ===- Of classes ----------------------------------------------------------===#

# The least probability whose logarithm is taken, as the original has it.
_LEAST_PROBABILITY = 1e-20


@of_op
def sparse_cross_entropy(
    labels: BlobDef, prediction: BlobDef, name: str | None = None
) -> Blob:
    """-log(prediction) of the label of each row.

    Probabilities below 1e-20 count as that. A label out of range gives NaN.

    Args:
        labels: (...) or (..., 1), i8/u8/i32/i64.
        prediction: (..., C), f16/bf16/f32/f64, probabilities.

    Returns:
        (...), of the element type of prediction.
    """
    op = begin("nn.sparse_cross_entropy", name, "SparseCrossEntropy")
    labels, p = op.blob(labels, "labels"), op.blob(prediction, "prediction")
    if labels.dtype.is_float():
        op.fail(f"expects labels of ints but got {labels.dtype.canonical}")
    if not p.dtype.is_float():
        op.fail(
            f"expects prediction to be a blob of floats but got {p.dtype.canonical}"
        )
    rows = p.shape[:-1] or (1,)
    if labels.shape not in (rows, (*p.shape[:-1], 1)) or len(p.shape) < 2:
        op.fail(
            f"expects labels of shape {rows} as the prediction has before its last "
            f"dimension but got {labels.shape}"
        )
    count = math.prod(rows)
    table = op("reshape", p, result=([count, p.shape[-1]], p.dtype.mlir))
    places = op("reshape", labels, result=([count, 1], labels.dtype.mlir))
    picked = op("gather", table, places, axis=1, batch_dims=1)
    picked = op("reshape", picked, result=(rows, p.dtype.mlir))
    picked = _clipped_below(op, widen(op, picked), _LEAST_PROBABILITY)
    return round_to(op, op("neg", op("log", picked)), p)


def _multiple_of_angle(op, cosine, times):
    """The cosine of an int multiple of an angle, and its sine divided by that of the
    angle: Chebyshev polynomials."""
    before, last = splat(op, 1.0, cosine.shape, cosine.dtype), cosine
    ratios = [splat(op, 0.0, cosine.shape, cosine.dtype), before]
    twice = op("add", cosine, cosine)
    for _ in range(times - 1):
        before, last = last, op("sub", op("mul", twice, last), before)
        ratios.append(op("sub", op("mul", twice, ratios[-1]), ratios[-2]))
    return last, ratios[-1]


@of_op
def combined_margin_loss(
    x: BlobDef,
    label: BlobDef,
    m1: Number = 1,
    m2: Number = 0,
    m3: Number = 0,
    name: str | None = None,
) -> Blob:
    """cos(m1 * theta + m2) - m3 at the label of each row, x elsewhere.

    theta is the angle with the cosine x. With an m1 that is no positive int, the
    gradient is infinite at an x of 1 or -1.

    Args:
        x: (N, C), f16/bf16/f32/f64 in [-1, 1].
        label: (N,) or (N, 1), i8/u8/i32/i64.
        m1: A factor of the angle.
        m2: What is added to the angle.
        m3: What is subtracted from the cosine.

    Returns:
        A blob of the shape and element type of x.
    """
    op = begin("combined_margin_loss", name, "CombinedMarginLoss")
    x, label = op.blob(x, "x"), op.blob(label, "label")
    if not x.dtype.is_float() or len(x.shape) != 2:
        op.fail(
            "expects x to be a blob of floats of 2 dimensions but got "
            f"{x.dtype.canonical} of shape {x.shape}"
        )
    if label.dtype.is_float():
        op.fail(f"expects label to be a blob of ints but got {label.dtype.canonical}")
    if label.shape not in (x.shape[:1], (x.shape[0], 1)):
        op.fail(f"expects label of shape {x.shape[:1]} but got {label.shape}")
    m1, m2, m3 = (
        arguments.number(op.fail, value, what)
        for what, value in (("m1", m1), ("m2", m2), ("m3", m3))
    )
    wide = widen(op, x)
    hot = _one_hot(op, label, x.shape)
    # Of the angle with cosine 0, where no label is: the gradient of others is finite.
    zero = splat(op, 0.0, x.shape, wide.dtype)
    cosine = op("select", hot, wide, zero)
    if m1 == int(m1) and m1 >= 1:
        result, ratio = _multiple_of_angle(op, cosine, int(m1))
    else:
        angle = op("mul", *operands(op, [op("acos", cosine), m1]))
        result, m2 = op("cos", op("add", *operands(op, [angle, m2]))), 0
    if m2:
        one = splat(op, 1.0, x.shape, wide.dtype)
        square = op("maximum", op("sub", one, op("mul", cosine, cosine)), zero)
        sine = op("mul", ratio, op("sqrt", square))
        result = op(
            "sub",
            op("mul", *operands(op, [result, math.cos(m2)])),
            op("mul", *operands(op, [sine, math.sin(m2)])),
        )
    if m3:
        result = op("sub", *operands(op, [result, m3]))
    return round_to(op, op("select", hot, result, wide), x)


def _one_hot(op, label, shape):
    """An i1 blob that is true at the label of each row."""
    wide = op("cast", label, result=(label.shape, "i64"))
    rows = op("reshape", wide, result=([shape[0], 1], "i64"))
    rows = broadcast(op, rows, shape)
    return compare(op, rows, op("iota", axis=1, result=(shape, "i64")), "eq")
