"""Reproductions of errors of calls."""

import numpy as np

import jobmlir as flow
import jobmlir.typing as tp
from error_rows import X, define_mirrored, reproduces, trace
from jobmlir._src.default_session import get_default_session
from models import define_eval, define_train, define_unary
from records import write_parts


@reproduces("missing-argument")
def _(tmp_path):
    define_train()(X)


@reproduces("keyword-argument")
def _(tmp_path):
    define_unary(lambda x: x)(x=X, y=X)


@reproduces("list-argument")
def _(tmp_path):
    define_mirrored()(X)


@reproduces("larger-argument")
def _(tmp_path):
    define_mirrored()([np.concatenate([X, X])])


@reproduces("empty-argument")
def _(tmp_path):
    define_mirrored()([X[:0]])


@reproduces("first-call-in-callback")
def _(tmp_path):
    job = define_mirrored()
    job([X])
    with flow.profiler.trace(str(tmp_path / "trace.json")):
        job([X[:1]])


@reproduces("smaller-argument-reader")
def _(tmp_path):
    write_parts(tmp_path, [1])

    def body(x):
        records = flow.data.ofrecord_reader(str(tmp_path))
        ids = flow.data.OFRecordRawDecoder(records, "id", (1,), flow.int32)
        return x + flow.cast(ids, flow.float)

    define_mirrored(body)([X[:1]])


@reproduces("argument-shape")
def _(tmp_path):
    define_unary(lambda x: x)(X[:1])


@reproduces("argument-dtype")
def _(tmp_path):
    define_unary(lambda x: x)(X.astype(np.float64))


@reproduces("argument-type")
def _(tmp_path):
    define_unary(lambda x: x)(X.tolist())


@reproduces("masked-argument")
def _(tmp_path):
    define_unary(lambda x: x)(np.ma.masked_equal(X, 0))


@reproduces("older-job")
def _(tmp_path):
    older = define_unary(lambda x: x)
    define_unary(lambda x: x)
    older(X)


@reproduces("cleared-variable")
def _(tmp_path):
    define_train()
    kept = flow.get_all_variables()
    flow.clear_default_session()
    kept["Dense-weight"].numpy()


@reproduces("job-in-job")
def _(tmp_path):
    inner = define_eval()
    trace(lambda x: inner(x))


def define_lazy():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 3))):
        return x

    return job


@reproduces("no-get")
def _(tmp_path):
    define_lazy()(X).mean()


@reproduces("no-call")
def _(tmp_path):
    define_lazy()
    flow.experimental.get_interface_blob_value("x")


@reproduces("two-gets")
def _(tmp_path):
    future = define_lazy()(X)
    future.get()
    future.get()


@reproduces("callback-exception")
def _(tmp_path):
    define_lazy()(X).async_get(lambda result: {}["missing"])
    flow.sync_default_session()


@reproduces("sync-in-callback")
def _(tmp_path):
    define_lazy()(X).async_get(lambda result: flow.sync_default_session())
    flow.sync_default_session()


@reproduces("not-finite")
def _(tmp_path):
    flow.config.check_numerics(True)
    define_unary(flow.math.log)(X - 1)


@reproduces("fork")
def _(tmp_path):
    define_unary(lambda x: x)(X)
    # What a fork does to its copy, without one: pytest cannot be forked.
    flow.sync_default_session()
    get_default_session().forget_parent()
    flow.train.CheckPoint().init()
