"""Every setting of a job acts, which the IR, the plan or the memory of a job shows, or
warns once that it has no effect."""

import re
import typing
import warnings

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from jobmlir._src import function_config, names
from models import raises_here
from test_config import SETTINGS

# ===- What there is --------------------------------------------------------===#

# Names that are no settings: those that describe or list.
QUERIES = {
    "FunctionConfig",
    "FunctionConfig.function_desc",
    "FunctionConfig.static_mem_alloc_algo_white_list.show",
    "FunctionConfig.static_mem_alloc_policy_white_list.has",
    "FunctionConfig.static_mem_alloc_policy_white_list.policy_mem_size_first",
    "FunctionConfig.static_mem_alloc_policy_white_list.policy_mutual_exclusion_first",
    "FunctionConfig.static_mem_alloc_policy_white_list.policy_time_line",
}


def listed(kind):
    """The names of the reference's settings of jobs, of one kind."""
    return {
        row.name
        for row in names.reference().values()
        if row.section == "1.6"
        and row.name.startswith("FunctionConfig")
        and row.kind == kind
    }


WITHOUT_EFFECT = sorted(name[len("FunctionConfig.") :] for name in listed("no-effect"))


def test_every_name_acts_or_has_no_effect():
    acting = {case.setting for case in CASES} | set(OTHERS)
    # OneFlow had one narrow type, and TF32 for the session alone.
    known = acting - {"auto_mixed_precision_data_type", "enable_tensor_float_32_compute"}
    assert {f"FunctionConfig.{name}" for name in known} | QUERIES == listed("")
    assert set(function_config._ACTING) <= acting
    assert all(test in globals() for test in OTHERS.values())
    assert not listed("limits") and not listed("refused")


# ===- Settings without effect ----------------------------------------------===#


IN_GROUPS = {
    "int8_calibration": "path",
    "moving_min_max_momentum": 0.9,
    "moving_min_max_stop_update_after_iters": 100,
    "target_backend": "tensorrt",
}


def call(name):
    """Calls a setting of a new configuration with a valid value."""
    holder = flow.function_config()
    *groups, setting = name.split(".")
    for group in groups:
        holder = getattr(holder, group)
    value = SETTINGS.get(setting, IN_GROUPS.get(setting, True))
    getattr(holder, setting)(value)


@pytest.mark.parametrize("name", WITHOUT_EFFECT)
def test_a_setting_without_effect_warns_once(name):
    is_deprecated = name in function_config._DEPRECATED
    with pytest.warns(DeprecationWarning if is_deprecated else UserWarning) as caught:
        call(name)
    (warning,) = caught
    note = names.reference()[f"FunctionConfig.{name}"].note
    if is_deprecated:
        assert not note
        expected = (
            f"'{name}' has been deprecated, has no effect and will be removed in the "
            "future"
        )
    else:
        expected = f"function_config.{name} has no effect in this version"
        expected += f": {note}" if note else ""
    assert str(warning.message) == expected
    assert warning.filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        call(name)


# ===- Settings that act ----------------------------------------------------===#

X = np.random.default_rng(0).standard_normal((8, 8, 24, 24)).astype(np.float32)


class Case(typing.NamedTuple):
    """A setting, how it is called, and what shows that it acts: `differs` is called
    with what a job is with the setting, and what it is without (see describe)."""

    setting: str
    configure: typing.Callable
    differs: typing.Callable
    # Whether the results have the same bits; None if they are not comparable.
    is_exact: bool = True


def train(config, count=1):
    """A job with a convolution, a dense layer and a table, in `count` micro-steps."""

    @flow.global_function(type="train", function_config=config)
    def job(x: tp.Numpy.Placeholder(X.shape)) -> tp.Numpy:
        init = flow.random_normal_initializer(0, 0.1)
        out = flow.unpack(x, count)
        out = flow.layers.conv2d(out, 32, 3, padding="SAME", kernel_initializer=init)
        out = flow.math.relu(out)
        out = flow.math.reduce_mean(flow.math.square(out), axis=[2, 3])
        out = flow.layers.dense(out, 4, kernel_initializer=init, name="dense")
        table = flow.get_variable("table", (6, 4), initializer=flow.ones_initializer())
        ids = flow.constant(1, flow.int32, (len(X) // count,))
        out = out * flow.gather(table, ids)
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.01])
        flow.optimizer.LazyAdam(rate).minimize(out)
        return flow.pack(out, count)

    return job


def describe(configure):
    """What a job is with a configuration: its IR by stage, its memory, what is said
    about that, and its results."""
    flow.clear_default_session()
    config = flow.function_config()
    configure(config)
    job = train(config)
    return {
        "job": flow.dump_ir(),
        "plan": flow.dump_ir("plan"),
        "why": flow.explain("memory", "fusion"),
        "memory": flow.memory_totals(),
        "results": np.stack([job(X) for _ in range(3)]),
    }


def says(text, stage="job"):
    """Only the job with the setting has this text."""
    return lambda new, old: text in new[stage] and text not in old[stage]


def count(pattern, stage):
    return lambda described: len(re.findall(pattern, described[stage]))


def more(measure):
    return lambda new, old: measure(new) > measure(old)


def fewer(measure):
    return lambda new, old: measure(new) < measure(old)


def both(*conditions):
    return lambda new, old: all(condition(new, old) for condition in conditions)


def arena(described):
    return described["memory"]["arena"]


def policies(*removed, add=()):
    def configure(config):
        settings = config.static_mem_alloc_policy_white_list
        for name in add:
            settings.add(name)
        for name in removed:
            settings.remove(name)

    return configure


SIZE, CONFLICTS, TIME = (
    "use_mem_size_first_algo",
    "use_mutual_exclusion_first_algo",
    "use_time_line_algo",
)

CASES = [
    Case(
        "enable_inplace",
        lambda config: config.enable_inplace(False),
        both(
            says("in_place = false"),
            fewer(count("inouts", "plan")),
            more(count("plan.alloc", "plan")),
        ),
    ),
    Case(
        "enable_reused_mem",
        lambda config: config.enable_reused_mem(False),
        both(
            says('packing = ["none"]'),
            says("by strategy none", "why"),
            more(arena),
        ),
    ),
    Case(
        "use_memory_allocation_algorithm_v2",
        lambda config: config.use_memory_allocation_algorithm_v2(False),
        both(says('packing = ["size"]'), says("by strategy size", "why")),
    ),
    Case(
        "static_mem_alloc_policy_white_list.remove",
        policies(SIZE),
        both(says('packing = ["conflicts"]'), says("by strategy conflicts", "why")),
    ),
    Case(
        "static_mem_alloc_policy_white_list.add",
        policies(SIZE, CONFLICTS, add=[TIME]),
        both(says('packing = ["time"]'), says("by strategy time", "why")),
    ),
    Case(
        "enable_fuse_model_update_ops",
        lambda config: config.enable_fuse_model_update_ops(False),
        both(
            says("fuse_updates = false"),
            more(count("plan.dispatch", "plan")),
            says("updates of variables are not fused", "why"),
        ),
    ),
    Case(
        "cudnn_buf_limit_mbyte",
        lambda config: config.cudnn_buf_limit_mbyte(0),
        both(
            says("workspace_limit = 0 : i64"),
            fewer(lambda described: described["memory"]["workspace"]),
        ),
    ),
    # The effect of these two on a GPU is in gpu/test_function_config.py.
    Case(
        "enable_tensor_float_32_compute",
        lambda config: config.enable_tensor_float_32_compute(False),
        says("tf32 = false"),
    ),
    Case(
        "enable_cudnn",
        lambda config: config.enable_cudnn(False),
        both(
            says('excluded_libraries = ["cudnn"]'),
            lambda new, old: new["plan"] == old["plan"],
        ),
    ),
    Case(
        "enable_auto_mixed_precision",
        lambda config: config.enable_auto_mixed_precision(),
        says("precision = bf16"),
        is_exact=False,
    ),
    Case(
        "auto_mixed_precision_data_type",
        lambda config: (
            config.enable_auto_mixed_precision(),
            config.auto_mixed_precision_data_type(flow.float16),
        ),
        says("precision = f16"),
        is_exact=False,
    ),
    Case(
        "indexed_slices_optimizer_conf",
        lambda config: config.indexed_slices_optimizer_conf(
            {"include_op_names": {"op_name": ["table"]}}
        ),
        says("sparse = [@table]"),
        is_exact=None,
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.setting)
def test_a_setting_acts(case):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        new, old = describe(case.configure), describe(lambda config: None)
    assert case.differs(new, old)
    if case.is_exact:
        np.testing.assert_array_equal(new["results"], old["results"])
    elif case.is_exact is False:
        np.testing.assert_allclose(new["results"], old["results"], atol=0.02)


# The settings that have a test of their own.
OTHERS = {
    "default_data_type": "test_the_type_of_variables",
    "default_initializer_conf": "test_the_initializer_of_variables",
    "default_placement_scope": "test_the_placement_of_a_job",
    "default_logical_view": "test_the_view_of_a_job",
    "default_distribute_strategy": "test_the_view_of_a_job",
}


def define(config, body):
    @flow.global_function(function_config=config)
    def job(x: tp.Numpy.Placeholder((2,))) -> tp.Numpy:
        return body(x)

    return job


@pytest.mark.parametrize(
    "dtype",
    [flow.float64, flow.float16, flow.int8, flow.uint8, flow.int32, flow.int64],
)
def test_the_type_of_variables(dtype):
    config = flow.function_config()
    config.default_data_type(dtype)
    seen = []

    def body(x):
        two = flow.constant_initializer(2)
        by_default = flow.get_variable("by_default", (2,), initializer=two)
        given = flow.get_variable("given", (2,), dtype=flow.float, initializer=two)
        layer = flow.layers.dense(
            flow.reshape(x, (1, 2)), 2, kernel_initializer=flow.zeros_initializer()
        )
        seen.extend([by_default.dtype, given.dtype, layer.dtype])
        return flow.cast(by_default, flow.float) + given + flow.reshape(layer, (2,))

    job = define(config, body)
    np.testing.assert_array_equal(job(np.ones(2, np.float32)), [4, 4])
    assert seen == [dtype, flow.float, flow.float]
    assert f"@by_default : !job.blob<2x{dtype.mlir}>" in flow.dump_ir()
    assert flow.get_all_variables()["by_default"].dtype == dtype


def test_the_type_of_a_variable_of_another_job():
    """Who names no type takes the variable as it is."""
    config = flow.function_config()
    config.default_data_type(flow.int32)
    ones = flow.ones_initializer()
    seen = []

    def first(x):
        return flow.cast(flow.get_variable("w", (2,), initializer=ones), flow.float)

    define(config, first)

    @flow.global_function()
    def second() -> tp.Numpy:
        w = flow.get_variable("w", (2,))
        seen.append(w.dtype)
        return w

    assert second().dtype == np.int32 and seen == [flow.int32]


def test_another_type_of_a_variable():
    config = flow.function_config()
    config.default_data_type(flow.int32)
    ones = flow.ones_initializer()

    def body(x):
        flow.get_variable("w", (2,), initializer=ones)
        return flow.get_variable("w", (2,), dtype=flow.float)

    define(config, body)
    with raises_here(
        flow.errors.JobBuildAndInferError, "expects dtype int32 of variable w as in job"
    ):
        flow.dump_ir()


def test_the_initializer_of_variables():
    config = flow.function_config()
    config.default_initializer_conf({"constant_conf": {"value": 2.5}})
    job = define(config, lambda x: x * flow.get_variable("w", (2,)))
    np.testing.assert_array_equal(job(np.ones(2, np.float32)), [2.5, 2.5])
    assert "init #job.constant_init<2.500000e+00>" in flow.dump_ir()


def test_the_placement_of_a_job():
    for name, device in (("0:0", "cpu 0:0"), ("0:1", "cpu 0:1")):
        flow.clear_default_session()
        config = flow.function_config()
        config.default_placement_scope(flow.scope.placement("cpu", name))
        job = define(config, lambda x: x + 1)
        if name == "0:0":
            assert job(np.ones(2, np.float32))[0] == 2
            continue
        with raises_here(flow.errors.ConfigError, f"a placement on {device}"):
            job(np.ones(2, np.float32))


@pytest.mark.parametrize(
    "name", ["default_logical_view", "default_distribute_strategy"]
)
def test_the_view_of_a_job(name):
    seen = []

    def body(x):
        seen.append(flow.scope.mirrored_view_enabled())
        return x

    for view in (flow.scope.mirrored_view(), flow.scope.consistent_view()):
        config = flow.function_config()
        getattr(config, name)(view)
        flow.clear_default_session()
        define(config, body)(np.ones(2, np.float32))
    assert seen == [True, False]


# ===- Details ---------------------------------------------------------------===#


@pytest.mark.parametrize(
    "configure, packing",
    [
        (policies(), None),
        (policies(add=[TIME]), None),
        (policies(TIME), None),
        (policies(SIZE, add=[TIME]), '["conflicts", "time"]'),
        (policies(CONFLICTS), '["size"]'),
        (policies(CONFLICTS, add=[TIME]), '["size", "time"]'),
    ],
)
def test_strategies_of_the_memory_planner(configure, packing):
    config = flow.function_config()
    configure(config)
    define(config, lambda x: x)
    found = re.search(r"packing = (\[.*?\])", flow.dump_ir())
    assert (found and found.group(1)) == packing


def test_a_list_without_policies():
    config = flow.function_config()
    policies(SIZE, CONFLICTS)(config)
    define(config, lambda x: x)
    with raises_here(
        flow.errors.ConfigError,
        "job job: expects at least one policy in static_mem_alloc_policy_white_list "
        "but got none",
    ):
        flow.dump_ir()


def test_no_reuse_needs_no_policy():
    config = flow.function_config()
    policies(SIZE, CONFLICTS)(config)
    config.enable_reused_mem(False)
    define(config, lambda x: x)
    assert 'packing = ["none"]' in flow.dump_ir()


def test_the_strategy_of_a_job_is_before_that_of_the_session():
    flow.config.compiler_packing("time")
    config = flow.function_config()
    policies(SIZE)(config)
    train(config)
    assert "by strategy conflicts" in flow.explain("memory")


def test_settings_are_those_of_one_job():
    config = flow.function_config()
    config.enable_inplace(False)
    define(config, lambda x: x)

    @flow.global_function()
    def other(x: tp.Numpy.Placeholder((2,))) -> tp.Numpy:
        return x

    first, second = re.findall(r"job.func @.*", flow.dump_ir())
    assert "in_place = false" in first and "in_place" not in second


@pytest.mark.parametrize("value", [-1, 2**43, 10**30])
def test_limits_of_the_workspace_are_checked(value):
    with raises_here(
        AssertionError,
        "expects an int from 0 to 2^43 - 1 for cudnn_buf_limit_mbyte but got ",
    ):
        flow.function_config().cudnn_buf_limit_mbyte(value)


def test_the_largest_limit_of_the_workspace():
    config = flow.function_config()
    config.cudnn_buf_limit_mbyte(2**43 - 1)
    define(config, lambda x: x)
    assert f"workspace_limit = {2**63 - 2**20} : i64" in flow.dump_ir()


@pytest.mark.parametrize("value", [flow.char, flow.record, flow.tensor_buffer, "int32"])
def test_types_of_variables_are_checked(value):
    with raises_here(
        AssertionError, "expects a dtype of numbers for default_data_type but got "
    ):
        flow.function_config().default_data_type(value)


def test_the_number_of_a_type():
    config = flow.function_config()
    for dtype, number, name in (
        (flow.int8, 4, "kInt8"),
        (flow.int32, 5, "kInt32"),
        (flow.int64, 6, "kInt64"),
        (flow.uint8, 7, "kUInt8"),
        (flow.float16, 9, "kFloat16"),
    ):
        config.default_data_type(dtype)
        message = config.function_desc.job_config_proto
        assert message.default_data_type == number
        assert f"default_data_type: {name}\n" in str(message)


# ===- Several together ------------------------------------------------------===#


def forbid_all(config):
    """All that a configuration can forbid the compiler."""
    config.enable_inplace(False)
    config.enable_fuse_model_update_ops(False)
    config.cudnn_buf_limit_mbyte(0)
    config.enable_cudnn(False)
    policies(SIZE)(config)


def test_micro_steps_with_all_limits():
    results = []
    for configure in (forbid_all, lambda config: None):
        flow.clear_default_session()
        config = flow.function_config()
        configure(config)
        job = train(config, 4)
        results.append([job(X) for _ in range(3)])
    np.testing.assert_array_equal(*results)


def deep(configure, budget=None):
    """What a job of many layers computes, the bytes that it needs, and the report."""
    flow.clear_default_session()
    flow.config.memory_budget(budget)
    config = flow.function_config()
    configure(config)
    init = flow.random_normal_initializer(0, 0.1)

    @flow.global_function(type="train", function_config=config)
    def job(x: tp.Numpy.Placeholder((256, 64))) -> tp.Numpy:
        for layer in range(6):
            x = flow.layers.dense(x, 64, kernel_initializer=init, name=f"dense{layer}")
            x = flow.math.tanh(x)
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
        flow.optimizer.SGD(rate).minimize(x)
        return x

    total, report = flow.memory_totals()["total"], flow.memory_report()
    x = np.random.default_rng(1).standard_normal((256, 64)).astype(np.float32)
    return np.stack([job(x) for _ in range(3)]), total, report


def test_a_budget_with_all_limits():
    """The arena is packed by the strategies of the job in trials, too."""
    expected, total, _ = deep(forbid_all)
    budget = total - 200000
    results, less, report = deep(forbid_all, budget)
    assert less <= budget and "computed again" in report
    np.testing.assert_array_equal(results, expected)


def test_a_budget_counts_what_is_not_reused():
    _, total, _ = deep(lambda config: None)
    with raises_here(flow.errors.CompileError, f"to need at most {total} bytes but it"):
        deep(lambda config: config.enable_reused_mem(False), total)
