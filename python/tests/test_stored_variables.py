"""Variables that are stored with permuted dimensions, as the calls of a job read them:
the user, checkpoints and other jobs see them as they were declared."""

import re

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from numpy_windows import convolve

IMAGES, FIRST, SECOND = (2, 3, 9, 8), (8, 3, 3, 3), (5, 8, 3, 2)
RATE = 0.125


def images(seed=0):
    rng = np.random.default_rng(seed)
    return rng.standard_normal(IMAGES).astype(np.float32)


def layers(x):
    init = flow.random_normal_initializer(stddev=0.2)
    for name, (filters, _, *window) in (("first", FIRST), ("second", SECOND)):
        x = flow.layers.conv2d(
            x, filters, window, padding="VALID", use_bias=False,
            kernel_initializer=init, name=name,
        )
    return x


def define_train():
    @flow.global_function(type="train")
    def train_job(x: tp.Numpy.Placeholder(IMAGES)) -> tp.Numpy:
        loss = flow.math.reduce_sum(layers(x))
        rate = flow.optimizer.PiecewiseConstantScheduler([], [RATE])
        flow.optimizer.SGD(rate, momentum=0.5).minimize(loss)
        return loss

    return train_job


def define_eval():
    @flow.global_function(type="predict")
    def eval_job(x: tp.Numpy.Placeholder(IMAGES)) -> tp.Numpy:
        return layers(x)

    return eval_job


def define_reader(name="reader"):
    """A job that needs the declared order."""

    def reader() -> tp.Numpy:
        init = flow.random_normal_initializer(stddev=0.2)
        return flow.get_variable("first-weight", FIRST, flow.float, init)

    reader.__name__ = name
    return flow.global_function(type="predict")(reader)


def values():
    return {name: each.numpy() for name, each in flow.get_all_variables().items()}


def is_stored_as_declared(name):
    """What the plan says of a variable."""
    line = re.search(rf'plan\.variable @"{name}" : .*', flow.dump_ir("plan"))[0]
    return "permutation = array<i64: 0, 2, 3, 1>" not in line


def expected(x, first, second):
    pads, ones = [(0, 0), (0, 0)], (1, 1)
    hidden = convolve(x.astype(np.float64), first, ones, pads, ones)
    return hidden, convolve(hidden, second, ones, pads, ones)


def draw_filters():
    rng = np.random.default_rng(1)
    return {
        f"{name}-weight": rng.standard_normal(shape).astype(np.float32)
        for name, shape in (("first", FIRST), ("second", SECOND))
    }


def test_steps_compute_with_what_the_user_wrote():
    train, evaluate = define_train(), define_eval()
    filters = draw_filters()
    flow.load_variables(filters)
    for name in ("first-weight", "second-weight", "second-weight-momentum"):
        assert not is_stored_as_declared(name)
    assert values()["second-weight-momentum"].shape == SECOND
    for name, value in filters.items():
        assert (values()[name] == value).all()

    x = images()
    hidden, output = expected(x, *filters.values())
    np.testing.assert_allclose(evaluate(x), output, rtol=1e-4, atol=1e-4)
    assert train(x) == pytest.approx(output.sum(), rel=1e-4, abs=1e-2)
    # The gradient of the sum: an element of the filter multiplies these.
    gradient = np.empty(SECOND)
    for i, j in np.ndindex(*SECOND[2:]):
        part = hidden[:, :, i : i + output.shape[2], j : j + output.shape[3]]
        gradient[:, :, i, j] = part.sum((0, 2, 3))
    after = values()
    np.testing.assert_allclose(
        after["second-weight"],
        filters["second-weight"] - RATE * gradient,
        rtol=1e-4, atol=1e-3,
    )


def test_initial_values_are_those_of_any_order():
    define_eval()
    permuted = values()["first-weight"]
    assert not is_stored_as_declared("first-weight")
    flow.clear_default_session()
    read = define_reader()
    assert is_stored_as_declared("first-weight")
    assert (values()["first-weight"] == permuted).all()
    assert (read() == permuted).all()


def test_jobs_that_read_it_in_both_orders():
    read, evaluate = define_reader(), define_eval()
    filters = draw_filters()
    flow.load_variables(filters)
    _, output = expected(images(), *filters.values())
    np.testing.assert_allclose(evaluate(images()), output, rtol=1e-4, atol=1e-4)
    assert (read() == filters["first-weight"]).all()


def test_other_jobs_do_not_change_how_what_is_trained_is_stored():
    define_train()
    for number in range(4):
        define_reader(f"reader_{number}")
    assert not is_stored_as_declared("first-weight")


def test_functions_of_the_user_see_the_declared_order():
    seen = {}

    @flow.global_function(type="predict")
    def job(x: tp.Numpy.Placeholder(IMAGES)) -> tp.Numpy:
        init = flow.random_normal_initializer(stddev=0.2)
        y = layers(x)
        flow.watch(
            flow.get_variable("first-weight", FIRST, flow.float, init),
            lambda blob: seen.update(weight=blob.numpy()),
        )
        return y

    filters = draw_filters()
    flow.load_variables(filters)
    assert not is_stored_as_declared("second-weight")
    job(images())
    assert (seen["weight"] == filters["first-weight"]).all()


def define_dense(kind):
    """A dense layer reads the images of a convolution as rows."""

    def dense_job(x: tp.Numpy.Placeholder(IMAGES)) -> tp.Numpy:
        y = layers(x)
        y = flow.reshape(y, (y.shape[0], -1))
        y = flow.layers.dense(
            y, 4, use_bias=False, name="dense",
            kernel_initializer=flow.random_normal_initializer(stddev=0.2),
        )
        if kind == "train":
            rate = flow.optimizer.PiecewiseConstantScheduler([], [RATE])
            loss = flow.math.reduce_sum(y)
            flow.optimizer.SGD(rate, momentum=0.5).minimize(loss)
        return y

    return flow.global_function(type=kind)(dense_job)


def test_rows_of_images_find_their_weights():
    train = define_dense("train")
    assert not is_stored_as_declared("dense-weight")
    assert not is_stored_as_declared("dense-weight-momentum")
    filters = draw_filters()
    _, images_out = expected(images(), *filters.values())
    rows = images_out.reshape(images_out.shape[0], -1)
    rng = np.random.default_rng(2)
    dense = rng.standard_normal((4, rows.shape[1])).astype(np.float32)
    flow.load_variables({**filters, "dense-weight": dense})
    assert (values()["dense-weight"] == dense).all()
    np.testing.assert_allclose(train(images()), rows @ dense.T, rtol=1e-4, atol=1e-3)
    # Each row of the gradient is the sum of the rows of the images.
    np.testing.assert_allclose(
        values()["dense-weight"], dense - RATE * rows.sum(0), rtol=1e-4, atol=1e-3
    )


def test_initial_weights_of_rows_are_those_of_any_order():
    define_dense("predict")
    assert not is_stored_as_declared("dense-weight")
    permuted = values()["dense-weight"]
    flow.clear_default_session()

    @flow.global_function(type="predict")
    def reader() -> tp.Numpy:
        init = flow.random_normal_initializer(stddev=0.2)
        return flow.get_variable("dense-weight", permuted.shape, flow.float, init)

    assert is_stored_as_declared("dense-weight")
    assert (reader() == permuted).all()


def test_checkpoints_of_weights_of_rows(tmp_path):
    path = str(tmp_path / "saved")
    train = define_dense("train")
    train(images())
    saved = values()
    flow.train.CheckPoint().save(path)
    following = train(images(1))
    flow.clear_default_session()
    train = define_dense("train")
    flow.train.CheckPoint().load(path)
    assert all((value == saved[name]).all() for name, value in values().items())
    assert (train(images(1)) == following).all()


@pytest.mark.parametrize("layout", ["legacy", "native"])
def test_checkpoints_have_the_declared_order(layout, tmp_path):
    path = str(tmp_path / "saved")
    train = define_train()
    flow.load_variables(draw_filters())
    train(images())
    saved = values()
    flow.train.CheckPoint().save(path, layout=layout)
    if layout == "legacy":
        raw = (tmp_path / "saved" / "first-weight" / "out").read_bytes()
        assert raw == saved["first-weight"].tobytes()
    following = train(images(1))

    flow.clear_default_session()
    read = define_reader()
    flow.train.CheckPoint().load(path)
    assert (read() == saved["first-weight"]).all()

    flow.clear_default_session()
    train = define_train()
    flow.train.CheckPoint().load(path)
    assert all((value == saved[name]).all() for name, value in values().items())
    assert (train(images(1)) == following).all()
