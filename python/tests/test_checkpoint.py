"""Checkpoints: both layouts, resumed runs, and what is wrong with a folder."""

import copy
import pickle

import numpy as np
import pytest

import jobmlir as flow
from models import batch, define_eval, define_train, raises_here

NAMES = {"Dense-weight", "Dense-bias", "Dense_1-weight", "Dense_1-bias"}


def adam():
    rate = flow.optimizer.PiecewiseConstantScheduler([], [0.01])
    return flow.optimizer.Adam(rate, do_bias_correction=True)


def values():
    return {name: value.numpy() for name, value in flow.get_all_variables().items()}


def equal(left, right):
    return left.keys() == right.keys() and all(
        (left[name] == right[name]).all() for name in left
    )


@pytest.mark.parametrize("layout", ["legacy", "native"])
def test_a_resumed_run_is_the_uninterrupted_one(layout, tmp_path):
    path = str(tmp_path / "model")
    job = define_train(adam())
    for step in range(5):
        job(*batch(step))
    flow.train.CheckPoint().save(path, layout=layout)
    expected = [job(*batch(step)) for step in range(5, 10)]
    after = values()

    flow.clear_default_session()
    job = define_train(adam())
    flow.train.CheckPoint().load(path)
    for step in range(5, 10):
        assert (job(*batch(step)) == expected[step - 5]).all()
    assert equal(values(), after)


def test_the_legacy_layout(tmp_path):
    define_train()
    flow.train.CheckPoint().save(str(tmp_path / "model"))
    folders = {p.name for p in (tmp_path / "model").iterdir()}
    files = {"snapshot_done", "checksums.json"}
    assert folders == NAMES | files | {"System-Train-TrainStep-train_job"}
    assert (tmp_path / "model" / "snapshot_done").read_bytes() == b""
    raw = (tmp_path / "model" / "Dense-weight" / "out").read_bytes()
    weight = values()["Dense-weight"]
    assert (np.frombuffer(raw, "<f4").reshape(weight.shape) == weight).all()


def test_a_job_without_the_optimizer_loads_what_it_needs(tmp_path):
    train, evaluate = define_train(adam()), define_eval()
    images, labels = batch()
    train(images, labels)
    expected = evaluate(images)
    flow.train.CheckPoint().save(tmp_path / "model")
    flow.clear_default_session()
    evaluate = define_eval()
    flow.train.CheckPoint().load(tmp_path / "model")
    assert (evaluate(images) == expected).all()


def test_saving_into_an_empty_folder(tmp_path):
    define_train()
    flow.train.CheckPoint().save(str(tmp_path))
    assert (tmp_path / "snapshot_done").exists()


def test_saving_onto_a_folder_that_is_not_empty(tmp_path):
    define_train()
    (tmp_path / "mine").write_text("kept")
    for cls in (AssertionError, FileExistsError):
        with raises_here(cls, str(tmp_path)):
            flow.train.CheckPoint().save(str(tmp_path))
    assert [p.name for p in tmp_path.iterdir()] == ["mine"]


@pytest.mark.parametrize("replace", [False, True])
@pytest.mark.parametrize("name", [".", "{}", "{}/../{name}"])
def test_saving_into_the_working_directory(name, replace, tmp_path, monkeypatch):
    define_train()
    monkeypatch.chdir(tmp_path)
    path = name.format(tmp_path, name=tmp_path.name)
    with raises_here(
        FileExistsError,
        "expects an empty folder or none to save into but got the working directory",
    ):
        flow.train.CheckPoint().save(path, replace=replace)
    flow.train.CheckPoint().save("model", replace=replace)
    assert [entry.name for entry in tmp_path.iterdir()] == ["model"]


def test_replacing_a_checkpoint_with_the_working_directory_inside(
    tmp_path, monkeypatch
):
    define_train()
    flow.train.CheckPoint().save(tmp_path / "model")
    inside = next(p for p in (tmp_path / "model").iterdir() if p.is_dir())
    monkeypatch.chdir(inside)
    with raises_here(FileExistsError, "but got one with the working directory inside"):
        flow.train.CheckPoint().save("..", replace=True)
    assert inside.exists()


def test_an_unknown_layout(tmp_path):
    define_train()
    with raises_here(
        AssertionError, 'expects a layout of "legacy" or "native" but got'
    ):
        flow.train.CheckPoint().save(str(tmp_path / "model"), layout="zip")


@pytest.mark.parametrize("path", [3, "", None])
def test_a_path_is_a_string(path):
    define_train()
    with raises_here(AssertionError, f"expects a path to load from but got {path!r}"):
        flow.train.CheckPoint().load(path)
    with raises_here(AssertionError, f"expects a path to save to but got {path!r}"):
        flow.train.CheckPoint().save(path)


def damage_missing_folder(model):
    model.rename(model.with_name("elsewhere"))


def damage_missing_variable(model):
    (model / "Dense-weight" / "out").unlink()


def damage_truncated(model):
    out = model / "Dense-weight" / "out"
    out.write_bytes(out.read_bytes()[:-4])


def damage_foreign(model):
    for path in sorted(model.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    (model / "notes.txt").write_text("not a checkpoint")


@pytest.mark.parametrize(
    "damage, cls, text",
    [
        (damage_missing_folder, FileNotFoundError, "model"),
        (damage_missing_variable, FileNotFoundError, "Dense-weight"),
        (damage_truncated, ValueError, "Dense-weight"),
        (damage_foreign, AssertionError, "model"),
    ],
)
def test_variables_stay_when_a_checkpoint_is_bad(damage, cls, text, tmp_path):
    model = tmp_path / "model"
    job = define_train()
    flow.train.CheckPoint().save(str(model))
    damage(model)
    job(*batch())
    before = values()
    with raises_here(cls, text):
        flow.train.CheckPoint().load(str(model))
    with pytest.raises(AssertionError):
        flow.train.CheckPoint().load(str(model))
    assert equal(values(), before)


def test_a_truncated_native_checkpoint(tmp_path):
    model = tmp_path / "model"
    job = define_train()
    flow.train.CheckPoint().save(str(model), layout="native")
    path = model / "variables.safetensors"
    path.write_bytes(path.read_bytes()[:-8])
    job(*batch())
    before = values()
    with raises_here(ValueError, "variables.safetensors"):
        flow.train.CheckPoint().load(str(model))
    assert equal(values(), before)


# ===- Variables by name ---------------------------------------------------===#


def test_all_variables():
    define_train(adam())
    variables = flow.checkpoint.get_all_variables()
    assert NAMES < variables.keys()
    assert {"Dense-weight-m", "Dense-weight-v"} < variables.keys()
    weight = variables["Dense-weight"]
    assert weight.shape == weight.numpy().shape == (5, 6) and weight.trainable
    assert weight.dtype == flow.float
    assert not variables["Dense-weight-m"].trainable


def test_load_variables():
    define_train()
    weight = np.full((5, 6), 2, np.float32)
    flow.load_variables({"Dense-weight": weight, "other": weight})
    assert (values()["Dense-weight"] == 2).all()
    flow.load_variables({"Dense-weight": flow.get_all_variables()["Dense-weight"]})
    with raises_here(
        FileNotFoundError, "expects a variable of the session but got other"
    ):
        flow.load_variables({"other": weight}, ignore_mismatch=False)


def test_load_variables_changes_all_or_nothing():
    define_train()
    before = values()
    good, bad = np.zeros((5, 6), np.float32), np.zeros((7,), np.float32)
    expected = "expects float32 of shape (5,) for variable Dense-bias but got float"
    with raises_here(ValueError, expected + "32 of shape (7,)"):
        flow.load_variables({"Dense-weight": good, "Dense-bias": bad})
    with raises_here(ValueError, expected + "16 of shape (5,)"):
        flow.load_variables(
            {"Dense-weight": good, "Dense-bias": np.zeros(5, np.float16)}
        )
    assert equal(values(), before)


@pytest.mark.parametrize("given", [[], 3, None])
def test_load_variables_takes_a_dict(given):
    define_train()
    with raises_here(AssertionError, "expects a dict of arrays by name but got "):
        flow.load_variables(given)


def test_load_variables_of_a_folder_says_how(tmp_path):
    define_train()
    hint = "but got str: jobmlir.checkpoint.get reads those of a folder"
    with raises_here(AssertionError, hint):
        flow.load_variables(str(tmp_path))


def test_load_variables_takes_arrays():
    define_train()
    with raises_here(
        ValueError, "expects an array for variable Dense-bias but got list"
    ):
        flow.load_variables({"Dense-bias": [[1.0], [2.0, 3.0]]})
    with raises_here(
        TypeError,
        "expects an array for variable Dense-bias without a mask but got a masked "
        "array",
    ):
        flow.load_variables({"Dense-bias": np.ma.zeros(5, np.float32)})


# ===- Places ---------------------------------------------------------------===#


def test_a_place_where_nothing_can_be_made():
    define_train()
    with raises_here(flow.errors.CheckpointIOError, "'/proc/x': cannot save"):
        flow.train.CheckPoint().save("/proc/x")
    with raises_here(flow.errors.CheckpointNotFoundError, "'/proc/x': expects"):
        flow.train.CheckPoint().load("/proc/x")


def test_damage_that_changes_no_size(tmp_path):
    define_train()
    before = values()
    for layout, file in (
        ("legacy", "Dense-weight/out"),
        ("native", "variables.safetensors"),
    ):
        path = tmp_path / layout
        flow.train.CheckPoint().save(path, layout=layout)
        data = bytearray((path / file).read_bytes())
        data[-1] ^= 1
        (path / file).write_bytes(data)
        with raises_here(ValueError, f"{file}': damaged: expects checksum"):
            flow.train.CheckPoint().load(path)
        assert equal(values(), before)


@pytest.mark.parametrize(
    "copied",
    [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))],
    ids=["copy", "deepcopy", "pickle"],
)
def test_a_copied_variable_keeps_its_value(copied):
    job = define_train(adam())
    job(*batch(0))
    variables = flow.get_all_variables()
    before = values()
    kept = {name: copied(variable) for name, variable in variables.items()}
    job(*batch(1))
    assert not equal(values(), before)
    flow.clear_default_session()
    assert equal({name: value.numpy() for name, value in kept.items()}, before)
    weight = kept["Dense-weight"]
    assert repr(weight) == "<variable Dense-weight, float32 of shape (5, 6)>"
    assert weight.name == "Dense-weight" and weight.trainable
    assert weight.shape == (5, 6) and weight.dtype == flow.float32
    # What numpy() gives is the caller's.
    weight.numpy()[:] = 0
    assert equal({name: value.numpy() for name, value in kept.items()}, before)
    define_train(adam())
    flow.load_variables(kept)
    assert equal(values(), before)


def test_copying_a_variable_of_a_cleared_session():
    define_train(adam())
    variable = flow.get_all_variables()["Dense-weight"]
    flow.clear_default_session()
    with raises_here(
        NotImplementedError, "expects variable Dense-weight to be of the present"
    ):
        copy.deepcopy(variable)
