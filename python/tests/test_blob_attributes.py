"""The batch axis and the devices of blobs."""

import pytest

import jobmlir as flow
import jobmlir.typing as tp
from jobmlir import errors
from models import raises_here

BATCH = 6


def axis_of(body, shape=(BATCH, 4, 5), batch_axis=0):
    found = []

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder(shape, batch_axis=batch_axis)) -> tp.Numpy:
        result = body(x)
        found.append(result.batch_axis)
        return x

    flow.dump_ir()
    return found[0]


def weights(shape):
    return flow.get_variable("w", shape, initializer=flow.ones_initializer())


@pytest.mark.parametrize(
    "body, axis",
    [
        (lambda x: x, 0),
        (lambda x: x * 2 + flow.math.tanh(x), 0),
        (lambda x: flow.constant(1.0) + x, 0),
        (lambda x: flow.transpose(x, [2, 0, 1]), 1),
        (lambda x: flow.reshape(x, [BATCH, -1]), 0),
        (lambda x: flow.reshape(x, [1, BATCH, 20]), 1),
        (lambda x: flow.reshape(x, [-1, 5]), 0),
        (lambda x: flow.reshape(flow.transpose(x, [1, 0, 2]), [-1]), None),
        (lambda x: x[None], 1),
        (lambda x: x[:, 0], 0),
        (lambda x: flow.math.reduce_sum(x, 0), None),
        (lambda x: flow.math.reduce_sum(x, 0, True), None),
        (lambda x: flow.math.reduce_sum(x, [1, 2]), 0),
        (lambda x: flow.math.reduce_sum(flow.transpose(x, [2, 0, 1]), 0), 0),
        (lambda x: flow.math.reduce_sum(flow.transpose(x, [2, 0, 1]), 0, True), 1),
        (flow.math.argmax, 0),
        (lambda x: flow.math.argmax(flow.transpose(x, [1, 2, 0])), None),
        (lambda x: flow.layers.dense(x, 3), 0),
        (lambda x: flow.matmul(x[:, 0], weights((4, 5)), transpose_b=True), 0),
        (lambda x: flow.matmul(x[:, 0], weights((BATCH, 2)), transpose_a=True), None),
        (lambda x: flow.matmul(weights((2, 5)), x[:, 0], transpose_b=True), 1),
        (lambda x: flow.matmul(x, flow.transpose(x, [0, 2, 1])), 0),
        (lambda x: flow.layers.conv1d(x, 2, 3), 0),
        (lambda x: flow.layers.layer_norm(x), 0),
        (lambda x: flow.gather(weights((9, 2)), flow.cast(x, flow.int32)), 0),
        (lambda x: flow.gather(x, flow.range(3)), None),
        (lambda x: flow.gather(x, flow.range(3), axis=1), 0),
        (lambda x: flow.gather(flow.transpose(x, [1, 0, 2]), flow.range(3)), 1),
        (lambda x: weights((2,)), None),
        (lambda x: flow.range(3), None),
        (
            lambda x: flow.nn.sparse_softmax_cross_entropy_with_logits(
                flow.math.argmax(x), x
            ),
            0,
        ),
    ],
)
def test_batch_axis(body, axis):
    assert axis_of(body) == axis


def test_transpose_keeps_the_batch_axis_if_asked():
    def body(x, **flags):
        return flow.transpose(x, [1, 0, 2], **flags)

    assert axis_of(body) == 1
    assert axis_of(lambda x: body(x, batch_axis_non_change=True)) == 0
    with raises_here(
        errors.JobBuildAndInferError, "expects batch_axis_non_change to be a bool"
    ):
        axis_of(lambda x: body(x, batch_axis_non_change=2))


@pytest.mark.parametrize("given, axis", [(None, None), (1, 1), (-1, 2)])
def test_the_batch_axis_of_a_placeholder(given, axis):
    assert axis_of(lambda x: x, batch_axis=given) == axis
    flow.clear_default_session()
    assert axis_of(lambda x: x + 1, batch_axis=given) == axis


def test_what_a_blob_says():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 3))) -> tp.Numpy:
        y = flow.cast(
            flow.math.reduce_sum(x, 1, name="rows"), flow.float64, name="wide"
        )
        found = flow.argwhere(x)
        assert (x.shape, y.shape, found.shape) == ((2, 3), (2,), (6, 2))
        assert x.dtype == flow.float32 and y.dtype == flow.float64
        assert [blob.is_dynamic for blob in (x, y, found)] == [False, False, True]
        assert not x.is_tensor_list and not y.is_tensor_list
        assert (x.op_name, y.op_name) == ("x", "wide")
        assert y.logical_blob_name == y.unique_name == "wide/out"
        return y

    assert "wide" in flow.dump_ir()


def test_devices():
    found = {}

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((4, 4))) -> tp.Numpy:
        found["x"] = x.parallel_conf, x.parallel_size, x.split_axis
        with flow.scope.placement("cpu", "0:0"):
            y = x.with_split_distribute(1) * 1.0
            found["y"] = y.parallel_conf.device_tag, y.parallel_conf.device_name
        found["split"] = [
            blob.split_axis
            for blob in (x.with_split_distribute(1), x.with_broadcast_distribute(), y)
        ]
        return y

    flow.dump_ir()
    assert found["x"] == (("cpu", ("0:0",)), 1, None)
    assert found["y"] == ("cpu", ("0:0",))
    assert found["split"] == [1, None, None]
