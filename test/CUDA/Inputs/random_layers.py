#!/usr/bin/env python3
"""Random steps of small fully connected networks, against the reference.

    random_layers.py FOLDER [--seed N] [--count N]

Most kernels and products of such a step are computed row by row, so that
plan-fuse-rows makes a few kernels of them. Each job is compiled and run by
`job-opt --job-check-lowering`. Prints the seed of each job that fails, which
--seed with --count 1 runs again, and what is left of the job when layers and
settings that it fails without are gone; the text of that is in FOLDER.
"""

import random

import random_job

WIDTHS = [1, 2, 4, 5, 10, 16, 32, 33, 64]
ACTIVATIONS = ["none", "relu", "tanh", "sigmoid", "gelu", "dropout", "softmax",
               "layer_norm", "column_max"]
PLAIN = {"activations": [], "bias": False, "residual": False, "precision": "",
         "in_place": True, "optimizer": random_job.OPTIMIZERS[0]}


def draw(seed):
    rand = random.Random(seed)
    layers = [{"width": rand.choice(WIDTHS),
               "bias": rand.random() < 0.7,
               "transposed": rand.random() < 0.6,
               "residual": rand.random() < 0.4,
               "activations": rand.sample(ACTIVATIONS, rand.choice([0, 1, 2]))}
              for _ in range(rand.choice([1, 2, 2, 3, 4]))]
    return {"rows": rand.choice([1, 2, 3, 7, 20, 33, 64, 100]),
            "inputs": rand.choice(WIDTHS), "layers": layers,
            **random_job.draw_settings(rand)}


class Text(random_job.Text):

    def activate(self, kind, value, shape):
        if kind == "none":
            return value
        if kind == "layer_norm":
            return self.normalize(kind, value, shape)
        if kind == "column_max":
            most = self.add(f"job.reduce_max {value} {{axes = array<i64: 0>}}",
                            self.blob(shape))
            return self.add(f"job.sub {value}, {self.broadcast(most, shape)}",
                            self.blob(shape))
        return super().activate(kind, value, shape)

    def build(self):
        inputs = self.job["rows"], self.job["inputs"]
        value, shape = "%x", inputs
        for layer in self.job["layers"]:
            before, before_shape = value, shape
            value, shape = self.dense(layer, value, shape)
            for kind in layer["activations"]:
                value = self.activate(kind, value, shape)
            if layer["residual"] and shape == before_shape:
                value = self.add(f"job.add {value}, {before}", self.blob(shape))
        return self.step(inputs, value, shape)


if __name__ == "__main__":
    random_job.main(draw, Text, PLAIN, "is computed by one kernel with",
                    "with kernels of rows")
