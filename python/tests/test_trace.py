"""The IR of traced jobs: the three generations of the API, names, places."""

import re
import warnings

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from models import BATCH, INPUTS, define_eval, define_train, loss_of

BODY = """
    %0 = job.read @"Dense-weight" : <5x6xf32>
    %1 = job.matmul %arg0, %0 {transpose_rhs = true} : <4x6xf32>, <5x6xf32>
    %2 = job.read @"Dense-bias" : <5xf32>
    %3 = job.broadcast_in_dim %2 {dims = array<i64: 1>} : <5xf32> to <4x5xf32>
    %4 = job.add %1, %3 : <4x5xf32>
    %5 = job.relu %4 : <4x5xf32>
    %6 = job.read @"Dense_1-weight" : <3x5xf32>
    %7 = job.matmul %5, %6 {transpose_rhs = true} : <4x5xf32>, <3x5xf32>
    %8 = job.read @"Dense_1-bias" : <3xf32>
    %9 = job.broadcast_in_dim %8 {dims = array<i64: 1>} : <3xf32> to <4x3xf32>
    %10 = job.add %7, %9 : <4x3xf32>
    %11 = job.sparse_softmax_cross_entropy %10, %arg1 : <4x3xf32>, <4xi32>
    job.loss %11 : <4xf32>
""".strip()


def old_config(rule=None):
    config = flow.function_config()
    config.default_data_type(flow.float)
    config.train.primary_lr(0.5)
    config.train.model_update_conf(rule or {"naive_conf": {}})
    return config


def definitions():
    return (
        flow.FixedTensorDef((BATCH, INPUTS), dtype=flow.float),
        flow.FixedTensorDef((BATCH,), dtype=flow.int32),
    )


def check(ir, name="train_job"):
    assert f'job.func @{name}(%arg0: !job.blob<4x6xf32> {{job.name = "images"}}' in ir
    assert '%arg1: !job.blob<4xi32> {job.name = "labels"}' in ir
    assert BODY in ir
    assert "job.minimize #job.sgd schedule #job.constant_schedule<5.0" in ir
    assert (
        'job.variable @"Dense-weight" : !job.blob<5x6xf32> init '
        "#job.truncated_normal_init<mean = 0.000000e+00, stddev = 1.0" in ir
    )


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_function_with_default_values():
    image_def, label_def = definitions()

    @flow.function(old_config())
    def train_job(images=image_def, labels=label_def):
        loss = loss_of(images, labels)
        flow.losses.add_loss(loss)
        return loss

    check(flow.dump_ir())


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_global_function_with_config():
    @flow.global_function(old_config())
    def train_job(
        images: tp.Numpy.Placeholder((BATCH, INPUTS)),
        labels: tp.Numpy.Placeholder((BATCH,), dtype=flow.int32),
    ):
        loss = loss_of(images, labels)
        flow.losses.add_loss(loss)
        return loss

    check(flow.dump_ir())


def test_global_function_with_optimizer():
    rate = flow.optimizer.PiecewiseConstantScheduler([], [0.5])
    define_train(flow.optimizer.SGD(rate, momentum=0))
    check(flow.dump_ir())


def test_deprecated_form_warns_with_the_users_line():
    config = flow.function_config()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")

        @flow.global_function(config)
        def job(x=flow.FixedTensorDef((2,))):
            return x

    (warning,) = caught
    assert warning.category is DeprecationWarning
    assert warning.filename == __file__
    assert f"{__file__}:{warning.lineno}: global_function(config) is deprecated" in str(
        warning.message
    )


def test_config_train_warns_with_the_users_line():
    config = flow.function_config()
    with pytest.warns(DeprecationWarning, match="config.train.primary_lr") as caught:
        config.train.primary_lr(0.1)
    assert caught[0].filename == __file__


def test_config_without_train_makes_a_predict_job():
    with pytest.warns(DeprecationWarning):

        @flow.global_function(flow.function_config())
        def job(x=flow.FixedTensorDef((2,))):
            return x

    assert "kind predict" in flow.dump_ir()


def test_later_changes_of_a_config_do_not_reach_the_job():
    config = flow.function_config()

    @flow.function(config)
    def job(x=flow.FixedTensorDef((2,))):
        return x

    with pytest.warns(DeprecationWarning):
        config.train.primary_lr(0.1)
    assert "kind predict" in flow.dump_ir()


def test_a_second_job_of_one_name_replaces_the_first():
    for shape in ((2,), (3,)):

        @flow.global_function()
        def job(x: tp.Numpy.Placeholder(shape)):
            return x

    ir = flow.dump_ir()
    assert ir.count("job.func") == 1
    assert "blob<3xf32>" in ir


# ===- Optimizers and schedules --------------------------------------------===#


def minimize_of(optimizer):
    define_train(optimizer)
    return re.search(r"job.minimize .*", flow.dump_ir()).group()


def test_sgd_has_momentum_unless_it_is_zero():
    rate = flow.optimizer.PiecewiseConstantScheduler([], [0.5])
    assert "#job.momentum<beta = 9.0" in minimize_of(flow.optimizer.SGD(rate))


def test_adam_and_its_schedule():
    rate = flow.optimizer.CosineScheduler(
        0.25, 100, 0.5, warmup=flow.optimizer.warmup.linear(10, 0.125)
    )
    optimizer = flow.optimizer.Adam(
        rate,
        beta1=0.5,
        beta2=0.75,
        epsilon=1e-5,
        do_bias_correction=True,
        loss_scale_factor=8,
    )
    assert minimize_of(optimizer) == (
        "job.minimize #job.adam<beta1 = 5.000000e-01, beta2 = 7.500000e-01, epsilon = "
        "1.000000e-05, bias_correction = true> schedule #job.cosine_schedule<base = "
        "2.500000e-01, steps = 100, alpha = 5.000000e-01> warmup #job.linear_warmup<"
        "steps = 10, start = 1.250000e-01> {loss_scale = 8.000000e+00 : f64}"
    )


@pytest.mark.parametrize(
    "make, expected",
    [
        (
            lambda o: o.ExponentialScheduler(0.5, 10, 0.25, staircase=True),
            "#job.exponential_schedule<base = 5.000000e-01, steps = 10, rate = "
            "2.500000e-01, staircase = true>",
        ),
        (
            lambda o: o.NaturalExpScheduler(0.5, 10, 0.25),
            "#job.natural_exp_schedule<base = 5.000000e-01, steps = 10, rate = "
            "2.500000e-01, staircase = false>",
        ),
        (
            lambda o: o.InverseTimeScheduler(0.5, 10, 0.25),
            "#job.inverse_time_schedule<base = 5.000000e-01, steps = 10, rate = "
            "2.500000e-01, staircase = false>",
        ),
        (
            lambda o: o.PolynomialSchduler(0.5, 10),
            "#job.polynomial_schedule<base = 5.000000e-01, steps = 10, end = "
            "1.000000e-04, power = 1.000000e+00, cycle = false>",
        ),
        (
            lambda o: o.PolynomialScheduler(0.5, 10, 0.25, 2.0, True),
            "#job.polynomial_schedule<base = 5.000000e-01, steps = 10, end = "
            "2.500000e-01, power = 2.000000e+00, cycle = true>",
        ),
        (
            lambda o: o.LinearCosineScheduler(0.5, 10),
            "#job.linear_cosine_schedule<base = 5.000000e-01, steps = 10, periods = "
            "5.000000e-01, alpha = 0.000000e+00, beta = 1.000000e-03>",
        ),
        (
            lambda o: o.PiecewiseScalingScheduler(0.5, [10, 20], [0.5, 0.25]),
            "#job.piecewise_constant_schedule<boundaries = [10, 20], values = "
            "[5.000000e-01, 2.500000e-01, 1.250000e-01]>",
        ),
        (
            lambda o: o.PiecewiseScalingScheduler(0.5, [10, 20], 0.5),
            "#job.piecewise_constant_schedule<boundaries = [10, 20], values = "
            "[5.000000e-01, 2.500000e-01, 2.500000e-01]>",
        ),
        (
            lambda o: o.CosineScheduler(0.5, 10, warmup=o.warmup.constant(3, 0.5)),
            "warmup #job.constant_warmup<steps = 3, multiplier = 5.000000e-01>",
        ),
    ],
)
def test_schedules(make, expected):
    rate = make(flow.optimizer)
    assert expected in minimize_of(flow.optimizer.SGD(rate))


def test_piecewise_constant_schedule():
    rate = flow.optimizer.PiecewiseConstantScheduler([10, 20], [0.5, 0.25, 1e-5])
    assert (
        "#job.piecewise_constant_schedule<boundaries = [10, 20], values = "
        "[5.000000e-01, 2.500000e-01, 1.000000e-05]>"
    ) in minimize_of(flow.optimizer.Adam(rate))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(
    "rule, expected",
    [
        ({"momentum_conf": {"beta": 0.5}}, "#job.momentum<beta = 5.0"),
        ({"momentum_conf": {}}, "#job.momentum<beta = 9.0"),
        ({"adam_conf": {}}, "#job.adam<beta1 = 9.0"),
        (
            {
                "naive_conf": {},
                "learning_rate_decay": {
                    "piecewise_constant_conf": {"boundaries": [5], "values": [1.0, 0.5]}
                },
            },
            "schedule #job.piecewise_constant_schedule<boundaries = [5], values = [1.0",
        ),
        (
            {
                "naive_conf": {},
                "learning_rate_decay": {
                    "exponential_conf": {"decay_batches": 7, "decay_rate": 0.5}
                },
                "warmup_conf": {
                    "constant_conf": {"warmup_batches": 3, "multiplier": 0.5}
                },
            },
            "#job.exponential_schedule<base = 5.000000e-01, steps = 7, rate = "
            "5.000000e-01, staircase = false> warmup #job.constant_warmup<steps = 3, ",
        ),
        (
            {
                "naive_conf": {},
                "learning_rate_decay": {
                    "inverse_time_conf": {"decay_batches": 7, "decay_rate": 0.5}
                },
            },
            "#job.inverse_time_schedule<base = 5.000000e-01, steps = 7, rate = 5.0",
        ),
        (
            {
                "naive_conf": {},
                "learning_rate_decay": {
                    "natural_exp_conf": {
                        "decay_batches": 7,
                        "decay_rate": 0.5,
                        "staircase": True,
                    }
                },
            },
            "#job.natural_exp_schedule<base = 5.000000e-01, steps = 7, rate = "
            "5.000000e-01, staircase = true>",
        ),
        (
            {
                "naive_conf": {},
                "learning_rate_decay": {
                    "polynomial_conf": {"decay_batches": 7, "cycle": True}
                },
            },
            "#job.polynomial_schedule<base = 5.000000e-01, steps = 7, end = "
            "1.000000e-04, power = 1.000000e+00, cycle = true>",
        ),
        (
            {
                "naive_conf": {},
                "learning_rate_decay": {"linear_cosine_conf": {"decay_batches": 7}},
            },
            "#job.linear_cosine_schedule<base = 5.000000e-01, steps = 7, periods = 5.0",
        ),
        (
            {
                "naive_conf": {},
                "learning_rate_decay": {
                    "piecewise_scaling_conf": {"boundaries": [5], "scales": [0.5]}
                },
            },
            "#job.piecewise_constant_schedule<boundaries = [5], values = "
            "[5.000000e-01, 2.500000e-01]>",
        ),
        (
            {
                "naive_conf": {},
                "learning_rate_decay": {"cosine_conf": {"decay_batches": 7}},
                "warmup_conf": {
                    "linear_conf": {"warmup_batches": 3, "start_multiplier": 0.0}
                },
            },
            "#job.cosine_schedule<base = 5.000000e-01, steps = 7, alpha = 0.000000e+00> "
            "warmup #job.linear_warmup<steps = 3, start = 0.0",
        ),
    ],
)
def test_model_update_conf(rule, expected):
    config = old_config(rule)
    image_def, label_def = definitions()

    @flow.function(config)
    def train_job(images=image_def, labels=label_def):
        flow.losses.add_loss(loss_of(images, labels))

    assert expected in flow.dump_ir()


# ===- Names ---------------------------------------------------------------===#


def test_unnamed_layers_have_the_same_names_in_every_job():
    define_train()
    define_eval()
    ir = flow.dump_ir()
    names = re.findall(r'job.variable @"([^"]+)"', ir)
    assert names == ["Dense-weight", "Dense-bias", "Dense_1-weight", "Dense_1-bias"]
    assert ir.count('job.read @"Dense_1-weight"') == 2


def test_an_op_more_changes_no_name_of_a_layer():
    @flow.global_function(type="train")
    def train_job(x: tp.Numpy.Placeholder((2, 4))):
        x = flow.layers.dense(x, 4)
        x = flow.nn.dropout(flow.nn.relu(x), 0.5)
        x = flow.layers.dense(x, 4)
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
        flow.optimizer.SGD(rate).minimize(x)

    @flow.global_function()
    def eval_job(x: tp.Numpy.Placeholder((2, 4))):
        return flow.layers.dense(flow.layers.dense(x, 4), 4)

    assert flow.dump_ir().count("job.variable") == 4


def test_an_explicit_name_is_not_given_out_again():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 4))):
        x = flow.layers.dense(x, 4, name="Dense_1")
        x = flow.layers.dense(x, 4)
        return flow.layers.dense(x, 4)

    names = re.findall(r'job.variable @"([^"]+-weight)"', flow.dump_ir())
    assert names == ["Dense_1-weight", "Dense-weight", "Dense_2-weight"]


def test_namespaces_come_before_names():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 4))):
        with flow.scope.namespace("a"), flow.scope.namespace("b"):
            x = flow.layers.dense(x, 4)
        return flow.layers.dense(x, 4)

    ir = flow.dump_ir(locations=True)
    assert '@"a-b-Dense-weight"' in ir and '@"Dense-weight"' in ir
    assert 'loc("a-b-Dense-matmul"' in ir


def test_variables_are_shared_by_name_and_within_a_job():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2,))):
        zeros = flow.zeros_initializer()
        a = flow.get_variable("w", (2,), initializer=zeros)
        assert flow.get_variable("w", (2,)) is a
        return x + a

    ir = flow.dump_ir()
    assert ir.count("job.read") == 1 and ir.count("job.variable") == 1


def test_layers_may_share_a_weight():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((1, 2, 4, 4))):
        def conv(x):
            return flow.layers.conv2d(x, 2, weight_name="w", bias_name="b")

        return conv(conv(x))

    assert flow.dump_ir().count("job.variable") == 2


# ===- Places --------------------------------------------------------------===#


def test_an_op_knows_the_lines_that_made_it():
    def inner(x):
        return flow.math.exp(x, name="my_op")

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2,))):
        return inner(x)

    ir = flow.dump_ir(locations=True)
    (child,) = re.findall(r'loc\("my_op"\((#loc\d+)\)\)', ir)
    pair = re.search(
        re.escape(child) + r" = loc\(callsite\((#loc\d+) at (#loc\d+)\)\)", ir
    )
    first = inner.__code__.co_firstlineno + 1
    second = job.__wrapped__.__code__.co_firstlineno + 2
    for reference, line in zip(pair.groups(), (first, second)):
        assert re.search(
            re.escape(reference) + rf' = loc\("{__file__}":{line}:\d+\)', ir
        )


def define_placed(tag, ids):
    config = flow.function_config()
    config.default_placement_scope(flow.scope.placement(tag, ids))

    @flow.global_function(function_config=config)
    def job(x: tp.Numpy.Placeholder((2,))):
        return flow.nn.relu(x)


NO_GPU = 'there is no CUDA device: "gpu" means "cpu"'


def test_placement_of_a_gpu_is_a_cpu_here():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2,))):
        with flow.scope.placement("gpu", "0:0"):
            return flow.nn.relu(x)

    with pytest.warns(UserWarning, match=NO_GPU) as caught:
        text = flow.dump_ir()
    assert '#placement = #job.placement<cpu, "0:0">' in text
    assert caught[0].filename == __file__


def test_a_gpu_is_warned_of_once_in_a_session():
    for _ in range(2):
        with pytest.warns(UserWarning, match=NO_GPU) as caught:
            flow.config.gpu_device_num(4)
            define_placed("gpu", "0:0-3")
            flow.scope.placement("gpu", "0:1")
            flow.dump_ir("plan")
        assert len(caught) == 1
        flow.clear_default_session()


def test_placement_on_devices_that_are_not_there():
    define_placed("cpu", "0:1")
    expected = (
        r":\d+: job job: expects devices below config.cpu_device_num, which is 1, but "
        "got a placement on cpu 0:1"
    )
    with pytest.raises(AssertionError, match=re.escape(__file__) + expected):
        flow.dump_ir()
    flow.config.cpu_device_num(2)
    assert '#job.placement<cpu, "0:0">' in flow.dump_ir()
    flow.config.cpu_device_num(1)
    with pytest.raises(AssertionError, match=re.escape(__file__) + expected):
        flow.dump_ir()


def test_results_keep_their_nesting():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2,))):
        y = flow.nn.relu(x)
        return {"a": [x, y], "b": (y,)}

    ir = flow.dump_ir()
    assert (
        r'result_structure = "{\22dict\22: {\22a\22: [0, 1], \22b\22: {\22tuple\22: [2]}}}"'
        in ir
    )
    assert '{job.name = "a_x"}' in ir


def test_nested_parameters():
    @flow.function(flow.function_config())
    def job(x={"a": flow.FixedTensorDef((2,)), "b": (flow.FixedTensorDef((2,)),)}):
        return x["a"] + x["b"][0]

    ir = flow.dump_ir()
    assert 'job.name = "x_a"' in ir and 'job.name = "x_b_0"' in ir


def test_dump_ir_refuses_an_unknown_stage():
    with pytest.raises(AssertionError, match="expects a stage of job, train, plan"):
        flow.dump_ir("machine")


@pytest.mark.parametrize(
    "stage, expected",
    [("train", "job.assign"), ("plan", "plan.program"), ("lower", "llvm.func")],
)
def test_dump_ir_of_later_stages(stage, expected):
    define_train()
    assert expected in flow.dump_ir(stage)


def test_a_job_can_be_described_while_it_is_traced():
    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((2, 4))):
        desc = flow.current_global_function_desc()
        assert desc.IsTrainable() and desc.enable_inplace is True
        assert desc.function_attribute.allow_cpu_return_op is True
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
        flow.optimizer.SGD(rate).minimize(flow.layers.dense(x, 2))

    flow.dump_ir()


# ===- One trace ------------------------------------------------------------===#


def define_counting():
    """A job that adds how often its body has run."""
    runs = 0

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2,))) -> tp.Numpy:
        nonlocal runs
        runs += 1
        return x + float(runs)

    return job


def constants_of(ir):
    return re.findall(r"job\.constant dense<([0-9.e+-]+)>", ir)


def test_reports_show_the_job_that_runs():
    job = define_counting()
    (before,) = constants_of(flow.dump_ir())
    flow.graph_svg()
    flow.memory_report()
    flow.memory_totals()
    assert (job(np.zeros(2, np.float32)) == float(before)).all()
    assert constants_of(flow.dump_ir()) == [before]
    assert (job(np.zeros(2, np.float32)) == 1.0).all()


def test_a_job_is_traced_once_when_others_follow():
    job = define_counting()
    flow.dump_ir()
    define_train()
    flow.dump_ir()
    define_eval()
    ir = flow.dump_ir()
    assert ir.count("job.variable") == 4
    assert constants_of(ir)[0] == "1.000000e+00"
    assert (job(np.zeros(2, np.float32)) == 1.0).all()


def test_a_body_that_raises_leaves_nothing_behind():
    job = define_counting()
    init = flow.ones_initializer()

    def define(fails):
        @flow.global_function()
        def other(x: tp.Numpy.Placeholder((3,))):
            flow.get_variable("w", (2 if fails else 3,), initializer=init)
            if fails:
                raise KeyError("a mistake")
            return x

    define(fails=True)
    for _ in range(2):
        with pytest.raises(KeyError):
            flow.dump_ir()
    define(fails=False)
    ir = flow.dump_ir()
    assert "!job.blob<3xf32> init" in ir and ir.count("@other") == 1
    assert (job(np.zeros(2, np.float32)) == 1.0).all()


def test_a_replaced_job_and_a_new_seed_are_traced_again():
    define_counting()
    flow.dump_ir()
    job = define_counting()
    assert constants_of(flow.dump_ir()) == ["1.000000e+00"]
    flow.config.random_seed(7)
    (shown,) = constants_of(flow.dump_ir())
    assert shown == "2.000000e+00"
    assert (job(np.zeros(2, np.float32)) == 2.0).all()


def test_settings_of_the_compiler_hold_for_what_was_traced():
    define_train()
    flow.dump_ir()
    flow.config.memory_budget(1)
    with pytest.raises(flow.errors.CompileError, match="to need at most 1 bytes"):
        flow.memory_report()


def test_a_training_job_that_follows_settles_what_is_trained():
    init = flow.ones_initializer()

    @flow.global_function()
    def read(x: tp.Numpy.Placeholder((3,))):
        return x * flow.get_variable("w", (3,), initializer=init)

    assert "trainable = false" not in flow.dump_ir()

    @flow.global_function(type="train")
    def train(x: tp.Numpy.Placeholder((3,))):
        w = flow.get_variable("w", (3,), initializer=init, trainable=False)
        v = flow.get_variable("v", (3,), initializer=init)
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
        flow.optimizer.SGD(rate).minimize(x * w * v)

    assert flow.dump_ir().count("trainable = false") == 1
