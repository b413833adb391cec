"""The ops of the dialect in ONNX: the rules of all families, and why the others have
none."""

from . import onnx_arrays, onnx_elementwise, onnx_indices, onnx_nn
from .onnx_rules import RULES, Converter, NeedsOpset, NotInOnnx

MICRO_STEPS = onnx_arrays.MICRO_STEPS

# What the exporter does with ops that are the structure of a job.
STRUCTURE = {
    "job.func": "the graph",
    "job.read": "an initializer",
    "job.return": "the outputs of the graph",
    "job.variable": "an initializer",
}

_BY_PASSES = "which passes make after a job is traced"
_OF_TRAINING = "which only training jobs have"
# The ops that no model of ONNX can have, and why, as messages say it.
LACKED = {
    "job.assign": "which changes a variable",
    "job.erf_inv": "of which ONNX has no operator",
    "job.host_call": "a function of the session",
    "job.random_uniform": "whose random numbers ONNX has no operator for",
    "job.step": "the number of the step, which models do not count",
    **dict.fromkeys(
        "job.find_new_ids job.insert_ordinals job.lookup_ordinals".split(),
        "of which ONNX has no operator",
    ),
    **dict.fromkeys(
        "job.argwhere_blocks job.count_nonzero job.kernel job.max_pool2d_argmax "
        "job.max_pool2d_argmax_grad job.merge_runs job.micro_steps job.sum_groups "
        "job.transfer job.yield".split(),
        _BY_PASSES,
    ),
    **dict.fromkeys(
        "job.attention_grad job.avg_pool2d_grad job.conv2d_filter_grad job.dropout "
        "job.gelu_grad job.gradient job.layer_norm_grad job.loss job.max_pool2d_grad "
        "job.minimize job.reduce_extremum_grad job.reduce_prod_grad "
        "job.sparse_softmax_cross_entropy_grad job.update".split(),
        _OF_TRAINING,
    ),
}

__all__ = [
    "LACKED",
    "MICRO_STEPS",
    "RULES",
    "STRUCTURE",
    "Converter",
    "NeedsOpset",
    "NotInOnnx",
    "onnx_elementwise",
    "onnx_indices",
    "onnx_nn",
]
