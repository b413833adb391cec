"""What Netron shows of the files that it can open: models of onnx.export, native
checkpoints and graphs for TensorBoard. Its package on PyPI has the modules of its page,
which run in Node (Debian package `nodejs`)."""

import importlib.util
import json
import pathlib
import shutil
import subprocess

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(
    NODE is None or importlib.util.find_spec("netron") is None,
    reason="needs Node and Netron",
)


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """The modules, which Node takes for such only with a package.json."""
    folder = tmp_path_factory.mktemp("netron")
    package = pathlib.Path(importlib.util.find_spec("netron").origin).parent
    for file in [*package.glob("*.js"), *package.glob("*.json")]:
        shutil.copy(file, folder)
    (folder / "package.json").write_text('{"type": "module"}')
    return folder


def shown(page, *files):
    """What Netron shows of each file."""
    script = pathlib.Path(__file__).with_name("netron_models.mjs")
    done = subprocess.run(
        [NODE, script, page, *files], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    models = json.loads(done.stdout)
    return [models[str(file)] for file in files]


def test_files_that_netron_opens(page, tmp_path):
    @flow.global_function()
    def classify(images: tp.Numpy.Placeholder((4, 6))):
        x = flow.layers.dense(images, 5, activation=flow.nn.relu, name="hidden")
        return {"best": flow.math.argmax(flow.layers.dense(x, 3, name="out"))}

    model, checkpoint = tmp_path / "model.onnx", tmp_path / "checkpoint"
    flow.onnx.export(classify, None, model)
    flow.train.CheckPoint().save(checkpoint, layout="native")
    flow.summary.Graph(tmp_path).write_structure_graph()
    (events,) = (tmp_path / "graph").glob("events.*")
    onnx, tensors, graph = shown(
        page, model, checkpoint / "variables.safetensors", events
    )

    assert onnx["format"] == "ONNX v7"
    assert onnx["producer"] == f"jobmlir {flow.__version__}"
    (view,) = onnx["graphs"]
    assert view["name"] == "classify" and view["description"].startswith(__file__)
    assert view["inputs"] == [["images", "float32[4,6]"]]
    assert view["outputs"] == [["best", "int32[4]"]]
    nodes = {node["name"]: node for node in view["nodes"]}
    assert nodes["hidden-activation"]["type"] == "Relu"
    assert nodes["hidden-activation"]["category"] == "Activation"
    assert nodes["hidden-activation"]["inputs"] == [["hidden-bias_add", "float32[4,5]"]]
    assert nodes["out-matmul"]["outputs"] == [["out-matmul", "float32[4,3]"]]
    assert nodes["out-matmul"]["description"].startswith(__file__)
    assert nodes["hidden-matmul"]["inputs"] == [
        ["images", "float32[4,6]"],
        ["hidden-weight", "float32[5,6]"],
    ]

    assert tensors["format"] == "Safetensors"
    (node,) = tensors["graphs"][0]["nodes"]
    assert dict(node["inputs"]) == {
        "hidden-weight": "float32[5,6]",
        "hidden-bias": "float32[5]",
        "out-weight": "float32[3,5]",
        "out-bias": "float32[3]",
    }

    assert graph["format"] == "TensorFlow Event File v2"
    names = {node["name"]: node["inputs"] for node in graph["graphs"][0]["nodes"]}
    assert [name for name, _ in names["classify/hidden-matmul"]] == [
        "classify/images",
        "classify/hidden-weight",
    ]


def test_a_model_with_data_outside(page, tmp_path):
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 600))):
        return flow.layers.dense(x, 300, name="large")

    path = tmp_path / "model.onnx"
    flow.onnx.export(job, None, path, external_data=True)
    assert (tmp_path / "model.onnx.data").stat().st_size >= 600 * 300 * 4
    (model,) = shown(page, path)
    values = [value for node in model["graphs"][0]["nodes"] for value in node["inputs"]]
    assert ["large-weight", "float32[300,600]"] in values
    assert np.prod((300, 600)) * 4 > path.stat().st_size
