"""Filling the inputs of a job that the host computes, ahead of its steps."""

import collections
import os
import threading
import time

import numpy

from . import errors
from .host_graph import ArgumentNode, Problem
from .random_bits import Draws
from .session_errors import fail_cleared

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

    def __init__(self, index, seed, reader=None, values=()):
        self.index = index
        self.reader = reader
        self.values = dict(values)
        self._seed = seed

    def with_arguments(self, values):
        """A copy with the values of more nodes."""
        return Batch(self.index, self._seed, self.reader, {**self.values, **values})

    def state(self, node):
        """The state of a node that has one."""
        return self.reader.states[node]

    def draws(self, seed, node, *position):
        """Random numbers of this batch: of `seed`, or of the session's if None."""
        if seed is None:
            seed = self._seed
        return Draws(seed, node.stream()).at(self.index, *position)

    def map(self, function, items):
        """items.map, by several threads if the batch is ahead of its step."""
        return items.map(function, self.reader.map if self.reader else map)

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
        # Calls compute late nodes while the thread computes batches.
        self._making_workers = threading.Lock()
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
        try:
            return self._require_workers(count).map(function, values)
        except RuntimeError:  # the interpreter, or the thread, is ending
            return map(function, values)

    def _require_workers(self, count):
        with self._making_workers:
            if self._workers is None:
                # Takes long to import.
                from concurrent.futures import ThreadPoolExecutor

                self._workers = ThreadPoolExecutor(count)
                if self._is_stopped:
                    self._workers.shutdown()
            return self._workers

    def _compute(self, index):
        feed = self._feed
        batch = Batch(index, feed.seed, self)
        began = time.monotonic_ns()
        for node in feed.early:
            batch.value(node)
        # What only they needed is no longer.
        batch.values = {node: batch.values[node] for node in feed.early}
        feed.note("reader", f"batch {index}", began, time.monotonic_ns(), index)
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
            with self._making_workers:
                workers = self._workers
            if workers is not None:
                workers.shutdown()

    def first_or_none(self):
        """The next batch, which stays, or None if it is not there yet. With the
        lock."""
        if self._ready:
            return self._ready[0]
        if self._error is not None:
            raise self._error.cls(self._error.text)
        return None

    def drop_first(self):
        """Makes room for another batch. With the lock."""
        self._ready.popleft()
        self._changed.notify_all()

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
        # Held while a call takes the next batch and starts its step, so that the
        # steps run in the order of the batches. No thread that holds it waits for a
        # step.
        self._turn = threading.Lock()
        self._sources = sources
        self._arguments = _arguments([source.node for source in sources])
        self._reader = None
        self._is_closed = False
        self._next = 0
        # (track, name, begin, end, batch) of a trace, or None.
        self._rows = None

    def _check_open(self):
        if self._is_closed:
            fail_cleared(self.job)

    def _wait_for_batch(self):
        """The next batch, which is not taken yet. Blocks until the thread has it."""
        with self.changed:
            batch = None
            while batch is None:
                self._check_open()
                if not self.early:
                    batch = Batch(self._next, self.seed)
                elif self._reader is None:
                    self._reader = _Reader(self, self._next)
                elif (batch := self._reader.first_or_none()) is None:
                    self.changed.wait()
            return batch

    def _take(self, batch):
        """Makes the batch after this one the next, unless seek has chosen another."""
        with self.changed:
            if batch.reader is not self._reader or batch.index != self._next:
                return
            self._next = batch.index + 1
            if self._reader is not None:
                self._reader.drop_first()

    def _arrays(self, batch, arguments):
        batch = batch.with_arguments(
            {node: arguments[node.index] for node in self._arguments}
        )
        try:
            return [
                numpy.ascontiguousarray(batch.value(source.node), source.dtype)
                for source in self._sources
            ]
        except _Failed as failed:
            raise failed.cls(failed.text) from None

    def submit(self, runtime, arguments, on_done=None):
        """Starts the step of the next batch with the call's arguments; its future.
        Blocks until the thread has the batch and the runtime a credit. A batch
        whose step did not start stays the next one."""
        while True:
            with self._turn:
                began = time.monotonic_ns()
                batch = self._wait_for_batch()
                ended = time.monotonic_ns()
                arrays = arguments + self._arrays(batch, arguments)
                future = runtime.try_submit(self.job, arrays, on_done)
                if future is not None:
                    self._take(batch)
                    if self.early:
                        row = f"wait for batch {batch.index}"
                        self.note("waits", row, began, ended, batch.index)
                    return future
            # A callback that holds the credit may be waiting for its turn here.
            runtime.wait_for_credit()

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

    def note(self, track, name, began, ended, index):
        """Keeps a row, while there is a trace."""
        rows = self._rows
        if rows is not None:
            rows.append((track, name, began, ended, index))

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
