"""Convolutions over one, two and three spatial dimensions, and transposed ones.

The dialect has those over two. One dimension is a height of 1. With three, the slices
along the depth that a filter covers become channels, and the places along the depth a
part of the batch: one convolution with all terms of each sum, which are accumulated
without rounding in between.
"""

from __future__ import annotations

from . import arguments, windows
from .blob import Blob, BlobDef
from .documentation import of_op
from .hints import Padding, Shape, Window
from .trace import begin


def _groups(op, groups, x, weight):
    """The number of groups, which fits an Image and filters."""
    if not arguments.is_int(groups) or groups < 1:
        op.fail(f"expects groups to be a positive int but got {groups!r}")
    outputs, inner, _ = windows.split_shape(weight.shape, x.channels_last)
    if x.channels % groups or outputs % groups:
        op.fail(
            f"expects groups to divide {x.channels} input and {outputs} output "
            f"channels but got {groups}"
        )
    if inner != x.channels // groups:
        op.fail(
            f"expects a filter for {x.channels // groups} channels ({x.channels} in "
            f"{groups} groups) but got {inner}"
        )
    return int(groups)


def _reshaped(op, blob, shape):
    return op("reshape", blob, result=(shape, blob.dtype.mlir))


def _conv(op, input, filters, settings, data_format, groups, dims, same="SAME_LOWER"):
    """A convolution; `settings` are strides, padding and dilations."""
    x = windows.image(op, input, "input", data_format, dims)
    weight = op.blob(filters, "filters")
    if len(weight.shape) != dims + 2:
        op.fail(
            f"expects filters of {dims + 2} dimensions but got shape {weight.shape}"
        )
    strides, padding, dilations = settings
    strides = windows.strides(op, strides, dims)
    dilations = windows.dilations(op, dilations, dims)
    groups = _groups(op, groups, x, weight)
    window = windows.extents(windows.space(weight, x.channels_last), dilations)
    pads = windows.pads(op, padding, x.space, window, strides, x.channels_last, same)
    windows.check_fit(op, x.space, window, pads, x.channels_last)
    settings = (strides, pads, dilations, groups)
    return (None, _conv1d, _conv2d, _conv3d)[dims](op, x, weight, *settings)


def _conv2d(op, x, weight, strides, pads, dilations, groups):
    return op(
        "conv2d",
        x.blob,
        weight,
        strides=strides,
        padding=windows.flat_pads(pads),
        dilations=dilations,
        groups=groups,
        **windows.layout(op, x.channels_last),
    )


def _with_height(op, blob, last):
    """One spatial dimension as the width of images of height 1."""
    batch, channels, space = windows.split_shape(blob.shape, last)
    shape = windows.join_shape(batch, channels, [1, *space], last)
    return _reshaped(op, blob, shape)


def _conv1d(op, x, weight, strides, pads, dilations, groups):
    last = x.channels_last
    x = x._replace(blob=_with_height(op, x.blob, last))
    weight = _with_height(op, weight, last)
    result = _conv2d(
        op, x, weight, [1, *strides], [(0, 0), *pads], [1, *dilations], groups
    )
    batch, channels, space = windows.split_shape(result.shape, last)
    shape = windows.join_shape(batch, channels, space[1:], last)
    return _reshaped(op, result, shape)


def _padded_depth(op, blob, pad):
    """A blob with zeros before and after its dimension 1."""
    if pad == (0, 0):
        return blob
    low, high, none = ([0] * len(blob.shape) for _ in range(3))
    low[1], high[1] = pad
    return op("pad", blob, low=low, high=high, interior=none, value=0.0)


def _depth_slices(op, blob, cells, stride, dilation, count):
    """For each cell of the windows along dimension 1, the slice of all places."""
    slices = []
    for cell in range(cells):
        offsets, sizes, strides = [0] * 5, list(blob.shape), [1] * 5
        offsets[1], sizes[1], strides[1] = cell * dilation, count, stride
        slices.append(op("slice", blob, offsets=offsets, sizes=sizes, strides=strides))
    return slices


def _joined(op, parts, axis):
    return parts[0] if len(parts) == 1 else op("concat", *parts, axis=axis)


def _with_depth_in_channels(op, slices, last, groups):
    """Slices with the depth second as images whose channels are, in each group, the
    cells along the depth, each with the channels of the group."""
    batch, channels, plane = windows.split_shape(slices[0].shape[1:], last)
    rows, inner = slices[0].shape[0] * batch, channels // groups
    shape = [rows, *plane, groups, inner] if last else [rows, groups, inner, *plane]
    parts = [_reshaped(op, part, shape) for part in slices]
    images = _joined(op, parts, 4 if last else 2)
    channels *= len(slices)
    shape = windows.join_shape(rows, channels, plane, last)
    return windows.Image(
        _reshaped(op, images, shape), last, rows, channels, tuple(plane)
    )


def _filters_without_depth(op, weight, last):
    """The filters of these images."""
    if last:
        weight = op("transpose", weight, permutation=[0, 2, 3, 1, 4])
        outputs, *plane, cells, inner = weight.shape
    else:
        weight = op("transpose", weight, permutation=[0, 2, 1, 3, 4])
        outputs, cells, inner, *plane = weight.shape
    shape = windows.join_shape(outputs, cells * inner, plane, last)
    return _reshaped(op, weight, shape)


def _conv3d(op, x, weight, strides, pads, dilations, groups):
    last = x.channels_last
    cells = windows.space(weight, last)[0]
    blob = x.blob
    if not last:
        blob = op("transpose", blob, permutation=[0, 2, 1, 3, 4])
    blob = _padded_depth(op, blob, pads[0])
    covered = (cells - 1) * dilations[0] + 1
    count = (blob.shape[1] - covered) // strides[0] + 1
    slices = _depth_slices(op, blob, cells, strides[0], dilations[0], count)
    images = _with_depth_in_channels(op, slices, last, groups)
    weight = _filters_without_depth(op, weight, last)
    result = _conv2d(op, images, weight, strides[1:], pads[1:], dilations[1:], groups)
    result = _reshaped(op, result, [x.batch, count, *result.shape[1:]])
    if last:
        return result
    return op("transpose", result, permutation=[0, 2, 1, 3, 4])


@of_op
def conv1d(
    input: BlobDef,
    filters: BlobDef,
    strides: Window,
    padding: Padding,
    data_format: str = "NCW",
    dilations: Window | None = None,
    groups: int = 1,
    name: str | None = None,
) -> Blob:
    """A one-dimensional convolution. "SAME" adds the extra padding at the start.

    Args:
        input: (N, C, W), or (N, W, C) with "NWC"; f16/bf16/f32/f64.
        filters: (K, C / groups, R), or (K, R, C / groups); of the element type of
            input.

    Returns:
        (N, K, V), or (N, V, K), of the element type of input.
    """
    op = begin("nn.conv1d", name, "Conv1d")
    settings = (strides, padding, dilations)
    return _conv(op, input, filters, settings, data_format, groups, 1)


@of_op
def conv2d(
    input: BlobDef,
    filters: BlobDef,
    strides: Window,
    padding: Padding,
    data_format: str = "NCHW",
    dilations: Window | None = None,
    groups: int = 1,
    name: str | None = None,
) -> Blob:
    """A two-dimensional convolution. "SAME" adds the extra padding at the start.

    Args:
        input: (N, C, H, W), or (N, H, W, C) with "NHWC"; f16/bf16/f32/f64.
        filters: (K, C / groups, R, S), or (K, R, S, C / groups); of the element type of
            input.

    Returns:
        (N, K, U, V), or (N, U, V, K), of the element type of input.
    """
    op = begin("nn.conv2d", name, "Conv2d")
    settings = (strides, padding, dilations)
    return _conv(op, input, filters, settings, data_format, groups, 2)


@of_op
def compat_conv2d(
    input: BlobDef,
    filters: BlobDef,
    strides: Window,
    padding: Padding,
    data_format: str = "NCHW",
    dilations: Window | None = None,
    groups: int = 1,
    name: str | None = None,
) -> Blob:
    """A two-dimensional convolution. "SAME" adds the extra padding at the end.

    Args:
        input: (N, C, H, W), or (N, H, W, C) with "NHWC"; f16/bf16/f32/f64.
        filters: (K, C / groups, R, S), or (K, R, S, C / groups); of the element type of
            input.

    Returns:
        (N, K, U, V), or (N, U, V, K), of the element type of input.
    """
    op = begin("nn.compat_conv2d", name, "Conv2d")
    settings = (strides, padding, dilations)
    return _conv(op, input, filters, settings, data_format, groups, 2, "SAME_UPPER")


@of_op
def conv3d(
    input: BlobDef,
    filters: BlobDef,
    strides: Window,
    padding: Padding,
    data_format: str = "NCDHW",
    dilations: Window | None = None,
    groups: int = 1,
    name: str | None = None,
) -> Blob:
    """A three-dimensional convolution. "SAME" adds the extra padding at the start.

    Args:
        input: (N, C, D, H, W), or (N, D, H, W, C) with "NDHWC"; f16/bf16/f32/f64.
        filters: (K, C / groups, Q, R, S), or (K, Q, R, S, C / groups); of the element
            type of input.

    Returns:
        (N, K, T, U, V), or (N, T, U, V, K), of the element type of input.
    """
    op = begin("nn.conv3d", name, "Conv3d")
    settings = (strides, padding, dilations)
    return _conv(op, input, filters, settings, data_format, groups, 3)


# ===- Transposed ----------------------------------------------------------===#


def _one(op, first, second, names):
    """The one of two arguments that is given; they are aliases."""
    if (first is None) == (second is None):
        both = "neither" if first is None else "both"
        op.fail(f"expects either {names[0]} or {names[1]} but got {both}")
    return second if first is None else first


def _transposed(op, x, weight, strides, pads, dilations, space):
    """A transposed convolution with outputs of extents `space`."""
    last = x.channels_last
    outputs = windows.split_shape(weight.shape, last)[1]
    return op(
        "conv2d_data_grad",
        x.blob,
        weight,
        strides=strides,
        padding=windows.flat_pads(pads),
        dilations=dilations,
        groups=1,
        result=(windows.join_shape(x.batch, outputs, space, last), x.blob.dtype.mlir),
        **windows.layout(op, last),
    )


def _transposed_operands(op, value, filter, input, filters, data_format):
    x = windows.image(
        op, _one(op, value, input, ("value", "input")), "input", data_format, 2
    )
    weight = op.blob(_one(op, filter, filters, ("filter", "filters")), "filters")
    if len(weight.shape) != 4:
        op.fail(f"expects filters of 4 dimensions but got shape {weight.shape}")
    if weight.dtype != x.blob.dtype:
        op.fail(
            f"expects filters of {x.blob.dtype.canonical} as the input is but got "
            f"{weight.dtype.canonical}"
        )
    if weight.shape[0] != x.channels:
        op.fail(
            f"expects filters for the {x.channels} channels of the input in dimension "
            f"0 but got shape {weight.shape}"
        )
    return x, weight


@of_op
def conv2d_transpose(
    value: BlobDef | None = None,
    filter: BlobDef | None = None,
    output_shape: Shape | None = None,
    strides: Window | None = None,
    padding: Padding = "VALID",
    data_format: str = "NCHW",
    name: str | None = None,
    input: BlobDef | None = None,
    filters: BlobDef | None = None,
    dilations: Window | None = None,
) -> Blob:
    """The transpose of a two-dimensional convolution: its gradient to its input.

    "SAME" is that of compat_conv2d.

    Args:
        value: (N, K, U, V), or (N, U, V, K) with "NHWC"; f16/bf16/f32/f64: the gradient
            of the convolution's output.
        filter: (K, C, R, S), or (K, R, S, C); of the element type of value.
        output_shape: The shape of the result, of which a convolution with these
            arguments gives that of value.
        input: Another name of value.
        filters: Another name of filter.

    Returns:
        (N, C, H, W), or (N, H, W, C), of the element type of value.
    """
    op = begin("nn.conv2d_transpose", name, "Deconv2d")
    x, weight = _transposed_operands(op, value, filter, input, filters, data_format)
    last = x.channels_last
    strides = windows.strides(op, strides, 2)
    dilations = windows.dilations(op, dilations, 2)
    shape = arguments.extents(op, output_shape, "output_shape")
    if len(shape) != 4:
        op.fail(f"expects an output_shape of 4 dimensions but got {tuple(shape)}")
    batch, channels, space = windows.split_shape(shape, last)
    outputs = windows.split_shape(weight.shape, last)[1]
    if (batch, channels) != (x.batch, outputs):
        op.fail(
            f"expects an output_shape with batch {x.batch} and {outputs} channels but "
            f"got {tuple(shape)}"
        )
    window = windows.extents(windows.space(weight, last), dilations)
    pads = windows.pads(op, padding, space, window, strides, last, "SAME_UPPER")
    windows.check_fit(op, space, window, pads, last)
    given = windows.outputs(space, window, strides, pads)
    if tuple(given) != tuple(x.space):
        op.fail(
            f"expects an output_shape of which a convolution has {tuple(x.space)} "
            f"outputs but got {tuple(shape)}, of which one has {tuple(given)}"
        )
    return _transposed(op, x, weight, strides, pads, dilations, space)


@of_op
def torch_conv2d_transpose(
    value: BlobDef | None = None,
    filter: BlobDef | None = None,
    output_padding: Window | None = None,
    strides: Window | None = None,
    padding_needed: Window | None = None,
    data_format: str = "NCHW",
    name: str | None = None,
    input: BlobDef | None = None,
    filters: BlobDef | None = None,
    dilations: Window | None = None,
) -> Blob:
    """The transpose of a two-dimensional convolution, with PyTorch's arguments.

    Args:
        value: (N, K, U, V), or (N, U, V, K) with "NHWC"; f16/bf16/f32/f64.
        filter: (K, C, R, S), or (K, R, S, C); of the element type of value.
        output_padding: What is added to one side of the result, less than the stride:
            an int, or one for each axis; None is 0.
        padding_needed: The sum of the padding before and after, which is even: an int,
            or one for each axis; None is 0.
        input: Another name of value.
        filters: Another name of filter.

    Returns:
        (N, C, H, W), or (N, H, W, C), of the element type of value.
    """
    op = begin("nn.torch_conv2d_transpose", name, "Deconv2d")
    x, weight = _transposed_operands(op, value, filter, input, filters, data_format)
    strides = windows.strides(op, strides, 2)
    dilations = windows.dilations(op, dilations, 2)
    extra = windows.per_dimension(
        op, 0 if output_padding is None else output_padding, "output_padding", 2
    )
    total = windows.per_dimension(
        op, 0 if padding_needed is None else padding_needed, "padding_needed", 2
    )
    for one, stride in zip(extra, strides):
        if not 0 <= one < stride:
            op.fail(f"expects output_padding in [0, {stride}) but got {one}")
    for one in total:
        if one < 0 or one % 2:
            op.fail(
                "expects padding_needed to be even and not negative but got "
                f"{arguments.show(one)}"
            )
    window = windows.extents(windows.space(weight, x.channels_last), dilations)
    space = [
        (size - 1) * stride + extent + more - pad
        for size, stride, extent, more, pad in zip(
            x.space, strides, window, extra, total
        )
    ]
    for size, pad in zip(space, total):
        if size < 1:
            op.fail(f"expects padding_needed that leaves a result but got {pad}")
    pads = [(pad // 2, pad // 2) for pad in total]
    return _transposed(op, x, weight, strides, pads, dilations, space)
