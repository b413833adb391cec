"""Builds modules of the job dialect and compiles them."""

from collections.abc import Mapping, Sequence
from typing import TypedDict, final

class _Diagnostic(TypedDict):
    """A diagnostic of the compiler. `name` is that of the op, or empty."""

    message: str
    name: str
    frames: list[_Frame]
    notes: list[_Diagnostic]

# File, line and column.
_Frame = tuple[str, int, int]
# Shape and element type, such as "f32".
_Blob = tuple[Sequence[int], str]
_Attributes = Sequence[
    tuple[str, bool | int | float | str | Sequence[int] | AttributeText]
]

version: str
# The first GPU that code is made for, such as "sm_80".
oldest_gpu: str

class DiagnosticError(Exception):
    """The compiler rejected a module. The text has all diagnostics."""

    diagnostics: list[_Diagnostic]

def check_kernel(
    text: str,
) -> tuple[list[tuple[list[int], str]], list[tuple[list[int], str]]]:
    """The blobs of the inputs and of the outputs of a kernel as MLIR text.

    Args:
        text: A func.func on tensors of static shape.

    Returns:
        (shape, element type) of each input, and of each output.

    Raises:
        DiagnosticError: The text is no kernel.
    """

def format_bytes(bytes: int) -> str:
    """Three digits and a unit, as in the reports.

    Args:
        bytes: At least 0.

    Returns:
        Such as "612 B" or "9.57 MiB", in powers of 1024.
    """

def format_count(count: int) -> str:
    """Three digits and a prefix of thousands, as in the reports.

    Args:
        count: At least 0.

    Returns:
        Such as "612" or "39.3 M".
    """

@final
class AttributeText:
    """An attribute in MLIR's syntax."""

    def __init__(self, text: str) -> None: ...

@final
class Value:
    """A blob in a function being built."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents; of a dynamic dimension, its bound."""

    @property
    def dtype(self) -> str:
        """The element type, such as "f32"."""

    @property
    def bounded_dim(self) -> int | None:
        """The dimension whose extent in the shape is a bound, or None."""

@final
class Function:
    """A job function being built. Module.function makes one."""

    @property
    def arguments(self) -> list[Value]:
        """The arguments of the function, in order."""

    def add_argument(
        self, name: str, blob: _Blob, frames: Sequence[_Frame]
    ) -> Value:
        """Appends an argument and returns it."""

    def create(
        self,
        op: str,
        operands: Sequence[Value],
        attributes: _Attributes,
        result_types: Sequence[_Blob] | None,
        name: str,
        frames: Sequence[_Frame],
    ) -> list[Value]:
        """Appends an op and checks it.

        Args:
            op: The name of the op, such as "job.add".
            operands: Values of this function.
            attributes: Names and values.
            result_types: The blobs of the results, or None to infer them.
            name: The name of the op in diagnostics and traces.
            frames: The user's frames, the innermost first.

        Returns:
            The results of the op.

        Raises:
            DiagnosticError: The op is not valid.
        """

    def import_kernel(
        self,
        kernel: str,
        gradient: str | None,
        operands: Sequence[Value],
        attributes: _Attributes,
        name: str,
        frames: Sequence[_Frame],
    ) -> list[Value]:
        """Appends the ops of a kernel as MLIR text and returns its outputs.

        Raises:
            DiagnosticError: The operands do not fit the kernel.
        """

    def finish(
        self,
        results: Sequence[Value],
        names: Sequence[str],
        structure: str,
        attributes: _Attributes,
        observers: Mapping[int, str],
        frames: Sequence[_Frame],
    ) -> None:
        """Ends the function.

        Args:
            results: The values that the function returns.
            names: A name for each result.
            structure: The nesting of the results as JSON text.
            attributes: Further attributes of the function.
            observers: What sees results, by their numbers.
            frames: The user's frames, the innermost first.

        Raises:
            DiagnosticError: The function is not valid.
        """

    def erase(self) -> None:
        """Erases the function from its module; nothing may be called after it."""

@final
class Module:
    """A module and its context."""

    def __init__(self) -> None: ...
    def create(
        self,
        op: str,
        attributes: _Attributes,
        name: str,
        frames: Sequence[_Frame],
    ) -> None:
        """Appends an op without operands to the module itself."""

    def erase_variables(self) -> None:
        """Erases all variables."""

    def function(
        self,
        name: str,
        kind: str,
        arguments: Sequence[tuple[str, _Blob]],
        frames: Sequence[_Frame],
    ) -> Function:
        """Appends a job function, of the kind "train" or "predict"."""

    def place(self, function: str, device: str, index: int) -> None:
        """Places a function on a device of the kind "cpu" or "gpu"."""

    def freeze(self, function: str, variable: str) -> None:
        """Keeps gradients in a function away from a variable."""

    def verify(self) -> None:
        """Verifies the module; a DiagnosticError if it is not valid."""

    def print(self, locations: bool = False) -> str:
        """The module as text."""

    def print_stage(self, stage: str, locations: bool = False) -> str:
        """The module after a stage as text: "job" (as built), "train", "plan" or
        "lower"."""

    def draw_stage(self, stage: str, entry: str, updates: bool) -> tuple[str, bool]:
        """An SVG picture of a stage and True, or without Graphviz its DOT text and
        False."""

    def report_memory(self, html: bool) -> str:
        """The memory of all jobs as text or as a page."""

    def explain(self, topics: Sequence[str]) -> str:
        """Why the compiler decided as it did about "fusion", "memory" or "kernels"."""

    def memory_totals(self) -> dict[str, int]:
        """The bytes that a session with all jobs needs, by kind."""

    def configure(
        self,
        *,
        cpu: str,
        features: str,
        simplify: bool,
        fuse: bool,
        packing: str,
        check_numerics: bool,
        tf32: bool,
        memory_budget: int,
        gpus: Sequence[str],
    ) -> None:
        """Sets the compiler's options for all stages. `gpus` are the targets of the
        GPUs that jobs run on, none for jobs on the CPU."""

    def compile(self, cache_directory: str) -> str:
        """Compiles through the cache and returns the artifact's path.

        Raises:
            DiagnosticError: The compiler rejected the module.
        """
