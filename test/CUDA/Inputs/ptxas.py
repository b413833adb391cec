#!/usr/bin/env python3
"""What ptxas says of the kernels of jobs.

    ptxas.py MODULE.mlir... WORK-FOLDER --ptxas PROGRAM [--chips sm_80,sm_90]
             [--registers 128] [--spills 0] [--allow MODULE/JOB:spills=16]...

Compiles the jobs, or plans, of each module for GPUs and assembles their PTX. Fails
where a kernel has more bytes of spills or of local memory than --spills, or uses more
registers a thread than --registers. A kernel of a job that --allow names may have
as many spills, or registers, as that says; fails where no kernel needs it. A launch
of several kernels has those of MODULE alone.
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


def make_plan(module, folder):
    """The file of a plan of the jobs of a module, if that is none itself."""
    if "plan.program" in module.read_text():
        return module
    plan = folder / "plan.mlir"
    plan.write_text(job_opt(module, "--job-train-pipeline",
                            "--job-plan-pipeline=device=gpu"))
    return plan


def make_ptx(plan, chip):
    """The PTX of all kernels of a plan."""
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


def read_jobs(plan):
    """{kernel: its jobs}; they may share one. Launches of several kernels are made
    later."""
    jobs = {}
    for job, body in re.findall(r'^  plan\.program @"?([\w-]+)"?(.*?)^  }$',
                                plan.read_text(), re.MULTILINE | re.DOTALL):
        for kernel in re.findall(r"@(kernel_\d+)", body):
            jobs.setdefault(kernel, set()).add(job)
    return jobs


def find_jobs(jobs, kernel):
    # One may be several functions, whose names begin with it.
    match = re.match(r"kernel_\d+", kernel)
    return jobs.get(match and match[0], set())


class Limits:
    """What kernels may use, and the exceptions."""

    def __init__(self, arguments):
        self.common = {"registers": arguments.registers, "spills": arguments.spills}
        self.exceptions = {}
        for text in arguments.allow:
            match = re.fullmatch(r"([\w-]+(?:/\w+)?):(registers|spills)=(\d+)",
                                 text)
            if not match:
                sys.exit(f"expects MODULE/JOB:spills=N but got {text}")
            self.exceptions[match[1], match[2]] = int(match[3])
        self.unused = set(self.exceptions)

    def allow(self, jobs, kind, value):
        """Whether a kernel of these jobs may have that many registers or spills."""
        if value <= self.common[kind]:
            return True
        found = {(job, kind) for job in jobs if (job, kind) in self.exceptions}
        self.unused -= found
        return any(value <= self.exceptions[key] for key in found)


def check(module, chip, plan, arguments, limits):
    """Whether the kernels of a module are within the limits; prints those that are
    not."""
    path = arguments.folder / f"{chip}.ptx"
    path.write_text(make_ptx(plan, chip))
    kernels = assemble(arguments.ptxas, path, chip)
    if not kernels:
        sys.exit(f"{module.name}: {chip}: expects kernels but got none")
    good = True
    jobs = read_jobs(plan)
    for name, use in kernels.items():
        of = sorted(f"{module.stem}/{job}"
                    for job in find_jobs(jobs, name)) or [module.stem]
        if not all([limits.allow(of, "registers", use["registers"]),
                    limits.allow(of, "spills", max(use["stack"], use["spills"]))]):
            print(f"{', '.join(of)}: {chip}: {name}: {use}")
            good = False
    most = max(use["registers"] for use in kernels.values())
    print(f"{module.name}: {chip}: {len(kernels)} kernels, {most} registers at most")
    return good


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", type=pathlib.Path, nargs="+")
    parser.add_argument("folder", type=pathlib.Path, help="for scratch files")
    parser.add_argument("--ptxas", required=True)
    parser.add_argument("--chips", default="sm_90")
    parser.add_argument("--registers", type=int, default=128)
    parser.add_argument("--spills", type=int, default=0)
    parser.add_argument("--allow", action="append", default=[])
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)

    limits = Limits(arguments)
    failed = False
    for module in arguments.modules:
        plan = make_plan(module, arguments.folder)
        for chip in arguments.chips.split(","):
            if not check(module, chip, plan, arguments, limits):
                failed = True
    for job, kind in sorted(limits.unused):
        print(f"{job}: expects kernels of more {kind} than "
              f"{limits.common[kind]}, as --allow says, but got none")
        failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
