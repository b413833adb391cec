"""Poolings over one, two and three spatial dimensions.

The dialect has those over two. One dimension is a height of 1. Three are a pooling of
the planes and then one of the depth, of which the maximum of the maxima is that of the
window, with the gradient at its first place, and the mean of the means too, since a
window has equally many cells in all of its planes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from . import arguments, windows
from .blob import Blob, BlobDef
from .documentation import family
from .hints import Padding, Window
from .trace import begin


def _reshaped(op, blob, shape):
    return op("reshape", blob, result=(shape, blob.dtype.mlir))


def _complete(sizes, ksize, strides, pads):
    """The padding with that at the end which completes the last windows; a window that
    would contain padding only is omitted."""
    out = []
    for size, window, stride, (before, after) in zip(sizes, ksize, strides, pads):
        free = size + before + after - window
        missing = -free % stride
        if missing and free + missing < size + before:
            after += missing
        out.append((before, after))
    return out


def _pool(op, kind, input, window, padding, data_format, ceil_mode, dims):
    """A pooling; `window` is ksize and strides."""
    x = windows.image(op, input, "input", data_format, dims)
    ksize = windows.per_dimension(op, window[0], "ksize", dims)
    for size in ksize:
        if size < 1:
            op.fail(f"expects a positive ksize but got {size}")
    strides = windows.strides(op, window[1], dims)
    pads = windows.pads(op, padding, x.space, ksize, strides, x.channels_last)
    windows.check_fit(op, x.space, ksize, pads, x.channels_last)
    for size, pair in zip(ksize, pads):
        if max(pair) >= size:
            op.fail(
                f"expects padding below the window of {arguments.show(size)} but got "
                f"{max(pair)}"
            )
    arguments.bools(op.fail, ceil_mode=ceil_mode)
    if ceil_mode:
        pads = _complete(x.space, ksize, strides, pads)
    pool = (None, _pool1d, _pool2d, _pool3d)[dims]
    return pool(op, kind, x, ksize, strides, pads)


def _pool2d(op, kind, x, ksize, strides, pads):
    return op(
        kind,
        x.blob,
        ksize=ksize,
        strides=strides,
        padding=windows.flat_pads(pads),
        **windows.layout(op, x.channels_last),
    )


def _as_image(op, x, batch, channels, space):
    """The elements of an Image as one of two spatial dimensions."""
    shape = windows.join_shape(batch, channels, space, x.channels_last)
    blob = _reshaped(op, x.blob, shape)
    return windows.Image(blob, x.channels_last, batch, channels, tuple(space))


def _pool1d(op, kind, x, ksize, strides, pads):
    flat = _as_image(op, x, x.batch, x.channels, [1, *x.space])
    result = _pool2d(op, kind, flat, [1, *ksize], [1, *strides], [(0, 0), *pads])
    _, _, (_, width) = windows.split_shape(result.shape, x.channels_last)
    shape = windows.join_shape(x.batch, x.channels, [width], x.channels_last)
    return _reshaped(op, result, shape)


def _pool3d(op, kind, x, ksize, strides, pads):
    last = x.channels_last
    depth, *plane = x.space
    # The depth is next to the batch or the channels, with which it is one dimension.
    outer = (x.batch * depth, x.channels) if last else (x.batch, x.channels * depth)
    planes = _as_image(op, x, *outer, plane)
    result = _pool2d(op, kind, planes, ksize[1:], strides[1:], pads[1:])
    _, _, plane = windows.split_shape(result.shape, last)
    x = x._replace(blob=result)
    if ksize[0] > 1 or strides[0] > 1:
        columns = _as_image(op, x, x.batch, x.channels, [depth, plane[0] * plane[1]])
        result = _pool2d(
            op, kind, columns, [ksize[0], 1], [strides[0], 1], [pads[0], (0, 0)]
        )
        _, _, (depth, _) = windows.split_shape(result.shape, last)
    shape = windows.join_shape(x.batch, x.channels, [depth, *plane], last)
    return _reshaped(op, result, shape)


_F = TypeVar("_F")


def _family(first: str, last: str) -> Callable[[_F], _F]:
    return family(
        returns="A blob of that layout and of the element type of input.",
        input=f"({first}) or ({last}), as data_format says; f16/bf16/f32/f64.",
        padding='"VALID", "SAME" with the extra padding at the start, "SAME_UPPER", or '
        "for each dimension (before, after), or an int for both: 0 for the batch and "
        "the channels.",
    )


_of_windows1d = _family("N, C, W", "N, W, C")
_of_windows2d = _family("N, C, H, W", "N, H, W, C")
_of_windows3d = _family("N, C, D, H, W", "N, D, H, W, C")


@_of_windows1d
def max_pool1d(
    input: BlobDef,
    ksize: Window,
    strides: Window,
    padding: Padding,
    data_format: str = "NWC",
    name: str | None = None,
) -> Blob:
    """The maximum of each window of one spatial axis."""
    op = begin("nn.max_pool1d", name, "MaxPool1D")
    window = (ksize, strides)
    return _pool(op, "max_pool2d", input, window, padding, data_format, False, 1)


@_of_windows1d
def avg_pool1d(
    input: BlobDef,
    ksize: Window,
    strides: Window,
    padding: Padding,
    data_format: str = "NCW",
    name: str | None = None,
) -> Blob:
    """The mean of each window of one spatial axis, without padding."""
    op = begin("nn.avg_pool1d", name, "AvgPool1D")
    window = (ksize, strides)
    return _pool(op, "avg_pool2d", input, window, padding, data_format, False, 1)


@_of_windows2d
def max_pool2d(
    input: BlobDef,
    ksize: Window,
    strides: Window,
    padding: Padding,
    data_format: str = "NCHW",
    ceil_mode: bool = False,
    name: str | None = None,
) -> Blob:
    """The maximum of each window of two spatial axes."""
    op = begin("nn.max_pool2d", name, "MaxPool2D")
    window = (ksize, strides)
    return _pool(op, "max_pool2d", input, window, padding, data_format, ceil_mode, 2)


@_of_windows2d
def avg_pool2d(
    input: BlobDef,
    ksize: Window,
    strides: Window,
    padding: Padding,
    data_format: str = "NCHW",
    ceil_mode: bool = False,
    name: str | None = None,
) -> Blob:
    """The mean of each window of two spatial axes, without padding."""
    op = begin("nn.avg_pool2d", name, "AvgPool2D")
    window = (ksize, strides)
    return _pool(op, "avg_pool2d", input, window, padding, data_format, ceil_mode, 2)


@_of_windows3d
def max_pool3d(
    input: BlobDef,
    ksize: Window,
    strides: Window,
    padding: Padding,
    data_format: str = "NCDHW",
    ceil_mode: bool = False,
    name: str | None = None,
) -> Blob:
    """The maximum of each window of three spatial axes."""
    op = begin("nn.max_pool3d", name, "MaxPool3D")
    window = (ksize, strides)
    return _pool(op, "max_pool2d", input, window, padding, data_format, ceil_mode, 3)


@_of_windows3d
def avg_pool3d(
    input: BlobDef,
    ksize: Window,
    strides: Window,
    padding: Padding,
    data_format: str = "NCDHW",
    ceil_mode: bool = False,
    name: str | None = None,
) -> Blob:
    """The mean of each window of three spatial axes, without padding."""
    op = begin("nn.avg_pool3d", name, "AvgPool3D")
    window = (ksize, strides)
    return _pool(op, "avg_pool2d", input, window, padding, data_format, ceil_mode, 3)
