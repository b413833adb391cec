"""Gradient accumulation: a step in n micro-steps.

A blob is per-step (inputs, variables, results of acc and pack) or per-micro-step
(results of unpack and repeat, and whatever depends on them). Where an op has both
kinds of operands, the per-step ones are broadcast to the micro-steps automatically
(trace.JobTrace.emit). A blob that depends on constants only may be used as either.

A training step on 100 images that needs the memory of one on 25:

    @flow.global_function(type="train")
    def train_job(
        images: tp.Numpy.Placeholder((100, 784)),
        labels: tp.Numpy.Placeholder((100,), dtype=flow.int32),
    ) -> tp.Numpy:
        part = flow.unpack(images, 4)
        logits = flow.layers.dense(part, 10, name="logits")
        loss = flow.nn.sparse_softmax_cross_entropy_with_logits(
            flow.unpack(labels, 4), logits
        )
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
        flow.optimizer.SGD(rate).minimize(loss)
        return flow.pack(loss, 4)
"""

from __future__ import annotations

from . import arguments
from .blob import Blob, BlobDef
from .documentation import of_op
from .math_ops import splat
from .trace import begin

# The limit of the compiler.
_MAX_COUNT = 65536


def _count(op, value, what):
    """Checks a number of micro-steps, which is the same in the whole job."""
    if not arguments.is_int(value) or not 1 <= value <= _MAX_COUNT:
        op.fail(f"expects {what} to be an int from 1 to {_MAX_COUNT} but got {value!r}")
    known = op.trace.micro_steps
    if value > 1 and known not in (None, value):
        op.fail(
            f"expects {what} to be {known}, the number of micro-steps of this job, "
            f"but got {value}"
        )
    return int(value)


def _enter(op, kind, blob, value, what):
    blob = op.blob(blob, "input")
    count = _count(op, value, what)
    if blob._micro_steps > 1:
        op.fail(
            "expects a per-step blob but got a per-micro-step blob "
            f"({blob._micro_steps} micro-steps)"
        )
    if count == 1:
        return blob
    result = op(kind, blob, count=count)
    op.trace.micro_steps = count
    return result


def _leave(op, kind, blob, value, what):
    blob = op.blob(blob, "input")
    count = _count(op, value, what)
    if blob._micro_steps == 1 and count > 1:
        op.fail(
            f"expects a per-micro-step blob ({count} micro-steps) but got a per-step "
            "blob"
        )
    if blob._micro_steps > 1 and count == 1:
        op.fail(
            f"expects {what} to be {blob._micro_steps}, the number of micro-steps of "
            "this job, but got 1"
        )
    return blob if count == 1 else op(kind, blob, count=count)


@of_op
def unpack(input: BlobDef, unpack_num: int, name: str | None = None) -> Blob:
    """The first dimension in parts, one for each micro-step.

    Args:
        input: (N, ...), any element type, a per-step blob.
        unpack_num: The number of micro-steps, which divides N.

    Returns:
        (N / unpack_num, ...), a per-micro-step blob of the element type of input.
    """
    op = begin("unpack", name, "Unpack")
    return _enter(op, "unpack", input, unpack_num, "unpack_num")


@of_op
def repeat(input: BlobDef, repeat_num: int, name: str | None = None) -> Blob:
    """A per-step blob in each micro-step.

    Rarely needed: an op with a per-micro-step operand broadcasts its per-step operands
    by itself.

    Args:
        input: (...), any element type, a per-step blob.
        repeat_num: The number of micro-steps.

    Returns:
        A per-micro-step blob of the shape and element type of input.
    """
    op = begin("repeat", name, "Repeat")
    return _enter(op, "broadcast_micro_steps", input, repeat_num, "repeat_num")


@of_op
def acc(one: BlobDef, max_acc_num: int, name: str | None = None) -> Blob:
    """The sum of a blob over the micro-steps.

    Args:
        one: (...), any element type, a per-micro-step blob.
        max_acc_num: The number of micro-steps.

    Returns:
        A per-step blob of the shape and element type of one.
    """
    op = begin("acc", name, "Acc")
    return _leave(op, "acc", one, max_acc_num, "max_acc_num")


@of_op
def pack(input: BlobDef, pack_num: int, name: str | None = None) -> Blob:
    """The parts of all micro-steps one after another.

    Args:
        input: (N, ...), any element type, a per-micro-step blob.
        pack_num: The number of micro-steps.

    Returns:
        (N * pack_num, ...), a per-step blob of the element type of input.
    """
    op = begin("pack", name, "Pack")
    return _leave(op, "pack", input, pack_num, "pack_num")


def mean(op, blob):
    """The mean of a blob of floats over the micro-steps, as part of the call `op`;
    the blob itself when it is not per-micro-step."""
    count = blob._micro_steps
    if count <= 1:
        return blob
    total = op("acc", blob, count=count)
    return op("mul", total, splat(op, 1 / count, total.shape, total.dtype))


def random_step(op, like):
    """The counter that seeds random numbers for the blob `like`, as part of the call
    `op`: a different number in each micro-step of each step."""
    step = op("step")
    count = like._micro_steps
    if count <= 1:
        return step
    numbers = ", ".join(map(str, range(count)))
    index = op("constant", value=op.text(f"dense<[{numbers}]> : tensor<{count}xi64>"))
    index = op("unpack", index, count=count)
    first = op("mul", step, splat(op, count, step.shape, step.dtype))
    return op("add", first, index)
