"""Where a checkpoint is written: in a hidden folder beside its place, to which it is
renamed when every file is on the disk, so that there is the old checkpoint or the
new one at any time. As the runtime does it, whose leftovers and locks it shares."""

import contextlib
import ctypes
import errno
import fcntl
import itertools
import os
import shutil
import stat

from . import errors, frames

MANIFEST = "manifest.json"
NATIVE_DATA = "variables.safetensors"
DONE = "snapshot_done"
DATA = "out"
META = "meta"

_PREFIX = ".jobrt-checkpoint-"
_counter = itertools.count()
# renameat2(2)
_AT_FDCWD, _RENAME_EXCHANGE = -100, 2


def fail(message, cls=errors.CheckpointDataError):
    raise cls(errors.located(message, frames.user_frames()))


def fail_at(path, message, cls=errors.CheckpointDataError):
    fail(f"'{path}': {message}", cls)


def is_folder_name(name):
    """Whether a variable of this name can be a folder of a checkpoint."""
    return (
        name not in ("", ".", "..", DONE, MANIFEST, NATIVE_DATA)
        and "/" not in name
        and "\0" not in name
    )


def require_folder_name(name):
    if not is_folder_name(name):
        fail(f"variable '{name}': its name cannot be a folder of the legacy layout")


def is_complete(folder):
    """Whether the writer of a checkpoint has finished it."""
    return any(os.path.isfile(os.path.join(folder, name)) for name in (DONE, MANIFEST))


# ===- The place ------------------------------------------------------------===#


def _refuse(path, given, expected="an empty folder or none to save into"):
    fail_at(path, f"expects {expected} but got {given}", errors.CheckpointExistsError)


def _is_legacy_variable(entry):
    if not entry.is_dir(follow_symlinks=False):
        return False
    with os.scandir(entry.path) as inner:
        return all(
            each.name in (DATA, META) and each.is_file(follow_symlinks=False)
            for each in inner
        )


def _require_replaceable(folder):
    """Replacing removes what is there: a checkpoint and nothing besides."""
    expected = "a checkpoint, an empty folder or none to replace"
    own = (MANIFEST, NATIVE_DATA, DONE)
    with os.scandir(folder) as scan:
        entries = sorted(scan, key=lambda entry: entry.name)
    if not any(entry.name in own for entry in entries):
        _refuse(folder, "a folder of other things", expected)
    for entry in entries:
        if entry.name not in own and not _is_legacy_variable(entry):
            _refuse(folder, f"a checkpoint with '{entry.name}' in it", expected)


def find_place(path, replace):
    """The absolute path to save to, and whether a checkpoint is there to replace."""
    try:
        status = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        # A link that leads nowhere cannot be renamed to.
        if os.path.islink(path):
            _refuse(path, "a link")
        return os.path.abspath(path), False
    if not stat.S_ISDIR(status.st_mode):
        _refuse(path, "a file")
    place = os.path.realpath(path)
    # The new folder takes its place, and who works in it would be nowhere.
    here = os.path.realpath(os.getcwd())
    if here == place:
        _refuse(path, "the working directory")
    if os.path.commonpath([here, place]) == place:
        _refuse(path, "one with the working directory inside")
    with os.scandir(place) as scan:
        is_empty = next(scan, None) is None
    if is_empty:
        return place, False
    if not replace:
        _refuse(path, "one that is not empty")
    _require_replaceable(place)
    return place, True


# ===- Files ----------------------------------------------------------------===#


def sync_folder(path):
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_file(path, data):
    """Writes a new file of bytes, or of what has their buffer, onto the disk."""
    view = memoryview(data)
    with open(path, "xb", buffering=0) as file:
        try:
            while view.nbytes:
                view = view[file.write(view) :]
            os.fsync(file.fileno())
        except OSError as error:
            error.filename, error.action = path, "write"
            raise


def _make_folders(path):
    parent = os.path.dirname(path)
    if not os.path.isdir(parent) and parent != path:
        _make_folders(parent)
    with contextlib.suppress(FileExistsError):
        os.mkdir(path)
        sync_folder(parent)


# ===- The folder beside it -------------------------------------------------===#


def _try_lock(descriptor, path):
    """Whether no other process writes into the open folder, which is that of the name
    `path`; None on a file system without locks. Locks end with their process."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    try:
        return os.path.samestat(os.fstat(descriptor), os.lstat(path))
    except FileNotFoundError:
        return False


def _open_folder(path):
    return os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)


def _remove_leftovers(parent):
    """Removes the folders of processes that were killed while they saved."""
    with os.scandir(parent) as scan:
        names = [entry.name for entry in scan if entry.name.startswith(_PREFIX)]
    for name in names:
        path = os.path.join(parent, name)
        with contextlib.suppress(OSError):
            descriptor = _open_folder(path)
            try:
                if _try_lock(descriptor, path):
                    shutil.rmtree(path, ignore_errors=True)
            finally:
                os.close(descriptor)


@contextlib.contextmanager
def _staging(parent):
    """A new, locked folder in `parent`, which is removed at the end."""
    while True:
        path = os.path.join(parent, f"{_PREFIX}{os.getpid()}-py{next(_counter)}")
        try:
            os.mkdir(path)
        except FileExistsError:  # of a process with the same number
            continue
        try:
            descriptor = _open_folder(path)
        except FileNotFoundError:  # another process took it for a leftover
            continue
        try:
            # Another process may be about to remove it, as a leftover.
            if _try_lock(descriptor, path) is False:
                continue
            yield path
        finally:
            shutil.rmtree(path, ignore_errors=True)
            os.close(descriptor)
        return


def _exchange(one, other):
    libc = ctypes.CDLL(None, use_errno=True)
    call = getattr(libc, "renameat2", None)
    if call is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    one, other = os.fsencode(one), os.fsencode(other)
    if call(_AT_FDCWD, one, _AT_FDCWD, other, _RENAME_EXCHANGE) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def _publish(folder, place, is_taken):
    try:
        if is_taken:
            _exchange(folder, place)
        else:
            os.rename(folder, place)
    except OSError as error:
        if error.errno in (errno.ENOTEMPTY, errno.EEXIST):  # another was faster
            _refuse(place, "one that is not empty")
        if error.errno == errno.ENOTDIR:
            _refuse(place, "a file")
        if error.errno == errno.EBUSY:
            _refuse(place, "a mount point")
        if is_taken and error.errno in (errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP):
            fail_at(
                place,
                "cannot replace: expects a file system that can exchange two folders",
                errors.CheckpointIOError,
            )
        raise
    sync_folder(os.path.dirname(place))


def write_atomically(path, replace, write, fail_to_save):
    """Makes a checkpoint at `path`, which is what `write(folder)` puts into a folder
    that does not exist yet; `fail_to_save(reason)` reports what the system says."""
    inner = None
    try:
        place, is_taken = find_place(path, replace)
        parent = os.path.dirname(place)
        _make_folders(parent)
        _remove_leftovers(parent)
        with _staging(parent) as staging:
            inner = os.path.join(staging, "new")
            write(inner)
            _publish(inner, place, is_taken)
    except OSError as error:
        if isinstance(error, errors.CheckpointError):
            raise
        at = os.fsdecode(error.filename) if error.filename is not None else path
        if inner is not None:
            at = at.replace(inner, path)
        action = getattr(error, "action", "create")
        fail_to_save(f"'{at}': cannot {action}: {errors.reason(error)}")
