"""Marking losses."""

from __future__ import annotations

from . import frames
from .blob import BlobDef
from .documentation import of_op
from .trace import OpScope, current


def mark(trace, loss, place):
    """Makes `loss` a loss of the training job `trace`."""
    op = OpScope(trace, "losses.add_loss", getattr(loss, "op_name", ""), place)
    blob = op.blob(loss, "the loss")
    if any(blob is other for other in trace.losses):
        op.fail("expects losses to be independent but got one twice")
    if trace.losses and blob.dtype != trace.losses[0].dtype:
        op.fail(
            f"expects all losses of a job to be of {trace.losses[0].dtype.canonical}, "
            f"as the first one is, but got {blob.dtype.canonical}"
        )
    op("loss", blob)
    trace.losses.append(blob)


@of_op
def add_loss(loss: BlobDef) -> None:
    """Marks a loss of a training job, whose mean the job minimizes.

    Several losses of one job have the same number of elements.

    Args:
        loss: (...), f16/bf16/f32/f64.
    """
    trace = current("losses.add_loss")
    if trace.kind != "train":
        trace.fail(
            "job has no TrainConf when adding loss logical blob name: expects a training "
            "job but got a predict job"
        )
    mark(trace, loss, frames.user_frames())
