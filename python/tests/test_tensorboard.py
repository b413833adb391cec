"""What TensorBoard's own server answers, by its plugins, for each kind of file that
summary.* writes."""

import json
import urllib.parse

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from test_summary import read_png

pytest.importorskip("tensorboard")
SUMMARY = flow.summary


class Server:
    """Stands for the one of a socket."""

    def __init__(self, application, flags):
        self.application = application

    def get_url(self):
        return "http://localhost"

    def serve_forever(self):
        pass


class Board:
    """TensorBoard's server for a folder, without a socket."""

    def __init__(self, logdir):
        from tensorboard import default, program
        from werkzeug.test import Client

        servers = []

        def make_server(*arguments):
            servers.append(Server(*arguments))
            return servers[0]

        board = program.TensorBoard(
            plugins=default.get_plugins(), server_class=make_server
        )
        board.configure(
            logdir=str(logdir),
            load_fast="false",
            reload_interval=0,
            reload_task="blocking",
        )
        board.launch()
        self._client = Client(servers[0].application)

    def get(self, route, **query):
        url = f"/data/plugin/{route}"
        if query:
            url += "?" + urllib.parse.urlencode(query)
        reply = self._client.get(url)
        assert reply.status_code == 200, (url, reply.get_data())
        return reply.get_data()

    def json(self, route, **query):
        return json.loads(self.get(route, **query))

    def post(self, route, body):
        reply = self._client.post(f"/data/plugin/{route}", json=body)
        assert reply.status_code == 200, (route, reply.get_data())
        return json.loads(reply.get_data())

    def active(self):
        listing = json.loads(self._client.get("/data/plugins_listing").get_data())
        return {name for name, plugin in listing.items() if plugin["enabled"]}

    def shows(self, plugin):
        """Whether the page has a tab for it."""
        reply = self._client.get("/data/plugins_listing")
        return json.loads(reply.get_data())[plugin]["enabled"]


RANDOM = np.random.default_rng(12)


def test_scalars_histograms_and_images(tmp_path):
    pixels = RANDOM.integers(0, 256, (2, 30, 40, 3), np.uint8)
    values = RANDOM.standard_normal((3, 64)).astype(np.float32)
    SUMMARY.create_summary_writer(tmp_path / "run")

    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder((64,)),
        p: tp.Numpy.Placeholder(pixels.shape, dtype=flow.uint8),
        step: tp.Numpy.Placeholder((1,), dtype=flow.int64),
    ):
        SUMMARY.scalar(flow.math.reduce_mean(x), step, "loss/mean")
        SUMMARY.histogram(x, step, "values")
        SUMMARY.image(p, step, "pixels")

    for step, x in enumerate(values):
        job(x, pixels, np.array([step])).get()
    SUMMARY.flush_summary_writer()
    board = Board(tmp_path)

    assert board.shows("scalars")
    tags = board.json("scalars/tags")
    assert list(tags) == ["run"] and list(tags["run"]) == ["loss/mean"]
    points = board.json("scalars/scalars", run="run", tag="loss/mean")
    assert [step for _, step, _ in points] == [0, 1, 2]
    means = [value for _, _, value in points]
    np.testing.assert_allclose(means, values.mean(axis=1), rtol=1e-5)

    for plugin in ("histograms", "distributions"):
        assert board.shows(plugin)
        assert list(board.json(f"{plugin}/tags")["run"]) == ["values"]
    found = board.json("histograms/histograms", run="run", tag="values")
    for (_, step, buckets), x in zip(found, values, strict=True):
        low, high, count = np.array(buckets).T
        assert (low[0], high[-1]) == (x.min(), x.max())
        assert count.sum() == pytest.approx(64)
        assert (low <= high).all() and step in (0, 1, 2)
    assert board.json("distributions/distributions", run="run", tag="values")

    assert board.shows("images")
    tags = board.json("images/tags")["run"]
    assert list(tags) == ["pixels/image/0", "pixels/image/1"]
    for tag, sample in zip(tags, pixels):
        rows = board.json("images/images", run="run", tag=tag, sample=0)
        assert [row["step"] for row in rows] == [0, 1, 2]
        picture = board.get(f"images/individualImage?{rows[-1]['query']}")
        np.testing.assert_array_equal(read_png(picture), sample)


def write_messages(folder, messages):
    SUMMARY.create_summary_writer(folder)

    @flow.global_function()
    def job(
        message: tp.ListNumpy.Placeholder((3000,), dtype=flow.int8),
        step: tp.ListNumpy.Placeholder((1,), dtype=flow.int64),
    ):
        SUMMARY.pb(message, step=step)

    for step, message in enumerate(messages):
        data = np.frombuffer(message.SerializeToString(), np.int8)
        job([data], [np.array([step])]).get()
    SUMMARY.flush_summary_writer()


def test_text(tmp_path):
    texts = [["# Title", "é <script>alert(1)</script>"], ["second"]]
    write_messages(tmp_path / "run", [SUMMARY.text(each, "notes") for each in texts])
    board = Board(tmp_path)
    assert board.shows("text")
    assert board.json("text/tags") == {"run": ["notes"]}
    first, second = board.json("text/text", run="run", tag="notes")
    assert (first["step"], second["step"]) == (0, 1)
    assert "<h1>Title</h1>" in first["text"] and "é" in first["text"]
    assert "<script>" not in first["text"]
    assert "second" in second["text"]


def test_hyperparameters(tmp_path):
    for run, rate in (("a", 0.1), ("b", 0.3)):
        hparams = {
            SUMMARY.HParam("rate", SUMMARY.RealRange(0.0, 1.0)): rate,
            SUMMARY.HParam("rule", SUMMARY.ValueSet(["sgd", "adam"])): "adam",
            SUMMARY.HParam("layers", SUMMARY.IntegerRange(1, 9)): 3,
            "warm": True,
            SUMMARY.Metric("loss", float): 2 * rate,
        }
        write_messages(tmp_path / run, [SUMMARY.hparams(hparams)])
        flow.clear_default_session()
    board = Board(tmp_path)
    assert board.shows("hparams")
    experiment = board.post("hparams/experiment", {"experimentName": ""})
    kinds = {info["name"]: info["type"] for info in experiment["hparamInfos"]}
    assert kinds == {
        "rate": "DATA_TYPE_FLOAT64",
        "rule": "DATA_TYPE_STRING",
        "layers": "DATA_TYPE_FLOAT64",
        "warm": "DATA_TYPE_BOOL",
    }
    names = {(m["name"]["group"], m["name"]["tag"]) for m in experiment["metricInfos"]}
    assert names == {("", "loss")}
    groups = board.post(
        "hparams/session_groups",
        {
            "colParams": [{"hparam": name} for name in kinds]
            + [{"metric": {"group": "", "tag": "loss"}}],
            "allowedStatuses": ["STATUS_UNKNOWN", "STATUS_RUNNING", "STATUS_SUCCESS"],
            "aggregationType": "AGGREGATION_AVG",
            "startIndex": 0,
            "sliceSize": 10,
        },
    )["sessionGroups"]
    found = {
        group["hparams"]["rate"]: group["metricValues"][0]["value"] for group in groups
    }
    assert found == pytest.approx({0.1: 0.2, 0.3: 0.6})
    for group in groups:
        assert {**group["hparams"], "rate": 0} == {
            "rate": 0,
            "rule": "adam",
            "layers": 3,
            "warm": True,
        }


def test_points(tmp_path):
    value = RANDOM.normal(size=(5, 2, 3)).astype(np.float32)
    projector = SUMMARY.Projector(tmp_path)
    projector.create_embedding_projector()
    projector.embedding_projector(value, label=np.arange(5), tag="points")
    board = Board(tmp_path)
    assert board.json("projector/runs") == ["."]
    info = board.json("projector/info", run=".")
    (embedding,) = info["embeddings"]
    assert embedding["tensorName"] == "points" and embedding["tensorShape"] == [5, 6]
    data = board.get("projector/tensor", run=".", name="points")
    table = np.frombuffer(data, np.float32).reshape(5, 6)
    np.testing.assert_array_equal(table, value.reshape(5, 6))
    labels = board.get("projector/metadata", run=".", name="points")
    assert labels.decode().split() == ["0", "1", "2", "3", "4"]


def test_graphs(tmp_path):
    from google.protobuf import text_format
    from tensorboard.compat.proto.graph_pb2 import GraphDef

    @flow.global_function(type="train")
    def train(x: tp.Numpy.Placeholder((2, 3))):
        w = flow.get_variable("w", (3, 4), initializer=flow.ones_initializer())
        loss = flow.math.relu(flow.matmul(x, w, name="product"), name="act")
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.5])
        flow.optimizer.SGD(rate).minimize(loss)
        return loss

    SUMMARY.Graph(tmp_path).write_structure_graph()
    board = Board(tmp_path)
    assert board.shows("graphs")
    (run,) = board.json("graphs/info")
    text = board.get("graphs/graph", run=run, conceptual="false")
    graph = text_format.Parse(text.decode(), GraphDef())
    inputs = {node.name: list(node.input) for node in graph.node}
    assert inputs["train/act"] == ["train/product"]
    assert set(inputs["train/product"]) == {"train/x", "train/w"}
