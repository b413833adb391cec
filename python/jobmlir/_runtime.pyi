"""Loads artifacts and runs them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, final

import numpy

_Array = numpy.ndarray[Any, numpy.dtype[Any]]

__version__: str

class StatusError(Exception):
    """A failed status of the runtime."""

    code: str
    message: str
    location: str

@final
class Artifact:
    """A loaded artifact. Sessions keep it alive."""

    @staticmethod
    def load(path: str) -> Artifact:
        """Loads an artifact.

        Raises:
            StatusError: The file is missing, damaged or of another version.
        """

    @property
    def path(self) -> str:
        """The path that it was loaded from."""

    @property
    def compiler(self) -> str:
        """The version of the compiler that made it."""

    @property
    def driver(self) -> str:
        """The devices that it was compiled for: "host", "cuda:0", "host,cuda:0"."""

    @property
    def ranks(self) -> int:
        """The number of processes that run it together."""

    @property
    def bank_bytes(self) -> int:
        """The bytes of what outlives a step, variables above all, on all devices."""

    @property
    def constants_bytes(self) -> int:
        """The bytes of the constants, on all devices."""

    @property
    def entries(self) -> list[dict[str, Any]]:
        """The jobs: names, inputs and outputs."""

    @property
    def variables(self) -> list[dict[str, Any]]:
        """The variables: names, shapes and element types."""

@final
class Future:
    """The result of one call."""

    def wait(self) -> None:
        """Blocks until the step is done; raises what went wrong.

        Raises:
            StatusError: The step failed.
        """

    def done(self) -> bool:
        """Whether the step is done. Does not block."""

    def outputs(self) -> list[_Array]:
        """Copies of the outputs; after wait()."""

    def on_done(self, callback: Callable[..., object]) -> None:
        """Calls callback(future) once, on the session's callback thread."""

@final
class Session:
    """Runs the jobs of an artifact and owns their variables."""

    def __init__(
        self,
        artifact: Artifact,
        threads: int = 0,
        credits: int = 4,
        driver: str = "",
        cuda_library: str = "",
        ranks: int = 1,
        rank: int = 0,
        communicator_id: str | bytes = b"",
    ) -> None:
        """Opens the device and allocates the memory of the jobs.

        Args:
            artifact: What to run.
            threads: Threads that compute; 0 is one for each core.
            credits: How many steps may be in flight.
            driver: The driver; empty is that of the artifact.
            cuda_library: The library of CUDA; empty is libcuda.so.1.
            ranks: The number of processes that run the artifact together.
            rank: The number of this process.
            communicator_id: What create_communicator_id made in one of them.

        Raises:
            StatusError: The device is missing or has too little memory.
        """

    @property
    def threads(self) -> int:
        """The number of threads that compute."""

    def initialize(self, seed: int) -> None:
        """Sets all variables to their initial values."""

    def register_function(self, name: str, function: Callable[..., object]) -> None:
        """Registers a function that steps call on the host."""

    def submit(
        self,
        entry: str,
        inputs: Sequence[_Array],
        on_done: Callable[..., object] | None = None,
    ) -> Future:
        """Starts a step. on_done(future) is called as by Future.on_done, in the
        order of the steps.

        Raises:
            StatusError: There is no such job, or the inputs do not fit it.
        """

    def try_submit(
        self,
        entry: str,
        inputs: Sequence[_Array],
        on_done: Callable[..., object] | None = None,
    ) -> Future | None:
        """submit that returns None instead of waiting."""

    def wait_for_credit(self) -> None:
        """Blocks while submit would wait."""

    def run(self, entry: str, inputs: Sequence[_Array]) -> Future:
        """Runs a step, on this thread if none is in flight, and waits for it."""

    def call(self, entry: str, inputs: Sequence[_Array]) -> list[_Array]:
        """Runs a step; copies of its outputs."""

    def cancel(self) -> None:
        """Drops the steps that have not begun, and refuses later ones. Does not
        block."""

    def synchronize(self) -> None:
        """Blocks until all steps so far are done."""

    def read_variable(self, name: str) -> _Array:
        """A copy of the value of a variable."""

    def write_variables(self, values: Mapping[str, _Array]) -> None:
        """Writes all of the named arrays, or none."""

    def save_checkpoint(self, path: str, layout: str, replace: bool) -> None:
        """Writes all variables in the layout "native", "legacy" or "legacy with
        meta"."""

    def load_checkpoint(self, path: str) -> None:
        """Reads all variables, or none."""

    def start_trace(self, path: str, steps: int) -> None:
        """Records the steps from here on, the last `steps` of them."""

    def finish_trace(self) -> None:
        """Writes the file of the trace."""

    def memory(self) -> dict[str, Any]:
        """The bytes of the session's memory by kind; for several devices also those
        of each."""

def list_devices(driver: str, cuda_library: str = "") -> list[dict[str, str]]:
    """The devices of a driver: driver, name, target."""

def create_communicator_id(driver: str, cuda_library: str = "") -> bytes:
    """A new id for a group of ranks."""

def save_arrays(
    path: str, values: Mapping[str, _Array], layout: str, replace: bool
) -> None:
    """Writes a checkpoint of arrays by name."""

def wait_for_callbacks(seconds: float = ...) -> bool:
    """Blocks until no callback of any session is pending, or for some seconds;
    whether none is."""

def abandon_callbacks() -> None:
    """Nothing waits for callbacks any more, nor the interpreter's end for
    sessions."""

def read_idx(path: str) -> _Array:
    """The unsigned bytes of an IDX file, gzipped or not."""
