"""The session that all functions of the package use, and its end: cleared, in a forked
process, or with the program."""

import os
import sys

from . import errors, session_errors
from .devices import forget_warnings
from .global_config import state as config
from .runtime_module import call_at_exit
from .session import Session

_default = Session()
config.is_running = lambda: _default.is_running


def get_default_session():
    return _default


def clear_default_session() -> None:
    """Forgets all jobs and variables and the settings of config.

    New jobs can be defined then. config.cuda_library and what env has set stay. Waits
    for the calls in flight.
    """
    session_errors.refuse_in_job()
    old = _default

    def replace():
        global _default
        if _default is old:
            _default = Session()
            config.begin_session()
        forget_warnings()

    old.close(before_release=replace)


def sync_default_session() -> None:
    """Blocks until all calls so far and their callbacks are done.

    Raises:
        JobRuntimeError: A step failed that no get() has waited for.
        Exception: What a callback has raised.
    """
    _default.synchronize()


def _forget_parent():
    session_errors.program_has_ended = False
    _default.forget_parent()


os.register_at_fork(after_in_child=_forget_parent)


# Seconds at the program's end after which it says what it is waiting for.
_PATIENCE = 5


def _wait_at_exit(runtime_module):
    if not runtime_module.wait_for_callbacks(_PATIENCE):
        waiting = _default.callback_errors.describe_running()
        print(f"INFO: {waiting}; Ctrl-C ends the program", file=sys.stderr, flush=True)
        runtime_module.wait_for_callbacks()


def _close_at_exit(runtime_module):
    try:
        _wait_at_exit(runtime_module)
        session_errors.program_has_ended = True
        _default.close()
    except errors.JobMLIRError as error:  # of a step that no call has waited for
        sys.excepthook(type(error), error, error.__traceback__)
    except BaseException as error:  # of a callback, or of a signal
        if not _default.is_cleared:
            runtime_module.abandon_callbacks()
        sys.excepthook(type(error), error, error.__traceback__)


call_at_exit(_close_at_exit)
