"""`python -m jobmlir run script.py arguments...`: runs a program like
python, with this package importable as `oneflow`."""

import importlib.util
import io
import os
import sys
import types

_USAGE = "usage: python -m jobmlir run (script.py | -m module) [argument ...]"


def bind_oneflow():
    """Makes this package and its modules importable as `oneflow`."""
    import jobmlir

    for name in list(sys.modules):
        package, dot, rest = name.partition(".")
        if package == "jobmlir":
            sys.modules["oneflow" + dot + rest] = sys.modules[name]
    sys.modules["oneflow"] = jobmlir


def _run_main(code, **attributes):
    """Runs `code` as a new module __main__, which stays loaded."""
    main = types.ModuleType("__main__")
    main.__dict__.update(attributes)
    sys.modules["__main__"] = main
    exec(code, main.__dict__)


def _run_script(path, arguments):
    sys.argv = [path, *arguments]
    sys.path[0] = os.path.dirname(os.path.abspath(path))
    with io.open_code(os.path.abspath(path)) as file:
        code = compile(file.read(), path, "exec")
    _run_main(code, __file__=path, __builtins__=__builtins__)


def _run_module(name, arguments):
    sys.path[0] = os.getcwd()
    sys.argv = ["-m", *arguments]
    try:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.submodule_search_locations is not None:
            name += ".__main__"
            spec = importlib.util.find_spec(name)
    except ImportError as error:
        spec = None
        print(f"{sys.executable}: {error}", file=sys.stderr)
    code = spec.loader.get_code(name) if spec and spec.loader else None
    if code is None:
        print(f"{sys.executable}: No module named {name}", file=sys.stderr)
        return 1
    sys.argv[0] = spec.origin
    _run_main(
        code,
        __spec__=spec,
        __file__=spec.origin,
        __cached__=spec.cached,
        __loader__=spec.loader,
        __package__=spec.parent,
        __builtins__=__builtins__,
    )
    return 0


def main(arguments):
    """Runs the command line (without the program's name); returns the exit status."""
    if arguments[:1] in (["-h"], ["--help"]):
        print(_USAGE)
        return 0
    if len(arguments) < 2 or arguments[0] != "run":
        print(_USAGE, file=sys.stderr)
        return 2
    bind_oneflow()
    if arguments[1] != "-m":
        if not os.path.isfile(arguments[1]):
            print(
                f"{sys.executable}: can't open file {os.path.abspath(arguments[1])!r}: "
                "No such file",
                file=sys.stderr,
            )
            return 2
        _run_script(arguments[1], arguments[2:])
        return 0
    if len(arguments) < 3:
        print(_USAGE, file=sys.stderr)
        return 2
    return _run_module(arguments[2], arguments[3:])
