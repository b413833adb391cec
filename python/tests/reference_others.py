"""Cases of op_references.py: ops that OneFlow did not have, or has elsewhere."""

import functools

import numpy as np

import jobmlir as flow
from reference_cases import ALL, case, given, x
from reference_math import EDGES, binary
from reference_nn import softmax

binary("math.logical_or", np.logical_or)
case("math.logical_not", np.logical_not, x(3, 1, 37), dtypes=ALL)
case("math.logical_not", np.logical_not, given(EDGES), label="edges")


def cumulated(a, axis, exclusive=False, reverse=False):
    a = np.moveaxis(np.flip(a, axis) if reverse else a, axis, 0)
    total = np.cumsum(a, 0)
    if exclusive:
        total = np.concatenate([np.zeros_like(a[:1]), total[:-1]])
    total = np.moveaxis(total, 0, axis)
    return np.flip(total, axis) if reverse else total


for _name in ("math.cumsum", "cumsum"):
    for _axis in (0, 1, -1):
        for _settings in (
            {},
            {"exclusive": True},
            {"reverse": True},
            {"exclusive": True, "reverse": True},
        ):
            case(
                _name,
                functools.partial(cumulated, axis=_axis, **_settings),
                x(3, 1, 37),
                axis=_axis,
                dtypes=ALL,
                tolerance=8,
                scale=4.0,
                **_settings,
            )
for _sizes in (3, [1, 5]):
    case(
        "split",
        lambda a, s=_sizes: tuple(np.split(a, s if s == 3 else np.cumsum(s)[:-1], 1)),
        x(4, 6, 1),
        use=lambda op, a, s=_sizes: op(a, s, -2),
        dtypes=ALL,
        tolerance=0,
        label=f"{_sizes}",
    )
case("stop_gradient", lambda a: a, x(3, 1, 5), dtypes=ALL, tolerance=0)
case(
    "multi_count_not_finite",
    lambda a, b: np.array([np.sum(~np.isfinite(a)) + np.sum(~np.isfinite(b))]),
    given(EDGES[:7]),
    given([np.nan, 1.0, np.inf]),
    use=lambda op, a, b: op([a, b]),
    result="int64",
)
case(
    "pad_to_static",
    lambda a: np.concatenate([np.argwhere(a), np.full((np.sum(a == 0), 2), -1)]),
    given([[0.0, 2.0, 0.0], [1.0, 0.0, -3.0]]),
    use=lambda op, a: op(flow.argwhere(a), -1),
    dtypes=ALL[:-1],
    result="int32",
)


def attended(q, k, v, causal=False, scale=None):
    scores = np.einsum("bihc,bjhc->bhij", q, k)
    scores *= 1 / np.sqrt(q.shape[-1]) if scale is None else scale
    if causal:
        # The last query sees all keys.
        seen = np.tri(q.shape[1], k.shape[1], k.shape[1] - q.shape[1])
        scores = np.where(seen, scores, -np.inf)
    return np.einsum("bhij,bjhc->bihc", softmax(scores), v)


for _settings in ({}, {"causal": True}, {"scale": 0.3}):
    case(
        "nn.attention",
        functools.partial(attended, **_settings),
        x(2, 5, 3, 8),
        x(2, 7, 3, 8),
        x(2, 7, 3, 8),
        use=lambda op, q, k, v, s=_settings: op(q, k, v, **s),
        label="".join(_settings),
        tolerance=16,
    )
