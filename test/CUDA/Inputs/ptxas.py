#!/usr/bin/env python3
"""What ptxas says of the kernels of jobs.

    ptxas.py MODULE.mlir WORK-FOLDER --ptxas PROGRAM [--chips sm_80,sm_90]
             [--registers 128] [--spills 0]

Compiles the jobs of a module for GPUs and assembles their PTX. Fails where a
kernel has more bytes of spills or of local memory than --spills, or uses more
registers a thread than --registers.
"""

import argparse
import pathlib
import re
import subprocess
import sys

def job_opt(*arguments):
    return subprocess.run(["job-opt", *map(str, arguments)], check=True,
                          capture_output=True, text=True).stdout


def unescape(text):
    """The bytes of a string of MLIR."""
    return re.sub(r'\\([0-9A-F]{2}|["\\])',
                  lambda match: chr(int(match[1], 16))
                  if len(match[1]) == 2 else match[1], text)


def make_ptx(module, chip, folder):
    """The PTX of all kernels of the jobs of a module."""
    plan = folder / "plan.mlir"
    plan.write_text(job_opt(module, "--job-train-pipeline",
                            "--job-plan-pipeline=device=gpu"))
    text = job_opt(plan, "--pass-pipeline=builtin.module("
                   "plan.executable(plan-generate-code),"
                   f"job-lower-cuda-kernels{{targets={chip}}},"
                   "gpu-module-to-binary{format=isa})")
    return "".join(map(unescape,
                       re.findall(r'assembly = "((?:[^"\\]|\\.)*)"', text)))


def assemble(ptxas, path, chip):
    """{kernel: {"registers", "stack", "spills", "shared"}}"""
    process = subprocess.run([ptxas, "-v", f"-arch={chip}", "-o", "/dev/null",
                              path], capture_output=True, text=True)
    if process.returncode != 0:
        sys.exit(f"{chip}: {process.stderr[:2000]}")
    kernels, name = {}, None
    for line in process.stderr.splitlines():
        if match := re.search(r"entry function '(\w+)'", line):
            name = match[1]
            kernels[name] = {}
        elif match := re.search(r"(\d+) bytes stack frame, (\d+) bytes spill "
                                r"stores, (\d+) bytes spill loads", line):
            stack, stores, loads = map(int, match.groups())
            kernels[name].update(stack=stack, spills=stores + loads)
        elif match := re.search(r"Used (\d+) registers", line):
            kernels[name]["registers"] = int(match[1])
    return kernels


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("module", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path, help="for scratch files")
    parser.add_argument("--ptxas", required=True)
    parser.add_argument("--chips", default="sm_90")
    parser.add_argument("--registers", type=int, default=128)
    parser.add_argument("--spills", type=int, default=0)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)

    failed = False
    for chip in arguments.chips.split(","):
        path = arguments.folder / f"{chip}.ptx"
        path.write_text(make_ptx(arguments.module, chip, arguments.folder))
        kernels = assemble(arguments.ptxas, path, chip)
        if not kernels:
            sys.exit(f"{chip}: expects kernels but got none")
        for name, use in kernels.items():
            if (use["registers"] > arguments.registers
                    or max(use["stack"], use["spills"]) > arguments.spills):
                print(f"{chip}: {name}: {use}")
                failed = True
        most = max(use["registers"] for use in kernels.values())
        print(f"{chip}: {len(kernels)} kernels, {most} registers at most")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
