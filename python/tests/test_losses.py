"""Losses against NumPy."""

import numpy as np
import pytest

import jobmlir as flow
from models import define_unary, raises_here
from numeric import check, evaluate, gradients, random

X, Y, Z = (random((4, 3), seed) for seed in (1, 2, 3))
P, Q = (random((4, 3), seed, 0.1, 0.9) for seed in (4, 5))
LABELS = np.array([2, 0, 1, 2], np.int32)

REDUCTIONS = {
    "none": lambda x: x,
    "mean": lambda x: x.mean().reshape(1),
    "sum": lambda x: x.sum().reshape(1),
}


def bce(p, z, w=1.0):
    return -w * (z * np.log(p) + (1 - z) * np.log(1 - p))


def bce_logits(x, z, w=1.0, pos=1.0):
    return w * (pos * z * np.log1p(np.exp(-x)) + (1 - z) * np.log1p(np.exp(x)))


def norm(x, p=2.0):
    return (np.abs(x + 1e-6) ** p).sum(1) ** (1 / p)


def triplet(a, near, far, margin=1.0, p=2.0, swap=False):
    apart = norm(a - far, p)
    if swap:
        apart = np.minimum(apart, norm(near - far, p))
    return np.maximum(norm(a - near, p) - apart + margin, 0)


LOSSES = [
    (flow.nn.L1Loss, lambda x, z: np.abs(z - x), (X, Y)),
    (flow.nn.MSELoss, lambda x, z: (z - x) ** 2, (X, Y)),
    (flow.nn.BCELoss, bce, (P, Q)),
    (flow.nn.BCELoss, bce, (P, Q, X)),
    (flow.nn.BCEWithLogitsLoss, bce_logits, (X, Q)),
    (flow.nn.BCEWithLogitsLoss, bce_logits, (X, Q, Y, Z[0])),
    (
        flow.nn.KLDivLoss,
        lambda x, z: np.where(z > 0, z * (np.log(np.maximum(z, 1e-9)) - x), 0),
        (X, Y),
    ),
    (
        lambda x, z, **s: flow.nn.KLDivLoss(x, z, log_target=True, **s),
        lambda x, z: np.exp(z) * (z - x),
        (X, Y),
    ),
    (
        lambda x, y, z, **s: flow.nn.MarginRankingLoss(x, y, z, 0.3, **s),
        lambda x, y, z: np.maximum(0, -z * (x - y) + 0.3),
        (X, Y, Z),
    ),
    (
        flow.nn.MarginRankingLoss,
        lambda x, y, z: np.maximum(0, -z * (x - y)),
        (X, Y, Z[0]),
    ),
    (flow.nn.TripletMarginLoss, triplet, (X, Y, Z)),
    (
        lambda *x, **s: flow.nn.TripletMarginLoss(
            *x, margin=2.0, p=3.0, swap=True, **s
        ),
        lambda *x: triplet(*x, 2.0, 3.0, True),
        (X, Y, Z),
    ),
]


@pytest.mark.parametrize("function, reference, arrays", LOSSES)
@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_loss(function, reference, arrays, reduction):
    reduce = REDUCTIONS[reduction]
    check(
        lambda *blobs: function(*blobs, reduction=reduction),
        lambda *a: reduce(reference(*a)),
        *arrays,
        tolerance=1e-10,
    )


@pytest.mark.parametrize("function, reference, arrays", LOSSES)
def test_the_default_is_the_mean(function, reference, arrays):
    result = evaluate(function, *arrays)
    np.testing.assert_allclose(result, [reference(*arrays).mean()], 1e-10)


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_narrow_floats_are_summed_wide(dtype):
    x = np.full((64, 64), 12.0, dtype)
    z = np.zeros((64, 64), dtype)
    job = lambda x, z: flow.nn.MSELoss(x, z)  # noqa: E731
    result = evaluate(job, x, z)
    assert result.dtype == dtype and result == 144


@pytest.mark.parametrize("beta", [1.0, 0.5, 0.0])
def test_smooth_l1_loss(beta):
    def reference(x, z):
        d = np.abs(x - z)
        return np.where(d < beta, d * d / (2 * beta or 1), d - beta / 2)

    check(lambda x, z: flow.smooth_l1_loss(x, z, beta), reference, X, Y)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_bce_of_certain_probabilities(dtype):
    # Logarithms below -100, the least float of the type included, count as that.
    tiny = np.nextafter(dtype(0), dtype(1))
    p = np.array([0, 0, 1, 1, tiny, tiny, 0.5, 1], dtype)
    z = np.array([0, 1, 0, 1, 1, 0.5, 1, 0.25], dtype)
    loss = lambda p, z: flow.nn.BCELoss(p, z, reduction="none")  # noqa: E731
    expected = np.array([0, 100, 100, 0, 100, 50, np.log(2), 75])
    np.testing.assert_allclose(evaluate(loss, p, z), expected, 1e-6)
    by_p, by_z = gradients(loss, np.ones(8, dtype), p, z)
    # Of the logarithm that is above -100: -z / p + (1 - z) / (1 - p).
    np.testing.assert_allclose(by_p, [1, 0, 0, -1, 0, 0.5, -2, -0.25], 1e-6)
    # log(1 - p) - log(p).
    by_target = [100, 100, -100, -100, 100, 100, 0, -100]
    np.testing.assert_allclose(by_z, by_target, 1e-6, 1e-6)


def test_bce_with_large_logits():
    x = np.array([-1e4, 1e4, 0.0], np.float32)
    z = np.array([0, 1, 1], np.float32)
    result = evaluate(
        lambda x, z: flow.nn.BCEWithLogitsLoss(x, z, reduction="none"), x, z
    )
    np.testing.assert_allclose(result, [0, 0, np.log(2)], 1e-6)


@pytest.mark.parametrize("shape", [(4,), (4, 1)])
@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.int8])
def test_sparse_cross_entropy(shape, dtype):
    labels = LABELS.astype(dtype).reshape(shape)

    def reference(p):
        return -np.log(p[np.arange(4), LABELS])

    result = evaluate(flow.nn.sparse_cross_entropy, labels, P)
    np.testing.assert_allclose(result, reference(P), 1e-12)
    check(
        lambda p: flow.nn.sparse_cross_entropy(
            flow.cast(flow.range(4) * 0 + 2, flow.int32), p
        ),
        lambda p: -np.log(p[:, 2]),
        P,
    )


def test_sparse_cross_entropy_of_more_dimensions():
    p = random((2, 4, 3), 6, 0.1, 0.9)
    labels = np.stack([LABELS, LABELS[::-1]])
    result = evaluate(flow.nn.sparse_cross_entropy, labels, p)
    expected = -np.log(np.take_along_axis(p, labels[..., None], 2)[..., 0])
    np.testing.assert_allclose(result, expected, 1e-12)


def test_sparse_cross_entropy_of_nothing():
    p = np.array([[0.0, 1.0]], np.float32)
    result = evaluate(flow.nn.sparse_cross_entropy, np.array([0], np.int32), p)
    np.testing.assert_allclose(result, [-np.log(1e-20)], 1e-6)


COSINES = random((4, 3), 7, -0.9, 0.9)


@pytest.mark.parametrize(
    "m1, m2, m3",
    [(1, 0, 0), (1, 0.5, 0), (1, 0, 0.35), (2, 0.3, 0.1), (4, 0, 0), (1.35, 0.2, 0.1)],
)
def test_combined_margin_loss(m1, m2, m3):
    def reference(x):
        return np.where(np.eye(3)[LABELS] == 1, np.cos(m1 * np.arccos(x) + m2) - m3, x)

    def job(x, labels):
        return flow.combined_margin_loss(x, labels, m1, m2, m3)

    result = evaluate(job, COSINES, LABELS)
    np.testing.assert_allclose(result, reference(COSINES), 1e-12, 1e-12)
    twos = np.eye(3)[[2] * 4] == 1
    check(
        lambda x: flow.combined_margin_loss(
            x, flow.cast(flow.range(4) * 0 + 2, flow.int32), m1, m2, m3
        ),
        lambda x: np.where(twos, np.cos(m1 * np.arccos(x) + m2) - m3, x),
        COSINES,
    )


@pytest.mark.parametrize(
    "function, message",
    [
        (
            lambda x: flow.nn.L1Loss(x, x, "max"),
            "op L1Loss: expects reduction to be one of 'none', 'mean', 'sum' but got "
            "'max'",
        ),
        (
            lambda x: flow.nn.MSELoss(x, flow.transpose(x)),
            "op MSELoss: expects target of shape (4, 3) as input has but got (3, 4)",
        ),
        (
            lambda x: flow.nn.KLDivLoss(x, flow.cast(x, flow.float16)),
            "op KLDivLoss: expects target of float32 as input is but got float16",
        ),
        (
            lambda x: flow.nn.BCELoss(flow.cast(x, flow.int8), x),
            "op BCELoss: expects input to be a blob of floats but got int8",
        ),
        (
            lambda x: flow.nn.BCELoss(x, x, flow.transpose(x)),
            "expects weight of a shape that broadcasts to (4, 3) but got (3, 4)",
        ),
        (
            lambda x: flow.nn.BCEWithLogitsLoss(
                x, x, pos_weight=flow.cast(x, flow.double)
            ),
            "expects pos_weight of float32 but got float64",
        ),
        (
            lambda x: flow.nn.KLDivLoss(x, x, log_target="no"),
            "expects log_target to be a bool but got 'no'",
        ),
        (
            lambda x: flow.nn.MarginRankingLoss(x, x, flow.transpose(x)),
            "op MarginRankingLoss: expects shapes that broadcast to one but got",
        ),
        (
            lambda x: flow.nn.TripletMarginLoss(x, x, x, p=0),
            "op TripletMarginLoss: expects a positive p but got 0",
        ),
        (
            lambda x: flow.nn.TripletMarginLoss(*[flow.flatten(x)] * 3),
            "expects blobs of at least 2 dimensions but got shape (12,)",
        ),
        (
            lambda x: flow.smooth_l1_loss(x, x, -1),
            "op SmoothL1Loss: expects beta to be at least 0 but got -1",
        ),
        (
            lambda x: flow.nn.sparse_cross_entropy(x, x),
            "op SparseCrossEntropy: expects labels of ints but got float32",
        ),
        (
            lambda x: flow.nn.sparse_cross_entropy(flow.range(3), x),
            "expects labels of shape (4,) as the prediction has before its last "
            "dimension but got (3,)",
        ),
        (
            lambda x: flow.nn.sparse_cross_entropy(
                flow.range(4), flow.cast(x, flow.int8)
            ),
            "expects prediction to be a blob of floats but got int8",
        ),
        (
            lambda x: flow.combined_margin_loss(flow.flatten(x), flow.range(4)),
            "expects x to be a blob of floats of 2 dimensions but got float32 of shape",
        ),
        (
            lambda x: flow.combined_margin_loss(x, x),
            "expects label to be a blob of ints but got float32",
        ),
        (
            lambda x: flow.combined_margin_loss(x, flow.range(3)),
            "expects label of shape (4,) but got (3,)",
        ),
    ],
)
def test_error(function, message):
    define_unary(function, (4, 3))
    with raises_here(Exception, message):
        flow.dump_ir()
