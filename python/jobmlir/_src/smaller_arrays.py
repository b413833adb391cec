"""Entries of jobs of the mirrored view for arrays that are smaller than their
placeholders.

The first call with arrays of new shapes traces the job for them as one more entry,
compiles all entries again and moves the variables into the new artifact's session of
the runtime. Who uses that session passes a gate that is closed meanwhile.
"""

import warnings

from . import compiling, errors, frames
from .job import entry_name, trace_job
from .runtime_errors import COPY_ERRORS, raise_status

# So many entries of a job for arrays of different shapes deserve a warning.
_MANY_ENTRIES = 16


def entry_for(session, traced, arrays):
    """The TracedJob of the same job for the shapes of these arrays."""
    shapes = tuple(array.shape for array in arrays)
    if shapes == traced.shapes:
        return traced
    known = session.entries.get((traced.job.name, shapes))
    return known or _add_entry(session, traced, shapes)


def _add_entry(session, traced, shapes):
    job = traced.job

    def refuse(text, got, cls=errors.SessionStateError):
        shown = ", ".join(map(str, shapes))
        raise cls(
            errors.located(
                f"expects {text} for the first call with arrays of {shown} but got "
                + got,
                frames.user_frames(),
                job.name,
            )
        )

    if traced.sources:
        refuse(
            "a job without readers in this version",
            "one that reads data: pad the arrays",
            errors.UnsupportedError,
        )
    if session.callback_errors.is_inside:
        refuse("no callback", "one: call the job once with such arrays before")
    session.synchronize()
    old = None
    with session.using_runtime_alone() as runtime:
        if (job.name, shapes) not in session.entries:
            if session.is_recording:
                refuse("no trace", "one: call the job once with such arrays before")
            old = runtime
            _grow(session, old, job, shapes)
        added = session.entries[job.name, shapes]
    if old is not None:
        # For calls that came before the gate was closed.
        session.synchronize(old)
        _warn_of_entries(session, job)
    return added


def _grow(session, old, job, shapes):
    """Adds an entry. No step can begin; reads of variables wait for those that have
    begun."""
    trace = session.trace()
    entry = entry_name(job, shapes)
    while entry in trace.traced:
        entry += "+"
    try:
        with trace.transaction():
            trace.traced[entry] = trace_job(trace, job, shapes, entry)
            compiling.complete(trace)
            artifact, runtime = session.load(trace, _read_all(session, old))
    except BaseException:
        trace.traced.pop(entry, None)
        # The module has the variables of the jobs that stay.
        compiling.complete(trace)
        raise
    session.adopt(artifact, runtime)
    session.entries[job.name, shapes] = trace.traced[entry]


def _warn_of_entries(session, job):
    entries = 1 + sum(name == job.name for name, _ in session.entries)
    if entries == _MANY_ENTRIES:
        warnings.warn(
            errors.located(
                f"expects arrays of few different shapes but got {entries}: the job "
                "is compiled for each of them; pad the arrays",
                frames.user_frames(),
                job.name,
            ),
            RuntimeWarning,
            stacklevel=frames.warn_stacklevel(),
        )


def _read_all(session, runtime):
    try:
        return {name: runtime.read_variable(name) for name in session.variables()}
    except session.runtime_module.StatusError as error:
        raise_status(error, place=frames.user_frames(), classes=COPY_ERRORS)
