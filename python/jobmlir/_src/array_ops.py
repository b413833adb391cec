"""Shapes, element types and constants."""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence

import numpy

from . import arguments, dynamic_ops, errors, text
from . import dtype as dtypes
from .blob import Blob, BlobDef
from .documentation import family, of_op
from .hints import Array, Axes, Blobs, DType, Number, Operand, Shape
from .index_ops import argwhere
from .math_ops import broadcast, operands, splat
from .trace import begin


@of_op
def reshape(x: BlobDef, shape: Shape, name: str | None = None) -> Blob:
    """The same elements in another shape.

    The extent of -1 of a dynamic blob is dynamic: a step in which the elements do not
    make a whole number of slices fails if the job returns the blob.

    Args:
        x: (...), any element type; may be dynamic.
        shape: The new extents, of which one may be -1: what remains. Of a dynamic blob
            one must be -1.

    Returns:
        A blob of that shape, of the element type of x.
    """
    op = begin("reshape", name, "Reshape")
    x = op.blob(x, "x", dynamic=True)
    wanted = arguments.shape(op, shape)
    count = math.prod(x.shape)
    if wanted.count(-1) > 1 or any(e == 0 or e < -1 for e in wanted):
        op.fail(
            f"expects positive extents of which one may be -1 but got {tuple(wanted)}"
        )
    if x.is_dynamic:
        return dynamic_ops.reshape(op, x, wanted)
    known = math.prod(e for e in wanted if e != -1)
    if (count % known if -1 in wanted else count - known) != 0:
        op.fail(
            f"expects a shape of {count} elements as {x.shape} has but got "
            f"{tuple(wanted)}"
        )
    wanted = [count // known if e == -1 else e for e in wanted]
    return op("reshape", x, result=(wanted or [1], x.dtype.mlir))


@of_op
def dynamic_reshape(x: BlobDef, shape: Shape, name: str | None = None) -> Blob:
    """The same elements in another shape, as reshape.

    Args:
        x: (...), any element type; may be dynamic.
        shape: The new extents, of which one may be -1: what remains.

    Returns:
        A blob of that shape, of the element type of x.
    """
    return reshape(x, shape, name)


def _reshape_to(op, x, shape):
    return op("reshape", x, result=(shape or [1], x.dtype.mlir))


@of_op
def reshape_like(x: BlobDef, like: BlobDef, name: str | None = None) -> Blob:
    """The elements of a blob in the shape of another one.

    Args:
        x: (...), any element type.
        like: A blob with as many elements, of which only the shape is used.

    Returns:
        A blob of the shape of like, of the element type of x.
    """
    op = begin("reshape_like", name, "ReshapeLike")
    x, like = op.blob(x, "x"), op.blob(like, "like")
    if math.prod(x.shape) != math.prod(like.shape):
        op.fail(f"expects as many elements as {like.shape} has but got {x.shape}")
    return _reshape_to(op, x, like.shape)


@of_op
def flatten(
    input: BlobDef, start_dim: int = 0, end_dim: int = -1, name: str | None = None
) -> Blob:
    """Some dimensions as one.

    Args:
        input: (...), any element type.
        start_dim: The first of the dimensions.
        end_dim: The last of them; negative ones count from the end.

    Returns:
        A blob with their product in their place, of the element type of input.
    """
    op = begin("flatten", name, "Flatten")
    x = op.blob(input, "input")
    rank = len(x.shape)
    first = arguments.axis(op, start_dim, rank)
    last = arguments.axis(op, end_dim, rank)
    if first > last:
        op.fail(f"expects start_dim up to end_dim but got {start_dim} and {end_dim}")
    middle = math.prod(x.shape[first : last + 1])
    return _reshape_to(op, x, [*x.shape[:first], middle, *x.shape[last + 1 :]])


@of_op
def expand_dims(input: BlobDef, axis: int, name: str | None = None) -> Blob:
    """A blob with a new dimension of extent 1.

    Args:
        input: (...), any element type.
        axis: The place of the new dimension; negative ones count from the end.

    Returns:
        A blob with one more dimension, of the element type of input.
    """
    op = begin("expand_dims", name, "ExpandDims")
    x = op.blob(input, "input")
    place = arguments.axis(op, axis, len(x.shape) + 1)
    return _reshape_to(op, x, [*x.shape[:place], 1, *x.shape[place:]])


@of_op
def squeeze(input: BlobDef, axis: Axes = None, name: str | None = None) -> Blob:
    """A blob without dimensions of extent 1.

    Args:
        input: (...), any element type.
        axis: An axis of extent 1, a list of them, or None for all of extent 1.

    Returns:
        A blob without them, (1,) if none is left, of the element type of input.
    """
    op = begin("squeeze", name, "Squeeze")
    x = op.blob(input, "input")
    if axis is None:
        drop = [i for i, extent in enumerate(x.shape) if extent == 1]
    else:
        drop = arguments.axes(op, axis, len(x.shape))
        for i in drop:
            if x.shape[i] != 1:
                op.fail(f"expects an extent of 1 on axis {i} but got {x.shape[i]}")
    return _reshape_to(op, x, [e for i, e in enumerate(x.shape) if i not in drop])


@of_op
def cast(x: BlobDef, dtype: DType, name: str | None = None) -> Blob:
    """A blob in another element type; itself if it has that.

    Floats are rounded towards 0 to ints. No gradient flows through ints.

    Args:
        x: (...), any element type.
        dtype: The new element type, such as flow.float16.

    Returns:
        A blob of the shape of x, of dtype.

    Raises:
        ArgumentTypeError: dtype is no element type.
        UnsupportedError: dtype is none that blobs have.
    """
    op = begin("cast", name, "Cast")
    x = op.blob(x, "x")
    target = dtypes.require_mlir(dtype, f"op {op.name}")
    return x if x.dtype == dtype else op("cast", x, result=(x.shape, target))


def _same(op, x):
    """A blob of its own with the value of `x`: the gradient with respect to it is that
    of its users alone. The compiler removes the op behind differentiation."""
    return x if x.is_dynamic else op("reshape", x, result=(x.shape, x.dtype.mlir))


@of_op
def identity(x: BlobDef, name: str | None = None) -> Blob:
    """The same value as a blob of its own.

    watch_diff sees the gradient of the users of this blob, not of other users of x.

    Args:
        x: (...), any element type; may be dynamic.

    Returns:
        A blob of the shape and element type of x.
    """
    op = begin("identity", name, "Identity")
    return _same(op, op.blob(x, "x", dynamic=True))


@of_op
def identity_n(inputs: Blobs, name: str | None = None) -> list[Blob]:
    """The identity of each of several blobs.

    Args:
        inputs: At least two blobs, any element type; may be dynamic.

    Returns:
        A list of blobs of their shapes and element types.
    """
    op = begin("identity_n", name, "IdentityN")
    if not isinstance(inputs, (list, tuple)) or len(inputs) < 2:
        op.fail(f"expects a list of at least two blobs but got {inputs!r}")
    blobs = [
        op.blob(blob, f"inputs[{i}]", dynamic=True) for i, blob in enumerate(inputs)
    ]
    return [_same(op, blob) for blob in blobs]


@of_op
def amp_white_identity(x: BlobDef, name: str | None = None) -> Blob:
    """The same blob, whose users choose their types by what they are.

    This matters with enable_auto_mixed_precision only.

    Args:
        x: (...), any element type.

    Returns:
        x.
    """
    op = begin("amp_white_identity", name, "AmpWhiteIdentity")
    return op.blob(x, "x")


def array_constant(op, array, dtype):
    """A blob with the elements of an array, rounded to `dtype`, as a part of the call
    `op`. A blob has at least one dimension."""
    array = numpy.asarray(array)
    array = array.reshape(array.shape or (1,))
    numpy_type = dtypes.convert_oneflow_dtype_to_numpy_dtype(dtype)
    value = text.dense(array.astype(numpy_type), dtype.mlir)
    return op("constant", value=op.text(value))


def _dtype_of_array(op, array):
    """The dtype of the elements of an array, of which blobs may have no equal: bools
    are int8 there."""
    if array.dtype == bool:
        return dtypes.int8
    for dtype in dtypes.blob_dtypes():
        if dtype.numpy == array.dtype.newbyteorder("="):
            return dtype
    return op.fail(
        f"expects an array of a dtype that blobs have but got {array.dtype}",
        errors.ArgumentTypeError,
    )


def _of_array(op, array, dtype, shape):
    """A constant from an array that is not only one number."""
    if arguments.is_masked(array):
        op.fail(
            "expects an array without a mask but got a masked array",
            errors.ArgumentTypeError,
        )
    if shape is not None:
        shape = tuple(arguments.extents(op, shape))
        try:
            array = numpy.broadcast_to(array, shape)
        except ValueError:
            op.fail(
                f"expects an array that broadcasts to {shape} but got {array.shape}"
            )
    if 0 in array.shape:
        op.fail(f"expects an array with elements but got shape {array.shape}")
    own = _dtype_of_array(op, array)
    if dtype is None:
        return array_constant(op, array, own)
    dtypes.require_mlir(dtype, f"op {op.name}")
    with numpy.errstate(all="ignore"):
        cast = array.astype(dtypes.convert_oneflow_dtype_to_numpy_dtype(dtype))
        exact = dtype.is_float() or (cast == array).all()
    if not exact:
        op.fail(
            f"expects an array of ints that {dtype.canonical} can hold but got "
            f"{array.dtype}"
        )
    return array_constant(op, cast, dtype)


def _listed(op, value, dtype):
    """A list of numbers as an array, and its dtype unless one is given."""
    array = arguments.array(op.fail, value, "a list of numbers of one shape")
    if array.dtype.kind not in "bif":
        op.fail(f"expects a list of numbers but got {value!r}", errors.BlobValueError)
    if dtype is None:
        dtype = dtypes.float32 if array.dtype.kind == "f" else dtypes.int32
    return array, dtype


@of_op
def constant(
    value: Number | Array | Sequence[object],
    dtype: DType | None = None,
    shape: Shape | None = None,
    name: str | None = None,
) -> Blob:
    """A blob that is the same in every step.

    Args:
        value: A number for all elements, or a NumPy array or a list of numbers.
        dtype: The element type; None is that of an array, int32 for ints, and float32
            for other numbers.
        shape: The shape; None is (1,), or that of the array or the list, which else
            broadcast to it.

    Returns:
        A blob of that shape and element type.

    Raises:
        ArgumentTypeError: dtype, or the element type of an array, is none of flow's.
        UnsupportedError: dtype is none that blobs have.
    """
    op = begin("constant", name, "Constant")
    value = arguments.scalar(value)
    if isinstance(value, (list, tuple)):
        value, dtype = _listed(op, value, dtype)
    if isinstance(value, numpy.ndarray):
        return _of_array(op, value, dtype, shape)
    if not isinstance(value, numbers.Real) and not arguments.is_bool(value):
        op.fail(f"expects a number but got {value!r}", errors.BlobValueError)
    if dtype is None:
        dtype = dtypes.int32 if isinstance(value, numbers.Integral) else dtypes.float32
    dtypes.require_mlir(dtype, f"op {op.name}")
    extents = [1] if shape is None else arguments.extents(op, shape)
    return splat(op, value, extents, dtype)


@of_op
def constant_scalar(
    value: Number, dtype: DType | None = None, name: str | None = None
) -> Blob:
    """A blob of one element that is the same in every step.

    Args:
        value: The element.
        dtype: The element type; None is int32 for ints, and float32 for other numbers.

    Returns:
        (1,), of dtype.

    Raises:
        ArgumentTypeError: dtype is no element type.
        UnsupportedError: dtype is none that blobs have.
    """
    return constant(value, dtype, [1], name or "ConstantScalar")


def _like(api, prefix, like, value, dtype, name):
    op = begin(api, name, prefix)
    like = op.blob(like, "like")
    dtype = like.dtype if dtype is None else dtype
    dtypes.require_mlir(dtype, f"op {op.name}")
    return splat(op, value, like.shape, dtype)


_of_like = family(
    returns="A blob of the shape of like, of dtype.",
    like="(...), any element type, of which only the shape is used.",
    dtype="The element type of the result; None is that of like.",
)


@_of_like
def constant_like(
    like: BlobDef, value: Number, dtype: DType | None = None, name: str | None = None
) -> Blob:
    """A blob of the shape of another one with one value.

    It has no gradient.

    Args:
        value: All elements.

    Raises:
        ArgumentTypeError: dtype is no element type.
        UnsupportedError: dtype is none that blobs have.
    """
    return _like("constant_like", "ConstantLike", like, value, dtype, name)


@_of_like
def zeros_like(
    like: BlobDef, dtype: DType | None = None, name: str | None = None
) -> Blob:
    """A blob of zeros of the shape of another one.

    It has no gradient.

    Raises:
        ArgumentTypeError: dtype is no element type.
        UnsupportedError: dtype is none that blobs have.
    """
    return _like("zeros_like", "ZerosLike", like, 0, dtype, name)


@_of_like
def ones_like(
    like: BlobDef, dtype: DType | None = None, name: str | None = None
) -> Blob:
    """A blob of ones of the shape of another one.

    It has no gradient.

    Raises:
        ArgumentTypeError: dtype is no element type.
        UnsupportedError: dtype is none that blobs have.
    """
    return _like("ones_like", "OnesLike", like, 1, dtype, name)


@of_op
def broadcast_like(
    x: BlobDef, like: BlobDef, broadcast_axes: Axes = None, name: str | None = None
) -> Blob:
    """A blob broadcast to the shape of another one.

    Args:
        x: (...), any element type.
        like: A blob, of which only the shape is used.
        broadcast_axes: The axes of like that x does not have, or has with extent 1;
            None is by NumPy's rules.

    Returns:
        A blob of the shape of like, of the element type of x.
    """
    op = begin("broadcast_like", name, "BroadcastLike")
    x, like = op.blob(x, "x"), op.blob(like, "like")
    if broadcast_axes is None:
        if len(x.shape) > len(like.shape):
            op.fail(
                f"expects a shape that broadcasts to {like.shape} but got {x.shape}"
            )
        return broadcast(op, x, like.shape)
    new = arguments.axes(op, broadcast_axes, len(like.shape))
    kept = [i for i in range(len(like.shape)) if i not in new]
    if len(kept) == len(x.shape):
        dims = kept
    elif len(x.shape) == len(like.shape):
        dims = list(range(len(like.shape)))
    else:
        op.fail(
            f"expects {len(kept)} or {len(like.shape)} dimensions but got {x.shape}"
        )
    return op("broadcast_in_dim", x, dims=dims, result=(like.shape, x.dtype.mlir))


@of_op
def where(
    condition: BlobDef,
    x: Operand | None = None,
    y: Operand | None = None,
    name: str | None = None,
) -> Blob:
    """x where a condition is not 0, y elsewhere; argwhere without both.

    Args:
        condition: (...), any element type.
        x: (...), any element type, or a number.
        y: As x, of the same element type. One of the two is a blob.

    Returns:
        A blob of the shape that all three broadcast to, of the element type of x and y.
    """
    if x is None and y is None:
        return argwhere(condition, name=name)
    op = begin("where", name, "Where")
    condition = op.blob(condition, "condition")
    if x is None or y is None:
        op.fail("expects both x and y")
    x, y = operands(op, [x, y])
    zero = splat(op, 0, condition.shape, condition.dtype)
    truth = op("compare", condition, zero, predicate=op.text("#job<predicate ne>"))
    count = max(len(truth.shape), len(x.shape))
    padded = [(1,) * (count - len(b.shape)) + b.shape for b in (truth, x)]
    if any(a != b and 1 not in (a, b) for a, b in zip(*padded)):
        op.fail(
            f"expects shapes that broadcast to one but got {truth.shape} and {x.shape}"
        )
    shape = [max(extents) for extents in zip(*padded)]
    return op("select", *(broadcast(op, b, shape) for b in (truth, x, y)))
