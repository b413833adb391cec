"""Losses through casts to ints."""

import inspect
import warnings

import numpy as np

import jobmlir as flow
import jobmlir.typing as tp

X = np.linspace(-2, 2, 6, dtype=np.float32).reshape(2, 3)


def train(loss_of):
    """The value of the variable after a step from 1.5, and the warnings."""

    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder(X.shape)) -> tp.Numpy:
        w = flow.get_variable("w", (2, 3), initializer=flow.constant_initializer(1.5))
        loss = loss_of(w, x)
        rate = flow.optimizer.PiecewiseConstantScheduler([], [6.0])
        flow.optimizer.SGD(rate, momentum=0).minimize(loss)
        return loss

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        job(X)
    return flow.get_all_variables()["w"].numpy(), caught


def rounded(w, x):
    return flow.cast(flow.cast(w, flow.int32), flow.float)


def test_the_other_way_trains_with_a_warning_at_the_cast():
    w, (caught,) = train(lambda w, x: rounded(w, x) * w)
    # The gradient of 1 * w, by the mean of six.
    np.testing.assert_allclose(w, 1.5 - np.ones((2, 3)), rtol=1e-6)
    assert "no gradient flows through the cast of w to int32" in str(caught.message)
    assert caught.filename == __file__
    lines, first = inspect.getsourcelines(rounded)
    assert first <= caught.lineno < first + len(lines)


def test_what_no_variable_reaches_says_nothing():
    _, caught = train(lambda w, x: rounded(x, x) * w)
    assert not caught
    flow.clear_default_session()
    # Of ints all the way.
    _, caught = train(lambda w, x: w * flow.cast(flow.range(3), flow.float))
    assert not caught
    flow.clear_default_session()

    def unused(w, x):
        rounded(w, x)
        return w * x

    assert not train(unused)[1]
    flow.clear_default_session()
    _, caught = train(lambda w, x: rounded(flow.stop_gradient(w), x) * w)
    assert not caught


def test_a_long_chain_is_no_problem():
    def chain(w, x):
        for _ in range(1500):
            w = w + 0.0
        return w

    assert not train(chain)[1]
