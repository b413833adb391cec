"""Filling the inputs of a job that the host computes, ahead of its steps."""

import collections
import os
import threading
import time

import numpy

from . import errors, frames
from .host_graph import ArgumentNode, Problem
from .random_bits import Draws

# Batches that wait for their steps.
_DEPTH = 3
# Threads that decode the examples of a batch.
_MOST_WORKERS = 4


class _Failed(Exception):
    """An error for the user: its class and text."""

    def __init__(self, cls, text):
        super().__init__(text)
        self.cls = cls
        self.text = text


class Batch:
    """The values of the host nodes of one step."""

    def __init__(self, index, seed, reader=None):
        self.index = index
        self.values = {}
        self._seed = seed
        self._reader = reader

    def state(self, node):
        """The state of a node that has one."""
        return self._reader.states[node]

    def draws(self, seed, node, *position):
        """Random numbers of this batch: of `seed`, or of the session's if None."""
        if seed is None:
            seed = self._seed
        return Draws(seed, node.stream()).at(self.index, *position)

    def map(self, function, items):
        """items.map, by several threads if the batch is ahead of its step."""
        return items.map(function, self._reader.map if self._reader else map)

    def value(self, node):
        """The value of a node, computed once."""
        if node not in self.values:
            inputs = [self.value(each) for each in node.inputs]
            try:
                self.values[node] = node.compute(self, *inputs)
            except Problem as problem:
                raise _Failed(
                    problem.cls,
                    errors.located(str(problem), node.frames, node.job, node.op_name),
                ) from None
        return self.values[node]


class Source:
    """An input of a job that the host computes."""

    def __init__(self, node, shape, dtype):
        self.node = node
        self.shape = shape
        self.dtype = dtype.numpy


def _all_nodes(nodes):
    """The nodes and what they depend on, each once and after what it depends on."""
    out = {}

    def visit(node):
        if node not in out:
            for each in node.inputs:
                visit(each)
            out[node] = None

    for node in nodes:
        visit(node)
    return list(out)


def _early(nodes):
    """Of the nodes and what they depend on, those that depend on no argument and are
    either one of them or used by one that does."""
    used = set(nodes)
    for node in _all_nodes(nodes):
        if node.is_late:
            used.update(node.inputs)
    return [n for n in _all_nodes(nodes) if n in used and not n.is_late]


def _with_state(nodes):
    return [node for node in _all_nodes(nodes) if node.open is not None]


def _arguments(nodes):
    """The ArgumentNodes that the nodes depend on."""
    return [n for n in _all_nodes(nodes) if isinstance(n, ArgumentNode)]


class _Reader:
    """A thread that computes the batches from `first` on and waits while _DEPTH of
    them are not yet taken."""

    def __init__(self, feed, first):
        self.states = {}
        self._feed = feed
        self._changed = feed.changed
        self._ready = collections.deque()
        self._error = None
        self._workers = None
        self._is_stopped = False
        self._thread = threading.Thread(
            target=self._run,
            args=(first,),
            name=f"reader of {feed.job}",
            daemon=True,  # at exit the session ends it
        )
        self._thread.start()

    def map(self, function, values):
        """The results, in order, computed by several threads."""
        count = min(_MOST_WORKERS, cores())
        if count < 2 or len(values) < 2:
            return map(function, values)
        if self._workers is None:
            from concurrent.futures import ThreadPoolExecutor  # takes long to import

            self._workers = ThreadPoolExecutor(count)
        try:
            return self._workers.map(function, values)
        except RuntimeError:  # the interpreter is ending, and its atexit functions run
            return map(function, values)

    def _compute(self, index):
        feed = self._feed
        batch = Batch(index, feed.seed, self)
        began = time.monotonic_ns()
        for node in feed.early:
            batch.value(node)
        # What only they needed is no longer.
        batch.values = {node: batch.values[node] for node in feed.early}
        feed.note("reader", f"batch {index}", began, index)
        return batch

    def _read(self, index):
        for node in _with_state(self._feed.early):
            self.states[node] = node.open(
                self._feed.seed, index, lambda: self._is_stopped
            )
        while not self._is_stopped:
            batch = self._compute(index)
            with self._changed:
                while len(self._ready) >= _DEPTH and not self._is_stopped:
                    self._changed.wait()
                self._ready.append(batch)
                self._changed.notify_all()
            index += 1

    def _run(self, first):
        try:
            self._read(first)
        except BaseException as error:  # for every call that needs a batch
            if not isinstance(error, _Failed):
                text = (
                    f"expects no exception in the reader of job {self._feed.job} but "
                )
                text += f"got {type(error).__name__}: {error}"
                error = _Failed(errors.JobRuntimeError, text)
            with self._changed:
                self._error = error
                self._changed.notify_all()
        finally:
            self.states.clear()  # closes files
            if self._workers is not None:
                self._workers.shutdown()

    def take_or_none(self):
        """The next batch, or None if it is not there yet. With the lock."""
        if self._ready:
            batch = self._ready.popleft()
            self._changed.notify_all()
            return batch
        if self._error is not None:
            raise self._error.cls(self._error.text)
        return None

    def stop(self):
        """Ends the thread. Without the lock."""
        with self._changed:
            self._is_stopped = True
            self._changed.notify_all()
        self._thread.join()


class Feed:
    """The sources of one job, in order. Calls may come from any thread."""

    def __init__(self, job, sources, seed):
        self.job = job
        self.seed = seed
        self.early = _early([source.node for source in sources])
        self.changed = threading.Condition()
        self._sources = sources
        self._arguments = _arguments([source.node for source in sources])
        self._reader = None
        self._is_closed = False
        self._next = 0
        # (track, name, begin, end, batch) of a trace, or None.
        self._rows = None

    def _check_open(self):
        if self._is_closed:
            raise errors.SessionStateError(
                errors.located(
                    "expects the present session but got one that "
                    "clear_default_session has cleared",
                    frames.user_frames(),
                    self.job,
                )
            )

    def _next_batch(self):
        began = time.monotonic_ns()
        with self.changed:
            batch = None
            while batch is None:
                self._check_open()
                if not self.early:
                    batch = Batch(self._next, self.seed)
                elif self._reader is None:
                    self._reader = _Reader(self, self._next)
                elif (batch := self._reader.take_or_none()) is None:
                    self.changed.wait()
            self._next = batch.index + 1
        if self.early:
            self.note("waits", f"wait for batch {batch.index}", began, batch.index)
        return batch

    def take(self, arguments):
        """The arrays of the next step, in order. `arguments` are those of the call.
        Blocks until the thread has them."""
        batch = self._next_batch()
        for node in self._arguments:
            batch.values[node] = arguments[node.index]
        try:
            return [
                numpy.ascontiguousarray(batch.value(source.node), source.dtype)
                for source in self._sources
            ]
        except _Failed as failed:
            raise failed.cls(failed.text) from None

    def _replace_reader(self, index=None):
        with self.changed:
            reader, self._reader = self._reader, None
            if index is not None:
                self._next = index
            self.changed.notify_all()
        if reader is not None:
            reader.stop()

    def seek(self, index):
        """The next batch is that of this number."""
        self._check_open()
        self._replace_reader(index)

    def close(self):
        """Ends the thread and waits for it; calls that wait for a batch fail."""
        self._is_closed = True
        self._replace_reader()

    # ===- Traces ----------------------------------------------------------===#

    def note(self, track, name, began, index):
        """Keeps a row that ends now, while there is a trace."""
        rows = self._rows
        if rows is not None:
            rows.append((track, name, began, time.monotonic_ns(), index))

    def start_trace(self, most):
        """Keeps the times of the last `most` batches."""
        self._rows = collections.deque(maxlen=2 * most)

    def finish_trace(self):
        """What was kept: (track, name, begin, end, batch), in nanoseconds of the
        monotonic clock."""
        rows, self._rows = self._rows, None
        return list(rows or ())


def cores():
    """The cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1
