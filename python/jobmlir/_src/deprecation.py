"""Functions under the names that they had before."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

from . import frames

_F = TypeVar("_F", bound=Callable[..., Any])


def old_name(api: str, function: _F, instead: str) -> _F:
    """`function` under its older name `api`, which asks for the name `instead`."""

    @functools.wraps(function)
    def deprecated(*arguments, **settings):
        warnings.warn(
            f"{api} is deprecated: use {instead}",
            DeprecationWarning,
            stacklevel=frames.warn_stacklevel(),
        )
        return function(*arguments, **settings)

    deprecated.__name__ = deprecated.__qualname__ = api.rpartition(".")[2]
    # Under python -OO there is no docstring.
    rest = (function.__doc__ or "").partition("\n\n")[2]
    deprecated.__doc__ = f"The old name of {instead}.\n\n{rest}"
    deprecated.__oneflow_deprecated__ = True
    return deprecated


def is_deprecated(function: Callable[..., Any]) -> bool:
    """Whether a function has a newer name.

    Args:
        function: Any function of the package.

    Returns:
        True for names that remain for old scripts.
    """
    return getattr(function, "__oneflow_deprecated__", False)
