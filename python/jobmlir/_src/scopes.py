"""Placement, namespaces and the logical view of the code inside a `with`."""

import contextlib
import re
import sys
import threading

from . import errors, frames, text

_DEVICES = re.compile(r"\d+:\d+(-\d+)?")


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


class PlacementScope:
    """The devices of the ops inside of a `with`."""

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
        for part in machine_device_ids:
            if not isinstance(part, str) or not _DEVICES.fullmatch(part):
                raise errors.ConfigError(
                    errors.located(
                        f'expects devices as "machine:first-last" but got {part!r}',
                        frames.user_frames(),
                    )
                )
            if not part.startswith("0:"):
                raise errors.UnsupportedError(
                    errors.located(
                        f"expects devices of machine 0 but got {part!r}",
                        frames.user_frames(),
                    )
                )
            if "-" in part:
                inform_once(
                    "this version computes on one device; results do not depend on it"
                )
        if device_tag == "gpu":
            inform_once('there is no GPU in this build: "gpu" means "cpu"')
        self.ids = ",".join(machine_device_ids)

    @property
    def attribute(self):
        """The placement in MLIR's syntax."""
        return f'#job.placement<cpu, "{self.ids}">'

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
