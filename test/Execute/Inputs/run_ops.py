#!/usr/bin/env python3
"""Runs every job of a table of ops compiled, and compares with the interpreter.

    run_ops.py TABLE.mlir WORK-FOLDER [--steps N] [--seeds 1,2] [--as bf16]
               [--device cuda] [--gpu-target simulated]

The interpreter runs the jobs unsimplified, so that it is no judge in its own
case. Compiled they run in every variant of VARIANTS: as users run them, with what
must not change a bit off, and with all optimisations off (test/Random draws which
are on). Runs that need the same code share an artifact. Results are the outputs and,
after a training job, the variables. Where a variant may not change a bit, it
is held to that. Checks stop jobs with NaN or infinities in their results; with
checks those are not run.

Floats may differ from the exact result by 4 units in the last place of its
largest magnitude. A job that sums up says how many terms it adds in a comment
before it, "// K = 784", and may differ by 1e-6 * sqrt(K) (f32; f64 by as many
units in the last place); one that rounds nothing says "// K = 0" and may not
differ. NaN and infinities stand at the same places, integers and booleans are
equal.

With --as, the table's f32 are f16 or bf16, but for lines that end with
"// stays f32". Of these, and of all results of such
a job, 4 units in their last place are added to what is allowed: sums accumulate
in f32, and each of the few ops of a job rounds its result. The variants are then
those of NARROW_VARIANTS: the first pass of the plan pipeline makes f32 of these
types, and to compile is what takes the time. f16 alone is checked for NaN and
infinities, since its range is the narrower one.

With --device, the compiled jobs run on this device in the variants of
DEVICE_VARIANTS; a table that places jobs on GPUs itself names the --gpu-target.
With --library, ops after a product are a part of its call there,
and of other bits than the kernels that compute them with checks.
"""

import argparse
import functools
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys

import ml_dtypes
import numpy

# A name, options of job-compile, options of job-run, and the variant that it
# equals bit for bit.
VARIANTS = [
    ("default", [], [], None),
    ("one thread", [], ["--threads=1"], "default"),
    ("three threads", [], ["--threads=3"], "default"),
    ("apart", ["--packing=none", "--in-place=false"], [], "default"),
    ("checked", ["--check-numerics"], [], "default"),
    ("two queues", ["--queues=two"], [], "default"),
    ("PTX", ["--gpu-target=compute_90"], [], "default"),
    ("nothing on", ["--simplify=false", "--fuse=false", "--schedule=false", "--in-place=false", "--packing=none", "--epilogues=false", "--join-launches=false", "--queues=one", "--layouts=false"], [], None),
]

NARROW_VARIANTS = {
    "f16": ("default", "one thread", "three threads", "checked", "nothing on"),
    "bf16": ("default", "one thread", "three threads", "nothing on"),
}

# The host has none of these.
ONLY_DEVICE_VARIANTS = ("two queues", "PTX")

DEVICE_VARIANTS = ("default", "checked", *ONLY_DEVICE_VARIANTS, "nothing on")

DTYPES = {"F16": numpy.float16, "BF16": ml_dtypes.bfloat16, "F32": numpy.float32,
          "F64": numpy.float64, "BOOL": numpy.bool_, "I8": numpy.int8,
          "U8": numpy.uint8, "I32": numpy.int32, "I64": numpy.int64}


FLOATS = {"f16": numpy.float16, "bf16": ml_dtypes.bfloat16}


def decode(array):
    """NumPy writes and reads bf16 as two bytes without a meaning."""
    return array.view(ml_dtypes.bfloat16) if array.dtype == "V2" else array


def is_float(array):
    # Numbers of ml_dtypes are of the kind V.
    return array.dtype.kind in "fV"


def retype(text, element):
    """The text with another type of floats in place of f32, whose constants in
    bits are special numbers."""
    kind = FLOATS[element]

    def bits(match):
        number = numpy.uint32(int(match[0], 16)).view(numpy.float32)
        return f"0x{number.astype(kind).view(numpy.uint16):04X}"
    text = re.sub(r"\b0x[0-9A-F]{8}\b", bits, text)

    def line(text):
        return text if text.endswith("// stays f32") else re.sub(
            r"(?<!\w)((\d+|\?<=\d+>)x)*f32\b",
            lambda match: match[0].removesuffix("f32") + element, text)
    return "\n".join(map(line, text.split("\n")))


def read_terms(table):
    """The K of each job that states one."""
    pattern = r"^// K = (\d+)\n(?://.*\n)*job\.func @(\w+)"
    return {job: int(terms) for terms, job
            in re.findall(pattern, table.read_text(), re.MULTILINE)}


def tool(*command):
    process = subprocess.run(command, capture_output=True, text=True,
                             timeout=600)
    if process.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: status "
                 f"{process.returncode}: {process.stderr}")
    return process.stdout


def make_compile(table, folder, gpu_target):
    """A function from options of job-compile to the artifact, compiled once."""

    @functools.cache
    def compile(*options):
        path = folder / ("artifact" + "".join(options) + ".so")
        is_named = any(option.startswith("--gpu-target") for option in options)
        target = ([f"--gpu-target={gpu_target}"]
                  if gpu_target and not is_named else [])
        tool("job-compile", table, "-o", path, *target, *options)
        return path
    return compile


def read_checkpoint(folder):
    for path in folder.glob("*.safetensors"):
        data = path.read_bytes()
        end = 8 + int.from_bytes(data[:8], "little")
        for name, tensor in json.loads(data[8:end]).items():
            if name == "__metadata__":
                continue
            first, last = tensor["data_offsets"]
            yield name, numpy.frombuffer(
                data[end + first:end + last],
                DTYPES[tensor["dtype"]]).reshape(tensor["shape"])


def run(module, jobs, folder, options):
    """The results of each job of a module or artifact: {job: {result: array}}."""
    shutil.rmtree(folder, ignore_errors=True)
    results = {job: {} for kind in jobs.values() for job in kind}
    for kind, names in jobs.items():
        if not names:
            continue
        # job-run makes folders of the jobs' names when there are several.
        name = "" if len(names) > 1 else names[0]
        save = [f"--save={folder / 'variables' / name}"]
        tool("job-run", module, f"--entry={','.join(names)}",
             f"--output={folder / 'outputs' / name}",
             *(save if kind == "train" else []), *options)
    for job, found in results.items():
        for path in (folder / "outputs" / job).glob("*.npy"):
            found["output " + path.stem] = decode(numpy.load(path))
        for name, value in read_checkpoint(folder / "variables" / job):
            found["variable " + name] = value
    return results


def tolerance(value, terms, element):
    units = 4 if terms is None else 1e-6 / 2 ** -23 * math.sqrt(terms)
    relative = units * (
        2.0 ** -52 if value.dtype == numpy.float64 else 2.0 ** -23)
    # Sums accumulate in f32, also those of narrow types.
    narrow = FLOATS.get(element, value.dtype)
    absolute = 0
    if value.dtype != numpy.float64 and narrow != numpy.float32:
        relative += 4 * float(ml_dtypes.finfo(narrow).eps)
        # Subnormal numbers of an f16 are easily met.
        absolute = 4 * float(ml_dtypes.finfo(narrow).smallest_subnormal)
    finite = numpy.abs(value[numpy.isfinite(value)].astype(numpy.float64))
    return relative * finite.max(initial=0) + absolute


def difference(value, exact, terms, element):
    """What is wrong with `value`, None when nothing is."""
    if value.dtype != exact.dtype or value.shape != exact.shape:
        return f"expects {exact.dtype}{exact.shape} but got " \
               f"{value.dtype}{value.shape}"
    if not is_float(value) or terms == 0:
        wrong = ~((value == exact) | ((value != value) & (exact != exact)))
        limit = 0
    else:
        limit = tolerance(exact, terms, element)
        with numpy.errstate(invalid="ignore"):
            far = numpy.abs(value.astype(numpy.float64) - exact) > limit
        finite = numpy.isfinite(value) & numpy.isfinite(exact)
        same = (value == exact) | (numpy.isnan(value) & numpy.isnan(exact))
        wrong = numpy.where(finite, far, ~same)
    if not wrong.any():
        return None
    at = tuple(int(index) for index in numpy.argwhere(wrong)[0])
    return f"{wrong.sum()} of {wrong.size} elements differ by more than " \
           f"{limit:.3g}: expects {exact[at]!r} but got {value[at]!r} at {at}"


def is_finite(results):
    return all(numpy.isfinite(value).all() for value in results.values())


def compare(what, results, wanted, terms_of, element=None):
    """Prints the differences and returns their number."""
    failures = 0
    for job, results_of_job in wanted.items():
        if job not in results:
            continue
        if results[job].keys() != results_of_job.keys():
            print(f"{what}: {job}: expects {sorted(results_of_job)} but got "
                  f"{sorted(results[job])}")
            failures += 1
            continue
        for name, exact in results_of_job.items():
            mistake = difference(results[job][name], exact, terms_of(job),
                                 element)
            if mistake:
                print(f"{what}: {job}: {name}: {mistake}")
                failures += 1
    return failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("table", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--steps", type=int, default=1)
    parser.add_argument("--seeds", default="1,2")
    parser.add_argument("--as", dest="element", choices=FLOATS)
    parser.add_argument("--device")
    parser.add_argument("--gpu-target")
    parser.add_argument("--library", action="store_true")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    if arguments.element:
        text = retype(arguments.table.read_text(), arguments.element)
        arguments.table = arguments.folder / arguments.table.name
        arguments.table.write_text(text)

    variants = [variant for variant in VARIANTS
                if not arguments.element
                or variant[0] in NARROW_VARIANTS[arguments.element]]
    device = []
    if arguments.device:
        device = [f"--device={arguments.device}"]
        variants = [variant for variant in variants
                    if variant[0] in DEVICE_VARIANTS]
    else:
        variants = [variant for variant in variants
                    if variant[0] not in ONLY_DEVICE_VARIANTS]
    target = arguments.gpu_target or ("simulated" if arguments.device else None)
    compile = make_compile(arguments.table, arguments.folder, target)
    entries = json.loads(tool("job-run", compile(), "--list",
                              "--json"))["entries"]
    jobs = {kind: [entry["name"] for entry in entries if entry["kind"] == kind]
            for kind in ("predict", "train")}
    count = sum(map(len, jobs.values()))
    terms = read_terms(arguments.table)
    failures = 0
    for seed in arguments.seeds.split(","):
        options = [f"--steps={arguments.steps}", f"--init={seed}"]
        exact = run(arguments.table, jobs, arguments.folder / "exact",
                    [*options, "--reference", "--simplify=false"])
        results = {}
        finite = {kind: [job for job in names if is_finite(exact[job])]
                  for kind, names in jobs.items()}
        for name, compiled, ran, equal in variants:
            checks = "--check-numerics" in compiled
            results[name] = run(compile(*compiled), finite if checks else jobs,
                                arguments.folder / name.replace(" ", "-"),
                                [*options, *device, *ran])
            what = f"seed {seed}: {name}"
            failures += compare(what, results[name], exact, terms.get,
                                arguments.element)
            if equal and not (checks and arguments.library):
                failures += compare(f"{what}, as {equal}", results[name],
                                    results[equal], lambda job: 0)
    print(f"{count} jobs, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
