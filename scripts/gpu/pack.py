#!/usr/bin/env python3
"""Compiles the units of check.py: artifacts, and the values that each must give.

    pack.py FOLDER --targets sm_90,simulated [--units ops/matmul,models/mlp]

FOLDER/ops has one unit for each table of test/Execute/Inputs/ops, whose values
are the float64 interpreter's, and some with bf16 and f16 in place of f32, too;
FOLDER/models has small models, whose losses are the host's, in f32 and in bf16, one of
them in TF32 and as PTX, too; FOLDER/bench/TARGET the models that benchmarks/bench_gpu.py measures,
those for the simulated CUDA small. job-compile and job-run are on PATH, the package jobmlir on
PYTHONPATH.
"""

import argparse
import functools
import gzip
import json
import pathlib
import re
import shutil
import subprocess
import sys

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[2]
for folder in ("test/Execute/Inputs", "benchmarks", "scripts/gpu"):
    sys.path.insert(0, str(ROOT / folder))

import check
import gpu_rows
import models_jobmlir
import run_ops
import worker

import jobmlir as flow
import jobmlir_runtime

SEED = 1
STEPS = 20
# Relative, of losses: sums have another order, and f32 is what they have.
LOSSES = 1e-3
# Models that are trained in bf16, too: steps and what losses may differ by. Rounded
# values differ wherever sums have another order. Each limit is at least what bf16 itself
# makes of the losses of f32 on the host; LeNet's, whose two images have a dropout, are of
# few steps, since later ones have nothing in common.
BF16_MODELS = {"lenet": (5, 0.05), "resnet20": (STEPS, 0.25), "chars": (STEPS, 5e-3)}
# The same of LeNet in TF32, whose factors have 11 bits. That it runs in TF32 is seen by
# bench alone: the losses of f32 are within the limit as well.
TF32_LENET = (8, 1e-2)
# Tables that are run with narrow types in place of f32, too: those of library calls, and
# of kernels beside them. All would be too large.
NARROW_TABLES = ("attention", "conv-nhwc", "dense")
NARROW = ("bf16", "f16")
# How the names of library calls begin in an artifact.
LIBRARIES = (b"cublaslt.", b"cudnn.")
# Options of job-compile.
PRECISIONS = {"f32": [], "tf32": ["--tf32"], "bf16": ["--precision=bf16"]}
# Batch and shape of an input, small enough for the simulated CUDA.
SHAPES = {"mlp": (16, (1, 28, 28)), "lenet": (2, (1, 12, 12)),
          "resnet20": (2, (1, 8, 8)), "chars": (2, (16,))}


def compile_module(module, artifact, *options):
    subprocess.run(["job-compile", str(module), "-o", str(artifact), *options],
                   check=True)


def compile_packed(module, artifact, scratch, *options):
    """The bytes of an artifact, which is compressed: it shrinks to a third."""
    compile_module(module, scratch / "packed.so", *options)
    data = (scratch / "packed.so").read_bytes()
    artifact.write_bytes(gzip.compress(data, mtime=0))
    return data


def describe_jobs(artifact):
    model = jobmlir_runtime.load(str(artifact))
    return [{"name": name, "kind": entry["kind"],
             "inputs": [{"name": port["name"], "dtype": port["dtype"],
                         "shape": list(port["shape"])}
                        for port in entry["inputs"]],
             "outputs": [port["name"] for port in entry["outputs"]]}
            for name, entry in model.jobs.items() if entry["kind"] != "init"]


def write_unit(path, unit, values):
    arrays = {}
    for job in unit["jobs"]:
        wanted = {}
        for result, (value, limit) in values[job["name"]].items():
            key = f"v{len(arrays)}"
            dtype = "bf16" if value.dtype.kind == "V" else ""
            arrays[key] = value.view("V2") if dtype else value
            wanted[result] = [key, dtype, limit]
        job["wanted"] = wanted
    numpy.savez_compressed(path.with_suffix(".npz"), **arrays)
    path.with_suffix(".json").write_text(json.dumps(unit))


def run_reference(table, job, folder, unit):
    """{result: array} by the interpreter, of inputs that check.py draws."""
    options = [f"--init={SEED}", "--reference", "--simplify=false"]
    folder.mkdir(parents=True, exist_ok=True)
    for i, array in enumerate(check.draw_inputs(unit, job, 0)):
        path = folder / f"input{i}.npy"
        numpy.save(path, array)
        options.append(f"--input={path}")
    return run_ops.run(table, {job["kind"]: [job["name"]]}, folder / "run",
                       options)[job["name"]]


def select_job(table, name):
    """The text of a table with one of its jobs and the variables of that, on the same
    lines as there."""
    def keep(match, is_kept):
        return match[0] if is_kept else "\n" * match[0].count("\n")

    text = re.sub(r"^job\.func @(\w+)\b.*?^}\n",
                  lambda job: keep(job, job[1] == name), table.read_text(),
                  flags=re.MULTILINE | re.DOTALL)
    used = set(re.findall(r'@(?:"[^"]*"|\w+)', text[text.index("job.func @"):]))
    return re.sub(r'^job\.variable (@(?:"[^"]*"|\w+)).*\n',
                  lambda variable: keep(variable, variable[1] in used), text,
                  flags=re.MULTILINE)


def pack_jobs(table, jobs, folder, scratch, targets):
    """An artifact for each job: a library may be unable to compute a call, and then
    the artifact of all cannot be loaded."""
    folder.mkdir()
    module = scratch / table.name
    for job in jobs:
        module.write_text(select_job(table, job["name"]))
        compile_packed(module, folder / f"{job['name']}.so.gz", scratch,
                       f"--gpu-target={targets}")


def pack_table(table, folder, scratch, targets, element=None):
    """A unit of a table, whose f32 may be of another type."""
    path = folder / table.stem
    if element:
        text = run_ops.retype(table.read_text(), element)
        table = scratch / element / table.name
        table.parent.mkdir()
        table.write_text(text)
        path = folder / f"{table.stem}-{element}"
    artifact = compile_packed(table, path.with_suffix(".so.gz"), scratch,
                              f"--gpu-target={targets}")
    host = scratch / "host.so"
    compile_module(table, host)
    jobs = describe_jobs(host)
    if any(name in artifact for name in LIBRARIES):
        pack_jobs(table, jobs, path, scratch, targets)
    unit = {"seed": SEED, "jobs": jobs}
    terms = run_ops.read_terms(table)
    for job in jobs:
        job["steps"] = 1
    # All jobs without inputs at once: that takes less time.
    kinds = {kind: [job["name"] for job in jobs
                    if job["kind"] == kind and not job["inputs"]]
             for kind in ("predict", "train")}
    exact = run_ops.run(table, kinds, scratch / "exact",
                        [f"--init={SEED}", "--reference", "--simplify=false"])
    for job in jobs:
        if job["inputs"]:
            exact[job["name"]] = run_reference(table, job, scratch / "job",
                                               unit)
    initial = read_variables(host)
    write_unit(path, unit, {
        name: {result: (value, limit(value, terms.get(name), element))
               for result, value in results.items()
               if not is_same(value, initial.get(result))}
        for name, results in exact.items()})


def read_variables(artifact):
    """The initial values; those of random numbers have the same bits on every
    device, as the jobs of tables that read them show."""
    model = jobmlir_runtime.load(str(artifact))
    model.init(SEED)
    return {f"variable {name}": model.read(name) for name in model.variables}


def is_same(value, other):
    return other is not None and value.tobytes() == other.tobytes()


def limit(exact, terms, element):
    if not run_ops.is_float(exact) or terms == 0:
        return 0
    return float(run_ops.tolerance(exact, terms, element))


def write_model(name, path, device):
    """The text of a model's training job, placed on a device: "cpu" or "gpu"."""
    flow.clear_default_session()
    models_jobmlir.define(name)
    # A placement of Python's is for a device of this machine.
    path.write_text(re.sub(r'#job.placement<\w+, "[^"]*">',
                           f'#job.placement<{device}, "0:0">',
                           flow.dump_ir(locations=True)))


def pack_model(name, folder, scratch, targets, suffix="", precision="f32",
               steps=STEPS, tolerance=LOSSES):
    worker.SHAPES[name] = SHAPES[name]
    module, host = scratch / f"{name}.mlir", scratch / f"{name}.so"
    path = folder / (name + suffix)
    write_model(name, module, "gpu")
    options = PRECISIONS[precision]
    # Ops are on one queue.
    compile_packed(module, path.with_suffix(".so.gz"), scratch,
                   f"--gpu-target={targets}", "--queues=two", *options)
    write_model(name, module, "cpu")
    compile_module(module, host, *options)
    jobs = describe_jobs(host)
    bounds = {"labels": worker.classes(name), "inputs": worker.classes(name)}
    # Losses that fall: those of ever new labels rise, and rounding with them.
    unit = {"seed": SEED, "jobs": jobs, "bounds": bounds, "batches": 1}
    model = jobmlir_runtime.load(str(host))
    values = {}
    for job in jobs:
        job["steps"] = steps
        losses = check.run_job(model, unit, job)["losses"]
        values[job["name"]] = {
            "losses": (losses, list(tolerance * numpy.abs(losses)))}
    write_unit(path, unit, values)


def pack_ptx(name, folder, scratch, targets):
    """A model that the driver compiles from PTX."""
    pack_model(name, folder, scratch, "compute_90", "-ptx")


def pack_tf32_lenet(name, folder, scratch, targets):
    pack_model(name, folder, scratch, targets, "-tf32", "tf32", *TF32_LENET)


def pack_bf16_model(name, folder, scratch, targets):
    steps, tolerance = BF16_MODELS[name]
    pack_model(name, folder, scratch, targets, "-bf16", "bf16", steps, tolerance)


def write_row(row, target, path):
    """The text of a row of the benchmark, placed on a GPU."""
    name, *size = row.size_for(target)
    worker.SHAPES[name] = tuple(size)
    write_model(name, path, "gpu")


def pack_row(row, folder, scratch, targets):
    """The artifacts of a row of the benchmark, one for each target."""
    for target in targets.split(","):
        module = scratch / f"{row.name}.mlir"
        write_row(row, target, module)
        path = folder / target / f"{row.name}.so"
        path.parent.mkdir(exist_ok=True)
        compile_module(module, path, f"--gpu-target={target}",
                       *PRECISIONS[row.precision],
                       f"--queues={row.queues_for(target)}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--targets", default="sm_90")
    parser.add_argument("--units", help="only these, comma-separated")
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    units = {}
    for table in sorted((ROOT / "test/Execute/Inputs/ops").glob("*.mlir")):
        units[f"ops/{table.stem}"] = (pack_table, table)
        if table.stem in NARROW_TABLES:
            for element in NARROW:
                pack = functools.partial(pack_table, element=element)
                units[f"ops/{table.stem}-{element}"] = (pack, table)
    for name in SHAPES:
        units[f"models/{name}"] = (pack_model, name)
    for name in BF16_MODELS:
        units[f"models/{name}-bf16"] = (pack_bf16_model, name)
    units["models/lenet-ptx"] = (pack_ptx, "lenet")
    units["models/lenet-tf32"] = (pack_tf32_lenet, "lenet")
    for row in gpu_rows.ROWS:
        units[f"bench/{row.name}"] = (pack_row, row)
    chosen = arguments.units.split(",") if arguments.units else list(units)
    unknown = [name for name in chosen if name not in units]
    if unknown:
        sys.exit(f"expects --units of {', '.join(units)} but got {unknown[0]}")
    for name in chosen:
        pack, what = units[name]
        kind = folder / name.split("/")[0]
        kind.mkdir(parents=True, exist_ok=True)
        scratch = folder / "scratch"
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir(parents=True)
        print(f"packing {name}", flush=True)
        pack(what, kind, scratch, arguments.targets)
        shutil.rmtree(scratch)
    return 0


if __name__ == "__main__":
    sys.exit(main())
