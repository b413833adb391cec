"""Ops that a user registers, and those that are Python functions on arrays, which the
session calls on the host (job.host_call). user_kernels has the others."""

from __future__ import annotations

import difflib
import threading
from collections.abc import Callable
from typing import Any, TypeVar

import numpy

from . import arguments, errors, frames, names, op_types
from . import dtype as dtypes
from .blob import Blob, BlobDef
from .documentation import documented
from .hints import Blobs
from .trace import begin as _begin

# The dialect's names of the dtypes of floats.
_FLOATS = ("f16", "bf16", "f32", "f64")

_registry = {}
_lock = threading.Lock()


def check_type(op_type, fail):
    if not isinstance(op_type, str) or not op_type:
        fail(f"expects the type of an op to be a str but got {op_type!r}")


def register(op_type, registered):
    """Adds a type of ops: an object with `emit`, which adds an op to a job."""
    with _lock:
        _registry[op_type] = registered


def find(op_type):
    """A registered type of ops, or None."""
    return _registry.get(op_type)


def register_user_op(
    op_type: str,
    infer: Callable[..., Any],
    forward: Callable[..., Any],
    gradient: Callable[..., Any] | None = None,
) -> None:
    """Registers a type of ops for user_op_builder, which the host computes.

    Ops run in the order of the job; a GPU's blobs are copied there and back. The
    functions run on a thread of the session and must not use the session. What they
    raise is raised by the call of the job. A type that is registered already is
    replaced, for jobs that are traced later.

    Args:
        op_type: The name of the type.
        infer: infer(*inputs, **attributes) gets the input blobs and returns the (shape,
            dtype) of each output, as a list, or the pair of the only output.
        forward: forward(*inputs, **attributes) gets numpy arrays and returns the
            outputs: an array, or a list of one for each output.
        gradient: gradient(inputs, outputs, gradients, **attributes) gets lists of
            arrays, the last of the gradients of the outputs of floats, and returns the
            gradients of the inputs of floats: an array, or a list of one for each, None
            for zeros. Without it, no loss may depend on a trainable variable through
            the op.

    Raises:
        JobDefinitionError: An argument does not fit.
    """
    place = frames.user_frames()

    def fail(problem):
        raise errors.JobDefinitionError(errors.located(problem, place))

    check_type(op_type, fail)
    for what, function in (("infer", infer), ("forward", forward)):
        if not callable(function):
            fail(
                f"expects {what} of op type {op_type} to be a function but got {function!r}"
            )
    if gradient is not None and not callable(gradient):
        fail(
            f"expects gradient of op type {op_type} to be a function or None but got "
            f"{gradient!r}"
        )
    register(op_type, _HostFunctions(infer, forward, gradient))


def _store(results, targets, what, zeros=False):
    """Writes what a user's function returned to the arrays of the session; with
    `zeros`, None stands for them."""
    if len(targets) == 1 and not isinstance(results, (list, tuple)):
        results = [results]
    if not isinstance(results, (list, tuple)) or len(results) != len(targets):
        got = (
            f"{len(results)} values"
            if isinstance(results, (list, tuple))
            else repr(type(results).__name__)
        )
        raise ValueError(
            f"expects {what} to return {len(targets)} arrays but got {got}"
        )
    for number, (value, target) in enumerate(zip(results, targets)):
        if value is None and zeros:
            target[...] = 0
            continue
        if value is None:
            raise ValueError(f"expects array {number} of {what} but got None")
        value = numpy.asarray(value)
        if value.shape != target.shape:
            raise ValueError(
                f"expects array {number} of {what} to have shape {target.shape} but got "
                f"{value.shape}"
            )
        if value.dtype != target.dtype and not numpy.can_cast(
            value.dtype, target.dtype, "same_kind"
        ):
            raise ValueError(
                f"expects array {number} of {what} to have elements of {target.dtype} but "
                f"got {value.dtype}"
            )
        target[...] = value


class _HostFunctions:
    """A registered type of ops that Python functions compute."""

    def __init__(self, infer, forward, gradient):
        self.infer = infer
        self.forward = forward
        self.gradient = gradient

    def emit(self, op, op_type, inputs, num_outputs, attributes):
        """The output blobs of an op of this type."""
        specs = self.infer(*inputs, **attributes)
        if isinstance(specs, tuple) and len(specs) == 2 and dtypes.is_dtype(specs[1]):
            specs = [specs]
        if not isinstance(specs, (list, tuple)) or len(specs) != num_outputs:
            op.fail(
                f"expects infer of op type {op_type} to return the (shape, dtype) of "
                f"{num_outputs} outputs but got {specs!r}"
            )
        results = []
        for spec in specs:
            if not isinstance(spec, (list, tuple)) or len(spec) != 2:
                op.fail(
                    f"expects infer of op type {op_type} to return pairs of a shape and a "
                    f"dtype but got {spec!r}"
                )
            dtype = dtypes.require_mlir(spec[1], f"an output of op type {op_type}")
            results.append((arguments.extents(op, spec[0]), dtype))
        name = f"{op.trace.name}/{op.name}"
        functions = op.trace.module_trace.host_functions
        num_inputs = len(inputs)

        def forward(*arrays):
            values = self.forward(*arrays[:num_inputs], **attributes)
            _store(values, arrays[num_inputs:], f"op type {op_type}")

        functions[name] = forward
        call = {"callee": name}
        if self.gradient is not None:
            # No name of a job has a space.
            call["gradient"] = f"gradient of {name}"
            num_gradients = sum(dtype in _FLOATS for _, dtype in results)
            ends = num_inputs + num_outputs, num_inputs + num_outputs + num_gradients

            def gradient(*arrays):
                values = self.gradient(
                    list(arrays[:num_inputs]),
                    list(arrays[num_inputs : ends[0]]),
                    list(arrays[ends[0] : ends[1]]),
                    **attributes,
                )
                _store(
                    values,
                    arrays[ends[1] :],
                    f"the gradient of op type {op_type}",
                    zeros=True,
                )

            functions[call["gradient"]] = gradient
        outputs = op(
            "host_call",
            *inputs,
            result=results,
            **call,
        )
        return list(outputs) if isinstance(outputs, tuple) else [outputs]


def _unknown(op_type):
    """What the description of an op of this type says."""
    registered = ", ".join(sorted(_registry)) or "none"
    hint = ""
    own = names.elsewhere(op_types.ELSEWHERE.get(op_type, op_type))
    near = difflib.get_close_matches(op_type, [*_registry, *op_types.table()], 1)
    if own:
        hint = f"; call {names.public(own)} for that of OneFlow"
    elif near:
        hint = f": did you mean {near[0]!r}?"
    return (
        "expects an op type of OneFlow, or one that register_user_op or "
        f"register_user_kernel has registered ({registered}) but got {op_type!r}{hint}"
    )


def _build(api, op_name, op_type, inputs, outputs, attributes):
    """The output blobs of an op of a type that is registered, or of OneFlow's. Inputs
    are pairs of a name and blobs, outputs those of a name and a number."""
    registered = find(op_type)
    own = op_types.table().get(op_type)
    if registered is None and own is not None:
        return own.build(inputs, outputs, attributes, op_name)
    op = _begin(api, op_name, op_type)
    if registered is None:
        op.fail(_unknown(op_type))
    blobs = [blob for _, listed in inputs for blob in listed]
    blobs = [op.blob(blob, f"input {i}") for i, blob in enumerate(blobs)]
    count = sum(number for _, number in outputs)
    return registered.emit(op, op_type, blobs, count, attributes)


class UserOp:
    """An op that user_op_builder has built."""

    def __init__(self, outputs):
        self._outputs = outputs

    def InferAndTryRun(self) -> UserOp:
        """The op itself: it was added to the job by Build.

        Returns:
            The op.
        """
        return self

    def RemoteBlobList(self) -> list[Blob]:
        """The outputs, in order.

        Returns:
            A list of blobs.
        """
        return list(self._outputs)

    def SoleOutputBlob(self) -> Blob:
        """The only output.

        Returns:
            A blob.

        Raises:
            JobBuildAndInferError: There are several.
        """
        if len(self._outputs) != 1:
            raise errors.JobBuildAndInferError(
                errors.located(
                    f"expects an op with one output but got one with {len(self._outputs)}",
                    frames.user_frames(),
                )
            )
        return self._outputs[0]


_B = TypeVar("_B", bound="_Description")


class _Description:
    """What the builders of ops and of modules have in common."""

    def __init__(self, op_type=None):
        self._op_type = op_type
        self._outputs = []
        self._attributes = {}

    def _fail(self, problem):
        raise errors.JobBuildAndInferError(
            errors.located(problem, frames.user_frames())
        )

    def _check_name(self, name, what):
        if not isinstance(name, str) or not name:
            self._fail(f"expects the name of {what} to be a str but got {name!r}")

    def Output(self: _B, output_name: str, num: int = 1) -> _B:
        """Declares outputs.

        Args:
            output_name: Their name.
            num: Their number.

        Returns:
            The builder.

        Raises:
            JobBuildAndInferError: An argument does not fit.
        """
        self._check_name(output_name, "an output")
        if not arguments.is_int(num) or num < 1:
            self._fail(f"expects a positive number of outputs but got {num!r}")
        self._outputs.append((output_name, int(num)))
        return self

    def Attr(
        self: _B, attr_name: str, attr_value: Any, attr_type_name: object = None
    ) -> _B:
        """Gives the op an attribute, a keyword argument of its functions.

        Args:
            attr_name: Its name.
            attr_value: Its value.
            attr_type_name: Has no effect: the type that older scripts name.

        Returns:
            The builder.

        Raises:
            JobBuildAndInferError: attr_name is no name.
        """
        self._check_name(attr_name, "an attribute")
        self._attributes[attr_name] = attr_value
        return self

    def _check_complete(self):
        if self._op_type is None:
            self._fail("expects the type of the op (Op) before Build but got none")
        own = op_types.table().get(self._op_type)
        if not self._outputs and (own is None or own.outputs):
            self._fail("expects an output (Output) before Build but got none")


class UserOpConfBuilder(_Description):
    """Describes an op of a type: .Op(type).Input(name, blobs).Output(name)
    .Attr(name, value).Build(). Inputs and outputs are in the order of the calls."""

    def __init__(self, name):
        super().__init__()
        self._name = name
        self._inputs = []

    def Op(self, op_type_name: str) -> UserOpConfBuilder:
        """The type of the op.

        Args:
            op_type_name: Its name.

        Returns:
            The builder.

        Raises:
            JobBuildAndInferError: It is no name.
        """
        self._check_name(op_type_name, "a type of ops")
        self._op_type = op_type_name
        return self

    def Input(self, input_name: str, input_blob_list: Blobs) -> UserOpConfBuilder:
        """Adds input blobs.

        Args:
            input_name: Their name.
            input_blob_list: A list of blobs.

        Returns:
            The builder.

        Raises:
            JobBuildAndInferError: They are no blobs.
        """
        self._check_name(input_name, "an input")
        if not isinstance(input_blob_list, (list, tuple)):
            self._fail(f"expects a list of blobs but got {input_blob_list!r}")
        self._inputs.append((input_name, list(input_blob_list)))
        return self

    def Build(self) -> UserOp:
        """Adds the op to the job.

        Returns:
            The op.

        Raises:
            OutsideJobError: Called outside of a job function.
            JobBuildAndInferError: The inputs do not fit the type.
        """
        self._check_complete()
        return UserOp(
            _build(
                "user_op_builder",
                self._name,
                self._op_type,
                self._inputs,
                self._outputs,
                self._attributes,
            )
        )


@documented
def user_op_builder(name: str | None = None) -> UserOpConfBuilder:
    """Describes an op of a type of OneFlow's own ops, or of a registered one.

    Inputs, outputs and attributes have their names in OneFlow. The types are those of
    OneFlow, and those that register_user_op or register_user_kernel has registered.
    Operands are of any element type that the op has.

    Returns:
        A builder, as in .Op(type).Input(name, blobs).Output(name).Attr(name, value)
        .Build(). Inputs and outputs are in the order of the calls.

    Raises:
        OutsideJobError: Build is called outside of a job function.
        JobBuildAndInferError: The description does not fit the type.
    """
    return UserOpConfBuilder(name)


class UserOpModule:
    """A function of blobs that adds an op of a type each time that it is called.

    A call takes the blobs of all inputs in order, and the name of the op, and returns
    the list of the outputs."""

    def __init__(self, op_type, inputs, outputs, attributes):
        self._op_type = op_type
        self._inputs = inputs
        self._outputs = outputs
        self._attributes = attributes

    def __call__(self, *blobs: BlobDef, name: str | None = None) -> list[Blob]:
        count = sum(number for _, number in self._inputs)
        if len(blobs) != count:
            raise errors.JobBuildAndInferError(
                errors.located(
                    f"op type {self._op_type}: expects {count} blobs but got {len(blobs)}",
                    frames.user_frames(),
                )
            )
        left = iter(blobs)
        return _build(
            "user_op_module_builder",
            name,
            self._op_type,
            [(key, [next(left) for _ in range(n)]) for key, n in self._inputs],
            self._outputs,
            self._attributes,
        )


class UserOpModuleBuilder(_Description):
    """Describes a module: .InputSize(name, number).Output(name).Attr(name, value)
    .Build()."""

    def __init__(self, op_type):
        super().__init__(op_type)
        self._check_name(op_type, "a type of ops")
        self._inputs = []

    def InputSize(self, input_name: str, input_size: int) -> UserOpModuleBuilder:
        """Declares inputs.

        Args:
            input_name: Their name.
            input_size: Their number.

        Returns:
            The builder.

        Raises:
            JobBuildAndInferError: It is no number.
        """
        self._check_name(input_name, "an input")
        if not arguments.is_int(input_size) or input_size < 1:
            self._fail(f"expects a positive number of inputs but got {input_size!r}")
        self._inputs.append((input_name, int(input_size)))
        return self

    def Build(self) -> UserOpModule:
        """The module.

        Returns:
            A function of blobs that adds an op each time that it is called.

        Raises:
            JobBuildAndInferError: The description is not complete.
        """
        self._check_complete()
        return UserOpModule(
            self._op_type,
            list(self._inputs),
            list(self._outputs),
            dict(self._attributes),
        )


@documented
def user_op_module_builder(op_type_name: str) -> UserOpModuleBuilder:
    """Describes a module whose calls are ops of a type of OneFlow or a registered one.

    Operands are of any element type that the op has.

    Args:
        op_type_name: The name of the type.

    Returns:
        A builder, of which .InputSize(name, number).Output(name).Attr(name, value)
        .Build() gives a function of blobs.

    Raises:
        OutsideJobError: The module is called outside of a job function.
        JobBuildAndInferError: The description does not fit the type.
    """
    return UserOpModuleBuilder(op_type_name)
