"""The session: from the jobs of a program to a running artifact.

Jobs are collected while the program defines them. The first call of a job, or
the first use of a checkpoint, traces and compiles all of them, loads the
artifact and initializes the variables; after that no job can be added until
the session is cleared.
"""

import contextlib
import functools
import threading
import time

from . import (
    annotations,
    calls,
    compiling,
    errors,
    event_files,
    frames,
    session_errors,
    smaller_arrays,
)
from .feeds import Feed
from .future import CallbackErrors, LazyFuture
from .gate import Gate, GatedRuntime
from .global_config import state as config
from .job import trace_job
from .last_arguments import LastArguments
from .runtime_errors import raise_status
from .runtime_module import import_runtime
from .trace import ModuleTrace, current_or_none

_OPEN = contextlib.nullcontext()


class Session:
    """Jobs, their artifact and its run. Calls may come from any thread."""

    def __init__(self):
        self._lock = threading.RLock()
        self._jobs = {}
        # The ModuleTrace of the jobs, created on first use.
        self._module = None
        self._traced = {}
        # The TracedJobs for smaller arrays, by the job's name and the shapes.
        self.entries = {}
        self.last_arguments = LastArguments()
        self._runtime = None
        self._artifact = None
        # How long the compiler took, or the cache.
        self._compile_seconds = 0
        # The Feed of each job with readers, by name.
        self._feeds = {}
        # The gate in front of the runtime if a job takes smaller arrays, or None:
        # then there is one runtime.
        self._gate = None
        # The number of profiler traces that the runtime records.
        self._recording = 0
        # Whether the variables still have their initial values.
        self._pristine = False
        self._is_forked = False
        self._is_cleared = False
        self.callback_errors = CallbackErrors()
        # What summary.* writes into.
        self.summaries = event_files.Summaries()
        self.runtime_module = None

    @property
    def is_running(self):
        return self._runtime is not None

    @property
    def is_recording(self):
        """Whether the runtime records a profiler trace."""
        return self._recording > 0

    @property
    def jobs(self):
        """All jobs, in the order of their definitions."""
        return list(self._jobs.values())

    @property
    def is_cleared(self):
        """Whether the session has been cleared, with all jobs and variables."""
        return self._is_cleared

    def add_job(self, job):
        """Registers a job; one of the same name is replaced."""
        with self._lock:
            outer = current_or_none()
            if self.is_running or outer is not None:
                where = "while the session is running"
                if outer is not None:
                    where = f"inside of job {outer.name}"
                raise errors.SessionStateError(
                    errors.located(
                        "no available function found: a job can be defined before the "
                        "session starts or after clear_default_session, but got job "
                        f"{job.name} {where}",
                        job.frames,
                        job.name,
                    )
                )
            self._jobs.pop(job.name, None)
            self._jobs[job.name] = job

    # ===- Starting --------------------------------------------------------===#

    def trace(self):
        """The ModuleTrace of all jobs, in order. The first call or report traces a
        job, once: reports show the module that runs. The caller holds the lock where
        other threads may use the session."""
        session_errors.refuse_in_job()
        if not self._jobs:
            raise errors.SessionStateError(
                errors.located(
                    "expects at least one job function before the session starts but "
                    "got none",
                    frames.user_frames(),
                )
            )
        if self.is_running:
            return self._module
        if self._module is None or not compiling.is_current(self._module, self._jobs):
            self._module = compiling.new_trace(self.summaries)
        compiling.trace_missing(self._module, self._jobs)
        return self._module

    def ask(self, question):
        """The result of `question` for the compiler's module of all jobs."""
        with self._lock:
            return compiling.ask(self.trace(), question)

    def check_process(self):
        """An error in a fork of the process that started the session."""
        if self._is_forked:
            session_errors.fail_forked()

    def start(self):
        """Traces, compiles, loads and initializes if needed; returns the runtime's
        session. Other threads wait while one thread does it."""
        runtime = self._runtime
        if runtime is not None:
            return runtime
        with self._lock:
            if self._runtime is not None:
                return self._runtime
            if self._is_cleared:
                session_errors.fail_cleared()
            self.check_process()
            self.runtime_module = import_runtime()
            trace = self.trace()
            artifact, runtime = self.load(trace)
            if any(job.takes_smaller_arrays for job in self._jobs.values()):
                self._gate = Gate()
            self._traced = trace.traced
            self.entries = {}
            self._feeds = {
                name: Feed(name, traced.sources, config.values["random_seed"])
                for name, traced in trace.traced.items()
                if traced.sources
            }
            self._pristine = True
            self.adopt(artifact, runtime)
            return runtime

    def load(self, trace, variables=None):
        """Compiles the module; the artifact and a session of the runtime for it, with
        initial values, but for `variables`, arrays by name."""
        _runtime = self.runtime_module
        try:
            begin = time.perf_counter()
            path = compiling.compile_module(trace)
            self._compile_seconds = time.perf_counter() - begin
            artifact = _runtime.Artifact.load(path)
            runtime = _runtime.Session(
                artifact,
                threads=config.values["compute_thread_pool_size"],
                cuda_library=config.values["cuda_library"],
            )
            for name, function in trace.host_functions.items():
                runtime.register_function(name, function)
            runtime.initialize(config.values["random_seed"])
            if variables:
                runtime.write_variables(variables)
        except _runtime.StatusError as error:
            raise_status(error, place=frames.user_frames())
        return artifact, runtime

    def adopt(self, artifact, runtime):
        """Runs an artifact in a session of the runtime, which `load` has made."""
        self._artifact, self._runtime = artifact, runtime

    # ===- Running ---------------------------------------------------------===#

    def require(self, job):
        """The TracedJob of a job of this session, started; else an error."""
        self._check_own(job)
        self.start()
        traced = self._traced.get(job.name)
        if traced is None or traced.job is not job:
            if self._is_cleared:
                session_errors.fail_cleared(job.name)
            session_errors.fail_foreign(job)
        return traced

    def _check_own(self, job):
        """Rejects a job of another session before this one starts, or fails to for
        want of a job. A call inside of a job function is another mistake."""
        if current_or_none() is None and self._jobs.get(job.name) is not job:
            session_errors.fail_foreign(job)

    def call(self, job, values):
        """One call of a job with the user's arguments."""
        traced = self.require(job)
        arrays = annotations.flatten_arguments(
            job.name, job.parameters, values, frames.user_frames
        )
        if job.takes_smaller_arrays:
            traced = smaller_arrays.entry_for(self, traced, arrays)
        self.last_arguments.keep(job, arrays)
        if traced.changes_variables:
            self._pristine = False
        waits = job.annotation is not None and not job.is_callback
        if waits and not (traced.observers or traced.sources or self._gate):
            return calls.call_and_wait(self, traced, arrays)
        call = calls.submit(self, traced, arrays)
        if waits:
            return call.wait()
        return LazyFuture(call).async_get if job.is_callback else LazyFuture(call)

    def feeds(self):
        """The Feeds of jobs with readers, by the job's name."""
        return self._feeds

    def submitter(self):
        """What starts steps: the runtime's session, started, behind the gate if there
        is one."""
        runtime = self.start()
        return runtime if self._gate is None else GatedRuntime(self.start, self._gate)

    def synchronize(self, runtime=None):
        """Blocks until all calls and their callbacks are done; raises an exception
        that one of them raised. With `runtime`, the calls of that session of the
        runtime."""
        self._raise_unseen(self._wait(runtime or self._runtime))

    def _wait(self, runtime):
        """Blocks until all calls and their callbacks are done; the StatusError of one
        that no get has raised, or None. A signal may end it with an exception."""
        if runtime is not None:
            try:
                runtime.synchronize()
            except self.runtime_module.StatusError as error:
                return error
        return None

    def _raise_unseen(self, error):
        if error is not None:
            raise_status(error, place=frames.user_frames())
        self.callback_errors.raise_first()

    # ===- The runtime's session -------------------------------------------===#

    @contextlib.contextmanager
    def _using_runtime(self):
        self.start()
        with self._gate or _OPEN:
            yield self.start()

    @contextlib.contextmanager
    def runtime(self, changes_variables):
        """A context with the runtime's session, started."""
        with self._using_runtime() as runtime:
            if changes_variables:
                self._pristine = False
            yield runtime

    @contextlib.contextmanager
    def using_runtime_alone(self):
        """A context in which no other thread starts a step or copies a variable, with
        the runtime's session. For a session whose jobs take smaller arrays."""
        # Callbacks wait at the gate; a wait for them behind it would never end.
        with self._gate.closed(), self._lock:
            if self._runtime is None:
                session_errors.fail_cleared()
            yield self._runtime

    @contextlib.contextmanager
    def recording(self):
        """A context with the runtime's session that stays until its end, even if this
        session is cleared in between."""
        with self._using_runtime() as runtime, self._lock:
            self._recording += 1
        try:
            yield runtime
        finally:
            with self._lock:
                self._recording -= 1

    # ===- Variables -------------------------------------------------------===#

    def initialize(self):
        """Sets all variables to their initial values."""
        self.start()
        if self._pristine:
            return
        try:
            with self._using_runtime() as runtime:
                runtime.initialize(config.values["random_seed"])
        except self.runtime_module.StatusError as error:
            raise_status(error, place=frames.user_frames())
        self._pristine = True

    def variables(self):
        """Descriptions of all variables, by name."""
        self.start()
        artifact = self._artifact
        if artifact is None:
            session_errors.fail_cleared()
        return {variable["name"]: variable for variable in artifact.variables}

    def own_variables(self):
        """The names of the variables that jobs have made, without those that the
        compiler adds for training."""
        self.start()
        module = self._module
        if module is None:
            session_errors.fail_cleared()
        # Dynamic loss scales are variables of the trace that the optimizer makes.
        made = "System-Train-"
        return {name for name in module.variables if not name.startswith(made)}

    # ===- Traced and compiled jobs ----------------------------------------===#

    def recorded(self, job, shapes=None):
        """The Recording of a job of this session, which need not be started, and
        (shape, dtype) of the variables by name. With `shapes`, the job is traced once
        more for arguments of these, for this recording only."""
        self._check_own(job)
        with self._lock:
            trace = self.trace()
            traced = trace.traced.get(job.name)
            if traced is None or traced.job is not job:
                session_errors.fail_foreign(job)
            if shapes is not None:
                trace = ModuleTrace(
                    trace.compiler, trace.seed, trace.devices, trace.summaries
                )
                with trace.transaction():
                    traced = trace_job(trace, job, shapes)
            variables = trace.variables.items()
            described = {name: (each.shape, each.dtype) for name, each in variables}
            return traced.recording, described

    def compiled(self, job):
        """What notebooks show of a job that is compiled; None of one that is not, or
        that is no job of this session. Compiles nothing."""
        from . import notebook

        with self._lock:
            traced = self._traced.get(job.name)
            if not self.is_running or traced is None or traced.job is not job:
                return None
            [entry] = [
                entry for entry in self._artifact.entries if entry["name"] == job.name
            ]
            return notebook.Compiled(
                entry,
                traced.recording,
                self._artifact.bank_bytes,
                self._artifact.constants_bytes,
                self._compile_seconds,
                functools.partial(self._draw, self._module.module, job.name),
            )

    def _draw(self, module, name):
        """A picture of a job and True; what Graphviz cannot draw is none."""
        from jobmlir import _compiler

        with self._lock:
            try:
                return module.draw_stage("job", name, False)
            except _compiler.DiagnosticError:
                return "", False

    def recordings(self):
        """The Recordings of all jobs, by name; the session need not be started."""
        with self._lock:
            traced = self.trace().traced
            return {name: traced[name].recording for name in self._jobs}

    # ===- The end ---------------------------------------------------------===#

    def forget_parent(self):
        """Drops the runtime in a forked child, which has none of its threads."""
        lock, self._lock = self._lock, threading.RLock()
        if lock.acquire(blocking=False):
            lock.release()
        else:
            # A thread that the child does not have may have been compiling: its
            # module can neither be used nor freed.
            self._module = None
        self._is_forked = self._runtime is not None
        self._runtime = None
        self._feeds = {}
        # Threads that the child does not have may hold their locks.
        self.summaries.forget_parent()
        self.callback_errors = CallbackErrors()

    def close(self, before_release=lambda: None):
        """Waits for the calls in flight and their callbacks, calls
        `before_release`, and releases the artifact permanently. In a callback, it
        does not wait; the remaining callbacks run afterwards. If a signal ends the
        wait, nothing is released."""
        waits = not self.callback_errors.is_inside
        # Without the lock: callbacks may use the session.
        error = self._wait(self._runtime) if waits else None
        before_release()
        with self._lock:
            self._is_cleared = True
            runtime, self._runtime = self._runtime, None
            module, self._module = self._module, None
            feeds, self._feeds = self._feeds, {}
            self._artifact = None
            self._traced = {}
            self.entries = {}
            self.last_arguments = LastArguments()
        for feed in feeds.values():
            feed.close()
        # Waits for what has come meanwhile.
        del runtime
        if waits:
            self.summaries.close()
        if module is not None:
            module.release()
        if waits:
            self._raise_unseen(error)
