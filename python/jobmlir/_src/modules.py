"""Modules: objects that a job builds once and may call several times."""

from . import arguments, errors
from .trace import current


class Module:
    """Base class of modules. A subclass defines `forward`, which a call of the object
    calls; `call_seq_no` counts the calls, so that the ops of each can be named."""

    def __init__(self, name=None):
        trace = current("nn.Module")
        self._module_name = trace.layer_name(name, "Module")
        self._call_seq_no = 0

    @property
    def module_name(self):
        """The name, which is generated if none was given."""
        return self._module_name

    @property
    def call_seq_no(self):
        """The number of calls before this one."""
        return self._call_seq_no

    def forward(self, *unused_arguments):
        """What the module computes."""
        current("nn.Module").fail(
            f"expects {type(self).__name__} to define forward but got none",
            errors.JobDefinitionError,
        )

    def __call__(self, *inputs, **settings):
        result = self.forward(*inputs, **settings)
        self._call_seq_no += 1
        return result


def find_or_create_module(module_name, create, reuse=False):
    """The module of this name in the job being traced, made by `create()` at the first
    use. A second use without `reuse` is an error."""
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
