"""What the random jobs know of each op: its types, its ranges, how to draw it.

Every op of the dialect is a key of TABLE or of EXCEPTIONS; test_random.py holds
that against docs/generated/JobOps.md.
"""

import ops_compute  # noqa: F401 (fills the table)
import ops_elementwise  # noqa: F401
import ops_micro_steps  # noqa: F401
from entries import (ANY, EXACT, TABLE, Entry, limits,  # noqa: F401
                     require)
from jobs import FLOATS, Blob

EXCEPTIONS = {
    # The frame of a job, which every random job has.
    "func": "structure", "return": "structure", "variable": "structure",
    "minimize": "structure",
    # Made by passes; every training job comes through them.
    "update": "made by job-autodiff",
    "kernel": "made by job-form-kernels", "yield": "made by job-form-kernels",
    "attention_grad": "made by job-autodiff",
    "avg_pool2d_grad": "made by job-autodiff",
    "conv2d_data_grad": "made by job-autodiff",
    "conv2d_filter_grad": "made by job-autodiff",
    "digamma": "made by job-autodiff",
    "gelu_grad": "made by job-autodiff",
    "layer_norm_grad": "made by job-autodiff",
    "max_pool2d_grad": "made by job-autodiff",
    "reduce_extremum_grad": "made by job-autodiff",
    "reduce_prod_grad": "made by job-autodiff",
    "sparse_softmax_cross_entropy_grad": "made by job-autodiff",
    "micro_steps": "made by job-form-micro-steps",
    "transfer": "made by job-insert-transfers",
    "host_call": "calls functions of a session",
    "gradient": "replaced before anything is compared",
    "argwhere_blocks": "made by job-decompose",
    "count_nonzero": "made by job-decompose",
    "group_indices": "made by job-decompose",
    "merge_runs": "made by job-decompose",
    "sum_groups": "made by job-decompose",
    "pad_to_static": "behind each argwhere",
}


def _infer_leaf(types, attributes):
    return [attributes["to"]]


def leaf(name, draw, **more):
    TABLE[name] = Entry(_infer_leaf, draw, None, rounds=more.pop(
        "rounds", False), **more)


leaf("constant", lambda b: b.constant(Blob(b.shape(), b.rng.choice(ANY))),
     rounds=True)
leaf("read", lambda b: b.read(Blob(b.shape(), b.rng.choice(FLOATS))),
     rounds=True)
leaf("step", lambda b: b.step(), weight=0.3)


def _infer_nothing(types, attributes):
    return []


TABLE["assign"] = Entry(_infer_nothing, lambda b: b.assign(), None, weight=3)
# Losses stand at the end of a training job: see generate.py.
TABLE["loss"] = Entry(_infer_nothing, lambda b: None, None, weight=0)

FORMS = {name: entry.form for name, entry in TABLE.items()}


def rounds(job, op):
    """Whether the results of `op` are rounded, or are drawn floats."""
    if op.name == "input":
        return True
    if all(job.values[value].exact for value in op.results):
        return False
    return TABLE[op.name].rounds
