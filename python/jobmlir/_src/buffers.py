"""Between tensor buffers, which the host has, and blobs."""

from __future__ import annotations

import math
import typing

import numpy

from . import dtype as dtypes
from . import errors
from .blob import Blob, BlobDef
from .documentation import of_op
from .hints import DType, Shape
from .host_graph import (
    HostBlob,
    Node,
    Problem,
    SourceBlob,
    check_job,
    dense,
    items,
    node_or_none,
)
from .readers import example_shape, positive
from .trace import begin


def _mismatch(found, kind, shape, dtype, largest=""):
    """The reason why an array of shape `found` and element type `kind` is not one of
    `shape` and `dtype`, or None."""
    size = math.prod(shape)
    if math.prod(found) != size:
        return (
            f"expects {size} elements of {largest}shape {tuple(shape)} but got an "
            f"array of shape {tuple(found)}"
        )
    if kind != dtype:
        return f"expects an array of {dtype} but got {kind}"
    return None


def _fits(found, bound):
    return len(found) == len(bound) and all(f <= b for f, b in zip(found, bound))


# What messages say of the shape of a tensor list.
_LARGEST = "the largest "


def _to_blob(op, x, dtype, instance_shape, largest=""):
    """The blob of a tensor buffer. `largest` is what messages add of the shape, where
    the API allows smaller arrays: those of a blob have one shape, which the result has
    instead."""
    cls = errors.UnsupportedError if largest else errors.DataFormatError
    if not isinstance(x, HostBlob) or x.dtype != dtypes.tensor_buffer:
        got = x.op_name if isinstance(x, BlobDef) else repr(x)
        op.fail(f"expects x to be a tensor buffer but got {got}", errors.BlobValueError)
    check_job(op, x, "x")
    shape = example_shape(op, instance_shape)
    dtypes.require_mlir(dtype, f"op {op.name}")
    if x._blob is not None:
        blob = x._blob
        found = blob.shape[len(x.shape) :]
        if largest and _fits(found, shape):
            shape = found
        kind = blob.dtype.canonical
        if why := _mismatch(found, kind, shape, dtype.canonical, largest):
            if largest:
                op.fail(why, errors.UnsupportedError)
            op.fail(why)
        return op("reshape", blob, result=((*x.shape, *shape), dtype.mlir))

    def check(_, array):
        if why := _mismatch(array.shape, array.dtype, shape, dtype.numpy, largest):
            raise Problem(why, cls)
        return array.reshape(shape)

    def compute(batch, values):
        return dense(items(values).map(check), shape, dtype.numpy)

    made = Node(op, (x._node,), compute)
    return SourceBlob(op, made, (x.shape[0], *shape), dtype)


@of_op
def tensor_buffer_to_tensor(
    x: BlobDef, dtype: DType, instance_shape: Shape, name: str | None = None
) -> Blob:
    """The arrays of a tensor buffer as one blob.

    Differentiable if tensor_to_tensor_buffer made the buffer.

    Args:
        x: A tensor buffer of shape (...), any element type.
        dtype: The element type of its arrays.
        instance_shape: The shape of an array, or one of as many elements.

    Returns:
        (...) + instance_shape, of dtype.

    Raises:
        ArgumentTypeError: dtype is no element type.
        UnsupportedError: dtype is none that blobs have.
    """
    op = begin("tensor_buffer_to_tensor", name, "TensorBufferToTensor")
    return _to_blob(op, x, dtype, instance_shape)


def _buffer_of(op, x, batch_dims=1):
    """The tensor buffer of a blob, whose first dimensions are the batch."""
    buffer = HostBlob(
        op,
        node_or_none(op, x),
        x.shape[:batch_dims],
        dtypes.tensor_buffer,
        "tensor_buffer_to_tensor or a function of image",
    )
    buffer._blob = x
    return buffer


@of_op
def tensor_to_tensor_buffer(
    x: BlobDef, instance_dims: int, name: str | None = None
) -> BlobDef:
    """A tensor buffer of the arrays that are the last dimensions of a blob.

    Functions of image take a buffer of one dimension of an argument of the job, or of
    what a reader or decoder gives.

    Args:
        x: (...), any element type.
        instance_dims: The number of dimensions of an array.

    Returns:
        A tensor buffer of the other dimensions.
    """
    op = begin("tensor_to_tensor_buffer", name, "TensorToTensorBuffer")
    x = op.blob(x, "x")
    dims = positive(op, instance_dims, "instance_dims")
    rank = len(x.shape)
    if dims >= rank:
        op.fail(f"expects instance_dims to be less than {rank} but got {dims}")
    return _buffer_of(op, x, rank - dims)


# ===- Lists of tensors ------------------------------------------------------===#


def _list(op, x):
    """A tensor list: in this version one array with the arrays of all examples."""
    x = op.blob(x, "input")
    if not x.is_tensor_list:
        op.fail(
            "expects input to be a tensor list, such as an argument of "
            f"typing.ListListNumpy, but got {x.op_name}"
        )
    if len(x.shape) < 2:
        op.fail(f"expects input of at least 2 dimensions but got shape {x.shape}")
    return x


@of_op
def tensor_list_to_tensor_buffer(input: BlobDef, name: str | None = None) -> BlobDef:
    """The arrays of a tensor list as a tensor buffer.

    Args:
        input: A tensor list of shape (N, ...), any element type.

    Returns:
        A tensor buffer of shape (N,).
    """
    op = begin("tensor_list_to_tensor_buffer", name, "TensorListToTensorBuffer")
    return _buffer_of(op, _list(op, input))


class Examples(typing.NamedTuple):
    """The blobs that a job returns for a tensor list of an array for each example."""

    padded: typing.Any
    """All arrays, with zeros behind the elements of smaller ones."""
    shapes: typing.Any
    """The shape of an array in each row, a 1 first; None if all have the same."""


def _examples(op, blob):
    """The Examples of a blob that the host computes; its arrays may be smaller."""
    (buffer,) = blob._node.inputs
    shape, dtype = blob.shape[1:], blob.dtype

    def fit(_, array):
        found = array.shape
        bound = found if _fits(found, shape) else shape
        if why := _mismatch(found, array.dtype, bound, dtype.numpy, _LARGEST):
            raise Problem(why)
        return array.reshape(bound)

    def check(_, values):
        return items(values).map(fit)

    def pad(_, arrays):
        out = numpy.zeros((len(arrays), *shape), dtype.numpy)
        for part, array in zip(out, arrays):
            part[tuple(map(slice, array.shape))] = array
        return out

    def measure(_, arrays):
        return numpy.array([(1, *array.shape) for array in arrays], numpy.int64)

    checked = Node(op, (buffer,), check)
    padded = SourceBlob(op, Node(op, (checked,), pad), blob.shape, dtype)
    padded._is_tensor_list = True
    rows = (blob.shape[0], 1 + len(shape))
    measured = Node(op, (checked,), measure)
    shapes = SourceBlob(op, measured, rows, dtypes.int64, f"{op.name}_shapes")
    padded._examples = Examples(padded, shapes)
    return padded._examples


@of_op
def tensor_buffer_to_tensor_list(
    input: BlobDef, shape: Shape, dtype: DType, name: str | None = None
) -> Blob:
    """The arrays of a tensor buffer as a tensor list.

    A job returns it as a list with an array of shape (1, ...) for each example, or,
    where the result is annotated as typing.Numpy or ListNumpy, as one array of shape
    (N, *shape) with zeros behind the elements of smaller arrays. In other ops, and for
    watch, it is a blob of that shape, and all arrays must have the whole shape in this
    version.

    Args:
        input: A tensor buffer of shape (N,), any element type.
        shape: The shape that its arrays have at most.
        dtype: The element type of its arrays.

    Returns:
        A tensor list of shape (N, *shape), of dtype.

    Raises:
        ArgumentTypeError: dtype is no element type.
        UnsupportedError: dtype is none that blobs have.
    """
    op = begin("tensor_buffer_to_tensor_list", name, "TensorBufferToTensorList")
    if isinstance(input, HostBlob) and len(input.shape) != 1:
        op.fail(f"expects input of one dimension of batches but got {input.shape}")
    blob = _to_blob(op, input, dtype, shape, _LARGEST)
    blob._is_tensor_list = True
    if isinstance(blob, SourceBlob):
        blob._examples = _examples(op, blob)
    else:
        blob._examples = Examples(blob, None)
    return blob


@of_op
def tensor_list_split(input: BlobDef, name: str | None = None) -> tuple[Blob, ...]:
    """The examples of a tensor list as a blob each.

    Args:
        input: A tensor list of shape (N, ...), any element type.

    Returns:
        N blobs of shape (...), of the element type of input.
    """
    op = begin("tensor_list_split", name, "TensorListSplit")
    x = _list(op, input)
    inner = [*x.shape[1:]]
    parts = []
    for index in range(x.shape[0]):
        part = op(
            "slice",
            x,
            offsets=[index, *[0] * len(inner)],
            sizes=[1, *inner],
            strides=[1] * len(x.shape),
        )
        parts.append(op("reshape", part, result=(inner, x.dtype.mlir)))
    return tuple(parts)
