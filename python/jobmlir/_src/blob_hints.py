"""What blobs answer to operators that they do not have, and to functions of NumPy: an
error at the user's line that names the function of the API. Records and images, which
are no operands, have the operators of blobs for the sake of such errors."""

import numpy

from . import math_ops, names, special_ops
from .blob import Blob, refuse
from .host_graph import HostBlob

# As Python writes the operators, and what computes them.
_OPERATORS = {
    "and": ("&", "math.logical_and"),
    "or": ("|", "math.logical_or"),
    "xor": ("^", "math.not_equal"),
    "lshift": ("<<", None),
    "rshift": (">>", None),
    "divmod": ("divmod", "math.floordiv"),
}
_UNARY_OPERATORS = {
    "invert": ("~", "math.logical_not"),
    "round": ("round", "math.round"),
}

# The functions that arrays and numbers of NumPy call as operators, of which a blob may
# be the right operand.
_UFUNCS = {
    "add": math_ops.add,
    "subtract": math_ops.subtract,
    "multiply": math_ops.multiply,
    "divide": math_ops.divide,
    "power": math_ops.pow,
    "remainder": special_ops.mod,
    "floor_divide": special_ops.floordiv,
    "matmul": math_ops.matmul,
    "equal": math_ops.equal,
    "not_equal": math_ops.not_equal,
    "less": math_ops.less,
    "less_equal": math_ops.less_equal,
    "greater": math_ops.greater,
    "greater_equal": math_ops.greater_equal,
}

# The functions of NumPy that ask for the shape only.
_OF_SHAPES = (numpy.shape, numpy.ndim, numpy.size)


def _public(function):
    """How users write a function of the API; None of None."""
    return names.public(function) if function else None


def _operator(sign, function):
    """A method that refuses, whatever its other operand is, if it has one."""

    def method(self, *unused_others):
        refuse(self, "an operator that blobs have", sign, _public(function))

    return method


def _refuse_numpy(blob, function):
    name = function.__name__
    wanted = f"a function of {names.public()} for a blob"
    refuse(blob, wanted, f"numpy.{name}", _public(names.meant(name)))


def _is_number_array(value):
    return isinstance(value, numpy.ndarray) and value.ndim == 0


def _ufunc(self, ufunc, method, *inputs, **settings):
    if method == "__call__" and not settings and ufunc.__name__ in _UFUNCS:
        # A number of NumPy comes as an array without dimensions.
        inputs = [one[()] if _is_number_array(one) else one for one in inputs]
        return _UFUNCS[ufunc.__name__](*inputs)
    return _refuse_numpy(self, ufunc)


def _function(self, function, types, arguments, settings):
    if function in _OF_SHAPES and arguments:
        same_shape = numpy.broadcast_to(0, self.shape)
        return function(same_shape, *arguments[1:], **settings)
    return _refuse_numpy(self, function)


def _delete(self, unused_key):
    refuse(self, "an index to read from", "a deletion", names.public("concat"))


for _name, _entry in (_OPERATORS | _UNARY_OPERATORS).items():
    setattr(Blob, f"__{_name}__", _operator(*_entry))
for _name, _entry in _OPERATORS.items():
    setattr(Blob, f"__r{_name}__", _operator(*_entry))
Blob.__array_ufunc__ = _ufunc
Blob.__array_function__ = _function
Blob.__delitem__ = _delete
for _name in (
    *"add sub mul truediv pow mod floordiv".split(),
    *"radd rsub rmul rtruediv rpow rmod rfloordiv".split(),
    *"lt le gt ge neg abs".split(),
):
    setattr(HostBlob, f"__{_name}__", getattr(Blob, f"__{_name}__"))
