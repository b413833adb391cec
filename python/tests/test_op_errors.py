"""Bad input to ops, names and variables while a job is traced."""

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from models import define_unary, raises_here


def sgd(rate=0.1):
    return flow.optimizer.SGD(
        flow.optimizer.PiecewiseConstantScheduler([], [rate]), momentum=0
    )


# ===- Ops -----------------------------------------------------------------===#


def test_an_op_outside_of_a_job():
    with raises_here(
        NotImplementedError, "operator constant was called outside of a job function"
    ):
        flow.constant(1.0)
    with raises_here(NotImplementedError, "operator layers.dense was called outside"):
        flow.layers.dense(None, 3)
    with raises_here(NotImplementedError, "operator get_variable was called outside"):
        flow.get_variable("w")
    with raises_here(
        NotImplementedError, "operator losses.add_loss was called outside"
    ):
        flow.losses.add_loss(None)
    with raises_here(
        NotImplementedError, "operator optimizer.minimize was called outside"
    ):
        sgd().minimize(None)
    with raises_here(NotImplementedError, "was called outside of a job function"):
        flow.current_global_function_desc()


def test_a_blob_of_another_job():
    kept = []

    @flow.global_function()
    def first(x: tp.Numpy.Placeholder((2,))):
        kept.append(x)
        return x

    @flow.global_function()
    def second(x: tp.Numpy.Placeholder((2,))):
        return flow.nn.relu(kept[0])

    with raises_here(
        AssertionError,
        "job second, op Relu",
        "expects x to be a blob of job second",
        "but got x of job first",
    ):
        flow.dump_ir()


IMAGE = (1, 2, 4, 4)


def kernel():
    init = flow.ones_initializer()
    return flow.get_variable("kernel", (2, 2, 3, 3), initializer=init)


@pytest.mark.parametrize(
    "body, cls, op, text",
    [
        (
            lambda x: flow.nn.relu(3),
            TypeError,
            "Relu",
            "expects x to be a blob but got int",
        ),
        (lambda x: flow.nn.relu(x, name=3), ValueError, None, "to be a str but got 3"),
        (
            lambda x: flow.math.add("a", x),
            TypeError,
            "Add",
            "expects blobs and numbers",
        ),
        (lambda x: flow.math.add(1, 2), TypeError, "Add", "expects at least one blob"),
        (
            lambda x: x + flow.constant(1.0, shape=[3]),
            AssertionError,
            "Add",
            "expects shapes that broadcast to one but got (1, 2, 4, 4) and (3,)",
        ),
        (
            lambda x: x + flow.constant(1),
            ValueError,
            "Add",
            "expects operands of one dtype but got float32 and int32: jobmlir.cast "
            "converts a blob",
        ),
        (
            lambda x: flow.matmul(x, flow.cast(x, flow.double)),
            ValueError,
            "MatMul",
            "expects operands of one dtype but got float32 and float64: jobmlir.cast",
        ),
        (
            lambda x: flow.math.add_n([x, flow.cast(x, flow.int64)]),
            ValueError,
            "AddN",
            "expects operands of one dtype but got float32 and int64: jobmlir.cast",
        ),
        (
            lambda x: flow.concat([x, flow.cast(x, flow.float16)], axis=0),
            ValueError,
            "Concat",
            "expects operands of one dtype but got float32 and float16: jobmlir.cast",
        ),
        (
            lambda x: flow.stack([x, flow.cast(x, flow.int8)], axis=0),
            ValueError,
            "Stack",
            "expects operands of one dtype but got float32 and int8: jobmlir.cast",
        ),
        (
            lambda x: flow.cast(x, flow.int32) * 0.5,
            ValueError,
            "Multiply",
            "expects an int to combine with a blob of int32 but got 0.5: jobmlir.cast "
            "makes floats",
        ),
        (
            lambda x: flow.cast(x, flow.int32) / 0.5,
            ValueError,
            "Divide",
            "expects an int to combine with a blob of int32 but got 0.5: jobmlir.cast "
            "makes floats",
        ),
        (
            lambda x: flow.expand_dims(x, None),
            ValueError,
            "ExpandDims",
            "expects axis to be an int but got None",
        ),
        (
            lambda x: flow.expand_dims(x, 2**130),
            ValueError,
            "ExpandDims",
            "expects an axis in [-5, 5) but got an int of 131 bits",
        ),
        (
            lambda x: flow.nn.layer_norm(x, begin_norm_axis=[1]),
            ValueError,
            "LayerNorm",
            "expects axis to be an int but got [1]",
        ),
        (
            lambda x: flow.sort(x, np.ones(2)),
            ValueError,
            "Sort",
            "expects direction to be one of 'ASCENDING', 'DESCENDING' but got array([1., 1.])",
        ),
        (
            lambda x: flow.nn.fused_scale_tril(x, scale=np.ones(2)),
            TypeError,
            "FusedScaleTril",
            "expects blobs and numbers but got ndarray",
        ),
        (
            lambda x: 2 ** flow.cast(x, flow.int32),
            ValueError,
            "Pow",
            "expects operands of floats but got int32: ints have powers with an int of "
            "Python as exponent, and jobmlir.cast makes floats",
        ),
        (
            lambda x: flow.cast(x, flow.int32) ** -1,
            ValueError,
            "Pow",
            "expects an exponent of at least 0 for ints but got -1",
        ),
        (
            lambda x: flow.cast(x, flow.char),
            NotImplementedError,
            None,
            "got char",
        ),
        (
            lambda x: flow.cast(x, "f32"),
            TypeError,
            None,
            "expects the dtype of op Cast",
        ),
        (
            lambda x: flow.reshape(x, [3, -1]),
            AssertionError,
            "Reshape",
            "expects a shape of 32 elements as (1, 2, 4, 4) has but got (3, -1)",
        ),
        (lambda x: flow.reshape(x, [-1, -1]), ValueError, "Reshape", "one may be -1"),
        (
            lambda x: flow.reshape(x, 3),
            ValueError,
            "Reshape",
            "expects shape to be a list",
        ),
        (
            lambda x: flow.reshape_like(x, flow.constant(1.0)),
            ValueError,
            "ReshapeLike",
            "expects as many elements as (1,) has but got (1, 2, 4, 4)",
        ),
        (lambda x: flow.flatten(x, 2, 1), ValueError, "Flatten", "up to end_dim"),
        (lambda x: flow.squeeze(x, 1), ValueError, "Squeeze", "expects an extent of 1"),
        (
            lambda x: flow.expand_dims(x, 9),
            ValueError,
            "ExpandDims",
            "[-5, 5) but got 9",
        ),
        (
            lambda x: flow.math.reduce_sum(x, [1, 1]),
            ValueError,
            "ReduceSum",
            "distinct",
        ),
        (
            lambda x: flow.math.reduce_sum(x, "a"),
            ValueError,
            "ReduceSum",
            "expects axis",
        ),
        (
            lambda x: flow.math.clip(x),
            ValueError,
            "ClipByValue",
            "min_value or max_value",
        ),
        (lambda x: flow.math.add_n([]), ValueError, "AddN", "expects a list of blobs"),
        (
            lambda x: flow.math.add_n([x, flow.constant(1.0)]),
            ValueError,
            "AddN",
            "but got (1,) for inputs[1]",
        ),
        (
            lambda x: flow.constant("a"),
            TypeError,
            "Constant",
            "expects a number but got 'a'",
        ),
        (
            lambda x: flow.matmul(x, x, transpose_b="no"),
            ValueError,
            "MatMul",
            "expects transpose_b to be a bool but got 'no'",
        ),
        (
            lambda x: flow.transpose(x, conjugate="no"),
            ValueError,
            "Transpose",
            "expects conjugate to be a bool but got 'no'",
        ),
        (
            lambda x: flow.nn.attention(x, x, x, causal="no"),
            ValueError,
            "Attention",
            "expects causal to be a bool but got 'no'",
        ),
        *(
            (
                lambda x, function=function: function(flow.cast(x, flow.int32)),
                ValueError,
                op,
                f"op {op}: expects x to be a blob of floats but got int32",
            )
            for function, op in (
                (flow.math.reduce_mean, "ReduceMean"),
                (flow.math.reduce_variance, "ReduceVariance"),
                (flow.math.reduce_std, "ReduceStd"),
                (flow.math.reduce_euclidean_norm, "ReduceEuclideanNorm"),
                (flow.math.reduce_logsumexp, "ReduceLogSumExp"),
                (lambda x: flow.nn.moments(x, [0]), "Moments"),
            )
        ),
        (
            lambda x: flow.math.reduce_mean(x, keepdims="no"),
            ValueError,
            "ReduceMean",
            "expects keepdims to be a bool but got 'no'",
        ),
        (
            lambda x: flow.math.reduce_logsumexp(x, keepdims="no"),
            ValueError,
            "ReduceLogSumExp",
            "expects keepdims to be a bool but got 'no'",
        ),
        (
            lambda x: flow.nn.max_pool2d(x, 2, 2, "SAME", ceil_mode="no"),
            ValueError,
            "MaxPool2D",
            "expects ceil_mode to be a bool but got 'no'",
        ),
        (
            lambda x: flow.layers.dense(x, 2, use_bias="no"),
            ValueError,
            "Dense",
            "expects use_bias to be a bool but got 'no'",
        ),
        (
            lambda x: flow.layers.conv2d(x, 2, use_bias="no"),
            ValueError,
            "Conv2d",
            "expects use_bias to be a bool but got 'no'",
        ),
        (
            lambda x: flow.layers.batch_normalization(x, training="no"),
            ValueError,
            "BatchNorm",
            "expects training to be a bool but got 'no'",
        ),
        (
            lambda x: flow.layers.layer_norm(x, center="no"),
            ValueError,
            "LayerNorm",
            "expects center to be a bool but got 'no'",
        ),
        (
            lambda x: flow.get_variable("w", (1,), trainable="no"),
            ValueError,
            "w",
            "expects trainable to be a bool but got 'no'",
        ),
        (
            lambda x: flow.get_variable("w", (1,), reuse="no"),
            ValueError,
            "w",
            "expects reuse to be a bool but got 'no'",
        ),
        (lambda x: flow.where(x > 0, x), ValueError, "Where", "expects both x and y"),
        (
            lambda x: flow.where(flow.constant(1, shape=[3]), x, x),
            ValueError,
            "Where",
            "expects shapes that broadcast to one but got (3,) and (1, 2, 4, 4)",
        ),
        (
            lambda x: flow.broadcast_like(x, flow.constant(1.0)),
            ValueError,
            "BroadcastLike",
            "expects a shape that broadcasts to (1,) but got (1, 2, 4, 4)",
        ),
        (
            lambda x: flow.broadcast_like(flow.constant(1.0), x, [0]),
            ValueError,
            "BroadcastLike",
            "expects 3 or 4 dimensions but got (1,)",
        ),
        (
            lambda x: flow.matmul(flow.reshape(x, [-1]), x),
            ValueError,
            "MatMul",
            "expects operands of at least 2 dimensions but got",
        ),
        (
            lambda x: flow.matmul(flow.reshape(x, [4, 8]), flow.reshape(x, [4, 8])),
            AssertionError,
            "MatMul",
            "expects equal inner extents but got 8",
        ),
        (lambda x: flow.layers.dense(x, 0), ValueError, "Dense", "expects units"),
        (
            lambda x: flow.layers.dense(flow.constant(1.0), 2),
            AssertionError,
            "Dense",
            "expects inputs of at least 2 dimensions",
        ),
        (
            lambda x: flow.layers.dense(x, 2, kernel_regularizer=3),
            AssertionError,
            "Dense-weight",
            "expects regularizer to be a regularizer such as oneflow.regularizers.l2() "
            "but got 3",
        ),
        (lambda x: flow.layers.conv2d(x, 0), ValueError, "Conv2d", "expects filters"),
        (
            lambda x: flow.layers.conv2d(x, 2, groups=0),
            ValueError,
            "Conv2d",
            "positive int",
        ),
        (
            lambda x: flow.layers.conv2d(x, 3, groups=2),
            AssertionError,
            "Conv2d",
            "expects groups to divide 3 filters and 2 channels but got 2",
        ),
        (
            lambda x: flow.layers.conv2d(x, 2, "a"),
            ValueError,
            "Conv2d",
            "expects kernel_size to be one or two ints but got 'a'",
        ),
        (
            lambda x: flow.nn.conv2d(x, kernel(), 1, "FULL"),
            ValueError,
            "Conv2d",
            "expects padding to be VALID, SAME, SAME_LOWER or SAME_UPPER but got "
            "'FULL'",
        ),
        (
            lambda x: flow.layers.conv2d(x, 2, data_format="CHWN"),
            ValueError,
            "Conv2d",
            "expects data_format to be \"NCHW\" or \"NHWC\" but got 'CHWN'",
        ),
        (
            lambda x: flow.layers.conv2d(flow.reshape(x, [4, 8]), 2),
            AssertionError,
            "Conv2d",
            "expects inputs of 4 dimensions",
        ),
        (
            lambda x: flow.nn.conv2d(x, x, 1, "VALID", groups="a"),
            ValueError,
            "Conv2d",
            "expects groups to be a positive int but got 'a'",
        ),
        (
            lambda x: flow.nn.conv2d(x, flow.reshape(x, [4, 8]), 1, "VALID"),
            AssertionError,
            "Conv2d",
            "expects filters of 4 dimensions but got shape (4, 8)",
        ),
        (
            lambda x: flow.nn.max_pool2d(x, 2, 2, "FULL"),
            ValueError,
            "MaxPool2D",
            "'FULL'",
        ),
        (
            lambda x: flow.nn.max_pool2d(x, 2, 2, [[0, 0], [1, 1], [0, 0], [0, 0]]),
            ValueError,
            "MaxPool2D",
            "expects no padding of the batch and the channels but got [(0, 0), (1, 1)]",
        ),
        (
            lambda x: flow.nn.max_pool2d(x, 2, 2, [1, 1]),
            ValueError,
            "MaxPool2D",
            "a pair",
        ),
        (
            lambda x: flow.nn.max_pool2d(x, "a", 2, "SAME"),
            ValueError,
            "MaxPool2D",
            "ksize",
        ),
        (
            lambda x: flow.nn.max_pool2d(x, [1, 2, 3], 2, "SAME"),
            ValueError,
            "MaxPool2D",
            "expects one or two values of ksize but got 3",
        ),
        (
            lambda x: flow.nn.max_pool2d(x, 2, 2, "SAME", data_format="X"),
            ValueError,
            "MaxPool2D",
            "expects data_format",
        ),
        (
            lambda x: flow.nn.max_pool2d(x, 9, 1, "VALID"),
            ValueError,
            "MaxPool2D",
            "expects",
        ),
        (
            lambda x: flow.nn.bias_add(x, flow.constant(1.0, shape=[3])),
            ValueError,
            "BiasAdd",
            "expects a bias for axis 1 of shape (1, 2, 4, 4) but got (3,)",
        ),
        (
            lambda x: flow.nn.dropout(x, 1.0),
            AssertionError,
            "Dropout",
            "[0, 1) but got 1.0",
        ),
        (
            lambda x: flow.nn.dropout(x, 0.5, seed=3),
            ValueError,
            "Dropout",
            "expects an int and a name with the seed but got 3 and None",
        ),
        (
            lambda x: flow.nn.dropout(x, 0.5, noise_shape=[2, 1, 4, 4]),
            ValueError,
            "Dropout",
            "expects noise_shape to broadcast to shape (1, 2, 4, 4) but got (2, 1, 4, 4)",
        ),
        (
            lambda x: flow.nn.sparse_softmax_cross_entropy_with_logits(
                flow.constant(1, shape=[5]), flow.reshape(x, [4, 8])
            ),
            AssertionError,
            "SparseSoftmaxCrossEntropy",
            "expects labels of the shape of the logits without the last dimension",
        ),
        (lambda x: flow.get_variable(3), AssertionError, None, "a str but got 3"),
        (
            lambda x: flow.get_variable("a/b", (1,)),
            ValueError,
            None,
            "expects a name without a slash but got 'a/b'",
        ),
        (
            lambda x: flow.get_variable("w", [0]),
            AssertionError,
            "w",
            "as positive ints",
        ),
        (lambda x: flow.get_variable("w"), AssertionError, "w", "but got None"),
        (
            lambda x: flow.get_variable("w", (1,)),
            ValueError,
            "w",
            "expects an initializer, or default_initializer_conf",
        ),
        (
            lambda x: flow.get_variable("w", (1,), initializer=0),
            ValueError,
            "w",
            "expects an initializer such as oneflow.zeros_initializer() but got 0",
        ),
        (
            lambda x: flow.get_variable("w", (1,), regularizer=0),
            AssertionError,
            "w",
            "expects regularizer to be a regularizer such as",
        ),
        (
            lambda x: flow.get_variable("w", (1,), random_seed=2**63),
            ValueError,
            "w",
            "expects random_seed to be an int from -2^63 to 2^63 - 1 but got 9223372036",
        ),
        (
            lambda x: flow.get_variable("w", (1,), model_name=3),
            ValueError,
            "w",
            "expects model_name to be a str but got 3",
        ),
        (
            lambda x: flow.get_variable(
                "w", (1,), initializer=flow.xavier_uniform_initializer()
            ),
            ValueError,
            None,
            "expects a variable of at least 2 dimensions",
        ),
        (
            lambda x: flow.nn.conv2d(x, kernel(), 0, "SAME"),
            ValueError,
            "Conv2d",
            "expects strides in [1, 2147483647] but got 0",
        ),
        (
            lambda x: flow.layers.conv2d(x, 2, 3, [1, -1], "SAME"),
            ValueError,
            "Conv2d",
            "expects strides in [1, 2147483647] but got -1",
        ),
        (
            lambda x: flow.nn.avg_pool2d(x, 2, 0, "VALID", ceil_mode=True),
            ValueError,
            "AvgPool2D",
            "expects strides in [1, 2147483647] but got 0",
        ),
        (
            lambda x: flow.nn.bias_add(x, kernel(), data_format=3),
            ValueError,
            "BiasAdd",
            "expects data_format to be a str but got 3",
        ),
        (
            lambda x: flow.layers.dense(x, 2, name=3),
            ValueError,
            None,
            "expects the name of a layer to be a str but got 3",
        ),
        (
            lambda x: flow.layers.dense(x, 2, activation="relu"),
            ValueError,
            "Dense",
            "expects activation to be a function such as oneflow.nn.relu but got",
        ),
        (
            lambda x: flow.layers.conv2d(x, 2, activation=lambda y: y),
            ValueError,
            "Conv2d",
            "expects activation to be a function of a blob and a name but got",
        ),
        (
            lambda x: kernel() + flow.get_variable("kernel", 3),
            ValueError,
            "kernel",
            "expects the shape of a variable as positive ints but got 3",
        ),
        (
            lambda x: np.ones(IMAGE, np.float32) + x,
            TypeError,
            "Add",
            "expects blobs and numbers but got ndarray",
        ),
        (
            lambda x: x < np.ones(IMAGE, np.float32),
            TypeError,
            "Less",
            "expects blobs and numbers but got ndarray",
        ),
        (lambda x: bool(x > 0), TypeError, "Greater", "expects a value to branch on"),
        (lambda x: float(x), TypeError, "x", "expects a value to convert to a float"),
        (lambda x: int(x), TypeError, "x", "expects a value to convert to an int"),
        (lambda x: list(x), TypeError, "x", "expects a value to iterate over"),
        (lambda x: len(x), TypeError, "x", "expects a value to take the length of"),
        (
            lambda x: np.asarray(x),
            TypeError,
            "x",
            "expects a value to convert to an array",
        ),
        (lambda x: x.numpy(), TypeError, "x", "expects a value to convert to an array"),
    ],
)
def test_ops_must_fit_their_operands(body, cls, op, text):
    define_unary(body, IMAGE)
    context = f"op {op}" if op else ""
    with raises_here(cls, context, text):
        flow.dump_ir()


def test_an_error_names_the_job():
    define_unary(lambda x: flow.reshape(x, [5]))
    with raises_here(AssertionError, "job job, op Reshape: expects"):
        flow.dump_ir()


def test_what_an_activation_raises_is_its_own():
    def activation(x, name):
        raise TypeError("of the user")

    define_unary(lambda x: flow.layers.dense(x, 2, activation=activation))
    with pytest.raises(TypeError, match="^of the user"):
        flow.dump_ir()


@pytest.mark.parametrize(
    "make, text",
    [
        (
            lambda: flow.random_normal_initializer(seed=1),
            "expects seed and dtype to be None",
        ),
        (
            lambda: flow.constant_initializer("a"),
            "expects value to be a number but got 'a'",
        ),
        (
            lambda: flow.variance_scaling_initializer(mode="x"),
            "expects mode to be one of",
        ),
        (
            lambda: flow.variance_scaling_initializer(distribution="x"),
            "expects distribution",
        ),
        (lambda: flow.glorot_normal_initializer(3), "expects data_format to be a str"),
        (
            lambda: flow.kaiming_initializer((2, 2), nonlinearity="x"),
            "expects nonlinearity",
        ),
        (
            lambda: flow.kaiming_initializer(5),
            "expects the shape of a variable as positive ints but got 5",
        ),
        (
            lambda: flow.kaiming_initializer(("a", "b")),
            "expects the shape of a variable as positive ints but got ('a', 'b')",
        ),
        (
            lambda: flow.kaiming_initializer((2**40, 2**40)),
            "expects at most 2^59 elements but got more",
        ),
        (
            lambda: flow.kaiming_initializer((2, 2), negative_slope="a"),
            "expects negative_slope to be a number but got 'a'",
        ),
    ],
)
def test_initializers_must_fit(make, text):
    with raises_here(ValueError, text):
        make()


def test_numbers_of_numpy():
    """As good as Python's, in initializers, layers, schedules and ops."""

    def job(x):
        init = flow.constant_initializer(np.float32(0.5))
        w = flow.get_variable("w", (4, 4), initializer=init, trainable=np.bool_(False))
        x = flow.layers.batch_normalization(
            x, axis=np.int64(1), momentum=np.float32(0.5), epsilon=np.float64(0.5)
        )
        y = flow.matmul(flow.reshape(x, [-1, 4]), w, transpose_b=np.bool_(True))
        return flow.math.reduce_sum(y, keepdims=np.bool_(True)) * np.float16(2)

    define_unary(job, IMAGE)
    assert "#job.constant_init<5.000000e-01>" in flow.dump_ir(locations=np.bool_(True))
    for rate in (np.float32(0.5), np.int64(1), np.array(0.25)):
        schedule = flow.optimizer.PiecewiseConstantScheduler([], [rate])
        flow.optimizer.Adam(schedule, do_bias_correction=np.bool_(True))
    flow.kaiming_initializer((2, 2), negative_slope=np.array(0.5))


def test_the_dialect_checks_initializers():
    define_unary(
        lambda x: flow.get_variable(
            "w", (1,), initializer=flow.truncated_normal_initializer(0.0, -1.0)
        )
    )
    with raises_here(
        AssertionError, "op w: expects stddev to be at least 0 but got -1"
    ):
        flow.dump_ir()


# ===- Names and variables -------------------------------------------------===#


def test_names_of_ops_are_unique():
    define_unary(lambda x: flow.nn.relu(flow.nn.relu(x, name="a"), name="a"))
    with raises_here(
        AssertionError,
        "job job, op a: expects a name that is new in its job",
        f"but got one of an op made at {__file__}:",
    ):
        flow.dump_ir()


def test_names_of_layers_are_unique():
    define_unary(
        lambda x: flow.layers.dense(flow.layers.dense(x, 3, name="d"), 3, name="d")
    )
    with raises_here(
        AssertionError,
        "op d-weight: expects a new name because getting the same variable is not "
        "allowed when param reuse is False",
    ):
        flow.dump_ir()


@pytest.mark.parametrize(
    "second, text",
    [
        (
            lambda: flow.get_variable("w", (3,)),
            "expects shape (2,) of variable w as in job first at",
        ),
        (
            lambda: flow.get_variable("w", (2,), dtype=flow.double),
            "expects dtype float32 of variable w as in job first at",
        ),
    ],
)
def test_jobs_agree_about_variables(second, text):
    @flow.global_function()
    def first():
        return flow.get_variable("w", (2,), initializer=flow.zeros_initializer())

    @flow.global_function(type="predict")
    def other():
        return second()

    with raises_here(AssertionError, "job other, op w", text, __file__):
        flow.dump_ir()


def test_a_variable_with_the_name_of_a_job():
    @flow.global_function()
    def first(x: tp.Numpy.Placeholder((2,))):
        return x + flow.get_variable("second", (2,), initializer=flow.ones_initializer())

    @flow.global_function()
    def second(x: tp.Numpy.Placeholder((2,))):
        return x

    with raises_here(
        AssertionError,
        "job first, op second: expects another name of a variable than that of a job "
        "but got second of both",
    ):
        flow.dump_ir()


def test_a_job_trains_a_variable_or_not():
    @flow.global_function(type="train")
    def job():
        zeros = flow.zeros_initializer()
        flow.get_variable("w", (2,), initializer=zeros, trainable=False)
        # Says nothing about it.
        sgd().minimize(flow.get_variable("w"))
        flow.get_variable("w", trainable=True)

    with raises_here(
        AssertionError,
        "job job, op w: expects trainable to be False, as before in this job, but got "
        "True",
    ):
        flow.dump_ir()


def test_a_predict_job_may_read_what_another_job_trains():
    @flow.global_function()
    def first():
        zeros = flow.zeros_initializer()
        return flow.get_variable("w", (2,), initializer=zeros, trainable=False)

    @flow.global_function(type="train")
    def second():
        sgd().minimize(flow.get_variable("w", (2,)))

    assert "trainable = false" not in flow.dump_ir()
