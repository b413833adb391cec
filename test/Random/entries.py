"""What an entry of the table of ops is, and what entries are made of."""

import dataclasses
from typing import Callable

from jobs import BITS, FLOATS, INTEGERS, NARROW, Invalid

NUMBERS = FLOATS + INTEGERS
ANY = NUMBERS + ("i1",)
# Floats that are exactly integers up to here stay so in f32.
EXACT = 2.0 ** 20


@dataclasses.dataclass
class Entry:
    # The types of the results, or Invalid.
    infer: Callable
    # Draws one with a generate.Builder; false when nothing fits.
    draw: Callable
    # (low, high) of each result, of the operands' values and the attributes.
    ranges: Callable
    # How the text ends; see jobs._format_op.
    form: str = "operands"
    # Its float results are rounded.
    rounds: bool = True
    # A step of the function: its gradient is 0 or not that of the differences.
    jumps: bool = False
    # Has a gradient, or ends all gradients.
    differentiable: bool = True
    # Exact integers give exact integers.
    keeps_exact: bool = False
    # The operands that each result depends on, where it is not all of them.
    depends: list = None
    # Attributes that make it simpler, tried one by one by the shrinker.
    simpler: dict = dataclasses.field(default_factory=dict)
    # How often it is drawn, against 1.
    weight: float = 1


TABLE = {}


def require(condition):
    if not condition:
        raise Invalid


def limits(element):
    if element == "i1":
        return 0, 1
    if element == "ui8":
        return 0, 255
    return -2 ** (BITS[element] - 1), 2 ** (BITS[element] - 1) - 1


def wrap(low, high, element):
    """The range of a value: of an integer that may wrap, everything."""
    if element in FLOATS + NARROW:
        return low, high
    least, most = limits(element)
    return (low, high) if least <= low and high <= most else (least, most)


def hull(*ranges):
    return min(r[0] for r in ranges), max(r[1] for r in ranges)


def of(value):
    return value.low, value.high


def corners(function, *values):
    points = [()]
    for value in values:
        points = [point + (end,) for point in points for end in of(value)]
    results = [function(*point) for point in points]
    return min(results), max(results)


def same(types, attributes):
    require(len(set(types)) == 1)
    return [types[0]]
