"""onnx.export: a prediction job as a model in the format of ONNX."""

import os

from . import arguments, checkpoint, errors, onnx_graph, onnx_ops
from .session import get_default_session

_DEFAULT_OPSET = 13

_fail = errors.failing(errors.ArgumentError)


def _require_job(job_func):
    definition = getattr(job_func, "__oneflow_job__", None)
    if definition is None or definition.kind != "predict":
        _fail(
            f"expects a prediction job to export but got {job_func!r}",
            errors.ArgumentTypeError,
        )
    return definition


def _values(model_save_dir, names, described):
    """The arrays of the variables: those of a checkpoint, or the present ones."""
    if model_save_dir is None:
        live = checkpoint.get_all_variables()
        return {name: live[name].numpy() for name in names}
    path = arguments.path(_fail, model_save_dir, "read variables from")
    stored = checkpoint.get(path)
    if not isinstance(stored, dict):
        _fail(f"expects the folder of a checkpoint but got that of a variable, {path}")
    for name in names:
        if name not in stored:
            _fail(
                f"'{path}': expects variable '{name}' but there is none of that name",
                errors.CheckpointNotFoundError,
            )
    return {
        name: checkpoint.value_for(name, stored[name], *described[name])
        for name in names
    }


class _Model:
    """The graph of one traced job."""

    def __init__(self, job, recording, opset, external):
        self._job = job
        self._recording = recording
        self._names = {}
        self.graph = onnx_graph.Graph(opset, external)

    def fail(self, what, record):
        raise errors.UnsupportedError(
            errors.located(
                f"expects what ONNX has in a job to export but got {what}",
                record.place,
                self._job.name,
                getattr(record, "name", None),
            )
        )

    def build(self, values, described):
        """Writes inputs, variables, ops and outputs."""
        graph, recording = self.graph, self._recording
        for blob in recording.arguments:
            name = self._names[blob._value] = graph.reserve(blob.op_name)
            graph.add_input(name, blob.shape, blob.dtype)
        outputs = [graph.reserve(name) for name in recording.names]
        variables = {}
        for record in recording.ops:
            if record.op != "job.read":
                self._convert(record)
                continue
            (blob,) = record.results
            if record.name not in variables:
                name = variables[record.name] = graph.reserve(record.name)
                graph.initializer(name, values[record.name], described[record.name][1])
            self._names[blob._value] = variables[record.name]
        graph.node_name = graph.doc = ""
        for name, blob in zip(outputs, recording.results):
            graph.node("Identity", self._names[blob._value], output=name)
            shape = list(blob.shape)
            if blob.is_dynamic:
                shape[blob._dynamic_axis] = f"{name}_extent"
            graph.add_output(name, shape, blob.dtype)

    def _convert(self, record):
        rule = onnx_ops.RULES.get(record.op)
        if rule is None:
            self.fail(record.op, record)
        graph = self.graph
        graph.node_name = record.name
        graph.doc = "{}:{}".format(*record.place[0][:2]) if record.place else ""
        for blob in record.operands:
            if self._names.get(blob._value) is None:
                self.fail(f"a result of {blob.op_name} that it lacks", record)
        converter = onnx_ops.Converter(graph, record, self._names)
        try:
            rule(converter)
            converter.finish()
        except onnx_ops.NotInOnnx as problem:
            self.fail(f"{record.op} with {problem}", record)
        values = [blob._value for blob in record.results]
        self._names.update(zip(values, converter.values))


def _version():
    import jobmlir

    return jobmlir.__version__


def _refuse_old_arguments(continue_on_error, extra_opset, shape_override):
    arguments.bools(_fail, continue_on_error=continue_on_error)
    for what, value in (
        ("continue_on_error to be False", continue_on_error),
        ("extra_opset to be None", extra_opset),
        ("shape_override to be None, since shapes are static,", shape_override),
    ):
        if value:
            _fail(
                f"expects {what} in this version but got {value!r}",
                errors.UnsupportedError,
            )


def export(
    job_func,
    model_save_dir,
    onnx_filename,
    continue_on_error=False,
    opset=None,
    extra_opset=None,
    shape_override=None,
    external_data=False,
):
    """Writes a prediction job to a file in the format of ONNX.

    `job_func` is a job of the session; `model_save_dir` the folder of a checkpoint with
    its variables, or None for the present values; `onnx_filename` the file, which is
    replaced if it is there. Inputs have the names of the job's arguments, and outputs
    those of its results; shapes are static, except the rows of dynamic results. `opset`
    is the version of ONNX's operators, 13 to 21 (default: 13). With `external_data`
    large variables are in a file `onnx_filename` with ".data" appended, which a model
    of more than 2 GiB needs.

    Results are those of the job within rounding. An index out of range, whose result
    the job defines, is an error in ONNX. An op that ONNX lacks is an UnsupportedError
    with the user's line, and so is a watch or a summary in the job."""
    definition = _require_job(job_func)
    _refuse_old_arguments(continue_on_error, extra_opset, shape_override)
    arguments.bools(_fail, external_data=external_data)
    path = arguments.path(_fail, onnx_filename, "write the model to")
    opset = _DEFAULT_OPSET if opset is None else opset
    if not arguments.is_int(opset) or opset not in onnx_graph.IR_VERSIONS:
        low, high = min(onnx_graph.IR_VERSIONS), max(onnx_graph.IR_VERSIONS)
        _fail(f"expects an opset from {low} to {high} but got {opset!r}")
    traced, described = get_default_session().recorded(definition)
    external = None
    if external_data:
        external = onnx_graph.ExternalData(os.path.basename(path) + ".data")
    model = _Model(definition, traced.recording, int(opset), external)
    for observer in traced.recording.observers:
        model.fail(observer.api, observer)
    names = {r.name for r in traced.recording.ops if r.op == "job.read"}
    model.build(_values(model_save_dir, names, described), described)
    data = model.graph.model(definition.name, _version())
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
