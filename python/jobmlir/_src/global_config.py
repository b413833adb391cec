"""The settings of the session. They are read when it starts; the next session begins
with the defaults again, but for the library of CUDA."""

from __future__ import annotations

import os
import sys
import types
import typing

from . import arguments, errors, text
from .documentation import family_of_values
from .hints import Path
from .notices import warn_once
from .settings import FlagSetting, Setting, Settings
from .settings import fail as _fail

# The valid types of each kind of value; NumPy values are stored as Python's.
_KINDS = {
    int: ("an int", arguments.is_int),
    bool: ("a bool", arguments.is_bool),
    str: ("a str", lambda value: isinstance(value, str)),
}


class ConfigModule(Settings, types.ModuleType):
    """The class of the module `config`, whose functions are settings."""

    _group = "config"


# Settings of how OneFlow moved data: the type of their values, and their default.
_WITHOUT_EFFECT = {
    "collect_act_event": (bool, False),
    "comm_net_worker_num": (int, 4),
    "enable_model_io_v2": (bool, False),
    "enable_numa_aware_cuda_malloc_host": (bool, False),
    "load_library": (str, ""),
    "load_library_now": (str, ""),
    "max_mdsave_worker_num": (int, 64),
    "persistence_buf_byte": (int, 0),
    "rdma_mem_block_mbyte": (int, 8),
    "rdma_recv_msg_buf_mbyte": (int, 6),
    "reserved_device_mem_mbyte": (int, 500),
    "reserved_host_mem_mbyte": (int, 500),
    "save_downloaded_file_to_local_fs": (bool, False),
    "thread_enable_local_message_queue": (bool, False),
    "use_rdma": (bool, False),
    "collective_boxing.enable_fusion": (bool, True),
    "collective_boxing.nccl_fusion_all_gather": (bool, False),
    "collective_boxing.nccl_fusion_all_reduce": (bool, True),
    "collective_boxing.nccl_fusion_all_reduce_use_buffer": (bool, False),
    "collective_boxing.nccl_fusion_broadcast": (bool, True),
    "collective_boxing.nccl_fusion_max_ops": (int, 64),
    "collective_boxing.nccl_fusion_reduce": (bool, True),
    "collective_boxing.nccl_fusion_reduce_scatter": (bool, False),
    "collective_boxing.nccl_fusion_threshold_mb": (int, 16),
    "collective_boxing.nccl_num_streams": (int, 1),
    "collective_boxing.num_callback_threads": (int, 4),
}


# The settings of a session, and their defaults.
_OF_SESSION = {
    "machine_num": 1,
    "cpu_device_num": 1,
    "gpu_device_num": None,
    "compute_thread_pool_size": 0,
    "enable_debug_mode": False,
    "random_seed": 1,
    "compiler_cpu": "native",
    "compiler_features": "",
    "compiler_simplify": True,
    "compiler_fuse": True,
    "compiler_packing": "best",
    "memory_budget": 0,
    "check_numerics": False,
    "enable_legacy_model_io": False,
    "enable_tensor_float_32_compute": False,
    **{name: default for name, (_, default) in _WITHOUT_EFFECT.items()},
}

# Those of the process, which stay.
_OF_PROCESS = {
    # What the machine has.
    "cuda_library": "",
    # Switches.
    "typing_check": False,
    "eager_execution": False,
    # What env.* sets.
    "env_initialized": False,
    "log_dir": "log",
}


class GlobalConfig:
    """Values of the settings, and whether they may still change."""

    def __init__(self):
        self.values = {**_OF_SESSION, **_OF_PROCESS}
        self.is_running = lambda: False

    def begin_session(self):
        """Gives the settings of a session their defaults."""
        self.values.update(_OF_SESSION)

    def set(self, name, value, kind):
        expected, fits = _KINDS[kind]
        if not fits(value):
            _fail(f"expects {expected} for config.{name} but got {value!r}")
        if kind is str and not text.is_unicode(value):
            _fail(
                f"expects text that UTF-8 can encode for config.{name} but got "
                f"{value!r}"
            )
        if self.is_running():
            print(
                f"config.{name}: Nothing happened because the session is running",
                file=sys.stderr,
            )
            return False
        self.values[name] = kind(value)
        return True


state = GlobalConfig()

# The limit of the runtime.
_MAX_THREADS = 4096

_PACKINGS = ("best", "size", "conflicts", "time", "none")


def _require_positive(name, value):
    if arguments.is_int(value) and value < 1:
        _fail(f"expects at least 1 for config.{name} but got {arguments.show(value)}")


def _require_range(name, value, least, most, shown):
    if arguments.is_int(value) and not least <= value <= most:
        _fail(
            f"expects an int from {shown} for config.{name} but got "
            f"{arguments.show(value)}"
        )


_of_setting = family_of_values(
    returns="False while the session runs, when nothing changes.",
    raises={"ConfigError": "The value does not fit."},
)


@_of_setting
def machine_num(value: int) -> bool:
    """The number of machines: 1 in this version.

    Args:
        value: 1.

    Raises:
        UnsupportedError: Another number.
    """
    _require_positive("machine_num", value)
    if arguments.is_int(value) and value > 1:
        _fail(
            f"expects one machine in this version but got {arguments.show(value)}",
            errors.UnsupportedError,
        )
    return state.set("machine_num", value, int)


def _set_device_num(name, value):
    _require_positive(name, value)
    return state.set(name, value, int)


@_of_setting
def cpu_device_num(value: int) -> bool:
    """The number of CPU devices for placements.

    Args:
        value: A positive int.
    """
    return _set_device_num("cpu_device_num", value)


@_of_setting
def gpu_device_num(value: int) -> bool:
    """The number of GPUs for placements.

    On a machine without one it is a number of CPU devices. By default, those that are
    there.

    Args:
        value: A positive int.
    """
    return _set_device_num("gpu_device_num", value)


@_of_setting
def cuda_library(path: Path) -> bool:
    """The library of CUDA.

    By default, what the environment variable JOBMLIR_CUDA_LIBRARY names, otherwise
    libcuda.so.1. clear_default_session does not change it.

    Args:
        path: The path of the library.
    """
    if isinstance(path, os.PathLike):
        path = os.fsdecode(path)
    return state.set("cuda_library", path, str)


@_of_setting
def compute_thread_pool_size(value: int) -> bool:
    """Threads that compute. Results do not depend on it.

    Args:
        value: An int; 0 means one for each core.
    """
    _require_range(
        "compute_thread_pool_size", value, 0, _MAX_THREADS, f"0 to {_MAX_THREADS}"
    )
    return state.set("compute_thread_pool_size", value, int)


@_of_setting
def enable_debug_mode(value: bool = True) -> bool:
    """Writes the IR of each stage into the folder log when the session starts.

    Args:
        value: True for yes.
    """
    return state.set("enable_debug_mode", value, bool)


@_of_setting
def random_seed(value: int) -> bool:
    """The seed of initial values and dropout (default: 1).

    Args:
        value: An int of 64 bits.
    """
    _require_range("random_seed", value, -(2**63), 2**63 - 1, "-2^63 to 2^63 - 1")
    return state.set("random_seed", value, int)


@_of_setting
def compiler_cpu(value: str) -> bool:
    """The target processor.

    Args:
        value: Its name in LLVM; "native" is that of this machine.
    """
    return state.set("compiler_cpu", value, str)


@_of_setting
def compiler_features(value: str) -> bool:
    """Features of the processor to add or remove.

    Args:
        value: Text such as "+avx2,-avx512f".
    """
    return state.set("compiler_features", value, str)


@_of_setting
def compiler_simplify(value: bool) -> bool:
    """Whether IR is simplified; switch it off to bisect an error.

    Args:
        value: True for yes, the default.
    """
    return state.set("compiler_simplify", value, bool)


@_of_setting
def compiler_fuse(value: bool) -> bool:
    """Whether ops are fused into kernels; switch it off to bisect an error.

    Args:
        value: True for yes, the default.
    """
    return state.set("compiler_fuse", value, bool)


@_of_setting
def check_numerics(value: bool = True) -> bool:
    """Whether every step stops at the first op that computes a NaN or infinity.

    The error, a NumericsError, names the op. Slower, with the same results.

    Args:
        value: True for yes.
    """
    return state.set("check_numerics", value, bool)


@_of_setting
def enable_tensor_float_32_compute(value: bool = True) -> bool:
    """Whether libraries on a GPU may round factors in float32 to TF32.

    The factors of products and convolutions then have 10 bits of mantissa, which is
    several times as fast. Sums stay in float32; on the CPU nothing changes.

    Args:
        value: True for yes; the default of the setting is False.
    """
    return state.set("enable_tensor_float_32_compute", value, bool)


@_of_setting
def enable_legacy_model_io(value: bool = True) -> bool:
    """Whether checkpoints in the legacy layout are those of OneFlow 0.2.

    These lack the files meta that describe each variable, which are then not read
    either.

    Args:
        value: True for yes; the default of the setting is False.
    """
    return state.set("enable_legacy_model_io", value, bool)


@_of_setting
def compiler_packing(value: str) -> bool:
    """The strategy of memory packing.

    Args:
        value: "size", "conflicts", "time", "none", or "best", which tries all.
    """
    if isinstance(value, str) and value not in _PACKINGS:
        _fail(
            f"expects config.compiler_packing to be one of {', '.join(_PACKINGS)} but "
            f"got {value!r}"
        )
    return state.set("compiler_packing", value, str)


@_of_setting
def memory_budget(value: int | None) -> bool:
    """The limit of a job's memory on each of its devices.

    It is that of arena, variables, constants, workspace and the staging of one call
    together. Values that exceed it are recomputed when they are used, with the same
    bits, instead of being kept; a job that still needs more is a CompileError. A
    session with several calls in flight has one staging slot for each.

    Args:
        value: Bytes; None removes the budget.
    """
    if value is None:
        return state.set("memory_budget", 0, int)
    _require_positive("memory_budget", value)
    return state.set("memory_budget", value, int)


# ===- Settings without effect ---------------------------------------------===#


_of_no_effect = family_of_values(
    returns="False while the session runs.",
    raises={"ConfigError": "The value has another type."},
    value="What the setting was in OneFlow.",
)


def _setter(name):
    kind, default = _WITHOUT_EFFECT[name]

    def set_value(value):
        was_set = state.set(name, value, kind)
        if was_set:
            warn_once(f"config.{name} has no effect in this version")
        return was_set

    def set_flag(value: bool = True) -> bool:
        return set_value(value)

    set_value.__annotations__ = {"value": kind, "return": bool}
    function = set_flag if kind is bool else set_value
    function.__name__ = function.__qualname__ = name.rpartition(".")[2]
    function.__doc__ = f"Has no effect (default: {default!r})."
    return _of_no_effect(function)


def _setters(group):
    """The settings without effect of a group, by their names in it."""
    return {
        name[len(group) :]: _setter(name)
        for name in _WITHOUT_EFFECT
        if name.startswith(group) and "." not in name[len(group) :]
    }


class _CollectiveBoxing(Settings):
    """config.collective_boxing: how OneFlow joined collectives."""

    _group = "config.collective_boxing"

    if typing.TYPE_CHECKING:
        enable_fusion: FlagSetting
        nccl_fusion_all_gather: FlagSetting
        nccl_fusion_all_reduce: FlagSetting
        nccl_fusion_all_reduce_use_buffer: FlagSetting
        nccl_fusion_broadcast: FlagSetting
        nccl_fusion_max_ops: Setting[int]
        nccl_fusion_reduce: FlagSetting
        nccl_fusion_reduce_scatter: FlagSetting
        nccl_fusion_threshold_mb: Setting[int]
        nccl_num_streams: Setting[int]
        num_callback_threads: Setting[int]

    def __init__(self):
        self.__dict__.update(_setters("collective_boxing."))


collective_boxing = _CollectiveBoxing()
globals().update(_setters(""))
if typing.TYPE_CHECKING:
    collect_act_event: FlagSetting
    comm_net_worker_num: Setting[int]
    enable_model_io_v2: FlagSetting
    enable_numa_aware_cuda_malloc_host: FlagSetting
    load_library: Setting[str]
    load_library_now: Setting[str]
    max_mdsave_worker_num: Setting[int]
    persistence_buf_byte: Setting[int]
    rdma_mem_block_mbyte: Setting[int]
    rdma_recv_msg_buf_mbyte: Setting[int]
    reserved_device_mem_mbyte: Setting[int]
    reserved_host_mem_mbyte: Setting[int]
    save_downloaded_file_to_local_fs: FlagSetting
    thread_enable_local_message_queue: FlagSetting
    use_rdma: FlagSetting
