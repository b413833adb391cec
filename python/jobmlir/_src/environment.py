"""The environment of the process: the machines, and where logs go."""

from __future__ import annotations

import sys
from typing import Any, Protocol

from . import arguments, errors
from .documentation import family_of_values
from .global_config import state as config
from .hints import Path
from .notices import warn_once

_fail = errors.failing(errors.ConfigError)


def init() -> bool:
    """Ends the settings of this module.

    Returns:
        True.
    """
    config.values["env_initialized"] = True
    return True


def _may_set(name):
    if config.values["env_initialized"]:
        print(
            f"env.{name}: Nothing happened because environment has been initialized",
            file=sys.stderr,
        )
        return False
    return True


def machine(*machines: Any) -> bool:
    """The machines, of which there is one in this version.

    Args:
        machines: Dictionaries with the address of each, {"addr": address}, or a list of
            them.

    Returns:
        False after env.init, when nothing changes.

    Raises:
        ConfigError: It is no machine.
        UnsupportedError: There are several.
    """
    if len(machines) == 1 and isinstance(machines[0], (list, tuple)):
        machines = machines[0]
    if not machines:
        _fail("expects at least one machine but got none")
    for one in machines:
        if not isinstance(one, dict) or not isinstance(one.get("addr"), str):
            _fail(f'expects a machine as {{"addr": address}} but got {one!r}')
    if len(machines) > 1:
        _fail(
            f"expects one machine in this version but got {len(machines)}",
            errors.UnsupportedError,
        )
    return _may_set("machine")


def log_dir(val: Path) -> bool:
    """The folder that config.enable_debug_mode writes to (default: log).

    Args:
        val: A path.

    Returns:
        False after env.init, when nothing changes.

    Raises:
        ConfigError: It is no path.
    """
    path = arguments.path(_fail, val, "write logs to")
    if not _may_set("log_dir"):
        return False
    config.values["log_dir"] = path
    return True


class EnvSetting(Protocol):
    """A setting of the environment, as type checkers know it."""

    def __call__(self, val: int) -> bool: ...


_of_no_effect = family_of_values(
    returns="False after env.init.",
    raises={"ConfigError": "val is no int."},
    val="What the setting was in OneFlow.",
)


def _int_setting(name: str) -> EnvSetting:
    def function(val: int) -> bool:
        if not arguments.is_int(val):
            _fail(f"expects an int for env.{name} but got {val!r}")
        if not _may_set(name):
            return False
        warn_once(f"env.{name} has no effect in this version")
        return True

    function.__name__ = function.__qualname__ = name
    function.__doc__ = "Has no effect: there is one machine."
    return _of_no_effect(function)


ctrl_port = _int_setting("ctrl_port")
data_port = _int_setting("data_port")
logbuflevel = _int_setting("logbuflevel")
logtostderr = _int_setting("logtostderr")


def grpc_use_no_signal(val: bool = True) -> bool:
    """Has no effect: no signals are handled.

    Args:
        val: A bool.

    Returns:
        False after env.init.

    Raises:
        ConfigError: It is no bool.
    """
    arguments.bools(_fail, val=val)
    if not _may_set("grpc_use_no_signal"):
        return False
    warn_once("env.grpc_use_no_signal has no effect in this version")
    return True


def init_worker(scp_binary: bool = True, use_uuid: bool = True) -> None:
    """Has no effect: there are no workers on other machines.

    Args:
        scp_binary: Has no effect.
        use_uuid: Has no effect.
    """
    arguments.bools(_fail, scp_binary=scp_binary, use_uuid=use_uuid)
    warn_once("deprecated.init_worker has no effect: there is one machine")


def delete_worker() -> None:
    """Has no effect: there are no workers on other machines."""
    warn_once("deprecated.delete_worker has no effect: there is one machine")
