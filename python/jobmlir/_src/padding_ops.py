"""Padding of images, and its gradient as an op."""

from __future__ import annotations

from collections.abc import Sequence

from . import arguments, slices, windows
from .blob import Blob, BlobDef
from .documentation import of_op
from .hints import Number, Window
from .index_ops import padding_pairs
from .math_ops import element
from .trace import begin


@of_op
def pad_grad(
    x: BlobDef,
    paddings: Sequence[Sequence[int]],
    constant_value: Number = 0,
    name: str | None = None,
) -> Blob:
    """The gradient of pad: a blob without the elements that pad has added.

    Args:
        x: (...), any element type.
        paddings: (before, after) for each dimension, not negative.
        constant_value: That of pad; has no effect.

    Returns:
        A blob of the smaller shape, of the element type of x.
    """
    op = begin("pad_grad", name, "PadGrad")
    x = op.blob(x, "x")
    pairs = padding_pairs(op, x, paddings)
    element(op, constant_value, x.dtype)
    sizes = [extent - sum(pair) for extent, pair in zip(x.shape, pairs)]
    if min(sizes) < 1:
        op.fail(f"expects padding that {x.shape} has but got {paddings!r}")
    part = slices.Slice([pair[0] for pair in pairs], sizes, [1] * len(sizes))
    return slices.take(op, x, part)


_DIMS = {3: 1, 4: 2, 5: 3}


@of_op
def same_padding(
    x: BlobDef,
    padding: str,
    data_format: str,
    kernel_size: Window,
    strides: Window,
    dilation_rate: Window,
    name: str | None = None,
) -> Blob:
    """Images with the zeros around that a convolution would add.

    Args:
        x: (N, C, ...) or (N, ..., C), with 1 to 3 spatial axes, any element type.
        padding: "SAME_LOWER", "SAME_UPPER", or "SAME", which is "SAME_LOWER".
        data_format: Where the channels are, such as "NCHW" or "NHWC".
        kernel_size: The extents of the filter: an int, or one for each spatial axis.
        dilation_rate: The steps inside the filter: an int, or one for each spatial
            axis.

    Returns:
        A blob of the larger shape, of the element type of x.
    """
    op = begin("same_padding", name, "SamePadding")
    x = op.blob(x, "x")
    if len(x.shape) not in _DIMS:
        op.fail(f"expects x of 3, 4 or 5 dimensions but got shape {x.shape}")
    dims = _DIMS[len(x.shape)]
    image = windows.image(op, x, "x", data_format, dims)
    kind = padding.upper() if isinstance(padding, str) else padding
    arguments.one_of(op, kind, ("SAME", "SAME_LOWER", "SAME_UPPER"), "padding")
    ksize = windows.per_dimension(op, kernel_size, "kernel_size", dims)
    if min(ksize) < 1:
        op.fail(f"expects a positive kernel_size but got {kernel_size!r}")
    steps = windows.strides(op, strides, dims)
    window = windows.extents(ksize, windows.dilations(op, dilation_rate, dims))
    pads = windows.same_pads(image.space, window, steps, kind != "SAME_UPPER")
    first = 1 if image.channels_last else 2
    low, high = [0] * len(x.shape), [0] * len(x.shape)
    for axis, (before, after) in enumerate(pads, first):
        low[axis], high[axis] = before, after
    if not any(low) and not any(high):
        return x
    return op("pad", x, low=low, high=high, interior=[0] * len(x.shape), value=0.0)
