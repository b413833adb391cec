"""Models in the format of ONNX: the messages of onnx.proto, written by wire.py, so that
the package `onnx` is not needed."""

import os

import numpy

from . import dtype as dtypes
from . import whole_files, wire

# The numbers of TensorProto.DataType.
DATA_TYPES = {
    dtypes.float32: 1,
    dtypes.uint8: 2,
    dtypes.int8: 3,
    dtypes.int32: 6,
    dtypes.int64: 7,
    dtypes.bool_: 9,
    dtypes.float16: 10,
    dtypes.float64: 11,
    dtypes.bfloat16: 16,
}
# The version of the format that came with each set of operators.
IR_VERSIONS = {13: 7, 14: 7, 15: 8, 16: 8, 17: 8, 18: 8, 19: 9, 20: 9, 21: 10}

# Protobuf's limit of a message.
MOST_BYTES = (1 << 31) - 1
# Smaller tensors stay in the model.
_LEAST_EXTERNAL = 1024
_ALIGNMENT = 4096


class ExternalData:
    """The file beside a model that has its tensors: their bytes, and where they are."""

    def __init__(self, location):
        self.location = location
        self.parts = []
        self._size = 0

    def add(self, data):
        """The fields of a TensorProto whose data is here."""
        padding = -self._size % _ALIGNMENT
        self.parts += [bytes(padding), data]
        offset = self._size + padding
        self._size = offset + len(data)
        entries = {
            "location": self.location,
            "offset": str(offset),
            "length": str(len(data)),
        }
        return wire.integer(14, 1) + b"".join(
            wire.data(13, wire.string(1, key) + wire.string(2, value))
            for key, value in entries.items()
        )


def tensor(name, array, dtype, external=None):
    """A TensorProto."""
    array = numpy.asarray(array, order="C")
    data = array.reshape(-1).view("u1").tobytes()
    message = b"".join(wire.integer(1, extent) for extent in array.shape)
    message += wire.integer(2, DATA_TYPES[dtype]) + wire.string(8, name)
    if external is not None and len(data) >= _LEAST_EXTERNAL:
        return message + external.add(data)
    return message + wire.data(9, data)


def _value_info(name, shape, dtype):
    """A ValueInfoProto; an extent that is a str is known when the model runs."""
    dims = b"".join(
        wire.data(
            1,
            wire.string(2, extent)
            if isinstance(extent, str)
            else wire.integer(1, extent),
        )
        for extent in shape
    )
    kind = wire.integer(1, DATA_TYPES[dtype]) + wire.data(2, dims)
    return wire.string(1, name) + wire.data(2, wire.data(1, kind))


def _attribute(name, value):
    """An AttributeProto of an int, a float, a str, a list of ints or a tensor."""
    message = wire.string(1, name)
    if isinstance(value, bytes):
        return message + wire.data(5, value) + wire.integer(20, 4)
    if isinstance(value, str):
        return message + wire.string(4, value) + wire.integer(20, 3)
    if isinstance(value, float):
        return message + wire.float32(2, value) + wire.integer(20, 1)
    if isinstance(value, (list, tuple)):
        ints = b"".join(wire.integer(8, item) for item in value)
        return message + ints + wire.integer(20, 7)
    return message + wire.integer(3, value) + wire.integer(20, 2)


class _Node:
    """One operator."""

    def __init__(self, op, inputs, outputs, domain, attributes, name, doc):
        self.op = op
        self.inputs = inputs
        self.outputs = outputs
        self.domain = domain
        self.attributes = attributes
        self.name = name
        self.doc = doc

    def message(self, renamed):
        """The NodeProto, with the names of values that `renamed` has instead."""
        inputs = [renamed.get(name, name) for name in self.inputs]
        outputs = [renamed.get(name, name) for name in self.outputs]
        message = b"".join(wire.string(1, name) for name in inputs)
        message += b"".join(wire.string(2, name) for name in outputs)
        message += wire.string(3, outputs[0] if outputs else self.name)
        message += wire.string(4, self.op)
        for name, value in self.attributes.items():
            message += wire.data(5, _attribute(name, value))
        if self.doc:
            message += wire.string(6, self.doc)
        if self.domain:
            message += wire.string(7, self.domain)
        return message


class Graph:
    """A graph that is built from its first node to its last. Values are names. What no
    output depends on is not in the model."""

    def __init__(self, opset):
        self.opset = opset
        self._nodes = []
        self._initializers = []
        self._inputs = []
        self._outputs = {}
        # Types of values that are no inputs and no outputs.
        self._described = {}
        # The names in the model of values that have exchanged theirs, and the value
        # that has the name of each op.
        self._renamed = {}
        self._named_like = {}
        self._taken = set()
        self._constants = {}
        # The name and the documentation of the nodes that are made now.
        self.node_name = ""
        self.doc = ""

    def reserve(self, name):
        """A name that no other value will have."""
        unique, count = name, 0
        while unique in self._taken:
            count += 1
            unique = f"{name}_{count}"
        self._taken.add(unique)
        return unique

    def add_input(self, name, shape, dtype):
        self._inputs.append(_value_info(name, shape, dtype))

    def add_output(self, name, shape, dtype):
        self._outputs[name] = _value_info(name, shape, dtype)

    def initializer(self, name, array, dtype):
        """A value that is in the model."""
        self._initializers.append((name, array, dtype))
        return name

    def constant(self, array, dtype):
        """A small value that is in the model, once."""
        array = numpy.asarray(array, order="C")
        key = (array.shape, dtype, array.reshape(-1).view("u1").tobytes())
        if key not in self._constants:
            name = self.reserve("constant")
            self._constants[key] = self.initializer(name, array, dtype)
        return self._constants[key]

    def node(
        self, op, *inputs, outputs=1, output=None, domain="", **attributes
    ):
        """Appends a node; the names of its outputs. `output` is the name of the only
        one. A node of another domain than ONNX's stays whether it is used or not."""
        names = [output or self.reserve(self.node_name or op)]
        names += [self.reserve(self.node_name or op) for _ in range(outputs - 1)]
        names = names[:outputs]
        if self.node_name in names:
            self._named_like[self.node_name] = self.node_name
        self._nodes.append(
            _Node(op, inputs, names, domain, attributes, self.node_name, self.doc)
        )
        return names

    @property
    def size(self):
        """The number of nodes so far."""
        return len(self._nodes)

    def describe(self, value, shape, dtype, begin):
        """Notes the type of a result of an op, whose nodes are those from `begin` on.
        It gets the name of the op, which the first of them had: the last one computes
        what the user's op does."""
        if value in self._described:
            return
        made = {name for node in self._nodes[begin:] for name in node.outputs}
        if value not in made:
            return
        self._described[value] = (shape, dtype)
        other = self._named_like.get(self.node_name, value)
        names = self._renamed.get(other, other), self._renamed.get(value, value)
        self._renamed[value], self._renamed[other] = names
        self._named_like[self.node_name] = value

    def _used_nodes(self):
        """The nodes that outputs depend on, and the names of all values that do."""
        used, nodes = set(self._outputs), []
        for node in reversed(self._nodes):
            # Those of other domains may have effects.
            if node.domain or not used.isdisjoint(node.outputs):
                used.update(node.inputs)
                nodes.append(node)
        return nodes[::-1], used

    def model(self, name, producer_version, doc="", domains=(), external=None):
        """The ModelProto. `domains` are (domain, version) pairs of other operators than
        ONNX's; large tensors are in the ExternalData `external`, if that is given."""
        nodes, used = self._used_nodes()
        graph = [wire.data(1, node.message(self._renamed)) for node in nodes]
        graph.append(wire.string(2, name))
        graph += [
            wire.data(5, tensor(*initializer, external))
            for initializer in self._initializers
            if initializer[0] in used
        ]
        graph += [wire.data(11, value) for value in self._inputs]
        graph += [wire.data(12, value) for value in self._outputs.values()]
        graph += [
            wire.data(13, _value_info(self._renamed.get(value, value), *kind))
            for value, kind in self._described.items()
            if value in used
        ]
        if doc:
            graph.append(wire.string(10, doc))
        sets = [wire.integer(2, self.opset)]
        sets += [wire.string(1, d) + wire.integer(2, version) for d, version in domains]
        return b"".join(
            (
                wire.integer(1, IR_VERSIONS[self.opset]),
                wire.string(2, "jobmlir"),
                wire.string(3, producer_version),
                wire.data(7, b"".join(graph)),
                *(wire.data(8, one) for one in sets),
            )
        )


def write(path, data, external=None):
    """Writes a model, and its external data before it, so that there is a whole file or
    the one that was there."""
    files = [(path, [data])]
    if external is not None:
        folder = os.path.dirname(path)
        files.insert(0, (os.path.join(folder, external.location), external.parts))
    for target, parts in files:
        with whole_files.create(target) as file:
            file.writelines(parts)
