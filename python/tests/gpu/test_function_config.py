"""Settings of jobs that act on a GPU, on the simulated CUDA."""

import re

import numpy as np

import jobmlir as flow
import jobmlir.typing as tp

X = np.random.default_rng(0).standard_normal((4, 3, 12, 12)).astype(np.float32)


def trained(use, configure):
    """The results of a job with convolutions, means of windows and products, its plan,
    and the bytes of its workspace."""
    use("gpu")
    config = flow.function_config()
    configure(config)

    @flow.global_function(type="train", function_config=config)
    def job(x: tp.Numpy.Placeholder(X.shape)) -> tp.Numpy:
        init = flow.random_normal_initializer(0, 0.1)
        out = flow.layers.conv2d(x, 8, 3, padding="SAME", kernel_initializer=init)
        out = flow.layers.conv2d(out, 4, 3, name="second", kernel_initializer=init)
        out = flow.nn.avg_pool2d(flow.math.relu(out), 2, 2, "VALID")
        out = flow.reshape(out, (4, -1))
        out = flow.layers.dense(out, 4, kernel_initializer=init, name="dense")
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
        flow.optimizer.SGD(rate).minimize(out)
        return out

    plan, workspace = flow.dump_ir("plan"), flow.memory_totals()["workspace"]
    return np.stack([job(X) for _ in range(3)]), plan, workspace


def calls(plan):
    return re.findall(r"plan\.call #plan\.(\w+)\.(\w+)", plan)


def test_without_cudnn(use):
    def configure(config):
        config.enable_cudnn(False)

    expected, plan, _ = trained(use, lambda config: None)
    assert {name for library, name in calls(plan) if library == "cudnn"} == {
        "conv2d",
        "conv2d_data_grad",
        "conv2d_filter_grad",
        "avg_pool2d",
        "avg_pool2d_grad",
    }
    results, plan, _ = trained(use, configure)
    assert {library for library, _ in calls(plan)} == {"cublaslt"}
    np.testing.assert_allclose(results, expected, rtol=1e-4, atol=1e-5)


def test_a_limit_of_the_workspace(use):
    """Of convolutions; that of products remains."""
    expected, plan, workspace = trained(use, lambda config: None)
    given = re.findall(r"cudnn\.conv2d\w*<[^>]*workspace = (\d+)", plan)
    assert len(given) == 5 and min(map(int, given)) > 2**20
    results, plan, limited = trained(
        use, lambda config: config.cudnn_buf_limit_mbyte(1)
    )
    given = re.findall(r"cudnn\.conv2d\w*<[^>]*workspace = (\d+)", plan)
    assert given == ["1048576"] * 5 and limited < workspace
    np.testing.assert_array_equal(results, expected)


def test_no_workspace(use):
    expected, *_ = trained(use, lambda config: None)
    results, plan, _ = trained(use, lambda config: config.cudnn_buf_limit_mbyte(0))
    assert not re.search(r"cudnn\.conv2d\w*<[^>]*workspace", plan)
    np.testing.assert_allclose(results, expected, rtol=1e-4, atol=1e-6)


def test_tf32_of_one_job(use):
    def configure(enabled):
        return lambda config: config.enable_tensor_float_32_compute(enabled)

    exact, plan, _ = trained(use, configure(False))
    assert "tf32" not in plan
    rounded, plan, _ = trained(use, configure(True))
    for name in ("cublaslt.matmul", "cudnn.conv2d", "cudnn.conv2d_filter_grad"):
        assert re.search(rf"#plan\.{name}<[^>]*tf32 = 1", plan), name
    np.testing.assert_allclose(rounded, exact, rtol=0.02, atol=0.01)
    assert not np.array_equal(rounded, exact)


def test_a_job_without_tf32_in_a_session_with_it(use):
    use("gpu")
    flow.config.enable_tensor_float_32_compute(True)
    plans = {}
    exact = flow.function_config()
    exact.enable_tensor_float_32_compute(False)

    @flow.global_function()
    def rounds(x: tp.Numpy.Placeholder((4, 4))):
        return flow.matmul(x, x)

    @flow.global_function(function_config=exact)
    def forbids(x: tp.Numpy.Placeholder((4, 4))):
        return flow.matmul(x, x)

    for part in flow.dump_ir("plan").split("plan.program")[1:]:
        plans[re.search(r"@(\w+)", part)[1]] = "tf32 = 1" in part
    assert plans["rounds"] and not plans["forbids"]
