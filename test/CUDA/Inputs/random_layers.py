#!/usr/bin/env python3
"""Random steps of small fully connected networks, against the reference.

    random_layers.py FOLDER [--seed N] [--count N]

Most kernels and products of such a step are computed row by row, so that
plan-fuse-rows makes a few kernels of them. Each job is compiled and run by
`job-opt --job-check-lowering`. Prints the seed of each job that fails, which
--seed with --count 1 runs again, and what is left of the job when layers and
settings that it fails without are gone; the text of that is in FOLDER.
"""

import argparse
import copy
import pathlib
import random
import subprocess
import sys

WIDTHS = [1, 2, 4, 5, 10, 16, 32, 33, 64]
ACTIVATIONS = ["none", "relu", "tanh", "sigmoid", "gelu", "dropout", "softmax",
               "layer_norm", "column_max"]
LOSSES = ["sparse_softmax_cross_entropy", "log_softmax", "square"]
OPTIMIZERS = ["#job.sgd", "#job.momentum<beta = 0.9>",
              "#job.adam<beta1 = 0.9, beta2 = 0.999, epsilon = 1.0e-03, "
              "bias_correction = true>"]
DEFAULTS = {"precision": "", "in_place": True, "optimizer": OPTIMIZERS[0]}


def draw(seed):
    """A job: its layers, from the first to the last, and its settings."""
    rand = random.Random(seed)
    layers = [{"width": rand.choice(WIDTHS),
               "bias": rand.random() < 0.7,
               "transposed": rand.random() < 0.6,
               "residual": rand.random() < 0.4,
               "activations": rand.sample(ACTIVATIONS, rand.choice([0, 1, 2]))}
              for _ in range(rand.choice([1, 2, 2, 3, 4]))]
    return {"rows": rand.choice([1, 2, 3, 7, 20, 33, 64, 100]),
            "inputs": rand.choice(WIDTHS), "layers": layers,
            "loss": rand.choice(LOSSES), "optimizer": rand.choice(OPTIMIZERS),
            "precision": rand.choice(["", "", "", "bf16", "f16"]),
            "in_place": rand.random() < 0.8}


class Text:
    """The text of a job."""

    def __init__(self, job):
        self.job = job
        self.variables, self.lines = [], []
        self.rows = job["rows"]

    def blob(self, *shape, element="f32"):
        return f"!job.blob<{'x'.join(map(str, shape))}x{element}>"

    def add(self, op, type_text):
        name = f"%{len(self.lines)}"
        self.lines.append(f"{name} = {op} : {type_text}")
        return name

    def read(self, *shape):
        name = f"@v{len(self.variables)}"
        self.variables.append(
            f"job.variable {name} : {self.blob(*shape)} init "
            "#job.random_uniform_init<min = -0.5, max = 0.5>")
        return self.add(f"job.read {name}", self.blob(*shape))

    def broadcast(self, value, width):
        return self.add(f"job.broadcast_in_dim {value} {{dims = array<i64: 1>}}",
                        f"{self.blob(width)} to {self.blob(self.rows, width)}")

    def activate(self, kind, value, width):
        blob = self.blob(self.rows, width)
        if kind == "dropout":
            step = f"%step{len(self.lines)}"
            self.lines.append(f"{step} = job.step")
            return self.add(f"job.dropout {value}, {step} {{id = "
                            f"{len(self.lines)} : i64, rate = 0.5 : f64, "
                            "seed = 1 : i64}", blob)
        if kind == "layer_norm":
            scale, shift = self.read(width), self.read(width)
            number = len(self.lines)
            name = f"%norm{number}"
            self.lines.append(
                f"{name}, %mean{number}, %rstd{number} = job.layer_norm {value}"
                f", {scale}, {shift} {{epsilon = 0.1 : f64}} : {blob}, "
                f"{self.blob(width)}")
            return name
        if kind == "column_max":
            most = self.add(f"job.reduce_max {value} {{axes = array<i64: 0>}}",
                            blob)
            return self.add(f"job.sub {value}, {self.broadcast(most, width)}",
                            blob)
        return self.add(f"job.{kind} {value}", blob)

    def layer(self, layer, value, width):
        to = layer["width"]
        shape = (to, width) if layer["transposed"] else (width, to)
        weights = self.read(*shape)
        flag = " {transpose_rhs = true}" if layer["transposed"] else ""
        blob = self.blob(self.rows, to)
        result = self.add(f"job.matmul {value}, {weights}{flag}",
                          f"{self.blob(self.rows, width)}, {self.blob(*shape)}")
        if layer["bias"]:
            bias = self.broadcast(self.read(to), to)
            result = self.add(f"job.add {result}, {bias}", blob)
        for kind in layer["activations"]:
            if kind != "none":
                result = self.activate(kind, result, to)
        if layer["residual"] and to == width:
            result = self.add(f"job.add {result}, {value}", blob)
        return result, to

    def build(self):
        job, rows = self.job, self.rows
        value, width = "%x", job["inputs"]
        for layer in job["layers"]:
            value, width = self.layer(layer, value, width)
        blob, loss_type = self.blob(rows, width), self.blob(rows, width)
        labels = self.blob(rows, element="i32")
        if job["loss"] == "sparse_softmax_cross_entropy":
            loss = self.add(f"job.sparse_softmax_cross_entropy {value}, %labels",
                            f"{blob}, {labels}")
            loss_type = self.blob(rows)
        elif job["loss"] == "log_softmax":
            loss = self.add(f"job.log_softmax {value}", blob)
        else:
            loss = self.add(f"job.mul {value}, {value}", blob)
        settings = ["placement = #job.placement<gpu, \"0:0\">"]
        if job["precision"]:
            settings.append(f"precision = {job['precision']}")
        if not job["in_place"]:
            settings.append("in_place = false")
        body = "\n".join(f"  {line}" for line in self.lines)
        return "\n".join(self.variables) + f"""
job.func @step(%x: {self.blob(rows, job['inputs'])} {{job.name = "x"}}, %labels: {labels} {{job.name = "labels"}}) -> ({loss_type} {{job.name = "loss"}}) kind train attributes {{{', '.join(settings)}}} {{
{body}
  job.loss {loss} : {loss_type}
  job.minimize {job['optimizer']} schedule #job.constant_schedule<0.1>
  job.return {loss} : {loss_type}
}}
"""


def check(job, folder):
    """What is wrong, or "" if nothing is, and how many kernels there are of
    several commands."""
    path = folder / "job.mlir"
    path.write_text(Text(job).build())
    done = subprocess.run(["job-opt", str(path), "--job-check-lowering",
                           "--explain=kernels", "-o", "/dev/null"],
                          capture_output=True, text=True)
    agrees = done.returncode == 0 and "agree with the reference" in done.stderr
    count = done.stderr.count("is computed by one kernel with")
    lines = [line for line in done.stderr.splitlines() if "kernels:" not in line]
    return "" if agrees else "\n".join(lines[:6]) or "no message", count


def simpler(job):
    """Jobs with a layer or a setting less."""
    for i in range(len(job["layers"])):
        less = copy.deepcopy(job)
        del less["layers"][i]
        if less["layers"]:
            yield less
        for key, value in (("activations", []), ("bias", False),
                           ("residual", False)):
            if job["layers"][i][key]:
                less = copy.deepcopy(job)
                less["layers"][i][key] = value
                yield less
    for key, value in DEFAULTS.items():
        if job[key] != value:
            yield {**copy.deepcopy(job), key: value}


def shrink(job, folder):
    while True:
        failing = (less for less in simpler(job) if check(less, folder)[0])
        less = next(failing, None)
        if less is None:
            return job
        job = less


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    failed = fused = 0
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        job = draw(seed)
        error, count = check(job, arguments.folder)
        fused += count > 0
        if error:
            failed += 1
            job = shrink(job, arguments.folder)
            print(f"seed {seed}: {error}\n{job}")
            check(job, arguments.folder)
    print(f"seeds from {arguments.seed}: {arguments.count} jobs, {failed} "
          f"failed, {fused} with kernels of rows")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
