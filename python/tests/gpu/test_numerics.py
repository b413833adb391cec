"""Checks for NaN and infinity name the op on a GPU as on the CPU."""

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from models import define_unary

X = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], np.float32)


@pytest.fixture
def checked(gpu):
    flow.config.check_numerics(True)


def expect(kind, name, step, variables="are as they were before this step"):
    return pytest.raises(
        flow.errors.NumericsError,
        match=rf"{__file__}:\d+:\d+: job 'job', '{name}': expects finite values but "
        rf"got {kind} in step {step} of this job; variables {variables}",
    )


def test_the_op_of_a_kernel(checked):
    job = define_unary(lambda x: flow.math.tanh(flow.math.log(x, name="bad")))
    np.testing.assert_allclose(job(X), np.tanh(np.log(X)), rtol=1e-5)
    for step, (value, kind) in enumerate([(-1.0, "NaN"), (0.0, "infinity")], 2):
        x = X.copy()
        x[1, 1] = value
        with expect(kind, "bad", step):
            job(x)
    # The session goes on.
    np.testing.assert_allclose(job(X), np.tanh(np.log(X)), rtol=1e-5)


def test_the_op_of_a_reduction(checked):
    job = define_unary(lambda x: flow.math.reduce_sum(x, name="bad"))
    np.testing.assert_allclose(job(X), [21.0])
    with expect("infinity", "bad", 2):
        job(np.full((2, 3), 3e38, np.float32))


def test_a_call_of_a_library(checked):
    job = define_unary(lambda x: flow.matmul(x, x, transpose_b=True, name="bad"))
    np.testing.assert_allclose(job(X), X @ X.T, rtol=1e-5)
    with expect("infinity", "bad", 2):
        job(np.full((2, 3), 1e30, np.float32))


def test_an_input(checked):
    job = define_unary(flow.math.exp)
    x = X.copy()
    x[0, 2] = np.nan
    with pytest.raises(flow.errors.NumericsError, match="'input x': .* got NaN in step 1"):
        job(x)


@pytest.mark.parametrize("steps", [2, 3])
def test_an_op_in_micro_steps(checked, steps):
    """The updates are behind all of them."""

    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((6, 3))) -> tp.Numpy:
        weight = flow.get_variable("weight", (3, 2), initializer=flow.ones_initializer())
        product = flow.matmul(flow.unpack(x, steps), weight)
        loss = flow.math.square(product, name="bad")
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
        flow.optimizer.SGD(rate, momentum=0).minimize(loss)
        return flow.pack(loss, steps)

    with expect("infinity", "bad", 1):
        job(np.full((6, 3), 1e25, np.float32))
    np.testing.assert_array_equal(flow.get_all_variables()["weight"].numpy(), 1)


def test_no_variable_takes_a_value_that_fails(checked):
    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((2, 3))) -> tp.Numpy:
        weight = flow.get_variable("weight", (2, 3), initializer=flow.ones_initializer())
        loss = flow.math.log(x * weight, name="bad")
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
        flow.optimizer.SGD(rate, momentum=0).minimize(loss)
        return loss

    job(X)
    before = flow.get_all_variables()["weight"].numpy()
    with expect("NaN", "bad", 2, variables=".*"):
        job(-X)
    np.testing.assert_array_equal(flow.get_all_variables()["weight"].numpy(), before)
