"""Calls: results in all their forms, order, callbacks, sharing, repetition."""

import collections
import copy
import re
import shutil
import threading
import time
import typing

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from models import batch, define_eval, define_train, define_unary, raises_here

X = np.arange(6, dtype=np.float32).reshape(2, 3)


def numpy_sgd(steps, rate=0.1):
    """Losses of the model of `models` by hand, from the session's weights."""
    names = ("Dense-weight", "Dense-bias", "Dense_1-weight", "Dense_1-bias")
    variables = flow.get_all_variables()
    w0, b0, w1, b1 = (variables[name].numpy().astype(np.float64) for name in names)
    losses = []
    for step in range(steps):
        x, y = batch(step)
        h = x @ w0.T + b0
        r = np.maximum(h, 0)
        z = r @ w1.T + b1
        p = np.exp(z) / np.exp(z).sum(1, keepdims=True)
        rows = np.arange(len(y))
        losses.append(-np.log(p[rows, y]))
        p[rows, y] -= 1
        dz = p / len(y)
        dh = (dz @ w1) * (h > 0)
        w1, b1 = w1 - rate * dz.T @ r, b1 - rate * dz.sum(0)
        w0, b0 = w0 - rate * dh.T @ x, b0 - rate * dh.sum(0)
    return losses, (w0, b0, w1, b1)


def test_training_is_what_it_should_be():
    job = define_train()
    flow.train.CheckPoint().init()
    expected, weights = numpy_sgd(10)
    for step in range(10):
        np.testing.assert_allclose(job(*batch(step)), expected[step], rtol=1e-5)
    for name, weight in zip(("Dense-weight", "Dense-bias"), weights):
        actual = flow.get_all_variables()[name].numpy()
        np.testing.assert_allclose(actual, weight, rtol=1e-4, atol=1e-6)


def test_a_predict_job_sees_what_a_train_job_learned():
    train, evaluate = define_train(), define_eval()
    images, labels = batch()
    before = evaluate(images)
    assert (evaluate(images) == before).all()
    train(images, labels)
    assert (evaluate(images) != before).any()


def losses_of_run(threads):
    flow.clear_default_session()
    flow.config.compute_thread_pool_size(threads)
    rate = flow.optimizer.CosineScheduler(
        0.1, 20, warmup=flow.optimizer.warmup.linear(3, 0.1)
    )
    job = define_train(flow.optimizer.Adam(rate, do_bias_correction=True))
    return np.stack([job(*batch(step)) for step in range(20)])


def test_runs_are_equal_to_the_bit():
    first = losses_of_run(1)
    assert (losses_of_run(1) == first).all()
    assert (losses_of_run(2) == first).all()
    assert first[-1].mean() < first[0].mean()


def test_variables_are_initialized_without_a_checkpoint():
    first = define_train()(*batch())
    flow.clear_default_session()
    job = define_train()
    flow.train.CheckPoint().init()
    assert (job(*batch()) == first).all()


def test_init_starts_again():
    job = define_train()
    first = job(*batch())
    assert (job(*batch()) != first).any()
    flow.train.CheckPoint().init()
    assert (job(*batch()) == first).all()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_config_train_and_minimize_are_the_same():
    images, labels = batch()
    modern = [define_train()(images, labels) for _ in range(1)]
    modern.append(flow.get_all_variables()["Dense-weight"].numpy())
    flow.clear_default_session()
    config = flow.function_config()
    config.train.primary_lr(0.1)
    config.train.model_update_conf({"naive_conf": {}})
    from models import BATCH, INPUTS, loss_of

    @flow.function(config)
    def train_job(
        images=flow.FixedTensorDef((BATCH, INPUTS)),
        labels=flow.FixedTensorDef((BATCH,), dtype=flow.int32),
    ):
        loss = loss_of(images, labels)
        flow.losses.add_loss(loss)
        return loss

    assert (train_job(images, labels).get().numpy() == modern[0]).all()
    assert (flow.get_all_variables()["Dense-weight"].numpy() == modern[1]).all()


# ===- Forms of results ----------------------------------------------------===#


def returning(value, annotation=None):
    """A job that returns what `value` makes of its input."""

    def job(x: tp.Numpy.Placeholder((2, 3))):
        return value(x)

    if annotation is not None:
        job.__annotations__["return"] = annotation
    return flow.global_function()(job)


def test_get_gives_the_nesting_of_the_body():
    job = returning(lambda x: {"a": [x, (x * 2.0,)], 7: x + 1.0})
    result = job(X).get()
    assert (result["a"][0].numpy() == X).all()
    assert isinstance(result["a"][1], tuple)
    assert (result["a"][1][0].numpy() == X * 2).all()
    assert (result[7].numpy() == X + 1).all()


def test_get_of_a_job_that_returns_nothing():
    assert returning(lambda x: None)(X).get() is None


@pytest.mark.parametrize(
    "annotation, value, check",
    [
        (tp.Numpy, lambda x: x * 2.0, lambda r: (r == X * 2).all()),
        (tp.ListNumpy, lambda x: x, lambda r: len(r) == 1 and (r[0] == X).all()),
        (
            typing.Tuple[tp.Numpy, tp.Numpy],
            lambda x: (x, x + 1.0),
            lambda r: isinstance(r, tuple) and (r[1] == X + 1).all(),
        ),
        (
            typing.List[tp.Numpy],
            lambda x: [x, x],
            lambda r: isinstance(r, list) and len(r) == 2,
        ),
        (
            typing.Dict[str, tp.Numpy],
            lambda x: {"y": x},
            lambda r: (r["y"] == X).all(),
        ),
        (
            tuple[tp.Numpy, list[tp.Numpy]],
            lambda x: (x, [x]),
            lambda r: (r[1][0] == X).all(),
        ),
        (
            tp.Bundle[tp.Numpy],
            lambda x: {"a": [x, (x,)]},
            lambda r: (r["a"][1][0] == X).all(),
        ),
        (type(None), lambda x: None, lambda r: r is None),
    ],
)
def test_annotated_results_are_arrays(annotation, value, check):
    assert check(returning(value, annotation)(X))


def test_callback_annotation():
    job = returning(lambda x: (x, x), tp.Callback[typing.Tuple[tp.Numpy, tp.Numpy]])
    got = []
    assert job(X)(got.append) is None
    flow.sync_default_session()
    assert (got[0][0] == X).all()


@pytest.mark.parametrize(
    "annotation, value, shown",
    [
        (tp.Numpy, lambda x: [x], "[a blob]"),
        (typing.Tuple[tp.Numpy, tp.Numpy], lambda x: x, "a blob"),
        (typing.List[tp.Numpy], lambda x: (x,), "(a blob)"),
        (typing.Dict[int, tp.Numpy], lambda x: {"a": x}, "{'a': a blob}"),
        (type(None), lambda x: x, "a blob"),
        (tp.Numpy, lambda x: None, "None"),
    ],
)
def test_results_must_fit_their_annotation(annotation, value, shown):
    job = returning(value, annotation)
    with raises_here(
        AssertionError, "job job", f"{shown} does not matched return annotation"
    ):
        job(X)


def test_results_have_the_length_of_their_annotation():
    job = returning(lambda x: (x,), typing.Tuple[tp.Numpy, tp.Numpy])
    with raises_here(
        AssertionError,
        "job job: (a blob) does not matched return annotation",
        "of global_function job. length compare: 1 v.s. 2",
    ):
        job(X)


def test_annotations_are_shown_as_users_write_them():
    job = returning(lambda x: x, typing.Tuple[tp.Numpy, tp.ListNumpy])
    with raises_here(
        AssertionError, "typing.Tuple[jobmlir.typing.Numpy, jobmlir.typing.ListNumpy]"
    ):
        job(X)
    kind = tp.Numpy.Placeholder((1,))
    assert repr(kind) == "<class 'jobmlir.typing.Numpy.Placeholder'>"


# ===- LocalMirroredTensor -------------------------------------------------===#


def test_local_mirrored_tensor_is_like_its_array():
    tensor = returning(lambda x: x)(X).get()
    assert (tensor.numpy() == X).all() and (tensor.ndarray() == X).all()
    assert len(tensor.numpy_list()) == len(tensor.ndarray_list()) == 1
    assert tensor.parallel_num() == 1 and tensor.numpy(0) is tensor.numpy()
    assert tensor.shape == (2, 3) and tensor.mean() == X.mean()
    assert (np.argmax(tensor, 1) == np.argmax(X, 1)).all()
    assert np.sum(X == tensor) == 6 and (tensor == X).all() and (tensor == tensor).all()
    assert ((1 - tensor) * 2 + tensor == (1 - X) * 2 + X).all()
    assert (np.exp(tensor) == np.exp(X)).all() and (X * tensor == X * X).all()
    assert len(tensor) == 2 and (tensor[1] == X[1]).all()
    assert [row.sum() for row in tensor] == [3, 12]
    assert float(tensor[0, 1]) == 1.0 and f"{tensor.sum():.1f}" == "15.0"
    assert (copy.copy(tensor).numpy() == X).all()
    assert "LocalMirroredTensor" in repr(tensor)
    with pytest.raises(AssertionError, match="expects parallel_id to be None or 0"):
        tensor.numpy(1)


def test_results_are_copies():
    job = define_unary(lambda x: x + 1.0)
    first = job(X)
    kept = first.copy()
    for _ in range(10):
        job(X * 100)
    assert (first == kept).all() and first.flags.owndata


def test_arguments_may_be_reused_and_need_not_be_contiguous():
    job = returning(lambda x: x)
    x = np.zeros((3, 2), np.float32)
    future = job(x.T)
    x[:] = 7
    assert (future.get().numpy() == 0).all()


def test_results_may_be_arguments():
    job = returning(lambda x: x + 1.0)
    assert (job(job(X).get()).get().numpy() == X + 2).all()


def test_nested_arguments():
    @flow.global_function()
    def job(
        pair: typing.Tuple[tp.Numpy.Placeholder((2,)), tp.Numpy.Placeholder((2,))],
        y: tp.Numpy.Placeholder((2,)),
    ) -> tp.Numpy:
        return pair[0] * pair[1] + y

    two = np.full(2, 2, np.float32)
    assert (job((two, two), two) == 6).all()


Pair = collections.namedtuple("Pair", "left right")


def test_a_named_tuple_as_a_default():
    definition = flow.FixedTensorDef((2,))

    @flow.function(flow.function_config())
    def job(pair=Pair(definition, [definition])):
        assert isinstance(pair, Pair)
        return pair.left - pair.right[0]

    x = np.ones(2, np.float32)
    assert (job(Pair(3 * x, [x])).get().numpy() == 2).all()
    with raises_here(TypeError, "expects a Pair for argument pair but got a tuple"):
        job((x, [x]))


def test_string_annotations():
    def job(x: "tp.Numpy.Placeholder((2, 3))") -> "tp.Numpy":
        return x

    assert (flow.global_function()(job)(X) == X).all()


# ===- Asynchronous calls --------------------------------------------------===#


def test_callbacks_come_in_the_order_of_the_calls():
    job = returning(lambda x: x)
    got = []
    for i in range(50):
        job(np.full((2, 3), i, np.float32)).async_get(lambda r: got.append(r[0, 0]))
    flow.sync_default_session()
    assert got == list(range(50))


def test_a_callback_may_call_a_job():
    job = returning(lambda x: x + 1.0)
    done = threading.Event()
    got = []

    def second(result):
        got.append(result[0, 0])
        done.set()

    job(X).async_get(lambda result: job(result).async_get(second))
    assert done.wait(30)
    assert got == [2]


def test_calls_from_several_threads():
    job = define_unary(lambda x: x * 2.0)
    failed = []

    def work(value):
        x = np.full((2, 3), value, np.float32)
        try:
            for _ in range(50):
                assert (job(x) == 2 * value).all()
        except Exception as error:  # Of a thread, pytest only warns.
            failed.append(error)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed


def test_one_delivery_for_a_call():
    future = returning(lambda x: x)(X)
    future.get()
    with raises_here(AssertionError, "job job", "expects one get or async_get"):
        future.get()
    with raises_here(AssertionError, "expects one get or async_get"):
        future.async_get(print)


def test_a_call_has_no_attributes_of_its_results():
    future = returning(lambda x: x)(X)
    with raises_here(
        AttributeError,
        "job job: expects get or async_get of a call but got mean: get() waits",
    ):
        future.mean()
    assert not hasattr(future, "__array_interface__")
    assert future.get().mean() == X.mean()


def test_async_get_takes_a_function():
    with raises_here(TypeError, "job job", "expects a function to call", "but got 3"):
        returning(lambda x: x)(X).async_get(3)


def test_what_a_callback_raises_comes_out_of_the_next_get():
    job = returning(lambda x: x)

    def callback(result):
        raise KeyError("mine")

    job(X).async_get(callback)
    # The callback has a thread of its own, which a busy machine may keep
    # waiting; a get that comes before it has nothing to raise.
    deadline = time.monotonic() + 60
    with pytest.raises(KeyError, match="mine") as caught:
        while time.monotonic() < deadline:
            job(X).get()
    if hasattr(caught.value, "__notes__"):
        (note,) = caught.value.__notes__
        assert __file__ in note and "job job: raised in the callback" in note


def test_what_callbacks_raise_comes_out_of_sync():
    job = returning(lambda x: x)

    def callback(result):
        raise KeyError("mine")

    for _ in range(3):
        job(X).async_get(callback)
    with pytest.raises(KeyError):
        flow.sync_default_session()
    flow.sync_default_session()


def test_sync_before_the_session_starts():
    flow.sync_default_session()


def test_a_returned_variable_has_its_value_from_before_the_step():
    @flow.global_function(type="train")
    def job() -> tp.Numpy:
        w = flow.get_variable("w", (1,), initializer=flow.ones_initializer())
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.5])
        flow.optimizer.SGD(rate, momentum=0).minimize(w)
        return w

    assert [job()[0] for _ in range(3)] == [1.0, 0.5, 0.0]


def test_a_variable_that_is_not_trainable_stays():
    @flow.global_function(type="train")
    def job() -> tp.Numpy:
        one = flow.ones_initializer()
        fixed = flow.get_variable("fixed", (1,), initializer=one, trainable=False)
        free = flow.get_variable("free", (1,), initializer=one)
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.5])
        flow.optimizer.SGD(rate, momentum=0).minimize(fixed * free)
        return fixed + free

    assert [job()[0] for _ in range(2)] == [2.0, 1.5]


def test_debug_mode_writes_the_stages(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    flow.config.enable_debug_mode(True)
    define_unary(lambda x: x + 1.0)(X)
    folder = tmp_path / "log"
    for stage, text in (("job", "job.func"), ("plan", "plan.program")):
        assert text in (folder / f"{stage}.mlir").read_text()


@pytest.mark.parametrize("has_graphviz", [True, False])
def test_debug_mode_writes_a_page_of_links(tmp_path, monkeypatch, has_graphviz):
    if not has_graphviz:
        monkeypatch.setenv("PATH", str(tmp_path))
    elif shutil.which("dot") is None:
        pytest.skip("no Graphviz here")
    flow.env.log_dir(str(tmp_path / "log"))
    flow.config.enable_debug_mode(True)
    define_train()(*batch())
    folder = tmp_path / "log"
    names = re.findall(r'<a href="(.*?)">', (folder / "index.html").read_text())
    assert sorted(names + ["index.html"]) == sorted(p.name for p in folder.iterdir())
    assert "train_job" in (folder / "memory.html").read_text()
    picture = folder / ("train.svg" if has_graphviz else "train.dot")
    assert ("<svg" if has_graphviz else "digraph") in picture.read_text()


def test_compiler_settings_change_no_result():
    expected = define_train()(*batch())
    flow.clear_default_session()
    flow.config.compiler_simplify(False)
    flow.config.compiler_fuse(False)
    np.testing.assert_allclose(define_train()(*batch()), expected, rtol=1e-6)


def test_a_damaged_file_of_the_cache_is_made_anew(tmp_path, monkeypatch):
    monkeypatch.setenv("JOBMLIR_CACHE_DIR", str(tmp_path / "cache"))
    first = define_unary(lambda x: x + 1.0)(X)
    (artifact,) = (tmp_path / "cache").glob("*.so")
    content = artifact.read_bytes()
    flow.clear_default_session()
    replacement = tmp_path / "damaged"
    replacement.write_bytes(content[: len(content) // 2])
    replacement.rename(artifact)
    assert (define_unary(lambda x: x + 1.0)(X) == first).all()


def test_clearing_a_session_waits_for_its_callbacks():
    for _ in range(20):
        flow.clear_default_session()
        job = returning(lambda x: x)
        got = []
        for _ in range(10):
            job(X).async_get(got.append)
        flow.clear_default_session()
        assert len(got) == 10
