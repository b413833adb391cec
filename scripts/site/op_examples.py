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


def _definition(sample, annotation=""):
    """The part of a script that defines the job."""
    parameters = [
        f"{name}: {_placeholder(shape, dtype)}"
        for name, (shape, dtype, _) in _operands(sample).items()
    ]
    head = f"def job({', '.join(parameters)}){annotation}:\n"
    if len(head) > 88:
        lines = "".join(f"    {one},\n" for one in parameters)
        head = f"def job(\n{lines}){annotation}:\n"
    kind = 'type="train"' if sample.kind == "train" else ""
    setup = f"{sample.setup}\n" if sample.setup else ""
    return (
        f"{_HEAD}\n{setup}\n"
        f"@flow.global_function({kind})\n{head}{_indent(_body(sample))}"
    )


def _call(sample, printed):
    """The part of a script that calls the job; `printed` is what of its result."""
    operands = _operands(sample)
    arrays = "".join(
        f"{name} = {_array(number, *operand, sample.interval)}\n"
        for number, (name, operand) in enumerate(operands.items())
    )
    call = printed.format(f"job({', '.join(operands)})")
    return f"\n\n{arrays}print({call})\n"


def _training(sample):
    """A script that defines a job whose variables are the operands of floats."""
    low, high = sorted(sample.interval)
    parameters, lines = [], []
    for name, (shape, dtype, _) in _operands(sample).items():
        if dtype == "float32":
            lines.append(
                f'{name} = flow.get_variable("{name}", {shape}, initializer='
                f"flow.random_uniform_initializer({low}, {high}))"
            )
        else:
            parameters.append(f"{name}: {_placeholder(shape, dtype)}")
    lines += [
        re.sub(r"^return ", "loss = ", _body(sample), flags=re.MULTILINE),
        "rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])",
        "flow.optimizer.SGD(rate, momentum=0).minimize(loss)",
    ]
    body = _indent("\n".join(lines))
    return (
        f'{_HEAD}\n{sample.setup}\n@flow.global_function(type="train")\n'
        f"def job({', '.join(parameters)}):\n{body}"
    )


def _run(script, file):
    """Runs a script; what it prints. Diagnostics name its lines."""
    linecache.cache[file] = (len(script), None, script.splitlines(True), file)
    printed = io.StringIO()
    flow.clear_default_session()
    with contextlib.redirect_stdout(printed):
        exec(compile(script, file, "exec"), {"__name__": "__main__"})
    return printed.getvalue()


_RESULT = re.compile(r"job\.func @job\(.*?\) -> \(!job\.blob<([^>]*)x\w+>")


def _returned(ir):
    """How a job with this IR is annotated and its result printed."""
    shape = _RESULT.search(re.sub(r"\?<=(\d+)>", r"?\1", ir))[1]
    annotation = " -> tp.ListNumpy" if "?" in shape else " -> tp.Numpy"
    count = np.prod([int(extent.lstrip("?")) for extent in shape.split("x")])
    return annotation, "{}" if count <= _PRINTED else "{}.shape"


def make(name, sample):
    """The example of a sample. One that does not run is an error with its name."""
    with warnings.catch_warnings():
        # Old names have pages, too.
        warnings.simplefilter("ignore", DeprecationWarning)
        try:
            return _make(name, sample)
        except Exception as error:
            raise RuntimeError(
                f"expects the sample of {name} to run: {error}"
            ) from error
        finally:
            flow.clear_default_session()


def _make(name, sample):
    _run(_definition(sample), f"{name}.py")
    ir = flow.dump_ir("job")
    annotation, printed = _returned(ir)
    script = _definition(sample, annotation) + _call(sample, printed)
    output = _run(script, f"{name}.py")
    is_training = sample.kind == "train"
    _run(_definition(sample) if is_training else _training(sample), "train.py")
    try:
        gradient = flow.dump_ir("job")
        flow.dump_ir("train")
    except errors.JobMLIRError as error:
        return Example(script, output, ir, "", f"{type(error).__name__}: {error}")
    return Example(script, output, ir, gradient, "")
