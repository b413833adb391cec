"""Random numbers inside of jobs: others in each step, and equal ones for equal seeds.

Without a seed of its own an op has that of the session; ops are independent of each
other, as their names are different.
"""

from __future__ import annotations

import math

from . import arguments, micro_steps
from . import dtype as dtypes
from .blob import Blob, BlobDef
from .documentation import documented, of_op
from .hints import DType, Number, Shape
from .math_ops import as_int8, broadcast, compare, operands, splat
from .trace import begin


def _uniform(op, shape, seed, like=None):
    """f32 numbers inside (0, 1), exact to 23 bits; other ones in each micro-step of
    `like`."""
    if seed is not None and not arguments.is_int(seed):
        op.fail(f"expects seed to be an int or None but got {seed!r}")
    seed = op.trace.module_trace.seed if seed is None else int(seed)
    if not arguments.fits_int64(seed):
        op.fail(f"expects seed in [-2^63, 2^63) but got {arguments.show(seed)}")
    step = op("step") if like is None else micro_steps.random_step(op, like)
    return op(
        "random_uniform",
        splat(op, seed, [1], dtypes.int64),
        step,
        id=op.trace.random_id(op.name),
        result=(shape, "f32"),
    )


def _probability(op, value, what, is_one_allowed=True):
    value = arguments.number(op.fail, value, what)
    if not 0 <= value <= 1 or (value == 1 and not is_one_allowed):
        bracket = "]" if is_one_allowed else ")"
        op.fail(f"expects {what} in [0, 1{bracket} but got {value!r}")
    return value


def noise_shape_of(op, noise_shape, x):
    """The shape of the random numbers for the blob `x`: its own without noise_shape."""
    if noise_shape is None:
        return x.shape
    shape = arguments.extents(op, noise_shape)
    extents = zip(reversed(shape), reversed(x.shape))
    if len(shape) > len(x.shape) or any(a not in (1, b) for a, b in extents):
        op.fail(
            f"expects noise_shape to broadcast to shape {x.shape} but got "
            f"{tuple(shape)}"
        )
    return shape


@of_op
def random_mask_like(
    like: BlobDef,
    rate: Number,
    seed: int | None = None,
    noise_shape: Shape | None = None,
    name: str | None = None,
) -> Blob:
    """0 with a probability, else 1; other ones in each step.

    It has no gradient.

    Args:
        like: (...), any element type, of which only the shape is used.
        rate: The probability of 0, in [0, 1).
        noise_shape: A shape that broadcasts to that of like, and is broadcast to it;
            None is that of like.

    Returns:
        A blob of i8 of the shape of like.
    """
    op = begin("nn.random_mask_like", name, "RandomMaskLike")
    like = op.blob(like, "like")
    shape = noise_shape_of(op, noise_shape, like)
    rate = _probability(op, rate, "rate", is_one_allowed=False)
    numbers = _uniform(op, shape, seed, like)
    kept = compare(op, numbers, splat(op, rate, shape, numbers.dtype), "ge")
    return broadcast(op, as_int8(op, kept), like.shape)


@of_op
def bernoulli(
    x: BlobDef,
    seed: int | None = None,
    dtype: DType | None = None,
    name: str | None = None,
) -> Blob:
    """1 with the probability of each element, else 0; other ones in each step.

    It has no gradient.

    Args:
        x: (...), f16/bf16/f32/f64 in [0, 1].
        dtype: The element type of the result; None is that of x.

    Returns:
        A blob of the shape of x, of dtype.

    Raises:
        ArgumentTypeError: dtype is no element type.
        UnsupportedError: dtype is none that blobs have.
    """
    op = begin("random.bernoulli", name, "Bernoulli")
    x = op.blob(x, "x")
    if not x.dtype.is_float():
        op.fail(f"expects x to be a blob of floats but got {x.dtype.canonical}")
    kind = dtypes.require_mlir(x.dtype if dtype is None else dtype, f"op {op.name}")
    wide = x
    if x.dtype not in (dtypes.float32, dtypes.float64):
        wide = op("cast", x, result=(x.shape, "f32"))
    numbers = _uniform(op, x.shape, seed, x)
    if wide.dtype != numbers.dtype:
        numbers = op("cast", numbers, result=(x.shape, wide.dtype.mlir))
    hit = compare(op, numbers, wide, "lt")
    return op("cast", hit, result=(x.shape, kind))


@of_op
def CoinFlip(
    batch_size: int = 1,
    seed: int | None = None,
    probability: Number = 0.5,
    name: str | None = None,
) -> Blob:
    """1 with a probability, else 0; other ones in each step.

    Args:
        batch_size: How many.
        probability: That of 1, in [0, 1].

    Returns:
        (batch_size,), i8.
    """
    op = begin("random.CoinFlip", name, "CoinFlip")
    if not arguments.is_int(batch_size) or batch_size < 1:
        op.fail(f"expects batch_size to be a positive int but got {batch_size!r}")
    probability = _probability(op, probability, "probability")
    shape = [int(batch_size)]
    numbers = _uniform(op, shape, seed)
    limit = splat(op, probability, shape, numbers.dtype)
    return as_int8(op, compare(op, numbers, limit, "lt"))


coin_flip = CoinFlip


def _permutation(op, count, seed):
    """The indices of `count` rows in a random order. Of equal numbers, which are two of
    8 million, the lower index comes first."""
    return op("argsort", _uniform(op, [count], seed))


@of_op
def generate_random_batch_permutation_indices(
    value: BlobDef, seed: int | None = None, name: str | None = None
) -> Blob:
    """The indices of the rows in a random order, another one in each step.

    It has no gradient.

    Args:
        value: (N, ...), any element type, of which only the shape is used.

    Returns:
        (N,), i32.
    """
    op = begin(
        "random.generate_random_batch_permutation_indices", name, "RandomPermutation"
    )
    value = op.blob(value, "value")
    return _permutation(op, value.shape[0], seed)


@of_op
def shuffle(value: BlobDef, seed: int | None = None, name: str | None = None) -> Blob:
    """The rows in a random order, another one in each step.

    The gradient of a row goes to where it comes from.

    Args:
        value: (N, ...), any element type.

    Returns:
        A blob of the shape and element type of value.
    """
    op = begin("random.shuffle", name, "RandomShuffle")
    value = op.blob(value, "value")
    order = _permutation(op, value.shape[0], seed)
    return op("gather", value, order, axis=0, batch_dims=0)


@documented
def gen_seed(seed: int | None = None) -> tuple[int, bool]:
    """A seed and whether there is one.

    Args:
        seed: An int, or None.

    Returns:
        (seed, True), or (-1, False) for None.
    """
    return (-1, False) if seed is None else (seed, True)


# ===- As other libraries have them ----------------------------------------===#


def _new(api, prefix, shape, dtype, seed, name):
    """The call of a distribution: its scope, f32 numbers and the type of floats."""
    op = begin(api, name, prefix)
    dtype = dtypes.float32 if dtype is None else dtype
    kind = dtypes.require_mlir(dtype, f"op {op.name}")
    if not dtype.is_float():
        op.fail(f"expects dtype to be one of floats but got {dtype.canonical}")
    shape = arguments.extents(op, [shape] if arguments.is_int(shape) else shape)
    numbers = _uniform(op, shape, seed)
    if kind == "f64":
        numbers = op("cast", numbers, result=(shape, kind))
    return op, numbers, kind


def _moved(op, numbers, scale, offset, kind):
    scaled = op("mul", *operands(op, [numbers, scale]))
    result = op("add", *operands(op, [scaled, offset]))
    if result.dtype.mlir == kind:
        return result
    return op("cast", result, result=(result.shape, kind))


@of_op
def uniform(
    shape: int | Shape,
    minval: Number = 0.0,
    maxval: Number = 1.0,
    dtype: DType | None = None,
    seed: int | None = None,
    name: str | None = None,
) -> Blob:
    """Numbers of a uniform distribution, other ones in each step.

    Args:
        shape: A list of ints, or an int.
        minval: The lower bound.
        maxval: The upper bound.
        dtype: float16, bfloat16, float32 or float64; None is float32.

    Returns:
        A blob of that shape and element type.

    Raises:
        ArgumentTypeError: dtype is no element type.
        UnsupportedError: dtype is none that blobs have.
    """
    op, numbers, kind = _new(
        "random.uniform", "RandomUniform", shape, dtype, seed, name
    )
    low = arguments.number(op.fail, minval, "minval")
    high = arguments.number(op.fail, maxval, "maxval")
    if low > high:
        op.fail(f"expects minval up to maxval but got {minval!r} and {maxval!r}")
    return _moved(op, numbers, high - low, low, kind)


@of_op
def normal(
    shape: int | Shape,
    mean: Number = 0.0,
    stddev: Number = 1.0,
    dtype: DType | None = None,
    seed: int | None = None,
    name: str | None = None,
) -> Blob:
    """Numbers of a normal distribution, other ones in each step.

    Args:
        shape: A list of ints, or an int.
        mean: The mean.
        stddev: The standard deviation, at least 0.
        dtype: float16, bfloat16, float32 or float64; None is float32.

    Returns:
        A blob of that shape and element type.

    Raises:
        ArgumentTypeError: dtype is no element type.
        UnsupportedError: dtype is none that blobs have.
    """
    op, numbers, kind = _new("random.normal", "RandomNormal", shape, dtype, seed, name)
    mean = arguments.number(op.fail, mean, "mean")
    stddev = arguments.number(op.fail, stddev, "stddev")
    if stddev < 0:
        op.fail(f"expects stddev to be at least 0 but got {stddev!r}")
    # sqrt(2) erf_inv(2 u - 1), where 2 u - 1 is exact.
    centred = op(
        "sub", op("add", numbers, numbers), splat(op, 1.0, numbers.shape, numbers.dtype)
    )
    return _moved(op, op("erf_inv", centred), math.sqrt(2) * stddev, mean, kind)
