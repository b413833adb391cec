#!/usr/bin/env python3
"""Random kernels of small products on the simulated CUDA, against numpy.

    small_products.py FOLDER [--seed N] [--count N]

Each kernel computes, for one or two dimensions of items,

    z[j] = start + sum over k of x[k] * w[j, k]
    y[j] = z[j] - (the maximum of z), or z[j] squared
    d[k] = x[k] + sum over j of y[j] * w[j, k]

with the loops, and the dimensions of the arrays, in a random order, by the
schedule that the compiler chooses or a random one. Prints the seed of each kernel
that differs, which --seed with --count 1 runs again; its text is in FOLDER.
"""

import random
import subprocess
import sys

import numpy as np

import random_job

EXTENTS = {"a": [1, 2, 3], "r": [1, 2, 3, 5, 8, 17, 33],
           "j": [1, 2, 3, 4, 7, 10, 16, 65],
           "k": [1, 2, 3, 4, 8, 12, 33, 64, 128, 300]}


class Kernel:
    """One kernel: its dimensions, its text and what it computes."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.items = self.random.choice(["r", "ar"])
        self.loops = [*self.items, "j", "k"]
        self.random.shuffle(self.loops)
        self.extents = {dim: self.random.choice(EXTENTS[dim])
                        for dim in self.loops}
        self.x, self.y = self.keep("k"), self.keep("j")
        self.w = self.random.sample("jk", 2)
        self.start = self.random.choice([0.0, 0.5])
        self.subtracts = self.random.random() < 0.8

    def keep(self, dims):
        """The items and some dimensions, in the order of the loops."""
        return [dim for dim in self.loops if dim in self.items or dim in dims]

    def shape(self, dims):
        return [self.extents[dim] for dim in dims]

    def type(self, dims, kind="tensor", space=""):
        extents = "".join(f"{extent}x" for extent in self.shape(dims))
        return f"{kind}<{extents}f32{space}>"

    def generic(self, name, loops, reduced, inputs, result, init, body):
        """A linalg.generic; `body` ends with the value %v of a point."""
        maps = ", ".join(
            f"affine_map<({', '.join(loops)}) -> ({', '.join(dims)})>"
            for dims in [*(dims for _, dims in inputs), result])
        types = ", ".join("\"reduction\"" if loop in reduced else
                          "\"parallel\"" for loop in loops)
        arguments = "".join(f"%p{i}: f32, " for i in range(len(inputs)))
        return f"""
    {name} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{types}]}}
        ins({", ".join(value for value, _ in inputs)} : {", ".join(self.type(dims) for _, dims in inputs)}) outs({init} : {self.type(result)}) {{
    ^bb0({arguments}%old: f32):
      {body}
      linalg.yield %v : f32
    }} -> {self.type(result)}"""

    def fill(self, name, value, init, dims):
        return (f"\n    {name} = linalg.fill ins({value} : f32) "
                f"outs({init} : {self.type(dims)}) -> {self.type(dims)}")

    def body(self):
        x, y, w, rows = self.x, self.y, self.w, self.keep("")
        product = "%t = arith.mulf %p0, %p1 : f32\n      " \
                  "%v = arith.addf %old, %t : f32"
        text = f"""  func.func @body(%x: {self.type(x)}, %w: {self.type(w)}, %y: {self.type(y)}, %d: {self.type(x)}) -> ({self.type(y)}, {self.type(x)}) {{
    %zero = arith.constant 0.0 : f32
    %start = arith.constant {self.start} : f32
    %least = arith.constant 0xFF800000 : f32"""
        text += self.fill("%z0", "%start", "%y", y)
        text += self.generic("%z", self.loops, "k", [("%x", x), ("%w", w)], y,
                             "%z0", product)
        if self.subtracts:
            text += f"\n    %e = tensor.empty() : {self.type(rows)}"
            text += self.fill("%m0", "%least", "%e", rows)
            text += self.generic("%m", y, "j", [("%z", y)], rows, "%m0",
                                 "%v = arith.maximumf %old, %p0 : f32")
            text += self.generic("%f", y, "", [("%z", y), ("%m", rows)], y,
                                 "%y", "%v = arith.subf %p0, %p1 : f32")
        else:
            text += self.generic("%f", y, "", [("%z", y)], y, "%y",
                                 "%v = arith.mulf %p0, %p0 : f32")
        text += self.fill("%d0", "%zero", "%d", x)
        text += self.generic("%d1", self.loops, "j", [("%f", y), ("%w", w)], x,
                             "%d0", product)
        text += self.generic("%d2", x, "", [("%d1", x), ("%x", x)], x, "%d",
                             "%v = arith.addf %p0, %p1 : f32")
        return text + f"""
    return %f, %d2 : {self.type(y)}, {self.type(x)}
  }}
"""

    def schedule(self):
        """A schedule, which may not fit, or none."""
        if self.random.random() < 0.3:
            return ""
        lanes = self.random.choice([1, 2, 4, 8, 16, 32, 64, 128])
        threads = max(lanes, self.random.choice([32, 64, 128]))
        blocks = self.random.choice([1, 1, 2, 3])
        vectors = ""
        if self.random.random() < 0.5:
            vectors = f"vectorize = [{self.random.randrange(len(self.loops))}" \
                      f", {self.random.choice([2, 4])}], "
        return (f"  plan.variant @cuda schedule(#plan.cuda_schedule<"
                f"blocks = {blocks}, threads = {threads}, lanes = {lanes}, "
                f"{vectors}accumulate = {self.random.choice([4, 16, 128])}>) "
                f"chunks({blocks})\n")

    def text(self):
        buffers = [(name, dims, space) for name, dims, space in
                   [("x", self.x, "inputs"), ("w", self.w, "inputs"),
                    ("y", self.y, "outputs"), ("d", self.x, "outputs")]]
        types = [self.type(dims, "memref", f", #plan.space<{space}>")
                 for _, dims, space in buffers]
        lines = [f'  %{name} = plan.{space[:-1]} {i % 2} "{name}" : {type}\n'
                 for i, ((name, _, space), type) in
                 enumerate(zip(buffers, types))]
        return f"""plan.device @gpu0 kind(cuda) queues(1)
plan.executable @kernel {{
{self.body()}{self.schedule()}}}
plan.program @step kind predict {{
{"".join(lines)}  plan.dispatch @kernel ins(%x, %w : {types[0]}, {types[1]}) outs(%y, %d : {types[2]}, {types[3]})
  plan.return
}}
"""

    def compute(self, x, w):
        left, right, middle = map("".join, (self.x, self.w, self.y))
        z = self.start + np.einsum(f"{left},{right}->{middle}", x, w)
        y = z - z.max(axis=self.y.index("j"), keepdims=True) \
            if self.subtracts else z * z
        return y, x + np.einsum(f"{middle},{right}->{left}", y, w)


def run(*command):
    return subprocess.run(list(map(str, command)), capture_output=True,
                          text=True)


def check(seed, folder):
    """What is wrong, or "" if nothing is, or None if the schedule did not fit."""
    kernel = Kernel(seed)
    (folder / "kernel.mlir").write_text(kernel.text())
    random_numbers = np.random.default_rng(seed)
    x, w = (random_numbers.uniform(-1, 1, kernel.shape(dims)).astype("f4")
            for dims in (kernel.x, kernel.w))
    np.save(folder / "x.npy", x)
    np.save(folder / "w.npy", w)
    made = run("job-opt", folder / "kernel.mlir", "--plan-select-schedules",
               "--plan-assign-offsets", "--plan-pack-memory", "--plan-verify",
               "-o", folder / "plan.mlir")
    if made.returncode == 0:
        made = run("job-run", folder / "plan.mlir", "--entry", "step",
                   "--device", "cuda:0", "--input", folder / "x.npy",
                   "--input", folder / "w.npy", "--output", folder / "out")
    if made.returncode:
        fits = "'plan.variant' op expects" not in made.stderr
        return made.stderr if fits else None
    expected = kernel.compute(x.astype("f8"), w.astype("f8"))
    for name, value in zip("yd", expected):
        got = np.load(folder / "out" / f"{name}.npy")
        error = np.abs(got - value).max() / max(1.0, np.abs(value).max())
        if not error < 1e-5:
            return f"'{name}' differs by {error}"
    return ""


def main():
    arguments = random_job.parse_arguments()
    results = {}
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        results[seed] = check(seed, arguments.folder)
        if results[seed]:
            print(f"seed {seed}: {results[seed]}")
    agree = sum(result == "" for result in results.values())
    wrong = sum(bool(result) for result in results.values())
    print(f"seeds from {arguments.seed}: {agree} kernels agree, {wrong} do not")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
