"""Values in MLIR's syntax."""

import math
import struct

import numpy


def number(value):
    """A float literal; MLIR requires digits on both sides of the point before an
    exponent."""
    text = repr(float(value))
    mantissa, exponent, power = text.partition("e")
    if "." not in mantissa and mantissa.lstrip("-").isdigit():
        mantissa += ".0"
    return mantissa + exponent + power


def is_unicode(value):
    """Whether a str can be encoded, that is, has no unpaired surrogates."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def string(value):
    """A quoted string, with every byte that is not plain text as hexadecimal."""
    out = []
    for byte in value.encode():
        char = chr(byte)
        plain = 32 <= byte < 127 and char not in '"\\'
        out.append(char if plain else f"\\{byte:02X}")
    return '"' + "".join(out) + '"'


def symbol(name):
    return "@" + string(name)


def float_bits(value, dtype):
    """The bits of a float as an int, and how many bytes they are; an OverflowError
    for a finite number that would become an infinity."""
    if dtype == "bf16":
        bits = int.from_bytes(struct.pack("<f", value), "little")
        if math.isnan(value):
            return 0x7FC0, 2
        bits = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
        if bits & 0x7F80 == 0x7F80 and not math.isinf(value):
            raise OverflowError
        return bits, 2
    code, size = {"f16": ("<e", 2), "f32": ("<f", 4), "f64": ("<d", 8)}[dtype]
    return int.from_bytes(struct.pack(code, value), "little"), size


def tensor(shape, dtype):
    """A builtin tensor type."""
    return "tensor<" + "x".join([*map(str, shape), dtype]) + ">"


def blob(shape, dtype):
    return "!job.blob<" + "x".join([*map(str, shape), dtype]) + ">"


def splat(value, shape, dtype):
    """A dense attribute whose elements are all `value`."""
    if dtype[0] in "iu":
        element = str(int(value)) if dtype != "i1" else str(bool(value)).lower()
    elif math.isfinite(value):
        element = number(value)
    else:
        bits, size = float_bits(value, dtype)
        element = f"0x{bits:0{2 * size}X}"
    return f"dense<{element}> : {tensor(shape, dtype)}"


def dense(array, dtype):
    """The elements of an array as a tensor constant of the MLIR type `dtype`, of
    which they are."""
    data = numpy.ascontiguousarray(array)
    digits = data.astype(data.dtype.newbyteorder("<")).tobytes().hex().upper()
    return f'dense<"0x{digits}"> : {tensor(data.shape, dtype)}'
