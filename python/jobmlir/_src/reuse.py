"""Layers that are called twice in one job and share their variables."""

from __future__ import annotations

import contextlib
import functools
import inspect
import typing

from . import arguments
from .trace import current

_F = typing.TypeVar("_F")


@contextlib.contextmanager
def _reusing(trace):
    saved, trace.reusing = trace.reusing, True
    try:
        yield
    finally:
        trace.reusing = saved


def reusable(layer: _F) -> _F:
    """Handles the argument `reuse` of a layer, whose own body does not see it: True
    makes it one that the job has already, by its name, whose variables it shares."""

    @functools.wraps(layer)
    def wrapper(*args, reuse=False, **kwargs):
        if reuse is False:
            return layer(*args, **kwargs)
        trace = current(f"layers.{layer.__name__}")
        arguments.bools(trace.fail, reuse=reuse)
        if not reuse:
            return layer(*args, **kwargs)
        try:
            name = signature.bind_partial(*args, **kwargs).arguments.get("name")
        except TypeError:
            return layer(*args, **kwargs)  # Whose message is that of the layer.
        if name is None:
            trace.fail(
                f"expects the name of the layer to reuse, layers.{layer.__name__}(..., "
                'name="...", reuse=True), but got none'
            )
        if not trace.has_layer(name):
            trace.fail(
                "expects the name of a layer that this job has to reuse but got "
                f"{name!r}"
            )
        with _reusing(trace):
            return layer(*args, **kwargs)

    signature = inspect.signature(layer)
    return wrapper
