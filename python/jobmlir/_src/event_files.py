"""TensorBoard's files of events, and the messages of summaries in them.

A file is a sequence of records: the length of the data as 8 bytes, its masked CRC,
the data, which is a message Event, and its masked CRC.
"""

import itertools
import os
import socket
import struct
import threading
import time
import weakref
import zlib

import numpy

from . import errors, wire
from .crc32c import masked

_counter = itertools.count()


# ===- Messages --------------------------------------------------------------===#


def event(step, summary):
    """An Event with a Summary."""
    return (
        wire.float64(1, time.time()) + wire.integer(2, step) + wire.data(5, summary)
    )


def graph_event(graph):
    """An Event with a GraphDef."""
    return wire.float64(1, time.time()) + wire.data(4, graph)


def _first_event():
    return wire.float64(1, time.time()) + wire.string(3, "brain.Event:2")


def _value(tag, content):
    """A Summary with one value."""
    return wire.data(1, wire.string(1, tag) + content)


def scalar(tag, number):
    """A Summary with a number, which is a float of 32 bits there."""
    with numpy.errstate(over="ignore"):
        return _value(tag, wire.float32(2, numpy.float32(number)))


def _make_limits():
    """Upper bounds of buckets, each a tenth wider than the one before it."""
    positive, limit = [], 1e-12
    while limit < 1e20:
        positive.append(limit)
        limit *= 1.1
    most = numpy.finfo(numpy.float64).max
    return numpy.array([-most, *[-x for x in positive[::-1]], 0.0, *positive, most])


_LIMITS = _make_limits()


def _buckets(values):
    """(limits, counts) of the buckets that hold values; neighbours that hold none are
    one bucket."""
    places = numpy.searchsorted(_LIMITS, values, side="right")
    counts = numpy.bincount(
        numpy.minimum(places, len(_LIMITS) - 1), minlength=len(_LIMITS)
    )
    limits, numbers = [], []
    for limit, count in zip(_LIMITS.tolist(), counts.tolist()):
        if count == 0 and numbers and numbers[-1] == 0:
            limits[-1] = limit
        else:
            limits.append(limit)
            numbers.append(count)
    if numbers[-1] == 0:
        limits.pop()
        numbers.pop()
    return limits, numbers


def histogram(tag, array):
    """A Summary with a histogram of finite numbers."""
    values = array.astype(numpy.float64).reshape(-1)
    limits, counts = _buckets(values)
    ends = (values.min(), values.max()) if values.size else (0.0, 0.0)
    with numpy.errstate(over="ignore"):
        sums = (values.sum(), (values * values).sum())
    content = (
        wire.float64(1, ends[0])
        + wire.float64(2, ends[1])
        + wire.float64(3, values.size)
        + wire.float64(4, sums[0])
        + wire.float64(5, sums[1])
        + wire.doubles(6, limits)
        + wire.doubles(7, counts)
    )
    return _value(tag, wire.data(5, content))


_PNG_COLORS = {1: 0, 2: 4, 3: 2, 4: 6}


def png(pixels):
    """A PNG of bytes of shape (height, width, channels): 1 grey, 2 with alpha, 3
    colors, 4 with alpha."""
    height, width, channels = pixels.shape

    def chunk(kind, content):
        body = kind + content
        length, crc = len(content), zlib.crc32(body)
        return struct.pack(">I", length) + body + struct.pack(">I", crc)

    header = struct.pack(">IIBBBBB", width, height, 8, _PNG_COLORS[channels], 0, 0, 0)
    # Each row begins with its filter, which is none.
    rows = numpy.zeros((height, 1 + width * channels), numpy.uint8)
    rows[:, 1:] = pixels.reshape(height, width * channels)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(rows.tobytes()))
        + chunk(b"IEND", b"")
    )


def images(tag, batch):
    """A Summary with the images of bytes of shape (n, height, width, channels)."""
    summary = b""
    for index, pixels in enumerate(batch):
        height, width, channels = pixels.shape
        content = (
            wire.integer(1, height)
            + wire.integer(2, width)
            + wire.integer(3, channels)
            + wire.data(4, png(pixels))
        )
        name = f"{tag}/image" if len(batch) == 1 else f"{tag}/image/{index}"
        summary += _value(name, wire.data(4, content))
    return summary


# ===- Files -----------------------------------------------------------------===#


def record(data):
    """The record of data."""
    length = struct.pack("<Q", len(data))
    return b"".join(
        (
            length,
            struct.pack("<I", masked(length)),
            data,
            struct.pack("<I", masked(data)),
        )
    )


class EventFile:
    """A new file of events in a folder, which is made if there is none. Each event is
    in the file when `add` returns. Not thread-safe."""

    def __init__(self, folder):
        os.makedirs(folder, exist_ok=True)
        host = socket.gethostname() or "localhost"
        name = f"{int(time.time()):010d}.{host}.{os.getpid()}.{next(_counter)}"
        self.path = os.path.join(folder, f"events.out.tfevents.{name}")
        # Without a buffer: that of a fork would be written twice.
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        self._descriptor = os.open(self.path, flags, 0o666)
        # A session that a callback clears leaves its file to the last callback.
        self.close = weakref.finalize(self, os.close, self._descriptor)
        self.close.atexit = False  # callbacks may still run then
        self.add(_first_event())

    def add(self, data):
        """Appends a message Event."""
        view = memoryview(record(data))
        while view.nbytes:
            view = view[os.write(self._descriptor, view) :]

    def flush(self):
        """Returns when all events are on the disk."""
        os.fsync(self._descriptor)


class Summaries:
    """The writer of a session. Thread-safe."""

    def __init__(self):
        self._lock = threading.Lock()
        self._folder = None
        self._file = None

    def create(self, folder):
        """Opens a new file in a folder, unless there is one in it."""
        with self._lock:
            if self._file is not None and self._folder == folder:
                return
            try:
                file = EventFile(folder)
            except OSError as error:
                _fail_to_write(folder, error)
            if self._file is not None:
                self._file.close()
            self._folder, self._file = folder, file

    def _require(self):
        if self._file is None:
            raise errors.SummaryError(
                "expects summary.create_summary_writer before a summary but got none"
            )
        return self._file

    def write(self, step, summary):
        """Appends a message Summary."""
        with self._lock:
            file = self._require()
            try:
                file.add(event(step, summary))
            except OSError as error:
                _fail_to_write(file.path, error)

    def flush(self):
        """Returns when all summaries are on the disk."""
        with self._lock:
            file = self._require()
            try:
                file.flush()
            except OSError as error:
                _fail_to_write(file.path, error)

    def forget_parent(self):
        """Drops the file of the parent in a forked child."""
        self._lock = threading.Lock()
        self.close()

    def close(self):
        """Closes the file."""
        with self._lock:
            if self._file is not None:
                self._file.close()
            self._folder = self._file = None


def _fail_to_write(path, error):
    reason = errors.reason(error)
    raise errors.SummaryError(f"'{path}': cannot write summaries: {reason}") from None
