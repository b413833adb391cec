"""Images of several sizes as one blob, and arithmetic of pixels on the host."""

from __future__ import annotations

import numpy

from . import arguments
from . import dtype as dtypes
from . import image_files as files
from .blob import Blob, BlobDef
from .documentation import of_op
from .hints import DType, Numbers, Shape
from .host_graph import Node, Problem, SourceBlob, host_value, items
from .image_ops import buffer_of, each_image
from .readers import positive
from .trace import begin


@of_op
def batch_align(
    images: BlobDef, shape: Shape, dtype: DType, alignment: int, name: str | None = None
) -> Blob:
    """One blob of images of several sizes, with zeros around them.

    Each image is at its top left. The blob always has the whole shape.

    Args:
        images: A tensor buffer (N,) of images.
        shape: (height, width, channels), at least those of each image.
        dtype: The element type of the result.
        alignment: What the height and the width of each image are rounded up to a
            multiple of.

    Returns:
        (N,) + shape, of dtype.

    Raises:
        ArgumentTypeError: dtype is no element type.
        UnsupportedError: dtype is none that blobs have.
    """
    op = begin("image.batch_align", name, "ImageBatchAlign")
    node, count = host_value(op, images, "images")
    if not arguments.is_shape(shape) or len(shape) != 3:
        op.fail(f"expects shape to be three positive ints but got {shape!r}")
    shape = tuple(map(int, shape))
    dtypes.require_mlir(dtype, f"op {op.name}")
    step = positive(op, alignment, "alignment")

    def compute(batch, values):
        out = numpy.zeros((count, *shape), dtype.numpy)

        def place(index, image):
            files.check_image(image)
            height, width, channels = image.shape
            aligned = (-(-height // step) * step, -(-width // step) * step, channels)
            if channels != shape[2] or aligned[0] > shape[0] or aligned[1] > shape[1]:
                raise Problem(
                    f"expects an image of at most {shape} but got {image.shape}, "
                    f"which is {aligned} with alignment {step}"
                )
            out[index, :height, :width] = image

        items(values).map(place)
        return out

    return SourceBlob(op, Node(op, (node,), compute), (count, *shape), dtype)


@of_op
def normalize(
    image: BlobDef, std: Numbers, mean: Numbers, name: str | None = None
) -> BlobDef:
    """(image - mean) / std of each image.

    Args:
        image: A tensor buffer (N,) of images (H, W, C).
        std: A number for each channel, or one for all.
        mean: A number for each channel, or one for all.

    Returns:
        A tensor buffer of f32.
    """
    op = begin("image.normalize", name, "ImageNormalize")
    node, count = host_value(op, image, "image")
    mean = channel_numbers(op, mean, "mean")
    std = channel_numbers(op, std, "std")
    if 0 in std:
        op.fail(f"expects std without zeros but got {list(std)}")

    def run(batch, index, array):
        for what, values in (("mean", mean), ("std", std)):
            if values.size not in (1, array.shape[2]):
                raise Problem(
                    f"expects {array.shape[2]} values of {what}, one per channel, but "
                    f"got {values.size}"
                )
        return (array.astype(numpy.float32) - mean) / std

    return buffer_of(op, node, count, each_image(run))[0]


def channel_numbers(op, value, what):
    """An array of float32 with a number per channel, or one for all."""
    listed = list(value) if isinstance(value, (list, tuple, numpy.ndarray)) else [value]
    if not listed:
        op.fail(f"expects {what} to have a number per channel but got none")
    numbers = [
        arguments.number(op.fail, each, f"each value of {what}") for each in listed
    ]
    with numpy.errstate(over="ignore"):
        out = numpy.array(numbers, numpy.float32)
    if not numpy.isfinite(out).all():
        op.fail(f"expects values of {what} that float32 can hold but got {numbers}")
    return out


_FLIPS = (0x00, 0x01, 0x10, 0x11)


@of_op
def flip(image: BlobDef, flip_code: int | BlobDef, name: str | None = None) -> BlobDef:
    """Images mirrored.

    Args:
        image: A tensor buffer (N,) of images (H, W, C).
        flip_code: 0 for not, 1 for left to right, 16 for top to bottom, 17 for both, or
            a blob of i8 (N,), one for each image, which a reader or an argument gives.

    Returns:
        A tensor buffer of the element type of image.
    """
    op = begin("image.flip", name, "ImageFlip")
    node, count = host_value(op, image, "image")
    inputs = ()
    if arguments.is_int(flip_code):
        arguments.one_of(op, flip_code, _FLIPS, "flip_code")
    else:
        code, _ = host_value(op, flip_code, "flip_code")
        if flip_code.shape != (count,):
            op.fail(f"expects flip_code of shape {(count,)} but got {flip_code.shape}")
        inputs = (code,)

    def compute(batch, values, codes=None):
        def run(index, array):
            files.check_image(array)
            code = flip_code if codes is None else int(codes[index])
            if code not in _FLIPS:
                raise Problem(f"expects a flip code of 0, 1, 16 or 17 but got {code}")
            array = array[:, ::-1] if code & 0x01 else array
            return array[::-1] if code & 0x10 else array

        return batch.map(run, items(values))

    return buffer_of(op, node, count, compute, inputs)[0]
