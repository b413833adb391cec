"""Entries of the table: sorts, places of elements, groups of indices, and the
steps of these ops by themselves."""

import math

from entries import (ANY, NUMBERS, TABLE, Entry, require, wrap)
from jobs import INTEGERS, Blob

# ---------------------------------------------------------------------------
# Sorts
# ---------------------------------------------------------------------------


def _infer_order(types, attributes):
    return [types[0].of("i32")]


def _order_range(values, attributes, types):
    return [(0, values[0].type.shape[-1] - 1)]


def _draw_argsort(b):
    x = b.pick(NUMBERS)
    return None if x is None else \
        b.emit("argsort", [x],
               **({"descending": True} if b.chance(0.5) else {}))


TABLE["argsort"] = Entry(_infer_order, _draw_argsort, _order_range,
                         rounds=False, jumps=True)


def _draw_merge_runs(b):
    x = b.pick(NUMBERS)
    return None if x is None else \
        b.emit("merge_runs", [x], merges=b.rng.choice([1, 1, 2, 3]),
               **({"descending": True} if b.chance(0.5) else {}))


TABLE["merge_runs"] = Entry(_infer_order, _draw_merge_runs, _order_range,
                            rounds=False, jumps=True, simpler={"merges": 1})

# ---------------------------------------------------------------------------
# The places of elements, in bounded blobs
# ---------------------------------------------------------------------------


def _argwhere_types(type, dtype):
    return [Blob((type.count, len(type.shape)), dtype, bounded=True),
            Blob((1,), "i64")]


def _infer_argwhere(types, attributes):
    return _argwhere_types(types[0], attributes["dtype"])


def _argwhere_ranges(values, attributes, types):
    x = values[0].type
    return [(0, max(x.shape) - 1), (0, x.count)]


def _padded(b, bounded):
    """The blob with its static shape, of most; of others the count."""
    count = bounded + 1
    if b.chance(0.15):
        return count
    return b.emit("pad_to_static", [bounded, count],
                  value=b.rng.choice([-1, 0, 5]))


def _draw_argwhere(b):
    x = b.pick(ANY)
    if x is None:
        return None
    found = b.emit("argwhere", [x], dtype=b.rng.choice(["i32", "i64"]))
    return None if found is None else _padded(b, found)


TABLE["argwhere"] = Entry(_infer_argwhere, _draw_argwhere, _argwhere_ranges,
                          "first", rounds=False, jumps=True)


def _infer_count_nonzero(types, attributes):
    return [Blob((math.ceil(types[0].count / attributes["block_size"]),),
                 "i64")]


def _block_size(b, x):
    count = b.type(x).count
    return b.rng.choice([1, 2, 7, 64, max(1, count // 2), count + 1])


def _draw_count_nonzero(b):
    x = b.pick(ANY)
    return None if x is None else \
        b.emit("count_nonzero", [x], block_size=_block_size(b, x))


TABLE["count_nonzero"] = Entry(
    _infer_count_nonzero, _draw_count_nonzero,
    lambda values, a, types: [(0, min(a["block_size"],
                                      values[0].type.count))],
    rounds=False, jumps=True)


def _infer_argwhere_blocks(types, attributes):
    require(types[1:] == _infer_count_nonzero(types, attributes))
    return _infer_argwhere(types, attributes)


def _draw_argwhere_blocks(b):
    x = b.pick(ANY)
    if x is None:
        return None
    size = _block_size(b, x)
    counts, = _infer_count_nonzero([b.type(x)], {"block_size": size})
    # Any others give fewer elements, or rows of zeros.
    counts = b.emit("count_nonzero", [x], block_size=size) \
        if b.chance(0.7) else b.operand(counts)
    if counts is None:
        return None
    found = b.emit("argwhere_blocks", [x, counts], block_size=size,
                   dtype=b.rng.choice(["i32", "i64"]))
    return None if found is None else _padded(b, found)


TABLE["argwhere_blocks"] = Entry(
    _infer_argwhere_blocks, _draw_argwhere_blocks, _argwhere_ranges,
    rounds=False, jumps=True)


def _infer_pad_to_static(types, attributes):
    bounded, count = types
    require(bounded.bounded and count == Blob((1,), "i64"))
    return [Blob(bounded.shape, bounded.element)]


# Drawn behind each of those that give bounded blobs.
TABLE["pad_to_static"] = Entry(
    _infer_pad_to_static, lambda b: None,
    lambda values, a, types: [(min(0, values[0].low, a["value"]),
                               max(values[0].high, a["value"]))],
    "first", rounds=False, jumps=True, weight=0, simpler={"value": 0})

# ---------------------------------------------------------------------------
# Groups of indices
# ---------------------------------------------------------------------------


def _infer_group_indices(types, attributes):
    *rows, count = types[0].shape
    require(types[0].element in INTEGERS)
    return [Blob((*rows, count + attributes["extent"]), "i32")]


def _group(b, indices, extent):
    if not b.fits((*indices.shape[:-1], indices.shape[-1] + extent)):
        return None
    return b.emit("group_indices", [b.index(indices, extent)], extent=extent)


def _draw_group_indices(b):
    return _group(b, Blob(b.shape(), b.rng.choice(INTEGERS)), b.extent())


TABLE["group_indices"] = Entry(
    _infer_group_indices, _draw_group_indices,
    lambda values, a, types: [(-1, values[0].type.shape[-1])], rounds=False,
    jumps=True)


def _infer_sum_groups(types, attributes):
    updates, groups = types
    axis, batch = attributes["axis"], len(groups.shape) - 1
    require(batch <= axis < len(updates.shape) and updates.element != "i1"
            and groups.element in ("i32", "i64")
            and updates.shape[:batch] == groups.shape[:-1])
    extent = groups.shape[-1] - updates.shape[axis]
    require(extent > 0)
    return [Blob(updates.shape[:axis] + (extent,) + updates.shape[axis + 1:],
                 updates.element)]


def _draw_sum_groups(b):
    x = b.pick(NUMBERS)
    if x is None:
        return None
    shape = b.type(x).shape
    axis = b.rng.randrange(len(shape))
    batch = b.rng.randint(1, axis) if axis and b.chance(0.4) else 0
    extent = b.extent()
    if not b.fits(shape[:axis] + (extent,) + shape[axis + 1:]):
        return None
    indices = Blob(shape[:batch] + shape[axis:axis + 1],
                   b.rng.choice(INTEGERS))
    groups = _group(b, indices, extent)
    return None if groups is None else \
        b.emit("sum_groups", [x, groups], axis=axis)


def _sum_ranges(values, attributes, types):
    x = values[0]
    n = x.type.shape[attributes["axis"]]
    return [wrap(min(x.low * n, 0), max(x.high * n, 0), types[0].element)]


TABLE["sum_groups"] = Entry(_infer_sum_groups, _draw_sum_groups, _sum_ranges,
                            keeps_exact=True, differentiable=False)
