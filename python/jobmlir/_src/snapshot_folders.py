"""The names in the folder of a checkpoint. The runtime writes it (jobrt/checkpoint.h)."""

import os

from . import errors, frames

MANIFEST = "manifest.json"
NATIVE_DATA = "variables.safetensors"
DONE = "snapshot_done"
CHECKSUMS = "checksums.json"
DATA = "out"
META = "meta"


def fail(message, cls=errors.CheckpointDataError):
    raise cls(errors.located(message, frames.user_frames()))


def fail_at(path, message, cls=errors.CheckpointDataError):
    fail(f"'{path}': {message}", cls)


def is_folder_name(name):
    """Whether a variable of this name can be a folder of a checkpoint."""
    return (
        name not in ("", ".", "..", DONE, CHECKSUMS, MANIFEST, NATIVE_DATA)
        and "/" not in name
        and "\0" not in name
    )


def require_folder_name(name):
    if not is_folder_name(name):
        fail(f"variable '{name}': its name cannot be a folder of the legacy layout")


def is_complete(folder):
    """Whether the writer of a checkpoint has finished it."""
    return any(os.path.isfile(os.path.join(folder, name)) for name in (DONE, MANIFEST))
