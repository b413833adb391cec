"""Traces of steps."""

import os

from . import errors, frames, text
from .session import get_default_session, raise_status

# What the runtime takes.
_MAX_STEPS = 1_000_000

_CLASSES = {
    code: errors.TraceError
    for code in ("invalid argument", "not found", "resource exhausted", "input/output error")
}


def _fail(message):
    raise errors.TraceError(errors.located(message, frames.user_frames()))


class _Trace:
    """Records while a `with` block runs."""

    def __init__(self, path, steps):
        self._path = path
        self._steps = steps
        self._runtime = None
        self._error_class = None

    def _run(self, function, *arguments):
        try:
            function(*arguments)
        except self._error_class as error:
            raise_status(error, place=frames.user_frames(), classes=_CLASSES)

    def __enter__(self):
        session = get_default_session()
        # Kept until the end, even when the session is cleared in between.
        self._runtime = session.runtime(False)
        self._error_class = session.runtime_module.StatusError
        self._run(self._runtime.start_trace, self._path, self._steps)
        return self

    def __exit__(self, *_):
        runtime, self._runtime = self._runtime, None
        self._run(runtime.finish_trace)


def trace(path, steps=100):
    """Records the steps inside a `with` block and writes them to `path`, a file
    for ui.perfetto.dev or chrome://tracing: a row for each kernel, library call
    and copy with the op's name, its line of Python, bytes and operations.

    The last `steps` steps are kept; the file says how many were dropped. The
    first use starts the session.
    """
    if not isinstance(path, (str, os.PathLike)) or not os.fspath(path):
        _fail(f"expects a path to write the trace to but got {path!r}")
    if isinstance(os.fspath(path), str) and not text.is_unicode(os.fspath(path)):
        _fail(f"expects a path that UTF-8 can encode to write to but got {path!r}")
    if isinstance(steps, bool) or not isinstance(steps, int):
        _fail(f"expects an integer number of steps to keep but got {steps!r}")
    if not 1 <= steps <= _MAX_STEPS:
        _fail(
            f"expects a number of steps to keep from 1 to {_MAX_STEPS} but got {steps}"
        )
    return _Trace(os.fspath(path), steps)
