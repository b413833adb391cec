"""Placement, namespaces and the logical view of the code inside a `with`."""

from __future__ import annotations

import contextlib
import re
import threading
import typing
from collections.abc import Sequence
from typing import Any

from . import errors, frames, text
from .deprecation import old_name
from .documentation import documented
from .global_config import state as config
from .notices import inform_once

_DEVICES = re.compile(r"(\d+):(\d+)(?:-(\d+))?")


class _Scopes(threading.local):
    """The active scopes of this thread, innermost last. Tracing a job starts without
    any."""

    def __init__(self):
        self.placements = []
        self.namespaces = []
        self.views = []


_scopes = _Scopes()


def _parse_devices(part):
    """(machine, first device, last device) of the user's text."""
    match = _DEVICES.fullmatch(part) if isinstance(part, str) else None
    if match is None:
        raise errors.ConfigError(
            errors.located(
                f'expects devices as "machine:first-last" but got {part!r}',
                frames.user_frames(),
            )
        )
    machine, first, last = match.groups()
    devices = int(machine), int(first), int(first if last is None else last)
    if devices[1] > devices[2]:
        raise errors.ConfigError(
            errors.located(
                "expects the first device of a range to be at most the last but got "
                f"{part!r}",
                frames.user_frames(),
            )
        )
    if devices[0] != 0:
        raise errors.UnsupportedError(
            errors.located(
                f"expects devices of machine 0 but got {part!r}", frames.user_frames()
            )
        )
    return devices


class PlacementScope:
    """The devices of the ops inside of a `with`, of which this version computes on
    the first one. `tag` is "cpu" or "gpu", `first` and `last` are indices."""

    def __init__(self, device_tag, machine_device_ids):
        if device_tag not in ("cpu", "gpu"):
            raise errors.ConfigError(
                errors.located(
                    f'expects a device tag of "cpu" or "gpu" but got {device_tag!r}',
                    frames.user_frames(),
                )
            )
        if isinstance(machine_device_ids, str):
            machine_device_ids = [machine_device_ids]
        if not isinstance(machine_device_ids, (list, tuple)) or not machine_device_ids:
            raise errors.ConfigError(
                errors.located(
                    'expects devices as "machine:first-last", or a list of them, but '
                    f"got {machine_device_ids!r}",
                    frames.user_frames(),
                )
            )
        ranges = sorted(_parse_devices(part) for part in machine_device_ids)
        for before, after in zip(ranges, ranges[1:]):
            if before[2] >= after[1]:
                raise errors.ConfigError(
                    errors.located(
                        f"expects each device once but got 0:{after[1]} twice",
                        frames.user_frames(),
                    )
                )
        self.tag = device_tag
        self.first = ranges[0][1]
        self.last = ranges[-1][2]
        self.count = sum(last - first + 1 for _, first, last in ranges)
        if self.first != self.last:
            inform_once(
                "this version computes on the first device of a placement; "
                "results do not depend on it"
            )

    def __enter__(self):
        _scopes.placements.append(self)
        check_view()
        return self

    def __exit__(self, *unused):
        _scopes.placements.pop()


def placement(
    device_tag: str, machine_device_ids: str | Sequence[str]
) -> PlacementScope:
    """The devices of the ops inside of a with; the innermost one wins.

    Ops in none are in that of function_config.default_placement_scope, or else on the
    first GPU, or on the CPU where there is none. This version computes on the first
    device; results do not depend on it.

    Args:
        device_tag: "cpu" or "gpu". Where there is no GPU, the CPU computes, with a
            warning.
        machine_device_ids: Devices as "machine:first-last", such as "0:0", or a list of
            them.

    Returns:
        A context.

    Raises:
        ConfigError: The text is none of devices, or has one twice.
        UnsupportedError: A machine other than 0.
    """
    return PlacementScope(device_tag, machine_device_ids)


fixed_placement = old_name("fixed_placement", placement, "scope.placement")
device_prior_placement = old_name(
    "device_prior_placement", placement, "scope.placement"
)


@documented
class namespace:
    """Prefixes the names of ops and variables inside of a with.

    Args:
        name: The prefix, which a dash follows.

    Raises:
        ConfigError: It is no name.
    """

    def __init__(self, name: str) -> None:
        if not isinstance(name, str) or not name or not text.is_unicode(name):
            raise errors.ConfigError(
                errors.located(
                    f"expects the name of a namespace but got {name!r}",
                    frames.user_frames(),
                )
            )
        self._name = name

    def __enter__(self):
        _scopes.namespaces.append(self._name)

    def __exit__(self, *unused):
        _scopes.namespaces.pop()


name_scope = old_name("name_scope", namespace, "scope.namespace")
variable_scope = old_name("deprecated.variable_scope", namespace, "scope.namespace")


class LogicalView:
    """The relation of blobs to devices inside of a `with`."""

    def __init__(self, is_mirrored):
        self.is_mirrored = is_mirrored

    def __enter__(self):
        _scopes.views.append(self)
        check_view()
        return self

    def __exit__(self, *unused):
        _scopes.views.pop()


def consistent_view() -> LogicalView:
    """The view of one logical array on all devices, the default.

    Returns:
        A context.
    """
    return LogicalView(False)


def mirrored_view() -> LogicalView:
    """The view of an array of its own on each device, of which there is one.

    Returns:
        A context.
    """
    return LogicalView(True)


def consistent_view_enabled() -> bool:
    """Whether the innermost view is the consistent one.

    Returns:
        True outside of a mirrored view.
    """
    return not mirrored_view_enabled()


def mirrored_view_enabled() -> bool:
    """Whether the innermost view is the mirrored one.

    Returns:
        True inside of a mirrored view.
    """
    return bool(_scopes.views) and _scopes.views[-1].is_mirrored


def device_count():
    """The number of devices of the ops here, by the placement and the settings."""
    placement = current_placement()
    return placement.count if placement else config.values["gpu_device_num"] or 1


def require_one_device(what, place=None):
    """Refuses what needs a part of a blob on each of several devices; `place` is the
    user's frames."""
    if device_count() > 1:
        raise errors.UnsupportedError(
            errors.located(
                f"expects {what} on one device in this version but got "
                f"{device_count()} devices: several come later",
                place or frames.user_frames(),
            )
        )


def check_view(place=None):
    """Refuses the mirrored view on several devices; `place` is the user's frames."""
    # Outside of jobs the placement is that of no op.
    if errors.tracing.job_name and mirrored_view_enabled():
        require_one_device("the mirrored view", place)


def current_placement():
    """The innermost placement, or None."""
    return _scopes.placements[-1] if _scopes.placements else None


@contextlib.contextmanager
def placed(placement):
    """A context in a PlacementScope, or in none for None."""
    _scopes.placements.append(placement)
    try:
        yield
    finally:
        _scopes.placements.pop()


class Scope(typing.NamedTuple):
    """What holds for the ops here."""

    placement: PlacementScope | None
    namespaces: tuple
    is_mirrored: bool


def current_scope() -> Any:
    """The innermost placement, the namespaces and the view.

    Returns:
        They are attributes.
    """
    return Scope(
        current_placement(), tuple(_scopes.namespaces), mirrored_view_enabled()
    )


def qualify(name):
    """A name prefixed with the current namespaces."""
    return "-".join([*_scopes.namespaces, name])


@contextlib.contextmanager
def fresh(default_placement, default_view):
    """The initial scopes of a job's body."""
    saved = dict(_scopes.__dict__)
    _scopes.placements = [default_placement] if default_placement else []
    _scopes.namespaces = []
    _scopes.views = [default_view] if default_view else []
    try:
        yield
    finally:
        _scopes.__dict__.update(saved)
