"""Ops of OneFlow that scripts build by the name of their type, against NumPy."""

import math

import numpy as np
import pytest

import jobmlir as flow
from jobmlir import errors
from jobmlir._src import op_types, user_ops
from models import raises_here
from numeric import evaluate, gradients, random, sgd

X = random((3, 4), dtype=np.float32)
Y = random((3, 4), seed=1, dtype=np.float32)
P = random((3, 4), seed=2, low=0.1, high=0.9, dtype=np.float32)
IMAGE = random((2, 3, 6, 6), seed=3, dtype=np.float32)
MASK = (X > 0).astype(np.int8)
ROWS = np.array([2, 0, 2, 1], np.int32)
LABELS = np.array([3, 0, 1], np.int32)
COLUMN = np.arange(1, 5, dtype=np.float32)
SOFTMAX = np.exp(X) / np.exp(X).sum(1, keepdims=True)
LOGITS = -np.log(SOFTMAX)


def pooled(image, function):
    """Windows of 2, and steps of 2, of the last dimensions."""
    shape = [n for extent in image.shape[2:] for n in (extent // 2, 2)]
    parts = image.reshape(*image.shape[:2], *shape)
    return function(parts, axis=tuple(range(3, parts.ndim, 2)))


def convolved(image, weight):
    """With windows that are whole images: one number per filter."""
    count = image.ndim - 2
    result = np.tensordot(image, weight, (range(1, image.ndim),) * 2)
    return result.reshape(*result.shape, *[1] * count)


def normal(x, mean, variance, epsilon):
    return (x - mean) / np.sqrt(variance + epsilon)


def unary(name):
    special = {
        "erf": np.vectorize(math.erf),
        "erfc": np.vectorize(math.erfc),
        "lgamma": np.vectorize(math.lgamma),
        "log_sigmoid": lambda x: -np.log1p(np.exp(-x)),
        "reciprocal_no_nan": lambda x: 1 / x,
        "round": np.rint,
        "rsqrt": lambda x: 1 / np.sqrt(x),
        "sigmoid_v2": lambda x: 1 / (1 + np.exp(-x)),
        "softplus": lambda x: np.log1p(np.exp(x)),
    }
    function = special.get(name) or getattr(np, name)
    x = P + 1 if name == "acosh" else P
    return {"x": x}, {}, {"y": function(x.astype(np.float64))}


BINARY = {
    "pow": lambda x, y: np.where(x < 0, np.nan, abs(x) ** y),
    "floordiv": np.floor_divide,
    "atan2": np.arctan2,
    "xdivy": np.divide,
    "xlogy": lambda x, y: x * np.log(y),
    "broadcast_add": np.add,
    "broadcast_sub": np.subtract,
    "broadcast_mul": np.multiply,
    "broadcast_div": np.divide,
    "broadcast_floor_mod": np.mod,
    "broadcast_minimum": np.minimum,
    "broadcast_maximum": np.maximum,
    "broadcast_equal": np.equal,
    "broadcast_not_equal": np.not_equal,
    "broadcast_less": np.less,
    "broadcast_less_equal": np.less_equal,
    "broadcast_greater": np.greater,
    "broadcast_greater_equal": np.greater_equal,
    "broadcast_logical_and": np.logical_and,
}
REDUCTIONS = {
    "reduce_sum": np.sum,
    "reduce_prod": np.prod,
    "reduce_max": np.max,
    "reduce_min": np.min,
}
WINDOW = {
    "padding": "valid",
    "data_format": "channels_first",
    "ceil_mode": False,
    "padding_before": None,
    "padding_after": None,
}
SCALAR = dict(has_int_operand=False, has_float_operand=True, int_operand=0)
CLIP = dict(floating_min=-1.0, integral_min=-1)
CLIP_MAX = dict(floating_max=0.5, integral_max=0)
FILL = dict(floating_fill_value=0.0, integer_fill_value=7, is_floating_fill_value=False)
PAD = dict(floating_constant_value=3.0, integral_constant_value=3)
BOUNDS = dict(start=[0, 3], stop=[3, 0], step=[2, -1])
MEAN, VARIANCE = X.mean(1), X.var(1)
OFFSET = np.arange(3, dtype=np.float32).reshape(3, 1)


def updated(x, update):
    out = x.copy()
    out[0:3:2, 3:0:-1] = update
    return out


def scattered(x, how):
    out = x.copy()
    how(out, (np.array([2, 0]), np.array([1, 3])), np.array([5.0, 6.0], np.float32))
    return out


PLACES = np.array([[2, 1], [0, 3]], np.int32)
VALUES = np.array([5.0, 6.0], np.float32)
SUMS = np.stack([X.T[ROWS == i].sum(0) for i in range(3)])

# By type: inputs, attributes and outputs.
SAMPLES = {
    **{name: unary(name) for name in op_types._UNARY.split()},
    **{
        name: ({"x": Y, "y": P}, {}, {"z": function(Y.astype(float), P)})
        for name, function in BINARY.items()
    },
    **{
        name: (
            {"input_tensor": X},
            {"axis": [1], "keepdims": True},
            {"output_tensor": function(X, 1, keepdims=True)},
        )
        for name, function in REDUCTIONS.items()
    },
    **{
        name: (
            {"input_tensor": MASK},
            {"axis": [0], "keepdims": False},
            {"output_tensor": function(MASK, 0)},
        )
        for name, function in (("reduce_all", np.all), ("reduce_any", np.any))
    },
    **{
        f"{kind}_pool_{count}d": (
            {"x": IMAGE.reshape(1, 3, *shape)},
            {**WINDOW, "pool_size": [2] * count, "strides": [2] * count},
            {"y": pooled(IMAGE.reshape(1, 3, *shape), function)},
        )
        for kind, function in (("max", np.max), ("avg", np.mean))
        for count, shape in ((1, (72,)), (2, (12, 6)), (3, (6, 6, 2)))
    },
    **{
        f"conv{count}d": (
            {
                "in": IMAGE.reshape(2, 3, *shape),
                "weight": IMAGE[:, ::-1].reshape(2, 3, *shape),
                "bias": VALUES,
            },
            {
                "filters": 2,
                "padding_before": [0] * count,
                "data_format": "channels_first",
                "kernel_size": list(shape),
                "strides": [1] * count,
                "dilation_rate": [1] * count,
                "groups": 1,
            },
            {
                "out": convolved(
                    IMAGE.reshape(2, 3, *shape), IMAGE[:, ::-1].reshape(2, 3, *shape)
                )
                + VALUES.reshape(2, *[1] * count)
            },
        )
        for count, shape in ((1, (36,)), (2, (6, 6)), (3, (6, 3, 2)))
    },
    "deconv2d": (
        {"in": IMAGE[:, :, :1, :1], "weight": IMAGE.reshape(3, 2, 6, 6)},
        {
            "filters": 2,
            "padding_needed": [0, 0],
            "output_padding": [0, 0],
            "data_format": "channels_first",
            "kernel_size": [6, 6],
            "strides": [1, 1],
            "dilation_rate": [1, 1],
        },
        {"out": np.tensordot(IMAGE[:, :, 0, 0], IMAGE.reshape(3, 2, 6, 6), 1)},
    ),
    "add_n": ({"in": [X, Y, X]}, {}, {"out": X + Y + X}),
    "amp_white_identity": ({"in": X}, {}, {"out": X}),
    "arg_sort": ({"in": X}, {"direction": "DESCENDING"}, {"out": np.argsort(-X)}),
    "argmax": ({"in": X}, {}, {"out": X.argmax(1)}),
    "batch_gather": (
        {"in": X, "indices": np.array([[1, 0]] * 3, np.int32)},
        {},
        {"out": X[:, [1, 0]]},
    ),
    "batch_matmul": (
        {"a": IMAGE, "b": IMAGE},
        {"transpose_a": False, "transpose_b": True, "alpha": 0.5},
        {"out": 0.5 * IMAGE @ IMAGE.swapaxes(2, 3)},
    ),
    "bias_add": ({"a": X, "b": COLUMN}, {"axis": 1}, {"out": X + COLUMN}),
    "broadcast_like": (
        {"x": COLUMN, "like": X},
        {"broadcast_axes": [0]},
        {"y": np.broadcast_to(COLUMN, X.shape)},
    ),
    "cast": ({"in": X}, {"dtype": flow.int32}, {"out": X.astype(np.int32)}),
    "clip_by_scalar": ({"x": X}, {**CLIP, **CLIP_MAX}, {"y": X.clip(-1, 0.5)}),
    "clip_by_scalar_max": ({"x": X}, CLIP_MAX, {"y": X.clip(None, 0.5)}),
    "clip_by_scalar_min": ({"x": ROWS}, {**CLIP, "integral_min": 1}, {"y": ROWS.clip(1)}),
    "combined_margin_loss": (
        {"x": P, "label": LABELS},
        {"m1": 1.0, "m2": 0.0, "m3": 0.25, "depth": 4},
        {"y": P - 0.25 * np.eye(4)[LABELS], "theta": np.arccos(P[range(3), LABELS])},
    ),
    "concat": ({"in": [X, Y]}, {"axis": 1}, {"out": np.concatenate([X, Y], 1)}),
    "constant": (
        {},
        dict(
            floating_value=2.5,
            integer_value=2,
            is_floating_value=True,
            dtype=flow.float,
            shape=[2, 3],
        ),
        {"out": np.full((2, 3), 2.5, np.float32)},
    ),
    "count_not_finite": (
        {"x": np.array([1, np.inf, np.nan], np.float32)},
        {},
        {"y": np.array([2])},
    ),
    "dim_gather": (
        {"input": X, "index": LABELS.reshape(3, 1)},
        {"dim": 1},
        {"output": np.take_along_axis(X, LABELS.reshape(3, 1), 1)},
    ),
    "dropout": ({"in": X, "mask": MASK}, {"scale": 2.0}, {"out": X * MASK * 2}),
    "elem_cnt": ({"x": X}, {"dtype": flow.int64}, {"y": np.array([12])}),
    "elu": ({"in": X}, {"alpha": 0.5}, {"out": np.where(X > 0, X, 0.5 * np.expm1(X))}),
    "expand_dims": ({"in": X}, {"axis": -1}, {"out": X[..., None]}),
    "flatten": (
        {"in": IMAGE},
        {"start_dim": 1, "end_dim": 2},
        {"out": IMAGE.reshape(2, 18, 6)},
    ),
    "fused_scale_tril": (
        {"in": X},
        dict(
            FILL,
            diagonal=1,
            floating_scale_value=0.5,
            integer_scale_value=0,
            is_floating_scale_value=True,
        ),
        {"out": np.where(np.tri(3, 4, 1, bool), 0.5 * X, 7)},
    ),
    "gather": ({"in": X, "indices": ROWS}, {"axis": 0}, {"out": X[ROWS]}),
    "gather_nd": ({"params": X, "indices": PLACES}, {}, {"out": X[[2, 0], [1, 3]]}),
    "gelu": (
        {"in": X},
        {},
        {"out": X * 0.5 * (1 + np.vectorize(math.erf)(X / np.sqrt(2)))},
    ),
    "gelu_grad": (
        {"x": X, "dy": Y},
        {},
        {
            "dx": Y
            * (
                0.5 * (1 + np.vectorize(math.erf)(X / np.sqrt(2)))
                + X * np.exp(-X * X / 2) / np.sqrt(2 * np.pi)
            )
        },
    ),
    "hardsigmoid": ({"in": 2 * X}, {}, {"out": np.clip(2 * X / 6 + 0.5, 0, 1)}),
    "hardswish": ({"in": 2 * X}, {}, {"out": 2 * X * np.clip(2 * X + 3, 0, 6) / 6}),
    "hardtanh": (
        {"in": X},
        {"min_val": -0.5, "max_val": 1.5},
        {"out": X.clip(-0.5, 1.5)},
    ),
    "identity": ({"in": X}, {}, {"out": X}),
    "indexed_slices_reduce_sum": (
        {"x_indices": ROWS, "x_values": X.T},
        {},
        {
            "y_indices": np.array([2, 0, 1]),
            "y_values": np.stack([X.T[0] + X.T[2], X.T[1], X.T[3]]),
            "num_unique": np.array([3]),
        },
    ),
    "l2_normalize": (
        {"x": X},
        {"axis": 1, "epsilon": 1e-12},
        {
            "y": X / np.sqrt((X * X).sum(1, keepdims=True)),
            "square_x_sum": (X * X).sum(1, keepdims=True),
        },
    ),
    "layer_norm": (
        {"x": X, "gamma": COLUMN, "beta": COLUMN},
        dict(
            center=True, scale=True, begin_norm_axis=1, begin_params_axis=1, epsilon=1e-3
        ),
        {
            "y": normal(X, MEAN[:, None], VARIANCE[:, None], 1e-3) * COLUMN + COLUMN,
            "mean": MEAN,
            "inv_variance": 1 / np.sqrt(VARIANCE + 1e-3),
            "normalized": normal(X, MEAN[:, None], VARIANCE[:, None], 1e-3),
        },
    ),
    "leaky_relu": ({"x": X}, {"alpha": 0.25}, {"y": np.where(X > 0, X, 0.25 * X)}),
    "masked_fill": (
        {"x": X, "mask": MASK},
        dict(
            float_operand=-1.5,
            int_operand=0,
            has_float_operand=True,
            has_int_operand=False,
        ),
        {"out": np.where(MASK, np.float32(-1.5), X)},
    ),
    "matmul": (
        {"a": X, "b": Y},
        {"transpose_a": True, "transpose_b": False},
        {"out": X.T @ Y},
    ),
    "mish": ({"in": X}, {}, {"out": X * np.tanh(np.log1p(np.exp(X)))}),
    "multi_count_not_finite": (
        {"x": [X, np.array([1, np.inf, np.nan], np.float32)]},
        {},
        {"y": np.array([2])},
    ),
    "multiply": ({"x": X, "y": Y}, {}, {"out": X * Y}),
    "normalization": (
        {
            "x": X,
            "moving_mean": COLUMN,
            "moving_variance": COLUMN,
            "gamma": COLUMN,
            "beta": COLUMN,
        },
        dict(axis=1, epsilon=1e-3, training=False, momentum=0.9),
        {"y": normal(X, COLUMN, COLUMN, 1e-3) * COLUMN + COLUMN},
    ),
    "normalization_add_relu": (
        {
            "x": X,
            "addend": Y,
            "moving_mean": COLUMN,
            "moving_variance": COLUMN,
            "gamma": COLUMN,
            "beta": COLUMN,
        },
        dict(axis=1, epsilon=1e-3, training=False, momentum=0.9),
        {"y": np.maximum(normal(X, COLUMN, COLUMN, 1e-3) * COLUMN + COLUMN + Y, 0)},
    ),
    "one_hot": (
        {"indices": LABELS},
        dict(
            depth=4,
            floating_on_value=2.0,
            integer_on_value=0,
            floating_off_value=-1.0,
            integer_off_value=0,
            dtype=flow.float,
        ),
        {"out": (3 * np.eye(4)[LABELS] - 1).astype(np.float32)},
    ),
    "ones_like": ({"like": X}, {}, {"out": np.ones_like(X)}),
    "pad": (
        {"x": X},
        {**PAD, "padding_before": [0, 1], "padding_after": [2, 0]},
        {"y": np.pad(X, ((0, 2), (1, 0)), constant_values=3)},
    ),
    "pad_grad": (
        {"dy": X},
        {**PAD, "padding_before": [0, 1], "padding_after": [1, 0]},
        {"dx": X[:-1, 1:]},
    ),
    "prelu": ({"x": X, "alpha": COLUMN}, {}, {"y": np.where(X > 0, X, X * COLUMN)}),
    "relu": ({"in": X}, {}, {"out": X.clip(0)}),
    "relu6": ({"in": 5 * X}, {}, {"out": (5 * X).clip(0, 6)}),
    "reshape": ({"in": X}, {"shape": [2, 6]}, {"out": X.reshape(2, 6)}),
    "reshape_like": (
        {"in": X, "like": X.reshape(4, 3)},
        {},
        {"out": X.reshape(4, 3)},
    ),
    "scalar_add": ({"in": X}, {**SCALAR, "float_operand": 0.5}, {"out": X + 0.5}),
    "scalar_add_by_tensor": ({"x": X, "scalar": X[0, :1]}, {}, {"y": X + X[0, 0]}),
    "scalar_div_by_tensor": ({"x": X, "scalar": X[0, :1]}, {}, {"y": X / X[0, 0]}),
    "scalar_mul": (
        {"in": ROWS},
        dict(SCALAR, has_int_operand=True, has_float_operand=False, int_operand=3),
        {"out": 3 * ROWS},
    ),
    "scalar_mul_by_tensor": ({"x": X, "scalar": X[0, :1]}, {}, {"y": X * X[0, 0]}),
    "scalar_sub_by_tensor": ({"x": X, "scalar": X[0, :1]}, {}, {"y": X - X[0, 0]}),
    "scatter_nd": (
        {"indices": PLACES, "updates": VALUES},
        {"shape": [3, 4]},
        {"out": scattered(0 * X, np.add.at)},
    ),
    "sigmoid": ({"in": X}, {}, {"out": 1 / (1 + np.exp(-X))}),
    "sigmoid_cross_entropy": (
        {"label": P, "prediction": X},
        {},
        {"loss": np.log1p(np.exp(X)) - X * P},
    ),
    "sigmoid_grad": ({"y": P, "dy": Y}, {}, {"dx": Y * P * (1 - P)}),
    "slice": ({"x": X}, BOUNDS, {"y": X[0:3:2, 3:0:-1]}),
    "slice_update": (
        {"x": X, "update": Y[:2, :3]},
        BOUNDS,
        {"y": updated(X, Y[:2, :3])},
    ),
    "smooth_l1_loss": (
        {"prediction": X, "label": Y},
        {"beta": 0.5},
        {
            "loss": np.where(
                abs(X - Y) < 0.5, (X - Y) ** 2 / 2 / 0.5, abs(X - Y) - 0.25
            )
        },
    ),
    "softmax": ({"in": X}, {}, {"out": SOFTMAX}),
    "softmax_cross_entropy": (
        {"prediction": X, "label": P},
        {},
        {"prob": SOFTMAX, "out": (P * LOGITS).sum(1)},
    ),
    "softmax_grad": (
        {"y": SOFTMAX, "dy": Y},
        {},
        {"dx": SOFTMAX * (Y - (Y * SOFTMAX).sum(1, keepdims=True))},
    ),
    "sort": ({"in": X}, {"direction": "ASCENDING"}, {"out": np.sort(X)}),
    "sparse_cross_entropy": (
        {"prediction": SOFTMAX, "label": LABELS},
        {"depth": 4},
        {"out": LOGITS[range(3), LABELS]},
    ),
    "sparse_softmax_cross_entropy": (
        {"prediction": X, "label": LABELS},
        {"depth": 4},
        {"prob": SOFTMAX, "out": LOGITS[range(3), LABELS]},
    ),
    "square_sum": ({"x": X}, {}, {"y": np.array([(X * X).sum()])}),
    "squeeze": ({"in": X[None]}, {"axes": [0]}, {"out": X}),
    "tanh": ({"in": X}, {}, {"out": np.tanh(X)}),
    "tensor_scatter_nd_add": (
        {"params": X, "updates": VALUES, "indices": PLACES},
        {},
        {"out": scattered(X, np.add.at)},
    ),
    "tensor_scatter_nd_update": (
        {"params": X, "updates": VALUES, "indices": PLACES},
        {},
        {"out": scattered(X, lambda a, i, v: a.__setitem__(i, v))},
    ),
    "top_k": ({"in": X}, {"k": 2, "sorted": True}, {"out": np.argsort(-X)[:, :2]}),
    "transpose": ({"input": X}, {"perm": [1, 0]}, {"output": X.T}),
    "tril": ({"in": X}, {**FILL, "diagonal": -1}, {"out": np.where(np.tri(3, 4, -1), X, 7)}),
    "unsorted_batch_segment_sum": (
        {"data": X, "segment_ids": np.array([[0, 1, 0, 1]] * 3, np.int32)},
        {"num_segments": 2},
        {"out": np.stack([X[:, ::2].sum(1), X[:, 1::2].sum(1)], 1)},
    ),
    "unsorted_segment_sum": (
        {"data": X, "segment_ids": ROWS},
        {"axis": 1, "num_segments": 3},
        {"out": SUMS.T},
    ),
    "unsorted_segment_sum_like": (
        {"data": X, "segment_ids": ROWS, "like": SUMS.T},
        {"axis": 1},
        {"out": SUMS.T},
    ),
    "upsample": (
        {"x": IMAGE},
        dict(
            height_scale=2.0,
            width_scale=3.0,
            data_format="channels_first",
            interpolation="nearest",
        ),
        {"y": IMAGE.repeat(2, 2).repeat(3, 3)},
    ),
    "unique_with_counts": (
        {"x": ROWS},
        {"out_idx": flow.int64},
        {
            "y": np.array([2, 0, 1]),
            "idx": np.array([0, 1, 0, 2]),
            "count": np.array([2, 1, 1]),
            "num_unique": np.array([3]),
        },
    ),
    "where": ({"condition": MASK, "x": X, "y": Y}, {}, {"out": np.where(MASK, X, Y)}),
    "zero_like": ({"like": X}, {}, {"out": np.zeros_like(X)}),
}

# What a test of its own builds.
ELSEWHERE = set(
    "acc argwhere assign bernoulli pack random_mask_like repeat unpack".split()
)


def build(op_type, inputs, outputs, attributes, name=None):
    """The outputs, in the order of their names."""
    builder = flow.user_op_builder(name).Op(op_type)
    for key, blobs in inputs.items():
        builder = builder.Input(key, blobs if isinstance(blobs, list) else [blobs])
    for key in outputs:
        builder = builder.Output(key)
    for key, value in attributes.items():
        builder = builder.Attr(key, value)
    return builder.Build().InferAndTryRun().RemoteBlobList()


def test_all_types_have_a_sample():
    assert set(op_types.table()) == set(SAMPLES) | ELSEWHERE


@pytest.fixture(scope="module")
def found():
    """The outputs of all samples, which one job computes."""
    arrays = []

    def collect(value):
        if isinstance(value, list):
            return [collect(one) for one in value]
        arrays.append(np.ascontiguousarray(value))
        return len(arrays) - 1

    places = {
        op_type: {key: collect(value) for key, value in inputs.items()}
        for op_type, (inputs, _, _) in SAMPLES.items()
    }

    def body(*blobs):
        def pick(place):
            if isinstance(place, list):
                return [blobs[one] for one in place]
            return blobs[place]

        out = []
        for op_type, (_, attributes, outputs) in SAMPLES.items():
            inputs = {key: pick(place) for key, place in places[op_type].items()}
            out += build(op_type, inputs, outputs, attributes, f"the-{op_type}")
        return out

    results = iter(evaluate(body, *arrays))
    return {
        op_type: {key: next(results) for key in outputs}
        for op_type, (_, _, outputs) in SAMPLES.items()
    }


@pytest.mark.parametrize("op_type", SAMPLES)
def test_a_type_computes_what_numpy_does(found, op_type):
    for key, expected in SAMPLES[op_type][2].items():
        expected = np.asarray(expected)
        if expected.dtype == bool:
            expected = expected.astype(np.int8)
        got = found[op_type][key]
        assert got.shape == expected.shape
        assert (got.dtype.kind == "f") == (expected.dtype.kind == "f")
        np.testing.assert_allclose(got, expected, 2e-5, 1e-5)


def normalize(x, op_type="normalization", training=True, **more):
    """A normalisation of the columns of x with variables, and its outputs."""

    def variable(name, value, trainable=True):
        initializer = flow.constant_initializer(value)
        return flow.get_variable(
            name, (4,), initializer=initializer, trainable=trainable
        )

    inputs = {
        "x": x,
        "moving_mean": variable("mean", 1.0, False),
        "moving_variance": variable("variance", 2.0, False),
        "gamma": variable("gamma", 1.5),
        "beta": variable("beta", 0.5),
        **more,
    }
    attributes = dict(axis=1, epsilon=1e-3, training=training, momentum=0.75)
    outputs = ["y", "mean", "inv_variance"] if training else ["y"]
    return build(op_type, inputs, outputs, attributes)


@pytest.mark.parametrize("op_type", ["normalization", "normalization_add_relu"])
def test_normalization_trains_and_moves_its_statistics(op_type):
    is_sum = op_type != "normalization"

    @flow.global_function(type="train")
    def train(x: flow.typing.Numpy.Placeholder((3, 4))):
        more = {"addend": x} if is_sum else {}
        y, mean, inverse = normalize(x, op_type, **more)
        sgd(0.5).minimize(flow.math.reduce_sum(y))
        return y, mean, inverse

    y, mean, inverse = (blob.numpy() for blob in train(X).get())
    expected = normal(X, X.mean(0), X.var(0), 1e-3)
    scaled = 1.5 * expected + 0.5
    positive = np.ones_like(X)
    if is_sum:
        positive = scaled + X > 0
        scaled = np.maximum(scaled + X, 0)
    np.testing.assert_allclose(y, scaled, 1e-5, 1e-5)
    np.testing.assert_allclose(mean, X.mean(0), 1e-5)
    np.testing.assert_allclose(inverse, 1 / np.sqrt(X.var(0) + 1e-3), 1e-5)
    after = {name: v.numpy() for name, v in flow.get_all_variables().items()}
    np.testing.assert_allclose(after["mean"], 0.75 + 0.25 * X.mean(0), 1e-5)
    np.testing.assert_allclose(after["variance"], 1.5 + 0.25 * X.var(0), 1e-5)
    np.testing.assert_allclose(after["beta"], 0.5 - 0.5 * positive.sum(0), 1e-5)
    np.testing.assert_allclose(
        after["gamma"], 1.5 - 0.5 * (positive * expected).sum(0), 1e-4, 1e-4
    )


def test_the_gradient_is_that_of_the_op():
    x, y = random((3, 4)), random((3, 4), seed=4)

    def built(a, b):
        return build("broadcast_div", {"x": a, "y": b}, ["z"], {})[0]

    for one, other in zip(gradients(built, x, x, y), (x / y, -x * x / y**2)):
        np.testing.assert_allclose(one, other, 1e-10)


def test_random_types():
    def body(x):
        mask = {"rate": 0.25, "seed": 3}
        coin = {"has_seed": True, "seed": 5, "dtype": flow.int8}
        return (
            *build("random_mask_like", {"like": x}, ["out"], mask),
            *build("bernoulli", {"in": x}, ["out"], coin),
        )

    mask, coins = evaluate(body, np.full((64, 64), 0.75, np.float32))
    for drawn in (mask, coins):
        assert drawn.dtype == np.int8 and set(drawn.flat) == {0, 1}
        assert abs(drawn.mean() - 0.75) < 0.03


def test_argwhere_has_the_number_of_rows_that_it_finds():
    def body(x):
        attributes = {"dtype": flow.int32}
        names = ["output", "output_size"]
        rows, size = build("argwhere", {"input": x}, names, attributes)
        return rows, size, flow.sync_dynamic_resize(rows, size)

    rows, size, found = evaluate(body, MASK)
    expected = np.argwhere(MASK)
    assert rows.shape == (MASK.size, 2)
    assert size.dtype == np.int32
    np.testing.assert_array_equal(size, [len(expected)])
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(rows[: len(expected)], expected)
    assert not rows[len(expected) :].any()


def test_assign_has_no_output():
    @flow.global_function()
    def job(x: flow.typing.Numpy.Placeholder((3, 4))):
        v = flow.get_variable("v", (3, 4), initializer=flow.zeros_initializer())
        assert build("assign", {"ref": v, "value": x}, [], {}) == []

    job(X).get()
    np.testing.assert_array_equal(flow.get_all_variables()["v"].numpy(), X)


def test_micro_steps():
    """The mean of two micro-steps of two rows each."""

    @flow.global_function(type="train")
    def job(x: flow.typing.Numpy.Placeholder((4, 2))):
        w = flow.get_variable("w", (2,), initializer=flow.ones_initializer())
        (parts,) = build("unpack", {"in": x}, ["out"], {"unpack_num": 2})
        (again,) = build("repeat", {"in": w}, ["out"], {"repeat_num": 2})
        product = parts * again
        (packed,) = build("pack", {"in": product}, ["out"], {"pack_num": 2})
        (total,) = build("acc", {"in": product}, ["out"], {"max_acc_num": 2})
        sgd(1.0).minimize(product)
        return packed, total

    x = np.arange(8, dtype=np.float32).reshape(4, 2)
    packed, total = (blob.numpy() for blob in job(x).get())
    np.testing.assert_array_equal(packed, x)
    np.testing.assert_array_equal(total, x[:2] + x[2:])


def test_a_module_of_a_type():
    add = flow.user_op_module_builder("add_n").InputSize("in", 3).Output("out").Build()
    result = evaluate(lambda x, y: add(x, y, x)[0], X, Y)
    np.testing.assert_allclose(result, 2 * X + Y, 1e-6)


def test_a_registered_type_comes_first():
    flow.register_user_op(
        "square_sum", infer=lambda x: ((2,), x.dtype), forward=lambda x: x[0, :2]
    )
    try:
        result = evaluate(lambda x: build("square_sum", {"x": x}, ["y"], {})[0], X)
    finally:
        del user_ops._registry["square_sum"]
    np.testing.assert_array_equal(result, X[0, :2])


CONV = dict(strides=[1, 1], data_format="channels_first")


@pytest.mark.parametrize(
    "op_type, inputs, outputs, attributes, message",
    [
        ("relu", ["x"], ["out"], {}, "op type relu: expects an input of (in) but got x"),
        ("relu", ["in"], ["y"], {}, "expects an output of (out) but got y"),
        ("relu", ["in"], ["out"], {"k": 1}, "expects an attribute of (none) but got k"),
        ("concat", ["in"], ["out"], {"dim": 1}, "of (axis, max_dim_size) but got dim"),
        ("multiply", ["x"], ["out"], {}, "expects 1 blob as input y but got 0"),
        ("expand_dims", ["in"], ["out"], {}, "expects attribute axis but got none"),
        ("pad", ["x"], ["y"], {}, "expects attribute padding_before but got none"),
        (
            "pad",
            ["x"],
            ["y"],
            {"padding_before": [1], "padding_after": [1]},
            "expects a padding of 2 dimensions but got [1] and [1]",
        ),
        (
            "slice",
            ["x"],
            ["y"],
            {"start": [0], "stop": [1, 1], "step": [1]},
            "expects lists of one length but got [0], [1, 1], [1]",
        ),
        (
            "bias_add",
            ["a", "b"],
            ["out"],
            {"axis": 0},
            "expects an axis of (1, 1) but got 0",
        ),
        (
            "sparse_cross_entropy",
            ["label", "prediction"],
            ["out"],
            {"depth": 3},
            "expects a depth of 4 but got 3",
        ),
        (
            "max_pool_2d",
            ["x"],
            ["y"],
            {**WINDOW, "data_format": "NCHW", "pool_size": 2, "strides": 2},
            "expects a data_format of ('channels_first', 'channels_last') but got 'NCHW'",
        ),
        (
            "max_pool_2d",
            ["x"],
            ["y"],
            {**WINDOW, "padding": "customized", "pool_size": 2, "strides": 2},
            "expects a padding of 2 dimensions but got None",
        ),
        (
            "conv2d",
            ["in", "weight"],
            ["out"],
            {**CONV, "kernel_size": [3, 3]},
            "expects a kernel_size of (2, 2) but got [3, 3]",
        ),
        (
            "conv2d",
            ["in", "weight"],
            ["out"],
            {**CONV, "filters": 5},
            "expects 1 filters but got 5",
        ),
        (
            "deconv2d",
            ["in", "weight"],
            ["out"],
            {**CONV, "groups": 2},
            "expects groups to be 1 but got 2",
        ),
        (
            "normalization_add_relu",
            ["x", "moving_mean", "moving_variance", "gamma", "beta"],
            ["reserve_space"],
            {},
            "expects no output reserve_space in this version",
        ),
        (
            "normalization",
            ["x", "moving_mean", "moving_variance", "gamma", "beta"],
            ["y"],
            {"training": True},
            "expects moving_mean to be a variable, which get_variable gives",
        ),
        ("sofmax", ["in"], ["out"], {}, "but got 'sofmax': did you mean 'softmax'?"),
        (
            "OFRecordReader",
            [],
            ["out"],
            {},
            "call jobmlir.data.ofrecord_reader for that of OneFlow",
        ),
        ("dense", ["in"], ["out"], {}, "call jobmlir.layers.dense for that of OneFlow"),
        ("zzzzzzzz", ["in"], ["out"], {}, "has registered (none) but got 'zzzzzzzz'"),
    ],
)
def test_descriptions_are_checked(
    monkeypatch, op_type, inputs, outputs, attributes, message
):
    monkeypatch.setattr(user_ops, "_registry", {})

    def body(x):
        window = flow.reshape(x, (1, 3, 2, 2))
        given = {key: window if "weight" in inputs else x for key in inputs}
        with raises_here(errors.JobBuildAndInferError, message):
            build(op_type, given, outputs, attributes)
        return x

    evaluate(body, X)


@pytest.mark.parametrize(
    "describe, message",
    [
        (
            lambda x: flow.user_op_builder().Op("relu").Input("in", [3]).Output("out"),
            "expects input in to be a blob but got int",
        ),
        (
            lambda x: flow.user_op_builder().Op("relu").Input("in", [x]).Output("out", 2),
            "op type relu: expects 1 blob as output out but got 2",
        ),
    ],
)
def test_blobs_are_checked(describe, message):
    def body(x):
        with raises_here(errors.JobBuildAndInferError, message):
            describe(x).Build()
        return x

    evaluate(body, X)
