"""Trigonometric and hyperbolic functions, their inverse ones, the gamma function, and
divisions with an answer where the quotient has none."""

from .blob import Blob
from .math_ops import (
    _binary,
    _operator,
    _unary,
    compare,
    operands,
    round_to,
    splat,
    widen,
)
from .trace import begin

tan = _unary("tan", "tan", "Tan", "The tangent")
acos = _unary("acos", "acos", "Acos", "The arc cosine, NaN outside of [-1, 1],")
asin = _unary("asin", "asin", "Asin", "The arc sine, NaN outside of [-1, 1],")
atan = _unary("atan", "atan", "Atan", "The arc tangent")
cosh = _unary("cosh", "cosh", "Cosh", "The hyperbolic cosine")
sinh = _unary("sinh", "sinh", "Sinh", "The hyperbolic sine")
acosh = _unary("acosh", "acosh", "Acosh", "The inverse hyperbolic cosine, NaN below 1,")
asinh = _unary("asinh", "asinh", "Asinh", "The inverse hyperbolic sine")
atanh = _unary(
    "atanh", "atanh", "Atanh", "The inverse hyperbolic tangent, NaN outside of [-1, 1],"
)
erfc = _unary("erfc", "erfc", "Erfc", "1 - erf(x), accurate where it is small,")
lgamma = _unary(
    "lgamma", "lgamma", "Lgamma", "The logarithm of |gamma(x)|, infinite at its poles,"
)

atan2 = _binary(
    "atan2", "atan2", "Atan2", "The arc tangent of x / y in the quadrant of (y, x)"
)
floordiv = _binary(
    "floordiv",
    "floor_div",
    "FloorDiv",
    "x / y rounded down to an integer; 0 where an int is divided by 0",
)
mod = _binary(
    "mod",
    "mod",
    "Mod",
    "The remainder of x / y rounded down, which has the sign of y; where y is 0, NaN "
    "or the int 0",
)


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


def reciprocal_no_nan(x, name=None):
    """1 / x of each element, 0 where x is 0. The gradient is 0 there."""
    op = begin("reciprocal_no_nan", name, "ReciprocalNoNan")
    x = op.blob(x, "x")
    one = splat(op, 1.0, x.shape, x.dtype)
    return _where_not(op, _is_zero(op, x), x, lambda safe: op("div", one, safe(x)))


def xdivy(x, y, name=None):
    """x / y with NumPy's broadcasting, 0 where x is 0, also if y is 0 or NaN. The
    gradients are 0 there."""
    op = begin("xdivy", name, "XDivY")
    x, y = operands(op, [x, y])
    return _where_not(op, _is_zero(op, x), x, lambda safe: op("div", x, safe(y)))


def xlogy(x, y, name=None):
    """x * log(y) with NumPy's broadcasting, 0 where x is 0 and y is no NaN. The
    gradients are 0 there."""
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
