"""What the jobs of the session are to the compiler: IR, pictures, memory, decisions."""

from __future__ import annotations

from .session import get_default_session


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
    return get_default_session().dump_ir(stage, locations)


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
    return get_default_session().graph_svg(stage, entry, updates)


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
    return get_default_session().memory_report(html)


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
    return get_default_session().explain(*topics)


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
    return get_default_session().memory_totals()
