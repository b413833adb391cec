"""Layers of convolutions: ops together with their variables."""

import functools

from . import arguments, conv_ops, initializers, nn_ops, windows
from .arguments import is_int
from .layers import activate
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


def _layer(dims, data_format, doc):
    """The function of the layer over `dims` dimensions. Its docstring is `doc` and what
    all have in common."""

    def layer(
        inputs,
        filters,
        kernel_size=1,
        strides=1,
        padding="VALID",
        data_format=data_format,
        dilation_rate=None,
        groups=1,
        activation=None,
        use_bias=True,
        kernel_initializer=None,
        bias_initializer=None,
        kernel_regularizer=None,
        bias_regularizer=None,
        trainable=True,
        name=None,
        weight_name=None,
        bias_name=None,
    ):
        return _conv(
            dims,
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

    layer.__name__ = layer.__qualname__ = f"conv{dims}d"
    layer.__doc__ = f"""{doc}

    `weight_name` and `bias_name` replace the complete names of the variables, so
    that two layers may share them. The weight is initialized by
    xavier_uniform_initializer unless an initializer is given.
    """
    return reusable(layer)


conv1d = _layer(
    1,
    "NCW",
    """One-dimensional convolution of inputs (batch, channels, width) with a weight of
    shape (filters, channels / groups, width), plus a bias; with "NWC" the channels are
    the last dimension of both.""",
)
conv2d = _layer(
    2,
    "NCHW",
    """Convolution of inputs (batch, channels, height, width) with a weight of shape
    (filters, channels / groups, height, width), plus a bias; with "NHWC" the channels
    are the last dimension of both.""",
)
conv3d = _layer(
    3,
    "NCDHW",
    """Three-dimensional convolution of inputs (batch, channels, depth, height, width)
    with a weight of shape (filters, channels / groups, depth, height, width), plus a
    bias; with "NDHWC" the channels are the last dimension of both.""",
)
