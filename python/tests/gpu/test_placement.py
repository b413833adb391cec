"""Placements on GPUs: defaults, errors, and what runs where there is none."""

import inspect
import os
import re
import subprocess

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from jobmlir._src.default_session import get_default_session
from c_compiler import CC
from models import batch, define_eval, define_train, raises_here

X = np.arange(6, dtype=np.float32).reshape(2, 3)


def define_placed(tag, ids, name="job"):
    """A job whose op is in a placement."""

    def job(x: tp.Numpy.Placeholder((2, 3))) -> tp.Numpy:
        with flow.scope.placement(tag, ids):
            return flow.math.exp(x)

    job.__name__ = name
    return flow.global_function()(job)


def driver():
    """What the session runs on."""
    return get_default_session()._artifact.driver


# ===- Where jobs run -------------------------------------------------------===#


@pytest.mark.parametrize("index", [0, 1])
def test_a_job_runs_on_its_gpu(index):
    job = define_placed("gpu", f"0:{index}")
    np.testing.assert_allclose(job(X), np.exp(X), rtol=1e-6)
    assert driver() == f"cuda:{index}"
    assert f'#job.placement<gpu, "0:{index}">' in flow.dump_ir()
    assert f"plan.device @gpu{index} kind(cuda)" in flow.dump_ir("plan")


def test_jobs_without_a_placement_run_on_the_first_gpu():
    train, evaluate = define_train(), define_eval()
    images, labels = batch()
    before = evaluate(images)
    train(images, labels)
    assert (evaluate(images) != before).any()
    assert driver() == "cuda:0"


def test_a_placement_on_the_cpu_is_one():
    job = define_placed("cpu", "0:0")
    np.testing.assert_allclose(job(X), np.exp(X), rtol=1e-6)
    assert driver() == "host"


@pytest.mark.parametrize("others", [("cpu", "0:0"), ("gpu", "0:1")], ids=str)
def test_placements_of_other_jobs_do_not_matter(others):
    define_placed(*others)
    train = define_train()
    train(*batch())
    other = {"cpu": "host", "gpu": "cuda:1"}[others[0]]
    assert set(driver().split(",")) == {"cuda:0", other}


def define_same():
    @flow.global_function()
    def same(x: tp.Numpy.Placeholder((2, 3))) -> tp.Numpy:
        return x

    return same


def test_a_job_that_computes_nothing_is_on_the_first_gpu():
    np.testing.assert_array_equal(define_same()(X), X)
    assert driver() == "cuda:0"


def test_a_job_that_computes_nothing_beside_another_one_is_where_that_is():
    flow.config.cuda_library("/nowhere/libcuda.so")
    same = define_same()
    define_placed("cpu", "0:0")
    np.testing.assert_array_equal(same(X), X)
    assert driver() == "host"


def test_a_variable_that_no_op_uses():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 3))) -> tp.Numpy:
        flow.get_variable("w", (3,), initializer=flow.ones_initializer())
        with flow.scope.placement("gpu", "0:1"):
            return flow.math.exp(x)

    job(X)
    np.testing.assert_array_equal(flow.get_all_variables()["w"].numpy(), np.ones(3))


def test_the_default_placement_of_a_job():
    config = flow.function_config()
    config.default_placement_scope(flow.scope.placement("gpu", "0:1"))

    @flow.global_function(function_config=config)
    def job(x: tp.Numpy.Placeholder((2, 3))) -> tp.Numpy:
        return flow.math.exp(x)

    job(X)
    assert driver() == "cuda:1"


def test_several_gpus_compute_as_one(capsys):
    flow.config.gpu_device_num(2)
    job = define_placed("gpu", "0:0-1")
    job(X)
    assert driver() == "cuda:0"
    assert "computes on the first device of a placement" in capsys.readouterr().err


def test_results_do_not_depend_on_the_gpu(use):
    results = []
    for index in (0, 1):
        use("gpu")
        define_placed("gpu", f"0:{index}")
        train = define_train()
        results.append([train(*batch(step)) for step in range(3)])
    np.testing.assert_array_equal(*results)


def test_a_placement_that_failed_is_forgotten():
    """A job that cannot be traced and is replaced leaves nothing behind."""

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 3))) -> tp.Numpy:
        with flow.scope.placement("gpu", "0:1"):
            return flow.reshape(flow.math.exp(x), [5])

    with pytest.raises(flow.errors.JobBuildAndInferError):
        flow.dump_ir()
    job = define_placed("gpu", "0:0")
    job(X)
    assert driver() == "cuda:0"


# ===- Errors ---------------------------------------------------------------===#


# The first op of define_train().
OP = r"models.py:\d+: job train_job"


def raises_at(place, cls, message):
    return pytest.raises(cls, match=f"{place}: {re.escape(message)}")


def line_of(function, offset):
    return inspect.getsourcelines(function)[1] + offset


GPUS = "0 (simulated GPU 0), 1 (simulated GPU 1)"


def test_a_gpu_that_is_not_there():
    define_placed("gpu", "0:7")
    expected = (
        f"{__file__}:{line_of(define_placed, 5)}: job job: expects a GPU of {GPUS} but "
        "got a placement on gpu 0:7"
    )
    with pytest.raises(flow.errors.ConfigError) as caught:
        flow.dump_ir()
    assert str(caught.value) == expected
    flow.clear_default_session()
    define_placed("gpu", "0:1-2")
    with raises_here(AssertionError, "but got a placement on gpu 0:2"):
        flow.dump_ir()


OLD_GPU = (
    "expects a GPU of sm_80 or newer but got gpu 0:0 (Tesla T4), which is sm_75"
)


@pytest.fixture
def old_gpu(monkeypatch):
    from jobmlir import _runtime

    gpu = {"driver": "cuda:0", "name": "Tesla T4", "target": "sm_75"}
    monkeypatch.setattr(_runtime, "list_devices", lambda *_: [gpu])


def test_a_gpu_that_no_code_is_made_for(old_gpu):
    define_placed("gpu", "0:0")
    with pytest.raises(flow.errors.ConfigError) as caught:
        flow.dump_ir()
    line = line_of(define_placed, 5)
    assert str(caught.value) == f"{__file__}:{line}: job job: {OLD_GPU}"


def test_without_a_placement_an_old_gpu_is_not_used(old_gpu, monkeypatch):
    monkeypatch.delenv("JOBMLIR_CUDA_LIBRARY", raising=False)
    flow.config.cuda_library("")
    train = define_train()
    reason = f"ops without a placement run on the CPU: {OLD_GPU}"
    with pytest.warns(UserWarning, match=re.escape(reason)) as warned:
        train(*batch())
    assert [warning.filename for warning in warned] == [__file__]
    assert driver() == "host"
    # Where something asks for a GPU, it is an error.
    flow.clear_default_session()
    flow.config.gpu_device_num(1)
    train = define_train()
    with raises_at(OP, flow.errors.ConfigError, OLD_GPU):
        train(*batch())


def test_more_gpus_than_the_settings_have(simulator):
    flow.config.gpu_device_num(1)
    define_placed("gpu", "0:1")
    with raises_here(
        AssertionError,
        "expects devices below config.gpu_device_num, which is 1, but got a placement "
        "on gpu 0:1",
    ):
        flow.dump_ir()
    flow.config.gpu_device_num(2)
    assert '#job.placement<gpu, "0:1">' in flow.dump_ir()


def test_settings_with_more_gpus_than_there_are():
    flow.config.gpu_device_num(3)
    define_train()
    expected = (
        "expects config.gpu_device_num of at most 2, the GPUs that are there, but got 3"
    )
    with raises_at(OP, AssertionError, expected):
        flow.dump_ir()


MISSING = "cannot open CUDA's library '/nowhere/libcuda.so': "


@pytest.mark.parametrize(
    "define, place",
    [(lambda: define_placed("gpu", "0:0"), r"test_placement.py:\d+: job job"),
     (define_train, OP)],
    ids=["placed", "unplaced"],
)
def test_a_named_library_that_is_missing(define, place):
    flow.config.cuda_library("/nowhere/libcuda.so")
    define()
    with raises_at(place, RuntimeError, MISSING):
        flow.dump_ir()


def test_the_library_of_the_environment_is_missing(monkeypatch):
    flow.config.cuda_library("")
    monkeypatch.setenv("JOBMLIR_CUDA_LIBRARY", "/nowhere/libcuda.so")
    define_train()
    with raises_at(OP, flow.errors.JobRuntimeError, MISSING):
        flow.dump_ir()


def test_errors_about_the_default_device_name_the_op_without_a_placement():
    flow.config.cuda_library("/nowhere/libcuda.so")
    define_placed("cpu", "0:0", "first")

    @flow.global_function()
    def second(x: tp.Numpy.Placeholder((2, 3))) -> tp.Numpy:
        with flow.scope.placement("cpu", "0:0"):
            x = flow.math.exp(x)
        return x + 1.0

    line = line_of(test_errors_about_the_default_device_name_the_op_without_a_placement, 8)
    with pytest.raises(flow.errors.JobRuntimeError) as caught:
        flow.dump_ir()
    assert str(caught.value).startswith(f"{__file__}:{line}: job second: {MISSING}")


def test_a_placement_on_the_cpu_needs_no_library():
    flow.config.cuda_library("/nowhere/libcuda.so")
    define_placed("cpu", "0:0")(X)
    assert driver() == "host"


# ===- Machines without a GPU -----------------------------------------------===#

SCRIPT = """
    import warnings
    import numpy as np
    import jobmlir as flow
    import jobmlir.typing as tp
    from jobmlir._src.default_session import get_default_session

    def define(tag):
        @flow.global_function()
        def job(x: tp.Numpy.Placeholder((2, 3))) -> tp.Numpy:
            if tag:
                with flow.scope.placement(tag, "0:0"):
                    x = flow.math.exp(x)
                with flow.scope.placement(tag, "0:0"):
                    return flow.math.exp(x)
            return flow.math.exp(x)
        return job

    for number, tag in ((None, "gpu"), (None, None), (1, None)):
        if number:
            flow.config.gpu_device_num(number)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            define(tag)(np.zeros((2, 3), np.float32))
        print(get_default_session()._artifact.driver, [str(w.message) for w in caught])
        flow.clear_default_session()
"""
SECOND = SCRIPT.replace("0:0", "0:1")
NO_GPU = """['there is no CUDA device: "gpu" means "cpu"']"""


@pytest.mark.parametrize("script", [SCRIPT, SECOND], ids=["first", "second"])
def test_without_a_device_gpu_means_cpu(run_script, script):
    out, _ = run_script(script, JOBSIM_DEVICES="0")
    assert out.splitlines() == [f"host {NO_GPU}", "host []", f"host {NO_GPU}"]


@pytest.fixture
def old_library(tmp_path):
    """A folder with a libcuda.so.1 that lacks most functions."""
    if not CC:
        pytest.skip("no C compiler here")
    (tmp_path / "old.c").write_text("int cuInit(unsigned flags) { return 0; }\n")
    subprocess.run(
        [CC, "-shared", "-o", tmp_path / "libcuda.so.1", tmp_path / "old.c"],
        check=True,
    )
    return tmp_path


def test_without_cuda_gpu_means_cpu(run_script):
    """libcuda.so.1 is not there, or is there without a GPU."""
    out, _ = run_script(SCRIPT, JOBMLIR_CUDA_LIBRARY="", CUDA_VISIBLE_DEVICES="-1")
    assert out.splitlines() == [f"host {NO_GPU}", "host []", f"host {NO_GPU}"]


OLD = re.escape(
    "'libcuda.so.1' has no function 'cuDriverGetVersion': expects the library of a "
    "newer CUDA driver"
)


def expect_unusable(run_script, folder, reason):
    """Who asks for a GPU gets an error, who does not a warning."""
    variables = {"JOBMLIR_CUDA_LIBRARY": "", "LD_LIBRARY_PATH": str(folder)}
    _, err = run_script(SCRIPT, status=1, **variables)
    assert re.search(rf"JobRuntimeError: .*script.py:\d+: job job: {reason}\n", err), err
    script = SCRIPT.replace('(None, "gpu"), (None, None), (1, None)', "(None, None),")
    out, _ = run_script(script, **variables)
    pattern = rf"host \[.ops without a placement run on the CPU: {reason}.\]\n"
    assert re.fullmatch(pattern, out.replace("\\'", "'")), out


def test_an_old_library(run_script, old_library):
    expect_unusable(run_script, old_library, OLD)


def test_a_file_that_is_no_library(run_script, tmp_path):
    (tmp_path / "libcuda.so.1").write_text("text\n")
    reason = "cannot open CUDA's library 'libcuda.so.1': .*(file too short|invalid ELF header)"
    expect_unusable(run_script, tmp_path, reason)


def test_the_library_is_a_path(simulator):
    flow.config.cuda_library(os.fspath(simulator))
    define_train()(*batch())
    assert driver() == "cuda:0"
