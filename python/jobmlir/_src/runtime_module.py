"""The extension module _runtime, which is imported when it is first needed."""

import atexit
import functools

_at_exit = []


def call_at_exit(function):
    """Calls `function` with the module _runtime at the program's end, if it has been
    imported then. To be used before that import."""
    _at_exit.append(function)


@functools.cache
def import_runtime():
    """The module _runtime. Functions at exit run in the reverse of their order, so
    that ours come before that of the module."""
    from jobmlir import _runtime

    for function in _at_exit:
        atexit.register(function, _runtime)
    return _runtime
