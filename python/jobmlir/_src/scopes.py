"""Placement, namespaces and the logical view of the code inside a `with`."""

import contextlib
import re
import sys
import threading

from . import errors, frames, text

_DEVICES = re.compile(r"(\d+):(\d+)(?:-(\d+))?")


class _Scopes(threading.local):
    """The active scopes of this thread, innermost last. Tracing a job starts without
    any."""

    def __init__(self):
        self.placements = []
        self.namespaces = []


_scopes = _Scopes()
_said = set()


def inform_once(message):
    """Prints a message on stderr, the first time only."""
    if message not in _said:
        _said.add(message)
        print(f"INFO: {message}", file=sys.stderr)


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
        if self.first != self.last:
            inform_once(
                "this version computes on the first device of a placement; "
                "results do not depend on it"
            )

    def __enter__(self):
        _scopes.placements.append(self)
        return self

    def __exit__(self, *unused):
        _scopes.placements.pop()


def placement(device_tag, machine_device_ids):
    """The devices of the ops inside of a `with`; the innermost one wins."""
    return PlacementScope(device_tag, machine_device_ids)


def fixed_placement(device_tag, machine_device_ids):
    """The old name of scope.placement."""
    return PlacementScope(device_tag, machine_device_ids)


def device_prior_placement(device_tag, machine_device_ids):
    """The old name of scope.placement."""
    return PlacementScope(device_tag, machine_device_ids)


class namespace:
    """Prefixes the names of ops and variables inside of a `with` with `name` and a
    dash."""

    def __init__(self, name):
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


class LogicalView:
    """The relation of blobs to devices inside of a `with`; there is only one view."""

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        pass


def consistent_view():
    """One logical array on all devices, the only view."""
    return LogicalView()


def consistent_view_enabled():
    return True


def mirrored_view_enabled():
    return False


def current_placement():
    """The innermost placement, or None."""
    return _scopes.placements[-1] if _scopes.placements else None


def qualify(name):
    """A name prefixed with the current namespaces."""
    return "-".join([*_scopes.namespaces, name])


@contextlib.contextmanager
def fresh(default_placement):
    """The initial scopes of a job's body."""
    saved = _scopes.placements, _scopes.namespaces
    _scopes.placements = [default_placement] if default_placement else []
    _scopes.namespaces = []
    try:
        yield
    finally:
        _scopes.placements, _scopes.namespaces = saved
