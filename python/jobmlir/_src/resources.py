"""The machines and devices of the process, and how jobs share them."""

from __future__ import annotations

import typing
from typing import Any

from . import errors
from .global_config import state as config
from .notices import inform_once

_STRATEGIES = ("reuse_mem_priority", "parallelism_priority", "custom_parallelism")

_fail = errors.failing(errors.ConfigError)


def current_machine_id() -> int:
    """The number of this machine.

    Returns:
        0, since it is the only one.
    """
    return 0


class Resource(typing.NamedTuple):
    """What jobs may use."""

    machine_num: int
    gpu_device_num: int
    cpu_device_num: int
    compute_thread_pool_size: int
    enable_debug_mode: bool


def current_resource() -> Resource:
    """What jobs may use, as the settings of config say.

    Returns:
        The numbers of machines, devices and threads, as attributes.
    """
    values = {name: config.values[name] for name in Resource._fields}
    values["gpu_device_num"] = values["gpu_device_num"] or 1
    return Resource(**values)


def _check_groups(groups):
    if not isinstance(groups, (list, tuple)) or not all(
        isinstance(group, (list, tuple)) and all(isinstance(n, str) for n in group)
        for group in groups
    ):
        _fail(
            "expects job_name_groups to be a list of lists of names of jobs but got "
            f"{groups!r}"
        )


def inter_job_reuse_mem_strategy(
    strategy_str: str, job_set: object = None, **kwargs: Any
) -> None:
    """Has no effect: the jobs of a session share one arena, and run one by one.

    Args:
        strategy_str: "reuse_mem_priority", "parallelism_priority" or
            "custom_parallelism".
        job_set: Has no effect.
        kwargs: job_name_groups, lists of names of jobs, for "custom_parallelism".

    Raises:
        ConfigError: There is no such strategy, or the groups do not fit.
    """
    if strategy_str not in _STRATEGIES:
        _fail(
            f"expects a strategy of {', '.join(_STRATEGIES)} but got {strategy_str!r}"
        )
    groups = kwargs.pop("job_name_groups", None)
    if kwargs:
        _fail(f"expects job_name_groups but got {', '.join(kwargs)}")
    if strategy_str == "custom_parallelism":
        _check_groups(groups)
    elif groups is not None:
        _fail(f"expects job_name_groups with custom_parallelism but got {strategy_str}")
    if strategy_str != "reuse_mem_priority":
        inform_once(
            f"inter_job_reuse_mem_strategy: {strategy_str} has no effect, the jobs of a "
            "session share one arena"
        )
