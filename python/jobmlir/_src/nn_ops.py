"""Convolution, pooling, activations, dropout and the cross entropy."""

from . import arguments, errors, micro_steps
from .math_ops import leaky_relu, relu
from .trace import begin

__all__ = [
    "avg_pool2d",
    "bias_add",
    "compat_conv2d",
    "conv2d",
    "dropout",
    "leaky_relu",
    "max_pool2d",
    "relu",
    "sparse_softmax_cross_entropy_with_logits",
]

# ===- Windows -------------------------------------------------------------===#

# The limit of the dialect.
_MAX_STRIDE = 2**31 - 1


def check_data_format(op, data_format):
    """Channels first is the only supported layout."""
    if data_format not in ("NCHW", "NHWC"):
        op.fail(f'expects data_format to be "NCHW" but got {data_format!r}')
    if data_format == "NHWC":
        op.fail(
            'expects data_format to be "NCHW" in this version but got "NHWC"',
            errors.UnsupportedError,
        )


def _same_padding(input_size, window, strides, extra_first):
    """(top, left, bottom, right) such that the output has input / stride elements,
    rounded up; if the sum is odd, the extra element is first or last."""
    begin_pad, end_pad = [], []
    for extent, size, stride in zip(input_size, window, strides):
        cells = -(-extent // stride)
        total = max((cells - 1) * stride + size - extent, 0)
        small, large = total // 2, total - total // 2
        begin_pad.append(large if extra_first else small)
        end_pad.append(small if extra_first else large)
    return begin_pad + end_pad


def _padding(op, padding, input_size, window, strides, same="SAME_LOWER"):
    """(top, left, bottom, right) from the user's argument."""
    if isinstance(padding, str):
        kind = padding.upper()
        if kind == "SAME":
            kind = same
        if kind == "VALID":
            return [0, 0, 0, 0]
        if kind not in ("SAME_LOWER", "SAME_UPPER"):
            op.fail(
                "expects padding to be VALID, SAME, SAME_LOWER or SAME_UPPER but "
                f"got {padding!r}"
            )
        return _same_padding(input_size, window, strides, kind == "SAME_LOWER")
    pairs = (
        [tuple(p) if isinstance(p, (list, tuple)) else () for p in padding]
        if (isinstance(padding, (list, tuple)))
        else []
    )
    if len(pairs) != 4 or not all(
        len(p) == 2 and all(arguments.is_int(e) for e in p) for p in pairs
    ):
        op.fail(
            "expects padding to be a str or a pair of ints for each of 4 dimensions "
            f"but got {padding!r}"
        )
    if pairs[0] != (0, 0) or pairs[1] != (0, 0):
        op.fail(
            "expects no padding of the batch and the channels but got "
            f"{list(pairs[:2])}"
        )
    return [int(pairs[2][0]), int(pairs[3][0]), int(pairs[2][1]), int(pairs[3][1])]


def _image(op, value, what):
    blob = op.blob(value, what)
    if len(blob.shape) != 4:
        op.fail(f"expects {what} of 4 dimensions but got shape {blob.shape}")
    return blob


def _strides(op, value):
    strides = arguments.pair(op, value, "strides")
    for stride in strides:
        if not 1 <= stride <= _MAX_STRIDE:
            op.fail(
                f"expects strides in [1, {_MAX_STRIDE}] but got "
                f"{arguments.show(stride)}"
            )
    return strides


# ===- Convolution ---------------------------------------------------------===#


def _conv2d(op, input, filters, strides, padding, data_format, dilations, groups, same):
    check_data_format(op, data_format)
    x = _image(op, input, "input")
    weight = _image(op, filters, "filters")
    strides = _strides(op, strides)
    dilations = arguments.pair(op, 1 if dilations is None else dilations, "dilations")
    if not arguments.is_int(groups) or groups < 1:
        op.fail(f"expects groups to be a positive int but got {groups!r}")
    window = [
        (size - 1) * dilation + 1 for size, dilation in zip(weight.shape[2:], dilations)
    ]
    return op(
        "conv2d",
        x,
        weight,
        strides=strides,
        padding=_padding(op, padding, x.shape[2:], window, strides, same),
        dilations=dilations,
        groups=int(groups),
    )


def conv2d(
    input,
    filters,
    strides,
    padding,
    data_format="NCHW",
    dilations=None,
    groups=1,
    name=None,
):
    """Two-dimensional convolution. "SAME" adds the extra padding at the start."""
    op = begin("nn.conv2d", name, "Conv2d")
    return _conv2d(
        op,
        input,
        filters,
        strides,
        padding,
        data_format,
        dilations,
        groups,
        "SAME_LOWER",
    )


def compat_conv2d(
    input,
    filters,
    strides,
    padding,
    data_format="NCHW",
    dilations=None,
    groups=1,
    name=None,
):
    """Two-dimensional convolution. "SAME" adds the extra padding at the end."""
    op = begin("nn.compat_conv2d", name, "Conv2d")
    return _conv2d(
        op,
        input,
        filters,
        strides,
        padding,
        data_format,
        dilations,
        groups,
        "SAME_UPPER",
    )


# ===- Pooling -------------------------------------------------------------===#


def _pool2d(op, kind, input, ksize, strides, padding, data_format, ceil_mode):
    check_data_format(op, data_format)
    x = _image(op, input, "input")
    ksize = arguments.pair(op, ksize, "ksize")
    strides = _strides(op, strides)
    pads = _padding(op, padding, x.shape[2:], ksize, strides)
    arguments.bools(op.fail, ceil_mode=ceil_mode)
    if ceil_mode:
        for axis in (0, 1):
            free = x.shape[2 + axis] + pads[axis] + pads[2 + axis] - ksize[axis]
            # Padding at the end that completes the last window.
            missing = -free % strides[axis]
            # A window that would contain padding only is omitted.
            if missing and free + missing < x.shape[2 + axis] + pads[axis]:
                pads[2 + axis] += missing
    return op(kind, x, ksize=ksize, strides=strides, padding=pads)


def max_pool2d(
    input, ksize, strides, padding, data_format="NCHW", ceil_mode=False, name=None
):
    """The maximum of each window."""
    op = begin("nn.max_pool2d", name, "MaxPool2D")
    return _pool2d(
        op, "max_pool2d", input, ksize, strides, padding, data_format, ceil_mode
    )


def avg_pool2d(
    input, ksize, strides, padding, data_format="NCHW", ceil_mode=False, name=None
):
    """The mean of each window's elements that are not padding."""
    op = begin("nn.avg_pool2d", name, "AvgPool2D")
    return _pool2d(
        op, "avg_pool2d", input, ksize, strides, padding, data_format, ceil_mode
    )


# ===- The rest ------------------------------------------------------------===#


def bias_add(value, bias, data_format=None, name=None):
    """Adds a vector along the channels: axis 1, or the last one when
    data_format ends in C."""
    op = begin("nn.bias_add", name, "BiasAdd")
    x, bias = op.blob(value, "value"), op.blob(bias, "bias")
    if data_format is not None and not isinstance(data_format, str):
        op.fail(f"expects data_format to be a str but got {data_format!r}")
    last = data_format is not None and data_format.upper().endswith("C")
    axis = len(x.shape) - 1 if last else 1
    if axis >= len(x.shape) or bias.shape != (x.shape[axis],):
        op.fail(
            f"expects a bias for axis {axis} of shape {x.shape} but got {bias.shape}"
        )
    spread = op(
        "broadcast_in_dim", bias, dims=[axis], result=(x.shape, bias.dtype.mlir)
    )
    return op("add", x, spread)


def dropout(x, rate, noise_shape=None, seed=None, name=None):
    """Zeroes elements with probability `rate` and divides the others by
    1 - rate. The identity in a prediction job."""
    op = begin("nn.dropout", name, "Dropout")
    x = op.blob(x, "x")
    if noise_shape is not None:
        op.fail("expects noise_shape to be None", errors.UnsupportedError)
    rate = arguments.scalar(rate)
    if not arguments.is_number(rate) or not 0 <= rate < 1:
        op.fail(f"expects a rate in [0, 1) but got {rate!r}")
    if seed is not None and (not arguments.is_int(seed) or name is None):
        op.fail(
            f"expects an int and a name with the seed but got {seed!r} and {name!r}"
        )
    if op.trace.kind != "train" or rate == 0:
        return x
    return op(
        "dropout",
        x,
        micro_steps.random_step(op, x),
        rate=float(rate),
        seed=op.trace.module_trace.seed if seed is None else int(seed),
        id=op.trace.random_id(op.name),
    )


def sparse_softmax_cross_entropy_with_logits(labels, logits, name=None):
    """Cross entropy of logits and class labels, one per row."""
    op = begin(
        "nn.sparse_softmax_cross_entropy_with_logits",
        name,
        "SparseSoftmaxCrossEntropy",
    )
    labels, logits = op.blob(labels, "labels"), op.blob(logits, "logits")
    rows = logits.shape[:-1]
    if len(labels.shape) == len(logits.shape) and labels.shape == (*rows, 1) and rows:
        labels = op("reshape", labels, result=(rows, labels.dtype.mlir))
    return op("sparse_softmax_cross_entropy", logits, labels)
