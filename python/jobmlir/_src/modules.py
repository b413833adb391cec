"""Modules: objects that a job builds once and may call several times."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import arguments, errors
from .documentation import documented
from .trace import current


@documented
class Module:
    """Base class of modules: a subclass defines forward, which a call calls.

    call_seq_no counts the calls, so that the ops of each can be named.

    Args:
        name: The name of the module; None numbers them.

    Raises:
        OutsideJobError: Called outside of a job function.
    """

    def __init__(self, name: str | None = None) -> None:
        trace = current("nn.Module")
        self._module_name = trace.layer_name(name, "Module")
        self._call_seq_no = 0

    @property
    def module_name(self) -> str:
        """The name, which is generated if none was given."""
        return self._module_name

    @property
    def call_seq_no(self) -> int:
        """The number of calls before this one."""
        return self._call_seq_no

    @documented
    def forward(self, *unused_arguments: Any) -> Any:
        """What the module computes: subclasses define it.

        Args:
            unused_arguments: What the module is called with.

        Returns:
            What the call returns.

        Raises:
            JobDefinitionError: The subclass does not define it.
        """
        current("nn.Module").fail(
            f"expects {type(self).__name__} to define forward but got none",
            errors.JobDefinitionError,
        )

    def __call__(self, *inputs, **settings):
        result = self.forward(*inputs, **settings)
        self._call_seq_no += 1
        return result


@documented
def find_or_create_module(
    module_name: str, create: Callable[[], Module], reuse: bool = False
) -> Module:
    """The module of a name in the job being traced, made at the first use.

    Args:
        module_name: The name.
        create: A function that makes the module.
        reuse: False makes a second use an error.

    Returns:
        The module.

    Raises:
        OutsideJobError: Called outside of a job function.
        JobBuildAndInferError: There is one and reuse is False, or create makes none.
    """
    trace = current("find_or_create_module")
    if not isinstance(module_name, str):
        trace.fail(f"expects the name of a module to be a str but got {module_name!r}")
    if not callable(create):
        trace.fail(f"expects a function that makes a module but got {create!r}")
    arguments.bools(trace.fail, reuse=reuse)
    known = trace.modules.get(module_name)
    if known is not None:
        if not reuse:
            trace.fail(
                f"expects a new name because reuse is False but got {module_name}, "
                "which is a module of this job already"
            )
        return known
    module = create()
    if not isinstance(module, Module):
        trace.fail(f"expects create to give an nn.Module but got {module!r}")
    trace.modules[module_name] = module
    return module
