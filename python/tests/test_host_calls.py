"""Functions of a session that a plan calls."""

import pathlib
import subprocess
import sys

import jobmlir
import numpy as np
import pytest

runtime = pytest.importorskip("jobmlir_runtime")
COMPILER = pathlib.Path(jobmlir.__file__).parents[2] / "bin" / "job-compile"
pytestmark = pytest.mark.skipif(not COMPILER.exists(), reason="no job-compile here")

PLAN = """
#arena = #plan.space<arena>
#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>
plan.program @step kind predict {
  %x = plan.input 0 "x" : memref<4xf32, #inputs>
  %y = plan.output 0 "y" : memref<4xf32, #outputs>
  %a = plan.alloc : memref<4xf32, #arena>
  plan.host_call "square" ins(%x : memref<4xf32, #inputs>) outs(%a : memref<4xf32, #arena>) loc("model.py":7:1)
  plan.host_call "add" ins(%x : memref<4xf32, #inputs>) inouts(%a : memref<4xf32, #arena>) loc("model.py":8:1)
  plan.copy %a to %y : memref<4xf32, #arena> to memref<4xf32, #outputs>
  plan.return
}
"""
X = np.arange(4, dtype=np.float32)


@pytest.fixture
def session(tmp_path):
    text = tmp_path / "plan.mlir"
    text.write_text(PLAN)
    artifact = tmp_path / "plan.so"
    subprocess.run([COMPILER, text, "-o", artifact], check=True)
    return runtime.load(artifact)


def square(x, y):
    y[:] = x * x


def test_functions_are_called_in_order(session):
    kept = []

    def add(x, y):
        kept.append((x, y))
        y += x

    session.register("square", square)
    session.register("add", add)
    np.testing.assert_array_equal(session.run("step", X), X * X + X)
    call = session.submit("step", 2 * X)
    np.testing.assert_array_equal(call.result(), 4 * X * X + 2 * X)
    # What a function gets is its own.
    np.testing.assert_array_equal(kept[0][0], X)


def test_an_error_reaches_the_caller_with_its_line(session):
    def add(x, y):
        raise ValueError("too small")

    session.register("square", square)
    session.register("add", add)
    with pytest.raises(runtime.Error, match="too small") as caught:
        session.run("step", X)
    assert "model.py:8" in str(caught.value)
    assert "job 'step'" in str(caught.value)


def test_an_output_that_stays_unwritten_is_zero(session):
    session.register("add", lambda x, y: None)
    values = []

    def write_once(x, y):
        values.append(y.copy())
        if len(values) == 1:
            y[:] = x

    session.register("square", write_once)
    np.testing.assert_array_equal(session.run("step", X), X)
    np.testing.assert_array_equal(session.run("step", X), np.zeros_like(X))
    np.testing.assert_array_equal(values, np.zeros((2, 4), np.float32))


@pytest.mark.parametrize("size", [1, 64])
def test_an_array_of_another_size_is_an_error(session, size):
    session.register("square", square)
    session.register("add", lambda x, y: y.resize((size,), refcheck=False))
    with pytest.raises(runtime.Error, match="keep the size and layout") as caught:
        session.run("step", X)
    assert "model.py:8" in str(caught.value)


def test_ctrl_c_in_a_function_reaches_the_caller(session):
    session.register("square", square)

    def add(x, y):
        raise KeyboardInterrupt

    session.register("add", add)
    with pytest.raises(KeyboardInterrupt):
        session.run("step", X)
    with pytest.raises(KeyboardInterrupt):
        session.submit("step", X).result()


def test_a_missing_function_is_an_error_of_the_call(session):
    session.register("square", square)
    missing = "expects a function 'add' to be registered"
    with pytest.raises(runtime.Error, match=missing):
        session.run("step", X)
    session.register("add", lambda x, y: None)
    np.testing.assert_array_equal(session.run("step", X), X * X)


def test_registration_errors(session):
    session.register("square", square)
    second = "expects one function 'square' but got a second one"
    with pytest.raises(runtime.Error, match=second):
        session.register("square", square)
    with pytest.raises(TypeError, match="expects a function to register but got 3"):
        session.register("f", 3)
    with pytest.raises(TypeError, match="expects the name of a function to be a str"):
        session.register(1, square)
    empty = "expects a name of the function but got an empty one"
    with pytest.raises(runtime.Error, match=empty):
        session.register("", square)


def test_a_program_ends_with_a_session_that_has_functions(tmp_path, session):
    script = f"""
import jobmlir_runtime
import numpy as np
session = jobmlir_runtime.load({str(session.path)!r})
session.register("square", lambda x, y: None)
session.register("add", lambda x, y: None)
session.submit("step", np.zeros(4, np.float32))
"""
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)
