"""Settings of jobs and of the session."""

import warnings

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from jobmlir._src import global_config, names
from models import define_unary, raises_here

# Every attribute of function_config that scripts were seen to use, with a value.
SETTINGS = {
    "all_reduce_fp16": True,
    "all_reduce_group_min_mbyte": 16,
    "all_reduce_group_num": 8,
    "all_reduce_group_size_warmup": 2.0,
    "all_reduce_lazy_ratio": 0.5,
    "allow_cpu_return_op": True,
    "auto_mixed_precision_data_type": flow.float16,
    "concurrency_width": 128,
    "cudnn_buf_limit_mbyte": 1024,
    "cudnn_conv_enable_pseudo_half": True,
    "cudnn_conv_enable_true_half": True,
    "cudnn_conv_force_bwd_data_algo": 1,
    "cudnn_conv_force_bwd_filter_algo": 1,
    "cudnn_conv_force_fwd_algo": 1,
    "cudnn_conv_heuristic_search_algo": True,
    "cudnn_conv_use_deterministic_algo_only": True,
    "default_data_type": flow.float,
    "default_initializer_conf": {"constant_conf": {"value": 0}},
    "disable_all_reduce_sequence": True,
    "do_parallel_cast_before_widening_type_cast": True,
    "enable_all_reduce_group": True,
    "enable_auto_mixed_precision": True,
    "enable_cudnn": True,
    "enable_cudnn_conv_pseudo_half": True,
    "enable_cudnn_fused_normalization_add_relu": True,
    "enable_float_compute_for_half_gemm": True,
    "enable_fuse_add_to_output": True,
    "enable_fuse_cast_scale": True,
    "enable_fuse_model_update_ops": True,
    "enable_gradients_stats_aggregation": True,
    "enable_inplace": True,
    "enable_inplace_in_reduce_struct": True,
    "enable_keep_header_only": True,
    "enable_nccl": True,
    "enable_non_distributed_optimizer": True,
    "enable_pseudo_chain_merge": True,
    "enable_qat": True,
    "enable_quantization_aware_training": True,
    "enable_reused_mem": True,
    "enable_ssp": False,
    "enable_tensor_float_32_compute": True,
    "enable_true_half_config_when_conv": True,
    "exp_run_conf": {},
    "indexed_slices_optimizer_conf": {},
    "non_distributed_optimizer_group_size_mbyte": 100,
    "optimizer_placement_optimization_mode": "non_distributed",
    "optimizer_placement_optimization_threshold": 1024,
    "prune_cast_to_static_shape_ops": True,
    "prune_parallel_cast_ops": True,
    "ssp_partition_scope_ids": [1, 2],
    "ssp_partition_strategy": "disable",
    "use_boxing_v2": True,
    "use_memory_allocation_algorithm_v2": True,
    "use_nccl_inter_node_communication": True,
    "use_tensorrt": False,
    "use_xla_jit": False,
}


@pytest.mark.filterwarnings("ignore:.*has no effect")
@pytest.mark.parametrize("name", SETTINGS)
def test_setting(name):
    config = flow.function_config()
    getattr(config, name)(SETTINGS[name])
    assert config.get(name) == SETTINGS[name]
    with raises_here(AssertionError, f"for {name} but got"):
        getattr(config, name)(object())


def test_settings_that_take_objects():
    config = flow.function_config()
    view = flow.scope.consistent_view()
    config.default_logical_view(view)
    config.default_distribute_strategy(view)
    config.default_placement_scope(flow.scope.placement("cpu", "0:0"))
    for name in (
        "default_logical_view",
        "default_distribute_strategy",
        "default_placement_scope",
    ):
        with raises_here(AssertionError, f"for {name} but got 3"):
            getattr(config, name)(3)
    assert (
        flow.scope.consistent_view_enabled() and not flow.scope.mirrored_view_enabled()
    )


def test_flags_need_no_value():
    config = flow.function_config()
    config.enable_inplace()
    with raises_here(
        AssertionError, "expects a value for concurrency_width but got none"
    ):
        config.concurrency_width()


def test_an_unknown_setting_is_named():
    config = flow.function_config()
    with raises_here(
        AssertionError, "expects a setting of function_config but got 'fast'"
    ):
        config.fast(True)
    assert not hasattr(config, "fast")


GROUPS = {
    "function_config": lambda: flow.function_config(),
    "config.train": lambda: flow.function_config().train,
    "config.qat": lambda: flow.function_config().qat,
    "config.tensorrt": lambda: flow.function_config().tensorrt,
    "config.static_mem_alloc_algo_white_list": lambda: (
        flow.function_config().static_mem_alloc_algo_white_list
    ),
    "config.static_mem_alloc_policy_white_list": lambda: (
        flow.function_config().static_mem_alloc_policy_white_list
    ),
    "config": lambda: flow.config,
}


@pytest.mark.parametrize("name", GROUPS)
def test_every_group_names_what_is_unknown(name):
    group = GROUPS[name]()
    text = f"expects a setting of {name} but got 'quick'"
    with raises_here(flow.errors.ConfigError, text):
        group.quick(1)
    with raises_here(AttributeError, text):
        group.quick = 1
    assert not hasattr(group, "quick")


@pytest.mark.parametrize(
    "group, setting",
    [
        ("function_config", "enable_cudnn"),
        ("function_config", "train"),
        ("config.train", "primary_lr"),
        ("config.qat", "symmetric"),
        ("config.tensorrt", "use_fp16"),
        ("config.static_mem_alloc_algo_white_list", "show"),
        ("config.static_mem_alloc_policy_white_list", "add"),
        ("config", "random_seed"),
    ],
)
def test_settings_are_not_assigned(group, setting):
    holder = GROUPS[group]()
    before = getattr(holder, setting)
    with raises_here(
        flow.errors.ConfigError,
        f"expects no assignment to {group}.{setting}, because settings are called, "
        "but got 0.5",
    ):
        setattr(holder, setting, 0.5)
    assert type(getattr(holder, setting)) is type(before)


def test_a_setting_of_a_similar_name_is_shown():
    with raises_here(AssertionError, "config.train, such as primary_lr, but got"):
        flow.function_config().train.primary_lrr(0.1)
    with raises_here(AssertionError, "of config, such as random_seed, but got"):
        flow.config.random_sed(1)


@pytest.mark.filterwarnings("ignore:.*has no effect")
def test_groups_of_settings():
    config = flow.function_config()
    config.tensorrt.use_fp16()
    config.tensorrt.use_int8(False)
    config.tensorrt.int8_calibration("path")
    with raises_here(AssertionError, "expects a bool for tensorrt.use_fp16 but got 3"):
        config.tensorrt.use_fp16(3)
    config.qat.symmetric()
    with raises_here(AssertionError, "a number for qat.moving_min_max_momentum but got"):
        config.qat.moving_min_max_momentum("a")
    with raises_here(AssertionError, "of config.qat, such as symmetric, but got"):
        config.qat.symetric()
    # Two names of one setting.
    config.train.optimizer_placement_optimization_mode("distributed_split")
    assert config.get("optimizer_placement_optimization_mode") == "distributed_split"
    config.train.optimizer_placement_optimization_threshold(7)
    assert config.get("optimizer_placement_optimization_threshold") == 7
    assert not config.train.is_set
    with raises_here(AssertionError, "a list of ints for ssp_partition_scope_ids but"):
        config.ssp_partition_scope_ids([1.5])
    assert config.static_mem_alloc_algo_white_list.show() == [
        "use_mem_size_first_algo",
        "use_mutual_exclusion_first_algo",
        "use_time_line_algo",
    ]
    policies = config.static_mem_alloc_policy_white_list
    time_line = policies.policy_time_line()
    assert policies.has(policies.policy_mem_size_first())
    assert policies.has(policies.policy_mutual_exclusion_first())
    assert not policies.has(time_line)
    policies.add(time_line)
    assert policies.has(time_line)
    policies.remove(time_line)
    assert not policies.has(time_line)
    with raises_here(AssertionError, "use_time_line_algo but got []"):
        flow.function_config().static_mem_alloc_policy_white_list.add([])
    with raises_here(AssertionError, "expects a policy of use_mem_size_first_algo"):
        policies.add("fast")


def test_function_desc():
    config = flow.function_config()
    assert not config.function_desc.IsTrainable()
    assert config.function_desc.concurrency_width == 128
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        config.train.primary_lr(0.1)
    assert config.function_desc.IsTrainable()
    with pytest.raises(AttributeError):
        config.function_desc.fast


@pytest.mark.parametrize(
    "setting, value, text",
    [
        ("enable_inplace", 3, "expects a bool for enable_inplace but got 3"),
        ("concurrency_width", "a", "expects an int for concurrency_width but got 'a'"),
        (
            "all_reduce_lazy_ratio",
            "a",
            "expects a number for all_reduce_lazy_ratio but got 'a'",
        ),
        (
            "optimizer_placement_optimization_mode",
            3,
            "expects non_distributed or distributed_split for "
            "optimizer_placement_optimization_mode but got 3",
        ),
        ("exp_run_conf", 3, "expects a dict for exp_run_conf but got 3"),
        (
            "default_data_type",
            "float",
            "expects a dtype of numbers for default_data_type but got 'float'",
        ),
        (
            "default_placement_scope",
            "cpu",
            "expects what scope.placement returns for default_placement_scope but got "
            "'cpu'",
        ),
        (
            "default_logical_view",
            3,
            "expects what scope.consistent_view or scope.mirrored_view returns for "
            "default_logical_view but got 3",
        ),
    ],
)
def test_settings_of_jobs_are_checked(setting, value, text):
    with raises_here(AssertionError, text):
        getattr(flow.function_config(), setting)(value)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(
    "conf, cls, text",
    [
        (3, AssertionError, "expects model_update_conf to be a dict but got 3"),
        ({}, AssertionError, "expects one of naive_conf"),
        (
            {"naive_conf": {}, "adam_conf": {}},
            AssertionError,
            "expects one of naive_conf",
        ),
        (
            {"fast_conf": {}},
            AssertionError,
            "expects model_update_conf to be one of naive_conf",
        ),
        (
            {"lars_conf": {"beta": 0.5}},
            AssertionError,
            "expects fields of lars_conf out of momentum_beta, epsilon, "
            "lars_coefficient but got 'beta'",
        ),
        (
            {"naive_conf": {"lr": 1}},
            AssertionError,
            "expects fields of naive_conf out of none but got 'lr'",
        ),
        ({"adam_conf": 3}, AssertionError, "expects adam_conf to be a dict but got 3"),
        (
            {"momentum_conf": {"beta": 2}},
            AssertionError,
            "expects momentum to be in [0, 1)",
        ),
        (
            {"naive_conf": {}, "clip_conf": {}},
            AssertionError,
            "expects one of clip_by_global_norm in clip_conf",
        ),
        (
            {"naive_conf": {}, "clip_conf": {"clip_by_value": {}}},
            AssertionError,
            "expects clip_conf to be one of clip_by_global_norm but got 'clip_by_va",
        ),
        (
            {"naive_conf": {}, "clip_conf": {"clip_by_global_norm": {}}},
            AssertionError,
            "expects field 'clip_norm' in clip_by_global_norm",
        ),
        (
            {"naive_conf": {}, "weight_decay_conf": {}},
            AssertionError,
            "expects field 'weight_decay_rate' in weight_decay_conf",
        ),
        (
            {
                "naive_conf": {},
                "weight_decay_conf": {
                    "weight_decay_rate": 0.1,
                    "includes": {"patterns": []},
                },
            },
            AssertionError,
            "expects fields of includes out of pattern but got 'patterns'",
        ),
        (
            {
                "naive_conf": {},
                "weight_decay_conf": {
                    "weight_decay_rate": 0.1,
                    "includes": {"pattern": ["a"]},
                    "excludes": {"pattern": ["b"]},
                },
            },
            AssertionError,
            "expects weight_decay_includes or weight_decay_excludes but got both",
        ),
        (
            {"naive_conf": {}, "learning_rate_decay": {"polynomial_conf": {}}},
            AssertionError,
            "expects field 'decay_batches' in polynomial_conf",
        ),
        (
            {
                "naive_conf": {},
                "learning_rate_decay": {"exponential_conf": {"decay_batches": 3}},
            },
            AssertionError,
            "expects field 'decay_rate' in exponential_conf",
        ),
        (
            {"naive_conf": {}, "learning_rate_decay": {"square_conf": {}}},
            AssertionError,
            "expects learning_rate_decay to be one of exponential_conf",
        ),
        (
            {"naive_conf": {}, "learning_rate_decay": 3},
            AssertionError,
            "expects learning_rate_decay to be a dict but got 3",
        ),
        (
            {"naive_conf": {}, "learning_rate_decay": {"cosine_conf": {}}},
            AssertionError,
            "expects field 'decay_batches' in cosine_conf",
        ),
        (
            {
                "momentum_conf": {},
                "learning_rate_decay": {
                    "piecewise_constant_conf": {"boundaries": 3, "values": [1]}
                },
            },
            AssertionError,
            "expects two lists but got 3 and [1]",
        ),
        (
            {"adam_conf": {"do_bias_correction": "no"}},
            AssertionError,
            "expects do_bias_correction to be a bool but got 'no'",
        ),
        (
            {"naive_conf": {}, "warmup_conf": {"constant_conf": {}}},
            AssertionError,
            "expects field 'warmup_batches' in constant_conf",
        ),
    ],
)
def test_model_update_conf_is_checked(conf, cls, text):
    with raises_here(cls, text):
        flow.function_config().train.model_update_conf(conf)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_numbers_of_config_train_are_checked():
    train = flow.function_config().train
    with raises_here(AssertionError, "expects primary_lr to be a number but got 'a'"):
        train.primary_lr("a")
    with raises_here(
        AssertionError, "expects loss_scale_factor to be positive but got 0"
    ):
        train.loss_scale_factor(0)


@pytest.mark.parametrize(
    "conf, text",
    [
        ({}, "expects a dict of one initializer but got {}"),
        ({"fast_conf": {}}, "expects an initializer of constant_conf"),
        ({"constant_conf": {"mean": 1}}, "expects fields value of constant_conf"),
        ({"constant_conf": 3}, "expects a dict for constant_conf but got 3"),
    ],
)
def test_default_initializer_conf_is_checked(conf, text):
    with raises_here(AssertionError, text):
        flow.function_config().default_initializer_conf(conf)


# ===- The session's settings ----------------------------------------------===#


def test_settings_are_kept(capsys):
    assert flow.config.random_seed(3) is True
    assert flow.config.gpu_device_num(2) is True
    assert flow.config.machine_num(1) is True
    assert not capsys.readouterr().err


@pytest.mark.filterwarnings("ignore:.*has no effect")
def test_settings_take_numbers_of_numpy():
    assert flow.config.random_seed(np.int64(3))
    assert flow.config.check_numerics(np.bool_(False))
    assert type(global_config.state.values["random_seed"]) is int
    config = flow.function_config()
    config.concurrency_width(np.int32(3))
    config.enable_inplace(np.bool_(True))
    assert config.get("concurrency_width") == 3
    with raises_here(AssertionError, "expects at least 1 for config.machine_num"):
        flow.config.machine_num(np.int64(0))


def test_settings_are_checked():
    with raises_here(
        AssertionError, "expects an int for config.random_seed but got 'a'"
    ):
        flow.config.random_seed("a")
    with raises_here(
        AssertionError, "expects a bool for config.enable_debug_mode but got 3"
    ):
        flow.config.enable_debug_mode(3)
    with raises_here(
        AssertionError, "expects at least 1 for config.cpu_device_num but got 0"
    ):
        flow.config.cpu_device_num(0)
    with raises_here(
        AssertionError, "expects at least 1 for config.gpu_device_num but got 0"
    ):
        flow.config.gpu_device_num(0)
    with raises_here(AssertionError, "expects a str for config.cuda_library but got 5"):
        flow.config.cuda_library(5)
    with raises_here(
        NotImplementedError, "expects one machine in this version but got 2"
    ):
        flow.config.machine_num(2)


def test_settings_of_a_running_session_stay(capsys):
    define_unary(lambda x: x)(np.zeros((2, 3), np.float32))
    assert flow.config.random_seed(5) is False
    assert "Nothing happened because the session is running" in capsys.readouterr().err


def test_the_environment_is_ready():
    assert flow.env.init() is True


# ===- Scopes --------------------------------------------------------------===#


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_placements_are_checked(capsys):
    with raises_here(AssertionError, 'expects a device tag of "cpu" or "gpu" but got'):
        flow.scope.placement("tpu", "0:0")
    for ids in ("0", "a:0", ["0:0", "0"]):
        with raises_here(AssertionError, 'expects devices as "machine:first-last"'):
            flow.fixed_placement("cpu", ids)
    for ids in (5, None, []):
        with raises_here(
            AssertionError,
            'expects devices as "machine:first-last", or a list of them, but got '
            f"{ids!r}",
        ):
            flow.scope.placement("cpu", ids)
    with raises_here(
        AssertionError,
        "expects the first device of a range to be at most the last but got '0:3-1'",
    ):
        flow.scope.placement("cpu", "0:3-1")
    with raises_here(AssertionError, "expects each device once but got 0:2 twice"):
        flow.scope.placement("cpu", ["0:2", "0:0-3"])
    with raises_here(NotImplementedError, "expects devices of machine 0 but got '1:0'"):
        flow.device_prior_placement("cpu", "1:0")
    flow.scope.placement("cpu", "0:0")
    assert not capsys.readouterr().err
    flow.scope.placement("cpu", ["0:2", "0:0-1"])
    assert "computes on the first device of a placement" in capsys.readouterr().err


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_namespaces_are_checked():
    with raises_here(AssertionError, "expects the name of a namespace but got 3"):
        with flow.name_scope(3):
            pass


# ===- Settings of OneFlow without effect ----------------------------------===#

WITHOUT_EFFECT = global_config._WITHOUT_EFFECT
VALUES = {int: 3, bool: True, str: "path"}


def setting_of_config(name):
    group = flow.config
    for part in name.split("."):
        group = getattr(group, part)
    return group


@pytest.mark.parametrize("name", WITHOUT_EFFECT)
def test_a_setting_without_effect_warns_once(name):
    kind, default = WITHOUT_EFFECT[name]
    assert global_config.state.values[name] == default
    function = setting_of_config(name)
    with pytest.warns(UserWarning, match=f"config.{name} has no effect") as caught:
        assert function(VALUES[kind]) is True
    assert caught[0].filename == __file__
    assert global_config.state.values[name] == VALUES[kind]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        function(VALUES[kind])
    with raises_here(AssertionError, f"for config.{name} but got"):
        function(object())


def test_every_setting_of_config_is_public_and_listed():
    listed = {
        row.name
        for row in names.reference().values()
        if row.section == "1.17" and row.kind == "no-effect"
    }
    assert listed == {f"config.{name}" for name in WITHOUT_EFFECT} | set(ENVIRONMENT)


def test_flags_without_effect_need_no_value():
    with pytest.warns(UserWarning, match="config.use_rdma has no effect"):
        flow.config.use_rdma()
    with pytest.raises(TypeError):
        flow.config.rdma_mem_block_mbyte()


def test_settings_without_effect_stay_while_the_session_runs(capsys):
    define_unary(lambda x: x)(np.zeros((2, 3), np.float32))
    assert flow.config.use_rdma(True) is False
    assert "config.use_rdma: Nothing happened" in capsys.readouterr().err


# ===- Environment ---------------------------------------------------------===#


# Settings without effect, with arguments of a call.
ENVIRONMENT = {
    "env.ctrl_port": (3,),
    "env.data_port": (3,),
    "env.logtostderr": (3,),
    "env.logbuflevel": (3,),
    "env.grpc_use_no_signal": (),
    "deprecated.init_worker": (True, True),
    "deprecated.delete_worker": (),
}


@pytest.mark.parametrize("name", ENVIRONMENT)
def test_an_environment_without_effect_warns_once(name):
    function = names.find(name)
    with pytest.warns(UserWarning, match=f"{name} has no effect") as caught:
        function(*ENVIRONMENT[name])
    assert [warning.filename for warning in caught] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        function(*ENVIRONMENT[name])
    if ENVIRONMENT[name] == (3,):
        with raises_here(AssertionError, f"expects an int for {name} but got 'a'"):
            function("a")


def test_the_machine_of_the_environment():
    assert flow.env.machine([{"addr": "127.0.0.1"}]) is True
    assert flow.env.machine({"addr": "127.0.0.1"}) is True


@pytest.mark.parametrize(
    "machines, cls, text",
    [
        ([], AssertionError, "expects at least one machine but got none"),
        ([3], AssertionError, 'expects a machine as {"addr": address} but got 3'),
        (
            [{"addr": "a"}, {"addr": "b"}],
            NotImplementedError,
            "expects one machine in this version but got 2",
        ),
    ],
)
def test_machines_are_checked(machines, cls, text):
    with raises_here(cls, text):
        flow.env.machine(*machines)


def test_log_dir_is_where_stages_are_written(tmp_path):
    assert flow.env.log_dir(tmp_path / "here") is True
    flow.config.enable_debug_mode(True)
    define_unary(lambda x: x)(np.zeros((2, 3), np.float32))
    assert (tmp_path / "here" / "plan.mlir").exists()
    with raises_here(AssertionError, "expects a path to write logs to but got 3"):
        flow.env.log_dir(3)


def test_nothing_is_set_after_init(capsys):
    assert flow.env.init() is True and flow.env.init() is True
    for name, value in (
        ("ctrl_port", 3),
        ("log_dir", "a"),
        ("machine", {"addr": "a"}),
        ("grpc_use_no_signal", True),
    ):
        assert getattr(flow.env, name)(value) is False
        assert (
            f"env.{name}: Nothing happened because environment has been initialized"
            in capsys.readouterr().err
        )
    assert global_config.state.values["log_dir"] == "log"


def test_a_cleared_session_forgets_its_settings(tmp_path):
    """The settings of `config` are those of one session; env and switches are of the
    process."""
    before = dict(global_config.state.values)
    flow.env.log_dir(str(tmp_path))
    flow.experimental.enable_typing_check(True)
    flow.config.gpu_device_num(2)
    flow.config.cpu_device_num(3)
    flow.config.random_seed(9)
    flow.config.compute_thread_pool_size(1)
    flow.config.enable_tensor_float_32_compute(True)
    flow.clear_default_session()
    assert global_config.state.values == {
        **before,
        "log_dir": str(tmp_path),
        "typing_check": True,
    }
    assert flow.current_resource().gpu_device_num == 1
    # One thread of the session before is no limit of this one.
    flow.config.compute_thread_pool_size(2)

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((3,))) -> tp.Numpy:
        return flow.math.relu(x)

    assert job(np.array([-1, 0, 2], np.float32)).tolist() == [0, 0, 2]
    flow.config.random_seed(4)
    assert global_config.state.values["random_seed"] == 1


def test_a_callback_that_clears_the_session_forgets_its_settings():
    flow.config.random_seed(9)

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((1,))):
        return x

    job(np.ones(1, np.float32)).async_get(lambda _: flow.clear_default_session())
    flow.sync_default_session()
    flow.config.gpu_device_num(2)
    assert global_config.state.values["random_seed"] == 1
    assert global_config.state.values["gpu_device_num"] == 2
