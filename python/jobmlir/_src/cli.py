"""`python -m jobmlir run script.py arguments...`: runs a program like
python, with this package importable as `oneflow`."""

import argparse
import importlib.util
import io
import os
import pkgutil
import sys
import types

from . import errors, frames


def _make_parser():
    parser = argparse.ArgumentParser(prog="python -m jobmlir")
    commands = parser.add_subparsers(metavar="command", required=True)
    run = commands.add_parser(
        "run",
        usage="%(prog)s [-h] (script.py | folder | file.zip | -m module) [argument ...]",
        help="run a program as python would, with oneflow meaning jobmlir",
    )
    run.add_argument("-m", dest="is_module", action="store_true", help="run a module")
    run.add_argument(
        "program",
        help="a script, a folder or zip file with __main__.py, or the name of a module",
    )
    run.add_argument(
        "arguments", nargs=argparse.REMAINDER, help="arguments of the program"
    )
    return parser


class _InnerModules:
    """Says of an import of a module inside of OneFlow that there is none."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name in ("oneflow.core", "oneflow.python"):
            raise errors.UnknownImportError(
                errors.located(
                    f"expects a module of the API but got {name}, which is inside of "
                    "OneFlow: use the functions of oneflow instead",
                    frames.user_frames(),
                )
            )
        return None


def bind_oneflow():
    """Makes this package and its modules importable as `oneflow`."""
    import jobmlir
    import jobmlir.unittest  # which would be imported twice under two names

    if _InnerModules not in sys.meta_path:
        sys.meta_path.append(_InnerModules)

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
    _run_found(spec, code)
    return 0


def _run_found(spec, code):
    _run_main(
        code,
        __spec__=spec,
        __file__=spec.origin,
        __cached__=spec.cached,
        __loader__=spec.loader,
        __package__=spec.parent,
        __builtins__=__builtins__,
    )


def _run_container(importer, path, arguments):
    """Runs the __main__.py of a folder or zip file."""
    sys.argv = [path, *arguments]
    sys.path[0] = path
    spec = importer.find_spec("__main__")
    if spec is None:
        print(
            f"{sys.executable}: can't find '__main__' module in {path!r}",
            file=sys.stderr,
        )
        return 1
    _run_found(spec, spec.loader.get_code("__main__"))
    return 0


def main(arguments):
    """Runs the command line, without the program's name. Returns the exit status;
    help and errors in the command line raise SystemExit."""
    options = _make_parser().parse_args(arguments)
    bind_oneflow()
    if options.is_module:
        return _run_module(options.program, options.arguments)
    importer = pkgutil.get_importer(options.program)
    if importer is not None:
        return _run_container(importer, options.program, options.arguments)
    if not os.path.isfile(options.program):
        print(
            f"{sys.executable}: can't open file {os.path.abspath(options.program)!r}: "
            "No such file",
            file=sys.stderr,
        )
        return 2
    _run_script(options.program, options.arguments)
    return 0
