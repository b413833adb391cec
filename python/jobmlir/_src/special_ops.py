"""Trigonometric and hyperbolic functions, their inverse ones, the gamma function, and
divisions with an answer where the quotient has none."""

from __future__ import annotations

from .blob import Blob, BlobDef
from .hints import Operand
from .math_ops import (
    _binary,
    _operator,
    _unary,
    compare,
    of_floats,
    of_two,
    of_two_floats,
    operands,
    round_to,
    splat,
    widen,
)
from .trace import begin


@of_floats
def tan(x: BlobDef, name: str | None = None) -> Blob:
    """The tangent of each element."""
    return _unary("tan", "tan", "Tan", x, name)


@of_floats
def acos(x: BlobDef, name: str | None = None) -> Blob:
    """The arc cosine of each element; NaN outside of [-1, 1]."""
    return _unary("acos", "acos", "Acos", x, name)


@of_floats
def asin(x: BlobDef, name: str | None = None) -> Blob:
    """The arc sine of each element; NaN outside of [-1, 1]."""
    return _unary("asin", "asin", "Asin", x, name)


@of_floats
def atan(x: BlobDef, name: str | None = None) -> Blob:
    """The arc tangent of each element."""
    return _unary("atan", "atan", "Atan", x, name)


@of_floats
def cosh(x: BlobDef, name: str | None = None) -> Blob:
    """The hyperbolic cosine of each element."""
    return _unary("cosh", "cosh", "Cosh", x, name)


@of_floats
def sinh(x: BlobDef, name: str | None = None) -> Blob:
    """The hyperbolic sine of each element."""
    return _unary("sinh", "sinh", "Sinh", x, name)


@of_floats
def acosh(x: BlobDef, name: str | None = None) -> Blob:
    """The inverse hyperbolic cosine of each element; NaN below 1."""
    return _unary("acosh", "acosh", "Acosh", x, name)


@of_floats
def asinh(x: BlobDef, name: str | None = None) -> Blob:
    """The inverse hyperbolic sine of each element."""
    return _unary("asinh", "asinh", "Asinh", x, name)


@of_floats
def atanh(x: BlobDef, name: str | None = None) -> Blob:
    """The inverse hyperbolic tangent of each element; NaN outside of [-1, 1]."""
    return _unary("atanh", "atanh", "Atanh", x, name)


@of_floats
def erfc(x: BlobDef, name: str | None = None) -> Blob:
    """1 - erf(x) of each element, accurate where it is small."""
    return _unary("erfc", "erfc", "Erfc", x, name)


@of_floats
def lgamma(x: BlobDef, name: str | None = None) -> Blob:
    """log(abs(gamma(x))) of each element; infinite at the poles of gamma."""
    return _unary("lgamma", "lgamma", "Lgamma", x, name)


@of_two_floats
def atan2(x: Operand, y: Operand, name: str | None = None) -> Blob:
    """The arc tangent of x / y, in the quadrant of the point (y, x)."""
    return _binary("atan2", "atan2", "Atan2", x, y, name)


@of_two
def floordiv(x: Operand, y: Operand, name: str | None = None) -> Blob:
    """x / y rounded down to an integer.

    The quotient of an int and 0 is 0. It has no gradient.
    """
    return _binary("floordiv", "floor_div", "FloorDiv", x, y, name)


@of_two
def mod(x: Operand, y: Operand, name: str | None = None) -> Blob:
    """The remainder of x / y rounded down, which has the sign of y.

    Where y is 0, it is NaN, or 0 for ints.
    """
    return _binary("mod", "mod", "Mod", x, y, name)


def _is_zero(op, x):
    return compare(op, x, splat(op, 0, x.shape, x.dtype), "eq")


def _where_not(op, is_zero, x, function):
    """`function`, and 0 where `is_zero`. Its gradient is 0 there, too: what the function
    divides by, or takes the logarithm of, is 1 instead, so that no infinite slope is
    multiplied with 0."""
    one = splat(op, 1, x.shape, x.dtype)
    result = function(lambda value: op("select", is_zero, one, value))
    zero = splat(op, 0, result.shape, result.dtype)
    return op("select", is_zero, zero, result)


@of_floats
def reciprocal_no_nan(x: BlobDef, name: str | None = None) -> Blob:
    """1 / x of each element, 0 where x is 0. The gradient is 0 there."""
    op = begin("reciprocal_no_nan", name, "ReciprocalNoNan")
    x = op.blob(x, "x")
    one = splat(op, 1.0, x.shape, x.dtype)
    return _where_not(op, _is_zero(op, x), x, lambda safe: op("div", one, safe(x)))


@of_two_floats
def xdivy(x: Operand, y: Operand, name: str | None = None) -> Blob:
    """x / y of each pair of elements, 0 where x is 0, also if y is 0 or NaN.

    The gradients are 0 where x is 0.
    """
    op = begin("xdivy", name, "XDivY")
    x, y = operands(op, [x, y])
    return _where_not(op, _is_zero(op, x), x, lambda safe: op("div", x, safe(y)))


@of_two_floats
def xlogy(x: Operand, y: Operand, name: str | None = None) -> Blob:
    """x * log(y) of each pair of elements, 0 where x is 0 and y is not NaN.

    The gradients are 0 where x is 0.
    """
    op = begin("xlogy", name, "XLogY")
    x, y = operands(op, [x, y])

    def product(safe):
        # The logarithm is not rounded to 16 bits.
        log = op("log", widen(op, safe(y)))
        return round_to(op, op("mul", widen(op, x), log), x)

    is_zero = op("logical_and", _is_zero(op, x), compare(op, y, y, "eq"))
    return _where_not(op, is_zero, x, product)


for _name, _function in (("mod", mod), ("floordiv", floordiv)):
    setattr(Blob, f"__{_name}__", _operator(_function))
    setattr(Blob, f"__r{_name}__", _operator(_function, reflected=True))
