"""Switches of the process that are set before jobs are defined."""

from __future__ import annotations

from . import arguments, errors
from .default_session import get_default_session
from .global_config import state as config
from .notices import inform_once

_fail = errors.failing(errors.ConfigError)


def _switch(api, name, value):
    if not arguments.is_bool(value):
        _fail(f"expects a bool for {api} but got {value!r}")
    if get_default_session().jobs:
        _fail(
            f"expects {api} before the first job of the session but got one after it",
            errors.SessionStateError,
        )
    config.values[name] = bool(value)


def enable_typing_check(val: bool = True) -> None:
    """Whether every parameter and result of a job has to be annotated.

    Args:
        val: True for yes.

    Raises:
        ConfigError: val is no bool.
        SessionStateError: Called after the first job.
    """
    _switch("experimental.enable_typing_check", "typing_check", val)


def enable_eager_execution(val: bool = True) -> None:
    """Has no effect: jobs are compiled in either case, with the same results.

    Args:
        val: What eager_execution_enabled returns.

    Raises:
        ConfigError: val is no bool.
        SessionStateError: Called after the first job.
    """
    _switch("enable_eager_execution", "eager_execution", val)
    if val:
        inform_once("enable_eager_execution: jobs are compiled all the same")


def eager_execution_enabled() -> bool:
    """What enable_eager_execution has set.

    Returns:
        False without it.
    """
    return config.values["eager_execution"]
