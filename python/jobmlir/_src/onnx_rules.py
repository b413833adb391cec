"""How rules turn an op of the dialect into operators of ONNX.

A rule is a function of a Converter, which has the op's operands, attributes and
results. The rules of each family are in a file of their own; see onnx_ops.
"""

from . import dtype as dtypes
from .onnx_values import NARROW_FLOATS, Value, constant, ints

RULES = {}


class NotInOnnx(Exception):
    """An op, or a use of one, that ONNX lacks; the text says which."""


class NeedsOpset(NotInOnnx):
    """A use of an op that the set of operators `opset` was the first to have."""

    def __init__(self, what, opset):
        super().__init__(f"{what} before opset {opset}")
        self.opset = opset


class Converter:
    """One op on its way into a graph."""

    def __init__(self, graph, record, inputs):
        self.graph = graph
        self.operands = record.operands
        self.results = record.results
        # The value of each operand.
        self.inputs = inputs
        self._attributes = dict(record.attributes)
        # The value of each result.
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

    def ints(self, values):
        return ints(self.graph, values)

    def constant(self, array, dtype):
        return constant(self.graph, array, dtype)

    def wide(self, to=dtypes.float32):
        """The operands: those of floats that are narrower than `to` as these, since
        what is computed on the way to a result is not rounded."""
        narrow = NARROW_FLOATS
        if to == dtypes.float64:
            narrow = (*narrow, dtypes.float32)
        return [one.cast(to) if one.dtype in narrow else one for one in self.inputs]

    def set(self, value, index=0):
        """Sets a result, of which the value may have a wider type."""
        self.values[index] = value.cast(self.results[index].dtype)


def rule(*names):
    """Registers the rule of these ops."""

    def decorator(function):
        for name in names:
            RULES[f"job.{name}"] = function
        return function

    return decorator


__all__ = ["RULES", "Converter", "NeedsOpset", "NotInOnnx", "Value", "rule"]
