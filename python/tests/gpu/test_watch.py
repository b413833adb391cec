"""Handlers of watch see blobs of a GPU, at every step and in order."""

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp


@pytest.mark.parametrize("count", [1, 12])
def test_blobs_of_a_gpu(count):
    seen = []

    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((4, 3))):
        with flow.scope.placement("gpu", "0:0"):
            hidden = flow.layers.dense(
                x, 5, kernel_initializer=flow.truncated_normal(0.1), name="d"
            )
            flow.watch(hidden, lambda value: seen.append(value.numpy()))
            rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
            flow.optimizer.SGD(rate, momentum=0).minimize(hidden)
            return hidden

    random = np.random.default_rng(0)
    arrays = [random.standard_normal((4, 3)).astype(np.float32) for _ in range(count)]
    calls = [job(array) for array in arrays]
    results = [call.get().numpy() for call in calls]
    assert len(seen) == count
    for given, result in zip(seen, results):
        np.testing.assert_array_equal(given, result)
    if count > 1:
        assert not (seen[0] == seen[1]).all()


def test_a_summary_of_a_gpu(tmp_path):
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((4,))):
        with flow.scope.placement("gpu", "0:0"):
            flow.summary.scalar(flow.math.reduce_sum(x), 3, "sum")

    flow.summary.create_summary_writer(tmp_path)
    job(np.arange(4, dtype=np.float32)).get()
    (path,) = tmp_path.iterdir()
    # Tag and float32 of the value.
    assert b"\x0a\x03sum\x15\x00\x00\xc0\x40" in path.read_bytes()
