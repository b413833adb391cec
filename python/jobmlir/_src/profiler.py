"""Traces of steps."""

from . import arguments, errors, frames
from .session import get_default_session, raise_status

# The limit of the runtime.
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
        # Kept until the end, even if the session is cleared in between.
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
    and copy with the op's name, its Python line, bytes and operations.

    The last `steps` steps are kept; the file has the number of dropped steps. The
    first use starts the session.
    """
    path = arguments.path(_fail, path, "write the trace to")
    if not arguments.is_int(steps):
        _fail(f"expects an integer number of steps to keep but got {steps!r}")
    if not 1 <= steps <= _MAX_STEPS:
        _fail(
            f"expects a number of steps to keep from 1 to {_MAX_STEPS} but got {steps}"
        )
    return _Trace(path, int(steps))
