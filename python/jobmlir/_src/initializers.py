"""Initializers of variables."""

from __future__ import annotations

import math
import typing

import numpy

from . import arguments, errors, text
from . import dtype as dtypes
from .documentation import family_of_values
from .hints import Array, DType, Number, Shape

_FAN_MODES = ("fan_in", "fan_out", "fan_avg")
_DISTRIBUTIONS = ("truncated_normal", "random_normal", "random_uniform")
# Standard deviation of a unit normal truncated at two standard deviations.
TRUNCATED_STDDEV = 0.87962566103423978

_fail = errors.failing(errors.JobBuildAndInferError)


class Initializer:
    """Base class of initializers."""

    def __repr__(self):
        return "<initializer>"

    def attribute(self, shape):
        """The initializer of a variable of this shape, in MLIR's syntax; only of one
        without `values`."""
        raise NotImplementedError

    def values(self, shape, dtype):
        """The elements of a variable as an array if they are given, or None."""
        return None

    def attribute_of(self, shape, dtype):
        """The initializer of a variable of this shape and dtype, in MLIR's syntax."""
        values = self.values(shape, dtype)
        if values is None:
            return self.attribute(shape)
        return f"#job.dense_init<{text.dense(values, dtype.mlir)}>"


# What a variable may start with: an initializer, or an array of its shape.
InitializerLike = typing.Union[Initializer, Array]


class _Fixed(Initializer):
    """An initializer whose parameters do not depend on the variable."""

    def __init__(self, mlir):
        self._text = mlir

    def attribute(self, shape):
        return self._text


class _OfArray(Initializer):
    """The elements of an array."""

    def __init__(self, array):
        self._array = array

    def values(self, shape, dtype):
        array = self._array
        if array.shape != tuple(shape):
            _fail(
                f"expects an array of shape {tuple(shape)} as the variable has but got "
                f"{array.shape}"
            )
        if array.dtype.kind not in "fiub" and array.dtype != dtypes.bfloat16.numpy:
            _fail(f"expects an array of numbers but got {array.dtype}")
        with numpy.errstate(all="ignore"):
            cast = array.astype(dtypes.convert_oneflow_dtype_to_numpy_dtype(dtype))
            if not dtype.is_float() and not (cast == array).all():
                _fail(
                    f"expects an array of ints that {dtype.canonical} can hold but got "
                    f"{array.dtype}"
                )
        return cast


def of_user(fail, value):
    """The Initializer of an argument: an initializer or a NumPy array."""
    if arguments.is_masked(value):
        fail("expects an array without a mask but got a masked array")
    if isinstance(value, numpy.ndarray):
        return _OfArray(value.copy())
    if not isinstance(value, Initializer):
        fail(
            "expects an initializer such as oneflow.zeros_initializer() but got "
            f"{value!r}"
        )
    return value


def given_or_constant(initializer, value):
    """An argument, or the initializer that it defaults to."""
    return constant_initializer(value) if initializer is None else initializer


def _number(value, what):
    return text.number(arguments.number(_fail, value, what))


_of_values = family_of_values(
    returns="What get_variable and layers take as an initializer.",
    raises={"JobBuildAndInferError": "An argument does not fit."},
    dtype="Has no effect: the element type is that of the variable.",
    data_format='The layout of the variable, such as "NHWC" for channels last.',
)


@_of_values
def constant_initializer(value: Number = 0, dtype: DType = dtypes.float) -> Initializer:
    """Every element is one number.

    Args:
        value: The number.
    """
    return _Fixed(f"#job.constant_init<{_number(value, 'value')}>")


@_of_values
def zeros_initializer(dtype: DType = dtypes.float) -> Initializer:
    """Every element is 0."""
    return constant_initializer(0, dtype)


@_of_values
def ones_initializer(dtype: DType = dtypes.float) -> Initializer:
    """Every element is 1."""
    return constant_initializer(1, dtype)


@_of_values
def random_uniform_initializer(
    minval: Number = 0, maxval: Number = 1, dtype: DType = dtypes.float
) -> Initializer:
    """Numbers of the uniform distribution in [minval, maxval].

    Args:
        minval: The lower bound.
        maxval: The upper bound, not below minval.
    """
    low, high = _number(minval, "minval"), _number(maxval, "maxval")
    return _Fixed(f"#job.random_uniform_init<min = {low}, max = {high}>")


def _normal(kind, mean, stddev):
    mean, stddev = _number(mean, "mean"), _number(stddev, "stddev")
    return f"#job.{kind}_init<mean = {mean}, stddev = {stddev}>"


@_of_values
def random_normal_initializer(
    mean: Number = 0.0, stddev: Number = 1.0, seed: None = None, dtype: None = None
) -> Initializer:
    """Numbers of a normal distribution.

    Args:
        mean: The mean.
        stddev: The standard deviation, at least 0.
        seed: None: the seed is that of the variable.
        dtype: None: the element type is that of the variable.
    """
    if seed is not None or dtype is not None:
        _fail(f"expects seed and dtype to be None but got {seed!r} and {dtype!r}")
    return _Fixed(_normal("random_normal", mean, stddev))


@_of_values
def truncated_normal_initializer(
    mean: Number = 0.0, stddev: Number = 1.0
) -> Initializer:
    """Numbers of a normal distribution, truncated at two standard deviations.

    Args:
        mean: The mean.
        stddev: The standard deviation before the truncation, at least 0.
    """
    return _Fixed(_normal("truncated_normal", mean, stddev))


@_of_values
def truncated_normal(stddev: Number = 1.0) -> Initializer:
    """Numbers of a normal distribution with mean 0, truncated at two deviations.

    Args:
        stddev: The standard deviation before the truncation, at least 0.
    """
    return truncated_normal_initializer(0.0, stddev)


def _fans(shape, channels_last):
    """(fan in, fan out) of a weight whose first dimension is outputs."""
    if len(shape) < 2:
        _fail(
            "expects a variable of at least 2 dimensions for an initializer that "
            f"scales by the fan but got shape {tuple(shape)}"
        )
    inputs = shape[-1] if channels_last else shape[1]
    window = math.prod(shape[1:-1] if channels_last else shape[2:])
    return inputs * window, shape[0] * window


def _fan(shape, mode, channels_last):
    fan_in, fan_out = _fans(shape, channels_last)
    return {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2}[
        mode
    ]


def fan(shape, mode):
    """The fan of a weight with channels first by the mode of an initializer."""
    return _fan(list(shape), mode, False)


def _channels_last(data_format):
    if not isinstance(data_format, str):
        _fail(f"expects data_format to be a str but got {data_format!r}")
    return data_format.upper().endswith("C")


def _check(value, choices, what):
    if value not in choices:
        listed = ", ".join(map(repr, choices))
        _fail(f"expects {what} to be one of {listed} but got {value!r}")


class _VarianceScaling(Initializer):
    def __init__(self, scale, mode, distribution, data_format):
        _check(mode, _FAN_MODES, "mode")
        _check(distribution, _DISTRIBUTIONS, "distribution")
        self._scale = arguments.number(_fail, scale, "scale")
        self._mode = mode
        self._distribution = distribution
        self._last = _channels_last(data_format)

    def attribute(self, shape):
        if not self._last or len(shape) <= 2:
            _fans(shape, False)
            return (
                f"#job.variance_scaling_init<scale = {text.number(self._scale)}, "
                f"mode = {self._mode}, distribution = {self._distribution}>"
            )
        # The dialect computes fans for channels-first weights.
        variance = self._scale / _fan(shape, self._mode, True)
        if self._distribution == "random_uniform":
            limit = math.sqrt(3 * variance)
            return random_uniform_initializer(-limit, limit).attribute(shape)
        stddev = math.sqrt(variance)
        if self._distribution == "truncated_normal":
            stddev /= TRUNCATED_STDDEV
        return _normal(self._distribution, 0.0, stddev)


@_of_values
def variance_scaling_initializer(
    scale: Number = 1.0,
    mode: str = "fan_in",
    distribution: str = "truncated_normal",
    data_format: str = "",
) -> Initializer:
    """Numbers with mean 0 and variance scale / fan.

    Args:
        scale: A positive factor.
        mode: "fan_in", the inputs of a unit, "fan_out", its outputs, or "fan_avg",
            their mean.
        distribution: "truncated_normal", "random_normal" or "random_uniform".
    """
    return _VarianceScaling(scale, mode, distribution, data_format)


@_of_values
def glorot_uniform_initializer(data_format: str = "") -> Initializer:
    """Numbers of a uniform distribution with variance 2 / (fan_in + fan_out).

    See Glorot and Bengio 2010.
    """
    return _VarianceScaling(1.0, "fan_avg", "random_uniform", data_format)


@_of_values
def glorot_normal_initializer(data_format: str = "") -> Initializer:
    """Numbers of a normal distribution with variance 2 / (fan_in + fan_out).

    See Glorot and Bengio 2010.
    """
    return _VarianceScaling(1.0, "fan_avg", "random_normal", data_format)


xavier_uniform_initializer = glorot_uniform_initializer
xavier_normal_initializer = glorot_normal_initializer

_GAINS = {
    "linear": lambda slope: 1.0,
    "sigmoid": lambda slope: 1.0,
    "tanh": lambda slope: 5.0 / 3,
    "relu": lambda slope: math.sqrt(2.0),
    "leaky_relu": lambda slope: math.sqrt(2.0 / (1 + slope * slope)),
}


@_of_values
def kaiming_initializer(
    shape: Shape,
    distribution: str = "random_normal",
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    negative_slope: Number = 0.0,
    data_format: str = "NCHW",
) -> Initializer:
    """Numbers with mean 0 and standard deviation gain / sqrt(fan).

    The gain is that of the nonlinearity (He et al. 2015).

    Args:
        shape: The shape of the variable.
        distribution: "random_normal" or "random_uniform".
        mode: "fan_in", "fan_out" or "fan_avg".
        nonlinearity: "linear", "sigmoid", "tanh", "relu" or "leaky_relu".
        negative_slope: The slope of "leaky_relu" below 0.
    """
    _check(distribution, ("random_normal", "random_uniform"), "distribution")
    _check(mode, _FAN_MODES, "mode")
    _check(nonlinearity, tuple(_GAINS), "nonlinearity")
    if not arguments.is_shape(shape):
        _fail(f"expects the shape of a variable as positive ints but got {shape!r}")
    if reason := arguments.too_many_elements(shape):
        _fail(reason)
    slope = arguments.number(_fail, negative_slope, "negative_slope")
    fan = _fan(list(shape), mode, _channels_last(data_format))
    stddev = _GAINS[nonlinearity](slope) / math.sqrt(fan)
    if distribution == "random_normal":
        return random_normal_initializer(0.0, stddev)
    limit = math.sqrt(3.0) * stddev
    return random_uniform_initializer(-limit, limit)


_FROM_CONF = {
    "constant_conf": (constant_initializer, {"value": "value"}),
    "constant_int_conf": (constant_initializer, {"value": "value"}),
    "random_uniform_conf": (
        random_uniform_initializer,
        {"min": "minval", "max": "maxval"},
    ),
    "random_normal_conf": (
        random_normal_initializer,
        {"mean": "mean", "std": "stddev"},
    ),
    "truncated_normal_conf": (
        truncated_normal_initializer,
        {"mean": "mean", "std": "stddev"},
    ),
}


def from_conf(conf):
    """The initializer described by a dictionary such as
    {"constant_conf": {"value": 0}}."""
    if not isinstance(conf, dict) or len(conf) != 1:
        _fail(f"expects a dict of one initializer but got {conf!r}", errors.ConfigError)
    ((kind, fields),) = conf.items()
    if kind not in _FROM_CONF:
        _fail(
            f"expects an initializer of {', '.join(_FROM_CONF)} but got {kind!r}",
            errors.ConfigError,
        )
    if not isinstance(fields, dict):
        _fail(f"expects a dict for {kind} but got {fields!r}", errors.ConfigError)
    make, names = _FROM_CONF[kind]
    for key in fields:
        if key not in names:
            _fail(
                f"expects fields {', '.join(names)} of {kind} but got {key!r}",
                errors.ConfigError,
            )
    return make(**{names[key]: value for key, value in fields.items()})
