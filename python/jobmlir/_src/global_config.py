"""The settings of the session. They are read when it starts."""

import sys
import types

from . import arguments, errors, scopes, text
from .settings import Settings
from .settings import fail as _fail

# What a value of each kind may be; NumPy's are kept as Python's.
_KINDS = {
    int: ("an int", arguments.is_int),
    bool: ("a bool", arguments.is_bool),
    str: ("a str", lambda value: isinstance(value, str)),
}


class ConfigModule(Settings, types.ModuleType):
    """What the module `config` is, whose functions are settings."""

    _group = "config"


class GlobalConfig:
    """Values of the settings, and whether they may still change."""

    def __init__(self):
        self.values = {
            "machine_num": 1,
            "cpu_device_num": 1,
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
        }
        self.is_running = lambda: False

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

# What the runtime takes.
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


def machine_num(value):
    """How many machines take part: 1 in this version."""
    _require_positive("machine_num", value)
    if arguments.is_int(value) and value > 1:
        _fail(
            f"expects one machine in this version but got {arguments.show(value)}",
            errors.UnsupportedError,
        )
    return state.set("machine_num", value, int)


def cpu_device_num(value):
    """How many CPU devices there are to place ops on."""
    _require_positive("cpu_device_num", value)
    if arguments.is_int(value) and value > 1:
        scopes.inform_once(
            "this version computes on one device; results do not depend on it"
        )
    return state.set("cpu_device_num", value, int)


def gpu_device_num(value):
    """Is cpu_device_num where there is no GPU."""
    scopes.warn_of_gpu()
    return cpu_device_num(value)


def compute_thread_pool_size(value):
    """Threads that compute; 0 takes one a core. Results do not depend on it."""
    _require_range(
        "compute_thread_pool_size", value, 0, _MAX_THREADS, f"0 to {_MAX_THREADS}"
    )
    return state.set("compute_thread_pool_size", value, int)


def enable_debug_mode(value=True):
    """Writes the IR of each stage into the folder `log` when the session
    starts."""
    return state.set("enable_debug_mode", value, bool)


def random_seed(value):
    """The seed of initial values and dropout, an int of 64 bits; 1 unless
    set."""
    _require_range("random_seed", value, -(2**63), 2**63 - 1, "-2^63 to 2^63 - 1")
    return state.set("random_seed", value, int)


def compiler_cpu(value):
    """The processor that code is generated for, by LLVM's name; "native" is
    this machine's."""
    return state.set("compiler_cpu", value, str)


def compiler_features(value):
    """Features of the processor to add or drop, as "+avx2,-avx512f"."""
    return state.set("compiler_features", value, str)


def compiler_simplify(value):
    """Whether IR is simplified; off to bisect a fault."""
    return state.set("compiler_simplify", value, bool)


def compiler_fuse(value):
    """Whether ops are computed together; off to bisect a fault."""
    return state.set("compiler_fuse", value, bool)


def check_numerics(value=True):
    """Whether every step stops at the first op that makes a NaN or infinity,
    with an error that names it: slower, with the same results."""
    return state.set("check_numerics", value, bool)


def compiler_packing(value):
    """The strategy that packs memory: "size", "conflicts", "time", "none", or
    "best", which tries all."""
    if isinstance(value, str) and value not in _PACKINGS:
        _fail(
            f"expects config.compiler_packing to be one of {', '.join(_PACKINGS)} but "
            f"got {value!r}"
        )
    return state.set("compiler_packing", value, str)


def memory_budget(value):
    """The bytes that a job may need: arena, variables, constants, workspace and
    the staging of one call together. What it would have to keep beyond that is
    computed again when it is needed, with the same bits; a job that needs more
    all the same is a CompileError. A session with several calls in flight holds
    the staging of each. None takes a budget back."""
    if value is None:
        return state.set("memory_budget", 0, int)
    _require_positive("memory_budget", value)
    return state.set("memory_budget", value, int)
