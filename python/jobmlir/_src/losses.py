"""Marking losses."""

from . import frames
from .trace import OpScope, current


def mark(trace, loss, place):
    """Makes `loss` a loss of the training job `trace`."""
    op = OpScope(trace, "losses.add_loss", getattr(loss, "op_name", ""), place)
    blob = op.blob(loss, "the loss")
    op("loss", blob)
    trace.losses.append(blob)


def add_loss(loss):
    """The job makes the mean of this blob smaller. Several losses of one job
    have the same number of elements."""
    trace = current("losses.add_loss")
    if trace.kind != "train":
        trace.fail("expects a training job to add a loss to but got a predict job")
    mark(trace, loss, frames.user_frames())
