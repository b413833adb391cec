"""Entries of the table: elementwise ops and ops that move elements."""

import math

from entries import (ANY, EXACT, NUMBERS, TABLE, Entry, corners, hull, limits,
                     of, require, same, wrap)
from jobs import FLOATS, NARROW, Blob

# ---------------------------------------------------------------------------
# Elementwise
# ---------------------------------------------------------------------------

# Where 1 - tanh(x)^2 and its like keep their digits: inside of one op, where
# noise does not show how they are lost.
UNSATURATED = (-2, 2)


def unary(name, function, elements=FLOATS, domain=(-1e3, 1e3), monotone=True,
          saturates=False, choices={}, **more):
    """`function` gives the range when `monotone`, else of a value. `choices` are the
    values of each attribute."""
    def draw(b):
        operand = b.pick(elements, *domain)
        if operand is None:
            return None
        if saturates and b.value(operand).active:
            operand = b.moved(operand, *UNSATURATED)
        return b.emit(name, [operand], **{key: b.rng.choice(values)
                                          for key, values in choices.items()})

    def ranges(values, attributes, types):
        x = values[0]
        low, high = corners(function, x) if monotone else function(x)
        return [wrap(low, high, x.type.element)]
    TABLE[name] = Entry(same, draw, ranges, "result", **more)


def _abs(x):
    low, high = sorted((abs(x.low), abs(x.high)))
    low = 0 if x.low <= 0 <= x.high else low
    return low, high


unary("abs", _abs, NUMBERS, monotone=False, rounds=False, keeps_exact=True)
unary("exp", math.exp, domain=(-6, 4))
unary("expm1", math.expm1, domain=(-6, 4))
unary("log", math.log, domain=(0.1, 1e3))
unary("log1p", math.log1p, domain=(-0.8, 1e3))
unary("neg", lambda x: -x, NUMBERS, rounds=False, keeps_exact=True)
unary("sqrt", math.sqrt, domain=(0.05, 1e3))
unary("rsqrt", lambda x: 1 / math.sqrt(x), domain=(0.05, 1e3))
unary("sin", lambda x: (-1, 1), domain=(-30, 30), monotone=False)
unary("cos", lambda x: (-1, 1), domain=(-30, 30), monotone=False)
unary("tanh", math.tanh, domain=(-20, 20), saturates=True)
unary("sigmoid", lambda x: 1 / (1 + math.exp(-x)), domain=(-30, 30),
      saturates=True)
unary("erf", math.erf, domain=(-4, 4))
unary("erf_inv", lambda x: (-1.2, 1.2), domain=(-0.9, 0.9), monotone=False)
unary("erfc", math.erfc, domain=(-4, 2))
unary("tan", math.tan, domain=(-1.2, 1.2))
unary("acos", math.acos, domain=(-0.9, 0.9))
unary("asin", math.asin, domain=(-0.9, 0.9))
unary("atan", math.atan, domain=(-20, 20))
unary("cosh", lambda x: (1, math.cosh(max(-x.low, x.high))), domain=(-4, 4),
      monotone=False)
unary("sinh", math.sinh, domain=(-4, 4))
unary("acosh", math.acosh, domain=(1.1, 1e3))
unary("asinh", math.asinh, domain=(-1e3, 1e3))
unary("atanh", math.atanh, domain=(-0.9, 0.9))
# The least value is -0.1215.
unary("lgamma", lambda x: (-0.13, max(map(math.lgamma, of(x)))),
      domain=(0.1, 30), monotone=False)
# Between log(x) - 1/x and log(x) - 1/(2x).
unary("digamma", lambda x: (math.log(x.low) - 1 / x.low,
                            math.log(x.high) - 0.5 / x.high),
      domain=(0.2, 30), monotone=False, differentiable=False)
unary("gelu", lambda x: (min(0, x.low) * 0.2, max(0, x.high)), monotone=False,
      domain=(-6, 100), choices={"approximate": ("none", "tanh")},
      simpler={"approximate": "none"})
unary("relu", lambda x: max(x, 0), rounds=False, keeps_exact=True)
unary("floor", math.floor, rounds=False, jumps=True, keeps_exact=True)
unary("stop_gradient", lambda x: x, rounds=False, jumps=True, keeps_exact=True,
      weight=2)


def _draw_custom_gradient(b):
    x = b.pick(FLOATS, -1e3, 1e3)
    return None if x is None else b.emit(
        "custom_gradient", [b.emit("tanh", [x]), x])


# See jobs._format_op.
TABLE["custom_gradient"] = Entry(
    same, _draw_custom_gradient,
    lambda values, attributes, types: [of(values[0])], "operands",
    rounds=False)
unary("ceil", math.ceil, rounds=False, jumps=True, keeps_exact=True)
unary("round", round, rounds=False, jumps=True, keeps_exact=True)
unary("sign", lambda x: (x > 0) - (x < 0), NUMBERS, rounds=False, jumps=True,
      keeps_exact=True)
unary("logical_not", lambda x: 1 - x, ("i1",), domain=(0, 1), rounds=False)


def binary(name, ranges_of, elements=FLOATS, left=(-1e3, 1e3),
           right=(-1e3, 1e3), **more):
    def draw(b):
        x = b.pick(elements, *left)
        if x is None:
            return None
        y = x if b.chance(0.08) and left == right \
            else b.operand(b.type(x), *right)
        if b.chance(0.5) and left == right:
            x, y = y, x
        return b.emit(name, [x, y])

    def ranges(values, attributes, types):
        return [wrap(*ranges_of(*values), types[0].element)]
    TABLE[name] = Entry(same, draw, ranges, "result", **more)


binary("add", lambda x, y: corners(lambda a, b: a + b, x, y), NUMBERS,
       keeps_exact=True, weight=2)
binary("sub", lambda x, y: corners(lambda a, b: a - b, x, y), NUMBERS,
       keeps_exact=True, weight=2)
binary("mul", lambda x, y: corners(lambda a, b: a * b, x, y), NUMBERS,
       keeps_exact=True, weight=2)
binary("div", lambda x, y: corners(lambda a, b: a / b, x, y), right=(0.3, 8))
binary("pow", lambda x, y: corners(lambda a, b: a ** b, x, y),
       left=(0.3, 3), right=(-2, 2))
binary("maximum", lambda x, y: (max(x.low, y.low), max(x.high, y.high)),
       NUMBERS, rounds=False, keeps_exact=True)
binary("minimum", lambda x, y: (min(x.low, y.low), min(x.high, y.high)),
       NUMBERS, rounds=False, keeps_exact=True)
binary("atan2", lambda x, y: (-1.6, 1.6), right=(0.3, 8))


def _quotients(x, y):
    most = max(map(abs, of(x))) + 1
    return -most, most


binary("floor_div", _quotients, NUMBERS, right=(1, 8), rounds=False,
       jumps=True, keeps_exact=True)
binary("mod", lambda x, y: (min(y.low, 0), max(y.high, 0)), NUMBERS,
       right=(1, 8), jumps=True, keeps_exact=True)
binary("logical_and", lambda x, y: (0, 1), ("i1",), rounds=False)
binary("logical_or", lambda x, y: (0, 1), ("i1",), rounds=False)


def _draw_compare(b):
    x = b.pick(NUMBERS)
    if x is None:
        return None
    y = b.operand(b.type(x))
    predicate = b.rng.choice(["eq", "ne", "lt", "le", "gt", "ge"])
    return b.emit("compare", [x, y], predicate=predicate)


TABLE["compare"] = Entry(
    lambda types, a: [same(types, a)[0].of("i1")], _draw_compare,
    lambda values, a, types: [(0, 1)], "first", rounds=False, jumps=True,
    simpler={"predicate": "lt"}, weight=2)


def _infer_select(types, attributes):
    require(types[0] == types[1].of("i1") and types[1] == types[2])
    return [types[1]]


def _draw_select(b):
    x = b.pick(ANY)
    if x is None:
        return None
    y = b.operand(b.type(x))
    condition = b.operand(b.type(x).of("i1"))
    return b.emit("select", [condition, x, y])


TABLE["select"] = Entry(
    _infer_select, _draw_select,
    lambda values, a, types: [hull(of(values[1]), of(values[2]))], "select",
    rounds=False, keeps_exact=True)


def _draw_cast(b):
    x = b.pick(ANY)
    if x is None:
        return None
    value = b.value(x)
    elements = [e for e in ANY if e != value.type.element]
    if value.magnitude > EXACT:
        elements = [e for e in elements if e not in FLOATS]
    return b.emit("cast", [x], to=b.rng.choice(elements))


def _cast_ranges(values, attributes, types):
    x, element = values[0], types[0].element
    if element in FLOATS + NARROW:
        return [of(x)]
    if element == "i1":
        return [(0, 1)]
    if x.type.is_float:
        least, most = limits(element)
        clamp = [min(max(math.trunc(end), least), most) for end in of(x)]
        return [(min(clamp[0], 0), max(clamp[1], 0)) if x.wild else clamp]
    return [wrap(x.low, x.high, element)]


TABLE["cast"] = Entry(
    lambda types, a: [types[0].of(a["to"])], _draw_cast, _cast_ranges, "to",
    jumps=True, keeps_exact=True)

# ---------------------------------------------------------------------------
# Shapes
# ---------------------------------------------------------------------------


def moving(name, infer, draw, ranges=None, **more):
    more.setdefault("rounds", False)
    TABLE[name] = Entry(
        infer, draw,
        ranges or (lambda values, a, types: [hull(*map(of, values))]),
        keeps_exact=True, **more)


def _infer_reshape(types, attributes):
    require(math.prod(attributes["to"]) == types[0].count)
    return [Blob(tuple(attributes["to"]), types[0].element)]


def _draw_reshape(b):
    x = b.pick(ANY)
    return None if x is None else \
        b.emit("reshape", [x], to=b.factors(b.type(x).count))


moving("reshape", _infer_reshape, _draw_reshape, form="to")


def _infer_broadcast(types, attributes):
    (operand,), to, dims = types, attributes["to"], attributes["dims"]
    require(len(dims) == len(operand.shape)
            and list(dims) == sorted(set(dims)))
    require(all(dim < len(to) and extent in (1, to[dim])
                for dim, extent in zip(dims, operand.shape)))
    return [Blob(tuple(to), operand.element)]


def _draw_broadcast(b):
    x = b.pick(ANY)
    if x is None:
        return None
    shape, dims = [], []
    for extent in b.type(x).shape:
        while b.chance(0.3) and len(shape) - len(dims) + \
                len(b.type(x).shape) < 5:
            shape.append(b.extent())
        dims.append(len(shape))
        shape.append(b.extent() if extent == 1 and b.chance(0.7) else extent)
    if not b.fits(shape):
        return None
    return b.emit("broadcast_in_dim", [x], dims=tuple(dims), to=tuple(shape))


moving("broadcast_in_dim", _infer_broadcast, _draw_broadcast, form="to")


def _infer_transpose(types, attributes):
    order, shape = attributes["permutation"], types[0].shape
    require(sorted(order) == list(range(len(shape))))
    return [Blob(tuple(shape[dim] for dim in order), types[0].element)]


def _draw_transpose(b):
    x = b.pick(ANY, rank=range(2, 6))
    if x is None:
        return None
    order = list(range(len(b.type(x).shape)))
    b.rng.shuffle(order)
    return b.emit("transpose", [x], permutation=tuple(order))


moving("transpose", _infer_transpose, _draw_transpose)


def _infer_slice(types, attributes):
    lists = [attributes[key] for key in ("offsets", "sizes", "strides")]
    require(all(len(items) == len(types[0].shape) for items in lists))
    for extent, offset, size, stride in zip(types[0].shape, *lists):
        require(offset >= 0 and size > 0 and stride > 0
                and offset + (size - 1) * stride < extent)
    return [Blob(tuple(attributes["sizes"]), types[0].element)]


def _draw_slice(b):
    x = b.pick(ANY)
    if x is None:
        return None
    offsets, sizes, strides = [], [], []
    for extent in b.type(x).shape:
        offset = b.rng.randrange(extent) if b.chance(0.5) else 0
        stride = b.rng.choice([1, 1, 1, 2, 3])
        most = (extent - offset - 1) // stride + 1
        size = most if b.chance(0.5) else b.rng.randint(1, most)
        offsets.append(offset), sizes.append(size), strides.append(stride)
    return b.emit("slice", [x], offsets=tuple(offsets), sizes=tuple(sizes),
                  strides=tuple(strides))


moving("slice", _infer_slice, _draw_slice,
       simpler={"offsets": 0, "strides": 1})


def _infer_pad(types, attributes):
    lists = [attributes[key] for key in ("low", "high", "interior")]
    require(all(len(items) == len(types[0].shape) for items in lists))
    return [Blob(tuple(low + extent + high + (extent - 1) * interior
                       for extent, low, high, interior
                       in zip(types[0].shape, *lists)), types[0].element)]


def _draw_pad(b):
    x = b.pick(NUMBERS)
    if x is None:
        return None
    rank = len(b.type(x).shape)
    amounts = {key: tuple(b.rng.choice([0, 0, 1, 2]) for _ in range(rank))
               for key in ("low", "high")}
    amounts["interior"] = tuple(b.rng.choice([0, 0, 0, 1, 2])
                                for _ in range(rank))
    type, = _infer_pad([b.type(x)], amounts)
    if not b.fits(type.shape):
        return None
    return b.emit("pad", [x], **amounts,
                  value=float(b.rng.choice([0, 0, 1, -2])))


moving("pad", _infer_pad, _draw_pad,
       lambda values, a, types: [hull(of(values[0]), (a["value"],) * 2)],
       simpler={"value": 0.0, "low": 0, "high": 0, "interior": 0})


def _infer_concat(types, attributes):
    axis = attributes["axis"]
    require(axis < len(types[0].shape))
    for type in types:
        require(type.element == types[0].element
                and len(type.shape) == len(types[0].shape)
                and all(extent == first or dim == axis for dim, (extent, first)
                        in enumerate(zip(type.shape, types[0].shape))))
    shape = list(types[0].shape)
    shape[axis] = sum(type.shape[axis] for type in types)
    return [Blob(tuple(shape), types[0].element)]


def _draw_concat(b):
    x = b.pick(ANY)
    if x is None:
        return None
    shape = list(b.type(x).shape)
    axis = b.rng.randrange(len(shape))
    operands = [x]
    for _ in range(b.rng.choice([0, 1, 1, 1, 2])):
        other = [*shape]
        if b.chance(0.5):
            other[axis] = b.extent()
        operands.append(b.operand(Blob(tuple(other), b.type(x).element)))
    b.rng.shuffle(operands)
    type, = _infer_concat([b.type(v) for v in operands], {"axis": axis})
    if not b.fits(type.shape):
        return None
    return b.emit("concat", operands, axis=axis)


moving("concat", _infer_concat, _draw_concat)


def _infer_iota(types, attributes):
    to = attributes["to"]
    require(attributes["axis"] < len(to.shape))
    return [to]


def _draw_iota(b):
    to = Blob(b.shape(), b.rng.choice(NUMBERS))
    return b.emit("iota", [], axis=b.rng.randrange(len(to.shape)), to=to)


TABLE["iota"] = Entry(
    _infer_iota, _draw_iota,
    lambda values, a, types: [wrap(0, types[0].shape[a["axis"]] - 1,
                                   types[0].element)],
    "result", rounds=False, keeps_exact=True)
