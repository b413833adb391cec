"""Random numbers inside of jobs: their distributions, and that steps and seeds differ."""

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from models import define_unary, raises_here
from numeric import evaluate

COUNT = 20000


def steps(body, kind="predict", count=2):
    """The results of several steps of a job without arguments."""
    flow.clear_default_session()

    @flow.global_function(type=kind)
    def job() -> tp.Numpy:
        result = body()
        if kind == "train":
            w = flow.get_variable("w", (1,), initializer=flow.ones_initializer())
            rate = flow.optimizer.PiecewiseConstantScheduler([], [0.0])
            flow.optimizer.SGD(rate, momentum=0).minimize(w * 1.0)
        return result

    return [job() for _ in range(count)]


def moments(x, mean, stddev):
    """Within five standard errors."""
    x = x.astype(np.float64)
    assert abs(x.mean() - mean) < 5 * stddev / np.sqrt(x.size)
    assert abs(x.std() - stddev) < 0.03 * stddev


CASES = [
    (lambda **s: flow.random.uniform((COUNT,), **s), 0.5, 12**-0.5),
    (lambda **s: flow.random.uniform([COUNT], -1, 3, **s), 1, 4 / 12**0.5),
    (lambda **s: flow.random.normal(COUNT, **s), 0, 1),
    (lambda **s: flow.random.normal((COUNT // 4, 4), 2, 0.5, **s), 2, 0.5),
    (lambda **s: flow.random.CoinFlip(COUNT, **s), 0.5, 0.5),
    (lambda **s: flow.random.coin_flip(COUNT, probability=0.1, **s), 0.1, 0.3),
    (
        lambda **s: flow.random.bernoulli(flow.constant(0.2, shape=[COUNT]), **s),
        0.2,
        0.4,
    ),
    (
        lambda **s: flow.nn.random_mask_like(flow.constant(0, shape=[COUNT]), 0.2, **s),
        0.8,
        0.4,
    ),
]


@pytest.mark.parametrize("body, mean, stddev", CASES)
@pytest.mark.parametrize("kind", ["predict", "train"])
def test_distribution(body, mean, stddev, kind):
    first, second = steps(body, kind)
    moments(first, mean, stddev)
    moments(second, mean, stddev)
    assert (first != second).any()
    # Independent of each other.
    if first.dtype.kind == "f":
        correlation = np.corrcoef(first.ravel(), second.ravel())[0, 1]
        assert abs(correlation) < 5 / np.sqrt(COUNT)


@pytest.mark.parametrize("body, mean, stddev", CASES)
def test_seeds(body, mean, stddev):
    one, same, other = (
        steps(lambda s=seed: body(seed=s, name="draw"))[0] for seed in (7, 7, -8)
    )
    assert (one == same).all() and (one != other).any()


def test_ops_are_independent():
    def body():
        return flow.stack([flow.random.normal(COUNT), flow.random.normal(COUNT)])

    result = steps(body)[0]
    assert abs(np.corrcoef(result)[0, 1]) < 5 / np.sqrt(COUNT)


def test_the_shape_of_the_normal_distribution():
    x = np.sort(steps(lambda: flow.random.normal(COUNT, dtype=flow.double))[0])
    assert x.dtype == np.float64 and np.isfinite(x).all() and len(np.unique(x)) > 19000
    for z, share in ((-2, 0.02275), (-1, 0.158655), (0, 0.5), (1.5, 0.933193)):
        error = 5 * np.sqrt(share * (1 - share) / COUNT)
        assert abs((x < z).mean() - share) < error


@pytest.mark.parametrize("dtype", [flow.float16, flow.float32, flow.float64])
def test_dtypes(dtype):
    for make in (flow.random.uniform, flow.random.normal):
        result = steps(lambda make=make: make((COUNT,), dtype=dtype))[0]
        assert result.dtype == dtype.numpy and np.isfinite(result).all()


def test_dtypes_of_bits():
    p = np.full(COUNT, 0.25, np.float16)
    result = evaluate(lambda p: flow.random.bernoulli(p), p)
    assert result.dtype == np.float16 and set(np.unique(result)) == {0, 1}
    result = evaluate(lambda p: flow.random.bernoulli(p, dtype=flow.int8), p)
    assert result.dtype == np.int8
    moments(result, 0.25, 0.433)
    assert steps(lambda: flow.random.CoinFlip(3))[0].dtype == np.int8
    mask = evaluate(lambda p: flow.nn.random_mask_like(p, 0.5), p)
    assert mask.dtype == np.int8 and set(np.unique(mask)) == {0, 1}


@pytest.mark.parametrize("noise_shape", [(60, 1), (1, 40), [40], (1,)])
def test_a_mask_that_is_broadcast(noise_shape):
    x = np.zeros((60, 40), np.float32)
    mask = evaluate(
        lambda x: flow.nn.random_mask_like(x, 0.5, noise_shape=noise_shape), x
    )
    assert mask.shape == x.shape and mask.dtype == np.int8
    own = (1,) * (2 - len(noise_shape)) + tuple(noise_shape)
    first = mask[: own[0], : own[1]]
    assert (mask == first).all()
    if first.size > 1:
        assert set(first.ravel()) == {0, 1}


@pytest.mark.parametrize("noise_shape", [(2,), (1, 2, 3)])
def test_the_shape_of_a_mask_must_broadcast(noise_shape):
    define_unary(lambda x: flow.nn.random_mask_like(x, 0.5, noise_shape=noise_shape))
    with raises_here(
        AssertionError,
        f"expects noise_shape to broadcast to shape (2, 3) but got {noise_shape}",
    ):
        flow.dump_ir()


def test_certain_events():
    p = np.array([0.0, 1.0] * 5000, np.float32)
    np.testing.assert_array_equal(evaluate(flow.random.bernoulli, p), p)
    ends = evaluate(
        lambda p: (
            flow.random.CoinFlip(5000, probability=0),
            flow.random.CoinFlip(5000, probability=1),
            flow.nn.random_mask_like(p, 0),
        ),
        p,
    )
    assert [set(np.unique(end)) for end in ends] == [{0}, {1}, {1}]


def test_micro_steps_have_their_own_numbers():
    x = np.full((4, 500), 0.5, np.float32)

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder(x.shape)) -> tp.Numpy:
        return flow.pack(flow.random.bernoulli(flow.unpack(x, 4)), 4)

    rows = job(x)
    for i in range(4):
        for j in range(i):
            assert (rows[i] != rows[j]).any()


def test_gen_seed():
    assert flow.random.gen_seed() == (-1, False)
    assert flow.random.gen_seed(5) == (5, True)


@pytest.mark.parametrize(
    "function, message",
    [
        (
            lambda x: flow.nn.random_mask_like(x, 1),
            "op RandomMaskLike: expects rate in [0, 1) but got 1",
        ),
        (
            lambda x: flow.random.bernoulli(x, "1"),
            "op Bernoulli: expects seed to be an int or None but got '1'",
        ),
        (
            lambda x: flow.random.bernoulli(x, 2**63),
            "expects seed in [-2^63, 2^63) but got 9223372036854775808",
        ),
        (
            lambda x: flow.random.bernoulli(flow.cast(x, flow.int8)),
            "expects x to be a blob of floats but got int8",
        ),
        (
            lambda x: flow.random.CoinFlip(0),
            "op CoinFlip: expects batch_size to be a positive int but got 0",
        ),
        (
            lambda x: flow.random.CoinFlip(1, probability=1.5),
            "expects probability in [0, 1] but got 1.5",
        ),
        (
            lambda x: flow.random.normal([0]),
            "op RandomNormal: expects positive extents but got 0 in dimension 0",
        ),
        (
            lambda x: flow.random.normal([2], stddev=-1),
            "expects stddev to be at least 0 but got -1",
        ),
        (
            lambda x: flow.random.uniform([2], dtype=flow.int32),
            "op RandomUniform: expects dtype to be one of floats but got int32",
        ),
        (
            lambda x: flow.random.uniform([2], 1, 0),
            "expects minval up to maxval but got 1 and 0",
        ),
    ],
)
def test_error(function, message):
    define_unary(function, (4, 3))
    with raises_here(Exception, message):
        flow.dump_ir()
