"""What a session does on a GPU: the same as on the CPU."""

import json
import typing

import ml_dtypes
import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
import trace_format
from models import batch, define_eval, define_train, define_unary, raises_here

STEPS = 5


def adam():
    rate = flow.optimizer.CosineScheduler(
        0.1, 20, warmup=flow.optimizer.warmup.linear(3, 0.1)
    )
    return flow.optimizer.Adam(rate, do_bias_correction=True)


def on_both(use, run):
    """What run() returns on the GPU, and on the CPU."""
    results = []
    for device in ("gpu", "cpu"):
        use(device)
        results.append(run())
    return results


def values():
    return {name: each.numpy() for name, each in flow.get_all_variables().items()}


def assert_close(left, right):
    assert left.keys() == right.keys()
    for name in left:
        np.testing.assert_allclose(
            left[name], right[name], rtol=1e-4, atol=1e-6, err_msg=name
        )


# ===- Calls ----------------------------------------------------------------===#


def test_training_is_as_on_the_cpu(use):
    def run():
        train, evaluate = define_train(adam()), define_eval()
        losses = [train(*batch(step)) for step in range(STEPS)]
        return {"losses": np.stack(losses), "logits": evaluate(batch()[0]), **values()}

    assert_close(*on_both(use, run))


def test_runs_are_equal_to_the_bit(use):
    runs = []
    for _ in range(2):
        use("gpu")
        train = define_train(adam())
        losses = np.stack([train(*batch(step)) for step in range(STEPS)])
        runs.append({"losses": losses, **values()})
    for name, value in runs[0].items():
        np.testing.assert_array_equal(value, runs[1][name], err_msg=name)


def test_futures_and_callbacks(use):
    @flow.global_function()
    def lazy(x: tp.Numpy.Placeholder((2, 3))):
        return {"y": flow.math.exp(x), "x": (x,)}

    @flow.global_function()
    def called(x: tp.Numpy.Placeholder((2, 3))) -> tp.Callback[tp.Numpy]:
        return flow.math.square(x)

    inputs = [np.full((2, 3), i, np.float32) for i in range(8)]
    futures = [lazy(x) for x in inputs]
    got = []
    for x in inputs:
        called(x)(got.append)
    seen = []
    lazy(inputs[1]).async_get(lambda result: seen.append(result["y"].numpy()))
    for x, future in zip(inputs, futures):
        result = future.get()
        np.testing.assert_allclose(result["y"].numpy(), np.exp(x), rtol=1e-6)
        np.testing.assert_array_equal(result["x"][0].numpy(), x)
    flow.sync_default_session()
    np.testing.assert_array_equal(got, np.square(inputs))
    np.testing.assert_allclose(seen, [np.exp(inputs[1])], rtol=1e-6)


def test_calls_in_flight_keep_their_inputs():
    train = define_train()

    @flow.global_function()
    def echo(x: tp.Numpy.Placeholder((64, 64))):
        return x + 1.0

    x = np.zeros((64, 64), np.float32)
    futures = []
    for step in range(20):
        x[:] = step
        futures.append(echo(x))
        train(*batch(step))
    for step, future in enumerate(futures):
        assert (future.get().numpy() == step + 1).all()


def test_errors_of_arguments():
    job = define_unary(flow.math.exp)
    with raises_here(AssertionError, "(2, 3)", "(3, 2)"):
        job(np.zeros((3, 2), np.float32))


def test_a_session_after_another_one(use):
    for _ in range(3):
        use("gpu")
        x = np.ones((2, 3), np.float32)
        np.testing.assert_allclose(define_unary(flow.math.exp)(x), np.exp(x), rtol=1e-6)


# ===- Types ----------------------------------------------------------------===#

DTYPES = {
    flow.float: np.float32,
    flow.double: np.float64,
    flow.float16: np.float16,
    flow.bfloat16: ml_dtypes.bfloat16,
    flow.int8: np.int8,
    flow.int32: np.int32,
    flow.int64: np.int64,
    flow.uint8: np.uint8,
}


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: dtype.__name__)
def test_inputs_of_all_types(dtype):
    job = define_unary(lambda x: x + x, shape=(5, 7), dtype=dtype)
    x = np.arange(35).reshape(5, 7).astype(DTYPES[dtype])
    result = job(x)
    assert result.dtype == x.dtype
    np.testing.assert_array_equal(result, x + x)
    # Not contiguous.
    np.testing.assert_array_equal(job(np.asfortranarray(x)), x + x)


def test_dynamic_results():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((3, 4))) -> tp.ListNumpy:
        return flow.argwhere(x)

    x = np.zeros((3, 4), np.float32)
    for places in ([], [(1, 2)], [(0, 0), (2, 1), (2, 3)]):
        x[:] = 0
        for place in places:
            x[place] = 1
        (found,) = job(x)
        np.testing.assert_array_equal(found.reshape(-1, 2), np.argwhere(x))


def test_dropout_and_initial_values_are_as_on_the_cpu(use):
    def run():
        @flow.global_function(type="train")
        def train(x: tp.Numpy.Placeholder((8, 16))) -> tp.Numpy:
            weight = flow.get_variable(
                "weight", (16, 4), initializer=flow.truncated_normal(0.5)
            )
            dropped = flow.nn.dropout(flow.matmul(x, weight), rate=0.5, name="dropped")
            rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
            flow.optimizer.SGD(rate, momentum=0.9).minimize(flow.math.square(dropped))
            return dropped

        x = np.ones((8, 16), np.float32)
        return {"dropped": np.stack([train(x) for _ in range(3)]), **values()}

    gpu, cpu = on_both(use, run)
    np.testing.assert_array_equal(gpu["dropped"] == 0, cpu["dropped"] == 0)
    assert_close(gpu, cpu)


def test_micro_steps(use):
    def run():
        @flow.global_function(type="train")
        def train(
            images: tp.Numpy.Placeholder((8, 6)),
            labels: tp.Numpy.Placeholder((8,), dtype=flow.int32),
        ) -> tp.Numpy:
            x = flow.layers.dense(
                flow.unpack(images, 4), 3, kernel_initializer=flow.truncated_normal(0.1)
            )
            loss = flow.nn.sparse_softmax_cross_entropy_with_logits(
                flow.unpack(labels, 4), x
            )
            adam().minimize(loss)
            return flow.pack(loss, 4)

        rng = np.random.default_rng(2)
        images = rng.standard_normal((8, 6)).astype(np.float32)
        labels = rng.integers(0, 3, 8).astype(np.int32)
        losses = [train(images, labels) for _ in range(STEPS)]
        return {"losses": np.stack(losses), **values()}

    assert_close(*on_both(use, run))


# ===- Variables and checkpoints --------------------------------------------===#


def test_variables_are_read_and_written():
    evaluate = define_eval()
    images = batch()[0]
    evaluate(images)
    zeros = {name: np.zeros_like(value) for name, value in values().items()}
    bias = np.arange(3, dtype=np.float32)
    flow.load_variables({**zeros, "Dense_1-bias": bias})
    np.testing.assert_array_equal(values()["Dense_1-bias"], bias)
    np.testing.assert_array_equal(evaluate(images), np.tile(bias, (4, 1)))


@pytest.mark.parametrize("layout", ["native", "legacy"])
def test_checkpoints_move_between_devices(use, layout, tmp_path):
    train = define_train(adam())
    for step in range(3):
        train(*batch(step))
    saved = values()
    flow.train.CheckPoint().save(str(tmp_path / "model"), layout=layout)
    expected = [train(*batch(step)) for step in range(3, 6)]

    use("gpu")
    train = define_train(adam())
    flow.train.CheckPoint().load(str(tmp_path / "model"))
    assert flow.train.step_count(train) == 3
    for name, value in values().items():
        np.testing.assert_array_equal(value, saved[name], err_msg=name)
    resumed = [train(*batch(step)) for step in range(3, 6)]
    np.testing.assert_array_equal(resumed, expected)

    use("cpu")
    train = define_train(adam())
    flow.train.CheckPoint().load(str(tmp_path / "model"))
    for name, value in values().items():
        np.testing.assert_array_equal(value, saved[name], err_msg=name)
    elsewhere = [train(*batch(step)) for step in range(3, 6)]
    np.testing.assert_allclose(elsewhere, expected, rtol=1e-4)


def test_init_starts_again():
    train = define_train()
    first = train(*batch())
    assert (train(*batch()) != first).any()
    flow.train.CheckPoint().init()
    np.testing.assert_array_equal(train(*batch()), first)


# ===- Reports --------------------------------------------------------------===#


def test_memory_is_that_of_the_plan():
    train = define_train()
    totals = flow.memory_totals()
    report = flow.memory_report()
    assert "train_job" in report and str(totals["arena"]) in report.replace(",", "")
    assert "<svg" in flow.memory_report(html=True)
    train(*batch())
    from jobmlir._src.default_session import get_default_session

    memory = get_default_session()._runtime.memory()
    for space in ("arena", "bank", "constants", "workspace"):
        assert memory[space] == totals[space], space
    # The session has a slot for each call in flight.
    assert memory["staging"] % totals["staging"] == 0


def test_a_budget_is_checked():
    flow.config.memory_budget(1000)
    define_train()
    with pytest.raises(
        flow.errors.CompileError, match="to need at most 1000 bytes but it needs"
    ):
        flow.dump_ir("plan")


def tracks_of(trace):
    """The names of the tracks of a trace by number."""
    return {
        event["tid"]: event["args"]["name"]
        for event in trace["traceEvents"]
        if event["name"] == "thread_name"
    }


def test_a_notebook_shows_the_device(use):
    use("gpu")
    train = define_train()
    train(*batch())
    page = train._repr_html_()
    assert "<span>runs on</span><b>cuda:0</b>" in page
    assert "gradient of Dense_1-matmul" in page


def test_a_trace_has_the_commands(tmp_path):
    train = define_train()
    path = tmp_path / "trace.json"
    with flow.profiler.trace(str(path), steps=2):
        for step in range(3):
            train(*batch(step))
    trace_format.check(path)
    trace = json.loads(path.read_text())
    assert trace["otherData"]["steps"] == 2
    assert trace["otherData"]["dropped_steps"] == 1
    tracks = tracks_of(trace)
    rows = [event for event in trace["traceEvents"] if event["ph"] == "X"]

    def of(track, step):
        found = [
            event
            for event in rows
            if tracks[event["tid"]] == track and event["args"].get("step") == step
        ]
        return sorted(found, key=lambda event: event["ts"])

    # The blocks of a kernel have no times of their own.
    assert not [event for event in rows if event["cat"] == "chunk"]
    numbers = sorted(e["args"]["step"] for e in rows if e["cat"] == "step")
    assert len(numbers) == 2
    for number in numbers:
        commands = of("queue 0", number)
        assert {event["cat"] for event in commands} >= {"dispatch", "call"}
        assert [event["args"]["command"] for event in commands] == list(
            range(len(commands))
        )
        end = 0
        for event in commands:
            assert event["ts"] + 0.01 >= end, "commands of a queue are in order"
            end = event["ts"] + event["dur"]
            assert event["args"]["line"].count(":") >= 2 or event["cat"] == "copy"
        kernels = [event for event in commands if event["cat"] == "dispatch"]
        assert all(event["args"]["kernel"] for event in kernels)
        assert any("models.py" in event["args"]["line"] for event in kernels)
        calls = {event["args"]["kernel"] for event in commands if event["cat"] == "call"}
        assert "cublaslt.matmul" in calls
        (step,) = of("steps and worker 0", number)
        (upload,) = of("copies of inputs to the device", number)
        (download,) = of("copies of outputs to the host", number)
        assert upload["ts"] + upload["dur"] <= step["ts"] + 0.01
        assert step["ts"] + step["dur"] <= download["ts"] + 0.01
        assert step["args"]["commands"] == len(commands)


def test_traced_steps_have_the_same_bits(use, tmp_path):
    runs = []
    for traced in (False, True):
        use("gpu")
        train = define_train(adam())
        if traced:
            with flow.profiler.trace(str(tmp_path / "trace.json")):
                losses = [train(*batch(step)) for step in range(STEPS)]
        else:
            losses = [train(*batch(step)) for step in range(STEPS)]
        runs.append(np.stack(losses))
    np.testing.assert_array_equal(*runs)


def test_a_launch_has_many_buffers_and_scalars(use):
    # An initial value is a kernel with a buffer, a seed and the id of its op.
    values = []
    for device in ("cpu", "gpu"):
        use(device)

        @flow.global_function()
        def job(x: tp.Numpy.Placeholder((6,))) -> tp.Numpy:
            for i in range(180):
                x = x + flow.get_variable(
                    f"v{i}", (6,), initializer=flow.random_uniform_initializer(0, 1)
                )
            return x

        values.append(job(np.zeros(6, np.float32)))
    np.testing.assert_allclose(*values, rtol=1e-5)


def test_a_budget_that_has_room_changes_no_bit(use):
    runs = []
    for budget in (None, 1 << 30):
        use("gpu")
        if budget:
            flow.config.memory_budget(budget)
        train = define_train(adam())
        # Of the last layer with the loss.
        assert "_rows" in flow.dump_ir("plan")
        runs.append(np.stack([train(*batch(step)) for step in range(STEPS)]))
    np.testing.assert_array_equal(*runs)


def test_recomputation_under_a_budget_changes_no_bit(use):
    # Products with so many rows are calls with and without a budget.
    def train(budget):
        use("gpu")
        if budget:
            flow.config.memory_budget(budget)

        @flow.global_function(type="train")
        def job(x: tp.Numpy.Placeholder((1024, 64))) -> tp.Numpy:
            for i in range(6):
                weight = flow.get_variable(
                    f"w{i}", (64, 64), initializer=flow.truncated_normal(0.2)
                )
                x = flow.math.tanh(flow.math.exp(flow.matmul(x, weight) * 0.1))
            loss = flow.math.reduce_mean(x, axis=[1])
            rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
            flow.optimizer.SGD(rate, momentum=0).minimize(loss)
            return loss

        totals, report = flow.memory_totals(), flow.memory_report()
        rng = np.random.default_rng(0)
        x = rng.standard_normal((1024, 64)).astype(np.float32)
        return np.stack([job(x) for _ in range(3)]), totals, report

    losses, totals, report = train(None)
    assert "computed again" not in report
    budget = totals["total"] - totals["arena"] // 5
    with_budget, less, report = train(budget)
    assert less["total"] <= budget
    assert "computed again instead of kept" in report
    np.testing.assert_array_equal(with_budget, losses)


@pytest.mark.parametrize("stage", ["job", "train", "plan", "lower"])
def test_stages_are_printed(stage):
    define_train()
    text = flow.dump_ir(stage)
    assert ("gpu.binary" in text) == (stage == "lower")
    assert '#job.placement<gpu, "0:0">' in text or stage in ("plan", "lower")
    assert flow.graph_svg(stage)


# ===- Other packages -------------------------------------------------------===#


def test_the_runtime_alone_runs_the_artifact(simulator, use):
    runtime = pytest.importorskip("jobmlir_runtime")
    from jobmlir._src.default_session import get_default_session

    use("gpu")
    config = flow.function_config()
    config.default_placement_scope(flow.scope.placement("gpu", "0:1"))
    train = define_train(config=config)
    evaluate = flow.global_function(function_config=config)(_double)
    losses = [train(*batch(step)) for step in range(3)]
    path = get_default_session()._artifact.path
    model = runtime.load(path, cuda_library=simulator)
    assert model.device == "cuda:1"
    model.init(1)
    names = model.jobs["train_job"]["inputs"]
    for step, expected in enumerate(losses):
        images, labels = batch(step)
        result = model.run("train_job", images=images, labels=labels)
        np.testing.assert_array_equal(result, expected)
    assert [port["name"] for port in names] == ["images", "labels"]
    # Another GPU gives the same bits.
    other = runtime.load(path, driver="cuda:0", cuda_library=simulator)
    other.init(1)
    images, labels = batch(0)
    np.testing.assert_array_equal(
        other.run("train_job", images=images, labels=labels), losses[0]
    )
    with pytest.raises(runtime.Error, match=r"expects a CUDA device of 0 \(.*\), 1"):
        runtime.load(path, driver="cuda:2", cuda_library=simulator)
    with pytest.raises(runtime.Error, match="expects jobs compiled for the driver host"):
        runtime.load(path, driver="host")
    with pytest.raises(runtime.Error, match="cannot open CUDA's library '/nowhere/x'"):
        runtime.load(path, cuda_library="/nowhere/x")
    np.testing.assert_array_equal(evaluate(batch()[0]), 2 * batch()[0])


def _double(x: tp.Numpy.Placeholder((4, 6))) -> tp.Numpy:
    return x + x
