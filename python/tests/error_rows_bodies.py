"""Reproductions of errors in the bodies of jobs."""

import unittest.mock

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from jobmlir import _runtime
from error_rows import SIMULATOR, X, reproduces, sgd, trace, trace_train


@reproduces("outside")
def _(tmp_path):
    flow.constant(1.0)


@reproduces("op-shape")
def _(tmp_path):
    trace(lambda x: x + flow.constant(1.0, shape=[4]))


@reproduces("op-dtype")
def _(tmp_path):
    trace(lambda x: x + flow.constant(1))


@reproduces("op-array")
def _(tmp_path):
    trace(lambda x: X + x)


@reproduces("index")
def _(tmp_path):
    trace(lambda x: x[[0]])


@reproduces("array-initializer")
def _(tmp_path):
    trace(lambda x: flow.get_variable("w", (2, 2), initializer=X[0]))


@reproduces("op-static")
def _(tmp_path):
    trace(lambda x: flow.math.add(flow.argwhere(x), 1))


@reproduces("op-number")
def _(tmp_path):
    trace(lambda x: flow.pad(flow.cast(x, flow.int32), [(1, 0), (0, 0)], 1.5))


@reproduces("op-int")
def _(tmp_path):
    trace(lambda x: flow.slice(x, [2**70, 0], [1, 1]))


@reproduces("ml-dtypes")
def _(tmp_path):
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 3), dtype=flow.bfloat16)) -> tp.Numpy:
        return flow.cast(x, flow.float)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(flow.bfloat16, "numpy", None)
        job(X)


@reproduces("activation")
def _(tmp_path):
    trace(lambda x: flow.layers.dense(x, 3, activation=lambda y: y))


@reproduces("op-name")
def _(tmp_path):
    trace(lambda x: flow.nn.relu(flow.nn.relu(x, name="r"), name="r"))


@reproduces("placement")
def _(tmp_path):
    def body(x):
        with flow.scope.placement("cpu", "0:0-3"):
            return flow.math.exp(x)

    trace(body)


def place(tag, ids):
    def body(x):
        with flow.scope.placement(tag, ids):
            return flow.math.exp(x)

    trace(body)


@reproduces("placement-gpu")
def _(tmp_path):
    flow.config.cuda_library(SIMULATOR)
    place("gpu", "0:7")


@reproduces("placement-old-gpu")
def _(tmp_path):
    gpu = {"driver": "cuda:0", "name": "Tesla T4", "target": "sm_75"}
    with unittest.mock.patch.object(_runtime, "list_devices", lambda *_: [gpu]):
        place("gpu", "0:0")


@reproduces("cuda-library")
def _(tmp_path):
    flow.config.cuda_library(tmp_path / "libcuda.so")
    place("gpu", "0:0")


@reproduces("foreign-blob")
def _(tmp_path):
    kept = []

    @flow.global_function()
    def first(x: tp.Numpy.Placeholder((2,))):
        kept.append(x)
        return x

    trace(lambda x: flow.nn.relu(kept[0]))


@reproduces("blob-value")
def _(tmp_path):
    trace(lambda x: x if x > 0.0 else -x)


@reproduces("blob-operator")
def _(tmp_path):
    trace(lambda x: x & x)


@reproduces("numpy-function")
def _(tmp_path):
    trace(np.exp)


@reproduces("variable-job")
def _(tmp_path):
    ones = flow.ones_initializer()
    trace(lambda x: x + flow.get_variable("job", (3,), initializer=ones))


@reproduces("variable-shape")
def _(tmp_path):
    ones = flow.ones_initializer()

    @flow.global_function()
    def first(x: tp.Numpy.Placeholder((2, 3))):
        return x + flow.get_variable("w", (3,), initializer=ones)

    trace(lambda x: x + flow.get_variable("w", (1, 3), initializer=ones))


@reproduces("variable-initializer")
def _(tmp_path):
    trace(lambda x: x + flow.get_variable("w", (3,)))


@reproduces("result")
def _(tmp_path):
    trace(lambda x: 3)


@reproduces("result-annotation")
def _(tmp_path):
    trace(lambda x: [x])


@reproduces("no-loss")
def _(tmp_path):
    trace_train(lambda x: None)


@reproduces("no-optimizer")
def _(tmp_path):
    trace_train(flow.losses.add_loss)


@reproduces("regularizer")
def _(tmp_path):
    trace(lambda x: flow.layers.dense(x, 2, kernel_regularizer=0.1))


@reproduces("loss-without-variable")
def _(tmp_path):
    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((2, 3))):
        sgd().minimize(x * 2.0)

    job(X)


@reproduces("loss-sizes")
def _(tmp_path):
    trace_train(lambda x: sgd().minimize([x, flow.math.reduce_sum(x)]))


@reproduces("loss-dtypes")
def _(tmp_path):
    trace_train(lambda x: sgd().minimize([x, flow.cast(x * 2.0, flow.double)]))


@reproduces("loss-twice")
def _(tmp_path):
    trace_train(lambda x: (flow.losses.add_loss(x), sgd().minimize(x)))


@reproduces("loss-of-loss")
def _(tmp_path):
    trace_train(lambda x: sgd().minimize([x, x * 2.0]))


@reproduces("second-minimize")
def _(tmp_path):
    trace_train(lambda x: (sgd().minimize(x), sgd().minimize(x)))


def two_variables():
    init = flow.ones_initializer()
    return [flow.get_variable(name, (2,), initializer=init) for name in "pq"]


@reproduces("two-groups")
def _(tmp_path):
    def body(x):
        p, q = two_variables()
        loss = p * q
        sgd().minimize(loss, variables="p")
        sgd().minimize(loss, variables=["p", "q"])

    trace_train(body)


@reproduces("group-losses")
def _(tmp_path):
    def body(x):
        p, q = two_variables()
        sgd().minimize(p * 2, variables="p")
        sgd().minimize(q * 2, variables="q")

    trace_train(body)


@reproduces("group-variables")
def _(tmp_path):
    trace_train(lambda x: sgd().minimize(two_variables()[0], variables="u"))


@reproduces("trainable-twice")
def _(tmp_path):
    def body(x):
        two_variables()
        flow.get_variable("p", trainable=False)

    trace_train(body)


@reproduces("reuse")
def _(tmp_path):
    def body(x):
        flow.layers.layer_norm(flow.layers.layer_norm(x, name="n"), name="n")

    trace_train(body)


@reproduces("layer-kind")
def _(tmp_path):
    trace(lambda x: flow.layers.layer_norm(flow.layers.dense(x, 2, name="d"), name="d"))


@reproduces("custom-rate")
def _(tmp_path):
    rate = flow.optimizer.CustomScheduler("rate/out")
    trace_train(
        lambda x: flow.optimizer.SGD(rate).minimize(two_variables()[0], variables="p")
    )


@reproduces("optimizer-argument")
def _(tmp_path):
    trace_train(lambda x: sgd(momentum=1).minimize(x))


@reproduces("schedule")
def _(tmp_path):
    trace_train(lambda x: flow.optimizer.PiecewiseConstantScheduler([1], [0.1]))


@reproduces("not-a-rate")
def _(tmp_path):
    trace_train(lambda x: flow.optimizer.PiecewiseConstantScheduler([], [float("nan")]))


@reproduces("body-exception")
def _(tmp_path):
    trace(lambda x: {}["missing"])
