"""summary.*: what is in the files, read by a parser of our own and by TensorBoard's."""

import collections
import io
import os
import struct
import sys
import zlib

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from jobmlir._src import crc32c, event_files, wire
from models import raises_here

ONE = np.ones(1, np.float32)
RANDOM = np.random.default_rng(7)


# ===- A reader ------------------------------------------------------------===#


def slow_crc(data):
    """CRC-32C bit by bit, from its definition."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def unmask(masked):
    rotated = (masked - 0xA282EAD8) & 0xFFFFFFFF
    return (rotated >> 17 | rotated << 15) & 0xFFFFFFFF


def read_records(data):
    at = 0
    while at < len(data):
        length, crc = struct.unpack_from("<QI", data, at)
        assert slow_crc(data[at : at + 8]) == unmask(crc)
        body = data[at + 12 : at + 12 + length]
        assert len(body) == length
        (crc,) = struct.unpack_from("<I", data, at + 12 + length)
        assert slow_crc(body) == unmask(crc)
        yield body
        at += 16 + length
    assert at == len(data)


def read_varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if data[at - 1] < 0x80:
            return value, at


def read_message(data):
    """Fields of a message: lists of values by number."""
    fields, at = collections.defaultdict(list), 0
    while at < len(data):
        key, at = read_varint(data, at)
        number, kind = key >> 3, key & 7
        if kind == 0:
            value, at = read_varint(data, at)
        else:
            size = {1: 8, 5: 4}.get(kind)
            if size is None:
                assert kind == 2
                size, at = read_varint(data, at)
            value = data[at : at + size]
            assert len(value) == size
            at += size
        fields[number].append(value)
    return fields


def number_of(data):
    return struct.unpack({4: "<f", 8: "<d"}[len(data)], data)[0]


def doubles_of(data):
    return list(struct.unpack(f"<{len(data) // 8}d", data))


def the_file(folder):
    (path,) = folder.iterdir()
    assert "tfevents" in path.name
    return path


def read_values(folder):
    """(step, tag, fields) of all values; the first record is the version."""
    first, *events = map(read_message, read_records(the_file(folder).read_bytes()))
    assert first[3] == [b"brain.Event:2"] and number_of(first[1][0]) > 1.6e9
    out = []
    for event in events:
        step = event[2][0] if event[2] else 0
        for summary in event[5]:
            for value in read_message(summary)[1]:
                fields = read_message(value)
                out.append((step, fields[1][0].decode(), fields))
    return out


def read_scalars(folder):
    return [(s, tag, number_of(f[2][0])) for s, tag, f in read_values(folder)]


def define(body, shape=(1,), dtype=flow.float, kind="predict"):
    @flow.global_function(type=kind)
    def job(x: tp.Numpy.Placeholder(shape, dtype=dtype)):
        body(x)

    return job


# ===- Checksums and messages ------------------------------------------------===#


def test_known_checksums():
    """Those of RFC 3720, B.4."""
    for data, expected in (
        (b"", 0),
        (b"123456789", 0xE3069283),
        (bytes(32), 0x8A9136AA),
        (b"\xff" * 32, 0x62A8AB43),
        (bytes(range(32)), 0x46DD794E),
        (bytes(range(31, -1, -1)), 0x113FDB5C),
    ):
        assert crc32c.crc32c(data) == expected == slow_crc(data)


@pytest.mark.parametrize("size", [1, 4095, 4096, 4097, 10000, 65536, 65537])
def test_checksums_by_parts(size):
    data = RANDOM.integers(0, 256, size, np.uint8).tobytes()
    assert crc32c.crc32c(data) == slow_crc(data)


def test_numbers_on_the_wire():
    assert wire.varint(0) == b"\0" and wire.varint(300) == b"\xac\x02"
    assert wire.varint(-1) == b"\xff" * 9 + b"\x01"
    fields = wire.integer(1, 150) + wire.string(20, "é") + wire.float32(3, 0.5)
    assert read_message(fields) == {1: [150], 20: ["é".encode()], 3: [b"\0\0\0?"]}
    assert wire.integers(4, [3, 270]) == b"\x22\x03\x03\x8e\x02"
    assert doubles_of(read_message(wire.doubles(1, [1.5, -2]))[1][0]) == [1.5, -2]


@pytest.mark.parametrize(
    "data, end",
    [
        (b"", 0),
        (b"\0\0", 0),
        (wire.integer(1, 3), 2),
        (wire.integer(1, 0) + b"\0", 2),
        (wire.float64(1, 0), 9),
        (wire.float32(1, 0) + b"\0" * 7, 5),
        (wire.data(1, b"abc")[:-1], 0),
        (b"\x08", 0),
        (b"\xff" * 11, 0),
        (b"\x0b\x0c", 0),
        (b"\x0d\0", 0),
    ],
)
def test_the_end_of_a_message(data, end):
    assert wire.end_of_message(data) == end


# ===- Scalars ---------------------------------------------------------------===#


def test_the_example_of_the_older_api(tmp_path):
    """With steps and tags as blobs, as OneFlow has them."""

    @flow.global_function()
    def create():
        flow.summary.create_summary_writer(str(tmp_path))

    @flow.global_function()
    def job(
        value: tp.Numpy.Placeholder((1,)),
        step: tp.Numpy.Placeholder((1,), dtype=flow.int64),
        tag: tp.Numpy.Placeholder((20,), dtype=flow.int8),
    ):
        flow.summary.scalar(value, step, tag)

    @flow.global_function()
    def flush():
        flow.summary.flush_summary_writer()

    create()
    tags = [np.zeros(20, np.int8) for _ in range(2)]
    for tag, text in zip(tags, (b"test/loss", "tést".encode())):
        tag[: len(text)] = np.frombuffer(text, np.int8)
    for step in range(10):
        job(ONE * step / 4, np.array([10 * step]), tags[step % 2])
    flush()
    flow.sync_default_session()
    assert read_scalars(tmp_path) == [
        (10 * step, ("test/loss", "tést")[step % 2], step / 4) for step in range(10)
    ]


@pytest.mark.parametrize(
    "dtype",
    [flow.float32, flow.float64, flow.int64, flow.int32, flow.float16, flow.bfloat16],
)
def test_types_of_scalars(dtype, tmp_path):
    flow.summary.create_summary_writer(tmp_path)
    job = define(lambda x: flow.summary.scalar(x, 3, "x"), (1, 1), dtype)
    array = np.full((1, 1), 5).astype(flow.convert_oneflow_dtype_to_numpy_dtype(dtype))
    job(array).get()
    assert read_scalars(tmp_path) == [(3, "x", 5.0)]


def test_a_double_beyond_float32(tmp_path):
    flow.summary.create_summary_writer(tmp_path)
    job = define(lambda x: flow.summary.scalar(x, 0, "x"), dtype=flow.double)
    job(np.array([1e300])).get()
    job(np.array([np.nan])).get()
    first, second = read_scalars(tmp_path)
    assert first[2] == np.inf and np.isnan(second[2])


def test_steps_and_tags_by_default(tmp_path):
    flow.summary.create_summary_writer(tmp_path)

    @flow.global_function(type="train")
    def train(x: tp.Numpy.Placeholder((1,))):
        w = flow.get_variable("w", (1,), initializer=flow.ones_initializer())
        loss = flow.math.multiply(w, x, name="loss")
        flow.summary.scalar(loss)
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.5])
        flow.optimizer.SGD(rate, momentum=0).minimize(loss)

    @flow.global_function()
    def predict(x: tp.Numpy.Placeholder((1,))):
        flow.summary.scalar(x, tag="p")

    for _ in range(3):
        train(ONE).get()
    predict(ONE).get()
    predict(ONE).get()
    # The step of a training job is in its checkpoint.
    flow.experimental.set_interface_blob_value(
        "System-Train-TrainStep-train", np.array([70])
    )
    train(ONE).get()
    assert read_scalars(tmp_path) == [
        (0, "loss", 1.0),
        (1, "loss", 0.5),
        (2, "loss", 0.0),
        (0, "p", 1.0),
        (1, "p", 1.0),
        (70, "loss", -0.5),
    ]


def test_a_negative_step(tmp_path):
    flow.summary.create_summary_writer(tmp_path)
    define(lambda x: flow.summary.scalar(x, -1, "x"))(ONE).get()
    assert read_scalars(tmp_path) == [(2**64 - 1, "x", 1.0)]


# ===- Histograms and images -------------------------------------------------===#


@pytest.mark.parametrize(
    "values",
    [
        RANDOM.standard_normal((4, 50)),
        np.zeros((2, 3)),
        np.array([-1e300, -1e-300, 0.0, 1e-13, 3.0, 1e300]),
        np.array([7.0]),
    ],
    ids=["normal", "zeros", "extreme", "one"],
)
def test_histograms(values, tmp_path):
    flow.summary.create_summary_writer(tmp_path)
    job = define(lambda x: flow.summary.histogram(x, 2, "h"), values.shape, flow.double)
    with np.errstate(over="ignore"):
        job(values).get()
        squares = (values * values).sum()
    ((step, tag, fields),) = read_values(tmp_path)
    assert (step, tag) == (2, "h")
    histogram = read_message(fields[5][0])
    numbers = [number_of(histogram[n][0]) for n in range(1, 6)]
    low, high, count, total, of_squares = numbers
    assert (low, high, count) == (values.min(), values.max(), values.size)
    assert total == pytest.approx(values.sum()) and of_squares == pytest.approx(squares)
    limits, counts = doubles_of(histogram[6][0]), doubles_of(histogram[7][0])
    assert len(limits) == len(counts) and sum(counts) == values.size
    assert limits == sorted(set(limits))
    # Each bucket holds the values below its limit that no bucket before it holds.
    below = 0
    for limit, bucket in zip(limits, counts):
        below += bucket
        if limit < np.finfo(np.float64).max:
            assert below == (values < limit).sum()


@pytest.mark.parametrize("dtype", [flow.int8, flow.uint8, flow.int32, flow.float16])
def test_histograms_of_other_types(dtype, tmp_path):
    flow.summary.create_summary_writer(tmp_path)
    job = define(lambda x: flow.summary.histogram(x, 0, "h"), (5,), dtype)
    job(np.array([1, 2, 2, 3, 100]).astype(dtype.numpy)).get()
    ((_, _, fields),) = read_values(tmp_path)
    assert number_of(read_message(fields[5][0])[4][0]) == 108


def test_a_histogram_of_what_is_there(tmp_path):
    """A dynamic blob has its true size, which may be zero."""
    flow.summary.create_summary_writer(tmp_path)
    job = define(lambda x: flow.summary.histogram(flow.argwhere(x), 0, "h"), (3, 2))
    job(np.array([[0, 1], [0, 1], [1, 0]], np.float32)).get()
    job(np.zeros((3, 2), np.float32)).get()
    found = [read_message(fields[5][0]) for _, _, fields in read_values(tmp_path)]
    assert [number_of(fields[3][0]) for fields in found] == [6, 0]
    assert [len(fields[7][0]) > 0 for fields in found] == [True, False]


def test_numbers_that_have_no_bucket(tmp_path):
    flow.summary.create_summary_writer(tmp_path)
    job = define(lambda x: flow.summary.histogram(x, 0, "h"))
    for value, what in ((np.nan, "a NaN"), (-np.inf, "an infinity")):
        with pytest.raises(
            flow.errors.NumericsError,
            match=f"{__file__}:[0-9]+: job .*, op .*: expects finite numbers for the "
            f"histogram 'h' but got {what}",
        ):
            job(ONE * value).get()
    assert read_values(tmp_path) == []


def read_png(data):
    """The pixels of a PNG without filters."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, chunks = 8, {}
    while at < len(data):
        (length,) = struct.unpack_from(">I", data, at)
        body = data[at + 4 : at + 8 + length]
        (crc,) = struct.unpack_from(">I", data, at + 8 + length)
        assert crc == zlib.crc32(body)
        chunks[body[:4]] = body[4:]
        at += 12 + length
    width, height, depth, color, *rest = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert depth == 8 and rest == [0, 0, 0] and chunks[b"IEND"] == b""
    channels = {0: 1, 4: 2, 2: 3, 6: 4}[color]
    rows = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8)
    rows = rows.reshape(height, 1 + width * channels)
    assert not rows[:, 0].any()
    return rows[:, 1:].reshape(height, width, channels)


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
def test_images(channels, tmp_path):
    flow.summary.create_summary_writer(tmp_path)
    pixels = RANDOM.integers(0, 256, (3, 5, 7, channels), np.uint8)
    job = define(lambda x: flow.summary.image(x, 4, "i"), pixels.shape, flow.uint8)
    job(pixels).get()
    values = read_values(tmp_path)
    assert [(s, t) for s, t, _ in values] == [(4, f"i/image/{n}") for n in range(3)]
    for index, (_, _, fields) in enumerate(values):
        image = read_message(fields[4][0])
        assert [image[n][0] for n in (1, 2, 3)] == [5, 7, channels]
        np.testing.assert_array_equal(read_png(image[4][0]), pixels[index])


def test_an_image_as_pillow_reads_it(tmp_path):
    pillow = pytest.importorskip("PIL.Image")
    pixels = RANDOM.integers(0, 256, (1, 200, 100, 3), np.uint8)
    flow.summary.create_summary_writer(tmp_path)
    job = define(lambda x: flow.summary.image(x, tag="i"), pixels.shape, flow.uint8)
    job(pixels).get()
    ((_, tag, fields),) = read_values(tmp_path)
    assert tag == "i/image"
    data = read_message(fields[4][0])[4][0]
    np.testing.assert_array_equal(np.asarray(pillow.open(io.BytesIO(data))), pixels[0])


def test_messages(tmp_path):
    flow.summary.create_summary_writer(tmp_path)
    summary = event_files.scalar("a", 1.5) + event_files.scalar("b", 0.0)
    padded = np.zeros(100, np.int8)
    padded[: len(summary)] = np.frombuffer(summary, np.int8)
    job = define(lambda x: flow.summary.pb(x, 9), (100,), flow.int8)
    job(padded).get()
    assert read_scalars(tmp_path) == [(9, "a", 1.5), (9, "b", 0.0)]
    padded[60] = 3
    with pytest.raises(
        flow.errors.SummaryError,
        match="expects a message Summary but got bytes of which the first "
        f"{len(summary)} of 100 are fields of one",
    ):
        job(padded).get()


def test_tensorboard_reads_the_file(tmp_path):
    loader = pytest.importorskip(
        "tensorboard.backend.event_processing.event_file_loader"
    )
    pixels = RANDOM.integers(0, 256, (2, 30, 40, 3), np.uint8)
    flow.summary.create_summary_writer(tmp_path)

    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder((64,)),
        p: tp.Numpy.Placeholder(pixels.shape, dtype=flow.uint8),
    ):
        flow.summary.scalar(flow.math.reduce_mean(x), 5, "mean")
        flow.summary.histogram(x, 5, "values")
        flow.summary.image(p, 5, "pixels")

    x = RANDOM.standard_normal(64).astype(np.float32)
    job(x, pixels).get()
    events = list(loader.RawEventFileLoader(str(the_file(tmp_path))).Load())
    assert len(events) == 4
    events = list(loader.LegacyEventFileLoader(str(the_file(tmp_path))).Load())
    assert events[0].file_version == "brain.Event:2"
    assert [event.step for event in events] == [0, 5, 5, 5]
    assert events[1].summary.value[0].simple_value == pytest.approx(x.mean())
    histogram = events[2].summary.value[0].histo
    assert (histogram.min, histogram.max) == (x.min(), x.max())
    assert histogram.num == sum(histogram.bucket) == 64
    images = events[3].summary.value
    assert [value.tag for value in images] == ["pixels/image/0", "pixels/image/1"]
    assert images[0].image.height == 30 and images[0].image.width == 40
    np.testing.assert_array_equal(
        read_png(images[1].image.encoded_image_string), pixels[1]
    )


# ===- Writers ---------------------------------------------------------------===#


def test_a_writer_in_the_same_folder_stays(tmp_path):
    @flow.global_function()
    def create():
        flow.summary.create_summary_writer(tmp_path / "a")

    for _ in range(3):
        create().get()
    assert len(list((tmp_path / "a").iterdir())) == 1
    flow.clear_default_session()
    job = define(lambda x: flow.summary.scalar(x, 0, "x"))
    flow.summary.create_summary_writer(tmp_path / "a")
    flow.summary.create_summary_writer(tmp_path / "b")
    job(ONE).get()
    assert len(list((tmp_path / "a").iterdir())) == 2
    assert read_scalars(tmp_path / "b") == [(0, "x", 1.0)]


def test_without_a_writer():
    job = define(lambda x: flow.summary.scalar(x, 0, "x"))
    with pytest.raises(
        flow.errors.SummaryError,
        match="expects summary.create_summary_writer before a summary but got none",
    ):
        job(ONE).get()
    with raises_here(RuntimeError, "expects summary.create_summary_writer before"):
        flow.summary.flush_summary_writer()


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    with raises_here(
        flow.errors.SummaryError,
        f"'{tmp_path}/file/logs': cannot write summaries: not a directory",
    ):
        flow.summary.create_summary_writer(tmp_path / "file" / "logs")
    with raises_here(AssertionError, "expects a path to write summaries to but got 3"):
        flow.summary.create_summary_writer(3)


def test_a_file_that_cannot_grow(tmp_path, monkeypatch):
    flow.summary.create_summary_writer(tmp_path)
    job = define(lambda x: flow.summary.scalar(x, 0, "x"))

    def fails(self, data):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(event_files.EventFile, "add", fails)
    with pytest.raises(flow.errors.SummaryError, match="summaries: no space left on"):
        job(ONE).get()


def test_a_fork_writes_nothing_twice(tmp_path):
    flow.summary.create_summary_writer(tmp_path)
    define(lambda x: flow.summary.scalar(x, 0, "x"))(ONE).get()
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        flow.clear_default_session()
        os._exit(0)
    os.waitpid(pid, 0)
    assert read_scalars(tmp_path) == [(0, "x", 1.0)]


# ===- Mistakes --------------------------------------------------------------===#

SUMMARY = flow.summary
FLOAT, BYTES = flow.float, flow.uint8


@pytest.mark.parametrize(
    "body, shape, dtype, expected",
    [
        (lambda x: SUMMARY.scalar(x), (2,), FLOAT, "value to have one element but got"),
        (lambda x: SUMMARY.scalar(x), (1,), BYTES, "float16 or bfloat16 but got uint8"),
        (lambda x: SUMMARY.scalar(3), (1,), FLOAT, "value to be a blob but got int"),
        (lambda x: SUMMARY.scalar(x, "a"), (1,), FLOAT, "step to be a blob, an int or"),
        (lambda x: SUMMARY.scalar(x, 2**63), (1,), FLOAT, "step in [-2^63, 2^63) but"),
        (lambda x: SUMMARY.scalar(x, x), (1,), FLOAT, "step of int64 or int32 but got"),
        (lambda x: SUMMARY.scalar(x, 0, 3), (1,), FLOAT, "tag to be a str or a blob"),
        (lambda x: SUMMARY.scalar(x, 0, ""), (1,), FLOAT, "a tag of at least one char"),
        (lambda x: SUMMARY.scalar(x, 0, x), (1,), FLOAT, "tag of int8 or uint8 but"),
        (lambda x: SUMMARY.image(x), (2, 3, 4, 5), BYTES, "1 to 4 channels but got"),
        (lambda x: SUMMARY.image(x), (2, 3, 4), BYTES, "channels but got (2, 3, 4)"),
        (lambda x: SUMMARY.image(x), (2, 3, 4, 1), FLOAT, "of uint8 but got float32"),
        (lambda x: SUMMARY.pb(x), (2,), FLOAT, "int8 or uint8 but got float32"),
        (
            lambda x: SUMMARY.scalar(flow.unpack(x, 2)),
            (2,),
            FLOAT,
            "value to be a per-step blob but got a per-micro-step blob (2 micro-steps)",
        ),
    ],
)
def test_arguments_that_do_not_fit(body, shape, dtype, expected):
    define(body, shape, dtype)
    with raises_here((AssertionError, TypeError), "job job", expected):
        flow.dump_ir()


def test_a_tag_that_is_no_text(tmp_path):
    flow.summary.create_summary_writer(tmp_path)

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((1,)), t: tp.Numpy.Placeholder((2,), flow.int8)):
        flow.summary.scalar(x, 0, t)

    for tag in ([-1, -2], [0, 0]):
        with pytest.raises(
            flow.errors.SummaryError, match="expects a tag of text in UTF-8 but got the"
        ):
            job(ONE, np.array(tag, np.int8)).get()


def test_outside_of_jobs():
    for function in (SUMMARY.scalar, SUMMARY.histogram, SUMMARY.image, SUMMARY.pb):
        name = f"summary.{function.__name__} was called outside of a job function"
        with raises_here(NotImplementedError, name):
            function(ONE)
