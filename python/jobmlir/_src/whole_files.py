"""Files that are there as a whole or not at all."""

import contextlib
import itertools
import os
import shutil
import stat

_counter = itertools.count()


def _is_special(path):
    """Whether the path is that of a device or a pipe, which nothing can replace."""
    try:
        return not stat.S_ISREG(os.stat(path).st_mode)
    except OSError:
        return False


def _sync_folder(path):
    descriptor = os.open(os.path.dirname(path), os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def create(path):
    """A file of bytes to write, which takes the place of `path` at the end of the block
    when it is on the disk. An exception leaves what was there. A link stays a link; a
    device or a pipe is written directly."""
    if _is_special(path):
        with open(path, "wb") as file:
            yield file
        return
    target = os.path.realpath(path)
    staged = f"{target}.{os.getpid()}-{next(_counter)}.tmp"
    try:
        with open(staged, "xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileNotFoundError):
            shutil.copymode(target, staged)
        os.replace(staged, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(staged)
        raise
    _sync_folder(target)
