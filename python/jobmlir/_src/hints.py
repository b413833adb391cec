"""The types in the signatures of public functions."""

import os
import typing

import numpy

from .blob import BlobDef
from .dtype import dtype

Array = numpy.ndarray[typing.Any, numpy.dtype[typing.Any]]
Number = typing.Union[int, float, numpy.number[typing.Any]]
# An operand of arithmetic: a blob, or a number for all elements.
Operand = typing.Union[BlobDef, Number]
# One for all channels, or one for each.
Numbers = typing.Union[Number, typing.Sequence[Number], Array]
DType = type[dtype]
Shape = typing.Sequence[int]
Axes = typing.Union[int, typing.Sequence[int], None]
Blobs = typing.Sequence[BlobDef]
# One for all spatial axes, or one for each.
Window = typing.Union[int, typing.Sequence[int]]
Padding = typing.Union[str, typing.Sequence[typing.Union[int, typing.Sequence[int]]]]
Slices = typing.Sequence[typing.Optional[typing.Sequence[typing.Optional[int]]]]
Activation = typing.Callable[..., typing.Any]
Path = typing.Union[str, "os.PathLike[str]"]
Patterns = typing.Union[str, typing.Sequence[str]]
# What an optimizer updates.
_Variable = typing.Union[str, BlobDef]
Variables = typing.Union[
    _Variable, typing.Sequence[_Variable], typing.Callable[[], object]
]
# Arguments of summaries.
Step = typing.Union[int, BlobDef, None]
Tag = typing.Union[str, BlobDef, None]
