"""The older reader of OFRecords, which describes all blobs in one call."""

import warnings

import numpy

from . import arguments, errors, frames
from . import dtype as dtypes
from . import image_files as files
from .host_graph import Node, Problem, SourceBlob, dense
from .image_ops import require_pillow
from .readers import decode_raw, read_records, single_bytes
from .text import tensor
from .trace import begin

_FORMATS = ("channels_last", "channels_first")

_fail = errors.failing(errors.ArgumentError)


# ===- Descriptions of blobs -------------------------------------------------===#


class ImagePreprocessor:
    """What is done to decoded images: "bgr2rgb", or "mirror", which mirrors each image
    with probability 0.5."""

    def __init__(self, preprocessor):
        kinds = ("bgr2rgb", "mirror")
        if not isinstance(preprocessor, str) or preprocessor.lower() not in kinds:
            _fail(
                f"expects preprocessor to be 'bgr2rgb' or 'mirror' but got "
                f"{preprocessor!r}"
            )
        self.preprocessor = preprocessor.lower()

    def is_rgb(self):
        """Whether it makes RGB of BGR."""
        return self.preprocessor == "bgr2rgb"

    def is_mirror(self):
        """Whether it mirrors."""
        return self.preprocessor == "mirror"

    def apply(self, image, draws):
        """The image after it."""
        if self.is_rgb():
            return image[:, :, ::-1]
        return image[:, ::-1] if draws.uniform() < 0.5 else image


class ImageResizePreprocessor:
    """Resizes decoded images to `width` and `height`, as "bilinear" of image.Resize."""

    def __init__(self, width, height):
        for what, value in (("width", width), ("height", height)):
            if not arguments.is_int(value) or value < 1:
                _fail(f"expects {what} to be a positive int but got {value!r}")
        self.width = int(width)
        self.height = int(height)

    def apply(self, image, draws):
        """The image after it."""
        return files.resize(image, self.width, self.height, "bilinear", image.dtype)


class ImageCodec:
    """The blob is of encoded images, which are decoded to BGR and then go through
    `image_preprocessors` in order."""

    def __init__(self, image_preprocessors=None):
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


class RawCodec:
    """The blob is of numbers, as of data.OFRecordRawDecoder; with `auto_zero_padding`,
    zeros fill what a record lacks."""

    def __init__(self, auto_zero_padding=False):
        arguments.bools(_fail, auto_zero_padding=auto_zero_padding)
        self.auto_zero_padding = bool(auto_zero_padding)


def _numbers(value, what):
    if not isinstance(value, (list, tuple)) or not value:
        _fail(f"expects {what} to be a list of numbers but got {value!r}")
    return [arguments.number(_fail, each, f"each value of {what}") for each in value]


class NormByChannelPreprocessor:
    """(x - mean_values) / std_values, with a number for each channel, which is the last
    dimension of an example, or for "channels_first" its first one."""

    def __init__(
        self, mean_values, std_values=(1.0, 1.0, 1.0), data_format="channels_last"
    ):
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

    def emit(self, op, x):
        """The blob after it."""
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


class BlobConf:
    """One blob of data.decode_ofrecord: the feature's name, the shape and dtype of an
    example, its codec (RawCodec or ImageCodec), and what is done to the blob."""

    def __init__(self, name, shape, dtype, codec, preprocessors=None):
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


def decode_ofrecord(
    ofrecord_dir,
    blobs,
    batch_size=1,
    data_part_num=1,
    part_name_prefix="part-",
    part_name_suffix_length=-1,
    shuffle=False,
    buffer_size=1024,
    name=None,
):
    """A tuple with a blob of shape (batch_size, *shape) for each BlobConf of `blobs`, of
    the next records of a data set. The order of records is that of
    data.ofrecord_reader, with `shuffle` for random_shuffle and `buffer_size` for
    shuffle_buffer_size. Deprecated since 0.2: data.ofrecord_reader and its decoders
    are the newer form."""
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
