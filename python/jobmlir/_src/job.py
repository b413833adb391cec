"""Job functions: the decorators, calls, and running a body to trace it."""

from __future__ import annotations

import functools
import json
import warnings
from collections.abc import Callable
from typing import Any, Protocol, overload

from . import (
    annotations,
    dynamic_ops,
    errors,
    frames,
    gradients,
    minimize,
    observers,
    regularizers,
    scopes,
    text,
)
from .annotations import Callback, ListListNumpy, ListNumpy, Numpy
from .blob import Blob, BlobDef
from .feeds import Source
from .function_config import FunctionConfig, FunctionDesc
from .global_config import state as session_config
from .hints import Array
from .trace import JobTrace, Recording, activate, current_or_none

# The job that the compiler adds, which initializes variables.
_INITIALIZER = "jobmlir_init"


def _check_unicode(name, what):
    if not text.is_unicode(name):
        raise errors.JobDefinitionError(
            f"expects the name of {what} to be text that UTF-8 can encode but got "
            f"{name!r}"
        )


def _check_job_name(name):
    if name == _INITIALIZER:
        raise errors.JobDefinitionError(
            f"expects another name than {_INITIALIZER}, which is that of the job that "
            "fills the variables"
        )
    _check_unicode(name, "a job")


class Job:
    """A decorated function and its description before tracing."""

    def __init__(self, function, kind, config):
        self.function = function
        self.name = function.__name__
        self.kind = kind
        self.config = config
        self.frames = frames.function_frames(function)
        try:
            _check_job_name(self.name)
            strict = session_config.values["typing_check"]
            self.parameters = annotations.parse_parameters(function, strict)
            for name, _ in self.leaves():
                _check_unicode(name, "a parameter")
            self.annotation, self.is_callback = annotations.parse_return(
                function, strict
            )
        except errors.JobDefinitionError as error:
            raise errors.JobDefinitionError(
                errors.located(str(error), self.frames, self.name)
            ) from None
        # Whether arrays of a call may be smaller than their definitions.
        self.takes_smaller_arrays = any(leaf.depth for _, leaf in self.leaves())

    def leaves(self):
        """(name, definition) of each array that a call takes, in order."""
        return [
            leaf
            for name, structure in self.parameters
            for leaf in annotations.leaves(name, structure)
        ]


class TracedJob:
    """A job that was traced for arrays of some shapes: how to convert its results for
    the user."""

    def __init__(
        self, job, entry, shapes, structure, lists, observers_of_job, sources, recording
    ):
        self.job = job
        # The function of the module, and the shapes of its arrays.
        self.entry = entry
        self.shapes = shapes
        self.structure = structure
        self.changes_variables = job.kind == "train" or any(
            record.op == "job.assign" for record in recording.ops
        )
        self.recording = recording
        # What sees its blobs at every step; see observers.
        self.observers = observers_of_job
        # The inputs after the arguments, which the session fills.
        self.sources = sources
        # What makes the list of arrays of the results, by index.
        self.lists = lists

    def convert(self, outputs):
        """The user's results from the arrays of a step."""
        lists = self.lists and {i: make(outputs) for i, make in self.lists.items()}
        return annotations.convert_result(
            self.structure, self.job.annotation, outputs, lists
        )


@frames.set_boundary
def _run_body(job, arguments):
    return job.function(*arguments)


def _run_noted(job, arguments):
    """Runs the body; a user's exception gets a note that names the job."""
    try:
        return _run_body(job, arguments)
    except errors.JobMLIRError:
        raise
    except Exception as error:
        if hasattr(error, "add_note"):
            error.add_note(
                errors.located(
                    "raised while this job was being traced", job.frames, job.name
                )
            )
        raise


# Artifacts hold JSON of at most 64 levels; a tuple or a dict takes two.
_MOST_RESULT_LEVELS = 32


def _index_results(trace, value, path, results, names):
    """The structure of `value` with an index into `results` at each leaf."""
    if len(path) > _MOST_RESULT_LEVELS:
        trace.fail(
            f"expects results nested at most {_MOST_RESULT_LEVELS} levels deep but got "
            "more",
            errors.JobDefinitionError,
        )
    if value is None and not path:
        return None
    if isinstance(value, Blob):
        if value._trace is not trace:
            trace.fail(
                f"expects a result of job {trace.name} but got {value.op_name} of job "
                f"{value._trace.name}",
                errors.JobDefinitionError,
            )
        names.append("_".join(path) or value.op_name)
        if value._rows is not None:
            value = dynamic_ops.sync_dynamic_resize(value, value._rows)
        if value._examples is not None:
            value = value._examples.padded
        results.append(value)
        return len(results) - 1
    if isinstance(value, dict):
        for key in value:
            if not text.is_unicode(str(key)):
                trace.fail(
                    "expects the key of a result to be text that UTF-8 can encode but "
                    f"got {key!r}",
                    errors.JobDefinitionError,
                )
        return {
            key: _index_results(trace, item, (*path, str(key)), results, names)
            for key, item in value.items()
        }
    if isinstance(value, (list, tuple)):
        items = [
            _index_results(
                trace,
                item,
                (*path, item.op_name if isinstance(item, Blob) else str(index)),
                results,
                names,
            )
            for index, item in enumerate(value)
        ]
        # A named tuple is returned as a plain tuple.
        return items if isinstance(value, list) else tuple(items)
    got = type(value).__name__
    if isinstance(value, BlobDef):
        got = value.not_a_blob()
    raise errors.JobDefinitionError(
        errors.located(
            "oneflow.global_function returns RemoteBlob or list/tuple/dict nested "
            f"RemoteBlob only, but got {got}",
            trace.frames,
            trace.name,
        )
    )


def _to_json(structure):
    if isinstance(structure, tuple):
        return {"tuple": [_to_json(item) for item in structure]}
    if isinstance(structure, list):
        return [_to_json(item) for item in structure]
    if isinstance(structure, dict):
        return {"dict": {str(key): _to_json(item) for key, item in structure.items()}}
    return structure


def _add_counts(results, names):
    """Appends the counts of dynamic results, each once."""
    added = set()
    for blob, name in list(zip(results, names)):
        if blob.is_dynamic and id(blob) not in added:
            added.add(id(blob))
            results.append(blob._count)
            names.append(f"{name}_count")


def _add_lists(returned, results, names):
    """What makes the arrays of each tensor list that the user returns from the outputs,
    by index. Appends the shapes of their arrays to the results."""
    lists = {}
    for index, blob in enumerate(returned):
        if not blob.is_tensor_list:
            continue
        examples, shapes = blob._examples, None
        if examples is not None and examples.shapes is not None:
            shapes = len(results)
            results.append(examples.shapes)
            names.append(examples.shapes.op_name)
        make = _one_array if examples is None else _arrays_of_examples
        lists[index] = functools.partial(make, index, shapes)
    return lists


def _one_array(index, _, outputs):
    return [outputs[index]]


def _arrays_of_examples(index, shapes, outputs):
    rows = None if shapes is None else outputs[shapes]
    return annotations.split_list(outputs[index], rows)


def _unique(names):
    """The names, with a number appended to repeated ones."""
    seen, out = set(), []
    for name in names:
        unique, count = name, 0
        while unique in seen:
            count += 1
            unique = f"{name}_{count}"
        seen.add(unique)
        out.append(unique)
    return out


def _finish_training(trace, job):
    if trace.kind != "train":
        return
    if not trace.losses:
        raise errors.LossBlobNotFoundError(
            errors.located(
                "Loss blob not found. A training job has a loss, which losses.add_loss "
                "or minimize marks",
                trace.frames,
                trace.name,
            )
        )
    if not trace.minimizes:
        trace.minimizes.extend(job.config.train.minimize(trace))
    gradients.warn_of_int_casts(trace)
    regularizers.add_penalties(trace)
    minimize.emit(trace)


def _view(job, leaves):
    """The view of the job's body. Arguments with a list per device are those of the
    mirrored view, which they imply where the configuration says nothing."""
    view = job.config.get("default_logical_view")
    for name, leaf in leaves:
        if not leaf.depth:
            continue
        if view is None:
            return scopes.mirrored_view()
        if not view.is_mirrored:
            raise errors.JobDefinitionError(
                errors.located(
                    "expects function_config.default_logical_view to be "
                    f"scope.mirrored_view() for the lists of argument {name} but got "
                    "the consistent view",
                    job.frames,
                    job.name,
                )
            )
    return view


def entry_name(job, shapes):
    """A name for the function of a job for smaller arrays, of these shapes."""
    return f"{job.name}:" + ",".join("x".join(map(str, shape)) for shape in shapes)


def trace_job(module_trace, job, shapes=None, entry=None):
    """Runs the body of a job and appends its ops to the module, in a function of the
    job's name for arrays as defined, or in one called `entry` for arrays of `shapes`."""
    leaves = job.leaves()
    view = _view(job, leaves)
    shapes = shapes or tuple(leaf.shape for _, leaf in leaves)
    entry = entry or job.name
    leaves = [
        (name, leaf.with_shape(shape)) for (name, leaf), shape in zip(leaves, shapes)
    ]
    trace = JobTrace(module_trace, entry, job.kind, job.config, leaves, job.frames)
    trace.job_name = job.name
    blobs = iter(trace.arguments)
    arguments = [
        annotations.rebuild(structure, blobs) for _, structure in job.parameters
    ]
    with (
        activate(trace),
        scopes.fresh(job.config.get("default_placement_scope"), view),
    ):
        scopes.check_view(job.frames)
        returned = _run_noted(job, arguments)
        results, names = [], []
        structure = _index_results(trace, returned, (), results, names)
        if job.annotation is not None:

            def mismatch(why=""):
                raise errors.AnnotationError(
                    errors.located(
                        f"{_describe(returned)} does not matched return annotation "
                        f"{job.annotation.text} of global_function {job.name}.{why}",
                        trace.frames,
                        trace.name,
                    )
                )

            annotations.check_result(
                structure, job.annotation, lambda leaf: isinstance(leaf, int), mismatch
            )
        _finish_training(trace, job)
        recording = Recording(trace, list(results), _unique(names))
        observers.add_results(trace, results, names)
        _add_counts(results, names)
        lists = _add_lists(recording.results, results, names)
        trace.finish(results, _unique(names), json.dumps(_to_json(structure)))
    sources = [
        Source(node, shape, dtype) for node, (shape, dtype, _) in trace.sources.items()
    ]
    return TracedJob(
        job, entry, shapes, structure, lists, trace.observers, sources, recording
    )


def _describe(value):
    if isinstance(value, (list, tuple)):
        inner = ", ".join(map(_describe, value))
        return f"[{inner}]" if isinstance(value, list) else f"({inner})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k!r}: {_describe(v)}" for k, v in value.items()) + "}"
    return "None" if value is None else "a blob"


# ===- Calls ---------------------------------------------------------------===#


def _show(job, session):
    """What notebooks show of a job."""
    from . import notebook

    return notebook.show_job(job, session().compiled(job))


def _make_wrapper(job, session):
    @functools.wraps(job.function)
    def wrapper(*args, **kwargs):
        if kwargs:
            args = annotations.bind_keywords(
                job.name, job.parameters, args, kwargs, frames.user_frames
            )
        if current_or_none() is not None:
            raise errors.SessionStateError(
                errors.located(
                    f"expects no call of a job inside of job {current_or_none().name} "
                    f"but got one of {job.name}",
                    frames.user_frames(),
                    job.name,
                )
            )
        return session().call(job, args)

    # The wrapper has no default values: they are definitions, not arguments.
    wrapper.__oneflow_job__ = job
    wrapper._repr_html_ = functools.partial(_show, job, session)
    return wrapper


# ===- Decorators ----------------------------------------------------------===#


class JobDecorator(Protocol):
    """Makes a function a job. What a call gives follows from the annotation of the
    results; without one it is a LazyFuture."""

    @overload
    def __call__(self, function: Callable[..., Numpy], /) -> Callable[..., Array]: ...
    @overload
    def __call__(
        self, function: Callable[..., ListNumpy], /
    ) -> Callable[..., list[Array]]: ...
    @overload
    def __call__(
        self, function: Callable[..., ListListNumpy], /
    ) -> Callable[..., list[list[Array]]]: ...
    # What else a job may return is as little a type of one blob as a Callback is.
    @overload
    def __call__(
        self, function: Callable[..., Callback[Any] | None], /
    ) -> Callable[..., Any]: ...


def _decorate(session, kind, config):
    def decorator(function):
        if not callable(function) or not hasattr(function, "__name__"):
            raise errors.ArgumentTypeError(
                errors.located(
                    f"expects a function to make a job of but got {function!r}",
                    frames.user_frames(),
                )
            )
        job = Job(function, kind, config)
        session().add_job(job)
        return _make_wrapper(job, session)

    return decorator


def _from_config(session, config):
    kind = "train" if config.train.is_set else "predict"
    return _decorate(session, kind, config.clone())


def _require_config(value):
    if not isinstance(value, FunctionConfig):
        raise errors.ArgumentTypeError(
            errors.located(
                f"expects what function_config() gives but got {value!r}",
                frames.user_frames(),
            )
        )


def decorator(session, kind, config):
    """global_function for the session that `session()` gives."""
    if isinstance(kind, FunctionConfig):
        place = frames.user_frames()
        where = f"{place[0][0]}:{place[0][1]}: " if place else ""
        warnings.warn(
            f"{where}global_function(config) is deprecated: use "
            'global_function(type="train" or "predict", function_config=config)',
            DeprecationWarning,
            stacklevel=frames.warn_stacklevel(),
        )
        return _from_config(session, kind)
    if kind not in ("train", "predict"):
        hint = ": call the decorator, @global_function()" if callable(kind) else ""
        raise errors.ArgumentError(
            errors.located(
                f'expects a type of "train" or "predict" but got {kind!r}{hint}',
                frames.user_frames(),
            )
        )
    if config is None:
        config = FunctionConfig()
    _require_config(config)
    return _decorate(session, kind, config.clone())


def decorator_of_config(session, config):
    """function for the session that `session()` gives."""
    _require_config(config)
    return _from_config(session, config)


def current_global_function_desc() -> FunctionDesc:
    """The description of the job being traced.

    Returns:
        Its kind and the values of its settings.

    Raises:
        OutsideJobError: Called outside of a job function.
    """
    trace = current_or_none()
    if trace is None:
        raise errors.OutsideJobError(
            errors.located(
                "current_global_function_desc was called outside of a job function",
                frames.user_frames(),
            )
        )
    return FunctionDesc(trace.config, trace.kind == "train", trace)
