"""Names that users look for: those of the job-function API, and what an access to a
name says that a module does not have."""

from __future__ import annotations

import functools
import importlib
import opcode
import pathlib
import sys
import types
import typing

from . import errors, frames

# Where the names of classes are that users meet only as objects.
OBJECTS = {
    "Blob": ("blob", "Blob"),
    "FunctionDesc": ("function_config", "FunctionDesc"),
    "LazyFuture": ("future", "LazyFuture"),
    "LocalMirroredTensor": ("future", "LocalMirroredTensor"),
    "LocalMirroredTensorList": ("future", "LocalMirroredTensorList"),
}

# The modules of the package that the API has in another one.
_INSIDE = {
    "grad_clipping": "optimizer.grad_clipping",
    "loss_scale": "optimizer.loss_scale",
    "warmup": "optimizer.warmup",
}

# Public modules that take long to import, which happens on first use.
_LAZY = ("jobmlir.unittest",)


# What other libraries call functions of the API.
OTHERS = {
    "BatchNorm1d": "layers.batch_normalization",
    "BatchNorm2d": "layers.batch_normalization",
    "Conv1d": "layers.conv1d",
    "Conv2d": "layers.conv2d",
    "Conv3d": "layers.conv3d",
    "ConvTranspose2d": "nn.conv2d_transpose",
    "CrossEntropyLoss": "nn.sparse_softmax_cross_entropy_with_logits",
    "Dropout": "nn.dropout",
    "Flatten": "flatten",
    "LayerNorm": "layers.layer_norm",
    "Linear": "layers.dense",
    "PReLU": "layers.prelu",
    "ReLU": "nn.relu",
    "T": "transpose",
    "Upsample": "layers.upsample_2d",
    "all": "math.reduce_all",
    "any": "math.reduce_any",
    "arange": "range",
    "astype": "cast",
    "bitwise_and": "math.logical_and",
    "bitwise_or": "math.logical_or",
    "bitwise_xor": "math.not_equal",
    "cat": "concat",
    "concatenate": "concat",
    "cross_entropy": "nn.sparse_softmax_cross_entropy_with_logits",
    "dot": "matmul",
    "hstack": "concat",
    "interpolate": "layers.upsample_2d",
    "invert": "math.logical_not",
    "linear": "layers.dense",
    "logsumexp": "math.reduce_logsumexp",
    "max": "math.reduce_max",
    "mean": "math.reduce_mean",
    "min": "math.reduce_min",
    "mse_loss": "nn.MSELoss",
    "permute": "transpose",
    "prod": "math.reduce_prod",
    "ravel": "flatten",
    "std": "math.reduce_std",
    "sum": "math.reduce_sum",
    "swapaxes": "transpose",
    "tensor": "constant",
    "type": "cast",
    "upsample": "layers.upsample_2d",
    "var": "math.reduce_variance",
    "view": "reshape",
    "vstack": "concat",
}


class Name(typing.NamedTuple):
    """One name of the API. `kind` is "", "no-effect", "refused" or "limits"."""

    section: str
    title: str
    name: str
    kind: str
    note: str


@functools.lru_cache
def reference():
    """All names of the API, by name, in the order of the reference."""
    out = {}
    path = pathlib.Path(__file__).with_name("reference.txt")
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section, _, title = line.strip("[]").partition(" ")
        elif line and not line.startswith("#"):
            name, kind, note = (line.split(" ", 2) + ["", ""])[:3]
            out[name] = Name(section, title, name, kind, note)
    return out


def _attribute(holder, name):
    """An attribute of a module, a class or an object, or None. Modules are not asked
    for names that they do not have, which they would report."""
    if isinstance(holder, types.ModuleType) and name in vars(holder):
        return vars(holder)[name]
    if isinstance(holder, types.ModuleType):
        if f"{holder.__name__}.{name}" in _LAZY:
            return importlib.import_module(f"{holder.__name__}.{name}")
        refused = reference().get(f"{_path(holder.__name__)}{name}")
        return _refuse(refused) if refused and refused.kind == "refused" else None
    return getattr(holder, name, None)


def find(name):
    """What a dotted name of the API stands for, or None."""
    first, *rest = name.split(".")
    if first in OBJECTS:
        module, cls = OBJECTS[first]
        holder = getattr(sys.modules[f"{__package__}.{module}"], cls, None)
    else:
        holder = _attribute(sys.modules["jobmlir"], first)
    if first == "FunctionConfig" and rest:
        holder = holder()
    for part in rest:
        holder = _attribute(holder, part)
    return holder


def public(name=""):
    """The dotted name of the package, or of something in it, as the user writes it."""
    package = "jobmlir"
    if sys.modules.get("oneflow") is sys.modules["jobmlir"]:
        package = "oneflow"
    return f"{package}.{name}" if name else package


def _path(module):
    """What precedes the names of a module in the reference, such as "math."."""
    inner = module.partition(".")[2]
    return _INSIDE.get(inner, inner) + "." if inner else ""


def _refuse(name):
    def function(
        *unused_arguments: typing.Any, **unused_settings: typing.Any
    ) -> typing.NoReturn:
        raise errors.UnsupportedError(
            errors.located(
                f"expects no {public(name.name)} in this version: {name.note}",
                frames.user_frames(),
            )
        )

    function.__name__ = function.__qualname__ = name.name.rpartition(".")[2]
    function.__doc__ = (
        f"Not in this version: {name.note}.\n\n"
        "Args:\n    unused_arguments: Any.\n    unused_settings: Any.\n\n"
        "Raises:\n    UnsupportedError: Always."
    )
    return function


def elsewhere(name):
    """The dotted name of the API whose last part is `name`, or None. Settings of jobs
    come behind what else has the name."""
    found = [
        known
        for known in reference()
        if known.rpartition(".")[2] == name and known.split(".")[0] not in OBJECTS
    ]
    found.sort(key=lambda known: known.startswith("FunctionConfig."))
    return next((known for known in found if find(known) is not None), None)


def meant(name):
    """The dotted name of the API that a name of OneFlow or of another library stands
    for, or None."""
    return elsewhere(name) or OTHERS.get(name)


def _similar(module, name):
    """The name that was probably meant, or None: the same name elsewhere in the
    package, or a similar one of the module."""
    if known := meant(name):
        return known
    import difflib

    here = [other for other in vars(module) if not other.startswith("_")]
    longer = sorted(other for other in here if other.startswith(f"{name}_"))
    if longer:
        return _path(module.__name__) + longer[0]
    near = difflib.get_close_matches(name, here, 1)
    return _path(module.__name__) + near[0] if near else None


def _message(module, name):
    full = _path(module.__name__) + name
    if full in reference() or any(n.startswith(full + ".") for n in reference()):
        return (
            f"expects a name that this version has but got {public(full)}, which is one "
            "of OneFlow that it lacks"
        )
    holder = public(_path(module.__name__).rstrip("."))
    near = _similar(module, name)
    hint = f": did you mean {public(near)}?" if near else ""
    return f"expects a name of {holder} but got {name}{hint}"


class Group(types.SimpleNamespace):
    """Names of the API that a name of the API has, which is no module."""

    def __init__(self, title, **attributes):
        super().__init__(**attributes)
        self._title = title

    if not typing.TYPE_CHECKING:

        def __getattr__(self, name):
            return self._unknown(name)

    def _unknown(self, name):
        if name.startswith("_"):
            raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}")
        import difflib

        here = [other for other in dir(self) if not other.startswith("_")]
        near = difflib.get_close_matches(name, here, 1)
        hint = f"{self._title}.{near[0]}" if near else meant(name)
        if hasattr(sys.modules["jobmlir"], name):
            hint = name
        hint = f": did you mean {public(hint)}?" if hint else ""
        raise errors.UnknownNameError(
            errors.located(
                f"expects a name of {public(self._title)} but got {name}{hint}",
                frames.user_frames(),
            )
        )


def _is_import(frame):
    """Whether the instruction that `frame` is at is `from module import name`."""
    code = frame.f_code.co_code
    return 0 <= frame.f_lasti < len(code) and (
        opcode.opname[code[frame.f_lasti]] == "IMPORT_FROM"
    )


def report_unknown(module_name, lazy=None):
    """Gives a public module a __getattr__ that reports names which it does not have.
    `lazy` has the modules of those that come from one which is not loaded yet. Type
    checkers do not see the __getattr__, so they report unknown names themselves."""

    def __getattr__(name):
        if lazy and name in lazy:
            return getattr(importlib.import_module(lazy[name]), name)
        if name.startswith("_"):
            raise AttributeError(f"module {module_name!r} has no attribute {name!r}")
        module = sys.modules[module_name]
        known = _attribute(module, name)
        if known is not None:
            return known
        cls = errors.UnknownNameError
        # An AttributeError would be replaced there by one without the reason.
        if _is_import(sys._getframe(1)):
            cls = errors.UnknownImportError
        raise cls(errors.located(_message(module, name), frames.user_frames()))

    sys.modules[module_name].__getattr__ = __getattr__
