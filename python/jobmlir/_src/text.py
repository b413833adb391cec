"""Values in MLIR's syntax."""

import math
import struct


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
    """A quoted string, every byte that is not plain text as hexadecimal."""
    out = []
    for byte in value.encode():
        char = chr(byte)
        plain = 32 <= byte < 127 and char not in '"\\'
        out.append(char if plain else f"\\{byte:02X}")
    return '"' + "".join(out) + '"'


def symbol(name):
    return "@" + string(name)


def tensor(shape, dtype):
    """A builtin tensor type."""
    return "tensor<" + "x".join([*map(str, shape), dtype]) + ">"


def blob(shape, dtype):
    return "!job.blob<" + "x".join([*map(str, shape), dtype]) + ">"


def splat(value, shape, dtype):
    """A dense attribute whose elements are all `value`."""
    if dtype[0] == "i":
        element = str(int(value)) if dtype != "i1" else str(bool(value)).lower()
    elif math.isfinite(value):
        element = number(value)
    else:
        code, digits = ("<f", 8) if dtype == "f32" else ("<d", 16)
        bits = int.from_bytes(struct.pack(code, value), "little")
        element = f"0x{bits:0{digits}X}"
    return f"dense<{element}> : {tensor(shape, dtype)}"
