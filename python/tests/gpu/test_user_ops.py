"""Ops that users register, in jobs on a GPU: the host computes those of Python."""

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


KERNEL = """
func.func @mean_of_cubes(%x: tensor<3x4xf32>) -> tensor<3xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<3xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<3xf32>) -> tensor<3xf32>
  %sum = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%x : tensor<3x4xf32>) outs(%zeros : tensor<3xf32>) {
  ^bb0(%a: f32, %s: f32):
    %quarter = arith.constant 0.25 : f32
    %0 = arith.mulf %a, %a : f32
    %1 = arith.mulf %0, %a : f32
    %2 = arith.mulf %1, %quarter : f32
    %3 = arith.addf %s, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<3xf32>
  return %sum : tensor<3xf32>
}
"""

GRADIENT = """
func.func @gradient(%x: tensor<3x4xf32>, %y: tensor<3xf32>, %dy: tensor<3xf32>)
    -> tensor<3x4xf32> {
  %empty = tensor.empty() : tensor<3x4xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>,
                     affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%x, %dy : tensor<3x4xf32>, tensor<3xf32>) outs(%empty : tensor<3x4xf32>) {
  ^bb0(%a: f32, %d: f32, %o: f32):
    %c = arith.constant 0.75 : f32
    %1 = arith.mulf %a, %a : f32
    %2 = arith.mulf %1, %c : f32
    %3 = arith.mulf %2, %d : f32
    linalg.yield %3 : f32
  } -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
"""


def test_a_kernel_of_the_user_trains_on_the_gpu(use):
    results = {}
    for gradient in (None, GRADIENT):
        use("gpu")
        flow.register_user_kernel("mean_of_cubes", KERNEL, gradient)

        @flow.global_function(type="train")
        def job() -> tp.Numpy:
            with flow.scope.placement("gpu", "0:0"):
                w = flow.get_variable("w", (3, 4), initializer=X)
                op = flow.user_op_builder().Op("mean_of_cubes").Input("in", [w])
                y = op.Output("out").Build().SoleOutputBlob()
                rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
                flow.optimizer.SGD(rate, momentum=0).minimize(flow.math.reduce_sum(y))
            return y

        np.testing.assert_allclose(job(), (X**3).mean(1), rtol=1e-5)
        plan = flow.dump_ir("plan")
        assert "plan.host_call" not in plan
        results[gradient] = flow.get_all_variables()["w"].numpy()
        np.testing.assert_allclose(results[gradient], X - 0.075 * X**2, rtol=1e-5)
