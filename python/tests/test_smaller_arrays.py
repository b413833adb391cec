"""Arrays that are smaller than the placeholders of the mirrored view."""

import threading
import time
import warnings

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from jobmlir import errors
from jobmlir._src import smaller_arrays
from jobmlir._src.session import Session
from models import raises_here
from records import write_parts

X = np.arange(12, dtype=np.float32).reshape(4, 3)
W = np.array([1, -2, 0.5], np.float32)


def mirrored():
    config = flow.function_config()
    config.default_logical_view(flow.scope.mirrored_view())
    return config


def weight():
    return flow.get_variable("w", (3,), initializer=W)


def define_predict(returns=tp.ListNumpy, placeholder=tp.ListNumpy):
    @flow.global_function(function_config=mirrored())
    def predict(x: placeholder.Placeholder((4, 3))) -> returns:
        return flow.math.reduce_sum(x * weight(), axis=1)

    return predict


def define_train(momentum=0.5, kind=tp.ListNumpy):
    @flow.global_function(type="train", function_config=mirrored())
    def train(x: tp.ListNumpy.Placeholder((4, 3))) -> kind:
        loss = flow.math.reduce_sum(x * weight(), axis=1)
        # The rate depends on the step.
        rate = flow.optimizer.PiecewiseConstantScheduler([2, 4], [0.1, 0.01, 0.001])
        flow.optimizer.SGD(rate, momentum=momentum).minimize(loss)
        return loss

    return train


class Training:
    """What define_train does, in f64."""

    def __init__(self, momentum=0.5):
        self.w, self.m = W.astype(np.float64), np.zeros(3)
        self.momentum, self.step = momentum, 0

    def __call__(self, x):
        loss = x @ self.w
        rate = [0.1, 0.01, 0.001][(self.step > 2) + (self.step > 4)]
        self.m = self.momentum * self.m - rate * x.mean(axis=0)
        self.w = self.w + self.m
        self.step += 1
        return loss


def test_results_have_the_shapes_of_the_arrays():
    predict = define_predict()
    for rows in (4, 1, 3, 1, 4):
        (result,) = predict([X[:rows]])
        np.testing.assert_array_equal(result, X[:rows] @ W)


def test_lists_of_lists():
    predict = define_predict(tp.ListListNumpy, tp.ListListNumpy)
    ((result,),) = predict([[X[:2]]])
    np.testing.assert_array_equal(result, X[:2] @ W)


def test_several_arguments_and_other_dimensions():
    @flow.global_function(function_config=mirrored())
    def job(
        x: tp.ListNumpy.Placeholder((4, 3)),
        y: tp.Numpy.Placeholder((2,)),
        z: tp.ListNumpy.Placeholder((3, 2)),
    ) -> tp.Numpy:
        return flow.matmul(x, z) + y

    y, z = np.ones(2, np.float32), np.ones((3, 2), np.float32)
    for rows, inner in ((4, 3), (4, 2), (2, 2), (2, 3)):
        result = job([X[:rows, :inner]], y, [z[:inner]])
        np.testing.assert_array_equal(result, X[:rows, :inner] @ z[:inner] + y)


def test_the_arrays_of_a_view_need_not_be_contiguous():
    predict = define_predict()
    (result,) = predict([np.ones((3, 8), np.float32).T[:2]])
    np.testing.assert_array_equal(result, np.full(2, W.sum()))


def test_training_goes_on():
    """Variables, the optimizer's state and the number of the step are the same for
    arrays of all shapes."""
    train, predict, expected = define_train(), define_predict(), Training()
    for rows in (4, 2, 2, 1, 4, 3, 2):
        (loss,) = train([X[:rows]])
        np.testing.assert_allclose(loss, expected(X[:rows]), rtol=1e-5)
    (result,) = predict([X[:3]])
    np.testing.assert_allclose(result, X[:3] @ expected.w, rtol=1e-5)
    assert flow.train.step_count(train) == expected.step
    counters = [n for n in flow.get_all_variables() if "TrainStep" in n]
    assert counters == ["System-Train-TrainStep-train"]


def test_a_checkpoint_is_of_all_shapes(tmp_path):
    train = define_train()
    train([X])
    train([X[:2]])
    flow.train.CheckPoint().save(str(tmp_path / "saved"))
    (after,) = train([X[:2]])
    flow.clear_default_session()
    train = define_train()
    flow.train.CheckPoint().load(str(tmp_path / "saved"))
    np.testing.assert_array_equal(train([X[:2]])[0], after)


def test_random_numbers_go_on():
    """Calls with arrays of other shapes count."""

    def draw(shapes):
        flow.clear_default_session()

        @flow.global_function(function_config=mirrored())
        def job(x: tp.ListNumpy.Placeholder((4, 10))) -> tp.ListNumpy:
            return flow.random.bernoulli(x)

        return [job([np.full((rows, 10), 0.5, np.float32)])[0] for rows in shapes]

    same, mixed = draw([4, 4, 4]), draw([4, 2, 4])
    np.testing.assert_array_equal(mixed[0], same[0])
    np.testing.assert_array_equal(mixed[2], same[2])
    assert (same[0] != same[2]).any()


def test_errors_name_the_shapes():
    @flow.global_function(function_config=mirrored())
    def job(x: tp.ListNumpy.Placeholder((4, 3))) -> tp.ListNumpy:
        return flow.reshape(x, (2, 6))

    job([X])
    with raises_here(errors.JobBuildAndInferError, "job job:3x3, op Reshape"):
        job([X[:3]])
    # The session goes on.
    np.testing.assert_array_equal(job([X])[0], X.reshape(2, 6))


def test_a_variable_of_a_smaller_shape():
    @flow.global_function(function_config=mirrored())
    def job(x: tp.ListNumpy.Placeholder((4, 3))) -> tp.ListNumpy:
        return x + flow.get_variable("w", x.shape, initializer=flow.ones_initializer())

    job([X])
    with raises_here(AssertionError, "job job:2x3"):
        job([X[:2]])
    np.testing.assert_array_equal(job([X])[0], X + 1)


def test_reports_have_all_shapes():
    predict = define_predict()
    predict([X[:2]])
    assert "memory of 'predict:2x3' (predict)" in flow.memory_report()
    assert 'job.func @"predict:2x3"' in flow.dump_ir()


def test_an_entry_that_cannot_be_loaded(monkeypatch):
    """The session is as it was before, and the next call tries it again."""

    @flow.global_function(type="train", function_config=mirrored())
    def first(x: tp.ListNumpy.Placeholder((4, 3))) -> tp.ListNumpy:
        loss = flow.math.reduce_sum(x * weight(), axis=1)
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.5])
        flow.optimizer.SGD(rate, momentum=0).minimize(loss)
        return loss

    @flow.global_function(type="train", function_config=mirrored())
    def second(x: tp.ListNumpy.Placeholder((4, 3))) -> tp.ListNumpy:
        w = flow.get_variable("w", (3,), initializer=W, trainable=False)
        v = flow.get_variable("v", (3,), initializer=W)
        if x.shape[0] == 2:
            flow.get_variable("more", (1000,), initializer=flow.ones_initializer())
        loss = flow.math.reduce_sum(x * w * v, axis=1)
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.5])
        flow.optimizer.SGD(rate, momentum=0).minimize(loss)
        return loss

    first([X])
    second([X])
    before = {name: v.numpy() for name, v in flow.get_all_variables().items()}
    report = flow.memory_report()
    load, errors_left = Session.load, [KeyboardInterrupt, MemoryError]

    def fails(self, trace, variables=None):
        if errors_left:
            raise errors_left.pop()
        return load(self, trace, variables)

    monkeypatch.setattr(Session, "load", fails)
    for error in (MemoryError, KeyboardInterrupt):
        with pytest.raises(error):
            second([X[:2]])
        assert flow.memory_report() == report
    after = {name: v.numpy() for name, v in flow.get_all_variables().items()}
    np.testing.assert_equal(after, before)
    second([X[:2]])
    np.testing.assert_array_equal(flow.get_all_variables()["w"].numpy(), before["w"])
    assert (flow.get_all_variables()["v"].numpy() != before["v"]).any()


def test_the_loss_scale_goes_on():
    @flow.global_function(type="train", function_config=mirrored())
    def train(x: tp.ListNumpy.Placeholder((4, 3))) -> tp.ListNumpy:
        loss = flow.math.reduce_sum(x * weight(), axis=1)
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
        policy = flow.optimizer.loss_scale.dynamic_loss_scale(1024.0, 2, 2.0)
        flow.optimizer.SGD(rate, momentum=0, loss_scale_policy=policy).minimize(loss)
        return loss

    for rows in (4, 4, 2, 2, 1):
        train([X[:rows]])
    values = {name: v.numpy() for name, v in flow.get_all_variables().items()}
    assert values["System-Train-LossScale-train"] == 4096
    assert values["System-Train-GoodSteps-train"] == 1
    assert not [name for name in values if ":" in name]


def test_a_job_with_the_name_of_an_entry():
    def define(name, factor):
        def job(x: tp.ListNumpy.Placeholder((4, 3))) -> tp.ListNumpy:
            return x * factor

        job.__name__ = name
        return flow.global_function(function_config=mirrored())(job)

    job, other = define("job", 1.0), define("job:2x3", 2.0)
    np.testing.assert_array_equal(job([X[:2]])[0], X[:2])
    np.testing.assert_array_equal(other([X])[0], X * 2)
    np.testing.assert_array_equal(other([X[:2]])[0], X[:2] * 2)


def test_results_of_earlier_calls_stay():
    """They are of the runtime's session before."""
    predict = define_predict(returns=None)
    flow.clear_default_session()

    @flow.global_function(function_config=mirrored())
    def later(x: tp.ListNumpy.Placeholder((4, 3))):
        return x * weight()

    del predict
    first = later([X])
    second = later([X[:2]])
    np.testing.assert_array_equal(first.get().numpy(), X * W)
    np.testing.assert_array_equal(second.get().numpy(), X[:2] * W)


def test_an_error_of_an_earlier_step_comes_first():
    flow.config.check_numerics(True)

    @flow.global_function(function_config=mirrored())
    def job(x: tp.ListNumpy.Placeholder((4, 3))):
        return flow.math.log(x)

    job([-X - 1])
    with raises_here(errors.NumericsError, "Log"):
        job([X[:2] + 1])
    np.testing.assert_allclose(
        job([X[:2] + 1]).get().numpy(), np.log(X[:2] + 1), rtol=1e-6
    )


def test_observers_and_callbacks():
    seen = []

    @flow.global_function(function_config=mirrored())
    def job(x: tp.ListNumpy.Placeholder((4, 3))) -> tp.Callback[tp.ListNumpy]:
        flow.watch(x, lambda value: seen.append(value.numpy().shape))
        return x * weight()

    got = []
    for rows in (4, 2, 3, 2):
        job([X[:rows]])(lambda result: got.append(result[0].shape))
    flow.sync_default_session()
    assert seen == got == [(4, 3), (2, 3), (3, 3), (2, 3)]


def test_callbacks_that_train_meanwhile():
    """Of steps that were done, on the thread of the caller."""
    train = define_train(momentum=0)

    @flow.global_function(function_config=mirrored())
    def job(x: tp.ListNumpy.Placeholder((12, 3))):
        return x

    train([X])
    stop, calls = threading.Event(), [1]

    def use():
        def callback(_):
            train([X])
            calls[0] += 1

        while not stop.is_set():
            call = job([np.ones((12, 3), np.float32)])
            time.sleep(0.002)
            call.async_get(callback)

    thread = threading.Thread(target=use)
    thread.start()
    for rows in range(1, 8):
        job([np.ones((rows, 3), np.float32)])
    stop.set()
    thread.join()
    flow.sync_default_session()
    assert calls[0] > 1
    assert flow.train.step_count(train) == calls[0]


def test_a_callback_that_waits_for_a_thread():
    predict, begun = define_predict(), threading.Event()

    @flow.global_function(function_config=mirrored())
    def watched(x: tp.ListNumpy.Placeholder((4, 3))):
        flow.watch(x, handler)
        return x

    got = []

    def handler(_):
        begun.set()
        time.sleep(0.05)
        thread = threading.Thread(target=lambda: got.append(predict([X])[0]))
        thread.start()
        thread.join()

    watched([X])
    begun.wait()
    (result,) = predict([X[:2]])
    np.testing.assert_array_equal(result, X[:2] @ W)
    np.testing.assert_array_equal(got[0], X @ W)


def test_the_first_call_is_in_no_callback():
    predict = define_predict(tp.Callback[tp.ListNumpy])

    @flow.global_function(function_config=mirrored())
    def later(x: tp.ListNumpy.Placeholder((4, 3))) -> tp.ListNumpy:
        return x

    # Known shapes are fine.
    later([X[:1]])
    got = []
    predict([X])(lambda _: got.append(later([X[:1]])[0].shape))
    flow.sync_default_session()
    assert got == [(1, 3)]
    predict([X])(lambda _: later([X[:2]]))
    text = "expects no callback for the first call with arrays of (2, 3) but got one"
    with raises_here(errors.SessionStateError, "job later", text):
        flow.sync_default_session()


def test_the_first_call_is_in_no_trace(tmp_path):
    predict = define_predict()
    predict([X[:1]])
    text = "expects no trace for the first call with arrays of (2, 3) but got one"
    with flow.profiler.trace(str(tmp_path / "trace.json")):
        predict([X[:1]])
        with raises_here(errors.SessionStateError, "job predict", text):
            predict([X[:2]])
    predict([X[:2]])


def test_a_job_with_readers(tmp_path):
    write_parts(tmp_path, [4])

    @flow.global_function(function_config=mirrored())
    def job(x: tp.ListNumpy.Placeholder((4, 3))) -> tp.ListNumpy:
        records = flow.data.ofrecord_reader(str(tmp_path))
        ids = flow.data.OFRecordRawDecoder(records, "id", (1,), flow.int32)
        return x + flow.cast(ids, flow.float)

    np.testing.assert_array_equal(job([X])[0], X)
    text = "expects a job without readers in this version for the first call with ar"
    with raises_here(errors.UnsupportedError, "job job", text):
        job([X[:2]])


def test_many_shapes_get_a_warning(monkeypatch):
    monkeypatch.setattr(smaller_arrays, "_MANY_ENTRIES", 3)
    predict = define_predict()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        predict([X])
        predict([X[:1]])
    text = "job predict: expects arrays of few different shapes but got 3: the job"
    with pytest.warns(RuntimeWarning, match=text):
        predict([X[:2]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        predict([X[:3]])


def test_calls_from_several_threads():
    """No step is lost while another thread adds shapes."""
    train, count = define_train(momentum=0), 40

    def run(rows):
        for step in range(count):
            train([X[: rows + step % 2]])

    threads = [threading.Thread(target=run, args=(rows,)) for rows in (1, 2, 3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert flow.train.step_count(train) == 3 * count


@pytest.mark.parametrize(
    "array, cls, text",
    [
        (X[:0], errors.UnsupportedError, "expects arrays with elements in this version"),
        (np.ones((5, 3), np.float32), AssertionError, "expects at most shape (4, 3) for"),
        (X[0], AssertionError, "expects at most shape (4, 3) for argument x but got (3,)"),
    ],
)
def test_arrays_must_fit(array, cls, text):
    predict = define_predict()
    with raises_here(cls, "job predict", text):
        predict([array])


def test_arrays_of_the_consistent_view_have_the_shape():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((4, 3))) -> tp.Numpy:
        return x

    with raises_here(AssertionError, "expects shape (4, 3) for argument x but got (2"):
        job(X[:2])
