"""The files of the repository. What else lies in a checkout is no part of the site;
git tells them apart, so a site is built in a clone."""

import functools
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


@functools.cache
def files():
    """Their paths, relative to ROOT. A file that was deleted is not among them."""
    # The checkout may have another owner.
    command = ["git", "-c", "safe.directory=*", "-C", ROOT, "ls-files", "-z"]
    listed = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    return frozenset(path for path in listed.split("\0") if (ROOT / path).is_file())


@functools.cache
def folders():
    """Those that have files, relative to ROOT."""
    return frozenset(
        str(folder)
        for path in files()
        for folder in pathlib.PurePosixPath(path).parents
        if folder.name
    )
