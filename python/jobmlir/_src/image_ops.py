"""Decoding, cropping and resizing of images on the host."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from . import arguments, errors
from . import dtype as dtypes
from . import image_files as files
from .blob import Blob, BlobDef
from .documentation import of_op
from .hints import DType, Path
from .host_graph import (
    HostBlob,
    Node,
    Problem,
    SourceBlob,
    dense,
    host_value,
    items,
    records,
)
from .readers import feature_name, positive, read_records, single_bytes
from .trace import begin

IMAGES = "image.Resize, image.CropMirrorNormalize or image.batch_align"
_OLD_INTERPOLATIONS = {
    "Linear": "bilinear",
    "Cubic": "bicubic",
    "NN": "nearest_neighbor",
}


def require_pillow(op):
    """An error at the user's line if images cannot be decoded."""
    if reason := files.pillow_or_reason():
        op.fail(reason, errors.UnsupportedError)


def color_space_of(op, value):
    """A color space in upper case."""
    if not isinstance(value, str) or value.upper() not in files.COLOR_SPACES:
        listed = ", ".join(map(repr, files.COLOR_SPACES))
        op.fail(f"expects color_space to be one of {listed} but got {value!r}")
    return value.upper()


def buffer_of(op, node, count, compute, inputs=()):
    """The HostBlob of images, one for each example, that `compute` makes."""
    made = Node(op, (node, *inputs), compute)
    return HostBlob(op, made, (count,), dtypes.tensor_buffer, IMAGES), made


def each_image(function):
    """The `compute` of a Node that makes an image of each image."""

    def compute(batch, values):
        def checked(index, image):
            files.check_image(image)
            return function(batch, index, image)

        return batch.map(checked, items(values))

    return compute


# ===- Decoders ------------------------------------------------------------===#


class _RandomCrop:
    """The arguments of random crops, and the crop of one image."""

    def __init__(self, op, num_attempts, seed, random_area, random_aspect_ratio):
        self._attempts = positive(op, num_attempts, "num_attempts")
        if seed is not None and not arguments.is_int(seed):
            op.fail(f"expects seed to be None or an int but got {seed!r}")
        # The original takes -1 for none.
        self._seed = None if seed is None or seed == -1 else int(seed)
        self._area = self._range(op, random_area, (0.08, 1.0), "random_area", 1)
        self._ratio = self._range(
            op, random_aspect_ratio, (0.75, 4 / 3), "random_aspect_ratio", None
        )

    @staticmethod
    def _range(op, value, default, what, most):
        value = default if value is None else value
        if not isinstance(value, (list, tuple)) or len(value) != 2:
            op.fail(f"expects {what} to be two numbers but got {value!r}")
        low, high = (arguments.number(op.fail, each, what) for each in value)
        if not 0 < low <= high or (most and high > most):
            limits = "0 < low <= high" + (f" <= {most}" if most else "")
            op.fail(f"expects {what} to be (low, high), {limits}, but got {value!r}")
        return low, high

    def __call__(self, batch, node, index, image):
        window = files.random_window(
            batch.draws(self._seed, node, index),
            *image.shape[:2],
            self._attempts,
            self._area,
            self._ratio,
        )
        return files.crop(image, window)


def _decoder(api, prefix, input_blob, blob_name, color_space, name, random=None):
    """The decoder of images in records; `random` are the arguments of a _RandomCrop."""
    op = begin(api, name, prefix)
    node = records(op, input_blob, "input_blob")
    key = feature_name(op, blob_name)
    color = color_space_of(op, color_space)
    crop = _RandomCrop(op, *random) if random else None
    require_pillow(op)

    def compute(batch, parsed):
        def decode(index, record):
            image = files.decode(single_bytes(record, key), color)
            return crop(batch, made, index, image) if crop else image

        return batch.map(decode, parsed)

    blob, made = buffer_of(op, node, input_blob.shape[0], compute)
    return blob


@of_op
def OFRecordImageDecoder(
    input_blob: BlobDef,
    blob_name: str,
    color_space: str = "BGR",
    name: str | None = None,
) -> BlobDef:
    """The images in a feature of each record, decoded.

    Pillow decodes (JPEG, PNG, WebP, BMP, ...); EXIF data turn images upright. A file
    that it cannot decode is an error of the call whose step needs it.

    Args:
        input_blob: Records of shape (N,).
        blob_name: The name of the feature.
        color_space: "BGR", "RGB" or "GRAY", which has one channel.

    Returns:
        A tensor buffer of shape (N,), with an array of uint8 (H, W, C) for each record.

    Raises:
        UnsupportedError: Pillow is not installed.
    """
    return _decoder(
        "data.OFRecordImageDecoder",
        "OFRecordImageDecoder",
        input_blob,
        blob_name,
        color_space,
        name,
    )


@of_op
def OFRecordImageDecoderRandomCrop(
    input_blob: BlobDef,
    blob_name: str,
    color_space: str = "BGR",
    num_attempts: int = 10,
    seed: int | None = None,
    random_area: Sequence[float] = (0.08, 1.0),
    random_aspect_ratio: Sequence[float] = (0.75, 1.333333),
    name: str | None = None,
) -> BlobDef:
    """A random part of each image in a feature of each record, decoded.

    The part depends on the seed, the names of job and op, and the place of the example
    in the data only.

    Args:
        input_blob: Records of shape (N,).
        blob_name: The name of the feature.
        color_space: "BGR", "RGB" or "GRAY", which has one channel.
        num_attempts: How many random sizes are tried before the largest that fits.
        random_area: The least and the largest share of the image's area.
        random_aspect_ratio: The least and the largest width by height.

    Returns:
        A tensor buffer of shape (N,), with an array of uint8 (H, W, C) for each record.

    Raises:
        UnsupportedError: Pillow is not installed.
    """
    return _decoder(
        "data.OFRecordImageDecoderRandomCrop",
        "OFRecordImageDecoderRandomCrop",
        input_blob,
        blob_name,
        color_space,
        name,
        (num_attempts, seed, random_area, random_aspect_ratio),
    )


@of_op
def random_crop(
    input_blob: BlobDef,
    num_attempts: int = 10,
    seed: int | None = None,
    random_area: Sequence[float] | None = None,
    random_aspect_ratio: Sequence[float] | None = None,
    name: str | None = None,
) -> BlobDef:
    """A random part of each image.

    Args:
        input_blob: A tensor buffer of images (H, W, C).
        num_attempts: How many random sizes are tried before the largest that fits.
        random_area: The least and the largest share of the image's area; None is (0.08,
            1).
        random_aspect_ratio: The least and the largest width by height; None is (0.75, 4
            / 3).

    Returns:
        A tensor buffer of the shape and element type of input_blob.
    """
    op = begin("image.random_crop", name, "ImageRandomCrop")
    node, count = host_value(op, input_blob, "input_blob")
    crop = _RandomCrop(op, num_attempts, seed, random_area, random_aspect_ratio)
    blob, made = buffer_of(
        op,
        node,
        count,
        each_image(lambda batch, index, image: crop(batch, made, index, image)),
    )
    return blob


@of_op
def decode(
    images_bytes_buffer: BlobDef,
    dtype: DType = dtypes.uint8,
    color_space: str = "BGR",
    name: str | None = None,
) -> BlobDef:
    """The images in a tensor buffer of encoded files, decoded.

    As by data.OFRecordImageDecoder.

    Args:
        images_bytes_buffer: A tensor buffer (N,) of bytes, as of
            data.OFRecordBytesDecoder.
        dtype: uint8, or a float with the same numbers.
        color_space: "BGR", "RGB" or "GRAY", which has one channel.

    Returns:
        A tensor buffer of shape (N,), with an array (H, W, C) of dtype for each file.

    Raises:
        UnsupportedError: Pillow is not installed.
    """
    op = begin("image.decode", name, "ImageDecode")
    node, count = host_value(op, images_bytes_buffer, "images_bytes_buffer")
    color = color_space_of(op, color_space)
    kind = image_dtype(op, dtype)
    require_pillow(op)

    def compute(batch, values):
        def run(_, data):
            return files.decode(data.tobytes(), color).astype(kind)

        return batch.map(run, items(values))

    return buffer_of(op, node, count, compute)[0]


def image_dtype(op, dtype):
    """NumPy's type of uint8 or a float."""
    dtypes.require_mlir(dtype, f"op {op.name}")
    if dtype not in (dtypes.uint8, dtypes.float32, dtypes.float64, dtypes.float16):
        op.fail(
            "expects dtype to be uint8, float16, float32 or float64 but got "
            f"{dtype.canonical}"
        )
    return dtype.numpy


@of_op
def ImageDecoderRandomCropResize(
    input_blob: BlobDef,
    target_width: int,
    target_height: int,
    num_attempts: int | None = None,
    seed: int | None = None,
    random_area: Sequence[float] | None = None,
    random_aspect_ratio: Sequence[float] | None = None,
    num_workers: int | None = None,
    warmup_size: int | None = None,
    max_num_pixels: int | None = None,
    name: str | None = None,
) -> Blob:
    """A random part of each encoded image, decoded to RGB and resized.

    The part is that of image.random_crop. The session decides how many threads decode.

    Args:
        input_blob: A tensor buffer (N,) of bytes, as of data.OFRecordBytesDecoder.
        target_width: The width of the result.
        target_height: The height of the result.
        num_attempts: As of image.random_crop; None is 10.
        random_area: As of image.random_crop.
        random_aspect_ratio: As of image.random_crop.
        num_workers: Has no effect.
        warmup_size: Has no effect.
        max_num_pixels: Has no effect.

    Returns:
        (N, target_height, target_width, 3), u8.

    Raises:
        UnsupportedError: Pillow is not installed.
    """
    op = begin(
        "data.ImageDecoderRandomCropResize", name, "ImageDecoderRandomCropResize"
    )
    node, count = host_value(op, input_blob, "input_blob")
    width = positive(op, target_width, "target_width")
    height = positive(op, target_height, "target_height")
    attempts = 10 if num_attempts is None else num_attempts
    crop = _RandomCrop(op, attempts, seed, random_area, random_aspect_ratio)
    for what, value in (
        ("num_workers", num_workers),
        ("warmup_size", warmup_size),
        ("max_num_pixels", max_num_pixels),
    ):
        if value is not None:
            positive(op, value, what, 0 if what == "warmup_size" else 1)
    require_pillow(op)

    def compute(batch, values):
        def run(index, data):
            image = files.decode(data.tobytes(), "RGB")
            image = crop(batch, made, index, image)
            return files.resize(image, width, height, "auto", numpy.uint8)

        return dense(batch.map(run, items(values)), (height, width, 3), numpy.uint8)

    made = Node(op, (node,), compute)
    return SourceBlob(op, made, (count, height, width, 3), dtypes.uint8)


@of_op
def ofrecord_image_classification_reader(
    ofrecord_dir: Path,
    image_feature_name: str,
    label_feature_name: str,
    batch_size: int = 1,
    data_part_num: int = 1,
    part_name_prefix: str = "part-",
    part_name_suffix_length: int = -1,
    random_shuffle: bool = False,
    shuffle_buffer_size: int = 1024,
    shuffle_after_epoch: bool = False,
    color_space: str = "BGR",
    decode_buffer_size_per_thread: int = 32,
    num_decode_threads_per_machine: int | None = None,
    name: str | None = None,
) -> tuple[BlobDef, BlobDef]:
    """The images and the labels of the next records of a data set.

    As data.ofrecord_reader and data.OFRecordImageDecoder.

    Args:
        image_feature_name: The name of the feature with the images.
        label_feature_name: The name of the feature with the labels.
        batch_size: The number of records of a step.
        random_shuffle: As of data.ofrecord_reader.
        shuffle_buffer_size: As of data.ofrecord_reader.
        shuffle_after_epoch: As of data.ofrecord_reader.
        color_space: "BGR", "RGB" or "GRAY", which has one channel.
        decode_buffer_size_per_thread: Has no effect.
        num_decode_threads_per_machine: Has no effect.

    Returns:
        (images, labels), tensor buffers of shape (batch_size,) of arrays of uint8 (H,
        W, C), and int32 of shape (1,), of which tensor_buffer_to_tensor makes a blob.

    Raises:
        DataNotFoundError: A file is missing.
        UnsupportedError: Pillow is not installed.
    """
    op = begin(
        "data.ofrecord_image_classification_reader",
        name,
        "OFRecordImageClassificationReader",
    )
    image_key = feature_name(op, image_feature_name, "image_feature_name")
    label_key = feature_name(op, label_feature_name, "label_feature_name")
    color = color_space_of(op, color_space)
    positive(op, decode_buffer_size_per_thread, "decode_buffer_size_per_thread")
    if num_decode_threads_per_machine is not None:
        positive(op, num_decode_threads_per_machine, "num_decode_threads_per_machine")
    require_pillow(op)
    read = read_records(
        op,
        ofrecord_dir,
        batch_size,
        data_part_num,
        part_name_prefix,
        part_name_suffix_length,
        random_shuffle,
        shuffle_buffer_size,
        shuffle_after_epoch,
    )

    def decode_label(_, record):
        feature = record.feature(label_key)
        if feature.kind not in ("int32", "int64") or len(feature.values) != 1:
            raise Problem(
                f"expects one int of feature {label_key!r} but got "
                f"{len(feature.values)} of {feature.kind or 'no kind'}"
            )
        return feature.values.astype(numpy.int32)

    def images(batch, parsed):
        return batch.map(
            lambda _, record: files.decode(single_bytes(record, image_key), color),
            parsed,
        )

    def labels(batch, parsed):
        return parsed.map(decode_label)

    count = read.shape[0]
    label_blob = HostBlob(
        op,
        Node(op, (read._node,), labels),
        (count,),
        dtypes.tensor_buffer,
        "tensor_buffer_to_tensor",
    )
    return buffer_of(op, read._node, count, images)[0], label_blob


# ===- Sizes ---------------------------------------------------------------===#


def _resize_to(op, node, count, size, channels, dtype, kind):
    """(images, scales) of one size."""
    if (
        not isinstance(size, (list, tuple))
        or len(size) != 2
        or not all(arguments.is_int(extent) and extent > 0 for extent in size)
    ):
        op.fail(
            "expects target_size to be (width, height), two positive ints, but got "
            f"{size!r}"
        )
    width, height = map(int, size)
    shape = (height, width, channels)

    def run(batch, index, image):
        if image.shape[2] != channels:
            raise Problem(
                f"expects an image of {channels} channels but got {image.shape[2]}"
            )
        return files.resize(image, width, height, kind, dtype.numpy)

    def resize(batch, values):
        return dense(each_image(run)(batch, values), shape, dtype.numpy)

    def scales(batch, values):
        return numpy.array(
            [(width / image.shape[1], height / image.shape[0]) for image in values],
            numpy.float32,
        )

    images = SourceBlob(op, Node(op, (node,), resize), (count, *shape), dtype)
    scale = SourceBlob(op, Node(op, (node,), scales), (count, 2), dtypes.float32)
    return images, scale


def _resize_keeping_ratio(op, node, count, target, side, least, most, dtype, kind):
    """(images, scales, sizes), of `dtype`, or of that of the images if None."""
    target = positive(op, target, "target_size")
    arguments.one_of(op, side, ("shorter", "longer"), "resize_side")
    least, most = (
        0 if value is None else positive(op, value, what, 0)
        for value, what in ((least, "min_size"), (most, "max_size"))
    )

    def size_of(image):
        height, width = image.shape[:2]
        return files.size_keeping_ratio(
            width, height, target, side == "longer", least, most
        )

    def run(batch, index, image):
        wanted = dtype.numpy if dtype else image.dtype
        return files.resize(image, *size_of(image), kind, wanted)

    def sizes(batch, values):
        return numpy.array([size_of(image) for image in values], numpy.int32)

    def scales(batch, values):
        out = [
            numpy.array(size_of(image)) / (image.shape[1], image.shape[0])
            for image in values
        ]
        return numpy.array(out, numpy.float32)

    images, _ = buffer_of(op, node, count, each_image(run))
    size = SourceBlob(op, Node(op, (node,), sizes), (count, 2), dtypes.int32)
    scale = SourceBlob(op, Node(op, (node,), scales), (count, 2), dtypes.float32)
    return images, scale, size


@of_op
def Resize(
    image: BlobDef,
    target_size: int | Sequence[int] | None = None,
    min_size: int | None = None,
    max_size: int | None = None,
    keep_aspect_ratio: bool = False,
    resize_side: str = "shorter",
    channels: int = 3,
    dtype: DType | None = None,
    interpolation_type: str = "auto",
    name: str | None = None,
    color_space: str | None = None,
    interp_type: str | None = None,
    resize_shorter: int = 0,
    resize_x: int = 0,
    resize_y: int = 0,
) -> Any:
    """Images of another size.

    Pixels are interpolated without a filter, so "bilinear" to a small size leaves out
    pixels.

    Args:
        image: A tensor buffer (N,) of images (H, W, C).
        target_size: (width, height), or with keep_aspect_ratio the length of a side.
        min_size: The least length of the shorter side, or None.
        max_size: The largest length of the longer side, or None.
        keep_aspect_ratio: Whether the ratio of width to height stays.
        resize_side: "shorter" or "longer": the side that target_size is the length of.
        channels: The number C of channels of the result.
        dtype: uint8 or a float; None is uint8.
        interpolation_type: "nearest_neighbor", "bilinear", "bicubic" (a = -0.75),
            "area" (the mean of what a new pixel covers) or "auto": "area" for fewer
            pixels, else "bilinear".
        color_space: The older form of channels: "RGB", "BGR" or "GRAY".
        interp_type: The older form of interpolation_type: "Linear", "Cubic" or "NN".
        resize_shorter: The older form of target_size with keep_aspect_ratio; 0 is none.
        resize_x: The older form of target_size, the width; 0 is none.
        resize_y: The older form of target_size, the height; 0 is none.

    Returns:
        (images, scales, sizes), where images are a blob (N, height, width, C) of dtype;
        scales f32 (N, 2), new by old width and height; sizes None. With
        keep_aspect_ratio, images are a tensor buffer, and sizes i32 (N, 2), widths and
        heights. With an argument of the older form, images only.
    """
    op = begin("image.Resize", name, "ImageResize")
    is_old = False
    if isinstance(target_size, str):  # the second parameter in 2020
        color_space, target_size = target_size, None
    if color_space is not None:
        channels, is_old = files.channels_of(color_space_of(op, color_space)), True
    if interp_type is not None:
        arguments.one_of(op, interp_type, tuple(_OLD_INTERPOLATIONS), "interp_type")
        interpolation_type, is_old = _OLD_INTERPOLATIONS[interp_type], True
    for what, value in (
        ("resize_shorter", resize_shorter),
        ("resize_x", resize_x),
        ("resize_y", resize_y),
    ):
        positive(op, value, what, 0)
    if resize_x and resize_y:
        target_size, keep_aspect_ratio, is_old = (resize_x, resize_y), False, True
    if resize_shorter:
        target_size, keep_aspect_ratio, is_old = resize_shorter, True, True
        resize_side = "shorter"
    arguments.bools(op.fail, keep_aspect_ratio=keep_aspect_ratio)
    kind = arguments.one_of(
        op, interpolation_type, files.INTERPOLATIONS, "interpolation_type"
    )
    if not arguments.is_int(channels) or channels not in (1, 3):
        op.fail(f"expects channels to be 1 or 3 but got {channels!r}")
    dtype = dtypes.uint8 if dtype is None else dtype
    image_dtype(op, dtype)
    node, count = host_value(op, image, "image")
    if keep_aspect_ratio:
        images, scale, size = _resize_keeping_ratio(
            op, node, count, target_size, resize_side, min_size, max_size, dtype, kind
        )
    else:
        images, scale = _resize_to(op, node, count, target_size, channels, dtype, kind)
        size = None
    return images if is_old else (images, scale, size)


@of_op
def target_resize(
    images: BlobDef,
    target_size: int,
    min_size: int | None = None,
    max_size: int | None = None,
    resize_side: str = "shorter",
    interpolation_type: str = "auto",
    name: str | None = None,
) -> tuple[BlobDef, Blob, Blob]:
    """Images of another size and the same ratio of width to height.

    As image.Resize with keep_aspect_ratio.

    Args:
        images: A tensor buffer (N,) of images (H, W, C).
        target_size: The length of a side.
        min_size: The least length of the shorter side, or None.
        max_size: The largest length of the longer side, or None.
        resize_side: "shorter" or "longer": the side that target_size is the length of.
        interpolation_type: As of image.Resize.

    Returns:
        (images, sizes, scales), which are a tensor buffer of the element type of
        images, i32 (N, 2) and f32 (N, 2).
    """
    op = begin("image.target_resize", name, "ImageTargetResize")
    node, count = host_value(op, images, "images")
    kind = arguments.one_of(
        op, interpolation_type, files.INTERPOLATIONS, "interpolation_type"
    )
    resized, scale, size = _resize_keeping_ratio(
        op, node, count, target_size, resize_side, min_size, max_size, None, kind
    )
    return resized, size, scale
