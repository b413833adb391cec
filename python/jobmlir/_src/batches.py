"""Batches in a reproducible order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy

from . import arguments, errors
from .arguments import is_int
from .hints import Array

_fail = errors.failing(errors.ArgumentError)


def _permutation(seed, epoch, count):
    # Sort by random keys: Philox's bits are the same in every numpy, which
    # numpy does not promise of its shuffles. Equal keys keep their order.
    keys = numpy.random.Philox(key=[seed, epoch]).random_raw(count)
    return numpy.argsort(keys, kind="stable")


class Batches:
    """Arrays split into batches along their first axis, reshuffled each epoch.

    A batch depends on the seed and the number of the step only, so there is no state to
    save: a resumed run requests the remaining steps.

        batches = flow.data.Batches(images, labels, batch_size=100, seed=1)
        for step in range(flow.train.step_count(train_job), 6000):
            train_job(*batches.at(step))

    Examples that do not fill the last batch are left out of an epoch; these differ from
    epoch to epoch. Thread-safe.

    Args:
        arrays: (N, ...), arrays of one length.
        batch_size: The number of examples of a batch.
        seed: An int from 0 to 2^64 - 1.
        shuffle: Whether the examples have a random order in each epoch.

    Raises:
        ArgumentError: An argument does not fit.
    """

    def __init__(
        self, *arrays: Any, batch_size: int, seed: int = 1, shuffle: bool = True
    ) -> None:
        arrays = [
            arguments.array(_fail, array, "an array of examples") for array in arrays
        ]
        if not arrays:
            _fail("expects at least one array but got none")
        for array in arrays:
            if array.ndim == 0:
                _fail("expects arrays of at least one dimension but got a number")
        counts = [len(array) for array in arrays]
        if len(set(counts)) != 1:
            _fail(f"expects arrays of one length but got {counts}")
        if not is_int(batch_size) or not 1 <= batch_size <= counts[0]:
            _fail(
                f"expects batch_size to be an int from 1 to {counts[0]} but got "
                f"{batch_size!r}"
            )
        if not is_int(seed) or not 0 <= seed < 2**64:
            _fail(f"expects seed to be an int from 0 to 2^64 - 1 but got {seed!r}")
        arguments.bools(_fail, shuffle=shuffle)
        self._arrays = arrays
        self._count = counts[0]
        self._seed = int(seed)
        self._shuffle = shuffle
        self._latest = (None, None)
        self.batch_size = int(batch_size)
        self.per_epoch = self._count // self.batch_size

    def order(self, epoch: int) -> Array:
        """The indices of the examples of an epoch, in order.

        Args:
            epoch: The number of the epoch, counted from 0.

        Returns:
            (N,), int64.

        Raises:
            ArgumentError: epoch is negative.
        """
        if not is_int(epoch) or epoch < 0:
            _fail(f"expects an epoch of at least 0 but got {epoch!r}")
        if not self._shuffle:
            return numpy.arange(self._count)
        known, order = self._latest
        if known != epoch:
            order = _permutation(self._seed, int(epoch), self._count)
            self._latest = (epoch, order)
        return order.copy()

    def at(self, step: int) -> tuple[Array, ...]:
        """The batch of a step.

        Args:
            step: The number of the step, counted from 0 over all epochs.

        Returns:
            A new array for each array.

        Raises:
            ArgumentError: step is negative.
        """
        if not is_int(step) or step < 0:
            _fail(f"expects a step of at least 0 but got {step!r}")
        epoch, batch = divmod(int(step), self.per_epoch)
        begin = batch * self.batch_size
        chosen = self.order(epoch)[begin : begin + self.batch_size]
        return tuple(array[chosen] for array in self._arrays)

    def epoch(self, number: int) -> Iterator[tuple[Array, ...]]:
        """The batches of one epoch.

        Args:
            number: The number of the epoch, counted from 0.

        Returns:
            An iterator.

        Raises:
            ArgumentError: number is negative.
        """
        self.order(number)  # complains here, not at the first batch
        first = int(number) * self.per_epoch
        return (self.at(first + batch) for batch in range(self.per_epoch))
