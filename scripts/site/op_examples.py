"""Examples of the Python API: for each sample of python/tests/op_samples.py a script
that defines and calls a job, what it prints, its IR, and that of a job that trains the
operands. A script that is shown is the text that ran."""

import contextlib
import io
import linecache
import re
import typing
import warnings

import numpy as np
import op_samples

import jobmlir as flow
from jobmlir import errors

# Results up to this number of elements are printed, of larger ones the shape.
_PRINTED = 24

_HEAD = "import numpy as np\n\nimport jobmlir as flow\nimport jobmlir.typing as tp\n"


class Example(typing.NamedTuple):
    """A script and what comes of it. Without `gradient`, the IR of a job that trains
    the floats among the operands, `refusal` says why there is none."""

    script: str
    output: str
    ir: str
    gradient: str
    refusal: str
    trained: tuple


def _indent(text):
    return "".join(f"    {line}\n" if line else "\n" for line in text.splitlines())


def _body(sample):
    """What the job of a sample does, as statements."""
    return sample.text if "return " in sample.text else f"return {sample.text}"


def _operands(sample):
    """The operands by name: (shape, dtype, values or None)."""
    found = {}
    if sample.shape is not None:
        found["x"] = (sample.shape, sample.dtype, None)
    for name, other in sample.others.items():
        if isinstance(other, op_samples.Ints):
            found[name] = (np.shape(other.values), other.dtype, other.values)
        else:
            found[name] = (other, sample.dtype, None)
    return found


def _placeholder(shape, dtype):
    kind = "" if dtype == "float32" else f", dtype=flow.{dtype}"
    return f"tp.Numpy.Placeholder({shape}{kind})"


def _array(number, shape, dtype, values, interval):
    """An array for an operand, as an expression. Those of one job differ."""
    first, last = interval if number % 2 == 0 else interval[::-1]
    if values is not None:
        return f"np.array({values}, np.{dtype})"
    count = int(np.prod(shape))
    if dtype.startswith("int"):
        flat = f"np.arange({count}, dtype=np.{dtype})"
    else:
        flat = f"np.linspace({first}, {last}, {count}, dtype=np.{dtype})"
    return flat if len(shape) == 1 else f"{flat}.reshape{shape}"


def _call_script(sample, annotation, printed):
    operands = _operands(sample)
    parameters = [
        f"{name}: {_placeholder(shape, dtype)}"
        for name, (shape, dtype, _) in operands.items()
    ]
    head = f"def job({', '.join(parameters)}){annotation}:\n"
    if len(head) > 88:
        lines = "".join(f"    {one},\n" for one in parameters)
        head = f"def job(\n{lines}){annotation}:\n"
    arrays = "".join(
        f"{name} = {_array(number, *operand, sample.interval)}\n"
        for number, (name, operand) in enumerate(operands.items())
    )
    setup = f"{sample.setup}\n" if sample.setup else ""
    is_train = sample.kind == "train"
    decorator = "@flow.global_function(" + 'type="train"' * is_train + ")"
    call = printed.format(f"job({', '.join(operands)})")
    return (
        f"{_HEAD}\n{setup}\n"
        f"{decorator}\n{head}{_indent(_body(sample))}\n\n"
        f"{arrays}print({call})\n"
    )


def _train_script(sample):
    """A training job whose variables are the operands of floats, and their names. Or
    that of the example itself."""
    if sample.kind == "train":
        return _call_script(sample, "", "").rpartition("print(")[0], ()
    operands = _operands(sample)
    low, high = sorted(sample.interval)
    parameters, lines, trained = [], [], []
    for name, (shape, dtype, _) in operands.items():
        if dtype == "float32":
            lines.append(
                f'{name} = flow.get_variable("{name}", {shape}, initializer='
                f"flow.random_uniform_initializer({low}, {high}))"
            )
            trained.append(name)
        else:
            parameters.append(f"{name}: {_placeholder(shape, dtype)}")
    lines += [
        re.sub(r"^return ", "loss = ", _body(sample), flags=re.MULTILINE),
        "rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])",
        "flow.optimizer.SGD(rate, momentum=0).minimize(loss)",
    ]
    script = (
        f"{_HEAD}{sample.setup}\n\n@flow.global_function(type='train')\n"
        f"def job({', '.join(parameters)}):\n{_indent(chr(10).join(lines))}"
    )
    return script, tuple(trained)


def _run(script, name):
    """Runs a script; what it prints. Diagnostics name its lines."""
    file = f"{name}.py"
    linecache.cache[file] = (len(script), None, script.splitlines(True), file)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(script, file, "exec"), {"__name__": "__main__"})
    return printed.getvalue()


def _trace(script, name):
    """The IR of a script whose last line, the call, is not run."""
    flow.clear_default_session()
    _run(script, name)
    return flow.dump_ir("job")


_RESULT = re.compile(r"!job\.blob<([^>]*)x(\w+)> \{job\.name")


def _returned(ir):
    """How a job with this IR is annotated and its result printed."""
    (results,) = re.findall(r"job\.func @job\(.*?\) -> \((.*)\) kind", ir)
    results = results.replace("?<=", "?")
    sizes = [
        [int(extent.lstrip("?")) for extent in shape.split("x")]
        for shape, _ in _RESULT.findall(results)
    ]
    if 'result_structure = "0"' not in ir:
        return "", "[one.numpy() for one in {}.get()]"
    annotation = " -> tp.ListNumpy" if "?" in results else " -> tp.Numpy"
    is_small = int(np.prod(sizes[0])) <= _PRINTED
    return annotation, "{}" if is_small else "{}.shape"


def make(name, sample):
    """The example of a sample. One that does not run is an error with its name."""
    with warnings.catch_warnings():
        # Old names have pages, too.
        warnings.simplefilter("ignore", DeprecationWarning)
        return _make(name, sample)


def _make(name, sample):
    try:
        definition = _call_script(sample, "", "").rpartition("print(")[0]
        ir = _trace(definition, name)
        script = _call_script(sample, *_returned(ir))
        flow.clear_default_session()
        output = _run(script, name)
        gradient, refusal, trained = _train(name, sample)
    except Exception as error:
        raise RuntimeError(f"expects the sample of {name} to run: {error}") from error
    finally:
        flow.clear_default_session()
    return Example(script, output, ir, gradient, refusal, trained)


def _train(name, sample):
    script, trained = _train_script(sample)
    try:
        ir = _trace(script, name)
        flow.dump_ir("train")
    except errors.JobMLIRError as error:
        return "", f"{type(error).__name__}: {error}", trained
    return ir, "", trained
