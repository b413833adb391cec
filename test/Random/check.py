#!/usr/bin/env python3
"""Runs random jobs and compares what must be equal.

    check.py FOLDER [--seed N] [--count N] [--batch N] [--failures FOLDER]
             [--device cuda|mixed]
    check.py FOLDER --seed N --count 1 --options N --check CHECK

Every batch of jobs is one module. It is printed and parsed, compiled with all
optimisations and with none, run on one thread and on three, and compared with
the float64 interpreter, which runs it unsimplified; gradients are compared
with central differences. Then each job is compiled by a subset of the passes of
its own (passes.py): one that must keep all bits, or any one, compared with the
interpreter.

With --device, the jobs are compiled for it and run there, with all
optimisations and with none, and under several seeds of the simulated CUDA,
which runs streams and the threads of a block in random orders. With --device
mixed, each op is placed on the CPU or one of two simulated GPUs at random.

How far a float may be from the interpreter's depends on the job: subtracting
two large numbers or dividing by a small one magnifies every rounding before
it. A result that is within BASE_ULPS units in the last place of its largest
magnitude is right. For any other one the interpreter runs COPIES copies of the
job in which each value that is rounded is multiplied by 1 + noise, the noise
being 16 times a rounding (jobs.NOISE): a result may differ by SAFETY times as
much as a copy does. A jump (a comparison, an index of a maximum) that noise
can flip shows in a copy, too; a result that it reaches is not judged, and the
summary counts it.
"""

import argparse
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys

import ml_dtypes
import numpy

import generate
import passes
import shrink
import training

BASE_ULPS = 16
COPIES = 8
SAFETY = 4
# A result that noise moves further than this, relatively, says little.
LOOSE = 1e-2
# What may be left of a difference of equal numbers inside of one op, such as the
# variance of a constant or the gradient of attention to equal values, in
# roundings squared: values are hundreds at most, learning rates hundredths.
NOTHING_LEFT = 1e4

NOTHING = ["--simplify=false", "--fuse=false", "--schedule=false",
           "--in-place=false", "--packing=none", "--epilogues=false",
           "--join-launches=false", "--queues=one", "--layouts=false"]
DTYPES = {"F16": numpy.float16, "BF16": ml_dtypes.bfloat16,
          "F32": numpy.float32, "F64": numpy.float64, "BOOL": numpy.bool_,
          "I8": numpy.int8, "U8": numpy.uint8, "I32": numpy.int32,
          "I64": numpy.int64}


class ToolError(Exception):
    """A tool failed where it may not."""


class Failure(Exception):
    """A check of some jobs that failed: `jobs` are names."""

    def __init__(self, check, message, names=None):
        super().__init__(f"{check}: {message}")
        self.check, self.message, self.names = check, message, names


def tool(*command):
    process = subprocess.run(list(map(str, command)), capture_output=True,
                             text=True, timeout=900)
    if process.returncode != 0:
        raise ToolError(f"{command[0]} {' '.join(map(str, command[1:]))[:300]}"
                        f": status {process.returncode}: "
                        f"{first_error(process.stderr)}")
    return process.stdout


def first_error(text):
    """Diagnostics go on with the whole job."""
    at = max(text.find("error: "), 0)
    return text[at:at + 1500]


def in_f64(text):
    return re.sub("xb?f(16|32)>", "xf64>", text)


def owns(job, name):
    """Whether a variable is one of the job's: one that it names, or the state
    of an update."""
    return name in job.variables or any(
        variable.trained and name.startswith(f"{own}-")
        for own, variable in job.variables.items())


def with_bounds(job, results):
    """The results, those that are bounded with zeros up to the bound."""
    for index, number in enumerate(job.outputs):
        type, key = job.type(number), f"out{index}"
        if type.bounded:
            found = results[key]
            rows = type.shape[0] - len(found)
            results[key] = numpy.pad(found, [(0, rows), (0, 0)])
    return results


def read_checkpoint(folder, is_wanted):
    for path in folder.glob("*.safetensors"):
        data = path.read_bytes()
        end = 8 + int.from_bytes(data[:8], "little")
        for name, tensor in json.loads(data[8:end]).items():
            if not is_wanted(name):
                continue
            first, last = tensor["data_offsets"]
            yield name, numpy.frombuffer(
                data[end + first:end + last],
                DTYPES[tensor["dtype"]]).reshape(tensor["shape"])


def run(folder, module, names, owners, has_variables, options):
    """{job: {result: array}} of the jobs `names` of a module. `owners` has the
    job whose outputs and variables these are."""
    shutil.rmtree(folder, ignore_errors=True)
    # job-run makes folders of the jobs' names when there are several.
    inner = "" if len(names) > 1 else names[0]
    save = [f"--save={folder / 'variables' / inner}"] if has_variables else []
    tool("job-run", module, f"--entry={','.join(names)}",
         f"--output={folder / 'outputs' / inner}", *save, *options)
    results = {}
    for name in names:
        found = results[name] = {}
        for path in (folder / "outputs" / name).glob("*.npy"):
            found[path.stem] = decode(numpy.load(path))
        with_bounds(owners[name], found)
        for variable, value in read_checkpoint(
                folder / "variables" / name,
                lambda variable: owns(owners[name], variable)):
            found[variable] = value
    shutil.rmtree(folder, ignore_errors=True)
    return results


def magnitude(value):
    finite = value[numpy.isfinite(value)]
    return numpy.abs(finite.astype(numpy.float64)).max(initial=0)


def is_float(value):
    # Numbers of ml_dtypes are of the kind V.
    return value.dtype.kind in "fV"


def decode(array):
    """NumPy writes and reads bf16 as two bytes without a meaning."""
    return array.view(ml_dtypes.bfloat16) if array.dtype == "V2" else array


def distance(a, b):
    """Elementwise; 0 where both are the same, infinite where one is not
    finite."""
    with numpy.errstate(invalid="ignore", over="ignore"):
        far = numpy.abs(a.astype(numpy.float64) - b.astype(numpy.float64))
    same = (a == b) | ((a != a) & (b != b))
    return numpy.where(same, 0, numpy.where(numpy.isnan(far), numpy.inf, far))


def base_limit(exact):
    if not is_float(exact):
        return 0
    rounding = float(ml_dtypes.finfo(exact.dtype).eps)
    return max(BASE_ULPS * rounding * magnitude(exact),
               NOTHING_LEFT * rounding ** 2)


def describe(value, exact, far, limit):
    at = numpy.unravel_index(int(numpy.argmax(far)), far.shape)
    return f"{int((far > limit).sum())} of {far.size} elements differ by " \
           f"more than {limit:.3g}: expects {exact[at]!r} but got " \
           f"{value[at]!r} at {tuple(map(int, at))}"


class Checker:
    """The checks of one batch of jobs, in a folder."""

    # What runs the jobs, where it is not the host: a device of job-run, or
    # `mixed`.
    device = None

    def __init__(self, jobs, folder, seed, counts=None, subsets=None):
        """`subsets` are passes for jobs by name, for those of the seed."""
        self.jobs = jobs
        self.folder = folder
        self.counts = counts if counts is not None else {}
        rng = random.Random(f"options {seed}")
        self.steps = rng.choice([1, 2])
        self.init = rng.randint(1, 1000)
        self.subsets = {job.name: passes.Subset(
            random.Random(f"passes {seed} {job.name}")) for job in jobs}
        self.subsets.update(subsets or {})
        folder.mkdir(parents=True, exist_ok=True)
        self.module = folder / "jobs.mlir"
        self.module.write_text(generate.module(jobs))
        self.cached = {}

    @property
    def checks(self):
        """Name to function, in the order of their costs."""
        if self.device:
            return {"default": self.check_default,
                    "nothing": self.check_nothing, "orders": self.check_orders}
        return {"text": self.check_text, "default": self.check_default,
                "nothing": self.check_nothing, "threads": self.check_threads,
                "gradients": self.check_gradients, "passes": self.check_passes}

    @property
    def run_options(self):
        return [f"--steps={self.steps}", f"--init={self.init}"]

    @property
    def device_options(self):
        return [f"--device={self.device}"] \
            if self.device not in (None, "mixed") else []

    def results(self, options):
        key = tuple(options)
        if key not in self.cached:
            names = [job.name for job in self.jobs]
            self.cached[key] = run(
                self.folder / "results", self.module, names,
                {job.name: job for job in self.jobs},
                any(job.variables for job in self.jobs),
                [*self.run_options, *options,
                 *([] if "--reference" in options else
                   self.device_options)])
        return self.cached[key]

    def exact(self):
        return self.results(["--reference", *NOTHING])

    def check_text(self):
        def same(what, first, *options):
            path = self.folder / "text.mlir"
            path.write_text(first)
            second = tool("job-opt", path, *options)
            if first != second:
                pairs = zip(first.splitlines(), second.splitlines())
                a, b = next((p for p in pairs if p[0] != p[1]), ("", ""))
                raise Failure("text", f"{what}: expects '{a}' but got '{b}'")
        printed = tool("job-opt", self.module)
        same("printed and parsed", printed)
        path = self.folder / "generic.mlir"
        path.write_text(tool("job-opt", self.module,
                             "--mlir-print-op-generic"))
        if tool("job-opt", path) != printed:
            raise Failure("text", "the generic form is another module")
        plain = tool("job-opt", self.module, "--job-train-pipeline")
        same("after the train pipeline", plain)
        planned = tool("job-opt", self.module, "--job-train-pipeline",
                       "--job-plan-pipeline")
        same("after the plan pipeline", planned)

    def check_default(self):
        self.compare("default", self.results([]))

    def check_nothing(self):
        self.compare("nothing", self.results(NOTHING))

    def check_passes(self):
        for job in self.jobs:
            subset = self.subsets[job.name]
            try:
                found = {job.name: self.results_of_passes(job, subset)}
            except ToolError as error:
                raise Failure("passes", str(error), [job.name]) from None
            self.count("subsets of passes")
            if subset.bits_of:
                wanted = self.results(
                    NOTHING if subset.bits_of == "nothing" else [])
                self.require_equal("passes", found, wanted)
            else:
                self.compare("passes", found)

    def pipeline(self, job, subset):
        """The text of a subset of passes. A budget needs to know what is needed
        without one."""
        arena = None
        if subset.recomputes():
            path = self.folder / "arena.mlir"
            path.write_text(generate.module([job]))
            plain = subset.text(job).removesuffix(")") + ",job-report-memory)"
            report = tool("job-opt", path, f"--pass-pipeline={plain}", "-o",
                          os.devnull)
            arena = [int(number.replace(",", "")) for number in re.search(
                rf"'{job.name}' .*?\n  arena +([\d,]+).*?\n  total +([\d,]+)",
                report, re.DOTALL).groups()]
        return subset.text(job, arena)

    def results_of_passes(self, job, subset):
        path, plan = self.folder / "job.mlir", self.folder / "plan.mlir"
        path.write_text(generate.module([job]))
        tool("job-opt", path, f"--pass-pipeline={self.pipeline(job, subset)}",
             "-o", plan)
        return run(self.folder / "results", plan, [job.name],
                   {job.name: job}, bool(job.variables),
                   [*self.run_options, *subset.options])[job.name]

    def check_threads(self):
        self.equal("threads", ["--threads=1"])
        self.equal("threads", ["--threads=3"])
        # The same options another time: not from the cache of results.
        first = self.results([])
        del self.cached[()]
        self.require_equal("threads", self.results([]), first)

    def check_orders(self):
        wanted = self.results([])
        try:
            for seed in range(1, 4):
                os.environ["JOBSIM_SEED"] = str(seed)
                del self.cached[()]
                self.require_equal("orders", self.results([]), wanted)
        finally:
            del os.environ["JOBSIM_SEED"]

    def equal(self, check, options):
        self.require_equal(check, self.results(options), self.results([]))

    def require_equal(self, check, found, wanted):
        for name, results in found.items():
            for result, value in wanted[name].items():
                other = results[result]
                if value.tobytes() == other.tobytes():
                    continue
                far = distance(other, value)
                if not far.any():  # NaNs of other bits.
                    continue
                raise Failure(check, f"{name}: {result}: "
                              + describe(other, value, far, 0), [name])

    def compare(self, check, found):
        """Results of jobs against the interpreter's."""
        exact = {name: self.exact()[name] for name in found}
        suspects = {}
        for name, results in exact.items():
            if found[name].keys() != results.keys():
                raise Failure(check, f"{name}: expects {sorted(results)} but "
                              f"got {sorted(found[name])}", [name])
            for result, value in results.items():
                other = found[name][result]
                if other.shape != value.shape or other.dtype != value.dtype:
                    raise Failure(check, f"{name}: {result}: another type",
                                  [name])
                if (distance(other, value) > base_limit(value)).any():
                    suspects.setdefault(name, []).append(result)
        for name, results in suspects.items():
            copies = self.noisy(name)
            for result in results:
                self.judge(check, name, result, found[name][result],
                           exact[name][result],
                           [copy[result] for copy in copies])

    def noisy(self, name):
        """The interpreter's results of copies of a job with noise."""
        key = f"noise {name}"
        if key not in self.cached:
            job, = (job for job in self.jobs if job.name == name)
            path = self.folder / "noise.mlir"
            path.write_text(generate.module([job], COPIES))
            names = [f"{name}_noise{copy}" for copy in range(COPIES)]
            results = run(self.folder / "noise", path, names,
                          dict.fromkeys(names, job), bool(job.variables),
                          [*self.run_options, "--reference", *NOTHING])
            self.cached[key] = [results[copy] for copy in names]
        return self.cached[key]

    def judge(self, check, name, result, value, exact, copies):
        spreads = [distance(copy, exact) for copy in copies]
        spread = numpy.max(spreads, axis=0)
        self.count("judged by noise")
        if not is_float(exact):
            if spread.any():
                self.count("not judged")
                return
            limit = 0
        else:
            judged = numpy.isfinite(spread)
            limit = base_limit(exact) + SAFETY * spread[judged].max(initial=0)
            if limit > LOOSE * magnitude(exact) or not judged.all():
                self.count("not judged")
            value = numpy.where(judged, value, exact)
        far = distance(value, exact)
        if (far > limit).any():
            raise Failure(check, f"{name}: {result}: "
                          + describe(value, exact, far, limit), [name])

    def count(self, what):
        self.counts[what] = self.counts.get(what, 0) + 1

    def check_gradients(self):
        # Other steps, tolerances and places: a mistake shows at all of them,
        # a kink or a function that bends too much does not.
        suspects = [job for job in self.jobs if job.smooth
                    and job.kind == "train"]
        for options in ("samples=16", "samples=16 step=2e-3 tolerance=1e-4",
                        "samples=16 step=1e-5 tolerance=1e-4",
                        "samples=16 seed=2 tolerance=1e-4",
                        "samples=16 seed=3 step=1e-3 tolerance=1e-3"):
            if not suspects:
                return
            path = self.folder / "gradients.mlir"
            # In f64, or constants (a third, say) would be rounded to f32.
            path.write_text(in_f64(generate.module(
                list(map(training.without_f32, suspects)))))
            errors = self.gradient_errors(path, options)
            suspects = [job for job in suspects if job.name in errors]
        if suspects:
            name = suspects[0].name
            raise Failure("gradients", f"{name}: {errors[name]}", [name])

    def gradient_errors(self, path, options):
        """{job: message} of job-check-gradients."""
        process = subprocess.run(
            ["job-opt", str(path), "--job-verify", "--job-autodiff",
             "--job-build-initializer", f"--job-check-gradients={options}",
             "-o", os.devnull], capture_output=True, text=True, timeout=900)
        errors = dict(re.findall(
            r"error: (?=expects d loss / d (\w+)-)(.*)", process.stderr))
        if process.returncode != 0 and not errors:
            raise ToolError("job-check-gradients: status "
                            f"{process.returncode}: "
                            f"{first_error(process.stderr)}")
        return errors


def find_failures(jobs, folder, seed, counts=None, only=None, subsets=None):
    """The failed checks, as [(jobs, Failure, Checker)]. A failure belongs to
    as few jobs as halving finds."""
    checker = Checker(jobs, folder, seed, counts, subsets)
    failures = []
    for name, check in checker.checks.items():
        if only and name != only:
            continue
        try:
            check()
        except Failure as failure:
            failures.append(failure)
        except ToolError as error:
            failures.append(Failure(name, str(error)))
        except subprocess.TimeoutExpired as error:
            failures.append(Failure(name, f"no end: {error}"))
    found = []
    for failure in failures:
        if len(jobs) == 1:
            found.append((jobs, failure, checker))
            continue
        # One check may fail for several jobs: those that it names, the others.
        halves = [jobs[:len(jobs) // 2], jobs[len(jobs) // 2:]]
        if failure.names:
            halves = [[job for job in jobs if job.name in failure.names],
                      [job for job in jobs if job.name not in failure.names]]
        smaller = [item for half in halves for item in find_failures(
            half, folder / "half", seed, None, failure.check, subsets)]
        found += smaller or [(jobs, failure, checker)]
    return found


def same_failure(one, other):
    """Whether a smaller job fails as the larger one did."""
    def kind(failure):
        text = re.sub(r"[0-9]+|'[^']*'", "", failure.message)
        tooled = re.search(r"status.*?(error: .*|Assertion.*|PLEASE)", text,
                           re.DOTALL)
        return (failure.check, tooled.group(1)[:60] if tooled else
                "status" in text)
    return kind(one) == kind(other)


def pipeline_for_reader(checker, job, subset):
    try:
        return checker.pipeline(job, subset)
    except ToolError:  # What fails may be what the budget has to know.
        return subset.text(job)


def commands(check, jobs, checker, subsets):
    """What shows the failure of a check again, in a shell."""
    entries = "--entry=" + ",".join(job.name for job in jobs)
    run = " ".join([entries, *checker.run_options,
                    *checker.device_options,
                    "--output=OUT"])
    if check == "gradients":
        return ["sed -E 's/xb?f(16|32)>/xf64>/g' THIS | job-opt --job-verify "
                "--job-autodiff --job-build-initializer --job-check-gradients "
                "-o /dev/null"]
    if check == "nothing":
        return [f"job-run THIS {run} {' '.join(NOTHING)}"]
    if check != "passes":
        return [f"job-run THIS {run}"]
    return [line for job in jobs for line in (
        f"job-opt THIS --pass-pipeline="
        f"'{pipeline_for_reader(checker, job, subsets[job.name])}' "
        "-o PLAN.mlir", f"job-run PLAN.mlir {run} "
        + " ".join(subsets[job.name].options))]


def report(jobs, failure, checker, folder, seed, shrink_limit):
    """Shrinks the failing jobs and writes them with what reproduces them."""
    scratch = checker.folder / "shrink"
    subsets = dict(checker.subsets)

    def find(candidate):
        return find_failures(candidate, scratch, seed, None, failure.check,
                             subsets)

    def fails(candidate):
        return any(same_failure(failure, other)
                   for _, other, _ in find(candidate))

    small = shrink.shrink(jobs, fails, shrink_limit)
    if failure.check == "passes" and len(small) == 1:
        job, = small

        def fails_by(subset):
            subsets[job.name] = subset
            return fails(small)
        subsets[job.name] = passes.shrink(subsets[job.name], fails_by)
    found = find(small)
    message = found[0][1].message if found else failure.message
    names = ", ".join(job.name for job in jobs)
    name = f"{failure.check}-{jobs[0].name}.mlir"
    text = f"// Random job {names}, shrunk: the check '{failure.check}' " \
        "failed.\n//\n"
    text += "".join(f"//   {line}\n" for line in message.splitlines()[:12])
    text += "//\n// Again, as generated:\n" \
        f"//   check.py FOLDER --seed {re.search('[0-9]+', name)[0]} " \
        f"--count 1 " \
        f"--options {seed} --check {failure.check}" \
        f"{f' --device {checker.device}' if checker.device else ''}\n"
    text += "// This file (add --reference --simplify=false to job-run THIS " \
        "for the\n// interpreter's results):\n"
    text += "".join(f"//   {line}\n" for line in
                    commands(failure.check, small, checker, subsets))
    text += "\n"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text + generate.module(small))
    print(f"{names}: {failure}\n  written to {folder / name}", flush=True)


def main():
    parser = argparse.ArgumentParser(
        description="Runs random jobs and compares what must be equal.")
    parser.add_argument("folder", type=pathlib.Path, help="for scratch files")
    parser.add_argument("--seed", type=int, default=1,
                        help="of the first job; the next ones follow")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--batch", type=int, default=25,
                        help="jobs in one module")
    parser.add_argument("--options", type=int,
                        help="seed of the options (default: the first job's)")
    parser.add_argument("--check", help="only this check")
    parser.add_argument("--failures", type=pathlib.Path,
                        help="where failing jobs are written "
                             "(default: FOLDER/failures)")
    parser.add_argument("--shrink", type=int, default=300,
                        help="how many smaller jobs are tried for a failure")
    parser.add_argument("--device", help="of job-run, or mixed; "
                                         "default: the host")
    arguments = parser.parse_args()
    Checker.device = arguments.device
    if arguments.device == "mixed":
        os.environ.setdefault("JOBSIM_DEVICES", "2")
    os.environ["JOBMLIR_CACHE_DIR"] = str(arguments.folder / "cache")

    counts, failed = {}, 0
    end = arguments.seed + arguments.count
    for first in range(arguments.seed, end, arguments.batch):
        seeds = range(first, min(first + arguments.batch, end))
        jobs = [job for seed in seeds
                for job in generate.generate_all(seed, f"job{seed}")]
        if arguments.device == "mixed":
            for job in jobs:
                generate.place(job, job.name)
        options = first if arguments.options is None else arguments.options
        found = find_failures(jobs, arguments.folder / "batch", options,
                              counts, arguments.check)
        reported = set()
        for jobs_, failure, checker in found:
            # The first failed check of a job says most.
            key = tuple(job.name for job in jobs_)
            if key in reported:
                continue
            reported.add(key)
            report(jobs_, failure, checker,
                   arguments.failures or arguments.folder / "failures",
                   options, arguments.shrink)
        failed += len(reported)
        print(f"seeds {seeds[0]} to {seeds[-1]}: {len(reported)} failed",
              flush=True)
        shutil.rmtree(arguments.folder / "cache", ignore_errors=True)
        shutil.rmtree(arguments.folder / "batch", ignore_errors=True)
    subsets = counts.get("subsets of passes", 0)
    print(f"seeds {arguments.seed} to {end - 1}: {arguments.count} jobs, "
          f"{failed} failed; {subsets} subsets of passes; "
          f"{counts.get('judged by noise', 0)} results judged by noise, "
          f"{counts.get('not judged', 0)} of them too sensitive to judge")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
