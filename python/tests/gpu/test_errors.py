"""Errors of a GPU name the library's call and the user's line, and a new session
works after one, unless CUDA needs a new process."""

import re

import pytest

SCRIPT = """
    import re
    import numpy as np
    import jobmlir as flow
    from models import batch, define_train

    def losses(steps):
        train = define_train()
        return [train(*batch(step)) for step in range(steps)]

    try:
        losses(4)
        print("no error")
    except flow.errors.JobRuntimeError as error:
        print(type(error).__name__, error)
    flow.clear_default_session()
    first = losses(4)
    flow.clear_default_session()
    assert (np.stack(losses(4)) == np.stack(first)).all()
    print("trained")
"""


def run_with_failure(run_script, failure, pattern):
    out, _ = run_script(SCRIPT, JOBSIM_FAIL=failure, JOBSIM_SEED="1")
    error, last = out.splitlines()
    assert last == "trained"
    assert re.match(r"JobRuntimeError .*script\.py:\d+: ", error), error
    assert re.search(pattern, error), error


def test_a_step_that_cannot_be_launched(run_script):
    run_with_failure(
        run_script,
        "cuGraphLaunch:3",
        r"cuGraphLaunch failed with CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES .*"
        r"; with check-numerics the error names the op$",
    )


def test_a_call_of_a_library_that_fails(run_script):
    run_with_failure(
        run_script,
        "cublasLtMatmul:1",
        r"models.py:\d+:\d+: job 'train_job', 'Dense-matmul': cublaslt.matmul: "
        r"cublasLtMatmul failed with CUBLAS_STATUS_EXECUTION_FAILED \(",
    )


@pytest.mark.parametrize(
    "failure, expected",
    [
        (
            "cuLaunchKernel:40",
            "'update of Dense-weight': cuLaunchKernel failed with "
            "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
        ),
        (
            "cuStreamSynchronize:26:719",
            "'gradient of Dense-matmul': cublaslt.matmul: cuStreamSynchronize failed "
            "with CUDA_ERROR_LAUNCH_FAILED",
        ),
    ],
    ids=["launch", "fault"],
)
def test_with_checks_the_error_of_a_step_names_the_op(run_script, failure, expected):
    script = """
        import jobmlir as flow
        from models import batch, define_train

        flow.config.check_numerics(True)
        try:
            train = define_train()
            for step in range(9):
                train(*batch(step))
        except flow.errors.JobRuntimeError as error:
            print(error)
    """
    out, _ = run_script(script, JOBSIM_FAIL=failure)
    place = r"script.py:\d+: job train_job: \S+models.py:\d+:\d+: job 'train_job', "
    assert re.search(place + re.escape(expected), out), out
    assert "with check-numerics" not in out


def test_an_error_after_which_the_process_has_to_be_restarted(run_script):
    script = """
        import jobmlir as flow
        from models import batch, define_train

        for _ in range(2):
            try:
                define_train()(*batch())
            except flow.errors.JobRuntimeError as error:
                print(error)
            flow.clear_default_session()
    """
    out, _ = run_script(script, JOBSIM_FAIL="cuEventSynchronize:1:700")
    errors = out.splitlines()
    assert len(errors) == 2, out
    for error in errors:
        assert "failed with CUDA_ERROR_ILLEGAL_ADDRESS" in error
        assert "; restart the process to use the GPU again" in error


def test_a_session_that_cannot_be_made(run_script):
    run_with_failure(
        run_script,
        "cuMemAlloc_v2:1",
        r"cuMemAlloc failed with CUDA_ERROR_OUT_OF_MEMORY \(out of memory\): "
        r"\d+ bytes for the [\w ]+, of which the device has \d+ free",
    )
    run_with_failure(run_script, "cuModuleLoadData:1", "cuModuleLoadData failed with")


def test_a_model_that_does_not_fit(run_script):
    script = """
        import jobmlir as flow
        from models import batch, define_train

        try:
            define_train()(*batch())
        except flow.errors.JobRuntimeError as error:
            print(error)
    """
    out, _ = run_script(script, JOBSIM_MEMORY="256")
    assert re.search(
        r"expects \d+ bytes of free memory on cuda:0 but it has 256 of 256: "
        r"an arena of \d+, variables of \d+, inputs and outputs of 2 steps of \d+, ",
        out,
    ), out
    assert "llvmcache" not in out
    assert "; the largest blobs of job 'train_job':\n" in out
    assert re.search(r"\n  \d+ bytes, \S+f32 of 'Dense_\d\S*', \S+models.py:\d+", out), out
