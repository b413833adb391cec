"""Saving, loading and reading variables."""

import collections.abc

import numpy

from . import arguments, errors, frames
from . import dtype as dtypes
from .session import COPY_ERRORS, get_default_session, raise_status

_CLASSES = {
    "invalid argument": errors.CheckpointDataError,
    "not found": errors.CheckpointNotFoundError,
    "already exists": errors.CheckpointExistsError,
    "data loss": errors.CheckpointDataError,
    "unimplemented": errors.CheckpointDataError,
    "input/output error": errors.CheckpointIOError,
    "resource exhausted": errors.CheckpointIOError,
}


# While saving, "not found" means the parent folder, not a checkpoint.
_SAVE_CLASSES = {**_CLASSES, "not found": errors.CheckpointIOError}


def _fail(message, cls=errors.CheckpointError):
    raise cls(errors.located(message, frames.user_frames()))


def _fail_data(message, cls=errors.CheckpointDataError):
    _fail(message, cls)


def _run(function, *arguments, classes=_CLASSES):
    session = get_default_session()
    try:
        return function(*arguments)
    except session.runtime_module.StatusError as error:
        raise_status(error, place=frames.user_frames(), classes=classes)


class CheckPoint:
    """Variables of all jobs, on disk."""

    def init(self):
        """Sets all variables to their initial values for config.random_seed."""
        get_default_session().initialize()

    def load(self, path):
        """Reads all variables: all, or none if one is missing or does not fit."""
        path = arguments.path(_fail, path, "load from")
        _run(get_default_session().runtime(True).load_checkpoint, path)

    def save(self, path, layout="legacy", replace=False):
        """Writes all variables to a folder that does not exist or is empty, and
        is neither a mount point nor the working directory.

        "legacy" is one folder per variable with its bytes in a file `out`;
        "native" is one safetensors file and a manifest. Loading accepts both.
        Checksums detect any damage of the values in the native layout; the
        legacy layout has none, so that only missing files and wrong sizes are
        detected.

        With `replace` the folder may contain a checkpoint and no other files:
        the new one replaces it atomically, so that one of the two exists at any
        time.
        """
        path = arguments.path(_fail, path, "save to")
        if layout not in ("legacy", "native"):
            _fail(f'expects a layout of "legacy" or "native" but got {layout!r}')
        arguments.bools(_fail, replace=replace)
        runtime = get_default_session().runtime(False)
        _run(
            runtime.save_checkpoint, path, layout, bool(replace), classes=_SAVE_CLASSES
        )


def step_count(job):
    """The number of completed steps of a training job, including those before the
    loaded checkpoint, which is the first step of a resumed run. `job` is a result
    of global_function."""
    definition = getattr(job, "__oneflow_job__", None)
    if definition is None or definition.kind != "train":
        raise errors.ArgumentTypeError(
            errors.located(
                f"expects a training job to count the steps of but got {job!r}",
                frames.user_frames(),
            )
        )
    session = get_default_session()
    session.require(definition)
    counter = f"System-Train-TrainStep-{definition.name}"
    return int(session.runtime(False).read_variable(counter)[0])


class VariableValue:
    """A variable of the session; numpy() reads its present value, as long as the
    session is not cleared. A copy or a pickle keeps the value at the time when it
    was made and needs no session."""

    def __init__(self, session, description):
        self._session = session
        self._kept = None
        self.name = description["name"]
        self.shape = description["shape"]
        self.dtype = dtypes.from_mlir(description["dtype"])
        self.trainable = description["trainable"]

    def numpy(self):
        """A copy of the value after every call so far."""
        if self._kept is not None:
            return self._kept.copy()
        if self._session.is_cleared:
            raise errors.SessionStateError(
                errors.located(
                    f"expects variable {self.name} to be of the present session but "
                    "got one of a session that clear_default_session has cleared: "
                    "take its numpy() before",
                    frames.user_frames(),
                )
            )
        try:
            return self._session.runtime(False).read_variable(self.name)
        except self._session.runtime_module.StatusError as error:
            raise_status(error, place=frames.user_frames(), classes=COPY_ERRORS)

    def __getstate__(self):
        return {**self.__dict__, "_session": None, "_kept": self.numpy()}


def get_all_variables():
    """The variables of the session, optimizer state included, by name."""
    session = get_default_session()
    return {
        name: VariableValue(session, description)
        for name, description in session.variables().items()
    }


def load_variables(values, ignore_mismatch=True):
    """Writes arrays to variables by name: all, or none if one does not fit. Names
    that no variable has are ignored, or are an error if `ignore_mismatch` is
    False."""
    if not isinstance(values, collections.abc.Mapping):
        _fail(f"expects a dict of arrays by name but got {type(values).__name__}")
    arguments.bools(_fail, ignore_mismatch=ignore_mismatch)
    session = get_default_session()
    known = session.variables()
    arrays = {}
    for name, value in values.items():
        if name not in known:
            if ignore_mismatch:
                continue
            _fail(
                f"expects a variable of the session but got {name}",
                errors.CheckpointNotFoundError,
            )
        value = value.numpy() if isinstance(value, VariableValue) else value
        value = arguments.array(_fail_data, value, f"an array for variable {name}")
        shape, dtype = known[name]["shape"], dtypes.from_mlir(known[name]["dtype"])
        if value.shape != shape or value.dtype != dtype.numpy:
            # NumPy may lack the type.
            dtypes.convert_oneflow_dtype_to_numpy_dtype(dtype)
            _fail_data(
                f"expects {dtype.numpy} of shape {shape} for variable {name} but got "
                f"{value.dtype} of shape {value.shape}"
            )
        arrays[name] = numpy.ascontiguousarray(value)
    _run(session.runtime(True).write_variables, arrays)


def _require_interface(op_name):
    """Checks that a name is that of a variable; the values of inputs are not kept."""
    if not isinstance(op_name, str):
        _fail(f"expects the name of a variable but got {op_name!r}")
    session = get_default_session()
    if op_name in session.variables():
        return
    if session.has_input(op_name):
        _fail(
            f"expects the name of a variable in this version but got {op_name}, which "
            "is an argument",
            errors.UnsupportedError,
        )
    _fail(
        f"expects the name of a variable of the session but got {op_name}",
        errors.CheckpointNotFoundError,
    )


def get_interface_blob_value(op_name):
    """The present value of a variable, by the name of its op."""
    _require_interface(op_name)
    return get_all_variables()[op_name].numpy()


def set_interface_blob_value(op_name, value):
    """Writes the value of a variable, by the name of its op."""
    _require_interface(op_name)
    load_variables({op_name: value}, ignore_mismatch=False)
