"""data.ofrecord_reader and raw decoders: values, order, the thread, and errors."""

import contextlib
import json
import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
import trace_format
from jobmlir._src import feeds
from jobmlir._src.host_graph import Node
from models import call_from_threads
from records import decode, define_ids, ids, write_parts


def readers():
    return [t for t in threading.enumerate() if t.name.startswith("reader of")]


# ===- Order -----------------------------------------------------------------===#


def test_parts_follow_in_order_and_begin_again(tmp_path):
    write_parts(tmp_path, [3, 0, 2])
    job = define_ids(tmp_path, batch_size=4, data_part_num=3)
    assert ids(job, 3) == [[0, 1, 2, 3], [4, 0, 1, 2], [3, 4, 0, 1]]


def test_names_of_parts(tmp_path):
    write_parts(tmp_path, [2, 2], digits=5)
    job = define_ids(tmp_path, batch_size=2, data_part_num=2, part_name_suffix_length=5)
    assert ids(job, 2) == [[0, 1], [2, 3]]
    flow.clear_default_session()
    os.rename(tmp_path / "part-00000", tmp_path / "data.0")
    job = define_ids(tmp_path, part_name_prefix="data.")
    assert ids(job, 3) == [[0], [1], [0]]


def shuffled(folder, seed, steps, name="job", **settings):
    flow.clear_default_session()
    flow.config.random_seed(seed)
    return ids(define_ids(folder, name, **settings), steps)


def test_a_shuffled_order_depends_on_the_seed_only(tmp_path):
    write_parts(tmp_path, [30, 30])
    settings = dict(
        batch_size=5, data_part_num=2, random_shuffle=True, shuffle_buffer_size=8
    )
    first = shuffled(tmp_path, 1, 10, **settings)
    assert shuffled(tmp_path, 1, 10, **settings) == first
    assert shuffled(tmp_path, 2, 10, **settings) != first
    assert shuffled(tmp_path, 1, 10, "other", **settings) != first
    flat = sum(first, [])
    # The file is not at its end: each record has come at most once, and no earlier
    # than the buffer allows.
    assert len(set(flat)) == 50 and flat != sorted(flat)
    assert all(record <= place + 8 for place, record in enumerate(flat))
    # One of the buffer is replaced by the next, so what is left are the last ones.
    assert set(range(58)) >= set(flat)


def test_a_buffer_of_one_keeps_the_order(tmp_path):
    write_parts(tmp_path, [5])
    job = define_ids(tmp_path, batch_size=5, random_shuffle=True, shuffle_buffer_size=1)
    assert ids(job, 2) == [[0, 1, 2, 3, 4]] * 2


def test_a_buffer_that_is_larger_than_the_data_set(tmp_path):
    """It holds each record once, and takes no memory for more."""
    write_parts(tmp_path, [5, 3])
    given = {"batch_size": 4, "data_part_num": 2, "random_shuffle": True}
    seen = []
    for size in (8, 2**40):
        flow.clear_default_session()
        seen.append(ids(define_ids(tmp_path, shuffle_buffer_size=size, **given), 20))
    assert seen[0] == seen[1]
    assert {i for batch in seen[0] for i in batch} == set(range(8))


def test_files_are_shuffled_after_the_first_epoch(tmp_path):
    write_parts(tmp_path, [2] * 6)
    settings = dict(batch_size=12, data_part_num=6, shuffle_after_epoch=True)
    epochs = shuffled(tmp_path, 1, 4, **settings)
    assert epochs[0] == list(range(12))
    for epoch in epochs:
        pairs = [tuple(epoch[i : i + 2]) for i in range(0, 12, 2)]
        assert sorted(pairs) == [(i, i + 1) for i in range(0, 12, 2)]
    assert len(set(map(tuple, epochs))) == 4
    assert shuffled(tmp_path, 1, 4, **settings) == epochs


@pytest.mark.parametrize("shuffle", [False, True])
def test_seek_gives_the_batches_of_an_uninterrupted_run(tmp_path, shuffle):
    write_parts(tmp_path, [7, 4])
    settings = dict(
        batch_size=3,
        data_part_num=2,
        random_shuffle=shuffle,
        shuffle_buffer_size=4,
        shuffle_after_epoch=shuffle,
    )
    whole = shuffled(tmp_path, 3, 8, **settings)
    flow.clear_default_session()
    flow.config.random_seed(3)
    job = define_ids(tmp_path, **settings)
    flow.data.seek(job, 5)
    assert ids(job, 3) == whole[5:]
    flow.data.seek(job, 0)
    assert ids(job, 2) == whole[:2]


# ===- Values ----------------------------------------------------------------===#


DTYPES = (
    flow.float32,
    flow.float64,
    flow.float16,
    flow.int8,
    flow.uint8,
    flow.int32,
    flow.int64,
    flow.bfloat16,
)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int32, np.int64])
def test_numbers_of_every_type(tmp_path, kind, dtype):
    values = [np.arange(6).astype(kind), np.arange(6, 12).astype(kind)]
    result = decode(tmp_path, values, (2, 3), dtype)
    assert result.dtype == dtype.numpy and result.shape == (2, 2, 3)
    np.testing.assert_array_equal(
        result, np.stack(values).reshape(2, 2, 3).astype(dtype.numpy)
    )


@pytest.mark.parametrize("dtype", [flow.uint8, flow.int8, flow.float, flow.int32])
def test_bytes_are_signed_numbers(tmp_path, dtype):
    result = decode(tmp_path, [bytes([0, 1, 127, 128, 255])], (5,), dtype)
    signed = np.array([[0, 1, 127, -128, -1]], np.int8)
    np.testing.assert_array_equal(result, signed.astype(dtype.numpy))
    if dtype is flow.uint8:
        np.testing.assert_array_equal(result, [[0, 1, 127, 128, 255]])


@pytest.mark.parametrize("setting", ["dim1_varying_length", "auto_zero_padding"])
def test_zeros_fill_short_records(tmp_path, setting):
    values = [np.float32([1, 2]), np.float32([3, 4, 5]), np.float32([])]
    result = decode(tmp_path, values, (3,), flow.float, **{setting: True})
    np.testing.assert_array_equal(result, [[1, 2, 0], [3, 4, 5], [0, 0, 0]])


def test_two_readers_and_an_argument_in_one_job(tmp_path):
    write_parts(tmp_path, [4])

    @flow.global_function()
    def job(scale: tp.Numpy.Placeholder((1,))) -> tp.Numpy:
        first = flow.data.ofrecord_reader(str(tmp_path), batch_size=2)
        second = flow.data.ofrecord_reader(str(tmp_path), batch_size=3)
        a = flow.data.OFRecordRawDecoder(first, "x", (2,), flow.float)
        b = flow.data.OFRecordRawDecoder(second, "id", (), flow.float)
        return flow.concat([flow.reshape(a, (4,)) * scale, b], axis=0)

    np.testing.assert_array_equal(job(np.float32([2])), [0, 0, 2, -2, 0, 1, 2])
    np.testing.assert_array_equal(job(np.float32([3])), [6, -6, 9, -9, 3, 0, 1])


def test_an_argument_with_the_name_of_a_reader(tmp_path):
    write_parts(tmp_path, [4])

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2,))) -> tp.Numpy:
        records = flow.data.ofrecord_reader(str(tmp_path), batch_size=2)
        return flow.data.OFRecordRawDecoder(records, "id", (), flow.float, name="x") + x

    np.testing.assert_array_equal(job(np.float32([10, 20])), [10, 21])


def test_jobs_have_readers_of_their_own(tmp_path):
    write_parts(tmp_path, [4])
    first = define_ids(tmp_path, "first", batch_size=2)
    second = define_ids(tmp_path, "second", batch_size=3)
    assert ids(first, 1) == [[0, 1]]
    assert ids(second, 2) == [[0, 1, 2], [3, 0, 1]]
    assert ids(first, 1) == [[2, 3]]
    assert len(readers()) == 2


def test_calls_in_flight(tmp_path):
    write_parts(tmp_path, [6])

    @flow.global_function()
    def job():
        records = flow.data.ofrecord_reader(str(tmp_path), batch_size=2)
        return flow.data.OFRecordRawDecoder(records, "id", (), flow.int32)

    calls = [job() for _ in range(6)]
    assert [list(call.get().numpy()) for call in calls] == [[0, 1], [2, 3], [4, 5]] * 2


def test_a_training_job_reads(tmp_path):
    rng = np.random.default_rng(0)
    inputs = rng.standard_normal((8, 3)).astype(np.float32)
    flow.data.write_ofrecord(tmp_path / "part-0", [{"x": row} for row in inputs])

    @flow.global_function(type="train")
    def job() -> tp.Numpy:
        records = flow.data.ofrecord_reader(str(tmp_path), batch_size=4)
        x = flow.data.OFRecordRawDecoder(records, "x", (3,), flow.float)
        w = flow.get_variable("w", (3, 1), initializer=flow.ones_initializer())
        loss = flow.matmul(x, w)
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
        flow.optimizer.SGD(rate, momentum=0).minimize(loss)
        return loss

    weights = np.ones((3, 1))
    for step in range(4):
        batch = inputs[4 * (step % 2) :][:4]
        np.testing.assert_allclose(job(), batch @ weights, rtol=1e-5, atol=1e-6)
        weights -= 0.1 * batch.mean(0)[:, None]
    assert flow.train.step_count(job) == 4


def test_a_reader_of_micro_steps(tmp_path):
    write_parts(tmp_path, [6])

    @flow.global_function()
    def job() -> tp.Numpy:
        records = flow.data.ofrecord_reader(str(tmp_path), batch_size=6)
        x = flow.data.OFRecordRawDecoder(records, "x", (2,), flow.float)
        return flow.acc(flow.unpack(x, 3), 3)

    x = np.stack([np.arange(6), -np.arange(6)], -1)
    np.testing.assert_array_equal(job(), x.reshape(3, 2, 2).sum(0))


def test_only_what_the_job_uses_is_an_input(tmp_path):
    write_parts(tmp_path, [2])

    @flow.global_function()
    def job() -> tp.Numpy:
        records = flow.data.ofrecord_reader(str(tmp_path))
        flow.data.OFRecordRawDecoder(records, "not there", (), flow.float)
        return flow.data.OFRecordRawDecoder(records, "id", (), flow.float)

    np.testing.assert_array_equal(job(), [0])
    assert flow.dump_ir().count("%arg") == flow.dump_ir().count("%arg0")


# ===- The thread -------------------------------------------------------------===#


class _Op:
    """What a Node needs of an op."""

    class trace:
        name = "job"

    name = "op"
    frames = [("script.py", 3, 1)]


class _Runtime:
    """Steps whose future is what they got."""

    def try_submit(self, job, arrays, on_done):
        return arrays

    def wait_for_credit(self):
        pass


def make_feed(compute, seed=1):
    node = Node(_Op, (), compute)
    return feeds.Feed("job", [feeds.Source(node, (1,), flow.int32)], seed)


def take(feed):
    return feed.submit(_Runtime(), [])


def test_the_thread_is_a_bounded_number_of_batches_ahead():
    computed, ahead, taken = [], [], 0

    def compute(batch):
        ahead.append(batch.index - taken)
        computed.append(batch.index)
        return np.int32([batch.index])

    feed = make_feed(compute)
    for step in range(20):
        assert take(feed)[0] == [step]
        taken = step + 1
    feed.close()
    assert computed == list(range(len(computed)))
    assert max(ahead) <= feeds._DEPTH + 1
    assert not readers()


def test_an_exception_in_the_thread_reaches_each_call():
    def compute(batch):
        if batch.index == 2:
            raise MemoryError("no more")
        return np.int32([batch.index])

    feed = make_feed(compute)
    assert [take(feed)[0][0] for _ in range(2)] == [0, 1]
    for _ in range(2):
        with pytest.raises(
            flow.errors.JobRuntimeError,
            match="no exception in the reader of job job but got MemoryError: no more",
        ):
            take(feed)
    feed.close()


def test_a_call_that_waits_ends_with_the_session():
    computing, go_on = threading.Event(), threading.Event()

    def compute(batch):
        computing.set()
        go_on.wait()
        return np.int32([0])

    feed = make_feed(compute)
    caught = []

    def call():
        try:
            take(feed)
        except flow.errors.SessionStateError as error:
            caught.append(str(error))

    waiting = threading.Thread(target=call)
    waiting.start()
    computing.wait()
    closing = threading.Thread(target=feed.close)
    closing.start()
    waiting.join()
    go_on.set()
    closing.join()
    assert "but got one that clear_default_session has cleared" in caught[0]
    assert not readers()


def test_a_step_that_does_not_start_leaves_its_batch():
    """The arguments do not fit, all credits are taken, or a node fails."""
    waits = []

    class Refusing(_Runtime):
        def try_submit(self, job, arrays, on_done):
            if len(waits) < 3:
                return None
            raise ValueError("does not fit")

        def wait_for_credit(self):
            waits.append(True)

    feed = make_feed(lambda batch: np.int32([batch.index]))
    assert take(feed)[0] == [0]
    with pytest.raises(ValueError):
        feed.submit(Refusing(), [])
    assert len(waits) == 3
    assert take(feed)[0] == [1]
    feed.seek(7)
    assert take(feed)[0] == [7]
    feed.close()


def test_steps_begin_in_the_order_of_their_batches():
    """Two threads call, and the first is slow to start its step."""
    started = []

    class Slow(_Runtime):
        def try_submit(self, job, arrays, on_done):
            if threading.current_thread() is threads[0] and not threads[1].is_alive():
                threads[1].start()
                threads[1].join(0.2)  # it would overtake in this time
            started.append(int(arrays[0][0]))
            return arrays

    feed = make_feed(lambda batch: np.int32([batch.index]))
    threads = [threading.Thread(target=feed.submit, args=(Slow(), [])) for _ in "01"]
    threads[0].start()
    threads[0].join()
    threads[1].join()
    feed.close()
    assert started == [0, 1]


def test_a_call_that_waits_for_a_batch_blocks_no_other_job(tmp_path):
    """Nor the end of the session."""
    write_parts(tmp_path, [4])
    reader = define_ids(tmp_path)

    @flow.global_function()
    def other(x: tp.Numpy.Placeholder((1,))) -> tp.Numpy:
        return x + 1

    reader()
    flow.data.seek(reader, 2**60)
    caught = []

    def call():
        try:
            reader()
        except flow.errors.SessionStateError as error:
            caught.append(error)

    threads = [threading.Thread(target=call) for _ in range(6)]
    for thread in threads:
        thread.start()
    for step in range(10):
        assert other(np.float32([step])) == [step + 1]
    flow.clear_default_session()
    for thread in threads:
        thread.join(60)
    assert len(caught) == 6


def test_batches_and_steps_of_several_threads(tmp_path):
    """A handler calls its own job while others wait for a credit."""
    write_parts(tmp_path, [400])
    seen = []

    @flow.global_function()
    def job() -> tp.Numpy:
        records = flow.data.ofrecord_reader(str(tmp_path), name="reader")
        value = flow.data.OFRecordRawDecoder(records, "id", (), flow.int32)

        def handler(value: tp.Numpy):
            seen.append(int(value[0]))
            if len(seen) % 10 == 0 and len(seen) <= 100:
                job()

        flow.watch(value, handler)
        return value

    call_from_threads(job)
    flow.sync_default_session()
    assert seen == list(range(210))


def test_a_reader_makes_its_workers_once(monkeypatch):
    """Two threads need them at the same time."""
    import concurrent.futures

    made, both = [], threading.Barrier(2)
    executor = concurrent.futures.ThreadPoolExecutor

    def make(count):
        made.append(count)
        with contextlib.suppress(threading.BrokenBarrierError):
            both.wait(0.2)
        return executor(count)

    monkeypatch.setattr(concurrent.futures, "ThreadPoolExecutor", make)
    monkeypatch.setattr(feeds, "cores", lambda: 2)
    feed = make_feed(lambda batch: np.int32([batch.index]))
    take(feed)
    reader, got = feed._reader, []
    threads = [
        threading.Thread(target=lambda: got.append(list(reader.map(abs, [-1, -2]))))
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    feed.close()
    assert got == [[1, 2], [1, 2]] and made == [2]


def test_clearing_the_session_ends_the_threads(tmp_path):
    write_parts(tmp_path, [4])
    job = define_ids(tmp_path)
    job()
    assert [thread.name for thread in readers()] == ["reader of job"]
    flow.clear_default_session()
    assert not readers()


SCRIPT = """
import os, sys
import jobmlir as flow
import jobmlir.typing as tp

@flow.global_function()
def job() -> tp.Numpy:
    records = flow.data.ofrecord_reader(sys.argv[1])
    return flow.data.OFRecordRawDecoder(records, "id", (), flow.int32)

print(job(), flush=True)
if sys.argv[2] == "fork":
    child = os.fork()
    if child == 0:
        flow.clear_default_session()
        sys.exit(7)
    print(os.WEXITSTATUS(os.waitpid(child, 0)[1]))
print(job(), flush=True)
"""


def test_a_far_seek_ends_with_the_session(tmp_path):
    """The thread passes over more records than it can read."""
    write_parts(tmp_path, [4])
    job = define_ids(tmp_path)
    job()
    flow.data.seek(job, 2**60)
    caught = []

    def call():
        with pytest.raises(flow.errors.SessionStateError):
            job()
        caught.append(True)

    caller = threading.Thread(target=call)
    caller.start()
    while not readers():
        pass
    flow.clear_default_session()
    caller.join(60)
    assert caught and not readers()


@pytest.mark.parametrize("how", ["exit", "fork"])
def test_a_process_with_readers_ends(tmp_path, how):
    write_parts(tmp_path, [4])
    (tmp_path / "script.py").write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, tmp_path / "script.py", tmp_path, how],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["[0]", *(["7"] if how == "fork" else []), "[1]"]


def test_the_trace_has_a_row_for_each_batch(tmp_path):
    write_parts(tmp_path, [4])
    job = define_ids(tmp_path)
    job()
    path = tmp_path / "trace.json"
    with flow.profiler.trace(str(path)):
        for _ in range(8):
            job()
    trace_format.check(path)
    trace = json.loads(path.read_text())
    assert sorted(os.listdir(tmp_path)) == ["part-0", "trace.json"]
    events = trace["traceEvents"]
    tracks = {
        e["args"]["name"]: e["tid"]
        for e in events
        if e["ph"] == "M" and e["name"] == "thread_name"
    }
    rows = {
        name: [e for e in events if e["ph"] == "X" and e["tid"] == tracks[name]]
        for name in ("reader of job", "job waits for its reader")
    }
    waits = rows["job waits for its reader"]
    assert [e["name"] for e in waits] == [f"wait for batch {i}" for i in range(1, 9)]
    read = {e["args"]["batch"]: e for e in rows["reader of job"]}
    steps = [e for e in events if e.get("cat") == "step"]
    # A batch is read before its step; the first ones before the trace.
    assert set(range(1 + feeds._DEPTH + 1, 9)) <= set(read)
    for wait, step in zip(waits, steps):
        batch = wait["args"]["batch"]
        assert wait["ts"] >= 0 and wait["ts"] + wait["dur"] <= step["ts"]
        if batch in read:
            assert read[batch]["ts"] + read[batch]["dur"] <= step["ts"]
