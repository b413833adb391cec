"""Data that a job makes itself."""

from __future__ import annotations

import math
import re

from . import dtype as dtypes
from . import initializers
from .array_ops import array_constant
from .blob import Blob, BlobDef
from .documentation import of_op
from .hints import DType, Shape
from .initializers import InitializerLike
from .math_ops import splat
from .readers import example_shape, positive
from .trace import begin

_TEXT = re.compile(r"#job\.(\w+)_init<(.*)>")


def _distribution(initializer, shape):
    """(kind, parameters) of an initializer for a blob of this shape: "constant" (value),
    "random_uniform" (low, high), "random_normal" or "truncated_normal" (mean, stddev)."""
    kind, fields = _TEXT.fullmatch(initializer.attribute(shape)).groups()
    values = [field.rpartition(" = ")[2] for field in fields.split(", ")]
    if kind == "variance_scaling":
        scale, mode, kind = values
        variance = float(scale) / initializers.fan(shape, mode)
        if kind == "random_uniform":
            limit = math.sqrt(3 * variance)
            return kind, [-limit, limit]
        stddev = math.sqrt(variance)
        if kind == "truncated_normal":
            stddev /= initializers.TRUNCATED_STDDEV
        return kind, [0.0, stddev]
    return kind, list(map(float, values))


def _unit(op, kind, shape, wide):
    """Numbers in (0, 1), or of a normal distribution with a deviation of 1."""
    u = op(
        "random_uniform",
        splat(op, op.trace.module_trace.seed, [1], dtypes.int64),
        op("step"),
        id=op.trace.random_id(op.name),
        result=(shape, "f32"),
    )
    if wide != "f32":
        u = op("cast", u, result=(shape, wide))
    if kind == "random_uniform":
        return u
    # The inverse of the distribution's integral.
    share = math.erf(math.sqrt(2)) if kind == "truncated_normal" else 1.0
    centred = op("sub", op("add", u, u), splat(op, 1.0, shape, u.dtype))
    inner = op("mul", centred, splat(op, share, shape, u.dtype))
    return op("mul", op("erf_inv", inner), splat(op, math.sqrt(2), shape, u.dtype))


@of_op
def decode_random(
    shape: Shape,
    dtype: DType,
    batch_size: int = 1,
    initializer: InitializerLike | None = None,
    tick: BlobDef | None = None,
    name: str | None = None,
) -> Blob:
    """Random numbers in place of data, other ones in each step.

    The numbers depend on config.random_seed and the names of job and op only.

    Args:
        shape: The shape of an example.
        dtype: The element type; for ints, random numbers are rounded down.
        batch_size: The number of examples.
        initializer: An initializer of variables, or an array, for the shape of the
            result; None is uniform numbers in [0, 1).
        tick: Has no effect.

    Returns:
        (batch_size,) + shape, of dtype.

    Raises:
        ArgumentTypeError: dtype is no element type.
        UnsupportedError: dtype is none that blobs have.
    """
    op = begin("data.decode_random", name, "DecodeRandom")
    extents = [positive(op, batch_size, "batch_size"), *example_shape(op, shape)]
    dtypes.require_mlir(dtype, f"op {op.name}")
    if tick is not None:
        op.blob(tick, "tick", dynamic=True)
    if initializer is None:
        initializer = initializers.random_uniform_initializer()
    initializer = initializers.of_user(op.fail, initializer)
    values = initializer.values(extents, dtype)
    if values is not None:
        return array_constant(op, values, dtype)
    kind, numbers = _distribution(initializer, extents)
    if kind == "constant":
        return splat(op, numbers[0], extents, dtype)
    wide = "f64" if dtype == dtypes.float64 else "f32"
    x = _unit(op, kind, extents, wide)
    scale, offset = numbers[1], numbers[0]
    if kind == "random_uniform":
        scale = numbers[1] - numbers[0]
    x = op("mul", x, splat(op, scale, extents, x.dtype))
    x = op("add", x, splat(op, offset, extents, x.dtype))
    if not dtype.is_float():
        x = op("floor", x)
    return x if x.dtype == dtype else op("cast", x, result=(extents, dtype.mlir))
