"""What blobs say of batches and devices: their batch axis, which is inferred from that
of arguments, and where they are."""

from __future__ import annotations

import math
import typing

from .blob import Blob

# ===- The batch axis -------------------------------------------------------===#


def _of_reshape(axis, before, after):
    """The dimension that begins where `axis` does: of the same extent if there is one,
    else one that it is merged into, or the first one that it is split into."""
    outer, own = math.prod(before[:axis]), before[axis]
    found = [dim for dim in range(len(after)) if math.prod(after[:dim]) == outer]
    for fits in (
        lambda extent: extent == own,
        lambda extent: extent > 1 and (extent % own == 0 or own % extent == 0),
    ):
        for dim in found:
            if fits(after[dim]):
                return dim
    return None


def _without(axis, dropped):
    """The place of an axis after some are dropped."""
    if axis in dropped:
        return None
    return axis - sum(dim < axis for dim in dropped)


def _of_matmul(attributes, number, axis, rank):
    if axis < rank - 2:
        return axis
    transposed = attributes["transpose_rhs" if number else "transpose_lhs"]
    # Rows of the left factor are rows of the result, columns of the right one columns.
    kept = rank - 2 if bool(number) == bool(transposed) else rank - 1
    if axis != kept:
        return None
    return rank - 1 if number else rank - 2


def _of_gather(attributes, operands, number, axis):
    place, batch = attributes["axis"], attributes["batch_dims"]
    if number:
        return axis if axis < batch else place + axis - batch
    if axis == place:
        return None
    return axis if axis < place else axis + len(operands[1].shape) - batch - 1


def infer(op, attributes, operands, shape):
    """The batch axis of the results of a dialect op, or None: that of the first operand
    with one, where it is in the result. `shape` is that of the first result."""
    for number, operand in enumerate(operands):
        axis = operand._batch_axis
        if axis is None:
            continue
        kind = op.removeprefix("job.")
        if kind == "transpose":
            return list(attributes["permutation"]).index(axis)
        if kind == "broadcast_in_dim":
            return attributes["dims"][axis]
        if kind == "reshape":
            return _of_reshape(axis, operand.shape, shape)
        if kind == "argmax":
            return _without(axis, [attributes["axis"]])
        if kind.startswith("reduce_"):
            place = _without(axis, attributes["axes"])
            return axis if place is not None and attributes.get("keepdims") else place
        if kind == "matmul":
            return _of_matmul(attributes, number, axis, len(operand.shape))
        if kind == "gather":
            return _of_gather(attributes, operands, number, axis)
        if len(shape) == len(operand.shape):
            return axis
        # Of the statistics of rows, for example.
        has = axis < len(shape) and shape[axis] == operand.shape[axis]
        return axis if has and kind != "batch_norm" else None
    return None


def _batch_axis(self: Blob) -> int | None:
    """The dimension of the elements of a batch, or None.

    It is 0 for an argument, unless its placeholder says another, and of results where
    that dimension is.
    """
    return self._batch_axis


Blob.batch_axis = property(_batch_axis)

# ===- Devices -------------------------------------------------------------===#


class ParallelConf(typing.NamedTuple):
    """Where a blob is: "cpu" or "gpu", and "machine:device" of each of its devices."""

    device_tag: str
    device_name: tuple


def _device(blob):
    trace = blob._trace
    scope = blob._scope or trace.config.get("default_placement_scope")
    return trace.module_trace.device_of(scope, trace.fail)


def _parallel_conf(self: Blob) -> ParallelConf:
    """The devices of the blob, of which there is one in this version."""
    device = _device(self)
    return ParallelConf(device.tag, (f"0:{device.index}",))


def _parallel_size(self: Blob) -> int:
    """The number of devices that have a part of the blob: 1 in this version."""
    return len(self.parallel_conf.device_name)


def _split_axis(self: Blob) -> int | None:
    """The axis that devices have parts along, or None: that of with_distribute."""
    return self.distribute.axis


Blob.parallel_conf = property(_parallel_conf)
Blob.parallel_size = property(_parallel_size)
Blob.split_axis = property(_split_axis)
