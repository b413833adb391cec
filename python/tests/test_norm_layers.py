"""Normalisation of samples, gradients of layer_norm and prelu, against NumPy."""

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from models import define_unary, raises_here
from numeric import check, evaluate, gradients, random

SHAPES = {3: (2, 4, 6), 4: (2, 4, 3, 2), 5: (2, 4, 1, 3, 2)}


def group_norm(x, groups, eps=1e-5):
    rows = x.reshape(x.shape[0], groups, -1)
    mean, variance = rows.mean(2, keepdims=True), rows.var(2, keepdims=True)
    return ((rows - mean) / np.sqrt(variance + eps)).reshape(x.shape)


@pytest.mark.parametrize("rank", SHAPES)
@pytest.mark.parametrize("affine", [True, False])
def test_instance_norm(rank, affine):
    function = getattr(flow.nn, f"InstanceNorm{rank - 2}d")
    check(
        lambda x: function(x, 0.01, affine),
        lambda x: group_norm(x, 4, 0.01),
        random(SHAPES[rank]),
        tolerance=1e-10,
    )


@pytest.mark.parametrize("rank", SHAPES)
@pytest.mark.parametrize("groups", [1, 2, 4])
def test_group_norm(rank, groups):
    check(
        lambda x: flow.nn.GroupNorm(x, groups),
        lambda x: group_norm(x, groups),
        random(SHAPES[rank]),
        tolerance=1e-10,
    )


@pytest.mark.parametrize(
    "function, groups, name",
    [
        (lambda x: flow.nn.GroupNorm(x, 2), 2, "GroupNorm"),
        (lambda x: flow.nn.InstanceNorm2d(x, name="n"), 4, "n"),
    ],
)
def test_parameters_are_those_of_channels(function, groups, name):
    x = random(SHAPES[4], dtype=np.float32)
    gamma, beta = (random((1, 4, 1), seed, dtype=np.float32) for seed in (1, 2))
    job = define_unary(function, x.shape)
    flow.load_variables({f"{name}_gamma": gamma, f"{name}_beta": beta})
    expected = group_norm(x, groups) * gamma[..., None] + beta[..., None]
    np.testing.assert_allclose(job(x), expected, 1e-4, 1e-4)


def test_many_elements_of_narrow_floats():
    x = random((1, 2, 4096), 3, 200, 300, dtype=np.float16)
    result = evaluate(lambda x: flow.nn.InstanceNorm1d(x), x)
    assert result.dtype == np.float16
    expected = group_norm(x.astype(float), 2)
    np.testing.assert_allclose(result, expected, 0, 4e-3)


def test_names_of_several_norms():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder(SHAPES[4])) -> tp.Numpy:
        return flow.nn.InstanceNorm2d(flow.nn.InstanceNorm2d(x))

    job(np.ones(SHAPES[4], np.float32))
    assert set(flow.get_all_variables()) == {
        f"InstanceNorm2D{i}_{part}" for i in ("", "_1") for part in ("gamma", "beta")
    }


# ===- Gradients of layer_norm ---------------------------------------------===#


@pytest.mark.parametrize("axis", [0, 1, 2, -1])
def test_layer_norm_grad(axis):
    x, dy = random((2, 3, 4), 1), random((2, 3, 4), 2)
    over = tuple(range(axis % 3, 3))
    rows = x.shape[: axis % 3] or (1,)

    def reference(dy, x, mean, scale):
        mean = mean.reshape(*x.shape[: axis % 3], *(1,) * len(over))
        scale = scale.reshape(mean.shape)
        n = (x - mean) * scale
        return scale * (
            dy - dy.mean(over, keepdims=True) - n * (dy * n).mean(over, keepdims=True)
        )

    mean = x.mean(over).reshape(rows)
    scale = 1 / np.sqrt(x.var(over).reshape(rows) + 1e-5)
    check(
        lambda *a: flow.layers.layer_norm_grad(*a, begin_norm_axis=axis),
        reference,
        dy,
        x,
        mean,
        scale,
    )
    found = gradients(lambda x: flow.nn.layer_norm(x, begin_norm_axis=axis), dy, x)[0]
    np.testing.assert_allclose(found, reference(dy, x, mean, scale), 1e-8, 1e-8)


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_layer_norm_param_grad(axis):
    dy, norm = random((2, 3, 4), 1), random((2, 3, 4), 2)
    gamma = random((2, 3, 4)[axis:], 3)
    over = tuple(range(axis % 3))
    for i, reference in enumerate(
        (
            lambda dy, n, g: dy * g,
            lambda dy, n, g: dy.sum(over),
            lambda dy, n, g: (dy * n).sum(over),
        )
    ):
        check(
            lambda *a, i=i: flow.layers.layer_norm_param_grad(
                *a, begin_params_axis=axis
            )[i],
            reference,
            dy,
            norm,
            gamma,
            gradient=i == 2,
        )


# ===- prelu ---------------------------------------------------------------===#


@pytest.mark.parametrize(
    "shared, shape",
    [(None, (4, 3, 2)), ([2, 3], (4, 1, 1)), ([-1], (4, 3, 1)), ([1], (1, 3, 2))],
)
def test_prelu(shared, shape):
    x = random(SHAPES[4], dtype=np.float32)
    job = define_unary(
        lambda x: flow.layers.prelu(x, shared_axes=shared, name="p"), x.shape
    )
    np.testing.assert_array_equal(job(x), np.maximum(x, 0))
    alpha = random(shape, 1, dtype=np.float32)
    flow.load_variables({"p-alpha": alpha})
    np.testing.assert_allclose(job(x), np.where(x > 0, x, alpha * x), 1e-6)


def test_the_gradient_of_prelu():
    init = flow.constant_initializer(0.3)
    check(
        lambda x: flow.layers.prelu(x, init),
        lambda x: np.where(x > 0, x, 0.3 * x),
        random(SHAPES[3]),
    )


@pytest.mark.parametrize(
    "function, message",
    [
        (
            lambda x: flow.nn.GroupNorm(x, 3),
            "op GroupNorm: expects num_groups to be an int that divides 4 channels but "
            "got 3",
        ),
        (
            lambda x: flow.nn.GroupNorm(flow.reshape(x, [2, 24]), 2),
            "expects x of at least 3 dimensions but got shape (2, 24)",
        ),
        (
            lambda x: flow.nn.InstanceNorm1d(x),
            "op InstanceNorm1D: expects x of 3 dimensions but got shape (2, 4, 3, 2)",
        ),
        (
            lambda x: flow.nn.InstanceNorm2d(x, 0),
            "expects eps to be a positive number but got 0",
        ),
        (
            lambda x: flow.nn.InstanceNorm2d(x, affine="no"),
            "expects affine to be a bool but got 'no'",
        ),
        (
            lambda x: flow.nn.InstanceNorm2d(flow.cast(x, flow.int8)),
            "expects x to be a blob of floats but got int8",
        ),
        (
            lambda x: flow.layers.layer_norm_grad(x, x, x, x),
            "op LayerNormGrad: expects inv_variance of float32 and shape (2,) but got "
            "float32 and (2, 4, 3, 2)",
        ),
        (
            lambda x: flow.layers.layer_norm_param_grad(x, x, x),
            "op LayerNormParamGrad: expects gamma of float32 and shape (2,) but got",
        ),
        (
            lambda x: flow.layers.prelu(x, shared_axes=[0]),
            "op PRelu: expects shared_axes from 1 on but got [0]",
        ),
        (
            lambda x: flow.layers.prelu(flow.flatten(x)),
            "expects inputs to be a blob of floats of at least 2 dimensions but got",
        ),
    ],
)
def test_error(function, message):
    define_unary(function, SHAPES[4])
    with raises_here(Exception, message):
        flow.dump_ir()
