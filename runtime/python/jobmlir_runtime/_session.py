"""A session on an artifact, its calls and its variables."""

import atexit
import collections.abc
import contextlib
import json
import numbers
import os
import sys
import weakref
from typing import Any, Union

import numpy

from jobmlir_runtime import _runtime

# Of a checkpoint, an artifact, a trace, a library.
_Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]

# ===- Arguments: better errors than those of pybind11 -----------------------===#


def _int(value, what, bits=64):
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError(f"expects {what} to be an int but got {value!r}")
    if not -(2 ** (bits - 1)) <= value < 2 ** (bits - 1):
        raise ValueError(
            f"expects {what} in [-2^{bits - 1}, 2^{bits - 1}) but got {value}"
        )
    return int(value)


def _text(value, what):
    if not isinstance(value, str):
        raise TypeError(f"expects {what} to be a str but got {value!r}")
    value.encode()  # A half of a surrogate pair is an error of its own.
    return value


def _id(value):
    if not isinstance(value, bytes):
        raise TypeError(f"expects communicator_id to be bytes but got {value!r}")
    if len(value) != 128:
        raise ValueError(
            f"expects 128 bytes of communicator_id but got {len(value)}"
        )
    return value


def _path(value, what):
    if not isinstance(value, (str, bytes, os.PathLike)):
        raise TypeError(f"expects a path to {what} but got {value!r}")
    value = _text(os.fsdecode(value), "a path")
    if "\0" in value:
        raise ValueError(
            f"expects a path without null characters to {what} but got {value!r}"
        )
    return value


def _array(value, what):
    # NumPy imports masked arrays when they are first named, which takes long.
    masked = getattr(sys.modules.get("numpy.ma"), "MaskedArray", ())
    if isinstance(value, masked):
        raise TypeError(
            f"expects an array without a mask for {what} but got a masked array"
        )
    try:
        return numpy.asarray(value, order="C")
    except ValueError:  # a ragged list
        pass
    raise TypeError(f"expects an array for {what} but got {type(value).__name__}")


# ===- Results --------------------------------------------------------------===#


def _nest(structure, arrays):
    """The arrays in the containers of `structure`, the artifact's parsed
    result_structure: an index at each leaf, a tuple or a dictionary as an object
    with one member."""
    if structure is None:
        return None
    if isinstance(structure, int):
        return arrays[structure]
    if isinstance(structure, list):
        return [_nest(item, arrays) for item in structure]
    ((kind, items),) = structure.items()
    if kind == "tuple":
        return tuple(_nest(item, arrays) for item in items)
    return {key: _nest(item, arrays) for key, item in items.items()}


class _Job:
    """A job of the artifact."""

    def __init__(self, description):
        self.name = description["name"]
        self.inputs = [port["name"] for port in description["inputs"]]
        self._structure = json.loads(description["result_structure"])

    def order(self, args, kwargs):
        """The arguments as arrays, in the order of the inputs."""
        names = self.inputs[: len(args)] + list(kwargs)
        if len(args) > len(self.inputs) or sorted(names) != sorted(self.inputs):
            given = [*("positional" for _ in args), *kwargs]
            raise TypeError(
                f"job '{self.name}' expects inputs {', '.join(self.inputs) or 'none'} "
                f"but got {', '.join(given) or 'none'}"
            )
        values = [*args, *(kwargs[name] for name in self.inputs[len(args) :])]
        return [
            _array(value, f"input {name} of job '{self.name}'")
            for name, value in zip(self.inputs, values)
        ]

    def results(self, arrays):
        """The outputs, nested as in the job function."""
        return _nest(self._structure, arrays)


class Call:
    """One call in flight."""

    def __init__(self, job: _Job, future: _runtime.Future) -> None:
        self._job = job
        self._future = future

    def done(self) -> bool:
        """Whether the step has completed."""
        return self._future.done()

    def result(self) -> Any:
        """Waits for the step; returns its results or raises its error."""
        self._future.wait()
        return self._job.results(self._future.outputs())

    def on_done(self, callback: collections.abc.Callable[["Call"], object]) -> None:
        """Calls `callback(self)` once when the step is done, on the session's
        callback thread or at once when it is done already. The session's next
        synchronize() raises an exception of the callback, or it is printed at the
        program's end, which waits for all callbacks. In a forked child the
        callback is called at once, and result() tells whether the step was done."""
        if not callable(callback):
            raise TypeError(
                f"expects a function to call when done but got {callback!r}"
            )
        self._future.on_done(lambda _: callback(self))


class Session:
    """Variables, memory and threads of one artifact. Any thread may call.

    Its destruction waits for the steps in flight and their callbacks; inside a
    callback it waits for the steps alone. In a forked child every call raises an
    Error: each process creates sessions of its own."""

    def __init__(
        self,
        path: _Path,
        threads: int = 0,
        credits: int = 4,
        driver: "str | None" = None,
        cuda_library: "_Path | None" = None,
        ranks: int = 1,
        rank: int = 0,
        communicator_id: "bytes | None" = None,
    ) -> None:
        self._artifact = _runtime.Artifact.load(_path(path, "load from"))
        self._session = _runtime.Session(
            self._artifact,
            threads=_int(threads, "threads", 32),
            credits=_int(credits, "credits", 32),
            driver="" if driver is None else _text(driver, "driver"),
            cuda_library=""
            if cuda_library is None
            else _path(cuda_library, "load CUDA from"),
            ranks=_int(ranks, "ranks", 32),
            rank=_int(rank, "rank", 32),
            communicator_id=b""
            if communicator_id is None
            else _id(communicator_id),
        )
        self._jobs = {entry["name"]: _Job(entry) for entry in self._artifact.entries}
        _sessions.add(self)

    # ===- Contents of the artifact ----------------------------------------===#

    @property
    def path(self) -> str:
        """The artifact's file."""
        return self._artifact.path

    @property
    def compiler(self) -> str:
        """The compiler that wrote the artifact: "jobmlir 0.1.0, LLVM 22.1.8"."""
        return self._artifact.compiler

    @property
    def ranks(self) -> int:
        """How many ranks run the jobs together."""
        return self._artifact.ranks

    @property
    def device(self) -> str:
        """The devices that the jobs were placed on: "host", "cuda:0", or
        "host,cuda:0" for jobs on both."""
        return self._artifact.driver

    @property
    def jobs(self) -> "dict[str, dict[str, Any]]":
        """Descriptions of the jobs by name: kind, inputs, outputs, memory, devices,
        and how many kernels, library calls and operations a call has."""
        return {entry["name"]: entry for entry in self._artifact.entries}

    @property
    def variables(self) -> "dict[str, dict[str, Any]]":
        """Descriptions of the variables by name: shape, dtype, trainable."""
        return {item["name"]: item for item in self._artifact.variables}

    @property
    def threads(self) -> int:
        """The number of threads that compute."""
        return self._session.threads

    def memory(self) -> "dict[str, Any]":
        """Bytes by kind, and their total; with several devices, also by device."""
        return self._session.memory()

    # ===- Functions --------------------------------------------------------===#

    def register(
        self, name: str, function: collections.abc.Callable[..., object]
    ) -> None:
        """Registers a function for the commands that call `name`
        (plan.host_call), until the end of the session. It gets the buffers of
        the command as arrays of its own, in order; arrays of buffers that the
        command writes are copied back, and those that it only writes begin with
        zeros. An exception ends the step, and the call raises an Error with its
        text and the user's line; a KeyboardInterrupt is raised in the main
        thread instead. It must not call the session."""
        if not callable(function):
            raise TypeError(
                f"expects a function to register but got {function!r}"
            )
        self._session.register_function(
            _text(name, "the name of a function"), lambda *arrays: function(*arrays)
        )

    # ===- Steps ------------------------------------------------------------===#

    def _find(self, name):
        job = self._jobs.get(_text(name, "the name of a job"))
        if job is None:
            # Raises the runtime's error for an unknown name.
            self._session.call(name, [])
        return job

    def run(self, job: str, /, *args: Any, **kwargs: Any) -> Any:
        """Runs one step of a job; its results as numpy arrays. Inputs go by
        position or by name."""
        job = self._find(job)
        return job.results(self._session.call(job.name, job.order(args, kwargs)))

    def submit(self, job: str, /, *args: Any, **kwargs: Any) -> Call:
        """Queues one step and returns a Call. Blocks while `credits` steps are in
        flight."""
        job = self._find(job)
        return Call(job, self._session.submit(job.name, job.order(args, kwargs)))

    def cancel(self) -> None:
        """Drops all work that has not begun: calls in flight whose step has
        not begun raise an Error of code "cancelled", and so does every later
        call of a job. The running step is completed, and variables can be
        read, written and saved as before. Does not block."""
        self._session.cancel()

    def synchronize(self) -> None:
        """Blocks until all steps queued so far and their callbacks are done.
        Raises the first error that was not raised yet."""
        self._session.synchronize()

    @contextlib.contextmanager
    def trace(self, path: _Path, steps: int = 100) -> collections.abc.Iterator[None]:
        """Traces the steps inside the `with` block to a file for Perfetto; keeps
        the last `steps` steps."""
        self._session.start_trace(
            _path(path, "write the trace to"), _int(steps, "steps")
        )
        try:
            yield
        finally:
            self._session.finish_trace()

    # ===- Variables --------------------------------------------------------===#

    def init(self, seed: int = 1) -> None:
        """Sets all variables to their initial values."""
        self._session.initialize(_int(seed, "seed"))

    def read(self, name: str) -> "numpy.ndarray[Any, Any]":
        """A copy of a variable, after every step queued so far."""
        return self._session.read_variable(_text(name, "the name of a variable"))

    def write(self, values: collections.abc.Mapping[str, Any]) -> None:
        """Writes arrays to variables by name: all, or none if one does not fit."""
        if not isinstance(values, collections.abc.Mapping):
            raise TypeError(
                f"expects a dict of arrays by name but got {type(values).__name__}"
            )
        self._session.write_variables(
            {
                _text(name, "the name of a variable"): _array(value, f"variable {name}")
                for name, value in values.items()
            }
        )

    def save(
        self, path: _Path, layout: str = "native", replace: bool = False
    ) -> None:
        """Writes all variables to a folder that does not exist or is empty, or
        with `replace` is a checkpoint. "native" is one safetensors file and a
        manifest, "legacy" one folder per variable; both have checksums."""
        if not isinstance(replace, (bool, numpy.bool_)):
            raise TypeError(f"expects replace to be a bool but got {replace!r}")
        self._session.save_checkpoint(
            _path(path, "save to"), _text(layout, "layout"), bool(replace)
        )

    def restore(self, path: _Path) -> None:
        """Reads all variables of a checkpoint of either layout: all, or none if
        one is missing or does not fit."""
        self._session.load_checkpoint(_path(path, "restore from"))


# The sessions to synchronize when the program ends.
_sessions = weakref.WeakSet()


@atexit.register
def _report_unseen_errors():
    _runtime.wait_for_callbacks()
    for session in list(_sessions):
        try:
            session.synchronize()
        except _runtime.StatusError as error:
            sys.excepthook(type(error), error, error.__traceback__)


# A forked child cannot use the sessions of its parent.
os.register_at_fork(after_in_child=_sessions.clear)


def load(
    path: _Path,
    threads: int = 0,
    credits: int = 4,
    driver: "str | None" = None,
    cuda_library: "_Path | None" = None,
    ranks: int = 1,
    rank: int = 0,
    communicator_id: "bytes | None" = None,
) -> Session:
    """A session on the artifact `path`. `threads` is the most that compute a
    step, 0 the number of cores that this process may use (affinity and quota of
    its cgroup); all sessions share one pool of them, and results do not depend
    on it. `driver` is "host", "cuda:1" and so on, by default the device that the
    jobs were placed on (for jobs on several devices one for each, with commas), and
    `cuda_library` the library of CUDA, by default what the environment variable
    JOBMLIR_CUDA_LIBRARY names, otherwise libcuda.so.1.

    All variables are 0 until init() or restore() sets them, or write() some.

    An artifact for several ranks is loaded once for each rank, on a device of its
    own, with the number of `ranks`, this `rank` and one `communicator_id` of
    create_communicator_id() for all. Blocks until all ranks are being loaded:
    ranks of one process need a thread each."""
    return Session(
        path, threads, credits, driver, cuda_library, ranks, rank, communicator_id
    )


def create_communicator_id(
    driver: str = "cuda", cuda_library: "_Path | None" = None
) -> bytes:
    """A new id for a group of ranks, as bytes, which one rank makes and the others
    get by any means."""
    return _runtime.create_communicator_id(
        driver=_text(driver, "driver"),
        cuda_library=""
        if cuda_library is None
        else _path(cuda_library, "load CUDA from"),
    )
