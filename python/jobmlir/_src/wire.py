"""Protobuf's wire format, as far as the package writes and reads it."""

import struct

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
MOST_VARINT_BYTES = 10


class Malformed(ValueError):
    """Bytes that are not the message that was expected."""


# ===- Writing -------------------------------------------------------------===#


def varint(value):
    """An int of 64 bits; a negative one as its two's complement."""
    value &= (1 << 64) - 1
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _key(number, kind):
    return varint(number << 3 | kind)


def integer(number, value):
    """A field of an int, an enum or a bool."""
    return _key(number, VARINT) + varint(int(value))


def data(number, value):
    """A field of bytes, of a message that is encoded, or of packed values."""
    return _key(number, BYTES) + varint(len(value)) + bytes(value)


def string(number, value):
    return data(number, value.encode())


def float32(number, value):
    return _key(number, FIXED32) + struct.pack("<f", value)


def float64(number, value):
    return _key(number, FIXED64) + struct.pack("<d", value)


def doubles(number, values):
    """A packed field of doubles."""
    return data(number, struct.pack(f"<{len(values)}d", *values))


def integers(number, values):
    """A packed field of ints."""
    return data(number, b"".join(varint(int(value)) for value in values))


# ===- Reading -------------------------------------------------------------===#


def read_varint(data, at, end):
    """The int at `at`, and where it ends. Raises Malformed."""
    value = 0
    for count in range(MOST_VARINT_BYTES):
        if at >= end:
            raise Malformed("expects more bytes of a varint but got the end")
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << (7 * count)
        if byte < 0x80:
            return value & 0xFFFFFFFFFFFFFFFF, at
    raise Malformed(f"expects a varint of at most {MOST_VARINT_BYTES} bytes")


def _field(data, at, end):
    """Number, wire type and value of the field at `at`, and where it ends; the value of
    bytes is (begin, end)."""
    tag, at = read_varint(data, at, end)
    number, kind = tag >> 3, tag & 7
    if number == 0 or tag > 0xFFFFFFFF:
        raise Malformed(f"expects the tag of a field but got {tag}")
    if kind == VARINT:
        value, at = read_varint(data, at, end)
        return number, kind, value, at
    if kind == BYTES:
        size, at = read_varint(data, at, end)
    elif kind in (FIXED32, FIXED64):
        size = 4 if kind == FIXED32 else 8
    else:
        raise Malformed(f"expects a wire type of 0, 1, 2 or 5 but got {kind}")
    if size > end - at:
        raise Malformed(f"expects {size} bytes of field {number} but got {end - at}")
    return number, kind, (at, at + size), at + size


def fields(data, at, end):
    """(number, wire type, value or (begin, end)) of each field of a message. Raises
    Malformed."""
    while at < end:
        number, kind, value, at = _field(data, at, end)
        yield number, kind, value


def end_of_message(message):
    """How many bytes at the beginning of `message` are whole fields: those behind it
    are none."""
    at = 0
    try:
        while at < len(message):
            *_, at = _field(message, at, len(message))
    except Malformed:
        pass
    return at
