#!/usr/bin/env python3
"""Runs one unit of a folder of gpu-pack.sh, and compares with what it must give.

    check.py UNIT [--device cuda] [--json FILE]

A unit is a file NAME.json beside NAME.so, an artifact, and NAME.npz, the values.
Needs numpy and jobmlir_runtime; a GPU machine has no interpreter. Prints the
differences, at most ten, and one line of counts; status 1 where there are some.
"""

import argparse
import json
import pathlib
import sys
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


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("unit", type=pathlib.Path)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    import jobmlir_runtime

    unit = json.loads(arguments.unit.read_text())
    wanted = numpy.load(arguments.unit.with_suffix(".npz"))
    model = jobmlir_runtime.load(str(arguments.unit.with_suffix(".so")),
                                 driver=arguments.device)
    mistakes = []
    for job in unit["jobs"]:
        try:
            found = run_job(model, unit, job)
        except jobmlir_runtime.Error as error:
            mistakes.append(f"{job['name']}: {error}")
            break
        for result, (key, dtype, limit) in job["wanted"].items():
            value = model.read(result.removeprefix("variable ")) \
                if result.startswith("variable ") else found[result]
            mistake = difference(value, decode(wanted[key], dtype), limit)
            if mistake:
                mistakes.append(f"{job['name']}: {result}: {mistake}")
    for mistake in mistakes[:10]:
        print(f"{arguments.unit.stem}: {mistake}")
    print(f"{arguments.unit.stem}: {len(unit['jobs'])} jobs, "
          f"{len(mistakes)} differences")
    if arguments.json:
        arguments.json.write_text(json.dumps(
            {"unit": arguments.unit.stem, "jobs": len(unit["jobs"]),
             "mistakes": mistakes}))
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
