"""The exceptions of the package.

Each derives from the built-in class that the job-function API has always raised
for it, so that existing `except` clauses keep working, and from JobMLIRError.
"""

import re
import threading

from . import frames

# How Python shows objects and classes that are not given a text.
_OBJECT = re.compile(r"<jobmlir\._src\.[\w.<>]*?_?(\w+) object at 0x[0-9a-f]+>")
_CLASS = re.compile(r"<class 'jobmlir\._src\.[\w.<>]*?_?(\w+)'>")


class JobMLIRError(Exception):
    """Base class of all errors that this package raises."""


class OutsideJobError(JobMLIRError, NotImplementedError):
    """An op was called while no job function was being traced."""


class SessionStateError(JobMLIRError, NotImplementedError):
    """A call that the current state of the session does not allow."""


class JobDefinitionError(JobMLIRError, NotImplementedError):
    """A job function with invalid parameters or results."""


class UnsupportedError(JobMLIRError, NotImplementedError):
    """A feature of the API that this version does not support."""


class UnknownNameError(JobMLIRError, AttributeError):
    """A name that a module of the package does not have."""


class UnknownImportError(JobMLIRError, ImportError):
    """An import of a name that a module of the package does not have."""


class JobBuildAndInferError(JobMLIRError, AssertionError, ValueError):
    """An op that does not fit its operands, found while tracing."""


class OpNameExistError(JobBuildAndInferError):
    """Two ops of one job have the same name."""


class LossBlobNotFoundError(JobBuildAndInferError):
    """A training job without a loss."""


class TrainConfError(JobBuildAndInferError):
    """A training job without an optimizer, or with an invalid optimizer."""


class BlobValueError(JobMLIRError, TypeError):
    """The value of a blob was used while its job was being traced."""


class CompileError(JobMLIRError, RuntimeError):
    """The compiler rejected the jobs of the session."""


class ArgumentError(JobMLIRError, AssertionError):
    """A call of a job whose arguments do not fit."""


class ArgumentTypeError(ArgumentError, TypeError):
    """A call of a job with an argument of the wrong type."""


class AnnotationError(JobMLIRError, AssertionError):
    """Results that do not fit the job's return annotation."""


class JobRuntimeError(JobMLIRError, RuntimeError):
    """A step failed while it ran."""


class NumericsError(JobRuntimeError, FloatingPointError):
    """A checked step computed a NaN or an infinity."""


class ConfigError(JobMLIRError, AssertionError, AttributeError):
    """An unknown setting, or one of the wrong type."""


class CheckpointError(JobMLIRError, AssertionError):
    """A checkpoint that cannot be written or read."""


class CheckpointNotFoundError(CheckpointError, FileNotFoundError):
    """There is no checkpoint, or a variable is missing in it."""


class CheckpointExistsError(CheckpointError, FileExistsError):
    """The folder to save to is not empty."""


class CheckpointIOError(CheckpointError, OSError):
    """A write or read failed in the system, such as on a full disk."""


class CheckpointDataError(CheckpointError, ValueError):
    """A damaged checkpoint, or one of another program."""


class TraceError(JobMLIRError, RuntimeError):
    """A trace that cannot be started or written."""


class SummaryError(JobMLIRError, RuntimeError):
    """A summary that cannot be written."""


class ExportError(JobMLIRError, RuntimeError):
    """A model that cannot be written."""


class DataNotFoundError(JobMLIRError, FileNotFoundError):
    """A data set's file is missing."""


class DataFormatError(JobMLIRError, ValueError):
    """A data set's file is damaged or has another format."""


class _Tracing(threading.local):
    """The name of the job that this thread is tracing, set by the trace."""

    job_name = None


tracing = _Tracing()


def located(message, frames=(), job=None, op=None):
    """The text of an error: the user's line, job and op, then the message. The job
    is the one being traced unless it is given; "" means none."""
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
    parts.append(_CLASS.sub(r"<class \1>", _OBJECT.sub(r"<\1>", message)))
    return ": ".join(parts)


def failing(default):
    """A function that raises an error with the user's line: of the class `default`,
    unless it is given another one."""

    def fail(message, cls=default):
        raise cls(located(message, frames.user_frames()))

    return fail


def reason(error):
    """What an OSError says, in the words of this package."""
    return (error.strerror or type(error).__name__).lower()
