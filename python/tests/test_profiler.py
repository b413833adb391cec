"""Traces: what they say, and what can be wrong."""

import inspect
import json
import time

import pytest

import jobmlir as flow
import jobmlir.typing as tp
from models import batch, define_train, define_unary, raises_here


def rows(path):
    """The rows of commands, and what the file says about itself."""
    trace = json.loads(path.read_text())
    events = [event for event in trace["traceEvents"] if event["ph"] == "X"]
    return [e for e in events if "kernel" in e["args"]], trace["otherData"]


def test_a_row_names_the_op_and_its_line(tmp_path):
    line = inspect.currentframe().f_lineno + 4

    @flow.global_function(type="predict")
    def job(x: tp.Numpy.Placeholder((4, 6))) -> tp.Numpy:
        return flow.math.exp(x, name="my_exp")

    path = tmp_path / "trace.json"
    job(batch()[0])
    before = time.monotonic_ns()
    with flow.profiler.trace(path):
        job(batch()[0])
    commands, about = rows(path)
    # When `ts` is 0.
    assert before <= about["monotonic_start_ns"] <= time.monotonic_ns()
    assert about["steps"] == 1 and about["dropped_steps"] == 0
    (row,) = [row for row in commands if row["name"] == "my_exp"]
    args = row["args"]
    assert args["op"] == "my_exp"
    file, row_line, _ = args["line"].rsplit(":", 2)
    assert (file, int(row_line)) == (__file__, line)
    assert args["bytes_read"] == args["bytes_written"] == 4 * 6 * 4
    assert args["flops"] == 4 * 6
    assert args["kernel"].startswith("jobk_")


def test_keeps_the_last_steps_of_training(tmp_path):
    train = define_train()
    path = tmp_path / "trace.json"
    with flow.profiler.trace(str(path), steps=2):
        for step in range(5):
            train(*batch(step))
    commands, about = rows(path)
    assert about["steps"] == 2 and about["dropped_steps"] == 3
    names = {row["name"] for row in commands}
    assert "softmax_loss" in names and "gradient of softmax_loss" in names
    # Forward, input's and weight's gradient of the dense layers.
    products = [r for r in commands if r["args"]["kernel"] == "onednn.matmul"]
    assert {r["args"]["flops"] for r in products} >= {2 * 4 * 6 * 5, 2 * 4 * 5 * 3}
    # The next one begins anew.
    with flow.profiler.trace(path):
        train(*batch(9))
    assert rows(path)[1]["steps"] == 1


def test_the_file_is_written_when_the_block_raises(tmp_path):
    job = define_unary(flow.math.exp)
    path = tmp_path / "trace.json"
    with pytest.raises(KeyError):
        with flow.profiler.trace(path):
            job(batch()[0][:2, :3].copy())
            raise KeyError("mine")
    assert rows(path)[1]["steps"] == 1


def test_what_can_be_wrong(tmp_path):
    define_unary(flow.math.exp)
    lost = tmp_path / "gone" / "trace.json"
    with raises_here(flow.errors.TraceError, f"'{lost}': cannot create: no such file"):
        with flow.profiler.trace(lost):
            pass
    path = tmp_path / "trace.json"
    for wrong in (0, 1_000_001, 2**70):
        with raises_here(
            flow.errors.TraceError,
            f"expects a number of steps to keep from 1 to 1000000 but got {wrong}",
        ):
            with flow.profiler.trace(path, steps=wrong):
                pass
    for wrong in (1.5, True, "2"):
        with raises_here(flow.errors.TraceError, "an integer number of", repr(wrong)):
            with flow.profiler.trace(path, steps=wrong):
                pass
    for wrong in ("", None, 3):
        with raises_here(flow.errors.TraceError, "expects a path to write", repr(wrong)):
            with flow.profiler.trace(wrong):
                pass
    with flow.profiler.trace(path):
        with raises_here(flow.errors.TraceError, f"'{path}': expects no trace to be"):
            with flow.profiler.trace(tmp_path / "other.json"):
                pass
    assert not (tmp_path / "other.json").exists()
    assert path.exists()


def test_clearing_the_session_does_not_lose_the_trace(tmp_path):
    job = define_unary(flow.math.exp)
    path = tmp_path / "trace.json"
    with flow.profiler.trace(path):
        job(batch()[0][:2, :3].copy())
        flow.clear_default_session()
    assert rows(path)[1]["steps"] == 1
