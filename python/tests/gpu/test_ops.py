"""Ops that are compositions compute on a GPU what they compute on the CPU."""

import numpy as np
import pytest

import jobmlir as flow
from numeric import evaluate, gradients, random

VOLUME = (1, 2, 3, 4, 4)
PLANE = (2, 4, 3, 3)


def filters(*shape):
    return flow.constant(random(shape, 5, dtype=np.float32))


CASES = {
    "conv3d": (
        VOLUME,
        lambda x: flow.nn.conv3d(x, filters(3, 2, 2, 3, 3), [1, 2, 1], "SAME"),
    ),
    "conv3d channels last": (
        (1, 3, 4, 4, 2),
        lambda x: flow.nn.conv3d(x, filters(3, 2, 3, 3, 2), 1, "VALID", "NDHWC"),
    ),
    "conv1d": ((2, 3, 8), lambda x: flow.nn.conv1d(x, filters(4, 3, 3), 2, "SAME")),
    "pools": (
        VOLUME,
        lambda x: (
            flow.nn.max_pool3d(x, 2, 1, "SAME") + flow.nn.avg_pool3d(x, 3, 1, "SAME")
        ),
    ),
    "transposed": (
        PLANE,
        lambda x: flow.nn.conv2d_transpose(
            x, filters(4, 2, 3, 3), (2, 2, 6, 6), 2, "SAME"
        ),
    ),
    "images": (
        PLANE,
        lambda x: flow.layers.upsample_2d(
            flow.nn.PixelShuffle(x, 2), (2, 1), interpolation="bilinear"
        ),
    ),
    "norms": (PLANE, lambda x: flow.nn.GroupNorm(x, 2) * flow.nn.InstanceNorm2d(x)),
    "activations": (
        PLANE,
        lambda x: (
            flow.nn.elu(x)
            + flow.nn.hardswish(x) * flow.nn.mish(x)
            + flow.math.gelu_grad(x, flow.nn.swish(x))
        ),
    ),
    "losses": (
        PLANE,
        lambda x: (
            flow.nn.BCEWithLogitsLoss(x, flow.constant_like(x, 0.3))
            + flow.nn.KLDivLoss(x, flow.constant_like(x, 0.3))
            + flow.nn.TripletMarginLoss(x, x * 2, x * x)
        ),
    ),
    "sums": (
        PLANE,
        lambda x: (
            flow.math.l2_normalize(flow.math.cumsum(x, -1), 1)
            + flow.math.polyval([1, 2, 3], x)[:, ::-1]
        ),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_values_and_gradients(use, name):
    shape, function = CASES[name]
    x = random(shape, 1, dtype=np.float32)
    found, tags = {}, set()

    def body(x):
        tags.add(x.parallel_conf.device_tag)
        return function(x)

    for device in ("cpu", "gpu"):
        use(device)
        value = evaluate(body, x)
        found[device] = value, *gradients(body, np.ones_like(value), x)
        assert tags == {device}
        tags.clear()
    for one, other in zip(found["gpu"], found["cpu"]):
        scale = np.abs(other).max()
        np.testing.assert_allclose(one, other, 1e-5, 1e-5 * scale)


def test_random_numbers_are_those_of_the_cpu(use):
    def function(x):
        return (
            flow.random.normal((50,), seed=3, name="normal"),
            flow.random.bernoulli(x, seed=4, name="bits"),
            flow.nn.random_mask_like(x, 0.5, seed=5, name="mask"),
            flow.random.uniform((50,), seed=6, name="uniform"),
            flow.random.CoinFlip(50, seed=7, name="coins"),
            flow.random.shuffle(flow.range(50), seed=8, name="shuffle"),
            flow.random.generate_random_batch_permutation_indices(
                x, seed=9, name="order"
            ),
            flow.nn.dropout(x, 0.5, seed=10, name="dropout"),
        )

    x = np.full(50, 0.5, np.float32)
    use("cpu")
    expected = evaluate(function, x, kind="train")
    use("gpu")
    for one, other in zip(evaluate(function, x, kind="train"), expected):
        np.testing.assert_allclose(one, other, 1e-5, 1e-6)


def test_assign_to_a_variable_of_the_gpu():
    w = random((2, 3), dtype=np.float32)

    @flow.global_function()
    def job():
        v = flow.get_variable("v", (2, 3), initializer=w)
        flow.experimental.logical_slice_assign(v, v[:, 0:1] * 2, [(0, 2, 1), (1, 2, 1)])
        return v * 1.0

    np.testing.assert_array_equal(job().get().numpy(), w)
    w[:, 1] = w[:, 0] * 2
    np.testing.assert_array_equal(flow.get_all_variables()["v"].numpy(), w)
