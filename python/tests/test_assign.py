"""Writing variables inside of jobs, and slices with their older names."""

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from models import define_unary, raises_here
from numeric import check, random, sgd

X = random((4, 3), dtype=np.float32)


def variable(shape=(4, 3), dtype=flow.float32, **settings):
    return flow.get_variable("v", shape, dtype, flow.ones_initializer(), **settings)


@pytest.mark.parametrize("function", [flow.assign, flow.system.assign])
@pytest.mark.parametrize("kind", ["predict", "train"])
def test_assign(function, kind):
    @flow.global_function(type=kind)
    def job(x: tp.Numpy.Placeholder((4, 3))) -> tp.Numpy:
        v = variable(trainable=False)
        assert function(v, v + x) is None
        if kind == "train":
            w = flow.get_variable("w", (1,), initializer=flow.ones_initializer())
            sgd().minimize(w * 1.0)
        return v * 1.0

    np.testing.assert_array_equal(job(X), np.ones((4, 3)))
    np.testing.assert_array_equal(job(X), 1 + X)
    np.testing.assert_array_equal(flow.get_all_variables()["v"].numpy(), 1 + X + X)


def test_assign_of_ints():
    @flow.global_function()
    def job() -> tp.Numpy:
        count = variable((1,), flow.int64)
        flow.assign(count, count * 3)
        return count

    assert [int(job()) for _ in range(3)] == [1, 3, 9]


def test_training_updates_what_is_assigned():
    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((4, 3))):
        v = variable()
        flow.assign(v, x)
        sgd(0.5).minimize(flow.math.reduce_sum(v))
        return v * 1.0

    job(X).get()
    np.testing.assert_array_equal(
        flow.get_all_variables()["v"].numpy(), X - np.float32(0.5)
    )


def test_two_jobs_share_what_is_assigned():
    @flow.global_function()
    def write(x: tp.Numpy.Placeholder((4, 3))):
        flow.assign(variable(), x)

    @flow.global_function()
    def read() -> tp.Numpy:
        return variable() * 1.0

    write(X).get()
    np.testing.assert_array_equal(read(), X)


KEYS = [
    [(1, 3, None), (None, None, 2)],
    [(None, None, None), (-1, None, None)],
    [(0, 4, 3)],
    [],
]


@pytest.mark.parametrize("triples", KEYS)
def test_logical_slice(triples):
    key = tuple(slice(*triple) for triple in triples)
    check(
        lambda x: flow.experimental.logical_slice(x, triples) * 1.0,
        lambda x: x[key],
        X.astype(float),
    )


@pytest.mark.parametrize("triples", KEYS)
@pytest.mark.parametrize("dtype", [np.float32, np.int8])
def test_logical_slice_assign(triples, dtype):
    key = tuple(slice(*triple) for triple in triples)
    expected = np.ones((4, 3), dtype)
    value = np.arange(2, 2 + expected[key].size, dtype=dtype)
    value = value.reshape(expected[key].shape)
    expected[key] = value

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder(value.shape, getattr(flow, value.dtype.name))):
        v = variable(dtype=getattr(flow, value.dtype.name))
        flow.experimental.logical_slice_assign(v, x, triples)
        return v * 1

    assert (job(value).get().numpy() == 1).all()
    np.testing.assert_array_equal(flow.get_all_variables()["v"].numpy(), expected)


def test_several_slices_in_one_step():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((4, 3))):
        v = variable()
        flow.experimental.logical_slice_assign(v, x[:, 0:1], [(0, 4, 1), (0, 1, 1)])
        flow.experimental.logical_slice_assign(v, x[3], [(3, 4, 1)])

    job(X).get()
    expected = np.ones((4, 3))
    expected[:, 0], expected[3] = X[:, 0], X[3]
    np.testing.assert_array_equal(flow.get_all_variables()["v"].numpy(), expected)


@pytest.mark.parametrize(
    "function, message",
    [
        (
            lambda x: flow.assign(x, x),
            "op Assign: expects ref to be a variable, which get_variable gives, but "
            "got x",
        ),
        (
            lambda x: flow.assign(variable(), x[0]),
            "expects a value of float32 and shape (4, 3) but got float32 and (3,)",
        ),
        (
            lambda x: flow.assign(variable(), flow.cast(x, flow.int8)),
            "expects a value of float32 and shape (4, 3) but got int8 and (4, 3)",
        ),
        (
            lambda x: flow.assign(variable(), x, flow.double),
            "expects dtype to be float32, that of the variable, but got float64",
        ),
        (
            lambda x: flow.assign(variable((2, 3)), flow.unpack(x, 2)),
            "expects a per-step value to assign but got a per-micro-step blob (2 micro",
        ),
        (
            lambda x: flow.experimental.logical_slice(x, [(0, 1)]),
            "op LogicalSlice: expects (start, stop, step) but got (0, 1)",
        ),
        (
            lambda x: flow.experimental.logical_slice(x, [(0, 4, 0)]),
            "expects a step other than 0 in dimension 0 but got 0",
        ),
        (
            lambda x: flow.experimental.logical_slice(x, [(3, 3, 1)]),
            "expects at least one element in dimension 0 of extent 4 but got (3, 3, 1)",
        ),
        (
            lambda x: flow.experimental.logical_slice(x, 3),
            "expects a list of at most 2 (start, stop, step) but got 3",
        ),
        (
            lambda x: flow.experimental.logical_slice_assign(x, x, []),
            "op LogicalSliceAssign: expects x to be a variable",
        ),
        (
            lambda x: flow.experimental.logical_slice_assign(
                variable(), flow.cast(x, flow.int8), []
            ),
            "expects a value of float32 but got int8",
        ),
        (
            lambda x: flow.experimental.logical_slice_assign(
                variable(), x, [(0, 1, 1)]
            ),
            "expects a value that broadcasts to (1, 3) but got (4, 3)",
        ),
        (
            lambda x: flow.experimental.logical_slice_assign(
                variable(), x, [(0, 3, 1)]
            ),
            "expects shapes that broadcast to one but got (4, 3) and (3, 3)",
        ),
    ],
)
def test_error(function, message):
    define_unary(lambda x: function(x) or x, (4, 3))
    with raises_here(Exception, message):
        flow.dump_ir()


def test_init_resets_what_a_prediction_job_has_assigned():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2,))) -> tp.Numpy:
        w = flow.get_variable("w", (2,), initializer=flow.ones_initializer())
        flow.assign(w, x)
        return w

    job(np.zeros(2, np.float32))
    check_point = flow.train.CheckPoint()
    check_point.init()
    np.testing.assert_array_equal(flow.get_all_variables()["w"].numpy(), [1, 1])
