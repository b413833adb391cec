"""Blobs: the values in the body of a job function.

A blob has a shape and an element type but no value: the body describes the
job, it does not run it. The arithmetic operators are installed by math_ops.
"""

from __future__ import annotations

import copy
import difflib
import typing

from . import dtype as dtypes
from . import errors, frames, names

if typing.TYPE_CHECKING:
    from .annotations import ListListNumpy, ListNumpy, Numpy
    from .blob_attributes import ParallelConf
    from .distributions import Distribution
    from .hints import Axes, Operand

    class _Result(Numpy, ListNumpy, ListListNumpy):
        """What a job returns in its body, where its annotation says what a call
        gives."""

else:
    _Result = object


class BlobDef(_Result):
    """Base class of all blobs, for isinstance checks in user code."""


def refuse(blob, wanted, given, meant=None, cls=errors.BlobValueError):
    """Raises the error of a use that blobs do not have, at the user's line; `meant` is
    what may be used instead."""
    hint = f": did you mean {meant}?" if meant else ""
    raise cls(
        errors.located(
            f"expects {wanted} but got {given}{hint}",
            frames.user_frames(),
            blob._trace.name,
            blob._op_name,
        )
    )


class Blob(BlobDef):
    """A blob of the job function that is being traced."""

    def __init__(self, trace, value, op_name, micro_steps=1, is_tensor_list=False):
        self._trace = trace
        self._value = value
        self._op_name = op_name
        # 1 if per-step, the number of micro-steps if per-micro-step, 0 if it depends
        # on constants only.
        self._micro_steps = micro_steps
        # With a bounded dimension, the blob that has its true extent. The op that
        # makes both sets it.
        self._count = None
        # The static blob whose elements before the count it has, if it was made of one.
        self._static = None
        # The blob of the number of its first rows that a job returns, if not all.
        self._rows = None
        # What it was computed from, and the name of the variable that it is.
        self._operands = ()
        self._variable = None
        # The user's frames of the cast that made it, if one did.
        self._cast_at = None
        self._shape = value.shape
        self._dynamic_axis = value.bounded_dim
        self._is_tensor_list = is_tensor_list
        # The buffers.Examples of a tensor list that has an array for each example.
        self._examples = None
        # See blob_attributes.
        self._batch_axis = None
        self._scope = None
        # A hint for consumers; see distributions.
        self._distribute = None
        self._dtype = dtypes.from_mlir(value.dtype)

    if typing.TYPE_CHECKING:
        # What math_ops, blob_methods, blob_attributes and distributions install.
        def __add__(self, other: Operand) -> Blob: ...
        def __radd__(self, other: Operand) -> Blob: ...
        def __sub__(self, other: Operand) -> Blob: ...
        def __rsub__(self, other: Operand) -> Blob: ...
        def __mul__(self, other: Operand) -> Blob: ...
        def __rmul__(self, other: Operand) -> Blob: ...
        def __truediv__(self, other: Operand) -> Blob: ...
        def __rtruediv__(self, other: Operand) -> Blob: ...
        def __floordiv__(self, other: Operand) -> Blob: ...
        def __rfloordiv__(self, other: Operand) -> Blob: ...
        def __mod__(self, other: Operand) -> Blob: ...
        def __rmod__(self, other: Operand) -> Blob: ...
        def __pow__(self, other: Operand) -> Blob: ...
        def __rpow__(self, other: Operand) -> Blob: ...
        def __matmul__(self, other: BlobDef) -> Blob: ...
        def __eq__(self, other: Operand) -> Blob: ...  # type: ignore[override]
        def __ne__(self, other: Operand) -> Blob: ...  # type: ignore[override]
        def __lt__(self, other: Operand) -> Blob: ...
        def __le__(self, other: Operand) -> Blob: ...
        def __gt__(self, other: Operand) -> Blob: ...
        def __ge__(self, other: Operand) -> Blob: ...
        def __neg__(self) -> Blob: ...
        def __abs__(self) -> Blob: ...
        def __getitem__(self, key: typing.Any) -> Blob: ...
        def mean(self, axis: Axes = None, keepdims: bool = False) -> Blob: ...
        def sum(self, axis: Axes = None, keepdims: bool = False) -> Blob: ...
        def max(self, axis: Axes = None, keepdims: bool = False) -> Blob: ...
        def min(self, axis: Axes = None, keepdims: bool = False) -> Blob: ...
        def reshape(self, *shape: int | typing.Sequence[int]) -> Blob: ...
        def with_distribute(self, distribute: Distribution) -> Blob: ...
        def with_split_distribute(self, axis: int) -> Blob: ...
        def with_broadcast_distribute(self) -> Blob: ...
        def with_gradient_distribute(self, distribute: Distribution) -> Blob: ...
        @property
        def batch_axis(self) -> int | None: ...
        @property
        def split_axis(self) -> int | None: ...
        @property
        def parallel_conf(self) -> ParallelConf: ...
        @property
        def parallel_size(self) -> int: ...
        @property
        def distribute(self) -> Distribution: ...

    else:

        def __getattr__(self, name):
            return self._no_attribute(name)

    def _no_attribute(self, name):
        if name.startswith("_"):
            raise AttributeError(f"'Blob' object has no attribute {name!r}")
        own = [one for one in dir(type(self)) if not one.startswith("_")]
        near = difflib.get_close_matches(name, own, 1)
        if function := names.meant(name):
            near = [f"{names.public(function)} of the blob"]
        meant = near[0] if near else None
        wanted = "an attribute that a blob has"
        refuse(self, wanted, name, meant, errors.UnknownNameError)

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents; of a dynamic dimension its upper bound."""
        return self._shape

    @property
    def dtype(self) -> type[dtypes.dtype]:
        """The element type, such as flow.float32."""
        return self._dtype

    @property
    def op_name(self) -> str:
        """The name of the op that it is a result of."""
        return self._op_name

    @property
    def logical_blob_name(self) -> str:
        """The name of the op, and "/out"."""
        return f"{self._op_name}/out"

    unique_name = logical_blob_name

    @property
    def is_dynamic(self) -> bool:
        """Whether a dimension has another extent in each step."""
        return self._dynamic_axis is not None

    @property
    def is_tensor_list(self) -> bool:
        """Whether it is an argument with a list of arrays for each device.

        Or what tensor_buffer_to_tensor_list has made.
        """
        return self._is_tensor_list

    def _hinted(self, distribute):
        """The same value, with a distribution of its own."""
        hinted = copy.copy(self)
        hinted._distribute = distribute
        return hinted

    def __repr__(self):
        return f"<Blob {self._op_name}: shape {self._shape}, {self._dtype.canonical}>"

    # `==` builds an op, so dictionaries have to hash by identity.
    __hash__ = object.__hash__

    def _no_value(self, wanted):
        refuse(
            self,
            f"a value to {wanted}",
            "a blob, which has none while its job is being traced",
        )

    def __bool__(self) -> bool:
        self._no_value("branch on")

    def __float__(self):
        self._no_value("convert to a float")

    def __int__(self):
        self._no_value("convert to an int")

    def __iter__(self):
        self._no_value("iterate over")

    def __len__(self):
        self._no_value("take the length of")

    def __contains__(self, item):
        self._no_value("search")

    def __format__(self, spec):
        if spec:
            self._no_value("format")
        return str(self)

    def __array__(self, dtype=None, copy=None):
        self._no_value("convert to an array")

    def numpy(self) -> typing.NoReturn:
        """Always an error: a blob has no value while its job is being traced.

        Raises:
            BlobValueError: Always.
        """
        self._no_value("convert to an array")
