"""Protobuf's wire format, as far as the package writes it."""

import struct

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5


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


def _read_varint(message, at):
    """(value, end), or None where there is none."""
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(message):
            return None
        byte = message[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
    return None


def end_of_message(message):
    """How many bytes at the beginning of `message` are whole fields: those behind it
    are none."""
    at = 0
    while at < len(message):
        key = _read_varint(message, at)
        if key is None or key[0] >> 3 == 0:
            break
        kind, end = key[0] & 7, key[1]
        if kind in (FIXED64, FIXED32):
            end += 8 if kind == FIXED64 else 4
        elif kind in (VARINT, BYTES):
            value = _read_varint(message, end)
            if value is None:
                break
            end = value[1] + (value[0] if kind == BYTES else 0)
        else:
            break
        if end > len(message):
            break
        at = end
    return at
