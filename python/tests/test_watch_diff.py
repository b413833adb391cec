"""watch_diff: handlers see gradients at every step."""

import numpy as np
import pytest
from models import raises_here

import jobmlir as flow
import jobmlir.typing as tp
from jobmlir import errors

X = np.arange(12, dtype=np.float32).reshape(4, 3) / 6 - 1
RATE = 0.25


def define(watching, body=None, **settings):
    """A training job with one variable, whose loss is `body`, and what `watching` does
    with its blobs."""
    config = flow.function_config()
    for name, value in settings.items():
        getattr(config, name)(value)

    @flow.global_function(type="train", function_config=config)
    def train(x: tp.Numpy.Placeholder(X.shape)) -> tp.Numpy:
        w = flow.get_variable(
            "w", (3, 2), initializer=flow.random_uniform_initializer(-1, 1)
        )
        y = flow.matmul(x, w)
        loss = (body or flow.math.square)(y)
        watching(x, w, y, loss)
        schedule = flow.optimizer.PiecewiseConstantScheduler([], [RATE])
        flow.optimizer.SGD(schedule, momentum=0).minimize(loss)
        return loss

    return train


def value_of(name):
    return flow.get_all_variables()[name].numpy()


class Seen:
    """Handlers that keep what they get, by name."""

    def __init__(self):
        self.values = {}

    def __call__(self, name):
        def handler(value: tp.Numpy):
            self.values.setdefault(name, []).append(value)

        return handler


def test_an_identity_has_the_gradient_of_its_own_users():
    """As scripts insert it, to separate one use of a variable from the others."""
    seen = Seen()

    @flow.global_function(type="train")
    def train() -> tp.Numpy:
        w = flow.get_variable("w", (3,), initializer=flow.ones_initializer())
        once = flow.identity(w)
        first, second = flow.identity_n([w, once])
        loss = once * 2.0 + w * 3.0 + first * 5.0 + second * 7.0
        for name, blob in (("w", w), ("once", once), ("1", first), ("2", second)):
            flow.watch_diff(blob, seen(name))
        schedule = flow.optimizer.PiecewiseConstantScheduler([], [RATE])
        flow.optimizer.SGD(schedule).minimize(loss)
        return loss

    train()
    expected = {"w": 17, "once": 9, "1": 5, "2": 7}
    assert seen.values.keys() == expected.keys()
    for name, value in expected.items():
        np.testing.assert_array_equal(seen.values[name], [[value] * 3])


def test_gradients_of_a_variable_an_argument_and_what_is_between():
    seen = Seen()

    def watching(x, w, y, loss):
        for name, blob in (("x", x), ("w", w), ("y", y), ("loss", loss)):
            flow.watch_diff(blob, seen(name))

    train = define(watching)
    flow.train.CheckPoint().init()
    before = value_of("w")
    train(X)
    y = X @ before
    # Not divided by the eight elements of the loss.
    np.testing.assert_allclose(seen.values["loss"], [np.ones((4, 2))])
    np.testing.assert_allclose(seen.values["y"], [2 * y], rtol=1e-6)
    np.testing.assert_allclose(seen.values["x"], [2 * y @ before.T], rtol=1e-5)
    np.testing.assert_allclose(seen.values["w"], [X.T @ (2 * y)], rtol=1e-5)
    # The update is by the mean.
    step = RATE * seen.values["w"][0] / 8
    np.testing.assert_allclose(value_of("w"), before - step, rtol=1e-5)
    train(X)
    assert [len(values) for values in seen.values.values()] == [2] * 4


def test_the_example_of_the_reference():
    """ones(3, 3) @ w, minimized itself, has a gradient of 3."""
    seen = Seen()

    @flow.global_function(type="train")
    def train(x: tp.Numpy.Placeholder((3, 3))) -> tp.Numpy:
        w = flow.get_variable("w", (3, 3), initializer=flow.ones_initializer())
        flow.watch_diff(w, seen("w"))
        y = flow.matmul(x, w)
        schedule = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
        flow.optimizer.SGD(schedule, momentum=0).minimize(y)
        return y

    train(np.ones((3, 3), np.float32))
    np.testing.assert_array_equal(seen.values["w"], [np.full((3, 3), 3)])


def test_a_watched_variable_that_is_not_trained_keeps_its_value():
    """A gradient that a handler asks for is not an update."""
    seen = Seen()

    @flow.global_function(type="train")
    def train() -> tp.Numpy:
        one = flow.ones_initializer()
        trained = flow.get_variable("trained", (3,), initializer=one)
        frozen = flow.get_variable("frozen", (3,), initializer=one, trainable=False)
        other = flow.get_variable("other", (3,), initializer=one)
        for name, blob in (("frozen", frozen), ("other", other)):
            flow.watch_diff(blob, seen(name))
        loss = trained * frozen * 2.0 * other
        schedule = flow.optimizer.PiecewiseConstantScheduler([], [RATE])
        flow.optimizer.SGD(schedule, momentum=0).minimize(loss, variables=[trained])
        return loss

    train()
    np.testing.assert_array_equal(seen.values["frozen"], [[2.0] * 3])
    np.testing.assert_array_equal(seen.values["other"], [[2.0] * 3])
    np.testing.assert_array_equal(value_of("frozen"), [1.0] * 3)
    np.testing.assert_array_equal(value_of("other"), [1.0] * 3)
    np.testing.assert_allclose(value_of("trained"), 1 - RATE * 2 / 3, rtol=1e-6)


def test_neither_regularized_nor_clipped_but_scaled():
    seen = Seen()

    @flow.global_function(type="train")
    def train(x: tp.Numpy.Placeholder((2, 2))) -> tp.Numpy:
        w = flow.get_variable(
            "w",
            (2, 2),
            initializer=flow.ones_initializer(),
            regularizer=flow.regularizers.l2(0.5),
        )
        flow.watch_diff(w, seen("w"))
        loss = x * w
        schedule = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
        flow.optimizer.SGD(
            schedule,
            loss_scale_factor=8.0,
            grad_clipping=flow.optimizer.grad_clipping.by_global_norm(0.01),
        ).minimize(loss)
        return loss

    x = np.arange(4, dtype=np.float32).reshape(2, 2)
    train(x)
    np.testing.assert_array_equal(seen.values["w"], [8 * x])


def test_what_no_loss_depends_on_has_gradient_zero():
    seen = Seen()
    train = define(lambda x, w, y, loss: flow.watch_diff(y * 3.0, seen("other")))
    train(X)
    np.testing.assert_array_equal(seen.values["other"], [np.zeros((4, 2))])


def test_watching_changes_nothing_else():
    losses, values = [], []
    for watching in (
        lambda *blobs: None,
        lambda x, w, y, loss: [flow.watch_diff(blob, lambda v: None) for blob in (x, y)],
    ):
        flow.clear_default_session()
        train = define(watching)
        losses.append([train(X) for _ in range(3)])
        values.append(value_of("w"))
    np.testing.assert_array_equal(losses[0], losses[1])
    np.testing.assert_array_equal(values[0], values[1])


def test_of_a_bfloat16_product_in_mixed_precision():
    seen = Seen()
    train = define(
        lambda x, w, y, loss: flow.watch_diff(y, seen("y")),
        enable_auto_mixed_precision=True,
    )
    flow.train.CheckPoint().init()
    expected = 2 * X @ value_of("w")
    train(X)
    np.testing.assert_allclose(seen.values["y"], [expected], rtol=0.02, atol=0.02)


def test_in_micro_steps_each_has_its_own():
    seen = Seen()

    @flow.global_function(type="train")
    def train(x: tp.Numpy.Placeholder((4, 3))) -> tp.Numpy:
        w = flow.get_variable("w", (3, 2), initializer=flow.ones_initializer())
        y = flow.matmul(flow.unpack(x, 2), w)
        flow.watch_diff(y, seen("y"))
        loss = flow.math.square(y)
        schedule = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
        flow.optimizer.SGD(schedule, momentum=0).minimize(loss)
        return flow.pack(loss, 2)

    train(X)
    y = 2 * X @ np.ones((3, 2), np.float32)
    np.testing.assert_allclose(seen.values["y"], [y[:2], y[2:]], rtol=1e-6)


def test_a_text_is_printed_before_the_gradient(capsys):
    define(lambda x, w, y, loss: flow.watch_diff(loss, "of the loss"))(X)
    assert capsys.readouterr().out.startswith("of the loss\n[[1. 1.]")


def test_errors():
    def predict(x: tp.Numpy.Placeholder(X.shape)) -> tp.Numpy:
        flow.watch_diff(x)
        return x

    with raises_here(errors.JobBuildAndInferError, "expects a training job"):
        flow.global_function()(predict)(X)
    flow.clear_default_session()

    def twice(x, w, y, loss):
        flow.watch_diff(y)
        flow.watch_diff(y)

    with raises_here(errors.JobBuildAndInferError, "diff blob has been watched"):
        define(twice)(X)
    flow.clear_default_session()

    def ints(x, w, y, loss):
        flow.watch_diff(flow.cast(y, flow.int32))

    with raises_here(errors.JobBuildAndInferError, "a blob of floats to watch"):
        define(ints)(X)
    flow.clear_default_session()

    def handler_of_two(x, w, y, loss):
        flow.watch_diff(y, lambda a, b: None)

    with pytest.raises(errors.JobDefinitionError, match="only one parameter"):
        define(handler_of_two)(X)


@pytest.mark.parametrize(
    "norm, length, slope",
    [
        (flow.math.reduce_euclidean_norm, 5, [0.6, 0.8]),
        (flow.math.reduce_std, 0.5, [-0.5, 0.5]),
    ],
)
def test_the_gradient_of_a_norm_of_0_is_0(norm, length, slope):
    """Rows of zeros, as those of padding, and NaN in one row alone."""
    seen = Seen()
    rows = np.array([[3, 4], [0, 0], [np.nan, 1]], np.float32)

    @flow.global_function(type="train")
    def train(x: tp.Numpy.Placeholder(rows.shape)) -> tp.Numpy:
        w = flow.get_variable("w", (2,), initializer=flow.ones_initializer())
        y = x * w
        flow.watch_diff(y, seen("y"))
        loss = norm(y, 1)
        schedule = flow.optimizer.PiecewiseConstantScheduler([], [RATE])
        flow.optimizer.SGD(schedule, momentum=0).minimize(loss)
        return loss

    loss = train(rows)
    np.testing.assert_allclose(loss, [length, 0, np.nan], rtol=1e-6)
    (gradient,) = seen.values["y"]
    np.testing.assert_allclose(gradient[:2], [slope, [0, 0]], rtol=1e-6)
    assert np.isnan(gradient[2]).all()
