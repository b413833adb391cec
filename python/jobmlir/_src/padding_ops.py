"""Padding of images, and its gradient as an op."""

from . import arguments, slices, windows
from .index_ops import padding_pairs
from .math_ops import element
from .trace import begin


def pad_grad(x, paddings, constant_value=0, name=None):
    """The gradient of `pad`: `x` without (before, after) elements of each
    dimension."""
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


def same_padding(
    x, padding, data_format, kernel_size, strides, dilation_rate, name=None
):
    """Images of one, two or three spatial dimensions with the zeros around that a
    convolution with this padding, "SAME_LOWER" or "SAME_UPPER", would add ("SAME" is
    "SAME_LOWER")."""
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
