"""Biases, dropout and the cross entropy of classes."""

from __future__ import annotations

from . import arguments, micro_steps
from .blob import Blob, BlobDef
from .documentation import of_op
from .hints import Number, Shape
from .math_ops import broadcast, splat
from .random_ops import noise_shape_of
from .trace import begin


@of_op
def bias_add(
    value: BlobDef,
    bias: BlobDef,
    data_format: str | None = None,
    name: str | None = None,
) -> Blob:
    """A vector added along the channels.

    Args:
        value: (N, C, ...), or (N, ..., C) with a data_format that ends in C; any
            element type.
        bias: (C,), of the element type of value.
        data_format: Where the channels are, such as "NHWC"; None is axis 1.

    Returns:
        A blob of the shape and element type of value.
    """
    op = begin("nn.bias_add", name, "BiasAdd")
    x, bias = op.blob(value, "value"), op.blob(bias, "bias")
    if data_format is not None and not isinstance(data_format, str):
        op.fail(f"expects data_format to be a str but got {data_format!r}")
    last = data_format is not None and data_format.upper().endswith("C")
    axis = len(x.shape) - 1 if last else 1
    if axis >= len(x.shape) or bias.shape != (x.shape[axis],):
        op.fail(
            f"expects a bias for axis {axis} of shape {x.shape} but got {bias.shape}"
        )
    spread = op(
        "broadcast_in_dim", bias, dims=[axis], result=(x.shape, bias.dtype.mlir)
    )
    return op("add", x, spread)


@of_op
def dropout(
    x: BlobDef,
    rate: Number,
    noise_shape: Shape | None = None,
    seed: int | None = None,
    name: str | None = None,
) -> Blob:
    """Elements are 0 with a probability, and the others divided by its complement.

    The identity in a prediction job. The elements are other ones in each step, and the
    same in each run.

    Args:
        x: (...), any element type.
        rate: The probability, in [0, 1).
        noise_shape: A shape that broadcasts to that of x: elements of x that are
            broadcast from one element of it share their fate; None is the shape of x.
        seed: Makes the random numbers, and needs a name; None is that of the session.

    Returns:
        A blob of the shape and element type of x.
    """
    op = begin("nn.dropout", name, "Dropout")
    x = op.blob(x, "x")
    shape = noise_shape_of(op, noise_shape, x)
    rate = arguments.scalar(rate)
    if not arguments.is_number(rate) or not 0 <= rate < 1:
        op.fail(f"expects a rate in [0, 1) but got {rate!r}")
    if seed is not None and (not arguments.is_int(seed) or name is None):
        op.fail(
            f"expects an int and a name with the seed but got {seed!r} and {name!r}"
        )
    if op.trace.kind != "train" or rate == 0:
        return x
    shared = tuple(shape) != x.shape
    dropped = op(
        "dropout",
        splat(op, 1, shape, x.dtype) if shared else x,
        micro_steps.random_step(op, x),
        rate=float(rate),
        seed=op.trace.module_trace.seed if seed is None else int(seed),
        id=op.trace.random_id(op.name),
    )
    return op("mul", x, broadcast(op, dropped, x.shape)) if shared else dropped


@of_op
def sparse_softmax_cross_entropy_with_logits(
    labels: BlobDef, logits: BlobDef, name: str | None = None
) -> Blob:
    """The cross entropy of logits and class labels, one number for each row.

    log(sum(e^logits)) - logits[label]. A label out of range gives NaN.

    Args:
        labels: (...) or (..., 1), i8/u8/i32/i64.
        logits: (..., C), f16/bf16/f32/f64.

    Returns:
        (...), of the element type of logits.
    """
    op = begin(
        "nn.sparse_softmax_cross_entropy_with_logits",
        name,
        "SparseSoftmaxCrossEntropy",
    )
    labels, logits = op.blob(labels, "labels"), op.blob(logits, "logits")
    rows = logits.shape[:-1]
    if len(labels.shape) == len(logits.shape) and labels.shape == (*rows, 1) and rows:
        labels = op("reshape", labels, result=(rows, labels.dtype.mlir))
    return op("sparse_softmax_cross_entropy", logits, labels)
