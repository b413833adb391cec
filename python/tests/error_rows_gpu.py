"""Reproductions of errors of GPUs, on the simulated CUDA."""

import contextlib
import ctypes
import os
import subprocess

import jobmlir as flow
from error_rows import BUILD, ROOT, SIMULATOR, reproduces, trace
from jobmlir import _runtime
from models import batch, define_train

# Errors that CUDA cannot recover from.
ILLEGAL_ADDRESS = 700


@contextlib.contextmanager
def simulated(failures=None, memory=1 << 32):
    """The simulated CUDA, some calls of which fail; it works again at the end."""
    control = ctypes.CDLL(str(SIMULATOR))
    flow.config.cuda_library(SIMULATOR)
    assert control.jobsim_set_failures(failures and failures.encode()) == 0
    control.jobsim_set_memory(ctypes.c_uint64(memory))
    try:
        yield
    finally:
        # Errors of calls that close the session are not those of the row.
        control.jobsim_set_failures(None)
        flow.clear_default_session()
        control.jobsim_set_memory(ctypes.c_uint64(1 << 32))
        control.jobsim_relaunch()


def train(steps=4):
    job = define_train()
    for step in range(steps):
        job(*batch(step))


@reproduces("gpu-number")
def _(tmp_path):
    flow.config.gpu_device_num(100)
    with simulated():
        trace(flow.math.exp)


@reproduces("gpu-memory")
def _(tmp_path):
    with simulated(memory=256):
        train()


@reproduces("gpu-allocation")
def _(tmp_path):
    with simulated("cuMemAlloc_v2:1"):
        train()


@reproduces("gpu-library")
def _(tmp_path):
    os.environ["JOBMLIR_CUBLASLT_LIBRARY"] = str(tmp_path / "libcublasLt.so")
    try:
        with simulated():
            train()
    finally:
        del os.environ["JOBMLIR_CUBLASLT_LIBRARY"]


@reproduces("gpu-call")
def _(tmp_path):
    with simulated("cublasLtMatmul:1"):
        train()


@reproduces("gpu-step")
def _(tmp_path):
    with simulated("cuGraphLaunch:3"):
        train()


@reproduces("gpu-step-op")
def _(tmp_path):
    flow.config.check_numerics(True)
    with simulated("cuLaunchKernel:40"):
        train()


@reproduces("gpu-fault")
def _(tmp_path):
    with simulated(f"cuEventSynchronize:4:{ILLEGAL_ADDRESS}"):
        train()


@reproduces("gpu-code")
def _(tmp_path):
    path = tmp_path / "mlp.so"
    subprocess.run(
        [
            BUILD / "bin" / "job-compile",
            ROOT / "examples" / "mlp.mlir",
            "--gpu-target=compute_100",
            "-o",
            path,
        ],
        check=True,
    )
    _runtime.Session(
        _runtime.Artifact.load(str(path)), driver="cuda", cuda_library=str(SIMULATOR)
    )
