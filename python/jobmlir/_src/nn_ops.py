"""Biases, dropout and the cross entropy of classes."""

from __future__ import annotations

from . import arguments, micro_steps
from .blob import Blob, BlobDef
from .documentation import of_op
from .hints import Shape
from .math_ops import broadcast, splat
from .random_ops import noise_shape_of
from .trace import begin


def bias_add(value, bias, data_format=None, name=None):
    """Adds a vector along the channels: axis 1, or the last one when
    data_format ends in C."""
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


def dropout(x, rate, noise_shape=None, seed=None, name=None):
    """Zeroes elements with probability `rate` and divides the others by
    1 - rate. The identity in a prediction job. With noise_shape, elements that
    NumPy's rules broadcast from one element of that shape share their fate."""
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


def sparse_softmax_cross_entropy_with_logits(labels, logits, name=None):
    """Cross entropy of logits and class labels, one per row."""
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
