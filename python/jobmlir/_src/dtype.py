"""Element types.

Each is a class, which users of the API compare and pass. `float` and `float32`
are two classes for the same element type, and so are `double` and `float64`;
they compare equal.
"""

from __future__ import annotations

from typing import Any

import numpy

from . import errors, frames


class _DTypeMeta(type):
    """Classes that compare equal if they are the same element type."""

    def __eq__(cls, other):
        if not isinstance(other, _DTypeMeta):
            return NotImplemented
        return cls.canonical == other.canonical

    def __hash__(cls):
        return hash(cls.canonical)

    def __repr__(cls):
        return f"oneflow.{cls.__name__}"


class dtype(metaclass=_DTypeMeta):
    """Base class of all element types."""

    canonical = "dtype"
    mlir = None  # the compiler's name, None when a blob cannot have it
    numpy = None

    @classmethod
    def is_float(cls) -> bool:
        """Whether it is one of floats.

        Returns:
            True for float16, bfloat16, float32 and float64.
        """
        return cls.mlir is not None and cls.mlir.lstrip("b").startswith("f")

    @classmethod
    def integer_range(cls) -> tuple[int, int]:
        """The least and the greatest integer of a dtype of ints.

        Returns:
            (least, greatest).
        """
        bits = int(cls.mlir.lstrip("ui"))
        if cls.mlir[0] == "u" or bits == 1:
            return 0, 2**bits - 1
        return -(2 ** (bits - 1)), 2 ** (bits - 1) - 1


def _define(name, canonical, mlir=None, numpy_type=None) -> type[dtype]:
    return _DTypeMeta(
        name,
        (dtype,),
        {
            "canonical": canonical,
            "mlir": mlir,
            "numpy": None if numpy_type is None else numpy.dtype(numpy_type),
            "__doc__": f"The element type {canonical}.",
            "__module__": "jobmlir",
        },
    )


def _bfloat16():
    try:
        import ml_dtypes
    except ImportError:
        return None
    return ml_dtypes.bfloat16


char = _define("char", "char", None, numpy.byte)
float16 = _define("float16", "float16", "f16", numpy.float16)
float32 = _define("float32", "float32", "f32", numpy.float32)
float = _define("float", "float32", "f32", numpy.float32)
float64 = _define("float64", "float64", "f64", numpy.float64)
double = _define("double", "float64", "f64", numpy.float64)
int8 = _define("int8", "int8", "i8", numpy.int8)
int32 = _define("int32", "int32", "i32", numpy.int32)
int64 = _define("int64", "int64", "i64", numpy.int64)
uint8 = _define("uint8", "uint8", "ui8", numpy.uint8)
record = _define("record", "record")
tensor_buffer = _define("tensor_buffer", "tensor_buffer")
# The element type of comparisons inside a job; not visible to users.
bool_ = _define("bool", "bool", "i1", numpy.bool_)

# NumPy's type is that of the package ml_dtypes, which may not be installed.
bfloat16 = _define("bfloat16", "bfloat16", "bf16", _bfloat16())

_BY_MLIR = {
    d.mlir: d
    for d in (
        float16,
        bfloat16,
        float32,
        float64,
        int8,
        uint8,
        int32,
        int64,
        bool_,
    )
}


def blob_dtypes():
    """The element types that blobs of users have."""
    return [dtype for dtype in _BY_MLIR.values() if dtype is not bool_]


def is_dtype(value):
    return isinstance(value, _DTypeMeta)


def from_mlir(name):
    return _BY_MLIR[name]


def require_mlir(value, what):
    """The dialect's name of an element type; an error naming `what` if blobs cannot
    have it."""
    if not is_dtype(value):
        raise errors.ArgumentTypeError(
            errors.located(
                f"expects the dtype of {what} to be a dtype such as oneflow.float "
                f"but got {value!r}",
                frames.user_frames(),
            )
        )
    if value.mlir is None:
        raise errors.UnsupportedError(
            errors.located(
                f"expects the dtype of {what} to be float16, bfloat16, float32, "
                f"float64, int8, uint8, int32 or int64 but got {value.canonical}",
                frames.user_frames(),
            )
        )
    return value.mlir


def convert_oneflow_dtype_to_numpy_dtype(value: type[dtype]) -> type[Any]:
    """The NumPy element type of a dtype.

    Args:
        value: A dtype, such as flow.float32.

    Returns:
        A class, such as numpy.float32.

    Raises:
        UnsupportedError: value is none of arrays, or bfloat16 without the package
            ml_dtypes.
    """
    if value is bfloat16 and value.numpy is None:
        raise errors.UnsupportedError(
            errors.located(
                "expects the package ml_dtypes for arrays of bfloat16 but got none; "
                "install it with 'pip install ml_dtypes'",
                frames.user_frames(),
            )
        )
    if not is_dtype(value) or value.numpy is None:
        raise errors.UnsupportedError(
            errors.located(
                f"expects a dtype of arrays but got {value!r}", frames.user_frames()
            )
        )
    return value.numpy.type
