"""Rules of reductions, products, convolutions, poolings, and what works on rows."""

import math

import numpy

from . import dtype as dtypes
from .onnx_rules import RULES, rule
from .onnx_values import concat, where

# ===- Reductions ----------------------------------------------------------------===#


def _reduction(operator):
    def convert(c):
        axes = c.take("axes")
        c.take("keepdims")
        c.set(c.inputs[0].reduce(operator, axes).reshape(c.result.shape))

    return convert


for _name, _operator in (("max", "ReduceMax"), ("min", "ReduceMin")):
    RULES[f"job.reduce_{_name}"] = _reduction(_operator)


def _folded(c, combine):
    """The operand with its axes reduced by halves."""
    (x,), axes, shape = c.inputs, c.take("axes"), c.operands[0].shape
    c.take("keepdims")
    kept = [axis for axis in range(len(shape)) if axis not in axes]
    count = math.prod(shape[axis] for axis in axes)
    x = x.transpose([*kept, *axes]).reshape([*(shape[axis] for axis in kept), count])
    last = len(kept)
    while count > 1:
        half = count // 2
        pairs = combine(x.slice(last, 0, half), x.slice(last, half, 2 * half))
        if count % 2:
            pairs = concat([pairs, x.slice(last, count - 1, count)], axis=last)
        x, count = pairs, count - half
    return x.reshape(c.result.shape)


def _wrapping(operator, combine):
    """Sums and products of ints wrap, which reductions of ONNX Runtime do not."""
    plain = _reduction(operator)

    def convert(c):
        if c.operands[0].dtype.is_float():
            plain(c)
        else:
            c.set(_folded(c, combine))

    return convert


RULES["job.reduce_sum"] = _wrapping("ReduceSum", lambda x, y: x + y)
RULES["job.reduce_prod"] = _wrapping("ReduceProd", lambda x, y: x * y)


# ===- Products, convolutions, poolings -------------------------------------------===#


# Those that ONNX Runtime has kernels of Gemm for.
_GEMM_TYPES = (dtypes.float32, dtypes.float64)


@rule("matmul")
def _matmul(c):
    sides = [bool(c.take(f"transpose_{side}", False)) for side in ("lhs", "rhs")]
    lhs, rhs = c.inputs
    # One node, that a viewer shows with its weight.
    if any(sides) and len(c.result.shape) == 2 and lhs.dtype in _GEMM_TYPES:
        c.set(lhs.apply("Gemm", rhs, transA=int(sides[0]), transB=int(sides[1])))
        return
    inputs = []
    for value, blob, is_transposed in zip(c.inputs, c.operands, sides):
        perm = list(range(len(blob.shape)))
        perm[-2:] = perm[:-3:-1]
        inputs.append(value.transpose(perm) if is_transposed else value)
    lhs, rhs = inputs
    c.set(lhs.apply("MatMul", rhs))


def _images(c, operator, count, **attributes):
    """An operator of images with channels first, of the first `count` operands."""
    layout = c.take("layout")
    is_last = layout is not None and "nhwc" in layout
    inputs = c.inputs[:count]
    if is_last:
        inputs = [one.transpose([0, 3, 1, 2]) for one in inputs]
    first, *others = inputs
    result = first.apply(operator, *others, **attributes)
    c.set(result.transpose([0, 2, 3, 1]) if is_last else result)


def _window(c):
    return {
        "strides": c.take("strides"),
        "pads": c.take("padding"),
        "dilations": c.take("dilations"),
        "group": c.take("groups"),
    }


@rule("conv2d")
def _conv2d(c):
    _images(c, "Conv", 2, **_window(c))


@rule("conv2d_data_grad")
def _conv2d_data_grad(c):
    window = _window(c)
    layout = c.take("layout")
    is_last = layout is not None and "nhwc" in layout
    first = 1 if is_last else 2
    sizes, given, kernel = (
        blob.shape[first : first + 2] for blob in (c.result, *c.operands)
    )
    # What a convolution of the result does not reach is padding of it.
    window["output_padding"] = [
        sizes[i]
        + window["pads"][i]
        + window["pads"][i + 2]
        - (given[i] - 1) * window["strides"][i]
        - (kernel[i] - 1) * window["dilations"][i]
        - 1
        for i in range(2)
    ]
    inputs = c.inputs
    if is_last:
        inputs = [one.transpose([0, 3, 1, 2]) for one in inputs]
    grad, kernels = inputs
    result = grad.apply("ConvTranspose", kernels, **window)
    c.set(result.transpose([0, 2, 3, 1]) if is_last else result)


def _pooling(operator, **more):
    def convert(c):
        _images(
            c,
            operator,
            1,
            kernel_shape=c.take("ksize"),
            strides=c.take("strides"),
            pads=c.take("padding"),
            **more,
        )

    return convert


RULES["job.max_pool2d"] = _pooling("MaxPool")
RULES["job.avg_pool2d"] = _pooling("AveragePool", count_include_pad=0)


# ===- Rows -----------------------------------------------------------------------===#


@rule("softmax")
def _softmax(c):
    c.set(c.inputs[0].apply("Softmax", axis=-1))


@rule("log_softmax")
def _log_softmax(c):
    c.set(c.inputs[0].apply("LogSoftmax", axis=-1))


@rule("sparse_softmax_cross_entropy")
def _sparse_softmax_cross_entropy(c):
    logits, labels = c.wide()
    *rows, classes = c.operands[0].shape
    labels = labels.cast(dtypes.int64).reshape([*rows, 1])
    inside = (labels >= 0) & (labels < classes)
    chosen = logits.apply("LogSoftmax", axis=-1).apply(
        "GatherElements", where(inside, labels, 0), axis=-1
    )
    c.set(where(inside, -chosen, math.nan).reshape(c.result.shape))


def _normalize(x, axes, epsilon):
    """(normalised, mean, variance, factor) of x over axes, which are kept."""
    mean = x.reduce("ReduceMean", axes)
    difference = x - mean
    variance = (difference * difference).reduce("ReduceMean", axes)
    factor = (variance + epsilon).apply("Sqrt").apply("Reciprocal")
    return difference * factor, mean, variance, factor


@rule("layer_norm")
def _layer_norm(c):
    x, gamma, beta = c.wide()
    normal, mean, _, factor = _normalize(x, [-1], c.take("epsilon"))
    c.set(normal * gamma + beta)
    c.set(mean.reshape(c.results[1].shape), 1)
    c.set(factor.reshape(c.results[2].shape), 2)


@rule("batch_norm")
def _batch_norm(c):
    axis, epsilon = c.take("axis"), c.take("epsilon")
    x, gamma, beta = c.wide()
    rank = len(c.operands[0].shape)
    axes = [dim for dim in range(rank) if dim != axis]
    normal, mean, variance, _ = _normalize(x, axes, epsilon)
    line = [-1 if dim == axis else 1 for dim in range(rank)]
    gamma, beta = (one.cast(x.dtype).reshape(line) for one in (gamma, beta))
    c.set(normal * gamma + beta)
    c.set(mean.reshape(c.results[1].shape), 1)
    c.set(variance.reshape(c.results[2].shape), 2)


@rule("attention")
def _attention(c):
    scale, causal = c.take("scale"), c.take("causal", False)
    before, after = (c.take(n) or [0] * 3 for n in ("heads_before", "heads_after"))
    inputs = c.wide()
    for index, (first, last) in enumerate(zip(before, after)):
        if first or last:
            end = c.operands[index].shape[2] - last
            inputs[index] = inputs[index].slice(2, first, end)
    query, key, value = inputs
    query = query.transpose([0, 2, 1, 3])
    key, value = key.transpose([0, 2, 3, 1]), value.transpose([0, 2, 1, 3])
    scores = query.apply("MatMul", key) * scale
    if causal:
        rows, columns = c.operands[0].shape[1], c.operands[1].shape[1]
        seen = numpy.tri(rows, columns, columns - rows, dtype=bool)
        seen = c.constant(seen, dtypes.bool_)
        scores = where(seen, scores, -math.inf)
    weights = scores.apply("Softmax", axis=-1)
    c.set(weights.apply("MatMul", value).transpose([0, 2, 1, 3]))
    greatest = scores.reduce("ReduceMax", [-1])
    sums = (scores - greatest).apply("Exp").reduce("ReduceSum", [-1])
    c.set((sums.apply("Log") + greatest).reshape(c.results[1].shape), 1)
