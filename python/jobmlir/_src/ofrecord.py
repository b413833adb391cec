"""Files of OFRecords: each is the int64 length of a record, then its bytes (record_wire)."""

from __future__ import annotations

import collections.abc
import itertools
import os
import stat
import struct
import typing
from typing import Any

import numpy

from . import arguments, errors, record_wire, text, whole_files
from .hints import Path
from .host_graph import Problem
from .random_bits import Draws

_LENGTH = struct.Struct("<q")

_fail = errors.failing(errors.ArgumentError)


class Record(typing.NamedTuple):
    """A serialized record and where it is."""

    path: str
    number: int
    offset: int
    data: bytes

    def __str__(self):
        return f"record {self.number} of {self.path}, at byte {self.offset}"


def _system_problem(path, error):
    cls = errors.DataFormatError
    if isinstance(error, FileNotFoundError):
        cls = errors.DataNotFoundError
    reason = errors.reason(error)
    return Problem(f"cannot read {path}: {reason}", cls)


def _open(path, flags):
    """Of a pipe, without waiting for its writer."""
    return os.open(path, flags | os.O_NONBLOCK)


def read_file(path):
    """Iterates over the Records of a file. Raises Problem."""
    try:
        with open(path, "rb", opener=_open) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise Problem(f"expects a file but got a device or pipe: {path}")
            size = status.st_size
            offset = number = 0
            while offset < size:
                header = file.read(_LENGTH.size)
                if len(header) < _LENGTH.size:
                    raise Problem(
                        f"expects the {_LENGTH.size} bytes of a record's length at "
                        f"byte {offset} of {path} but got {len(header)}"
                    )
                (length,) = _LENGTH.unpack(header)
                left = size - offset - _LENGTH.size
                # Before anything is allocated for it.
                if not 0 <= length <= left:
                    raise Problem(
                        f"expects a record of at most {left} bytes at byte {offset} of "
                        f"{path} but got a length of {length}"
                    )
                data = file.read(length)
                if len(data) < length:
                    raise Problem(
                        f"expects a record of {length} bytes at byte {offset} of "
                        f"{path} but got {len(data)}"
                    )
                yield Record(path, number, offset, data)
                offset += _LENGTH.size + length
                number += 1
    except OSError as error:
        raise _system_problem(path, error) from None


def part_paths(folder, count, prefix, suffix_length):
    """The paths of the parts of a data set: a prefix and a number, with zeros before
    it up to `suffix_length` digits."""
    return [
        os.path.join(folder, prefix + str(number).zfill(max(suffix_length, 0)))
        for number in range(count)
    ]


def _epoch(paths, order):
    """The Records of all files, of which there is at least one."""
    is_empty = True
    for index in order:
        for record in read_file(paths[index]):
            is_empty = False
            yield record
    if is_empty:
        raise Problem(
            f"expects at least one record in {paths[0]}"
            + (f" and {len(paths) - 1} more files" if len(paths) > 1 else "")
            + " but got none"
        )


def _epochs(paths, draws):
    """The Records of all files, again and again. With `draws`, the order of the
    files is another one in each epoch but the first."""
    for epoch in itertools.count():
        order = range(len(paths))
        if draws is not None and epoch > 0:
            order = draws.at(epoch).permutation(len(paths))
        yield _epoch(paths, order)


def _shuffled(epochs, size, draws):
    """Each time a random one of a buffer of `size` records, or of all records if there
    are fewer, which the next one replaces."""
    first = next(epochs, ())
    buffer = list(itertools.islice(first, size))
    size = len(buffer)
    block, taken = None, 0
    for record in itertools.chain(first, itertools.chain.from_iterable(epochs)):
        index = taken % size
        if index == 0:
            block = draws.at(taken // size).below(size, size)
        chosen = int(block[index])
        yield buffer[chosen]
        buffer[chosen] = record
        taken += 1


def read_all(paths, shuffle_files, buffer_size, seed, stream, is_stopped):
    """The Records of the files, in an order that depends on `seed` and `stream` only.
    Shuffled through a buffer if `buffer_size` is not None. They end when
    `is_stopped()`, even while many are passed over."""
    files = Draws(seed, stream, "files") if shuffle_files else None
    epochs = (
        itertools.takewhile(lambda _: not is_stopped(), epoch)
        for epoch in itertools.takewhile(
            lambda _: not is_stopped(), _epochs(paths, files)
        )
    )
    if buffer_size is None:
        return itertools.chain.from_iterable(epochs)
    return _shuffled(epochs, buffer_size, Draws(seed, stream, "records"))


# ===- Writing -------------------------------------------------------------===#


_KINDS = {
    numpy.dtype(numpy.float32): "float",
    numpy.dtype(numpy.float64): "double",
    numpy.dtype(numpy.int32): "int32",
    numpy.dtype(numpy.int64): "int64",
}


def _as_feature(name, value):
    if isinstance(value, (bytes, bytearray)):
        return record_wire.Feature("bytes", [bytes(value)])
    if isinstance(value, (list, tuple)) and value:
        if all(isinstance(item, (bytes, bytearray)) for item in value):
            return record_wire.Feature("bytes", list(map(bytes, value)))
    array = arguments.array(_fail, value, f"feature {name!r} to be bytes or numbers")
    if array.dtype in (numpy.uint8, numpy.int8):
        return record_wire.Feature("bytes", [array.tobytes()])
    if array.dtype not in _KINDS:
        _fail(
            f"expects feature {name!r} to be bytes, or int8, uint8, int32, int64, "
            f"float32 or float64 numbers, but got {array.dtype}"
        )
    return record_wire.Feature(_KINDS[array.dtype], array.reshape(-1))


def write_ofrecord(
    path: Path, records: collections.abc.Iterable[collections.abc.Mapping[str, Any]]
) -> int:
    """Writes a file of OFRecords, such as one part of what data.ofrecord_reader reads.

    A file of that name is replaced when the new one is on the disk: an exception, or
    the end of the process, leaves what was there.

    Args:
        path: The path of the file.
        records: Dictionaries from the names of features to values: bytes or a list of
            bytes, or numbers in an array or a list, of int32, int64, float32 or
            float64. Arrays of int8 and uint8 are written as bytes. Shapes are not kept:
            the decoder has them.

    Returns:
        The number of records.

    Raises:
        ArgumentError: A record does not fit.
        DataNotFoundError: The folder is missing.
        DataFormatError: The file cannot be written.
    """
    path = arguments.path(_fail, path, "write the records to")
    if not isinstance(records, collections.abc.Iterable):
        _fail(f"expects an iterable of records but got {type(records).__name__}")
    count = 0
    try:
        with whole_files.create(path) as file:
            for record in records:
                if not isinstance(record, collections.abc.Mapping):
                    _fail(
                        "expects a dictionary of features for each record but got "
                        f"{type(record).__name__}"
                    )
                for name in record:
                    if not isinstance(name, str) or not text.is_unicode(name):
                        _fail(
                            "expects a str that UTF-8 can encode as the name of a "
                            f"feature but got {name!r}"
                        )
                data = record_wire.serialize(
                    {name: _as_feature(name, value) for name, value in record.items()}
                )
                file.write(_LENGTH.pack(len(data)) + data)
                count += 1
    except OSError as error:
        _fail(
            f"cannot write {path}: {errors.reason(error)}",
            errors.DataNotFoundError
            if isinstance(error, FileNotFoundError)
            else errors.DataFormatError,
        )
    return count
