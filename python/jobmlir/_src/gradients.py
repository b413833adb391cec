"""Where gradients flow."""

from __future__ import annotations

import warnings

from .blob import Blob, BlobDef
from .documentation import of_op
from .trace import begin


@of_op
def stop_gradient(x: BlobDef, name: str | None = None) -> Blob:
    """The blob itself, which no gradient flows to.

    What x is computed from is not trained by what depends on the result.

    Args:
        x: (...), any element type.

    Returns:
        x, with the gradient 0.
    """
    op = begin("stop_gradient", name, "StopGradient")
    x = op.blob(x, "x")
    if not x.dtype.is_float():
        return x  # Has no gradient.
    out = op("stop_gradient", x)
    # Nothing that looks for trained variables goes past it.
    out._operands = ()
    return out


def _depending(trace, blobs):
    """Those that a trained variable is computed into, of blobs and all that they are
    computed from."""
    known, stack = {}, list(blobs)
    while stack:
        blob = stack[-1]
        if id(blob) in known:
            stack.pop()
            continue
        open_ones = [each for each in blob._operands if id(each) not in known]
        if open_ones:
            stack.extend(open_ones)
            continue
        stack.pop()
        known[id(blob)] = (
            blob._variable is not None and trace.trains(blob._variable)
        ) or any(known[id(each)] for each in blob._operands)
    return known


def warn_of_int_casts(trace):
    """Warns at each cast to ints through which a trained variable reaches a loss: no
    gradient flows there."""
    depends, seen, stack = _depending(trace, trace.losses), set(), list(trace.losses)
    while stack:
        blob = stack.pop()
        if id(blob) in seen:
            continue
        seen.add(id(blob))
        stack.extend(blob._operands)
        if blob._cast_at is None or blob.dtype.is_float():
            continue
        (source,) = blob._operands
        if source.dtype.is_float() and depends[id(source)]:
            file, line = blob._cast_at[0][:2] if blob._cast_at else ("", 0)
            warnings.warn_explicit(
                f"no gradient flows through the cast of {source.op_name} to "
                f"{blob.dtype.canonical}, which a loss of job {trace.name} depends on",
                UserWarning,
                file,
                line,
            )
