"""What the random jobs know of each op: its types, its ranges, how to draw it.

Every op of the dialect is a key of TABLE or of EXCEPTIONS; test_random.py holds
that against docs/generated/JobOps.md.
"""

import math

import ops_compute  # noqa: F401 (fills the table)
import ops_elementwise  # noqa: F401
import ops_gradients  # noqa: F401
import ops_indices  # noqa: F401
import ops_micro_steps  # noqa: F401
from entries import (ANY, EXACT, TABLE, Entry, limits,  # noqa: F401
                     require, same)
from jobs import FLOATS, Blob

EXCEPTIONS = {
    # The frame of a job, which every random job has.
    "func": "structure", "return": "structure", "variable": "structure",
    # Made by passes; every training job comes through them.
    "update": "made by job-autodiff",
    "kernel": "made by job-form-kernels", "yield": "made by job-form-kernels",
    "micro_steps": "made by job-form-micro-steps",
    "transfer": "made by job-insert-transfers",
}
# Attributes, their values and parts that no random job has.
ATTRIBUTE_EXCEPTIONS = {
    "layout": "made by job-assign-layouts",
    "nhwc": "made by job-assign-layouts", "nchw": "the default",
    "shard": "of artifacts for several machines",
    "sharding": "of artifacts for several machines",
    "init": "made by job-build-initializer",
    "approximate": "the enumerants are drawn",
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
# These stand at the end of a training job: see generate.py and training.py.
TABLE["loss"] = Entry(_infer_nothing, lambda b: None, None, weight=0)
TABLE["minimize"] = Entry(_infer_nothing, lambda b: None, None, weight=0)
TABLE["gradient"] = Entry(
    same, lambda b: None, lambda values, a, types: [(-math.inf, math.inf)],
    "result", weight=0)


def _draw_host_call(b):
    """Of a session: jobs that are run have none."""
    if not b.host_calls:
        return None
    inputs = [b.pick(ANY) for _ in range(b.rng.choice([1, 1, 2, 3]))]
    outputs = tuple(Blob(b.shape(), b.rng.choice(ANY))
                    for _ in range(b.rng.choice([0, 1, 1, 2])))
    needs = any(b.value(number).active for number in inputs)
    return b.emit("host_call", inputs, outputs=outputs,
                  callee=f"host{len(b.job.ops)}",
                  gradient="gradient" if needs or b.chance(0.3) else "")


TABLE["host_call"] = Entry(
    lambda types, a: list(a["outputs"]), _draw_host_call,
    lambda values, a, types: [(-1, 1) for _ in types], weight=2,
    simpler={"gradient": ""})

FORMS = {name: entry.form for name, entry in TABLE.items()}


def rounds(job, op):
    """Whether the results of `op` are rounded, or are drawn floats."""
    if op.name == "input":
        return True
    if all(job.values[value].exact for value in op.results):
        return False
    if job.precision:  # Where it is converted, which is unknown here.
        return True
    return TABLE[op.name].rounds
