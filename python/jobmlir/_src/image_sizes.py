"""Changes of the size of images."""

from __future__ import annotations

import numpy

from . import arguments, array_ops, windows
from .blob import Blob, BlobDef
from .documentation import of_op
from .hints import Window
from .math_ops import round_to, widen
from .trace import begin


def _factor(op, value, what):
    if not arguments.is_int(value) or value < 1:
        op.fail(f"expects {what} to be a positive int but got {value!r}")
    return int(value)


def _reshaped(op, x, shape):
    return op("reshape", x, result=(shape, x.dtype.mlir))


def shuffle_pixels(op, x, factors):
    """Channels (c, i, j) of NCHW as pixels (i, j) of channel c, as a part of the call
    `op`."""
    batch, channels, height, width = x.shape
    down, across = factors
    outputs = channels // (down * across)
    x = _reshaped(op, x, [batch, outputs, down, across, height, width])
    x = op("transpose", x, permutation=[0, 1, 4, 2, 5, 3])
    return _reshaped(op, x, [batch, outputs, height * down, width * across])


def _pixel_shuffle(op, input, factors):
    x = op.blob(input, "input")
    if len(x.shape) != 4:
        op.fail(f"expects input of 4 dimensions but got shape {x.shape}")
    count = factors[0] * factors[1]
    if x.shape[1] % count:
        op.fail(
            f"expects a multiple of {count} channels to shuffle but got {x.shape[1]}"
        )
    return shuffle_pixels(op, x, factors)


@of_op
def PixelShuffle(input: BlobDef, upscale_factor: int, name: str | None = None) -> Blob:
    """Channels as pixels.

    Args:
        input: (N, C * R * R, H, W), any element type, where R is upscale_factor.
        upscale_factor: The factor of the height and the width.

    Returns:
        (N, C, H * R, W * R), of the element type of input.
    """
    op = begin("nn.PixelShuffle", name, "PixelShuffle")
    factor = _factor(op, upscale_factor, "upscale_factor")
    return _pixel_shuffle(op, input, (factor, factor))


@of_op
def PixelShufflev2(
    input: BlobDef,
    h_upscale_factor: int,
    w_upscale_factor: int,
    name: str | None = None,
) -> Blob:
    """Channels as pixels, with a factor for the height and one for the width.

    Args:
        input: (N, C * R * S, H, W), any element type.
        h_upscale_factor: The factor R of the height.
        w_upscale_factor: The factor S of the width.

    Returns:
        (N, C, H * R, W * S), of the element type of input.
    """
    op = begin("nn.PixelShufflev2", name, "PixelShufflev2")
    return _pixel_shuffle(
        op,
        input,
        (
            _factor(op, h_upscale_factor, "h_upscale_factor"),
            _factor(op, w_upscale_factor, "w_upscale_factor"),
        ),
    )


# ===- Interpolation -------------------------------------------------------===#


def _repeated(op, x, axis, factor):
    """Each element along `axis` `factor` times."""
    shape = list(x.shape)
    spread = [*shape[: axis + 1], factor, *shape[axis + 1 :]]
    dims = [dim for dim in range(len(spread)) if dim != axis + 1]
    x = op("broadcast_in_dim", x, dims=dims, result=(spread, x.dtype.mlir))
    shape[axis] *= factor
    return _reshaped(op, x, shape)


def _shifted(op, x, axis, by):
    """`x` moved by one place along `axis`, with the element at the end twice."""

    def part(start, count):
        offsets, sizes = [0] * len(x.shape), list(x.shape)
        offsets[axis], sizes[axis] = start, count
        ones = [1] * len(sizes)
        return op("slice", x, offsets=offsets, sizes=sizes, strides=ones)

    extent = x.shape[axis]
    if extent == 1:
        return x
    if by > 0:
        return op("concat", part(0, 1), part(0, extent - 1), axis=axis)
    return op("concat", part(1, extent - 1), part(extent - 1, 1), axis=axis)


def _interpolated(op, x, axis, factor):
    """Linear interpolation along `axis`: place o of the result is at
    (o + 1/2) / factor - 1/2, and past an end it is the element there."""
    if factor == 1:
        return x
    places = (numpy.arange(factor) + 0.5) / factor - 0.5
    shape = [*x.shape[: axis + 1], factor, *x.shape[axis + 1 :]]
    dims = [dim for dim in range(len(shape)) if dim != axis + 1]
    kind = x.dtype.mlir
    terms = []
    for blob, weights in (
        (_shifted(op, x, axis, 1), numpy.maximum(-places, 0)),
        (x, 1 - numpy.abs(places)),
        (_shifted(op, x, axis, -1), numpy.maximum(places, 0)),
    ):
        spread = op("broadcast_in_dim", blob, dims=dims, result=(shape, kind))
        weights = array_ops.array_constant(op, weights, x.dtype)
        weights = op("broadcast_in_dim", weights, dims=[axis + 1], result=(shape, kind))
        terms.append(op("mul", spread, weights))
    total = op("add", op("add", terms[0], terms[1]), terms[2])
    shape = list(x.shape)
    shape[axis] *= factor
    return _reshaped(op, total, shape)


@of_op
def upsample_2d(
    x: BlobDef,
    size: Window = (2, 2),
    data_format: str = "NCHW",
    interpolation: str = "nearest",
    name: str | None = None,
) -> Blob:
    """Images enlarged by int factors.

    Args:
        x: (N, C, H, W), or (N, H, W, C) with "NHWC"; f16/bf16/f32/f64, or any element
            type for "nearest".
        size: The factors (R, S) of height and width, or one for both.
        data_format: "NCHW" or "NHWC".
        interpolation: "nearest", which repeats pixels, or "bilinear", which
            interpolates between the centres of pixels and repeats those at the border.

    Returns:
        (N, C, H * R, W * S), or with the channels last, of the element type of x.
    """
    op = begin("layers.upsample_2d", name, "Upsample2D")
    image = windows.image(op, x, "x", data_format, 2)
    factors = windows.per_dimension(op, size, "size", 2)
    for factor in factors:
        _factor(op, factor, "each size")
    arguments.one_of(op, interpolation, ("nearest", "bilinear"), "interpolation")
    first = 1 if image.channels_last else 2
    if interpolation == "nearest":
        result = image.blob
        for axis, factor in enumerate(factors, first):
            if factor > 1:
                result = _repeated(op, result, axis, factor)
        return result
    if not image.blob.dtype.is_float():
        op.fail(
            f"expects x to be a blob of floats but got {image.blob.dtype.canonical}"
        )
    result = widen(op, image.blob)
    for axis, factor in enumerate(factors, first):
        result = _interpolated(op, result, axis, factor)
    return round_to(op, result, image.blob)
