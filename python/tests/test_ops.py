"""What the functions of the API compute, against NumPy."""

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from models import define_unary

SEED = 20


def values(shape, low=-2.0, high=2.0):
    """Floats away from 0, where many functions have a kink."""
    x = np.random.default_rng(SEED).uniform(low, high, shape).astype(np.float32)
    return np.where(np.abs(x) < 0.05, np.float32(0.25), x)


def close(actual, expected):
    expected = np.asarray(expected)
    scale = np.abs(expected).max() + 1e-12
    assert actual.shape == expected.shape, (actual.shape, expected.shape)
    assert np.abs(actual - expected).max() <= 2e-6 * scale, f"seed {SEED}"


X = values((2, 3))
POSITIVE = values((2, 3), 0.1, 2.0)


@pytest.mark.parametrize(
    "function, x, expected",
    [
        (flow.math.abs, X, np.abs(X)),
        (flow.math.negative, X, -X),
        (flow.math.exp, X, np.exp(X)),
        (flow.math.log, POSITIVE, np.log(POSITIVE)),
        (flow.math.sqrt, POSITIVE, np.sqrt(POSITIVE)),
        (flow.math.rsqrt, POSITIVE, 1 / np.sqrt(POSITIVE)),
        (flow.math.square, X, X * X),
        (flow.math.reciprocal, X, 1 / X),
        (flow.math.sin, X, np.sin(X)),
        (flow.math.cos, X, np.cos(X)),
        (flow.math.tanh, X, np.tanh(X)),
        (flow.math.sigmoid, X, 1 / (1 + np.exp(-X))),
        (flow.math.relu, X, np.maximum(X, 0)),
        (flow.math.softplus, X, np.log1p(np.exp(X))),
        (flow.math.log_sigmoid, X, -np.log1p(np.exp(-X))),
        (flow.nn.leaky_relu, X, np.where(X > 0, X, 0.2 * X)),
        (lambda x: -x, X, -X),
        (abs, X, np.abs(X)),
        (lambda x: 1 - x * 2 + 3 / x, X, 1 - X * 2 + 3 / X),
        (lambda x: (x - 1) / 2 + (2 + x), X, (X - 1) / 2 + (2 + X)),
        (lambda x: x**2.0, POSITIVE, POSITIVE**2),
        (lambda x: flow.math.pow(x, x), POSITIVE, POSITIVE**POSITIVE),
        (lambda x: x**3, X, X**3),
        (lambda x: 2**x, X, 2**X),
        (lambda x: flow.math.maximum(x, 0.5), X, np.maximum(X, 0.5)),
        (lambda x: flow.math.minimum(x, x * 2), X, np.minimum(X, X * 2)),
        (lambda x: flow.math.squared_difference(x, 1.0), X, (X - 1) ** 2),
        (lambda x: flow.math.clip_by_value(x, -1, 1), X, np.clip(X, -1, 1)),
        (lambda x: flow.math.clip(x, max_value=1), X, np.minimum(X, 1)),
        (lambda x: flow.math.add_n([x, x, x]), X, 3 * X),
        (flow.math.reduce_sum, X, X.sum().reshape(1)),
        (lambda x: flow.math.reduce_sum(x, -1), X, X.sum(-1)),
        (lambda x: flow.math.reduce_sum(x, [0, 1], True), X, X.sum(keepdims=True)),
        (lambda x: flow.math.reduce_sum(x, []) * 1.0, X, X),
        (lambda x: flow.math.reduce_mean(x, 0), X, X.mean(0)),
        (flow.math.reduce_mean, X, X.mean().reshape(1)),
        (lambda x: flow.math.reduce_variance(x, 1), X, X.var(1)),
        (lambda x: flow.math.reduce_std(x, 1), X, X.std(1)),
        (lambda x: flow.math.reduce_euclidean_norm(x, 1), X, np.linalg.norm(X, axis=1)),
        (lambda x: flow.matmul(x, x, transpose_b=True), X, X @ X.T),
        (lambda x: flow.linalg.matmul(x, x, transpose_a=True), X, X.T @ X),
        (lambda x: flow.reshape(x, [-1, 2]), X, X.reshape(-1, 2)),
        (
            lambda x: flow.reshape_like(x, flow.constant(0.0, shape=[6])),
            X,
            X.reshape(6),
        ),
        (flow.flatten, X, X.reshape(6)),
        (lambda x: flow.expand_dims(x, 1), X, X[:, None]),
        (lambda x: flow.squeeze(flow.expand_dims(x, -1)), X, X),
        (lambda x: flow.squeeze(flow.expand_dims(x, 0), 0), X, X),
        (lambda x: flow.identity(x) * 1.0, X, X),
        (lambda x: x + flow.constant(2.0), X, X + 2),
        (lambda x: x + flow.constant_like(x, 2.0), X, X + 2),
        (lambda x: x * flow.ones_like(x) + flow.zeros_like(x), X, X),
        (lambda x: flow.broadcast_like(flow.constant(3.0), x), X, np.full((2, 3), 3.0)),
        (
            lambda x: flow.broadcast_like(flow.math.reduce_sum(x, 0), x, [0]),
            X,
            np.broadcast_to(X.sum(0), (2, 3)),
        ),
        (
            lambda x: x - flow.math.reduce_mean(x, 1, True),
            X,
            X - X.mean(1, keepdims=True),
        ),
        (lambda x: flow.where(x > 0.5, x, 0.0), X, np.where(X > 0.5, X, 0)),
        (
            lambda x: flow.cast(flow.cast(x * 3, flow.int32), flow.float),
            X,
            np.trunc(X * 3),
        ),
    ],
)
def test_function(function, x, expected):
    close(define_unary(function)(x), expected)


@pytest.mark.parametrize(
    "function, expected",
    [
        (lambda x: x == 0.5, X == 0.5),
        (lambda x: x != 0.5, X != 0.5),
        (lambda x: x < 0.5, X < 0.5),
        (lambda x: x <= 0.5, X <= 0.5),
        (lambda x: x > 0.5, X > 0.5),
        (lambda x: 0.5 >= x, X <= 0.5),
    ],
)
def test_comparison_gives_int8(function, expected):
    result = define_unary(function)(X)
    assert result.dtype == np.int8
    assert (result == expected).all()


def test_ints_combine_with_ints():
    job = define_unary(lambda x: x * 3 + 1, (3,), flow.int64)
    x = np.array([1, -2, 2**40])
    assert (job(x) == x * 3 + 1).all()


def test_dtypes_that_mean_the_same_are_equal():
    assert flow.float == flow.float32 and flow.double == flow.float64
    assert flow.float != flow.double and len({flow.float, flow.float32}) == 1
    assert flow.convert_oneflow_dtype_to_numpy_dtype(flow.int8) is np.int8


def test_infinite_constants():
    job = define_unary(lambda x: flow.math.minimum(x, float("inf")) + float("-inf"))
    assert (job(X) == -np.inf).all()


# ===- Layers --------------------------------------------------------------===#


def windows(x, k, stride, pads, fill):
    """(n, c, oh, ow, k, k) of the padded image."""
    (top, bottom), (left, right) = pads
    x = np.pad(x, ((0, 0), (0, 0), (top, bottom), (left, right)), constant_values=fill)
    view = np.lib.stride_tricks.sliding_window_view(x, (k, k), (2, 3))
    return view[:, :, ::stride, ::stride]


@pytest.mark.parametrize(
    "padding, stride, pads",
    [
        ("VALID", 1, ((0, 0), (0, 0))),
        ("SAME", 1, ((2, 1), (2, 1))),
        ("same_lower", 1, ((2, 1), (2, 1))),
        ("SAME_UPPER", 1, ((1, 2), (1, 2))),
        ("SAME", 2, ((1, 1), (1, 1))),
        ([[0, 0], [0, 0], [1, 2], [0, 1]], 1, ((1, 2), (0, 1))),
    ],
)
def test_conv2d(padding, stride, pads):
    x = values((2, 3, 8, 8))
    init = flow.random_uniform_initializer(-1.0, 1.0)

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 3, 8, 8))) -> tp.Numpy:
        return flow.layers.conv2d(
            x, 2, 4, stride, padding, kernel_initializer=init, use_bias=False, name="c"
        )

    result = job(x)
    weight = flow.get_all_variables()["c-weight"].numpy()
    close(
        result, np.einsum("nchwij,ocij->nohw", windows(x, 4, stride, pads, 0), weight)
    )


def test_compat_conv2d_puts_the_extra_cell_at_the_end():
    x = values((1, 1, 4, 4))

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((1, 1, 4, 4))) -> tp.Numpy:
        w = flow.get_variable("w", (1, 1, 2, 2), initializer=flow.ones_initializer())
        return flow.nn.compat_conv2d(x, w, 1, "SAME")

    close(job(x), windows(x, 2, 1, ((0, 1), (0, 1)), 0).sum((4, 5)))


@pytest.mark.parametrize(
    "ksize, stride, padding, ceil_mode, pads",
    [
        (2, 2, "VALID", False, ((0, 0), (0, 0))),
        (3, 2, "SAME", False, ((1, 1), (1, 1))),
        (2, 2, "SAME", False, ((1, 0), (1, 0))),
        (2, 2, "VALID", True, ((0, 1), (0, 1))),
        ([2, 2], [3], "VALID", True, ((0, 0), (0, 0))),
    ],
)
def test_pools(ksize, stride, padding, ceil_mode, pads):
    x = values((1, 2, 5, 5))

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((1, 2, 5, 5))):
        arguments = (x, ksize, stride, padding)
        return (
            flow.nn.max_pool2d(*arguments, ceil_mode=ceil_mode),
            flow.nn.avg_pool2d(*arguments, ceil_mode=ceil_mode),
        )

    largest, mean = job(x).get()
    k, s = np.ravel(ksize)[0], np.ravel(stride)[0]
    close(largest.numpy(), windows(x, k, s, pads, -np.inf).max((4, 5)))
    close(mean.numpy(), np.nanmean(windows(x, k, s, pads, np.nan), (4, 5)))


def test_dense_flattens_what_has_more_dimensions():
    x = values((2, 3, 4))

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 3, 4))) -> tp.Numpy:
        return flow.layers.dense(
            x,
            5,
            kernel_initializer=flow.random_normal_initializer(),
            bias_initializer=flow.ones_initializer(),
            name="d",
        )

    result = job(x)
    weight = flow.get_all_variables()["d-weight"].numpy()
    close(result, x @ weight.T + 1)


def test_dense_starts_at_zero():
    assert (define_unary(lambda x: flow.layers.dense(x, 4))(X) == 0).all()


def test_bias_add_with_channels_last():
    job = define_unary(
        lambda x: flow.nn.bias_add(x, flow.constant(1.0, shape=[4]), "NHWC"),
        (2, 3, 3, 4),
    )
    x = values((2, 3, 3, 4))
    close(job(x), x + 1)


@pytest.mark.parametrize("labels_shape", [(4,), (4, 1)])
def test_sparse_softmax_cross_entropy(labels_shape):
    x = values((4, 3))
    labels = np.array([0, 2, 1, 2], np.int64)

    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder((4, 3)),
        labels: tp.Numpy.Placeholder(labels_shape, dtype=flow.int64),
    ) -> tp.Numpy:
        return flow.nn.sparse_softmax_cross_entropy_with_logits(labels, x)

    expected = np.log(np.exp(x).sum(1)) - x[range(4), labels]
    close(job(x, labels.reshape(labels_shape)), expected)


def test_dropout_is_the_identity_in_a_predict_job():
    assert (define_unary(lambda x: flow.nn.dropout(x, 0.5) * 1.0)(X) == X).all()


def test_dropout_of_a_train_job_scales_and_changes_with_the_step():
    shape = (50, 40)

    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder(shape)) -> tp.Numpy:
        dropped = flow.nn.dropout(x, 0.25)
        w = flow.get_variable("w", (1,), initializer=flow.ones_initializer())
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.0])
        flow.optimizer.SGD(rate, momentum=0).minimize(dropped * w)
        return dropped

    ones = np.ones(shape, np.float32)
    first, second = job(ones), job(ones)
    for result in (first, second):
        assert set(np.unique(result)) == {
            np.float32(0),
            np.float32(1) / np.float32(0.75),
        }
        assert abs((result == 0).mean() - 0.25) < 0.05
    assert (first != second).any()


@pytest.mark.parametrize("noise_shape", [(50, 1), [1, 40], (40,), (1,), (50, 40)])
def test_dropout_by_a_mask_that_is_broadcast(noise_shape):
    shape = (50, 40)

    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder(shape)) -> tp.Numpy:
        w = flow.get_variable("w", shape, initializer=flow.zeros_initializer())
        dropped = flow.nn.dropout(x + w, 0.25, noise_shape)
        rate = flow.optimizer.PiecewiseConstantScheduler([], [1.0])
        flow.optimizer.SGD(rate, momentum=0).minimize(flow.math.reduce_sum(dropped))
        return dropped

    x = np.random.default_rng(0).uniform(1, 2, shape).astype(np.float32)
    result = job(x)
    factors = result / x
    kept = np.float32(1 / 0.75)
    # Each row of the mask's axes of extent 1 has one factor.
    mask = np.broadcast_to(np.ones(noise_shape), shape)
    first = factors[tuple(slice(0, 1) if s == 0 else slice(None) for s in mask.strides)]
    np.testing.assert_allclose(factors, np.broadcast_to(first, shape), rtol=1e-6)
    assert set(np.round(first.ravel() / kept, 6)) <= {0, 1}
    if first.size > 30:
        assert 0 < (first == 0).mean() < 0.6
    np.testing.assert_allclose(
        -flow.get_all_variables()["w"].numpy(), factors, rtol=1e-6
    )


# ===- Initializers --------------------------------------------------------===#


def initial(initializer, shape=(64, 128)):
    @flow.global_function()
    def job() -> tp.Numpy:
        return flow.get_variable("w", shape, initializer=initializer) * 1.0

    return job()


def test_random_seed_chooses_the_initial_values():
    results = []
    for seed in (1, 1, 2):
        flow.clear_default_session()
        flow.config.random_seed(seed)
        results.append(initial(flow.truncated_normal(1.0)))
    assert (results[0] == results[1]).all()
    assert (results[0] != results[2]).any()


def test_variables_with_seeds_of_their_own():
    """Of one seed they are equal; neither the name nor config.random_seed matters."""
    init = flow.random_normal_initializer()
    results = []
    for seed in (1, 2):
        flow.clear_default_session()
        flow.config.random_seed(seed)

        @flow.global_function()
        def job():
            return [
                flow.get_variable(name, (3, 4), initializer=init, random_seed=own)
                for name, own in [("a", 5), ("b", 5), ("c", -(2**63)), ("d", None)]
            ]

        results.append([blob.numpy() for blob in job().get()])
    (a, b, c, d), (a2, b2, c2, d2) = results
    for other in (b, a2, b2):
        np.testing.assert_array_equal(a, other)
    np.testing.assert_array_equal(c, c2)
    assert (a != c).any() and (a != d).any() and (d != d2).any()


def test_default_initializer_of_the_config():
    config = flow.function_config()
    config.default_initializer_conf({"constant_conf": {"value": 3}})

    @flow.global_function(function_config=config)
    def job() -> tp.Numpy:
        return flow.get_variable("w", (2,)) * 1.0

    assert (job() == 3).all()
