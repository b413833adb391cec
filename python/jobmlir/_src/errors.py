"""The exceptions that users meet.

Each derives from the built-in class that the job-function API has always
raised in its place, so that old `except` clauses go on working, and from
JobMLIRError, which catches all of them.
"""

import threading


class JobMLIRError(Exception):
    """Base of every error that this package raises on purpose."""


class OutsideJobError(JobMLIRError, NotImplementedError):
    """An op was called while no job function was being traced."""


class SessionStateError(JobMLIRError, NotImplementedError):
    """A call that the session's present state does not allow."""


class JobDefinitionError(JobMLIRError, NotImplementedError):
    """A job function whose parameters or results are not of a legal kind."""


class UnsupportedError(JobMLIRError, NotImplementedError):
    """Something that the API knows and this version does not do."""


class JobBuildAndInferError(JobMLIRError, AssertionError, ValueError):
    """An op that does not fit its operands, found while tracing."""


class OpNameExistError(JobBuildAndInferError):
    """Two ops of one job were given the same name."""


class LossBlobNotFoundError(JobBuildAndInferError):
    """A training job without a loss."""


class TrainConfError(JobBuildAndInferError):
    """A training job without an optimizer, or one that is set up wrongly."""


class BlobValueError(JobMLIRError, TypeError):
    """The value of a blob was asked for while its job was being traced."""


class CompileError(JobMLIRError, RuntimeError):
    """The compiler refused the jobs of the session."""


class ArgumentError(JobMLIRError, AssertionError):
    """A call of a job whose arguments do not fit."""


class ArgumentTypeError(ArgumentError, TypeError):
    """A call of a job with an argument of the wrong type."""


class AnnotationError(JobMLIRError, AssertionError):
    """Results that do not fit the job's return annotation."""


class JobRuntimeError(JobMLIRError, RuntimeError):
    """A step failed while it ran."""


class NumericsError(JobRuntimeError, FloatingPointError):
    """A step that is checked made a NaN or an infinity."""


class ConfigError(JobMLIRError, AssertionError, AttributeError):
    """An unknown setting, or one of the wrong type."""


class CheckpointError(JobMLIRError, AssertionError):
    """A checkpoint that cannot be written or read."""


class CheckpointNotFoundError(CheckpointError, FileNotFoundError):
    """There is no checkpoint, or a variable is missing in it."""


class CheckpointExistsError(CheckpointError, FileExistsError):
    """The folder to save to is not empty."""


class CheckpointIOError(CheckpointError, OSError):
    """The system refused to write or read: a full disk, a read-only folder."""


class CheckpointDataError(CheckpointError, ValueError):
    """A damaged or foreign checkpoint."""


class TraceError(JobMLIRError, RuntimeError):
    """A trace that cannot be started or written."""


class DataNotFoundError(JobMLIRError, FileNotFoundError):
    """A data set's file is missing."""


class DataFormatError(JobMLIRError, ValueError):
    """A data set's file is damaged or not what it should be."""


class _Tracing(threading.local):
    """The name of the job whose body this thread runs, set by the trace."""

    job_name = None


tracing = _Tracing()


def located(message, frames=(), job=None, op=None):
    """The text of an error: the user's line, job and op before the message.
    The job is the one being traced unless it is given; "" is none."""
    if job is None:
        job = tracing.job_name
    parts = []
    if frames:
        file, line, _ = frames[0]
        parts.append(f"{file}:{line}")
    context = []
    if job:
        context.append(f"job {job}")
    if op:
        context.append(f"op {op}")
    if context:
        parts.append(", ".join(context))
    parts.append(message)
    return ": ".join(parts)
