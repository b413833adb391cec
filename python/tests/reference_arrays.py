"""Cases of op_references.py: shapes, slices, indices, constants and own ops."""

import functools

import numpy as np

import jobmlir as flow
from reference_cases import ALL, FLOATS, case, given, ints, x

NAN, INF = np.nan, np.inf


def moved(name, reference, *operands, use=None, **settings):
    """A case of an op that moves elements, which are of any type and NaN as well."""
    case(name, reference, *operands, use=use, dtypes=ALL, tolerance=0, **settings)


# ===- Shapes --------------------------------------------------------------===#

CUBE = x(3, 1, 8)
WITH_NAN = given(np.array([[NAN, -INF, 1.0], [0.0, -0.0, INF]]))

for _name in ("reshape", "dynamic_reshape"):
    for _shape in ((4, 6), (-1,), (2, -1, 1, 3), [24, 1]):
        moved(_name, lambda a, s=_shape: a.reshape(s), CUBE, shape=_shape)
moved("reshape_like", lambda a, b: a.reshape(4, 6), CUBE, x(4, 6))
for _start, _end in ((0, -1), (1, 2), (-2, -1), (0, 0)):
    _shape = {(0, -1): (24,), (0, 0): (3, 1, 8)}.get((_start, _end), (3, 8))
    moved(
        "flatten",
        lambda a, s=_shape: a.reshape(s),
        CUBE,
        start_dim=_start,
        end_dim=_end,
    )
for _axis in (0, 1, 3, -1, -4):
    moved("expand_dims", lambda a, i=_axis: np.expand_dims(a, i), CUBE, axis=_axis)
moved("squeeze", np.squeeze, x(1, 3, 1, 1, 2))
for _axis in ([0], [-2, 0], 2):
    _over = tuple(_axis) if isinstance(_axis, list) else _axis
    moved("squeeze", lambda a, i=_over: np.squeeze(a, i), x(1, 3, 1, 1, 2), axis=_axis)
for _perm in ([2, 0, 1], [0, 1, 2], [1, -1, 0], None):
    moved("transpose", lambda a, p=_perm: a.transpose(p), CUBE, perm=_perm)
moved("transpose", np.transpose, x(33, 65), label="odd")
for _axis in (0, 1, -1):
    _shapes = [[3, 1, 5] for _ in range(3)]
    for _extent, _shape in zip((1, 2, 7), _shapes):
        _shape[_axis] = _extent
    moved(
        "concat",
        lambda *a, i=_axis: np.concatenate(a, i),
        *[x(*shape) for shape in _shapes],
        use=lambda op, *a, i=_axis: op(list(a), i),
        label=f"axis={_axis}",
    )
for _axis in (0, 1, 2, -1):
    moved(
        "stack",
        lambda a, b, i=_axis: np.stack([a, b], i),
        x(3, 5),
        x(3, 5),
        use=lambda op, a, b, i=_axis: op([a, b], i),
        label=f"axis={_axis}",
    )
for _axis in (0, -1, [0, 2], [1]):
    _over = tuple(_axis) if isinstance(_axis, list) else _axis
    moved("reverse", lambda a, i=_over: np.flip(a, i), CUBE, axis=_axis)

# ===- Slices --------------------------------------------------------------===#

moved("slice", lambda a: a[1:3, :, 2:7], CUBE, begin=[1, 0, 2], size=[2, 1, 5])
moved("slice", lambda a: a[-2:, :, 3:], CUBE, begin=[-2, None, 3], size=[-1, 1, None])
TRIPLES = [
    [(1, 3, 1)],
    [(None, None, 2), (0, 1, 1), (-5, -1, 3)],
    [(None, 2, None), None, (7, None, 1)],
]
for _name in ("slice_v2", "experimental.logical_slice"):
    for _triples in TRIPLES:
        moved(
            _name,
            lambda a, t=_triples: a[tuple(slice(*one or (None,)) for one in t)],
            CUBE,
            slice_tup_list=_triples,
        )


def updated(a, update):
    a = a.copy()
    a[1:3, :, 0:6:2] = update
    return a


moved(
    "slice_update",
    updated,
    CUBE,
    x(2, 1, 3),
    use=lambda op, a, u: op(a, u, [(1, 3, 1), (None, None, None), (0, 6, 2)]),
)
_pairs = [(0, 2), (1, 0), (3, 1)]
for _value in (0, 3):
    moved(
        "pad",
        lambda a, v=_value: np.pad(a, _pairs, constant_values=v),
        CUBE,
        paddings=_pairs,
        constant_value=_value,
    )
moved("pad", lambda a: np.pad(a, [(0, 0), (1, 1)]), WITH_NAN, paddings=[(0, 0), (1, 1)])
moved(
    "pad_grad", lambda a: a[0:1, :, 3:7], x(3, 2, 8), paddings=[(0, 2), (0, 0), (3, 1)]
)


def same_padded(a, before, after, channels_last=False):
    pairs = [(0, 0), (0, 0), *zip(before, after)]
    if channels_last:
        pairs = [(0, 0), *pairs[2:], (0, 0)]
    return np.pad(a, pairs)


# A window of 4 needs 3 more cells for a stride of 1, of which SAME has 2 before.
for _padding, _before, _after in (
    ("SAME", 2, 1),
    ("SAME_LOWER", 2, 1),
    ("SAME_UPPER", 1, 2),
):
    moved(
        "same_padding",
        functools.partial(same_padded, before=[_before], after=[_after]),
        x(2, 3, 7),
        use=lambda op, a, p=_padding: op(a, p, "NCW", 4, 1, 1),
        label=_padding,
    )
# Rows: 7 with a window of 5 and a stride of 2 give 4, for which 11 are needed.
moved(
    "same_padding",
    functools.partial(same_padded, before=[2, 1], after=[2, 0], channels_last=True),
    x(2, 7, 6, 3),
    use=lambda op, a: op(a, "SAME", "NHWC", (3, 2), (2, 1), (2, 1)),
    label="dilated",
)

# ===- Choices -------------------------------------------------------------===#

MASK = ints([[[1], [0], [-3], [0]]], "int8")
for _mask in ("int8", "int32"):
    moved(
        "where",
        lambda m, a, b: np.where(m != 0, a, b),
        ints([[[1], [0], [2], [0]]], _mask),
        x(3, 1, 5),
        x(4, 5),
        label=_mask,
    )
case(
    "where",
    lambda m, a: np.where(m != 0, 1, a),
    ints([[1], [0]], "int8"),
    WITH_NAN,
    use=lambda op, m, a: op(m, 1, a),
    label="edges",
)
moved(
    "masked_fill",
    lambda a, m: np.where(m != 0, 3, a),
    x(3, 4, 5),
    MASK,
    use=lambda op, a, m: op(a, m, 3),
)
case(
    "masked_fill",
    lambda a, m: np.where(m != 0, -INF, a),
    WITH_NAN,
    ints([[0, 1, 0]], "int8"),
    use=lambda op, a, m: op(a, m, -INF),
    label="edges",
)
moved(
    "masked_fill",
    lambda a, m: np.where(m != 0, 3, a),
    x(2, 1, 4),
    ints([[[[0, 1, 0, 1]], [[1, 0, 0, 1]]]], "int8"),
    use=lambda op, a, m: op(a, m, 3),
    label="both ways",
)
for _value in (2.5, -2.5):
    case(
        "masked_fill",
        lambda a, m, _value=_value: np.where(m != 0, int(_value), a),
        ints([7, 8, 9], "int32"),
        ints([[0, 1, 0]], "int8"),
        use=lambda op, a, m, _value=_value: op(a, m, _value),
        label=f"ints {_value}",
        result="int32",
    )
for _name, _scale in (
    ("nn.tril", 1),
    ("math.tril", 1),
    ("nn.fused_scale_tril", 2),
    ("math.fused_scale_tril", 2),
):
    _more = {} if _scale == 1 else {"scale": _scale}
    for _diagonal in (0, 1, -2, 40):
        case(
            _name,
            lambda a, d=_diagonal, s=_scale: np.tril(a * s, d),
            x(2, 1, 5, 7),
            use=lambda op, a, d=_diagonal, more=_more: op(a, d, **more),
            dtypes=ALL,
            label=f"diagonal={_diagonal}",
        )
    case(
        _name,
        lambda a, s=_scale: np.where(np.tri(5, 7) > 0, a * s, 4),
        x(5, 7),
        use=lambda op, a, more=_more: op(a, fill_value=4, **more),
        dtypes=ALL,
        label="fill",
    )

# ===- Copies and constants ------------------------------------------------===#

moved("identity", lambda a: a, CUBE)
moved("amp_white_identity", lambda a: a, CUBE)
moved(
    "identity_n",
    lambda a, b: (a, b),
    CUBE,
    x(5),
    use=lambda op, a, b: op([a, b]),
)
for _target in ALL:
    # Of numbers that all types hold, and halves, which are cut off.
    case(
        "cast",
        lambda a, t=_target: a if t in FLOATS else np.trunc(a),
        given([[0.0, 1.0, 2.5, 100.0]]),
        use=lambda op, a, t=_target: op(a, getattr(flow, t)),
        dtypes=ALL,
        tolerance=0,
        result=_target,
        label=_target,
    )
case(
    "cast",
    np.trunc,
    given([[-1.5, -100.0, -0.5]]),
    use=lambda op, a: op(a, flow.int8),
    dtypes=FLOATS + ("int32", "int64"),
    result="int8",
    label="negative",
)
for _name, _value in (("zeros_like", 0), ("ones_like", 1)):
    moved(_name, lambda a, v=_value: np.full_like(a, v), CUBE)
    moved(
        _name,
        lambda a, v=_value: np.full_like(a, v),
        CUBE,
        use=lambda op, a: op(a, flow.float64),
        result="float64",
        label="float64",
    )
moved("constant_like", lambda a: np.full_like(a, 7), CUBE, value=7)
case(
    "constant_like",
    lambda a: np.full(a.shape, -INF),
    CUBE,
    use=lambda op, a: op(a, -INF, flow.float32),
    dtypes=ALL,
    result="float32",
    label="infinity",
)
for _kind in ALL:
    case(
        "constant",
        lambda: np.full((3, 1, 5), 7),
        use=lambda op, k=_kind: op(7, getattr(flow, k), (3, 1, 5)),
        dtypes=(_kind,),
        label=_kind,
    )
    case(
        "constant_scalar",
        lambda: np.full(1, 7),
        use=lambda op, k=_kind: op(7, getattr(flow, k)),
        dtypes=(_kind,),
        label=_kind,
    )
    case(
        "range",
        lambda: np.arange(2, 40, 5),
        use=lambda op, k=_kind: op(2, 40, 5, getattr(flow, k)),
        dtypes=(_kind,),
        label=_kind,
    )
case("constant", lambda: np.array([2.5]), use=lambda op: op(2.5), dtypes=("float32",))
case("constant", lambda: np.array([NAN]), use=lambda op: op(NAN), dtypes=("float32",))
case("constant", lambda: np.array([3]), use=lambda op: op(3), dtypes=("int32",))
case("range", lambda: np.arange(5), use=lambda op: op(5), dtypes=("int64",))
case(
    "range",
    lambda: np.arange(3, -3, -0.75),
    use=lambda op: op(3, -3, -0.75, flow.float32),
    dtypes=("float32",),
    label="down",
)
moved("broadcast_like", lambda a, b: np.broadcast_to(a, (3, 4, 5)), x(4, 1), x(3, 4, 5))
for _axes, _kept in (([0], (4, 5)), ([1, -1], (3,)), ([0, 1, 2], (1, 1, 1))):
    moved(
        "broadcast_like",
        lambda a, b, i=_axes: np.broadcast_to(
            a if a.ndim == 3 else np.expand_dims(a, tuple(i)), (3, 4, 5)
        ),
        x(*_kept),
        x(3, 4, 5),
        broadcast_axes=_axes,
    )

# ===- Micro-steps and buffers ---------------------------------------------===#

for _name in ("acc", "repeat"):
    case(
        _name,
        lambda a: 3 * a,
        x(2, 1, 5),
        use=lambda op, a, n=_name: (
            op(flow.repeat(a, 3), 3) if n == "acc" else flow.acc(op(a, 3), 3)
        ),
        is_alone=True,
    )
for _name in ("unpack", "pack"):
    # Each third of the rows times its own maximum.
    case(
        _name,
        lambda a: (a.reshape(3, -1) * a.reshape(3, -1).max(1)[:, None]).reshape(
            a.shape
        ),
        x(6, 1, 5),
        use=lambda op, a, n=_name: (
            _times_largest(op(a, 3), flow.pack)
            if n == "unpack"
            else _times_largest(flow.unpack(a, 3), op)
        ),
        is_alone=True,
    )


def _times_largest(part, pack):
    return pack(part * flow.math.reduce_max(part), 3)


for _name in ("tensor_to_tensor_buffer", "tensor_buffer_to_tensor"):
    moved(
        _name,
        lambda a: a.reshape(3, 2, 4),
        CUBE,
        use=lambda op, a, n=_name: (
            flow.tensor_buffer_to_tensor(op(a, 2), a.dtype, (2, 4))
            if n.startswith("tensor_to")
            else op(flow.tensor_to_tensor_buffer(a, 2), a.dtype, (2, 4))
        ),
    )

moved(
    "tensor_to_tensor_buffer",
    lambda a: a.reshape(3, 1, 2, 4),
    CUBE,
    use=lambda op, a: flow.tensor_buffer_to_tensor(op(a, 1), a.dtype, (2, 4)),
    label="batches",
)

# ===- Own ops -------------------------------------------------------------===#

flow.register_user_op(
    "op_references.double",
    infer=lambda x: (x.shape, x.dtype),
    forward=lambda x: x * 2,
)


def _build(builder, a):
    op = builder().Op("op_references.double").Input("in", [a]).Output("out")
    return op.Build().InferAndTryRun().SoleOutputBlob()


for _name in ("user_op_builder", "consistent_user_op_builder"):
    case(_name, lambda a: 2 * a, CUBE, use=_build, dtypes=ALL, is_alone=True)
case(
    "user_op_module_builder",
    lambda a: 2 * a,
    CUBE,
    use=lambda op, a: (
        op("op_references.double").InputSize("in", 1).Output("out").Build()(a)[0]
    ),
    dtypes=ALL,
    is_alone=True,
)

# ===- Lists of tensors ----------------------------------------------------===#


def _listed(a):
    buffer = flow.tensor_to_tensor_buffer(a, 2)
    return flow.tensor_buffer_to_tensor_list(buffer, (1, 8), a.dtype)


moved(
    "tensor_buffer_to_tensor_list",
    lambda a: a.reshape(3, 4, 2),
    CUBE,
    use=lambda op, a: flow.tensor_buffer_to_tensor(
        flow.tensor_list_to_tensor_buffer(
            op(flow.tensor_to_tensor_buffer(a, 2), (1, 8), a.dtype)
        ),
        a.dtype,
        (4, 2),
    ),
)
moved(
    "tensor_list_to_tensor_buffer",
    lambda a: a.reshape(3, 4, 2),
    CUBE,
    use=lambda op, a: flow.tensor_buffer_to_tensor(op(_listed(a)), a.dtype, (4, 2)),
)
moved(
    "tensor_list_split",
    lambda a: (a[0], a[1], a[2]),
    CUBE,
    use=lambda op, a: op(_listed(a)),
)
