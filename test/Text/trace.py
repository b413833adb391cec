#!/usr/bin/env python3
"""The jobs of a script as text, traced and not run.

    trace.py SCRIPT.py [ARGUMENT...]
"""

import contextlib
import pathlib
import runpy
import sys

import jobmlir as flow
from jobmlir._src import session


class FirstCall(Exception):
    """The script has defined its jobs: it calls one."""


def stop(*_):
    raise FirstCall


def main():
    script = pathlib.Path(sys.argv[1])
    sys.argv = sys.argv[1:]
    sys.path.insert(0, str(script.parent))
    session.Session.call = stop
    with contextlib.redirect_stdout(sys.stderr), contextlib.suppress(FirstCall):
        runpy.run_path(str(script), run_name="__main__")
        sys.exit(f"{script}: calls no job")
    print(flow.dump_ir("job", locations=True), end="")


if __name__ == "__main__":
    main()
