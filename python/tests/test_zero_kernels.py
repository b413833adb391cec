"""What a layer says whose kernel begins with zeros."""

import warnings

import jobmlir as flow
import jobmlir.typing as tp
import numpy as np
import pytest
from jobmlir._src import notices

X = np.ones((2, 3), np.float32)


@pytest.fixture(autouse=True)
def said_nothing(monkeypatch):
    monkeypatch.setattr(notices, "_said", set())


def define(kind, initializer=None, trainable=True):
    def job(x: tp.Numpy.Placeholder(X.shape)) -> tp.Numpy:
        x = flow.layers.dense(
            x, 4, kernel_initializer=initializer, trainable=trainable, name="a"
        )
        x = flow.layers.dense(x, 4, kernel_initializer=initializer, name="b")
        if kind == "train":
            rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
            flow.optimizer.SGD(rate).minimize(x)
        return x

    job.__name__ = kind
    return flow.global_function(type=kind)(job)


def warnings_of(*jobs):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for job in jobs:
            job(X)
    return [str(each.message) for each in caught], caught


def test_a_training_job_says_it_once_at_the_users_line():
    (message,), (caught,) = warnings_of(define("train"))
    assert message.startswith("layers.dense without a kernel_initializer begins with")
    assert "kernel_initializer=oneflow.glorot_uniform_initializer()" in message
    assert caught.filename == __file__


def test_others_say_nothing():
    assert warnings_of(define("train", flow.ones_initializer()))[0] == []
    flow.clear_default_session()
    assert warnings_of(define("predict"))[0] == []


def test_a_variable_of_another_job_has_the_initializer_of_that():
    first = define("predict", flow.ones_initializer())
    assert warnings_of(first, define("train"))[0] == []
