"""watch and watch_diff: functions that see the value of a blob, or the gradient with
respect to it, at every step."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy

from . import annotations, errors, observers, scopes
from .blob import BlobDef
from .documentation import of_op
from .future import LocalMirroredTensor, LocalMirroredTensorList
from .global_config import state as config
from .trace import begin

_DEPTHS = {
    annotations.Numpy: 0,
    annotations.ListNumpy: 1,
    annotations.ListListNumpy: 2,
}


def _parameter(op, handler):
    """The only parameter of a handler, or None where Python knows no signature."""
    try:
        signature = annotations.signature(handler)
    except errors.JobDefinitionError as error:
        if isinstance(error.__cause__, (ValueError, TypeError)):
            return None
        op.fail(str(error), errors.JobDefinitionError)
    parameters = list(signature.parameters.values())
    if len(parameters) != 1 or parameters[0].kind in (
        inspect.Parameter.KEYWORD_ONLY,
        inspect.Parameter.VAR_KEYWORD,
    ):
        listed = ", ".join(map(str, parameters)) or "none"
        op.fail(
            f"watch callback should accept only one parameter, but got {listed}",
            errors.JobDefinitionError,
        )
    return parameters[0]


def _converter(op, handler, blob):
    """What makes the value that a handler asks for of an array. `blob` is the one that it
    is the value of, or None for a gradient."""

    def listed(array):
        if blob is not None and blob._examples is not None:
            return annotations.split_list(array)
        return [array]

    parameter = _parameter(op, handler)
    if parameter is None or parameter.annotation is parameter.empty:
        if config.values["typing_check"]:
            op.fail(
                "the parameter of a watch callback is not annotated, which "
                "experimental.enable_typing_check asks for",
                errors.JobDefinitionError,
            )
        if blob is not None and blob.is_tensor_list:
            return lambda array: LocalMirroredTensorList([listed(array)])
        return LocalMirroredTensor
    annotation = parameter.annotation
    if not isinstance(annotation, type) or annotation not in _DEPTHS:
        op.fail(
            f"invalid watch callback parameter annotation {annotation!r} found: "
            "expects oneflow.typing.Numpy, ListNumpy or ListListNumpy",
            errors.JobDefinitionError,
        )
    depth = _DEPTHS[annotation]
    if depth == 2:
        return lambda array: [listed(array)]
    return lambda array: annotations.nested(array, depth)


def _print_with(prompt):
    def handler(value):
        if prompt is not None:
            print(prompt)
        print(value)

    return handler


def _handler(op, handler_or_prompt, blob=None):
    """A function of the array of each step."""
    if handler_or_prompt is None or isinstance(handler_or_prompt, str):
        return _print_with(handler_or_prompt)
    if not callable(handler_or_prompt):
        op.fail(
            "expects a function of one parameter, a text to print or None to watch "
            f"with but got {handler_or_prompt!r}",
            errors.JobDefinitionError,
        )
    convert = _converter(op, handler_or_prompt, blob)
    return lambda array: handler_or_prompt(convert(array))


@of_op
def watch(
    blob_watched: BlobDef,
    handler_or_prompt: Callable[[Any], object] | str | None = None,
) -> None:
    """Calls a function with the value of a blob at every step.

    Handlers run on the session's callback thread, or on the caller's if the step is
    already done, one at a time, in the order of the steps and, in a step, of the calls
    of watch; get() and calls with a return annotation wait for them. An exception of a
    handler is raised there, or by sync_default_session. In a step that fails, no
    handler is called. The value of a variable is that before the step's update. A blob
    of micro-steps is seen once for each.

    The blob is a result of the job behind those that the user returns, in the IR that
    dump_ir gives, too. No other program has the handler, so job-compile refuses such a
    job.

    Args:
        blob_watched: (...), any element type.
        handler_or_prompt: A function of one parameter, whose annotation says what it is
            given: typing.Numpy an array, ListNumpy a list with the array of each
            device, ListListNumpy a list of such lists; without one it is a
            LocalMirroredTensor. A text, or None, prints the value, after the text.

    Raises:
        OutsideJobError: Called outside of a job function.
        JobDefinitionError: The handler does not take one parameter.
        BlobValueError: blob_watched is no blob.
    """
    op = begin("watch", None, "Watch")
    blob = op.blob(blob_watched, "the watched blob", dynamic=True)
    handler = _handler(op, handler_or_prompt, blob)
    _observe(op, handler, blob, blob)


@of_op
def watch_diff(
    blob_watched: BlobDef,
    handler_or_prompt: Callable[[Any], object] | str | None = None,
) -> None:
    """Calls a function, as watch does, with the gradient with respect to a blob.

    The gradient is that of the sum of all elements of all losses, times the loss scale.
    It is not divided by the number of elements, nor clipped, and has no term of a
    regularizer. It is zero if no loss depends on the blob. A blob is watched once.

    Args:
        blob_watched: (...), f16/bf16/f32/f64; may be an argument.
        handler_or_prompt: As of watch.

    Raises:
        OutsideJobError: Called outside of a job function.
        JobBuildAndInferError: The job is no training job, or the blob has been watched.
        JobDefinitionError: The handler does not take one parameter.
        BlobValueError: blob_watched is no blob.
    """
    op = begin("watch_diff", None, "WatchDiff")
    blob = op.blob(blob_watched, "the watched blob")
    if op.trace.kind != "train":
        op.fail("expects a training job to watch a gradient in but got one of predict")
    if not blob.dtype.is_float():
        op.fail(
            "expects a blob of floats to watch its gradient but got one of "
            f"{blob.dtype.canonical}"
        )
    if blob in op.trace.watched_gradients:
        op.fail(
            f"expects a blob whose gradient is not watched but got {blob.op_name}: diff "
            "blob has been watched"
        )
    op.trace.watched_gradients.add(blob)
    handler = _handler(op, handler_or_prompt)
    _observe(op, handler, blob, op("gradient", blob))


def _observe(op, handler, watched, blob):
    """Calls `handler` with `blob`, for each of its micro-steps."""
    count = watched._micro_steps
    if count <= 1:
        observers.add(op, handler, [blob])
        return
    if blob.is_dynamic:
        op.fail(
            "expects a blob of micro-steps to have a static shape to watch but got one "
            f"of at most {blob.shape}, of which pad_to_static makes one"
        )

    def handle_parts(array):
        for part in numpy.split(array, count):
            handler(part)

    with scopes.placed(scopes.current_placement() or watched._scope):
        parts = op("pack", blob, count=count)
    observers.add(op, handle_parts, [parts])
