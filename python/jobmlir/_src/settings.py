"""Groups of settings, which are called with their values."""

from __future__ import annotations

import difflib
import typing

from . import errors, frames

_T = typing.TypeVar("_T", contravariant=True)


class Setting(typing.Protocol[_T]):
    """A setting as type checkers know it. Those of config say whether they have an
    effect."""

    def __call__(self, value: _T) -> bool: ...


class FlagSetting(typing.Protocol):
    """A setting that is on when it is called without a value."""

    def __call__(self, value: bool = True) -> bool: ...


def fail(message, cls=errors.ConfigError):
    raise cls(errors.located(message, frames.user_frames()))


class Settings:
    """Base class of a group. Access to an unknown setting is an error that names it,
    and so is an assignment, which would replace a setting by a value."""

    _group = None  # what users call it

    if not typing.TYPE_CHECKING:

        def __getattr__(self, name):
            return self._unknown(name)

    def _unknown(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        known = [other for other in dir(self) if not other.startswith("_")]
        near = difflib.get_close_matches(name, known, 1)
        hint = f", such as {near[0]}," if near else ""
        fail(f"expects a setting of {self._group}{hint} but got {name!r}")

    def __setattr__(self, name, value):
        if name.startswith("_"):
            super().__setattr__(name, value)
            return
        getattr(self, name)  # complains when there is none
        fail(
            f"expects no assignment to {self._group}.{name}, because settings are "
            f"called, but got {value!r}"
        )
