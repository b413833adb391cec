"""Errors of uses that a session does not permit in its present state."""

import threading

from . import errors, frames
from .trace import current_or_none


def refuse_in_job():
    """An error inside of a job function."""
    outer = current_or_none()
    if outer is not None:
        raise errors.SessionStateError(
            errors.located(
                "expects the session to be used outside of job functions but got "
                f"a use inside of job {outer.name}, which starts it",
                frames.user_frames(),
            )
        )


# Whether the end of the program has cleared the session.
program_has_ended = False


def fail_cleared(job=None):
    """The error of a cleared session; `job` is the name of the job that is used.

    If the program has ended, it ends a daemon thread as the interpreter does a little
    later, silently. An error would be printed, and the interpreter aborts where it ends
    a thread that prints."""
    thread = threading.current_thread()
    # Python has not started the threads of the runtime.
    is_of_runtime = isinstance(thread, threading._DummyThread)
    if program_has_ended and thread.daemon and not is_of_runtime:
        raise SystemExit
    end = "the end of the program" if program_has_ended else "clear_default_session"
    raise errors.SessionStateError(
        errors.located(
            f"expects the present session but got one that {end} has cleared",
            frames.user_frames(),
            job,
        )
    )


def fail_foreign(job):
    """The error of a job that is not one of the session."""
    raise errors.SessionStateError(
        errors.located(
            f"expects a job of the running session but got {job.name}, which was "
            "defined for another one or replaced by a later definition",
            frames.user_frames(),
            job.name,
        )
    )


def fail_forked():
    """The error in a fork of the process that started the session."""
    raise errors.SessionStateError(
        errors.located(
            "expects to be in the process that started the session but got "
            "a fork of it: start the session there, or call "
            "clear_default_session there first",
            frames.user_frames(),
        )
    )
