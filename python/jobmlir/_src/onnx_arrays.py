"""Rules of constants, of ops that move elements, and of micro-steps."""

import math
import re

import numpy

from . import dtype as dtypes
from .onnx_rules import rule
from .onnx_values import concat

# ===- Constants ---------------------------------------------------------------===#

# Larger constants with one element are in the model as that.
_MOST_EQUAL = 16


def _element(token, dtype):
    if token in ("true", "false"):
        return token == "true"
    if token.startswith("0x"):
        size = len(token) // 2 - 1
        bits = int(token, 16).to_bytes(size, "little")
        if dtype == dtypes.bfloat16:
            return float(numpy.frombuffer(b"\0\0" + bits, "<f4")[0])
        return numpy.frombuffer(bits, f"<f{size}")[0]
    return float(token) if dtype.is_float() else int(token)


@rule("constant")
def _constant(c):
    content = re.match(r"dense<(.*)> :", c.take("value"), re.DOTALL).group(1)
    dtype, shape = c.result.dtype, c.result.shape
    numpy_type = dtypes.convert_oneflow_dtype_to_numpy_dtype(dtype)
    if content.startswith('"0x'):
        # The bytes of all elements, little-endian.
        values = numpy.frombuffer(bytes.fromhex(content[3:-1]), numpy_type)
    else:
        tokens = re.findall(r"[^\s,\[\]]+", content)
        values = numpy.array([_element(token, dtype) for token in tokens], numpy_type)
    if len(values) == 1 and math.prod(shape) > _MOST_EQUAL:
        c.set(c.constant(values, dtype).apply("Expand", list(shape)))
        return
    if len(values) > 1:
        values = values.reshape(shape)
    c.set(c.constant(numpy.broadcast_to(values, shape), dtype))


@rule("iota")
def _iota(c):
    axis, dtype, shape = c.take("axis"), c.result.dtype, c.result.shape
    numpy_type = dtypes.convert_oneflow_dtype_to_numpy_dtype(dtype)
    line = [extent if dim == axis else 1 for dim, extent in enumerate(shape)]
    numbers = c.constant(
        numpy.arange(shape[axis]).astype(numpy_type).reshape(line), dtype
    )
    is_line = tuple(line) == tuple(shape)
    c.set(numbers if is_line else numbers.apply("Expand", list(shape)))


# ===- Shapes ------------------------------------------------------------------===#


@rule("reshape")
def _reshape(c):
    c.set(c.inputs[0].reshape(c.result.shape))


@rule("broadcast_in_dim")
def _broadcast(c):
    (x,), dims = c.inputs, c.take("dims")
    line = [1] * len(c.result.shape)
    for dim, extent in zip(dims, c.operands[0].shape):
        line[dim] = extent
    if tuple(line) != c.operands[0].shape:
        x = x.reshape(line)
    c.set(x.apply("Expand", list(c.result.shape)))


@rule("transpose")
def _transpose(c):
    c.set(c.inputs[0].apply("Transpose", perm=c.take("permutation")))


@rule("concat")
def _concat(c):
    c.set(concat(c.inputs, c.take("axis")))


@rule("slice")
def _slice(c):
    offsets, sizes, strides = (c.take(n) for n in ("offsets", "sizes", "strides"))
    ends = [o + (n - 1) * s + 1 for o, n, s in zip(offsets, sizes, strides)]
    axes = range(len(offsets))
    c.set(c.inputs[0].apply("Slice", list(offsets), ends, axes, list(strides)))


def _pad_between(x, shape, axis, count, value):
    """`count` elements between any two along an axis: behind each of them, except the
    last."""
    shape = list(shape)
    extent = shape[axis]
    rank = len(shape) + 1
    after = [0] * (2 * rank)
    after[rank + axis + 1] = count
    x = x.reshape([*shape[: axis + 1], 1, *shape[axis + 1 :]])
    x = x.apply("Pad", after, value)
    shape[axis] = extent * (count + 1)
    return x.reshape(shape).slice(axis, 0, shape[axis] - count)


@rule("pad")
def _pad(c):
    (x,), shape = c.inputs, list(c.operands[0].shape)
    low, high, value = c.take("low"), c.take("high"), c.take("value")
    value = x.constant(value if x.dtype.is_float() else round(value))
    for axis, count in enumerate(c.take("interior")):
        if count and shape[axis] > 1:
            x = _pad_between(x, shape, axis, count, value)
            shape[axis] += (shape[axis] - 1) * count
    if any(low) or any(high):
        x = x.apply("Pad", [*low, *high], value)
    c.set(x)


@rule("pad_to_static")
def _pad_to_static(c):
    (x, count), shape = c.inputs, c.result.shape
    dim = c.operands[0]._dynamic_axis
    missing = c.ints(shape[dim : dim + 1]) - count
    pads = [c.ints([0] * (len(shape) + dim)), missing]
    if others := len(shape) - dim - 1:
        pads.append(c.ints([0] * others))
    value = x.constant(c.take("value"))
    c.set(x.apply("Pad", concat(pads, axis=0), value).reshape(shape))


@rule("slice_to_dynamic")
def _slice_to_dynamic(c):
    x, count = c.inputs
    c.set(x.apply("Slice", [0], count, [c.take("dim")]))


# ===- Micro-steps --------------------------------------------------------------===#

# A value of each micro-step is a list of values. These rules are called once; others
# once for each micro-step.
MICRO_STEPS = {}


def _of_all_steps(name):
    def decorator(function):
        MICRO_STEPS[f"job.{name}"] = function
        return function

    return decorator


@_of_all_steps("unpack")
def _unpack(c):
    (x,), count = c.inputs, c.take("count")
    rows = c.result.shape[0]
    c.values[0] = [x.slice(0, rows * i, rows * (i + 1)) for i in range(count)]


@_of_all_steps("broadcast_micro_steps")
def _broadcast_micro_steps(c):
    c.values[0] = c.inputs * c.take("count")


@_of_all_steps("pack")
def _pack(c):
    c.take("count")
    c.set(concat(c.inputs[0], axis=0))


@_of_all_steps("acc")
def _acc(c):
    c.take("count")
    total, *others = c.inputs[0]
    for one in others:
        total = total + one
    c.set(total)
