"""image.CropMirrorNormalize: the host crops what it decodes, the job computes the
rest."""

from __future__ import annotations

from . import arguments
from . import dtype as dtypes
from . import image_files as files
from .blob import Blob, BlobDef
from .documentation import of_op
from .hints import DType, Number, Numbers
from .host_graph import (
    HostBlob,
    Node,
    Problem,
    SourceBlob,
    dense,
    host_value,
    items,
)
from .image_ops import color_space_of
from .image_pixels import channel_numbers
from .math_ops import broadcast, truth
from .readers import positive
from .trace import begin

_LAYOUTS = ("NCHW", "NHWC")


def _offset(extent, size, place):
    return int((extent - size) * place)


def _host_crop(op, blob, height, width, channels, places):
    """A SourceBlob of the parts of images that the host has."""
    node, count = host_value(op, blob, "input_blob")
    shape = (height, width, channels)

    def part(_, image):
        files.check_image(image)
        if image.shape[2] != channels or image.dtype != dtypes.uint8.numpy:
            raise Problem(
                f"expects an image of uint8 with {channels} channels but got "
                f"{image.dtype} of shape {image.shape}"
            )
        if image.shape[0] < height or image.shape[1] < width:
            raise Problem(
                f"expects an image of at least ({height}, {width}) to crop but got "
                f"{image.shape[:2]}"
            )
        top = _offset(image.shape[0], height, places[0])
        left = _offset(image.shape[1], width, places[1])
        return files.crop(image, (top, left, height, width))

    def compute(batch, values):
        return dense(items(values).map(part), shape, dtypes.uint8.numpy)

    return SourceBlob(op, Node(op, (node,), compute), (count, *shape), dtypes.uint8)


def _crop(op, blob, crop_h, crop_w, channels, places):
    """Images of uint8 with one size, (batch, height, width, channels)."""
    if isinstance(blob, HostBlob):
        if blob.dtype != dtypes.tensor_buffer:
            op.fail(f"expects input_blob to be images but got {blob.not_a_blob()}")
        if not crop_h or not crop_w:
            op.fail(
                "expects crop_h and crop_w of images of any size but got "
                f"{crop_h} and {crop_w}"
            )
        return _host_crop(op, blob, crop_h, crop_w, channels, places)
    blob = op.blob(blob, "input_blob")
    if len(blob.shape) != 4 or blob.dtype != dtypes.uint8:
        op.fail(
            "expects input_blob of uint8 and shape (batch, height, width, channels) but "
            f"got {blob.dtype.canonical} of {blob.shape}"
        )
    count, height, width, has = blob.shape
    if has != channels:
        op.fail(f"expects {channels} channels of input_blob but got {has}")
    size = (crop_h or height, crop_w or width)
    if size[0] > height or size[1] > width:
        op.fail(f"expects a crop of at most {(height, width)} but got {size}")
    if size == (height, width):
        return blob
    if isinstance(blob, SourceBlob):
        return _host_crop(op, blob, *size, channels, places)
    offsets = [
        0,
        _offset(height, size[0], places[0]),
        _offset(width, size[1], places[1]),
    ]
    return op(
        "slice",
        blob,
        offsets=[*offsets, 0],
        sizes=[count, *size, channels],
        strides=[1] * 4,
    )


def _mirror(op, x, flags):
    """`x` with the images for which a flag is set from right to left."""
    count, _, width, _ = x.shape
    flags = op.blob(flags, "mirror_blob")
    if flags.dtype != dtypes.int8 or flags.shape not in ((count,), (count, 1)):
        op.fail(
            f"expects mirror_blob of int8 and shape {(count,)} or {(count, 1)} but got "
            f"{flags.dtype.canonical} of {flags.shape}"
        )
    backwards = ", ".join(map(str, range(width - 1, -1, -1)))
    order = op("constant", value=op.text(f"dense<[{backwards}]> : tensor<{width}xi32>"))
    flipped = op("gather", x, order, axis=2, batch_dims=0)
    chosen = op("reshape", flags, result=((count, 1, 1, 1), flags.dtype.mlir))
    chosen = broadcast(op, truth(op, chosen), x.shape)
    return op("select", chosen, flipped, x)


def _channel_constant(op, values, x):
    """A blob of the shape of `x`, (batch, height, width, channels)."""
    values = [float(value) for value in values] * (x.shape[3] // len(values))
    listed = ", ".join(f"{value:.9e}" for value in values)
    constant = op(
        "constant", value=op.text(f"dense<[{listed}]> : tensor<{len(values)}xf32>")
    )
    return op("broadcast_in_dim", constant, dims=[3], result=(x.shape, "f32"))


@of_op
def CropMirrorNormalize(
    input_blob: BlobDef,
    mirror_blob: BlobDef | None = None,
    color_space: str = "BGR",
    output_layout: str = "NCHW",
    crop_h: int = 0,
    crop_w: int = 0,
    crop_pos_y: Number = 0.5,
    crop_pos_x: Number = 0.5,
    mean: Numbers = (0.0,),
    std: Numbers = (1.0,),
    output_dtype: DType = dtypes.float32,
    name: str | None = None,
) -> Blob:
    """(x - mean) / std of a part of each image, some from right to left.

    The part begins at int((height - crop_h) * crop_pos_y), and so on.

    Args:
        input_blob: A tensor buffer of images of uint8, or a blob of u8 (N, H, W, C).
        mirror_blob: i8, (N,) or (N, 1), such as that of random.CoinFlip: images with a
            1 are mirrored; None is none.
        color_space: "GRAY" has one channel, "BGR" and "RGB" have three.
        output_layout: "NCHW" or "NHWC".
        crop_h: The height of the part; 0, of a blob only, is all of it.
        crop_w: The width of the part; 0, of a blob only, is all of it.
        crop_pos_y: Where the part is, in [0, 1].
        crop_pos_x: Where the part is, in [0, 1].
        mean: A number for each channel, or one for all.
        std: A number for each channel, or one for all.
        output_dtype: float32, float16, bfloat16 or float64.

    Returns:
        (N, C, crop_h, crop_w), or (N, crop_h, crop_w, C), of output_dtype.
    """
    op = begin("image.CropMirrorNormalize", name, "CropMirrorNormalize")
    if not isinstance(input_blob, BlobDef):
        op.fail(f"expects input_blob to be images but got {input_blob!r}")
    channels = files.channels_of(color_space_of(op, color_space))
    arguments.one_of(op, output_layout, _LAYOUTS, "output_layout")
    crop_h = positive(op, crop_h, "crop_h", 0)
    crop_w = positive(op, crop_w, "crop_w", 0)
    places = []
    for what, value in (("crop_pos_y", crop_pos_y), ("crop_pos_x", crop_pos_x)):
        places.append(arguments.number(op.fail, value, what))
        if not 0 <= places[-1] <= 1:
            op.fail(f"expects {what} in [0, 1] but got {value!r}")
    mean, std = channel_numbers(op, mean, "mean"), channel_numbers(op, std, "std")
    for what, values in (("mean", mean), ("std", std)):
        if values.size not in (1, channels):
            op.fail(f"expects one or {channels} values of {what} but got {values.size}")
    if 0 in std:
        op.fail(f"expects std without zeros but got {std.tolist()}")
    dtypes.require_mlir(output_dtype, f"op {op.name}")
    if not output_dtype.is_float():
        op.fail(f"expects output_dtype to be a float but got {output_dtype.canonical}")
    x = _crop(op, input_blob, crop_h, crop_w, channels, places)
    if mirror_blob is not None:
        x = _mirror(op, x, mirror_blob)
    x = op("cast", x, result=(x.shape, "f32"))
    x = op("sub", x, _channel_constant(op, mean, x))
    x = op("mul", x, _channel_constant(op, 1 / std, x))
    if output_layout == "NCHW":
        x = op("transpose", x, permutation=[0, 3, 1, 2])
    if output_dtype != dtypes.float32:
        x = op("cast", x, result=(x.shape, output_dtype.mlir))
    return x
