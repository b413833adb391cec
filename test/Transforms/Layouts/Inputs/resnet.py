#!/usr/bin/env python3
"""Writes the training job of a residual network (He et al. 2016): with 50 layers
that for images of 224x224 pixels, with 6 n + 2 that of section 4.2. Or lists the
copies to other layouts in a text.

    resnet.py DEPTH [BATCH]
    resnet.py --copies < TEXT
"""

import collections
import re
import sys

CLASSES = 10
WINDOW = "dilations = array<i64: 1, 1>, groups = 1 : i64"


class Net:
    def __init__(self, batch):
        self.batch, self.lines, self.variables = batch, [], []

    def emit(self, text):
        name = f"%{len(self.lines)}"
        self.lines.append(f"  {name} = {text}")
        return name

    def variable(self, name, shape, init):
        type = f"!job.blob<{shape}xf32>"
        self.variables.append(f"job.variable @{name} : {type} init {init}")
        return self.emit(f"job.read @{name} : {type}")

    def type(self, channels, size):
        return f"!job.blob<{self.batch}x{channels}x{size}x{size}xf32>"

    def conv(self, x, channels, size, outputs, window, stride):
        shape = f"{outputs}x{channels}x{window}x{window}"
        index = sum("conv" in name for name in self.variables)
        f = self.variable(
            f"conv{index}", shape,
            "#job.random_uniform_init<min = -0.1, max = 0.1>")
        pad = window // 2
        return self.emit(
            f"job.conv2d {x}, {f} {{strides = array<i64: {stride}, {stride}>, "
            f"padding = array<i64: {pad}, {pad}, {pad}, {pad}>, {WINDOW}}} : "
            f"{self.type(channels, size)}, !job.blob<{shape}xf32>")

    def norm(self, x, channels, size):
        index = len(self.lines)
        gamma = self.variable(f"gamma{index}", channels,
                              "#job.constant_init<1.0>")
        beta = self.variable(f"beta{index}", channels,
                             "#job.constant_init<0.0>")
        line = self.emit(
            f"job.batch_norm {x}, {gamma}, {beta} {{axis = 1 : i64, "
            f"epsilon = 1.0e-05 : f64}} : {self.type(channels, size)}, "
            f"!job.blob<{channels}xf32>")
        self.lines[-1] = self.lines[-1].replace(f"{line} =", f"{line}:3 =")
        return f"{line}#0"

    def relu(self, x, channels, size):
        return self.emit(f"job.relu {x} : {self.type(channels, size)}")

    def add(self, x, y, channels, size):
        return self.emit(f"job.add {x}, {y} : {self.type(channels, size)}")

    def block(self, x, channels, size, outputs, stride):
        after = size // stride
        y = self.conv(x, channels, size, outputs, 3, stride)
        y = self.relu(self.norm(y, outputs, after), outputs, after)
        y = self.norm(self.conv(y, outputs, after, outputs, 3, 1), outputs,
                      after)
        if stride > 1:
            x = self.conv(x, channels, size, outputs, 1, stride)
            x = self.norm(x, outputs, after)
        return self.relu(self.add(x, y, outputs, after), outputs, after)


    def bottleneck(self, x, channels, size, inner, stride):
        after, outputs = size // stride, 4 * inner
        y = self.norm(self.conv(x, channels, size, inner, 1, 1), inner, size)
        y = self.relu(y, inner, size)
        y = self.norm(self.conv(y, inner, size, inner, 3, stride), inner, after)
        y = self.relu(y, inner, after)
        y = self.norm(self.conv(y, inner, after, outputs, 1, 1), outputs, after)
        if channels != outputs:
            x = self.conv(x, channels, size, outputs, 1, stride)
            x = self.norm(x, outputs, after)
        return self.relu(self.add(x, y, outputs, after), outputs, after)


def build_small(net, depth):
    x = net.conv("%images", 3, 32, 16, 3, 1)
    x = net.relu(net.norm(x, 16, 32), 16, 32)
    channels, size = 16, 32
    for outputs in (16, 32, 64):
        for i in range((depth - 2) // 6):
            stride = 2 if i == 0 and outputs > 16 else 1
            x = net.block(x, channels, size, outputs, stride)
            channels, size = outputs, size // stride
    return x, channels, size


def build_50(net):
    x = net.conv("%images", 3, 224, 64, 7, 2)
    x = net.relu(net.norm(x, 64, 112), 64, 112)
    x = net.emit(f"job.max_pool2d {x} {{ksize = array<i64: 3, 3>, "
                 "strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>"
                 f"}} : {net.type(64, 112)}")
    channels, size = 64, 56
    for inner, count in ((64, 3), (128, 4), (256, 6), (512, 3)):
        for i in range(count):
            stride = 2 if i == 0 and inner > 64 else 1
            x = net.bottleneck(x, channels, size, inner, stride)
            channels, size = 4 * inner, size // stride
    return x, channels, size


def write(depth, batch):
    net = Net(batch)
    pixels = 224 if depth == 50 else 32
    x, channels, size = \
        build_50(net) if depth == 50 else build_small(net, depth)
    x = net.emit(f"job.avg_pool2d {x} {{ksize = array<i64: {size}, {size}>, "
                 "strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>"
                 f"}} : {net.type(channels, size)}")
    x = net.emit(f"job.reshape {x} : {net.type(channels, 1)} to "
                 f"!job.blob<{batch}x{channels}xf32>")
    w = net.variable("dense", f"{channels}x{CLASSES}",
                     "#job.random_uniform_init<min = -0.1, max = 0.1>")
    logits = net.emit(f"job.matmul {x}, {w} : !job.blob<{batch}x{channels}xf32>"
                      f", !job.blob<{channels}x{CLASSES}xf32>")
    loss = net.emit(
        f"job.sparse_softmax_cross_entropy {logits}, %labels : "
        f"!job.blob<{batch}x{CLASSES}xf32>, !job.blob<{batch}xi32>")
    print("\n".join(net.variables))
    print(f"job.func @train(%images: {net.type(3, pixels)}, "
          f"%labels: !job.blob<{batch}xi32>) -> !job.blob<{batch}xf32> "
          "kind train {")
    print("\n".join(net.lines))
    print(f"  job.loss {loss} : !job.blob<{batch}xf32>")
    print("  job.minimize #job.momentum<beta = 0.9> schedule #job.constant_schedule<0.1>")
    print(f"  job.return {loss} : !job.blob<{batch}xf32>\n}}")


def list_copies(text):
    """How many blobs a step copies to NHWC or OHWI, and back, by their shapes; how
    many variables are permuted."""
    permuted = len(re.findall(r"job\.variable .*permutation = ", text))
    text = text[:text.index("@jobmlir_init")]
    counts = collections.Counter()
    for order, shape in re.findall(
            r"job\.transpose .*permutation = array<i64: (0, \d, \d, \d)>} : "
            r"(?:!job\.blob)?<((?:\d+x){4}\w+)>", text):
        counts[("to nhwc" if order == "0, 2, 3, 1" else "to nchw", shape)] += 1
    for (order, shape), count in sorted(counts.items()):
        print(f"{count} {order}: {shape}")
    print(f"{len(re.findall('job.transpose', text))} transposes")
    print(f"{permuted} permuted variables")


if __name__ == "__main__":
    if sys.argv[1] == "--copies":
        list_copies(sys.stdin.read())
    else:
        write(int(sys.argv[1]), int((sys.argv[2:] or ["8"])[0]))
