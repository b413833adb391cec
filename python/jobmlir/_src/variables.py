"""Variables: blobs that outlive a step and are shared by all jobs by name."""

from __future__ import annotations

import functools

from . import (
    arguments,
    distributions,
    errors,
    frames,
    initializers,
    regularizers,
    scopes,
    text,
)
from . import dtype as dtypes
from .blob import Blob
from .distributions import Distribution
from .documentation import documented
from .hints import DType, Shape
from .initializers import InitializerLike
from .regularizers import Regularizer
from .trace import OpScope, Variable, current


def _agree(trace, place, variable, what, before, now):
    raise errors.JobBuildAndInferError(
        errors.located(
            f"expects {what} {before} of variable {variable.name} as in job "
            f"{variable.job.name} at {_where(variable)} but got {now}",
            place,
            trace.name,
            variable.name,
        )
    )


def _where(variable):
    if not variable.frames:
        return "an unknown line"
    file, line, _ = variable.frames[0]
    return f"{file}:{line}"


def _is_float(dtype):
    # Only floats can be trained.
    return dtype.is_float()


def _settle_trainable(trace, place, variable, trainable):
    """Notes whether a training job trains a variable; other jobs may differ, and
    prediction jobs may read it in either case. `trainable` is None where the user says
    nothing."""
    before = trace.trainable.get(variable.name)
    if trainable is None:
        trainable = True if before is None else before
    trainable = trainable and _is_float(variable.dtype)
    if trace.kind != "train":
        if variable.job is trace and not variable.settled:
            variable.trainable = trainable
        return
    if before not in (None, trainable):
        trace.fail(
            f"expects trainable to be {before}, as before in this job, but got "
            f"{trainable}",
            op=variable.name,
        )
    trace.trainable[variable.name] = trainable
    variable.trainable = trainable or (variable.settled and variable.trainable)
    variable.settled = True


@documented
def get_variable(
    name: str,
    shape: Shape | None = None,
    dtype: DType | None = None,
    initializer: InitializerLike | None = None,
    regularizer: Regularizer | None = None,
    trainable: bool | None = None,
    model_name: str | None = None,
    random_seed: int | None = None,
    distribute: Distribution = distributions.broadcast(),
    reuse: bool = True,
) -> Blob:
    """The variable of a name, which the first job that uses it creates.

    Random initial values depend on config.random_seed and the name, or on random_seed
    alone: variables with the same one, shape, dtype and initializer then start with the
    same values.

    Args:
        name: Its name in all jobs and in checkpoints.
        shape: Its shape; None where the job has it already.
        dtype: Its element type; None is default_data_type of the job's configuration.
        initializer: What it starts with, decided by the first job; None is
            default_initializer_conf of the job's configuration, if that is set.
        regularizer: What training jobs add to its gradient, or None.
        trainable: Whether this job trains it, whatever other jobs do; None is True for
            floats.
        model_name: Any text, of which "bias" chooses train.secondary_lr.
        random_seed: The seed of its initial values, or None.
        distribute: How several devices will store it.
        reuse: False makes a second use in one job an error.

    Returns:
        A blob with the value at the start of the step.

    Raises:
        OutsideJobError: Called outside of a job function.
        JobBuildAndInferError: Another use of the name, in this or another job, does not
            fit.
        ArgumentTypeError: dtype is no element type.
        UnsupportedError: dtype is none that blobs have.
    """
    trace = current("get_variable")
    place = frames.user_frames()
    if not isinstance(name, str) or not name:
        trace.fail(f"expects the name of a variable to be a str but got {name!r}")
    full = scopes.qualify(name)
    if not text.is_unicode(full):
        trace.fail(
            "expects the name of a variable to be text that UTF-8 can encode but got "
            f"{full!r}"
        )
    if "/" in full:
        trace.fail(f"expects a name without a slash but got {full!r}")
    regularizers.check(
        functools.partial(trace.fail, op=full), regularizer, "regularizer"
    )
    if random_seed is not None and not (
        arguments.is_int(random_seed) and -(2**63) <= random_seed < 2**63
    ):
        trace.fail(
            "expects random_seed to be an int from -2^63 to 2^63 - 1 but got "
            f"{arguments.show(random_seed)}",
            op=full,
        )
    if model_name is not None and not isinstance(model_name, str):
        trace.fail(
            f"expects model_name to be a str but got {arguments.show(model_name)}",
            op=full,
        )
    rank = len(shape) if isinstance(shape, (list, tuple)) else None
    distributions.check(
        functools.partial(trace.fail, op=full), distribute, "distribute", rank
    )
    if trainable is not None:
        arguments.bools(functools.partial(trace.fail, op=full), trainable=trainable)
        trainable = bool(trainable)
    arguments.bools(functools.partial(trace.fail, op=full), reuse=reuse)

    known = trace.variables.get(full)
    if known is not None and not reuse and not trace.reusing:
        trace.fail(
            "expects a new name because getting the same variable is not allowed when "
            f"param reuse is False but got {full}, which is a variable of this job "
            "already; reuse=True shares it",
            op=full,
        )
    variable = trace.module_trace.variables.get(full)
    if variable is None:
        variable = _make(trace, place, full, shape, dtype, initializer, random_seed)
    else:
        if shape is not None and not isinstance(shape, (list, tuple)):
            trace.fail(
                f"expects the shape of a variable as positive ints but got {shape!r}",
                op=full,
            )
        if shape is not None and tuple(shape) != variable.shape:
            _agree(trace, place, variable, "shape", variable.shape, tuple(shape))
        if dtype is not None and dtype != variable.dtype:
            _agree(
                trace,
                place,
                variable,
                "dtype",
                variable.dtype.canonical,
                getattr(dtype, "canonical", dtype),
            )
    _settle_trainable(trace, place, variable, trainable)
    if model_name is not None:
        trace.model_names[full] = model_name
    if known is not None:
        _regularize(trace, place, full, regularizer, known)
        return known
    blob = _read(trace, place, full, variable.shape, variable.dtype)
    blob._variable = full
    trace.variables[full] = blob
    _regularize(trace, place, full, regularizer, blob)
    return blob


def _read(trace, place, name, shape, dtype):
    op = OpScope(trace, "get_variable", name, place)
    return op("read", variable=op.text(text.symbol(name)), result=(shape, dtype.mlir))


def _regularize(trace, place, name, regularizer, blob):
    """Notes the regularizer of a variable, one in a job."""
    if regularizer is None:
        return
    if name not in trace.regularizers:
        # Read on its own, so that watch_diff sees no gradient of the penalty.
        with scopes.placed(blob._scope):
            value = _read(trace, place, name, blob.shape, blob.dtype)
        trace.regularizers[name] = (regularizer, value, place)
    known = trace.regularizers[name]
    if known[0] != regularizer:
        trace.fail(
            f"expects {known[0]} as before in this job but got {regularizer}", op=name
        )


def _make(trace, place, name, shape, dtype, initializer, seed):
    if not arguments.is_shape(shape) or not shape:
        trace.fail(
            f"expects the shape of a new variable as positive ints but got {shape!r}",
            op=name,
        )
    if reason := arguments.too_many_elements(shape):
        trace.fail(reason, op=name)
    if dtype is None:
        dtype = trace.config.get("default_data_type")
    dtypes.require_mlir(dtype, f"variable {name}")
    if initializer is None:
        conf = trace.config.get("default_initializer_conf")
        if conf is None:
            trace.fail(
                "expects an initializer, or default_initializer_conf in the job's "
                "config, but got neither",
                op=name,
            )
        initializer = initializers.from_conf(conf)
    initializer = initializers.of_user(
        functools.partial(trace.fail, op=name), initializer
    )
    shape = tuple(int(extent) for extent in shape)
    variable = Variable(
        name,
        shape,
        dtype,
        initializer.attribute_of(shape, dtype),
        False,
        trace,
        place,
        None if seed is None else int(seed),
    )
    trace.module_trace.variables[name] = variable
    return variable
