"""Distributions of blobs: hints on one device, and refusals of several."""

import typing

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from jobmlir import errors
from models import define_unary, raises_here

X = np.arange(6, dtype=np.float32).reshape(2, 3)


def test_there_is_one_object_of_each_distribution():
    assert flow.distribute.split(1) is flow.distribute.split(1)
    assert flow.distribute.split(0) is not flow.distribute.split(1)
    assert flow.distribute.broadcast() is flow.distribute.broadcast()
    assert flow.distribute.auto() is flow.distribute.auto()
    for distribute in (
        flow.distribute.split(10),
        flow.distribute.broadcast(),
        flow.distribute.auto(),
    ):
        flow.distribute.assert_is_valid_distribute(distribute)
    assert repr(flow.distribute.split(3)) == "split(3)"
    with raises_here(
        AssertionError, "expects an axis from 0 to 10 to split but got 11"
    ):
        flow.distribute.split(11)
    with raises_here(
        AssertionError, "expects what distribute.split, broadcast or auto"
    ):
        flow.distribute.assert_is_valid_distribute(3)
    with raises_here(AssertionError, "mine"):
        flow.distribute.assert_is_valid_distribute(None, "mine")


def test_hints_change_no_value():
    seen = []

    def body(x):
        y = (x + x).with_distribute(flow.distribute.split(0))
        z = flow.parallel_cast(
            y.with_gradient_distribute(flow.distribute.broadcast()),
            distribute=flow.distribute.broadcast(),
            gradient_distribute=flow.distribute.split(1),
        )
        seen.extend([x.distribute, y.distribute, z.distribute])
        seen.append(flow.parallel_cast(x.with_split_distribute(1)).distribute)
        seen.append(x.with_broadcast_distribute().distribute)
        return flow.cast_to_current_logical_view(z) + y

    np.testing.assert_array_equal(define_unary(body)(X), 4 * X)
    assert list(map(repr, seen)) == [
        "auto()",
        "split(0)",
        "broadcast()",
        "split(1)",
        "broadcast()",
    ]


def test_gradients_go_through_hints():
    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((2, 3))) -> tp.Numpy:
        w = flow.get_variable(
            "w",
            (3, 4),
            initializer=flow.ones_initializer(),
            distribute=flow.distribute.split(0),
        )
        w = flow.parallel_cast(w, gradient_distribute=flow.distribute.broadcast())
        loss = flow.matmul(x, w.with_distribute(flow.distribute.broadcast()))
        rate = flow.optimizer.PiecewiseConstantScheduler([], [8.0])
        flow.optimizer.SGD(rate, momentum=0).minimize(loss)
        return loss

    job(X)
    expected = 1 - X.sum(axis=0)[:, None] * np.ones((1, 4), np.float32)
    np.testing.assert_array_equal(flow.get_all_variables()["w"].numpy(), expected)


def test_layers_take_a_distribution():
    def body(x):
        return flow.layers.dense(x, 4, model_distribute=flow.distribute.split(0))

    assert define_unary(body)(X).shape == (2, 4)


def test_parts_of_one_device():
    def double_both(a, b):
        return a + a, b + b

    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder((2, 3)), y: tp.Numpy.Placeholder((2, 3))
    ) -> typing.Tuple[tp.Numpy, tp.Numpy, tp.Numpy, tp.Numpy, tp.Numpy]:
        (cloned,) = flow.advanced.distribute_clone(x)
        (part,) = flow.advanced.distribute_split(y, axis=1)
        doubled = flow.advanced.distribute_map([x, y], double_both)
        assert isinstance(doubled, tuple)
        return (
            flow.advanced.distribute_add([cloned]),
            flow.advanced.distribute_concat([part], axis=1),
            flow.advanced.distribute_map(x, lambda a: a * 3, axis=1),
            *doubled,
        )

    results = job(X, X + 1)
    for result, expected in zip(results, (X, X + 1, 3 * X, 2 * X, 2 * X + 2)):
        np.testing.assert_array_equal(result, expected)


def double(x):
    return x + x


@pytest.mark.parametrize(
    "name, use",
    [
        ("distribute_clone", lambda x: flow.advanced.distribute_clone(x)[0]),
        ("distribute_add", lambda x: flow.advanced.distribute_add([x, x])),
        ("distribute_split", lambda x: flow.advanced.distribute_split(x)[0]),
        ("distribute_concat", lambda x: flow.advanced.distribute_concat([x, x])),
        ("distribute_split", lambda x: flow.advanced.distribute_map(x, double)),
    ],
)
def test_several_devices_come_later(name, use):
    flow.config.cpu_device_num(4)

    def body(x):
        with flow.scope.placement("cpu", "0:0-3"):
            return use(x)

    with raises_here(
        errors.UnsupportedError,
        f"expects advanced.{name} on one device in this version but got 4 devices: "
        "several come later",
    ):
        define_unary(body)(X)


@pytest.mark.parametrize(
    "use, text",
    [
        (
            lambda x: x.with_distribute(3),
            "expects distribute to be what distribute.spl",
        ),
        (
            lambda x: x.with_split_distribute(2),
            "expects distribute to split an axis below 2, the number of dimensions, but "
            "got split(2)",
        ),
        (lambda x: x.with_gradient_distribute(None), "expects distribute to be what"),
        (
            lambda x: flow.parallel_cast(x, distribute=3),
            "expects distribute to be what",
        ),
        (
            lambda x: flow.parallel_cast(x, gradient_distribute=3),
            "expects gradient_distribute to be what",
        ),
        (
            lambda x: flow.advanced.distribute_add(x),
            "expects a list with one blob per device but got <Blob x",
        ),
        (
            lambda x: flow.advanced.distribute_add([x, x]),
            "expects a list with one blob per device, of which there is one, but got 2",
        ),
        (
            lambda x: flow.advanced.distribute_split(x, axis=2),
            "expects an axis in [0, 2) but got 2",
        ),
        (
            lambda x: flow.advanced.distribute_map(x, 3),
            "expects a function to map but got 3",
        ),
        (
            lambda x: flow.get_variable("w", (2,), distribute=flow.distribute.split(1)),
            "expects distribute to split an axis below 1",
        ),
        (
            lambda x: flow.layers.dense(
                x, 3, model_distribute=flow.distribute.split(1)
            ),
            "expects model_distribute to split an axis below 1",
        ),
        (
            lambda x: flow.layers.dense(
                flow.reshape(x, [1, 2, 3]), 3, model_distribute=flow.distribute.split(0)
            ),
            "expects inputs of 2 dimensions to split units but got 3 dimensions",
        ),
    ],
)
def test_distributions_are_checked(use, text):
    with raises_here(AssertionError, "job job", text):
        define_unary(use)(X)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_older_names_of_views_and_namespaces():
    config = flow.function_config()
    config.default_distribute_strategy(flow.distribute.mirrored_strategy())

    @flow.global_function(function_config=config)
    def job(x: tp.ListNumpy.Placeholder((2, 3))) -> tp.ListNumpy:
        assert flow.distribute.mirrored_strategy_enabled()
        with flow.distribute.consistent_strategy():
            assert flow.distribute.consistent_strategy_enabled()
        with flow.experimental.name_scope("a"), flow.deprecated.variable_scope("b"):
            assert (x + x).op_name == "a-b-Add"
        return x

    np.testing.assert_array_equal(job([X])[0], X)
