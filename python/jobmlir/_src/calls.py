"""Calls of jobs: the steps that they start, and the wait for their results."""

from . import frames
from .observers import Delivery
from .runtime_errors import COPY_ERRORS, raise_status
from .session_errors import fail_cleared


class Call:
    """One call in flight."""

    def __init__(self, session, traced, future, place, delivery=None):
        self._session = session
        self._traced = traced
        self._future = future
        self._place = place
        # What the job's observers see, if it has any.
        self._delivery = delivery
        self.job_name = traced.job.name

    def _result(self, place):
        try:
            if self._delivery is not None:
                outputs = self._delivery.outputs(self._future)
            else:
                outputs = self._future.outputs()
        except self._session.runtime_module.StatusError as error:
            raise_status(error, self.job_name, place, COPY_ERRORS)
        return self._traced.convert(outputs)

    def wait(self):
        """Blocks until the step is done; its results."""
        self._session.check_process()
        place = self._place or frames.user_frames()
        try:
            self._future.wait()
        except self._session.runtime_module.StatusError as error:
            raise_status(error, self.job_name, place)
        # A callback would wait for its own thread.
        if self._delivery and not self._session.callback_errors.is_inside:
            self._delivery.wait()
        self._session.callback_errors.raise_first()
        return self._result(place)

    def on_done(self, callback):
        """Calls `callback` with the results; an exception of the callback or the
        step is raised by the session's next get or sync."""

        self._session.check_process()

        def finish():
            try:
                self._future.wait()
            except self._session.runtime_module.StatusError as error:
                raise_status(error, self.job_name, self._place)
            callback(self._result(self._place))

        def deliver(_):
            self._session.callback_errors.guard(finish, self.job_name, self._place)

        self._future.on_done(deliver)


def submit(session, traced, arrays):
    """Starts a step; its Call."""
    name, place = traced.job.name, frames.user_frames()
    delivery = on_done = None
    if traced.observers:
        status_error = session.runtime_module.StatusError
        delivery = Delivery(traced, session.callback_errors, status_error)
        on_done = delivery.run
    # Without the feed of a job with readers the session is being cleared.
    feed = session.feeds().get(name)
    try:
        runtime = session.submitter()
        if traced.sources and feed is not None:
            future = feed.submit(runtime, arrays, on_done)
        elif traced.sources:
            fail_cleared()
        else:
            future = runtime.submit(traced.entry, arrays, on_done)
    except session.runtime_module.StatusError as error:
        raise_status(error, name, place)
    return Call(session, traced, future, place, delivery)


def call_and_wait(session, traced, arrays):
    """The results of a step of a job that has neither observers nor readers."""
    job = traced.job
    try:
        outputs = session.start().call(job.name, arrays)
    except session.runtime_module.StatusError as error:
        raise_status(error, job.name, frames.user_frames(), COPY_ERRORS)
    session.callback_errors.raise_first()
    return traced.convert(outputs)
