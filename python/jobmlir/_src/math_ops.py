"""Arithmetic: elementwise ops with broadcasting, comparisons and the matrix
product."""

from __future__ import annotations

import math
import numbers

import numpy

from . import arguments, errors, text
from .blob import Blob, BlobDef
from .documentation import family, of_op
from .hints import Blobs, Number, Operand
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


def _unary(api, mnemonic, prefix, x, name):
    op = begin(api, name, prefix)
    return op(mnemonic, op.blob(x, "x"))


def _binary(api, mnemonic, prefix, x, y, name):
    op = begin(api, name, prefix)
    return op(mnemonic, *operands(op, [x, y]))


_LIKE_X = "A blob of the shape and element type of x."
_BROADCAST = "A blob of the shape that x and y broadcast to, of their element type."
_TRUTH = "A blob of i8, 1 or 0, of the shape that x and y broadcast to."

# Functions of the elements of one blob, and of two that broadcast by NumPy's rules.
of_floats = family(returns=_LIKE_X, x="(...), f16/bf16/f32/f64.")
of_elements = family(returns=_LIKE_X, x="(...), any element type.")
of_two = family(
    returns=_BROADCAST,
    x="(...), any element type, or a number.",
    y="As x, of the same element type. One of the two is a blob.",
)
of_two_floats = family(
    returns=_BROADCAST,
    x="(...), f16/bf16/f32/f64, or a number.",
    y="As x, of the same element type. One of the two is a blob.",
)
of_relation = family(
    returns=_TRUTH,
    x="(...), any element type, or a number.",
    y="As x, of the same element type. One of the two is a blob.",
)


@of_two
def add(x: Operand, y: Operand, name: str | None = None) -> Blob:
    """x + y of each pair of elements; ints wrap."""
    return _binary("add", "add", "Add", x, y, name)


@of_two
def subtract(x: Operand, y: Operand, name: str | None = None) -> Blob:
    """x - y of each pair of elements; ints wrap."""
    return _binary("subtract", "sub", "Subtract", x, y, name)


@of_two
def multiply(x: Operand, y: Operand, name: str | None = None) -> Blob:
    """x * y of each pair of elements; ints wrap."""
    return _binary("multiply", "mul", "Multiply", x, y, name)


@of_two
def maximum(x: Operand, y: Operand, name: str | None = None) -> Blob:
    """The larger of x and y; NaN where one of them is NaN."""
    return _binary("maximum", "maximum", "Maximum", x, y, name)


@of_two
def minimum(x: Operand, y: Operand, name: str | None = None) -> Blob:
    """The smaller of x and y; NaN where one of them is NaN."""
    return _binary("minimum", "minimum", "Minimum", x, y, name)


@of_elements
def abs(x: BlobDef, name: str | None = None) -> Blob:
    """The absolute value of each element."""
    return _unary("abs", "abs", "Abs", x, name)


@of_elements
def negative(x: BlobDef, name: str | None = None) -> Blob:
    """The negation of each element."""
    return _unary("negative", "neg", "Negative", x, name)


@of_floats
def exp(x: BlobDef, name: str | None = None) -> Blob:
    """The exponential of each element, e^x."""
    return _unary("exp", "exp", "Exp", x, name)


@of_floats
def log(x: BlobDef, name: str | None = None) -> Blob:
    """The natural logarithm of each element; NaN below 0."""
    return _unary("log", "log", "Log", x, name)


@of_floats
def sqrt(x: BlobDef, name: str | None = None) -> Blob:
    """The square root of each element; NaN below 0."""
    return _unary("sqrt", "sqrt", "Sqrt", x, name)


@of_floats
def rsqrt(x: BlobDef, name: str | None = None) -> Blob:
    """1 / sqrt(x) of each element; NaN below 0."""
    return _unary("rsqrt", "rsqrt", "Rsqrt", x, name)


@of_floats
def sin(x: BlobDef, name: str | None = None) -> Blob:
    """The sine of each element."""
    return _unary("sin", "sin", "Sin", x, name)


@of_floats
def cos(x: BlobDef, name: str | None = None) -> Blob:
    """The cosine of each element."""
    return _unary("cos", "cos", "Cos", x, name)


@of_floats
def tanh(x: BlobDef, name: str | None = None) -> Blob:
    """The hyperbolic tangent of each element."""
    return _unary("tanh", "tanh", "Tanh", x, name)


@of_floats
def sigmoid(x: BlobDef, name: str | None = None) -> Blob:
    """The logistic function of each element, 1 / (1 + e^-x)."""
    return _unary("sigmoid", "sigmoid", "Sigmoid", x, name)


@of_floats
def erf(x: BlobDef, name: str | None = None) -> Blob:
    """The error function of each element, 2 / sqrt(pi) * integral of e^-t^2 to x."""
    return _unary("erf", "erf", "Erf", x, name)


@of_floats
def expm1(x: BlobDef, name: str | None = None) -> Blob:
    """e^x - 1 of each element, accurate where x is small."""
    return _unary("expm1", "expm1", "Expm1", x, name)


@of_floats
def log1p(x: BlobDef, name: str | None = None) -> Blob:
    """log(1 + x) of each element, accurate where x is small."""
    return _unary("log1p", "log1p", "Log1p", x, name)


@of_floats
def floor(x: BlobDef, name: str | None = None) -> Blob:
    """The largest integer that is not above each element.

    It has no gradient.
    """
    return _unary("floor", "floor", "Floor", x, name)


@of_floats
def ceil(x: BlobDef, name: str | None = None) -> Blob:
    """The smallest integer that is not below each element.

    It has no gradient.
    """
    return _unary("ceil", "ceil", "Ceil", x, name)


@of_floats
def rint(x: BlobDef, name: str | None = None) -> Blob:
    """The nearest integer of each element, the even one of two.

    It has no gradient.
    """
    return _unary("rint", "round", "Rint", x, name)


@of_floats
def round(x: BlobDef, name: str | None = None) -> Blob:
    """The nearest integer of each element, the even one of two.

    It has no gradient.
    """
    return _unary("round", "round", "Round", x, name)


@of_elements
def sign(x: BlobDef, name: str | None = None) -> Blob:
    """The sign of each element: -1, 0 or 1.

    It has no gradient.
    """
    return _unary("sign", "sign", "Sign", x, name)


@of_floats
def relu(x: BlobDef, name: str | None = None) -> Blob:
    """The larger of 0 and x of each element. The gradient at 0 is 0."""
    return _unary("relu", "relu", "Relu", x, name)


tanh_v2 = tanh
sigmoid_v2 = sigmoid


@of_op
def gelu(x: BlobDef, name: str | None = None, approximate: str = "none") -> Blob:
    """x times the normal distribution function of each element.

    x / 2 * (1 + erf(x / sqrt(2))), or approximately 0.5 * x * (1 + tanh(sqrt(2 / pi) *
    (x + 0.044715 * x^3))).

    Args:
        x: (...), f16/bf16/f32/f64.
        approximate: "none" or "tanh", the second formula.

    Returns:
        A blob of the shape and element type of x.
    """
    op = begin("gelu", name, "Gelu")
    x = op.blob(x, "x")
    arguments.one_of(op, approximate, ("none", "tanh"), "approximate")
    return op("gelu", x, approximate=op.text(f"#job<gelu_approximation {approximate}>"))


@of_two
def divide(x: Operand, y: Operand, name: str | None = None) -> Blob:
    """x / y of each pair of elements.

    The quotient of ints is an int, rounded towards zero, and 0 where y is 0.
    """
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


@of_elements
def square(x: BlobDef, name: str | None = None) -> Blob:
    """x * x of each element; ints wrap."""
    op = begin("square", name, "Square")
    x = op.blob(x, "x")
    return op("mul", x, x)


@of_floats
def reciprocal(x: BlobDef, name: str | None = None) -> Blob:
    """1 / x of each element."""
    op = begin("reciprocal", name, "Reciprocal")
    return op("div", *operands(op, [1.0, x]))


@of_two
def squared_difference(x: Operand, y: Operand, name: str | None = None) -> Blob:
    """(x - y)^2 of each pair of elements; ints wrap."""
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


@of_floats
def softplus(x: BlobDef, name: str | None = None) -> Blob:
    """log(1 + e^x) of each element, without overflow."""
    op = begin("softplus", name, "Softplus")
    return softplus_of(op, op.blob(x, "x"))


@of_floats
def log_sigmoid(x: BlobDef, name: str | None = None) -> Blob:
    """The logarithm of the logistic function of each element, -log(1 + e^-x)."""
    op = begin("log_sigmoid", name, "LogSigmoid")
    return op("neg", softplus_of(op, op("neg", op.blob(x, "x"))))


@of_floats
def leaky_relu(x: BlobDef, alpha: Number = 0.2, name: str | None = None) -> Blob:
    """x of each element where it is positive, alpha * x elsewhere.

    Args:
        alpha: The slope below 0.
    """
    op = begin("leaky_relu", name, "LeakyRelu")
    x = op.blob(x, "x")
    zero = splat(op, 0.0, x.shape, x.dtype)
    scaled = op("mul", x, splat(op, alpha, x.shape, x.dtype))
    return op(
        "select", op("compare", x, zero, predicate=_predicate(op, "gt")), x, scaled
    )


@of_op
def add_n(inputs: Blobs, name: str | None = None) -> Blob:
    """The sum of blobs of one shape.

    Args:
        inputs: A list of blobs of one shape (...) and one element type, any element
            type.

    Returns:
        A blob of that shape and element type.
    """
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


@of_op
def clip_by_value(
    values: BlobDef,
    min_value: Operand | None = None,
    max_value: Operand | None = None,
    name: str | None = None,
) -> Blob:
    """Each element, but at least min_value and at most max_value.

    Args:
        values: (...), any element type.
        min_value: The lower bound, a number or a blob that broadcasts to values; None
            is none.
        max_value: The upper bound. One of the two must be given.

    Returns:
        A blob of the shape and element type of values.
    """
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


@of_two_floats
def pow(x: Operand, y: Operand, name: str | None = None) -> Blob:
    """x to the power of y, of each pair of elements.

    A negative x needs a y that is an integer, else the result is NaN. A blob of ints
    has powers with an int of Python as exponent, which is not negative; they wrap.
    """
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


def _comparison(api, predicate, prefix, x, y, name):
    op = begin(api, name, prefix)
    x, y = operands(op, [x, y])
    return as_int8(op, compare(op, x, y, predicate))


@of_relation
def equal(x: Operand, y: Operand, name: str | None = None) -> Blob:
    """Whether x == y, of each pair of elements.

    It has no gradient.
    """
    return _comparison("equal", "eq", "Equal", x, y, name)


@of_relation
def not_equal(x: Operand, y: Operand, name: str | None = None) -> Blob:
    """Whether x != y, of each pair of elements.

    It has no gradient.
    """
    return _comparison("not_equal", "ne", "NotEqual", x, y, name)


@of_relation
def less(x: Operand, y: Operand, name: str | None = None) -> Blob:
    """Whether x < y, of each pair of elements.

    It has no gradient.
    """
    return _comparison("less", "lt", "Less", x, y, name)


@of_relation
def less_equal(x: Operand, y: Operand, name: str | None = None) -> Blob:
    """Whether x <= y, of each pair of elements.

    It has no gradient.
    """
    return _comparison("less_equal", "le", "LessEqual", x, y, name)


@of_relation
def greater(x: Operand, y: Operand, name: str | None = None) -> Blob:
    """Whether x > y, of each pair of elements.

    It has no gradient.
    """
    return _comparison("greater", "gt", "Greater", x, y, name)


@of_relation
def greater_equal(x: Operand, y: Operand, name: str | None = None) -> Blob:
    """Whether x >= y, of each pair of elements.

    It has no gradient.
    """
    return _comparison("greater_equal", "ge", "GreaterEqual", x, y, name)


def _logical(api, mnemonic, prefix, x, y, name):
    op = begin(api, name, prefix)
    x, y = operands(op, [x, y])
    return as_int8(op, op(mnemonic, truth(op, x), truth(op, y)))


@of_relation
def logical_and(x: Operand, y: Operand, name: str | None = None) -> Blob:
    """Whether both x and y are not 0, of each pair of elements.

    It has no gradient.
    """
    return _logical("logical_and", "logical_and", "LogicalAnd", x, y, name)


@of_relation
def logical_or(x: Operand, y: Operand, name: str | None = None) -> Blob:
    """Whether x or y is not 0, of each pair of elements.

    It has no gradient.
    """
    return _logical("logical_or", "logical_or", "LogicalOr", x, y, name)


@of_op
def logical_not(x: BlobDef, name: str | None = None) -> Blob:
    """Whether each element is 0.

    It has no gradient.

    Args:
        x: (...), any element type.

    Returns:
        A blob of i8, 1 or 0, of the shape of x.
    """
    op = begin("logical_not", name, "LogicalNot")
    return as_int8(op, op("logical_not", truth(op, op.blob(x, "x"))))


# ===- Products ----------------------------------------------------------===#


@of_op
def matmul(
    a: BlobDef,
    b: BlobDef,
    transpose_a: bool = False,
    transpose_b: bool = False,
    name: str | None = None,
) -> Blob:
    """The product of two matrices, or of each pair of matrices.

    Sums of f16 and bf16 are computed in f32.

    Args:
        a: (..., M, K), or (..., K, M) with transpose_a; f16/bf16/f32/f64.
        b: (..., K, N), or (..., N, K) with transpose_b; of the element type of a. The
            dimensions before the last two are equal on both sides.
        transpose_a: Whether the matrices of a are transposed.
        transpose_b: Whether the matrices of b are transposed.

    Returns:
        (..., M, N), of the element type of a.
    """
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
    def method(self: BlobDef, other: Operand) -> Blob:
        # Of the built-in types, only numbers are operands; the op rejects the others,
        # since it has the user's line. Other types may have an operator themselves.
        is_known = isinstance(other, (BlobDef, numpy.ndarray)) or _is_scalar(other)
        if not is_known and type(other).__module__ != "builtins":
            return NotImplemented
        return function(other, self) if reflected else function(self, other)

    method.__name__ = method.__qualname__ = function.__name__
    method.__doc__ = f"""The operator of math.{function.__name__}.

    Args:
        other: A blob of the element type of this one, or a number.

    Returns:
        A blob of the shape that both broadcast to.

    Raises:
        BlobValueError: other is neither.
        JobBuildAndInferError: other does not fit.
    """
    return method


def _equality(function):
    """The operator of `==` or `!=`, with which Python compares anything."""
    method = _operator(function)

    def equality(self: BlobDef, other: Operand) -> Blob:
        if not isinstance(other, (Blob, numpy.ndarray)) and not _is_scalar(other):
            return NotImplemented
        return method(self, other)

    equality.__doc__ = method.__doc__
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
