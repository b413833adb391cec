"""Clipping of gradients."""

from __future__ import annotations

from . import arguments, errors, schedules, text
from .hints import Number

_fail = errors.failing(errors.TrainConfError)


class Clipping:
    """How the gradients of an optimizer are clipped. `is_joint` if the norm is of the
    gradients of all optimizers of the job that are clipped so."""

    def __init__(self, clip_norm, legacy, is_joint=False):
        self._clip_norm = clip_norm
        self._legacy = legacy
        self._is_joint = is_joint

    @property
    def attribute(self):
        joint = ", joint = true" if self._is_joint else ""
        return (
            f"#job.clip_by_global_norm<clip_norm = {text.number(self._clip_norm)}, "
            f"legacy = {'true' if self._legacy else 'false'}{joint}>"
        )

    def joint(self):
        """The same for several optimizers together."""
        return Clipping(self._clip_norm, self._legacy, True)


def by_global_norm(clip_norm: Number, legacy: bool = False) -> Clipping:
    """Multiplies all gradients by min(1, clip_norm / n).

    n is the Euclidean norm of all elements of the gradients of all variables that the
    optimizer updates, with their regularizers and without the loss scale. OneFlow 0.1
    to 0.3 divided them by max(n, clip_norm), which also changes gradients within the
    limit.

    Args:
        clip_norm: The largest norm, positive.
        legacy: Whether gradients are divided as in OneFlow 0.1 to 0.3.

    Returns:
        What an optimizer takes as grad_clipping.

    Raises:
        TrainConfError: clip_norm is not positive.
    """
    clip_norm = schedules.require_number(clip_norm, "clip_norm")
    if not clip_norm > 0:
        _fail(f"expects clip_norm to be positive but got {clip_norm}")
    arguments.bools(_fail, legacy=legacy)
    return Clipping(clip_norm, legacy)


def check(clipping):
    """Checks an argument that is a Clipping or None."""
    if clipping is not None and not isinstance(clipping, Clipping):
        _fail(
            "expects grad_clipping to be what optimizer.grad_clipping makes, such as "
            f"by_global_norm(1.0), but got {clipping!r}"
        )
    return clipping
