"""Losses. Unless reduction is "none", a loss is one number, of shape (1,)."""

from __future__ import annotations

import math

from . import arguments
from .blob import Blob, BlobDef
from .documentation import of_op
from .hints import Operand
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


def L1Loss(input, target, reduction="mean", name=None):
    """|target - input| of floats of one shape; reduction is "none", "mean" or "sum"."""
    loss = _Loss("nn.L1Loss", "L1Loss", name, input=input, target=target)
    x, z = loss.blobs
    return loss.reduced(loss.op("abs", loss.op("sub", z, x)), reduction)


def MSELoss(input, target, reduction="mean", name=None):
    """(target - input)^2 of floats of one shape; reduction is "none", "mean" or
    "sum"."""
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


def BCELoss(input, target, weight=None, reduction="mean", name=None):
    """The cross entropy of probabilities: -(target log(input) + (1 - target)
    log(1 - input)), times an optional weight, of floats of one shape.

    A logarithm below -100 counts as that and has no gradient: an input of 0 with a
    target of 0 gives a loss of 0, one of 1 with a target of 0 a loss of 100."""
    loss = _Loss("nn.BCELoss", "BCELoss", name, input=input, target=target)
    op, (x, z) = loss.op, loss.blobs
    one = splat(op, 1.0, x.shape, x.dtype)
    hit = op("mul", z, _bounded_log(op, x))
    miss = op("mul", op("sub", one, z), _bounded_log(op, op("sub", one, x)))
    total = op("neg", op("add", hit, miss))
    return loss.reduced(loss.weighted(total, weight), reduction)


def BCEWithLogitsLoss(
    input, target, weight=None, pos_weight=None, reduction="mean", name=None
):
    """BCELoss of sigmoid(input), without overflow. `pos_weight`, which broadcasts to
    the input (one number per class, say), weighs the term with the target."""
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


def KLDivLoss(input, target, log_target=False, reduction="mean", name=None):
    """The divergence of `target` from e^input: target * (log(target) - input), 0 where
    the target is not positive; with `log_target`, e^target * (target - input). Floats
    of one shape."""
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


def MarginRankingLoss(input1, input2, target, margin=0.0, reduction="mean", name=None):
    """max(0, margin - target * (input1 - input2)) of floats, with NumPy's broadcasting;
    a target of 1 says that input1 is to be larger, of -1 that input2 is."""
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


def TripletMarginLoss(
    anchor,
    positive,
    negative,
    margin=1.0,
    p=2.0,
    eps=1e-6,
    swap=False,
    reduction="mean",
    name=None,
):
    """max(0, d(anchor, positive) - d(anchor, negative) + margin) of floats of one shape
    (rows, features), where d is the p-norm of the difference plus eps. With `swap`
    d(positive, negative) takes the place of d(anchor, negative) where it is less."""
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


def smooth_l1_loss(prediction, label, beta=1.0, name=None):
    """Of each element, with d = |prediction - label|: d^2 / (2 beta) below beta,
    d - beta / 2 from there on. Floats of one shape."""
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


def sparse_cross_entropy(labels, prediction, name=None):
    """-log(prediction) of the label of each row, where `prediction` has probabilities
    along the last dimension and `labels`, of ints, the shape before it. Probabilities
    below 1e-20 count as that; a label out of range gives NaN."""
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


def combined_margin_loss(x, label, m1=1, m2=0, m3=0, name=None):
    """cos(m1 * theta + m2) - m3 at the label of each row, where theta is the angle with
    the cosine x; x elsewhere. `x` are floats in [-1, 1] of shape (rows, classes), and
    `label` ints of shape (rows,). With an m1 that is no positive int, the gradient is
    infinite at an x of 1 or -1."""
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
