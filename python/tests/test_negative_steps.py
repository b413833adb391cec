"""Slices with negative steps, as NumPy has them."""

import numpy as np
import pytest
from numeric import check

import jobmlir as flow
import jobmlir.typing as tp

X = np.arange(35, dtype=np.float64).reshape(5, 7) / 7
PARTS = [
    [(None, None, -1)],
    [(3, None, -2), (None, None, None)],
    [(4, 0, -3), (-1, -8, -3)],
    [(None, None, 2), (5, 1, -1)],
    [(0, None, -1), (6, None, -1)],
]


def key(parts):
    return tuple(slice(*part) for part in parts)


@pytest.mark.parametrize("parts", PARTS)
def test_values_and_gradients(parts):
    for function in (flow.slice_v2, flow.experimental.logical_slice):
        check(lambda x: function(x, parts), lambda x: x[key(parts)], X)
    check(lambda x: x[key(parts)], lambda x: x[key(parts)], X)


@pytest.mark.parametrize("parts", PARTS)
def test_updates(parts):
    shape = X[key(parts)].shape
    update = -1 - np.arange(np.prod(shape), dtype=np.float64).reshape(shape)

    def updated(x):
        x = x.copy()
        x[key(parts)] = update
        return x

    check(
        lambda x: flow.slice_update(x, flow.constant(update, flow.double), parts),
        updated,
        X,
    )
    flow.clear_default_session()

    @flow.global_function()
    def assign(x: tp.Numpy.Placeholder(shape, dtype=flow.double)) -> tp.Numpy:
        w = flow.get_variable("w", X.shape, flow.double, initializer=X)
        flow.experimental.logical_slice_assign(w, x, parts)
        return x

    assign(update)
    np.testing.assert_array_equal(
        flow.get_all_variables()["w"].numpy(), updated(X)
    )
