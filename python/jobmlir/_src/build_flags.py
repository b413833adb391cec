"""What a C or C++ compiler needs to build a program on the runtime, and what the
package can do."""

from __future__ import annotations

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


def get_include() -> str:
    """The folder of the runtime's headers.

    Returns:
        A path.

    Raises:
        UnsupportedError: They are not installed.
    """
    folders = [_PACKAGE / "include", _SOURCES.parents[1] / "runtime" / "include"]
    folders += [prefix / "include" for prefix in _PREFIXES]
    return str(_find("headers", folders, lambda f: (f / _HEADER).is_file()))


def _library():
    folders = [_PACKAGE, _PACKAGE.parents[1] / "lib"]
    folders += [prefix / "lib" for prefix in _PREFIXES]
    folder = _find("the library", folders, lambda f: any(f.glob(_LIBRARY + "*")))
    return min(folder.glob(_LIBRARY + "*"), key=lambda path: len(path.name))


def get_lib() -> str:
    """The folder of the runtime's library.

    Returns:
        A path.

    Raises:
        UnsupportedError: It is not installed.
    """
    return str(_library().parent)


def get_compile_flags() -> list[str]:
    """The flags to compile a program on the runtime with.

    Returns:
        Arguments of a C or C++ compiler.

    Raises:
        UnsupportedError: The headers are not installed.
    """
    return [f"-I{get_include()}"]


def get_link_flags() -> list[str]:
    """The flags to link a program on the runtime with.

    Returns:
        Arguments of a C or C++ compiler.

    Raises:
        UnsupportedError: The library is not installed.
    """
    library = _library()
    return [
        f"-L{library.parent}",
        f"-l:{library.name}",
        f"-Wl,-rpath,{library.parent}",
    ]


def with_cuda() -> bool:
    """Whether jobs can be compiled for NVIDIA GPUs.

    Returns:
        True.
    """
    return True


def with_xla() -> bool:
    """Whether XLA compiles parts of jobs.

    Returns:
        False.
    """
    return False


def has_rpc_backend_grpc() -> bool:
    """Whether a job can run on several machines.

    Returns:
        False in this version.
    """
    return False


def has_rpc_backend_local() -> bool:
    """Whether a job can run on one machine.

    Returns:
        True.
    """
    return True
