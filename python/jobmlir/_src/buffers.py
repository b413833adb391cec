"""Between tensor buffers, which the host has, and blobs."""

import numpy

from . import errors
from . import dtype as dtypes
from .host_graph import (
    HostBlob,
    Node,
    Problem,
    SourceBlob,
    dense,
    host_value,
    items,
)
from .readers import example_shape, positive
from .trace import begin


def tensor_buffer_to_tensor(x, dtype, instance_shape, name=None):
    """A blob of shape (batch, *instance_shape) from a tensor buffer: its arrays have
    the element type `dtype` and as many elements as `instance_shape`."""
    op = begin("tensor_buffer_to_tensor", name, "TensorBufferToTensor")
    node, count = host_value(op, x, "x")
    if not isinstance(x, HostBlob) or x.dtype != dtypes.tensor_buffer:
        op.fail(f"expects x to be a tensor buffer but got {x.op_name}")
    shape = example_shape(op, instance_shape)
    dtypes.require_mlir(dtype, f"op {op.name}")
    size = int(numpy.prod(shape, dtype=numpy.int64))

    def check(_, array):
        if array.size != size:
            raise Problem(
                f"expects {size} elements of shape {tuple(shape)} but got an array of "
                f"shape {array.shape}"
            )
        if array.dtype != dtype.numpy:
            raise Problem(f"expects an array of {dtype.numpy} but got {array.dtype}")
        return array.reshape(shape)

    def compute(batch, values):
        return dense(items(values).map(check), shape, dtype.numpy)

    return SourceBlob(op, Node(op, (node,), compute), (count, *shape), dtype)


def tensor_to_tensor_buffer(x, instance_dims, name=None):
    """A tensor buffer of the arrays that are the last `instance_dims` dimensions of an
    argument of the job, or of what the host computed. The other dimensions, of which
    there is one in this version, are the batch."""
    op = begin("tensor_to_tensor_buffer", name, "TensorToTensorBuffer")
    node, count = host_value(op, x, "x")
    if isinstance(x, HostBlob):
        op.fail(f"expects x to be a blob but got {x.not_a_blob()}")
    dims = positive(op, instance_dims, "instance_dims")
    rank = len(x.shape)
    if dims >= rank:
        op.fail(f"expects instance_dims to be less than {rank} but got {dims}")
    if dims != rank - 1:
        op.fail(
            f"expects instance_dims to be {rank - 1}, all but the first, in this version "
            f"but got {dims}",
            errors.UnsupportedError,
        )

    def compute(batch, values):
        return items(values)

    return HostBlob(
        op,
        Node(op, (node,), compute),
        count,
        dtypes.tensor_buffer,
        "tensor_buffer_to_tensor or a function of image",
    )
