"""Functions of Python that see blobs at every step: handlers of watch, and writers of
summaries. The blobs are results of the job behind those that the user returns, and
the functions run on the session's callback thread, in the order of the steps.
"""

import contextlib
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

    def __init__(self, job, future):
        self._job = job
        self._future = future
        self._lock = threading.Lock()
        self._outputs = None
        self._done = threading.Event()

    def outputs(self):
        """Copies of the results, made once: each has one reader."""
        with self._lock:
            if self._outputs is None:
                self._outputs = self._future.outputs()
            return self._outputs

    def wait(self):
        """Blocks until all observers have returned."""
        self._done.wait()

    def run(self, observers, callback_errors, status_error):
        """Calls the observers, unless the step has failed, which its caller
        reports. An exception of one is kept and does not stop the others."""
        try:
            try:
                self._future.wait()
                outputs = self.outputs()
            except status_error:
                return
            for observer in observers:
                values = [outputs[index] for index in observer.indices]
                callback_errors.guard(
                    lambda: observer.function(*values), self._job, observer.place
                )
        finally:
            self._done.set()


class Observed:
    """The observers of one job, and its calls whose observers have not run."""

    def __init__(self, job, observers):
        self._job = job
        self._observers = observers
        self._submitting = threading.RLock()
        self._lock = threading.Lock()
        self._submitted = 0
        self._delivered = 0
        # Deliveries that came before that of an earlier step, by number.
        self._early = {}

    def submit(self, session, arrays):
        """Starts a step; its future and Delivery."""
        runtime, callback_errors = session.start(), session.callback_errors
        if callback_errors.is_inside:
            # The thread that holds the lock may be waiting for this callback.
            number, future = self._submit_one(runtime, arrays)
        else:
            with self._submitting:
                number, future = self._submit_one(runtime, arrays)
        delivery = Delivery(self._job, future)
        status_error = session.runtime_module.StatusError

        def deliver(_):
            with contextlib.ExitStack() as stack:
                # In their order; each runs whatever another one raises.
                for ready in reversed(self._next(number, delivery)):
                    stack.callback(
                        ready.run, self._observers, callback_errors, status_error
                    )

        future.on_done(deliver)
        return future, delivery

    def _submit_one(self, runtime, arrays):
        future = runtime.submit(self._job, arrays)
        with self._lock:
            number = self._submitted
            self._submitted += 1
        return number, future

    def _next(self, number, delivery):
        """The deliveries that are next in the order of the steps. Two threads may
        start steps in one order and ask for their callbacks in the other."""
        with self._lock:
            self._early[number] = delivery
            ready = []
            while self._delivered in self._early:
                ready.append(self._early.pop(self._delivered))
                self._delivered += 1
            return ready


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
