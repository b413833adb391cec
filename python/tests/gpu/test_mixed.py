"""Jobs and parts of jobs on several devices in one session."""

import contextlib
import json
import re

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
import trace_format
from jobmlir._src.default_session import get_default_session
from models import BATCH, CLASSES, INPUTS, batch, define_train, logits_of, raises_here

STEPS = 4


def placed(tag, index=0):
    return flow.scope.placement(tag, f"0:{index}")


def driver():
    """What the session runs on."""
    return get_default_session()._artifact.driver


def values():
    return {name: each.numpy() for name, each in flow.get_all_variables().items()}


def define_training(hidden, output, optimizer=None, count=None):
    """A training job whose two layers are in these placements."""

    @flow.global_function(type="train")
    def train_job(
        images: tp.Numpy.Placeholder((BATCH, INPUTS)),
        labels: tp.Numpy.Placeholder((BATCH,), dtype=flow.int32),
    ) -> tp.Numpy:
        init = flow.truncated_normal(0.1)
        with placed(*hidden):
            x = flow.layers.dense(
                images, 5, activation=flow.nn.relu, kernel_initializer=init
            )
        with placed(*output):
            logits = flow.layers.dense(x, CLASSES, kernel_initializer=init)
            loss = flow.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
            rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
            (optimizer or flow.optimizer.SGD(rate, momentum=0.9)).minimize(loss)
        return loss

    return train_job


def define_evaluation(*device, name="eval_job"):
    """A prediction job with the same variables."""

    def eval_job(images: tp.Numpy.Placeholder((BATCH, INPUTS))) -> tp.Numpy:
        with placed(*device):
            return logits_of(images)

    eval_job.__name__ = name
    return flow.global_function()(eval_job)


def assert_close(left, right):
    assert left.keys() == right.keys()
    for name in left:
        np.testing.assert_allclose(
            left[name], right[name], rtol=1e-4, atol=1e-6, err_msg=name
        )


def train(job):
    """The losses of some steps, and the variables after them."""
    losses = [job(*batch(step)) for step in range(STEPS)]
    return {"losses": np.stack(losses), **values()}


CPU, GPU, GPU1 = ("cpu", 0), ("gpu", 0), ("gpu", 1)


# ===- Jobs on different devices ---------------------------------------------===#


def test_train_on_the_gpu_and_evaluate_on_the_cpu(use):
    def run(evaluate_on):
        job = define_training(GPU, GPU)
        evaluate = define_evaluation(*evaluate_on)
        logits = []
        for step in range(STEPS):
            job(*batch(step))
            logits.append(evaluate(batch()[0]))
        return {"logits": np.stack(logits), **values()}

    mixed = run(CPU)
    assert driver() == "cuda:0,host"
    use("gpu")
    alone = run(GPU)
    assert driver() == "cuda:0"
    assert_close(mixed, alone)
    assert (mixed["logits"][0] != mixed["logits"][-1]).any()


def test_a_variable_has_one_home():
    define_training(GPU, GPU)
    define_evaluation(*CPU)
    flow.get_all_variables()
    memory = get_default_session()._runtime.memory()
    devices = memory["devices"]
    assert set(devices) == {"gpu0", "cpu0"}
    assert devices["gpu0"]["bank"] == memory["bank"]
    assert devices["cpu0"]["bank"] == 0
    assert devices["cpu0"]["arena"] > 0
    parts = sum(each["total"] for each in devices.values())
    on_devices = sum(each["staging"] for each in devices.values())
    assert memory["total"] == parts + memory["staging"] - on_devices


def test_constants_are_where_they_are_used():
    table = np.arange(4096, dtype=np.float32)

    @flow.global_function()
    def with_constant() -> tp.Numpy:
        with placed(*GPU):
            table_sum = flow.get_variable("t", table.shape, initializer=table)
            return flow.math.reduce_sum(table_sum)

    @flow.global_function()
    def without(x: tp.Numpy.Placeholder((4,))) -> tp.Numpy:
        with placed(*GPU1):
            return x + 1.0

    assert with_constant() == table.sum()
    np.testing.assert_array_equal(without(np.ones(4, np.float32)), np.full(4, 2.0))
    memory = get_default_session()._runtime.memory()
    assert memory["devices"]["gpu0"]["constants"] == table.nbytes
    assert memory["devices"]["gpu1"]["constants"] == 0
    assert flow.memory_totals()["constants"] == memory["constants"] == table.nbytes


def test_two_gpus_are_independent_placements():
    jobs = [define_evaluation(*GPU), define_evaluation(*GPU1, name="other")]
    results = [job(batch()[0]) for job in jobs]
    np.testing.assert_array_equal(*results)
    assert driver() == "cuda:0,cuda:1"


# ===- Parts of one job ------------------------------------------------------===#


@pytest.mark.parametrize(
    "hidden, output", [(CPU, GPU), (GPU, CPU), (GPU, GPU1)], ids=str
)
def test_gradients_of_a_mixed_job(use, hidden, output):
    mixed = train(define_training(hidden, output))
    assert "," in driver()
    use("gpu")
    assert_close(mixed, train(define_training(GPU, GPU)))


def placements():
    """The device of the job in the module, and those of ops that are on another."""
    text = flow.dump_ir()
    aliases = dict(
        re.findall(r'^(#placement\d*) = #job\.placement<(\w+, "0:\d")>$', text, re.M)
    )
    (func,) = [line for line in text.splitlines() if "job.func" in line]
    (placement,) = re.findall(r"[ {]placement = (#placement\d*)", func)
    ops = re.findall(r"job\.placement = (#placement\d*)", text)
    return aliases[placement], {aliases[each] for each in ops}


def test_a_job_all_of_whose_ops_have_a_placement_is_where_its_optimizer_is():
    define_training(GPU, CPU)
    assert placements() == ('cpu, "0:0"', {'gpu, "0:0"'})


def test_a_job_all_of_whose_ops_have_a_placement_is_where_its_first_op_is():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 3))) -> tp.Numpy:
        with placed(*GPU1):
            x = flow.math.exp(x)
        with placed(*CPU):
            return flow.math.log(x)

    assert placements() == ('gpu, "0:1"', {'cpu, "0:0"'})


def define_preparation(prepare, minimize=None, config=None):
    """A training job whose input is prepared in a placement, outside of which are the
    model and, unless it has one of its own, its optimizer."""

    @flow.global_function(type="train", function_config=config)
    def train_job(
        images: tp.Numpy.Placeholder((BATCH, INPUTS)),
        labels: tp.Numpy.Placeholder((BATCH,), dtype=flow.int32),
    ) -> tp.Numpy:
        with placed(*prepare):
            images = images * 0.5
        loss = flow.nn.sparse_softmax_cross_entropy_with_logits(
            labels, logits_of(images)
        )
        rate = flow.optimizer.CosineScheduler(0.1, 100)
        with placed(*minimize) if minimize else contextlib.nullcontext():
            flow.optimizer.SGD(rate).minimize(loss)
        return loss

    return train_job


@pytest.mark.parametrize("prepare", [CPU, GPU1], ids=str)
def test_ops_without_a_placement_are_on_the_first_gpu(use, prepare):
    job = define_preparation(prepare)
    assert placements() == ('gpu, "0:0"', {f'{prepare[0]}, "0:{prepare[1]}"'})
    mixed = train(job)
    assert get_default_session()._runtime.memory()["devices"]["gpu0"]["bank"] > 0
    use("gpu")
    assert_close(mixed, train(define_preparation(GPU)))
    assert driver() == "cuda:0"


def test_nothing_around_a_job_on_the_cpu_asks_for_a_gpu(tmp_path):
    flow.config.cuda_library("/nowhere/libcuda.so")
    count = 2

    @flow.global_function()
    def writer():
        flow.summary.create_summary_writer(str(tmp_path / "log"))

    @flow.global_function(type="train")
    def train_job(x: tp.Numpy.Placeholder((BATCH, INPUTS))) -> tp.Numpy:
        with placed(*CPU):
            part = flow.unpack(x, count)
            loss = flow.layers.dense(
                part,
                1,
                kernel_initializer=flow.truncated_normal(0.1),
                kernel_regularizer=flow.regularizers.l2(0.1),
            )
            total = flow.acc(flow.math.reduce_sum(loss, axis=[0, 1]), count)
        rate = flow.optimizer.CosineScheduler(0.1, 100)
        clipping = flow.optimizer.grad_clipping.by_global_norm(1.0)
        flow.optimizer.SGD(rate, grad_clipping=clipping).minimize(loss)
        flow.watch(loss, lambda value: None)
        flow.watch_diff(loss, lambda value: None)
        flow.summary.scalar(total, None, "total")
        return total

    writer()
    train_job(batch()[0])
    assert driver() == "host"


def test_the_penalty_of_a_variable_is_where_that_is_made():
    @flow.global_function(type="train")
    def train_job(x: tp.Numpy.Placeholder((BATCH, INPUTS))) -> tp.Numpy:
        with placed(*CPU):
            w = flow.get_variable("w", (INPUTS,), initializer=flow.ones_initializer())
            loss = x * w
        with placed(*GPU1):
            l2 = flow.regularizers.l2(0.1)
            flow.get_variable("w", (INPUTS,), regularizer=l2, reuse=True)
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
        flow.optimizer.SGD(rate).minimize(loss)
        return loss

    train_job(batch()[0])
    assert driver() == "host"


@pytest.mark.parametrize("minimize, transfers", [(None, 0), (CPU, 1)], ids=str)
def test_the_learning_rate_is_where_the_loss_is_unless_minimize_has_a_placement(
    minimize, transfers
):
    job = define_preparation(CPU, minimize)
    step, _ = flow.dump_ir("plan").split("plan.program @jobmlir_init")
    rates = re.findall(r"plan\.copy .*: memref<1xf32, .* to memref<1xf32", step)
    assert len(rates) == transfers
    assert np.isfinite(job(*batch())).all()


def test_a_default_placement_and_another_one():
    config = flow.function_config()
    config.default_placement_scope(placed(*GPU))

    @flow.global_function(function_config=config)
    def job(x: tp.Numpy.Placeholder((2, 3))) -> tp.Numpy:
        with placed(*CPU):
            x = flow.math.exp(x)
        return flow.math.log(x)

    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    np.testing.assert_allclose(job(x), x, rtol=1e-5, atol=1e-6)
    assert driver() == "cuda:0,host"


def test_calls_in_flight_are_in_order():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 3))) -> tp.Callback[tp.Numpy]:
        with placed(*GPU):
            x = flow.math.exp(x)
        with placed(*CPU):
            return flow.math.log(x)

    order = []
    for step in range(20):
        x = np.full((2, 3), step / 4, np.float32)
        job(x)(lambda result: order.append(float(result[0, 0])))
    flow.sync_default_session()
    np.testing.assert_allclose(order, np.arange(20) / 4, rtol=1e-5, atol=1e-6)


def test_results_are_equal_to_the_bit(use):
    runs = []
    for _ in range(2):
        use("gpu")
        runs.append(train(define_training(CPU, GPU)))
    for name in runs[0]:
        np.testing.assert_array_equal(runs[0][name], runs[1][name], err_msg=name)


def test_a_trace_has_a_track_for_each_device(tmp_path):
    job = define_training(CPU, GPU)
    job(*batch())
    path = tmp_path / "trace.json"
    with flow.profiler.trace(path, steps=10):
        job(*batch())
    trace_format.check(path)
    events = json.loads(path.read_text())["traceEvents"]
    tracks = {e["args"]["name"] for e in events if e["name"] == "thread_name"}
    assert {"device cpu0", "device gpu0"} <= tracks
    categories = [event.get("cat") for event in events]
    assert "part" in categories and "transfer" in categories


# ===- Checkpoints -----------------------------------------------------------===#


def test_checkpoints_of_a_mixed_session(use, tmp_path):
    job = define_training(CPU, GPU)
    for step in range(STEPS):
        job(*batch(step))
    flow.train.CheckPoint().save(tmp_path / "mixed")
    saved = values()
    expected = job(*batch(9))

    use("cpu")
    job = define_training(CPU, CPU)
    flow.train.CheckPoint().load(tmp_path / "mixed")
    assert driver() == "host"
    for name, value in values().items():
        np.testing.assert_array_equal(value, saved[name], err_msg=name)
    np.testing.assert_allclose(job(*batch(9)), expected, rtol=1e-4)
    flow.train.CheckPoint().save(tmp_path / "cpu", layout="native")

    use("gpu")
    job = define_training(GPU, CPU)
    flow.train.CheckPoint().load(tmp_path / "cpu")
    assert flow.train.step_count(job) == STEPS + 1
    assert job(*batch(10)).shape == (BATCH,)


# ===- Errors ----------------------------------------------------------------===#


def test_one_of_the_gpus_is_not_there():
    define_training(GPU, ("gpu", 5))
    with raises_here(
        flow.errors.ConfigError,
        ": job train_job: expects a GPU of 0 (simulated GPU 0), 1 (simulated GPU 1) "
        "but got a placement on gpu 0:5",
    ):
        flow.dump_ir()


def test_without_a_gpu_all_parts_are_on_the_cpu(run_script):
    out, _ = run_script(
        """
        import warnings
        import numpy as np
        import jobmlir as flow
        import jobmlir.typing as tp
        from jobmlir._src.default_session import get_default_session

        @flow.global_function()
        def job(x: tp.Numpy.Placeholder((2, 3))) -> tp.Numpy:
            with flow.scope.placement("gpu", "0:0"):
                x = flow.math.exp(x)
            with flow.scope.placement("cpu", "0:0"):
                return flow.math.exp(x)

        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            job(np.zeros((2, 3), np.float32))
            job(np.zeros((2, 3), np.float32))
        print(get_default_session()._artifact.driver, [str(w.message) for w in caught])
        """,
        JOBSIM_DEVICES="0",
    )
    assert out == """host ['there is no CUDA device: "gpu" means "cpu"']\n"""


# ===- Memory -------------------------------------------------------------===#


def test_a_budget_is_for_each_device(use):
    define_training(CPU, GPU)
    report, total = flow.memory_report(), flow.memory_totals()["total"]
    needed = [
        int(number.replace(",", ""))
        for number in re.findall(r"^ +on [cg]pu0 +([\d,]+)", report, re.MULTILINE)
    ]
    assert max(needed) < total
    use("gpu")
    flow.config.memory_budget(max(needed))
    train_job = define_training(CPU, GPU)
    assert np.isfinite(train_job(*batch(0))).all()
    use("gpu")
    flow.config.memory_budget(64)
    define_training(CPU, GPU)
    with pytest.raises(
        flow.errors.CompileError, match=r"at most 64 bytes on \wpu0 but it needs"
    ):
        flow.dump_ir("plan")


# ===- Filters ---------------------------------------------------------------===#


def define_filters(device, kind="train"):
    """A job with two convolutions, whose filters are read as OHWI with TF32."""
    config = flow.function_config()
    config.enable_tensor_float_32_compute(True)

    def job(x: tp.Numpy.Placeholder((2, 4, 6, 6))) -> tp.Numpy:
        with placed(*device):
            for name in ("first", "second"):
                x = flow.layers.conv2d(
                    x,
                    8,
                    3,
                    padding="VALID",
                    kernel_initializer=flow.random_normal_initializer(stddev=0.2),
                    name=name,
                )
            y = flow.math.reduce_sum(x, axis=[2, 3])
            if kind == "train":
                rate = flow.optimizer.PiecewiseConstantScheduler([], [0.01])
                flow.optimizer.SGD(rate, momentum=0.9).minimize(y)
        return y

    job.__name__ = f"{kind}_on_{device[0]}"
    return flow.global_function(type=kind, function_config=config)(job)


def test_filters_stored_as_one_device_reads_them(use, tmp_path):
    rng = np.random.default_rng(0)
    x = rng.standard_normal((2, 4, 6, 6)).astype(np.float32)
    step, evaluate = define_filters(GPU), define_filters(CPU, "predict")
    stored = re.findall(
        r'plan\.variable @"(\w+-weight[^"]*)" .*permutation', flow.dump_ir("plan")
    )
    assert {"first-weight", "second-weight", "second-weight-momentum"} <= set(stored)
    start = values()
    losses = [step(x) for _ in range(STEPS)]
    after, predicted = values(), evaluate(x)
    flow.train.CheckPoint().save(str(tmp_path / "saved"))

    use("cpu")
    alone = define_filters(CPU)
    flow.load_variables(start)
    again = [alone(x) for _ in range(STEPS)]
    np.testing.assert_allclose(again, losses, rtol=0.02, atol=0.02)
    found = values()
    for name in ("first-weight", "second-weight", "second-weight-momentum"):
        np.testing.assert_allclose(found[name], after[name], rtol=0.05, atol=0.02)

    use("cpu")
    evaluate = define_filters(CPU, "predict")
    flow.train.CheckPoint().load(str(tmp_path / "saved"))
    assert (evaluate(x) == predicted).all()
