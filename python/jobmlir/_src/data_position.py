"""Where the readers of a job are in their data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import arguments, errors, frames
from .default_session import get_default_session


def seek(job: Callable[..., Any], batch: int) -> None:
    """The next call of a job gets the batch of a number from its readers.

    Batches depend on config.random_seed, on the names of the job and its ops, and on
    their numbers only. So a resumed run continues with the data that it would have had:

        flow.train.CheckPoint().load("model")
        flow.data.seek(train_job, flow.train.step_count(train_job))

    The records before are read, not decoded. After an error of a reader, this starts it
    again. Starts the session.

    Args:
        job: A result of global_function.
        batch: The number, counted from 0 over all epochs.

    Raises:
        ArgumentError: The job reads no data, or batch is no number.
    """

    def fail(message, cls=errors.ArgumentError):
        raise cls(errors.located(message, frames.user_frames()))

    definition = getattr(job, "__oneflow_job__", None)
    if definition is None:
        fail(
            f"expects a job to move the readers of but got {job!r}",
            errors.ArgumentTypeError,
        )
    if not arguments.is_int(batch) or not 0 <= batch < 2**63:
        fail(f"expects batch to be an int of at least 0 but got {batch!r}")
    session = get_default_session()
    session.require(definition)
    feed = session.feeds().get(definition.name)
    if feed is None:
        fail(f"expects a job with a reader but got {definition.name}")
    feed.seek(int(batch))
