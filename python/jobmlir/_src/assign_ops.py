"""Writing variables inside of jobs, and the slices of the older API."""

from __future__ import annotations

from . import dtype as dtypes
from . import slices, text
from .blob import Blob, BlobDef
from .documentation import of_op
from .hints import DType, Slices
from .math_ops import operands, splat, truth
from .trace import begin


def variable(op, ref, what):
    """The name of the variable that a blob is."""
    ref = op.blob(ref, what)
    if ref._variable is None:
        op.fail(
            f"expects {what} to be a variable, which get_variable gives, but got "
            f"{ref.op_name}"
        )
    return ref


def write(op, ref, value):
    if value._micro_steps > 1:
        op.fail(
            "expects a per-step value to assign but got a per-micro-step blob "
            f"({value._micro_steps} micro-steps)"
        )
    op("assign", value, variable=op.text(text.symbol(ref._variable)))


@of_op
def assign(
    ref: BlobDef, value: BlobDef, dtype: DType | None = None, name: str | None = None
) -> None:
    """Writes a blob to a variable, after what this step reads from it.

    The next step reads the new value. Where the job also trains the variable, it
    updates the new value.

    Args:
        ref: A variable, which get_variable gives.
        value: Of the shape and element type of ref.
        dtype: The element type of ref, or None.

    Raises:
        ArgumentTypeError: dtype is no element type.
        UnsupportedError: dtype is none that blobs have.
    """
    op = begin("assign", name, "Assign")
    ref, value = variable(op, ref, "ref"), op.blob(value, "value")
    if dtype is not None:
        dtypes.require_mlir(dtype, f"op {op.name}")
        if dtype != ref.dtype:
            op.fail(
                f"expects dtype to be {ref.dtype.canonical}, that of the variable, but "
                f"got {dtype.canonical}"
            )
    if (value.dtype, value.shape) != (ref.dtype, ref.shape):
        op.fail(
            f"expects a value of {ref.dtype.canonical} and shape {ref.shape} but got "
            f"{value.dtype.canonical} and {value.shape}"
        )
    write(op, ref, value)


@of_op
def logical_slice(x: BlobDef, slice_tup_list: Slices, name: str | None = None) -> Blob:
    """A slice with (start, stop, step) for each dimension, as Python's slices.

    Args:
        x: (...), any element type.

    Returns:
        A blob of the shape of the slice, of the element type of x.
    """
    op = begin("experimental.logical_slice", name, "LogicalSlice")
    x = op.blob(x, "x")
    return slices.take(op, x, slices.bounds(op, x.shape, slice_tup_list))


@of_op
def logical_slice_assign(
    x: BlobDef, value: BlobDef, slice_tup_list: Slices, name: str | None = None
) -> None:
    """Writes a blob to a slice of a variable, after what this step reads from it.

    Args:
        x: A variable, which get_variable gives.
        value: A blob that broadcasts to the shape of the slice, of the element type of
            x.
    """
    op = begin("experimental.logical_slice_assign", name, "LogicalSliceAssign")
    x, value = variable(op, x, "x"), op.blob(value, "value")
    part = slices.bounds(op, x.shape, slice_tup_list)
    if value.dtype != x.dtype:
        op.fail(
            f"expects a value of {x.dtype.canonical} but got {value.dtype.canonical}"
        )
    # What earlier assignments of this step have written stays.
    old = op(
        "read",
        variable=op.text(text.symbol(x._variable)),
        result=(x.shape, x.dtype.mlir),
    )
    like = slices.take(op, old, part)
    spread = operands(op, [value, like])[0]
    if spread.shape != like.shape:
        op.fail(
            f"expects a value that broadcasts to {like.shape} but got {value.shape}"
        )
    ones = splat(op, 1, like.shape, dtypes.int8)
    inside = truth(op, slices.place(op, ones, x.shape, part))
    new = slices.place(op, spread, x.shape, part)
    write(op, x, op("select", inside, new, old))
