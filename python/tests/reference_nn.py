"""Cases of op_references.py: softmax, losses, normalisations and layers."""

import functools

import numpy as np

from reference_cases import ALL, case, constant, given, ints, x
from reference_math import softplus

NAN, INF = np.nan, np.inf

# ===- Softmax and losses --------------------------------------------------===#


def log_softmax(a, axis=-1):
    a = a - a.max(axis, keepdims=True)
    return a - np.log(np.exp(a).sum(axis, keepdims=True))


def softmax(a, axis=-1):
    return np.exp(log_softmax(a, axis))


_LARGE = np.array([[1e4, 0, -1e4], [NAN, 0, 1], [1, -INF, 2], [3, 3, 3]])
for _axis in (None, 1, -2):
    _along = -1 if _axis is None else _axis
    for _name, _reference in (("softmax", softmax), ("logsoftmax", log_softmax)):
        case(
            f"nn.{_name}",
            functools.partial(_reference, axis=_along),
            x(3, 5, 37),
            axis=_axis,
        )
    case(
        "nn.softmax_grad",
        lambda y, dy, i=_along: y * (dy - (y * dy).sum(i, keepdims=True)),
        x(3, 5, 37, low=0.0, high=0.1),
        x(3, 5, 37),
        axis=_axis,
    )
for _name, _reference in (("softmax", softmax), ("logsoftmax", log_softmax)):
    case(f"nn.{_name}", _reference, given(_LARGE), label="edges", scale=1.0)
    case(f"nn.{_name}", _reference, x(3, 1))


def picked(table, labels):
    rows = table.reshape(-1, table.shape[-1])
    out = [row[label] for row, label in zip(rows, labels.ravel())]
    return np.array(out).reshape(table.shape[:-1])


_LABELS = [[0, 6, 3], [2, 2, 5]]
for _kind in ("int32", "int64", "int8"):
    for _shape in ((2, 3), (2, 3, 1)):
        _operand = ints(np.reshape(_LABELS, _shape), _kind)
        case(
            "nn.sparse_softmax_cross_entropy_with_logits",
            lambda i, a: -picked(log_softmax(a), i),
            _operand,
            x(2, 3, 7, low=-6.0, high=6.0),
            label=f"{_kind} {len(_shape)}",
        )
        case(
            "nn.sparse_cross_entropy",
            lambda i, p: -np.log(picked(p, i)).reshape(2, 3),
            _operand,
            x(2, 3, 7, low=0.01, high=1.0),
            label=f"{_kind} {len(_shape)}",
        )
case(
    "nn.softmax_cross_entropy_with_logits",
    lambda z, a: -(z * log_softmax(a)).sum(-1),
    x(3, 2, 7, low=0.0, high=0.3),
    x(3, 2, 7, low=-6.0, high=6.0),
    tolerance=8,
)
case(
    "nn.sigmoid_cross_entropy_with_logits",
    lambda z, a: softplus(a) - a * z,
    x(3, 1, 7, low=0.0, high=1.0),
    x(3, 1, 7, low=-6.0, high=6.0),
)
case(
    "nn.sigmoid_cross_entropy_with_logits",
    lambda z, a: np.where(z > 0, softplus(-a), softplus(a)),
    given([[0.0, 1.0, 0.0, 1.0]]),
    given([[1e3, 1e3, -1e3, -1e3]]),
    label="large",
)
case(
    "nn.sigmoid_cross_entropy_with_logits",
    lambda z, a: softplus(a) - a * z,
    ints([[0, 1, 1]], "int32"),
    x(1, 3, low=-6.0, high=6.0),
    label="ints",
)


def reductions(name, reference, *operands, **settings):
    """Cases of a loss with each of its reductions."""
    for reduction, how in (
        ("none", lambda loss: loss),
        ("mean", np.mean),
        ("sum", np.sum),
    ):
        case(
            name,
            lambda *a, how=how: how(reference(*a)),
            *operands,
            tolerance=8,
            reduction=reduction,
            **settings,
        )


SHAPE = (3, 1, 7)
SIGNAL, PROBABILITY = x(*SHAPE), x(*SHAPE, low=0.05, high=0.95)
WEIGHT = x(7, low=0.5)


def cross_entropy(p, z, w=1.0):
    return -w * (z * np.log(p) + (1 - z) * np.log1p(-p))


def logits_entropy(a, z, w=1.0, positive=1.0):
    return w * ((1 - z) * softplus(a) + positive * z * softplus(-a))


reductions("nn.L1Loss", lambda a, z: np.abs(a - z), SIGNAL, SIGNAL)
reductions("nn.MSELoss", lambda a, z: (a - z) ** 2, SIGNAL, SIGNAL)
reductions("nn.BCELoss", cross_entropy, PROBABILITY, PROBABILITY)
reductions("nn.BCELoss", cross_entropy, PROBABILITY, PROBABILITY, WEIGHT)
case(
    "nn.BCELoss",
    lambda p, z: np.array([0.0, 100.0, 100.0, 0.0, 50.0, np.log(2), NAN]),
    given([0.0, 0.0, 1.0, 1.0, 1.0, 0.5, NAN]),
    given([0.0, 1.0, 0.0, 1.0, 0.5, 1.0, 0.0]),
    reduction="none",
    label="certain",
)
reductions("nn.BCEWithLogitsLoss", logits_entropy, SIGNAL, PROBABILITY)
reductions("nn.BCEWithLogitsLoss", logits_entropy, SIGNAL, PROBABILITY, WEIGHT, WEIGHT)
reductions("nn.KLDivLoss", lambda a, z: z * (np.log(z) - a), SIGNAL, PROBABILITY)
reductions(
    "nn.KLDivLoss",
    lambda a, z: np.exp(z) * (z - a),
    SIGNAL,
    SIGNAL,
    log_target=True,
)
case(
    "nn.KLDivLoss",
    lambda a, z: np.array([0.0, np.log(0.5) * 0.5 - 0.5, 0.0]),
    given([1.0, 1.0, -5.0]),
    given([0.0, 0.5, 0.0]),
    reduction="none",
    label="zeros",
)
reductions(
    "nn.MarginRankingLoss",
    lambda a, b, z: np.maximum(0, 0.5 - z * (a - b)),
    SIGNAL,
    x(3, 5, 1),
    given([-1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0]),
    margin=0.5,
)


def triplet(a, near, far, p=2.0, is_swapped=False):
    def distance(b, c):
        return (np.abs(b - c + 1e-6) ** p).sum(1) ** (1 / p)

    other = distance(a, far)
    if is_swapped:
        other = np.minimum(other, distance(near, far))
    return np.maximum(0, distance(a, near) - other + 1)


for _p in (1.0, 2.0, 3.0):
    reductions(
        "nn.TripletMarginLoss",
        functools.partial(triplet, p=_p),
        *[x(5, 7)] * 3,
        p=_p,
        scale=8.0,
    )
reductions(
    "nn.TripletMarginLoss",
    functools.partial(triplet, is_swapped=True),
    *[x(5, 7)] * 3,
    swap=True,
    scale=8.0,
)
for _beta in (1.0, 0.3, 0):

    def _smooth(a, z, beta=_beta):
        d = np.abs(a - z)
        return np.where(d < beta, d * d / (2 * beta or 1), d - beta / 2)

    case("smooth_l1_loss", _smooth, SIGNAL, SIGNAL, beta=_beta)


def margin(a, label, m1, m2, m3):
    a = a.copy()
    rows = np.arange(len(a))
    label = label.ravel()
    angle = np.arccos(a[rows, label])
    a[rows, label] = np.cos(m1 * angle + m2) - m3
    return a


for _m in ((1, 0, 0), (1, 0.5, 0), (1, 0, 0.35), (3, 0.2, 0.1)):
    for _shape in ((5,), (5, 1)):
        case(
            "combined_margin_loss",
            functools.partial(margin, m1=_m[0], m2=_m[1], m3=_m[2]),
            x(5, 7, low=-0.9, high=0.9),
            ints(np.reshape([6, 0, 3, 3, 1], _shape)),
            m1=_m[0],
            m2=_m[1],
            m3=_m[2],
            label=f"{_m} {len(_shape)}",
            tolerance=16,
        )

# ===- Normalisations ------------------------------------------------------===#


def normalized(a, over, epsilon):
    return (a - a.mean(over, keepdims=True)) / np.sqrt(
        a.var(over, keepdims=True) + epsilon
    )


case(
    "nn.bias_add",
    lambda a, b: a + b[:, None, None],
    x(2, 3, 1, 5),
    x(3),
    dtypes=ALL,
)
case(
    "nn.bias_add",
    lambda a, b: a + b,
    x(2, 1, 5, 3),
    x(3),
    use=lambda op, a, b: op(a, b, "NHWC"),
    dtypes=ALL,
    label="NHWC",
)
for _axes, _keepdims in (([0], False), ([-1, 0], False), ([1, 2], True), ([], False)):
    case(
        "nn.moments",
        lambda a, i=tuple(_axes), k=_keepdims: (
            a.mean(i, keepdims=k),
            a.var(i, keepdims=k),
        ),
        x(3, 1, 37),
        axes=_axes,
        keepdims=_keepdims,
        tolerance=8,
        scale=2.0,
    )
for _axis in (1, -1, 0):

    def _given_statistics(a, mean, variance, beta=0.0, gamma=1.0, axis=_axis):
        shape = [-1 if i == axis % a.ndim else 1 for i in range(a.ndim)]
        mean, variance, beta, gamma = (
            np.reshape(v, shape if np.ndim(v) else ())
            for v in (mean, variance, beta, gamma)
        )
        return (a - mean) / np.sqrt(variance + 1e-3) * gamma + beta

    _vector = (3, 5, 7)[_axis]
    case(
        "nn.batch_normalization",
        _given_statistics,
        x(3, 5, 7),
        x(_vector),
        x(_vector, low=0.1),
        x(_vector),
        x(_vector),
        axis=_axis,
        variance_epsilon=1e-3,
        tolerance=8,
    )
    case(
        "nn.batch_normalization",
        _given_statistics,
        x(3, 5, 7),
        x(_vector),
        x(_vector, low=0.1),
        axis=_axis,
        variance_epsilon=1e-3,
        label=f"axis={_axis} plain",
        tolerance=8,
    )
    case(
        "nn.batch_normalization",
        _given_statistics,
        x(3, 5, 7),
        x(_vector)._replace(dtype="float32"),
        x(_vector, low=0.1)._replace(dtype="float32"),
        x(_vector)._replace(dtype="float32"),
        x(_vector)._replace(dtype="float32"),
        axis=_axis,
        variance_epsilon=1e-3,
        label=f"axis={_axis} float32 statistics",
        dtypes=("float16", "bfloat16"),
        # Rounded once, to the dtype of the input.
        tolerance=1,
    )
    for _name, _finish in (
        ("", lambda y: y),
        ("_relu", lambda y: np.maximum(y, 0)),
        ("_add_relu", lambda y: np.maximum(y + 1, 0)),
    ):
        case(
            f"layers.batch_normalization{_name}",
            lambda a, m, v, b, g, f=_finish, r=_given_statistics: f(r(a, m, v, b, g)),
            x(3, 5, 7),
            constant(_vector),
            constant(_vector, low=0.1),
            constant(_vector),
            constant(_vector),
            use=lambda op, a, m, v, b, g, n=_name, i=_axis: op(
                a,
                *([a * 0 + 1] if n == "_add_relu" else []),
                axis=i,
                epsilon=1e-3,
                moving_mean_initializer=m,
                moving_variance_initializer=v,
                beta_initializer=b,
                gamma_initializer=g,
            ),
            label=f"axis={_axis}",
            tolerance=8,
        )
case(
    "layers.batch_normalization",
    lambda a, b, g: normalized(a, (0, 2), 1e-3) * g[:, None] + b[:, None],
    x(4, 3, 9),
    constant(3),
    constant(3),
    use=lambda op, a, b, g: op(
        a, axis=1, momentum=0.9, beta_initializer=b, gamma_initializer=g
    ),
    dtypes=("float32", "float64"),
    kind="train",
    label="batch",
    tolerance=16,
)


def layer_normalized(a, gamma=1.0, beta=0.0, begin=1):
    return normalized(a, tuple(range(begin % a.ndim, a.ndim)), 1e-5) * gamma + beta


for _begin, _params in ((1, -1), (-1, -1), (2, 1), (0, 2)):
    case(
        "nn.layer_norm",
        lambda a, g, b, i=_begin: layer_normalized(a, g, b, i),
        x(3, 5, 37),
        x(*(3, 5, 37)[_params:]),
        x(*(3, 5, 37)[_params:]),
        begin_norm_axis=_begin,
        begin_params_axis=_params,
        tolerance=16,
    )
for _name in ("nn.layer_norm", "layers.layer_norm"):
    # The variables of the layer start at 1 and 0.
    case(
        _name,
        lambda a: layer_normalized(a, begin=-1),
        x(3, 5, 37),
        begin_norm_axis=-1,
        tolerance=16,
    )
    case(
        _name, lambda a: layer_normalized(a), given(np.full((2, 3), 7.0)), label="equal"
    )


def layer_norm_slope(dy, a, mean, scale, begin):
    over = tuple(range(begin, a.ndim))
    shape = a.shape[:begin] + (1,) * len(over)
    n = (a - mean.reshape(shape)) * scale.reshape(shape)
    bend = n * (dy * n).mean(over, keepdims=True)
    return scale.reshape(shape) * (dy - dy.mean(over, keepdims=True) - bend)


for _begin in (1, 2):
    case(
        "layers.layer_norm_grad",
        functools.partial(layer_norm_slope, begin=_begin),
        x(3, 5, 7),
        x(3, 5, 7),
        x(*(3, 5)[:_begin], low=-0.1, high=0.1),
        x(*(3, 5)[:_begin], low=0.5, high=1.0),
        begin_norm_axis=_begin,
        tolerance=16,
    )
for _begin in (-1, 1):
    _over = tuple(range(_begin % 3))
    case(
        "layers.layer_norm_param_grad",
        lambda dy, n, g, over=_over: (dy * g, dy.sum(over), (dy * n).sum(over)),
        x(3, 5, 7),
        x(3, 5, 7),
        x(*(3, 5, 7)[_begin:]),
        begin_params_axis=_begin,
        tolerance=8,
    )
for _groups in (1, 2, 6):
    case(
        "nn.GroupNorm",
        lambda a, g=_groups: normalized(a.reshape(2, g, -1), 2, 1e-5).reshape(a.shape),
        x(2, 6, 3, 5),
        num_groups=_groups,
        tolerance=16,
    )
for _dims in (1, 2, 3):
    for _affine in (True, False):
        case(
            f"nn.InstanceNorm{_dims}d",
            lambda a: normalized(a, tuple(range(2, a.ndim)), 1e-5),
            x(2, 3, *(4, 1, 5)[-_dims:]),
            affine=_affine,
            tolerance=16,
        )

# ===- Layers --------------------------------------------------------------===#

for _shape in ((5, 7), (2, 1, 5, 7)):
    case(
        "layers.dense",
        lambda a, w, b: np.maximum(a @ w.T + b, 0),
        x(*_shape),
        constant(3, 7),
        constant(3),
        use=lambda op, a, w, b: op(
            a, 3, _relu, kernel_initializer=w, bias_initializer=b
        ),
        label=f"{len(_shape)}",
        tolerance=8,
    )


def _relu(blob, name=None):
    return (blob + abs(blob)) * 0.5


for _shared, _shape in ((None, (5, 3, 4)), ([2, 3], (5, 1, 1)), ([1], (1, 3, 4))):
    case(
        "layers.prelu",
        lambda a, alpha: np.where(a > 0, a, alpha * a),
        x(2, 5, 3, 4),
        constant(*_shape),
        use=lambda op, a, alpha, s=_shared: op(a, alpha, shared_axes=s),
        label=f"shared={_shared}",
    )
