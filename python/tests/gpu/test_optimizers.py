"""Optimizers on the simulated CUDA, beside their transcription in NumPy."""

import numpy as np
import optimizer_table as table
import pytest

import jobmlir as flow
import jobmlir.typing as tp

STEPS = 3


@pytest.mark.parametrize("case", table.CASES, ids=lambda case: case.name)
def test_rules(case):
    results, expected = table.run_case(case, STEPS)
    table.check(results, expected, 1e-4)


@pytest.mark.parametrize("first", ["gpu", "cpu"])
def test_a_norm_of_gradients_on_two_devices(first):
    """The global norm, and the test of a dynamic loss scale, are of all variables."""
    clip = flow.optimizer.grad_clipping.by_global_norm(1.0)
    policy = flow.optimizer.loss_scale.dynamic_loss_scale(8.0)
    second = "cpu" if first == "gpu" else "gpu"

    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((2,))):
        with flow.scope.placement(first, "0:0"):
            a = flow.get_variable("a", (2,), initializer=flow.ones_initializer())
            scaled = a * 6
        with flow.scope.placement(second, "0:0"):
            b = flow.get_variable("b", (2,), initializer=flow.ones_initializer())
            loss = scaled + b * x
        rate = flow.optimizer.PiecewiseConstantScheduler([], [1.0])
        flow.optimizer.SGDW(
            rate,
            momentum=0,
            weight_decay=0.5,
            grad_clipping=clip,
            loss_scale_policy=policy,
        ).minimize(loss)

    job(np.array([8, 8], np.float32)).get()
    norm = np.sqrt(2 * (3**2 + 4**2))
    state = {name: v.numpy() for name, v in flow.get_all_variables().items()}
    np.testing.assert_allclose(state["a"], [0.5 - 3 / norm] * 2, rtol=1e-5)
    np.testing.assert_allclose(state["b"], [0.5 - 4 / norm] * 2, rtol=1e-5)
    # No variable is updated, on either device.
    job(np.array([np.inf, 8], np.float32)).get()
    for name in ("a", "b"):
        after = flow.get_all_variables()[name].numpy()
        np.testing.assert_array_equal(after, state[name])
