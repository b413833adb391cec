"""What the jobs of the session are to the compiler: IR, pictures, memory, decisions."""

from __future__ import annotations

import warnings

from . import arguments, debug_pages, errors, frames, text
from .default_session import get_default_session

_STAGES = tuple(debug_pages.STAGES)
# What --explain of the tools takes.
_TOPICS = ("fusion", "memory", "kernels")

_fail = errors.failing(errors.ArgumentError)


def _ask(question):
    return get_default_session().ask(question)


def _check_stage(stage):
    if stage not in _STAGES:
        _fail(f"expects a stage of {', '.join(_STAGES)} but got {stage!r}")


def dump_ir(stage: str = "job", locations: bool = False) -> str:
    """The IR of all jobs of the session as text after a stage.

    Args:
        stage: "job" as traced, "train" with gradients and updates, "plan" with memory,
            or "lower".
        locations: Whether ops have the user's lines.

    Returns:
        MLIR.

    Raises:
        ArgumentError: There is no such stage.
        CompileError: The compiler rejects the jobs.
    """
    _check_stage(stage)
    arguments.bools(_fail, locations=locations)
    return _ask(lambda module: module.print_stage(stage, bool(locations)))


def graph_svg(stage: str = "job", entry: str = "", updates: bool = False) -> str:
    """A picture of all jobs of the session, or of one, after a stage.

    Args:
        stage: "job", "train", "plan" or "lower", as of dump_ir.
        entry: The name of a job; empty is all.
        updates: Whether each variable's update is shown as its ops, not as one box.

    Returns:
        SVG by Graphviz's program dot; where it is not on PATH the DOT text, with a
        RuntimeWarning.

    Raises:
        ArgumentError: There is no such stage or job.
        CompileError: The compiler rejects the jobs.
    """
    _check_stage(stage)
    if not isinstance(entry, str) or not text.is_unicode(entry):
        _fail(f"expects the name of a job to draw but got {entry!r}")
    arguments.bools(_fail, updates=updates)
    picture, is_drawn = _ask(
        lambda module: module.draw_stage(stage, entry, bool(updates))
    )
    if not is_drawn:
        warnings.warn(
            "expects Graphviz's program 'dot' on PATH to draw a picture; "
            "graph_svg returns its DOT text",
            RuntimeWarning,
            stacklevel=frames.warn_stacklevel(),
        )
        return picture
    from . import notebook

    return notebook.Picture(picture)


def memory_report(html: bool = False) -> str:
    """The memory of the session's jobs, before any of them runs.

    Arena, lower bound, variables, staging, workspace and constants, and the largest
    buffers at the peak with the user's lines.

    Args:
        html: Whether it is an HTML page with a picture.

    Returns:
        Text.

    Raises:
        CompileError: The compiler rejects the jobs.
    """
    from . import notebook

    arguments.bools(_fail, html=html)
    report = _ask(lambda module: module.report_memory(bool(html)))
    return notebook.Page(report) if html else report


def explain(*topics: str) -> str:
    """Why the compiler decided as it did, one line for each decision.

    Each has the user's line, the topic, the job, the op and the reason.

    Args:
        topics: "fusion" (which ops became one kernel, and which did not), "memory"
            (updates in place, the packing of the arena) and "kernels" (loops, chunks,
            library calls); none for all.

    Returns:
        Text.

    Raises:
        ArgumentError: There is no such topic.
        CompileError: The compiler rejects the jobs.
    """
    for topic in topics:
        if topic not in _TOPICS:
            _fail(f"expects a topic of {', '.join(_TOPICS)} but got {topic!r}")
    return _ask(lambda module: module.explain(list(topics or _TOPICS)))


def memory_totals() -> dict[str, int]:
    """Bytes that the session will need, before any of its jobs runs.

    Jobs do not run concurrently, so arena, staging and workspace are the maximum over
    all jobs.

    Returns:
        "arena" (and "arena_lower_bound", the peak of live bytes), "bank" (the
        variables), "staging" (of one call), "workspace", "constants" and "total".

    Raises:
        CompileError: The compiler rejects the jobs.
    """
    return _ask(lambda module: module.memory_totals())
