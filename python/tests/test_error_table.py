"""docs/errors.md is true: each of its rows is raised by a reproduction below,
with the classes, places and message that it says, and names a test that is
there."""

import os
import pathlib
import re
import resource
import signal
import subprocess
import sys

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from models import define_eval, define_train, define_unary

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("JOBMLIR_BUILD_DIR", ROOT / "build"))
SIMULATOR = BUILD / "lib" / "libjobsim_cuda.so"
COLUMNS = ("row", "situation", "raised", "names", "message", "what to do", "test")
X = np.zeros((2, 3), np.float32)


def parse_table():
    """The rows of all tables, by name."""
    rows = {}
    for line in (ROOT / "docs" / "errors.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|") or cells[0] in ("row", "---"):
            continue
        assert len(cells) == len(COLUMNS), line
        row = dict(zip(COLUMNS, cells))
        assert row["row"] not in rows, f"two rows {row['row']}"
        rows[row["row"]] = row
    return rows


ROWS = parse_table()
REPRODUCTIONS = {}


def reproduces(name):
    def decorator(function):
        assert name not in REPRODUCTIONS, name
        REPRODUCTIONS[name] = function
        return function

    return decorator


def sgd(**arguments):
    rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
    return flow.optimizer.SGD(rate, **arguments)


def trace_train(body):
    """Traces and compiles a training job of the input that `body` gets."""

    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((2, 3))):
        w = flow.get_variable("w", (3,), initializer=flow.ones_initializer())
        body(x * w)

    job(X)


def trace(body):
    """Traces, compiles and calls a prediction job."""

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 3))) -> tp.Numpy:
        return body(x)

    job(X)


# ===- Defining jobs -------------------------------------------------------===#


@reproduces("late-job")
def _(tmp_path):
    define_unary(lambda x: x)(X)

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 3))):
        return x


@reproduces("mixed-annotations")
def _(tmp_path):
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2,)), y=flow.FixedTensorDef((2,))):
        return x


@reproduces("no-annotation")
def _(tmp_path):
    @flow.global_function()
    def job(x):
        return x


@reproduces("variadic")
def _(tmp_path):
    @flow.global_function()
    def job(*xs):
        return xs


@reproduces("watch-handler")
def _(tmp_path):
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 3))):
        flow.watch(x, lambda value, step: None)

    flow.dump_ir()


@reproduces("placeholder-dtype")
def _(tmp_path):
    tp.Numpy.Placeholder((2,), dtype=flow.char)


@reproduces("too-many-elements")
def _(tmp_path):
    tp.Numpy.Placeholder((2**40, 2**40))


@reproduces("reserved-job")
def _(tmp_path):
    @flow.global_function()
    def jobmlir_init(x: tp.Numpy.Placeholder((2,))):
        return x


@reproduces("bad-type")
def _(tmp_path):
    flow.global_function("test")


@reproduces("unknown-setting")
def _(tmp_path):
    flow.function_config().default_data_typ(flow.float)


@reproduces("setting-type")
def _(tmp_path):
    flow.function_config().enable_inplace(3)


@reproduces("seed")
def _(tmp_path):
    flow.config.random_seed(2**63)


@reproduces("unknown-packing")
def _(tmp_path):
    flow.config.compiler_packing("tight")


@reproduces("assigned-setting")
def _(tmp_path):
    flow.function_config().enable_cudnn = True


@reproduces("container-annotation")
def _(tmp_path):
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2,))) -> (tp.Numpy, tp.Numpy):
        return x, x


@reproduces("typing-check")
def _(tmp_path):
    flow.experimental.enable_typing_check(True)

    @flow.global_function()
    def job(x=flow.FixedTensorDef((2,))):
        return x


@reproduces("machines")
def _(tmp_path):
    flow.env.machine({"addr": "a"}, {"addr": "b"})


@reproduces("strategy")
def _(tmp_path):
    flow.inter_job_reuse_mem_strategy("fast")


@reproduces("module-twice")
def _(tmp_path):
    def body(x):
        flow.find_or_create_module("m", flow.nn.Module)
        flow.find_or_create_module("m", flow.nn.Module)
        return x

    trace(body)


@reproduces("distribution")
def _(tmp_path):
    trace(lambda x: x.with_distribute("split"))


@reproduces("late-switch")
def _(tmp_path):
    define_unary(lambda x: x)
    flow.experimental.enable_typing_check(True)


@reproduces("list-view")
def _(tmp_path):
    @flow.global_function()
    def job(x: tp.ListNumpy.Placeholder((2,))) -> tp.ListNumpy:
        return x

    job([X])


@reproduces("several-devices")
def _(tmp_path):
    def body(x):
        with flow.scope.placement("cpu", "0:0-1"):
            return x + x

    define_mirrored(body)([X])


@reproduces("bad-annotation")
def _(tmp_path):
    @flow.global_function()
    def job(x: "a b"):
        return x


@reproduces("missing-name")
def _(tmp_path):
    from jobmlir._src import names

    later = names.Name("1.11", "Arithmetic", "math.later", "", "")
    names.reference()["math.later"] = later
    try:
        flow.math.later
    finally:
        del names.reference()["math.later"]


@reproduces("unknown-name")
def _(tmp_path):
    flow.math.multipy


@reproduces("refused-name")
def _(tmp_path):
    flow.data.coco_reader()


@reproduces("no-job")
def _(tmp_path):
    flow.train.CheckPoint().init()


# ===- Bodies of jobs ------------------------------------------------------===#


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


# ===- Calls ---------------------------------------------------------------===#


@reproduces("missing-argument")
def _(tmp_path):
    define_train()(X)


@reproduces("keyword-argument")
def _(tmp_path):
    define_unary(lambda x: x)(x=X, y=X)


def define_mirrored(body=lambda x: x):
    config = flow.function_config()
    config.default_logical_view(flow.scope.mirrored_view())

    @flow.global_function(function_config=config)
    def job(x: tp.ListNumpy.Placeholder((2, 3))) -> tp.ListNumpy:
        return body(x)

    return job


@reproduces("list-argument")
def _(tmp_path):
    define_mirrored()(X)


@reproduces("smaller-argument")
def _(tmp_path):
    define_mirrored()([X[:1]])


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
    sys.modules["jobmlir._src.session"].get_default_session().forget_parent()
    flow.train.CheckPoint().init()


# ===- Memory, disks and files ---------------------------------------------===#


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


@reproduces("full-disk")
def _(tmp_path):
    define_train()
    flow.train.CheckPoint().init()
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4, limits[1]))
        flow.train.CheckPoint().save(str(tmp_path / "model"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)


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


@reproduces("checkpoint-damaged")
def _(tmp_path):
    define_train()
    path = tmp_path / "model"
    flow.train.CheckPoint().save(str(path), layout="native")
    data = path / "variables.safetensors"
    data.write_bytes(data.read_bytes()[:-1])
    flow.train.CheckPoint().load(str(path))


@reproduces("checkpoint-shape")
def _(tmp_path):
    define_train()
    flow.train.CheckPoint().save(tmp_path / "model")
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


# ===- The table -----------------------------------------------------------===#


def find_class(name):
    import builtins

    from jobmlir import _runtime

    for place in (flow.errors, builtins, _runtime, subprocess):
        if hasattr(place, name):
            return getattr(place, name)
    raise AssertionError(f"there is no class {name}")


def message_pattern(row):
    parts = re.split(r"\{[^}= ]*\}", row["message"])
    pattern = ".+".join(map(re.escape, parts))
    names = [name.strip() for name in row["names"].split(",")]
    if "op" in names:
        pattern = r"op \S+: " + pattern
    if "job" in names:
        pattern = r"job \w+" + (", " if "op" in names else ": ") + pattern
    if "line" in names:
        pattern = re.escape(__file__) + r":\d+: " + pattern
    return pattern


def test_rows_and_reproductions_are_the_same():
    assert list(ROWS) == list(REPRODUCTIONS)


@pytest.mark.parametrize("name", ROWS)
def test_every_row_is_raised(name, tmp_path):
    row = ROWS[name]
    classes = re.findall(r"`(\w+)`", row["raised"])
    assert classes
    with pytest.raises(Exception) as caught:
        REPRODUCTIONS[name](tmp_path)
    for cls in classes:
        assert isinstance(caught.value, find_class(cls)), type(caught.value)
    text = str(caught.value)
    assert re.search(message_pattern(row), text, re.DOTALL), (row["message"], text)


@pytest.mark.parametrize("name", ROWS)
def test_every_row_names_a_test(name):
    test = ROWS[name]["test"].strip("`")
    if "::" in test:
        file, function = test.split("::")
        text = (ROOT / "python" / "tests" / file).read_text()
        assert re.search(rf"^def {function}\(", text, re.MULTILINE), test
    elif ": " in test:
        file, case = test.split(": ")
        suite, _, case = case.partition(".")
        text = (ROOT / file).read_text()
        assert re.search(rf"TEST(_F)?\({suite}, {case}\)", text), test
    else:
        assert (ROOT / test).exists(), test
