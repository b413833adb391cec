"""Variables, and arguments of jobs, by the names of their ops."""

from __future__ import annotations

from typing import Any

import numpy

from . import annotations, arguments, errors, frames
from .checkpoint import get_all_variables, load_variables
from .default_session import get_default_session
from .hints import Array

_fail = errors.failing(errors.CheckpointError)


def _find(op_name):
    """The session, and the job and index of an argument, or None for a variable."""
    if not isinstance(op_name, str):
        _fail(f"expects the name of a variable or an argument but got {op_name!r}")
    session = get_default_session()
    if op_name in session.variables():
        return session, None
    found = session.last_arguments.find(session.jobs, op_name)
    if found is None:
        _fail(
            "expects the name of a variable or an argument of the session but got "
            f"{op_name}",
            errors.CheckpointNotFoundError,
        )
    return session, found


def get_interface_blob_value(op_name: str) -> Array:
    """The present value of a variable, or of an argument in the last call.

    Of several jobs with such an argument it is the one called last. The session keeps
    the caller's array, not a copy, until the next call of its job: what was written
    into it since the call is in the result.

    Args:
        op_name: The name of a variable, or of a parameter.

    Returns:
        A copy.

    Raises:
        CheckpointNotFoundError: There is no such name.
        CheckpointError: op_name is no str.
        SessionStateError: There was no call.
    """
    session, argument = _find(op_name)
    if argument is None:
        return get_all_variables()[op_name].numpy()
    job, index = argument
    array = session.last_arguments.of(job)[index]
    if array is None:
        raise errors.SessionStateError(
            errors.located(
                f"expects a call before the value of argument {op_name} is read but got "
                "none",
                frames.user_frames(),
                job.name,
            )
        )
    return numpy.array(array)


def set_interface_blob_value(op_name: str, value: Any) -> None:
    """Writes the value of a variable, or of an argument.

    That of an argument is what get_interface_blob_value returns until the next call of
    the job, which passes its own.

    Args:
        op_name: The name of a variable, or of a parameter.
        value: An array of its shape and dtype.

    Raises:
        CheckpointNotFoundError: There is no such name.
        CheckpointError: The value does not fit.
    """
    session, argument = _find(op_name)
    if argument is None:
        load_variables({op_name: value}, ignore_mismatch=False)
        return
    job, index = argument
    value = arguments.array(_fail, value, f"an array for argument {op_name}")
    _, definition = job.leaves()[index]
    array = annotations.check_array(
        job.name, frames.user_frames, op_name, definition, value
    )
    session.last_arguments.replace(job, index, numpy.array(array))
