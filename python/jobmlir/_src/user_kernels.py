"""Ops that a user registers as MLIR text of a kernel, which is compiled with the jobs
that use it."""

from __future__ import annotations

import re
import typing
from collections.abc import Callable

from . import dtype as dtypes
from . import errors, frames, text, user_ops

# MLIR's parser of linalg.generic takes nothing else for granted.
_ITERATOR_TYPES = re.compile(
    r"iterator_types\s*=(?!\s*\[\s*(?:\"\w*\"\s*(?:,\s*\"\w*\"\s*)*)?\])"
)
_COMMENT = re.compile(r"//[^\n]*")


class KernelOperand(typing.NamedTuple):
    """The shape and the dtype of an operand of a kernel; as text its MLIR type."""

    shape: tuple
    dtype: type

    def __str__(self):
        return text.tensor(self.shape, self.dtype.mlir)


def _list(operands):
    return f"({', '.join(map(str, operands))})"


def _read(source, what, fail):
    """The inputs and outputs of a kernel, a list of KernelOperands each."""
    from jobmlir import _compiler

    plain = _COMMENT.sub("", source)
    if match := _ITERATOR_TYPES.search(plain):
        line = plain.count("\n", 0, match.start()) + 1
        fail(
            f"{what}, line {line}: expects iterator_types to be a list of strings, "
            'such as ["parallel", "reduction"], but got something else'
        )
    try:
        specs = _compiler.check_kernel(source)
    except _compiler.DiagnosticError as error:
        first = error.diagnostics[0]
        line = f", line {first['frames'][0][1]}" if first["frames"] else ""
        fail(f"{what}{line}: {first['message']}")
    return [
        [KernelOperand(tuple(shape), dtypes.from_mlir(dtype)) for shape, dtype in side]
        for side in specs
    ]


class _Source:
    """The text of a kernel, or the function that makes it for its operands."""

    def __init__(self, given, what, fail):
        self.given = given
        self.what = what
        if isinstance(given, str):
            self.operands = _read(given, what, fail)
        elif not callable(given):
            fail(f"expects {what} to be MLIR text or a function but got {given!r}")

    def of(self, inputs, attributes, fail):
        """The text for operands of these shapes, its inputs and its outputs."""
        source = self.given
        if not isinstance(source, str):
            source = source(*inputs, **attributes)
            if not isinstance(source, str):
                fail(f"expects {self.what} to return MLIR text but got {source!r}")
            read, results = _read(source, self.what, fail)
        else:
            if attributes:
                fail(
                    f"expects no attributes for {self.what}, which is a text, but got "
                    f"{', '.join(attributes)}"
                )
            read, results = self.operands
        return source, read, results


def _floats(operands):
    return [each for each in operands if each.dtype.is_float()]


class _Kernel:
    """A registered type of ops that texts of kernels compute."""

    def __init__(self, kernel, gradient):
        self.kernel = kernel
        self.gradient = gradient

    def sources(self, inputs, attributes, fail):
        """The texts of the kernel and of its gradient, which may be None, and the
        outputs."""
        kernel, read, outputs = self.kernel.of(inputs, attributes, fail)
        if read != inputs:
            fail(
                f"expects inputs {_list(read)}, those of {self.kernel.what}, but got "
                f"{_list(inputs)}"
            )
        if self.gradient is None:
            return kernel, None, outputs
        operands = [*inputs, *outputs, *_floats(outputs)]
        gradient, read, results = self.gradient.of(operands, attributes, fail)
        if read != operands:
            fail(
                f"expects {self.gradient.what} to have the inputs, the outputs and the "
                f"gradients of outputs, {_list(operands)}, as inputs but got "
                f"{_list(read)}"
            )
        if results != _floats(inputs):
            fail(
                f"expects {self.gradient.what} to have the gradients of inputs, "
                f"{_list(_floats(inputs))}, as outputs but got {_list(results)}"
            )
        return kernel, gradient, outputs

    def emit(self, op, op_type, blobs, num_outputs, attributes):
        """The output blobs of an op of this type."""
        inputs = [KernelOperand(blob.shape, blob.dtype) for blob in blobs]
        kernel, gradient, outputs = self.sources(inputs, attributes, op.fail)
        if len(outputs) != num_outputs:
            op.fail(
                f"expects {len(outputs)} outputs, as many as op type {op_type} has, but "
                f"got {num_outputs}"
            )
        return op.trace.emit_kernel(kernel, gradient, blobs, op.name, op.frames)


def register_user_kernel(
    op_type: str,
    kernel: str | Callable[..., str],
    gradient: str | Callable[..., str] | None = None,
) -> None:
    """Registers a type of ops for user_op_builder, which the compiler computes.

    It does so as with the ops of this package: on the CPU and on GPUs, in one kernel
    with the ops around them where that is faster, ahead of time too. A type that is
    registered already is replaced, for jobs that are traced later.

    Args:
        op_type: The name of the type.
        kernel: MLIR text: a func.func on tensors of static shape that consists of
            structured operations of linalg, elementwise operations of arith and math,
            and reshapes and slices of tensor. Inputs and outputs of the op are those of
            the function. Or a Python function kernel(*inputs, **attributes) that
            returns such text; inputs have a shape and a dtype, and as text (str,
            f-strings) are their MLIR types.
        gradient: Such a text or function, of the inputs, the outputs and the gradients
            of the outputs of floats, that returns the gradients of the inputs of
            floats; or the type of an op that was registered as one. None is the
            gradients of the operations in the text.

    Raises:
        JobDefinitionError: An argument does not fit, or the text is no kernel.
    """
    place = frames.user_frames()

    def fail(problem):
        raise errors.JobDefinitionError(errors.located(problem, place))

    user_ops.check_type(op_type, fail)
    source = _Source(kernel, f"the kernel of op type {op_type}", fail)
    if isinstance(gradient, str) and (known := user_ops.find(gradient)):
        if not isinstance(known, _Kernel):
            fail(
                f"expects gradient of op type {op_type} to be a type that "
                f"register_user_kernel has registered but got {gradient!r}"
            )
        gradient = known.kernel
    elif gradient is not None:
        gradient = _Source(gradient, f"the gradient of op type {op_type}", fail)
    registered = _Kernel(source, gradient)
    texts = (source, gradient)
    if all(each and isinstance(each.given, str) for each in texts):
        registered.sources(source.operands[0], {}, fail)
    user_ops.register(op_type, registered)
