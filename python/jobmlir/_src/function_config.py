"""The settings of one job.

Each attribute of a FunctionConfig is called with its value. Many settings of the
original system control how a job is computed on its devices, which the compiler decides
here: these are checked and stored, and warn once that they have no effect.
"""

from __future__ import annotations

import copy
import json
import typing
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from . import (
    arguments,
    errors,
    frames,
    initializers,
    job_config,
    loss_scale,
    names,
    schedules,
    scopes,
    update_conf,
)
from . import dtype as dtypes
from .hints import DType, Number
from .notices import warn_once
from .settings import FlagSetting, Setting, Settings
from .settings import fail as _fail
from .trace import MlirText


def _deprecated(text):
    warnings.warn(text, DeprecationWarning, stacklevel=frames.warn_stacklevel())


def _check_bool(name, value):
    if not arguments.is_bool(value):
        _fail(f"expects a bool for {name} but got {value!r}")


def _check_int(name, value):
    if not arguments.is_int(value):
        _fail(f"expects an int for {name} but got {value!r}")


def _check_float(name, value):
    if not arguments.is_number(value):
        _fail(f"expects a number for {name} but got {value!r}")


def _check_str(name, value):
    if not isinstance(value, str):
        _fail(f"expects a str for {name} but got {value!r}")


def _check_ints(name, value):
    if not isinstance(value, (list, tuple)) or not all(map(arguments.is_int, value)):
        _fail(f"expects a list of ints for {name} but got {value!r}")


def _check_optimizer_placement(name, value):
    if value not in ("non_distributed", "distributed_split"):
        _fail(
            f"expects non_distributed or distributed_split for {name} but got {value!r}"
        )


def _check_dict(name, value):
    if not isinstance(value, dict):
        _fail(f"expects a dict for {name} but got {value!r}")


def _check_indexed_slices(name, value):
    """{"enable": bool, "include_op_names": {"op_name": [names of variables]}}"""
    _check_dict(name, value)
    for key in value:
        if key not in ("enable", "include_op_names"):
            _fail(f"expects enable or include_op_names in {name} but got {key!r}")
    _check_bool(f"enable of {name}", value.get("enable", True))
    included = value.get("include_op_names", {})
    _check_dict(f"include_op_names of {name}", included)
    names = included.get("op_name", [])
    if (
        set(included) - {"op_name"}
        or not isinstance(names, (list, tuple))
        or not all(isinstance(each, str) for each in names)
    ):
        _fail(
            f"expects a list of names as op_name in include_op_names of {name} but got "
            f"{included!r}"
        )


def _check_mbyte(name, value):
    """Bytes are 64-bit integers."""
    _check_int(name, value)
    if not 0 <= value < 2**43:
        _fail(
            f"expects an int from 0 to 2^43 - 1 for {name} but got "
            f"{arguments.show(value)}"
        )


def _check_dtype(name, value):
    if not dtypes.is_dtype(value) or value not in dtypes.blob_dtypes():
        _fail(f"expects a dtype of numbers for {name} but got {value!r}")


def _check_narrow_dtype(name, value):
    if value not in (dtypes.bfloat16, dtypes.float16):
        _fail(f"expects bfloat16 or float16 for {name} but got {value!r}")


def _check_placement(name, value):
    if not isinstance(value, scopes.PlacementScope):
        _fail(f"expects what scope.placement returns for {name} but got {value!r}")


def _check_view(name, value):
    if not isinstance(value, scopes.LogicalView):
        _fail(
            "expects what scope.consistent_view or scope.mirrored_view returns for "
            f"{name} but got {value!r}"
        )


def _check_initializer(name, value):
    _check_dict(name, value)
    initializers.from_conf(value)


class _Required:
    """The default of a value that must be given."""

    def __repr__(self):
        return "..."


_REQUIRED = _Required()


class _Setting:
    """The valid values of a setting, its default, and the meaning of a call without a
    value."""

    def __init__(self, check, default=None, implied=_REQUIRED):
        self.check = check
        self.default = default
        self.implied = implied


def _flag(default=None):
    return _Setting(_check_bool, default, True)


def _bool(default=None):
    return _Setting(_check_bool, default)


def _int(default=None):
    return _Setting(_check_int, default)


# The settings that change what a job is, computes or how it is compiled.
_ACTING = {
    "auto_mixed_precision_data_type": _Setting(_check_narrow_dtype, dtypes.bfloat16),
    "cudnn_buf_limit_mbyte": _Setting(_check_mbyte, 1024),
    "default_data_type": _Setting(_check_dtype, dtypes.float32),
    "default_distribute_strategy": _Setting(_check_view),
    "default_initializer_conf": _Setting(_check_initializer),
    "default_logical_view": _Setting(_check_view),
    "default_placement_scope": _Setting(_check_placement),
    "enable_auto_mixed_precision": _flag(False),
    "enable_cudnn": _flag(True),
    "enable_fuse_model_update_ops": _flag(False),
    "enable_inplace": _flag(True),
    "enable_reused_mem": _flag(True),
    "enable_tensor_float_32_compute": _flag(False),
    "indexed_slices_optimizer_conf": _Setting(_check_indexed_slices),
    "use_memory_allocation_algorithm_v2": _bool(True),
}

# The settings that OneFlow 0.2 kept without effect.
_DEPRECATED = {
    "all_reduce_fp16": _flag(True),
    "all_reduce_group_min_mbyte": _int(16),
    "all_reduce_group_num": _int(8),
    "all_reduce_group_size_warmup": _Setting(_check_float, 2.0),
    "all_reduce_lazy_ratio": _Setting(_check_float, 0.5),
    "disable_all_reduce_sequence": _flag(False),
    "enable_all_reduce_group": _flag(True),
    "enable_inplace_in_reduce_struct": _flag(True),
    "enable_nccl": _flag(True),
    "non_distributed_optimizer_group_size_mbyte": _int(100),
    "use_boxing_v2": _flag(True),
    "use_nccl_inter_node_communication": _flag(True),
}

# The other settings without effect; the notes of reference.txt say why.
_WITHOUT_EFFECT = {
    "allow_cpu_return_op": _bool(True),
    "concurrency_width": _int(128),
    "cudnn_conv_enable_pseudo_half": _bool(True),
    "cudnn_conv_enable_true_half": _flag(False),
    "cudnn_conv_force_bwd_data_algo": _int(),
    "cudnn_conv_force_bwd_filter_algo": _int(),
    "cudnn_conv_force_fwd_algo": _int(),
    "cudnn_conv_heuristic_search_algo": _bool(True),
    "cudnn_conv_use_deterministic_algo_only": _bool(False),
    "do_parallel_cast_before_widening_type_cast": _flag(True),
    "enable_cudnn_conv_pseudo_half": _bool(True),
    "enable_cudnn_fused_normalization_add_relu": _bool(),
    "enable_float_compute_for_half_gemm": _flag(True),
    "enable_fuse_add_to_output": _bool(False),
    "enable_fuse_cast_scale": _flag(False),
    "enable_gradients_stats_aggregation": _flag(True),
    "enable_keep_header_only": _flag(True),
    "enable_non_distributed_optimizer": _flag(False),
    "enable_pseudo_chain_merge": _flag(False),
    "enable_qat": _flag(False),
    "enable_quantization_aware_training": _flag(False),
    "enable_ssp": _flag(False),
    "enable_true_half_config_when_conv": _flag(False),
    "exp_run_conf": _Setting(_check_dict),
    "optimizer_placement_optimization_mode": _Setting(_check_optimizer_placement),
    "optimizer_placement_optimization_threshold": _int(1024),
    "prune_cast_to_static_shape_ops": _flag(True),
    "prune_parallel_cast_ops": _flag(True),
    "ssp_partition_scope_ids": _Setting(_check_ints),
    "ssp_partition_strategy": _Setting(_check_str, "naive_sequantial"),
    "use_tensorrt": _flag(False),
    "use_xla_jit": _flag(False),
}

# Those in groups.
_GROUPS = {
    "qat": {
        "moving_min_max_momentum": _Setting(_check_float),
        "moving_min_max_stop_update_after_iters": _Setting(_check_float),
        "per_channel_weight_quantization": _flag(),
        "symmetric": _flag(),
        "target_backend": _Setting(_check_str),
    },
    "tensorrt": {
        "int8_calibration": _Setting(_check_str),
        "use_fp16": _flag(),
        "use_int8": _flag(),
    },
}

_SETTINGS = {**_ACTING, **_DEPRECATED, **_WITHOUT_EFFECT}


def _warn_of_no_effect(name):
    """Warns once that a setting without effect was called."""
    if name in _DEPRECATED:
        warn_once(
            f"'{name}' has been deprecated, has no effect and will be removed in the "
            "future",
            DeprecationWarning,
        )
        return
    note = names.reference()[f"FunctionConfig.{name}"].note
    reason = f": {note}" if note else ""
    warn_once(f"function_config.{name} has no effect in this version{reason}")


# Other names of settings, under which no value is stored.
_OTHER_NAMES = {
    "default_distribute_strategy": "default_logical_view",
    "train.optimizer_placement_optimization_mode": (
        "optimizer_placement_optimization_mode"
    ),
    "train.optimizer_placement_optimization_threshold": (
        "optimizer_placement_optimization_threshold"
    ),
}


def _doc_of(name, setting):
    """The docstring of a setting."""
    known = names.reference().get(f"FunctionConfig.{name}")
    if name in _ACTING:
        what = f"The setting {name} of jobs: see help(FunctionConfig)."
    elif known is not None and known.note:
        what = f"Has no effect: {known.note}."
    else:
        what = "Has no effect."
    default = ""
    if setting.default is not None:
        default = f" The default of the setting is {setting.default!r}."
    implied = "" if setting.implied is _REQUIRED else f" {setting.implied} if left out."
    return (
        f"{what}\n\nArgs:\n    value: The value.{implied}{default}\n\n"
        "Raises:\n    ConfigError: The value does not fit."
    )


class _Setter:
    """An attribute of a configuration, which is called with a value."""

    def __init__(self, values, name, setting):
        self._values = values
        self._name = name
        self._setting = setting
        self.__doc__ = _doc_of(name, setting)

    def __call__(self, value: Any = _REQUIRED) -> None:
        """Sets the value."""
        if value is _REQUIRED:
            value = self._setting.implied
        if value is _REQUIRED:
            _fail(f"expects a value for {self._name} but got none")
        self._setting.check(self._name, value)
        if self._name not in _ACTING:
            _warn_of_no_effect(self._name)
        self._values[_OTHER_NAMES.get(self._name, self._name)] = value


class TrainConfig(Settings):
    """config.train: the older way to configure training."""

    _group = "config.train"

    def __init__(self, config):
        self._config = config
        self._primary_lr = None
        self._secondary_lr = None
        self._loss_scale = loss_scale.StaticLossScale(1.0)
        self._update = None
        self._touched = None

    def _touch(self, name):
        _deprecated(
            f"config.train.{name} is deprecated: use the classes of oneflow.optimizer"
        )
        if self._touched is None:
            self._touched = frames.user_frames()

    @property
    def is_set(self):
        return self._touched is not None

    def fields(self):
        """The values that were set, by name; for FunctionDesc.job_config_proto."""
        found = {"primary_lr": self._primary_lr, "secondary_lr": self._secondary_lr}
        if self._loss_scale.factor != 1:
            found["loss_scale_factor"] = self._loss_scale.factor
        if self._update is not None:
            found["model_update_conf"] = self._update.conf
        return {name: value for name, value in found.items() if value is not None}

    @property
    def function_desc(self) -> FunctionDesc:
        """The description of jobs with the settings that this one is part of."""
        return self._config.function_desc

    def primary_lr(self, value: Number) -> None:
        """The base learning rate.

        Args:
            value: A number.

        Raises:
            ConfigError: It is none.
        """
        self._touch("primary_lr")
        self._primary_lr = schedules.require_number(value, "primary_lr")

    def secondary_lr(self, value: Number) -> None:
        """The learning rate of variables whose model_name is "bias".

        That of all others is primary_lr, and by default that of biases too.

        Args:
            value: A number.

        Raises:
            ConfigError: It is none.
        """
        self._touch("secondary_lr")
        self._secondary_lr = schedules.require_number(value, "secondary_lr")

    def loss_scale_factor(self, value: Number) -> None:
        """The factor of the losses, by which the gradients are divided.

        Args:
            value: A positive number.

        Raises:
            ConfigError: It is none.
        """
        self._touch("loss_scale_factor")
        value = schedules.require_number(value, "loss_scale_factor")
        if not value > 0:
            _fail(
                f"expects loss_scale_factor to be positive but got {value}",
                errors.TrainConfError,
            )
        self._loss_scale = loss_scale.StaticLossScale(value)

    def model_update_conf(self, value: Mapping[str, Any]) -> None:
        """The optimizer, its schedule and its warm-up as a dictionary.

        Args:
            value: As the message NormalModelUpdateOpUserConf of OneFlow.

        Raises:
            ConfigError: It describes no optimizer.
        """
        self._touch("model_update_conf")
        self._update = update_conf.ModelUpdateConf(value)

    @property
    def optimizer_placement_optimization_mode(self) -> _Setter:
        """The setting of this name outside of train."""
        return self._outer("optimizer_placement_optimization_mode")

    @property
    def optimizer_placement_optimization_threshold(self) -> _Setter:
        """The setting of this name outside of train."""
        return self._outer("optimizer_placement_optimization_threshold")

    def _outer(self, name):
        return _Setter(self._config._values, f"train.{name}", _SETTINGS[name])

    def minimize(self, trace):
        """The list of the Minimizes that the settings describe; errors name missing
        settings."""
        place = self._touched or trace.frames

        def fail(message, cls=errors.TrainConfError):
            raise cls(errors.located(message, place, trace.name))

        if self._update is None and self._primary_lr is None:
            fail(
                "expects an optimizer, such as optimizer.SGD(...).minimize(loss), in "
                "a training job but got none"
            )
        if self._update is None:
            fail(
                "expects config.train.model_update_conf beside primary_lr but got none"
            )
        if self._primary_lr is None:
            fail(
                "expects config.train.primary_lr beside model_update_conf but got none"
            )
        rest = self._update.minimize(self._primary_lr, self._loss_scale, place)
        biases = [
            name
            for name in trace.variables
            if trace.trains(name) and trace.model_names.get(name) == "bias"
        ]
        if self._secondary_lr in (None, self._primary_lr) or not biases:
            return [rest]
        of_biases = self._update.minimize(self._secondary_lr, self._loss_scale, place)
        of_biases.variables = biases
        if rest.clipping:
            # One optimizer with two rates: its norm is that of all gradients.
            rest.clipping = of_biases.clipping = rest.clipping.joint()
        return [rest, of_biases]


class _GroupConfig(Settings):
    """A group of settings without effect, such as config.tensorrt."""

    def __init__(self, name):
        self._name = name
        self._group = f"config.{name}"

    if not typing.TYPE_CHECKING:

        def __getattr__(self, name):
            setting = None if name.startswith("_") else _GROUPS[self._name].get(name)
            if setting is None:
                return super().__getattr__(name)
            return _Setter({}, f"{self._name}.{name}", setting)

    def __dir__(self):
        return [*super().__dir__(), *_GROUPS[self._name]]


if typing.TYPE_CHECKING:

    class _QatConfig(_GroupConfig):
        moving_min_max_momentum: Setting[float]
        moving_min_max_stop_update_after_iters: Setting[float]
        per_channel_weight_quantization: FlagSetting
        symmetric: FlagSetting
        target_backend: Setting[str]

    class _TensorrtConfig(_GroupConfig):
        int8_calibration: Setting[str]
        use_fp16: FlagSetting
        use_int8: FlagSetting


# The compiler's names of the strategies, and those that the list has at first.
_POLICIES = {
    "use_mem_size_first_algo": "size",
    "use_mutual_exclusion_first_algo": "conflicts",
    "use_time_line_algo": "time",
}
_DEFAULT_POLICIES = {"use_mem_size_first_algo", "use_mutual_exclusion_first_algo"}


class _AlgorithmList(Settings):
    """config.static_mem_alloc_algo_white_list."""

    _group = "config.static_mem_alloc_algo_white_list"

    def show(self) -> list[str]:
        """The names of the memory planner's strategies.

        Returns:
            What static_mem_alloc_policy_white_list takes.
        """
        return list(_POLICIES)


class _PolicyList(Settings):
    """config.static_mem_alloc_policy_white_list: the strategies of the memory planner
    by name. As long as it has those that it has at first, the compiler chooses among
    all that it knows; once one was removed, only among those of the list."""

    _group = "config.static_mem_alloc_policy_white_list"

    def __init__(self):
        self._enabled = set(_DEFAULT_POLICIES)

    def _strategies(self):
        """What the compiler calls the strategies, or None if it chooses."""
        if _DEFAULT_POLICIES <= self._enabled:
            return None
        return [
            strategy for name, strategy in _POLICIES.items() if name in self._enabled
        ]

    def _known(self, policy):
        if not isinstance(policy, str) or policy not in _POLICIES:
            _fail(f"expects a policy of {', '.join(_POLICIES)} but got {policy!r}")
        return policy

    def has(self, policy: str) -> bool:
        """Whether the list has a policy.

        Args:
            policy: The name of the policy.

        Returns:
            True if the compiler may choose it.

        Raises:
            ConfigError: There is no such policy.
        """
        return self._known(policy) in self._enabled

    def add(self, policy: str) -> None:
        """Adds a policy to the list.

        Args:
            policy: The name of the policy.

        Raises:
            ConfigError: There is no such policy.
        """
        self._enabled.add(self._known(policy))

    def remove(self, policy: str) -> None:
        """Removes a policy from the list.

        Args:
            policy: The name of the policy.

        Raises:
            ConfigError: There is no such policy.
        """
        self._enabled.discard(self._known(policy))

    def policy_mem_size_first(self) -> str:
        """The name of a policy.

        Returns:
            What add, remove and has take.
        """
        return "use_mem_size_first_algo"

    def policy_mutual_exclusion_first(self) -> str:
        """The name of a policy.

        Returns:
            What add, remove and has take.
        """
        return "use_mutual_exclusion_first_algo"

    def policy_time_line(self) -> str:
        """The name of a policy.

        Returns:
            What add, remove and has take.
        """
        return "use_time_line_algo"


class FunctionAttribute:
    """Settings of a job that do not concern its computation."""

    def __init__(self, values):
        self.default_placement_scope = values.get("default_placement_scope")
        self.default_distribute_strategy = values.get("default_logical_view")
        self.allow_cpu_return_op = values.get("allow_cpu_return_op", True)


class FunctionDesc:
    """A description of a job: its kind and the values of its settings."""

    def __init__(self, config, is_trainable, trace=None):
        self._config = config
        self._is_trainable = is_trainable
        self._trace = trace

    def IsTrainable(self) -> bool:
        """Whether the job trains.

        Returns:
            True for training jobs.
        """
        return self._is_trainable

    @property
    def job_config_proto(self) -> Any:
        """The settings as a message JobConfigProto, whose fields can be read.

        Those of train_conf are the losses and the optimizer that the body of the job
        has used so far.
        """
        known = {name: setting.default for name, setting in _SETTINGS.items()}
        return job_config.make(self._config, self._is_trainable, self._trace, known)

    @property
    def function_attribute(self) -> FunctionAttribute:
        """The settings that do not concern the computation."""
        return FunctionAttribute(self._config._values)

    def __getattr__(self, name):
        if name.startswith("_") or name not in _SETTINGS:
            raise AttributeError(name)
        return self._config.get(name)


class FunctionConfig(Settings):
    """The settings of a job. Attributes are called with their value.

        config = flow.function_config()
        config.default_data_type(flow.float)

    Those that act:

    - default_data_type: the dtype of new variables for which get_variable is given
      none.
    - default_initializer_conf: the initializer of new variables without one.
    - default_placement_scope, default_logical_view and, its older name,
      default_distribute_strategy: where the job's ops are computed, and the view.
    - enable_auto_mixed_precision and auto_mixed_precision_data_type: products and
      convolutions are computed in a narrow type.
    - indexed_slices_optimizer_conf: variables that LazyAdam updates row by row.
    - enable_inplace(False): no kernel writes a result over its input.
    - enable_reused_mem(False): no two blobs share memory one after the other.
    - use_memory_allocation_algorithm_v2(False): the memory planner places blobs in
      the order of their size, instead of choosing the best of several plans.
    - static_mem_alloc_policy_white_list: the strategies that it chooses among.
    - enable_fuse_model_update_ops(False): the last op of an update of a variable is a
      kernel by itself. Updates are fused unless this is set.
    - cudnn_buf_limit_mbyte: the most workspace of a convolution. Without it, the
      compiler chooses.
    - enable_cudnn(False): no op is computed by cuDNN on a GPU that the compiler can
      compute with loops of its own.
    - enable_tensor_float_32_compute: config.enable_tensor_float_32_compute for this
      job alone.
    - train: the older way to configure training.

    All others warn once that they have no effect. An unknown one, and a value that does
    not fit, are a ConfigError.
    """

    _group = "function_config"

    def __init__(self) -> None:
        self._values = {}
        self._put(
            train=TrainConfig(self),
            **{group: _GroupConfig(group) for group in _GROUPS},
            static_mem_alloc_algo_white_list=_AlgorithmList(),
            static_mem_alloc_policy_white_list=_PolicyList(),
        )

    def _put(self, **groups):
        # Users cannot assign them.
        self.__dict__.update(groups)

    @property
    def function_desc(self) -> FunctionDesc:
        """The description of jobs with these settings."""
        return FunctionDesc(self, self.train.is_set)

    if typing.TYPE_CHECKING:
        train: TrainConfig
        qat: _QatConfig
        tensorrt: _TensorrtConfig
        static_mem_alloc_algo_white_list: _AlgorithmList
        static_mem_alloc_policy_white_list: _PolicyList
        auto_mixed_precision_data_type: Setting[DType]
        cudnn_buf_limit_mbyte: Setting[int]
        default_data_type: Setting[DType]
        default_distribute_strategy: Setting[scopes.LogicalView]
        default_initializer_conf: Setting[Mapping[str, Any]]
        default_logical_view: Setting[scopes.LogicalView]
        default_placement_scope: Setting[scopes.PlacementScope]
        enable_auto_mixed_precision: FlagSetting
        enable_cudnn: FlagSetting
        enable_fuse_model_update_ops: FlagSetting
        enable_inplace: FlagSetting
        enable_reused_mem: FlagSetting
        enable_tensor_float_32_compute: FlagSetting
        indexed_slices_optimizer_conf: Setting[Mapping[str, Any]]
        use_memory_allocation_algorithm_v2: Setting[bool]
        all_reduce_fp16: FlagSetting
        all_reduce_group_min_mbyte: Setting[int]
        all_reduce_group_num: Setting[int]
        all_reduce_group_size_warmup: Setting[float]
        all_reduce_lazy_ratio: Setting[float]
        disable_all_reduce_sequence: FlagSetting
        enable_all_reduce_group: FlagSetting
        enable_inplace_in_reduce_struct: FlagSetting
        enable_nccl: FlagSetting
        non_distributed_optimizer_group_size_mbyte: Setting[int]
        use_boxing_v2: FlagSetting
        use_nccl_inter_node_communication: FlagSetting
        allow_cpu_return_op: Setting[bool]
        concurrency_width: Setting[int]
        cudnn_conv_enable_pseudo_half: Setting[bool]
        cudnn_conv_enable_true_half: FlagSetting
        cudnn_conv_force_bwd_data_algo: Setting[int]
        cudnn_conv_force_bwd_filter_algo: Setting[int]
        cudnn_conv_force_fwd_algo: Setting[int]
        cudnn_conv_heuristic_search_algo: Setting[bool]
        cudnn_conv_use_deterministic_algo_only: Setting[bool]
        do_parallel_cast_before_widening_type_cast: FlagSetting
        enable_cudnn_conv_pseudo_half: Setting[bool]
        enable_cudnn_fused_normalization_add_relu: Setting[bool]
        enable_float_compute_for_half_gemm: FlagSetting
        enable_fuse_add_to_output: Setting[bool]
        enable_fuse_cast_scale: FlagSetting
        enable_gradients_stats_aggregation: FlagSetting
        enable_keep_header_only: FlagSetting
        enable_non_distributed_optimizer: FlagSetting
        enable_pseudo_chain_merge: FlagSetting
        enable_qat: FlagSetting
        enable_quantization_aware_training: FlagSetting
        enable_ssp: FlagSetting
        enable_true_half_config_when_conv: FlagSetting
        exp_run_conf: Setting[Mapping[str, Any]]
        optimizer_placement_optimization_mode: Setting[str]
        optimizer_placement_optimization_threshold: Setting[int]
        prune_cast_to_static_shape_ops: FlagSetting
        prune_parallel_cast_ops: FlagSetting
        ssp_partition_scope_ids: Setting[Sequence[int]]
        ssp_partition_strategy: Setting[str]
        use_tensorrt: FlagSetting
        use_xla_jit: FlagSetting

    else:

        def __getattr__(self, name):
            if name not in _SETTINGS:
                return super().__getattr__(name)
            return _Setter(self._values, name, _SETTINGS[name])

    def __dir__(self):
        return [*super().__dir__(), *_SETTINGS]

    def get(self, name: str) -> Any:
        """The value of a setting.

        Args:
            name: Its name.

        Returns:
            The value, or the default if it was not set.
        """
        name = _OTHER_NAMES.get(name, name)
        return self._values.get(name, _SETTINGS[name].default)

    def values_set(self) -> dict[str, Any]:
        """The settings that were called.

        Returns:
            Their values by name.
        """
        return dict(self._values)

    def attributes(self, trace: Any) -> dict[str, Any]:
        """The attributes of the function of a traced job that the settings stand for.

        Args:
            trace: The JobTrace.

        Returns:
            Values by name.

        Raises:
            ConfigError: No policy of memory is left.
        """
        found = {}
        if self.get("enable_auto_mixed_precision"):
            narrow = self.get("auto_mixed_precision_data_type").mlir
            found["precision"] = MlirText(narrow)
        if not self.get("enable_inplace"):
            found["in_place"] = False
        # The compiler fuses updates unless it is told not to.
        if not self._values.get("enable_fuse_model_update_ops", True):
            found["fuse_updates"] = False
        packing = self._packing(trace)
        if packing is not None:
            found["packing"] = MlirText(json.dumps(packing))
        limit = self._values.get("cudnn_buf_limit_mbyte")
        if limit is not None:
            found["workspace_limit"] = int(limit) << 20
        allows_tf32 = self._values.get("enable_tensor_float_32_compute")
        if allows_tf32 is not None:
            found["tf32"] = bool(allows_tf32)
        if not self.get("enable_cudnn"):
            found["excluded_libraries"] = MlirText('["cudnn"]')
        return found

    def _packing(self, trace):
        """The strategies of the memory planner, or None if the compiler chooses."""
        if not self.get("enable_reused_mem"):
            return ["none"]
        if not self.get("use_memory_allocation_algorithm_v2"):
            return ["size"]
        strategies = self.static_mem_alloc_policy_white_list._strategies()
        if strategies == []:
            raise errors.ConfigError(
                errors.located(
                    "expects at least one policy in "
                    "static_mem_alloc_policy_white_list but got none",
                    trace.frames,
                    trace.name,
                )
            )
        return strategies

    def clone(self) -> FunctionConfig:
        """A copy that is independent of later changes to this object.

        Returns:
            The copy.
        """
        copied = FunctionConfig()
        copied._values = dict(self._values)
        train = copy.copy(self.train)
        train._config = copied
        copied._put(
            train=train,
            static_mem_alloc_policy_white_list=copy.deepcopy(
                self.static_mem_alloc_policy_white_list
            ),
        )
        return copied
