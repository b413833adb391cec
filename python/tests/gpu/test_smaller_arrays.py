"""Arrays that are smaller than their placeholders, on the simulated CUDA."""

import numpy as np

import jobmlir as flow
import jobmlir.typing as tp

X = np.random.default_rng(0).standard_normal((4, 6)).astype(np.float32)


def trained(use, tag):
    """The losses and the variables of steps with other numbers of rows."""
    use(tag)

    @flow.global_function(type="train")
    def job(x: tp.ListNumpy.Placeholder(X.shape)) -> tp.ListNumpy:
        init = flow.random_normal_initializer(0, 0.5)
        out = flow.layers.dense(x, 3, kernel_initializer=init, activation=flow.math.tanh)
        loss = flow.math.reduce_sum(out * out, axis=1)
        rate = flow.optimizer.PiecewiseConstantScheduler([1], [0.1, 0.05])
        flow.optimizer.Adam(rate).minimize(loss)
        return loss

    losses = [job([X[:rows]])[0] for rows in (4, 1, 3, 1, 4)]
    return losses, {n: v.numpy() for n, v in flow.get_all_variables().items()}


def test_training_goes_on(use):
    losses, variables = trained(use, "gpu")
    flow.clear_default_session()
    expected, wanted = trained(use, "cpu")
    assert [loss.shape for loss in losses] == [(4,), (1,), (3,), (1,), (4,)]
    for loss, other in zip(losses, expected, strict=True):
        np.testing.assert_allclose(loss, other, rtol=1e-4)
    assert variables.keys() == wanted.keys()
    for name, value in variables.items():
        np.testing.assert_allclose(value, wanted[name], 1e-4, 1e-6, err_msg=name)
    assert variables["System-Train-TrainStep-job"] == 5
