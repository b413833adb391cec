#!/usr/bin/env python3
"""Runs one unit of a folder of gpu-pack.sh, and compares with what it must give.

    check.py UNIT [--device cuda] [--json FILE] [--under COMMAND...]

A unit is a file NAME.json beside NAME.so.gz, an artifact, and NAME.npz, the values.
Needs numpy and jobmlir_runtime; a GPU machine has no interpreter. Prints the
differences as they are found, and one line of counts; status 1 where there are some.

The jobs run in another process, under a tool if there is one. If an artifact cannot be
loaded, its jobs are loaded one by one from NAME/JOB.so.gz. After a job that fails, those
left run in a new process: an error of a device may be one of the whole process.
"""

import argparse
import gzip
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import zlib

import numpy


def draw(name, dtype, shape, bound):
    """Inputs of a job: floats in [0, 1), integers in [0, bound). The same on
    every machine: RandomState's streams do not change."""
    random = numpy.random.RandomState(zlib.crc32(name.encode()))
    if dtype in ("f32", "f64"):
        return random.random_sample(shape).astype(
            {"f32": numpy.float32, "f64": numpy.float64}[dtype])
    kind = {"i1": numpy.bool_, "i8": numpy.int8, "u8": numpy.uint8,
            "i32": numpy.int32, "i64": numpy.int64}[dtype]
    return random.randint(0, bound, shape).astype(kind)


def draw_inputs(unit, job, step):
    """The arrays of a call, in order. A unit may train on the same few batches."""
    bounds = unit.get("bounds", {})
    step %= unit.get("batches", step + 1)
    return [draw(f"{job['name']} {port['name']} {step}", port["dtype"],
                 port["shape"], bounds.get(port["name"], 2))
            for port in job["inputs"]]


def difference(value, exact, limit):
    """What is wrong with `value`, None when nothing is. `limit` is one number or
    one for each element."""
    if value.dtype != exact.dtype or value.shape != exact.shape:
        return f"expects {exact.dtype}{exact.shape} but got " \
               f"{value.dtype}{value.shape}"
    same = (value == exact) | ((value != value) & (exact != exact))
    with numpy.errstate(invalid="ignore", over="ignore"):
        near = numpy.abs(value.astype(numpy.float64)
                         - exact.astype(numpy.float64)) <= limit
    wrong = ~(same | near)
    if not wrong.any():
        return None
    at = tuple(int(index) for index in numpy.argwhere(wrong)[0])
    limit = numpy.broadcast_to(limit, exact.shape)[at]
    return f"{wrong.sum()} of {wrong.size} elements differ by more than " \
           f"{limit:.3g}: expects {exact[at]!r} but got {value[at]!r} at {at}"


def decode(array, dtype):
    """A file of numpy holds bf16 as two bytes without a meaning."""
    if dtype != "bf16":
        return array
    import ml_dtypes
    return array.view(ml_dtypes.bfloat16)


def run_job(model, unit, job):
    """{result: array} of a job that begins with the initial variables."""
    model.init(unit["seed"])
    losses = []
    for step in range(job["steps"]):
        outputs = flatten(model.run(job["name"], *draw_inputs(unit, job, step)))
        losses.append(outputs[0].mean() if outputs else 0)
    results = {f"output {port}": value
               for port, value in zip(job["outputs"], outputs)}
    results["losses"] = numpy.asarray(losses, numpy.float64)
    return results


def flatten(results):
    """The arrays of nested results, in order."""
    if results is None:
        return []
    if isinstance(results, numpy.ndarray):
        return [results]
    items = results.values() if isinstance(results, dict) else results
    return [array for item in items for array in flatten(item)]


def check_job(model, unit, job, values):
    """What is wrong with the results of a job."""
    found = run_job(model, unit, job)
    mistakes = []
    for result, (key, dtype, limit) in job["wanted"].items():
        value = model.read(result.removeprefix("variable ")) \
            if result.startswith("variable ") else found[result]
        mistake = difference(value, decode(values[key], dtype), limit)
        if mistake:
            mistakes.append(f"{result}: {mistake}")
    return mistakes


# ===- The process that runs jobs -------------------------------------------===#


def read_lines(path):
    """What a worker has written: {job: what is wrong}, and the job that it has begun."""
    results, begun = {}, None
    for value in map(json.loads, path.read_text().splitlines()):
        if isinstance(value, str):
            begun = value
        else:
            results[value[0]], begun = value[1], None
    return results, begun


class Worker:
    """Runs the jobs that have no result in a file. Writes two lines of JSON for each: its
    name before, and then the name with what is wrong."""

    def __init__(self, arguments):
        import jobmlir_runtime

        self.runtime = jobmlir_runtime
        self.path = arguments.unit
        self.device = arguments.device
        self.unit = json.loads(self.path.read_text())
        results, _ = read_lines(arguments.worker)
        self.jobs = [job for job in self.unit["jobs"] if job["name"] not in results]
        self.lines = arguments.worker.open("a")
        self.values = numpy.load(self.path.with_suffix(".npz"))
        # Of the artifacts that are loaded.
        self.folder = tempfile.TemporaryDirectory()

    def write(self, value):
        print(json.dumps(value), file=self.lines, flush=True)

    def finish(self, job, mistakes):
        for mistake in mistakes:
            print(f"{self.path.stem}: {job['name']}: {mistake}", flush=True)
        self.write([job["name"], mistakes])

    def load(self, packed):
        artifact = pathlib.Path(self.folder.name) / packed.stem
        artifact.write_bytes(gzip.decompress(packed.read_bytes()))
        return self.runtime.load(str(artifact), driver=self.device)

    def run(self):
        """Until a job fails."""
        try:
            model = self.load(self.path.with_suffix(".so.gz"))
        except self.runtime.Error as error:
            print(f"{self.path.stem}: {error}", flush=True)
            return self.run_alone(str(error))
        for job in self.jobs:
            self.write(job["name"])
            if not self.run_job(model, job):
                return

    def run_alone(self, reason):
        """The same, each job of an artifact of its own. `reason` is why their common one
        could not be loaded."""
        for job in self.jobs:
            self.write(job["name"])
            artifact = self.path.with_suffix("") / f"{job['name']}.so.gz"
            try:
                model = self.load(artifact) if artifact.exists() else None
            except self.runtime.Error as error:
                self.finish(job, [str(error)])
                continue
            if not model:
                self.finish(job, [reason])
            elif not self.run_job(model, job):
                return

    def run_job(self, model, job):
        """Whether the device can run other jobs after it."""
        try:
            mistakes = check_job(model, self.unit, job, self.values)
        except self.runtime.Error as error:
            self.finish(job, [str(error)])
            return False
        self.finish(job, mistakes)
        return True


def work(arguments):
    worker = Worker(arguments)
    if arguments.alone:
        worker.run_alone("the process ended while it loaded all jobs")
    else:
        worker.run()
    return 0


# ===- The process that starts it -------------------------------------------===#


class Stopped(Exception):
    """The time of the unit is over."""


def stop(*_):
    # `timeout` may send it to the process and to its group.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise Stopped


class Check:
    """Runs jobs in processes of their own until each has a result."""

    def __init__(self, arguments, jobs):
        self.arguments = arguments
        self.name = arguments.unit.stem
        self.jobs = jobs
        self.results = {}
        # What is wrong with the unit, and with no job alone.
        self.mistakes = []

    def count_left(self):
        return len(self.jobs) - len(self.results)

    def say(self, mistake):
        print(f"{self.name}: {mistake}", flush=True)
        self.mistakes.append(mistake)

    def start(self, path, options):
        """How a worker ended, and the job that it had begun."""
        command = [*self.arguments.under, sys.executable, __file__,
                   str(self.arguments.unit), "--device", self.arguments.device,
                   "--worker", str(path), *options]
        status = subprocess.run(command).returncode
        self.results, begun = read_lines(path)
        end = f"signal {-status}" if status < 0 else f"status {status}"
        return f"the process ended with {end}" if status else "", begun

    def run(self, path):
        options = []
        while left := self.count_left():
            end, begun = self.start(path, options)
            if begun:
                print(f"{self.name}: {begun}: {end}", flush=True)
                with path.open("a") as lines:
                    print(json.dumps([begun, [end]]), file=lines)
                self.results[begun] = [end]
            elif self.count_left() < left:
                if end:
                    self.say(end)
            elif not options:
                # Perhaps to load one of the jobs ends the process.
                options = ["--alone"]
            else:
                self.say(end or "the process ran no job")
                return

    def run_all(self):
        signal.signal(signal.SIGTERM, stop)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "results"
            path.touch()
            try:
                self.run(path)
            except Stopped:
                self.results, begun = read_lines(path)
                self.say(f"stopped in {begun or 'no job'}, with {self.count_left()} "
                         f"of {len(self.jobs)} jobs to run")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("unit", type=pathlib.Path)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--under", nargs=argparse.REMAINDER, default=[],
                        help="a command, such as compute-sanitizer with its options")
    parser.add_argument("--worker", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.worker:
        return work(arguments)

    name = arguments.unit.stem
    unit = json.loads(arguments.unit.read_text())
    check = Check(arguments, [job["name"] for job in unit["jobs"]])
    check.run_all()
    mistakes = check.mistakes + [f"{job}: {mistake}" for job in check.jobs
                                 for mistake in check.results.get(job, [])]
    failed = sum(bool(check.results.get(job)) for job in check.jobs)
    summary = f"{len(check.jobs)} jobs, {len(mistakes)} differences"
    if failed:
        summary += f" in {failed} jobs"
    print(f"{name}: {summary}")
    if arguments.json:
        arguments.json.write_text(json.dumps(
            {"unit": name, "jobs": len(check.jobs), "mistakes": mistakes}))
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
