"""onnx.export of every op that the references compare: its model computes what NumPy
does, or it is in LACKED with the reason."""

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from jobmlir._src import names
from op_references import CASES
from reference_cases import FLOATS, NUMPY, _listed, _wide
from test_onnx import run

TYPES = ("float32", "float64", "float16", "int32", "int64", "int8", "uint8")


def define(one, dtype, arrays):
    blobs = [a for a, operand in zip(arrays, one.operands) if not operand.is_constant]
    names_of = [f"x{i}" for i in range(len(blobs))]

    def body(*given):
        left = iter(given)
        arguments = [
            array if operand.is_constant else next(left)
            for array, operand in zip(arrays, one.operands)
        ]
        return tuple(_listed(one.use(names.find(one.name), *arguments)))

    scope = {"body": body, "tp": tp, "flow": flow}
    parameters = ", ".join(
        f"{name}: tp.Numpy.Placeholder({array.shape}, dtype=flow.{array.dtype.name})"
        for name, array in zip(names_of, blobs)
    )
    exec(f"def job({parameters}):\n    return body({', '.join(names_of)})", scope)
    return flow.global_function()(scope["job"]), dict(zip(names_of, blobs))
