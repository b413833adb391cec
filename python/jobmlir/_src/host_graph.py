"""Values of a job that the host computes before its step: records of files, images.

While a job is traced, readers and what depends on them only form a graph of Nodes. A
HostBlob is one that only other functions of data and image take: records, or images
of any size. A SourceBlob has a static shape: where an op of the job uses it, it
becomes an input of the job, which the session fills from a Feed (see feeds) and the
user does not see.
"""

import numpy

from . import dtype as dtypes
from . import errors
from .blob import Blob, BlobDef


class Problem(Exception):
    """What is wrong with data; `cls` is the class of the error for the user."""

    def __init__(self, message, cls=errors.DataFormatError):
        super().__init__(message)
        self.cls = cls


class Items(list):
    """One thing per example. `origins` are what messages call them, one each."""

    def __init__(self, items, origins):
        super().__init__(items)
        self.origins = origins

    def map(self, function, over=map):
        """Items of `function(index, item)` for each one, which `over` applies. A
        Problem gets the origin of its example."""

        def run(index):
            try:
                return function(index, self[index])
            except Problem as problem:
                raise Problem(
                    f"{problem}: {self.origins[index]}", problem.cls
                ) from None

        return Items(over(run, range(len(self))), self.origins)


class Node:
    """A value that the host computes for each batch: `compute(batch, *values)`, where
    `batch` is a feeds.Batch and `values` are those of `inputs`. Raises Problem. A node
    with `open` has a state, such as files that are open: what
    `open(seed, batch, is_stopped)` returns before the batch of a number; what takes
    long ends when `is_stopped()`.
    """

    def __init__(self, op, inputs, compute, open=None):
        self.inputs = inputs
        self.compute = compute
        self.open = open
        self.job = op.trace.name
        self.op_name = op.name
        self.frames = op.frames
        self.is_late = any(node.is_late for node in inputs)

    def stream(self):
        """What makes the random numbers of this node its own."""
        return f"{self.job}/{self.op_name}"


class ArgumentNode(Node):
    """An argument of the job. What depends on one is computed when the job is called,
    by the thread of the caller."""

    def __init__(self, op, index, origin):
        super().__init__(op, (), None)
        self.index = index
        self.origin = origin
        self.is_late = True


class HostBlob(BlobDef):
    """Records or images of one batch, which only the host has. The node is None for a
    tensor buffer of a blob that the job computes."""

    def __init__(self, op, node, shape, dtype, use):
        self._trace = op.trace
        self._node = node
        self._op_name = op.name
        self._use = use
        # The blob that it is made of, whose arrays have one shape.
        self._blob = None
        self.shape = tuple(shape)
        self.dtype = dtype

    @property
    def op_name(self):
        return self._op_name

    @property
    def logical_blob_name(self):
        return f"{self._op_name}/out"

    @property
    def is_dynamic(self):
        return True

    def not_a_blob(self):
        """What a message says in an op that takes blobs."""
        kind = "records" if self.dtype == dtypes.record else "a tensor buffer"
        return f"{kind} ({self._op_name}): use {self._use}"

    def __repr__(self):
        return f"<HostBlob {self._op_name}: shape {self.shape}, {self.dtype.canonical}>"

    __hash__ = object.__hash__


class _Pending:
    """What a blob of this shape and type has before it is an input of its job."""

    bounded_dim = None

    def __init__(self, shape, dtype):
        self.shape = tuple(shape)
        self.dtype = dtype.mlir


class SourceBlob(Blob):
    """A blob that the host computes."""

    def __init__(self, op, node, shape, dtype, name=None):
        self._node = node
        self._place = op.frames
        super().__init__(op.trace, _Pending(shape, dtype), name or op.name)

    @property
    def _value(self):
        if isinstance(self._held, _Pending):
            self._held = self._trace.add_source(
                self._node, self._op_name, self._shape, self._dtype, self._place
            )
        return self._held

    @_value.setter
    def _value(self, value):
        self._held = value


# ===- Operands of functions that the host computes -------------------------===#


def check_job(op, value, what):
    """An error if a value is of another job than the op."""
    if value._trace is not op.trace:
        op.fail(
            f"expects {what} to be of job {op.trace.name} but got {value.op_name} of "
            f"job {value._trace.name}"
        )


def node_or_none(op, value):
    """The Node of a value that the host has, or None."""
    if isinstance(value, (HostBlob, SourceBlob)):
        return value._node
    if isinstance(value, Blob):
        for index, argument in enumerate(op.trace.arguments):
            if argument is value:
                return op.trace.argument_nodes.setdefault(
                    index, ArgumentNode(op, index, argument.op_name)
                )
    return None


def records(op, value, what):
    """The Node of records."""
    if not isinstance(value, HostBlob) or value.dtype != dtypes.record:
        got = value.op_name if isinstance(value, BlobDef) else repr(value)
        op.fail(
            f"expects {what} to be records of data.ofrecord_reader but got {got}",
            errors.BlobValueError,
        )
    check_job(op, value, what)
    return value._node


def host_value(op, value, what):
    """(Node, number of examples) of a value that the host has."""
    if not isinstance(value, BlobDef):
        op.fail(
            f"expects {what} to be a blob but got {type(value).__name__}",
            errors.BlobValueError,
        )
    check_job(op, value, what)
    if isinstance(value, HostBlob) and len(value.shape) != 1:
        op.fail(
            f"expects {what} of one dimension of batches but got shape {value.shape}"
        )
    node = node_or_none(op, value)
    if node is None:  # computed by the job, directly or as a tensor buffer
        op.fail(
            f"expects {what} to be an argument of the job, or of a reader or decoder, "
            f"but got {value.op_name}, which the job computes",
            errors.UnsupportedError,
        )
    return node, value.shape[0]


def items(values, origin="example {}"):
    """The value of a node as Items."""
    if isinstance(values, Items):
        return values
    return Items(values, [origin.format(index) for index in range(len(values))])


def dense(arrays, shape, dtype):
    """One array of the arrays of all examples."""
    out = numpy.empty((len(arrays), *shape), dtype)
    for index, array in enumerate(arrays):
        out[index] = array
    return out
