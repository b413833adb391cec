"""The devices of a session: the GPUs that are there, and what a placement means."""

import os
import typing
import warnings

from . import errors, frames, scopes

_warned = False


def _warn_of_gpu():
    """Tells the user that there is no GPU, once in a session."""
    global _warned
    if not _warned:
        _warned = True
        warnings.warn(
            'there is no CUDA device: "gpu" means "cpu"',
            stacklevel=frames.warn_stacklevel(),
        )


def forget_warnings():
    """Lets a new session warn again."""
    global _warned
    _warned = False


def _why_unsupported(index, gpu):
    """Why no code can be made for a GPU of the runtime's list; None if it can."""
    from jobmlir import _compiler

    oldest = _compiler.oldest_gpu
    prefix, _, version = gpu["target"].partition("_")
    if prefix != "sm" or int(version) >= int(oldest.removeprefix("sm_")):
        return None
    return (
        f"expects a GPU of {oldest} or newer but got gpu 0:{index} ({gpu['name']}), "
        f"which is {gpu['target']}"
    )


class Device(typing.NamedTuple):
    """One device that jobs run on."""

    tag: str  # "cpu" or "gpu"
    index: int
    target: str  # of the code for a GPU; empty for the CPU

    @property
    def attribute(self):
        """A placement on it, in MLIR's syntax."""
        return f'#job.placement<{self.tag}, "0:{self.index}">'


_CPU = Device("cpu", 0, "")


class Devices:
    """What the placements of a session mean, with some values of the settings."""

    def __init__(self, values):
        self.settings = self.settings_of(values)
        self._cpu_num, self._gpu_num, self._library = self.settings
        self._gpus = None
        self._default = None

    @staticmethod
    def settings_of(values):
        """The values of the settings that placements depend on."""
        return tuple(
            values[name] for name in ("cpu_device_num", "gpu_device_num", "cuda_library")
        )

    def _list_gpus(self):
        """The CUDA devices; raises a StatusError of the runtime if CUDA's library is
        there but of no use."""
        if self._gpus is None:
            from jobmlir import _runtime

            self._gpus = _runtime.list_devices("cuda", self._library)
        return self._gpus

    def resolve(self, scope, fail):
        """The Device of a PlacementScope; `fail(message, class)` raises an error."""
        if scope.tag == "cpu":
            self._check(scope, "cpu_device_num", self._cpu_num, fail)
            return _CPU
        from jobmlir import _runtime

        try:
            gpus = self._list_gpus()
        except _runtime.StatusError as error:
            fail(error.message, errors.JobRuntimeError)
        if self._gpu_num is not None:
            self._check(scope, "gpu_device_num", self._gpu_num, fail)
        if not gpus:
            _warn_of_gpu()
            return _CPU
        if scope.last >= len(gpus):
            there = ", ".join(f"{i} ({gpu['name']})" for i, gpu in enumerate(gpus))
            fail(
                f"expects a GPU of {there} but got a placement on gpu 0:{scope.last}",
                errors.ConfigError,
            )
        for index in range(scope.first, scope.last + 1):
            if reason := _why_unsupported(index, gpus[index]):
                fail(reason, errors.ConfigError)
        return Device("gpu", scope.first, gpus[scope.first]["target"])

    def _check(self, scope, setting, number, fail):
        if scope.last >= number:
            fail(
                f"expects devices below config.{setting}, which is {number}, but got a "
                f"placement on {scope.tag} 0:{scope.last}",
                errors.ConfigError,
            )

    def default(self, fail):
        """The Device of ops without a placement: the first GPU; the CPU where there
        is none."""
        if self._default is None:
            self._default = self._find_default(fail)
        return self._default

    def _find_default(self, fail):
        from jobmlir import _runtime

        is_asked = (
            self._library
            or os.environ.get("JOBMLIR_CUDA_LIBRARY")
            or self._gpu_num is not None
        )

        def use_cpu(reason, error):
            if is_asked:
                fail(reason, error)
            # Nobody has asked for a GPU.
            warnings.warn(
                f"ops without a placement run on the CPU: {reason}",
                stacklevel=frames.warn_stacklevel(),
            )
            return _CPU

        try:
            gpus = self._list_gpus()
        except _runtime.StatusError as error:
            return use_cpu(error.message, errors.JobRuntimeError)
        if not gpus and self._gpu_num is None:
            return _CPU
        if gpus and (reason := _why_unsupported(0, gpus[0])):
            return use_cpu(reason, errors.ConfigError)
        number = self._gpu_num or 1
        if gpus and number > len(gpus):
            fail(
                f"expects config.gpu_device_num of at most {len(gpus)}, the GPUs that "
                f"are there, but got {number}",
                errors.ConfigError,
            )
        return self.resolve(scopes.PlacementScope("gpu", f"0:0-{number - 1}"), fail)
