"""Layers: ops together with their variables.

A layer without a name is called after its kind: Dense, Dense_1, Dense_2 in the
order in which a job makes them. Each kind is counted apart and each job from
the start, so a training and a prediction job that build the same layers find
the same variables, whatever else one of them has.
"""

from . import array_ops, errors, initializers, math_ops, nn_ops
from .arguments import is_int
from .trace import current
from .variables import get_variable


def _no_regularizers(trace, **regularizers):
    for what, value in regularizers.items():
        if value is not None:
            trace.fail(
                f"expects {what} to be None in this version", errors.UnsupportedError
            )


def dense(
    inputs,
    units,
    activation=None,
    use_bias=True,
    kernel_initializer=None,
    bias_initializer=None,
    kernel_regularizer=None,
    bias_regularizer=None,
    trainable=True,
    name=None,
):
    """inputs times a weight of shape (units, in), transposed, plus a bias.

    More than two dimensions are taken as rows of the last one. The weight
    starts as zeros unless an initializer is given.
    """
    trace = current("layers.dense")
    name = trace.layer_name(name, "Dense")
    _no_regularizers(
        trace, kernel_regularizer=kernel_regularizer, bias_regularizer=bias_regularizer
    )
    if not is_int(units) or units < 1:
        trace.fail(f"expects units to be a positive int but got {units!r}", op=name)
    shape = getattr(inputs, "shape", None)
    if shape is None or len(shape) < 2:
        trace.fail(
            f"expects inputs of at least 2 dimensions but got {inputs!r}", op=name
        )
    units = int(units)
    rows = inputs
    if len(shape) > 2:
        rows = array_ops.reshape(inputs, [-1, shape[-1]], name=f"{name}-rows")
    weight = get_variable(
        f"{name}-weight",
        shape=(units, shape[-1]),
        dtype=inputs.dtype,
        initializer=kernel_initializer or initializers.zeros_initializer(),
        trainable=trainable,
        model_name="weight",
        reuse=False,
    )
    out = math_ops.matmul(rows, weight, transpose_b=True, name=f"{name}-matmul")
    if use_bias:
        bias = get_variable(
            f"{name}-bias",
            shape=(units,),
            dtype=inputs.dtype,
            initializer=bias_initializer or initializers.zeros_initializer(),
            trainable=trainable,
            model_name="bias",
            reuse=False,
        )
        out = nn_ops.bias_add(out, bias, name=f"{name}-bias_add")
    if activation is not None:
        out = activation(out, name=f"{name}-activation")
    if len(shape) > 2:
        out = array_ops.reshape(out, [*shape[:-1], units], name=f"{name}-unrows")
    return out


def conv2d(
    inputs,
    filters,
    kernel_size=1,
    strides=1,
    padding="VALID",
    data_format="NCHW",
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
    """Convolution with a weight of shape (filters, channels / groups, height,
    width), plus a bias.

    `weight_name` and `bias_name` replace the whole names of the variables, so
    that two layers may share them.
    """
    trace = current("layers.conv2d")
    name = trace.layer_name(name, "Conv2d")

    def fail(message, cls=errors.JobBuildAndInferError):
        trace.fail(message, cls, name)

    _no_regularizers(
        trace, kernel_regularizer=kernel_regularizer, bias_regularizer=bias_regularizer
    )
    if data_format not in ("NCHW", "NHWC"):
        fail(f'expects data_format to be "NCHW" but got {data_format!r}')
    if data_format == "NHWC":
        fail(
            'expects data_format to be "NCHW" in this version but got "NHWC"',
            errors.UnsupportedError,
        )
    shape = getattr(inputs, "shape", None)
    if shape is None or len(shape) != 4:
        fail(f"expects inputs of 4 dimensions but got {inputs!r}")
    if not is_int(filters) or filters < 1:
        fail(f"expects filters to be a positive int but got {filters!r}")
    if not is_int(groups) or groups < 1:
        fail(f"expects groups to be a positive int but got {groups!r}")
    if filters % groups or shape[1] % groups:
        fail(
            f"expects groups to divide {filters} filters and {shape[1]} channels but "
            f"got {groups}"
        )
    window = kernel_size
    if not is_int(window) and not (
        isinstance(window, (list, tuple))
        and len(window) in (1, 2)
        and all(map(is_int, window))
    ):
        fail(f"expects kernel_size to be one or two ints but got {kernel_size!r}")
    window = [window, window] if is_int(window) else [window[0], window[-1]]
    weight = get_variable(
        weight_name or f"{name}-weight",
        shape=(int(filters), shape[1] // groups, *map(int, window)),
        dtype=inputs.dtype,
        initializer=kernel_initializer
        or initializers.xavier_uniform_initializer(data_format),
        trainable=trainable,
        model_name="weight",
        reuse=weight_name is not None,
    )
    out = nn_ops.conv2d(
        inputs, weight, strides, padding, data_format, dilation_rate, groups, name=name
    )
    if use_bias:
        bias = get_variable(
            bias_name or f"{name}-bias",
            shape=(int(filters),),
            dtype=inputs.dtype,
            initializer=bias_initializer or initializers.zeros_initializer(),
            trainable=trainable,
            model_name="bias",
            reuse=bias_name is not None,
        )
        out = nn_ops.bias_add(out, bias, data_format, name=f"{name}-bias_add")
    if activation is not None:
        out = activation(out, name=f"{name}-activation")
    return out
