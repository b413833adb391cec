"""Saving, loading and reading variables."""

from __future__ import annotations

import collections.abc
import os
import typing
from collections.abc import Callable, Mapping
from typing import Any

import numpy

from . import arguments, errors, frames, names, snapshot_folders, snapshots, text
from . import dtype as dtypes
from .default_session import get_default_session
from .documentation import documented
from .global_config import state as config
from .hints import Array, Path
from .runtime_errors import COPY_ERRORS, raise_status
from .runtime_module import import_runtime
from .trace import step_counter

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

_fail = errors.failing(errors.CheckpointError)
_fail_data = errors.failing(errors.CheckpointDataError)


def _run(function, *arguments, classes=_CLASSES):
    try:
        return function(*arguments)
    except import_runtime().StatusError as error:
        raise_status(error, place=frames.user_frames(), classes=classes)


def _descriptions(session):
    """(shape, dtype) of all variables, by name."""
    return {
        name: (variable["shape"], dtypes.from_mlir(variable["dtype"]))
        for name, variable in session.variables().items()
    }


class CheckPoint:
    """Variables of all jobs, on disk."""

    def init(self) -> None:
        """Sets all variables to their initial values for config.random_seed.

        Raises:
            CompileError: The compiler rejects the jobs.
        """
        get_default_session().initialize()

    def load(self, path: Path) -> None:
        """Reads all variables, or none if one is missing or does not fit.

        The bytes are compared with their checksums. A checkpoint of the legacy layout
        may have none, as those of OneFlow; of such a one sizes are compared, and shapes
        and types where there are files meta.

        Args:
            path: The folder of a checkpoint of either layout.

        Raises:
            CheckpointNotFoundError: There is none, or a variable is missing in it.
            CheckpointDataError: It is damaged, or does not fit the variables.
            CheckpointIOError: The system cannot read it.
        """
        path = arguments.path(_fail, path, "load from")
        session = get_default_session()
        with session.runtime(True) as runtime:
            if not config.values["enable_legacy_model_io"]:
                snapshots.check_metas(path, _descriptions(session))
            _run(runtime.load_checkpoint, path)

    def save(self, path: Path, layout: str = "legacy", replace: bool = False) -> None:
        """Writes all variables to a folder.

        Loading compares what it reads with the checksums in the manifest of the native
        layout, or in checksums.json, which the legacy layout has beside its folders
        and other readers of it ignore. Without that file, as OneFlow writes the
        layout, missing files, wrong sizes and wrong descriptions are detected.

        Args:
            path: A folder that does not exist or is empty, and is neither a mount point
                nor the working directory.
            layout: "legacy" is one folder for each variable with its bytes in a file
                out and its shape and type in a file meta, which
                config.enable_legacy_model_io leaves out as OneFlow 0.2 did; "native" is
                one safetensors file and a manifest. Loading accepts both.
            replace: Whether the folder may contain a checkpoint and no other files: the
                new one replaces it atomically, so that one of the two exists at any
                time.

        Raises:
            CheckpointExistsError: The folder is not empty, or has more than the
                checkpoint to replace. That is known by what is in its manifest or
                checksums.json, or by an empty snapshot_done, not by names.
            CheckpointIOError: The system cannot write it.
            CheckpointError: An argument does not fit.
        """
        path = arguments.path(_fail, path, "save to")
        if layout not in ("legacy", "native"):
            _fail(f'expects a layout of "legacy" or "native" but got {layout!r}')
        arguments.bools(_fail, replace=replace)
        session = get_default_session()
        if layout == "legacy" and not config.values["enable_legacy_model_io"]:
            layout = "legacy with meta"
        with session.runtime(False) as runtime:
            save = runtime.save_checkpoint
            _run(save, path, layout, bool(replace), classes=_SAVE_CLASSES)


def step_count(job: Callable[..., Any]) -> int:
    """The number of completed steps of a training job.

    It includes those before the loaded checkpoint, so it is the first step of a resumed
    run.

    Args:
        job: A result of global_function.

    Returns:
        The number.

    Raises:
        ArgumentTypeError: It is no training job.
        SessionStateError: It is of another session.
    """
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
    counter = step_counter(definition.name)
    with session.runtime(False) as runtime:
        return int(runtime.read_variable(counter)[0])


class VariableValue:
    """A variable of the session.

    numpy() reads its present value, as long as the session is not cleared. A copy or a
    pickle keeps the value at the time when it was made and needs no session.
    """

    def __init__(self, session, description):
        self._session = session
        self._kept = None
        self.name = description["name"]
        self.shape = description["shape"]
        self.dtype = dtypes.from_mlir(description["dtype"])
        self.trainable = description["trainable"]

    def numpy(self) -> Array:
        """A copy of the value after every call so far.

        Returns:
            An array of the shape and dtype of the variable.

        Raises:
            SessionStateError: The session was cleared.
        """
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
            with self._session.runtime(False) as runtime:
                return runtime.read_variable(self.name)
        except self._session.runtime_module.StatusError as error:
            raise_status(error, place=frames.user_frames(), classes=COPY_ERRORS)

    def __repr__(self):
        return (
            f"<variable {self.name}, {self.dtype.canonical} of shape {self.shape}>"
        )

    def __getstate__(self):
        return {**self.__dict__, "_session": None, "_kept": self.numpy()}


def get_all_variables(optimizer_state: bool = True) -> dict[str, VariableValue]:
    """The variables of the session by name.

    Args:
        optimizer_state: False leaves out what the user did not make: moments of the
            optimizer, counters of steps and dynamic loss scales.

    Returns:
        Each has name, shape, dtype, trainable and numpy(), which reads its present
        value.

    Raises:
        CheckpointError: optimizer_state is no bool.
        CompileError: The compiler rejects the jobs.
    """
    arguments.bools(_fail, optimizer_state=optimizer_state)
    session = get_default_session()
    described = session.variables()
    if not optimizer_state:
        own = session.own_variables()
        described = {name: each for name, each in described.items() if name in own}
    return {name: VariableValue(session, each) for name, each in described.items()}


class LoadedVariables(typing.NamedTuple):
    """What load_variables did, as lists of names in alphabetical order."""

    loaded: list
    """Variables that have a new value."""
    missing: list
    """Variables of the user's jobs that no value was given for."""
    unused: list
    """Names that no variable of the session has."""
    missing_state: list
    """What get_all_variables counts as optimizer state and no value was given for."""


def value_for(name, value, shape, dtype):
    """The array of a variable from what a user, or a checkpoint, has for it."""
    if isinstance(value, snapshots.StoredValue) and not value.has_meta_info:
        value = value.read_as(shape, dtype)
    elif isinstance(value, (VariableValue, snapshots.StoredValue)):
        value = value.numpy()
    value = arguments.array(_fail_data, value, f"an array for variable {name}")
    if value.shape != shape or value.dtype != dtype.numpy:
        # NumPy may lack the type.
        dtypes.convert_oneflow_dtype_to_numpy_dtype(dtype)
        _fail_data(
            f"expects {dtype.numpy} of shape {shape} for variable {name} but got "
            f"{value.dtype} of shape {value.shape}"
        )
    return numpy.ascontiguousarray(value)


def load_variables(
    value_dict: Mapping[str, Any], ignore_mismatch: bool = True
) -> LoadedVariables:
    """Writes values to variables by name: all, or none if one does not fit.

    Variables without a value keep theirs.

    Args:
        value_dict: Arrays, variables of get_all_variables, or values of checkpoint.get,
            of the shapes and dtypes of the variables.
        ignore_mismatch: Whether names that no variable has are ignored.

    Returns:
        The names that were loaded, those missing in value_dict, those unused of it, and
        in missing_state the moments, counters of steps and dynamic loss scales that it
        lacks.

    Raises:
        CheckpointNotFoundError: No variable has a name, and ignore_mismatch is False.
        CheckpointError: A value does not fit.
    """
    if not isinstance(value_dict, collections.abc.Mapping):
        hint = ""
        if isinstance(value_dict, (str, os.PathLike)):
            hint = f": {names.public('checkpoint.get')} reads those of a folder"
        _fail(
            f"expects a dict of arrays by name but got {type(value_dict).__name__}{hint}"
        )
    arguments.bools(_fail, ignore_mismatch=ignore_mismatch)
    session = get_default_session()
    known = _descriptions(session)
    unused = [name for name in value_dict if name not in known]
    if unused and not ignore_mismatch:
        _fail(
            f"expects a variable of the session but got {unused[0]}",
            errors.CheckpointNotFoundError,
        )
    arrays = {
        name: value_for(name, value, *known[name])
        for name, value in value_dict.items()
        if name in known
    }
    with session.runtime(True) as runtime:
        _run(runtime.write_variables, arrays)
    missing, own = known.keys() - arrays, session.own_variables()
    return LoadedVariables(
        sorted(arrays),
        sorted(missing & own),
        sorted(unused, key=str),
        sorted(missing - own),
    )


# ===- Folders --------------------------------------------------------------===#


def get(path: Path) -> Any:
    """The values in a checkpoint, or the one in the folder of a variable.

    Needs no session. Every variable that checksums.json lists has to be there.

    Args:
        path: The folder of a checkpoint of either layout, or of a variable.

    Returns:
        Values by name, or one. Each has name, shape, dtype, file_path and numpy(),
        which reads it; load_variables takes them.

    Raises:
        CheckpointNotFoundError: There is none.
        CheckpointDataError: It is damaged.
        CheckpointIOError: The system cannot read it.
    """
    return snapshots.read(arguments.path(_fail, path, "read from"))


_NUMPY_TYPES = (
    dtypes.float32,
    dtypes.float64,
    dtypes.float16,
    dtypes.bfloat16,
    dtypes.int8,
    dtypes.int32,
    dtypes.int64,
    dtypes.uint8,
)


def _checked(name, value):
    """A value that can be saved under this name."""
    if not isinstance(name, str) or not text.is_unicode(name):
        _fail(f"expects the name of a variable but got {name!r}")
    snapshot_folders.require_folder_name(name)
    if isinstance(value, snapshots.StoredValue) and not value.has_meta_info:
        value = value.numpy()  # which says what it lacks
    if isinstance(value, (VariableValue, snapshots.StoredValue)):
        return value
    value = arguments.array(_fail_data, value, f"an array for variable {name}")
    plain = value.dtype.newbyteorder("=")
    for dtype in _NUMPY_TYPES:
        if dtype.numpy is not None and plain == dtype.numpy:
            return value.astype(dtype.numpy, copy=False)
    _fail_data(
        "expects an array of float16, bfloat16, float32, float64, int8, uint8, int32 or "
        f"int64 for variable {name} but got one of {value.dtype}"
    )


def save(path: Path, var_dict: Mapping[str, Any] | None = None) -> None:
    """Writes a checkpoint in the legacy layout to a folder.

    There is the whole checkpoint afterwards or, if there was an error, none.

    Args:
        path: A folder that does not exist or is empty.
        var_dict: Values by name, which are arrays, variables of get_all_variables or
            values of checkpoint.get; None is all variables.

    Raises:
        CheckpointExistsError: The folder is not empty.
        CheckpointIOError: The system cannot write it.
        CheckpointError: A value does not fit.
    """
    if var_dict is None:
        CheckPoint().save(path)
        return
    path = arguments.path(_fail, path, "save to")
    if not isinstance(var_dict, collections.abc.Mapping):
        _fail(f"expects a dict of arrays by name but got {type(var_dict).__name__}")
    checked = {name: _checked(name, value) for name, value in var_dict.items()}
    arrays = {
        name: numpy.asarray(
            value if isinstance(value, numpy.ndarray) else value.numpy(), order="C"
        )
        for name, value in checked.items()
    }
    save = import_runtime().save_arrays
    _run(save, path, arrays, "legacy with meta", False, classes=_SAVE_CLASSES)


@documented
class SimpleCheckPointManager:
    """Numbered checkpoints of all variables in one folder.

    One that was not finished does not count.

    Args:
        root_path: The folder, which is made if there is none.
        prefix: What precedes the number in the name of a checkpoint.

    Raises:
        CheckpointError: An argument does not fit.
    """

    def __init__(self, root_path: Path, prefix: str = "snapshot_") -> None:
        self._root = arguments.path(_fail, root_path, "keep checkpoints in")
        if not isinstance(prefix, str) or "/" in prefix or "\0" in prefix:
            _fail(f"expects the beginning of a folder's name but got {prefix!r}")
        self._prefix = prefix
        self._checkpoint = CheckPoint()
        try:
            os.makedirs(self._root, exist_ok=True)
        except OSError as error:
            snapshot_folders.fail_at(
                self._root,
                f"cannot create: {errors.reason(error)}",
                errors.CheckpointIOError,
            )

    def _numbers(self):
        """All names that begin as ours do, by number."""
        try:
            names = os.listdir(self._root)
        except OSError as error:
            snapshot_folders.fail_at(
                self._root,
                f"cannot open: {errors.reason(error)}",
                errors.CheckpointIOError,
            )
        size = len(self._prefix)
        found = [
            (int(name[size:]), name)
            for name in names
            if name.startswith(self._prefix)
            and name[size:].isascii()
            and name[size:].isdigit()
            and len(name) < 256
        ]
        return sorted(found)

    def list_checkpoints(self) -> list[str]:
        """The names of the complete checkpoints.

        Returns:
            They are in the order of their numbers.
        """
        return [
            name
            for _, name in self._numbers()
            if snapshot_folders.is_complete(os.path.join(self._root, name))
        ]

    def latest_checkpoint(self) -> str | None:
        """The name of the complete checkpoint with the largest number.

        Returns:
            None if there is none.
        """
        names = self.list_checkpoints()
        return names[-1] if names else None

    def initialize_or_restore(self) -> None:
        """Reads the latest checkpoint.

        If there is none, sets all variables to their initial values and saves them as
        the first one.

        Raises:
            CheckpointError: It cannot be read or written.
        """
        name = self.latest_checkpoint()
        if name is not None:
            self._checkpoint.load(os.path.join(self._root, name))
            return
        self._checkpoint.init()
        self.save()

    def save(self) -> None:
        """Writes a checkpoint with the next number.

        Raises:
            CheckpointError: It cannot be written.
        """
        while True:
            numbers = self._numbers()
            following = numbers[-1][0] + 1 if numbers else 0
            path = os.path.join(self._root, f"{self._prefix}{following}")
            try:
                self._checkpoint.save(path)
                return
            except errors.CheckpointExistsError:
                # Another process was faster; else the folder is not ours to write.
                if self._numbers()[-1:] == numbers[-1:]:
                    raise
