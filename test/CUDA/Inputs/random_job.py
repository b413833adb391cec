"""What the generators of random jobs share: text, check, shrinking, options.

A job is a dictionary: its "layers", from the first to the last, and its
settings.
"""

import argparse
import copy
import pathlib
import subprocess
import sys

LOSSES = ["sparse_softmax_cross_entropy", "log_softmax", "square"]
OPTIMIZERS = ["#job.sgd", "#job.momentum<beta = 0.9>",
              "#job.adam<beta1 = 0.9, beta2 = 0.999, epsilon = 1.0e-03, "
              "bias_correction = true>"]


def draw_settings(rand):
    return {"loss": rand.choice(LOSSES), "optimizer": rand.choice(OPTIMIZERS),
            "precision": rand.choice(["", "", "", "bf16", "f16"]),
            "in_place": rand.random() < 0.8}


class Text:
    """The text of a job. A subclass has `build`, which adds the layers.

    The methods that add an op return the name of its result, those that add a
    layer also its shape.
    """

    learning_rate = 0.1

    def __init__(self, job):
        self.job = job
        self.variables, self.lines = [], []

    def blob(self, shape, element="f32"):
        return f"!job.blob<{'x'.join(map(str, shape))}x{element}>"

    def add(self, op, type_text):
        name = f"%{len(self.lines)}"
        self.lines.append(f"{name} = {op} : {type_text}")
        return name

    def bound(self, terms):
        """The largest initial value of factors in sums of `terms` terms."""
        return 0.5

    def read(self, shape, terms=1):
        name = f"@v{len(self.variables)}"
        bound = self.bound(terms)
        self.variables.append(
            f"job.variable {name} : {self.blob(shape)} init "
            f"#job.random_uniform_init<min = {-bound}, max = {bound}>")
        return self.add(f"job.read {name}", self.blob(shape))

    def broadcast(self, value, shape):
        """A number for each index of dimension 1 of `shape`."""
        return self.add(f"job.broadcast_in_dim {value} {{dims = array<i64: 1>}}",
                        f"{self.blob(shape[1:2])} to {self.blob(shape)}")

    def bias(self, value, shape):
        numbers = self.broadcast(self.read(shape[1:2]), shape)
        return self.add(f"job.add {value}, {numbers}", self.blob(shape))

    def dense(self, layer, value, shape):
        rows, width = shape
        result = (rows, layer["width"])
        factors = (width, layer["width"])
        if layer["transposed"]:
            factors = factors[::-1]
        weights = self.read(factors, width)
        flag = " {transpose_rhs = true}" if layer["transposed"] else ""
        value = self.add(f"job.matmul {value}, {weights}{flag}",
                         f"{self.blob(shape)}, {self.blob(factors)}")
        if layer["bias"]:
            value = self.bias(value, result)
        return value, result

    def normalize(self, kind, value, shape, attributes=""):
        scale, shift = self.read(shape[1:2]), self.read(shape[1:2])
        number = len(self.lines)
        name = f"%norm{number}"
        self.lines.append(
            f"{name}, %mean{number}, %rstd{number} = job.{kind} {value}, {scale}"
            f", {shift} {{{attributes}epsilon = 0.1 : f64}} : "
            f"{self.blob(shape)}, {self.blob(shape[1:2])}")
        return name

    def activate(self, kind, value, shape):
        if kind == "dropout":
            step = f"%step{len(self.lines)}"
            self.lines.append(f"{step} = job.step")
            return self.add(f"job.dropout {value}, {step} {{id = "
                            f"{len(self.lines)} : i64, rate = 0.5 : f64, "
                            "seed = 1 : i64}", self.blob(shape))
        return self.add(f"job.{kind} {value}", self.blob(shape))

    def step(self, inputs, value, shape):
        """The text of a step, from the shape of its input, and from the result of
        the last layer, which has a row for each label."""
        job, blob, loss_type = self.job, self.blob(shape), self.blob(shape)
        labels = self.blob(shape[:1], "i32")
        kind = job["loss"] if shape[1] > 1 else "square"
        if kind == "sparse_softmax_cross_entropy":
            loss = self.add(f"job.sparse_softmax_cross_entropy {value}, %labels",
                            f"{blob}, {labels}")
            loss_type = self.blob(shape[:1])
        elif kind == "log_softmax":
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
job.func @step(%x: {self.blob(inputs)} {{job.name = "x"}}, %labels: {labels} {{job.name = "labels"}}) -> ({loss_type} {{job.name = "loss"}}) kind train attributes {{{', '.join(settings)}}} {{
{body}
  job.loss {loss} : {loss_type}
  job.minimize {job['optimizer']} schedule #job.constant_schedule<{self.learning_rate}>
  job.return {loss} : {loss_type}
}}
"""


def check(text, folder, message):
    """What is wrong with a job, or "" if nothing is, and how often `message` is
    in the explanations of its kernels."""
    path = folder / "job.mlir"
    path.write_text(text)
    done = subprocess.run(["job-opt", str(path), "--job-check-lowering",
                           "--explain=kernels", "-o", "/dev/null"],
                          capture_output=True, text=True)
    agrees = done.returncode == 0 and "agree with the reference" in done.stderr
    count = done.stderr.count(message)
    lines = [line for line in done.stderr.splitlines() if "kernels:" not in line]
    return "" if agrees else "\n".join(lines[:6]) or "no message", count


def simpler(job, plain):
    """Jobs with a layer less, or with a plain value in a layer or a setting."""
    for i in range(len(job["layers"])):
        less = copy.deepcopy(job)
        del less["layers"][i]
        if less["layers"]:
            yield less
    for i, part in enumerate([*job["layers"], job]):
        for key, value in plain.items():
            if part.get(key, value) != value:
                less = copy.deepcopy(job)
                [*less["layers"], less][i][key] = value
                yield less


def shrink(job, plain, fails):
    while True:
        failing = (less for less in simpler(job, plain) if fails(less))
        less = next(failing, None)
        if less is None:
            return job
        job = less


def parse_arguments():
    """The options of a generator; makes its folder."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    return arguments


def main(draw, text, plain, message, what):
    """Checks the jobs of the seeds that the command line names.

    `draw` makes a job from a seed, and `text` its text. `plain` has a value of
    layers and settings that a job which fails is tried with. The summary counts
    the jobs whose explanations have `message`, which it calls `what`.
    """
    arguments = parse_arguments()

    def try_job(job):
        return check(text(job).build(), arguments.folder, message)

    failed = counted = 0
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        job = draw(seed)
        error, count = try_job(job)
        counted += count > 0
        if error:
            failed += 1
            job = shrink(job, plain, lambda less: try_job(less)[0])
            print(f"seed {seed}: {error}\n{job}")
            try_job(job)
    print(f"seeds from {arguments.seed}: {arguments.count} jobs, {failed} "
          f"failed, {counted} {what}")
    sys.exit(failed > 0)
