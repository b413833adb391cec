#!/usr/bin/env python3
"""Writes one job of convolutions and their gradients, in both layouts.

    convolutions.py [bf16] > JOB.mlir

In bf16 there is none of several groups: no library computes those.
"""

import sys

# Batch, channels, extent, output channels, window, stride, padding, groups, and a
# dilation that is not 1.
SHAPES = [
    (2, 16, 16, 16, 3, 1, 1, 1),
    (1, 32, 28, 32, 3, 1, 1, 1),
    (2, 64, 14, 64, 1, 2, 0, 1),
    # Chunks have parts of the channels.
    (1, 128, 28, 128, 3, 2, 1, 1),
    # Few channels: they are no block.
    (2, 1, 28, 32, 5, 1, 2, 1),
    (1, 1, 112, 3, 5, 2, 0, 1),
    (1, 3, 224, 64, 7, 2, 3, 1),
    (1, 3, 32, 6, 3, 1, 1, 1),
    (1, 5, 20, 7, 3, 1, 1, 1),
    # Large windows and strides.
    (1, 64, 14, 64, 9, 1, 4, 1),
    (1, 64, 33, 32, 9, 1, 0, 1),
    (1, 6, 112, 16, 7, 4, 3, 1),
    (1, 64, 30, 64, 3, 3, 1, 1),
    # Windows larger than the images.
    (2, 64, 2, 64, 3, 1, 1, 1),
    (1, 64, 1, 32, 3, 1, 1, 1),
    (2, 128, 5, 4, 7, 1, 3, 1),
    # More than half of a window is padding.
    (1, 32, 15, 48, 3, 1, 2, 1),
    (1, 3, 28, 16, 5, 1, 3, 1),
    (2, 64, 8, 48, 3, 2, 2, 1),
    (3, 17, 32, 8, 5, 1, 3, 1),
    # A data gradient with more pixels than the result has.
    (2, 128, 22, 17, 5, 3, 3, 1),
    # A window that is larger than the image by its dilation.
    (3, 32, 5, 8, 4, 1, 1, 1, 2),
    # Groups.
    (1, 48, 14, 48, 3, 1, 1, 48),
    (1, 8, 112, 8, 7, 2, 3, 2),
    (1, 32, 14, 64, 3, 1, 1, 2),
]
OPS = ["conv2d", "conv2d_data_grad", "conv2d_filter_grad"]
ELEMENT = sys.argv[1] if len(sys.argv) > 1 else "f32"


def blob(*extents):
    return "!job.blob<" + "x".join(map(str, extents)) + f"x{ELEMENT}>"


def convolution(shape, op, last):
    """Operands and result, as types, and the attributes."""
    n, c, size, oc, window, stride, padding, groups, *dilations = shape
    (dilation,) = dilations or (1,)
    out = (size + 2 * padding - dilation * (window - 1) - 1) // stride + 1
    attributes = (
        f"strides = array<i64: {stride}, {stride}>, "
        f"padding = array<i64: {padding}, {padding}, {padding}, {padding}>, "
        f"dilations = array<i64: {dilation}, {dilation}>, groups = {groups} : i64"
    )
    if last:
        attributes += ", layout = #job<layout nhwc>"
        image, filter = blob(n, size, size, c), blob(oc, window, window, c // groups)
        result = blob(n, out, out, oc)
    else:
        image, filter = blob(n, c, size, size), blob(oc, c // groups, window, window)
        result = blob(n, oc, out, out)
    operands = {
        "conv2d": (image, filter, result),
        "conv2d_data_grad": (result, filter, image),
        "conv2d_filter_grad": (result, image, filter),
    }
    return *operands[op], attributes


def main():
    arguments, body, results = [], [], []
    for last in (False, True):
        for shape in SHAPES:
            if ELEMENT == "bf16" and shape[7] > 1:
                continue
            for op in OPS:
                a, b, result, attributes = convolution(shape, op, last)
                i = len(results)
                arguments += [f"%a{i}: {a}", f"%b{i}: {b}"]
                type = f"{a}, {b}" + ("" if op == "conv2d" else f" -> {result}")
                body.append(f"  %{i} = job.{op} %a{i}, %b{i} {{{attributes}}} : {type}")
                results.append(result)
    print(f"job.func @convolutions({', '.join(arguments)})")
    print(f"    -> ({', '.join(results)}) kind predict {{")
    print("\n".join(body))
    names = ", ".join(f"%{i}" for i in range(len(results)))
    print(f"  job.return {names} : {', '.join(results)}")
    print("}")


if __name__ == "__main__":
    main()
