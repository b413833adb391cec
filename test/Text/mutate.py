#!/usr/bin/env python3
"""Edits the texts of all stages at random, and runs them.

    mutate.py FOLDER [--seed N] [--count N] [--failures FOLDER] [--text NAME]
    mutate.py FOLDER --seed N --count 1 --edits 0,2

What a person may write into a text, see edits.py, has one of two ends:

- an error with a message, of the compiler or when the artifact is loaded;
- the program runs. From a text of jobs it computes what the interpreter
  computes from it (job-check-lowering; of jobs on several devices the results
  are compared, with a tolerance). A plan ends and has the same bits for
  1, 2 and 3 threads; edits of offsets, sizes, chunk counts, workspaces,
  effects, queues, records and waits change no bit of the results, nor does an
  order in which each command reads what it has read before (flow.py).

Texts with GPUs run on the simulated CUDA, each time with other orders of
streams. A crash, an endless step or a wrong result is a failure. Its edits are reduced
to those that are needed, and the text is written to the folder of failures.
Loops on memrefs (bodies that are a loop over items, functions of variants) and
the LLVM dialect are trusted, so they are not edited.
"""

import argparse
import difflib
import os
import pathlib
import random
import re
import shutil
import sys

import numpy

import edits
import flow
import tools

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Random"))
import generate  # noqa: E402

INPUTS = pathlib.Path(__file__).parent / "Inputs"
# Names of passes: stages after which texts are edited.
JOB_STAGES = ["", "job-autodiff", "job-optimizer", "job-build-initializer",
              "job-assign-layouts", "job-form-micro-steps", "job-select-implementations",
              "job-form-kernels", "job-rematerialize"]
PLAN_STAGES = ["convert-job-to-plan", "plan-select-schedules",
               "plan-fuse-epilogues", "plan-verify-memory"]
# Too many multiplications for an interpreter that runs after every pass.
ONLY_PLAN = ["images"]
# Written by hand, without jobs.
PLANS = ["queues", "streams", "ranks", "products"]
# On GPUs: jobs on several devices, a plan with collectives, and one with a kernel
# of rows.
ON_GPUS = ["mixed", "ranks", "products"]
THREADS = (1, 2, 3)
# Loops on memrefs: the code of variants, and bodies that are a loop over items.
TRUSTED = re.compile(r"\s*func\.func @(?:cpu_code|body\(%\w+: memref)")
# How many edited texts are drawn until one is accepted by the parser.
MAX_TRIES = 12


class Failure(Exception):
    pass


class Base:
    """A text that is right, and what it computes."""

    def __init__(self, name, stage, path):
        self.name, self.stage, self.path = name, stage, path
        self.lines = path.read_text().splitlines()
        self.results = None

    def is_plan(self):
        return self.stage in PLAN_STAGES

    def get_results(self, folder, names):
        if self.results is None:
            self.results = tools.run(self.path, folder / "base", names)
        return self.results


class Bases:
    """Texts of all stages, made when they are asked for."""

    def __init__(self, folder):
        self.folder = folder
        self.passes = tools.pipeline_passes(folder)
        self.cached = {}

    def get(self, name, stage):
        if (name, stage) not in self.cached:
            self.cached[name, stage] = Base(name, stage,
                                            self.make(name, stage))
        return self.cached[name, stage]

    def source(self, name):
        if not name.startswith("job"):
            return INPUTS / f"{name}.mlir"
        path = self.folder / f"{name}.mlir"
        path.write_text(generate.module(
            [generate.generate(int(name[3:]), name)]))
        return path

    def make(self, name, stage):
        source = self.source(name)
        if not stage:
            return source
        names = [tools.pass_name(pipeline) for pipeline in self.passes]
        # The last pass of the name before the code of kernels is made.
        end = names.index("plan-generate-code")
        last = end - 1 - names[:end][::-1].index(stage)
        if stage == "plan-select-schedules":
            last = names.index(stage)
        inner = ",".join(pipeline[len("builtin.module("):-1]
                         for pipeline in self.passes[:last + 1])
        path = self.folder / f"{name}-{stage}.mlir"
        tools.tool("job-opt", source, f"--pass-pipeline=builtin.module({inner})",
                   "-o", path, timeout=300)
        return path


def plan_entries(text):
    programs = re.findall(r"^ *plan\.program @\"?([^\" ]+)\"? kind (\w+)", text,
                          re.MULTILINE)
    return [name for name, kind in programs if kind != "init"]


def editable(lines):
    """The lines but for the code of kernels that is trusted."""
    trusted, kept, depth = False, [], 0
    for line in lines:
        if not trusted and TRUSTED.match(line):
            trusted, depth = True, 0
        kept.append(not trusted)
        if trusted:
            depth += line.count("{") - line.count("}")
            trusted = depth > 0
    return kept


def edit(base, drawn):
    """The edited text. Code that is trusted stands for one line each time."""
    kept = editable(base.lines)
    shown, hidden = [], {}
    for line, is_kept in zip(base.lines, kept):
        if is_kept:
            shown.append(line)
        elif shown and shown[-1].startswith("^trusted"):
            hidden[shown[-1]].append(line)
        else:
            shown.append(f"^trusted{len(hidden)}")
            hidden[shown[-1]] = [line]
    text = []
    for line in edits.apply(drawn, shown):
        text += hidden.get(line, [line])
    return "\n".join(text) + "\n"


class Mutant:
    def __init__(self, bases, seed, only=None, text=None):
        self.bases, self.seed = bases, seed
        rng = random.Random(f"mutant {seed}")
        self.is_plan = rng.random() < 0.5 or text in PLANS
        names = ["rows", "steps", "regions", "bounded", "updates", "mixed"]
        if self.is_plan:
            names += ONLY_PLAN + PLANS
        name = text or rng.choice([*names, f"job{rng.randrange(40)}"])
        self.weights = edits.DEVICE_KINDS if name in ON_GPUS else \
            edits.QUEUE_KINDS if name in PLANS else edits.KINDS
        stage = rng.choice(PLAN_STAGES if self.is_plan else JOB_STAGES)
        if name == "mixed" and not self.is_plan and rng.random() < 0.5:
            stage = "job-insert-transfers"
        self.base = bases.get(name, stage)
        self.draw(rng)
        self.all = list(range(len(self.edits)))
        if only is not None:
            self.select(only)

    def draw(self, rng):
        """Draws edits until the parser takes the text, in most cases: what it
        refuses tells little of the passes."""
        tries = 1 if rng.random() < 0.1 else MAX_TRIES
        path = self.bases.folder / "drawn.mlir"
        for number in range(tries):
            self.drawn = f"{self.seed}/{number}"
            self.edits = edits.draw(self.drawn, self.weights)
            text = edit(self.base, self.edits)
            if text.splitlines() == self.base.lines:
                continue
            path.write_text(text)
            try:
                tools.tool("job-opt", path, "-o", "/dev/null")
                return
            except tools.ToolError:
                pass
            except tools.Crash:
                return

    def select(self, numbers):
        drawn = edits.draw(self.drawn, self.weights)
        self.edits = [drawn[number] for number in numbers]

    def check(self, folder):
        """Runs the text. Returns "refused", "same" or "runs"."""
        text = edit(self.base, self.edits)
        path = folder / "mutant.mlir"
        path.write_text(text)
        if text == "\n".join(self.base.lines) + "\n":
            return "same"
        try:
            return self.check_plan(folder, path, text) if self.is_plan \
                else self.check_jobs(folder, path, text)
        except tools.ToolError as error:
            self.check_message(str(error))
            return "refused"

    def check_message(self, message):
        for wrong in ("differs from the reference", "changes what the module",
                      "agrees when it runs alone", "unrealized_conversion",
                      "LLVM ERROR", "does not dominate this use\nnote",
                      "failed to legalize", ".so:", "cannot link",
                      "cannot be converted to LLVM IR"):
            if wrong in message:
                raise Failure(message[:3000])

    def check_jobs(self, folder, path, text):
        names = tools.entries(text)
        if self.base.name in ON_GPUS:
            # What job-check-lowering runs is code for the CPU.
            tools.tool("job-opt", path, "-o", "/dev/null")
            if names:
                compare_values(
                    tools.run(path, folder / "run", names, ["--reference"]),
                    self.compare_threads(folder, path, names))
            return "runs"
        try:
            tools.tool("job-opt", path, "--job-check-lowering", "-o",
                       "/dev/null")
        except tools.ToolError as error:
            message = str(error)
            # The reference has more to say only after it has seen all ops.
            if "never initialized" in message:
                return "refused"
            raise
        if names:
            self.compare_threads(folder, path, names)
        return "runs"

    def compare_threads(self, folder, path, names):
        results = None
        for threads in THREADS:
            found = tools.run(path, folder / "run", names,
                              [f"--threads={threads}"])
            if results is not None:
                compare(f"{THREADS[0]} and {threads} threads", results, found)
            results = found
        return results

    def check_plan(self, folder, path, text):
        names = plan_entries(text)
        if not names:
            tools.tool("job-compile", path, "-o", folder / "mutant.so")
            return "runs"
        results = self.compare_threads(folder, path, names)
        touched = [edit.touched for edit in self.edits if edit.has_place]
        # Another order is another program if a command then reads what another
        # one has written.
        is_same = "order" not in touched or (
            flow.results(text) is not None
            and flow.results(text) == flow.results("\n".join(self.base.lines)))
        if all(touched) and is_same:
            # A hand-written name says nothing of the results.
            compare(f"an edit of {', '.join(touched)}",
                    self.base.get_results(folder, plan_entries(
                        self.base.path.read_text())), results)
        return "runs"


def compare(what, expected, found):
    for name in sorted(expected.keys() | found.keys()):
        if expected.get(name) != found.get(name):
            raise Failure(f"{what}: {name} differs")


def compare_values(expected, found):
    """Files of the interpreter's results and of others, with a tolerance for
    floats."""
    for name in expected.keys() | found.keys():
        if name.startswith("losses"):
            continue
        for one, other in zip(tools.arrays(expected[name], name),
                              tools.arrays(found[name], name), strict=True):
            wide = one.astype(numpy.float64), other.astype(numpy.float64)
            # An edit may make numbers too large for a comparison.
            if not all(numpy.isfinite(values).all() for values in wide):
                continue
            far = numpy.abs(wide[0] - wide[1]).max(initial=0)
            if far > 1e-3 * max(1, numpy.abs(wide[0]).max(initial=0)):
                raise Failure(f"{name} differs from the interpreter's by "
                              f"{far}")


def attempt(mutant, folder):
    """What becomes of it, and why it is a failure."""
    try:
        return mutant.check(folder), None
    except (Failure, tools.Crash) as error:
        return "failed", str(error)


def shrink(mutant, folder):
    """Leaves out edits that are not needed."""
    needed = mutant.all
    for number in mutant.all:
        fewer = [other for other in needed if other != number]
        if not fewer:
            break
        mutant.select(fewer)
        if attempt(mutant, folder)[1]:
            needed = fewer
    mutant.select(needed)
    return needed


def report(mutant, folder, failures):
    needed = shrink(mutant, folder)
    _, message = attempt(mutant, folder)
    base, text = mutant.base, (folder / "mutant.mlir").read_text()
    failures.mkdir(parents=True, exist_ok=True)
    path = failures / f"{mutant.seed}.mlir"
    path.write_text(text)
    difference = difflib.unified_diff(base.lines, text.splitlines(),
                                      "before", "after", lineterm="", n=1)
    print(f"FAILED seed {mutant.seed}, edits "
          f"{','.join(map(str, needed))} of {base.name} after "
          f"'{base.stage or 'nothing'}': {path}\n"
          + "\n".join(line[:300] for line in difference)
          + f"\n{message}\n", flush=True)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--edits", help="numbers of the only edits")
    parser.add_argument("--failures", type=pathlib.Path)
    parser.add_argument("--text", help="the only text to edit")
    arguments = parser.parse_args()
    programs = pathlib.Path(shutil.which("job-run")).resolve().parent
    os.environ.update(
        JOBMLIR_CUDA_LIBRARY=str(programs.parent / "lib/libjobsim_cuda.so"),
        JOBSIM_DEVICES="2", JOBSIM_DEADLOCK="5000")
    folder = arguments.folder
    folder.mkdir(parents=True, exist_ok=True)
    bases = Bases(folder)
    only = arguments.edits and [int(n) for n in arguments.edits.split(",")]
    counts = {}
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        mutant = Mutant(bases, seed, only, arguments.text)
        outcome, _ = attempt(mutant, folder)
        counts[outcome] = counts.get(outcome, 0) + 1
        if outcome == "failed":
            report(mutant, folder, arguments.failures or folder / "failures")
    print(f"seeds {arguments.seed} to {arguments.seed + arguments.count - 1}: "
          + ", ".join(f"{count} {name}"
                      for name, count in sorted(counts.items())))
    return 1 if counts.get("failed") else 0


if __name__ == "__main__":
    sys.exit(main())
