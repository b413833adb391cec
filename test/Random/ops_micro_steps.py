"""Table entries of the ops that enter and leave micro-steps."""

from entries import ANY, NUMBERS, TABLE, Entry, of, require, wrap
from jobs import Blob


def entry(name, elements, infer, ranges, **more):
    """An entry op takes a per-step value that does not depend on micro-steps; an
    exit op takes a per-micro-step value."""
    place = "before" if name == "broadcast_micro_steps" else "inside"

    def draw(b):
        if not b.micro_steps:
            return None
        b.place = place
        x = b.pick(elements)
        if x is not None and place == "inside" and b.is_per_step(x):
            x = b.broadcast_micro_steps(x)
        attributes = {"count": b.micro_steps}
        if x is None or not b.fits(infer([b.type(x)], attributes)[0].shape):
            return None
        return b.emit(name, [x], **attributes)
    TABLE[name] = Entry(infer, draw, ranges, keeps_exact=True,
                        **{"rounds": False, "weight": 2, **more})


def _same(types, attributes):
    return [types[0]]


def _infer_unpack(types, attributes):
    rows, *rest = types[0].shape
    require(rows % attributes["count"] == 0)
    return [Blob((rows // attributes["count"], *rest), types[0].element)]


def _draw_unpack(b):
    """Of a value with enough rows; makes one if there is none."""
    if not b.micro_steps:
        return None
    b.place = "before"
    x = b.pick(ANY, accept=lambda number:
               b.type(number).shape[0] % b.micro_steps == 0)
    if x is None or b.type(x).shape[0] % b.micro_steps:
        return b.part(Blob(b.shape(), b.main))
    return b.emit("unpack", [x], count=b.micro_steps)


def _infer_pack(types, attributes):
    rows, *rest = types[0].shape
    return [Blob((rows * attributes["count"], *rest), types[0].element)]


def _same_range(values, attributes, types):
    return [of(values[0])]


def _sum_range(values, attributes, types):
    return [wrap(values[0].low * attributes["count"],
                 values[0].high * attributes["count"], types[0].element)]


TABLE["unpack"] = Entry(_infer_unpack, _draw_unpack, _same_range,
                        rounds=False, keeps_exact=True, weight=2)
entry("broadcast_micro_steps", ANY, _same, _same_range)
entry("acc", NUMBERS, _same, _sum_range, rounds=True)
entry("pack", ANY, _infer_pack, _same_range)
