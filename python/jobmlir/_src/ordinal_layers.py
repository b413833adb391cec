"""Layers that keep a table of ids."""

from __future__ import annotations

from . import arguments, initializers, text
from . import dtype as dtypes
from .assign_ops import write
from .blob import Blob, BlobDef
from .documentation import of_op
from .reuse import reusable
from .trace import begin, current
from .variables import get_variable


@reusable
@of_op
def categorical_ordinal_encoder(
    input_tensor: BlobDef,
    capacity: int,
    hash_precomputed: bool = True,
    name: str | None = None,
    *,
    reuse: bool = False,
) -> Blob:
    """The number of each id, by the order in which ids have first occurred.

    The order is that of all steps, and in a step row-major: 1, 2, 3, and so on. The id
    0 has the number 0, and so has an id that does not fit. The variables are
    name-Table, a hash table of pairs of an id and its number, and name-Size, how many
    ids there are. It has no gradient.

    Args:
        input_tensor: (...), i32/i64.
        capacity: How many ids the table has room for.
        hash_precomputed: True: an id is its own hash.

    Returns:
        A blob of the shape and element type of input_tensor.
    """
    trace = current("layers.categorical_ordinal_encoder")
    name = trace.layer_name(name, "CategoricalOrdinalEncoder")
    op = begin(
        "layers.categorical_ordinal_encoder", f"{name}-Encode", "CategoricalOrdinal"
    )
    ids = op.blob(input_tensor, "input_tensor")
    if ids.dtype not in (dtypes.int32, dtypes.int64):
        op.fail(f"expects input_tensor of int32 or int64 but got {ids.dtype.canonical}")
    if not arguments.is_int(capacity) or capacity < 1:
        op.fail(f"expects capacity to be a positive int but got {capacity!r}")
    if hash_precomputed is not True:
        op.fail(
            "expects hash_precomputed to be True, for ids that are their own hash, but "
            f"got {hash_precomputed!r}"
        )
    if ids._micro_steps > 1:
        op.fail(
            "expects a per-step input_tensor but got a per-micro-step blob "
            f"({ids._micro_steps} micro-steps)"
        )

    def variable(what, extent):
        """The variable, and its value after all that the job has written before."""
        blob = get_variable(
            f"{name}-{what}",
            shape=(extent,),
            dtype=ids.dtype,
            initializer=initializers.constant_initializer(0, ids.dtype),
            trainable=False,
            reuse=False,
        )
        symbol = op.text(text.symbol(blob._variable))
        value = op("read", variable=symbol, result=(blob.shape, ids.dtype.mlir))
        return blob, value

    capacity = int(capacity)
    table, old_table = variable("Table", 2 * capacity)
    size, old_size = variable("Size", 1)
    pairs = op("reshape", old_table, result=((capacity, 2), ids.dtype.mlir))
    inserted = op("find_new_ids", pairs, ids)
    ordinals = op("lookup_ordinals", pairs, old_size, ids, inserted)
    new_pairs = op("insert_ordinals", pairs, old_size, ids, inserted)
    numbers = op(
        "slice",
        inserted,
        offsets=[0, 2],
        sizes=[inserted.shape[0], 1],
        strides=[1, 1],
    )
    count = op("reduce_max", numbers, axes=[0], keepdims=False)
    if ids.dtype != dtypes.int64:
        count = op("cast", count, result=((1,), ids.dtype.mlir))
    write(op, table, op("reshape", new_pairs, result=(table.shape, ids.dtype.mlir)))
    write(op, size, op("add", old_size, count))
    return ordinals
