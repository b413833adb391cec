"""Regularizers: what training jobs add to the gradients of variables, against NumPy."""

import typing

import ml_dtypes
import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from jobmlir import errors
from models import define_unary, raises_here

X = np.linspace(-1, 1, 12, dtype=np.float32).reshape(4, 3)
W = np.array([1.5, 0.0, -2.0], np.float32)
RATE = 0.25


def sgd(**arguments):
    rate = flow.optimizer.PiecewiseConstantScheduler([], [RATE])
    return flow.optimizer.SGD(rate, **{"momentum": 0, **arguments})


def penalty_gradient(w, l1, l2):
    return l1 * np.where(w < 0, -1, 1) + l2 * w


def train(regularizer, losses_of=lambda x, w: x * w, dtype=flow.float, optimizer=None):
    """The results of two steps, and the value of the variable before each and after
    them. It starts as W."""

    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder(X.shape, dtype=dtype)) -> tp.Bundle[tp.Numpy]:
        w = flow.get_variable(
            "w",
            (3,),
            dtype=dtype,
            initializer=flow.zeros_initializer(),
            regularizer=regularizer,
        )
        losses = losses_of(x, w)
        (optimizer or sgd()).minimize(losses)
        return losses

    numpy_type = flow.convert_oneflow_dtype_to_numpy_dtype(dtype)
    flow.load_variables({"w": W.astype(numpy_type)})
    values, results = [W.astype(numpy_type)], []
    for _ in range(2):
        results.append(job(X.astype(numpy_type)))
        values.append(flow.get_all_variables()["w"].numpy())
    return results, values


@pytest.mark.parametrize(
    "regularizer, l1, l2",
    [
        (flow.regularizers.l1(), 0.01, 0.0),
        (flow.regularizers.l2(), 0.0, 0.01),
        (flow.regularizers.l1_l2(), 0.01, 0.01),
        (flow.regularizers.l1(0.5), 0.5, 0.0),
        (flow.regularizers.l2(0.5), 0.0, 0.5),
        (flow.regularizers.l1_l2(0.5, 0.25), 0.5, 0.25),
        (flow.regularizers.l2(0), 0.0, 0.0),
        (None, 0.0, 0.0),
    ],
)
def test_gradients(regularizer, l1, l2):
    results, values = train(regularizer)
    for result, before, after in zip(results, values, values[1:]):
        np.testing.assert_array_equal(result, X * before)
        gradient = X.sum(axis=0) / X.size + penalty_gradient(before, l1, l2)
        np.testing.assert_allclose(after, before - RATE * gradient, atol=1e-6)


def test_several_losses_have_one_penalty():
    _, values = train(flow.regularizers.l2(0.5), lambda x, w: [x * w, x - w])
    gradient = (X.sum(axis=0) - 4) / X.size + 0.5 * W
    np.testing.assert_allclose(values[1], W - RATE * gradient, atol=1e-6)


def test_loss_scales_do_not_scale_penalties():
    _, values = train(
        flow.regularizers.l1_l2(0.5, 0.5), optimizer=sgd(loss_scale_factor=1024.0)
    )
    gradient = X.sum(axis=0) / X.size + penalty_gradient(W, 0.5, 0.5)
    np.testing.assert_allclose(values[1], W - RATE * gradient, atol=1e-6)


@pytest.mark.parametrize(
    "dtype, numpy_type, tolerance",
    [
        (flow.float64, np.float64, 1e-12),
        (flow.float16, np.float16, 2e-3),
        (flow.bfloat16, ml_dtypes.bfloat16, 2e-2),
    ],
)
def test_element_types(dtype, numpy_type, tolerance):
    _, values = train(flow.regularizers.l1_l2(0.5, 0.25), dtype=dtype)
    x = X.astype(numpy_type).astype(np.float64)
    gradient = x.sum(axis=0) / X.size + penalty_gradient(W.astype(float), 0.5, 0.25)
    assert values[1].dtype == numpy_type
    np.testing.assert_allclose(
        values[1].astype(np.float64), W - RATE * gradient, atol=tolerance
    )


@pytest.mark.parametrize("joined", [flow.pack, None])
def test_micro_steps(joined):
    """The mean over the micro-steps has the penalty once."""

    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder(X.shape)) -> tp.Numpy:
        w = flow.get_variable(
            "w",
            (3,),
            initializer=flow.constant_initializer(2.0),
            regularizer=flow.regularizers.l2(0.5),
        )
        loss = flow.unpack(x, 2) * w
        packed = flow.pack(loss, 2)
        sgd().minimize(packed if joined else loss)
        return packed

    job(X)
    gradient = X.sum(axis=0) / X.size + 0.5 * 2
    np.testing.assert_allclose(
        flow.get_all_variables()["w"].numpy(), 2 - RATE * gradient, atol=1e-6
    )


def test_mixed_precision():
    config = flow.function_config()
    config.enable_auto_mixed_precision(True)

    @flow.global_function(type="train", function_config=config)
    def job(x: tp.Numpy.Placeholder(X.shape)) -> tp.Numpy:
        loss = flow.layers.dense(
            x,
            2,
            kernel_initializer=flow.constant_initializer(3.0),
            kernel_regularizer=flow.regularizers.l2(0.1),
        )
        sgd().minimize(loss)
        return loss

    job(np.zeros_like(X))
    np.testing.assert_allclose(
        flow.get_all_variables()["Dense-weight"].numpy(), 3 - RATE * 0.3, rtol=1e-6
    )


def test_only_what_is_trained_is_regularized():
    """Neither a variable of no loss, nor one that is not trained, nor one of which
    the losses depend on a comparison only."""

    def variable(name, **settings):
        return flow.get_variable(
            name,
            (3,),
            initializer=flow.ones_initializer(),
            regularizer=flow.regularizers.l2(0.5),
            **settings,
        )

    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder(X.shape)) -> typing.Tuple[tp.Numpy, tp.Numpy]:
        loss = x * variable("used") + variable("fixed", trainable=False)
        compared = flow.cast(flow.math.greater(variable("compared"), 0), flow.float)
        loss = loss * compared
        sgd().minimize(loss)
        return loss, variable("unused") + 0

    job(np.zeros_like(X))
    values = {name: v.numpy() for name, v in flow.get_all_variables().items()}
    np.testing.assert_allclose(values["used"], 1 - RATE * 0.5, rtol=1e-6)
    for name in ("fixed", "compared", "unused"):
        np.testing.assert_array_equal(values[name], np.ones(3, np.float32))


def test_layers():
    regularizer = flow.regularizers.l2(0.5)
    ones = flow.ones_initializer()

    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((2, 1, 4, 4))) -> tp.Numpy:
        x = flow.layers.conv2d(
            x,
            2,
            3,
            kernel_initializer=ones,
            bias_initializer=ones,
            kernel_regularizer=regularizer,
            bias_regularizer=regularizer,
        )
        x = flow.layers.batch_normalization(
            x,
            axis=1,
            beta_initializer=ones,
            beta_regularizer=regularizer,
            gamma_regularizer=regularizer,
        )
        x = flow.layers.dense(
            flow.flatten(x, 1),
            3,
            bias_initializer=ones,
            kernel_initializer=ones,
            bias_regularizer=regularizer,
            kernel_regularizer=regularizer,
        )
        loss = x * 0
        sgd().minimize(loss)
        return loss

    job(np.ones((2, 1, 4, 4), np.float32))
    values = {name: v.numpy() for name, v in flow.get_all_variables().items()}
    for name in (
        "Conv2d-weight",
        "Conv2d-bias",
        "BatchNorm-beta",
        "BatchNorm-gamma",
        "Dense-weight",
        "Dense-bias",
    ):
        np.testing.assert_allclose(
            values[name], 1 - RATE * 0.5, rtol=1e-6, err_msg=name
        )


def test_prediction_jobs_ignore_them():
    def body(x):
        return x * flow.get_variable(
            "w",
            (3,),
            initializer=flow.ones_initializer(),
            regularizer=flow.regularizers.l2(),
        )

    x = X[:2]
    np.testing.assert_array_equal(define_unary(body)(x), x)


@pytest.mark.parametrize(
    "make, text",
    [
        (lambda: flow.regularizers.l2(-1), "expects l to be at least 0 but got -1.0"),
        (lambda: flow.regularizers.l1("a"), "expects l to be a number but got 'a'"),
        (
            lambda: flow.regularizers.l1_l2(0.1, float("nan")),
            "expects l2 to be finite but got nan",
        ),
    ],
)
def test_factors_are_checked(make, text):
    with raises_here(errors.ArgumentError, text):
        make()


def test_one_regularizer_of_a_variable():
    def body(x):
        def get(regularizer):
            return flow.get_variable(
                "w",
                (3,),
                initializer=flow.ones_initializer(),
                regularizer=regularizer,
            )

        return get(flow.regularizers.l2()) * get(None) * get(flow.regularizers.l1()) * x

    with raises_here(
        AssertionError,
        "job job, op w",
        "expects Regularizer(l1=0.0, l2=0.01) as before in this job but got "
        "Regularizer(l1=0.01, l2=0.0)",
    ):
        define_unary(body)(X)
