"""How each op of the dialect is expressed by operators of ONNX.

A rule is a function of a Converter, which has the op's operands, attributes and
results. An op without a rule is one that ONNX lacks.
"""

import math
import re

import numpy

from . import dtype as dtypes
from .onnx_graph import DATA_TYPES

RULES = {}

_NARROW_INTS = (dtypes.int8, dtypes.uint8)
_NARROW_FLOATS = (dtypes.float16, dtypes.bfloat16)


class NotInOnnx(Exception):
    """An op, or a use of one, that ONNX lacks; the text says which."""


class Converter:
    """One op on its way into a graph."""

    def __init__(self, graph, record, names):
        self.graph = graph
        self.operands = record.operands
        self.results = record.results
        self.names = [names[blob._value] for blob in record.operands]
        self._attributes = dict(record.attributes)
        # The value of each result, or None for one that this op has no value of.
        self.values = [None] * len(record.results)

    def take(self, name, default=None):
        """An attribute, which the rule knows."""
        return self._attributes.pop(name, default)

    def finish(self):
        if self._attributes:
            raise NotInOnnx(f"attribute {next(iter(self._attributes))}")

    @property
    def result(self):
        return self.results[0]

    def node(self, op, *inputs, **attributes):
        return self.graph.node(op, *inputs, **attributes)

    def number(self, value, dtype):
        """A value of one element, which operators broadcast."""
        numpy_type = dtypes.convert_oneflow_dtype_to_numpy_dtype(dtype)
        return self.graph.constant(numpy.array(value, numpy_type), dtype)

    def cast(self, name, source, target):
        """`name` of dtype `source` as dtype `target`."""
        if source == target:
            return name
        return self.node("Cast", name, to=DATA_TYPES[target])

    def reshape(self, name, shape):
        return self.node("Reshape", name, self.graph.ints(shape))

    def reduce(self, op, name, axes):
        """A reduction that keeps its dimensions."""
        if op == "ReduceSum" or self.graph.opset >= 18:
            return self.node(op, name, self.graph.ints(axes), keepdims=1)
        return self.node(op, name, axes=list(axes), keepdims=1)

    def wide(self):
        """(names, dtype) of the operands: those of 16 bits as float32, since what is
        computed on the way to a result is not rounded."""
        dtype = self.operands[0].dtype
        if dtype not in _NARROW_FLOATS:
            return self.names, dtype
        names = [
            self.cast(name, blob.dtype, dtypes.float32)
            if blob.dtype in _NARROW_FLOATS
            else name
            for name, blob in zip(self.names, self.operands)
        ]
        return names, dtypes.float32

    def finish_wide(self, name, dtype, index=0):
        """Sets a result from a value of `dtype`."""
        self.values[index] = self.cast(name, dtype, self.results[index].dtype)


def _rule(*names):
    def decorator(function):
        for name in names:
            RULES[f"job.{name}"] = function
        return function

    return decorator


# ===- Elementwise -----------------------------------------------------------===#


def _elementwise(op, narrow):
    """An operator for the same op. Few have 8-bit ints: these are computed in int32,
    which wraps to the same bits."""

    def rule(c):
        names, dtype = c.names, c.operands[0].dtype
        if not narrow or dtype not in _NARROW_INTS:
            c.values[0] = c.node(op, *names)
            return
        wide = [c.cast(name, dtype, dtypes.int32) for name in names]
        result = c.node(op, *wide)
        c.values[0] = c.cast(result, dtypes.int32, c.result.dtype)

    return rule


for _name, _op in (
    ("abs", "Abs"),
    ("acos", "Acos"),
    ("acosh", "Acosh"),
    ("asin", "Asin"),
    ("asinh", "Asinh"),
    ("atan", "Atan"),
    ("atanh", "Atanh"),
    ("ceil", "Ceil"),
    ("cos", "Cos"),
    ("cosh", "Cosh"),
    ("erf", "Erf"),
    ("exp", "Exp"),
    ("floor", "Floor"),
    ("log", "Log"),
    ("logical_and", "And"),
    ("logical_not", "Not"),
    ("logical_or", "Or"),
    ("round", "Round"),
    ("sigmoid", "Sigmoid"),
    ("sin", "Sin"),
    ("sinh", "Sinh"),
    ("sqrt", "Sqrt"),
    ("stop_gradient", "Identity"),
    ("tan", "Tan"),
    ("tanh", "Tanh"),
):
    RULES[f"job.{_name}"] = _elementwise(_op, narrow=False)
for _name, _op in (
    ("add", "Add"),
    ("div", "Div"),
    ("maximum", "Max"),
    ("minimum", "Min"),
    ("mul", "Mul"),
    ("neg", "Neg"),
    ("sign", "Sign"),
    ("sub", "Sub"),
):
    RULES[f"job.{_name}"] = _elementwise(_op, narrow=True)


@_rule("relu")
def _relu(c):
    # Relu of ints came with operators 14.
    if c.operands[0].dtype.is_float():
        c.values[0] = c.node("Relu", *c.names)
        return
    dtype = c.operands[0].dtype
    wide = dtypes.int64 if dtype == dtypes.int64 else dtypes.int32
    clipped = c.node("Max", c.cast(c.names[0], dtype, wide), c.number(0, wide))
    c.values[0] = c.cast(clipped, wide, dtype)


@_rule("rsqrt")
def _rsqrt(c):
    (x,), dtype = c.wide()
    c.finish_wide(c.node("Reciprocal", c.node("Sqrt", x)), dtype)


@_rule("pow")
def _pow(c):
    (x, y), dtype = c.wide()
    c.finish_wide(c.node("Pow", x, y), dtype)


def _where_small(c, x, dtype, small, large):
    """`small` where |x| < 1/2, where the plain formula loses digits."""
    is_small = c.node("Less", c.node("Abs", x), c.number(0.5, dtype))
    c.finish_wide(c.node("Where", is_small, small, large), dtype)


@_rule("expm1")
def _expm1(c):
    (x,), dtype = c.wide()
    one, two = c.number(1, dtype), c.number(2, dtype)
    t = c.node("Tanh", c.node("Div", x, two))
    small = c.node("Div", c.node("Mul", two, t), c.node("Sub", one, t))
    _where_small(c, x, dtype, small, c.node("Sub", c.node("Exp", x), one))


@_rule("log1p")
def _log1p(c):
    (x,), dtype = c.wide()
    one = c.number(1, dtype)
    u = c.node("Add", one, x)
    rest = c.node("Sub", u, one)
    log = c.node("Log", u)
    # Where 1 + x is rounded to 1, the quotient would be 0 / 0.
    is_lost = c.node("Equal", rest, c.number(0, dtype))
    divisor = c.node("Where", is_lost, one, rest)
    small = c.node("Mul", c.node("Div", log, divisor), x)
    small = c.node("Where", is_lost, x, small)
    _where_small(c, x, dtype, small, log)


@_rule("gelu")
def _gelu(c):
    approximate = c.take("approximate")
    (x,), dtype = c.wide()
    half, one = c.number(0.5, dtype), c.number(1, dtype)
    if approximate is not None and "tanh" in approximate:
        cube = c.node("Mul", c.node("Mul", x, x), x)
        inner = c.node("Add", x, c.node("Mul", c.number(0.044715, dtype), cube))
        inner = c.node("Mul", c.number(math.sqrt(2 / math.pi), dtype), inner)
        shape = c.node("Tanh", inner)
    else:
        shape = c.node("Erf", c.node("Mul", x, c.number(math.sqrt(0.5), dtype)))
    halved = c.node("Mul", half, x)
    c.finish_wide(c.node("Mul", halved, c.node("Add", one, shape)), dtype)


_PREDICATES = {
    "eq": "Equal",
    "ne": "Equal",
    "lt": "Less",
    "le": "LessOrEqual",
    "gt": "Greater",
    "ge": "GreaterOrEqual",
}


@_rule("compare")
def _compare(c):
    predicate = re.fullmatch(r"#job<predicate (\w+)>", c.take("predicate")).group(1)
    names, dtype = c.names, c.operands[0].dtype
    if dtype in _NARROW_INTS:
        names = [c.cast(name, dtype, dtypes.int32) for name in names]
    result = c.node(_PREDICATES[predicate], *names)
    c.values[0] = c.node("Not", result) if predicate == "ne" else result


@_rule("select")
def _select(c):
    c.values[0] = c.node("Where", *c.names)


@_rule("cast")
def _cast(c):
    c.values[0] = c.cast(c.names[0], c.operands[0].dtype, c.result.dtype)


# ===- Constants ---------------------------------------------------------------===#


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


@_rule("constant")
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
    if len(values) == 1 and math.prod(shape) > 16:
        # Its elements are in the model once.
        c.values[0] = c.node(
            "Expand", c.graph.constant(values, dtype), c.graph.ints(shape)
        )
        return
    array = numpy.broadcast_to(
        values if len(values) == 1 else values.reshape(shape), shape
    )
    c.values[0] = c.graph.constant(array, dtype)


@_rule("iota")
def _iota(c):
    axis, dtype, shape = c.take("axis"), c.result.dtype, c.result.shape
    numpy_type = dtypes.convert_oneflow_dtype_to_numpy_dtype(dtype)
    line = [extent if dim == axis else 1 for dim, extent in enumerate(shape)]
    numbers = numpy.arange(shape[axis]).astype(numpy_type).reshape(line)
    line = c.graph.constant(numbers, dtype)
    c.values[0] = c.node("Expand", line, c.graph.ints(shape))


# ===- Shapes ------------------------------------------------------------------===#


@_rule("reshape")
def _reshape(c):
    c.values[0] = c.reshape(c.names[0], c.result.shape)


@_rule("broadcast_in_dim")
def _broadcast(c):
    dims = c.take("dims")
    line = [1] * len(c.result.shape)
    for dim, extent in zip(dims, c.operands[0].shape):
        line[dim] = extent
    name = c.names[0]
    if tuple(line) != c.operands[0].shape:
        name = c.reshape(name, line)
    c.values[0] = c.node("Expand", name, c.graph.ints(c.result.shape))


@_rule("transpose")
def _transpose(c):
    c.values[0] = c.node("Transpose", *c.names, perm=c.take("permutation"))


@_rule("concat")
def _concat(c):
    c.values[0] = c.node("Concat", *c.names, axis=c.take("axis"))


@_rule("slice")
def _slice(c):
    offsets, sizes, strides = (c.take(n) for n in ("offsets", "sizes", "strides"))
    ends = [o + (n - 1) * s + 1 for o, n, s in zip(offsets, sizes, strides)]
    lists = (offsets, ends, range(len(offsets)), strides)
    c.values[0] = c.node("Slice", c.names[0], *map(c.graph.ints, lists))


@_rule("pad")
def _pad(c):
    low, high, value = c.take("low"), c.take("high"), c.take("value")
    interior = c.take("interior")
    if any(interior):
        raise NotInOnnx("padding between elements")
    dtype = c.operands[0].dtype
    value = float(value) if dtype.is_float() else round(value)
    pads = c.graph.ints([*low, *high])
    c.values[0] = c.node("Pad", c.names[0], pads, c.number(value, dtype))


# ===- Indices -----------------------------------------------------------------===#


def _wide_indices(c, index):
    dtype = c.operands[index].dtype
    if dtype in (dtypes.int32, dtypes.int64):
        return c.names[index]
    return c.cast(c.names[index], dtype, dtypes.int32)


@_rule("gather")
def _gather(c):
    axis, batch = c.take("axis"), c.take("batch_dims", 0)
    if batch == 0:
        c.values[0] = c.node("Gather", c.names[0], _wide_indices(c, 1), axis=axis)
        return
    if axis != batch:
        raise NotInOnnx(f"a gather along axis {axis} with {batch} batch dimensions")
    indices = c.cast(c.names[1], c.operands[1].dtype, dtypes.int64)
    indices = c.reshape(indices, [*c.operands[1].shape, 1])
    c.values[0] = c.node("GatherND", c.names[0], indices, batch_dims=batch)


@_rule("scatter_add")
def _scatter_add(c):
    axis, extent, batch = c.take("axis"), c.take("extent"), c.take("batch_dims", 0)
    if batch:
        raise NotInOnnx(f"a sum by index with {batch} batch dimensions")
    if c.graph.opset < 16:
        raise NotInOnnx("a sum by index before opset 16")
    updates, indices = c.names[0], c.operands[1]
    rank, count = len(c.operands[0].shape), len(indices.shape)
    # The dimensions of the indices first.
    first = list(range(axis, axis + count))
    rest = [dim for dim in range(rank) if dim not in first]
    if axis:
        updates = c.node("Transpose", updates, perm=first + rest)
    shape = [extent, *(c.operands[0].shape[dim] for dim in rest)]
    dtype = c.result.dtype
    zero = c.number([0], dtype)
    zeros = c.node("Expand", zero, c.graph.ints(shape))
    places = c.cast(c.names[1], indices.dtype, dtypes.int64)
    places = c.reshape(places, [*indices.shape, 1])
    sums = c.node("ScatterND", zeros, places, updates, reduction="add")
    if axis:
        back = [*range(1, axis + 1), 0, *range(axis + 1, len(shape))]
        sums = c.node("Transpose", sums, perm=back)
    c.values[0] = sums


@_rule("argmax")
def _argmax(c):
    axis, dtype = c.take("axis"), c.operands[0].dtype
    x = c.names[0]
    if dtype in _NARROW_INTS:
        x = c.cast(x, dtype, dtypes.int32)
    index = c.reshape(c.node("ArgMax", x, axis=axis, keepdims=1), c.result.shape)
    c.values[0] = c.cast(index, dtypes.int64, c.result.dtype)


@_rule("argwhere")
def _argwhere(c):
    c.take("dtype")
    is_there = c.cast(c.names[0], c.operands[0].dtype, dtypes.bool_)
    found = c.node("Transpose", c.node("NonZero", is_there), perm=[1, 0])
    c.values[0] = c.cast(found, dtypes.int64, c.result.dtype)
    shape = c.node("Shape", found)
    c.values[1] = c.node("Slice", shape, c.graph.ints([0]), c.graph.ints([1]))


@_rule("pad_to_static")
def _pad_to_static(c):
    value, shape = c.take("value"), c.result.shape
    dim = c.operands[0]._dynamic_axis
    missing = c.node("Sub", c.graph.ints(shape[dim : dim + 1]), c.names[1])
    others = len(shape) - dim - 1
    pads = [c.graph.ints([0] * (len(shape) + dim)), missing]
    if others:
        pads.append(c.graph.ints([0] * others))
    pads = c.node("Concat", *pads, axis=0)
    padded = c.node("Pad", c.names[0], pads, c.number(value, c.result.dtype))
    c.values[0] = c.reshape(padded, shape)


@_rule("slice_to_dynamic")
def _slice_to_dynamic(c):
    axes = c.graph.ints([c.take("dim")])
    c.values[0] = c.node("Slice", c.names[0], c.graph.ints([0]), c.names[1], axes)


# ===- Reductions ----------------------------------------------------------------===#


def _reduction(op):
    def rule(c):
        axes, dtype = c.take("axes"), c.operands[0].dtype
        c.take("keepdims")
        x = c.names[0]
        if dtype in _NARROW_INTS:
            x = c.cast(x, dtype, dtypes.int32)
        reduced = c.reshape(c.reduce(op, x, axes), c.result.shape)
        if dtype in _NARROW_INTS:
            reduced = c.cast(reduced, dtypes.int32, dtype)
        c.values[0] = reduced

    return rule


for _name, _op in (
    ("max", "ReduceMax"),
    ("min", "ReduceMin"),
    ("prod", "ReduceProd"),
    ("sum", "ReduceSum"),
):
    RULES[f"job.reduce_{_name}"] = _reduction(_op)


# ===- Products, convolutions, poolings -------------------------------------------===#


@_rule("matmul")
def _matmul(c):
    names = list(c.names)
    for index, side in enumerate(("transpose_lhs", "transpose_rhs")):
        if c.take(side, False):
            perm = list(range(len(c.operands[index].shape)))
            perm[-2:] = perm[:-3:-1]
            names[index] = c.node("Transpose", names[index], perm=perm)
    c.values[0] = c.node("MatMul", *names)


_TO_CHANNELS_FIRST, _TO_CHANNELS_LAST = [0, 3, 1, 2], [0, 2, 3, 1]


def _images(c, op, count, **attributes):
    """An operator of images with channels first, of the first `count` operands."""
    layout = c.take("layout")
    names = list(c.names[:count])
    is_last = layout is not None and "nhwc" in layout
    if is_last:
        names = [c.node("Transpose", n, perm=_TO_CHANNELS_FIRST) for n in names]
    result = c.node(op, *names, **attributes)
    if is_last:
        result = c.node("Transpose", result, perm=_TO_CHANNELS_LAST)
    c.values[0] = result


@_rule("conv2d")
def _conv2d(c):
    _images(
        c,
        "Conv",
        2,
        strides=c.take("strides"),
        pads=c.take("padding"),
        dilations=c.take("dilations"),
        group=c.take("groups"),
    )


def _pooling(op, **more):
    def rule(c):
        _images(
            c,
            op,
            1,
            kernel_shape=c.take("ksize"),
            strides=c.take("strides"),
            pads=c.take("padding"),
            **more,
        )

    return rule


RULES["job.max_pool2d"] = _pooling("MaxPool")
RULES["job.avg_pool2d"] = _pooling("AveragePool", count_include_pad=0)


# ===- Rows -----------------------------------------------------------------------===#


@_rule("softmax")
def _softmax(c):
    c.values[0] = c.node("Softmax", *c.names, axis=-1)


@_rule("log_softmax")
def _log_softmax(c):
    c.values[0] = c.node("LogSoftmax", *c.names, axis=-1)


@_rule("sparse_softmax_cross_entropy")
def _sparse_softmax_cross_entropy(c):
    names, dtype = c.wide()
    rows = c.operands[0].shape[:-1]
    labels = c.cast(names[1], c.operands[1].dtype, dtypes.int64)
    chosen = c.node(
        "GatherElements",
        c.node("LogSoftmax", names[0], axis=-1),
        c.reshape(labels, [*rows, 1]),
        axis=-1,
    )
    c.finish_wide(c.reshape(c.node("Neg", chosen), c.result.shape), dtype)


def _normalize(c, x, dtype, axes, epsilon):
    """(normalised, mean, variance, factor) of x over axes, which are kept."""
    mean = c.reduce("ReduceMean", x, axes)
    difference = c.node("Sub", x, mean)
    variance = c.reduce("ReduceMean", c.node("Mul", difference, difference), axes)
    deviation = c.node("Sqrt", c.node("Add", variance, c.number(epsilon, dtype)))
    factor = c.node("Reciprocal", deviation)
    return c.node("Mul", difference, factor), mean, variance, factor


@_rule("layer_norm")
def _layer_norm(c):
    epsilon = c.take("epsilon")
    (x, gamma, beta), dtype = c.wide()
    normal, mean, _, factor = _normalize(c, x, dtype, [-1], epsilon)
    c.finish_wide(c.node("Add", c.node("Mul", normal, gamma), beta), dtype)
    for index, value in ((1, mean), (2, factor)):
        c.finish_wide(c.reshape(value, c.results[index].shape), dtype, index)


@_rule("batch_norm")
def _batch_norm(c):
    axis, epsilon = c.take("axis"), c.take("epsilon")
    (x, gamma, beta), dtype = c.wide()
    rank = len(c.operands[0].shape)
    axes = [dim for dim in range(rank) if dim != axis]
    normal, mean, variance, _ = _normalize(c, x, dtype, axes, epsilon)
    line = [-1 if dim == axis else 1 for dim in range(rank)]
    kind = c.operands[1].dtype
    if kind != dtype and kind not in _NARROW_FLOATS:
        gamma, beta = (c.cast(name, kind, dtype) for name in (gamma, beta))
    scaled = c.node("Mul", normal, c.reshape(gamma, line))
    c.finish_wide(c.node("Add", scaled, c.reshape(beta, line)), dtype)
    for index, value in ((1, mean), (2, variance)):
        c.finish_wide(c.reshape(value, c.results[index].shape), dtype, index)


@_rule("attention")
def _attention(c):
    scale, causal = c.take("scale"), c.take("causal", False)
    for name in ("heads_before", "heads_after"):
        if any(c.take(name) or ()):
            raise NotInOnnx("attention on a part of the heads")
    (query, key, value), dtype = c.wide()
    query = c.node("Transpose", query, perm=[0, 2, 1, 3])
    key = c.node("Transpose", key, perm=[0, 2, 3, 1])
    value = c.node("Transpose", value, perm=[0, 2, 1, 3])
    scores = c.node("Mul", c.node("MatMul", query, key), c.number(scale, dtype))
    if causal:
        rows, columns = c.operands[0].shape[1], c.operands[1].shape[1]
        seen = numpy.tri(rows, columns, columns - rows, dtype=bool)
        is_seen = c.graph.constant(seen, dtypes.bool_)
        scores = c.node("Where", is_seen, scores, c.number(-math.inf, dtype))
    sums = c.node("MatMul", c.node("Softmax", scores, axis=-1), value)
    c.finish_wide(c.node("Transpose", sums, perm=[0, 2, 1, 3]), dtype)
