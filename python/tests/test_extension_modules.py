"""What the extension modules check although their Python callers never pass it."""

import numpy as np
import pytest

import jobmlir as flow
from jobmlir import _compiler
from jobmlir._src.default_session import get_default_session
from models import define_train

FRAMES = [(__file__, 1, 1)]


def runtime_session():
    define_train()
    flow.train.CheckPoint().init()
    return get_default_session().start()


def test_arrays_of_the_runtime():
    runtime = runtime_session()
    transposed = np.zeros((6, 3), np.float32).T
    with pytest.raises(ValueError, match="^expects a C-contiguous array$"):
        runtime.write_variables({"Dense-weight": transposed})
    with pytest.raises(ValueError, match="^expects a C-contiguous array$"):
        runtime.call("train_job", [transposed, transposed])
    with pytest.raises(
        TypeError,
        match="^expects an array of bool, int8, uint8, int32, int64, float16, bfloat16, "
        "float32 or float64 but got complex64$",
    ):
        runtime.call("train_job", [np.zeros(2, np.complex64)] * 2)


def test_ops_placements_and_precisions_of_the_compiler():
    module = _compiler.Module()
    function = module.function("f", "predict", [("x", ([2], "f32"))], FRAMES)
    (x,) = function.arguments
    with pytest.raises(
        _compiler.DiagnosticError, match="expects an op of the job dialect but got job.bake"
    ):
        function.create("job.bake", [x], [], None, "bake", FRAMES)
    with pytest.raises(
        _compiler.DiagnosticError, match="expects a device of cpu or gpu but got tpu"
    ):
        module.place("f", "tpu", 0)
    with pytest.raises(
        _compiler.DiagnosticError, match="expects another kind of attribute for precision"
    ):
        function.finish([x], ["x"], "0", [("precision", 3)], {}, FRAMES)
