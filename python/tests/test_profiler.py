"""Traces: what they say, and what can be wrong."""

import copy
import inspect
import json
import time

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
import trace_format
from models import (
    BATCH,
    INPUTS,
    batch,
    call_from_threads,
    define_train,
    define_unary,
    loss_of,
    raises_here,
)


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


# ===- The format -------------------------------------------------------------===#


def test_readers_of_the_format_take_the_file(tmp_path):
    """With calls from several threads, callbacks, micro-steps and a step that fails."""
    name = 'quoted "é" \\ name'
    flow.config.check_numerics(True)

    @flow.global_function(type="train")
    def train(
        images: tp.Numpy.Placeholder((BATCH, INPUTS)),
        labels: tp.Numpy.Placeholder((BATCH,), dtype=flow.int32),
    ) -> tp.Callback[tp.Numpy]:
        images, labels = flow.unpack(images, 2), flow.unpack(labels, 2)
        losses = flow.pack(loss_of(images, labels), 2)
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
        flow.optimizer.SGD(rate).minimize(losses)
        return losses

    predict = define_unary(lambda x: flow.math.log(x, name=name), (200, 300))
    ones = np.ones((200, 300), np.float32)
    predict(ones)
    path = tmp_path / "trace.json"
    with flow.profiler.trace(path, steps=60):
        call_from_threads(lambda: predict(ones), times=10)
        for step in range(10):
            train(*batch(step))(lambda losses: time.sleep(1e-4))
        with pytest.raises(flow.errors.NumericsError):
            predict(-ones)
        flow.sync_default_session()
    trace_format.check(path)
    events = json.loads(path.read_text())["traceEvents"]
    categories = {event["cat"] for event in events if event["ph"] == "X"}
    assert {"step", "dispatch", "chunk", "callback", "wait"} <= categories
    assert name in {event["name"] for event in events}


@pytest.mark.parametrize(
    "change, rule",
    [
        (lambda e: e[3].update(ts="1"), "a time is a number"),
        (lambda e: e[3].update(ts=-1), "positive number of ns"),
        (lambda e: e[3].update(dur=0.00001), "positive number of ns"),
        (lambda e: e[3].update(dur=float("nan")), "JSON has no such number"),
        (lambda e: e[3].update(ph="Z"), "has a phase"),
        (lambda e: e[3].pop("dur"), "has the members"),
        (lambda e: e[3].update(tid="1"), "ids are ints"),
        (lambda e: e[3].update(name=""), "it has a name"),
        (lambda e: e[3].update(args=[]), "args is an object"),
        (lambda e: e[3].update(cat=None), "it has a cat"),
        (lambda e: e[1].update(name="thread_nam"), "the name of metadata"),
        (lambda e: e[1].update(args={"name": 3}), "metadata has a value"),
        (lambda e: e.pop(0), "a process has a name"),
        (lambda e: e.insert(0, e[0]), "a process has one name"),
        (lambda e: e.pop(1), "a track has a name"),
        (lambda e: e.insert(2, e[1]), "a track has one name"),
        (lambda e: e[2]["args"].update(name="one"), "names of tracks differ"),
        (lambda e: e[4].update(dur=9.5), "rows of a track do not overlap"),
        (lambda e: e.insert(3, e.pop(4)), "rows of a track do not overlap"),
        (lambda e: e.pop(6), "all that began ends"),
        (lambda e: e.pop(5), "it ends what began"),
        (lambda e: e[6].update(ts=0), "it ends after it began"),
        (lambda e: e.insert(5, e[5]), "an id begins once"),
        (lambda e: e[5].update(id="a"), "an id is an int"),
    ],
)
def test_files_that_break_the_format(change, rule, tmp_path):
    place = {"pid": 1, "tid": 1}
    row = {**place, "ph": "X", "name": "a", "args": {}, "cat": "c"}
    pair = {**place, "name": "q", "args": {}, "cat": "c", "id": 1}
    events = [
        {**place, "ph": "M", "name": "process_name", "args": {"name": "p"}},
        {**place, "ph": "M", "name": "thread_name", "args": {"name": "one"}},
        {"pid": 1, "tid": 2, "ph": "M", "name": "thread_name", "args": {"name": "two"}},
        {**row, "ts": 1, "dur": 9},
        {**row, "ts": 1, "dur": 3.25},
        {**pair, "ph": "b", "ts": 2},
        {**pair, "ph": "e", "ts": 2},
    ]
    path = tmp_path / "trace.json"

    def write(events):
        trace = {"displayTimeUnit": "ns", "traceEvents": events}
        path.write_text(json.dumps(trace))

    write(events)
    trace_format.check(path)
    broken = copy.deepcopy(events)
    change(broken)
    write(broken)
    with pytest.raises(trace_format.TraceFormatError, match=rule):
        trace_format.check(path)
