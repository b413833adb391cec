"""Ops that users register as MLIR text of a kernel."""

import typing

import jobmlir as flow
import jobmlir.typing as tp
import numpy as np
import pytest
from jobmlir import errors
from models import raises_here

X = np.linspace(-2, 2, 12, dtype=np.float32).reshape(3, 4)

SQUARE = """
func.func @square(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %0 = arith.mulf %x, %x : tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
"""

# Three times the gradient of a square, so that a test sees which one is used.
TRIPLE = """
func.func @gradient(%x: tensor<3x4xf32>, %y: tensor<3x4xf32>, %dy: tensor<3x4xf32>)
    -> tensor<3x4xf32> {
  %six = arith.constant dense<6.0> : tensor<3x4xf32>
  %0 = arith.mulf %six, %x : tensor<3x4xf32>
  %1 = arith.mulf %0, %dy : tensor<3x4xf32>
  return %1 : tensor<3x4xf32>
}
"""


def log_sum_exp(x):
    """The text of a kernel over the rows of `x`."""
    rows, columns = x.shape
    result = f"tensor<{rows}xf32>"
    return f"""
func.func @log_sum_exp(%x: {x}) -> {result} {{
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -3.0e+38 : f32
  %empty = tensor.empty() : {result}
  %lows = linalg.fill ins(%low : f32) outs(%empty : {result}) -> {result}
  %most = linalg.generic {{
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  }} ins(%x : {x}) outs(%lows : {result}) {{
  ^bb0(%a: f32, %m: f32):
    %0 = arith.maximumf %a, %m : f32
    linalg.yield %0 : f32
  }} -> {result}
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : {result}) -> {result}
  %sum = linalg.generic {{
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>,
                     affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  }} ins(%x, %most : {x}, {result}) outs(%zeros : {result}) {{
  ^bb0(%a: f32, %m: f32, %s: f32):
    %0 = arith.subf %a, %m : f32
    %1 = math.exp %0 : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  }} -> {result}
  %log = math.log %sum : {result}
  %y = arith.addf %log, %most : {result}
  return %y : {result}
}}
"""


def build(op_type, *inputs, outputs=1, **attributes):
    builder = flow.user_op_builder().Op(op_type).Input("in", list(inputs))
    builder = builder.Output("out", outputs)
    for name, value in attributes.items():
        builder = builder.Attr(name, value)
    results = builder.Build().InferAndTryRun().RemoteBlobList()
    return results[0] if outputs == 1 else results


def predict(body, device="cpu", shape=(3, 4)):
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder(shape)) -> tp.Numpy:
        with flow.scope.placement(device, "0:0"):
            return body(x)

    return job


def gradient_of(body, device="cpu"):
    """The gradient of the sum of `body` at X."""

    @flow.global_function(type="train")
    def job():
        with flow.scope.placement(device, "0:0"):
            w = flow.get_variable("w", X.shape, initializer=X)
            loss = flow.math.reduce_sum(body(w))
            rate = flow.optimizer.PiecewiseConstantScheduler([], [1.0])
            flow.optimizer.SGD(rate, momentum=0).minimize(loss)

    job().get()
    return X - flow.get_all_variables()["w"].numpy()


def reference(x):
    return np.log(np.exp(x.astype(np.float64)).sum(1))


def test_a_text_computes():
    flow.register_user_kernel("square", SQUARE)
    job = predict(lambda x: build("square", x * 2.0) + 1.0)
    np.testing.assert_allclose(job(X), 4 * X * X + 1, rtol=1e-6)


def test_powers_are_those_of_c():
    text = SQUARE.replace("arith.mulf %x, %x", "math.powf %x, %c").replace(
        "  %0", "  %c = arith.constant dense<3.0> : tensor<3x4xf32>\n  %0"
    )
    flow.register_user_kernel("cube", text)
    job = predict(lambda x: build("cube", x))
    np.testing.assert_allclose(job(X - 1), (X - 1) ** 3, rtol=1e-6)


def test_a_function_makes_the_text_for_each_shape():
    flow.register_user_kernel("log_sum_exp", log_sum_exp)
    np.testing.assert_allclose(
        predict(lambda x: build("log_sum_exp", x))(X), reference(X), atol=1e-6
    )
    flow.clear_default_session()
    wide = np.tile(X, (2, 9)) * 10
    job = predict(lambda x: build("log_sum_exp", x), shape=wide.shape)
    np.testing.assert_allclose(job(wide), reference(wide), rtol=1e-6, atol=1e-6)


def test_the_gradient_is_that_of_the_operations():
    flow.register_user_kernel("log_sum_exp", log_sum_exp)
    softmax = np.exp(X) / np.exp(X).sum(1, keepdims=True)
    got = gradient_of(lambda x: build("log_sum_exp", x))
    np.testing.assert_allclose(got, softmax, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("kind", ["text", "function", "type"])
def test_the_gradient_is_that_of_the_user(kind):
    gradient = TRIPLE
    if kind == "function":
        gradient = lambda x, y, dy: TRIPLE  # noqa: E731
    if kind == "type":
        flow.register_user_kernel("triple", TRIPLE)
        gradient = "triple"
    flow.register_user_kernel("square", SQUARE, gradient)
    got = gradient_of(lambda x: build("square", x))
    np.testing.assert_allclose(got, 6 * X, rtol=1e-6, atol=1e-6)
    assert "job.custom_gradient" in flow.dump_ir()


def test_operands_and_attributes_of_a_function():
    seen = []

    def kernel(x, scale):
        seen.append((x.shape, x.dtype, str(x)))
        return f"""
func.func @scale(%x: {x}) -> ({x}, {x}) {{
  %s = arith.constant dense<{scale}> : {x}
  %0 = arith.mulf %x, %s : {x}
  return %0, %x : {x}, {x}
}}
"""

    flow.register_user_kernel("scale", kernel)

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((3, 4))) -> typing.Tuple[tp.Numpy, tp.Numpy]:
        return tuple(build("scale", x, outputs=2, scale=2.5))

    scaled, same = job(X)
    np.testing.assert_array_equal(scaled, X * 2.5)
    np.testing.assert_array_equal(same, X)
    assert seen == [((3, 4), flow.float32, "tensor<3x4xf32>")]


def test_a_kernel_is_fused_with_the_ops_around_it():
    flow.register_user_kernel("square", SQUARE)
    predict(lambda x: build("square", x * 2.0) + 1.0)
    assert flow.dump_ir("plan").count("plan.dispatch") == 1


def test_a_kernel_in_micro_steps():
    flow.register_user_kernel(
        "rows",
        """
func.func @rows(%x: tensor<1x4xf32>, %b: tensor<4xf32>) -> tensor<1x4xf32> {
  %0 = tensor.collapse_shape %x [[0, 1]] : tensor<1x4xf32> into tensor<4xf32>
  %1 = arith.mulf %0, %b : tensor<4xf32>
  %2 = tensor.expand_shape %1 [[0, 1]] output_shape [1, 4]
    : tensor<4xf32> into tensor<1x4xf32>
  return %2 : tensor<1x4xf32>
}
""",
    )
    job = predict(
        lambda x: flow.pack(
            build("rows", flow.unpack(x, 3), flow.constant(3.0, shape=[4])), 3
        )
    )
    np.testing.assert_array_equal(job(X), 3 * X)


@pytest.mark.parametrize(
    "text, problem",
    [
        ("func.func @f(", "line 1: expected"),
        ("\n\nfunc.func @f() {\n  foo.bar\n  return\n}", "line 4: "),
        ("func.func private @f()", "line 1: expects a function with a body of one"),
        ("", "expects one func.func and no other operation"),
        (
            SQUARE.replace("arith.mulf %x", "math.fma %x, %x"),
            "line 3: expects an operation of linalg, tensor, arith or math that an op "
            "of the job dialect has the meaning of but got 'math.fma'",
        ),
        (SQUARE.replace("4xf32", "?xf32"), "line 2: input 0 expects positive extents"),
        (
            SQUARE.replace("f32>)", "f64>)"),
            "line 3: use of value '%x' expects different type than prior uses",
        ),
        (
            "// iterator_types = 3\n// none\nfunc.func @f() {\n  linalg.generic "
            "{indexing_maps = [],\n iterator_types = [1]} {} \n  return\n}",
            "line 5: expects iterator_types to be a list of strings",
        ),
    ],
)
def test_errors_in_a_text_name_its_line(text, problem):
    with raises_here(errors.JobDefinitionError, "the kernel of op type bad", problem):
        flow.register_user_kernel("bad", text)


@pytest.mark.parametrize(
    "arguments, problem",
    [
        ((3, SQUARE), "expects the type of an op to be a str but got 3"),
        (("bad", 3), "expects the kernel of op type bad to be MLIR text or a function"),
        (
            ("bad", SQUARE, 3),
            "expects the gradient of op type bad to be MLIR text or a function but got 3",
        ),
        (
            ("bad", SQUARE, SQUARE),
            "expects the gradient of op type bad to have the inputs, the outputs and the "
            "gradients of outputs, (tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>), "
            "as inputs but got (tensor<3x4xf32>)",
        ),
        (
            ("bad", SQUARE, TRIPLE.replace("return %1 : tensor<3x4xf32>", "return")
             .replace("-> tensor<3x4xf32>", "")),
            "expects the gradient of op type bad to have the gradients of inputs, "
            "(tensor<3x4xf32>), as outputs but got ()",
        ),
        (
            ("bad", SQUARE, "host"),
            "expects gradient of op type bad to be a type that register_user_kernel has "
            "registered but got 'host'",
        ),
    ],
)
def test_what_is_registered_must_fit(arguments, problem):
    flow.register_user_op("host", lambda x: (x.shape, x.dtype), lambda x: x)
    with raises_here(errors.JobDefinitionError, problem):
        flow.register_user_kernel(*arguments)


@pytest.mark.parametrize(
    "body, problem",
    [
        (
            lambda x: build("square", flow.reshape(x, [4, 3])),
            "expects inputs (tensor<3x4xf32>), those of the kernel of op type square, but "
            "got (tensor<4x3xf32>)",
        ),
        (
            lambda x: build("square", x, outputs=2),
            "expects 1 outputs, as many as op type square has, but got 2",
        ),
        (
            lambda x: build("square", x, beta=1),
            "expects no attributes for the kernel of op type square, which is a text, but "
            "got beta",
        ),
        (
            lambda x: build("none", x),
            "expects the kernel of op type none to return MLIR text but got None",
        ),
        (
            lambda x: build("broken", x),
            "the kernel of op type broken, line 1: expected",
        ),
    ],
)
def test_what_is_built_must_fit(body, problem):
    flow.register_user_kernel("square", SQUARE)
    flow.register_user_kernel("none", lambda x: None)
    flow.register_user_kernel("broken", lambda x: "func.func @f(")
    predict(body)
    with raises_here(errors.JobBuildAndInferError, problem):
        flow.dump_ir()
