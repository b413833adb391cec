"""Results: arrays in the form of the older API, and calls in flight."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy

from . import errors, frames
from .hints import Array

_BINARY = (
    "add sub mul matmul truediv floordiv mod divmod pow lshift rshift and xor or"
).split()
_OTHER = (
    "lt le eq ne gt ge neg pos abs invert contains getitem len iter float int bool "
    "index complex round str format"
).split()


def _check_parallel_id(value):
    """The index of the only device."""
    if value not in (None, 0):
        raise errors.ArgumentError(
            errors.located(
                f"expects parallel_id to be None or 0 but got {value!r}",
                frames.user_frames(),
            )
        )
    return 0


class ScalarArray(numpy.ndarray):
    """The array of a result of one element, such as a loss: converts to a Python number,
    which NumPy allows only without dimensions."""

    def _number(self, convert):
        return convert(self.item() if self.size == 1 else self.view(numpy.ndarray))

    def __float__(self):
        return self._number(float)

    def __int__(self):
        return self._number(int)

    def __complex__(self):
        return self._number(complex)

    def __format__(self, spec):
        # As `f"{loss:.3f}"`; without a format it is the text of an array.
        if spec and self.size == 1:
            return format(self.item(), spec)
        return super().__format__(spec)

    def __repr__(self):
        return repr(self.view(numpy.ndarray))

    def __reduce__(self):
        return self.view(numpy.ndarray).__reduce__()


def result_array(array):
    """The array that the user gets for a result."""
    return array.view(ScalarArray) if array.shape == (1,) else array


class LocalMirroredTensor:
    """The value of one result. Other attributes are forwarded to the array."""

    def __init__(self, array):
        self._array = array

    def numpy(self, parallel_id: int | None = None) -> Array:
        """The array.

        Args:
            parallel_id: The number of the device, 0.

        Returns:
            The array.
        """
        _check_parallel_id(parallel_id)
        return self._array

    def numpy_list(self) -> list[Array]:
        """The arrays, one for each device.

        Returns:
            A list of one array.
        """
        return [self._array]

    def parallel_num(self) -> int:
        """The number of devices that have a part.

        Returns:
            1 in this version.
        """
        return 1

    def ndarray(self) -> Array:
        """The older name of numpy().

        Returns:
            The array.
        """
        return self._array

    def ndarray_list(self) -> list[Array]:
        """The older name of numpy_list().

        Returns:
            A list of one array.
        """
        return [self._array]

    def __getattr__(self, name):
        if name == "_array":  # while an object is being unpickled or copied
            raise AttributeError(name)
        return getattr(self._array, name)

    def __array__(self, dtype=None, copy=None):
        if dtype is None or dtype == self._array.dtype:
            return self._array.copy() if copy else self._array
        return self._array.astype(dtype)

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        return getattr(ufunc, method)(*map(_plain, inputs), **kwargs)

    __hash__ = None

    def __repr__(self):
        return f"LocalMirroredTensor({self._array!r})"


def _plain(value):
    return value._array if isinstance(value, LocalMirroredTensor) else value


def _delegate(name):
    def method(self, *args):
        return getattr(self._array, name)(*map(_plain, args))

    method.__name__ = name
    return method


for _name in [f"__{name}__" for name in _BINARY + _OTHER] + [
    f"__r{name}__" for name in _BINARY
]:
    setattr(LocalMirroredTensor, _name, _delegate(_name))


class LocalMirroredTensorList:
    """The value of one result that is a list of arrays per device."""

    def __init__(self, lists):
        self._lists = lists

    def numpy_lists(self) -> list[list[Array]]:
        """The lists of arrays, one for each device.

        Returns:
            A list of one list.
        """
        return self._lists

    def numpy_list(self, parallel_id: int | None = None) -> list[Array]:
        """The list of arrays of a device.

        Args:
            parallel_id: The number of the device; None where there is one.

        Returns:
            The arrays.
        """
        return self._lists[_check_parallel_id(parallel_id)]

    def parallel_num(self) -> int:
        """The number of devices that have a part.

        Returns:
            1 in this version.
        """
        return len(self._lists)

    def __repr__(self):
        return f"LocalMirroredTensorList({self._lists!r})"


class CallbackErrors:
    """Exceptions raised by callbacks, kept until the user's thread can raise them.
    Thread-safe."""

    def __init__(self):
        self._lock = threading.Lock()
        self._errors = []
        self._thread = threading.local()
        # (job, place) of the callbacks that have not returned, the innermost last.
        self._running = []

    @property
    def is_inside(self):
        """Whether this thread is in a callback."""
        return getattr(self._thread, "depth", 0) > 0

    def guard(self, function, job, place):
        """Calls `function`; keeps an exception that it raises."""
        self._thread.depth = getattr(self._thread, "depth", 0) + 1
        entry = (job, place)
        self._running.append(entry)
        try:
            function()
        except BaseException as error:  # even SystemExit belongs to the user
            if hasattr(error, "add_note"):
                error.add_note(
                    errors.located("raised in the callback given here", place, job)
                )
            with self._lock:
                self._errors.append(error)
        finally:
            self._running.remove(entry)
            self._thread.depth -= 1

    def describe_running(self):
        """Says that a callback has not returned, and which."""
        running = list(self._running)
        job, place = running[-1] if running else (None, ())
        return errors.located("a callback has not returned", place, job)

    def raise_first(self):
        """Raises the oldest exception, if there is one, and discards the others."""
        if not self._errors:
            return
        with self._lock:
            kept, self._errors = self._errors, []
        if kept:
            if len(kept) > 1 and hasattr(kept[0], "add_note"):
                kept[0].add_note(f"and {len(kept) - 1} more callbacks raised after it")
            raise kept[0]


class LazyFuture:
    """A call in flight, returned by a job without a return annotation."""

    def __init__(self, call):
        self._call = call
        self._delivered = False

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(f"'LazyFuture' object has no attribute {name!r}")
        raise errors.UnknownNameError(
            errors.located(
                f"expects get or async_get of a call but got {name}: get() waits for the "
                "results, as each call does of a job with a return annotation",
                frames.user_frames(),
                self._call.job_name,
            )
        )

    def _deliver(self):
        if self._delivered:
            raise errors.ArgumentError(
                errors.located(
                    "expects one get or async_get for each call but got a second",
                    frames.user_frames(),
                    self._call.job_name,
                )
            )
        self._delivered = True

    def get(self) -> Any:
        """Waits for the step and returns its results.

        Returns:
            The results in the structure of the job, each a LocalMirroredTensor.

        Raises:
            JobRuntimeError: The step failed.
            NumericsError: A checked step computed a NaN or an infinity.
            ArgumentError: The results were taken before.
        """
        self._deliver()
        try:
            return self._call.wait()
        except KeyboardInterrupt:  # the step goes on: the user may ask again
            self._delivered = False
            raise

    def async_get(self, callback: Callable[[Any], object]) -> None:
        """Calls a function once when the step is done.

        It is called on the session's callback thread, or immediately if the step is
        already done.

        Args:
            callback: A function of the results.

        Raises:
            ArgumentError: The results were taken before.
        """
        if not callable(callback):
            raise errors.ArgumentTypeError(
                errors.located(
                    f"expects a function to call with the results but got {callback!r}",
                    frames.user_frames(),
                    self._call.job_name,
                )
            )
        self._deliver()
        self._call.on_done(callback)
