"""Small jobs that several tests use."""

import contextlib
import inspect
import os
import resource
import signal
import threading

import numpy as np

import jobmlir as flow
import jobmlir.typing as tp

BATCH, INPUTS, CLASSES = 4, 6, 3


def call_from_threads(call, threads=4, times=50):
    """Each thread calls `call` so many times; all have to end."""

    def repeat():
        for _ in range(times):
            call()

    started = [threading.Thread(target=repeat, daemon=True) for _ in range(threads)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join(120)
        assert not thread.is_alive()


def batch(seed=0):
    """Images and labels of one step."""
    rng = np.random.default_rng(seed)
    images = rng.standard_normal((BATCH, INPUTS)).astype(np.float32)
    return images, rng.integers(0, CLASSES, BATCH).astype(np.int32)


def logits_of(images):
    init = flow.truncated_normal(0.1)
    hidden = flow.layers.dense(
        images, 5, activation=flow.nn.relu, kernel_initializer=init
    )
    return flow.layers.dense(hidden, CLASSES, kernel_initializer=init)


def loss_of(images, labels):
    return flow.nn.sparse_softmax_cross_entropy_with_logits(
        labels, logits_of(images), name="softmax_loss"
    )


def define_train(optimizer=None, name="train_job", config=None):
    """A training job that returns its losses."""

    def train_job(
        images: tp.Numpy.Placeholder((BATCH, INPUTS)),
        labels: tp.Numpy.Placeholder((BATCH,), dtype=flow.int32),
    ) -> tp.Numpy:
        loss = loss_of(images, labels)
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
        (optimizer or flow.optimizer.SGD(rate, momentum=0)).minimize(loss)
        return loss

    train_job.__name__ = name
    return flow.global_function(type="train", function_config=config)(train_job)


def define_eval():
    """A prediction job with the same variables."""

    @flow.global_function(type="predict")
    def eval_job(images: tp.Numpy.Placeholder((BATCH, INPUTS))) -> tp.Numpy:
        return logits_of(images)

    return eval_job


def define_unary(body, shape=(2, 3), dtype=flow.float, kind="predict"):
    """A job of one input that returns what `body` makes of it."""

    @flow.global_function(type=kind)
    def job(x: tp.Numpy.Placeholder(shape, dtype=dtype)) -> tp.Numpy:
        return body(x)

    return job


@contextlib.contextmanager
def raises_here(cls, *parts):
    """Expects an error of class `cls` whose text has the file of the caller and
    all of `parts`."""
    file = inspect.stack()[2].filename
    try:
        yield
    except cls as error:
        text = str(error)
        for part in (file, *parts):
            assert part in text, f"expects {part!r} in {text!r}"
    else:
        raise AssertionError(f"expects {cls.__name__} but nothing was raised")


@contextlib.contextmanager
def full_disk(limit=4):
    """No file may grow beyond `limit` bytes, which is what a full disk looks like."""
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limits[1]))
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)


@contextlib.contextmanager
def full_cache(folder, run):
    """The last byte of the artifact that `run()` compiles does not fit into a folder."""
    run()
    (artifact,) = folder.glob("llvmcache-*.so")
    size = artifact.stat().st_size
    artifact.unlink()
    flow.clear_default_session()
    with full_disk(size - 1):
        yield


@contextlib.contextmanager
def unprivileged():
    """Root may read everything, so become somebody else for a while."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)
