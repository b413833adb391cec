"""summary.text, hparams, Projector and Graph: what they write, read by TensorBoard and
by a parser of protobuf."""

import json

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from jobmlir._src import proto_text, summary_messages
from models import raises_here
from test_summary import number_of, read_message, read_values, the_file

SUMMARY = flow.summary
HPARAMS = {
    SUMMARY.HParam("learning_rate", SUMMARY.RealRange(1e-2, 1e-1)): 0.02,
    SUMMARY.HParam("dense_layers", SUMMARY.IntegerRange(2, 7)): 5,
    SUMMARY.HParam("optimizer", SUMMARY.ValueSet(["adam", "sgd"])): "adam",
    SUMMARY.HParam("magic", SUMMARY.ValueSet([False, True])): True,
    SUMMARY.Metric("loss", float): np.float32(0.5),
    "dropout": 0.6,
}


def characters(message):
    return np.frombuffer(str(message).encode(), np.int8)


def serialized(message):
    return np.frombuffer(message.SerializeToString(), np.int8)


def pb_job():
    """The one of the documentation of the older API."""
    config = flow.FunctionConfig()
    config.default_logical_view(flow.scope.mirrored_view())

    @flow.global_function(function_config=config)
    def PbJob(
        value: tp.ListNumpy.Placeholder((1500,), dtype=flow.int8),
        step: tp.ListNumpy.Placeholder((1,), dtype=flow.int64),
    ):
        flow.summary.pb(value, step=step)

    return PbJob


def events_of(path, name="EventFileLoader"):
    loader = pytest.importorskip(
        "tensorboard.backend.event_processing.event_file_loader"
    )
    return list(getattr(loader, name)(str(path)).Load())


# ===- Messages ------------------------------------------------------------===#


@pytest.mark.parametrize("bytes_of", [characters, serialized])
def test_the_example_of_the_documentation(bytes_of, tmp_path):
    SUMMARY.create_summary_writer(tmp_path)
    job = pb_job()
    texts = SUMMARY.text(["vgg16", "é \"quoted\"\n\t'\\", "", "yolov3"])
    for step, message in enumerate([texts, SUMMARY.hparams(HPARAMS)]):
        job([bytes_of(message)], [np.array([step])]).get()
    _, text, *rest = events_of(the_file(tmp_path))
    assert (text.step, text.summary.value[0].tag) == (0, "text")
    value = text.summary.value[0]
    assert value.metadata.plugin_data.plugin_name == "text"
    assert [each.decode() for each in value.tensor.string_val] == [
        "vgg16",
        "é \"quoted\"\n\t'\\",
        "",
        "yolov3",
    ]
    assert value.tensor.tensor_shape.dim[0].size == 4
    values = [value for event in rest for value in event.summary.value]
    assert [value.tag for value in values] == ["_hparams_/session_start_info", "loss"]
    assert {event.step for event in rest} == {1}
    plugin = pytest.importorskip("tensorboard.plugins.hparams.plugin_data_pb2")
    data = plugin.HParamsPluginData.FromString(
        values[0].metadata.plugin_data.content
    )
    assert values[0].metadata.plugin_data.plugin_name == "hparams"
    found = data.session_start_info
    assert found.start_time_secs > 1.6e9 and len(found.group_name) == 64
    assert {
        key: getattr(value, value.WhichOneof("kind"))
        for key, value in found.hparams.items()
    } == {
        "learning_rate": 0.02,
        "dense_layers": 5,
        "optimizer": "adam",
        "magic": True,
        "dropout": 0.6,
    }
    assert found.hparams["magic"].WhichOneof("kind") == "bool_value"


def test_messages_of_a_run_have_one_size():
    """Each other size would compile the job again."""
    assert str(SUMMARY.hparams(HPARAMS)) == str(SUMMARY.hparams(HPARAMS))


def test_text_as_protobuf_reads_and_writes_it():
    summary = pytest.importorskip("tensorboard.compat.proto.summary_pb2").Summary
    text_format = pytest.importorskip("google.protobuf.text_format")
    for message in (SUMMARY.text(["a\x01é", '"']), SUMMARY.hparams(HPARAMS)):
        theirs = text_format.Parse(str(message), summary())
        assert theirs == summary.FromString(message.SerializeToString())
        ours = proto_text.parse(summary_messages.SUMMARY, str(theirs))
        assert summary.FromString(ours.SerializeToString()) == theirs
        compact = text_format.MessageToString(theirs, as_one_line=True)
        ours = proto_text.parse(summary_messages.SUMMARY, compact)
        assert summary.FromString(ours.SerializeToString()) == theirs
    theirs = summary()
    theirs.value.add(tag="h").histo.bucket.extend([1.5, -2e300, np.inf])
    theirs.value.add(node_name="n", simple_value=1e-5)
    theirs.value.add().audio.sample_rate = 1
    theirs.value.add().image.height = -3
    theirs.value.add().metadata.data_class = 2
    tensor = theirs.value.add().tensor
    tensor.bool_val.extend([True, False])
    tensor.tensor_shape.unknown_rank = True
    for short in (False, True):
        text = text_format.MessageToString(theirs, use_short_repeated_primitives=short)
        ours = proto_text.parse(summary_messages.SUMMARY, text)
        assert summary.FromString(ours.SerializeToString()) == theirs


def test_the_grammar_of_text():
    text = """value <  # a comment
        tag: 'a' "\\x62\\103" ; histo: { bucket: [1, .5f, -inf] bucket: 2. }, >
        value { simple_value: 1e999 }"""
    message = proto_text.parse(summary_messages.SUMMARY, text)
    first, second = map(read_message, read_message(message.SerializeToString())[1])
    assert first[1] == [b"abC"]
    buckets = read_message(first[5][0])[7]
    assert [number_of(each) for each in buckets] == [1, 0.5, -np.inf, 2]
    assert number_of(second[2][0]) == np.inf


@pytest.mark.parametrize(
    "text, found",
    [
        ("value", "the end"),
        ("value {", "the end"),
        ("value { tag: 3 }", "3"),
        ("value { tag: text }", "text"),
        ("value { tag 'a' }", "'a'"),
        ("value { weight: 3 }", "weight"),
        ("value { tag: 'a }", "\"'\" at character 13"),
        ("value { tag: '\\377' }", "b'\\xff'"),
        ("value { image { height: 1.5 } }", "1.5"),
        ("value { tensor { dtype: DT_NONE } }", "DT_NONE"),
        ("value { tensor { bool_val: 2 } }", "2"),
        ("value { histo { bucket: [1 2] } }", "2"),
        ("value { tag: 'a' } }", "}"),
        ("value { tag: 'a' >", ">"),
    ],
)
def test_text_that_is_no_message(text, found, tmp_path):
    SUMMARY.create_summary_writer(tmp_path)
    job = pb_job()
    with pytest.raises(flow.errors.SummaryError) as error:
        job([np.frombuffer(text.encode(), np.int8)], [np.array([0])]).get()
    assert f"expects the text of a message Summary but got {found} in it" in str(
        error.value
    )
    assert read_values(tmp_path) == []


# ===- Mistakes ------------------------------------------------------------===#


@pytest.mark.parametrize(
    "body, cls, expected",
    [
        (lambda: SUMMARY.text("a"), AssertionError, "text to be a list of at least one"),
        (lambda: SUMMARY.text([]), AssertionError, "a list of at least one str but got"),
        (lambda: SUMMARY.text([3]), AssertionError, "a list of str but got 3 in it"),
        (lambda: SUMMARY.text(["a"], 3), AssertionError, "tag to be a str of at least"),
        (lambda: SUMMARY.hparams([]), AssertionError, "hparams to be a dict of at least"),
        (lambda: SUMMARY.hparams({3: 4}), AssertionError, "HParam, Metric or str but got"),
        (lambda: SUMMARY.hparams({"a": []}), TypeError, "float, bool or str for 'a' in"),
        (
            lambda: SUMMARY.hparams({SUMMARY.Metric("a"): True}),
            TypeError,
            "expects an int or a float for 'a' in hparams but got True",
        ),
        (
            lambda: SUMMARY.hparams({SUMMARY.HParam("a"): 1, "a": 2}),
            AssertionError,
            "expects each name in hparams once but got 'a' twice",
        ),
        (
            lambda: SUMMARY.hparams({"a": 10**400}),
            AssertionError,
            "expects 'a' in hparams to fit a float64 but got more",
        ),
        (lambda: SUMMARY.HParam(3), AssertionError, "name of a hyperparameter to be a str"),
        (lambda: SUMMARY.HParam("a", int), AssertionError, "a ValueSet or None but got"),
        (lambda: SUMMARY.Metric(""), AssertionError, "name of a metric to be a str but"),
        (lambda: SUMMARY.Metric("a", str), AssertionError, "dtype to be int or float but"),
        (lambda: SUMMARY.IntegerRange(1.0, 2), TypeError, "ints for IntegerRange but got"),
        (lambda: SUMMARY.RealRange(1, 2.0), TypeError, "floats for RealRange but got 1"),
        (lambda: SUMMARY.RealRange(3.0, 2.0), AssertionError, "min_value to be at most"),
        (lambda: SUMMARY.ValueSet([]), AssertionError, "int, float, bool or str but got"),
        (lambda: SUMMARY.ValueSet([1, True]), TypeError, "values of int but got True"),
        (lambda: SUMMARY.Projector(), AssertionError, "a path to write summaries to but"),
        (lambda: SUMMARY.Graph(3), AssertionError, "a path to write summaries to but"),
    ],
)
def test_arguments_that_do_not_fit(body, cls, expected):
    with raises_here(cls, expected):
        body()


def test_attributes_of_descriptions():
    values = SUMMARY.ValueSet(["sgd", "adam"])
    assert (values.values, values.dtype) == (["adam", "sgd"], str)
    assert SUMMARY.ValueSet([], bool).values == []
    assert SUMMARY.Hparam("a", values).dtype is values
    limits = SUMMARY.IntegerRange(1, 2)
    assert (limits.min_value, limits.max_value) == (1, 2)
    metric = SUMMARY.Metric("loss")
    assert (metric.name, metric.dtype) == ("loss", float)


# ===- Projectors ----------------------------------------------------------===#


def read_tensor(data):
    fields = read_message(data)
    dims = [read_message(dim)[1][0] for dim in read_message(fields[2][0])[1]]
    array = np.frombuffer(fields[3][0], np.dtype(fields[1][0].decode()))
    return array.reshape(dims)


@pytest.mark.parametrize("kind", ["embedding", "exception"])
def test_projectors(kind, tmp_path):
    random = np.random.default_rng(3)
    value = random.random((10, 4, 3)).astype(np.float32)
    label = random.integers(0, 10, 10)
    x = random.integers(0, 256, (10, 5, 5)).astype(np.uint8)
    projector = SUMMARY.Projector(str(tmp_path))
    getattr(projector, f"create_{kind}_projector")()
    given = {"label": label} if kind == "embedding" else {}
    write = getattr(projector, f"{kind}_projector")
    write(value=value, step=7, sample_name="s", sample_type="IMAGE", x=x, **given)
    path = getattr(projector, f"{kind}_filename")
    assert projector.logdir == str(tmp_path / "projector")
    with open(path, "rb") as file:
        fields = read_message(file.read())
    assert read_message(fields[6][0])[1] == [int(kind == "exception")]
    points = read_message(fields[1][0])
    assert points[1] == [f"{kind}_projector".encode()] and points[2] == [7]
    assert number_of(points[3][0]) > 1.6e9
    np.testing.assert_array_equal(read_tensor(points[4][0]), value)
    labels = [read_tensor(each).tolist() for each in points[5]]
    assert labels == ([label.tolist()] if given else [])
    sample = read_message(fields[2][0])
    assert sample[1] == [b"s"] and sample[2] == [0]
    np.testing.assert_array_equal(read_tensor(sample[3][0]), x)
    # The next call replaces the file.
    write(value[:2], tag="t")
    with open(path, "rb") as file:
        fields = read_message(file.read())
    points = read_message(fields[1][0])
    assert (points[1], points[2], fields[2]) == ([b"t"], [], [])
    with raises_here(AssertionError, "one file of a projector but got a second one"):
        getattr(projector, f"create_{kind}_projector")()


def test_tensorboard_shows_the_points(tmp_path):
    plugin = pytest.importorskip("tensorboard.plugins.projector.projector_plugin")
    parser = pytest.importorskip("google.protobuf.text_format")
    messages = pytest.importorskip("tensorboard.plugins.projector.projector_config_pb2")
    value = np.random.default_rng(4).normal(size=(5, 2, 3)).astype(np.float32)
    value[0, 0, 0] = np.inf
    projector = SUMMARY.Projector(tmp_path)
    projector.create_embedding_projector()
    projector.create_exception_projector()
    projector.embedding_projector(value[:2], tag="first")
    projector.embedding_projector(value, label=np.arange(5), tag='the "points"')
    projector.exception_projector(np.arange(3) > 1)
    text = (tmp_path / "projector_config.pbtxt").read_text()
    config = parser.Parse(text, messages.ProjectorConfig())
    points, outliers = config.embeddings
    assert points.tensor_name == 'the "points"' and list(points.tensor_shape) == [5, 6]
    table = plugin._read_tensor_tsv_file(str(tmp_path / points.tensor_path))
    np.testing.assert_array_equal(table, value.reshape(5, 6))
    labels = (tmp_path / points.metadata_path).read_text()
    assert labels.splitlines() == ["0", "1", "2", "3", "4"]
    assert outliers.tensor_name == "exception_projector" and not outliers.metadata_path
    table = plugin._read_tensor_tsv_file(str(tmp_path / outliers.tensor_path))
    np.testing.assert_array_equal(table, [[0], [0], [1]])


@pytest.mark.parametrize(
    "given, expected",
    [
        ({}, "value to be an array for exception_projector but got None"),
        ({"value": "a"}, "value to be an array of numbers but got 'a'"),
        ({"value": [1], "step": 1.5}, "step to be an int in [-2^63, 2^63) but got 1.5"),
        (
            {"value": [1], "sample_name": "s", "sample_type": "film", "x": [1]},
            "sample_type to be image, audio or text but got 'film'",
        ),
        (
            {"value": [1], "sample_name": 3, "sample_type": "text", "x": [1]},
            "sample_name to be a str but got 3",
        ),
        (
            {"value": [1], "sample_name": "s", "sample_type": "text"},
            "x, the data of the samples, beside sample_name but got None",
        ),
    ],
)
def test_points_that_do_not_fit(given, expected, tmp_path):
    projector = SUMMARY.Projector(tmp_path)
    with raises_here(AssertionError, "create_exception_projector before"):
        projector.exception_projector([1])
    projector.create_exception_projector()
    with raises_here(AssertionError, expected):
        projector.exception_projector(**given)


# ===- Graphs --------------------------------------------------------------===#


def define_jobs():
    @flow.global_function(type="train")
    def train(x: tp.Numpy.Placeholder((2, 3))):
        w = flow.get_variable("w", (3, 4), initializer=flow.ones_initializer())
        loss = flow.math.relu(flow.matmul(x, w, name="product"), name="act")
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.5])
        flow.optimizer.SGD(rate).minimize(loss)
        return loss

    @flow.global_function()
    def predict(x: tp.Numpy.Placeholder((2, 3))):
        return flow.math.tanh(x, name="th"), x


def test_a_structure_graph(tmp_path):
    define_jobs()
    graph = SUMMARY.Graph(str(tmp_path))
    graph.write_structure_graph()
    folder = tmp_path / "graph"
    assert graph.logdir == str(folder)
    assert graph.structure_graph_filename == str(folder / "structure_graph.json")
    models = json.loads((folder / "structure_graph.json").read_text())
    assert [model["config"]["name"] for model in models] == ["train", "predict"]
    layers = {each["name"]: each for each in models[0]["config"]["layers"]}
    assert layers["act"]["class_name"] == "relu"
    assert layers["act"]["inbound_nodes"] == ["product"]
    product = layers["product"]["inbound_nodes"]
    assert [layers[name]["class_name"] for name in product] == ["input", "read"]
    assert "@\"w\"" in layers[product[1]]["config"]["variable"]
    predict = models[1]["config"]
    assert len(predict["input_layers"]) == 1 and len(predict["output_layers"]) == 2
    with raises_here(AssertionError, "one structure graph in a folder but got a second"):
        graph.write_structure_graph()
    (events,) = folder.glob("events*")
    graph_def = pytest.importorskip("tensorboard.compat.proto.graph_pb2").GraphDef
    first, event = events_of(events, "LegacyEventFileLoader")
    assert first.file_version == "brain.Event:2"
    nodes = {node.name: node for node in graph_def.FromString(event.graph_def).node}
    assert len(nodes) == sum(len(model["config"]["layers"]) for model in models)
    assert nodes["train/act"].op == "relu"
    assert list(nodes["train/act"].input) == ["train/product"]
    assert all(name in nodes for node in nodes.values() for name in node.input)
    variable = nodes[f"train/{product[1]}"].attr["variable"].s
    assert variable == b'@"w"'


def test_files_that_cannot_be_written(tmp_path):
    (tmp_path / "graph").write_text("")
    with raises_here(
        flow.errors.SummaryError, f"'{tmp_path}/graph': cannot write summaries: file"
    ):
        SUMMARY.Graph(tmp_path)
    projector = SUMMARY.Projector(tmp_path)
    projector.create_embedding_projector()
    (tmp_path / "projector").rmdir()
    with raises_here(RuntimeError, "cannot write summaries: no such file"):
        projector.embedding_projector([1])
    with raises_here(NotImplementedError, "expects at least one job function before"):
        SUMMARY.Graph(tmp_path / "other").write_structure_graph()
