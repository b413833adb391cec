"""Rules of elementwise ops."""

import re

from . import dtype as dtypes
from . import onnx_special as special
from .onnx_rules import RULES, rule
from .onnx_values import NARROW_FLOATS, NARROW_INTS, where

_OPERATORS = {
    "abs": "Abs",
    "add": "Add",
    "ceil": "Ceil",
    "cos": "Cos",
    "div": "Div",
    "exp": "Exp",
    "floor": "Floor",
    "log": "Log",
    "logical_and": "And",
    "logical_not": "Not",
    "logical_or": "Or",
    "maximum": "Max",
    "minimum": "Min",
    "mul": "Mul",
    "neg": "Neg",
    "round": "Round",
    "select": "Where",
    "sigmoid": "Sigmoid",
    "sign": "Sign",
    "sin": "Sin",
    "sqrt": "Sqrt",
    "stop_gradient": "Identity",
    "sub": "Sub",
    "tanh": "Tanh",
}


def _elementwise(operator):
    def convert(c):
        first, *others = c.inputs
        c.set(first.apply(operator, *others))

    return convert


for _name, _operator in _OPERATORS.items():
    RULES[f"job.{_name}"] = _elementwise(_operator)


def _special(function, to):
    def convert(c):
        c.set(function(*c.wide(to)))

    return convert


for _name in (
    "acos acosh asin asinh atan atan2 atanh cosh erf expm1 log1p sinh tan"
).split():
    RULES[f"job.{_name}"] = _special(getattr(special, _name), dtypes.float32)
# Their sums cancel, or have errors that the result would have many times.
for _name in ("digamma", "erfc", "lgamma"):
    RULES[f"job.{_name}"] = _special(getattr(special, _name), dtypes.float64)


@rule("relu")
def _relu(c):
    (x,) = c.inputs
    # Relu of ints came with operators 14.
    c.set(x.apply("Relu") if x.dtype.is_float() else x.maximum(0))


@rule("rsqrt")
def _rsqrt(c):
    (x,) = c.wide()
    c.set(x.apply("Sqrt").apply("Reciprocal"))


@rule("gelu")
def _gelu(c):
    approximate = c.take("approximate")
    (x,) = c.wide()
    is_tanh = approximate is not None and "tanh" in approximate
    c.set((special.gelu_tanh if is_tanh else special.gelu)(x))


@rule("pow")
def _pow(c):
    x, y = c.wide()
    c.set(x.apply("Pow", y))


# ===- Division -----------------------------------------------------------------===#


def _are_opposed(x, y):
    return (x < 0) ^ (y < 0)


def _int_division(x, y):
    """(is y 0, is it -1, x modulo y elsewhere, y there). ONNX says nothing of a
    division by 0, and of the least int by -1: processors trap."""
    is_zero, is_minus_one = y.equals(0), y.equals(-1)
    safe = where(is_zero | is_minus_one, 1, y)
    return is_zero, is_minus_one, x.apply("Mod", safe), safe


def _widened(c):
    """The operands: 8-bit ints as int32."""
    is_narrow = c.operands[0].dtype in NARROW_INTS
    return [one.cast(dtypes.int32) if is_narrow else one for one in c.inputs]


def _float_mod(x, y):
    rest = x.apply("Mod", y, fmod=1)
    is_rest = ~rest.equals(0)
    return where(is_rest & _are_opposed(rest, y), rest + y, rest)


@rule("mod")
def _mod(c):
    if c.operands[0].dtype.is_float():
        c.set(_float_mod(*c.wide()))
        return
    is_zero, _, rest, _ = _int_division(*_widened(c))
    c.set(where(is_zero, 0, rest))


@rule("floor_div")
def _floor_div(c):
    if not c.operands[0].dtype.is_float():
        x, y = _widened(c)
        is_zero, is_minus_one, rest, safe = _int_division(x, y)
        # Div rounds towards zero.
        quotient = x / safe
        is_above = ~rest.equals(0) & ((x < 0) ^ (safe < 0))
        quotient = where(is_above, quotient - 1, quotient)
        quotient = where(is_minus_one, -x, quotient)
        c.set(where(is_zero, 0, quotient))
        return
    # The quotient of f32 is exact in f64, up to 2^53.
    x, y = c.wide(dtypes.float64)
    plain = (x / y).apply("Floor")
    exact = ((x - _float_mod(x, y)) / y).apply("Round")
    infinity = float("inf")
    is_divided = abs(x).equals(infinity) & ~y.equals(0)
    quotient = where((abs(plain) < infinity) | is_divided, exact, plain)
    # Of a finite number by infinity.
    is_below = _are_opposed(x, y) & ~x.equals(0)
    small = where(is_below, x.constant(-1), 0)
    is_far = (abs(x) < infinity) & abs(y).equals(infinity)
    c.set(where(is_far, small, quotient))


# ===- Comparisons and conversions --------------------------------------------------===#

_PREDICATES = {
    "eq": "Equal",
    "ne": "Equal",
    "lt": "Less",
    "le": "LessOrEqual",
    "gt": "Greater",
    "ge": "GreaterOrEqual",
}


@rule("compare")
def _compare(c):
    predicate = re.fullmatch(r"#job<predicate (\w+)>", c.take("predicate")).group(1)
    x, y = c.inputs
    result = x.apply(_PREDICATES[predicate], y)
    c.set(~result if predicate == "ne" else result)


# The least int, and that after the greatest.
_RANGES = {
    dtypes.int8: (-(2**7), 2**7),
    dtypes.uint8: (0, 2**8),
    dtypes.int32: (-(2**31), 2**31),
    dtypes.int64: (-(2**63), 2**63),
}


def _to_int(x, dtype):
    """A float as an int: what is out of range becomes the nearest int that there is,
    and NaN 0, of which ONNX says nothing."""
    if x.dtype in NARROW_FLOATS:
        x = x.cast(dtypes.float32)
    low, high = _RANGES[dtype]
    result = where((x >= low) & (x < high), x, 0).cast(dtype)
    result = where(x >= high, result.constant(high - 1), result)
    return where(x < low, result.constant(low), result)


@rule("cast")
def _cast(c):
    (x,), target = c.inputs, c.result.dtype
    is_to_int = x.dtype.is_float() and target in _RANGES
    c.set(_to_int(x, target) if is_to_int else x)
