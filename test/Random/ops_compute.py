"""Entries of the table: reductions, contractions, normalisations, losses,
indices, random numbers."""

import math

from entries import (ANY, NUMBERS, TABLE, Entry, hull, of, require, same, wrap)
from jobs import FLOATS, INTEGERS, Blob, Invalid
from ops_elementwise import moving

# ---------------------------------------------------------------------------
# Reductions
# ---------------------------------------------------------------------------


def _infer_reduce(types, attributes):
    shape, axes = types[0].shape, attributes["axes"]
    require(list(axes) == sorted(set(axes)) and axes
            and axes[-1] < len(shape))
    keep = attributes.get("keepdims", False)
    result = [1 if dim in axes else extent for dim, extent
              in enumerate(shape) if keep or dim not in axes]
    return [Blob(tuple(result) or (1,), types[0].element)]


def _terms(values, types):
    return values[0].type.count // types[0].count


def reduction(name, ranges_of, most_terms=10 ** 6, domain=(-1e3, 1e3), **more):
    def draw(b):
        x = b.pick(NUMBERS, *domain)
        if x is None:
            return None
        shape = b.type(x).shape
        axes = sorted(b.rng.sample(range(len(shape)),
                                   b.rng.randint(1, len(shape))))
        if math.prod(shape[axis] for axis in axes) > most_terms:
            return None
        keep = {"keepdims": True} if b.chance(0.4) else {}
        return b.emit(name, [x], axes=tuple(axes), **keep)

    def ranges(values, attributes, types):
        return [wrap(*ranges_of(values[0], _terms(values, types)),
                     types[0].element)]
    TABLE[name] = Entry(_infer_reduce, draw, ranges, keeps_exact=True, **more)


reduction("reduce_sum", lambda x, n: (x.low * n, x.high * n), weight=2)
reduction("reduce_prod",
          lambda x, n: (-max(1, x.magnitude) ** n, max(1, x.magnitude) ** n),
          most_terms=12, domain=(-1.6, 1.6))
reduction("reduce_max", lambda x, n: of(x), rounds=False)
reduction("reduce_min", lambda x, n: of(x), rounds=False)


def _infer_argmax(types, attributes):
    shape, axis = types[0].shape, attributes["axis"]
    require(axis < len(shape))
    return [Blob(shape[:axis] + shape[axis + 1:] or (1,), "i64")]


def _draw_argmax(b):
    x = b.pick(NUMBERS)
    return None if x is None else \
        b.emit("argmax", [x], axis=b.rng.randrange(len(b.type(x).shape)))


TABLE["argmax"] = Entry(
    _infer_argmax, _draw_argmax,
    lambda values, a, types: [(0, values[0].type.shape[a["axis"]] - 1)],
    rounds=False, jumps=True)

# ---------------------------------------------------------------------------
# Contractions
# ---------------------------------------------------------------------------


def _infer_matmul(types, attributes):
    lhs, rhs = types
    require(len(lhs.shape) >= 2 and lhs.element == rhs.element
            and lhs.shape[:-2] == rhs.shape[:-2]
            and len(lhs.shape) == len(rhs.shape) and lhs.is_float)
    m, k = lhs.shape[-2:]
    if attributes.get("transpose_lhs"):
        m, k = k, m
    inner, n = rhs.shape[-2:]
    if attributes.get("transpose_rhs"):
        inner, n = n, inner
    require(k == inner)
    return [Blob(lhs.shape[:-2] + (m, n), lhs.element)]


def _draw_matmul(b):
    x = b.pick(FLOATS, -8, 8, rank=range(2, 6))
    if x is None:
        return None
    type = b.type(x)
    flags = {key: True for key in ("transpose_lhs", "transpose_rhs")
             if b.chance(0.35)}
    first = b.chance(0.5)
    n = b.extent() if b.chance(0.9) else b.rng.choice([33, 64, 100])
    *batch, rows, columns = type.shape
    # x is one side; the other one has the inner extent and n.
    mine = flags.get("transpose_lhs" if first else "transpose_rhs", False)
    other = flags.get("transpose_rhs" if first else "transpose_lhs", False)
    inner = columns if first != mine else rows
    pair = (inner, n) if first != other else (n, inner)
    if not b.fits((*batch, *pair)):
        return None
    y = b.operand(Blob((*batch, *pair), type.element), -4, 4)
    operands = [x, y] if first else [y, x]
    result, = _infer_matmul([b.type(v) for v in operands], flags)
    return b.emit("matmul", operands, **flags) if b.fits(result.shape) \
        else None


def _matmul_ranges(values, attributes, types):
    k = values[0].type.shape[-2 if attributes.get("transpose_lhs") else -1]
    most = k * values[0].magnitude * values[1].magnitude
    return [(-most, most)]


TABLE["matmul"] = Entry(_infer_matmul, _draw_matmul, _matmul_ranges, weight=2)


def _window(extent, size, stride, low, high, dilation=1):
    room = extent + low + high - ((size - 1) * dilation + 1)
    require(room >= 0)
    return room // stride + 1


def _infer_conv(types, attributes):
    x, f = types
    require(len(x.shape) == 4 == len(f.shape) and x.element == f.element)
    groups, (top, left, bottom, right) = \
        attributes["groups"], attributes["padding"]
    require(x.shape[1] % groups == 0 and f.shape[0] % groups == 0
            and f.shape[1] == x.shape[1] // groups)
    (sh, sw), (dh, dw) = attributes["strides"], attributes["dilations"]
    return [Blob((x.shape[0], f.shape[0],
                  _window(x.shape[2], f.shape[2], sh, top, bottom, dh),
                  _window(x.shape[3], f.shape[3], sw, left, right, dw)),
                 x.element)]


def _draw_conv(b):
    x = b.pick(FLOATS, -8, 8, rank=[4])
    if x is None:
        return None
    batch, channels, height, width = b.type(x).shape
    groups = b.rng.choice([g for g in range(1, channels + 1)
                           if channels % g == 0])
    if b.chance(0.6):
        groups = 1
    filter = Blob((groups * b.rng.choice([1, 2, 3]), channels // groups,
                   b.rng.randint(1, min(4, height + 1)),
                   b.rng.randint(1, min(4, width + 1))), b.type(x).element)
    attributes = {
        "strides": (b.rng.choice([1, 1, 2, 3]), b.rng.choice([1, 1, 2])),
        "padding": tuple(b.rng.choice([0, 0, 1, 2]) for _ in range(4)),
        "dilations": (b.rng.choice([1, 1, 1, 2]), b.rng.choice([1, 1, 1, 2])),
        "groups": groups}
    try:
        result, = _infer_conv([b.type(x), filter], attributes)
    except Invalid:
        return None
    if not b.fits(result.shape):
        return None
    return b.emit("conv2d", [x, b.operand(filter, -4, 4)], **attributes)


def _conv_ranges(values, attributes, types):
    f = values[1].type
    most = f.count // f.shape[0] * values[0].magnitude * values[1].magnitude
    return [(-most, most)]


TABLE["conv2d"] = Entry(
    _infer_conv, _draw_conv, _conv_ranges, weight=1.5,
    simpler={"strides": (1, 1), "padding": (0, 0, 0, 0), "dilations": (1, 1),
             "groups": 1})


def _infer_pool(types, attributes):
    require(len(types[0].shape) == 4)
    batch, channels, height, width = types[0].shape
    (kh, kw), (sh, sw) = attributes["ksize"], attributes["strides"]
    top, left, bottom, right = attributes["padding"]
    require(max(top, bottom) < kh and max(left, right) < kw)
    return [Blob((batch, channels, _window(height, kh, sh, top, bottom),
                  _window(width, kw, sw, left, right)), types[0].element)]


def _draw_pool(b):
    """Its operand and its attributes."""
    x = b.pick(FLOATS, rank=[4])
    if x is None:
        return None
    kh, kw = b.rng.choice([1, 2, 3]), b.rng.choice([1, 2, 3])
    attributes = {
        "ksize": (kh, kw),
        "strides": (b.rng.choice([1, 2, 3]), b.rng.choice([1, 2])),
        "padding": tuple(b.rng.randrange(size)
                         for size in (kh, kw, kh, kw))}
    try:
        _infer_pool([b.type(x)], attributes)
    except Invalid:
        return None
    return x, attributes


def pool(name, **more):
    def draw(b):
        drawn = _draw_pool(b)
        return drawn and b.emit(name, [drawn[0]], **drawn[1])
    TABLE[name] = Entry(
        _infer_pool, draw, lambda values, a, types: [of(values[0])],
        simpler={"strides": (1, 1), "padding": (0, 0, 0, 0),
                 "ksize": (1, 1)}, **more)


def _infer_pool_argmax(types, attributes):
    type, = _infer_pool(types, attributes)
    return [type, type.of("i8")]


def _draw_pool_argmax(b):
    drawn = _draw_pool(b)
    if drawn is None:
        return None
    x, attributes = drawn
    more = {"positive": True} if b.chance(0.5) else {}
    return b.emit("max_pool2d_argmax", [x], **attributes, **more)


pool("avg_pool2d")
pool("max_pool2d", rounds=False, keeps_exact=True)
TABLE["max_pool2d_argmax"] = Entry(
    _infer_pool_argmax, _draw_pool_argmax,
    lambda values, a, types: [of(values[0]),
                              (-1, math.prod(a["ksize"]) - 1)],
    rounds=False, jumps=True, differentiable=False, keeps_exact=True)


def _infer_attention(types, attributes):
    q, k, v = types
    require(all(len(type.shape) == 4 and type.element == q.element
                and type.shape[0] == q.shape[0] for type in types))
    counts = {type.shape[2] - before - after for type, before, after
              in zip(types, attributes["heads_before"],
                     attributes["heads_after"])}
    require(len(counts) == 1 and min(counts) > 0)
    heads, = counts
    require(q.shape[3] == k.shape[3] and k.shape[1] == v.shape[1]
            and (k.shape[1] >= q.shape[1] or not attributes["causal"]))
    return [Blob(q.shape[:2] + (heads,) + v.shape[3:], q.element),
            Blob((q.shape[0], heads, q.shape[1]),
                 "f32" if q.element in ("f16", "bf16") else q.element)]


def _draw_attention(b):
    q = b.pick(FLOATS, -3, 3, rank=[4])
    if q is None:
        return None
    batch, queries, heads, channels = b.type(q).shape
    causal = b.chance(0.5)
    keys = b.extent() + (queries if causal else 0)
    # Operands may be heads of larger blobs.
    read = b.rng.randint(1, heads) if b.chance(0.3) else heads
    others = [heads - read] + [b.rng.randint(0, 2) if read < heads else 0
                               for _ in range(2)]
    shapes = [(batch, keys, read + others[1], channels),
              (batch, keys, read + others[2], b.extent())]
    if not all(map(b.fits, shapes)):
        return None
    if keys == queries and b.chance(0.2):
        k = v = q
        others = [heads - read] * 3
    else:
        k, v = (b.operand(Blob(shape, b.type(q).element), -3, 3)
                for shape in shapes)
    before = tuple(b.rng.randint(0, count) for count in others)
    after = tuple(count - first for count, first in zip(others, before))
    return b.emit("attention", [q, k, v], causal=causal,
                  scale=b.rng.choice([1.0, 0.5, 0.125]),
                  heads_before=before, heads_after=after)


def _attention_ranges(values, attributes, types):
    q, k, v = values
    most = attributes["scale"] * q.magnitude * k.magnitude * q.type.shape[3] \
        + math.log(k.type.shape[1])
    return [of(v), (-most, most)]


TABLE["attention"] = Entry(_infer_attention, _draw_attention,
                           _attention_ranges, depends=[[0, 1, 2], [0, 1]],
                           simpler={"causal": False, "scale": 1.0})

# ---------------------------------------------------------------------------
# Normalisations and losses
# ---------------------------------------------------------------------------


def _loses_digits(b, x, terms):
    """The gradient of two elements that are normalised is a difference of
    equal numbers inside of one op, where noise does not show it. So are the
    elements of a constant and their mean."""
    value = b.value(x)
    return terms == 2 and value.active or \
        value.high - value.low < 1e-3 * value.magnitude


def _infer_batch_norm(types, attributes):
    x, gamma, beta = types
    axis = attributes["axis"]
    require(axis < len(x.shape) and gamma == beta
            and gamma == Blob((x.shape[axis],), x.element))
    return [x, gamma, gamma]


def _draw_batch_norm(b):
    x = b.pick(FLOATS, -1e3, 1e3)
    if x is None:
        return None
    type = b.type(x)
    axis = b.rng.randrange(len(type.shape))
    gamma = Blob((type.shape[axis],), type.element)
    if _loses_digits(b, x, type.count // gamma.count):
        return None
    return b.emit("batch_norm", [x, b.operand(gamma, -4, 4),
                                 b.operand(gamma, -4, 4)],
                  axis=axis, epsilon=b.rng.choice([1e-5, 1e-3, 0.1]))


def _batch_norm_ranges(values, attributes, types):
    x, gamma, beta = values
    n = x.type.count / gamma.type.count
    most = gamma.magnitude * math.sqrt(n) + beta.magnitude
    return [(-most, most), of(x), (0, ((x.high - x.low) / 2) ** 2)]


TABLE["batch_norm"] = Entry(_infer_batch_norm, _draw_batch_norm,
                            _batch_norm_ranges, form="two",
                            depends=[[0, 1, 2], [0], [0]],
                            simpler={"epsilon": 0.1})


def _infer_layer_norm(types, attributes):
    x, gamma, beta = types
    require(gamma == beta and gamma == Blob(x.shape[-1:], x.element))
    rows = Blob(x.shape[:-1] or (1,), x.element)
    return [x, rows, rows]


def _draw_layer_norm(b):
    x = b.pick(FLOATS, -1e3, 1e3)
    if x is None:
        return None
    gamma = Blob(b.type(x).shape[-1:], b.type(x).element)
    if _loses_digits(b, x, gamma.count):
        return None
    return b.emit("layer_norm", [x, b.operand(gamma, -4, 4),
                                 b.operand(gamma, -4, 4)],
                  epsilon=b.rng.choice([1e-5, 1e-3, 0.1]))


def _layer_norm_ranges(values, attributes, types):
    x, gamma, beta = values
    most = gamma.magnitude * math.sqrt(x.type.shape[-1]) + beta.magnitude
    epsilon = attributes["epsilon"]
    variance = ((x.high - x.low) / 2) ** 2
    return [(-most, most), of(x),
            (1 / math.sqrt(variance + epsilon), 1 / math.sqrt(epsilon))]


TABLE["layer_norm"] = Entry(_infer_layer_norm, _draw_layer_norm,
                            _layer_norm_ranges, form="two",
                            depends=[[0, 1, 2], [0], [0]],
                            simpler={"epsilon": 0.1})


def softmax(name, ranges):
    def draw(b):
        x = b.pick(FLOATS, -30, 30)
        return None if x is None else b.emit(name, [x])
    TABLE[name] = Entry(same, draw, lambda values, a, types:
                        [ranges(values[0])], "result")


softmax("softmax", lambda x: (0, 1))
softmax("log_softmax", lambda x: (
    x.low - x.high - math.log(x.type.shape[-1]), 0))


def _infer_cross_entropy(types, attributes):
    logits, labels = types
    require(len(logits.shape) >= 2 and labels.shape == logits.shape[:-1]
            and labels.element in INTEGERS)
    return [Blob(labels.shape, logits.element)]


def _draw_cross_entropy(b):
    x = b.pick(FLOATS, -30, 30, rank=range(2, 6))
    if x is None:
        return None
    shape = b.type(x).shape
    labels = Blob(shape[:-1], b.rng.choice(INTEGERS))
    return b.emit("sparse_softmax_cross_entropy",
                  [x, b.index(labels, shape[-1])])


TABLE["sparse_softmax_cross_entropy"] = Entry(
    _infer_cross_entropy, _draw_cross_entropy,
    lambda values, a, types: [
        (0, values[0].high - values[0].low
         + math.log(values[0].type.shape[-1]))])

# ---------------------------------------------------------------------------
# Indices and random numbers
# ---------------------------------------------------------------------------


def _infer_gather(types, attributes):
    x, indices = types
    axis, batch = attributes["axis"], attributes.get("batch_dims", 0)
    require(axis < len(x.shape) and batch <= min(axis, len(indices.shape))
            and x.shape[:batch] == indices.shape[:batch]
            and indices.element in INTEGERS)
    shape = x.shape[:axis] + indices.shape[batch:] + x.shape[axis + 1:]
    return [Blob(shape or (1,), x.element)]


def _draw_gather(b):
    x = b.pick(ANY)
    if x is None:
        return None
    shape = b.type(x).shape
    axis = b.rng.randrange(len(shape))
    batch = b.rng.randint(1, axis) if axis and b.chance(0.4) else 0
    extra = b.shape(rank=b.rng.choice([1, 1, 2]))
    indices = Blob(shape[:batch] + extra, b.rng.choice(INTEGERS))
    attributes = {"axis": axis}
    if batch:
        attributes["batch_dims"] = batch
    result, = _infer_gather([b.type(x), indices], attributes)
    if len(result.shape) > 5 or not b.fits(result.shape):
        return None
    return b.emit("gather", [x, b.index(indices, shape[axis])], **attributes)


moving("gather", _infer_gather, _draw_gather,
       lambda values, a, types: [
           of(values[0]) if types[0].is_float
           else hull(of(values[0]), (0, 0))], weight=1.5)


def _infer_scatter_add(types, attributes):
    updates, indices = types
    axis, batch = attributes["axis"], attributes.get("batch_dims", 0)
    count = len(indices.shape) - batch
    require(0 <= batch <= axis and count >= 0
            and updates.element != "i1" and indices.element in INTEGERS
            and updates.shape[:batch] == indices.shape[:batch]
            and updates.shape[axis:axis + count] == indices.shape[batch:])
    return [Blob(updates.shape[:axis] + (attributes["extent"],)
                 + updates.shape[axis + count:], updates.element)]


def _draw_scatter_add(b):
    x = b.pick(NUMBERS)
    if x is None:
        return None
    shape = b.type(x).shape
    axis = b.rng.randrange(len(shape))
    count = b.rng.randint(1, min(2, len(shape) - axis))
    batch = b.rng.randint(1, axis) if axis and b.chance(0.4) else 0
    indices = Blob(shape[:batch] + shape[axis:axis + count],
                   b.rng.choice(INTEGERS))
    attributes = {"axis": axis, "extent": b.extent()}
    if batch:
        attributes["batch_dims"] = batch
    result, = _infer_scatter_add([b.type(x), indices], attributes)
    if not b.fits(result.shape):
        return None
    return b.emit("scatter_add",
                  [x, b.index(indices, attributes["extent"])], **attributes)


def _scatter_ranges(values, attributes, types):
    n = values[1].type.count
    x = values[0]
    return [wrap(min(x.low * n, 0), max(x.high * n, 0), types[0].element)]


TABLE["scatter_add"] = Entry(_infer_scatter_add, _draw_scatter_add,
                             _scatter_ranges, keeps_exact=True)


def _infer_dropout(types, attributes):
    require(types[1] == Blob((1,), "i64"))
    return [types[0]]


def _draw_dropout(b):
    x = b.pick(FLOATS)
    if x is None:
        return None
    return b.emit("dropout", [x, b.step()],
                  rate=b.rng.choice([0.0, 0.25, 0.5, 0.9]),
                  seed=b.rng.randrange(10), id=b.number())


TABLE["dropout"] = Entry(
    _infer_dropout, _draw_dropout,
    lambda values, a, types: [hull((0, 0), tuple(
        end / (1 - a["rate"]) for end in of(values[0])))], "result")


def _infer_random_uniform(types, attributes):
    require(types == [Blob((1,), "i64")] * 2)
    return [attributes["to"]]


def _draw_random_uniform(b):
    to = Blob(b.shape(), b.rng.choice(FLOATS))
    seed = b.constant(Blob((1,), "i64"), [b.rng.randrange(100)])
    return b.emit("random_uniform", [seed, b.step()], id=b.number(), to=to)


TABLE["random_uniform"] = Entry(
    _infer_random_uniform, _draw_random_uniform,
    lambda values, a, types: [(0, 1)], "result", rounds=False)
