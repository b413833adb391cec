"""Values of a graph of ONNX, with the arithmetic that rules are written in.

An operator of a type that ONNX, or ONNX Runtime on a CPU, does not compute it in is
applied in a wider type, between casts.
"""

import numpy

from . import dtype as dtypes
from .onnx_graph import DATA_TYPES

NARROW_INTS = (dtypes.int8, dtypes.uint8)
NARROW_FLOATS = (dtypes.float16, dtypes.bfloat16)

# Of bfloat16, kernels only move elements.
_MOVES = frozenset(
    "Cast Concat Gather GatherElements GatherND Identity Reshape Shape Slice Split "
    "Transpose".split()
)
# The type in which an operator is applied to values of another, by operator.
_WIDER = {}
for _names, _sources, _target in (
    # Integers wrap to the same bits.
    (
        "Abs Add ArgMax CumSum Div Equal Greater GreaterOrEqual Less LessOrEqual "
        "MatMul Max Min Mod Mul Neg ReduceMax ReduceMin ReduceSum Sign Sub TopK",
        NARROW_INTS,
        dtypes.int32,
    ),
    ("AveragePool Conv ConvTranspose", (dtypes.float64,), dtypes.float32),
    # ONNX Runtime adds no float16 by index, and knows no sign of its NaN.
    ("ScatterElements ScatterND Sign TopK", (dtypes.float16,), dtypes.float32),
    ("Where", (dtypes.bool_,), dtypes.uint8),
):
    for _name in _names.split():
        _WIDER.setdefault(_name, {}).update(dict.fromkeys(_sources, _target))

_RESULTS = {
    **dict.fromkeys(
        "Equal Greater GreaterOrEqual IsNaN Less LessOrEqual".split(), dtypes.bool_
    ),
    **dict.fromkeys("ArgMax NonZero Shape".split(), dtypes.int64),
}


def _wider(op, dtype):
    if dtype == dtypes.bfloat16:
        return dtype if op in _MOVES else dtypes.float32
    return _WIDER.get(op, {}).get(dtype, dtype)


class Value:
    """A value of a graph. Operands that are numbers have the type of this value, lists
    of ints are int64."""

    __slots__ = ("graph", "name", "dtype", "array", "bound")

    def __init__(self, graph, name, dtype, array=None, bound=None):
        self.graph = graph
        self.name = name
        self.dtype = dtype
        # The elements of a constant, or None.
        self.array = array
        # All elements are ints from 0 to below this, if it is not None.
        self.bound = bound

    def constant(self, array, dtype=None):
        """A constant beside this value, by default of its type."""
        return constant(self.graph, array, dtype or self.dtype)

    def _operand(self, other):
        if isinstance(other, Value):
            return other
        if isinstance(other, (list, tuple, range)):
            return ints(self.graph, other)
        return self.constant(other)

    def apply(self, op, *others, outputs=1, **attributes):
        """An operator whose first input is this value: the value of its output, or a
        list of several. Of Where the second input has the type."""
        inputs = [self, *map(self._operand, others)]
        typed = inputs[op == "Where" :]
        dtype = typed[0].dtype
        wide = _wider(op, dtype)
        if wide != dtype:
            typed = [one.cast(wide) if one.dtype == dtype else one for one in typed]
            inputs[op == "Where" :] = typed
        names = self.graph.node(
            op, *(one.name for one in inputs), outputs=outputs, **attributes
        )
        results = [Value(self.graph, name, wide).cast(dtype) for name in names]
        if op in _RESULTS:
            results[0] = Value(self.graph, names[0], _RESULTS[op])
        if op == "TopK":
            results[1] = Value(self.graph, names[1], dtypes.int64)
        return results if outputs > 1 else results[0]

    def cast(self, dtype):
        """This value in another element type, by the conversion of ONNX."""
        if dtype == self.dtype:
            return self
        (name,) = self.graph.node("Cast", self.name, to=DATA_TYPES[dtype])
        return Value(self.graph, name, dtype, bound=self.bound)

    def reshape(self, shape):
        return self.apply("Reshape", list(shape))

    def transpose(self, permutation):
        if list(permutation) == sorted(permutation):
            return self
        return self.apply("Transpose", perm=list(permutation))

    def slice(self, axis, start, end):
        return self.apply("Slice", [start], [end], [axis])

    def reduce(self, op, axes):
        """A reduction that keeps its dimensions."""
        if op == "ReduceSum" or self.graph.opset >= 18:
            return self.apply(op, list(axes), keepdims=1)
        return self.apply(op, axes=list(axes), keepdims=1)

    def __add__(self, other):
        return self.apply("Add", other)

    def __radd__(self, other):
        return self._operand(other).apply("Add", self)

    def __sub__(self, other):
        return self.apply("Sub", other)

    def __rsub__(self, other):
        return self._operand(other).apply("Sub", self)

    def __mul__(self, other):
        return self.apply("Mul", other)

    def __rmul__(self, other):
        return self._operand(other).apply("Mul", self)

    def __truediv__(self, other):
        return self.apply("Div", other)

    def __rtruediv__(self, other):
        return self._operand(other).apply("Div", self)

    def __neg__(self):
        return self.apply("Neg")

    def __abs__(self):
        return self.apply("Abs")

    def __lt__(self, other):
        return self.apply("Less", other)

    def __le__(self, other):
        return self.apply("LessOrEqual", other)

    def __gt__(self, other):
        return self.apply("Greater", other)

    def __ge__(self, other):
        return self.apply("GreaterOrEqual", other)

    def __and__(self, other):
        return self.apply("And", other)

    def __or__(self, other):
        return self.apply("Or", other)

    def __xor__(self, other):
        return self.apply("Xor", other)

    def __invert__(self):
        return self.apply("Not")

    def equals(self, other):
        return self.apply("Equal", other)

    def maximum(self, other):
        return self.apply("Max", other)

    def polynomial(self, coefficients):
        """The polynomial in this value, of coefficients from that of 1 on."""
        result = self.constant(coefficients[-1])
        for coefficient in coefficients[-2::-1]:
            result = result * self + coefficient
        return result


def constant(graph, array, dtype):
    """A value whose elements are in the model, once."""
    array = numpy.asarray(array, dtypes.convert_oneflow_dtype_to_numpy_dtype(dtype))
    return Value(graph, graph.constant(array, dtype), dtype, array)


def ints(graph, values):
    """A value of int64, such as a shape."""
    return constant(graph, list(values), dtypes.int64)


def where(condition, x, y):
    """`x` where the condition holds, else `y`; one of them may be a number."""
    if not isinstance(x, Value):
        x = y.constant(x)
    return condition.apply("Where", x, x._operand(y))


def concat(values, axis):
    first, *others = values
    return first.apply("Concat", *others, axis=axis)
