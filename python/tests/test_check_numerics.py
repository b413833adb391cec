"""Steps that stop at the first op that makes a NaN or infinity."""

import inspect
import re
import typing

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from jobmlir import errors
from models import BATCH, batch, define_train, define_unary

X = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], np.float32)


@pytest.fixture(autouse=True)
def checked():
    flow.config.check_numerics(True)


def line_of(function, text):
    """The line of this file on which `function` has `text`."""
    lines, first = inspect.getsourcelines(function)
    (found,) = [first + i for i, line in enumerate(lines) if text in line]
    return found


def expect(kind, name, line, job="job", step=1, changed=False):
    """The error of a step: what it must say, in the order in which it does."""
    variables = (
        "may have been changed by this step"
        if changed
        else "are as they were before this step"
    )
    place = rf"{re.escape(__file__)}:{line}:\d+: " if line else ""
    return pytest.raises(
        errors.NumericsError,
        match=rf"{place}job '{job}', '{name}': expects finite values but got {kind} "
        rf"in step {step} of this job; variables {variables}",
    )


# ===- Predictions ---------------------------------------------------------===#


@pytest.mark.parametrize(
    "body, value, kind, name",
    [
        (lambda x: flow.math.log(x, name="bad"), -1.0, "NaN", "bad"),
        (lambda x: flow.math.log(x, name="bad"), 0.0, "infinity", "bad"),
        (lambda x: flow.math.divide(1.0, x, name="bad"), 0.0, "infinity", "bad"),
        (lambda x: flow.math.exp(x, name="bad"), 89.0, "infinity", "bad"),
        (lambda x: flow.math.sqrt(x, name="bad"), -4.0, "NaN", "bad"),
        (lambda x: flow.math.square(x, name="bad"), 1e30, "infinity", "bad"),
        # In the middle of a fused kernel, where nothing of it is left at the end.
        (
            lambda x: flow.math.maximum(
                flow.math.divide(
                    1.0, flow.math.exp(flow.math.multiply(x, 2.0), name="bad")
                ),
                0.5,
            ),
            80.0,
            "infinity",
            "bad",
        ),
        # The first of several.
        (
            lambda x: flow.math.log(
                flow.math.subtract(flow.math.exp(x, name="bad"), 1.0)
            ),
            100.0,
            "infinity",
            "bad",
        ),
        # A sum that overflows although its terms do not.
        (lambda x: flow.math.reduce_sum(x, name="bad"), 3e38, "infinity", "bad"),
    ],
)
def test_the_op_and_its_line(body, value, kind, name):
    job = define_unary(body)
    np.testing.assert_array_equal(np.isfinite(job(X)), True)
    x = X.copy()
    x[1, 1] = value
    if value == 3e38:
        x[1, 2] = value
    with expect(kind, name, r"\d+", step=2):
        job(x)


def test_the_line_is_that_of_the_op():
    def body(x):
        y = flow.math.exp(x)
        z = flow.math.log(y - 10.0, name="inner-log")
        return flow.math.tanh(z) + y

    job = define_unary(body)
    with expect("NaN", "inner-log", line_of(body, "inner-log")):
        job(X)


@pytest.mark.parametrize("value, kind", [(np.nan, "NaN"), (-np.inf, "infinity")])
@pytest.mark.parametrize(
    "body",
    [
        flow.math.exp,
        lambda x: flow.matmul(x, x, transpose_b=True),
        lambda x: flow.nn.softmax(x),
        lambda x: x,
    ],
)
def test_an_input(body, value, kind):
    job = define_unary(lambda x: body(x))
    job(X)
    x = X.copy()
    x[0, 2] = value
    with expect(kind, "input x", None, step=2):
        job(x)


def test_a_signaling_nan_is_a_nan():
    job = define_unary(flow.math.exp)
    x = X.copy()
    x.view(np.uint32)[0, 0] = 0x7F800001
    with expect("NaN", "input x", None):
        job(x)


@pytest.mark.parametrize("size", [1, 15, 16, 17, 1000, 70000, 200003])
def test_every_element_is_checked(size):
    job = define_unary(lambda x: flow.math.log(x, name="bad"), shape=(size,))
    copy = define_unary_copy(size)
    for place in {0, size // 3, size - 1}:
        x = np.ones(size, np.float32)
        job(x)
        copy(x)
        x[place] = -1.0
        with pytest.raises(errors.NumericsError, match="'bad'.* NaN"):
            job(x)
        x[place] = np.inf
        with pytest.raises(errors.NumericsError, match="'input x'.* infinity"):
            copy(x)


def define_unary_copy(size):
    @flow.global_function()
    def copy(x: tp.Numpy.Placeholder((size,))) -> tp.Numpy:
        return x

    return copy


def test_a_library_call():
    def body(x):
        y = flow.matmul(x, x, transpose_b=True, name="product")
        return flow.math.tanh(y)

    job = define_unary(body)
    job(X)
    with expect("infinity", "product", line_of(body, "product"), step=2):
        job(X * 1e30)


def test_a_library_call_whose_result_is_the_output():
    job = define_unary(lambda x: flow.matmul(x, x, transpose_b=True, name="product"))
    with expect("infinity", "product", r"\d+"):
        job(X * 1e30)


def test_a_library_call_after_another():
    def body(x):
        y = flow.matmul(x, x, transpose_b=True, name="first")
        return flow.matmul(y, x, name="second")

    job = define_unary(body)
    job(X)
    with expect("infinity", "first", line_of(body, "first"), step=2):
        job(X * 1e30)
    with expect("infinity", "second", line_of(body, "second"), step=3):
        job(X * 1e18)


@pytest.mark.parametrize("dtype", [flow.float, flow.double])
@pytest.mark.parametrize("batch", [2, 33])
def test_attention(batch, dtype):
    shape = (batch, 4, 2, 8)
    job = define_unary(
        lambda x: flow.math.tanh(flow.nn.attention(x, x, x, name="attention")),
        shape=shape,
        dtype=dtype,
    )
    x = np.ones(shape, dtype.numpy)
    job(x)
    x[-1, -1] = 3e38 if dtype is flow.float else 1e308
    with expect("NaN|infinity", "attention", r"\d+", step=2):
        job(x)


@pytest.mark.parametrize("rows, columns", [(3, 4), (64, 1000), (1000, 64)])
def test_composed_ops(rows, columns):
    def body(x):
        y = flow.nn.layer_norm(x, name="norm")
        return y, flow.math.reduce_mean(flow.math.relu(x), axis=0, name="mean")

    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder((rows, columns)),
    ) -> typing.Tuple[tp.Numpy, tp.Numpy]:
        return body(x)

    x = np.ones((rows, columns), np.float32)
    x[:, 0] = 2
    job(x)
    x[1] = 1e30
    x[1, 0] = 2e30
    with expect("NaN|infinity", "norm", line_of(body, "norm"), step=2):
        job(x)
    x[:, 0] = 2e38
    x[:, 1:] = 0
    with pytest.raises(errors.NumericsError, match="'norm'|'mean'"):
        job(x)


def test_a_loss():
    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder((2, 3)),
        labels: tp.Numpy.Placeholder((2,), dtype=flow.int32),
    ) -> tp.Numpy:
        return flow.nn.sparse_softmax_cross_entropy_with_logits(labels, x, name="loss")

    labels = np.array([0, 1], np.int32)
    job(X, labels)
    x = X.copy()
    x[1] = [3e38, -3e38, 0]
    with expect("infinity", "loss", r"\d+", step=2):
        job(x, labels)


def test_an_op_with_loops_of_its_own():
    job = define_unary(
        lambda x: flow.nn.avg_pool2d(x, 2, 1, padding="VALID", name="pool"),
        shape=(1, 1, 2, 3),
    )
    with expect("infinity", "pool", r"\d+"):
        job(np.full((1, 1, 2, 3), 3e38, np.float32))


def test_f64():
    job = define_unary(lambda x: flow.math.exp(x, name="bad"), dtype=flow.double)
    x = X.astype(np.float64)
    x[0, 0] = 700.0
    job(x)
    x[0, 0] = 710.0
    with expect("infinity", "bad", r"\d+", step=2):
        job(x)
    x[0, 0] = np.nan
    with expect("NaN", "input x", None, step=3):
        job(x)


def test_what_chooses_is_not_to_blame():
    # Both infinite operands are dropped.
    job = define_unary(
        lambda x: flow.math.minimum(flow.math.maximum(x, -1e30), 1e30)
    )
    np.testing.assert_array_equal(job(X), X)


# ===- Training ------------------------------------------------------------===#


def define_root(rate, start):
    """Trains a variable by the square root of its magnitude's loss."""

    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((4,))) -> tp.Numpy:
        w = flow.get_variable(
            "w", (4,), initializer=flow.constant_initializer(start)
        )
        loss = flow.math.sqrt(w * x, name="root")
        schedule = flow.optimizer.PiecewiseConstantScheduler([], [rate])
        flow.optimizer.SGD(schedule, momentum=0).minimize(loss)
        return loss

    return job


def test_a_gradient():
    # sqrt is finite at 0, its gradient is not.
    job = define_root(0.1, 0.0)
    with expect("infinity", "gradient of root", r"\d+", changed=True) as error:
        job(np.ones(4, np.float32))
    assert str(line_of(define_root, 'name="root"')) in str(error.value)


def test_an_update():
    # The new value of the variable overflows.
    job = define_root(3e38, 1e-20)
    with pytest.raises(errors.NumericsError) as error:
        job(np.full(4, 1e20, np.float32))
    assert "update of w" in str(error.value)
    assert "got infinity in step 1" in str(error.value)


def test_an_element_that_fails_is_not_updated():
    job = define_root(0.1, 1.0)
    # The gradient of the first root is not finite.
    with expect("NaN|infinity", "gradient of root", r"\d+", changed=True):
        job(np.array([0, 1, 1, 1], np.float32))
    w = flow.get_all_variables()["w"].numpy()
    assert w[0] == 1
    assert (w[1:] < 1).all()


@pytest.mark.parametrize("momentum", [0, 0.9])
@pytest.mark.parametrize("rows, columns", [(4, 3), (512, 384)])
@pytest.mark.parametrize("threads", [1, 2])
def test_an_update_with_a_product_that_fails(rows, columns, momentum, threads):
    """The update of a weight runs on blocks of its gradient, a library call's result,
    as they are computed."""
    flow.config.compute_thread_pool_size(threads)

    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((8, rows))) -> tp.Numpy:
        w = flow.get_variable(
            "w", (rows, columns), initializer=flow.constant_initializer(1e-38)
        )
        loss = flow.matmul(x, w, name="product")
        schedule = flow.optimizer.PiecewiseConstantScheduler([], [1.0])
        flow.optimizer.SGD(schedule, momentum=momentum).minimize(loss)
        return loss

    x = np.ones((8, rows), np.float32)
    job(x)
    before = {k: v.numpy() for k, v in flow.get_all_variables().items()}
    # Sums of eight such numbers overflow; with the small weights the loss is finite.
    x[:, rows - 1] = 3e38
    with pytest.raises(errors.NumericsError, match="product"):
        job(x)
    for name, value in flow.get_all_variables().items():
        value = value.numpy()
        assert np.isfinite(value).all()
        if value.shape == (rows, columns):
            np.testing.assert_array_equal(value[-1], before[name][-1])


def test_a_nan_in_the_forward_pass_leaves_the_variables():
    job = define_train()
    images, labels = batch()
    before = {k: v.numpy() for k, v in flow.get_all_variables().items()}
    images[0, 0] = np.nan
    with expect("NaN", "input images", None, job="train_job"):
        job(images, labels)
    for name, value in flow.get_all_variables().items():
        np.testing.assert_array_equal(value.numpy(), before[name])


def test_steps_go_on_after_an_error():
    job = define_train()
    images, labels = batch()
    good = job(images, labels)
    bad = images.copy()
    bad[0, 0] = np.inf
    for step in (2, 3):
        with expect("infinity", "input images", None, job="train_job", step=step):
            job(bad, labels)
    assert np.isfinite(job(images, labels)).all()
    assert good.shape == (BATCH,)


# ===- The same results ----------------------------------------------------===#


def train(checked, steps=4):
    flow.clear_default_session()
    flow.config.check_numerics(checked)
    job = define_train(
        flow.optimizer.Adam(flow.optimizer.PiecewiseConstantScheduler([], [0.01]))
    )
    losses = [job(*batch(seed)) for seed in range(steps)]
    return losses, {k: v.numpy() for k, v in flow.get_all_variables().items()}


def test_the_bits_are_the_same():
    losses, variables = train(False)
    checked_losses, checked_variables = train(True)
    np.testing.assert_array_equal(losses, checked_losses)
    assert variables.keys() == checked_variables.keys()
    for name, value in variables.items():
        np.testing.assert_array_equal(value, checked_variables[name])


def test_off_is_the_default():
    flow.config.check_numerics(False)
    job = define_unary(flow.math.log)
    assert np.isnan(job(-X)).all()


def test_the_setting_is_checked():
    with pytest.raises(errors.ConfigError, match="expects a bool for config.check_"):
        flow.config.check_numerics(1)


def test_the_class_of_the_error():
    job = define_unary(flow.math.log)
    for cls in (FloatingPointError, RuntimeError, errors.JobRuntimeError):
        with pytest.raises(cls):
            job(-X)


def test_an_asynchronous_call():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 3))) -> tp.Callback[tp.Numpy]:
        return flow.math.log(x, name="bad")

    job(-X)(lambda result: None)
    with pytest.raises(errors.NumericsError, match="'bad'"):
        flow.sync_default_session()
