"""The package jobmlir_runtime, which runs artifacts without the compiler."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from jobmlir._src.default_session import get_default_session

runtime = pytest.importorskip("jobmlir_runtime")


@pytest.fixture
def artifact(tmp_path):
    @flow.global_function(type="train")
    def train(
        x: tp.Numpy.Placeholder((4, 3)), y: tp.Numpy.Placeholder((4,), dtype=flow.int32)
    ):
        logits = flow.layers.dense(x, 5, name="layer")
        loss = flow.nn.sparse_softmax_cross_entropy_with_logits(y, logits)
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.5])
        flow.optimizer.SGD(rate, momentum=0).minimize(loss)
        return {"loss": loss, "more": [logits, (logits,)]}

    @flow.global_function(type="predict")
    def predict(x: tp.Numpy.Placeholder((4, 3))) -> tp.Numpy:
        return flow.layers.dense(x, 5, name="layer")

    get_default_session().start()
    path = tmp_path / "model.so"
    shutil.copy(get_default_session()._artifact.path, path)
    return path


X = np.arange(12, dtype=np.float32).reshape(4, 3) / 10
Y = np.array([0, 1, 2, 3], np.int32)


def test_trains(artifact):
    model = runtime.load(artifact)
    model.init(seed=1)
    first = model.run("train", x=X, y=Y)
    assert set(first) == {"loss", "more"}
    logits, (again,) = first["more"]
    assert isinstance(first["more"], list) and isinstance(first["more"][1], tuple)
    np.testing.assert_array_equal(logits, again)
    for _ in range(10):
        last = model.run("train", X, y=Y)
    assert last["loss"].mean() < first["loss"].mean()
    np.testing.assert_array_equal(model.run("predict", X).shape, (4, 5))


def test_same_bits_as_jobmlir(artifact):
    """Both packages in one process."""
    model = runtime.load(artifact, threads=1)
    session = get_default_session()._runtime
    session.initialize(1)
    session.run("train", [X, Y]).wait()
    model.init(1)
    model.run("train", X, Y)
    for name in model.variables:
        np.testing.assert_array_equal(model.read(name), session.read_variable(name))


def test_describes(artifact):
    model = runtime.load(artifact, threads=2)
    assert model.path == str(artifact) and model.compiler.startswith("jobmlir ")
    assert model.threads == 2
    assert model.jobs["train"]["kind"] == "train"
    assert [port["name"] for port in model.jobs["train"]["inputs"]] == ["x", "y"]
    assert model.variables["layer-bias"]["shape"] == (5,)
    assert model.memory()["total"] > model.memory()["bank"] > 0


def test_calls_in_flight(artifact):
    model = runtime.load(artifact)
    model.init()
    seen = []
    calls = [model.submit("train", X, Y) for _ in range(5)]
    for call in calls:
        call.on_done(lambda done: seen.append(done.result()["loss"].mean()))
    model.synchronize()
    assert len(seen) == 5 and seen[-1] < seen[0]
    assert all(call.done() for call in calls)


def test_variables_and_checkpoints(artifact, tmp_path):
    model = runtime.load(artifact)
    model.init(3)
    bias = model.read("layer-bias")
    model.write({"layer-bias": bias + 1})
    for layout in ("native", "legacy"):
        model.save(tmp_path / layout, layout)
        model.write({"layer-bias": bias})
        model.restore(tmp_path / layout)
        with pytest.raises(runtime.Error) as caught:
            model.save(tmp_path / layout, layout)
        assert caught.value.code == "already exists"
        model.save(tmp_path / layout, layout, replace=True)
        np.testing.assert_array_equal(model.read("layer-bias"), bias + 1)


def test_traces(artifact, tmp_path):
    model = runtime.load(artifact)
    with model.trace(tmp_path / "trace.json", steps=2):
        for _ in range(3):
            model.run("train", X, Y)
    trace = json.loads((tmp_path / "trace.json").read_text())
    assert trace["otherData"]["steps"] == 2


def test_errors(artifact, tmp_path):
    with pytest.raises(runtime.Error, match="gone.so") as caught:
        runtime.load(tmp_path / "gone.so")
    assert caught.value.code == "not found"
    model = runtime.load(artifact)
    with pytest.raises(
        TypeError, match="job 'train' expects inputs x, y but got positional"
    ):
        model.run("train", X)
    for arguments in (
        {"x": X, "z": Y},
        {"x": X, "y": Y, "z": Y},
        {},
    ):
        with pytest.raises(TypeError, match="job 'train' expects inputs x, y but got"):
            model.run("train", **arguments)
    with pytest.raises(TypeError, match="positional, x"):
        model.run("train", X, x=X)
    with pytest.raises(runtime.Error, match="expects a job of .* but got 'gone'"):
        model.run("gone", X)
    with pytest.raises(runtime.Error, match="expects 4x3xf32 but got 4x2xf32"):
        model.submit("train", X[:, :2], Y)
    with pytest.raises(runtime.Error, match="expects a variable of"):
        model.read("gone")
    with pytest.raises(runtime.Error, match="expects a checkpoint folder") as caught:
        model.restore(tmp_path / "gone")
    assert caught.value.code == "not found" and caught.value.location == ""


@pytest.mark.parametrize(
    "use, cls, text",
    [
        (
            lambda m, p: m.run(5, X),
            TypeError,
            "the name of a job to be a str but got 5",
        ),
        (lambda m, p: m.run([], X), TypeError, "of a job to be a str but got []"),
        (
            lambda m, p: m.submit("predict", [[1], [1, 2]]),
            TypeError,
            "expects an array for input x of job 'predict' but got list",
        ),
        (
            lambda m, p: m.run("predict", np.ma.masked_equal(X, 0)),
            TypeError,
            "expects an array without a mask for input x of job 'predict' but got a "
            "masked array",
        ),
        (
            lambda m, p: m.submit("predict", X).on_done(5),
            TypeError,
            "expects a function to call when done but got 5",
        ),
        (lambda m, p: m.init("a"), TypeError, "expects seed to be an int but got 'a'"),
        (lambda m, p: m.init(True), TypeError, "seed to be an int but got True"),
        (
            lambda m, p: m.init(2**64),
            ValueError,
            "expects seed in [-2^63, 2^63) but got 18446744073709551616",
        ),
        (
            lambda m, p: m.read(5),
            TypeError,
            "expects the name of a variable to be a str but got 5",
        ),
        (
            lambda m, p: m.write([1]),
            TypeError,
            "expects a dict of arrays by name but got list",
        ),
        (
            lambda m, p: m.write({1: X}),
            TypeError,
            "of a variable to be a str but got 1",
        ),
        (
            lambda m, p: m.write({"layer-bias": [[1], [1, 2]]}),
            TypeError,
            "expects an array for variable layer-bias but got list",
        ),
        (
            lambda m, p: m.write({"layer-bias": np.ma.zeros(5, np.float32)}),
            TypeError,
            "expects an array without a mask for variable layer-bias but got a masked "
            "array",
        ),
        (lambda m, p: m.save(5), TypeError, "expects a path to save to but got 5"),
        (lambda m, p: m.save("\ud800"), ValueError, "surrogates not allowed"),
        (lambda m, p: m.save("a\0b"), ValueError, "a path without null characters"),
        (
            lambda m, p: m.save("x", layout=1),
            TypeError,
            "expects layout to be a str but got 1",
        ),
        (
            lambda m, p: m.save("x", replace="no"),
            TypeError,
            "expects replace to be a bool but got 'no'",
        ),
        (lambda m, p: m.restore(5), TypeError, "a path to restore from but got 5"),
        (
            lambda m, p: m.trace(5).__enter__(),
            TypeError,
            "expects a path to write the trace to but got 5",
        ),
        (
            lambda m, p: m.trace("x", "a").__enter__(),
            TypeError,
            "expects steps to be an int but got 'a'",
        ),
        (lambda m, p: runtime.load(5), TypeError, "a path to load from but got 5"),
        (
            lambda m, p: runtime.load(p, threads="a"),
            TypeError,
            "expects threads to be an int but got 'a'",
        ),
        (
            lambda m, p: runtime.load(p, credits=2**40),
            ValueError,
            "expects credits in [-2^31, 2^31) but got 1099511627776",
        ),
        (
            lambda m, p: runtime.load(p, driver=5),
            TypeError,
            "expects driver to be a str but got 5",
        ),
    ],
)
def test_arguments_are_checked(use, cls, text, artifact):
    with pytest.raises(cls, match=re.escape(text)):
        use(runtime.load(artifact), artifact)


def test_numbers_of_numpy(artifact):
    model = runtime.load(artifact, threads=np.int64(1))
    model.init(np.int32(3))
    assert model.threads == 1


def run_script(artifact, body):
    """The lines that a script prints, after it has ended well and in time."""
    script = (
        "import os, sys, threading, time\n"
        "import numpy as np, jobmlir_runtime as runtime\n"
        f"path = {str(artifact)!r}\n"
        "X = np.arange(12, dtype=np.float32).reshape(4, 3) / 10\n"
        "Y = np.array([0, 1, 2, 3], np.int32)\n"
        "model = runtime.load(path)\n"
        "model.init()\n"
    )
    done = subprocess.run(
        # Newer Pythons warn of a fork where there are threads.
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", script + body],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines(), done.stderr


def test_the_last_reference_may_go_in_a_callback(artifact):
    out, err = run_script(
        artifact,
        """
ended = threading.Event()
holder = [model]
def end(call):
    holder.clear()
    print(call.result()["loss"].shape, flush=True)
    ended.set()
calls = [model.submit("train", X, Y) for _ in range(3)]
del model
calls[0].on_done(end)
calls[2].on_done(lambda call: print("after", call.done(), flush=True))
assert ended.wait(30)
""",
    )
    assert out == ["(4,)", "after True"] and not err


def test_a_program_ends_after_its_callbacks(artifact):
    out, err = run_script(
        artifact,
        """
def slow(call, index):
    time.sleep(0.02)
    print(index, flush=True)
    if index == 4:
        more = model.submit("train", X, Y)
        more.on_done(lambda call: print("more", flush=True))
        raise KeyError("of a callback")
for index in range(5):
    model.submit("train", X, Y).on_done(lambda call, index=index: slow(call, index))
""",
    )
    assert out == ["0", "1", "2", "3", "4", "more"]
    assert "a callback threw: KeyError: 'of a callback'" in err


def test_a_forked_child_has_no_session(artifact):
    out, err = run_script(
        artifact,
        """
pending = [model.submit("train", X, Y) for _ in range(4)]
pending[-1].on_done(lambda call: time.sleep(0.1))
child = os.fork()
if child == 0:
    for use in (
        lambda: model.submit("train", X, Y).result(),
        lambda: model.run("train", X, Y),
        lambda: model.synchronize(),
        lambda: model.read("layer-bias"),
    ):
        try:
            use()
        except runtime.Error as error:
            print(error.code, error, flush=True)
    own = runtime.load(path)
    own.init()
    call = own.submit("train", X, Y)
    call.on_done(lambda call: os.write(1, "called\\n".encode()))
    # One write each: two threads write at the same time.
    os.write(1, f"{call.result()['loss'].shape}\\n".encode())
    sys.exit(3)  # the way that runs what is to run at the end
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
""",
    )
    assert len(out) == 7 and out[6] == "3" and not err
    for line in out[:4]:
        assert line == (
            "invalid argument expects to be in the process that made the session but "
            "got a fork of it: make a session in each process"
        )
    assert sorted(out[4:6]) == ["(4,)", "called"]


def test_cancelled(artifact):
    model = runtime.load(artifact)
    model.init()
    bias = model.read("layer-bias")
    calls = [model.submit("train", X, Y) for _ in range(3)]
    model.cancel()
    for call in calls:
        # How many had begun is left open.
        try:
            call.result()
        except runtime.Error as error:
            assert error.code == "cancelled"
    model.synchronize()
    for step in (model.run, model.submit):
        with pytest.raises(
            runtime.Error, match="the session was cancelled before this step ran"
        ) as caught:
            step("train", X, Y)
        assert caught.value.code == "cancelled"
    assert model.read("layer-bias").shape == bias.shape


def test_needs_numpy_only(artifact):
    """Neither the compiler nor jobmlir is imported."""
    script = (
        "import sys, jobmlir_runtime\n"
        f"model = jobmlir_runtime.load({str(artifact)!r})\n"
        "model.init()\n"
        "others = [name for name in sys.modules if name.split('.')[0] == 'jobmlir']\n"
        "assert not others, others\n"
    )
    folder = pathlib.Path(runtime.__file__).parent.parent
    subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": str(folder)},
        check=True,
    )
