#!/usr/bin/env python3
"""Walks modules through every pass as text.

    walk.py FOLDER MODULE.mlir... [--every-stage] [--steps N] [--int-range N]

Each pass of the pipelines reads the text that the pass before it has printed.
What the last text computes, losses, outputs and variables, has the bits of
what the module computes that was compiled at once. With --every-stage this is
so for the text after each pass: the compiler starts again at any stage.
"""

import argparse
import pathlib
import sys

import tools


def compare(what, expected, found):
    for name in sorted(expected.keys() | found.keys()):
        if expected.get(name) != found.get(name):
            sys.exit(f"{what}: {name} differs: {expected.get(name)!r:.200} "
                     f"straight, {found.get(name)!r:.200} from the text")


def walk(module, folder, passes, arguments):
    folder.mkdir(parents=True, exist_ok=True)
    text = module.read_text()
    names = tools.entries(text)
    options = [f"--int-range={arguments.int_range}"]

    def run(path):
        return tools.run(path, folder / "run", names, options,
                         arguments.steps)

    expected = run(module)
    path = module
    for number, pipeline in enumerate(passes):
        name = tools.pass_name(pipeline)
        after = folder / f"{number:02}-{name}.mlir"
        try:
            tools.tool("job-opt", path, f"--pass-pipeline={pipeline}",
                       "--mlir-print-debuginfo", "-o", after, timeout=300)
            if arguments.every_stage or number == len(passes) - 1:
                compare(f"{module} after {name}", expected, run(after))
        except tools.ToolError as error:
            sys.exit(f"{module}, restarted at {path.name}, {name}: {error}")
        path = after


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("modules", type=pathlib.Path, nargs="+")
    parser.add_argument("--every-stage", action="store_true")
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--int-range", type=int, default=2)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    passes = tools.pipeline_passes(arguments.folder)
    for module in arguments.modules:
        walk(module, arguments.folder / module.stem, passes, arguments)


if __name__ == "__main__":
    main()
