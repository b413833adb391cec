"""What a C or C++ compiler needs to build a program on the runtime, and what the
package can do."""

import pathlib
import sys

from . import errors, frames

# The package, as imported and where its files are.
_PACKAGE = pathlib.Path(__file__).parents[1]
_SOURCES = pathlib.Path(__file__).resolve().parents[1]

_PREFIXES = (pathlib.Path(sys.prefix), pathlib.Path("/usr/local"), pathlib.Path("/usr"))
_HEADER = "jobrt/c_api.h"
_LIBRARY = "libjobrt.so"


def _find(what, folders, is_there):
    for folder in folders:
        if is_there(folder):
            return folder
    raise errors.UnsupportedError(
        errors.located(
            f"expects {what} of the runtime beside the package or in a prefix but got "
            "none; install the runtime: cmake --install",
            frames.user_frames(),
        )
    )


def get_include():
    """The folder of the runtime's headers."""
    folders = [_PACKAGE / "include", _SOURCES.parents[1] / "runtime" / "include"]
    folders += [prefix / "include" for prefix in _PREFIXES]
    return str(_find("headers", folders, lambda f: (f / _HEADER).is_file()))


def _library():
    folders = [_PACKAGE, _PACKAGE.parents[1] / "lib"]
    folders += [prefix / "lib" for prefix in _PREFIXES]
    folder = _find("the library", folders, lambda f: any(f.glob(_LIBRARY + "*")))
    return min(folder.glob(_LIBRARY + "*"), key=lambda path: len(path.name))


def get_lib():
    """The folder of the runtime's library."""
    return str(_library().parent)


def get_compile_flags():
    """The flags to compile with."""
    return [f"-I{get_include()}"]


def get_link_flags():
    """The flags to link with."""
    library = _library()
    return [
        f"-L{library.parent}",
        f"-l:{library.name}",
        f"-Wl,-rpath,{library.parent}",
    ]


def with_cuda():
    """Whether jobs can be compiled for NVIDIA GPUs: always."""
    return True


def with_xla():
    """Whether XLA compiles parts of jobs: never."""
    return False


def has_rpc_backend_grpc():
    """Whether a job can run on several machines: not in this version."""
    return False


def has_rpc_backend_local():
    """Whether a job can run on one machine: always."""
    return True
