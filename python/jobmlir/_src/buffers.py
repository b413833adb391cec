"""Between tensor buffers, which the host has, and blobs."""

import numpy

from . import errors
from . import dtype as dtypes
from .blob import BlobDef
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


def _to_blob(op, x, dtype, instance_shape, largest=""):
    """The blob of a tensor buffer. `largest` is what messages add of the shape, where
    the API allows arrays of other shapes."""
    cls = errors.UnsupportedError if largest else errors.DataFormatError
    if not isinstance(x, HostBlob) or x.dtype != dtypes.tensor_buffer:
        got = x.op_name if isinstance(x, BlobDef) else repr(x)
        op.fail(f"expects x to be a tensor buffer but got {got}", errors.BlobValueError)
    check_job(op, x, "x")
    shape = example_shape(op, instance_shape)
    dtypes.require_mlir(dtype, f"op {op.name}")
    size = int(numpy.prod(shape, dtype=numpy.int64))

    def reason(found, kind, numpy_type):
        if int(numpy.prod(found, dtype=numpy.int64)) != size:
            return (
                f"expects {size} elements of {largest}shape {tuple(shape)} but got an "
                f"array of shape {tuple(found)}"
            )
        if kind != numpy_type:
            return f"expects an array of {numpy_type} but got {kind}"
        return None

    if x._blob is not None:
        blob = x._blob
        found = blob.shape[len(x.shape) :]
        if why := reason(found, blob.dtype.canonical, dtype.canonical):
            if largest:
                op.fail(why, errors.UnsupportedError)
            op.fail(why)
        return op("reshape", blob, result=((*x.shape, *shape), dtype.mlir))

    def check(_, array):
        if why := reason(array.shape, array.dtype, dtype.numpy):
            raise Problem(why, cls)
        return array.reshape(shape)

    def compute(batch, values):
        return dense(items(values).map(check), shape, dtype.numpy)

    made = Node(op, (x._node,), compute)
    return SourceBlob(op, made, (x.shape[0], *shape), dtype)


def tensor_buffer_to_tensor(x, dtype, instance_shape, name=None):
    """A blob of shape (*batch, *instance_shape) from a tensor buffer: its arrays have
    the element type `dtype` and as many elements as `instance_shape`. Differentiable if
    tensor_to_tensor_buffer made the buffer."""
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


def tensor_to_tensor_buffer(x, instance_dims, name=None):
    """A tensor buffer of the arrays that are the last `instance_dims` dimensions of a
    blob. The other dimensions are the batch. Functions of image take a buffer of one
    dimension of an argument of the job, or of what a reader or decoder gives."""
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


def tensor_list_to_tensor_buffer(input, name=None):
    """A tensor buffer of shape (batch,) of a tensor list of shape (batch, ...)."""
    op = begin("tensor_list_to_tensor_buffer", name, "TensorListToTensorBuffer")
    return _buffer_of(op, _list(op, input))


def tensor_buffer_to_tensor_list(input, shape, dtype, name=None):
    """A tensor list of a tensor buffer. `shape` is the largest one of the arrays, which
    all have it in this version: a result is one array of shape (batch, *shape)."""
    op = begin("tensor_buffer_to_tensor_list", name, "TensorBufferToTensorList")
    if isinstance(input, HostBlob) and len(input.shape) != 1:
        op.fail(f"expects input of one dimension of batches but got {input.shape}")
    blob = _to_blob(op, input, dtype, shape, "the largest ")
    blob._is_tensor_list = True
    return blob


def tensor_list_split(input, name=None):
    """A tuple with a blob of shape (...) for each example of a tensor list of shape
    (batch, ...)."""
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
