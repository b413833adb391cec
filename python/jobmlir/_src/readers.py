"""Readers of OFRecords and their decoders without images."""

from __future__ import annotations

import itertools
import os

import numpy

from . import arguments, ofrecord, record_wire
from . import dtype as dtypes
from .blob import Blob, BlobDef
from .documentation import of_op
from .hints import DType, Path, Shape
from .host_graph import HostBlob, Items, Node, Problem, SourceBlob, dense, records
from .trace import begin

_MOST_DIGITS = 255
_DECODERS = "a decoder, such as data.OFRecordRawDecoder"


def positive(op, value, what, least=1):
    """An int of at least `least`."""
    if not arguments.is_int(value) or value < least:
        op.fail(f"expects {what} to be an int of at least {least} but got {value!r}")
    return int(value)


def feature_name(op, value, what="blob_name"):
    """The name of a feature."""
    if not isinstance(value, str):
        op.fail(f"expects {what} to be the name of a feature but got {value!r}")
    return value


# ===- Records --------------------------------------------------------------===#


class _Parsed:
    """A record whose features are parsed when a decoder asks for one."""

    def __init__(self, record):
        self._data = memoryview(record.data)
        self._places = None
        self._features = {}

    def feature(self, name):
        """The record_wire.Feature of a name. Raises Problem."""
        if name in self._features:
            return self._features[name]
        try:
            if self._places is None:
                self._places = record_wire.find(self._data)
            if name in self._places:
                found = record_wire.feature(self._data, self._places[name])
                self._features[name] = found
                return found
        except record_wire.Malformed as error:
            raise Problem(
                f"expects an OFRecord but got a damaged one: {error}"
            ) from None
        there = ", ".join(sorted(self._places)) or "none"
        raise Problem(
            f"expects a feature {name!r} but got a record with features {there}"
        )


def read_records(
    op,
    ofrecord_dir,
    batch_size,
    data_part_num,
    part_name_prefix,
    part_name_suffix_length,
    random_shuffle,
    shuffle_buffer_size,
    shuffle_after_epoch,
):
    """The HostBlob of the records of a data set."""
    folder = arguments.path(op.fail, ofrecord_dir, "read the records from")
    count = positive(op, batch_size, "batch_size")
    parts = positive(op, data_part_num, "data_part_num")
    if not isinstance(part_name_prefix, str):
        op.fail(f"expects part_name_prefix to be a str but got {part_name_prefix!r}")
    digits = positive(op, part_name_suffix_length, "part_name_suffix_length", -1)
    if digits > _MOST_DIGITS:
        op.fail(
            f"expects part_name_suffix_length to be at most {_MOST_DIGITS}, the length of "
            f"a file's name, but got {digits}"
        )
    arguments.bools(
        op.fail, random_shuffle=random_shuffle, shuffle_after_epoch=shuffle_after_epoch
    )
    buffer_size = positive(op, shuffle_buffer_size, "shuffle_buffer_size")
    arguments.path(
        op.fail, os.path.join(folder, part_name_prefix), "read the records from"
    )
    paths = ofrecord.part_paths(folder, parts, part_name_prefix, digits)

    def open_files(seed, first, is_stopped):
        all_records = ofrecord.read_all(
            paths,
            shuffle_after_epoch,
            buffer_size if random_shuffle else None,
            seed,
            node.stream(),
            is_stopped,
        )
        # Those of the batches before are read and left out.
        return itertools.islice(all_records, first * count, None)

    def compute(batch):
        listed = list(itertools.islice(batch.state(node), count))
        return Items(map(_Parsed, listed), list(map(str, listed)))

    node = Node(op, (), compute, open_files)
    return HostBlob(op, node, (count,), dtypes.record, _DECODERS)


@of_op
def ofrecord_reader(
    ofrecord_dir: Path,
    batch_size: int = 1,
    data_part_num: int = 1,
    part_name_prefix: str = "part-",
    part_name_suffix_length: int = -1,
    random_shuffle: bool = False,
    shuffle_buffer_size: int = 1024,
    shuffle_after_epoch: bool = False,
    name: str | None = None,
) -> BlobDef:
    """The next records of a data set, which decoders read.

    The files are ofrecord_dir/part_name_prefix and a number below data_part_num, with
    zeros before it, in this order; after the last one the first one follows, in the
    same batch. Both random orders depend on config.random_seed and on the names of the
    job and the op only.

    A thread of the session reads, and decodes what depends on the records only, a few
    batches ahead of the steps. What is wrong in a file is an error of the call whose
    step would need it, and of all later ones: data.seek starts again. A session starts
    with the first batch; a resumed run calls data.seek.

    Args:
        batch_size: The number of records of a step.
        random_shuffle: Whether each record is taken at random out of a buffer, which
            the next record refills: a record may come again before others have come.
        shuffle_buffer_size: The number of records in the buffer, or all if there are
            fewer.
        shuffle_after_epoch: Whether the files of each epoch but the first have a random
            order.

    Returns:
        Records of shape (batch_size,).

    Raises:
        DataNotFoundError: A file is missing.
    """
    op = begin("data.ofrecord_reader", name, "OFRecordReader")
    return read_records(
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


# ===- Raw values -----------------------------------------------------------===#


def single_bytes(record, name):
    """The only bytes of a feature. Raises Problem."""
    feature = record.feature(name)
    if feature.kind != "bytes" or len(feature.values) != 1:
        got = f"{len(feature.values)} of {feature.kind}" if feature.kind else "none"
        raise Problem(f"expects one bytes value of feature {name!r} but got {got}")
    return feature.values[0]


def _numbers(record, name):
    """The numbers of a feature: of bytes, each one as an int8."""
    feature = record.feature(name)
    if feature.kind in (None, "bytes"):
        return numpy.frombuffer(single_bytes(record, name), numpy.int8)
    return feature.values


def _raw(record, name, count, dtype, pads):
    numbers = _numbers(record, name)
    if numbers.size == count or (pads and numbers.size < count):
        out = numpy.zeros(count, dtype)
        with numpy.errstate(over="ignore", invalid="ignore"):
            out[: numbers.size] = numbers.astype(dtype)
        return out
    most = "at most " if pads else ""
    raise Problem(
        f"expects {most}{count} values of feature {name!r} but got {numbers.size}"
    )


def decode_raw(op, node, count, name, shape, dtype, pads, blob_name=None):
    """The SourceBlob of a feature with `shape` for each of `count` records."""
    dtypes.require_mlir(dtype, "a decoder")
    if dtype.numpy is None:
        dtypes.convert_oneflow_dtype_to_numpy_dtype(dtype)
    shape = tuple(shape)
    size = int(numpy.prod(shape, dtype=numpy.int64))

    def decode(_, record):
        return _raw(record, name, size, dtype.numpy, pads)

    def compute(batch, parsed):
        rows = parsed.map(decode)  # too little work for threads
        return dense(rows, (size,), dtype.numpy).reshape(len(rows), *shape)

    made = Node(op, (node,), compute)
    return SourceBlob(op, made, (count, *shape), dtype, blob_name)


def example_shape(op, shape):
    """The shape of one example, which may be ()."""
    if not arguments.is_shape(shape):
        op.fail(f"expects shape to be a list of positive ints but got {shape!r}")
    listed = [int(extent) for extent in shape]
    if reason := arguments.too_many_elements(listed):
        op.fail(reason)
    return listed


@of_op
def OFRecordRawDecoder(
    input_blob: BlobDef,
    blob_name: str,
    shape: Shape,
    dtype: DType,
    dim1_varying_length: bool = False,
    auto_zero_padding: bool = False,
    name: str | None = None,
) -> Blob:
    """The numbers of a feature of each record.

    Ints and floats are converted to dtype. Of a feature of bytes, there is one, and
    each byte is a number in [-128, 127], which is [0, 255] for the dtype uint8.

    Args:
        input_blob: Records of shape (N,).
        blob_name: The name of the feature.
        shape: The shape of an example; a record has as many numbers.
        dtype: The element type of the result.
        dim1_varying_length: Whether a record may have fewer numbers: zeros fill the
            rest.
        auto_zero_padding: As dim1_varying_length.

    Returns:
        (N,) + shape, of dtype.

    Raises:
        ArgumentTypeError: dtype is no element type.
        UnsupportedError: dtype is none that blobs have.
    """
    op = begin("data.OFRecordRawDecoder", name, "OFRecordRawDecoder")
    node = records(op, input_blob, "input_blob")
    arguments.bools(
        op.fail,
        dim1_varying_length=dim1_varying_length,
        auto_zero_padding=auto_zero_padding,
    )
    return decode_raw(
        op,
        node,
        input_blob.shape[0],
        feature_name(op, blob_name),
        example_shape(op, shape),
        dtype,
        dim1_varying_length or auto_zero_padding,
    )


# ===- Bytes ----------------------------------------------------------------===#


@of_op
def OFRecordBytesDecoder(
    input_blob: BlobDef, blob_name: str, name: str | None = None
) -> BlobDef:
    """The bytes of a feature of each record.

    data.ImageDecoderRandomCropResize, image.decode and tensor_buffer_to_tensor take it.

    Args:
        input_blob: Records of shape (N,).
        blob_name: The name of the feature.

    Returns:
        A tensor buffer of shape (N,), with an array of uint8 for each record.
    """
    op = begin("data.OFRecordBytesDecoder", name, "OFRecordBytesDecoder")
    node = records(op, input_blob, "input_blob")
    key = feature_name(op, blob_name)

    def decode(_, record):
        return numpy.frombuffer(single_bytes(record, key), numpy.uint8)

    def compute(batch, parsed):
        return parsed.map(decode)

    return HostBlob(
        op,
        Node(op, (node,), compute),
        input_blob.shape,
        dtypes.tensor_buffer,
        "image.decode, or tensor_buffer_to_tensor",
    )
