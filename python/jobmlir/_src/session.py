"""The session: from the jobs of a program to a running artifact.

Jobs are collected while the program defines them. The first call of a job, or
the first use of a checkpoint, traces and compiles all of them, loads the
artifact and initializes the variables; after that no job can be added until
the session is cleared.

A job of the mirrored view takes arrays that are smaller than its placeholders.
The first call with arrays of new shapes traces it for them as one more entry,
compiles all entries again and moves the variables into the new artifact's
session of the runtime. Who uses that session passes a gate that is closed
meanwhile.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import os
import sys
import threading
import time
import warnings

from . import (
    annotations,
    arguments,
    debug_pages,
    errors,
    event_files,
    frames,
    text,
)
from .devices import Devices, forget_warnings
from .feeds import Feed
from .function_config import FunctionConfig
from .future import CallbackErrors, LazyFuture
from .gate import Gate, GatedRuntime
from .global_config import state as config
from .job import JobDecorator, decorator, decorator_of_config, entry_name, trace_job
from .observers import Delivery
from .trace import ModuleTrace, current_or_none, from_diagnostics

_STAGES = tuple(debug_pages.STAGES)
# What --explain of the tools takes.
_TOPICS = ("fusion", "memory", "kernels")

_OPEN = contextlib.nullcontext()
# So many entries of a job for arrays of different shapes deserve a warning.
_MANY_ENTRIES = 16

_fail_argument = errors.failing(errors.ArgumentError)


def _check_stage(stage, stages):
    if stage not in stages:
        _fail_argument(f"expects a stage of {', '.join(stages)} but got {stage!r}")


def _write_stages(module):
    """Writes what config.enable_debug_mode asks for into env.log_dir."""
    folder = config.values["log_dir"]
    try:
        folder = os.path.abspath(folder)
        debug_pages.write(module, folder)
    except OSError as error:
        raise errors.CompileError(
            errors.located(
                f"cannot write the files of config.enable_debug_mode into {folder}: "
                f"{errors.reason(error)}",
                frames.user_frames(),
            )
        ) from None


def raise_status(error, job=None, place=(), classes=None):
    """Raises the exception for a StatusError of the runtime: the class in `classes`
    for its code, else a JobRuntimeError."""
    cls = errors.JobRuntimeError
    if error.code == "not finite":
        cls = errors.NumericsError
    cls = (classes or {}).get(error.code, cls)
    message = frames.without_own_frames(error.message)
    if error.location:
        message = f"{error.location}: {message}"
    raise cls(errors.located(message, place, job)) from None


# What copies of results and variables may fail with.
COPY_ERRORS = {"unimplemented": errors.UnsupportedError}


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


def _refuse_in_job():
    outer = current_or_none()
    if outer is not None:
        raise errors.SessionStateError(
            errors.located(
                "expects the session to be used outside of job functions but got "
                f"a use inside of job {outer.name}, which starts it",
                frames.user_frames(),
            )
        )


class Session:
    """Jobs, their artifact and its run. Calls may come from any thread."""

    def __init__(self):
        self._lock = threading.RLock()
        self._jobs = {}
        # The ModuleTrace of the jobs, created on first use.
        self._module = None
        self._traced = {}
        # The TracedJobs for smaller arrays, by the job's name and the shapes.
        self._entries = {}
        # The arrays of each job's last call by its name, those of the last one at the
        # end; None for one that has not been passed.
        self._last_arrays = {}
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
        # Cleared by the end of the program.
        self._is_ending = False
        self.callback_errors = CallbackErrors()
        # What summary.* writes into.
        self.summaries = event_files.Summaries()
        self.runtime_module = None

    @property
    def is_running(self):
        return self._runtime is not None

    @property
    def has_jobs(self):
        """Whether a job has been defined."""
        return bool(self._jobs)

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

    # ===- Compiling -------------------------------------------------------===#

    def _is_trace_current(self):
        """Whether no job that has been traced was replaced, nor a setting that
        jobs were traced with."""
        trace = self._module
        return (
            trace is not None
            and trace.seed == config.values["random_seed"]
            and trace.devices.settings == Devices.settings_of(config.values)
            and all(
                self._jobs[each.job.name] is each.job for each in trace.traced.values()
            )
        )

    def _trace(self):
        """The ModuleTrace of all jobs, in order. The first call or report traces a
        job, once: reports show the module that runs."""
        from jobmlir import _compiler

        _refuse_in_job()
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
        values = config.values
        if not self._is_trace_current():
            self._module = ModuleTrace(
                _compiler, values["random_seed"], Devices(values), self.summaries
            )
        trace = self._module
        for name, job in list(self._jobs.items()):
            if name not in trace.traced:
                with trace.transaction():
                    trace.traced[name] = trace_job(trace, job)
        self._complete(trace)
        return trace

    @staticmethod
    def _complete(trace):
        """Writes what all jobs share into the module and verifies it."""
        values, compiler = config.values, trace.compiler
        devices = trace.place()
        trace.module.configure(
            cpu=values["compiler_cpu"],
            features=values["compiler_features"],
            simplify=values["compiler_simplify"],
            fuse=values["compiler_fuse"],
            packing=values["compiler_packing"],
            check_numerics=values["check_numerics"],
            tf32=values["enable_tensor_float_32_compute"],
            memory_budget=min(values["memory_budget"], 1 << 48),
            gpus=sorted({device.target for device in devices if device.target}),
        )
        trace.emit_variables()
        try:
            trace.module.verify()
        except compiler.DiagnosticError as error:
            raise from_diagnostics(
                error, errors.JobBuildAndInferError, None, trace.jobs_of_places
            ) from None

    def dump_ir(self, stage="job", locations=False):
        """The IR of all jobs as text after a stage: "job" as traced, "train"
        with gradients and updates, "plan" with memory, or "lower"."""
        _check_stage(stage, _STAGES)
        arguments.bools(_fail_argument, locations=locations)
        return self._ask(lambda module: module.print_stage(stage, bool(locations)))

    def graph_svg(self, stage="job", entry="", updates=False):
        """A picture (SVG) of all jobs, or of the one called `entry`, after a
        stage, see dump_ir. Without Graphviz on PATH the DOT text of it."""
        _check_stage(stage, _STAGES)
        if not isinstance(entry, str) or not text.is_unicode(entry):
            _fail_argument(f"expects the name of a job to draw but got {entry!r}")
        arguments.bools(_fail_argument, updates=updates)
        picture, is_drawn = self._ask(
            lambda module: module.draw_stage(stage, entry, bool(updates))
        )
        if not is_drawn:
            warnings.warn(
                "expects Graphviz's program 'dot' on PATH to draw a picture; "
                "graph_svg returns its DOT text",
                RuntimeWarning,
                stacklevel=frames.warn_stacklevel(),
            )
            return picture
        from . import notebook

        return notebook.Picture(picture)

    def memory_report(self, html=False):
        """The memory of the jobs, as text or as a page."""
        from . import notebook

        arguments.bools(_fail_argument, html=html)
        report = self._ask(lambda module: module.report_memory(bool(html)))
        return notebook.Page(report) if html else report

    def explain(self, *topics):
        """Why the compiler decided as it did, as text: "fusion", "memory" and
        "kernels", or some of them."""
        for topic in topics:
            if topic not in _TOPICS:
                _fail_argument(
                    f"expects a topic of {', '.join(_TOPICS)} but got {topic!r}"
                )
        return self._ask(lambda module: module.explain(list(topics or _TOPICS)))

    def memory_totals(self):
        """Bytes that the session will need, as a dictionary."""
        return self._ask(lambda module: module.memory_totals())

    def _ask(self, question):
        """The result of `question` for the traced module."""
        from jobmlir import _compiler

        with self._lock:
            trace = self._trace()
            try:
                return question(trace.module)
            except _compiler.DiagnosticError as error:
                raise from_diagnostics(
                    error, errors.CompileError, None, trace.jobs_of_places
                ) from None

    def _compile(self, trace):
        from jobmlir import _compiler

        module = trace.module
        try:
            if config.values["enable_debug_mode"]:
                _write_stages(module)
            return module.compile(cache_directory="")
        except _compiler.DiagnosticError as error:
            raise from_diagnostics(
                error, errors.CompileError, None, trace.jobs_of_places
            ) from None

    def check_process(self):
        """An error in a fork of the process that started the session."""
        if self._is_forked:
            raise errors.SessionStateError(
                errors.located(
                    "expects to be in the process that started the session but got "
                    "a fork of it: start the session there, or call "
                    "clear_default_session there first",
                    frames.user_frames(),
                )
            )

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
                self._fail_cleared()
            self.check_process()
            self.runtime_module = import_runtime()
            trace = self._trace()
            artifact, runtime = self._load(trace)
            if any(job.takes_smaller_arrays for job in self._jobs.values()):
                self._gate = Gate()
            self._traced = trace.traced
            self._entries = {}
            self._feeds = {
                name: Feed(name, traced.sources, config.values["random_seed"])
                for name, traced in trace.traced.items()
                if traced.sources
            }
            self._artifact = artifact
            self._pristine = True
            self._runtime = runtime
            return runtime

    def _load(self, trace, variables=None):
        """Compiles the module; the artifact and a session of the runtime for it, with
        initial values, but for `variables`, arrays by name."""
        _runtime = self.runtime_module
        try:
            begin = time.perf_counter()
            path = self._compile(trace)
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

    # ===- Smaller arrays --------------------------------------------------===#

    def _for_shapes(self, traced, arrays):
        """The TracedJob of the same job for the shapes of these arrays."""
        shapes = tuple(array.shape for array in arrays)
        if shapes == traced.shapes:
            return traced
        known = self._entries.get((traced.job.name, shapes))
        return known or self._add_entry(traced, shapes)

    def _add_entry(self, traced, shapes):
        job = traced.job

        def refuse(text, got, cls=errors.SessionStateError):
            shown = ", ".join(map(str, shapes))
            raise cls(
                errors.located(
                    f"expects {text} for the first call with arrays of {shown} but got "
                    + got,
                    frames.user_frames(),
                    job.name,
                )
            )

        if traced.sources:
            refuse(
                "a job without readers in this version",
                "one that reads data: pad the arrays",
                errors.UnsupportedError,
            )
        if self.callback_errors.is_inside:
            refuse("no callback", "one: call the job once with such arrays before")
        self.synchronize()
        old = None
        # Callbacks wait at the gate; a wait for them behind it would never end.
        with self._gate.closed(), self._lock:
            if self._runtime is None:
                self._fail_cleared()
            if (job.name, shapes) not in self._entries:
                if self._recording:
                    refuse("no trace", "one: call the job once with such arrays before")
                old = self._runtime
                self._grow(job, shapes)
            added = self._entries[job.name, shapes]
        if old is not None:
            # For calls that came before the gate was closed.
            self._raise_unseen(self._wait_for(old))
            self._warn_of_entries(job)
        return added

    def _grow(self, job, shapes):
        """Adds an entry. No step can begin; reads of variables wait for those that
        have begun."""
        trace, old = self._module, self._runtime
        entry = entry_name(job, shapes)
        while entry in trace.traced:
            entry += "+"
        try:
            with trace.transaction():
                trace.traced[entry] = trace_job(trace, job, shapes, entry)
                self._complete(trace)
                artifact, runtime = self._load(trace, self._read_all(old))
        except BaseException:
            trace.traced.pop(entry, None)
            # The module has the variables of the jobs that stay.
            self._complete(trace)
            raise
        self._artifact, self._runtime = artifact, runtime
        self._entries[job.name, shapes] = trace.traced[entry]

    def _warn_of_entries(self, job):
        entries = 1 + sum(name == job.name for name, _ in self._entries)
        if entries == _MANY_ENTRIES:
            warnings.warn(
                errors.located(
                    f"expects arrays of few different shapes but got {entries}: the job "
                    "is compiled for each of them; pad the arrays",
                    frames.user_frames(),
                    job.name,
                ),
                RuntimeWarning,
                stacklevel=frames.warn_stacklevel(),
            )

    def _read_all(self, runtime):
        try:
            return {name: runtime.read_variable(name) for name in self.variables()}
        except self.runtime_module.StatusError as error:
            raise_status(error, place=frames.user_frames(), classes=COPY_ERRORS)

    # ===- Running ---------------------------------------------------------===#

    def require(self, job):
        """The TracedJob of a job of this session, started; else an error."""
        self._check_own(job)
        self.start()
        traced = self._traced.get(job.name)
        if traced is None or traced.job is not job:
            self._fail_foreign(job)
        return traced

    def _check_own(self, job):
        """Rejects a job of another session before this one starts, or fails to for
        want of a job. A call inside of a job function is another mistake."""
        if current_or_none() is None and self._jobs.get(job.name) is not job:
            self._fail_foreign(job)

    def _fail_cleared(self):
        """Rejects a use of a session that has been cleared.

        If the end of the program has cleared it, a daemon thread of Python waits for
        that end: the traceback that it would print aborts the process if the
        interpreter ends the thread while it writes."""
        thread = threading.current_thread()
        # Those of the runtime are waited for.
        is_own = isinstance(thread, threading._DummyThread)
        if self._is_ending and thread.daemon and not is_own:
            threading.Event().wait()
        cleared = (
            "the end of the program" if self._is_ending else "clear_default_session"
        )
        raise errors.SessionStateError(
            errors.located(
                f"expects the present session but got one that {cleared} has cleared",
                frames.user_frames(),
            )
        )

    def _fail_foreign(self, job):
        raise errors.SessionStateError(
            errors.located(
                f"expects a job of the running session but got {job.name}, which was "
                "defined for another one or replaced by a later definition",
                frames.user_frames(),
                job.name,
            )
        )

    def recorded(self, job, shapes=None):
        """The Recording of a job of this session, which need not be started, and
        (shape, dtype) of the variables by name. With `shapes`, the job is traced once
        more for arguments of these, for this recording only."""
        self._check_own(job)
        with self._lock:
            trace = self._trace()
            traced = trace.traced.get(job.name)
            if traced is None or traced.job is not job:
                self._fail_foreign(job)
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
            traced = self._trace().traced
            return {name: traced[name].recording for name in self._jobs}

    def call(self, job, values):
        """One call of a job with the user's arguments."""
        traced = self.require(job)
        arrays = annotations.flatten_arguments(
            job.name, job.parameters, values, frames.user_frames
        )
        if job.takes_smaller_arrays:
            traced = self._for_shapes(traced, arrays)
        self._last_arrays.pop(job.name, None)
        self._last_arrays[job.name] = arrays
        if traced.changes_variables:
            self._pristine = False
        waits = job.annotation is not None and not job.is_callback
        if waits and not (traced.observers or traced.sources or self._gate):
            return self._call_and_wait(traced, arrays)
        call = self._submit(traced, arrays)
        if waits:
            return call.wait()
        return LazyFuture(call).async_get if job.is_callback else LazyFuture(call)

    def _submit(self, traced, arrays):
        name, place = traced.job.name, frames.user_frames()
        delivery = on_done = None
        if traced.observers:
            status_error = self.runtime_module.StatusError
            delivery = Delivery(traced, self.callback_errors, status_error)
            on_done = delivery.run
        # Without the feed of a job with readers the session is being cleared.
        feed = self._feeds.get(name)
        try:
            runtime = self.start()
            if self._gate is not None:
                runtime = GatedRuntime(self.start, self._gate)
            if traced.sources and feed is not None:
                future = feed.submit(runtime, arrays, on_done)
            elif traced.sources:
                self._fail_cleared()
            else:
                future = runtime.submit(traced.entry, arrays, on_done)
        except self.runtime_module.StatusError as error:
            raise_status(error, name, place)
        return Call(self, traced, future, place, delivery)

    def _call_and_wait(self, traced, arrays):
        job = traced.job
        try:
            outputs = self.start().call(job.name, arrays)
        except self.runtime_module.StatusError as error:
            raise_status(error, job.name, frames.user_frames(), COPY_ERRORS)
        self.callback_errors.raise_first()
        return traced.convert(outputs)

    def synchronize(self):
        """Blocks until all calls and their callbacks are done; raises an exception
        that one of them raised."""
        self._raise_unseen(self._wait())

    def _wait(self):
        """Blocks until all calls and their callbacks are done; the StatusError of one
        that no get has raised, or None. A signal may end it with an exception."""
        runtime = self._runtime
        return None if runtime is None else self._wait_for(runtime)

    def _wait_for(self, runtime):
        try:
            runtime.synchronize()
        except self.runtime_module.StatusError as error:
            return error
        return None

    def _raise_unseen(self, error):
        if error is not None:
            raise_status(error, place=frames.user_frames())
        self.callback_errors.raise_first()

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

    def feeds(self):
        """The Feeds of jobs with readers, by the job's name."""
        return self._feeds

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

    def variables(self):
        """Descriptions of all variables, by name."""
        self.start()
        return {variable["name"]: variable for variable in self._artifact.variables}

    def own_variables(self):
        """The names of the variables that jobs have made, without those that the
        compiler adds for training."""
        self.start()
        # Dynamic loss scales are variables of the trace that the optimizer makes.
        made = "System-Train-"
        return {name for name in self._module.variables if not name.startswith(made)}

    # ===- Arguments -------------------------------------------------------===#

    def last_arrays(self, job):
        """The arrays of the last call of a job, in order; None for one that has not
        been passed."""
        return self._last_arrays.get(job.name) or [None] * len(job.leaves())

    def replace_last_array(self, job, index, array):
        """Puts an array in the place of one of the last call."""
        arrays = list(self.last_arrays(job))
        arrays[index] = array
        self._last_arrays[job.name] = arrays

    def find_argument(self, name):
        """The job that has an argument of this name, and its index; or None. Of several
        jobs, the one that was called last or, if none was, defined first."""
        found = [
            (job, index)
            for job in self._jobs.values()
            for index, (leaf, _) in enumerate(job.leaves())
            if leaf == name
        ]
        for called in reversed(list(self._last_arrays)):
            for job, index in found:
                if job.name == called and self.last_arrays(job)[index] is not None:
                    return job, index
        return found[0] if found else None

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

    def close(self, before_release=lambda: None, ends_program=False):
        """Waits for the calls in flight and their callbacks, calls
        `before_release`, and releases the artifact permanently. In a callback, it
        does not wait; the remaining callbacks run afterwards. If a signal ends the
        wait, nothing is released."""
        waits = not self.callback_errors.is_inside
        # Without the lock: callbacks may use the session.
        error = self._wait() if waits else None
        before_release()
        with self._lock:
            self._is_cleared = True
            self._is_ending = ends_program
            runtime, self._runtime = self._runtime, None
            module, self._module = self._module, None
            feeds, self._feeds = self._feeds, {}
            self._artifact = None
            self._traced = {}
            self._entries = {}
            self._last_arrays = {}
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


_default = Session()
config.is_running = lambda: _default.is_running


def get_default_session():
    return _default


def clear_default_session() -> None:
    """Forgets all jobs and variables and the settings of config.

    New jobs can be defined then. config.cuda_library and what env has set stay. Waits
    for the calls in flight.
    """
    _refuse_in_job()
    old = _default

    def replace():
        global _default
        if _default is old:
            _default = Session()
            config.begin_session()
        forget_warnings()

    old.close(before_release=replace)


def sync_default_session() -> None:
    """Blocks until all calls so far and their callbacks are done.

    Raises:
        JobRuntimeError: A step failed that no get() has waited for.
        Exception: What a callback has raised.
    """
    _default.synchronize()


def _forget_parent():
    _default.forget_parent()


os.register_at_fork(after_in_child=_forget_parent)


# Seconds at the program's end after which it says what it is waiting for.
_PATIENCE = 5


def _wait_at_exit(runtime_module):
    if not runtime_module.wait_for_callbacks(_PATIENCE):
        waiting = _default.callback_errors.describe_running()
        print(f"INFO: {waiting}; Ctrl-C ends the program", file=sys.stderr, flush=True)
        runtime_module.wait_for_callbacks()


def _close_at_exit(runtime_module):
    try:
        _wait_at_exit(runtime_module)
        _default.close(ends_program=True)
    except errors.JobMLIRError as error:  # of a step that no call has waited for
        sys.excepthook(type(error), error, error.__traceback__)
    except BaseException as error:  # of a callback, or of a signal
        if not _default.is_cleared:
            runtime_module.abandon_callbacks()
        sys.excepthook(type(error), error, error.__traceback__)


@functools.cache
def import_runtime():
    """The module _runtime. Functions at exit run in the reverse of their order, so
    that ours comes before that of the module."""
    from jobmlir import _runtime

    atexit.register(_close_at_exit, _runtime)
    return _runtime


def global_function(
    type: str | FunctionConfig = "predict",
    function_config: FunctionConfig | None = None,
) -> JobDecorator:
    """Makes a function a job: its body describes what the calls do.

    The parameters are annotated with typing.Numpy.Placeholder and the like, or have
    FixedTensorDef and the like as defaults. The result is annotated with typing.Numpy
    and the like, so that a call waits and gives arrays; without an annotation a call
    gives a LazyFuture. Jobs are compiled at the first call of one of them.

    Args:
        type: "train" or "predict". A training job has a loss and an optimizer.
        function_config: What function_config() gives, or None.

    Returns:
        A decorator.

    Raises:
        ArgumentError: type is neither.
        ArgumentTypeError: function_config is none, or the decorator gets no function.
        JobDefinitionError: The parameters or results of the function do not fit.
        SessionStateError: The session is running.
    """
    return decorator(get_default_session, type, function_config)


def function(function_config: FunctionConfig) -> JobDecorator:
    """The oldest form of global_function: a job that trains if config.train was set.

    Args:
        function_config: What function_config() gives.

    Returns:
        A decorator.

    Raises:
        ArgumentTypeError: function_config is none, or the decorator gets no function.
        JobDefinitionError: The parameters or results of the function do not fit.
        SessionStateError: The session is running.
    """
    return decorator_of_config(get_default_session, function_config)
