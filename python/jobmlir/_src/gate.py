"""A gate that many threads pass, until one closes it to be alone."""

import contextlib
import threading


class Gate:
    """A context manager: `with gate` is passed by any number of threads at once, and
    waits while the gate is closed, unless the thread is inside of it already."""

    def __init__(self):
        self._changed = threading.Condition()
        self._inside = 0
        self._is_closed = False
        # How often this thread is inside.
        self._thread = threading.local()

    def _depth(self):
        return getattr(self._thread, "depth", 0)

    def __enter__(self):
        if not self._depth():
            with self._changed:
                while self._is_closed:
                    self._changed.wait()
                self._inside += 1
        self._thread.depth = self._depth() + 1

    def __exit__(self, *_):
        self._thread.depth -= 1
        if not self._thread.depth:
            with self._changed:
                self._inside -= 1
                self._changed.notify_all()

    @contextlib.contextmanager
    def closed(self):
        """A context in which no other thread is inside of the gate, or closes it. Not
        for a thread that is inside."""
        closed = False
        try:
            with self._changed:
                while self._is_closed:
                    self._changed.wait()
                self._is_closed = closed = True
                while self._inside:
                    self._changed.wait()
            yield
        finally:
            # Not that of another thread, if a signal has ended the first wait.
            if closed:
                with self._changed:
                    self._is_closed = False
                    self._changed.notify_all()


class GatedRuntime:
    """The runtime's session for threads that start steps: they pass the gate, but wait
    outside of it, since a callback that holds a credit may wait at the gate."""

    def __init__(self, start, gate):
        # The function that gives the session of the runtime of the moment.
        self._start = start
        self._gate = gate

    def try_submit(self, entry, arrays, on_done):
        with self._gate:
            return self._start().try_submit(entry, arrays, on_done)

    def wait_for_credit(self):
        self._start().wait_for_credit()

    def submit(self, entry, arrays, on_done):
        while True:
            future = self.try_submit(entry, arrays, on_done)
            if future is not None:
                return future
            self.wait_for_credit()
