#!/usr/bin/env python3
"""Random steps of small networks of images, against the reference.

    random_images.py FOLDER [--seed N] [--count N]

Convolutions and poolings are calls or kernels on images of one of two
layouts, and what follows a convolution may be a part of its call. Each job is
compiled and run by `job-opt --job-check-lowering`. Prints the seed of each job
that fails, which --seed with --count 1 runs again, and what is left of the job
when layers and settings that it fails without are gone; the text of that is in
FOLDER.
"""

import math
import random

import random_job

ACTIVATIONS = ["relu", "relu", "relu", "tanh", "sigmoid", "gelu", "dropout"]
POOLS = ["max_pool2d", "avg_pool2d"]
OTHERS = ["batch_norm", "batch_norm", "residual", "residual", "concat", "gate",
          "slice", "pad", "transpose"]
PERMUTATIONS = [[0, 1, 3, 2], [0, 2, 3, 1], [0, 3, 1, 2], [1, 0, 2, 3]]
# A convolution to 0 channels keeps their number; one of 0 groups is depthwise.
PLAIN = {"inputs": [1, 1, 4, 4], "kernel": [1, 1], "strides": [1, 1],
         "dilations": [1, 1], "padding": [0] * 4, "nhwc": False,
         "channels": 0, "groups": 1, "bias": False, "width": 3,
         "transposed": False, "back": 1, "precision": "", "in_place": True,
         "optimizer": random_job.OPTIMIZERS[0]}


def draw_pair(rand, choices):
    """A number of the height and one of the width, which mostly are equal."""
    pair = [rand.choice(choices), rand.choice(choices)]
    return pair if rand.random() < 0.3 else pair[:1] * 2


def draw_window(rand, kernels, strides, dilations):
    kernel, dilations = draw_pair(rand, kernels), draw_pair(rand, dilations)
    most = [d * (k - 1) for d, k in zip(dilations, kernel)] * 2
    padding = rand.choice([[0] * 4, [side // 2 for side in most],
                           [rand.randint(0, side) for side in most]])
    return {"kernel": kernel, "strides": draw_pair(rand, strides),
            "dilations": dilations, "padding": padding,
            "nhwc": rand.random() < 0.2}


def draw_layer(rand, kind):
    layer = {"kind": kind}
    if kind == "conv2d":
        layer |= draw_window(rand, [1, 1, 2, 3, 3, 5], [1, 1, 1, 2],
                             [1, 1, 1, 2])
        layer |= {"channels": rand.choice([0, 0, 1, 2, 3, 4, 8, 16]),
                  "groups": rand.choice([1, 1, 1, 1, 2, 4, 0]),
                  "bias": rand.random() < 0.6}
    elif kind in POOLS:
        layer |= draw_window(rand, [1, 2, 2, 3, 3, 4], [1, 2, 2, 3], [1])
    elif kind == "dense":
        layer |= {"width": rand.choice([2, 3, 8, 10, 33]),
                  "bias": rand.random() < 0.6,
                  "transposed": rand.random() < 0.6}
    elif kind in ("residual", "concat"):
        layer["back"] = rand.choice([1, 1, 2, 3])
    elif kind == "transpose":
        layer["permutation"] = rand.choice(PERMUTATIONS)
    return layer


def draw(seed):
    rand = random.Random(seed)
    kinds = []
    for _ in range(rand.choice([1, 2, 2, 3, 4])):
        behind = rand.choices(ACTIVATIONS, k=2) + rand.choices(OTHERS, k=2)
        kinds += ["conv2d", *rand.sample(behind, rand.choice([0, 1, 1, 2, 3]))]
        if rand.random() < 0.5:
            kinds.append(rand.choice(POOLS))
    kinds.append(rand.choice(["mean", "maximum", "flatten", "flatten"]))
    for _ in range(rand.choice([0, 1, 1, 2])):
        kinds += ["dense", *rand.sample(ACTIVATIONS, rand.choice([0, 1]))]
    return {"inputs": [rand.choice([1, 2, 3, 5]), rand.choice([1, 2, 3, 4, 8]),
                       *draw_pair(rand, [4, 5, 7, 8, 12])],
            "layers": [draw_layer(rand, kind) for kind in kinds],
            **random_job.draw_settings(rand)}


def attributes(**values):
    """Attributes of an op: each is a text, or the numbers of an array."""
    texts = (value if isinstance(value, str) else
             f"array<i64: {', '.join(map(str, value))}>"
             for value in values.values())
    pairs = (f"{name} = {text}" for name, text in zip(values, texts))
    return f"{{{', '.join(pairs)}}}"


class Text(random_job.Text):
    """Leaves out windows that are larger than their padded image, and layers of
    images behind a reduction or a reshape of these."""

    learning_rate = 0.05

    def bound(self, terms):
        return round(min(0.5, terms ** -0.5), 3)

    def unary(self, kind, value, shape, /, **values):
        return self.add(f"job.{kind} {value} {attributes(**values)}",
                        self.blob(shape))

    def transpose(self, value, shape, permutation):
        value = self.unary("transpose", value, shape, permutation=permutation)
        return value, tuple(shape[i] for i in permutation)

    def flatten(self, value, shape):
        flat = shape[0], math.prod(shape[1:])
        if flat != shape:
            value = self.add(f"job.reshape {value}",
                             f"{self.blob(shape)} to {self.blob(flat)}")
        return value, flat

    def convolve(self, layer, value, shape, **values):
        inputs = shape[3] if layer["nhwc"] else shape[1]
        groups = math.gcd(layer["groups"], inputs)
        outputs = math.ceil((layer["channels"] or inputs) / groups) * groups
        filters = (outputs, inputs // groups, *layer["kernel"])
        if layer["nhwc"]:
            filters = (outputs, *layer["kernel"], inputs // groups)
        weights = self.read(filters, math.prod(filters[1:]))
        text = attributes(dilations=layer["dilations"],
                          groups=f"{groups} : i64", **values)
        value = self.add(f"job.conv2d {value}, {weights} {text}",
                         f"{self.blob(shape)}, {self.blob(filters)}")
        return value, outputs

    def window(self, layer, value, shape):
        """A convolution or a pooling."""
        nhwc, strides = layer["nhwc"], layer["strides"]
        reach = [d * (k - 1)
                 for d, k in zip(layer["dilations"], layer["kernel"])]
        padding = [min(pair) for pair in zip(layer["padding"], reach * 2)]
        sides = [(shape[2 + i] + padding[i] + padding[2 + i] - reach[i] - 1)
                 // strides[i] + 1 for i in range(2)]
        if min(sides) < 1:
            return value, shape
        images, channels = shape[:2]
        values = {"padding": padding, "strides": strides}
        if nhwc:
            values["layout"] = "#job<layout nhwc>"
            value, shape = self.transpose(value, shape, [0, 2, 3, 1])
        if layer["kind"] == "conv2d":
            value, channels = self.convolve(layer, value, shape, **values)
        else:
            value = self.unary(layer["kind"], value, shape,
                               ksize=layer["kernel"], **values)
        if nhwc:
            value, _ = self.transpose(value, (images, *sides, channels),
                                      [0, 3, 1, 2])
        shape = images, channels, *sides
        if layer.get("bias"):
            value = self.bias(value, shape)
        return value, shape

    def mean(self, value, shape):
        value = self.unary("reduce_sum", value, shape, axes=[2, 3])
        count = f"%count{len(self.lines)}"
        self.lines.append(
            f"{count} = job.constant dense<{math.prod(shape[2:])}.0> : "
            f"tensor<{shape[0]}x{shape[1]}xf32>")
        shape = shape[:2]
        return self.add(f"job.div {value}, {count}", self.blob(shape)), shape

    def gate(self, value, shape):
        """Multiplies each channel by a number that depends on its mean."""
        mean, pair = self.mean(value, shape)
        gate = self.add(f"job.sigmoid {mean}", self.blob(pair))
        gate = self.add(
            f"job.broadcast_in_dim {gate} {attributes(dims=[0, 1])}",
            f"{self.blob(pair)} to {self.blob(shape)}")
        return self.add(f"job.mul {value}, {gate}", self.blob(shape)), shape

    def slice(self, value, shape):
        """A quarter of the image."""
        sizes = *shape[:2], *((side + 1) // 2 for side in shape[2:])
        offsets = 0, 0, *(side // 2 for side in shape[2:])
        return self.unary("slice", value, shape, offsets=offsets, sizes=sizes,
                          strides=[1] * 4), sizes

    def pad(self, value, shape):
        value = self.unary(
            "pad", value, shape, low=[0, 0, 1, 0], high=[0, 0, 1, 1],
            interior=[0] * 4, value="0.0 : f64")
        return value, (*shape[:2], shape[2] + 2, shape[3] + 1)

    def join(self, layer, value, shape, results):
        """With an earlier result of the same shape, or with itself."""
        others = [name for name, other in results
                  if other == shape and name != value] or [value]
        other, blob = others[-layer["back"]:][0], self.blob(shape)
        if layer["kind"] == "residual":
            return self.add(f"job.add {value}, {other}", blob), shape
        return self.add(
            f"job.concat {value}, {other} {{axis = 1 : i64}}",
            f"{blob}, {blob}"), (shape[0], 2 * shape[1], *shape[2:])

    def layer(self, layer, results):
        """The result of a layer, and its shape, from those of all before it."""
        kind, (value, shape) = layer["kind"], results[-1]
        if kind in ACTIVATIONS:
            return self.activate(kind, value, shape), shape
        if kind == "dense":
            return self.dense(layer, *self.flatten(value, shape))
        if kind == "flatten":
            return self.flatten(value, shape)
        if len(shape) == 2:
            return value, shape
        if kind == "conv2d" or kind in POOLS:
            return self.window(layer, value, shape)
        if kind in ("residual", "concat"):
            return self.join(layer, value, shape, results)
        if kind == "transpose":
            return self.transpose(value, shape, layer["permutation"])
        if kind == "batch_norm":
            value = self.normalize(kind, value, shape, "axis = 1 : i64, ")
            return value, shape
        if kind == "maximum":
            value = self.unary("reduce_max", value, shape, axes=[2, 3])
            return value, shape[:2]
        return getattr(self, kind)(value, shape)

    def build(self):
        inputs = tuple(self.job["inputs"])
        results = [("%x", inputs)]
        for layer in self.job["layers"]:
            results.append(self.layer(layer, results))
        value, shape = self.flatten(*results[-1])
        if not self.variables:
            value = self.bias(value, shape)
        return self.step(inputs, value, shape)


if __name__ == "__main__":
    random_job.main(draw, Text, PLAIN, " layout 1 ", "with channels last")
