"""summary.text and summary.hparams: messages for summary.pb, and what describes
hyperparameters."""

from __future__ import annotations

import functools
import hashlib
import json
import numbers
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy

from . import arguments, errors
from . import text as texts
from .documentation import documented
from .hints import Number
from .proto_text import Enum, Message, encode

_fail = errors.failing(errors.ArgumentError)

# ===- Schemas of TensorBoard's messages -----------------------------------===#

_SHAPE = {
    "dim": (2, {"size": (1, "int"), "name": (2, "string")}),
    "unknown_rank": (3, "bool"),
}
_TENSOR = {
    "dtype": (
        1,
        Enum(
            DT_FLOAT=1,
            DT_DOUBLE=2,
            DT_INT32=3,
            DT_UINT8=4,
            DT_INT16=5,
            DT_INT8=6,
            DT_STRING=7,
            DT_INT64=9,
            DT_BOOL=10,
        ),
    ),
    "tensor_shape": (2, _SHAPE),
    "version_number": (3, "int"),
    "tensor_content": (4, "bytes"),
    "float_val": (5, "float"),
    "double_val": (6, "double"),
    "int_val": (7, "int"),
    "string_val": (8, "bytes"),
    "int64_val": (10, "int"),
    "bool_val": (11, "bool"),
}
_METADATA = {
    "plugin_data": (1, {"plugin_name": (1, "string"), "content": (2, "bytes")}),
    "display_name": (2, "string"),
    "summary_description": (3, "string"),
    "data_class": (
        4,
        Enum(
            DATA_CLASS_UNKNOWN=0,
            DATA_CLASS_SCALAR=1,
            DATA_CLASS_TENSOR=2,
            DATA_CLASS_BLOB_SEQUENCE=3,
        ),
    ),
}
_VALUE = {
    "tag": (1, "string"),
    "simple_value": (2, "float"),
    "image": (
        4,
        {
            "height": (1, "int"),
            "width": (2, "int"),
            "colorspace": (3, "int"),
            "encoded_image_string": (4, "bytes"),
        },
    ),
    "histo": (
        5,
        {
            "min": (1, "double"),
            "max": (2, "double"),
            "num": (3, "double"),
            "sum": (4, "double"),
            "sum_squares": (5, "double"),
            "bucket_limit": (6, "double"),
            "bucket": (7, "double"),
        },
    ),
    "audio": (
        6,
        {
            "sample_rate": (1, "float"),
            "num_channels": (2, "int"),
            "length_frames": (3, "int"),
            "encoded_audio_string": (4, "bytes"),
            "content_type": (5, "string"),
        },
    ),
    "node_name": (7, "string"),
    "tensor": (8, _TENSOR),
    "metadata": (9, _METADATA),
}
SUMMARY = {"value": (1, _VALUE)}

_ENTRY = {
    "key": (1, "string"),
    "value": (
        2,
        {
            "number_value": (2, "double"),
            "string_value": (3, "string"),
            "bool_value": (4, "bool"),
        },
    ),
}
_HPARAMS = {
    "version": (1, "int"),
    "session_start_info": (
        3,
        {
            "hparams": (1, _ENTRY),
            "group_name": (4, "string"),
            "start_time_secs": (5, "double"),
            "metrics": (6, _ENTRY),
        },
    ),
}


def _tensor_value(tag, plugin, content, dtype, size, elements):
    """A value of a plugin with a tensor of one dimension."""
    data = [("plugin_name", plugin)]
    if content is not None:
        data.append(("content", content))
    shape = [("dim", [("size", size)])]
    return [
        ("tag", tag),
        ("tensor", [("dtype", dtype), ("tensor_shape", shape), *elements]),
        ("metadata", [("plugin_data", data)]),
    ]


# ===- Text ----------------------------------------------------------------===#


def _require_tag(tag):
    if not isinstance(tag, str) or not tag or not texts.is_unicode(tag):
        _fail(f"expects tag to be a str of at least one character but got {tag!r}")


def text(text: Sequence[str], tag: str | None = None) -> Any:
    """A message Summary with texts, for summary.pb.

    Args:
        text: A list of texts.
        tag: The tag; None is "text".

    Returns:
        A message, of which summary.pb takes SerializeToString(), or the characters of
        str().

    Raises:
        ArgumentError: An argument does not fit.
    """
    if not isinstance(text, (list, tuple)) or not text:
        _fail(f"expects text to be a list of at least one str but got {text!r}")
    for each in text:
        if not isinstance(each, str) or not texts.is_unicode(each):
            _fail(f"expects text to be a list of str but got {each!r} in it")
    tag = "text" if tag is None else tag
    _require_tag(tag)
    strings = [("string_val", each.encode()) for each in text]
    value = _tensor_value(tag, "text", None, "DT_STRING", len(text), strings)
    return Message(SUMMARY, [("value", value)])


# ===- Hyperparameters -----------------------------------------------------===#


class _Range:
    _kind = None
    _what = None

    def __init__(self, min_value: Number, max_value: Number) -> None:
        name = type(self).__name__
        for value in (min_value, max_value):
            if not isinstance(value, self._kind) or isinstance(value, bool):
                _fail(
                    f"expects {self._what} for {name} but got {value!r}",
                    errors.ArgumentTypeError,
                )
        if not min_value <= max_value:
            _fail(
                f"expects min_value to be at most max_value for {name} but got "
                f"{min_value!r} and {max_value!r}"
            )
        self.min_value = min_value
        self.max_value = max_value


class IntegerRange(_Range):
    """The ints of a range, as the values of an HParam.

    Args:
        min_value: The least one.
        max_value: The largest one.

    Raises:
        ArgumentError: They are no ints.
    """

    _kind = numbers.Integral
    _what = "ints"


class RealRange(_Range):
    """The numbers of a range, as the values of an HParam.

    Args:
        min_value: The least one.
        max_value: The largest one.

    Raises:
        ArgumentError: They are no floats.
    """

    _kind = (float, numpy.floating)
    _what = "floats"


_KINDS = (int, float, bool, str)


@documented
class ValueSet:
    """The values of a list, as the values of an HParam.

    Args:
        values: A list of values of one type: int, float, bool or str.
        dtype: Their type; None is that of the first.

    Raises:
        ArgumentError: They do not fit.
    """

    def __init__(self, values: Sequence[Any], dtype: type[Any] | None = None) -> None:
        values = list(values)
        if dtype is None and values:
            dtype = type(values[0])
        if dtype not in _KINDS:
            _fail(f"expects dtype to be int, float, bool or str but got {dtype!r}")
        for value in values:
            if type(value) is not dtype:
                _fail(
                    f"expects values of {dtype.__name__} but got {value!r}",
                    errors.ArgumentTypeError,
                )
        self.dtype = dtype
        self.values = sorted(values)


def _require_name(what, name):
    if not isinstance(name, str) or not name or not texts.is_unicode(name):
        _fail(f"expects the name of {what} to be a str but got {name!r}")


@documented
class HParam:
    """A hyperparameter of summary.hparams.

    Args:
        name: Its name.
        dtype: What it may be: an IntegerRange, a RealRange, a ValueSet or None.

    Raises:
        ArgumentError: An argument does not fit.
    """

    def __init__(self, name: str, dtype: Any = None) -> None:
        _require_name("a hyperparameter", name)
        if not isinstance(dtype, (IntegerRange, RealRange, ValueSet, type(None))):
            _fail(
                "expects dtype to be an IntegerRange, a RealRange, a ValueSet or None "
                f"but got {dtype!r}"
            )
        self.name = name
        self.dtype = dtype


@documented
class Metric:
    """A number that hyperparameters lead to, of summary.hparams.

    Args:
        name: Its name.
        dtype: int or float.

    Raises:
        ArgumentError: An argument does not fit.
    """

    def __init__(self, name: str, dtype: type[Any] = float) -> None:
        _require_name("a metric", name)
        dtype = float if dtype is None else dtype
        if dtype not in (int, float):
            _fail(f"expects dtype to be int or float but got {dtype!r}")
        self.name = name
        self.dtype = dtype


@functools.cache
def _start_time():
    """When the program has begun with hyperparameters: one time for all messages of a
    run."""
    return time.time()


def _sorted_values(hparams):
    """The values of hyperparameters and those of metrics, by name."""
    if not isinstance(hparams, dict) or not hparams:
        _fail(
            "expects hparams to be a dict of at least one hyperparameter but got "
            f"{hparams!r}"
        )
    groups = {}, {}
    for key, value in hparams.items():
        is_metric = isinstance(key, Metric)
        name = key.name if isinstance(key, (HParam, Metric)) else key
        if not isinstance(name, str) or not name or not texts.is_unicode(name):
            _fail(
                "expects the keys of hparams to be HParam, Metric or str but got "
                f"{key!r}"
            )
        if name in groups[0] or name in groups[1]:
            _fail(f"expects each name in hparams once but got {name!r} twice")
        value = value.item() if isinstance(value, numpy.generic) else value
        valid = (int, float) if is_metric else _KINDS
        if type(value) not in valid or (
            isinstance(value, str) and not texts.is_unicode(value)
        ):
            kinds = "an int or a float" if is_metric else "an int, float, bool or str"
            _fail(
                f"expects {kinds} for {name!r} in hparams but got {value!r}",
                errors.ArgumentTypeError,
            )
        if type(value) is int and not arguments.is_finite(value):
            _fail(f"expects {name!r} in hparams to fit a float64 but got more")
        groups[is_metric][name] = value
    return groups


def _entry(name, value):
    kind = {bool: "bool_value", str: "string_value"}.get(type(value), "number_value")
    if kind == "number_value":
        value = float(value)
    return [("key", name), ("value", [(kind, value)])]


def hparams(hparams: Mapping[Any, Any]) -> Any:
    """A message Summary with hyperparameters, for summary.pb.

    Metrics are scalars of the Summary too, which TensorBoard compares runs by.

    Args:
        hparams: Values by HParam, Metric or name: int, float, bool or str, those of
            metrics int or float.

    Returns:
        A message, of which summary.pb takes SerializeToString(), or the characters of
        str().

    Raises:
        ArgumentError: A value does not fit.
    """
    values, metrics = _sorted_values(hparams)
    described = json.dumps(values, sort_keys=True, separators=(",", ":"))
    info = [("hparams", _entry(name, values[name])) for name in sorted(values)]
    info += [
        ("group_name", hashlib.sha256(described.encode()).hexdigest()),
        ("start_time_secs", _start_time()),
    ]
    info += [("metrics", _entry(name, metrics[name])) for name in metrics]
    content = encode(_HPARAMS, [("version", 0), ("session_start_info", info)])
    tag = "_hparams_/session_start_info"
    fields = [("value", _tensor_value(tag, "hparams", content, "DT_FLOAT", 0, []))]
    for name, value in metrics.items():
        fields.append(("value", [("tag", name), ("simple_value", float(value))]))
    return Message(SUMMARY, fields)
