"""onnx.export of every op that the references compare: its model computes what NumPy
does, or a table says why it does not."""

import collections

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from jobmlir._src import names
from op_references import CASES
from reference_cases import NUMPY, as_list, widen
from test_onnx import REFUSED, run

TYPES = ("float32", "float64", "float16", "int32", "int64", "int8", "uint8")

# The ops that ONNX lacks, by what the error says.
LACKED = {
    "job.host_call": (
        "user_op_builder consistent_user_op_builder user_op_module_builder"
    ),
    "job.find_new_ids": "layers.categorical_ordinal_encoder",
}
LACKED = {name: why for why, listed in LACKED.items() for name in listed.split()}
# The cases with other results, and why: of all types, or of one.
DIFFERENT = {
    **dict.fromkeys(
        (
            "math.reduce_max-edges math.reduce_min-edges math.two_stage_reduce_max-edges "
            "math.two_stage_reduce_min-edges math.argmax-edges nn.max_pool2d-edges"
        ).split(),
        "ONNX does not say what a maximum is of NaN",
    ),
    "cast-bfloat16": "NumPy has no arrays of the result",
    "float64 nn.logsoftmax-edges": "ONNX Runtime's kernel loses a NaN",
}
# Families without kernels of float64 in ONNX Runtime, which are computed in float32.
COARSE = ("conv", "deconv", "avg_pool")
# These are compared with the largest result: ONNX Runtime has a polynomial of them.
ABSOLUTE = ("sigmoid", "swish")


def define(one, arrays):
    """A job of a case, and its inputs by name."""
    blobs = [a for a, operand in zip(arrays, one.operands) if not operand.is_constant]
    inputs = {f"x{i}": array for i, array in enumerate(blobs)}

    def body(*given):
        left = iter(given)
        arguments = [
            array if operand.is_constant else next(left)
            for array, operand in zip(arrays, one.operands)
        ]
        return tuple(as_list(one.use(names.find(one.name), *arguments)))

    parameters = ", ".join(
        f"{name}: tp.Numpy.Placeholder({array.shape}, dtype=flow.{array.dtype.name})"
        for name, array in inputs.items()
    )
    scope = {"body": body, "tp": tp, "flow": flow}
    exec(f"def job({parameters}):\n    return body({', '.join(inputs)})", scope)
    return flow.global_function()(scope["job"]), inputs


def tolerance(one, dtype, kind, expected):
    """The relative and the absolute one."""
    info, units = np.finfo(kind), 16 * one.tolerance
    coarse = dtype == "float64" and any(part in one.name for part in COARSE)
    unit = units * float(np.finfo(np.float32).eps if coarse else info.eps)
    finite = np.abs(expected[np.isfinite(expected)].astype(np.float64))
    scale = one.scale
    if scale is None or any(part in one.name for part in ABSOLUTE):
        scale = finite.max(initial=0)
    return unit, max(unit * scale, one.tolerance * float(info.tiny))


def difference(one, dtype, given, arrays):
    """What is wrong with the results of a model, or None."""
    with np.errstate(all="ignore"):
        wanted = as_list(one.reference(*map(widen, arrays)))
    if len(given) != len(wanted):
        return f"{len(given)} results for {len(wanted)}"
    for got, expected in zip(given, wanted):
        expected = np.asarray(expected)
        expected = expected.reshape(expected.shape or (1,))
        kind = NUMPY["int8" if expected.dtype == bool else one.result or dtype]
        with np.errstate(all="ignore"):
            expected = expected.astype(kind)
        if got.dtype != kind or got.shape != expected.shape:
            return f"{got.dtype}{got.shape} for {kind}{expected.shape}"
        limits = tolerance(one, dtype, kind, expected) if kind.kind == "f" else None
        got, expected = widen(got), widen(expected)
        if limits is None:
            same = np.array_equal(got, expected)
        else:
            same = np.allclose(got, expected, *limits, equal_nan=True)
        if not same:
            return f"{got.ravel()[:8]} for {expected.ravel()[:8]}"
    return None


def cases_of(dtype):
    """All cases in float32; of another type two of each op, and all with a reason."""
    seen = collections.Counter()
    for one in CASES:
        if dtype not in one.dtypes or one.kind != "predict":
            continue
        seen[one.name] += 1
        known = str(one) in DIFFERENT or f"{dtype} {one}" in DIFFERENT
        if dtype == "float32" or seen[one.name] <= 2 or known:
            yield one


@pytest.mark.parametrize("dtype", TYPES)
def test_models_of_all_ops(dtype, tmp_path):
    problems, path = [], tmp_path / "m.onnx"
    cases = list(cases_of(dtype))
    assert len(cases) > 200
    for one in cases:
        flow.clear_default_session()
        arrays = one.arrays(dtype)
        job, inputs = define(one, arrays)
        lacked = LACKED.get(one.name)
        try:
            flow.onnx.export(job, None, path)
        except flow.errors.UnsupportedError as error:
            if not lacked or REFUSED + lacked not in str(error):
                problems.append(f"{one}: {error}")
            continue
        if lacked:
            problems.append(f"{one}: expects an error that names {lacked}")
            continue
        known = str(one) in DIFFERENT or f"{dtype} {one}" in DIFFERENT
        try:
            problem = difference(one, dtype, run(path, inputs), arrays)
        except AssertionError as error:
            problem = str(error)
        if problem and not known:
            problems.append(f"{one}: {problem}")
        if known and not problem and dtype == "float32":
            problems.append(f"{one}: expects another result, as DIFFERENT says")
    assert not problems, "\n".join(problems)
