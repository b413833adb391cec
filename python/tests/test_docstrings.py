"""The docstrings and the annotations of all public names: docs in Google's style, with
each parameter, the result, and the errors."""

import ast
import builtins
import importlib
import inspect
import pathlib
import pkgutil
import re
import textwrap
import types
import typing

import pytest

import jobmlir as flow
import op_samples
from jobmlir import errors
from jobmlir._src import names, user_ops

_DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
_TITLES = ("Args", "Returns", "Raises")

# Functions that take any arguments, by their nature.
_VARIADIC = {
    "data.Batches",
    "env.machine",
    "explain",
    "inter_job_reuse_mem_strategy",
    "nn.Module.forward",
    "detection.object_bbox_flip",
    "detection.object_bbox_scale",
    "detection.object_segmentation_polygon_flip",
    "detection.object_segmentation_polygon_to_mask",
    "data.coco_reader",
}


def _public_modules():
    for info in pkgutil.iter_modules(flow.__path__):
        if not info.name.startswith("_"):
            yield info.name, importlib.import_module(f"jobmlir.{info.name}")


def _collect():
    """All public functions, classes and properties, by the names that users write."""
    found = {
        name: names.find(name)
        for name in names.reference()
        if names.find(name) is not None
    }
    for prefix, module in (("", flow), *_public_modules()):
        for name, value in vars(module).items():
            full = f"{prefix}.{name}" if prefix else name
            if name.startswith("_") or isinstance(value, types.ModuleType):
                continue
            if callable(value) or inspect.isclass(value):
                found.setdefault(full, value)
    # Methods of classes that users meet only as objects.
    for cls in (
        user_ops.UserOpConfBuilder,
        user_ops.UserOpModuleBuilder,
        user_ops.UserOp,
    ):
        for name in dir(cls):
            if not name.startswith("_"):
                found[f"{cls.__name__}.{name}"] = getattr(cls, name)
    for full, value in list(found.items()):
        if inspect.isclass(value) and value.__module__.startswith("jobmlir"):
            for name, member in vars(value).items():
                if name.startswith("_") or isinstance(value, type(flow.float)):
                    continue
                if isinstance(member, (types.FunctionType, property, staticmethod)):
                    found.setdefault(f"{full}.{name}", getattr(value, name))
    return found


_PUBLIC = _collect()
_CALLABLE = {
    name: value
    for name, value in _PUBLIC.items()
    if callable(value) and not inspect.isclass(value)
}
_CLASSES = {name: value for name, value in _PUBLIC.items() if inspect.isclass(value)}


def _signature_of(value):
    """The signature with which it is called. That of a class is its constructor's."""
    return inspect.signature(value)


def _parameters(value):
    return [
        parameter
        for parameter in _signature_of(value).parameters.values()
        if parameter.name not in ("self", "cls")
    ]


def _sections(value):
    """The lines of the sections of a docstring."""
    sections, here = {}, None
    for line in inspect.getdoc(value).split("\n"):
        if line.endswith(":") and line[:-1] in _TITLES:
            assert line[:-1] not in sections, line
            here = sections[line[:-1]] = []
        elif here is not None and line:
            here.append(line)
    return sections


def _entries(lines):
    """The names of the entries of a section."""
    return [
        line.strip().partition(":")[0] for line in lines if re.match(r" {4}\S", line)
    ]


def _report(problems):
    assert not problems, f"{len(problems)}:\n" + "\n".join(problems)


def _is_dtype(value):
    return isinstance(value, type(flow.float))


def test_each_name_is_found():
    assert len(_PUBLIC) > 600


def test_each_has_a_summary_of_one_line():
    problems = []
    for name, value in _PUBLIC.items():
        if not (callable(value) or isinstance(value, property)):
            continue
        doc = inspect.getdoc(value)
        if not doc:
            problems.append(f"{name}: expects a docstring but got none")
            continue
        summary, _, rest = doc.partition("\n")
        if len(summary) > 88 or not summary.endswith((".", ":")):
            problems.append(f"{name}: {summary}")
        elif rest and not rest.startswith("\n"):
            problems.append(f"{name}: expects an empty line behind the summary")
    _report(problems)


def test_each_signature_is_known():
    problems = []
    for name, value in {**_CALLABLE, **_CLASSES}.items():
        if _is_exception(value) or _is_protocol(value):
            continue
        kinds = {parameter.kind for parameter in _parameters(value)}
        variadic = kinds & {
            inspect.Parameter.VAR_POSITIONAL,
            inspect.Parameter.VAR_KEYWORD,
        }
        if variadic and name not in _VARIADIC:
            problems.append(f"{name}{_signature_of(value)}")
    _report(problems)


def _is_protocol(value):
    return getattr(value, "_is_protocol", False)


def _is_exception(value):
    return inspect.isclass(value) and issubclass(value, BaseException)


def test_each_parameter_and_result_has_an_annotation():
    problems = []
    for name, value in _CALLABLE.items():
        for parameter in _parameters(value):
            if parameter.annotation is inspect.Parameter.empty:
                problems.append(f"{name}: {parameter.name}")
        if _signature_of(value).return_annotation is inspect.Signature.empty:
            problems.append(f"{name}: result")
    for name, value in _CLASSES.items():
        if "__init__" in vars(value) and not _is_protocol(value):
            for parameter in _parameters(value):
                if parameter.annotation is inspect.Parameter.empty:
                    problems.append(f"{name}: {parameter.name}")
    for name, value in _PUBLIC.items():
        if isinstance(value, property):
            if "return" not in value.fget.__annotations__:
                problems.append(f"{name}: result")
    _report(problems)


def test_annotations_can_be_evaluated():
    problems = []
    for name, value in {**_CALLABLE, **_CLASSES}.items():
        function = value.__init__ if inspect.isclass(value) else value
        try:
            typing.get_type_hints(inspect.unwrap(function))
        except NameError as error:
            problems.append(f"{name}: {error}")
        except TypeError:
            assert not isinstance(function, types.FunctionType), name
    _report(problems)


def test_each_parameter_is_described():
    problems = []
    for name, value in {**_CALLABLE, **_CLASSES}.items():
        if _is_exception(value) or _is_dtype(value) or _is_protocol(value):
            continue
        if inspect.isclass(value) and "__init__" not in vars(value):
            continue
        actual = [parameter.name for parameter in _parameters(value)]
        described = _entries(_sections(value).get("Args", ()))
        if actual != described:
            problems.append(f"{name}: expects {actual} but got {described}")
    _report(problems)


def test_each_result_is_described():
    problems = []
    for name, value in _CALLABLE.items():
        annotation = str(_signature_of(value).return_annotation)
        is_described = "Returns" in _sections(value)
        # A colon would make the text before it a type, in Google's style.
        if ":" in " ".join(_sections(value).get("Returns", ())):
            problems.append(f"{name}: a colon")
        if is_described == (annotation.rpartition(".")[2] in ("None", "NoReturn")):
            problems.append(f"{name}: {annotation}")
    _report(problems)


def test_errors_are_classes():
    problems = []
    for name, value in _PUBLIC.items():
        if not (callable(value) or isinstance(value, property)):
            continue
        for error in _entries(_sections(value).get("Raises", ())):
            cls = getattr(builtins, error, None) or vars(errors).get(error)
            if not _is_exception(cls):
                problems.append(f"{name}: {error}")
    _report(problems)


_FAILING = ("fail", "_fail", "begin", "_begin", "current")


def _calls_and_errors(function):
    """The names of what the source of a function calls, and the classes of errors that
    it names or that the function _fail of its module raises."""
    function = inspect.unwrap(function)
    if not isinstance(function, types.FunctionType):
        return set(), set()
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError):
        return set(), set()
    calls, classes = set(), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise):
            calls.add("fail")
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            cls = vars(errors).get(node.attr)
            if node.value.id == "errors" and _is_exception(cls):
                classes.add(cls)
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", None) or getattr(node.func, "id", "")
            calls.add(name)
            # With one argument it raises the class of the module.
            module_fail = function.__globals__.get("_fail")
            if name == "_fail" and len(node.args) == 1 and module_fail is not None:
                classes |= set(filter(_is_exception, module_fail.__defaults__))
    caught = {
        vars(errors).get(getattr(handler.type, "attr", ""))
        for handler in ast.walk(tree)
        if isinstance(handler, ast.ExceptHandler)
    }
    return calls, classes - caught


def test_each_function_that_fails_says_how():
    problems = []
    for name, value in _CALLABLE.items():
        calls, classes = _calls_and_errors(value)
        stated = _entries(_sections(value).get("Raises", ()))
        if calls & set(_FAILING) and not stated:
            problems.append(name)
        known = [getattr(builtins, one, None) or vars(errors)[one] for one in stated]
        for cls in classes:
            if not any(issubclass(cls, one) for one in known):
                problems.append(f"{name}: {cls.__name__}")
    _report(problems)


def _ops():
    """(name, element types, whether it has a gradient) of the ops with operands."""
    row = re.compile(r"\| `([\w.]+)` \| works \| ([^|]+) \| (yes|no) \|")
    for line in (_DOCS / "api-status.md").read_text(encoding="utf-8").splitlines():
        if match := row.match(line):
            yield match[1], match[2].strip(), match[3] == "yes"


@pytest.mark.parametrize("what", ["types", "gradient", "errors"])
def test_ops_say_what_the_status_page_says(what):
    phrases = {
        "all": "any element type",
        "floats": "f16/bf16/f32/f64",
        "ints": "i8/u8/i32/i64",
        "int32, int64": "i32/i64",
    }
    problems = []
    for name, types_, has_gradient in _ops():
        doc = " ".join(inspect.getdoc(_PUBLIC[name]).split())
        if what == "types" and phrases[types_] not in doc:
            problems.append(f"{name}: {types_}")
        if what == "gradient" and has_gradient == ("It has no gradient." in doc):
            problems.append(f"{name}: {has_gradient}")
        if what == "errors" and not {"OutsideJobError", "JobBuildAndInferError"} <= set(
            _entries(_sections(_PUBLIC[name]).get("Raises", ()))
        ):
            problems.append(name)
    _report(problems)


def test_markup_is_plain():
    problems = []
    for name, value in _PUBLIC.items():
        if callable(value) or isinstance(value, property):
            doc = inspect.getdoc(value) or ""
            if "``" in doc or doc.count("`") % 2 or "\t" in doc:
                problems.append(name)
    _report(problems)


def _traced(name, dtype):
    """(shape, dtype) of the main operand of an op's sample, and of its result."""
    shape, function = op_samples.SAMPLES[name][:2]
    flow.clear_default_session()
    found = []

    @flow.global_function()
    def job(unused: flow.typing.Numpy.Placeholder((1,))):
        result = function(op_samples._variable(shape, dtype))
        found.append((result.shape, result.dtype))
        return unused

    flow.dump_ir()
    return (tuple(shape), dtype), found[0]


def _stated(returns):
    """What the text of a result says: its shape or None for another, its element type
    or None for another; "as x" is that of an operand."""
    shape = dtype = None
    if re.search("of the shape and element type of (?!like)", returns):
        shape = dtype = "as x"
    if returns.startswith("(1,)"):
        shape = (1,)
    if "of the element type of" in returns:
        dtype = "as x"
    for text, one in (("i8", flow.int8), ("i32", flow.int32), ("i64", flow.int64)):
        if re.search(rf"\b{text}\b", returns):
            dtype = one
    return shape, dtype


@pytest.mark.parametrize("dtype", [flow.float16, flow.float64])
def test_results_are_what_the_docstrings_say(dtype):
    problems, shapes, dtypes = [], 0, 0
    for name, types_, _ in _ops():
        lines = _sections(_PUBLIC[name])["Returns"]
        shape, kind = _stated(" ".join(" ".join(lines).split()))
        if "ints" in types_ or "int32" in types_:
            continue
        operand, result = _traced(name, dtype)
        shapes += shape is not None
        dtypes += kind is not None
        expected = operand[0] if shape == "as x" else shape
        if expected is not None and result[0] != expected:
            problems.append(f"{name}: {result[0]} for {operand[0]}")
        expected = dtype if kind == "as x" else kind
        if expected is not None and result[1] != expected:
            problems.append(f"{name}: {result[1]} for {operand[1]}")
    _report(problems)
    assert shapes > 80 and dtypes > 150
