"""Parts, places, reductions and normalisation, against NumPy."""

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from models import define_unary, raises_here
from test_ops import close, values

X = values((4, 3))
CUBE = values((2, 3, 5))
ROWS = np.array([2, 0, 3, 2], np.int32)


def erf(x):
    from math import erf as scalar

    return np.vectorize(scalar)(x.astype(np.float64))


def softmax(x, axis=-1):
    e = np.exp(x.astype(np.float64) - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


@pytest.mark.parametrize(
    "function, x, expected",
    [
        (flow.math.erf, X, erf(X)),
        (flow.math.gelu, X, X * 0.5 * (1 + erf(X / np.sqrt(2)))),
        (
            lambda x: flow.math.gelu(x, approximate="tanh"),
            X,
            X * 0.5 * (1 + np.tanh(np.sqrt(2 / np.pi) * (X + 0.044715 * X**3))),
        ),
        (flow.math.expm1, X, np.expm1(X)),
        (flow.math.log1p, np.abs(X), np.log1p(np.abs(X))),
        (flow.math.floor, X, np.floor(X)),
        (flow.math.ceil, X, np.ceil(X)),
        (flow.math.round, X * 2, np.round(X * 2)),
        (flow.math.rint, X * 2, np.rint(X * 2)),
        (flow.math.sign, X, np.sign(X)),
        (lambda x: flow.math.reduce_max(x, 1), X, X.max(1)),
        (lambda x: flow.math.reduce_min(x, 0, True), X, X.min(0, keepdims=True)),
        (lambda x: flow.math.reduce_prod(x), X, X.prod().reshape(1)),
        (
            lambda x: flow.math.reduce_logsumexp(x, 1),
            X,
            np.log(np.exp(X.astype(np.float64)).sum(1)),
        ),
        (
            lambda x: flow.math.reduce_logsumexp(x * 100, [0, 1]),
            X,
            np.logaddexp.reduce(X.astype(np.float64).ravel() * 100).reshape(1),
        ),
        (lambda x: flow.nn.moments(x, [0])[1], X, X.var(0)),
        (lambda x: flow.transpose(x, [1, 0]), X, X.T),
        (lambda x: flow.transpose(x, [2, 0, 1]), CUBE, CUBE.transpose(2, 0, 1)),
        (lambda x: flow.transpose(x, [0, -1, 1]), CUBE, CUBE.transpose(0, 2, 1)),
        (flow.transpose, CUBE, CUBE.T),
        (lambda x: flow.concat([x, x * 2], 1), X, np.concatenate([X, X * 2], 1)),
        (
            lambda x: flow.concat([x, x * 2, x * 3], -2),
            CUBE,
            np.concatenate([CUBE, CUBE * 2, CUBE * 3], -2),
        ),
        (lambda x: flow.concat([x]) * 1.0, X, X),
        (lambda x: flow.stack([x, x * 2]), X, np.stack([X, X * 2])),
        (lambda x: flow.stack([x, x * 2], -1), X, np.stack([X, X * 2], -1)),
        (lambda x: flow.slice(x, [1, 0], [2, -1]), X, X[1:3]),
        (lambda x: flow.slice(x, [-2, 1], [1, 2]), X, X[-2:-1, 1:3]),
        (lambda x: flow.slice_v2(x, [(None, None, 2), (1, None, None)]), X, X[::2, 1:]),
        (lambda x: flow.slice_v2(x, [(1, -1, 1)]), X, X[1:-1]),
        (lambda x: flow.split(x, 2)[1] * 1.0, X, X[2:]),
        (lambda x: flow.split(x, [1, 2], axis=1)[1] * 1.0, X, X[:, 1:]),
        (lambda x: flow.pad(x, [(1, 2), (0, 3)]), X, np.pad(X, [(1, 2), (0, 3)])),
        (
            lambda x: flow.pad(x, [(0, 0), (1, 0)], 7),
            X,
            np.pad(X, [(0, 0), (1, 0)], constant_values=7),
        ),
        (
            lambda x: flow.gather(x, flow.cast(flow.range(4) * 0 + 2, flow.int32)),
            X,
            X[[2, 2, 2, 2]],
        ),
        (
            lambda x: flow.gather(x, flow.range(2), axis=1),
            CUBE,
            CUBE[:, :2],
        ),
        (
            lambda x: flow.math.unsorted_segment_sum(
                x, flow.cast(flow.range(4) * 0 + 1, flow.int32), 3
            ),
            X,
            np.stack([X[0] * 0, X.sum(0), X[0] * 0]),
        ),
        (lambda x: flow.masked_fill(x, x > 0.5, -3.0), X, np.where(X > 0.5, -3, X)),
        (flow.nn.tril, X, np.tril(X)),
        (lambda x: flow.nn.tril(x, -1), CUBE, np.tril(CUBE, -1)),
        (flow.nn.softmax, X, softmax(X)),
        (lambda x: flow.nn.softmax(x, 1), CUBE, softmax(CUBE, 1)),
        (flow.nn.logsoftmax, X, np.log(softmax(X))),
        (
            lambda x: flow.nn.softmax_cross_entropy_with_logits(flow.nn.softmax(x), x),
            X,
            -(softmax(X) * np.log(softmax(X))).sum(-1),
        ),
        (
            lambda x: flow.nn.sigmoid_cross_entropy_with_logits(
                flow.math.sigmoid(x), x
            ),
            X,
            np.log1p(np.exp(X.astype(np.float64))) - X / (1 + np.exp(-X)),
        ),
        (
            lambda x: flow.nn.batch_normalization(
                x, *flow.nn.moments(x, [0]), axis=1, variance_epsilon=0.1
            ),
            X,
            (X - X.mean(0)) / np.sqrt(X.var(0) + 0.1),
        ),
        (
            lambda x: flow.nn.layer_norm(x, epsilon=0.1),
            CUBE,
            (CUBE - CUBE.mean((1, 2), keepdims=True))
            / np.sqrt(CUBE.var((1, 2), keepdims=True) + 0.1),
        ),
        (
            lambda x: flow.matmul(x, x, transpose_b=True),
            CUBE,
            CUBE @ CUBE.transpose(0, 2, 1),
        ),
    ],
)
def test_function(function, x, expected):
    close(define_unary(function, x.shape)(x.astype(np.float32)), expected)


@pytest.mark.parametrize(
    "function, expected",
    [
        (lambda x: flow.math.logical_and(x > 0, x < 1), (X > 0) & (X < 1)),
        (lambda x: flow.math.logical_or(x > 1, x < 0), (X > 1) | (X < 0)),
        (lambda x: flow.math.logical_not(x > 0), X <= 0),
        (lambda x: flow.math.reduce_any(x > 1, 1), (X > 1).any(1)),
        (lambda x: flow.math.reduce_all(x > -1, 1), (X > -1).all(1)),
    ],
)
def test_truth_is_int8(function, expected):
    result = define_unary(function, X.shape)(X)
    assert result.dtype == np.int8
    np.testing.assert_array_equal(result, expected)


def test_integers():
    @flow.global_function()
    def job(rows: tp.Numpy.Placeholder((4,), dtype=flow.int32)):
        return (
            flow.one_hot(rows, 4, dtype=flow.float),
            flow.one_hot(rows, 4, 5, -1, axis=0),
            flow.range(2, 9, 3, dtype=flow.int32),
            flow.math.argmax(flow.one_hot(rows, 4, dtype=flow.float)),
        )

    hot, columns, counted, found = (blob.numpy() for blob in job(ROWS).get())
    np.testing.assert_array_equal(hot, np.eye(4, dtype=np.float32)[ROWS])
    np.testing.assert_array_equal(columns, np.where(np.eye(4)[ROWS].T, 5, -1))
    np.testing.assert_array_equal(counted, [2, 5, 8])
    assert found.dtype == np.int32
    np.testing.assert_array_equal(found, ROWS)


@pytest.mark.parametrize("axis", [0, -1])
def test_one_hot_beyond_the_type_of_its_indices(axis):
    rows = np.array([-56, 5, 100], np.int8)

    def job(i):
        return flow.one_hot(i, 300, axis=axis)

    hot = define_unary(job, rows.shape, flow.int8)(rows)
    expected = (rows[:, None].astype(int) == np.arange(300)).astype(np.int32)
    assert expected.sum(1).tolist() == [0, 1, 1]
    np.testing.assert_array_equal(hot, expected if axis else expected.T)


def test_one_hot_of_the_deepest_int8():
    rows = np.array([127, -128], np.int8)
    job = define_unary(lambda i: flow.one_hot(i, 128), rows.shape, flow.int8)
    np.testing.assert_array_equal(job(rows).nonzero(), [[0], [127]])


def test_attention():
    def job(x):
        parts = flow.split(flow.reshape(x, [1, 5, 6, 2]), 3, axis=2)
        return flow.nn.attention(*parts, causal=True)

    x = values((5, 12))
    q, k, v = (
        part.transpose(1, 0, 2) for part in np.split(x.reshape(5, 6, 2), 3, axis=1)
    )
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(2)
    scores = np.where(np.tri(5, dtype=bool), scores, -np.inf)
    expected = (softmax(scores) @ v).transpose(1, 0, 2)[None]
    close(define_unary(job, x.shape)(x), expected)


# ===- Layers --------------------------------------------------------------===#


def test_batch_normalization_moves_its_statistics():
    @flow.global_function(type="train")
    def train(x: tp.Numpy.Placeholder((8, 3, 4, 4))) -> tp.Numpy:
        y = flow.layers.batch_normalization(x, axis=1, momentum=0.75, name="norm")
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.0])
        flow.optimizer.SGD(rate, momentum=0).minimize(flow.math.reduce_mean(y))
        return y

    @flow.global_function(type="predict")
    def predict(x: tp.Numpy.Placeholder((8, 3, 4, 4))) -> tp.Numpy:
        return flow.layers.batch_normalization(x, axis=1, name="norm")

    x = values((8, 3, 4, 4)) * 3 + 1
    mean, variance = x.mean((0, 2, 3)), x.var((0, 2, 3))
    column = (1, 3, 1, 1)

    def normal(mean, variance):
        mean, variance = mean.reshape(column), variance.reshape(column)
        return (x - mean) / np.sqrt(variance + 0.001)

    close(predict(x), normal(np.zeros(3), np.ones(3)))
    close(train(x), normal(mean, variance))
    moved = flow.get_all_variables()
    close(moved["norm-moving_mean"].numpy(), 0.25 * mean)
    close(moved["norm-moving_variance"].numpy(), 0.75 + 0.25 * variance)
    close(predict(x), normal(0.25 * mean, 0.75 + 0.25 * variance))


def test_batch_normalization_of_other_kinds():
    @flow.global_function(type="train")
    def train(x: tp.Numpy.Placeholder((8, 3))):
        plain = flow.layers.batch_normalization(x, center=False, scale=False)
        frozen = flow.layers.batch_normalization(x, trainable=False)
        relu = flow.layers.batch_normalization_relu(x, name="relu")
        both = flow.layers.batch_normalization_add_relu(x, x, name="both")
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.0])
        flow.optimizer.SGD(rate, momentum=0).minimize(flow.math.reduce_mean(relu))
        return plain, frozen, relu, both

    x = values((8, 3))
    normal = (x - x.mean(0)) / np.sqrt(x.var(0) + 0.001)
    plain, frozen, relu, both = (blob.numpy() for blob in train(x).get())
    close(plain, normal)
    close(frozen, x / np.sqrt(1.001))
    close(relu, np.maximum(normal, 0))
    close(both, np.maximum(normal + x, 0))
    assert {"relu-gamma", "BatchNorm-moving_mean", "BatchNorm_1-beta"} <= set(
        flow.get_all_variables()
    )
    assert "BatchNorm-gamma" not in flow.get_all_variables()


def test_layer_norm_has_parameters():
    @flow.global_function(type="predict")
    def job(x: tp.Numpy.Placeholder((2, 3, 5))):
        return (
            flow.layers.layer_norm(x, begin_norm_axis=2, name="last"),
            flow.layers.layer_norm(x, begin_params_axis=2, name="both"),
        )

    def normal(axes):
        mean, variance = CUBE.mean(axes, keepdims=True), CUBE.var(axes, keepdims=True)
        return (CUBE - mean) / np.sqrt(variance + 1e-5)

    last, both = (blob.numpy() for blob in job(CUBE).get())
    close(last, normal(2))
    close(both, normal((1, 2)))
    assert flow.get_all_variables()["last-gamma"].shape == (5,)


# ===- Errors --------------------------------------------------------------===#


@pytest.mark.parametrize(
    "function, message",
    [
        (
            lambda x: flow.transpose(x, [0, 0]),
            "op Transpose: expects a permutation of 2 dimensions but got [0, 0]",
        ),
        (
            lambda x: flow.math.reduce_sum(x, [0, -2]),
            "expects distinct axes but got [0, -2]",
        ),
        (
            lambda x: flow.flatten(x, 1, 0),
            "expects start_dim up to end_dim but got 1 and 0",
        ),
        (lambda x: flow.concat([]), "expects a list of blobs but got []"),
        (lambda x: flow.concat([x], "0"), "expects axis to be an int but got '0'"),
        (
            lambda x: flow.concat([x], max_dim_size=3),
            "expects max_dim_size to be None",
        ),
        (
            lambda x: flow.concat([x, flow.math.reduce_sum(x, 0)]),
            "in dimension 0 only but got",
        ),
        (lambda x: flow.stack(x), "expects a list of blobs but got <Blob"),
        (
            lambda x: flow.stack([x, flow.transpose(x)]),
            "expects blobs of shape (4, 3) but got (3, 4) for inputs[1]",
        ),
        (lambda x: flow.slice(x, [0], [1]), "expects 2 values of begin but got 1"),
        (
            lambda x: flow.slice(x, [0, 1], [1, 3]),
            "expects elements in [0, 3) of dimension 1 but got 3 from 1",
        ),
        (
            lambda x: flow.slice_v2(x, [None, None, None]),
            "expects a list of at most 2",
        ),
        (
            lambda x: flow.slice_v2(x, [(0, 1)]),
            "expects (start, stop, step) but got (0, 1)",
        ),
        (
            lambda x: flow.slice_v2(x, [(None, None, 0)]),
            "expects a step other than 0 in dimension 0 but got 0",
        ),
        (
            lambda x: flow.slice_v2(x, [(2, 2, 1)]),
            "expects at least one element in dimension 0 of extent 4",
        ),
        (
            lambda x: flow.split(x, 3),
            "expects a number of parts that divides 4 but got 3",
        ),
        (
            lambda x: flow.split(x, [1, 1]),
            "expects positive sizes that sum to 4 but got [1, 1]",
        ),
        (lambda x: flow.pad(x, [(1, 1)]), "expects a (before, after) for each of 2"),
        (
            lambda x: flow.pad(x, [(1, 1), (-1, 0)]),
            "expects pairs of ints that are not negative",
        ),
        (lambda x: x + flow.range(0), "expects at least one number but got none"),
        (lambda x: flow.range(x), "expects a number but got <Blob"),
        (
            lambda x: flow.one_hot(flow.math.argmax(x), 0),
            "expects depth to be a positive int but got 0",
        ),
        (lambda x: flow.one_hot(x, 3), "expects indices of ints but got"),
        (
            lambda x: flow.gather(x, flow.range(2), batch_dims="1"),
            "expects batch_dims to be an int but got '1'",
        ),
        (
            lambda x: flow.math.unsorted_segment_sum(x, flow.range(4), 0),
            "expects num_segments to be a positive int but got 0",
        ),
        (
            lambda x: flow.nn.tril(flow.math.reduce_sum(x)),
            "expects at least 2 dimensions but got shape (1,)",
        ),
        (lambda x: flow.nn.tril(x, 0.5), "expects diagonal to be an int but got 0.5"),
        (
            lambda x: flow.nn.moments(x, 0),
            "expects axes to be a list of ints but got 0",
        ),
        (
            lambda x: flow.nn.softmax_cross_entropy_with_logits(flow.transpose(x), x),
            "expects labels of shape (4, 3) as the logits have but got (3, 4)",
        ),
        (
            lambda x: flow.nn.sigmoid_cross_entropy_with_logits(flow.transpose(x), x),
            "expects labels of shape (4, 3) as the logits have but got (3, 4)",
        ),
        (
            lambda x: flow.nn.layer_norm(x, epsilon=0),
            "expects epsilon to be a positive number but got 0",
        ),
        (
            lambda x: flow.nn.layer_norm(x, gamma=flow.transpose(x)),
            "expects gamma of shape (3,) but got (3, 4)",
        ),
        (
            lambda x: flow.nn.batch_normalization(
                x, flow.math.reduce_mean(x, 1), flow.math.reduce_mean(x, 0)
            ),
            "expects mean of shape (3,) for axis 1 of (4, 3) but got (4,)",
        ),
        (
            lambda x: flow.nn.batch_normalization(
                x,
                flow.math.reduce_mean(x, 0),
                flow.cast(flow.math.reduce_mean(x, 0), flow.float16),
            ),
            "expects variance of float32 as x is but got float16",
        ),
        (
            lambda x: flow.nn.batch_normalization(
                flow.cast(x, flow.float16),
                flow.math.reduce_mean(x, 0),
                flow.cast(flow.math.reduce_mean(x, 0), flow.double),
            ),
            "expects variance of float16 as x is or of float32 but got float64",
        ),
        (
            lambda x: flow.math.gelu(x, approximate="sigmoid"),
            "expects approximate to be one of 'none', 'tanh' but got 'sigmoid'",
        ),
        (
            lambda x: flow.nn.attention(x, x, x),
            "expects a query of (batch, position, head, channel) but got shape",
        ),
        (
            lambda x: flow.nn.attention(
                *[flow.reshape(x, [1, 2, 2, 3])] * 3, scale="1"
            ),
            "expects scale to be a number but got '1'",
        ),
        (
            lambda x: flow.layers.batch_normalization(x, axis=2),
            "op BatchNorm: expects an axis in [-2, 2) but got 2",
        ),
        (
            lambda x: flow.layers.batch_normalization(x, momentum=2),
            "expects a momentum in [0, 1] but got 2",
        ),
        (
            lambda x: flow.layers.batch_normalization("x"),
            "expects inputs to be a blob but got 'x'",
        ),
        (
            lambda x: flow.layers.layer_norm(x, begin_params_axis=2),
            "expects begin_params_axis in [-2, 2) but got 2",
        ),
        (
            lambda x: flow.layers.layer_norm("x"),
            "expects inputs to be a blob but got 'x'",
        ),
    ],
)
def test_error(function, message):
    define_unary(function, X.shape)
    with raises_here(Exception, message):
        flow.dump_ir()
