"""Ops that users register."""

import typing

import jobmlir as flow
import jobmlir.typing as tp
import numpy as np
import pytest
from jobmlir import errors

X = np.linspace(-2, 2, 12, dtype=np.float32).reshape(3, 4)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def register_swish():
    def gradient(inputs, outputs, gradients, beta):
        (x,), (y,), (dy,) = inputs, outputs, gradients
        s = sigmoid(beta * x)
        return dy * (s + beta * x * s * (1 - s))

    flow.register_user_op(
        "swish",
        infer=lambda x, beta: (x.shape, x.dtype),
        forward=lambda x, beta: x * sigmoid(beta * x),
        gradient=gradient,
    )


def swish(x, beta, name=None):
    return (
        flow.user_op_builder(name)
        .Op("swish")
        .Input("in", [x])
        .Output("out")
        .Attr("beta", beta, "AttrTypeFloat")
        .Build()
        .InferAndTryRun()
        .SoleOutputBlob()
    )


def test_an_op_computes_with_its_attributes():
    register_swish()

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((3, 4))) -> tp.Numpy:
        return swish(swish(x * 2.0, 1.0), 0.5) + 1.0

    y = 2 * X * sigmoid(2 * X)
    np.testing.assert_allclose(job(X), y * sigmoid(0.5 * y) + 1, rtol=1e-6)


def test_a_gradient_trains_as_that_of_the_same_ops():
    register_swish()
    losses = {}
    for kind in ("user", "composed"):
        flow.clear_default_session()

        @flow.global_function(type="train")
        def train(x: tp.Numpy.Placeholder((3, 4))) -> tp.Numpy:
            w = flow.get_variable(
                "w", (4, 4), initializer=flow.random_uniform_initializer(-1, 1)
            )
            y = flow.matmul(x, w)
            y = swish(y, 2.0) if kind == "user" else y * flow.math.sigmoid(2.0 * y)
            loss = flow.math.square(y - 1.0)
            flow.optimizer.SGD(
                flow.optimizer.PiecewiseConstantScheduler([], [0.1]), momentum=0
            ).minimize(loss)
            return loss

        losses[kind] = [train(X).mean() for _ in range(10)]
    np.testing.assert_allclose(losses["user"], losses["composed"], rtol=1e-5)
    assert losses["user"][-1] < 0.9 * losses["user"][0]


def test_several_inputs_and_outputs_of_other_types():
    flow.register_user_op(
        "divmod",
        infer=lambda a, b: [(a.shape, flow.int32), (a.shape, flow.float16)],
        forward=lambda a, b: (a // b, (a % b).astype(np.float16)),
    )
    divide = (
        flow.user_op_module_builder("divmod")
        .InputSize("in", 2)
        .Output("quotient")
        .Output("rest")
        .Build()
    )

    @flow.global_function()
    def job(
        a: tp.Numpy.Placeholder((5,), dtype=flow.int32),
        b: tp.Numpy.Placeholder((5,), dtype=flow.int32),
    ) -> typing.Tuple[tp.Numpy, tp.Numpy, tp.Numpy]:
        quotient, rest = divide(a, b)
        again, _ = divide(quotient, b)
        return quotient, rest, again

    a, b = np.array([7, 8, 9, -7, 0], np.int32), np.array([2, 3, 4, 2, 1], np.int32)
    quotient, rest, again = job(a, b)
    np.testing.assert_array_equal(quotient, a // b)
    np.testing.assert_array_equal(rest, (a % b).astype(np.float16))
    np.testing.assert_array_equal(again, a // b // b)
    assert rest.dtype == np.float16


def test_an_error_of_a_function_reaches_the_caller():
    flow.register_user_op(
        "fails",
        infer=lambda x: (x.shape, x.dtype),
        forward=lambda x: 1 // 0,
    )

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((3, 4))) -> tp.Numpy:
        return build("fails", x)

    with pytest.raises(errors.JobMLIRError, match="division.*by zero") as caught:
        job(X)
    assert "test_user_ops.py" in str(caught.value)


def fails_inside(x):
    raise ValueError("of the user")


def test_an_error_of_a_function_names_the_lines_of_the_user_only():
    flow.register_user_op(
        "fails_inside",
        infer=lambda x: (x.shape, x.dtype),
        forward=lambda x: fails_inside(x),
    )

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((3, 4))) -> tp.Numpy:
        return build("fails_inside", x)

    with pytest.raises(errors.JobRuntimeError, match="ValueError: of the user") as caught:
        job(X)
    text, *notes = str(caught.value).split("\nnote: ")
    assert "At:" not in text and "_src" not in str(caught.value)
    line = fails_inside.__code__.co_firstlineno + 1
    assert notes[0] == f"{__file__}:{line}: in fails_inside"
    assert len(notes) == 2 and notes[1].endswith(": in <lambda>")


def test_an_endless_recursion_has_a_short_message():
    def forward(x):
        return forward(x)

    flow.register_user_op("endless", lambda x: (x.shape, x.dtype), forward)

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((3, 4))) -> tp.Numpy:
        return build("endless", x)

    with pytest.raises(errors.JobRuntimeError, match="RecursionError") as caught:
        job(X)
    notes = str(caught.value).splitlines()[1:]
    assert len(notes) == 11 and notes[-1] == "note: and callers of these"


def build(op_type, x, outputs=1):
    return (
        flow.user_op_builder()
        .Op(op_type)
        .Input("in", [x])
        .Output("out", outputs)
        .Build()
        .RemoteBlobList()[0]
    )


@pytest.mark.parametrize(
    "value, message",
    [
        (np.zeros((4, 3), np.float32), r"shape \(3, 4\) but got \(4, 3\)"),
        (np.zeros((3, 4), np.complex64), "elements of float32 but got complex64"),
        ([X, X], "to return 1 arrays but got 2 values"),
        # As of a function that forgets to return.
        (None, "expects array 0 of op type wrong but got None"),
    ],
)
def test_a_result_that_does_not_fit_is_an_error(value, message):
    flow.register_user_op(
        "wrong", infer=lambda x: (x.shape, x.dtype), forward=lambda x: value
    )

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((3, 4))) -> tp.Numpy:
        return build("wrong", x)

    with pytest.raises(errors.JobMLIRError, match=message):
        job(X)


def test_a_loss_through_an_op_without_gradient_is_an_error():
    flow.register_user_op(
        "no_gradient", infer=lambda x: (x.shape, x.dtype), forward=lambda x: x
    )

    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((3, 4))) -> tp.Numpy:
        w = flow.get_variable("w", (3, 4), initializer=flow.ones_initializer())
        loss = build("no_gradient", x * w)
        flow.optimizer.SGD(
            flow.optimizer.PiecewiseConstantScheduler([], [0.1])
        ).minimize(loss)
        return loss

    with pytest.raises(errors.JobMLIRError, match="to have a gradient but got none"):
        job(X)


def predict(body):
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((3, 4))) -> tp.Numpy:
        return body(x)

    return job(X)


@pytest.mark.parametrize(
    "infer, message",
    [
        (lambda x: 3, "outputs but got 3"),
        (lambda x: [(x.shape, x.dtype)] * 2, "of 1 outputs but got"),
        (lambda x: [3], "pairs of a shape and a dtype but got 3"),
        (lambda x: [(x.shape, np.float32)], "dtype of an output of op type odd"),
        (lambda x: ((0, 4), x.dtype), "positive extents but got 0"),
    ],
)
def test_what_infer_returns_is_checked(infer, message):
    flow.register_user_op("odd", infer=infer, forward=lambda x: x)
    with pytest.raises(errors.JobMLIRError, match=message):
        predict(lambda x: build("odd", x))


@pytest.mark.parametrize(
    "body, message",
    [
        (lambda x: build("unknown", x), "register_user_kernel has registered"),
        (lambda x: build(3, x), "type of ops to be a str but got 3"),
        (lambda x: flow.user_op_builder().Output("y").Build(), "type of the op"),
        (lambda x: flow.user_op_builder().Op("swish").Build(), "an output"),
        (lambda x: flow.user_op_builder().Input("x", x), "a list of blobs"),
        (lambda x: flow.user_op_builder().Input(1, [x]), "an input to be a str"),
        (lambda x: flow.user_op_builder().Output("y", 0), "number of outputs but got 0"),
        (lambda x: flow.user_op_builder().Output(None), "an output to be a str"),
        (lambda x: flow.user_op_builder().Attr(2, 2), "an attribute to be a str"),
        (
            lambda x: flow.user_op_module_builder("swish").InputSize("x", 0),
            "number of inputs but got 0",
        ),
        (
            lambda x: flow.user_op_module_builder("swish")
            .InputSize("x", 1)
            .Output("y")
            .Build()(x, x),
            "expects 1 blobs but got 2",
        ),
        (
            lambda x: flow.user_op_builder()
            .Op("swish")
            .Input("x", [x])
            .Output("y", 2)
            .Attr("beta", 1.0)
            .Build()
            .SoleOutputBlob(),
            "of 2 outputs",
        ),
    ],
)
def test_builders_check_their_arguments(body, message):
    register_swish()
    with pytest.raises(errors.JobMLIRError, match=message):
        predict(body)


def test_an_op_of_two_outputs_has_no_sole_one():
    flow.register_user_op(
        "copies", infer=lambda x: [(x.shape, x.dtype)] * 2, forward=lambda x: (x, x)
    )

    def body(x):
        op = flow.user_op_builder().Op("copies").Input("in", [x]).Output("out", 2)
        return op.Build().SoleOutputBlob()

    with pytest.raises(errors.JobMLIRError, match="one output but got one with 2"):
        predict(body)


@pytest.mark.parametrize(
    "arguments, message",
    [
        ((3, None, None), "to be a str but got 3"),
        (("x", None, print), "infer of op type x to be a function but got None"),
        (("x", print, 1), "forward of op type x to be a function but got 1"),
        (("x", print, print, 1), "gradient of op type x to be a function or None"),
    ],
)
def test_registration_checks_its_arguments(arguments, message):
    with pytest.raises(errors.JobMLIRError, match=message):
        flow.register_user_op(*arguments)


def test_micro_steps_call_the_function_each():
    register_swish()
    losses = []
    for count in (1, 4):
        flow.clear_default_session()

        @flow.global_function(type="train")
        def train(x: tp.Numpy.Placeholder((8, 4))) -> tp.Numpy:
            w = flow.get_variable(
                "w", (4, 4), initializer=flow.random_uniform_initializer(-1, 1)
            )
            if count > 1:
                x = flow.unpack(x, count)
            loss = flow.math.square(swish(flow.matmul(x, w), 2.0) - 1.0)
            flow.optimizer.SGD(
                flow.optimizer.PiecewiseConstantScheduler([], [0.1]), momentum=0
            ).minimize(loss)
            return flow.pack(loss, count) if count > 1 else loss

        x = np.linspace(-1, 1, 32, dtype=np.float32).reshape(8, 4)
        losses.append([train(x) for _ in range(4)])
    np.testing.assert_allclose(losses[0], losses[1], rtol=1e-5)
