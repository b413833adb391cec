"""onnx.export: a prediction job as a model in the format of ONNX."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from . import arguments, checkpoint, errors, frames, onnx_graph, onnx_ops, text
from .default_session import get_default_session
from .hints import Path, Shape
from .onnx_values import Value

_DEFAULT_OPSET = 13
# The domain of nodes for ops that ONNX lacks, if the user names none.
_OWN_DOMAIN = "jobmlir"

_fail = errors.failing(errors.ArgumentError)


# ===- The model of a traced job ----------------------------------------------------===#


def _doc(place):
    return "{}:{}".format(*place[0][:2]) if place else ""


def _as_attribute(value):
    """An attribute of the dialect as one of a node."""
    is_ints = isinstance(value, (list, tuple)) and all(map(arguments.is_int, value))
    if is_ints or isinstance(value, (bool, int, float)):
        return value
    return str(value)


class _Model:
    """The graph of one traced job. With a `domain`, what ONNX lacks is a node or an
    input of it, else an error."""

    def __init__(self, job, recording, opset, domain):
        self._job = job
        self._recording = recording
        self._domain = domain
        # Whether a rule may ask for a later set of operators.
        self._is_first = opset is None
        # The value of each blob; of those of micro-steps a list of values.
        self._values = {}
        self.graph = onnx_graph.Graph(_DEFAULT_OPSET if opset is None else opset)
        # What ONNX lacks.
        self.lacks = []

    def _lacks(self, what, record):
        """Rejects what ONNX lacks, unless the model has a domain for it."""
        problem = errors.located(
            f"expects what ONNX has in a job to export but got {what}",
            record.place,
            self._job.name,
            getattr(record, "name", None),
        )
        if self._domain is None:
            raise errors.UnsupportedError(problem)
        self.lacks.append(problem)

    def build(self, read, arrays, described):
        """Writes inputs, variables, ops and outputs. `read` has the name of the variable
        of each record that reads one."""
        graph, recording = self.graph, self._recording
        for observer in recording.observers:
            self._lacks(observer.api, observer)
        for blob in recording.arguments:
            self._add_input(blob)
        outputs = [graph.reserve(name) for name in recording.names]
        variables = {}
        for record in recording.ops:
            if record.op != "job.read":
                self._convert(record)
                continue
            (blob,), variable = record.results, read[record]
            if variable not in variables:
                name, dtype = graph.reserve(variable), described[variable][1]
                graph.initializer(name, arrays[variable], dtype)
                variables[variable] = Value(graph, name, dtype)
            self._values[blob._value] = variables[variable]
        graph.node_name = graph.doc = ""
        for name, blob in zip(outputs, recording.results):
            graph.node("Identity", self._value(blob, blob).name, output=name)
            shape = list(blob.shape)
            if blob.is_dynamic:
                shape[blob._dynamic_axis] = f"{name}_extent"
            graph.add_output(name, shape, blob.dtype)

    def _add_input(self, blob):
        name = self.graph.reserve(blob.op_name)
        self.graph.add_input(name, blob.shape, blob.dtype)
        self._values[blob._value] = Value(self.graph, name, blob.dtype)

    def _value(self, blob, record):
        """The value of a blob, which the record of an op uses."""
        if blob._value not in self._values:
            self._lacks(f"{blob.op_name}, which the host reads", record)
            self._add_input(blob)
        return self._values[blob._value]

    def _convert(self, record):
        self.graph.node_name, self.graph.doc = record.name or "", _doc(record.place)
        inputs = [self._value(blob, record) for blob in record.operands]
        begin = self.graph.size
        if record.op in onnx_ops.MICRO_STEPS:
            rule = onnx_ops.MICRO_STEPS[record.op]
            results = self._apply(rule, record, inputs)
        else:
            results = self._convert_steps(record, inputs)
        self._values.update(zip([blob._value for blob in record.results], results))
        for blob, value in zip(record.results, results):
            if isinstance(value, Value) and not blob.is_dynamic:
                self.graph.describe(value.name, blob.shape, value.dtype, begin)

    def _convert_steps(self, record, inputs):
        """The values of an op's results; of one in micro-steps lists of values."""
        rule = onnx_ops.RULES.get(record.op)
        if rule is None:
            self._lacks(f"{record.op}, {onnx_ops.LACKED[record.op]}", record)
        counts = [len(each) for each in inputs if isinstance(each, list)]
        if not counts:
            return self._apply(rule, record, inputs)
        steps = [
            self._apply(
                rule, record, [e[i] if isinstance(e, list) else e for e in inputs]
            )
            for i in range(counts[0])
        ]
        return [list(values) for values in zip(*steps)]

    def _apply(self, rule, record, inputs):
        """The values of an op's results by a rule, or without one as a node of the
        domain."""
        if rule is None:
            return self._custom(record, inputs)
        converter = onnx_ops.Converter(self.graph, record, inputs)
        try:
            rule(converter)
            converter.finish()
        except onnx_ops.NotInOnnx as problem:
            if isinstance(problem, onnx_ops.NeedsOpset) and self._is_first:
                raise
            self._lacks(f"{record.op} with {problem}", record)
            return self._custom(record, inputs)
        return converter.values

    def _custom(self, record, inputs):
        names = self.graph.node(
            record.op.removeprefix("job."),
            *(one.name for one in inputs),
            outputs=len(record.results),
            domain=self._domain,
            **{key: _as_attribute(value) for key, value in record.attributes.items()},
        )
        return [
            Value(self.graph, name, blob.dtype)
            for name, blob in zip(names, record.results)
        ]


# ===- Arguments ------------------------------------------------------------------===#


def _require_job(job_func):
    definition = getattr(job_func, "__oneflow_job__", None)
    if definition is None or definition.kind != "predict":
        _fail(
            f"expects a prediction job to export but got {job_func!r}",
            errors.ArgumentTypeError,
        )
    return definition


def _check_opset(opset):
    if opset is None:
        return None
    if not arguments.is_int(opset) or opset not in onnx_graph.IR_VERSIONS:
        low, high = min(onnx_graph.IR_VERSIONS), max(onnx_graph.IR_VERSIONS)
        _fail(f"expects an opset from {low} to {high} but got {opset!r}")
    return int(opset)


def _check_domains(extra_opset):
    """(domain, version) pairs from such pairs, or from messages of ONNX."""
    if extra_opset is None:
        return {}
    expected = "expects extra_opset to be a list of (domain, version) pairs"
    if not isinstance(extra_opset, (list, tuple)):
        _fail(f"{expected} but got {extra_opset!r}")
    domains = {}
    for entry in extra_opset:
        if hasattr(entry, "domain") and hasattr(entry, "version"):
            entry = entry.domain, entry.version
        if not (
            isinstance(entry, (list, tuple))
            and len(entry) == 2
            and isinstance(entry[0], str)
            and arguments.is_int(entry[1])
        ):
            _fail(f"{expected} but got {entry!r}")
        domain, version = entry
        if domain in ("", "ai.onnx") or not text.is_unicode(domain):
            _fail(
                f"expects another domain than ONNX's in extra_opset but got {domain!r}"
            )
        if not 0 < version < 2**63:
            _fail(
                f"expects a positive version of {domain!r} in extra_opset but got "
                f"{arguments.show(version)}"
            )
        if domain in domains:
            _fail(f"expects each domain once in extra_opset but got {domain!r} twice")
        domains[domain] = int(version)
    return domains


def _shapes(job, override):
    """The shapes of the job's arguments, some of which `override` has by name."""
    if not isinstance(override, dict):
        _fail(
            f"expects shape_override to be a dict of shapes by name but got {override!r}"
        )
    leaves = job.leaves()
    known = {name: len(leaf.shape) for name, leaf in leaves}
    for name, shape in override.items():
        if name not in known:
            _fail(
                f"expects names of arguments ({', '.join(known) or 'none'}) in "
                f"shape_override but got {name!r}"
            )
        if not arguments.is_shape(shape) or len(shape) != known[name]:
            _fail(
                f"expects {known[name]} positive ints as the shape_override of {name} but "
                f"got {shape!r}"
            )
    return tuple(
        tuple(map(int, override.get(name, leaf.shape))) for name, leaf in leaves
    )


# ===- Export ---------------------------------------------------------------------===#


def _arrays(model_save_dir, names, described):
    """The arrays of the variables: those of a checkpoint, or the present ones."""
    if model_save_dir is None:
        stored = checkpoint.get_all_variables()
    else:
        path = arguments.path(_fail, model_save_dir, "read variables from")
        stored = checkpoint.get(path)
        if not isinstance(stored, dict):
            _fail(
                f"expects the folder of a checkpoint but got that of a variable, {path}"
            )
        for name in names:
            if name not in stored:
                _fail(
                    f"'{path}': expects variable '{name}' but there is none of that "
                    "name",
                    errors.CheckpointNotFoundError,
                )
    return {
        name: checkpoint.value_for(name, stored[name], *described[name])
        for name in names
    }


def _build(job, recording, opset, domain, *variables):
    model = _Model(job, recording, opset, domain)
    try:
        model.build(*variables)
    except onnx_ops.NeedsOpset as problem:
        return _build(job, recording, problem.opset, domain, *variables)
    return model


def _version():
    import jobmlir

    return jobmlir.__version__


def export(
    job_func: Callable[..., Any],
    model_save_dir: Path | None,
    onnx_filename: Path,
    continue_on_error: bool = False,
    opset: int | None = None,
    extra_opset: Sequence[tuple[str, int]] | None = None,
    shape_override: Mapping[str, Shape] | None = None,
    external_data: bool = False,
) -> None:
    """Writes a prediction job to a file in the format of ONNX.

    Inputs have the names of the job's arguments, and outputs those of its results;
    shapes are static, except the rows of dynamic results.

    Results are those of the job within rounding. ONNX does not say what maxima, minima,
    argmax and max poolings make of NaN. ONNX Runtime has no convolutions and mean
    poolings of float64: they are computed in float32.

    Args:
        job_func: A job of the session.
        model_save_dir: The folder of a checkpoint with its variables, or None for the
            present values.
        onnx_filename: The file, which is replaced if it is there.
        continue_on_error: Whether an op that ONNX lacks is a warning: it becomes a node
            with its name and attributes in the first domain of extra_opset, or in
            version 1 of the domain "jobmlir", of which a runtime needs an
            implementation. What the host reads becomes an input; a watch or a summary
            is left out.
        opset: The version of ONNX's operators, 13 to 21; None is 13, or the first that
            has the operators of the job.
        extra_opset: (domain, version) pairs that the model declares.
        shape_override: Other shapes of arguments by name, such as those of a batch of
            1: the job's function runs once more with these.
        external_data: Whether large variables are in a file onnx_filename with ".data"
            appended, which a model of more than 2 GiB needs.

    Raises:
        UnsupportedError: ONNX lacks an op, or the job has inputs that the host reads, a
            watch or a summary.
        ArgumentError: job_func is no prediction job, or an argument does not fit.
        CheckpointError: The checkpoint cannot be read.
        ExportError: The file cannot be written.
    """
    definition = _require_job(job_func)
    arguments.bools(
        _fail, continue_on_error=continue_on_error, external_data=external_data
    )
    path = arguments.path(_fail, onnx_filename, "write the model to")
    opset, domains = _check_opset(opset), _check_domains(extra_opset)
    shapes = None
    if shape_override is not None:
        shapes = _shapes(definition, shape_override)
    recording, described = get_default_session().recorded(definition, shapes)
    symbols = {text.symbol(name): name for name in described}
    read = {
        record: symbols[str(record.attributes["variable"])]
        for record in recording.ops
        if record.op == "job.read"
    }
    arrays = _arrays(model_save_dir, set(read.values()), described)
    domain = next(iter(domains), _OWN_DOMAIN) if continue_on_error else None
    model = _build(definition, recording, opset, domain, read, arrays, described)
    if model.lacks:
        domains.setdefault(domain, 1)
    external = None
    if external_data:
        external = onnx_graph.ExternalData(os.path.basename(path) + ".data")
    data = model.graph.model(
        definition.name, _version(), _doc(definition.frames), domains.items(), external
    )
    if len(data) > onnx_graph.MOST_BYTES:
        _fail(
            f"expects external_data for a model of more than 2 GiB but got {len(data)} "
            "bytes without it",
            errors.ExportError,
        )
    try:
        onnx_graph.write(path, data, external)
    except OSError as error:
        reason = errors.reason(error)
        _fail(f"'{path}': cannot write the model: {reason}", errors.ExportError)
    for problem in model.lacks:
        warnings.warn(problem, stacklevel=frames.warn_stacklevel())
