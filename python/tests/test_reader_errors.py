"""Readers: what is wrong with files and arguments."""

import os

import pytest

import jobmlir as flow
import jobmlir.typing as tp
from models import raises_here
from records import ids, write_parts


# The messages name this file, so that the ops are here.


def define_ids(folder, **settings):
    @flow.global_function()
    def job() -> tp.Numpy:
        records = flow.data.ofrecord_reader(str(folder), name="reader", **settings)
        return flow.data.OFRecordRawDecoder(records, "id", shape=(), dtype=flow.int32)

    return job


def run_ids(folder, **settings):
    define_ids(folder, **settings)()


def test_a_missing_file(tmp_path):
    write_parts(tmp_path, [1])
    job = define_ids(tmp_path, data_part_num=2)
    job()
    for _ in range(2):  # it stays
        with raises_here(
            FileNotFoundError,
            "job job, op reader: ",
            f"cannot read {tmp_path}/part-1: no such file",
        ):
            job()


def test_seek_starts_a_reader_again(tmp_path):
    job = define_ids(tmp_path)
    with raises_here(FileNotFoundError, "part-0"):
        job()
    write_parts(tmp_path, [1])
    flow.data.seek(job, 0)
    assert ids(job, 1) == [[0]]


def test_a_pipe_is_no_file(tmp_path):
    """Its reader would wait for a writer."""
    os.mkfifo(tmp_path / "part-0")
    with raises_here(
        flow.errors.DataFormatError,
        f"expects a file but got a device or pipe: {tmp_path}/part-0",
    ):
        run_ids(tmp_path)


def test_a_damaged_file(tmp_path):
    write_parts(tmp_path, [3])
    path = tmp_path / "part-0"
    path.write_bytes(path.read_bytes()[:-3])
    job = define_ids(tmp_path)
    assert ids(job, 2) == [[0], [1]]
    size = len(path.read_bytes())
    with raises_here(
        ValueError,
        "op reader: expects a record of at most",
        f"of {path} but got a length of",
    ):
        job()
    assert size < 200


def test_a_damaged_record(tmp_path):
    (tmp_path / "part-0").write_bytes(b"\x02" + b"\0" * 7 + b"\x0a\x05")
    with raises_here(
        ValueError,
        "op OFRecordRawDecoder: expects an OFRecord but got a damaged one: expects 5 "
        f"bytes of field 1 but got 0: record 0 of {tmp_path}/part-0, at byte 0",
    ):
        run_ids(tmp_path)


def test_files_without_records(tmp_path):
    write_parts(tmp_path, [0, 0])
    with raises_here(
        ValueError, f"one record in {tmp_path}/part-0 and 1 more files but got none"
    ):
        run_ids(tmp_path, data_part_num=2)


def test_a_missing_feature(tmp_path):
    flow.data.write_ofrecord(tmp_path / "part-0", [{"id": [1]}, {"a": [1], "b": [2]}])
    with raises_here(
        ValueError,
        "expects a feature 'id' but got a record with features a, b: record 1 of "
        f"{tmp_path}/part-0, at byte ",
    ):
        run_ids(tmp_path, batch_size=2)


@pytest.mark.parametrize(
    "values, settings, message",
    [
        ([1, 2], {}, "expects 3 values of feature 'v' but got 2"),
        (
            [1, 2, 3, 4],
            {"auto_zero_padding": True},
            "expects at most 3 values of feature 'v' but got 4",
        ),
        (
            [b"abc", b"def"],
            {},
            "expects one bytes value of feature 'v' but got 2 of bytes",
        ),
    ],
)
def test_values_that_do_not_fit(tmp_path, values, settings, message):
    flow.data.write_ofrecord(tmp_path / "part-0", [{"v": values}])

    @flow.global_function()
    def job() -> tp.Numpy:
        records = flow.data.ofrecord_reader(str(tmp_path))
        return flow.data.OFRecordRawDecoder(records, "v", (3,), flow.float, **settings)

    with raises_here(ValueError, f"{message}: record 0 of"):
        job()


@pytest.mark.parametrize(
    "settings, message",
    [
        ({"batch_size": 0}, "expects batch_size to be an int of at least 1 but got 0"),
        ({"data_part_num": 1.5}, "expects data_part_num to be an int of at least 1"),
        ({"part_name_prefix": 3}, "expects part_name_prefix to be a str but got 3"),
        (
            {"part_name_suffix_length": -2},
            "expects part_name_suffix_length to be an int of at least -1 but got -2",
        ),
        (
            {"part_name_suffix_length": 10**9},
            "expects part_name_suffix_length to be at most 255, the length of a file's "
            "name, but got 1000000000",
        ),
        ({"part_name_prefix": "a\0"}, "expects a path without null characters to read"),
        ({"random_shuffle": 1}, "expects random_shuffle to be a bool but got 1"),
        (
            {"shuffle_after_epoch": "no"},
            "expects shuffle_after_epoch to be a bool but got 'no'",
        ),
        (
            {"shuffle_buffer_size": 0},
            "expects shuffle_buffer_size to be an int of at least 1 but got 0",
        ),
    ],
)
def test_arguments_of_a_reader(tmp_path, settings, message):
    with raises_here(flow.errors.JobBuildAndInferError, message):
        run_ids(tmp_path, **settings)


def test_a_folder_is_a_path():
    with raises_here(
        AssertionError, "expects a path to read the records from but got 3"
    ):

        @flow.global_function()
        def job():
            flow.data.ofrecord_reader(3)

        job()


def fails(body, *parts, cls=Exception):
    @flow.global_function()
    def job():
        return body()

    with raises_here(cls, *parts):
        job()
    flow.clear_default_session()


def test_misuse_of_records(tmp_path):
    def records():
        return flow.data.ofrecord_reader(str(tmp_path), name="reader")

    use = "records (reader): use a decoder, such as data.OFRecordRawDecoder"
    raw = flow.data.OFRecordRawDecoder
    fails(
        lambda: flow.math.relu(records()), f"to be a blob but got {use}", cls=TypeError
    )
    operators = (
        lambda: records() + 1,
        lambda: 2.0 / records(),
        lambda: flow.constant(1.0) * records(),
        lambda: records() < flow.constant(1.0),
        lambda: -records(),
        lambda: records()[0],
        lambda: records() @ flow.constant(1.0),
    )
    for use_operator in operators:
        fails(use_operator, f"to be a blob but got {use}", cls=TypeError)
    fails(
        records,
        f"nested RemoteBlob only, but got {use}",
        cls=flow.errors.JobDefinitionError,
    )
    fails(
        lambda: raw(flow.constant(1.0, flow.float, (2,)), "x", (1,), flow.float),
        "expects input_blob to be records of data.ofrecord_reader but got Constant",
        cls=TypeError,
    )
    fails(
        lambda: raw(records(), 3, (1,), flow.float),
        "expects blob_name to be the name of a feature but got 3",
    )
    fails(
        lambda: raw(records(), "x", (0,), flow.float),
        "expects shape to be a list of positive ints but got (0,)",
    )
    fails(
        lambda: raw(records(), "x", (2**40, 2**40), flow.float),
        "expects at most 2^59 elements but got more",
    )
    fails(
        lambda: raw(records(), "x", (1,), "float"),
        "expects the dtype of a decoder to be a dtype such as oneflow.float",
    )
    fails(
        lambda: raw(records(), "x", (1,), flow.float, dim1_varying_length=0),
        "expects dim1_varying_length to be a bool but got 0",
    )
    kept = []

    @flow.global_function()
    def first():
        kept.append(records())
        return flow.constant(1.0, flow.float, (2,))

    @flow.global_function()
    def second():
        return raw(kept[0], "x", (1,), flow.float)

    with raises_here(
        Exception, "expects input_blob to be of job second but got reader of job first"
    ):
        second()


def test_a_reader_outside_of_a_job():
    with raises_here(
        NotImplementedError, "operator data.ofrecord_reader was called outside of a job"
    ):
        flow.data.ofrecord_reader("data")


def test_arguments_of_seek(tmp_path):
    write_parts(tmp_path, [1])
    job = define_ids(tmp_path)

    @flow.global_function()
    def other(x: tp.Numpy.Placeholder((1,))) -> tp.Numpy:
        return x

    with raises_here(TypeError, "expects a job to move the readers of but got 3"):
        flow.data.seek(3, 0)
    with raises_here(
        AssertionError, "expects batch to be an int of at least 0 but got"
    ):
        flow.data.seek(job, -1)
    with raises_here(AssertionError, "expects a job with a reader but got other"):
        flow.data.seek(other, 1)
