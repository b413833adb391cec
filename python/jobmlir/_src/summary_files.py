"""summary.Projector and summary.Graph: files for other viewers beside the events."""

from __future__ import annotations

import json
import os
import time
from typing import Any

import numpy

from . import arguments, errors, event_files, proto_text, whole_files, wire
from .default_session import get_default_session
from .documentation import documented, family_of_values
from .hints import Path

_fail = errors.failing(errors.ArgumentError)

# Numbers of enums in OneFlow's projector.proto.
_EMBEDDING, _EXCEPTION = 0, 1
_SAMPLES = {"image": 0, "audio": 1, "text": 2}


def _make_folder(logdir, name):
    folder = os.path.join(arguments.path(_fail, logdir, "write summaries to"), name)
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        _fail_to_write(folder, error)
    return folder


def _write(path, data):
    try:
        with whole_files.create(path) as file:
            file.write(data)
    except OSError as error:
        _fail_to_write(path, error)


def _fail_to_write(path, error):
    reason = errors.reason(error)
    _fail(f"'{path}': cannot write summaries: {reason}", errors.SummaryError)


# ===- Points --------------------------------------------------------------===#


def _array(what, value):
    array = numpy.asarray(value)
    if array.dtype.kind not in "biuf":
        _fail(f"expects {what} to be an array of numbers but got {value!r}")
    return array


def _tensor(array):
    dims = b"".join(wire.data(1, wire.integer(1, extent)) for extent in array.shape)
    return (
        wire.string(1, str(array.dtype))
        + wire.data(2, dims)
        + wire.data(3, array.tobytes())
    )


def _sample(name, kind, x):
    """The field of a sample, or nothing if it has no name or no kind."""
    if name is None or kind is None:
        return b""
    if not isinstance(name, str):
        _fail(f"expects sample_name to be a str but got {name!r}")
    if not isinstance(kind, str) or kind.lower() not in _SAMPLES:
        _fail(f"expects sample_type to be image, audio or text but got {kind!r}")
    if x is None:
        _fail("expects x, the data of the samples, beside sample_name but got None")
    message = wire.string(1, name) + wire.integer(2, _SAMPLES[kind.lower()])
    return wire.data(2, message + wire.data(3, _tensor(_array("x", x))))


# ProjectorConfig of TensorBoard, as far as it is written.
_CONFIG = {
    "embeddings": (
        2,
        {
            "tensor_name": (1, "string"),
            "metadata_path": (2, "string"),
            "tensor_shape": (4, "int"),
            "tensor_path": (6, "string"),
        },
    )
}


def _rows(array):
    """The elements of each index of the first dimension as a row."""
    count = len(array) if array.ndim else 1
    return array.reshape(count, array.size // max(count, 1))


def _table(rows):
    """Rows of numbers as lines of tab-separated values."""
    return "".join("\t".join(map(str, row)) + "\n" for row in rows.tolist()).encode()


_of_points = family_of_values(
    returns="",
    raises={
        "ArgumentError": "An argument does not fit.",
        "SummaryError": "The file cannot be written.",
    },
    value="An array of points, whose first dimension numbers them.",
    label="An array of a label for each point.",
    tag="The tag, a str.",
    step="The step, an int.",
    sample_name="What the points were made of, or None.",
    sample_type='"image", "audio" or "text", or None.',
    x="The samples that the points were made of, an array, or None.",
)


@documented
class Projector:
    """Writes points of many dimensions for viewers that project them.

    Each set of points goes into a file of the folder logdir/projector that is a message
    SummaryProjector of OneFlow. For TensorBoard there are tables of the same points and
    labels beside it, which logdir/projector_config.pbtxt names.

    Args:
        logdir: The folder.

    Raises:
        SummaryError: It cannot be written.
        ArgumentError: It is no path.
    """

    def __init__(self, logdir: Path | None = None) -> None:
        self.logdir = _make_folder(logdir, "projector")
        # What the configuration says of each file.
        self._embeddings = {}
        self.embedding_filename = None
        self.exception_filename = None

    def _new_file(self, current, prefix):
        if current is not None and os.path.exists(current):
            _fail(
                f"expects one file of a projector but got a second one after '{current}'"
            )
        return os.path.join(self.logdir, f"{prefix}.{int(time.time())}.log")

    def create_embedding_projector(self) -> None:
        """Chooses the file that embedding_projector writes."""
        self.embedding_filename = self._new_file(self.embedding_filename, "projector")

    def create_exception_projector(self) -> None:
        """Chooses the file that exception_projector writes."""
        self.exception_filename = self._new_file(
            self.exception_filename, "projector.gradit"
        )

    @_of_points
    def embedding_projector(
        self,
        value: Any = None,
        label: Any = None,
        tag: str | None = None,
        step: int | None = None,
        sample_name: str | None = None,
        sample_type: str | None = None,
        x: Any = None,
    ) -> None:
        """Writes points with labels."""
        self._project(
            self.embedding_filename,
            "embedding_projector",
            _EMBEDDING,
            (value, label, tag, step),
            (sample_name, sample_type, x),
        )

    @_of_points
    def exception_projector(
        self,
        value: Any = None,
        tag: str | None = None,
        step: int | None = None,
        sample_name: str | None = None,
        sample_type: str | None = None,
        x: Any = None,
    ) -> None:
        """Writes points of which some may be outliers."""
        self._project(
            self.exception_filename,
            "exception_projector",
            _EXCEPTION,
            (value, None, tag, step),
            (sample_name, sample_type, x),
        )

    def _project(self, path, api, kind, points, sample):
        value, label, tag, step = points
        if path is None:
            _fail(f"expects create_{api} before {api} but got none")
        if value is None:
            _fail(f"expects value to be an array for {api} but got None")
        is_int64 = arguments.is_int(step) and arguments.fits_int64(step)
        if step is not None and not is_int64:
            _fail(f"expects step to be an int in [-2^63, 2^63) but got {step!r}")
        tag = api if tag is None else str(tag)
        value = _array("value", value)
        message = wire.string(1, tag)
        if step is not None:
            message += wire.integer(2, step)
        message += wire.float64(3, time.time())
        message += wire.data(4, _tensor(value))
        if label is not None:
            label = _array("label", label)
            message += wire.data(5, _tensor(label))
        _write(
            path,
            wire.data(1, message)
            + _sample(*sample)
            + wire.data(6, wire.integer(1, kind)),
        )
        self._write_tables(os.path.splitext(path)[0], tag, value, label)

    def _write_tables(self, stem, tag, value, label):
        """The points as TensorBoard reads them: a row of numbers for each."""
        table = _rows(value).astype(numpy.float64)
        _write(f"{stem}.tsv", _table(table))
        folder, name = os.path.split(stem)
        root, folder = os.path.split(folder)
        fields = [("tensor_name", tag)]
        if label is not None:
            _write(f"{stem}.labels.tsv", _table(_rows(label)))
            fields.append(("metadata_path", f"{folder}/{name}.labels.tsv"))
        fields += [("tensor_shape", extent) for extent in table.shape]
        fields.append(("tensor_path", f"{folder}/{name}.tsv"))
        self._embeddings[stem] = ("embeddings", fields)
        config = proto_text.Message(_CONFIG, list(self._embeddings.values()))
        _write(os.path.join(root, "projector_config.pbtxt"), str(config).encode())


# ===- Graphs --------------------------------------------------------------===#


class _Layer:
    """An op of a job, as viewers of graphs show it."""

    def __init__(self, name, kind, inputs, config):
        self.name = name
        self.kind = kind
        self.inputs = inputs
        self.config = config


def _layers(recording):
    """The layers of a traced job, each after those that it reads."""
    makers = {}
    layers = []
    taken = set()

    def add(name, kind, inputs, results, config):
        unique, number = name, 0
        while unique in taken:
            number += 1
            unique = f"{name}_{number}"
        taken.add(unique)
        layers.append(_Layer(unique, kind, inputs, config))
        makers.update(dict.fromkeys(results, unique))

    for blob in recording.arguments:
        add(blob.op_name, "input", [], [blob], {"shape": list(blob.shape)})
    for record in recording.ops:
        kind = record.op.partition(".")[2]
        inputs = [makers[blob] for blob in record.operands if blob in makers]
        config = {name: str(value) for name, value in record.attributes.items()}
        inputs = list(dict.fromkeys(inputs))
        add(record.name or kind, kind, inputs, record.results, config)
    for name, blob in zip(recording.names, recording.results):
        add(name, "return", [makers[blob]], [], {"shape": list(blob.shape)})
    return layers


@documented
class Graph:
    """Writes the ops of the jobs of the session into the folder logdir/graph.

    Args:
        logdir: The folder.

    Raises:
        SummaryError: It cannot be written.
        ArgumentError: It is no path.
    """

    def __init__(self, logdir: Path | None = None) -> None:
        self.logdir = _make_folder(logdir, "graph")
        self.structure_graph_filename = None

    def write_structure_graph(self) -> None:
        """Writes structure_graph.json, where each job is a model with layers.

        The same graph goes into a file of events, for TensorBoard. Jobs are traced if
        they have not been yet.

        Raises:
            ArgumentError: The folder has a graph already.
            SummaryError: The file cannot be written.
        """
        path = os.path.join(self.logdir, "structure_graph.json")
        if self.structure_graph_filename is not None and os.path.exists(path):
            _fail(
                f"expects one structure graph in a folder but got a second one: '{path}'"
            )
        jobs = {
            name: _layers(recording)
            for name, recording in get_default_session().recordings().items()
        }
        models = [
            {
                "class_name": "Model",
                "config": {
                    "name": name,
                    "layers": [
                        {
                            "name": layer.name,
                            "class_name": layer.kind,
                            "config": layer.config,
                            "inbound_nodes": layer.inputs,
                        }
                        for layer in layers
                    ],
                    "input_layers": [x.name for x in layers if x.kind == "input"],
                    "output_layers": [x.name for x in layers if x.kind == "return"],
                },
            }
            for name, layers in jobs.items()
        ]
        _write(path, json.dumps(models, indent=1).encode())
        self.structure_graph_filename = path
        try:
            file = event_files.EventFile(self.logdir)
            file.add(event_files.graph_event(_graph(jobs)))
            file.close()
        except OSError as error:
            _fail_to_write(self.logdir, error)


def _graph(jobs):
    """A GraphDef, whose nodes are in a scope of their job."""
    graph = b""
    for job, layers in jobs.items():
        for layer in layers:
            node = wire.string(1, f"{job}/{layer.name}") + wire.string(2, layer.kind)
            for name in layer.inputs:
                node += wire.string(3, f"{job}/{name}")
            for name, value in layer.config.items():
                # AttrValue.s
                attribute = wire.data(2, str(value).encode())
                entry = wire.string(1, name) + wire.data(2, attribute)
                node += wire.data(5, entry)
            graph += wire.data(1, node)
    return graph
