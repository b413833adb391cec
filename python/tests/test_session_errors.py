"""What may go wrong around the jobs: the disk, the cache, forks, callbacks,
exceptions of the user's own."""

import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from jobmlir._src import compiling, global_config
from jobmlir._src.default_session import get_default_session
from models import (
    batch,
    define_train,
    define_unary,
    full_cache,
    full_disk,
    raises_here,
)

X = np.zeros((2, 3), np.float32)


def values():
    return {name: value.numpy() for name, value in flow.get_all_variables().items()}


# ===- Disks ---------------------------------------------------------------===#


@pytest.mark.parametrize("layout", ["legacy", "native"])
def test_a_full_disk_loses_nothing(layout, tmp_path):
    path = str(tmp_path / "model")
    job = define_train()
    checkpoint = flow.train.CheckPoint()
    checkpoint.save(path, layout=layout)
    before = values()
    job(*batch())
    after = values()
    with full_disk():
        for cls in (OSError, AssertionError, flow.errors.CheckpointIOError):
            with raises_here(
                cls, f"'{path}': cannot save", "bytes of variables", "file too large"
            ):
                checkpoint.save(path, layout=layout, replace=True)
    assert [p.name for p in tmp_path.iterdir()] == ["model"]
    assert all((values()[name] == after[name]).all() for name in after)
    checkpoint.load(path)
    assert all((values()[name] == before[name]).all() for name in before)


def test_replacing_a_checkpoint(tmp_path):
    path = str(tmp_path / "model")
    job = define_train()
    checkpoint = flow.train.CheckPoint()
    checkpoint.save(path, replace=True)
    job(*batch())
    expected = values()
    checkpoint.save(path, layout="native", replace=True)
    job(*batch())
    checkpoint.load(path)
    assert all((values()[name] == expected[name]).all() for name in expected)
    (tmp_path / "model" / "notes").write_text("kept")
    with raises_here(FileExistsError, "but got a checkpoint with 'notes' in it"):
        checkpoint.save(path, replace=True)
    with raises_here(AssertionError, "expects replace to be a bool but got 1"):
        checkpoint.save(path, replace=1)


@pytest.mark.parametrize(
    "file",
    ["manifest.json", "variables.safetensors", "snapshot_done", "manifest.json/notes"],
)
def test_replacing_a_folder_with_names_of_a_checkpoint(file, tmp_path):
    """Which others use too, so they do not make it one."""
    define_train()
    kept = tmp_path / "model" / file
    kept.parent.mkdir(parents=True)
    kept.write_text('{"name": "my web app"}')
    for layout in ("legacy", "native"):
        with raises_here(FileExistsError, "but got a folder of other things"):
            flow.train.CheckPoint().save(tmp_path / "model", layout, replace=True)
    assert kept.read_text() == '{"name": "my web app"}'


def test_a_cache_folder_that_cannot_be_used(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("JOBMLIR_CACHE_DIR", str(tmp_path / "file" / "cache"))
    job = define_unary(lambda x: x)
    with raises_here(
        RuntimeError,
        "cannot use the cache folder",
        "file/cache",
        "\nnote: set the environment variable JOBMLIR_CACHE_DIR for another folder",
    ):
        job(X)


def test_a_cache_that_is_full(tmp_path, monkeypatch):
    cache = tmp_path / "cache"
    monkeypatch.setenv("JOBMLIR_CACHE_DIR", str(cache))

    def run():
        define_unary(lambda x: x * 3.0)(X)

    with full_cache(cache, run), raises_here(
        RuntimeError,
        f"cannot write '{cache}/llvmcache-",
        "': file too large\nnote: set the environment variable JOBMLIR_CACHE_DIR for "
        "another folder of compiled jobs",
    ):
        run()
    timestamp = cache / "llvmcache.timestamp"
    assert set(cache.iterdir()) <= {timestamp}
    # There is room again.
    run()
    assert len(set(cache.iterdir()) - {timestamp}) == 1


def test_a_cache_policy_that_llvm_does_not_know(tmp_path, monkeypatch):
    monkeypatch.setenv("JOBMLIR_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("JOBMLIR_CACHE_POLICY", "age=old")
    job = define_unary(lambda x: x)
    with raises_here(
        RuntimeError,
        "expects a pruning policy of LLVM in JOBMLIR_CACHE_POLICY but got 'age=old'",
        "Unknown key: 'age'",
    ):
        job(X)


# ===- Settings that only the start of the session can check ---------------===#


def test_a_debug_folder_that_is_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "log").write_text("mine")
    flow.config.enable_debug_mode(True)
    job = define_unary(lambda x: x)
    with raises_here(
        RuntimeError,
        f"cannot write the files of config.enable_debug_mode into {tmp_path}/log: file",
    ):
        job(np.zeros((2, 3), np.float32))
    assert (tmp_path / "log").read_text() == "mine"


def test_a_debug_folder_in_a_folder_that_is_gone(tmp_path, monkeypatch):
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    flow.config.enable_debug_mode(True)
    job = define_unary(lambda x: x)
    with raises_here(
        RuntimeError,
        "cannot write the files of config.enable_debug_mode into log: no such file",
    ):
        job(np.zeros((2, 3), np.float32))


def test_an_unknown_processor():
    flow.config.compiler_cpu("pentium99")
    job = define_unary(lambda x: x)
    with raises_here(
        RuntimeError, "expects a processor that LLVM knows but got 'pentium99'"
    ):
        job(X)


def test_an_unknown_packing():
    with raises_here(
        AssertionError,
        "expects config.compiler_packing to be one of best, size, conflicts, time, none"
        " but got 'tight'",
    ):
        flow.config.compiler_packing("tight")


def test_too_many_threads():
    with raises_here(
        AssertionError,
        "expects an int from 0 to 4096 for config.compute_thread_pool_size but got "
        "1000000",
    ):
        flow.config.compute_thread_pool_size(10**6)
    # The limit is the runtime's.
    global_config.state.values["compute_thread_pool_size"] = 4097
    job = define_unary(lambda x: x)
    with raises_here(RuntimeError, "number of threads from 0 to 4096 but got 4097"):
        job(X)


def test_more_memory_than_there_is():
    job = define_unary(lambda x: x, shape=(1 << 45,))
    with raises_here(RuntimeError, "cannot allocate", "bytes for"):
        flow.train.CheckPoint().init()
        job(X)


# ===- Sessions that were cleared ------------------------------------------===#


def test_a_variable_of_a_session_that_was_cleared():
    train = define_train()
    train(*batch())
    kept, arrays = flow.get_all_variables(), values()
    flow.clear_default_session()
    define_train()
    text = (
        "expects variable Dense-weight to be of the present session but got one of a "
        "session that clear_default_session has cleared: take its numpy() before"
    )
    before = values()
    for use in (
        lambda: kept["Dense-weight"].numpy(),
        lambda: flow.load_variables({"Dense-weight": kept["Dense-weight"]}),
    ):
        with raises_here(flow.errors.SessionStateError, text):
            use()
    assert all((values()[name] == before[name]).all() for name in before)
    flow.load_variables(arrays)
    assert all((values()[name] == arrays[name]).all() for name in arrays)


def test_a_cleared_session_does_not_start_again():
    define_unary(lambda x: x)
    session = get_default_session()
    flow.clear_default_session()
    with raises_here(NotImplementedError, "expects the present session but got one"):
        session.start()


@pytest.mark.parametrize(
    "use",
    [
        flow.dump_ir,
        flow.get_all_variables,
        flow.train.CheckPoint().init,
        lambda: flow.train.CheckPoint().save("model"),
        flow.clear_default_session,
    ],
)
def test_the_session_in_a_body_that_starts_it(use):
    def body(x):
        use()
        return x

    job = define_unary(body)
    with raises_here(
        NotImplementedError,
        "job job: expects the session to be used outside of job functions but got a "
        "use inside of job job",
    ):
        job(X)


# ===- Threads -------------------------------------------------------------===#


def in_thread(function):
    """What `function` returns or raises in another thread."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(function).result()


def test_first_calls_from_several_threads():
    """One thread traces and compiles, the others wait for it."""
    running, most, starts = 0, 0, 0
    compile_once = compiling.compile_module

    def counting(trace):
        nonlocal running, most, starts
        running, starts = running + 1, starts + 1
        most = max(most, running)
        time.sleep(0.05)
        try:
            return compile_once(trace)
        finally:
            running -= 1

    tracing = threading.Event()

    def body(x):
        tracing.set()
        time.sleep(0.05)
        return flow.math.tanh(x)

    job = define_unary(body)
    compiling.compile_module = counting
    try:
        with ThreadPoolExecutor(5) as pool:
            first = pool.submit(job, X)
            assert tracing.wait(60)
            calls = [first] + [pool.submit(job, X) for _ in range(4)]
            assert all((call.result() == 0).all() for call in calls)
    finally:
        compiling.compile_module = compile_once
    assert most == starts == 1


def test_another_thread_is_outside_of_the_job_being_traced():
    def body(x):
        with flow.scope.namespace("here"):
            with pytest.raises(flow.errors.OutsideJobError) as caught:
                in_thread(lambda: flow.constant(1.0))
            assert "job job" not in str(caught.value)
            with pytest.raises(flow.errors.OutsideJobError):
                in_thread(lambda: x + 1.0)
            in_thread(lambda: flow.scope.namespace("there").__enter__())
            return flow.math.tanh(x, name="last")

    define_unary(body)
    text = flow.dump_ir(locations=True)
    assert '"here-last"' in text and "there" not in text
    assert "job.constant" not in text and "job.add" not in text


# ===- Losses --------------------------------------------------------------===#


@pytest.mark.parametrize("trainable", [None, False])
def test_a_loss_that_depends_on_no_variable(trainable):
    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((2, 3))) -> tp.Numpy:
        loss = x * 2.0
        if trainable is False:
            init = flow.ones_initializer()
            w = flow.get_variable("w", (3,), initializer=init, trainable=False)
            loss = x * w
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
        flow.optimizer.SGD(rate).minimize(loss)
        return loss

    with raises_here(
        RuntimeError,
        "job job, op Multiply",
        "expects the losses to depend on a trainable variable",
    ):
        job(X)


# ===- Exceptions of the user's own ----------------------------------------===#


@pytest.mark.skipif(sys.version_info < (3, 11), reason="exceptions have no notes")
def test_an_exception_in_the_body_says_which_job_it_was():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 3))):
        return {}["missing"]

    with pytest.raises(KeyError, match="missing") as caught:
        job(X)
    (note,) = caught.value.__notes__
    assert __file__ in note and "job job: raised while this job was being" in note


def test_errors_inside_of_a_body_name_the_job():
    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((2, 3))):
        flow.optimizer.PiecewiseConstantScheduler([1], [0.1])

    with raises_here(AssertionError, "job job: expects 2 values for 1 boundaries"):
        job(X)


def test_a_callback_cannot_wait_for_itself():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 3))):
        return x

    job(X).async_get(lambda result: flow.sync_default_session())
    with raises_here(
        RuntimeError, "synchronize expects to be called outside of a callback"
    ):
        flow.sync_default_session()


def test_a_callback_may_clear_the_session():
    def define():
        @flow.global_function()
        def job(x: tp.Numpy.Placeholder((2, 3))):
            return x + 1.0

        return job

    job = define()
    job(X).get()
    results, cleared = [], threading.Event()

    def clear(result):
        flow.clear_default_session()
        results.append(result.numpy())
        cleared.set()

    job(X).async_get(clear)
    assert cleared.wait(30)
    assert (results[0] == X + 1).all()
    assert (define()(X).get().numpy() == X + 1).all()


def test_results_are_on_one_device():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 3))):
        return x

    result = job(X).get()
    with raises_here(AssertionError, "expects parallel_id to be None or 0 but got 1"):
        result.numpy(1)


# ===- Forks ---------------------------------------------------------------===#

FORK = """
import os, sys
import numpy as np
import jobmlir as flow
import jobmlir.typing as tp

def define():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2,))) -> tp.Numpy:
        return x + 1.0
    return job

X = np.zeros(2, np.float32)
job = define()
job(X)
child = os.fork()
if child == 0:
    try:
        job(X)
    except NotImplementedError as error:
        print(error, flush=True)
    flow.clear_default_session()
    print(define()(X), flush=True)
    sys.exit(3)  # the way that runs what is to run at the end
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), job(X))
"""


def test_a_forked_child_has_no_session(tmp_path):
    (tmp_path / "script.py").write_text(FORK)
    done = subprocess.run(
        [sys.executable, tmp_path / "script.py"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    error, again, parent = done.stdout.splitlines()
    assert error.startswith(str(tmp_path / "script.py") + ":19: ")
    assert "expects to be in the process that started the session" in error
    assert again == "[1. 1.]" and parent == "3 [1. 1.]"


TRACED_BEFORE_FORK = """
import os, sys, threading, time
import numpy as np
import jobmlir as flow
import jobmlir.typing as tp

tracing = threading.Event()

@flow.global_function()
def job(x: tp.Numpy.Placeholder((2,))) -> tp.Numpy:
    tracing.set()
    time.sleep(PAUSE)
    return x + 1.0

X = np.zeros(2, np.float32)
thread = threading.Thread(target=flow.dump_ir, args=("plan",))
thread.start()
tracing.wait()
if PAUSE == 0:
    thread.join()
child = os.fork()
if child == 0:
    text = flow.dump_ir("plan")
    print("sizes<arena" in text, job(X), flush=True)
    flow.clear_default_session()
    sys.exit(3)
thread.join()
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), job(X))
"""


@pytest.mark.parametrize("pause", [0, 0.5], ids=["traced", "being traced"])
def test_a_fork_of_what_is_traced_but_does_not_run(tmp_path, pause):
    script = tmp_path / "script.py"
    script.write_text(TRACED_BEFORE_FORK.replace("PAUSE", str(pause)))
    done = subprocess.run(
        [sys.executable, script],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["True [1. 1.]", "3 [1. 1.]"]
