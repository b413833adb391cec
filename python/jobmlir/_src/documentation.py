"""Docstrings: what many public functions have in common.

A docstring in the source has what is the function's own. Its decorator adds, where
they are missing, the parameters that mean the same everywhere and, for ops, the
errors that all ops raise. Sections are those of Google's style.
"""

from __future__ import annotations

import inspect
import typing

_F = typing.TypeVar("_F")

_TITLES = ("Args", "Returns", "Raises")

_PARAMETERS = {
    "name": "The name of the op in messages and traces; None numbers its kind.",
    "data_format": 'Where the channels are: second ("NC...") or last ("N...C").',
    "reduction": '"none" for the loss of each element, "mean" or "sum" for (1,).',
    "keepdims": "Whether the axes stay, with extent 1.",
    "strides": "The steps between windows: an int, or one for each spatial axis.",
    "ksize": "The extents of a window: an int, or one for each spatial axis.",
    "dilations": "The steps inside a window, None for 1: an int, or one for each axis.",
    "dilation_rate": "The steps inside a window, None for 1: an int, or one for each "
    "axis.",
    "padding": '"VALID", "SAME", "SAME_LOWER", "SAME_UPPER", or for each dimension '
    "(before, after), or an int for both: 0 for the batch and the channels.",
    "ceil_mode": "Whether a window that is not complete counts.",
    "groups": "How many groups the channels form, each with filters of its own.",
    "activation": "A function of a blob and a name, such as nn.relu, or None.",
    "use_bias": "Whether a bias is added.",
    "kernel_initializer": "The initial value of the weight.",
    "bias_initializer": "The initial value of the bias; None is zeros.",
    "kernel_regularizer": "What training adds to the gradient of the weight, or None.",
    "bias_regularizer": "What training adds to the gradient of the bias, or None.",
    "trainable": "Whether training jobs update the variables.",
    "model_distribute": "How several devices will store the variables.",
    "reuse": "True calls the layer of this name once more, with its variables.",
    "seed": "Makes the random numbers; None is that of the session.",
    "slice_tup_list": "(start, stop, step) for each axis; None is the default of each, "
    "or all of an axis.",
    "lr_scheduler": "The learning rate, such as PiecewiseConstantScheduler([], [0.1]).",
    "loss_scale_factor": "A factor of the losses, by which gradients are divided.",
    "loss_scale_policy": "What optimizer.loss_scale makes, or None.",
    "grad_clipping": "What optimizer.grad_clipping makes, or None.",
    "train_step_lbn": "The name of a blob with one int, which is the step of the "
    "learning rate.",
    "variables": "What it updates, as of minimize, or a function that returns it.",
    "weight_decay": "The factor of the decay; None is 0.",
    "weight_decay_includes": "Regular expressions: only variables with a match decay.",
    "weight_decay_excludes": "Regular expressions: variables with a match do "
    "not decay.",
    "beta1": "The decay of the average of gradients, in [0, 1).",
    "beta2": "The decay of the average of their squares, in [0, 1).",
    "base_lr": "The learning rate at the start.",
    "warmup": "What optimizer.warmup makes, which replaces the first steps, or None.",
    "staircase": "Whether step / steps is rounded down.",
    "ofrecord_dir": "The folder of the files.",
    "data_part_num": "The number of files.",
    "part_name_prefix": "What precedes the number in the name of a file.",
    "part_name_suffix_length": "The digits of the number, with zeros in front; -1 is "
    "without.",
}

_RAISES_OF_OPS = {
    "OutsideJobError": "Called outside of a job function.",
    "BlobValueError": "An operand is not a blob.",
    "JobBuildAndInferError": "An operand or argument does not fit.",
}


def _wrapped(text, first, others):
    """Lines of at most 88 characters, as those of the source are."""
    lines, line = [], first
    for word in text.split():
        if len(line) + len(word) > 84 and line.strip():
            lines.append(line.rstrip())
            line = others
        line += word + " "
    return [*lines, line.rstrip()]


def _split(doc):
    """The text of a docstring, and the lines of its sections."""
    lines = doc.split("\n")
    margin = min(
        (len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()),
        default=0,
    )
    lines = [lines[0], *(line[margin:].rstrip() for line in lines[1:])]
    while lines and not lines[-1]:
        lines.pop()
    sections, here = {}, []
    text = here
    for line in lines:
        if line[:-1] in _TITLES and line.endswith(":"):
            here = sections[line[:-1]] = []
        elif line or here is text:
            here.append(line)
    while not text[-1]:
        text.pop()
    return text, sections


def _entries(lines):
    """The lines of each entry of a section, by its name."""
    entries = {}
    for line in lines:
        if not line.startswith("     "):
            entry = entries[line.partition(":")[0].strip()] = []
        entry.append(line)
    return entries


def _complete(function, parameters, returns, raises):
    if function.__doc__ is None:  # python -OO
        return
    is_class = isinstance(function, type)
    code = (function.__init__ if is_class else function).__code__
    count = code.co_argcount + code.co_kwonlyargcount
    count += bool(code.co_flags & inspect.CO_VARARGS)
    count += bool(code.co_flags & inspect.CO_VARKEYWORDS)
    names = code.co_varnames[:count]
    text, sections = _split(function.__doc__)
    own = _entries(sections.get("Args", ()))
    arguments = []
    for name in names:
        if name in own:
            arguments += own[name]
        elif name in parameters:
            arguments += _wrapped(f"{name}: {parameters[name]}", "    ", "        ")
        elif name in _PARAMETERS:
            arguments += _wrapped(f"{name}: {_PARAMETERS[name]}", "    ", "        ")
    result = sections.get("Returns", ())
    if returns and not result:
        result = _wrapped(returns, "    ", "    ")
    errors = list(sections.get("Raises", ()))
    stated = _entries(errors)
    for name, why in raises.items():
        if name not in stated:
            errors += _wrapped(f"{name}: {why}", "    ", "        ")
    for title, lines in zip(_TITLES, (arguments, result, errors)):
        if lines:
            text += ["", f"{title}:", *lines]
    function.__doc__ = "\n".join(text)


def documented(function: _F) -> _F:
    """Completes the docstring of a function or a class."""
    _complete(function, {}, None, {})
    return function


def of_op(function: _F) -> _F:
    """Completes the docstring of a function that adds ops to a job."""
    _complete(function, {}, None, _RAISES_OF_OPS)
    return function


def family(returns: str, **parameters: str) -> typing.Callable[[_F], _F]:
    """What completes the docstrings of ops with these parameters and this result."""
    return family_of_values(returns, _RAISES_OF_OPS, **parameters)


def family_of_values(
    returns: str, raises: typing.Mapping[str, str] = {}, **parameters: str
) -> typing.Callable[[_F], _F]:
    """What completes the docstrings of functions that add no op."""

    def decorator(function: _F) -> _F:
        _complete(function, parameters, returns, raises)
        return function

    return decorator
