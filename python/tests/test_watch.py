"""watch: handlers see the value of a blob at every step."""

import pathlib
import subprocess
import threading
import typing

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from models import batch, call_from_threads, define_train, loss_of, raises_here

X = np.arange(6, dtype=np.float32).reshape(2, 3)


def define(watching, annotation=tp.Numpy, shape=(2, 3)):
    """A job that returns twice its input and does `watching` with the two."""

    def job(x: tp.Numpy.Placeholder(shape)):
        y = x * 2
        watching(x, y)
        return y

    if annotation is not None:
        job.__annotations__["return"] = annotation
    return flow.global_function()(job)


# ===- Handlers -------------------------------------------------------------===#


def test_the_value_of_each_step():
    seen = []

    def handler(value: tp.Numpy):
        seen.append(value)

    job = define(lambda x, y: flow.watch(y, handler))
    for step in range(5):
        np.testing.assert_array_equal(job(X + step), 2 * (X + step))
        assert len(seen) == step + 1
        assert isinstance(seen[-1], np.ndarray) and seen[-1].dtype == np.float32
        np.testing.assert_array_equal(seen[-1], 2 * (X + step))


def test_what_a_handler_is_given():
    seen = {}

    def as_list(value: tp.ListNumpy):
        seen["list"] = value

    def as_lists(value: "tp.ListListNumpy"):
        seen["lists"] = value

    def watching(x, y):
        flow.watch(x, as_list)
        flow.watch(x, as_lists)
        flow.watch(x, lambda value: seen.update(plain=value))

    define(watching)(X)
    assert [type(seen[n]) for n in ("list", "lists")] == [list, list]
    np.testing.assert_array_equal(seen["list"][0], X)
    np.testing.assert_array_equal(seen["lists"][0][0], X)
    np.testing.assert_array_equal(seen["plain"].numpy(), X)
    assert seen["plain"].numpy_list()[0] is seen["plain"].numpy()


def test_a_list_of_arrays():
    config = flow.function_config()
    config.default_logical_view(flow.scope.mirrored_view())
    seen = []

    @flow.global_function(function_config=config)
    def job(x: tp.ListListNumpy.Placeholder((2, 3))):
        flow.watch(x, seen.append)
        flow.watch(x, lambda value: seen.append(value.numpy_lists()))

    job([[X]]).get()
    np.testing.assert_array_equal(seen[0].numpy_lists()[0][0], X)
    np.testing.assert_array_equal(seen[1][0][0], X)


def test_printing(capsys):
    def watching(x, y):
        flow.watch(x, "the input")
        flow.watch(y)

    define(watching)(X)
    assert capsys.readouterr().out == f"the input\n{X}\n{2 * X}\n"


@pytest.mark.parametrize("dtype", [flow.int8, flow.int64, flow.double, flow.float16])
def test_element_types(dtype):
    seen = []

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 3), dtype=dtype)):
        flow.watch(x, lambda value: seen.append(value.numpy()))

    job(X.astype(dtype.numpy)).get()
    assert seen[0].dtype == dtype.numpy
    np.testing.assert_array_equal(seen[0], X)


def test_a_dynamic_blob_has_its_true_size():
    seen = []
    job = define(lambda x, y: flow.watch(flow.argwhere(x), seen.append))
    for x in (X, 0 * X, X - 4):
        job(x)
        np.testing.assert_array_equal(seen.pop().numpy(), np.argwhere(x))


def test_a_blob_that_is_returned_and_watched_twice():
    seen = []

    def first(value: tp.Numpy):
        value[:] = 7
        seen.append(value)

    def watching(x, y):
        flow.watch(y, first)
        flow.watch(y, lambda value: seen.append(value.numpy()))

    # Each reader has an array of its own.
    np.testing.assert_array_equal(define(watching)(X), 2 * X)
    np.testing.assert_array_equal(seen[1], 2 * X)


def test_a_variable_is_seen_before_its_update():
    seen = []

    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((2,))) -> tp.Numpy:
        w = flow.get_variable("w", (2,), initializer=flow.ones_initializer())
        flow.watch(w, lambda value: seen.append(value.numpy()))
        loss = w * x
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.5])
        flow.optimizer.SGD(rate, momentum=0).minimize(loss)
        return loss

    for step in range(3):
        before = flow.get_all_variables()["w"].numpy()
        job(np.ones(2, np.float32))
        np.testing.assert_array_equal(seen[step], before)
        assert not (flow.get_all_variables()["w"].numpy() == before).any()


def test_micro_steps_are_seen_one_by_one():
    seen = []

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((6, 2))) -> tp.Numpy:
        part = flow.unpack(x, 3)
        flow.watch(part, lambda value: seen.append(value.numpy()))
        return flow.acc(part, 3)

    x = np.arange(12, dtype=np.float32).reshape(6, 2)
    job(x)
    np.testing.assert_array_equal(np.stack(seen), x.reshape(3, 2, 2))


def test_a_training_job_computes_the_same_when_it_is_watched():
    """Results, variables and results without a watch are equal in every bit."""
    plain = define_train()
    expected = [plain(*batch(step)) for step in range(4)]
    variables = {n: v.numpy() for n, v in flow.get_all_variables().items()}
    flow.clear_default_session()
    seen = []

    @flow.global_function(type="train")
    def train_job(
        images: tp.Numpy.Placeholder((4, 6)),
        labels: tp.Numpy.Placeholder((4,), dtype=flow.int32),
    ) -> tp.Numpy:
        loss = loss_of(images, labels)
        flow.watch(loss, lambda value: seen.append(value.numpy()))
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
        flow.optimizer.SGD(rate, momentum=0).minimize(loss)
        return loss

    for step in range(4):
        assert (train_job(*batch(step)) == expected[step]).all()
        assert (seen[step] == expected[step]).all()
    for name, value in flow.get_all_variables().items():
        assert (value.numpy() == variables[name]).all()


# ===- Order ----------------------------------------------------------------===#


def test_get_waits_for_handlers():
    seen, release = [], threading.Event()

    def slow(value):
        release.wait(60)
        seen.append(value.numpy())

    job = define(lambda x, y: flow.watch(x, slow), annotation=None)
    calls = [job(X + step) for step in range(3)]
    assert not seen
    release.set()
    for step, call in enumerate(calls):
        np.testing.assert_array_equal(call.get().numpy(), 2 * (X + step))
        assert len(seen) >= step + 1
    assert [int(value[0, 0]) for value in seen] == [0, 1, 2]


def test_sync_waits_for_handlers():
    seen = []
    job = define(lambda x, y: flow.watch(x, seen.append), annotation=None)
    for step in range(20):
        job(X + step)
    flow.sync_default_session()
    assert [int(value[0, 0]) for value in seen] == list(range(20))


def test_handlers_come_before_the_callback_of_their_step():
    order = []

    def watching(x, y):
        flow.watch(x, lambda value: order.append(("x", int(value[0, 0]))))
        flow.watch(y, lambda value: order.append(("y", int(value[0, 0]))))

    job = define(watching, annotation=tp.Callback[tp.Numpy])
    for step in range(5):
        job(X + step)(lambda y: order.append(("done", int(y[0, 0]))))
    flow.sync_default_session()
    assert order == [
        pair for s in range(5) for pair in (("x", s), ("y", 2 * s), ("done", 2 * s))
    ]


def test_steps_of_several_threads_are_seen_in_their_order():
    """The counter of the job says which step it is."""
    seen = []

    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((1,))):
        w = flow.get_variable("w", (1,), initializer=flow.zeros_initializer())
        flow.watch(w, lambda value: seen.append(float(value[0])))
        rate = flow.optimizer.PiecewiseConstantScheduler([], [1.0])
        flow.optimizer.SGD(rate, momentum=0).minimize(w * x)

    flow.train.CheckPoint().init()

    call_from_threads(lambda: job(-np.ones(1, np.float32)))
    flow.sync_default_session()
    assert seen == list(range(200))


def test_steps_that_a_handler_starts_are_seen_in_their_order():
    """While other threads start steps, too."""
    seen = []

    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((1,))):
        w = flow.get_variable("w", (1,), initializer=flow.zeros_initializer())
        flow.watch(w, handler)
        rate = flow.optimizer.PiecewiseConstantScheduler([], [1.0])
        flow.optimizer.SGD(rate, momentum=0).minimize(w * x)

    def handler(value: tp.Numpy):
        seen.append(float(value[0]))
        if len(seen) % 2 and len(seen) < 200:
            job(-np.ones(1, np.float32))

    flow.train.CheckPoint().init()

    call_from_threads(lambda: job(-np.ones(1, np.float32)))
    flow.sync_default_session()
    assert seen == list(range(len(seen))) and len(seen) >= 300


def test_a_job_that_a_handler_calls():
    seen = []

    @flow.global_function()
    def inner(x: tp.Numpy.Placeholder((2, 3))) -> tp.Numpy:
        flow.watch(x, lambda value: seen.append(value.numpy()))
        return x + 1

    job = define(lambda x, y: flow.watch(x, lambda v: seen.append(inner(v.numpy()))))
    job(X)
    flow.sync_default_session()
    np.testing.assert_array_equal(seen[0], X + 1)
    np.testing.assert_array_equal(seen[1], X)


def test_a_job_without_a_watch_is_not_delivered():
    job = define(lambda x, y: None)
    job(X)
    assert job.__oneflow_job__ is not None
    from jobmlir._src.default_session import get_default_session

    assert not get_default_session().require(job.__oneflow_job__).observers


# ===- Errors ---------------------------------------------------------------===#


def test_an_exception_of_a_handler_is_raised_by_get():
    seen = []

    def fails(value):
        raise LookupError("not there")

    def watching(x, y):
        flow.watch(x, fails)
        flow.watch(y, seen.append)

    job = define(watching)
    with pytest.raises(LookupError, match="not there") as caught:
        job(X)
    notes = "".join(caught.value.__notes__)
    assert "raised in the callback given here" in notes
    assert __file__ in notes and "job job" in notes
    # The others have seen the step, and the next step goes on.
    assert len(seen) == 1
    with pytest.raises(LookupError):
        job(X)
    assert len(seen) == 2


def test_an_exception_without_get_is_raised_by_sync():
    job = define(lambda x, y: flow.watch(x, lambda value: 1 // 0), annotation=None)
    job(X)
    with pytest.raises(ZeroDivisionError):
        flow.sync_default_session()
    flow.sync_default_session()


def test_a_step_that_fails_is_not_seen():
    flow.config.check_numerics(True)
    seen = []

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 3))) -> tp.Numpy:
        flow.watch(x, seen.append)
        return flow.math.log(x)

    with raises_here(flow.errors.NumericsError, "job job"):
        job(X)
    assert not seen
    job(X + 1)
    assert len(seen) == 1


def two(a, b):
    pass


def test_handlers_that_do_not_fit():
    def with_annotation(annotation):
        def handler(value: annotation):
            pass

        return handler

    def check(handler, *parts, cls=NotImplementedError):
        flow.clear_default_session()
        define(lambda x, y: flow.watch(y, handler))
        with raises_here(cls, "job job", *parts):
            flow.dump_ir()

    only = "watch callback should accept only one parameter, but got "
    check(two, only + "a, b")
    check(lambda: None, only + "none")
    check(lambda *, value: None, only + "value")
    check(
        with_annotation(int),
        "invalid watch callback parameter annotation <class 'int'> found: expects "
        "oneflow.typing.Numpy, ListNumpy or ListListNumpy",
    )
    check(with_annotation(typing.List[int]), "invalid watch callback parameter")
    check(with_annotation(tp.Numpy.Placeholder((2,))), "invalid watch callback")
    check(with_annotation("nowhere"), "annotations of handler that can be evaluated")
    check(3, "expects a function of one parameter, a text to print or None to watch")


def test_a_handler_without_a_signature():
    class Handler:
        __signature__ = 3

        def __call__(self, value):
            self.value = value

    handler = Handler()
    define(lambda x, y: flow.watch(x, handler))(X)
    np.testing.assert_array_equal(handler.value.numpy(), X)


def test_strict_annotations():
    flow.experimental.enable_typing_check(True)
    define(lambda x, y: flow.watch(x, lambda value: None))
    with raises_here(
        NotImplementedError, "the parameter of a watch callback is not annotated, which"
    ):
        flow.dump_ir()
    flow.clear_default_session()
    define(lambda x, y: flow.watch(x, "printed without a handler"))
    flow.dump_ir()


def test_what_cannot_be_watched():
    define(lambda x, y: flow.watch(3))
    with raises_here(TypeError, "expects the watched blob to be a blob but got int"):
        flow.dump_ir()
    with raises_here(NotImplementedError, "watch was called outside of a job function"):
        flow.watch(3)


def test_dynamic_micro_steps():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((6, 2))) -> tp.Numpy:
        part = flow.unpack(x, 3)
        flow.watch(flow.argwhere(part))
        return flow.acc(part, 3)

    with raises_here(
        flow.errors.JobBuildAndInferError,
        "expects a blob of micro-steps to have a static shape to watch but got one of",
    ):
        flow.dump_ir()


def test_a_watched_job_is_not_compiled_ahead_of_time(tmp_path):
    compiler = pathlib.Path(flow.__file__).parents[2] / "bin" / "job-compile"
    if not compiler.exists():
        pytest.skip("no job-compile here")
    define(lambda x, y: flow.watch(y))
    module = tmp_path / "job.mlir"
    module.write_text(flow.dump_ir("job", locations=True))
    done = subprocess.run(
        [compiler, module, "-o", tmp_path / "job.so"], capture_output=True, text=True
    )
    assert done.returncode == 1
    assert "expects job @job to have no results for functions of Python" in done.stderr
    assert f"one for watch at {__file__}" in done.stderr
