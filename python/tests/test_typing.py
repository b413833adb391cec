"""What type checkers know of the package: the stubs of the extension modules, the
types of all public names, and programs of users."""

import inspect
import os
import pathlib
import re
import subprocess
import sys

import pytest

import jobmlir as flow
from jobmlir._src import names
from test_docstrings import _CALLABLE

_ROOT = pathlib.Path(__file__).resolve().parents[2]

# What pybind11 adds to its classes, and constructors of classes that only the
# module itself makes objects of.
_OF_PYBIND11 = r"""
jobmlir(_runtime)?\._(compiler|runtime)\.(AttributeText|Value|Function|Module|Artifact|Future|Session)
jobmlir(_runtime)?\._(compiler|runtime)\.(Value|Function|Artifact|Future)\.__init__
jobmlir(_runtime)?\._(compiler|runtime)\.\w+\.__pybind11_.*
"""

# Calls in annotations are no types: docs/typing.md.
_HEAD = '# mypy: disable-error-code="valid-type"\n'

# As of --strict, a module has only the names that it says to have.
_OPTIONS = ("--no-error-summary", "--no-implicit-reexport")


def _python(folder, *arguments):
    """Runs a module of Python with the package as users have it."""
    package = pathlib.Path(flow.__file__).parents[1]
    return subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(package)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def mypy(tmp_path_factory):
    """mypy's messages for the text of a program; what it knows of NumPy and of the
    package is computed once."""
    folder = tmp_path_factory.mktemp("mypy")

    def run(text):
        (folder / "program.py").write_text(text, encoding="utf-8")
        out = _python(folder, "mypy", *_OPTIONS, "program.py")
        assert not out.stderr, out.stderr
        return out.stdout.splitlines()

    return run


def test_the_stubs_agree_with_the_extension_modules(tmp_path):
    allowed = tmp_path / "allowed"
    allowed.write_text(_OF_PYBIND11, encoding="utf-8")
    modules = ("jobmlir._compiler", "jobmlir._runtime", "jobmlir_runtime._runtime")
    out = _python(tmp_path, "mypy.stubtest", *modules, "--allowlist", str(allowed))
    assert out.returncode == 0, out.stdout + out.stderr
    assert "Success: no issues found in 3 modules" in out.stdout


def test_the_runtime_s_package_has_types(mypy):
    right = """
import jobmlir_runtime
import numpy as np

model = jobmlir_runtime.load("mlp.so", threads=2)
model.init(seed=1)
loss: np.ndarray = model.run("train", np.zeros((1, 2)), labels=[1])
call = model.submit("train", np.zeros((1, 2)), labels=[1])
call.on_done(lambda done: print(done.result()))
with model.trace("trace.json"):
    print(model.read("w").mean(), model.memory(), model.jobs["train"]["inputs"])
model.write({"w": [1.0]})
model.save("saved", replace=True)
"""
    assert mypy(right) == []
    wrong = right.replace("seed=1", 'seed="one"').replace('"saved"', "1")
    assert [line.split(" [")[1] for line in mypy(wrong)] == ["[arg-type]"[1:]] * 2


def _expressions():
    """How users write the public functions, by their names."""
    for name, value in _CALLABLE.items():
        first, _, rest = name.partition(".")
        if first not in vars(flow):
            continue  # a class that users meet only as objects
        if first in ("FunctionConfig", "function_config") and rest:
            yield name, f"flow.FunctionConfig().{rest}", value
        elif names.reference().get(name) is None or (
            names.reference()[name].kind != "refused"
        ):
            yield name, f"flow.{name}", value


def test_each_public_function_has_a_type(mypy):
    expressions = list(_expressions())
    program = "import jobmlir as flow\nimport jobmlir.unittest\n" + "".join(
        f"reveal_type({expression})\n" for _, expression, _ in expressions
    )
    revealed = {}
    for line in mypy(program):
        place, text = re.match(r"program\.py:(\d+): \w+: (.*)", line).groups()
        revealed.setdefault(int(place), text)
    problems = []
    for place, (name, _, value) in enumerate(expressions, 3):
        text = revealed[place]
        is_typed = text.startswith(('Revealed type is "def ', 'Revealed type is "Over'))
        is_setting = "Setting" in text or "_Setter" in text
        parameters = [
            parameter.name
            for parameter in inspect.signature(value).parameters.values()
            if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
            and parameter.name != "self"
        ]
        missing = [one for one in parameters if f"{one}: " not in text]
        if not is_setting and (not is_typed or missing):
            problems.append(f"{name}: {text}")
    assert not problems, f"{len(problems)}:\n" + "\n".join(problems)


def _program_of(page):
    text = (_ROOT / page).read_text(encoding="utf-8")
    return re.search(r"```python\n(.*?)```", text, re.DOTALL)[1]


_PREDICT = """
import numpy as np
import jobmlir as flow
import jobmlir.typing as tp
from typing import Dict, Tuple

def net(x: flow.BlobDef, name: str) -> flow.BlobDef:
    with flow.scope.namespace(name):
        x = flow.layers.conv2d(x, 8, 3, padding="SAME", activation=flow.nn.relu)
        return flow.nn.max_pool2d(x, 2, 2, "VALID")

config = flow.function_config()
config.default_data_type(flow.float)
config.enable_auto_mixed_precision()

@flow.global_function(type="predict", function_config=config)
def pair(x: tp.Numpy.Placeholder((1, 3, 8, 8))) -> Tuple[tp.Numpy, tp.Numpy]:
    y = net(x, "first")
    return flow.math.reduce_mean(y, axis=[2, 3]), 2 * flow.math.exp(-flow.cast(y, flow.float32))

@flow.global_function()
def named(x: tp.ListNumpy.Placeholder((2, 3))) -> Dict[str, tp.ListNumpy]:
    return {"x": flow.math.add(x, 1.0), "top": flow.math.top_k(x, 2)}

@flow.global_function()
def later(x: tp.Numpy.Placeholder((2, 3))) -> tp.Callback[Tuple[tp.Numpy, tp.Numpy]]:
    y = flow.identity(x)
    return y, y[0:1].mean(axis=1, keepdims=True)

@flow.global_function()
def bundle(x: tp.Numpy.Placeholder((2, 3))) -> tp.Bundle[tp.Numpy]:
    return [flow.split(x, 3, axis=1)]

@flow.global_function()
def plain(x=flow.FixedTensorDef((2, 3))):
    return flow.reshape(x, (3, 2))

flow.config.gpu_device_num(1)
flow.config.memory_budget(None)
later(np.zeros((2, 3), np.float32))(lambda results: print(results[0].mean()))
print(plain(np.zeros((2, 3), np.float32)).get().numpy().shape)
first, second = pair(np.zeros((1, 3, 8, 8), np.float32))
"""

_TRAIN = """
import numpy
import jobmlir as flow
import jobmlir.typing as tp

@flow.global_function(type="train")
def train(
    ids: tp.Numpy.Placeholder((32, 8), dtype=flow.int32),
    labels: tp.Numpy.Placeholder((32, 1)),
) -> tp.Numpy:
    table = flow.get_variable(
        "table",
        shape=(100, 16),
        initializer=flow.random_normal_initializer(stddev=0.1),
        regularizer=flow.regularizers.l2(1e-4),
    )
    x = flow.math.reduce_sum(flow.gather(table, ids), axis=1)
    x = flow.layers.layer_norm(flow.nn.dropout(x, rate=0.1))
    x = flow.layers.dense(x, 1, kernel_initializer=numpy.zeros((1, 16), "f"))
    loss = flow.nn.BCEWithLogitsLoss(x, labels, reduction="none")
    flow.watch(loss, lambda value: print(value.numpy()))
    rate = flow.optimizer.CosineScheduler(
        0.1, 1000, warmup=flow.optimizer.warmup.linear(10, 0.1)
    )
    flow.optimizer.AdamW(
        rate,
        weight_decay=0.01,
        weight_decay_excludes=["bias", "norm"],
        grad_clipping=flow.optimizer.grad_clipping.by_global_norm(1.0),
        loss_scale_policy=flow.optimizer.loss_scale.dynamic_loss_scale(),
    ).minimize(loss, variables="table")
    return loss

flow.config.random_seed(7)
check_point = flow.train.CheckPoint()
check_point.init()
batches = flow.data.Batches(
    numpy.zeros((64, 8), "i"), numpy.zeros((64, 1), "f"), batch_size=32
)
with flow.profiler.trace("trace.json", steps=10):
    for ids, labels in batches.epoch(0):
        loss: float = train(ids, labels).mean()
check_point.save("model", layout="native")
for name, variable in flow.get_all_variables().items():
    print(name, variable.shape, variable.numpy().sum())
flow.load_variables(flow.checkpoint.get("model"))
try:
    flow.memory_totals()["arena"]
except flow.errors.CompileError:
    pass
"""


@pytest.mark.parametrize(
    "program", [_HEAD + _program_of("README.md"), _HEAD + _PREDICT, _HEAD + _TRAIN]
)
def test_programs_that_use_the_package_rightly(mypy, program):
    assert mypy(program) == []


def test_the_program_of_the_page(mypy):
    program = _program_of("docs/typing.md")
    assert program.startswith(_HEAD)
    assert mypy(program) == []


_ARRAY = "numpy.ndarray[Any, numpy.dtype[Any]]"
_RESULTS = {
    " -> tp.Numpy": _ARRAY,
    " -> tp.ListNumpy": f"list[{_ARRAY}]",
    " -> tp.ListListNumpy": f"list[list[{_ARRAY}]]",
    " -> Tuple[tp.Numpy, tp.Numpy]": "Any",
    " -> Dict[str, tp.Numpy]": "Any",
    " -> tp.Callback[tp.Numpy]": "Any",
    " -> tp.Bundle[tp.Numpy]": "Any",
    " -> None": "Any",
    "": "Any",
}


@pytest.mark.parametrize(
    "parameters", ["", "x: tp.Numpy.Placeholder((4,))", "x=flow.FixedTensorDef((4,))"]
)
@pytest.mark.parametrize("result", _RESULTS)
def test_what_the_call_of_a_job_gives(mypy, parameters, result):
    program = f"""{_HEAD}
from typing import Any, Dict, Tuple
import jobmlir as flow
import jobmlir.typing as tp

def body() -> Any: ...

@flow.global_function("train")
def job({parameters}){result}:
    return body()
reveal_type(job(1))
"""
    assert f'Revealed type is "{_RESULTS[result]}"' in mypy(program)[-1]


_WRONG = {
    "flow.reshap(x, [1])": 'Module has no attribute "reshap"; maybe "reshape"?',
    "flow.nn.relux(x)": 'Module has no attribute "relux"',
    "flow.reshape(x)": 'Missing positional argument "shape" in call to "reshape"',
    "flow.reshape(x, 3)": 'Argument 2 to "reshape" has incompatible type "int"',
    "flow.math.tanh(1.0)": 'Argument 1 to "tanh" has incompatible type "float"',
    "flow.math.add(x, 'one')": 'Argument 2 to "add" has incompatible type "str"',
    "flow.layers.dense(x, 3, kernel_init=None)": "Unexpected keyword argument",
    "flow.layers.dense(x, '3')": 'Argument 2 to "dense" has incompatible type "str"',
    "flow.cast(x, float)": 'Argument 2 to "cast" has incompatible type',
    "flow.math.exp(x).mena()": '"Blob" has no attribute "mena"',
    "flow.optimizer.SGD(0.1)": 'Argument 1 to "SGD" has incompatible type "float"',
    "flow.nn.conv2d(x, x)": "Missing positional arguments",
    "flow.config.random_seed('one')": 'Argument 1 to "random_seed"',
    "flow.FunctionConfig().default_data_typ(flow.float)": "has no attribute",
    "flow.train.CheckPoint().save()": 'Missing positional argument "path"',
    "flow.assign(x, x) + 1": 'Unsupported operand types for + ("None" and "int")',
}


def test_programs_that_use_it_wrongly(mypy):
    lines = [f"    {call}" for call in _WRONG]
    program = "import jobmlir as flow\ndef f(x: flow.BlobDef) -> None:\n"
    found = mypy(program + "\n".join(lines) + "\n")
    by_line = {}
    for message in found:
        place, text = re.match(r"program\.py:(\d+): \w+: (.*)", message).groups()
        by_line.setdefault(int(place), text)
    for place, (call, message) in enumerate(_WRONG.items(), 3):
        assert message in by_line.get(place, ""), call
