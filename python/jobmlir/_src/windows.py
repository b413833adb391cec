"""Windows of convolutions and poolings over one, two or three spatial dimensions:
data formats, strides and padding.

The ops of the dialect have two spatial dimensions. One is a height of 1; of three, the
depth is handled by the caller.
"""

import typing

from . import arguments, errors

FORMATS = {1: ("NCW", "NWC"), 2: ("NCHW", "NHWC"), 3: ("NCDHW", "NDHWC")}

# The limit of the dialect.
_MAX_STRIDE = 2**31 - 1


class Image(typing.NamedTuple):
    """A batch of images: the blob, whether the channels are last, and the extents of
    batch, channels and space."""

    blob: object
    channels_last: bool
    batch: int
    channels: int
    space: tuple


def channels_last(fail, data_format, dims):
    """Whether the channels are the last dimension of a data format."""
    first, last = FORMATS[dims]
    known = data_format.upper() if isinstance(data_format, str) else None
    if known not in (first, last):
        fail(f'expects data_format to be "{first}" or "{last}" but got {data_format!r}')
    return known == last


def split_shape(shape, last):
    """(batch, channels, space) of a shape with the channels last or second."""
    if last:
        return shape[0], shape[-1], shape[1:-1]
    return shape[0], shape[1], shape[2:]


def join_shape(batch, channels, space, last):
    """The shape with the channels last or second."""
    if last:
        return [batch, *space, channels]
    return [batch, channels, *space]


def image(op, value, what, data_format, dims):
    """The Image of an argument."""
    last = channels_last(op.fail, data_format, dims)
    blob = op.blob(value, what)
    if len(blob.shape) != dims + 2:
        op.fail(f"expects {what} of {dims + 2} dimensions but got shape {blob.shape}")
    return Image(blob, last, *split_shape(blob.shape, last))


def space(image, last):
    """The spatial extents of a filter, whose dimensions are those of images."""
    return split_shape(image.shape, last)[2]


def layout(op, last):
    """The attributes that tell a dialect op which dimension has the channels."""
    return {"layout": op.text("#job<layout nhwc>")} if last else {}


# Names of one, two or more values, for messages.
_COUNTS = {1: "one value", 2: "one or two values", 3: "one or three values"}


def per_dimension(op, value, what, dims):
    """One int per spatial dimension from an int, or a list of one or of all."""
    if arguments.is_int(value):
        value = [value]
    if not isinstance(value, (list, tuple)) or not all(map(arguments.is_int, value)):
        op.fail(f"expects {what} to be an int or a list of ints but got {value!r}")
    if len(value) not in (1, dims):
        op.fail(f"expects {_COUNTS[dims]} of {what} but got {len(value)}")
    return [int(one) for one in value] * (dims if len(value) == 1 else 1)


def strides(op, value, dims):
    """A stride per spatial dimension."""
    out = per_dimension(op, value, "strides", dims)
    for stride in out:
        if not 1 <= stride <= _MAX_STRIDE:
            op.fail(
                f"expects strides in [1, {_MAX_STRIDE}] but got "
                f"{arguments.show(stride)}"
            )
    return out


def dilations(op, value, dims):
    """A positive dilation per spatial dimension; None is 1."""
    out = per_dimension(op, 1 if value is None else value, "dilations", dims)
    for dilation in out:
        if dilation < 1:
            op.fail(f"expects positive dilations but got {dilation}")
    return out


def extents(sizes, dilated):
    """The extents of windows of `sizes` cells."""
    return [(size - 1) * by + 1 for size, by in zip(sizes, dilated)]


def same_pads(sizes, windows, steps, extra_first):
    """(before, after) in each dimension such that the output has size / stride
    elements, rounded up; if the sum is odd, the extra element is before or after."""
    pads = []
    for size, window, stride in zip(sizes, windows, steps):
        total = max((-(-size // stride) - 1) * stride + window - size, 0)
        small, large = total // 2, total - total // 2
        pads.append((large, small) if extra_first else (small, large))
    return pads


def _listed_pads(op, padding, dims, last):
    """The pairs of the spatial dimensions in a list of pairs for all dimensions, of
    which an int is one with itself."""

    def pair(value):
        if arguments.is_int(value):
            return value, value
        return tuple(value) if isinstance(value, (list, tuple)) else ()

    pairs = list(map(pair, padding)) if isinstance(padding, (list, tuple)) else []
    if len(pairs) != dims + 2 or not all(
        len(p) == 2 and all(arguments.is_int(e) for e in p) for p in pairs
    ):
        op.fail(
            "expects padding to be a str, or an int or a pair of ints for each of "
            f"{dims + 2} dimensions but got {padding!r}"
        )
    batch, channels, inner = split_shape(pairs, last)
    if batch != (0, 0) or channels != (0, 0):
        op.fail(
            "expects no padding of the batch and the channels but got "
            f"{[batch, channels]}"
        )
    for before, after in inner:
        if before < 0 or after < 0:
            op.fail(f"expects padding that is not negative but got {padding!r}")
    return [(int(before), int(after)) for before, after in inner]


def pads(op, padding, sizes, windows, steps, last, same="SAME_LOWER"):
    """(before, after) in each spatial dimension from the user's argument."""
    if not isinstance(padding, str):
        return _listed_pads(op, padding, len(sizes), last)
    kind = padding.upper()
    if kind == "SAME":
        kind = same
    if kind == "VALID":
        return [(0, 0)] * len(sizes)
    if kind not in ("SAME_LOWER", "SAME_UPPER"):
        op.fail(
            "expects padding to be VALID, SAME, SAME_LOWER or SAME_UPPER but "
            f"got {padding!r}"
        )
    return same_pads(sizes, windows, steps, kind == "SAME_LOWER")


def check_fit(op, sizes, windows, padded, last):
    """Reports a window that is larger than input and padding."""
    for dim, (size, window, (before, after)) in enumerate(zip(sizes, windows, padded)):
        if window > size + before + after:
            op.fail(
                f"expects a window of at most {size + before + after} (input and "
                f"padding) but got {arguments.show(window)} in dimension "
                f"{dim + (1 if last else 2)}",
                errors.JobBuildAndInferError,
            )


def outputs(sizes, windows, steps, padded):
    """The number of windows in each dimension."""
    return [
        (size + sum(pair) - window) // stride + 1
        for size, window, stride, pair in zip(sizes, windows, steps, padded)
    ]


def flat_pads(padded):
    """(top, left, bottom, right), as the dialect has it, from two pairs."""
    (top, bottom), (left, right) = padded
    return [top, left, bottom, right]
