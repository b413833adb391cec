"""Ops that users register, in jobs on a GPU: the host computes them."""

import numpy as np

import jobmlir as flow
import jobmlir.typing as tp

X = np.linspace(-2, 2, 12, dtype=np.float32).reshape(3, 4)


def register_cube():
    flow.register_user_op(
        "cube",
        infer=lambda x: (x.shape, x.dtype),
        forward=lambda x: x**3,
        gradient=lambda inputs, outputs, gradients: 3 * inputs[0] ** 2 * gradients[0],
    )


def cube(x):
    op = flow.user_op_builder().Op("cube").Input("in", [x]).Output("out")
    return op.Build().SoleOutputBlob()


def train_losses(use, device, is_user):
    use(device)

    @flow.global_function(type="train")
    def train(x: tp.Numpy.Placeholder((3, 4))) -> tp.Numpy:
        with flow.scope.placement(device, "0:0"):
            w = flow.get_variable(
                "w", (4, 4), initializer=flow.random_uniform_initializer(-1, 1)
            )
            y = flow.matmul(x, w) * 0.5
            y = cube(y) if is_user else y * y * y
            loss = flow.math.square(y - 1.0)
            rate = flow.optimizer.PiecewiseConstantScheduler([], [0.0005])
            flow.optimizer.SGD(rate, momentum=0.9).minimize(loss)
        return loss

    return [train(X).mean() for _ in range(8)]


def test_a_job_on_a_gpu_trains_through_a_user_op(use):
    register_cube()
    expected = train_losses(use, "cpu", is_user=False)
    np.testing.assert_allclose(train_losses(use, "gpu", True), expected, rtol=1e-4)
    assert expected[-1] < expected[0]


def test_calls_are_in_the_order_of_the_steps(use):
    seen = []

    def forward(x):
        seen.append(float(x[0, 0]))
        return x

    flow.register_user_op("note", lambda x: (x.shape, x.dtype), forward)

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((3, 4))) -> tp.Callback[tp.Numpy]:
        op = flow.user_op_builder("note").Op("note").Input("in", [x + 1.0])
        return op.Output("out").Build().SoleOutputBlob()

    for step in range(20):
        job(np.full_like(X, step))(lambda y: None)
    flow.sync_default_session()
    assert seen == [step + 1.0 for step in range(20)]
