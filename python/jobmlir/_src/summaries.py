"""summary.*: numbers, histograms and images of blobs, written at every step into the
files that TensorBoard shows."""

from __future__ import annotations

import itertools

import numpy

from . import (
    arguments,
    errors,
    event_files,
    frames,
    observers,
    proto_text,
    summary_messages,
    text,
    wire,
)
from . import dtype as dtypes
from .blob import Blob, BlobDef
from .default_session import get_default_session
from .documentation import family_of_values
from .hints import Path, Step, Tag
from .trace import begin, current_or_none

_NUMBERS = (dtypes.float32, dtypes.float64, dtypes.int64, dtypes.int32)
_SMALL = (dtypes.float16, dtypes.bfloat16, dtypes.int8, dtypes.uint8)


_of_summary = family_of_values(
    returns="",
    raises={
        "OutsideJobError": "Called outside of a job function.",
        "BlobValueError": "An argument is not a blob.",
        "JobBuildAndInferError": "A blob does not fit.",
        "SummaryError": "The file cannot be written: raised by the get() of the step.",
    },
    step="The step: a blob of one int64, an int, or None for the number of steps of the "
    "job so far.",
    tag="The tag: a str, or a blob of int8 with its bytes and zeros behind them; None "
    "is the name of the op.",
)

# ===- Arguments -------------------------------------------------------------===#


class _Step:
    """The step of a summary: a blob's value, an int, or None for the step of the job,
    which is the number of its calls for one that does not train."""

    def __init__(self, op, step):
        self.blobs = []
        self._fixed = None
        if step is None and op.trace.kind == "train":
            self.blobs = [op("step")]
        elif step is None:
            self._calls = itertools.count()
        elif arguments.is_int(step):
            if not arguments.fits_int64(step):
                op.fail(f"expects step in [-2^63, 2^63) but got {arguments.show(step)}")
            self._fixed = int(step)
        elif isinstance(step, Blob):
            self.blobs = [_one_element(op, step, "step", (dtypes.int64, dtypes.int32))]
        else:
            op.fail(
                f"expects step to be a blob, an int or None but got {step!r}",
                errors.BlobValueError,
            )

    def value(self, arrays):
        if self.blobs:
            return int(arrays[0].reshape(-1)[0])
        return next(self._calls) if self._fixed is None else self._fixed


class _Tag:
    """The tag of a summary: a str, or a blob of the bytes of one, which zeros may
    follow."""

    def __init__(self, op, tag, default):
        self.blobs = []
        self._fixed = default if tag is None else tag
        if isinstance(tag, Blob):
            self.blobs = [_observable(op, tag, "tag", (dtypes.int8, dtypes.uint8))]
        elif not isinstance(self._fixed, str) or not text.is_unicode(self._fixed):
            op.fail(
                f"expects tag to be a str or a blob of int8 but got {tag!r}",
                errors.BlobValueError,
            )
        elif not self._fixed:
            op.fail("expects a tag of at least one character but got ''")

    def value(self, arrays):
        if not self.blobs:
            return self._fixed
        data = arrays[0].tobytes().rstrip(b"\0")
        try:
            tag = data.decode()
        except UnicodeDecodeError:
            tag = ""
        if not tag:
            raise errors.SummaryError(
                f"expects a tag of text in UTF-8 but got the bytes {data!r}"
            )
        return tag


def _observable(op, blob, what, types):
    blob = op.blob(blob, what, dynamic=True)
    observers.require_per_step(op, blob, what)
    if blob.dtype not in types:
        names = [each.canonical for each in types]
        listed = " or ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)
        op.fail(f"expects {what} of {listed} but got {blob.dtype.canonical}")
    return blob


def _one_element(op, blob, what, types):
    blob = _observable(op, blob, what, types)
    if blob.is_dynamic or any(extent != 1 for extent in blob.shape):
        op.fail(f"expects {what} to have one element but got shape {blob.shape}")
    return blob


def _located(op):
    """Decorates what a step calls: its errors name the line and the op."""

    def decorate(function):
        def call(*arrays):
            try:
                function(*arrays)
            except (errors.SummaryError, errors.NumericsError) as error:
                raise type(error)(
                    errors.located(str(error), op.frames, op.trace.name, op.name)
                ) from None

        return call

    return decorate


def _add(op, value, step, tag, make):
    """Writes `make(tag, array)`, a message Summary, at every step."""
    summaries = op.trace.module_trace.summaries
    first = 1 + len(step.blobs)

    @_located(op)
    def write(array, *others):
        at = step.value(others[: first - 1])
        summaries.write(at, make(tag.value(others[first - 1 :]), array))

    observers.add(op, write, [value, *step.blobs, *tag.blobs])


# ===- The API ---------------------------------------------------------------===#


def _write_in_step(api, name, prefix, function):
    """Calls `function` of a session's Summaries at every step of the job that is being
    traced, or now if none is."""
    if current_or_none() is None:
        try:
            function(get_default_session().summaries)
        except errors.SummaryError as error:
            raise errors.SummaryError(
                errors.located(str(error), frames.user_frames())
            ) from None
        return
    op = begin(api, name, prefix)
    summaries = op.trace.module_trace.summaries
    observers.add(op, _located(op)(lambda: function(summaries)), [])


def create_summary_writer(logdir: Path, name: str | None = None) -> None:
    """Opens a file for TensorBoard in a folder.

    In a job when the job is called, elsewhere at once. The summaries of all jobs of the
    session go into the file that was opened last; a second call with the same folder
    changes nothing.

    Args:
        logdir: The folder, which is made if there is none.
        name: The name of the op in a job.

    Raises:
        SummaryError: The file cannot be written.
        ArgumentError: logdir is no path.
    """

    def fail(message):
        raise errors.ArgumentError(errors.located(message, frames.user_frames()))

    folder = arguments.path(fail, logdir, "write summaries to")
    _write_in_step(
        "summary.create_summary_writer",
        name,
        "CreateSummaryWriter",
        lambda summaries: summaries.create(folder),
    )


def flush_summary_writer(name: str | None = None) -> None:
    """Waits until all summaries so far are on the disk.

    They are those of steps that are done, which in a job includes the summaries before
    it.

    Args:
        name: The name of the op in a job.

    Raises:
        SummaryError: The file cannot be written.
    """
    _write_in_step(
        "summary.flush_summary_writer",
        name,
        "FlushSummaryWriter",
        lambda summaries: summaries.flush(),
    )


@_of_summary
def scalar(
    value: BlobDef,
    step: Step | None = None,
    tag: Tag | None = None,
    name: str | None = None,
) -> None:
    """Writes a number at every step.

    Args:
        value: A blob of one f32/f64/i64/i32; TensorBoard has f32.
    """
    op = begin("summary.scalar", name, "SummaryScalar")
    value = _one_element(op, value, "value", _NUMBERS + _SMALL[:2])
    _add(
        op,
        value,
        _Step(op, step),
        _Tag(op, tag, value.op_name),
        lambda tag, array: event_files.scalar(tag, array.reshape(-1)[0]),
    )


def _histogram(tag, array):
    for test, what in ((numpy.isnan, "a NaN"), (numpy.isinf, "an infinity")):
        if array.dtype.kind not in "iu" and test(array.astype(numpy.float64)).any():
            raise errors.NumericsError(
                f"expects finite numbers for the histogram '{tag}' but got {what}"
            )
    return event_files.histogram(tag, array)


@_of_summary
def histogram(
    value: BlobDef,
    step: Step | None = None,
    tag: Tag | None = None,
    name: str | None = None,
) -> None:
    """Writes the distribution of the elements of a blob at every step.

    A NaN or an infinity is a NumericsError of the step.

    Args:
        value: (...), f16/bf16/f32/f64 or i8/u8/i32/i64.
    """
    op = begin("summary.histogram", name, "SummaryHistogram")
    value = _observable(op, value, "value", _NUMBERS + _SMALL)
    _add(op, value, _Step(op, step), _Tag(op, tag, value.op_name), _histogram)


@_of_summary
def image(
    value: BlobDef,
    step: Step | None = None,
    tag: Tag | None = None,
    name: str | None = None,
) -> None:
    """Writes images at every step.

    Args:
        value: u8, (N, H, W, C), where one channel is grey, 3 are red, green and blue,
            and one more is alpha.
    """
    op = begin("summary.image", name, "SummaryImage")
    value = _observable(op, value, "value", (dtypes.uint8,))
    if len(value.shape) != 4 or value.shape[-1] > 4:
        op.fail(
            "expects value of shape (images, height, width, channels) with 1 to 4 "
            f"channels but got {value.shape}"
        )
    tag = _Tag(op, tag, value.op_name)
    _add(op, value, _Step(op, step), tag, event_files.images)


def _message(data):
    """A message Summary in the wire format, from the bytes of one or from its text."""
    if data.startswith(b"value"):  # no tag of the wire format
        try:
            parsed = proto_text.parse(
                summary_messages.SUMMARY, data.rstrip(b"\0").decode()
            )
        except (UnicodeDecodeError, proto_text.Malformed) as error:
            raise errors.SummaryError(
                f"expects the text of a message Summary but got {error} in it"
            ) from None
        return parsed.SerializeToString()
    end = wire.end_of_message(data)
    if data[end:].strip(b"\0"):
        raise errors.SummaryError(
            "expects a message Summary but got bytes of which the first "
            f"{end} of {len(data)} are fields of one"
        )
    return data[:end]


@_of_summary
def pb(value: BlobDef, step: Step | None = None, name: str | None = None) -> None:
    """Writes a message Summary of TensorBoard at every step.

    Args:
        value: A blob of i8 with the bytes of the message or those of its text, and
            zeros behind them.
    """
    op = begin("summary.pb", name, "SummaryPb")
    value = _observable(op, value, "value", (dtypes.int8, dtypes.uint8))
    _add(
        op,
        value,
        _Step(op, step),
        _Tag(op, None, "pb"),
        lambda tag, array: _message(array.tobytes()),
    )
