"""A single kernel on JobMLIR: CASE THREADS OPTIONS.

The kernel is a job of its own, written in the dialect, from variables to
variables, so that no input or output is copied. OPTIONS is JSON: `compiler`, the
path of job-compile.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

from jobmlir import _runtime

import kernel_cases
import worker


def blob(shape, element="f32"):
    return f"!job.blob<{'x'.join(map(str, shape))}x{element}>"


class Text:
    """The text of a case's job. Each method emits an op and returns its value."""

    def __init__(self, case):
        self.case = case
        self.lines = []
        self.types = {
            name: blob(shape, "i32" if name == "indices" else "f32")
            for name, shape in case.inputs.items()
        }
        self.variables = dict(self.types)

    def emit(self, text, count=1):
        """`text` has a %s for the name of the result."""
        name = f"%{len(self.lines)}"
        results = f"{name}:{count}" if count > 1 else name
        self.lines.append(f"  {results} = {text}")
        return name

    def read(self, name):
        return self.emit(f"job.read @{name} : {self.types[name]}")

    def result(self, name, value, shape):
        self.variables[name] = blob(shape)
        self.lines.append(f"  job.assign @{name}, {value} : {blob(shape)}")

    def elementwise(self, op, a, b, shape):
        return self.emit(f"job.{op} {a}, {b} : {blob(shape)}")

    def sum(self, value, axes, shape):
        axes = ", ".join(map(str, axes))
        return self.emit(
            f"job.reduce_sum {value} {{axes = array<i64: {axes}>}} : {blob(shape)}"
        )

    def broadcast(self, value, dim, length, shape):
        return self.emit(
            f"job.broadcast_in_dim {value} {{dims = array<i64: {dim}>}} : "
            f"{blob((length,))} to {blob(shape)}"
        )

    def module(self):
        variables = [
            f"job.variable @{name} : {type} init #job.constant_init<0.0> "
            "{trainable = false}"
            for name, type in self.variables.items()
        ]
        done = blob((1,))
        return "\n".join(
            [
                *variables,
                f'job.func @kernel() -> ({done} {{job.name = "done"}}) kind predict {{',
                *self.lines,
                "  %done = job.constant dense<0.0> : tensor<1xf32>",
                f"  job.return %done : {done}",
                "}",
            ]
        )


def total(text, shape):
    value = text.sum(text.read("x"), range(len(shape)), shape)
    text.result("y", value, (1,))


def transpose(text, shape):
    value = text.emit(
        f"job.transpose {text.read('x')} {{permutation = array<i64: 1, 0>}} : {blob(shape)}"
    )
    text.result("y", value, shape[::-1])


def matmul(text, shape):
    a, b = text.read("a"), text.read("b")
    value = text.emit(f"job.matmul {a}, {b} : " f"{text.types['a']}, {text.types['b']}")
    text.result("y", value, (shape[0], text.case.inputs["b"][1]))


def build_softmax(text, shape):
    return text.emit(f"job.softmax {text.read('x')} : {blob(shape)}")


def softmax(text, shape):
    text.result("y", build_softmax(text, shape), shape)


def softmax_gradient(text, shape):
    """What job-autodiff makes of a softmax."""
    y, dy = build_softmax(text, shape), text.read("dy")
    sums = text.sum(text.elementwise("mul", dy, y, shape), [1], shape)
    rest = text.elementwise("sub", dy, text.broadcast(sums, 0, shape[0], shape), shape)
    text.result("dx", text.elementwise("mul", y, rest, shape), shape)


def gather(text, shape):
    x, indices = text.read("x"), text.read("indices")
    value = text.emit(
        f"job.gather {x}, {indices} {{axis = 0 : i64}} : "
        f"{text.types['x']}, {text.types['indices']}"
    )
    text.result("y", value, (*text.case.inputs["indices"], shape[1]))


def gather_gradient(text, shape):
    dy, indices = text.read("dy"), text.read("indices")
    extent = text.case.table[0]
    value = text.emit(
        f"job.scatter_add {dy}, {indices} {{axis = 0 : i64, extent = {extent} : i64}} : "
        f"{text.types['dy']}, {text.types['indices']}"
    )
    text.result("dx", value, text.case.table)


def build_layer_norm(text, shape):
    operands = [text.read(name) for name in ("x", "gamma", "beta")]
    value = text.emit(
        f"job.layer_norm {', '.join(operands)} {{epsilon = 1.0e-05 : f64}} : "
        f"{blob(shape)}, {blob(shape[1:])}",
        count=3,
    )
    return operands, value


def layer_norm(text, shape):
    _, value = build_layer_norm(text, shape)
    text.result("y", f"{value}#0", shape)


def layer_norm_gradient(text, shape):
    """What job-autodiff makes of a layer norm."""
    rows, width = shape
    (x, gamma, _), value = build_layer_norm(text, shape)
    mean, rstd, dy = f"{value}#1", f"{value}#2", text.read("dy")
    dx = text.emit(
        f"job.layer_norm_grad {dy}, {x}, {gamma}, {mean}, {rstd} : "
        f"{blob(shape)}, {blob((width,))}, {blob((rows,))}"
    )
    text.result("dx", dx, shape)
    centered = text.elementwise("sub", x, text.broadcast(mean, 0, rows, shape), shape)
    normal = text.elementwise(
        "mul", centered, text.broadcast(rstd, 0, rows, shape), shape
    )
    products = text.elementwise("mul", dy, normal, shape)
    text.result("dgamma", text.sum(products, [0], shape), (width,))
    text.result("dbeta", text.sum(dy, [0], shape), (width,))


def window(case):
    size, stride, pad = case.window
    return (
        f"{{ksize = array<i64: {size}, {size}>, strides = array<i64: {stride}, {stride}>, "
        f"padding = array<i64: {pad}, {pad}, {pad}, {pad}>}}"
    )


def max_pool(text, shape):
    case = text.case
    value = text.emit(f"job.max_pool2d {text.read('x')} {window(case)} : {blob(shape)}")
    text.result("y", value, case.pooled())


def max_pool_gradient(text, shape):
    """The forward pass is computed as well, as PyTorch has to: it keeps the
    places of the maxima."""
    max_pool(text, shape)
    x, dy = text.read("x"), text.read("dy")
    value = text.emit(
        f"job.max_pool2d_grad {dy}, {x} {window(text.case)} : "
        f"{text.types['dy']}, {text.types['x']}"
    )
    text.result("dx", value, shape)


KINDS = {
    "sum": total,
    "transpose": transpose,
    "matmul": matmul,
    "softmax": softmax,
    "softmax_gradient": softmax_gradient,
    "gather": gather,
    "gather_gradient": gather_gradient,
    "layer_norm": layer_norm,
    "layer_norm_gradient": layer_norm_gradient,
    "max_pool": max_pool,
    "max_pool_gradient": max_pool_gradient,
}


def load(case, compiler, threads):
    """A session with the kernel of a case and its inputs."""
    text = Text(case)
    KINDS[case.kind](text, next(iter(case.inputs.values())))
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "kernel.mlir")
        artifact = pathlib.Path(folder, "kernel.so")
        source.write_text(text.module())
        result = subprocess.run(
            [compiler, source, "-o", artifact], stderr=subprocess.PIPE, text=True
        )
        if result.returncode:
            raise RuntimeError(result.stderr.strip())
        session = _runtime.Session(
            _runtime.Artifact.load(str(artifact)), threads=threads
        )
    session.initialize(1)
    session.write_variables(case.draw())
    return session


def run(session):
    session.run("kernel", []).wait()


def results_of(case, session):
    return {name: session.read_variable(name) for name in case.results}


def main():
    case = kernel_cases.CASES[sys.argv[1]]
    threads, options = int(sys.argv[2]), json.loads(sys.argv[3])
    about = {"version": "JobMLIR"}

    def make_step():
        session = load(case, options["compiler"], threads)
        run(session)
        about["checksums"] = kernel_cases.checksums(case, results_of(case, session))
        return lambda: run(session)

    worker.serve(about, make_step)


if __name__ == "__main__":
    main()
