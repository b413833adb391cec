"""The settings of a job in the form of OneFlow's message JobConfigProto."""

import re

from . import dtype as dtypes
from . import errors, frames, settings

# Settings that are no fields of the message: those of a FunctionAttribute, other names
# of fields, and our own.
_NO_FIELDS = {
    "allow_cpu_return_op",
    "auto_mixed_precision_data_type",
    "cudnn_conv_enable_true_half",
    "default_distribute_strategy",
    "default_logical_view",
    "default_placement_scope",
    "enable_cudnn_conv_pseudo_half",
    "enable_qat",
    "enable_reused_mem",
    "enable_tensor_float_32_compute",
    "enable_true_half_config_when_conv",
}
# The names of fields whose setting has another one, and whether it is the negation.
_RENAMED = {
    "enable_qat": ("enable_quantization_aware_training", False),
    "enable_reused_mem": ("enable_reuse_mem", False),
    "enable_cudnn_conv_pseudo_half": ("cudnn_conv_enable_pseudo_half", False),
    "cudnn_conv_enable_true_half": ("cudnn_conv_enable_pseudo_half", True),
    "enable_true_half_config_when_conv": ("cudnn_conv_enable_pseudo_half", True),
}
# Numbers of the enum DataType.
_DATA_TYPES = {
    dtypes.float32: 2,
    dtypes.float64: 3,
    dtypes.int8: 4,
    dtypes.int32: 5,
    dtypes.int64: 6,
    dtypes.uint8: 7,
    dtypes.float16: 9,
    dtypes.bfloat16: 11,
}
_DATA_TYPE_NAMES = {
    2: "kFloat",
    3: "kDouble",
    4: "kInt8",
    5: "kInt32",
    6: "kInt64",
    7: "kUInt8",
    9: "kFloat16",
    11: "kBFloat16",
}


class ConfigMessage:
    """A message with named fields, which can be read as those of protobuf can:
    `message.field`, HasField, WhichOneof, ListFields and str(). Fields that were not
    set have their default values. Settings change by function_config alone."""

    def __init__(self, kind, present, defaults=None, oneofs=None):
        self._kind = kind
        self._present = {
            name: _nested(name, value)
            for name, value in present.items()
            if value is not None
        }
        self._defaults = defaults or {}
        self._oneofs = oneofs or {}

    def _known(self):
        names = {*self._present, *self._defaults}
        return names.union(*self._oneofs.values())

    def _require(self, name):
        if name not in self._known():
            raise errors.ConfigError(
                errors.located(
                    f"expects a field of {self._kind} but got {name!r}",
                    frames.user_frames(),
                )
            )

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name in self._present:
            return self._present[name]
        self._require(name)
        return self._defaults.get(name)

    def __setattr__(self, name, value):
        if name.startswith("_"):
            super().__setattr__(name, value)
            return
        settings.fail(
            f"expects no assignment to field {name!r} of {self._kind}, which the "
            f"settings of function_config are for, but got {value!r}"
        )

    def HasField(self, name):
        """Whether a field was set."""
        self._require(name)
        return name in self._present

    def WhichOneof(self, name):
        """The field of the group `name` that was set, or None."""
        if name not in self._oneofs:
            raise errors.ConfigError(
                errors.located(
                    f"expects a oneof of {self._kind} but got {name!r}",
                    frames.user_frames(),
                )
            )
        return next((n for n in self._oneofs[name] if n in self._present), None)

    def ListFields(self):
        """Name and value of each field that was set, in alphabetical order."""
        return sorted(self._present.items())

    def __str__(self):
        """The fields that were set, in protobuf's text format."""
        return "".join(_lines(self, ""))


def _nested(name, value):
    if isinstance(value, dict):
        return ConfigMessage(name, value)
    if isinstance(value, (list, tuple)):
        return [_nested(name, item) for item in value]
    return value


def _lines(message, indent):
    for name, value in message.ListFields():
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, ConfigMessage):
                yield f"{indent}{name} {{\n"
                yield from _lines(item, indent + "  ")
                yield f"{indent}}}\n"
                continue
            if isinstance(item, bool):
                item = str(item).lower()
            elif isinstance(item, str):
                escaped = item.replace("\\", "\\\\").replace('"', '\\"')
                item = '"' + escaped.replace("\n", "\\n") + '"'
            elif name == "default_data_type":
                item = _DATA_TYPE_NAMES[item]
            yield f"{indent}{name}: {item}\n"


def _number(value):
    if value in ("true", "false"):
        return value == "true"
    return float(value) if re.search(r"[.eE]", value) else int(value)


def _update_conf(attribute):
    """The update rule of an optimizer, from its attribute in the compiler."""
    name, fields = re.fullmatch(r"#job\.(\w+)(?:<(.*)>)?", attribute).groups()
    rule = {"sgd": "naive_conf"}.get(name, f"{name}_conf")
    found = re.findall(r"(\w+) = (true|false|-?[\d.]+(?:[eE][-+]?\d+)?)", fields or "")
    names = {"bias_correction": "do_bias_correction"}
    return {rule: {names.get(key, key): _number(value) for key, value in found}}


def _train_conf(config, trace):
    """The message TrainConf: config.train.*, or the optimizer that the body of the
    job has used so far."""
    present, scale = config.train.fields(), 1
    if trace is not None:
        present["loss_lbn"] = [blob.logical_blob_name for blob in trace.losses]
        if trace.minimizes:
            # The message has room for one.
            minimize = trace.minimizes[-1]
            present["model_update_conf"] = _update_conf(minimize.rule([]))
            factor = getattr(minimize.policy, "factor", scale)
            if factor != scale:
                present["loss_scale_factor"] = factor
    defaults = {
        "loss_lbn": [],
        "loss_scale_factor": scale,
        "model_update_conf": None,
        "primary_lr": None,
        "secondary_lr": None,
    }
    return ConfigMessage("train_conf", present, defaults)


def _value(name, value):
    return _DATA_TYPES[value] if name == "default_data_type" else value


def make(config, is_trainable, trace, known):
    """The message of a job: `known` are the settings and their defaults, by name."""
    present = {}
    for name, value in config.values_set().items():
        field, negated = _RENAMED.get(name, (name, False))
        if name in _RENAMED:
            present[field] = not value if negated else value
        elif name not in _NO_FIELDS:
            present[name] = _value(name, value)
    defaults = {
        name: _value(name, value)
        for name, value in known.items()
        if name not in _NO_FIELDS
    }
    defaults["enable_reuse_mem"] = True
    defaults["job_name"] = ""
    if trace is not None:
        present["job_name"] = trace.name
    if is_trainable:
        present["train_conf"] = _train_conf(config, trace)
    else:
        present["predict_conf"] = ConfigMessage("predict_conf", {})
    kinds = ("train_conf", "predict_conf")
    return ConfigMessage("job_config_proto", present, defaults, {"job_type": kinds})
