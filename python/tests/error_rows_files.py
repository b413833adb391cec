"""Reproductions of errors of memory, disks and files."""

import os
import shutil
import sys

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from error_rows import reproduces, trace
from models import define_train, define_unary, full_cache, full_disk, unprivileged


@reproduces("no-memory")
def _(tmp_path):
    define_unary(lambda x: x, shape=(1 << 45,))
    flow.train.CheckPoint().init()


@reproduces("memory-budget")
def _(tmp_path):
    flow.config.memory_budget(100)
    trace(flow.math.exp)


@reproduces("unknown-cpu")
def _(tmp_path):
    flow.config.compiler_cpu("pentium99")
    trace(lambda x: x)


@reproduces("threads")
def _(tmp_path):
    flow.config.compute_thread_pool_size(10**6)


@reproduces("cache-folder")
def _(tmp_path):
    (tmp_path / "file").write_text("")
    saved = os.environ["JOBMLIR_CACHE_DIR"]
    os.environ["JOBMLIR_CACHE_DIR"] = str(tmp_path / "file" / "cache")
    try:
        trace(lambda x: x)
    finally:
        os.environ["JOBMLIR_CACHE_DIR"] = saved


@reproduces("cache-policy")
def _(tmp_path):
    os.environ["JOBMLIR_CACHE_POLICY"] = "age=old"
    try:
        trace(lambda x: x * 0.1234)
    finally:
        del os.environ["JOBMLIR_CACHE_POLICY"]


@reproduces("debug-folder")
def _(tmp_path):
    before = os.getcwd()
    os.chdir(tmp_path)
    try:
        (tmp_path / "log").write_text("")
        flow.config.enable_debug_mode(True)
        trace(lambda x: x)
    finally:
        os.chdir(before)


@reproduces("damaged-artifact")
def _(tmp_path):
    from jobmlir import _runtime

    (tmp_path / "a.so").write_bytes(b"x" * 100)
    _runtime.Artifact.load(str(tmp_path / "a.so"))


@reproduces("full-cache")
def _(tmp_path):
    saved = os.environ["JOBMLIR_CACHE_DIR"]
    os.environ["JOBMLIR_CACHE_DIR"] = str(tmp_path)
    try:
        with full_cache(tmp_path, lambda: trace(lambda x: x)):
            trace(lambda x: x)
    finally:
        os.environ["JOBMLIR_CACHE_DIR"] = saved


@reproduces("full-disk")
def _(tmp_path):
    define_train()
    flow.train.CheckPoint().init()
    with full_disk():
        flow.train.CheckPoint().save(str(tmp_path / "model"))


@reproduces("unwritable-folder")
def _(tmp_path):
    define_train()
    (tmp_path / "file").write_text("")
    flow.train.CheckPoint().save(str(tmp_path / "file" / "model"))


@reproduces("checkpoint-exists")
def _(tmp_path):
    define_train()
    (tmp_path / "notes").write_text("")
    flow.train.CheckPoint().save(str(tmp_path))


@reproduces("checkpoint-path")
def _(tmp_path):
    flow.train.CheckPoint().save(3)


@reproduces("checkpoint-here")
def _(tmp_path):
    define_train()
    flow.train.CheckPoint().save(os.curdir)


@reproduces("checkpoint-foreign")
def _(tmp_path):
    define_train()
    (tmp_path / "notes").write_text("")
    flow.train.CheckPoint().save(str(tmp_path), replace=True)


@reproduces("checkpoint-missing")
def _(tmp_path):
    define_train()
    flow.train.CheckPoint().load(str(tmp_path / "model"))


@reproduces("checkpoint-unreadable")
def _(tmp_path):
    define_train()
    path = tmp_path / "model"
    flow.train.CheckPoint().save(path)
    mode = path.stat().st_mode
    path.chmod(0)
    try:
        with unprivileged():
            flow.train.CheckPoint().load(path)
    finally:
        path.chmod(mode)


@reproduces("checkpoint-damaged")
def _(tmp_path):
    define_train()
    path = tmp_path / "model"
    flow.train.CheckPoint().save(str(path), layout="native")
    data = path / "variables.safetensors"
    data.write_bytes(data.read_bytes()[:-1])
    flow.train.CheckPoint().load(str(path))


@reproduces("checkpoint-incomplete")
def _(tmp_path):
    define_train()
    flow.train.CheckPoint().save(tmp_path / "model")
    shutil.rmtree(tmp_path / "model" / "Dense-weight")
    flow.checkpoint.get(tmp_path / "model")


@reproduces("checkpoint-checksum")
def _(tmp_path):
    define_train()
    flow.train.CheckPoint().save(tmp_path / "model")
    (tmp_path / "model" / "Dense-weight" / "out").write_bytes(bytes(120))
    flow.train.CheckPoint().load(tmp_path / "model")


@reproduces("checkpoint-replaced")
def _(tmp_path):
    define_train()
    flow.train.CheckPoint().save(tmp_path / "model")
    value = flow.checkpoint.get(tmp_path / "model")["Dense-weight"]
    flow.train.CheckPoint().save(tmp_path / "model", replace=True)
    value.numpy()


@reproduces("checkpoint-shape")
def _(tmp_path):
    define_train()
    flow.train.CheckPoint().save(tmp_path / "model")
    (tmp_path / "model" / "checksums.json").unlink()
    meta = tmp_path / "model" / "Dense-weight" / "meta"
    meta.write_text("shape { dim: 6 dim: 5 } data_type: kFloat")
    flow.train.CheckPoint().load(tmp_path / "model")


@reproduces("trace-file")
def _(tmp_path):
    define_unary(lambda x: x)
    with flow.profiler.trace(tmp_path / "missing" / "trace.json"):
        pass


def write_idx_files(folder):
    for part in ("train", "t10k"):
        for kind in ("images-idx3", "labels-idx1"):
            (folder / f"{part}-{kind}-ubyte").write_bytes(b"none")


@reproduces("no-writer")
def _(tmp_path):
    flow.summary.flush_summary_writer()


@reproduces("summary-text")
def _(tmp_path):
    flow.summary.create_summary_writer(tmp_path)

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((8,), dtype=flow.int8)):
        flow.summary.pb(x)

    job(np.frombuffer(b"value {{", np.int8)).get()


@reproduces("onnx-op")
def _(tmp_path):
    def watched(x):
        flow.watch(x)
        return x

    flow.onnx.export(define_unary(watched), None, tmp_path / "model.onnx")


@reproduces("onnx-file")
def _(tmp_path):
    job = define_unary(lambda x: x)
    flow.onnx.export(job, None, tmp_path / "missing" / "model.onnx")


@reproduces("data-format")
def _(tmp_path):
    write_idx_files(tmp_path)
    flow.data.load_mnist(out_dir=tmp_path)


@reproduces("no-data")
def _(tmp_path):
    from jobmlir._src import data

    saved, data._FOLDERS = data._FOLDERS, ()
    try:
        flow.data.load_mnist(out_dir=str(tmp_path))
    finally:
        data._FOLDERS = saved


def read(tmp_path, body):
    """Calls a job that makes something of the records of a part."""

    @flow.global_function()
    def job() -> tp.Numpy:
        return body(flow.data.ofrecord_reader(str(tmp_path)))

    job()


def raw(records):
    return flow.data.OFRecordRawDecoder(records, "x", (2,), flow.float)


def images(records):
    image = flow.data.OFRecordImageDecoder(records, "x")
    return flow.image.Resize(image, (2, 2))[0]


def write_record(folder, **features):
    flow.data.write_ofrecord(folder / "part-0", [features])


@reproduces("reader-no-file")
def _(tmp_path):
    read(tmp_path, raw)


@reproduces("reader-damaged")
def _(tmp_path):
    write_record(tmp_path, x=[1.0, 2.0])
    path = tmp_path / "part-0"
    path.write_bytes(path.read_bytes()[:-1])
    read(tmp_path, raw)


@reproduces("reader-feature")
def _(tmp_path):
    write_record(tmp_path, y=[1.0, 2.0])
    read(tmp_path, raw)


@reproduces("reader-size")
def _(tmp_path):
    write_record(tmp_path, x=[1.0])
    read(tmp_path, raw)


@reproduces("image-damaged")
def _(tmp_path):
    write_record(tmp_path, x=b"no image")
    read(tmp_path, images)


@reproduces("no-pillow")
def _(tmp_path):
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "PIL.Image", None)
        read(tmp_path, images)


@reproduces("records-as-blob")
def _(tmp_path):
    read(tmp_path, flow.math.relu)


@reproduces("image-of-job")
def _(tmp_path):
    trace(lambda x: flow.image.Resize(x + 1, (2, 2))[0])
