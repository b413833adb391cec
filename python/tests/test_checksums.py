"""The checksums beside the folders of a checkpoint: what they find, what is read
without them, and that readers of OneFlow's layout do not see them."""

import json
import os
import pathlib
import shutil
import tempfile
import zlib

import numpy as np
import pytest

import jobmlir as flow
from models import batch, define_eval, define_train, raises_here, unprivileged

STEP = "System-Train-TrainStep-train_job"
WEIGHT = "Dense-weight"


def values():
    return {name: value.numpy() for name, value in flow.get_all_variables().items()}


def equal(left, right):
    return left.keys() == right.keys() and all(
        (left[name] == right[name]).all() for name in left
    )


@pytest.fixture
def saved(tmp_path):
    """A checkpoint; the variables of the session have other values afterwards."""
    job = define_train()
    path = tmp_path / "model"
    flow.train.CheckPoint().save(path)
    job(*batch())
    return path


def list_of(path):
    return json.loads((path / "checksums.json").read_text())


def set_list(path, content):
    (path / "checksums.json").write_text(
        content if isinstance(content, str) else json.dumps(content)
    )


def load_all(path):
    flow.train.CheckPoint().load(path)


def load_some(path):
    flow.load_variables(flow.checkpoint.get(path))


WAYS = pytest.mark.parametrize("load", [load_all, load_some])


def expect_refused(load, path, *parts, error=flow.errors.CheckpointDataError):
    """An error that changes no variable."""
    before = values()
    with raises_here(error, *parts):
        load(path)
    assert equal(values(), before)


def test_the_list(saved):
    files = {
        str(file.relative_to(saved)): file.read_bytes()
        for file in saved.rglob("*")
        if file.parent != saved
    }
    assert {f"{WEIGHT}/out", f"{WEIGHT}/meta", f"{STEP}/out"} < files.keys()
    assert list_of(saved) == {
        "format": 1,
        "files": {
            name: {"bytes": len(data), "crc32": zlib.crc32(data)}
            for name, data in files.items()
        },
    }


def test_the_older_layout_has_a_list_too(tmp_path):
    define_train()
    flow.config.enable_legacy_model_io(True)
    flow.train.CheckPoint().save(tmp_path)
    assert all(name.endswith("/out") for name in list_of(tmp_path)["files"])
    out = tmp_path / WEIGHT / "out"
    out.write_bytes(bytes(out.stat().st_size))
    expect_refused(load_all, tmp_path, f"'{out}': damaged: expects checksum")
    flow.config.enable_legacy_model_io(False)
    expect_refused(load_some, tmp_path, f"'{out}': damaged: expects checksum")


@WAYS
def test_a_flipped_bit(load, saved):
    out = saved / WEIGHT / "out"
    data = bytearray(out.read_bytes())
    data[-1] ^= 1
    out.write_bytes(data)
    expected = list_of(saved)["files"][f"{WEIGHT}/out"]["crc32"]
    expect_refused(
        load,
        saved,
        f"'{out}': damaged: expects checksum {expected:08x} but got "
        f"{zlib.crc32(data):08x}",
    )


@WAYS
def test_a_flipped_bit_of_a_description(load, saved):
    """Which stays a description of the same shape and type."""
    meta = saved / WEIGHT / "meta"
    meta.write_text(meta.read_text().replace("\n  dim", "\t  dim", 1))
    expect_refused(load, saved, f"'{meta}': damaged: expects checksum")


@WAYS
def test_a_truncated_file(load, saved):
    out = saved / WEIGHT / "out"
    out.write_bytes(out.read_bytes()[:-4])
    expect_refused(load, saved, f"'{out}': expects 120 bytes", "but got 116")
    meta = saved / WEIGHT / "meta"
    meta.write_bytes(meta.read_bytes()[:-1])
    expect_refused(load, saved, f"'{meta}': damaged: expects 46 bytes but got 45")


@WAYS
def test_swapped_files(load, tmp_path):
    """Of the same shape, so that nothing but the values differs."""

    @flow.global_function(type="predict")
    def job() -> flow.typing.Numpy:
        for name, value in (("a", 1), ("b", 2)):
            x = flow.get_variable(
                name, shape=(3,), initializer=flow.constant_initializer(value)
            )
        return x

    flow.train.CheckPoint().save(tmp_path / "model")
    a, b = (tmp_path / "model" / name for name in "ab")
    a.rename(tmp_path / "other")
    b.rename(a)
    (tmp_path / "other").rename(b)
    expect_refused(load, tmp_path / "model", f"'{a}/out': damaged: expects checksum")


@WAYS
def test_a_checkpoint_without_a_list(load, saved):
    """As OneFlow writes it: also damage that changes no size is loaded."""
    stored = flow.checkpoint.get(saved)
    expected = {name: value.numpy() for name, value in stored.items()}
    (saved / "checksums.json").unlink()
    load(saved)
    assert equal(values(), expected)
    out = saved / WEIGHT / "out"
    out.write_bytes(bytes(120))
    load(saved)
    assert not values()[WEIGHT].any()


@WAYS
@pytest.mark.parametrize(
    "content, expected",
    [
        ("", "expects a JSON object but got another text"),
        ("[]", "expects a JSON object but got another text"),
        ({"files": {}}, "expects format 1 but got None"),
        ({"format": 2, "files": {}}, "expects format 1 but got 2"),
        ({"format": 1}, "expects 'files' to be a JSON object but got None"),
        (
            {"format": 1, "files": {"x/out": {"bytes": 4}}},
            "expects bytes and crc32 of 'x/out' but got {'bytes': 4}",
        ),
        (
            {"format": 1, "files": {"x/out": {"bytes": -4, "crc32": 0}}},
            "expects bytes and crc32 of 'x/out' but got {'bytes': -4, 'crc32': 0}",
        ),
        (
            {"format": 1, "files": {"x/out": 7}},
            "expects bytes and crc32 of 'x/out' but got 7",
        ),
    ],
)
def test_a_list_that_is_none(content, expected, load, saved):
    set_list(saved, content)
    expect_refused(load, saved, f"'{saved}/checksums.json': {expected}")


def test_a_list_that_only_the_runtime_reads(tmp_path):
    """The older layout has no descriptions to compare before."""
    define_train()
    flow.config.enable_legacy_model_io(True)
    flow.train.CheckPoint().save(tmp_path)
    for content, error in (
        ("{", "expects JSON but got a syntax error"),
        ({"format": 2, "files": {}}, "expects format 1 but got 2"),
    ):
        set_list(tmp_path, content)
        expect_refused(load_all, tmp_path, f"'{tmp_path}/checksums.json': {error}")


def test_a_list_that_is_no_file(saved):
    (saved / "checksums.json").unlink()
    (saved / "checksums.json").mkdir()
    for load in (load_all, load_some):
        expect_refused(load, saved, "checksums.json': expects a file but got a folder")


@WAYS
def test_a_file_that_the_list_lacks(load, saved):
    """As damage of its name in the list would have it."""
    content = list_of(saved)
    content["files"]["Dense-weighs/out"] = content["files"].pop(f"{WEIGHT}/out")
    set_list(saved, content)
    if load is load_all:
        expected = f"'{saved}/checksums.json': expects a checksum of '{WEIGHT}/out'"
    else:
        expected = f"'{saved}/Dense-weighs/out': expects the file that 'checksums.json'"
    expect_refused(load, saved, expected, "but there is none")


@WAYS
def test_a_file_that_only_the_list_has(load, saved):
    meta = saved / WEIGHT / "meta"
    meta.unlink()
    expect_refused(
        load,
        saved,
        f"'{meta}': expects the file that 'checksums.json' has but there is none",
    )


@WAYS
@pytest.mark.parametrize("instead", ["nothing", "a file", "a link to nothing"])
def test_a_folder_that_only_the_list_has(instead, load, saved):
    shutil.rmtree(saved / WEIGHT)
    if instead == "a file":
        (saved / WEIGHT).write_text("")
    elif instead == "a link to nothing":
        (saved / WEIGHT).symlink_to("nothing")
    expect_refused(
        load,
        saved,
        f"'{saved}/{WEIGHT}/",
        "': expects the file that 'checksums.json' has but there is none",
    )


@WAYS
@pytest.mark.parametrize(
    "layout, place",
    [
        ("legacy", "."),
        ("legacy", WEIGHT),
        ("legacy", f"{WEIGHT}/out"),
        ("native", "."),
        ("native", "variables.safetensors"),
    ],
)
def test_what_may_not_be_read(layout, place, load):
    define_train()
    values()  # which makes the session
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)  # those of pytest are for one user
        path = pathlib.Path(folder, "model")
        flow.train.CheckPoint().save(path, layout)
        kept = path / place
        mode = kept.stat().st_mode
        kept.chmod(0)
        with (
            unprivileged(),
            raises_here(
                flow.errors.CheckpointIOError,
                f"'{kept}",
                "': cannot open: permission denied",
            ),
        ):
            load(path)
        kept.chmod(mode)


def test_an_added_folder_that_may_not_be_read():
    define_train()
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        path = pathlib.Path(folder, "model")
        flow.train.CheckPoint().save(path)
        (path / "added").mkdir(0)
        with unprivileged():
            load_all(path)
            load_some(path)


@WAYS
@pytest.mark.parametrize("place", ["model/moved", "moved"])
def test_a_folder_that_is_a_link(place, load, saved):
    """To one inside of the checkpoint, or outside."""
    stored = flow.checkpoint.get(saved)
    expected = {name: value.numpy() for name, value in stored.items()}
    moved = saved.parent / place
    (saved / WEIGHT).rename(moved)
    (saved / WEIGHT).symlink_to(moved)
    load(saved)
    assert equal(values(), expected)
    stored = flow.checkpoint.get(saved)
    assert equal({name: value.numpy() for name, value in stored.items()}, expected)


def test_only_what_is_loaded_is_compared(saved):
    """A part of a checkpoint, and a checkpoint of more variables."""
    out = saved / STEP / "out"
    out.write_bytes(b"\1" * 8)
    stored = flow.checkpoint.get(saved)
    expected = stored[WEIGHT].numpy()
    with raises_here(flow.errors.CheckpointDataError, f"'{out}': damaged"):
        stored[STEP].numpy()
    assert flow.load_variables({WEIGHT: stored[WEIGHT]}).loaded == [WEIGHT]
    assert (values()[WEIGHT] == expected).all()
    flow.clear_default_session()
    define_eval()
    load_all(saved)
    assert (values()[WEIGHT] == expected).all()


def test_what_others_have_added(saved):
    (saved / "notes").write_text("")
    (saved / WEIGHT / "notes").write_text("")
    shutil.copytree(saved / WEIGHT, saved / "added")
    load_all(saved)
    stored = flow.checkpoint.get(saved)
    assert stored["added"].shape == (5, 6)
    with raises_here(
        flow.errors.CheckpointDataError,
        "checksums.json': expects a checksum of 'added/out' but there is none",
    ):
        stored["added"].numpy()
    (saved / "checksums.json").unlink()
    stored = flow.checkpoint.get(saved)
    assert (stored["added"].numpy() == stored[WEIGHT].numpy()).all()


def test_the_folder_of_one_variable(saved, tmp_path):
    shutil.copytree(saved / WEIGHT, tmp_path / "alone")
    out = saved / WEIGHT / "out"
    out.write_bytes(bytes(120))
    with raises_here(flow.errors.CheckpointDataError, f"'{out}': damaged"):
        flow.checkpoint.get(saved / WEIGHT).numpy()
    assert flow.checkpoint.get(tmp_path / "alone").numpy().any()


def test_values_that_are_saved(tmp_path):
    """checkpoint.save writes the list too, also of a value without elements."""
    arrays = {"a": np.arange(6.0), "none": np.zeros((0, 3), np.float32)}
    flow.checkpoint.save(tmp_path / "c", arrays)
    assert list_of(tmp_path / "c")["files"]["none/out"] == {"bytes": 0, "crc32": 0}
    stored = flow.checkpoint.get(tmp_path / "c")
    assert equal({name: stored[name].numpy() for name in arrays}, arrays)
    with raises_here(
        flow.errors.CheckpointDataError,
        "variable 'checksums.json': its name cannot be a folder of the legacy layout",
    ):
        flow.checkpoint.save(tmp_path / "d", {"checksums.json": arrays["a"]})


def test_replacing(saved):
    flow.train.CheckPoint().save(saved, replace=True)
    load_all(saved)
    flow.train.CheckPoint().save(saved, "native", replace=True)
    assert not (saved / "checksums.json").exists()


def test_a_folder_that_is_only_read(saved):
    for folder, _, files in os.walk(saved):
        for file in files:
            os.chmod(os.path.join(folder, file), 0o444)
        os.chmod(folder, 0o555)
    load_all(saved)
    load_some(saved)
    for folder, _, _ in os.walk(saved):
        os.chmod(folder, 0o755)


def read_as_oneflow(path):
    """What OneFlow 0.3 takes for the variables of a folder: every entry with a file
    `out` in it. OneFlow 0.2 opens `out` of the variables that it knows."""
    found = {}
    for entry in os.listdir(path):
        data = pathlib.Path(path, entry, "out")
        if not data.is_file():
            continue
        meta = (data.parent / "meta").read_text().split()
        shape = [int(meta[i + 1]) for i, word in enumerate(meta) if word == "dim:"]
        dtype = {"kFloat": "<f4", "kInt64": "<i8"}[meta[-1]]
        assert data.stat().st_size == np.prod(shape) * np.dtype(dtype).itemsize
        found[entry] = np.fromfile(data, dtype).reshape(shape)
    return found


def test_other_readers_of_the_layout(tmp_path):
    define_train()
    flow.train.CheckPoint().save(tmp_path)
    assert equal(read_as_oneflow(tmp_path), values())
