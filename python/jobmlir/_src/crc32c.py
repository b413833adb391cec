"""CRC-32C (Castagnoli), which the files of TensorBoard have. NumPy computes that of
many parts at a time, since a loop over the bytes of an image would be slow."""

import math

import numpy

_POLYNOMIAL = 0x82F63B78
# Shorter data is not worth the parts.
_LEAST_PARTS = 4096


def _make_table():
    table = numpy.arange(256, dtype=numpy.uint32)
    for _ in range(8):
        table = numpy.where(table & 1, table >> 1 ^ _POLYNOMIAL, table >> 1)
    return table.astype(numpy.uint32)


_TABLE = _make_table()
_LIST = _TABLE.tolist()


def _extend(crc, data):
    for byte in data:
        crc = _LIST[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc


def _extend_by_parts(crc, data):
    """Parts of equal length side by side, each from 0. Then one behind the other: the
    state before a part moves on by as many zero bytes, which is linear, so that the
    states of 32 more parts, of zeros, say what becomes of each bit."""
    parts = math.isqrt(len(data))
    length = len(data) // parts
    rows = numpy.frombuffer(data, numpy.uint8)[: parts * length]
    rows = numpy.ascontiguousarray(rows.reshape(parts, length).T)
    state = numpy.zeros(parts + 32, numpy.uint32)
    state[0] = crc
    state[parts:] = numpy.uint32(1) << numpy.arange(32, dtype=numpy.uint32)
    for row in rows:
        index = state & 0xFF
        index[:parts] ^= row
        state = _TABLE[index] ^ state >> 8
    bits = state[parts:].tolist()
    states = state[:parts].tolist()
    crc = states[0]
    for following in states[1:]:
        moved, bit = following, 0
        while crc:
            if crc & 1:
                moved ^= bits[bit]
            crc >>= 1
            bit += 1
        crc = moved
    return _extend(crc, data[parts * length :])


def crc32c(data):
    """The CRC-32C of bytes."""
    extend = _extend if len(data) < _LEAST_PARTS else _extend_by_parts
    return extend(0xFFFFFFFF, data) ^ 0xFFFFFFFF


def masked(data):
    """The CRC-32C of bytes as record files have it: CRCs of data with CRCs in it
    would be weak."""
    crc = crc32c(data)
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF
