"""Optimizers: each update rule, beside its transcription in NumPy, and what happens to
gradients before it."""

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
import optimizer_table as table
from models import raises_here

STEPS = 50
clip = flow.optimizer.grad_clipping.by_global_norm


def constant(rate=0.5):
    return flow.optimizer.PiecewiseConstantScheduler([], [rate])


@pytest.mark.parametrize("case", table.CASES, ids=lambda case: case.name)
def test_rules(case):
    results, expected = table.run_case(case, STEPS)
    table.check(results, expected, 1e-4)


@pytest.mark.parametrize("factor", [0.0, 2.0])
@pytest.mark.parametrize("kind", ["Adam", "RMSProp", "LARS", "LAMB"])
def test_epsilon_may_be_zero(kind, factor):
    """As benchmarks set it; a variable without a gradient keeps its value."""
    optimizer = getattr(flow.optimizer, kind)(constant(), epsilon=0.0)

    @flow.global_function(type="train")
    def train() -> tp.Numpy:
        w = flow.get_variable("w", (3,), initializer=flow.ones_initializer())
        optimizer.minimize(w * factor)
        return w

    for _ in range(3):
        train()
    w = flow.get_all_variables()["w"].numpy()
    assert np.isfinite(w).all()
    if factor:
        assert (w < 1).all()
    else:
        np.testing.assert_array_equal(w, np.ones(3, np.float32))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("conf", table.CONFS, ids=lambda conf: conf[0])
def test_rules_of_model_update_conf(conf):
    _, settings, rule, decay, decays, clip_norm = conf
    config = flow.function_config()
    config.train.primary_lr(table.RATES[0])
    config.train.model_update_conf(settings)

    def finish(losses):
        for loss in losses:
            flow.losses.add_loss(loss)

    # Up to where the table's rate changes.
    results = table.compiled(table.define(finish, config), 20)
    expected = table.reference(rule, 20, decay, decays, clip_norm)
    table.check(results, expected, 1e-4)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_rmsprop_has_no_weight_decay():
    config = flow.function_config()
    with pytest.warns(UserWarning, match="weight_decay_conf has no effect with rmsp"):
        config.train.model_update_conf(
            {"rmsprop_conf": {}, "weight_decay_conf": {"weight_decay_rate": 0.3}}
        )


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_secondary_lr_is_that_of_biases():
    config = flow.function_config()
    config.train.primary_lr(0.5)
    config.train.secondary_lr(0.25)
    config.train.model_update_conf({"naive_conf": {}})

    @flow.function(config)
    def job(x=flow.FixedTensorDef((1, 1))):
        own = flow.get_variable(
            "own", (1,), initializer=flow.zeros_initializer(), model_name="--weight"
        )
        flow.losses.add_loss(flow.layers.dense(x, 1) + own)

    job(np.ones((1, 1), np.float32)).get()
    variables = flow.get_all_variables()
    assert variables["Dense-weight"].numpy() == -0.5
    assert variables["Dense-bias"].numpy() == -0.25
    assert variables["own"].numpy() == -0.5


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("clip_norm", [2.0, 1e4])
@pytest.mark.parametrize(
    "conf, rule",
    [
        ({"naive_conf": {}}, table.sgd),
        ({"momentum_conf": {}}, table.momentum(0.9)),
        ({"adam_conf": {}}, table.adam(0.9, 0.999, 1e-8, False)),
    ],
)
def test_secondary_lr_beside_clipping(conf, rule, clip_norm):
    """The norm is of all gradients, whatever the rate of their variables."""
    config = flow.function_config()
    config.train.primary_lr(table.RATES[0])
    config.train.secondary_lr(table.RATES[0] / 2)
    boundaries = {"boundaries": [20], "scales": table.RATES[1] / table.RATES[0]}
    config.train.model_update_conf(
        {
            **conf,
            "clip_conf": {"clip_by_global_norm": {"clip_norm": clip_norm}},
            "learning_rate_decay": {"piecewise_scaling_conf": boundaries},
        }
    )

    def finish(losses):
        for loss in losses:
            flow.losses.add_loss(loss)

    job = table.define(finish, config, {"bias": "bias", "gain": "bias"})
    assert flow.dump_ir().count("joint = true") == 2
    results = table.compiled(job, STEPS)
    factors = {"bias": 0.5, "gain": 0.5}
    expected = table.reference(rule, STEPS, clip_norm=clip_norm, factors=factors)
    table.check(results, expected, 1e-4)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_loss_scale_factor_scales_gradients_only():
    config = flow.function_config()
    config.train.primary_lr(0.5)
    config.train.loss_scale_factor(8)
    config.train.model_update_conf({"naive_conf": {}})
    seen = []

    @flow.function(config)
    def job(x=flow.FixedTensorDef((1, 1))):
        y = flow.layers.dense(x, 1, use_bias=False)
        flow.watch_diff(y, lambda gradient: seen.append(gradient.numpy()))
        flow.losses.add_loss(y)

    job(np.ones((1, 1), np.float32)).get()
    assert seen[0] == 8
    assert flow.get_all_variables()["Dense-weight"].numpy() == -0.5


# ===- Before the rule: loss scale, regularizers, clipping ------------------===#

W = np.array([1.0, -2.0, 0.5], np.float32)
X = np.array([[3.0, 1.0, -2.0], [1.0, 2.0, 4.0]], np.float32)


def train(optimizer, steps=1, regularizer=None, parts=1, dtype=flow.float, x=X):
    """The variable after steps with the loss x * w."""

    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder(X.shape, dtype=dtype)):
        w = flow.get_variable(
            "w",
            (3,),
            dtype,
            initializer=flow.zeros_initializer(),
            regularizer=regularizer,
        )
        optimizer.minimize(flow.unpack(x, parts) * w)

    numpy_type = flow.convert_oneflow_dtype_to_numpy_dtype(dtype)
    flow.load_variables({"w": W.astype(numpy_type)})
    for _ in range(steps):
        job(x.astype(numpy_type)).get()
    return flow.get_all_variables()["w"].numpy()


G = X.sum(axis=0, dtype=np.float64) / X.size


def clipped(gradient, norm):
    return gradient * min(1, norm / np.linalg.norm(gradient))


@pytest.mark.parametrize("parts", [1, 2])
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"loss_scale_factor": 64},
        {"loss_scale_policy": flow.optimizer.loss_scale.dynamic_loss_scale(64)},
    ],
    ids=["plain", "static", "dynamic"],
)
@pytest.mark.parametrize("regularizer", [None, flow.regularizers.l2(0.5)])
@pytest.mark.parametrize("norm", [0.25, 100.0])
def test_gradients_are_unscaled_regularised_and_clipped(
    parts, settings, regularizer, norm
):
    gradient = clipped(G + (0.5 * W if regularizer else 0), norm)
    # The correction of the bias is a factor of the decay, too.
    decay = 0.25 * np.sqrt(0.001) / 0.1 * W
    for make, wanted in (
        (flow.optimizer.SGDW, W - 0.5 * (gradient + 0.25 * W)),
        (flow.optimizer.AdamW, W - 0.5 * (np.sign(gradient) + decay)),
    ):
        flow.clear_default_session()
        more = {"momentum": 0}
        if make is flow.optimizer.AdamW:
            more = {"do_bias_correction": True}
        optimizer = make(
            constant(), grad_clipping=clip(norm), weight_decay=0.25, **more, **settings
        )
        got = train(optimizer, regularizer=regularizer, parts=parts)
        np.testing.assert_allclose(got, wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    "make",
    [
        flow.optimizer.SGDW,
        flow.optimizer.AdamW,
        flow.optimizer.RMSProp,
        flow.optimizer.LARS,
        flow.optimizer.LAMB,
        flow.optimizer.LazyAdam,
    ],
)
def test_a_dynamic_loss_scale_skips_updates(make):
    """Nothing moves, nor do averages and powers, where a gradient is infinite."""
    policy = flow.optimizer.loss_scale.dynamic_loss_scale(2.0)
    optimizer = make(constant(), loss_scale_policy=policy, grad_clipping=clip(1.0))
    huge = np.full(X.shape, 3e38, np.float32)
    np.testing.assert_array_equal(train(optimizer, x=huge), W)
    variables = flow.get_all_variables()
    assert variables.pop("System-Train-LossScale-job").numpy() == 1.0
    for name, variable in variables.items():
        start = {"w-beta1_t": 0.9, "w-beta2_t": 0.999}.get(name, 0)
        if name.startswith("w-"):
            np.testing.assert_array_equal(variable.numpy(), np.float32(start))


@pytest.mark.parametrize(
    "dtype, tolerance",
    [(flow.float64, 1e-12), (flow.float16, 2e-3), (flow.bfloat16, 2e-2)],
)
def test_element_types(dtype, tolerance):
    optimizer = flow.optimizer.SGDW(
        constant(), momentum=0, grad_clipping=clip(0.25), weight_decay=0.25
    )
    got = train(optimizer, dtype=dtype)
    wanted = W - 0.5 * (clipped(G, 0.25) + 0.25 * W)
    assert got.dtype == flow.convert_oneflow_dtype_to_numpy_dtype(dtype)
    np.testing.assert_allclose(got.astype(np.float64), wanted, atol=tolerance)


@pytest.mark.parametrize("scale", [1e18, 1e19, 1e20, 1e30, 8e37])
@pytest.mark.parametrize("legacy", [False, True])
def test_a_norm_whose_square_is_no_float32(scale, legacy):
    optimizer = flow.optimizer.SGD(
        constant(), momentum=0, grad_clipping=clip(0.25, legacy)
    )
    got = train(optimizer, x=(X * np.float32(scale)))
    factor = 1 if legacy else 0.25
    wanted = W - 0.5 * factor * G / np.linalg.norm(G)
    np.testing.assert_allclose(got, wanted, rtol=1e-5, atol=1e-6)


def test_a_norm_of_zero_and_nan():
    optimizer = flow.optimizer.SGD(constant(), momentum=0, grad_clipping=clip(1.0))
    np.testing.assert_array_equal(train(optimizer, x=np.zeros_like(X)), W)
    flow.clear_default_session()
    x = np.array(X)
    x[0, 1] = np.nan
    assert np.isnan(train(optimizer, x=x)).all()


def test_lars_keeps_a_variable_of_zeros():
    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((3,))):
        w = flow.get_variable("w", (3,), initializer=flow.zeros_initializer())
        flow.optimizer.LARS(constant()).minimize(x * w)

    job(W).get()
    np.testing.assert_array_equal(flow.get_all_variables()["w"].numpy(), np.zeros(3))


# ===- LazyAdam -------------------------------------------------------------===#


def embeddings(conf, steps):
    config = flow.function_config()
    if conf is not None:
        config.indexed_slices_optimizer_conf(conf)

    @flow.global_function(type="train", function_config=config)
    def job(ids: tp.Numpy.Placeholder((2,), dtype=flow.int32)):
        rows = flow.get_variable("table", (4, 2), initializer=flow.ones_initializer())
        flow.optimizer.LazyAdam(constant()).minimize(flow.gather(rows, ids) * 2)

    for ids in steps:
        job(np.array(ids, np.int32)).get()
    variables = flow.get_all_variables()
    return [variables[name].numpy() for name in ("table", "table-m", "table-v")]


def lazy_rows(steps, is_lazy):
    w, m, v = np.ones((4, 2)), np.zeros((4, 2)), np.zeros((4, 2))
    for t, ids in enumerate(steps, 1):
        g = np.zeros((4, 2))
        np.add.at(g, list(ids), 2 / 4)
        rows = sorted(set(ids)) if is_lazy else slice(None)
        m[rows] = 0.9 * m[rows] + 0.1 * g[rows]
        v[rows] = 0.999 * v[rows] + 0.001 * g[rows] ** 2
        rate = 0.5 * np.sqrt(1 - 0.999**t) / (1 - 0.9**t)
        w[rows] -= rate * m[rows] / (np.sqrt(v[rows]) + 1e-8)
    return w, m, v


@pytest.mark.parametrize(
    "conf, is_lazy",
    [
        (None, False),
        ({"include_op_names": {"op_name": ["other"]}}, False),
        ({"include_op_names": {"op_name": ["table"]}}, True),
        ({"enable": False, "include_op_names": {"op_name": ["table"]}}, False),
    ],
)
def test_lazy_adam_keeps_rows_that_were_not_read(conf, is_lazy):
    steps = [(0, 1), (1, 1), (3, 1), (0, 0)]
    for got, wanted in zip(embeddings(conf, steps), lazy_rows(steps, is_lazy)):
        np.testing.assert_allclose(got, wanted, rtol=1e-4)


@pytest.mark.parametrize(
    "conf, text",
    [
        (3, "expects a dict for indexed_slices_optimizer_conf but got 3"),
        ({"names": []}, "expects enable or include_op_names in indexed_slices_opti"),
        ({"enable": 3}, "expects a bool for enable of indexed_slices_optimizer_conf"),
        ({"include_op_names": 3}, "expects a dict for include_op_names of indexed_sl"),
        (
            {"include_op_names": {"op_name": "table"}},
            "expects a list of names as op_name in include_op_names of "
            "indexed_slices_optimizer_conf but got {'op_name': 'table'}",
        ),
    ],
)
def test_indexed_slices_are_checked(conf, text):
    with raises_here(AssertionError, text):
        flow.function_config().indexed_slices_optimizer_conf(conf)


# ===- Learning rates and steps that a job computes -------------------------===#


@pytest.mark.parametrize(
    "shape, dtype",
    [((1,), flow.float), ((1, 1), flow.float), ((1,), flow.float64)],
)
@pytest.mark.parametrize("by", ["name", "op", "blob", "argument"])
def test_custom_scheduler(shape, dtype, by):
    @flow.global_function(type="train")
    def job(rate: tp.Numpy.Placeholder(shape, dtype=dtype)):
        w = flow.get_variable("w", (3,), initializer=flow.ones_initializer())
        half = flow.math.multiply(rate, 0.5, name="half")
        lbn = {
            "name": half.logical_blob_name,
            "op": "half",
            "blob": half,
            "argument": "rate/out",
        }[by]
        rate = flow.optimizer.CustomScheduler(lbn)
        flow.optimizer.SGD(rate, momentum=0).minimize(w * 3)

    numpy_type = flow.convert_oneflow_dtype_to_numpy_dtype(dtype)
    for rate in (0.5, 0.25):
        job(np.full(shape, rate, numpy_type)).get()
    factor = 1 if by == "argument" else 0.5
    np.testing.assert_allclose(
        flow.get_all_variables()["w"].numpy(), 1 - factor * 0.75, rtol=1e-6
    )


@pytest.mark.parametrize("dtype", [flow.int64, flow.int32])
def test_train_step_lbn(dtype):
    """The step of the schedule is that of the blob, and the job's counter goes on."""

    @flow.global_function(type="train")
    def job(step: tp.Numpy.Placeholder((1,), dtype=dtype)):
        w = flow.get_variable("w", (3,), initializer=flow.zeros_initializer())
        rate = flow.optimizer.PiecewiseConstantScheduler([10], [1.0, 0.125])
        flow.optimizer.SGD(rate, momentum=0, train_step_lbn="step/out").minimize(w * 3)

    numpy_type = flow.convert_oneflow_dtype_to_numpy_dtype(dtype)
    for step in (10, 11, 3):
        job(np.array([step], numpy_type)).get()
    variables = flow.get_all_variables()
    np.testing.assert_array_equal(variables["w"].numpy(), np.full(3, -2.125))
    assert variables["System-Train-TrainStep-job"].numpy() == 3


@pytest.mark.parametrize(
    "lbn, text",
    [
        ("none/out", "expects lbn of CustomScheduler to be the name of a blob of this"),
        ("none", "expects lbn of CustomScheduler to be the name of a blob of this job"),
        ("", "expects lbn of CustomScheduler to be the name of a blob of this job"),
        ("x/out", "expects lbn of CustomScheduler to be one float but got x of shape"),
        ("int/out", "expects lbn of CustomScheduler to be one float but got int of"),
        (
            "part/out",
            "expects lbn of CustomScheduler to be a per-step blob but got part, a "
            "per-micro-step blob",
        ),
    ],
)
def test_custom_schedulers_must_fit(lbn, text):
    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((2,))):
        w = flow.get_variable("w", (1,), initializer=flow.ones_initializer())
        flow.cast(w, flow.int32, name="int")
        part = flow.unpack(x, 2, name="part")
        rate = flow.optimizer.CustomScheduler(lbn)
        flow.optimizer.SGD(rate).minimize(part * w)

    with raises_here(AssertionError, "job job", text):
        flow.dump_ir()


def test_train_step_lbn_must_be_an_int():
    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((1,))):
        w = flow.get_variable("w", (1,), initializer=flow.ones_initializer())
        flow.optimizer.SGD(constant(), train_step_lbn="x/out").minimize(x * w)

    with raises_here(
        AssertionError, "expects train_step_lbn to be one int but got x of shape (1,)"
    ):
        flow.dump_ir()
