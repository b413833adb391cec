"""Arithmetic: elementwise ops with broadcasting, comparisons and the matrix
product."""

import math
import numbers

import numpy

from . import arguments, errors, text
from .blob import Blob, BlobDef
from .names import public
from .trace import begin

# ===- Operands ------------------------------------------------------------===#


def _is_scalar(value):
    return isinstance(value, (numbers.Real, numpy.bool_))


def element(op, value, dtype):
    """`value` as an int or float, according to `dtype`."""
    if not _is_scalar(value):
        op.fail(f"expects a number but got {value!r}", errors.BlobValueError)
    is_int = isinstance(value, (numbers.Integral, numpy.bool_))
    if dtype.is_float():
        try:
            value = float(value)
            # Refuses a number that would become an infinity.
            text.float_bits(value, dtype.mlir)
            return value
        except OverflowError:
            op.fail(
                f"expects a number that {dtype.canonical} can hold but got "
                f"{arguments.show(value)}"
            )
    if not is_int and not (math.isfinite(value) and value == int(value)):
        op.fail(
            f"expects an int to combine with a blob of {dtype.canonical} but got "
            f"{value!r}: {public('cast')} makes floats"
        )
    value = int(value)
    least, most = dtype.integer_range()
    if not least <= value <= most:
        op.fail(
            f"expects an int that {dtype.canonical} can hold but got "
            f"{arguments.show(value)}"
        )
    return value


def splat(op, value, shape, dtype):
    """A blob whose elements are all the Python number `value`."""
    value = element(op, value, dtype)
    return op("constant", value=op.text(text.splat(value, shape, dtype.mlir)))


def broadcast(op, blob, shape):
    """`blob` broadcast to `shape` by NumPy's rules; itself if it has that shape."""
    if blob.shape == tuple(shape):
        return blob
    first = len(shape) - len(blob.shape)
    return op(
        "broadcast_in_dim",
        blob,
        dims=list(range(first, len(shape))),
        result=(shape, blob.dtype.mlir),
    )


def common_shape(op, blobs):
    """The shape that the blobs broadcast to by NumPy's rules."""
    try:
        return numpy.broadcast_shapes(*(blob.shape for blob in blobs))
    except ValueError:
        shapes = " and ".join(str(blob.shape) for blob in blobs)
        op.fail(f"expects shapes that broadcast to one but got {shapes}")


def one_dtype(op, blobs):
    """Checks that all blobs have the same dtype."""
    for blob in blobs:
        if blob.dtype != blobs[0].dtype:
            op.fail(
                f"expects operands of one dtype but got {blobs[0].dtype.canonical} and "
                f"{blob.dtype.canonical}: {public('cast')} converts a blob"
            )


def operands(op, values):
    """Blobs with one shape and element type from blobs and Python numbers."""
    blobs = [value for value in values if isinstance(value, Blob)]
    for value in values:
        if not isinstance(value, Blob) and isinstance(value, BlobDef):
            op.blob(value, "each operand")
        if not isinstance(value, Blob) and not _is_scalar(value):
            hint = ", of which constant makes a blob"
            op.fail(
                "expects blobs and numbers but got "
                + type(value).__name__
                + (hint if isinstance(value, numpy.ndarray) else ""),
                errors.BlobValueError,
            )
    if not blobs:
        op.fail("expects at least one blob but got numbers", errors.BlobValueError)
    for blob in blobs:
        op.blob(blob, "each operand")
    one_dtype(op, blobs)
    shape = common_shape(op, blobs)
    return [
        broadcast(op, value, shape)
        if isinstance(value, Blob)
        else splat(op, value, shape, blobs[0].dtype)
        for value in values
    ]


def widen(op, x):
    """`x` in float32 if it has 16 bits: what is computed on the way to a result is
    not rounded, and does not overflow."""
    if x.dtype.mlir not in ("f16", "bf16"):
        return x
    return op("cast", x, result=(x.shape, "f32"))


def round_to(op, result, x):
    """`result` in the dtype of `x`."""
    if result.dtype == x.dtype:
        return result
    return op("cast", result, result=(result.shape, x.dtype.mlir))


# ===- Elementwise ---------------------------------------------------------===#


def _binary(function_name, mnemonic, prefix, what):
    def function(x, y, name=None):
        op = begin(function_name, name, prefix)
        return op(mnemonic, *operands(op, [x, y]))

    function.__name__ = function.__qualname__ = function_name
    function.__doc__ = f"{what}, with NumPy's broadcasting."
    return function


def _unary(function_name, mnemonic, prefix, what):
    def function(x, name=None):
        op = begin(function_name, name, prefix)
        return op(mnemonic, op.blob(x, "x"))

    function.__name__ = function.__qualname__ = function_name
    function.__doc__ = f"{what} of each element."
    return function


add = _binary("add", "add", "Add", "x + y")
subtract = _binary("subtract", "sub", "Subtract", "x - y")
multiply = _binary("multiply", "mul", "Multiply", "x * y")
maximum = _binary("maximum", "maximum", "Maximum", "The larger of x and y")
minimum = _binary("minimum", "minimum", "Minimum", "The smaller of x and y")

abs = _unary("abs", "abs", "Abs", "The absolute value")
negative = _unary("negative", "neg", "Negative", "The negation")
exp = _unary("exp", "exp", "Exp", "The exponential")
log = _unary("log", "log", "Log", "The natural logarithm")
sqrt = _unary("sqrt", "sqrt", "Sqrt", "The square root")
rsqrt = _unary("rsqrt", "rsqrt", "Rsqrt", "One divided by the square root")
sin = _unary("sin", "sin", "Sin", "The sine")
cos = _unary("cos", "cos", "Cos", "The cosine")
tanh = _unary("tanh", "tanh", "Tanh", "The hyperbolic tangent")
sigmoid = _unary("sigmoid", "sigmoid", "Sigmoid", "The logistic function")
erf = _unary("erf", "erf", "Erf", "The error function")
expm1 = _unary("expm1", "expm1", "Expm1", "The exponential minus one")
log1p = _unary("log1p", "log1p", "Log1p", "The logarithm of one more")
floor = _unary("floor", "floor", "Floor", "The next integer below")
ceil = _unary("ceil", "ceil", "Ceil", "The next integer above")
rint = _unary("rint", "round", "Rint", "The nearest integer, the even one of two,")
round = _unary("round", "round", "Round", "The nearest integer, the even one of two,")
sign = _unary("sign", "sign", "Sign", "-1, 0 or 1: the sign")
relu = _unary("relu", "relu", "Relu", "The larger of zero and x")
tanh_v2 = tanh
sigmoid_v2 = sigmoid


def gelu(x, name=None, approximate="none"):
    """x times the normal distribution function of each element, x, or with "tanh" for
    approximate 0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x**3)))."""
    op = begin("gelu", name, "Gelu")
    x = op.blob(x, "x")
    arguments.one_of(op, approximate, ("none", "tanh"), "approximate")
    return op("gelu", x, approximate=op.text(f"#job<gelu_approximation {approximate}>"))


def divide(x, y, name=None):
    """x / y, with NumPy's broadcasting. The quotient of ints is an int, rounded towards
    zero, and 0 where y is 0."""
    op = begin("divide", name, "Divide")
    x, y = operands(op, [x, y])
    if x.dtype.is_float():
        return op("div", x, y)
    quotient = op("floor_div", x, y)
    zero = splat(op, 0, x.shape, x.dtype)
    # Rounded down, what is negative and has a remainder is 1 too small.
    inexact = compare(op, op("mod", x, y), zero, "ne")
    is_low = op("logical_and", compare(op, quotient, zero, "lt"), inexact)
    return op("add", quotient, op("cast", is_low, result=(x.shape, x.dtype.mlir)))


def square(x, name=None):
    """x * x."""
    op = begin("square", name, "Square")
    x = op.blob(x, "x")
    return op("mul", x, x)


def reciprocal(x, name=None):
    """1 / x."""
    op = begin("reciprocal", name, "Reciprocal")
    return op("div", *operands(op, [1.0, x]))


def squared_difference(x, y, name=None):
    """(x - y) * (x - y), with NumPy's broadcasting."""
    op = begin("squared_difference", name, "SquaredDifference")
    difference = op("sub", *operands(op, [x, y]))
    return op("mul", difference, difference)


def softplus_of(op, x):
    """log(1 + e^x) of a blob, as a part of the call `op`."""
    # max(x, 0) + log1p(e^-|x|): no exponential can overflow. At 0, where the gradient of
    # a tie is that of the first operand, the slopes 1 and -1 / 2 have the right sum.
    zero = splat(op, 0.0, x.shape, x.dtype)
    small = op("exp", op("minimum", op("neg", x), x))
    return op("add", op("maximum", x, zero), op("log1p", small))


def softplus(x, name=None):
    """log(1 + e^x) of each element."""
    op = begin("softplus", name, "Softplus")
    return softplus_of(op, op.blob(x, "x"))


def log_sigmoid(x, name=None):
    """The logarithm of the logistic function of each element."""
    op = begin("log_sigmoid", name, "LogSigmoid")
    return op("neg", softplus_of(op, op("neg", op.blob(x, "x"))))


def leaky_relu(x, alpha=0.2, name=None):
    """x where it is positive, alpha * x elsewhere."""
    op = begin("leaky_relu", name, "LeakyRelu")
    x = op.blob(x, "x")
    zero = splat(op, 0.0, x.shape, x.dtype)
    scaled = op("mul", x, splat(op, alpha, x.shape, x.dtype))
    return op(
        "select", op("compare", x, zero, predicate=_predicate(op, "gt")), x, scaled
    )


def add_n(inputs, name=None):
    """The sum of a list of blobs of one shape."""
    op = begin("add_n", name, "AddN")
    if not isinstance(inputs, (list, tuple)) or not inputs:
        op.fail(f"expects a list of blobs but got {inputs!r}")
    first = op.blob(inputs[0], "inputs[0]")
    for index, blob in enumerate(inputs):
        if op.blob(blob, f"inputs[{index}]").shape != first.shape:
            op.fail(
                f"expects blobs of shape {first.shape} but got {blob.shape} for "
                f"inputs[{index}]"
            )
    one_dtype(op, inputs)
    total = first
    for blob in inputs[1:]:
        total = op("add", total, blob)
    return total


def clip_by_value(values, min_value=None, max_value=None, name=None):
    """Clamps each element to [min_value, max_value]; None means no bound."""
    op = begin("clip_by_value", name, "ClipByValue")
    values = op.blob(values, "values")
    if min_value is None and max_value is None:
        op.fail("expects min_value or max_value but got neither")
    if min_value is not None:
        values = op("maximum", *operands(op, [values, min_value]))
    if max_value is not None:
        values = op("minimum", *operands(op, [values, max_value]))
    return values


clip = clamp = clip_by_scalar = clip_by_value

def pow(x, y, name=None):
    """x to the power of y, of floats, with NumPy's broadcasting. A negative x needs an
    int y, else the result is NaN. A blob of ints has powers with an int of Python as
    exponent, which is not negative; they wrap."""
    op = begin("pow", name, "Pow")
    y = arguments.scalar(y)
    if isinstance(x, Blob) and arguments.is_int(y) and not x.dtype.is_float():
        return _int_power(op, op.blob(x, "x"), int(y))
    x, y = operands(op, [x, y])
    if not x.dtype.is_float():
        op.fail(
            f"expects operands of floats but got {x.dtype.canonical}: ints have powers "
            f"with an int of Python as exponent, and {public('cast')} makes floats"
        )
    return op("pow", x, y)


def _int_power(op, x, exponent):
    """x to the power of an int, by squaring."""
    if exponent < 0:
        op.fail(
            "expects an exponent of at least 0 for ints but got "
            f"{arguments.show(exponent)}"
        )
    result = None
    while exponent:
        if exponent & 1:
            result = x if result is None else op("mul", result, x)
        exponent >>= 1
        if exponent:
            x = op("mul", x, x)
    return splat(op, 1, x.shape, x.dtype) if result is None else result


# ===- Comparisons ---------------------------------------------------------===#


def _predicate(op, name):
    return op.text(f"#job<predicate {name}>")


def compare(op, x, y, relation):
    """An i1 blob that is true where the relation of the dialect, such as "lt", holds."""
    return op("compare", x, y, predicate=_predicate(op, relation))


def truth(op, blob):
    """An i1 blob that is true where `blob` is not zero."""
    zero = splat(op, 0, blob.shape, blob.dtype)
    return compare(op, blob, zero, "ne")


def as_int8(op, blob):
    """Converts i1 to int8, the type of truth values in the API."""
    return op("cast", blob, result=(blob.shape, "i8"))


def _comparison(function_name, predicate, prefix, sign):
    def function(x, y, name=None):
        op = begin(function_name, name, prefix)
        x, y = operands(op, [x, y])
        return as_int8(op, compare(op, x, y, predicate))

    function.__name__ = function.__qualname__ = function_name
    function.__doc__ = f"int8 ones where x {sign} y, with NumPy's broadcasting."
    return function


equal = _comparison("equal", "eq", "Equal", "==")
not_equal = _comparison("not_equal", "ne", "NotEqual", "!=")
less = _comparison("less", "lt", "Less", "<")
less_equal = _comparison("less_equal", "le", "LessEqual", "<=")
greater = _comparison("greater", "gt", "Greater", ">")
greater_equal = _comparison("greater_equal", "ge", "GreaterEqual", ">=")


def _logical(function_name, mnemonic, prefix, what):
    def function(x, y, name=None):
        op = begin(function_name, name, prefix)
        x, y = operands(op, [x, y])
        return as_int8(op, op(mnemonic, truth(op, x), truth(op, y)))

    function.__name__ = function.__qualname__ = function_name
    function.__doc__ = f"int8 ones where {what} not zero, with NumPy's broadcasting."
    return function


logical_and = _logical("logical_and", "logical_and", "LogicalAnd", "x and y are")
logical_or = _logical("logical_or", "logical_or", "LogicalOr", "x or y is")


def logical_not(x, name=None):
    """int8: 1 where x is zero, else 0."""
    op = begin("logical_not", name, "LogicalNot")
    return as_int8(op, op("logical_not", truth(op, op.blob(x, "x"))))


# ===- Products ----------------------------------------------------------===#


def matmul(a, b, transpose_a=False, transpose_b=False, name=None):
    """The product of two matrices, or of each pair of matrices along the dimensions
    before the last two, which are equal on both sides."""
    op = begin("matmul", name, "MatMul")
    a, b = op.blob(a, "a"), op.blob(b, "b")
    one_dtype(op, [a, b])
    arguments.bools(op.fail, transpose_a=transpose_a, transpose_b=transpose_b)
    return op(
        "matmul",
        a,
        b,
        transpose_lhs=bool(transpose_a),
        transpose_rhs=bool(transpose_b),
    )


# ===- Operators of blobs --------------------------------------------------===#


def _operator(function, reflected=False):
    def method(self, other):
        # Of the built-in types, only numbers are operands; the op rejects the others,
        # since it has the user's line. Other types may have an operator themselves.
        is_known = isinstance(other, (BlobDef, numpy.ndarray)) or _is_scalar(other)
        if not is_known and type(other).__module__ != "builtins":
            return NotImplemented
        return function(other, self) if reflected else function(self, other)

    method.__name__ = method.__qualname__ = function.__name__
    return method


def _equality(function):
    """The operator of `==` or `!=`, with which Python compares anything."""
    method = _operator(function)

    def equality(self, other):
        if not isinstance(other, (Blob, numpy.ndarray)) and not _is_scalar(other):
            return NotImplemented
        return method(self, other)

    return equality


for _name, _function in (
    ("add", add),
    ("sub", subtract),
    ("mul", multiply),
    ("truediv", divide),
    ("pow", pow),
):
    setattr(Blob, f"__{_name}__", _operator(_function))
    setattr(Blob, f"__r{_name}__", _operator(_function, reflected=True))
Blob.__eq__ = _equality(equal)
Blob.__ne__ = _equality(not_equal)
for _name, _function in (
    ("lt", less),
    ("le", less_equal),
    ("gt", greater),
    ("ge", greater_equal),
):
    setattr(Blob, f"__{_name}__", _operator(_function))
Blob.__neg__ = lambda self: negative(self)
Blob.__abs__ = lambda self: abs(self)
