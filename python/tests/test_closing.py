"""The end of a session, of a wait and of the program while handlers run."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from models import raises_here
from test_summary import read_scalars

X = np.zeros(1, np.float32)


def define(handler, then=lambda blob: None):
    """A job with a variable that `handler` watches."""

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((1,))):
        w = flow.get_variable("w", (1,), initializer=flow.ones_initializer())
        y = x + w
        flow.watch(y, handler)
        then(y)
        return y

    return job


def run_with_limit(function):
    """Calls `function` on a thread, whose deadlock fails the test."""
    thread = threading.Thread(target=function, daemon=True)
    thread.start()
    thread.join(60)
    assert not thread.is_alive()


def test_a_handler_may_use_the_session_that_is_being_cleared():
    clearing, seen = threading.Event(), []

    def handler(value):
        clearing.wait()
        time.sleep(0.2)  # the other thread is in clear_default_session by now
        seen.append(flow.dump_ir())
        seen.append(flow.memory_report())
        seen.append(flow.get_all_variables()["w"].numpy())

    job = define(handler)
    result = job(X)

    def clear():
        clearing.set()
        flow.clear_default_session()

    run_with_limit(clear)
    assert "job.return" in seen[0] and "w" in seen[1] and seen[2] == [1]
    assert result.get().numpy() == [1]


def test_a_get_that_was_interrupted_can_be_repeated():
    release = threading.Event()
    job = define(lambda value: release.wait())
    result = job(X)
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            result.get()
    finally:
        release.set()
    assert result.get().numpy() == [1]
    flow.sync_default_session()


def test_summaries_of_steps_after_the_end_of_the_session(tmp_path):
    """A handler clears the session while later steps are in flight."""
    submitted, cleared = threading.Event(), []
    flow.summary.create_summary_writer(str(tmp_path))

    def handler(value):
        submitted.wait()
        if not cleared:
            cleared.append(True)
            flow.clear_default_session()

    job = define(handler, lambda y: flow.summary.scalar(y, tag="y"))
    results = [job(X + i) for i in range(3)]
    submitted.set()

    def get():
        for i, result in enumerate(results):
            assert result.get().numpy() == [i + 1]

    run_with_limit(get)
    assert read_scalars(tmp_path) == [(0, "y", 1), (1, "y", 2), (2, "y", 3)]


def test_a_fork_of_what_is_traced_writes_nothing_into_the_file_of_the_parent(tmp_path):
    flow.summary.create_summary_writer(str(tmp_path))
    job = define(lambda value: None, lambda y: flow.summary.scalar(y, tag="y"))
    flow.dump_ir()
    (path,) = tmp_path.iterdir()
    size = path.stat().st_size
    child = os.fork()
    if child == 0:
        code = 1
        try:
            with raises_here(
                flow.errors.SummaryError, "expects summary.create_summary_writer"
            ):
                job(X).get()
            code = 7
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert path.stat().st_size == size
    job(X).get()
    assert path.stat().st_size > size


SCRIPT = """
import os, signal, sys, threading, time
import numpy as np
import jobmlir as flow, jobmlir.typing as tp
from jobmlir._src import default_session

default_session._PATIENCE = 0.1
where, busy, stuck = sys.argv[1], sys.argv[2] == "computes", threading.Event()

def handler(value):
    stuck.set()
    while True:
        if not busy:
            time.sleep(1)

@flow.global_function()
def job(x: tp.Numpy.Placeholder((1,))):
    flow.watch(x, handler)
    return x

result = job(np.zeros(1, np.float32))
stuck.wait()

def interrupt():
    time.sleep(0.5)
    os.kill(os.getpid(), signal.SIGINT)

def interrupt_soon():
    threading.Thread(target=interrupt, daemon=True).start()

interrupt_soon()
try:
    if where == "sync":
        flow.sync_default_session()
    elif where == "get":
        result.get()
    elif where == "clear":
        flow.clear_default_session()
    elif where == "call":
        for _ in range(100):
            job(np.zeros(1, np.float32))
except KeyboardInterrupt:
    print("interrupted")
    interrupt_soon()
"""


@pytest.mark.parametrize("does", ["sleeps", "computes"])
@pytest.mark.parametrize("where", ["sync", "get", "clear", "call", "exit"])
def test_ctrl_c_while_a_handler_never_returns(where, does, tmp_path):
    """It ends each wait, and the program, which says what it waits for. The
    interpreter ends the handler's thread where that comes for the lock."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, script, where, does],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done
    assert done.stdout.split() == ([] if where == "exit" else ["interrupted"])
    line = 1 + SCRIPT.split("\n").index("    flow.watch(x, handler)")
    assert (
        f"{script}:{line}: job job: a callback has not returned; Ctrl-C ends the program"
        in done.stderr
    )
    assert done.stderr.rstrip().endswith("KeyboardInterrupt")


OP_AT_THE_END = """
import os, subprocess, threading
import numpy as np
import jobmlir as flow
import jobmlir.typing as tp
from jobmlir._src import session

computes = threading.Event()

def forever(x):
    computes.set()
    while True:
        pass

close = session.Session.close

def close_with_interrupt(self):
    subprocess.Popen(["sh", "-c", f"sleep 0.3; kill -INT {os.getpid()}"])
    close(self)

session.Session.close = close_with_interrupt

flow.register_user_op("forever", infer=lambda x: (x.shape, x.dtype), forward=forever)

@flow.global_function()
def job(x: tp.Numpy.Placeholder((1,))):
    op = flow.user_op_builder("op").Op("forever").Input("in", [x]).Output("out")
    return op.Build().InferAndTryRun().SoleOutputBlob()

job(np.zeros(1, np.float32))
computes.wait()
"""


def test_ctrl_c_while_an_op_of_the_user_never_returns(tmp_path):
    done = run_script(tmp_path, OP_AT_THE_END)
    assert done.returncode == 0, done
    assert done.stderr.rstrip().endswith("KeyboardInterrupt")


def run_script(folder, text):
    """Runs a program that finds nothing in the compile cache."""
    script = folder / "script.py"
    script.write_text(text)
    return subprocess.run(
        [sys.executable, script],
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(sys.path),
            "JOBMLIR_CACHE_DIR": str(folder / "cache"),
        },
        capture_output=True,
        text=True,
        timeout=120,
    )


SIGNALS_AFTER_A_COMPILE = """
import os, signal
import numpy as np
import jobmlir as flow
import jobmlir.typing as tp

@flow.global_function()
def job(x: tp.Numpy.Placeholder((1,))) -> tp.Numpy:
    return x + 1.0

job(np.zeros(1, np.float32))
signal.signal(signal.SIGTERM, lambda *_: print("terminated"))
try:
    os.kill(os.getpid(), signal.SIGINT)
except KeyboardInterrupt:
    print("interrupted")
os.kill(os.getpid(), signal.SIGTERM)
"""


def test_a_compile_leaves_the_handlers_of_signals(tmp_path):
    done = run_script(tmp_path, SIGNALS_AFTER_A_COMPILE)
    assert (done.returncode, done.stdout) == (0, "interrupted\nterminated\n"), done


DAEMONS = """
import atexit, threading, time

# Runs after the functions of jobmlir: the threads go on while the program ends.
atexit.register(time.sleep, 0.3)

import numpy as np
import jobmlir as flow
import jobmlir.typing as tp

x = np.zeros(1, np.float32)

@flow.global_function()
def job(x: tp.Numpy.Placeholder((1,))) -> tp.Numpy:
    return x + 1.0

@flow.global_function()
def watched(x: tp.Numpy.Placeholder((1,))):
    flow.watch(x, lambda value: None)
    return x

def repeat(call):
    while True:
        call()

job(x)
for call in (lambda: job(x), lambda: watched(x).get()):
    threading.Thread(target=repeat, args=[call], daemon=True).start()
time.sleep(0.3)
print("end")
"""


def test_threads_that_the_end_of_the_program_does_not_wait_for(tmp_path):
    # An exception there would be printed, and a thread that is ended while it prints
    # aborts the process.
    for _ in range(3):
        done = run_script(tmp_path, DAEMONS)
        assert (done.returncode, done.stdout, done.stderr) == (0, "end\n", ""), done


CALLS_AT_THE_END = """
import atexit, threading, time

# Runs after the functions of jobmlir.
@atexit.register
def call():
    thread.join(60)
    print(thread.is_alive())
    job(x)

import numpy as np
import jobmlir as flow
import jobmlir.typing as tp

x = np.zeros(1, np.float32)

@flow.global_function()
def job(x: tp.Numpy.Placeholder((1,))) -> tp.Numpy:
    return x + 1.0

def repeat():
    while True:
        job(x)

job(x)
thread = threading.Thread(target=repeat, daemon=True)
thread.start()
"""


def test_calls_after_the_end_of_the_session(tmp_path):
    """One on a daemon thread ends the thread, which the program may wait for; another
    one is an error."""
    done = run_script(tmp_path, CALLS_AT_THE_END)
    assert done.stdout == "False\n", done
    assert (
        "script.py:9: expects the present session but got one that the end of the "
        "program has cleared" in done.stderr
    ), done
    assert done.stderr.count("Traceback") == 1


READER_AT_THE_END = """
import sys, threading
import numpy as np
import jobmlir as flow
import jobmlir.typing as tp

flow.data.write_ofrecord(sys.argv[0] + "-records/part-0", [{"id": np.int32([1])}])
takes_batch = threading.Event()

@flow.global_function()
def job() -> tp.Numpy:
    folder = sys.argv[0] + "-records"
    records = flow.data.ofrecord_reader(folder, name="reader", batch_size=100000)
    return flow.data.OFRecordRawDecoder(records, "id", shape=(), dtype=flow.int32)

def repeat():
    while True:
        takes_batch.set()
        job()

job()
threading.Thread(target=repeat, daemon=True).start()
takes_batch.wait()
print("end")
"""


def test_a_daemon_thread_that_waits_for_a_reader_at_the_end(tmp_path):
    (tmp_path / "script.py-records").mkdir()
    done = run_script(tmp_path, READER_AT_THE_END)
    assert (done.returncode, done.stdout, done.stderr) == (0, "end\n", ""), done
