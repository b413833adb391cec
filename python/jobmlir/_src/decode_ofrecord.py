"""The older reader of OFRecords, which describes all blobs in one call."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy

from . import arguments, errors, frames
from . import dtype as dtypes
from . import image_files as files
from .blob import Blob
from .documentation import documented, of_op
from .hints import Array, DType, Path, Shape
from .host_graph import Node, Problem, SourceBlob, dense
from .image_ops import require_pillow
from .readers import decode_raw, read_records, single_bytes
from .text import tensor
from .trace import begin

_FORMATS = ("channels_last", "channels_first")

_fail = errors.failing(errors.ArgumentError)


# ===- Descriptions of blobs -------------------------------------------------===#


@documented
class ImagePreprocessor:
    """What is done to decoded images.

    Args:
        preprocessor: "bgr2rgb", or "mirror", which mirrors each image with probability
            0.5.

    Raises:
        ArgumentError: It is neither.
    """

    def __init__(self, preprocessor: str) -> None:
        kinds = ("bgr2rgb", "mirror")
        if not isinstance(preprocessor, str) or preprocessor.lower() not in kinds:
            _fail(
                f"expects preprocessor to be 'bgr2rgb' or 'mirror' but got "
                f"{preprocessor!r}"
            )
        self.preprocessor = preprocessor.lower()

    def is_rgb(self) -> bool:
        """Whether it makes RGB of BGR.

        Returns:
            True for "bgr2rgb".
        """
        return self.preprocessor == "bgr2rgb"

    def is_mirror(self) -> bool:
        """Whether it mirrors.

        Returns:
            True for "mirror".
        """
        return self.preprocessor == "mirror"

    def apply(self, image: Array, draws: Any) -> Array:
        """The image after it.

        Args:
            image: (H, W, C).
            draws: What makes random numbers.

        Returns:
            The new image.
        """
        if self.is_rgb():
            return image[:, :, ::-1]
        return image[:, ::-1] if draws.uniform() < 0.5 else image


@documented
class ImageResizePreprocessor:
    """Resizes decoded images, as "bilinear" of image.Resize.

    Args:
        width: The new width.
        height: The new height.

    Raises:
        ArgumentError: They are no positive ints.
    """

    def __init__(self, width: int, height: int) -> None:
        for what, value in (("width", width), ("height", height)):
            if not arguments.is_int(value) or value < 1:
                _fail(f"expects {what} to be a positive int but got {value!r}")
        self.width = int(width)
        self.height = int(height)

    def apply(self, image: Array, draws: Any) -> Array:
        """The image after it.

        Args:
            image: (H, W, C).
            draws: Has no effect.

        Returns:
            The new image.
        """
        return files.resize(image, self.width, self.height, "bilinear", image.dtype)


@documented
class ImageCodec:
    """The codec of a blob of encoded images, which are decoded to BGR.

    Args:
        image_preprocessors: What the images go through, in order: a list, or None.

    Raises:
        ArgumentError: It is no such list.
    """

    def __init__(
        self,
        image_preprocessors: Sequence[ImagePreprocessor | ImageResizePreprocessor]
        | None = None,
    ) -> None:
        listed = [] if image_preprocessors is None else image_preprocessors
        kinds = (ImagePreprocessor, ImageResizePreprocessor)
        if not isinstance(listed, (list, tuple)) or not all(
            isinstance(each, kinds) for each in listed
        ):
            _fail(
                "expects image_preprocessors to be a list of ImagePreprocessor and "
                f"ImageResizePreprocessor but got {image_preprocessors!r}"
            )
        self.image_preprocessors = list(listed)


@documented
class RawCodec:
    """The codec of a blob of numbers, as of data.OFRecordRawDecoder.

    Args:
        auto_zero_padding: Whether zeros fill what a record lacks.

    Raises:
        ArgumentError: It is no bool.
    """

    def __init__(self, auto_zero_padding: bool = False) -> None:
        arguments.bools(_fail, auto_zero_padding=auto_zero_padding)
        self.auto_zero_padding = bool(auto_zero_padding)


def _numbers(value, what):
    if not isinstance(value, (list, tuple)) or not value:
        _fail(f"expects {what} to be a list of numbers but got {value!r}")
    return [arguments.number(_fail, each, f"each value of {what}") for each in value]


@documented
class NormByChannelPreprocessor:
    """(x - mean_values) / std_values of a blob, with a number for each channel.

    Args:
        mean_values: A list of numbers.
        std_values: As many numbers, none 0.
        data_format: Where the channels are in an example: "channels_last" or
            "channels_first".

    Raises:
        ArgumentError: An argument does not fit.
    """

    def __init__(
        self,
        mean_values: Sequence[float],
        std_values: Sequence[float] = (1.0, 1.0, 1.0),
        data_format: str = "channels_last",
    ) -> None:
        self.mean_values = _numbers(mean_values, "mean_values")
        self.std_values = _numbers(std_values, "std_values")
        if len(self.mean_values) != len(self.std_values):
            _fail(
                f"expects {len(self.mean_values)} values of std_values, as many as of "
                f"mean_values, but got {len(self.std_values)}"
            )
        if 0 in self.std_values:
            _fail(f"expects std_values without zeros but got {std_values!r}")
        if data_format not in _FORMATS:
            _fail(
                "expects data_format to be 'channels_last' or 'channels_first' but got "
                f"{data_format!r}"
            )
        self.data_format = data_format

    def emit(self, op: Any, x: Blob) -> Blob:
        """The blob after it.

        Args:
            op: The OpScope of the call.
            x: (N, ...), f16/bf16/f32/f64.

        Returns:
            The new blob.

        Raises:
            JobBuildAndInferError: The channels do not fit.
        """
        dim = len(x.shape) - 1 if self.data_format == "channels_last" else 1
        count = len(self.mean_values)
        if len(x.shape) < 2 or x.shape[dim] != count:
            op.fail(
                f"expects {count} channels in dimension {dim - 1} of the shape of a blob "
                f"but got {x.shape[1:]}"
            )
        if x.dtype not in (dtypes.float32, dtypes.float64):
            op.fail(
                "expects a blob of float32 or float64 to normalize but got "
                f"{x.dtype.canonical}"
            )
        for mnemonic, values in (("sub", self.mean_values), ("div", self.std_values)):
            listed = ", ".join(f"{value:.17e}" for value in values)
            kind = tensor([count], x.dtype.mlir)
            constant = op("constant", value=op.text(f"dense<[{listed}]> : {kind}"))
            spread = op(
                "broadcast_in_dim",
                constant,
                dims=[dim],
                result=(x.shape, x.dtype.mlir),
            )
            x = op(mnemonic, x, spread)
        return x


@documented
class BlobConf:
    """One blob of data.decode_ofrecord.

    Args:
        name: The name of the feature.
        shape: The shape of an example.
        dtype: The element type.
        codec: A RawCodec or an ImageCodec.
        preprocessors: What is done to the blob: a list of NormByChannelPreprocessor, or
            None.

    Raises:
        ArgumentError: An argument does not fit.
        ArgumentTypeError: dtype is no element type.
        UnsupportedError: dtype is none that blobs have.
    """

    def __init__(
        self,
        name: str,
        shape: Shape,
        dtype: DType,
        codec: RawCodec | ImageCodec,
        preprocessors: Sequence[NormByChannelPreprocessor] | None = None,
    ) -> None:
        if not isinstance(name, str):
            _fail(f"expects name to be a str but got {name!r}")
        if not arguments.is_shape(shape):
            _fail(f"expects shape to be a list of positive ints but got {shape!r}")
        if reason := arguments.too_many_elements(shape):
            _fail(reason)
        dtypes.require_mlir(dtype, f"blob {name}")
        if not isinstance(codec, (RawCodec, ImageCodec)):
            _fail(f"expects codec to be a RawCodec or ImageCodec but got {codec!r}")
        listed = [] if preprocessors is None else preprocessors
        if not isinstance(listed, (list, tuple)) or not all(
            isinstance(each, NormByChannelPreprocessor) for each in listed
        ):
            _fail(
                "expects preprocessors to be a list of NormByChannelPreprocessor but "
                f"got {preprocessors!r}"
            )
        self.name = name
        self.shape = [int(extent) for extent in shape]
        self.dtype = dtype
        self.codec = codec
        self.preprocessors = list(listed)


# ===- The reader -------------------------------------------------------------===#


def _decode_images(op, node, count, conf, blob_name):
    shape = tuple(conf.shape)

    def compute(batch, parsed):
        def decode(index, record):
            image = files.decode(single_bytes(record, conf.name), "BGR")
            draws = batch.draws(None, made, index)
            for each in conf.codec.image_preprocessors:
                image = each.apply(image, draws)
            if image.size != int(numpy.prod(shape, dtype=numpy.int64)):
                raise Problem(
                    f"expects an image of shape {shape} in feature {conf.name!r} but "
                    f"got {image.shape}"
                )
            return image.reshape(shape)

        return dense(batch.map(decode, parsed), shape, conf.dtype.numpy)

    made = Node(op, (node,), compute)
    return SourceBlob(op, made, (count, *shape), conf.dtype, blob_name)


@of_op
def decode_ofrecord(
    ofrecord_dir: Path,
    blobs: Sequence[BlobConf],
    batch_size: int = 1,
    data_part_num: int = 1,
    part_name_prefix: str = "part-",
    part_name_suffix_length: int = -1,
    shuffle: bool = False,
    buffer_size: int = 1024,
    name: str | None = None,
) -> tuple[Blob, ...]:
    """The blobs of the next records of a data set.

    The order of records is that of data.ofrecord_reader. Deprecated since 0.2:
    data.ofrecord_reader and its decoders are the newer form.

    Args:
        blobs: A BlobConf for each blob.
        batch_size: The number of records of a step.
        shuffle: As random_shuffle of data.ofrecord_reader.
        buffer_size: As shuffle_buffer_size of data.ofrecord_reader.

    Returns:
        A blob (batch_size,) + shape for each of blobs.

    Raises:
        DataNotFoundError: A file is missing.
    """
    op = begin("data.decode_ofrecord", name, "DecodeOFRecord")
    warnings.warn(
        "data.decode_ofrecord is deprecated: use data.ofrecord_reader and its decoders",
        DeprecationWarning,
        stacklevel=frames.warn_stacklevel(),
    )
    if (
        not isinstance(blobs, (list, tuple))
        or not blobs
        or not all(isinstance(conf, BlobConf) for conf in blobs)
    ):
        op.fail(f"expects blobs to be a list of BlobConf but got {blobs!r}")
    arguments.bools(op.fail, shuffle=shuffle)
    if any(isinstance(conf.codec, ImageCodec) for conf in blobs):
        require_pillow(op)
    read = read_records(
        op,
        ofrecord_dir,
        batch_size,
        data_part_num,
        part_name_prefix,
        part_name_suffix_length,
        shuffle,
        buffer_size,
        False,
    )
    node, count = read._node, read.shape[0]
    out = []
    for conf in blobs:
        blob_name = f"{op.name}-{conf.name}"
        if isinstance(conf.codec, ImageCodec):
            blob = _decode_images(op, node, count, conf, blob_name)
        else:
            blob = decode_raw(
                op,
                node,
                count,
                conf.name,
                conf.shape,
                conf.dtype,
                conf.codec.auto_zero_padding,
                blob_name,
            )
        for preprocessor in conf.preprocessors:
            blob = preprocessor.emit(op, blob)
        out.append(blob)
    return tuple(out)


decode_ofrecord.__oneflow_deprecated__ = True
