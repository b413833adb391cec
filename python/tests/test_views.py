"""The mirrored view on one device: arguments and results are lists of length one."""

import typing

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from jobmlir import errors
from models import raises_here

X = np.arange(6, dtype=np.float32).reshape(2, 3)


def mirrored():
    config = flow.function_config()
    config.default_logical_view(flow.scope.mirrored_view())
    return config


def define(placeholder, returns=typing.Any, config=None):
    """A job that doubles its argument."""

    def job(x: placeholder) -> returns:
        return x + x

    if returns is typing.Any:
        del job.__annotations__["return"]
    return flow.global_function(function_config=config or mirrored())(job)


def test_lists_of_arrays():
    job = define(tp.ListNumpy.Placeholder((2, 3)), tp.ListNumpy)
    (result,) = job([X])
    np.testing.assert_array_equal(result, 2 * X)


def test_lists_of_lists_of_arrays():
    job = define(tp.ListListNumpy.Placeholder((2, 3)), tp.ListListNumpy)
    ((result,),) = job([[X]])
    np.testing.assert_array_equal(result, 2 * X)


def test_nested_results():
    @flow.global_function(function_config=mirrored())
    def job(
        x: typing.Tuple[
            tp.ListNumpy.Placeholder((2, 3)), tp.ListListNumpy.Placeholder((3,))
        ],
    ) -> typing.Tuple[tp.Numpy, tp.Bundle[tp.ListListNumpy]]:
        return x[0], {"y": x[1]}

    plain, bundle = job(([X], [[X[0]]]))
    np.testing.assert_array_equal(plain, X)
    np.testing.assert_array_equal(bundle["y"][0][0], X[0])


def test_definitions_of_the_older_api_and_local_values():
    @flow.global_function(function_config=mirrored())
    def job(x=flow.MirroredTensorDef((2, 3)), y=flow.MirroredTensorListDef((2, 3))):
        assert y.is_tensor_list and not x.is_tensor_list
        return x, y

    first, second = job([X], [[X]]).get()
    assert isinstance(first.numpy_list(), list) and first.parallel_num() == 1
    np.testing.assert_array_equal(second.numpy_lists()[0][0], X)
    np.testing.assert_array_equal(second.numpy_list()[0], X)
    np.testing.assert_array_equal(second.numpy_list(0)[0], X)
    assert second.parallel_num() == 1
    assert repr(second).startswith("LocalMirroredTensorList([[array(")
    with raises_here(AssertionError, "expects parallel_id to be None or 0 but got 1"):
        second.numpy_list(1)
    # What a job returned may be an argument.
    third, fourth = job(first, second).get()
    np.testing.assert_array_equal(third.numpy(), X)
    np.testing.assert_array_equal(fourth.numpy_lists()[0][0], X)


def test_callbacks_get_lists():
    job = define(tp.ListListNumpy.Placeholder((2, 3)), tp.Callback[tp.ListListNumpy])
    got = []
    job([[X]])(got.append)
    flow.sync_default_session()
    np.testing.assert_array_equal(got[0][0][0], 2 * X)


def test_training_in_the_mirrored_view():
    @flow.global_function(type="train", function_config=mirrored())
    def job(x: tp.ListNumpy.Placeholder((2, 3))) -> tp.ListNumpy:
        w = flow.get_variable("w", (3,), initializer=flow.ones_initializer())
        loss = flow.math.reduce_sum(x * w, axis=1)
        rate = flow.optimizer.PiecewiseConstantScheduler([], [1.0])
        flow.optimizer.SGD(rate, momentum=0).minimize(loss)
        return loss

    np.testing.assert_array_equal(job([X])[0], X.sum(axis=1))
    np.testing.assert_array_equal(job([X])[0], X @ (1 - X.mean(axis=0)))


@pytest.mark.parametrize(
    "values, cls, text",
    [
        (X, TypeError, "a list with one item per device for argument x but got a nda"),
        (
            [X, X],
            AssertionError,
            "a list with one item per device in this version for argument x but got 2",
        ),
        ([], AssertionError, "one item per device in this version for argument x but"),
        ([X.astype(np.int32)], TypeError, "expects dtype float32 for argument x"),
        ([[X]], TypeError, "expects a numpy array for argument x but got list"),
        ([np.zeros((3, 3), np.float32)], AssertionError, "shape (2, 3) for argument x"),
    ],
)
def test_arguments_must_fit(values, cls, text):
    job = define(tp.ListNumpy.Placeholder((2, 3)), tp.ListNumpy)
    with raises_here(cls, "job job", text):
        job(values)


@pytest.mark.parametrize(
    "values, cls, text",
    [
        ([X], TypeError, "expects a list with one array for argument x but got a nd"),
        (
            [[X, X]],
            AssertionError,
            "a list with one array in this version for argument",
        ),
    ],
)
def test_lists_of_arguments_must_fit(values, cls, text):
    job = define(tp.ListListNumpy.Placeholder((2, 3)), tp.ListListNumpy)
    with raises_here(cls, "job job", text):
        job(values)


@pytest.mark.parametrize("kind", ["ListNumpy", "ListListNumpy"])
def test_lists_need_the_mirrored_view(kind):
    config = flow.function_config()
    config.default_logical_view(flow.scope.consistent_view())
    job = define(getattr(tp, kind).Placeholder((2, 3)), config=config)
    with raises_here(
        errors.JobDefinitionError,
        "expects function_config.default_logical_view to be scope.mirrored_view() for "
        "the lists of argument x but got the consistent view",
    ):
        job([X])


@pytest.mark.parametrize(
    "definition", [flow.MirroredTensorDef, flow.MirroredTensorListDef]
)
def test_lists_imply_the_mirrored_view(definition):
    seen = []

    @flow.global_function()
    def job(x=definition((2, 3))):
        seen.append(flow.scope.mirrored_view_enabled())
        return x

    @flow.global_function()
    def other(x=flow.FixedTensorDef((2, 3))):
        seen.append(flow.scope.mirrored_view_enabled())
        return x

    if definition is flow.MirroredTensorDef:
        (result,) = job([X]).get().numpy_list()
    else:
        ((result,),) = job([[X]]).get().numpy_lists()
    np.testing.assert_array_equal(result, X)
    assert seen == [True, False]


def test_a_list_may_stand_for_a_tuple_of_arguments():
    array = tp.ListNumpy.Placeholder((2, 3))

    @flow.global_function()
    def job(pair: typing.Tuple[array, array]) -> typing.Tuple[tp.Numpy, tp.Numpy]:
        return pair

    first, second = job([[X], [-X]])
    np.testing.assert_array_equal(first, X)
    np.testing.assert_array_equal(second, -X)


def test_which_view_it_is():
    seen = []

    def note():
        seen.append(
            (flow.scope.mirrored_view_enabled(), flow.scope.consistent_view_enabled())
        )

    config = flow.function_config()
    config.default_distribute_strategy(flow.scope.mirrored_view())
    view = config.function_desc.function_attribute.default_distribute_strategy
    assert view.is_mirrored and config.get("default_logical_view") is view

    @flow.global_function(function_config=config)
    def job(x: tp.Numpy.Placeholder((2, 3))) -> tp.Numpy:
        note()
        with flow.scope.consistent_view():
            note()
            with flow.scope.mirrored_view():
                note()
        note()
        return x

    with flow.scope.mirrored_view():
        note()
        job(X)
    note()
    yes, no = (True, False), (False, True)
    assert seen == [yes, yes, no, yes, yes, no]


@pytest.mark.parametrize("place", ["default", "with", "setting", "inner"])
def test_several_devices_come_later(place):
    config = mirrored() if place != "inner" else flow.function_config()
    flow.config.cpu_device_num(2)
    if place == "setting":
        flow.config.gpu_device_num(2)
    if place == "default":
        config.default_placement_scope(flow.scope.placement("cpu", "0:0-1"))

    @flow.global_function(function_config=config)
    def job(x: tp.Numpy.Placeholder((2, 3))) -> tp.Numpy:
        if place == "with":
            with flow.scope.placement("cpu", ["0:0", "0:1"]):
                return x + x
        if place == "inner":
            with flow.scope.placement("cpu", "0:0-1"), flow.scope.mirrored_view():
                return x + x
        return x + x

    with raises_here(
        errors.UnsupportedError,
        "expects the mirrored view on one device in this version but got 2 devices: "
        "several come later",
    ):
        job(X)


def test_placeholders_of_lists_are_checked():
    with raises_here(TypeError, "shape should be a tuple. [2] found"):
        tp.ListNumpy.Placeholder([2])
    assert repr(flow.MirroredTensorDef((2,))).startswith(
        "MirroredTensorDef((2,), dtype"
    )
