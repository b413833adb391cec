"""A gate that many threads pass, until one closes it to be alone."""

import contextlib
import threading


class Gate:
    """A context manager: `with gate` is passed by any number of threads at once, and
    waits while the gate is closed. Not reentrant."""

    def __init__(self):
        self._changed = threading.Condition()
        self._inside = 0
        self._is_closed = False

    def __enter__(self):
        with self._changed:
            while self._is_closed:
                self._changed.wait()
            self._inside += 1

    def __exit__(self, *_):
        with self._changed:
            self._inside -= 1
            self._changed.notify_all()

    @contextlib.contextmanager
    def closed(self):
        """A context in which no other thread is inside of the gate, or closes it."""
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
