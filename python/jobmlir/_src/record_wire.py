"""The wire format of an OFRecord, a protocol buffer:

message BytesList { repeated bytes value = 1; }
message FloatList { repeated float value = 1 [packed = true]; }
message DoubleList { repeated double value = 1 [packed = true]; }
message Int32List { repeated int32 value = 1 [packed = true]; }
message Int64List { repeated int64 value = 1 [packed = true]; }
message Feature {
  oneof kind {
    BytesList bytes_list = 1;
    FloatList float_list = 2;
    DoubleList double_list = 3;
    Int32List int32_list = 4;
    Int64List int64_list = 5;
  }
}
message OFRecord { map<string, Feature> feature = 1; }

Fields with other numbers are skipped, as in every reader of protocol buffers; any
byte that does not fit is an error.
"""

import typing

import numpy

from . import wire
from .wire import Malformed

_KINDS = ("bytes", "float", "double", "int32", "int64")
_FLOATS = {"float": ("<f4", wire.FIXED32), "double": ("<f8", wire.FIXED64)}
# Of a list that Python reads faster than NumPy.
_FEW_BYTES = 16


class Feature(typing.NamedTuple):
    """One entry of a record. `values` is a list of bytes, or an array of float32,
    float64, int32 or int64. `kind` is None for a feature without a list."""

    kind: typing.Optional[str]
    values: typing.Any


# ===- Reading -------------------------------------------------------------===#


def _expect(number, kind, wanted):
    if kind != wanted:
        raise Malformed(f"expects wire type {wanted} of field {number} but got {kind}")


def _packed_ints(data):
    """The int64s of consecutive varints."""
    if len(data) <= _FEW_BYTES:
        values, at = [], 0
        while at < len(data):
            value, at = wire.read_varint(data, at, len(data))
            values.append(value)
        return numpy.array(values, numpy.uint64).view(numpy.int64)
    raw = numpy.frombuffer(data, numpy.uint8)
    ends = numpy.flatnonzero(raw < 0x80)
    if ends.size == 0 or ends[-1] != raw.size - 1:
        raise Malformed("expects more bytes of a varint but got the end")
    starts = numpy.concatenate(([0], ends[:-1] + 1))
    sizes = ends - starts + 1
    if sizes.max() > wire.MOST_VARINT_BYTES:
        raise Malformed(f"expects a varint of at most {wire.MOST_VARINT_BYTES} bytes")
    place = numpy.arange(raw.size) - numpy.repeat(starts, sizes)
    bits = (raw & 0x7F).astype(numpy.uint64) << (7 * place).astype(numpy.uint64)
    return numpy.add.reduceat(bits, starts).view(numpy.int64)


def _bytes_list(data, begin, end):
    out = []
    for number, kind, value in wire.fields(data, begin, end):
        if number == 1:
            _expect(number, kind, wire.BYTES)
            out.append(bytes(data[value[0] : value[1]]))
    return out


def _float_list(data, begin, end, dtype, single):
    parts = []
    for number, kind, value in wire.fields(data, begin, end):
        if number == 1:
            if kind != wire.BYTES:
                _expect(number, kind, single)
            if (value[1] - value[0]) % numpy.dtype(dtype).itemsize:
                raise Malformed(
                    f"expects a multiple of {numpy.dtype(dtype).itemsize} bytes of "
                    f"numbers but got {value[1] - value[0]}"
                )
            parts.append(numpy.frombuffer(data[value[0] : value[1]], dtype))
    return numpy.concatenate(parts) if parts else numpy.empty(0, dtype)


def _int_list(data, begin, end, dtype):
    parts = []
    for number, kind, value in wire.fields(data, begin, end):
        if number != 1:
            continue
        if kind == wire.VARINT:
            parts.append(numpy.array([value], numpy.uint64).view(numpy.int64))
        else:
            _expect(number, kind, wire.BYTES)
            parts.append(_packed_ints(data[value[0] : value[1]]))
    joined = numpy.concatenate(parts) if parts else numpy.empty(0, numpy.int64)
    # Of an int32 only the low half counts.
    return joined.astype(dtype)


def feature(data, place):
    """The Feature at one of the places that find() gives. Raises Malformed."""
    begin, end = place
    out = Feature(None, [])
    for number, kind, value in wire.fields(data, begin, end):
        if not 1 <= number <= len(_KINDS):
            continue
        _expect(number, kind, wire.BYTES)
        name = _KINDS[number - 1]
        if name == "bytes":
            values = _bytes_list(data, *value)
        elif name in _FLOATS:
            values = _float_list(data, *value, *_FLOATS[name])
        else:
            values = _int_list(data, *value, numpy.dtype(name))
        if name == out.kind:  # parts of one message
            joined = [*out.values, *values]
            values = joined if name == "bytes" else numpy.array(joined, values.dtype)
        out = Feature(name, values)
    return out


def find(data):
    """Where the Features of a serialized OFRecord, a memoryview, are, by name. Raises
    Malformed."""
    out = {}
    for number, kind, value in wire.fields(data, 0, len(data)):
        if number != 1:
            continue
        _expect(number, kind, wire.BYTES)
        name, content = b"", (0, 0)
        for inner, inner_kind, inner_value in wire.fields(data, *value):
            if inner in (1, 2):
                _expect(inner, inner_kind, wire.BYTES)
            if inner == 1:
                name = bytes(data[inner_value[0] : inner_value[1]])
            elif inner == 2:
                content = inner_value
        try:
            name = name.decode()
        except UnicodeDecodeError:
            raise Malformed(
                f"expects the name of a feature in UTF-8 but got {name!r}"
            ) from None
        out[name] = content
    return out


def parse(data):
    """The Features of a serialized OFRecord, by name. Raises Malformed."""
    data = memoryview(data)
    return {name: feature(data, place) for name, place in find(data).items()}


# ===- Writing -------------------------------------------------------------===#


def _encode_list(kind, values):
    if kind == "bytes":
        return b"".join(wire.data(1, value) for value in values)
    if kind in _FLOATS:
        return wire.data(1, numpy.asarray(values, _FLOATS[kind][0]).tobytes())
    return wire.integers(1, values)


def serialize(features):
    """A serialized OFRecord from Features by name."""
    out = b""
    for name, (kind, values) in features.items():
        content = b""
        if kind is not None:
            content = wire.data(_KINDS.index(kind) + 1, _encode_list(kind, values))
        out += wire.data(1, wire.string(1, name) + wire.data(2, content))
    return out
