"""Traces of steps."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil

from . import arguments, errors, frames
from .default_session import get_default_session
from .hints import Path
from .runtime_errors import raise_status

# The limit of the runtime.
_MAX_STEPS = 1_000_000

_CLASSES = {
    code: errors.TraceError
    for code in (
        "invalid argument",
        "not found",
        "resource exhausted",
        "input/output error",
    )
}

_fail = errors.failing(errors.TraceError)


# The first track of readers, behind all tracks of the runtime.
_READER_TRACK = 1_000_000
_TRACKS = {"reader": "reader of {}", "waits": "{} waits for its reader"}
# Where the runtime writes when the trace began, and how a trace ends.
_HEAD_BYTES = 1 << 16
_START = re.compile(rb'"monotonic_start_ns":(\d+)')
_END = b"\n]}\n"


def _reader_events(rows, start):
    """The events of Feed.finish_trace, by the job's name, after `start`."""
    track = _READER_TRACK
    for job, kept in rows.items():
        for kind, title in _TRACKS.items():
            shown = [row for row in kept if row[0] == kind and row[2] >= start]
            place = {"pid": os.getpid(), "tid": track}
            track += 1
            if not shown:
                continue
            names = {"name": title.format(job)}
            yield {"ph": "M", **place, "name": "thread_name", "args": names}
            order = {"sort_index": place["tid"]}
            yield {"ph": "M", **place, "name": "thread_sort_index", "args": order}
            for _, name, begin, end, batch in shown:
                yield {
                    "ph": "X",
                    **place,
                    "ts": (begin - start) / 1000,
                    "dur": (end - begin) / 1000,
                    "name": name,
                    "cat": "data" if kind == "reader" else "wait",
                    "args": {"batch": batch},
                }


def _add_reader_rows(path, rows):
    """Adds what readers did to a trace that the runtime has written."""
    with open(path, "rb") as file:
        head = _START.search(file.read(_HEAD_BYTES))
    events = list(_reader_events(rows, int(head[1]))) if head else []
    if not events:
        return
    unfinished = f"{path}.tmp"
    try:
        shutil.copyfile(path, unfinished)
        with open(unfinished, "r+b") as file:
            file.seek(-len(_END), os.SEEK_END)
            file.truncate()
            for event in events:
                file.write(b",\n" + json.dumps(event).encode())
            file.write(_END)
        os.replace(unfinished, path)
    except OSError as error:
        if os.path.exists(unfinished):
            os.remove(unfinished)
        _fail(f"cannot add the readers to {path}: {errors.reason(error)}")


class _Trace:
    """Records while a `with` block runs."""

    def __init__(self, path, steps):
        self._path = path
        self._steps = steps
        self._runtime = None
        self._stack = None
        self._error_class = None
        self._feeds = {}

    def _run(self, function, *arguments):
        try:
            function(*arguments)
        except self._error_class as error:
            raise_status(error, place=frames.user_frames(), classes=_CLASSES)

    def __enter__(self):
        session = get_default_session()
        with contextlib.ExitStack() as stack:
            self._runtime = stack.enter_context(session.recording())
            self._error_class = session.runtime_module.StatusError
            self._run(self._runtime.start_trace, self._path, self._steps)
            self._stack = stack.pop_all()
        self._feeds = dict(session.feeds())
        for feed in self._feeds.values():
            feed.start_trace(self._steps)
        return self

    def __exit__(self, *_):
        runtime, self._runtime = self._runtime, None
        rows = {job: feed.finish_trace() for job, feed in self._feeds.items()}
        with self._stack:
            self._run(runtime.finish_trace)
        if rows:
            _add_reader_rows(self._path, rows)


def trace(path: Path, steps: int = 100) -> _Trace:
    """Records the steps inside a with block and writes them to a file.

    The file is for ui.perfetto.dev or chrome://tracing: a row for each kernel, library
    call and copy with the op's name, its Python line, bytes and operations, and for a
    job that reads data a row for each batch. It has the number of dropped steps. The
    first use starts the session.

    Args:
        path: The file.
        steps: How many steps, the last ones, are kept.

    Returns:
        A context.

    Raises:
        TraceError: The trace cannot be started or written.
    """
    path = arguments.path(_fail, path, "write the trace to")
    if not arguments.is_int(steps):
        _fail(f"expects an integer number of steps to keep but got {steps!r}")
    if not 1 <= steps <= _MAX_STEPS:
        _fail(
            f"expects a number of steps to keep from 1 to {_MAX_STEPS} but got {steps}"
        )
    return _Trace(path, int(steps))
