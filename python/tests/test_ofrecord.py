"""The format of OFRecords: bytes written by hand, files, and what may be wrong."""

import struct

import hypothesis
import hypothesis.strategies as st
import numpy as np
import pytest

import jobmlir as flow
from jobmlir._src import ofrecord, record_wire
from jobmlir._src.host_graph import Problem
from models import raises_here


def entry(name, feature):
    """A record with one feature, from its bytes."""
    inner = bytes([0x0A, len(name)]) + name + bytes([0x12, len(feature)]) + feature
    return bytes([0x0A, len(inner)]) + inner


# Field numbers and lengths as protoc 3.20 writes them for record.proto.
SAMPLES = [
    (entry(b"b", b"\x0a\x05\x0a\x03abc"), "bytes", [b"abc"]),
    (entry(b"b", b"\x0a\x06\x0a\x01a\x0a\x01b"), "bytes", [b"a", b"b"]),
    (entry(b"f", b"\x12\x06\x0a\x04\x00\x00\xc0\x3f"), "float", np.float32([1.5])),
    (
        entry(b"d", b"\x1a\x0a\x0a\x08\x00\x00\x00\x00\x00\x00\x04\xc0"),
        "double",
        np.float64([-2.5]),
    ),
    (entry(b"i", b"\x22\x06\x0a\x04\x01\xac\x02\x00"), "int32", np.int32([1, 300, 0])),
    (
        entry(b"i", b"\x22\x0c\x0a\x0a" + b"\xff" * 9 + b"\x01"),
        "int32",
        np.int32([-1]),
    ),
    (
        entry(b"l", b"\x2a\x0b\x0a\x09" + b"\x80" * 8 + b"\x01"),
        "int64",
        np.int64([2**56]),
    ),
    # Not packed, as old writers may do.
    (entry(b"l", b"\x2a\x04\x08\x05\x08\x07"), "int64", np.int64([5, 7])),
    (entry(b"f", b"\x12\x05\x0d\x00\x00\x80\x3f"), "float", np.float32([1])),
    # A field that a later version may have.
    (entry(b"l", b"\x50\x01\x2a\x04\x78\x05\x08\x07"), "int64", np.int64([7])),
    # Two parts of one list.
    (entry(b"l", b"\x2a\x02\x08\x05\x2a\x02\x08\x07"), "int64", np.int64([5, 7])),
    # Of a oneof the last one counts.
    (entry(b"l", b"\x22\x02\x08\x05\x2a\x02\x08\x07"), "int64", np.int64([7])),
    (entry(b"e", b""), None, []),
]


@pytest.mark.parametrize("data, kind, values", SAMPLES)
def test_bytes_written_by_hand(data, kind, values):
    (feature,) = record_wire.parse(data).values()
    assert feature.kind == kind
    if kind == "bytes" or kind is None:
        assert list(feature.values) == list(values)
    else:
        np.testing.assert_array_equal(feature.values, values)
        assert feature.values.dtype == values.dtype


@pytest.mark.parametrize("data, kind, values", SAMPLES[:7])
def test_what_is_written_has_these_bytes(data, kind, values):
    (name,) = record_wire.parse(data)
    assert record_wire.serialize({name: record_wire.Feature(kind, values)}) == data


def test_several_features_and_names():
    record = {
        "": record_wire.Feature("int32", np.int32([1])),
        "größe": record_wire.Feature("bytes", [b""]),
        "long" * 40: record_wire.Feature("float", np.arange(500, dtype=np.float32)),
    }
    found = record_wire.parse(record_wire.serialize(record))
    assert list(found) == list(record)
    np.testing.assert_array_equal(found["long" * 40].values, np.arange(500))
    assert record_wire.parse(b"") == {}


@pytest.mark.parametrize(
    "data, message",
    [
        (b"\x0a", "expects more bytes of a varint but got the end"),
        (b"\xff" * 11, "expects a varint of at most 10 bytes"),
        (b"\x0a\x05\x00", "expects 5 bytes of field 1 but got 1"),
        (b"\x0b", "expects a wire type of 0, 1, 2 or 5 but got 3"),
        (b"\x00\x00", "expects the tag of a field but got 0"),
        (b"\x08\x01", "expects wire type 2 of field 1 but got 0"),
        (
            entry(b"\xff", b""),
            "expects the name of a feature in UTF-8 but got b'\\xff'",
        ),
        (
            entry(b"x", b"\x12\x05\x0a\x03abc"),
            "a multiple of 4 bytes of numbers but got 3",
        ),
        (entry(b"x", b"\x22\x04\x0a\x02\x80\x80"), "more bytes of a varint"),
        (entry(b"x", b"\x22\x14\x0a\x12" + b"\x01" * 17 + b"\x80"), "more bytes of a"),
        (entry(b"x", b"\x22\x14\x0a\x12" + b"\x80" * 17 + b"\x01"), "at most 10 bytes"),
        (entry(b"x", b"\x22\x0d\x0a\x0b" + b"\x80" * 10 + b"\x01"), "at most 10 bytes"),
        (entry(b"x", b"\x0a\x02\x08\x01"), "expects wire type 2 of field 1 but got 0"),
    ],
)
def test_damaged_bytes(data, message):
    with pytest.raises(record_wire.Malformed) as caught:
        record_wire.parse(data)
    assert message in str(caught.value)


@hypothesis.given(st.binary(max_size=60))
def test_random_bytes_never_crash(data):
    try:
        record_wire.parse(data)
    except record_wire.Malformed:
        pass


@hypothesis.given(
    st.integers(0, 200), st.integers(0, 255), st.sampled_from([s[0] for s in SAMPLES])
)
def test_changed_bytes_never_crash(index, byte, data):
    changed = bytearray(data)
    changed[index % len(changed)] = byte
    try:
        record_wire.parse(bytes(changed))
    except record_wire.Malformed:
        pass


@hypothesis.given(st.lists(st.integers(-(2**63), 2**63 - 1)))
def test_ints_round_trip(values):
    record = {"x": record_wire.Feature("int64", np.array(values, np.int64))}
    np.testing.assert_array_equal(
        record_wire.parse(record_wire.serialize(record))["x"].values, values
    )


# ===- Files ----------------------------------------------------------------===#


def test_a_file(tmp_path):
    path = tmp_path / "part-0"
    images = np.arange(6, dtype=np.uint8).reshape(2, 3)
    count = flow.data.write_ofrecord(
        path,
        [
            {"x": [1.0, 2.0], "y": [3, 4], "z": b"raw", "many": [b"a", b"bc"]},
            {"x": np.float32([5]), "y": np.int32(7), "z": images},
        ],
    )
    assert count == 2
    records = list(ofrecord.read_file(str(path)))
    assert [str(record) for record in records] == [
        f"record 0 of {path}, at byte 0",
        f"record 1 of {path}, at byte {8 + len(records[0].data)}",
    ]
    first, second = (record_wire.parse(record.data) for record in records)
    assert first["x"].kind == "double" and first["y"].kind == "int64"
    assert first["z"] == ("bytes", [b"raw"])
    assert first["many"] == ("bytes", [b"a", b"bc"])
    assert second["x"].kind == "float" and second["y"].kind == "int32"
    assert second["z"] == ("bytes", [images.tobytes()])
    size = struct.unpack("<q", path.read_bytes()[:8])[0]
    assert size == len(records[0].data)


@pytest.mark.parametrize(
    "content, message",
    [
        (b"\x01\x00", "expects the 8 bytes of a record's length at byte 0 of"),
        (
            struct.pack("<q", 5) + b"abc",
            "expects a record of at most 3 bytes at byte 0",
        ),
        (struct.pack("<q", -1) + b"abc", "but got a length of -1"),
        (struct.pack("<q", 2**62), "but got a length of 4611686018427387904"),
    ],
)
def test_damaged_files(tmp_path, content, message):
    path = tmp_path / "part-0"
    path.write_bytes(content)
    with pytest.raises(Problem) as caught:
        list(ofrecord.read_file(str(path)))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "record, message",
    [
        (3, "expects a dictionary of features for each record but got int"),
        ({1: [2]}, "as the name of a feature but got 1"),
        ({"\ud800": [2]}, "expects a str that UTF-8 can encode as the name of a feature"),
        ({"x": np.float16([2])}, "expects feature 'x' to be bytes, or int8, uint8"),
        ({"x": "text"}, "expects feature 'x' to be bytes, or int8, uint8"),
    ],
)
def test_what_cannot_be_written(tmp_path, record, message):
    with raises_here(AssertionError, message):
        flow.data.write_ofrecord(tmp_path / "part-0", [record])


def test_a_file_is_written_as_a_whole(tmp_path):
    path = tmp_path / "part-0"
    flow.data.write_ofrecord(path, [{"a": np.int32([1])}] * 3)
    path.chmod(0o640)
    before = path.read_bytes()

    def records():
        yield {"a": np.int32([2])}
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        flow.data.write_ofrecord(path, records())
    assert path.read_bytes() == before
    # The records may come from the file itself.
    (tmp_path / "link").symlink_to(path)
    flow.data.write_ofrecord(
        tmp_path / "link", ({"a": np.int32([2])} for _ in ofrecord.read_file(path))
    )
    assert (tmp_path / "link").is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    assert len(list(ofrecord.read_file(path))) == 3 and path.read_bytes() != before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["link", "part-0"]


def test_records_are_iterable(tmp_path):
    with raises_here(AssertionError, "expects an iterable of records but got NoneType"):
        flow.data.write_ofrecord(tmp_path / "part-0", None)
    assert not (tmp_path / "part-0").exists()


def test_a_folder_that_is_not_there(tmp_path):
    path = tmp_path / "none" / "part-0"
    with raises_here(FileNotFoundError, f"cannot write {path}: no such file"):
        flow.data.write_ofrecord(path, [])
