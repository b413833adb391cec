"""TF32 and mixed precision on the simulated CUDA."""

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from test_train import losses_of

TERMS = 300


def product_of(a, b):
    """a @ b on the GPU, and the plan of the job."""

    @flow.global_function()
    def job(
        a: tp.Numpy.Placeholder(a.shape), b: tp.Numpy.Placeholder(b.shape)
    ) -> tp.Numpy:
        return flow.matmul(a, b)

    return job(a, b), flow.dump_ir("plan")


def test_tf32_is_an_option(use):
    rng = np.random.default_rng(1)
    a = rng.standard_normal((20, TERMS)).astype(np.float32)
    b = rng.standard_normal((TERMS, 30)).astype(np.float32)
    exact = a.astype(np.float64) @ b
    magnitudes = np.abs(a).astype(np.float64) @ np.abs(b)

    got, plan = product_of(a, b)
    assert "tf32" not in plan
    np.testing.assert_allclose(
        got, exact, rtol=0, atol=1e-6 * TERMS**0.5 * np.abs(exact).max()
    )

    use("gpu")
    flow.config.enable_tensor_float_32_compute(True)
    rounded, plan = product_of(a, b)
    assert "cublaslt.matmul" in plan and "tf32 = 1" in plan
    # Each factor is rounded to 11 bits.
    assert (np.abs(rounded - exact) <= 2.0**-10 * magnitudes).all()
    assert np.abs(rounded - exact).max() > 10 * np.abs(got - exact).max()


def test_tf32_changes_nothing_on_the_cpu(use):
    rng = np.random.default_rng(2)
    a, b = (rng.standard_normal((8, 8)).astype(np.float32) for _ in range(2))
    results = []
    for enabled in (False, True):
        use("cpu")
        flow.config.enable_tensor_float_32_compute(enabled)
        result, plan = product_of(a, b)
        assert "tf32" not in plan
        results.append(result)
    np.testing.assert_array_equal(*results)


def precision(dtype):
    config = flow.function_config()
    config.enable_auto_mixed_precision()
    config.auto_mixed_precision_data_type(dtype)
    return config


@pytest.mark.parametrize("name", ["mlp", "lenet"])
def test_models_train_as_in_float32(use, name):
    exact = losses_of(name)
    scaled = flow.optimizer.loss_scale.dynamic_loss_scale(2.0**8)
    for dtype, policy in ((flow.bfloat16, None), (flow.float16, scaled)):
        use("gpu")
        narrow = losses_of(name, precision(dtype), policy)
        np.testing.assert_allclose(narrow, exact, rtol=0.05)
        np.testing.assert_allclose(np.mean(narrow), np.mean(exact), rtol=0.01)
        assert not np.array_equal(narrow, exact)


def test_tf32_trains_as_float32(use):
    exact = losses_of("mlp")
    use("gpu")
    flow.config.enable_tensor_float_32_compute(True)
    np.testing.assert_allclose(losses_of("mlp"), exact, rtol=0.01)
