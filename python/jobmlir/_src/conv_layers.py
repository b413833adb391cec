"""Layers of convolutions: ops together with their variables."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TypeVar

from . import arguments, conv_ops, initializers, nn_ops, windows
from .arguments import is_int
from .blob import Blob, BlobDef
from .documentation import family
from .hints import Activation, Padding, Window
from .initializers import InitializerLike
from .layers import activate
from .regularizers import Regularizer
from .reuse import reusable
from .trace import current
from .variables import get_variable

_CONVOLUTIONS = {1: conv_ops.conv1d, 2: conv_ops.conv2d, 3: conv_ops.conv3d}
_COUNTS = {1: "one int", 2: "one or two ints", 3: "one or three ints"}


def _window(fail, kernel_size, dims):
    """The extents of a filter."""
    window = [kernel_size] if is_int(kernel_size) else kernel_size
    if (
        not isinstance(window, (list, tuple))
        or len(window) not in (1, dims)
        or not all(map(is_int, window))
    ):
        fail(f"expects kernel_size to be {_COUNTS[dims]} but got {kernel_size!r}")
    return [int(size) for size in window] * (dims if len(window) == 1 else 1)


def _conv(
    dims,
    inputs,
    filters,
    kernel_size,
    convolution,
    data_format,
    activation,
    use_bias,
    kernel,
    bias,
    trainable,
    name,
):
    """A layer over `dims` spatial dimensions. `convolution` is (strides, padding,
    dilation_rate, groups), `kernel` and `bias` are (initializer, regularizer, name) of
    the variables."""
    trace = current(f"layers.conv{dims}d")
    name = trace.layer_name(name, f"Conv{dims}d")
    fail = functools.partial(trace.fail, op=name)
    last = windows.channels_last(fail, data_format, dims)
    shape = getattr(inputs, "shape", None)
    if shape is None or len(shape) != dims + 2:
        fail(f"expects inputs of {dims + 2} dimensions but got {inputs!r}")
    if not is_int(filters) or filters < 1:
        fail(f"expects filters to be a positive int but got {filters!r}")
    strides, padding, dilation_rate, groups = convolution
    if not is_int(groups) or groups < 1:
        fail(f"expects groups to be a positive int but got {groups!r}")
    arguments.bools(fail, use_bias=use_bias)
    channels = windows.split_shape(shape, last)[1]
    if filters % groups or channels % groups:
        fail(
            f"expects groups to divide {filters} filters and {channels} channels but "
            f"got {groups}"
        )
    window = _window(fail, kernel_size, dims)

    def variable(suffix, settings, shape, default):
        initializer, regularizer, full = settings
        return get_variable(
            full or f"{name}-{suffix}",
            shape=shape,
            dtype=inputs.dtype,
            initializer=default() if initializer is None else initializer,
            regularizer=regularizer,
            trainable=trainable,
            model_name=suffix,
            reuse=full is not None,
        )

    weight = variable(
        "weight",
        kernel,
        tuple(windows.join_shape(int(filters), channels // groups, window, last)),
        lambda: initializers.xavier_uniform_initializer(data_format),
    )
    out = _CONVOLUTIONS[dims](
        inputs, weight, strides, padding, data_format, dilation_rate, groups, name=name
    )
    if use_bias:
        vector = variable("bias", bias, (int(filters),), initializers.zeros_initializer)
        out = nn_ops.bias_add(out, vector, data_format, name=f"{name}-bias_add")
    return activate(trace, activation, out, name)


_F = TypeVar("_F")


def _family(inputs: str, weight: str) -> Callable[[_F], _F]:
    return family(
        returns="A blob of the layout and element type of inputs.",
        inputs=inputs,
        filters="The number K of filters, the channels of the result.",
        kernel_size="The extents of a filter: an int, or one for each spatial axis.",
        kernel_initializer="The initial value of the weight; None is "
        "xavier_uniform_initializer.",
        weight_name=f"The whole name of the weight, {weight}, to share it; None is "
        "name-weight.",
        bias_name="The whole name of the bias, (K,), to share it; None is name-bias.",
    )


_of_width = _family(
    '(N, C, W), or (N, W, C) with "NWC"; f16/bf16/f32/f64.',
    '(K, C / groups, R), or with "NWC" (K, R, C / groups)',
)
_of_images = _family(
    '(N, C, H, W), or (N, H, W, C) with "NHWC"; f16/bf16/f32/f64.',
    '(K, C / groups, R, S), or with "NHWC" (K, R, S, C / groups)',
)
_of_volumes = _family(
    '(N, C, D, H, W), or (N, D, H, W, C) with "NDHWC"; f16/bf16/f32/f64.',
    '(K, C / groups, Q, R, S), or with "NDHWC" (K, Q, R, S, C / groups)',
)


@reusable
@_of_width
def conv1d(
    inputs: BlobDef,
    filters: int,
    kernel_size: Window = 1,
    strides: Window = 1,
    padding: Padding = "VALID",
    data_format: str = "NCW",
    dilation_rate: Window | None = None,
    groups: int = 1,
    activation: Activation | None = None,
    use_bias: bool = True,
    kernel_initializer: InitializerLike | None = None,
    bias_initializer: InitializerLike | None = None,
    kernel_regularizer: Regularizer | None = None,
    bias_regularizer: Regularizer | None = None,
    trainable: bool = True,
    name: str | None = None,
    weight_name: str | None = None,
    bias_name: str | None = None,
    *,
    reuse: bool = False,
) -> Blob:
    """A one-dimensional convolution with a weight, plus a bias."""
    return _conv(
        1,
        inputs,
        filters,
        kernel_size,
        (strides, padding, dilation_rate, groups),
        data_format,
        activation,
        use_bias,
        (kernel_initializer, kernel_regularizer, weight_name),
        (bias_initializer, bias_regularizer, bias_name),
        trainable,
        name,
    )


@reusable
@_of_images
def conv2d(
    inputs: BlobDef,
    filters: int,
    kernel_size: Window = 1,
    strides: Window = 1,
    padding: Padding = "VALID",
    data_format: str = "NCHW",
    dilation_rate: Window | None = None,
    groups: int = 1,
    activation: Activation | None = None,
    use_bias: bool = True,
    kernel_initializer: InitializerLike | None = None,
    bias_initializer: InitializerLike | None = None,
    kernel_regularizer: Regularizer | None = None,
    bias_regularizer: Regularizer | None = None,
    trainable: bool = True,
    name: str | None = None,
    weight_name: str | None = None,
    bias_name: str | None = None,
    *,
    reuse: bool = False,
) -> Blob:
    """A two-dimensional convolution with a weight, plus a bias."""
    return _conv(
        2,
        inputs,
        filters,
        kernel_size,
        (strides, padding, dilation_rate, groups),
        data_format,
        activation,
        use_bias,
        (kernel_initializer, kernel_regularizer, weight_name),
        (bias_initializer, bias_regularizer, bias_name),
        trainable,
        name,
    )


@reusable
@_of_volumes
def conv3d(
    inputs: BlobDef,
    filters: int,
    kernel_size: Window = 1,
    strides: Window = 1,
    padding: Padding = "VALID",
    data_format: str = "NCDHW",
    dilation_rate: Window | None = None,
    groups: int = 1,
    activation: Activation | None = None,
    use_bias: bool = True,
    kernel_initializer: InitializerLike | None = None,
    bias_initializer: InitializerLike | None = None,
    kernel_regularizer: Regularizer | None = None,
    bias_regularizer: Regularizer | None = None,
    trainable: bool = True,
    name: str | None = None,
    weight_name: str | None = None,
    bias_name: str | None = None,
    *,
    reuse: bool = False,
) -> Blob:
    """A three-dimensional convolution with a weight, plus a bias."""
    return _conv(
        3,
        inputs,
        filters,
        kernel_size,
        (strides, padding, dilation_rate, groups),
        data_format,
        activation,
        use_bias,
        (kernel_initializer, kernel_regularizer, weight_name),
        (bias_initializer, bias_regularizer, bias_name),
        trainable,
        name,
    )
