"""Cases of op_references.py: what is found and moved by indices, and sorting."""

import numpy as np

import jobmlir as flow
from reference_arrays import moved
from reference_cases import ALL, FLOATS, INTS, case, given, ints, x

NAN, INF = np.nan, np.inf

# ===- Indices -------------------------------------------------------------===#

for _kind in ("int32", "int64", "int8", "uint8"):
    moved(
        "gather",
        lambda a, i: a[i],
        x(5, 1, 3),
        ints([[4, 0], [0, 2]], _kind),
        label=_kind,
    )
for _axis in (1, -1):
    moved(
        "gather",
        lambda a, i, axis=_axis: np.take(a, i, axis),
        x(3, 4, 5),
        ints([3, 0, 3]),
        use=lambda op, a, i, axis=_axis: op(a, i, axis=axis),
        label=f"axis={_axis}",
    )
moved(
    "gather",
    lambda a, i: np.stack([row[j] for row, j in zip(a, i)]),
    x(3, 4, 2),
    ints([[3, 0], [1, 1], [0, 2]]),
    use=lambda op, a, i: op(a, i, axis=1, batch_dims=1),
    label="batch",
)
# What is out of range.
case(
    "gather",
    lambda a, i: np.stack([a[1], a[0] * NAN, a[2] * NAN]),
    x(3, 4),
    ints([1, -1, 3]),
    label="range",
)
case(
    "gather",
    lambda a, i: np.stack([a[1], a[0] * 0, a[2] * 0]),
    x(3, 4),
    ints([1, -1, 3]),
    dtypes=INTS,
    label="range",
)
moved(
    "gather_nd",
    lambda a, i: a[i[..., 0], i[..., 1]],
    x(3, 4, 2),
    ints([[0, 3], [2, 0], [0, 3]]),
)


def scattered(target, indices, updates, is_sum):
    for place, row in zip(map(tuple, indices), updates):
        target[place] = target[place] * is_sum + row
    return target


_PLACES = ints([[1], [3], [0]])
moved(
    "scatter_nd",
    lambda i, u: scattered(np.zeros((5, 4), u.dtype), i, u, True),
    _PLACES,
    x(3, 4),
    use=lambda op, i, u: op(i, u, (5, 4)),
)
for _name, _is_sum in (
    ("tensor_scatter_nd_update", False),
    ("tensor_scatter_nd_add", True),
):
    case(
        _name,
        lambda a, i, u, s=_is_sum: scattered(a.copy(), i, u, s),
        x(5, 4),
        _PLACES,
        x(3, 4),
        dtypes=ALL,
    )
moved(
    "dim_gather",
    lambda a, i: np.take_along_axis(a, i, 1),
    x(3, 5),
    ints([[4, 0], [1, 1], [0, 2]]),
    use=lambda op, a, i: op(a, 1, i),
)
for _direction in ("ASCENDING", "DESCENDING"):
    _sign = 1 if _direction == "ASCENDING" else -1
    moved(
        "sort",
        lambda a, s=_sign: np.sort(a, -1)[..., ::s],
        x(3, 1, 7),
        direction=_direction,
    )
    case(
        "argsort",
        lambda a, s=_sign: np.argsort(s * a, -1, kind="stable"),
        x(3, 1, 7),
        direction=_direction,
        dtypes=FLOATS,
        result="int32",
    )


def hot(i, depth, axis=-1, on=1, off=0):
    out = np.where(i[..., None] == np.arange(depth), on, off)
    return np.moveaxis(out, -1, axis)


LABELS = ints([[0, 3, -1], [2, 4, 9]])
for _axis in (-1, 0, 1):
    case(
        "one_hot",
        lambda i, a=_axis: hot(i, 4, a),
        LABELS,
        depth=4,
        axis=_axis,
        dtypes=("int32",),
    )
for _kind in ALL:
    case(
        "one_hot",
        lambda i: hot(i, 5, on=7, off=2),
        LABELS,
        use=lambda op, i, k=_kind: op(i, 5, 7, 2, dtype=getattr(flow, k)),
        dtypes=(_kind,),
        label=_kind,
    )
for _kind in INTS:
    case(
        "one_hot",
        lambda i: hot(i, 3),
        ints([0, 1, 2, 0], _kind),
        use=lambda op, i: op(i, 3),
        dtypes=("int32",),
        label=f"indices {_kind}",
    )

for _name in ("argwhere", "nonzero"):
    for _kind in ("int32", "int64"):
        _settings = {"dtype": getattr(flow, _kind)} if _name == "argwhere" else {}
        if _name == "argwhere" or _kind == "int32":
            case(
                _name,
                lambda a, t=_name == "nonzero": (
                    np.argwhere(a).T if t else np.argwhere(a)
                ),
                given(np.array([[[0, 2, 0, -1]], [[0, 0, 0, 0]], [[5, 0, 0, 1]]])),
                use=lambda op, a, s=_settings: op(a, **s),
                dtypes=("float32", "float64", "int32", "int8"),
                result=_kind,
                label=_kind,
            )
case("argwhere", np.argwhere, given([[0.0, NAN], [INF, -0.0]]), result="int32")
case("argwhere", np.argwhere, x(3, 4, low=1.0), result="int32", label="all")
case(
    "argwhere",
    lambda a: np.zeros((0, 2)),
    given([[0.0, 0.0]]),
    result="int32",
    label="none",
)

# ===- Dynamic blobs --------------------------------------------------------===#

for _size in (0, 2, 5):
    case(
        "sync_dynamic_resize",
        lambda a, n: a[: n[0]],
        x(5, 1, 3),
        ints([_size], "int64" if _size else "int32"),
        dtypes=ALL,
        tolerance=0,
        label=f"{_size}",
    )
for _shape in ((-1, 6), (3, -1), (2, -1, 3)):
    case(
        "dynamic_reshape",
        lambda a, n, s=_shape: a[: n[0]].reshape(s),
        x(5, 6),
        ints([4]),
        use=lambda op, a, n, s=_shape: op(flow.sync_dynamic_resize(a, n), s),
        dtypes=ALL,
        tolerance=0,
        label=f"dynamic {_shape}".replace(" ", ""),
    )
case(
    "concat",
    lambda a, b, n: np.concatenate([a[: n[0]], b, a[: n[0]]]),
    x(4, 3),
    x(2, 3),
    ints([3]),
    use=lambda op, a, b, n: op(
        [rows := flow.sync_dynamic_resize(a, n), b, rows], max_dim_size=8
    ),
    dtypes=ALL,
    tolerance=0,
    label="dynamic",
)
case(
    "transpose",
    lambda a: a.T,
    x(4, 3),
    dtypes=ALL,
    tolerance=0,
    perm=[1, 0],
    conjugate=True,
)
case(
    "experimental.dynamic_binary_split",
    # Of at most 32, 16, 8 and 8 elements.
    lambda a, n: (a[:0], a[:16], a[:0], a[16 : n[0]]),
    x(25),
    ints([18]),
    use=lambda op, a, n: op(flow.sync_dynamic_resize(a, n), 5, 4),
    dtypes=("float32", "int32"),
    tolerance=0,
)
case(
    "experimental.dynamic_binary_concat",
    lambda a, n: a[: n[0]],
    x(7, 3),
    ints([5]),
    use=lambda op, a, n: op(
        flow.experimental.dynamic_binary_split(
            rows := flow.sync_dynamic_resize(a, n), 4, 6
        ),
        rows,
    ),
    dtypes=ALL,
    tolerance=0,
)
for _kind in ("int32", "int64"):
    case(
        "layers.categorical_ordinal_encoder",
        lambda a: np.array([[1, 2, 0, 1], [3, 4, 2, 5]]),
        given([[7, -3, 0, 7], [1000, 107, -3, 2**31 - 1]]),
        use=lambda op, a, k=_kind: op(a, 100, name=f"ids_{k}"),
        dtypes=(_kind,),
        tolerance=0,
        label=_kind,
    )

# ===- Elements that are equal ---------------------------------------------===#


def unique(a):
    """In the order of first places."""
    values, first, inverse, counts = np.unique(
        a, return_index=True, return_inverse=True, return_counts=True
    )
    order = np.argsort(first)
    return (
        values[order],
        np.argsort(order)[inverse],
        counts[order],
        np.array([len(values)]),
    )


for _length in (1, 9, 37):
    for _part, _kind in enumerate((None, "int32", "int32", "int32")):
        case(
            "experimental.unique_with_counts",
            lambda a, i=_part: unique(np.rint(a))[i],
            given(np.rint(np.random.default_rng(_length).uniform(0, 5, _length))),
            use=lambda op, a, i=_part: op(a)[i],
            dtypes=ALL,
            result=_kind,
            label=f"{_length} result {_part}",
        )


def sums_by_index(indices, values):
    flat, rows = indices.ravel(), values.reshape(indices.size, -1)
    sums = np.array([rows[flat == index].sum(0) for index in unique(flat)[0]])
    return sums.reshape(-1, *values.shape[indices.ndim :])


case(
    "experimental.indexed_slices_reduce_sum",
    sums_by_index,
    ints([[3, -1, 3], [0, 3, -1]]),
    x(2, 3, 1, 5),
    use=lambda op, i, a: op(i, a)[1],
    dtypes=ALL,
    tolerance=8,
)
case(
    "experimental.indexed_slices_reduce_sum",
    lambda i, a: (unique(i.ravel())[0], np.array([3])),
    ints([[3, -1, 3], [0, 3, -1]]),
    x(2, 3, 5),
    use=lambda op, i, a: op(i, a)[::2],
    dtypes=("float32",),
    result="int32",
    label="indices",
)
