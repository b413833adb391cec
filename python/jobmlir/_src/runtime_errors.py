"""Errors of the runtime as exceptions of this package."""

from . import errors, frames


def raise_status(error, job=None, place=(), classes=None):
    """Raises the exception for a StatusError of the runtime: the class in `classes`
    for its code, else a JobRuntimeError."""
    cls = errors.JobRuntimeError
    if error.code == "not finite":
        cls = errors.NumericsError
    cls = (classes or {}).get(error.code, cls)
    message = frames.without_own_frames(error.message)
    if error.location:
        message = f"{error.location}: {message}"
    raise cls(errors.located(message, place, job)) from None


# What copies of results and variables may fail with.
COPY_ERRORS = {"unimplemented": errors.UnsupportedError}
