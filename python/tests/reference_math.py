"""Cases of op_references.py: arithmetic, activations, reductions and products."""

import functools
import math

import numpy as np

import jobmlir as flow
from reference_cases import ALL, FLOATS, INTS, case, given, ints, x

NAN, INF = np.nan, np.inf
EDGES = np.array(
    [NAN, INF, -INF, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -1.5, -2.5, 1e-3, -1e-3]
    + [12.0, -12.0, 100.0, -100.0, 1e4, -1e4, 1e30, -1e30]
)

# ===- Functions of one number ---------------------------------------------===#

erf = np.vectorize(math.erf, otypes=[float])
erfc = np.vectorize(math.erfc, otypes=[float])


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softplus(x):
    return np.logaddexp(0, x)


def gelu(x):
    # The limit at minus infinity.
    return np.where(x == -INF, 0, x * 0.5 * erfc(-x / np.sqrt(2)))


def gelu_slope(x):
    density = np.exp(-x * x / 2) / np.sqrt(2 * np.pi)
    return 0.5 * erfc(-x / np.sqrt(2)) + x * density


def gated(x, gate):
    """x * gate, which is 0 where the gate is."""
    return x * 0.0 if np.isnan(x) else 0.0 if gate == 0 else x * gate


gated = np.vectorize(gated, otypes=[float])


def mish(x):
    return gated(x, np.tanh(softplus(x)))


def swish(x, beta=1.0):
    return gated(x, sigmoid(beta * x))


def elementwise(
    name, reference, low=-2.0, high=2.0, edges=EDGES, dtypes=FLOATS, **more
):
    """Cases of random numbers with size-1 axes and an odd extent, and of edges."""
    more = {"scale": 0.0, **more}
    case(name, reference, x(3, 1, 37, low=low, high=high), dtypes=dtypes, **more)
    floats = [dtype for dtype in dtypes if dtype in FLOATS]
    case(name, reference, given(edges), dtypes=floats, label="edges", **more)


for _name, _reference in {
    "abs": np.abs,
    "negative": np.negative,
    "square": np.square,
    "sign": np.sign,
}.items():
    elementwise(f"math.{_name}", _reference, dtypes=ALL)
for _name, _reference in {
    "ceil": np.ceil,
    "floor": np.floor,
    "rint": np.rint,
    "round": np.rint,
    "exp": np.exp,
    "expm1": np.expm1,
    "erf": erf,
    "tanh": np.tanh,
    "tanh_v2": np.tanh,
    "reciprocal": np.reciprocal,
    "relu": lambda x: np.maximum(x, 0),
}.items():
    elementwise(f"math.{_name}", _reference)
for _name in ("nn.relu", "keras.activations.relu"):
    elementwise(_name, lambda x: np.maximum(x, 0))
elementwise("keras.activations.tanh", np.tanh)
for _name in ("math.sigmoid", "math.sigmoid_v2", "keras.activations.sigmoid"):
    elementwise(_name, sigmoid)
# The sum of two terms that nearly cancel has no relative accuracy.
elementwise("math.softplus", softplus)
elementwise("math.log_sigmoid", lambda x: -softplus(-x))
for _name, _reference in {"sqrt": np.sqrt, "rsqrt": lambda x: 1 / np.sqrt(x)}.items():
    elementwise(f"math.{_name}", _reference, low=0.01)
elementwise("math.log", np.log, low=0.01, high=3.0)
elementwise("math.log1p", np.log1p, low=-0.9, high=3.0)
# Of large numbers the argument is reduced by multiples of pi.
for _name, _reference in {"sin": np.sin, "cos": np.cos, "tan": np.tan}.items():
    elementwise(f"math.{_name}", _reference, edges=EDGES[:-2], scale=1.0)
elementwise("math.gelu", gelu, scale=1.0)
case(
    "math.gelu",
    lambda x: 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))),
    x(3, 1, 37),
    approximate="tanh",
)
for _name in ("math.mish", "nn.mish"):
    elementwise(_name, mish)

# The inverses and the hyperbolic functions.
for _name, _low, _high in (
    ("acos", -1, 1),
    ("acosh", 1, 4),
    ("asin", -1, 1),
    ("asinh", -4, 4),
    ("atan", -4, 4),
    ("atanh", -0.95, 0.95),
    ("cosh", -4, 4),
    ("sinh", -4, 4),
):
    _reference = getattr(np, _name.replace("a", "arc", 1) if _name[0] == "a" else _name)
    elementwise(
        f"math.{_name}", _reference, low=_low, high=_high, tolerance=8, scale=1.0
    )
elementwise("math.erfc", erfc, scale=1.0)
elementwise(
    "math.lgamma",
    np.vectorize(math.lgamma, otypes=[float]),
    low=0.1,
    high=8.0,
    edges=np.array([NAN, INF, 1.0, 2.0, 0.5, 100.0]),
    tolerance=8,
    scale=1.0,
)
elementwise("math.reciprocal_no_nan", lambda x: np.where(x == 0, 0, np.reciprocal(x)))

# ===- Activations ---------------------------------------------------------===#


elementwise("nn.leaky_relu", lambda x: np.where(x > 0, x, 0.2 * x))
case("nn.leaky_relu", lambda x: np.where(x > 0, x, -0.5 * x), x(5, 7), alpha=-0.5)
elementwise("nn.elu", lambda x: np.where(x > 0, x, np.expm1(x)))
case("nn.elu", lambda x: np.where(x > 0, x, 3 * np.expm1(x)), x(5, 7), alpha=3)
elementwise("nn.relu6", lambda x: np.clip(x, 0, 6), low=-3.0, high=9.0)
elementwise(
    "nn.hardsigmoid",
    lambda x: np.clip(x / 6 + 0.5, 0, 1),
    low=-4.0,
    high=4.0,
    scale=1.0,
)
elementwise(
    "nn.hardswish",
    lambda x: np.where(x == -INF, 0, x * np.clip(x + 3, 0, 6) / 6),
    low=-4.0,
    high=4.0,
    scale=1.0,
)
elementwise("nn.hardtanh", lambda x: np.clip(x, -1, 1))
case("nn.hardtanh", lambda x: np.clip(x, -0.5, 2), x(5, 7), min_val=-0.5, max_val=2)
elementwise("nn.swish", swish)
case("nn.swish", lambda x: swish(x, 1.5), x(5, 7), beta=1.5)
case("nn.swish", lambda x: swish(x, -0.5), given([-INF, -1, 1, INF, NAN]), beta=-0.5)
case("nn.swish", lambda x: x / 2, given([-INF, -1, 1, INF, NAN]), beta=0)
case(
    "math.gelu_grad", lambda x, dy: dy * gelu_slope(x), x(3, 37), x(3, 37), tolerance=8
)
case("math.tanh_grad", lambda y, dy: dy * (1 - y * y), x(3, 37), x(3, 37))
case("math.sigmoid_grad", lambda y, dy: dy * y * (1 - y), x(3, 37), x(3, 37))

# ===- Two operands --------------------------------------------------------===#

SOME = np.array([NAN, INF, -INF, 0.0, -0.0, 1.0, -1.0, 0.5, -2.0, 3.0, 1e4])


def binary(name, reference, low=-2.0, high=2.0, dtypes=ALL, scale=0.0, **more):
    """Cases with operands that broadcast both ways, of each pair of edges, and, if an
    operand may be a number, with one."""
    more = {"scale": scale, "dtypes": dtypes, **more}
    right = x(5, 1, 37, low=low, high=high)
    case(name, reference, x(5, 3, 1, low=low, high=high), right, **more)
    case(name, reference, x(37, low=low, high=high), right, label="rank", **more)
    case(name, reference, x(1, low=low, high=high), right, label="one", **more)
    floats = [dtype for dtype in dtypes if dtype in FLOATS]
    if floats:
        edges = given(SOME[:, None]), given(SOME)
        case(name, reference, *edges, label="edges", **{**more, "dtypes": floats})
    case(
        name,
        lambda a: reference(a, 2),
        right,
        use=lambda op, a: op(a, 2),
        label="number right",
        **more,
    )
    if name.startswith("Blob"):
        return
    case(
        name,
        lambda a: reference(np.asarray(2), a),
        right,
        use=lambda op, a: op(2, a),
        label="number left",
        **more,
    )


def reflected(function):
    return lambda a, b: function(b, a)


for _names, _reference in {
    "math.add Blob.__add__ Blob.__radd__": np.add,
    "math.subtract Blob.__sub__": np.subtract,
    "Blob.__rsub__": reflected(np.subtract),
    "math.multiply Blob.__mul__ Blob.__rmul__": np.multiply,
    "math.maximum": np.maximum,
    "math.minimum": np.minimum,
    "math.squared_difference": lambda a, b: (a - b) ** 2,
    "math.equal Blob.__eq__": np.equal,
    "math.not_equal Blob.__ne__": np.not_equal,
    "math.less Blob.__lt__": np.less,
    "math.less_equal Blob.__le__": np.less_equal,
    "math.greater Blob.__gt__": np.greater,
    "math.greater_equal Blob.__ge__": np.greater_equal,
    "math.logical_and": np.logical_and,
}.items():
    for _name in _names.split():
        binary(_name, _reference)
def divided(a, b):
    """Ints are rounded towards zero, as C does."""
    if np.result_type(a, b).kind == "f":
        return np.true_divide(a, b)
    # Exact, since these ints are small; 0 where b is 0.
    return np.trunc(a / np.where(b == 0, np.inf, b))


for _name in ("math.divide", "Blob.__truediv__"):
    binary(_name, divided)
binary("Blob.__rtruediv__", reflected(divided))


binary("math.pow", np.power, low=0.1, dtypes=FLOATS, tolerance=8)
for _exponent in (0, 1, 2, 3, -1, -2, 7, 17, 0.5, -1.5):
    case(
        "math.pow",
        # Of a number as exponent NumPy computes a root, not C's pow.
        lambda a, y=_exponent: np.power(a, np.full_like(a, y)),
        given(np.append(EDGES, [-0.7, 0.7, -1.2])),
        use=lambda op, a, y=_exponent: op(a, y),
        label=f"{_exponent}",
        tolerance=8,
        scale=0.0,
    )
for _exponent in (0, 1, 2, 3, 7, 100):
    case(
        "math.pow",
        # NumPy's int64 wraps as narrower types do.
        lambda a, y=_exponent: np.power(a, y),
        given([-7, -3, -2, -1, 0, 1, 2, 3, 5, 7]),
        use=lambda op, a, y=_exponent: op(a, y),
        dtypes=INTS,
        label=f"{_exponent} of ints",
    )
binary("math.atan2", np.arctan2, dtypes=FLOATS, tolerance=8)

case("math.floordiv", np.floor_divide, x(5, 3, 1), x(5, 1, 7, low=1.0), dtypes=ALL)
case(
    "math.floordiv",
    np.floor_divide,
    given([INF, -INF, INF, INF, -INF, 3, -3, 3, NAN]),
    given([2, 2, -INF, 0, 0, INF, INF, 0, 2]),
    label="edges",
)
for _name in ("math.mod", "Blob.__mod__"):
    case(_name, np.mod, x(5, 3, 1), x(5, 1, 7, low=1.0, high=3.0), dtypes=ALL)
    case(_name, np.mod, x(5, 7), x(5, 7, low=-3.0, high=-1.0), dtypes=FLOATS)
case("math.xdivy", lambda a, b: np.where(a == 0, 0, a / b), x(5, 1), x(5, 7, low=0.5))
case(
    "math.xlogy",
    lambda a, b: np.where(a == 0, 0, a * np.log(b)),
    x(5, 1),
    x(5, 7, low=0.5),
)
case(
    "math.xlogy",
    lambda a, b: np.where((a == 0) & ~np.isnan(b), 0, a * np.log(b)),
    given([0, 0, 0, 0, -0.0, 1, INF]),
    given([0, INF, NAN, -1, 2, 0, 2]),
    label="edges",
)
case(
    "math.add_n",
    lambda *a: sum(a),
    *[x(3, 1, 7)] * 9,
    use=lambda op, *a: op(list(a)),
    dtypes=ALL,
)
case("math.add_n", lambda a: a, x(3, 7), use=lambda op, a: op([a]), dtypes=ALL)
CLIPS = ("clip_by_value", "clip", "clamp", "clip_by_scalar")
for _name in [*CLIPS, *(f"math.{name}" for name in CLIPS)]:
    case(
        _name,
        lambda a: np.clip(a, 0, 1),
        x(3, 1, 37),
        min_value=0,
        max_value=1,
        dtypes=ALL,
    )
    case(_name, lambda a: np.maximum(a, 1), x(3, 37), min_value=1, dtypes=ALL)
    case(_name, lambda a: np.minimum(a, 1), x(3, 37), max_value=1, dtypes=ALL)
    # Where the bounds are in the wrong order, the upper one counts.
    case(
        _name, lambda a: np.clip(a, 2, 1), x(3, 7), min_value=2, max_value=1, dtypes=ALL
    )
    case(
        _name,
        lambda a: np.clip(a, -1, 1),
        given(EDGES),
        min_value=-1,
        max_value=1,
        label="edges",
    )

# ===- Reductions ----------------------------------------------------------===#

AXES = (None, 0, -1, 1, [0, -1], [-3], [], [0, 1, 2])
# Those that are tried with keepdims too.
KEPT = (None, 1, [0, -1], [])
SHAPE = (3, 1, 37)


def reduction(name, reference, dtypes=ALL, low=-2.0, high=2.0, **more):
    """Cases of all kinds of axes; a full reduction has the shape (1,)."""
    for axis in AXES:
        for keepdims in (False, True) if axis in KEPT else (False,):
            over = tuple(axis) if isinstance(axis, list) else axis

            def expected(a, over=over, keepdims=keepdims):
                return reference(a, over, keepdims)

            case(
                name,
                expected,
                x(*SHAPE, low=low, high=high),
                dtypes=dtypes,
                axis=axis,
                keepdims=keepdims,
                **more,
            )
    for label, rows in ROWS.items():
        floats = [dtype for dtype in dtypes if dtype in FLOATS]
        case(
            name,
            lambda a: reference(a, 1, False),
            given(rows),
            use=lambda op, a: op(a, 1),
            dtypes=floats,
            label=label,
            **more,
        )


ROWS = {
    "edges": np.array(
        [
            [NAN, 1, 2],
            [1, NAN, INF],
            [INF, 1, 2],
            [-INF, 1, 2],
            [INF, -INF, 0],
            [INF, INF, INF],
            [-INF, -INF, -INF],
            [0, -0.0, 0],
            [NAN, NAN, NAN],
        ]
    ),
    "ties": np.array([[1, 1, 1], [2, 1, 2], [-1, -1, -2.0]]),
    "column": np.array([[1.0], [INF], [NAN]]),
}


def plain(function):
    return lambda a, over, keepdims: function(a, axis=over, keepdims=keepdims)


def logsumexp(a, over, keepdims):
    axes = range(a.ndim) if over is None else np.atleast_1d(np.array(over, int))
    for axis in axes:
        a = np.logaddexp.reduce(a, axis=int(axis), keepdims=True)
    if keepdims:
        return a
    return a.squeeze(tuple(int(axis) for axis in axes))


for _name, _function, _dtypes in (
    ("sum", np.sum, ALL),
    ("max", np.max, ALL),
    ("min", np.min, ALL),
    ("mean", np.mean, FLOATS),
    ("variance", np.var, FLOATS),
    ("std", np.std, FLOATS),
):
    # Terms of up to 2 may cancel.
    reduction(f"math.reduce_{_name}", plain(_function), _dtypes, tolerance=8, scale=2.0)
reduction("math.reduce_prod", plain(np.prod), ALL, low=0.7, high=1.3, tolerance=40)
reduction("math.two_stage_reduce_max", plain(np.max))
reduction("math.two_stage_reduce_min", plain(np.min))
reduction("math.reduce_any", lambda a, o, k: np.any(a != 0, axis=o, keepdims=k))
reduction("math.reduce_all", lambda a, o, k: np.all(a != 0, axis=o, keepdims=k))
reduction(
    "math.reduce_euclidean_norm",
    lambda a, o, k: np.sqrt((a * a).sum(axis=o, keepdims=k)),
    FLOATS,
)
reduction("math.reduce_logsumexp", logsumexp, FLOATS, tolerance=8, scale=1.0)
case(
    "math.reduce_logsumexp",
    lambda a: logsumexp(a, (1,), True),
    given([[1000.0, 1001.0], [-1000.0, -1001.0]]),
    axis=[1],
    keepdims=True,
)


def first_of_largest(a):
    return np.argmax(a, axis=-1)


case("math.argmax", first_of_largest, x(3, 1, 37), dtypes=ALL, result="int32")
case("math.argmax", first_of_largest, x(5, 1), dtypes=ALL, result="int32")
for _axis in (0, 1, -2):
    case(
        "math.argmax",
        lambda a, i=_axis: np.argmax(a, axis=i),
        x(3, 4, 5),
        result="int32",
        axis=_axis,
    )
case("math.argmax", first_of_largest, x(7), dtypes=ALL, result="int32")
for _label, _rows in ROWS.items():
    case("math.argmax", first_of_largest, given(_rows), result="int32", label=_label)


def largest(a, k):
    return np.argsort(-a, axis=-1, kind="stable")[..., :k]


case("math.top_k", lambda a: largest(a, 1), x(3, 1, 7), result="int32")
case("math.top_k", lambda a: largest(a, 4), x(3, 1, 7), k=4, result="int32")


def normalized(a, over, epsilon=1e-12):
    total = (a * a).sum(axis=over, keepdims=True)
    return a / np.sqrt(np.maximum(total, epsilon))


for _axis in (None, 0, -1, [0, 2], [-2]):
    _over = tuple(_axis) if isinstance(_axis, list) else _axis
    case(
        "math.l2_normalize",
        functools.partial(normalized, over=_over),
        x(3, 1, 37),
        axis=_axis,
    )
case("math.l2_normalize", lambda a: normalized(a, 0, 100), x(3, 7), axis=0, epsilon=100)
case("math.l2_normalize", lambda a: normalized(a, 1), given([[0.0, 0.0]]), axis=1)


def count_of(extents):
    return lambda a: np.array([extents])


for _axis, _count in ((None, 111), (0, 3), (-1, 37), ([0, 1], 3), ([0, -1], 111)):
    case(
        "math.reduced_shape_elem_cnt",
        count_of(_count),
        x(3, 1, 37),
        axis=_axis,
        dtypes=ALL,
        result="int32",
    )
for _name in ("math.elem_cnt", "elem_cnt"):
    case(_name, count_of(111), x(3, 1, 37), dtypes=ALL, result="int32")
    case(
        _name,
        count_of(111),
        x(3, 1, 37),
        result="int64",
        dtypes=ALL,
        use=lambda op, a: op(a, flow.int64),
        label="int64",
    )
case(
    "experimental.square_sum",
    lambda a: np.array([(a * a).sum()]),
    x(3, 1, 37),
    dtypes=ALL,
    tolerance=8,
)
case(
    "count_not_finite",
    lambda a: np.array([7]),
    given([NAN, INF, -INF, 0, 1, NAN, NAN] + [INF, INF]),
    result="int64",
)
case("count_not_finite", lambda a: np.array([0]), x(3, 7), dtypes=ALL, result="int64")

# ===- Sums of slices ------------------------------------------------------===#


def segments(data, ids, count, axis=0):
    """Out-of-range ids are ignored."""
    axis %= data.ndim
    out = np.zeros(
        (*data.shape[:axis], count, *data.shape[axis + ids.ndim :]), data.dtype
    )
    moved = np.moveaxis(data, axis, 0)
    target = np.moveaxis(out, axis, 0)
    for row, segment in zip(moved, ids):
        if 0 <= segment < count:
            target[segment] += row
    return out


_IDS = [3, 0, 3, 1, -1, 4, 0]
for _name in ("math.unsorted_segment_sum", "unsorted_segment_sum"):
    for _axis, _shape in ((0, (7, 1, 5)), (1, (3, 7, 2)), (-1, (3, 7))):
        for _kind in ("int32", "int64"):
            case(
                _name,
                lambda a, i, axis=_axis: segments(a, i, 4, axis),
                x(*_shape),
                ints(_IDS, _kind),
                use=lambda op, a, i, axis=_axis: op(a, i, 4, axis),
                dtypes=ALL,
                label=f"axis={_axis} {_kind}",
            )
case(
    "math.unsorted_segment_sum_like",
    lambda a, i, like: segments(a, i, 4),
    x(7, 1, 5),
    ints(_IDS),
    x(4, 1, 5),
)
case(
    "math.unsorted_batch_segment_sum",
    lambda a, i: np.stack([segments(d, r, 4) for d, r in zip(a, i)]),
    x(2, 5, 3),
    ints([[3, 0, 3, 1, 0], [2, 2, 2, 1, 0]]),
    use=lambda op, a, i: op(a, i, 4),
)

# ===- Others --------------------------------------------------------------===#

for _name in ("math.broadcast_to_compatible_with", "broadcast_to_compatible_with"):
    case(
        _name,
        lambda a, b, c: np.broadcast_to(a, (2, 3, 4, 5)),
        x(3, 1, 5),
        x(4, 1),
        x(2, 1, 1, 5),
        use=lambda op, a, b, c: op(a, [b, c]),
        dtypes=ALL,
    )
case(
    "math.polyval",
    lambda a: np.polyval([2, -1, 3], a),
    x(3, 1, 37),
    use=lambda op, a: op([2, -1, 3], a),
    dtypes=FLOATS + ("int32", "int64", "int8"),
)
case(
    "math.polyval",
    lambda a, c: (c * a + 1) * a + 2,
    x(3, 37),
    x(3, 1),
    use=lambda op, a, c: op([c, 1, 2], a),
    label="blob",
)
case(
    "math.polyval", lambda a: 0 * a, x(3, 7), use=lambda op, a: op([], a), label="none"
)
case(
    "math.polyval",
    lambda a: (2 * a * a - 1) * a,
    given([-INF, -2, 2, INF]),
    # NumPy has NaN at an infinity.
    use=lambda op, a: op([0, 2, 0, -1, 0], a),
    label="edges",
)

for _name in ("matmul", "linalg.matmul"):
    for _left, _right, _settings in (
        ((3, 37), (37, 5), {}),
        ((37, 3), (37, 5), {"transpose_a": True}),
        ((3, 37), (5, 37), {"transpose_b": True}),
        ((37, 3), (5, 37), {"transpose_a": True, "transpose_b": True}),
        ((1, 1), (1, 5), {}),
        ((2, 1, 3, 7), (2, 1, 7, 5), {}),
        ((3, 7, 3), (3, 5, 7), {"transpose_a": True, "transpose_b": True}),
    ):

        def _product(a, b, transpose_a=False, transpose_b=False):
            a = a.swapaxes(-1, -2) if transpose_a else a
            return a @ (b.swapaxes(-1, -2) if transpose_b else b)

        case(
            _name,
            functools.partial(_product, **_settings),
            x(*_left),
            x(*_right),
            label=f"{_left} {_right}",
            tolerance=8,
            **_settings,
        )
    case(
        _name,
        np.matmul,
        given([[1.0, INF], [NAN, 0.0]]),
        given([[1.0, 0.0], [1.0, 2.0]]),
        label="edges",
    )
