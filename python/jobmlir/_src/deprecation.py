"""Functions under the names that they had before."""

import functools
import warnings

from . import frames


def old_name(api, function, instead):
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
    deprecated.__doc__ = f"The old name of {instead}."
    deprecated.__oneflow_deprecated__ = True
    return deprecated


def is_deprecated(function):
    """Whether a function has a newer name."""
    return getattr(function, "__oneflow_deprecated__", False)
