"""Functions of Python that see blobs at every step: handlers of watch, and writers of
summaries. The blobs are results of the job behind those that the user returns, and
the functions run on the session's callback thread, in the order of the steps.
"""

import threading

from . import errors


class Observer:
    """One function and its blobs; `place` is the user's line that asked for it, by a
    call of the function `api`."""

    def __init__(self, function, blobs, op):
        self.function = function
        self.blobs = blobs
        self.api = op.api
        self.name = op.name
        self.place = op.frames
        # Where the values are among the results of the job.
        self.indices = ()


class Delivery:
    """The results of one call, which observers and the caller share."""

    def __init__(self, traced, callback_errors, status_error):
        self._job = traced.job.name
        self._observers = traced.observers
        self._callback_errors = callback_errors
        self._status_error = status_error
        self._lock = threading.Lock()
        self._outputs = None
        self._done = threading.Event()

    def outputs(self, future):
        """Copies of the results, made once: each has one reader."""
        with self._lock:
            if self._outputs is None:
                self._outputs = future.outputs()
            return self._outputs

    def wait(self):
        """Blocks until all observers have returned."""
        self._done.wait()

    def run(self, future):
        """Calls the observers, unless the step has failed, which its caller
        reports. An exception of one is kept and does not stop the others. The
        runtime calls it, in the order of the steps."""
        try:
            try:
                future.wait()
                outputs = self.outputs(future)
            except self._status_error:
                return
            for observer in self._observers:
                values = [outputs[index] for index in observer.indices]
                self._callback_errors.guard(
                    lambda: observer.function(*values), self._job, observer.place
                )
        finally:
            self._done.set()


def add(op, function, blobs):
    """Makes `function` an observer of blobs of a job that is being traced; it is
    called with an array for each of them."""
    op.trace.observers.append(Observer(function, list(blobs), op))


def add_results(trace, results, names):
    """Appends the blobs of all observers to the results of a job."""
    for observer in trace.observers:
        first = len(results)
        results.extend(observer.blobs)
        names.extend(f"observed_{blob.op_name}" for blob in observer.blobs)
        observer.indices = range(first, len(results))


def describe(observers):
    """What sees each of the results that observers have, by index."""
    out = {}
    for observer in observers:
        where = ""
        if observer.place:
            where = f" at {observer.place[0][0]}:{observer.place[0][1]}"
        out.update((index, f"{observer.api}{where}") for index in observer.indices)
    return out


def require_per_step(op, blob, what):
    """Rejects a blob of micro-steps."""
    if blob._micro_steps > 1:
        op.fail(
            f"expects {what} to be a per-step blob but got a per-micro-step blob "
            f"({blob._micro_steps} micro-steps), which pack joins and acc adds",
            errors.JobBuildAndInferError,
        )
