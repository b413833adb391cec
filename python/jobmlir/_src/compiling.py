"""The compiler's module of a session: jobs are traced into it, and it is completed,
reported on and compiled."""

import contextlib
import os

from . import debug_pages, errors, frames
from .devices import Devices
from .global_config import state as config
from .job import trace_job
from .trace import ModuleTrace, from_diagnostics


def new_trace(summaries):
    """A ModuleTrace without jobs, for the present settings."""
    from jobmlir import _compiler

    values = config.values
    return ModuleTrace(_compiler, values["random_seed"], Devices(values), summaries)


def is_current(trace, jobs):
    """Whether none of the `jobs` by name that has been traced was replaced, nor a
    setting that jobs were traced with."""
    return (
        trace.seed == config.values["random_seed"]
        and trace.devices.settings == Devices.settings_of(config.values)
        and all(jobs[each.job.name] is each.job for each in trace.traced.values())
    )


def trace_missing(trace, jobs):
    """Traces those of the `jobs` by name that have not been, in order, and completes
    the module."""
    for name, job in list(jobs.items()):
        if name not in trace.traced:
            with trace.transaction():
                trace.traced[name] = trace_job(trace, job)
    complete(trace)


def complete(trace):
    """Writes what all jobs share into the module and verifies it."""
    values = config.values
    devices = trace.place()
    trace.module.configure(
        cpu=values["compiler_cpu"],
        features=values["compiler_features"],
        simplify=values["compiler_simplify"],
        fuse=values["compiler_fuse"],
        packing=values["compiler_packing"],
        check_numerics=values["check_numerics"],
        tf32=values["enable_tensor_float_32_compute"],
        memory_budget=min(values["memory_budget"], 1 << 48),
        gpus=sorted({device.target for device in devices if device.target}),
    )
    trace.emit_variables()
    with _located_errors(trace, errors.JobBuildAndInferError):
        trace.module.verify()


@contextlib.contextmanager
def _located_errors(trace, cls=errors.CompileError):
    """A context where an error of the compiler becomes one of the class, at the user's
    line."""
    try:
        yield
    except trace.compiler.DiagnosticError as error:
        raise from_diagnostics(error, cls, None, trace.jobs_of_places) from None


def ask(trace, question):
    """The result of `question` for the module."""
    with _located_errors(trace):
        return question(trace.module)


def compile_module(trace):
    """Compiles the module, or finds it in the cache; the path of the artifact."""
    with _located_errors(trace):
        if config.values["enable_debug_mode"]:
            _write_stages(trace.module)
        return trace.module.compile(cache_directory="")


def _write_stages(module):
    """Writes what config.enable_debug_mode asks for into env.log_dir."""
    folder = config.values["log_dir"]
    try:
        folder = os.path.abspath(folder)
        debug_pages.write(module, folder)
    except OSError as error:
        raise errors.CompileError(
            errors.located(
                f"cannot write the files of config.enable_debug_mode into {folder}: "
                f"{errors.reason(error)}",
                frames.user_frames(),
            )
        ) from None
