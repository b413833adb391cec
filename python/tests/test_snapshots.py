"""Checkpoints as dictionaries of values: checkpoint.get and save, partial loads,
descriptions in `meta`, numbered checkpoints, and folders that are none."""

import json
import os
import resource
import signal
import struct
import subprocess
import sys
import zlib

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from models import batch, define_eval, define_train, full_disk, raises_here

STEP = "System-Train-TrainStep-train_job"
NAMES = {"Dense-weight", "Dense-bias", "Dense_1-weight", "Dense_1-bias"}
META = "shape {\n  dim: 2\n  dim: 3\n}\ndata_type: kFloat\n"


def adam():
    return flow.optimizer.Adam(
        flow.optimizer.PiecewiseConstantScheduler([], [0.01]), do_bias_correction=True
    )


def values():
    return {name: value.numpy() for name, value in flow.get_all_variables().items()}


def equal(left, right):
    return left.keys() == right.keys() and all(
        (left[name] == right[name]).all() for name in left
    )


def write_variable(folder, data=b"\0" * 24, meta=META):
    folder.mkdir(parents=True)
    (folder / "out").write_bytes(data)
    if meta is not None:
        (folder / "meta").write_text(meta)
    (folder.parent / "snapshot_done").touch()


# ===- meta -----------------------------------------------------------------===#


def test_the_description_of_a_variable(tmp_path):
    define_train()
    flow.train.CheckPoint().save(tmp_path / "model")
    assert (tmp_path / "model" / "Dense-weight" / "meta").read_text() == (
        "shape {\n  dim: 5\n  dim: 6\n}\ndata_type: kFloat\n"
    )
    assert (tmp_path / "model" / STEP / "meta").read_text() == (
        "shape {\n  dim: 1\n}\ndata_type: kInt64\n"
    )


def test_the_layout_of_the_older_version(tmp_path):
    define_train()
    flow.config.enable_legacy_model_io()
    before = values()
    flow.train.CheckPoint().save(tmp_path / "model")
    files = {p.name for p in (tmp_path / "model").rglob("*") if p.is_file()}
    assert files == {"out", "checksums.json", "snapshot_done"}
    flow.train.CheckPoint().load(tmp_path / "model")
    assert equal(values(), before)


def test_a_description_of_another_shape(tmp_path):
    """Of the same size, so that the bytes alone would be accepted."""
    job = define_train()
    flow.train.CheckPoint().save(tmp_path / "model")
    (tmp_path / "model" / "checksums.json").unlink()
    meta = tmp_path / "model" / "Dense-weight" / "meta"
    meta.write_text("shape { dim: 6 dim: 5 } data_type: kFloat")
    job(*batch())
    before = values()
    with raises_here(
        flow.errors.CheckpointDataError,
        "expects float32 of shape (5, 6) for variable Dense-weight but got float32 of "
        "shape (6, 5)",
    ):
        flow.train.CheckPoint().load(tmp_path / "model")
    assert equal(values(), before)
    flow.clear_default_session()
    flow.config.enable_legacy_model_io(True)
    define_train()
    flow.train.CheckPoint().load(tmp_path / "model")


@pytest.mark.parametrize(
    "text, shape, dtype",
    [
        ("data_type: 3 shape: <dim: [4, 5]>", (4, 5), flow.double),
        ("# comment\nshape { dim: 2, dim: 1; }\ndata_type: kInt8", (2, 1), flow.int8),
        ("shape {} data_type: kUInt8", (), flow.uint8),
        ("shape {dim:1} data_type:kFloat16 q { r: \"}\" s { } }", (1,), flow.float16),
        ("shape { dim: 2 } data_type: kBFloat16", (2,), flow.bfloat16),
        ("shape { dim: 2 } data_type: kChar", (2,), flow.char),
    ],
)
def test_texts_of_descriptions(text, shape, dtype, tmp_path):
    size = 2 if dtype == flow.bfloat16 else dtype.numpy.itemsize
    write_variable(tmp_path / "x", bytes(int(np.prod(shape)) * size), text)
    value = flow.checkpoint.get(str(tmp_path))["x"]
    assert value.shape == shape and value.dtype == dtype
    assert value.numpy().shape == shape and not value.numpy().any()


@pytest.mark.parametrize(
    "text, expected",
    [
        ("", "expects a field shape but got none"),
        ("shape { dim: 2 }", "expects a field data_type but got none"),
        ("shape { dim: 2", "expects the name of a field but got the end"),
        ("shape { dim: -2 } data_type: kFloat", "an extent of shape but got '-2'"),
        ("shape { dim: 2 } data_type: kOFRecord", "variables but got kOFRecord"),
        ("shape { dim } data_type: kFloat", "the value of a field but got '}'"),
        ("shape: 3 data_type: kFloat", "expects a field shape but got none"),
        ("shape { dim: [2 ", "expects ']' but got the end"),
        ("shape { dim: { } } data_type: kFloat", "an extent of shape but got []"),
        ("\\", "protobuf's text format but got '\\\\'"),
        ("a {" * 50, "expects at most 16 levels but got more"),
        ("shape {" + " dim: 1000000" * 40 + "} data_type: 2", "at most 2^59 elements"),
        ("#" * 70000, "expects at most 65536 bytes but got 70000 bytes"),
        ("shape { dim: 3 } data_type: kFloat", "expects 12 bytes for float32 of shape"),
    ],
)
def test_texts_that_are_no_descriptions(text, expected, tmp_path):
    write_variable(tmp_path / "x", meta=text)
    with raises_here(flow.errors.CheckpointDataError, f"'{tmp_path}/x", expected):
        flow.checkpoint.get(str(tmp_path))


# ===- get ------------------------------------------------------------------===#


@pytest.mark.parametrize("layout", ["legacy", "native"])
def test_values_of_a_checkpoint(layout, tmp_path):
    job = define_train(adam())
    job(*batch())
    path = str(tmp_path / "model")
    flow.train.CheckPoint().save(path, layout=layout)
    expected = values()
    flow.clear_default_session()
    stored = flow.checkpoint.get(path)
    assert equal({name: value.numpy() for name, value in stored.items()}, expected)
    weight = stored["Dense-weight"]
    assert weight.shape == (5, 6) and weight.dtype == flow.float32
    assert weight.name == "Dense-weight" and weight.has_meta_info
    assert os.path.isfile(weight.file_path)
    if layout == "legacy":
        assert weight.file_path == os.path.join(path, "Dense-weight", "out")
        raw = np.fromfile(weight.file_path, np.float32).reshape(weight.shape)
        assert (raw == expected["Dense-weight"]).all()
    assert "Dense-weight, float32 of shape (5, 6), in" in repr(weight)
    assert stored[STEP].dtype == flow.int64 and stored[STEP].numpy()[0] == 1


def test_the_folder_of_one_variable(tmp_path):
    write_variable(tmp_path / "x", np.arange(6, dtype="<f4").tobytes())
    value = flow.checkpoint.get(tmp_path / "x")
    assert value.name == "x"
    assert (value.numpy() == np.arange(6).reshape(2, 3)).all()


def test_values_without_a_description(tmp_path):
    job = define_train()
    flow.config.enable_legacy_model_io(True)
    flow.train.CheckPoint().save(tmp_path / "model")
    before = values()
    job(*batch())
    stored = flow.checkpoint.get(tmp_path / "model")
    weight = stored["Dense-weight"]
    assert not weight.has_meta_info and weight.shape is None and weight.dtype is None
    assert "Dense-weight" in repr(weight)
    expected = "expects variable Dense-weight of '{}' to have a file meta but got none"
    expected = expected.format(tmp_path / "model" / "Dense-weight")
    with raises_here(flow.errors.CheckpointDataError, expected):
        weight.numpy()
    with raises_here(flow.errors.CheckpointDataError, expected):
        flow.checkpoint.save(tmp_path / "other", {"w": weight})
    assert not (tmp_path / "other").exists()
    # Here the session knows what they are.
    flow.load_variables(stored)
    assert equal(values(), before)
    with open(weight.file_path, "ab") as file:
        file.write(b"more")
    with raises_here(ValueError, "expects 120 bytes", "but got 124"):
        flow.load_variables(flow.checkpoint.get(tmp_path / "model"))


def test_other_entries_are_no_variables(tmp_path):
    write_variable(tmp_path / "x")
    (tmp_path / "notes").write_text("")
    (tmp_path / "empty").mkdir()
    assert list(flow.checkpoint.get(tmp_path)) == ["x"]


def test_folders_that_are_no_checkpoint(tmp_path):
    with raises_here(
        flow.errors.CheckpointNotFoundError, "expects a checkpoint folder but there is"
    ):
        flow.checkpoint.get(str(tmp_path / "none"))
    (tmp_path / "file").write_text("")
    with raises_here(flow.errors.CheckpointDataError, "but got a file"):
        flow.checkpoint.get(tmp_path / "file")
    (tmp_path / "half" / "x").mkdir(parents=True)
    (tmp_path / "half" / "x" / "out").write_bytes(b"")
    with raises_here(
        flow.errors.CheckpointDataError,
        "expects a checkpoint with 'manifest.json' or 'snapshot_done' but got neither",
    ):
        flow.checkpoint.get(tmp_path / "half")
    with raises_here(AssertionError, "expects a path to read from but got 3"):
        flow.checkpoint.get(3)


def test_a_variable_whose_value_is_gone(tmp_path):
    write_variable(tmp_path / "x")
    write_variable(tmp_path / "y")
    (tmp_path / "y" / "out").unlink()
    with raises_here(
        flow.errors.CheckpointDataError,
        f"'{tmp_path}/y/out': expects the value of the variable but there is none",
    ):
        flow.checkpoint.get(tmp_path)


def test_files_that_are_none(tmp_path):
    """A pipe would block its reader, and the device has no end."""
    write_variable(tmp_path / "x")
    out = tmp_path / "x" / "out"
    for make, given in (
        (lambda: os.mkfifo(out), "expects a file but got a device or pipe"),
        (lambda: out.symlink_to("/dev/zero"), "expects a file but got a device"),
        (out.mkdir, "expects a file but got a folder"),
        (lambda: out.symlink_to(out), "cannot open: too many levels of symbolic links"),
        (lambda: out.symlink_to("nowhere"), "cannot open: no such file or directory"),
    ):
        out.rmdir() if out.is_dir() else out.unlink()
        make()
        with raises_here(flow.errors.CheckpointError, f"'{out}': {given}"):
            flow.checkpoint.get(tmp_path)


def test_a_file_that_shrinks_later(tmp_path):
    write_variable(tmp_path / "x")
    value = flow.checkpoint.get(tmp_path)["x"]
    (tmp_path / "x" / "out").write_bytes(b"\0" * 8)
    with raises_here(flow.errors.CheckpointDataError, "got one that was written later"):
        value.numpy()
    (tmp_path / "x" / "out").unlink()
    with raises_here(FileNotFoundError, "cannot open: no such file"):
        value.numpy()


@pytest.mark.parametrize("layout", ["native", "legacy"])
def test_a_checkpoint_that_is_replaced_later(layout, tmp_path):
    """No value of the old description is read from the new file."""
    job = define_train()
    checkpoint = flow.train.CheckPoint()
    checkpoint.save(tmp_path / "model", layout)
    stored = flow.checkpoint.get(tmp_path / "model")
    assert equal({n: stored[n].numpy() for n in NAMES}, {n: values()[n] for n in NAMES})
    job(*batch())
    checkpoint.save(tmp_path / "model", layout, replace=True)
    before = values()
    with raises_here(
        flow.errors.CheckpointDataError,
        "expects the file that the checkpoint had when it was opened but got one that "
        "was written later: jobmlir.checkpoint.get opens it again",
    ):
        flow.load_variables(stored)
    assert equal(values(), before)
    again = flow.checkpoint.get(tmp_path / "model")
    assert equal({n: again[n].numpy() for n in NAMES}, {n: before[n] for n in NAMES})


def test_a_name_that_is_no_text(tmp_path):
    name = os.fsdecode(os.fsencode(tmp_path) + b"/\xff")
    os.mkdir(name)
    with open(os.path.join(name, "out"), "wb"):
        pass
    (tmp_path / "snapshot_done").touch()
    with raises_here(
        flow.errors.CheckpointDataError, "expects a name that UTF-8 can encode"
    ):
        flow.checkpoint.get(tmp_path)


def native(folder, header, data=b"\0" * 24, **changed):
    if not isinstance(header, bytes):
        header = json.dumps(header).encode()
    contents = struct.pack("<Q", len(header)) + header + data
    manifest = {
        "format": 1,
        "file": "variables.safetensors",
        "bytes": len(contents),
        "crc32": zlib.crc32(contents),
        **changed,
    }
    (folder / "variables.safetensors").write_bytes(contents)
    (folder / "manifest.json").write_text(json.dumps(manifest))


ENTRY = {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}


def test_a_native_checkpoint_by_hand(tmp_path):
    native(tmp_path, {"x": ENTRY, "__metadata__": {"by": "hand"}})
    stored = flow.checkpoint.get(tmp_path)
    assert list(stored) == ["x"] and stored["x"].numpy().shape == (2, 3)


@pytest.mark.parametrize(
    "header, changed, expected",
    [
        ({"x": ENTRY}, {"format": 2}, "expects 1 for 'format' but got 2"),
        ({"x": ENTRY}, {"file": "/etc/passwd"}, "for 'file' but got '/etc/passwd'"),
        ({"x": ENTRY}, {"bytes": 7}, "expects 7 bytes but got"),
        ({"x": ENTRY}, {"crc32": 7}, "damaged: expects the checksum of the manifest"),
        (b"[]", {}, "expects a JSON object but got another text"),
        (b"[" * 100000, {}, "expects a JSON object but got another text"),
        ({"x": 3}, {}, "expects the type and place of variable x but got 3"),
        ({"x": {**ENTRY, "dtype": "F8_E5M2"}}, {}, "type and place of variable x"),
        ({"x": {**ENTRY, "shape": [-2, -3]}}, {}, "type and place of variable x"),
        ({"x": {**ENTRY, "shape": [2, 4]}}, {}, "of shape (2, 4) inside of the file"),
        ({"x": {**ENTRY, "data_offsets": [24, 48]}}, {}, "but got 24 to 48"),
        ({"x": {**ENTRY, "data_offsets": [0]}}, {}, "type and place of variable x"),
    ],
)
def test_damaged_native_checkpoints(header, changed, expected, tmp_path):
    native(tmp_path, header, **changed)
    with raises_here(flow.errors.CheckpointDataError, expected):
        flow.checkpoint.get(tmp_path)


def test_a_native_header_without_an_end(tmp_path):
    native(tmp_path, {"x": ENTRY})
    contents = struct.pack("<Q", 1 << 60) + b"{}"
    (tmp_path / "variables.safetensors").write_bytes(contents)
    manifest = {"bytes": len(contents), "crc32": zlib.crc32(contents)}
    manifest |= {"format": 1, "file": "variables.safetensors"}
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    with raises_here(flow.errors.CheckpointDataError, "expects the length of a header"):
        flow.checkpoint.get(tmp_path)
    (tmp_path / "manifest.json").write_bytes(b"\xff")
    with raises_here(flow.errors.CheckpointDataError, "expects text in UTF-8"):
        flow.checkpoint.get(tmp_path)
    (tmp_path / "manifest.json").unlink()
    with raises_here(FileNotFoundError, "manifest.json': cannot open"):
        flow.checkpoint.get(tmp_path)


# ===- save -----------------------------------------------------------------===#


def test_saving_all_variables(tmp_path):
    job = define_train(adam())
    job(*batch())
    before = values()
    flow.checkpoint.save(str(tmp_path / "model"))
    job(*batch())
    flow.train.CheckPoint().load(tmp_path / "model")
    assert equal(values(), before)


def test_saving_some_values(tmp_path):
    define_train()
    flow.checkpoint.save(tmp_path / "one", flow.get_all_variables())
    arrays = {
        "half": np.arange(3, dtype=np.float16),
        "big": np.arange(4, dtype=">i4").reshape(2, 2).T,
        "byte": np.full((), 7, np.uint8),
    }
    some = {
        "w": flow.get_all_variables()["Dense-weight"],
        "b": flow.checkpoint.get(tmp_path / "one")["Dense-bias"],
        **arrays,
    }
    flow.checkpoint.save(tmp_path / "two", some)
    stored = flow.checkpoint.get(tmp_path / "two")
    assert stored.keys() == some.keys()
    for name, value in some.items():
        array = value if isinstance(value, np.ndarray) else value.numpy()
        assert stored[name].numpy().dtype == array.dtype.newbyteorder("<")
        assert stored[name].shape == array.shape
        assert (stored[name].numpy() == array).all()


@pytest.mark.parametrize(
    "given, cls, expected",
    [
        (3, AssertionError, "expects a dict of arrays by name but got int"),
        ({3: 3}, AssertionError, "expects the name of a variable but got 3"),
        ({"\ud800": 3}, AssertionError, "name of a variable but got '\\ud800'"),
        ({"a/b": 3}, ValueError, "variable 'a/b': its name cannot be a folder"),
        ({"..": 3}, ValueError, "variable '..': its name cannot be a folder"),
        ({"a": "b"}, ValueError, "for variable a but got one of <U1"),
        ({"a": [[1], [2, 3]]}, ValueError, "an array for variable a but got list"),
        ({"a": np.zeros(2, np.complex64)}, ValueError, "got one of complex64"),
    ],
)
def test_values_that_cannot_be_saved(given, cls, expected, tmp_path):
    with raises_here(cls, expected):
        flow.checkpoint.save(tmp_path / "model", given)
    assert not list(tmp_path.iterdir())


def test_places_that_cannot_be_saved_to(tmp_path, monkeypatch):
    some = {"x": np.zeros(6, np.float32)}
    path = tmp_path / "model"
    flow.checkpoint.save(path, some)
    expected = "expects an empty folder or none to save into but got "
    full = "one that is not empty: root directory of model snapshot not empty"
    with raises_here(FileExistsError, f"'{path}': {expected}{full}"):
        flow.checkpoint.save(path, some)
    (tmp_path / "file").write_text("")
    with raises_here(FileExistsError, expected + "a file"):
        flow.checkpoint.save(tmp_path / "file", some)
    (tmp_path / "link").symlink_to("nowhere")
    with raises_here(FileExistsError, expected + "a link"):
        flow.checkpoint.save(tmp_path / "link", some)
    with raises_here(OSError, "cannot save 24 bytes of variables", "cannot create: "):
        flow.checkpoint.save(tmp_path / "file" / "model", some)
    (tmp_path / "here" / "in").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here" / "in")
    for place in (".", ".."):
        with raises_here(FileExistsError, "the working directory"):
            flow.checkpoint.save(place, some)
    flow.checkpoint.save("new/model", some)
    assert (tmp_path / "here" / "in" / "new" / "model" / "x" / "meta").exists()


def test_a_full_disk_leaves_nothing(tmp_path):
    with full_disk(), raises_here(
        flow.errors.CheckpointIOError,
        "cannot save 24 bytes of variables",
        f"'{tmp_path}/model': ",
        "/x/out': cannot write 20 bytes after the first 4: file too large",
    ):
        flow.checkpoint.save(tmp_path / "model", {"x": np.zeros(6, np.float32)})
    assert not list(tmp_path.iterdir())


def test_leftovers_of_killed_processes_are_removed(tmp_path):
    """And the folders of those that are saving stay: they are locked."""
    left = tmp_path / ".jobrt-checkpoint-1-py0"
    (left / "new").mkdir(parents=True)
    child, parent = os.pipe()
    pid = os.fork()
    if pid == 0:
        import fcntl

        busy = tmp_path / ".jobrt-checkpoint-2-py0"
        busy.mkdir()
        fcntl.flock(os.open(busy, os.O_RDONLY), fcntl.LOCK_EX)
        os.write(parent, b"x")
        signal.pause()
        os._exit(0)
    try:
        os.read(child, 1)
        flow.checkpoint.save(tmp_path / "model", {"x": np.zeros(6, np.float32)})
        names = {p.name for p in tmp_path.iterdir()}
        assert names == {"model", ".jobrt-checkpoint-2-py0"}
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(child)
        os.close(parent)


SAVES = """
import os, resource, signal, sys
import jobmlir as flow
from models import batch, define_train

job = define_train()
flow.train.CheckPoint().save(sys.argv[1])
job(*batch())
# A write to the second half of a file kills the process.
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
resource.setrlimit(resource.RLIMIT_FSIZE, (8, 8))
flow.train.CheckPoint().save(sys.argv[1], replace=True)
"""


def test_a_process_that_dies_while_it_saves(root, tmp_path):
    path = tmp_path / "model"
    died = subprocess.run(
        [sys.executable, "-c", SAVES, path],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([*sys.path])},
        cwd=root / "python" / "tests",
    )
    assert died.returncode == -signal.SIGXFSZ
    assert len(list(tmp_path.iterdir())) == 2
    define_train()
    before = values()
    flow.train.CheckPoint().load(path)
    assert equal(values(), before)
    # The next one removes what the other has left.
    flow.train.CheckPoint().save(path, replace=True)
    assert [p.name for p in tmp_path.iterdir()] == ["model"]


# ===- Loading some of the variables ----------------------------------------===#


def test_what_a_partial_load_reports(tmp_path):
    define_train()
    before = values()
    weight = np.full((5, 6), 2, np.float32)
    report = flow.load_variables({"Dense-weight": weight, "z": weight, "a": weight})
    assert isinstance(report, flow.checkpoint.LoadedVariables)
    assert report.loaded == ["Dense-weight"] and report.unused == ["a", "z"]
    assert report.missing == sorted(NAMES - {"Dense-weight"})
    assert report.missing_state == [STEP]
    after = values()
    assert (after["Dense-weight"] == 2).all()
    assert all((after[n] == before[n]).all() for n in before if n != "Dense-weight")
    assert flow.load_variables({}) == ([], sorted(NAMES), [], [STEP])


def test_weights_for_a_job_of_another_optimizer(tmp_path):
    job = define_train(adam())
    job(*batch())
    expected = values()
    flow.train.CheckPoint().save(tmp_path / "model")
    flow.clear_default_session()
    define_train()
    stored = flow.checkpoint.get(tmp_path / "model")
    report = flow.load_variables(stored)
    assert set(report.loaded) == NAMES | {STEP}
    assert not report.missing and not report.missing_state
    assert "Dense-weight-m" in report.unused
    assert all((values()[name] == expected[name]).all() for name in NAMES)


def test_a_stored_value_that_does_not_fit(tmp_path):
    define_train()
    write_variable(tmp_path / "Dense-weight")
    before = values()
    with raises_here(
        ValueError, "expects float32 of shape (5, 6) for variable Dense-weight but got"
    ):
        flow.load_variables(flow.checkpoint.get(tmp_path))
    assert equal(values(), before)


def test_variables_without_the_state_of_the_optimizer():
    job = define_train(adam())
    job(*batch())
    assert flow.get_all_variables(optimizer_state=False).keys() == NAMES
    assert flow.get_all_variables().keys() > NAMES | {"Dense-bias-m", STEP}
    with raises_here(AssertionError, "expects optimizer_state to be a bool but got 0"):
        flow.get_all_variables(0)


def test_a_dynamic_loss_scale_is_state():
    scale = flow.optimizer.loss_scale.dynamic_loss_scale()
    rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
    define_train(flow.optimizer.SGD(rate, loss_scale_policy=scale))
    assert "System-Train-LossScale-train_job" in flow.get_all_variables()
    assert flow.get_all_variables(optimizer_state=False).keys() == NAMES


def test_a_variable_that_is_named_as_state_is():
    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((2,))) -> tp.Numpy:
        zeros = flow.zeros_initializer()
        w = flow.get_variable("w", (2,), initializer=zeros)
        m = flow.get_variable("x-m", (2,), initializer=zeros)
        flow.optimizer.SGD(
            flow.optimizer.PiecewiseConstantScheduler([], [0.1]), momentum=0.9
        ).minimize((x - w) * (x - m))
        return x

    job(np.ones(2, np.float32))
    assert flow.get_all_variables(False).keys() == {"w", "x-m"}
    assert "w-momentum" in flow.get_all_variables()


def test_interface_blobs_between_steps():
    job = define_train()
    job(*batch())
    for value in (1, 2):
        flow.experimental.set_interface_blob_value(
            "Dense-bias", np.full(5, value, np.float32)
        )
        assert (flow.experimental.get_interface_blob_value("Dense-bias") == value).all()
        job(*batch())
        now = flow.experimental.get_interface_blob_value("Dense-bias")
        assert (now == flow.get_all_variables()["Dense-bias"].numpy()).all()
        assert not (now == value).all()
    assert flow.experimental.get_interface_blob_value(STEP)[0] == 3


# ===- Numbered checkpoints -------------------------------------------------===#


def test_numbered_checkpoints(tmp_path):
    root = tmp_path / "deep" / "run"
    job = define_train()
    manager = flow.train.SimpleCheckPointManager(str(root))
    assert manager.list_checkpoints() == [] and manager.latest_checkpoint() is None
    initial = values()
    manager.initialize_or_restore()
    assert manager.list_checkpoints() == ["snapshot_0"]
    for step in range(10):
        job(*batch(step))
        manager.save()
    assert manager.list_checkpoints() == [f"snapshot_{i}" for i in range(11)]
    assert manager.latest_checkpoint() == "snapshot_10"
    trained = values()
    assert not equal(trained, initial)

    flow.clear_default_session()
    define_train()
    flow.train.SimpleCheckPointManager(root).initialize_or_restore()
    assert equal(values(), trained)


def test_which_folders_are_numbered_checkpoints(tmp_path):
    define_train()
    flow.train.CheckPoint().save(tmp_path / "v2")
    flow.train.CheckPoint().save(tmp_path / "v10", layout="native")
    flow.train.CheckPoint().save(tmp_path / "vx")
    (tmp_path / "v77" / "Dense-bias").mkdir(parents=True)
    (tmp_path / "v88").write_text("")
    (tmp_path / "v\u0663").mkdir()
    manager = flow.train.SimpleCheckPointManager(tmp_path, prefix="v")
    assert manager.list_checkpoints() == ["v2", "v10"]
    assert manager.latest_checkpoint() == "v10"
    # A number that was begun is not used again.
    manager.save()
    assert manager.latest_checkpoint() == "v89"


def test_wrong_folders_of_numbered_checkpoints(tmp_path):
    (tmp_path / "file").write_text("")
    with raises_here(OSError, f"'{tmp_path}/file': cannot create: file exists"):
        flow.train.SimpleCheckPointManager(str(tmp_path / "file"))
    with raises_here(AssertionError, "expects a path to keep checkpoints in but got 3"):
        flow.train.SimpleCheckPointManager(3)
    with raises_here(AssertionError, "beginning of a folder's name but got 'a/b'"):
        flow.train.SimpleCheckPointManager(tmp_path, "a/b")
    manager = flow.train.SimpleCheckPointManager(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    with raises_here(OSError, f"'{tmp_path}/gone': cannot open: no such file"):
        manager.list_checkpoints()


def test_a_damaged_latest_checkpoint(tmp_path):
    define_eval()
    manager = flow.train.SimpleCheckPointManager(tmp_path)
    manager.initialize_or_restore()
    (tmp_path / "snapshot_0" / "Dense-bias" / "out").write_bytes(b"")
    with raises_here(flow.errors.CheckpointDataError, "expects 20 bytes"):
        manager.initialize_or_restore()
