"""Names that modules of the package do not have."""

import copy
import pkgutil
import subprocess
import sys

import pytest

import jobmlir as flow
from jobmlir import errors
from jobmlir._src import names
from models import define_unary, raises_here

MODULES = [m.name for m in pkgutil.iter_modules(flow.__path__) if m.name[0] != "_"]


@pytest.fixture
def later(monkeypatch):
    """A name of the API that no version will have."""
    row = names.Name("1.11", "Arithmetic", "math.later", "", "")
    monkeypatch.setattr(names, "reference", lambda: {"math.later": row, "later.x": row})
    return row


def test_a_name_of_oneflow_that_is_missing(later):
    text = (
        "expects a name that this version has but got jobmlir.math.later, which is one "
        "of OneFlow that it lacks"
    )
    with raises_here(errors.UnknownNameError, text):
        flow.math.later
    with raises_here(AttributeError, text):
        flow.math.later
    with raises_here(errors.JobMLIRError, "but got jobmlir.later, which is one"):
        flow.later.x
    assert not hasattr(flow.math, "later")
    assert getattr(flow.math, "later", 3) == 3


def test_the_name_is_the_one_that_the_user_wrote(later, monkeypatch):
    monkeypatch.setitem(sys.modules, "oneflow", flow)
    with raises_here(AttributeError, "but got oneflow.math.later, which"):
        flow.math.later
    with raises_here(AttributeError, "expects a name of oneflow.math but got qqqq"):
        flow.math.qqqq


@pytest.mark.parametrize(
    "access, text",
    [
        (
            lambda: flow.math.multipy,
            "expects a name of jobmlir.math but got multipy: did you mean "
            "jobmlir.math.multiply?",
        ),
        (
            lambda: flow.optimiser,
            "expects a name of jobmlir but got optimiser: did you mean "
            "jobmlir.optimizer?",
        ),
        # Longer, rather than one with similar letters.
        (
            lambda: flow.zeros,
            "expects a name of jobmlir but got zeros: did you mean "
            "jobmlir.zeros_initializer?",
        ),
        # In another module.
        (
            lambda: flow.dense,
            "expects a name of jobmlir but got dense: did you mean "
            "jobmlir.layers.dense?",
        ),
        (lambda: flow.nn.qqqq, "expects a name of jobmlir.nn but got qqqq"),
        (
            lambda: flow.optimizer.warmup.linaer,
            "expects a name of jobmlir.optimizer.warmup but got linaer: did you mean "
            "jobmlir.optimizer.warmup.linear?",
        ),
    ],
)
def test_mistakes(access, text):
    with raises_here(errors.UnknownNameError, text):
        access()


def test_imports_give_the_reason(later):
    with raises_here(ImportError, "but got jobmlir.math.later, which is one"):
        from jobmlir.math import later as _
    with raises_here(errors.UnknownImportError, "did you mean jobmlir.math.multiply?"):
        from jobmlir.math import multipy as _


def test_imports_from_the_package_give_the_reason():
    with raises_here(ImportError, "did you mean jobmlir.layers.dense?"):
        from jobmlir import dense as _


@pytest.mark.parametrize("module", MODULES)
def test_every_module_reports(module):
    with raises_here(errors.JobMLIRError, "but got 'qqqq'" * (module == "config")):
        getattr(getattr(flow, module), "qqqq")


def test_names_with_underscores_are_python_s():
    with pytest.raises(AttributeError, match="module 'jobmlir.math' has no attribute"):
        flow.math.__wrapped__


def test_the_package_imports_no_test_framework():
    script = "import sys, jobmlir; print({'unittest', 'pytest'} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "set()\n"


def test_a_job_imports_no_masked_arrays():
    script = """
import sys
import numpy as np
import jobmlir as flow
import jobmlir.typing as tp

@flow.global_function()
def job(x: tp.Numpy.Placeholder((2,))) -> tp.Numpy:
    w = flow.get_variable("w", (2,), initializer=flow.ones_initializer())
    return x * w + flow.constant(np.array([3, 4], np.float32))

print(job(np.ones(2, np.float32)), "numpy.ma" in sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[4. 5.] False\n"


@pytest.mark.parametrize(
    "name, other",
    [
        ("clip_by_value", "math.clip_by_value"),
        ("clip", "math.clip"),
        ("clamp", "math.clamp"),
        ("clip_by_scalar", "math.clip_by_scalar"),
        ("unsorted_segment_sum", "math.unsorted_segment_sum"),
        ("broadcast_to_compatible_with", "math.broadcast_to_compatible_with"),
        ("math.tril", "nn.tril"),
        ("math.fused_scale_tril", "nn.fused_scale_tril"),
        ("random.coin_flip", "random.CoinFlip"),
        ("system.assign", "assign"),
        ("cumsum", "math.cumsum"),
    ],
)
def test_names_of_one_function(name, other):
    assert names.find(name) is names.find(other) is not None


@pytest.mark.parametrize("name", names.OTHERS)
def test_a_name_of_another_library(name):
    assert names.find(names.OTHERS[name]) is not None
    with raises_here(AttributeError, f"but got {name}: did you mean jobmlir."):
        getattr(flow.sysconfig, name)


@pytest.mark.parametrize(
    "use, message",
    [
        (
            lambda: flow.keras.layers,
            "a name of jobmlir.keras but got layers: did you mean jobmlir.layers?",
        ),
        (
            lambda: flow.keras.activations.rely,
            "a name of jobmlir.keras.activations but got rely: did you mean "
            "jobmlir.keras.activations.relu?",
        ),
        (
            lambda: flow.keras.activations.softmax,
            "but got softmax: did you mean jobmlir.nn.softmax?",
        ),
        (lambda: flow.unittest.env.machine, "a name of jobmlir.unittest.env but got"),
    ],
)
def test_a_name_that_a_group_lacks(use, message):
    with raises_here(errors.UnknownNameError, message):
        use()
    assert not hasattr(flow.keras, "__wrapped__")


@pytest.mark.parametrize(
    "body, message",
    [
        (lambda x: x.astype(int), "got astype: did you mean jobmlir.cast of the blob?"),
        (lambda x: x.T, "got T: did you mean jobmlir.transpose of the blob?"),
        (lambda x: x.sqrt(), "got sqrt: did you mean jobmlir.math.sqrt of the blob?"),
        (lambda x: x.shpe, "an attribute that a blob has but got shpe: did you mean shape?"),
        (lambda x: x.qqqq, "expects an attribute that a blob has but got qqqq"),
    ],
)
def test_an_attribute_that_no_blob_has(body, message):
    def check(x):
        assert not hasattr(x, "ndim") and not hasattr(x, "__array_interface__")
        assert copy.copy(x).shape == x.shape
        with raises_here(AttributeError, "job job, op x", message):
            body(x)
        return x

    define_unary(check)
    flow.dump_ir()
