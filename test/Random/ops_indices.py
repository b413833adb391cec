"""Entries of the table: sorts, places of elements, groups of indices, and the
steps of these ops by themselves."""

import math

from entries import (ANY, NUMBERS, TABLE, Entry, hull, of, require, wrap)
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


def _infer_slice_to_dynamic(types, attributes):
    require(attributes["dim"] < len(types[0].shape)
            and attributes["count"] <= types[0].shape[attributes["dim"]])
    return [types[0]]


def _draw_slice_to_dynamic(b):
    # Floats have no gradient here.
    x = b.pick(INTEGERS + ("i1",))
    if x is None:
        return None
    shape = b.type(x).shape
    dim = b.rng.randrange(len(shape))
    return b.emit("slice_to_dynamic", [x], dim=dim,
                  count=b.rng.randint(0, shape[dim]),
                  value=b.rng.choice([0, 1]))


TABLE["slice_to_dynamic"] = Entry(
    _infer_slice_to_dynamic, _draw_slice_to_dynamic,
    lambda values, a, types: [hull(of(values[0]), (0, 1))],
    rounds=False, jumps=True, simpler={"value": 0, "count": 0})

# ---------------------------------------------------------------------------
# Tables of ids
# ---------------------------------------------------------------------------


def _inserted(ids):
    return Blob((1 << (2 * ids.count - 1).bit_length(), 3), "i64")


def _infer_find_new_ids(types, attributes):
    table, ids = types
    require(len(table.shape) == 2 and table.shape[1] == 2
            and table.element == ids.element)
    return [_inserted(ids)]


def _infer_ordinals(operand):
    def infer(types, attributes):
        table, size, ids, inserted = types
        require(len(table.shape) == 2 and table.shape[1] == 2
                and table.element == ids.element
                and size == Blob((1,), table.element)
                and inserted == _inserted(ids))
        return [types[operand]]
    return infer


def _draw_ids(b):
    ids = b.pick(("i32", "i64"))
    if ids is None:
        return None
    # Any numbers are a table.
    table = b.constant(Blob((b.rng.randint(1, 20), 2), b.type(ids).element))
    return table, ids


def _draw_find_new_ids(b):
    found = _draw_ids(b)
    return None if found is None else b.emit("find_new_ids", list(found))


def _draw_ordinals(name):
    def draw(b):
        found = _draw_ids(b)
        if found is None:
            return None
        table, ids = found
        inserted = b.emit("find_new_ids", [table, ids])
        size = b.constant(Blob((1,), b.type(ids).element))
        return b.emit(name, [table, size, ids, inserted])
    return draw


TABLE["find_new_ids"] = Entry(
    _infer_find_new_ids, _draw_find_new_ids,
    lambda values, a, types: [
        (0, max(values[0].type.shape[0], values[1].type.count))],
    rounds=False, jumps=True, weight=0.3)
for _name, _operand in (("lookup_ordinals", 2), ("insert_ordinals", 0)):
    TABLE[_name] = Entry(
        _infer_ordinals(_operand), _draw_ordinals(_name),
        lambda values, a, types: [wrap(*hull(
            (0, 0), of(values[0]), of(values[2]),
            (values[1].low + values[3].low, values[1].high + values[3].high)),
            types[0].element)],
        rounds=False, jumps=True, weight=0.3)
