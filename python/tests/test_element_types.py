"""The element types float16, bfloat16 and uint8, which ops do not compute with."""

import sys
import typing

import ml_dtypes
import numpy
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from models import raises_here

NUMPY = {flow.float16: numpy.float16, flow.bfloat16: ml_dtypes.bfloat16}
NORM_VARIABLES = ("moving_mean", "moving_variance", "beta", "gamma")
EPSILON = {flow.float16: 2.0**-10, flow.bfloat16: 2.0**-7}
narrow_floats = pytest.mark.parametrize("dtype", NUMPY)


def define_train(dtype, optimizer):
    flow.clear_default_session()

    @flow.global_function(type="train")
    def train(
        x: tp.Numpy.Placeholder((8, 4), dtype=dtype),
    ) -> typing.Tuple[tp.Numpy, tp.Numpy]:
        weight = flow.get_variable(
            "weight",
            shape=(4, 3),
            dtype=dtype,
            initializer=flow.random_uniform_initializer(-1, 1),
        )
        loss = flow.math.square(flow.math.tanh(flow.matmul(x, weight)))
        optimizer.minimize(loss)
        return loss, weight

    return train


def rate(value):
    return flow.optimizer.PiecewiseConstantScheduler([], [value])


@narrow_floats
@pytest.mark.parametrize(
    "optimizer",
    [
        flow.optimizer.SGD(rate(0.1)),
        flow.optimizer.SGD(rate(0.1), momentum=0.9),
        flow.optimizer.Adam(rate(0.01), do_bias_correction=True),
    ],
)
def test_training_steps_are_close_to_those_of_float(dtype, optimizer):
    x = numpy.random.default_rng(3).standard_normal((8, 4)).astype(NUMPY[dtype])
    train = define_train(flow.float, optimizer)
    exact = [train(x.astype(numpy.float32)) for _ in range(4)]
    train = define_train(dtype, optimizer)
    for wanted in exact:
        for left, right in zip(train(x), wanted):
            assert left.dtype == NUMPY[dtype]
            numpy.testing.assert_allclose(
                left.astype(numpy.float32), right, atol=8 * EPSILON[dtype]
            )


@narrow_floats
def test_optimizers_keep_their_state_in_float(dtype):
    """0.999, the decay of Adam's second moment, is 1 in bfloat16."""
    train = define_train(dtype, flow.optimizer.Adam(rate(0.01)))
    train(numpy.ones((8, 4), NUMPY[dtype]))
    for name, value in flow.get_all_variables().items():
        kind = numpy.float32 if name.startswith("weight-") else NUMPY[dtype]
        if not name.startswith("System"):
            assert value.numpy().dtype == kind, name


@narrow_floats
@pytest.mark.parametrize("layout", ["legacy", "native"])
def test_a_resumed_run_is_the_uninterrupted_one(dtype, layout, tmp_path):
    x = numpy.random.default_rng(5).standard_normal((8, 4)).astype(NUMPY[dtype])
    train = define_train(dtype, flow.optimizer.Adam(rate(0.01)))
    train(x)
    flow.train.CheckPoint().save(str(tmp_path / "model"), layout=layout)
    expected = [numpy.stack(train(x)[1]) for _ in range(3)]
    train = define_train(dtype, flow.optimizer.Adam(rate(0.01)))
    flow.train.CheckPoint().load(str(tmp_path / "model"))
    for weight in expected:
        assert train(x)[1].tobytes() == weight.tobytes()


@narrow_floats
def test_variables_are_loaded_from_arrays(dtype):
    train = define_train(dtype, flow.optimizer.SGD(rate(0.1)))
    value = numpy.arange(12).reshape(4, 3).astype(NUMPY[dtype])
    flow.load_variables({"weight": value})
    _, weight = train(numpy.zeros((8, 4), NUMPY[dtype]))
    assert weight.tobytes() == value.tobytes()
    with pytest.raises(flow.errors.CheckpointDataError, match="for variable weight but"):
        flow.load_variables({"weight": value.astype(numpy.float32)}, False)


def test_uint8_wraps_and_is_not_negative():
    @flow.global_function()
    def job(
        pixels: tp.Numpy.Placeholder((4,), dtype=flow.uint8),
        floats: tp.Numpy.Placeholder((4,)),
    ) -> typing.Tuple[tp.Numpy, tp.Numpy, tp.Numpy, tp.Numpy]:
        return (
            pixels + pixels,
            flow.cast(pixels, flow.float),
            flow.cast(floats, flow.uint8),
            flow.math.greater(pixels, flow.cast(floats, flow.uint8)),
        )

    pixels = numpy.array([0, 127, 128, 255], numpy.uint8)
    floats = numpy.array([-3, 2.5, 255.5, 1e9], numpy.float32)
    wrapped, wide, saturated, greater = job(pixels, floats)
    assert wrapped.dtype == numpy.uint8
    numpy.testing.assert_array_equal(wrapped, pixels + pixels)
    numpy.testing.assert_array_equal(wide, pixels.astype(numpy.float32))
    numpy.testing.assert_array_equal(saturated, [0, 2, 255, 255])
    numpy.testing.assert_array_equal(greater, [0, 1, 0, 0])


def test_uint8_is_an_index():
    """Of elements as well, which are moved, not computed with."""

    @flow.global_function()
    def job(
        table: tp.Numpy.Placeholder((256, 2), dtype=flow.uint8),
        rows: tp.Numpy.Placeholder((3,), dtype=flow.uint8),
    ) -> typing.Tuple[tp.Numpy, tp.Numpy]:
        return flow.gather(table, rows), flow.one_hot(rows, 256, dtype=flow.int32)

    table = numpy.arange(512).astype(numpy.uint8).reshape(256, 2)
    rows = numpy.array([0, 127, 200], numpy.uint8)
    gathered, hot = job(table, rows)
    numpy.testing.assert_array_equal(gathered, table[rows])
    numpy.testing.assert_array_equal(hot.argmax(axis=1), rows)


@narrow_floats
def test_sums_accumulate_in_float(dtype):
    """4096 ones: in bfloat16 a running sum would end at 256."""

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((4096,), dtype=dtype)) -> tp.Numpy:
        return flow.math.reduce_sum(x)

    assert job(numpy.ones(4096, NUMPY[dtype])) == 4096


@narrow_floats
def test_losses_and_normalisations_round_once(dtype):
    """In float16 the logarithm of a softmax of these logits is infinite, and the
    epsilon is 0."""

    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder((2, 3), dtype=dtype),
        z: tp.Numpy.Placeholder((2, 3), dtype=dtype),
        row: tp.Numpy.Placeholder((3,), dtype=dtype),
    ):
        return (
            flow.nn.softmax_cross_entropy_with_logits(z, x),
            flow.nn.sigmoid_cross_entropy_with_logits(z, x),
            flow.nn.batch_normalization(z, row, row, variance_epsilon=1e-9),
        )

    x = numpy.array([[40000, -40000, 0], [11, -11, 0]], NUMPY[dtype])
    z = numpy.array([[1, 0, 0], [0.5, 0.25, 0.25]], NUMPY[dtype])
    row = numpy.array([0, 0.25, 0.5], NUMPY[dtype])
    logits, labels, exact = (a.astype(numpy.float64) for a in (x, z, row))
    shifted = logits - logits.max(axis=1, keepdims=True)
    softmax = shifted - numpy.log(numpy.exp(shifted).sum(axis=1, keepdims=True))
    expected = [
        -(labels * softmax).sum(axis=1),
        numpy.maximum(logits, 0)
        - logits * labels
        + numpy.log1p(numpy.exp(-abs(logits))),
        (labels - exact) / numpy.sqrt(exact + 1e-9),
    ]
    for result, value in zip(job(x, z, row).get(), expected):
        got = result.numpy()
        assert got.dtype == NUMPY[dtype]
        numpy.testing.assert_allclose(
            got.astype(numpy.float64), value, rtol=0.51 * EPSILON[dtype], atol=1e-7
        )


@narrow_floats
def test_statistics_round_once(dtype):
    """In float16 the sum of these numbers, and of their squares, is infinite."""

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((4096,), dtype=dtype)):
        m = flow.math
        mean, variance = flow.nn.moments(x, [0])
        return (
            m.reduce_mean(x),
            m.reduce_variance(x),
            m.reduce_std(x),
            m.reduce_euclidean_norm(x),
            m.reduce_logsumexp(x),
            mean,
            variance,
        )

    x = (700 + numpy.random.default_rng(1).random(4096) * 200).astype(NUMPY[dtype])
    exact = x.astype(numpy.float64)
    expected = [
        exact.mean(),
        exact.var(),
        exact.std(),
        numpy.sqrt((exact**2).sum()),
        numpy.log(numpy.exp(exact - exact.max()).sum()) + exact.max(),
        exact.mean(),
        exact.var(),
    ]
    for result, value in zip(job(x).get(), expected):
        got = result.numpy()
        assert got.dtype == NUMPY[dtype]
        assert abs(float(got[0]) - value) <= 0.51 * EPSILON[dtype] * value


def test_constants_that_a_type_does_not_hold():
    for dtype, value in ((flow.float16, 65520.0), (flow.uint8, 256), (flow.uint8, -1)):

        @flow.global_function()
        def job() -> tp.Numpy:
            return flow.constant(value, dtype=dtype, shape=(2,))

        with pytest.raises(flow.errors.JobBuildAndInferError, match="can hold"):
            job()


@pytest.mark.parametrize("dtype", [flow.record, flow.tensor_buffer, numpy.float32, "x"])
def test_dtypes_without_arrays(dtype):
    with raises_here(
        NotImplementedError, f"expects a dtype of arrays but got {dtype!r}"
    ):
        flow.convert_oneflow_dtype_to_numpy_dtype(dtype)


def test_bfloat16_needs_ml_dtypes(monkeypatch):
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((4,))) -> tp.Numpy:
        return flow.cast(x, flow.bfloat16)

    @flow.global_function()
    def back(x: tp.Numpy.Placeholder((4,), dtype=flow.bfloat16)) -> tp.Numpy:
        return flow.cast(x, flow.float)

    @flow.global_function()
    def later(x: tp.Numpy.Placeholder((4,))) -> tp.Callback[tp.Numpy]:
        return flow.cast(x, flow.bfloat16)

    @flow.global_function()
    def variable() -> tp.Numpy:
        return flow.cast(
            flow.get_variable(
                "w", (4,), flow.bfloat16, flow.constant_initializer(1)
            ),
            flow.float,
        )

    variable()
    monkeypatch.setitem(sys.modules, "ml_dtypes", None)
    monkeypatch.setattr(flow.bfloat16, "numpy", None)
    x = numpy.ones(4, numpy.float32)
    expected = pytest.raises(
        flow.errors.UnsupportedError,
        match=r"expects the package ml_dtypes for arrays of bfloat16 but got none; "
        r"install it with 'pip install ml_dtypes'",
    )
    for call in (job, back):
        with expected as error:
            call(x)
        assert "test_element_types.py" in str(error.value)
    with expected:
        flow.get_all_variables()["w"].numpy()
    later(x)(lambda result: None)
    with expected:
        flow.sync_default_session()


# ===- Normalisation -------------------------------------------------------===#


@pytest.mark.parametrize("mixed", [False, True])
@narrow_floats
def test_batch_normalization_keeps_float32_variables(dtype, mixed):
    """Jobs of OneFlow's users cast the input of a layer, whose variables stay
    float32; so does the gradient of the statistics."""
    values = numpy.random.default_rng(2).uniform(-2, 2, (8, 3, 4, 4)).astype("float32")

    def define(kind):
        flow.clear_default_session()
        config = flow.function_config()
        if mixed:
            config.enable_auto_mixed_precision()
            config.auto_mixed_precision_data_type(dtype)

        @flow.global_function(type="train", function_config=config)
        def job(
            x: tp.Numpy.Placeholder(values.shape),
        ) -> typing.Tuple[tp.Numpy, tp.Numpy]:
            shift = flow.get_variable(
                "shift", values.shape, initializer=flow.zeros_initializer()
            )
            x = flow.cast(x + shift, kind)
            normal = flow.layers.batch_normalization(x, axis=1, name="norm")
            given = flow.nn.batch_normalization(
                x, *(flow.get_variable(f"norm-{name}") for name in NORM_VARIABLES)
            )
            assert normal.dtype == given.dtype == kind
            loss = flow.math.square(flow.cast(normal + given, flow.float) - 1.0)
            flow.optimizer.SGD(rate(1.0), momentum=0).minimize(loss)
            return flow.cast(normal, flow.float), flow.cast(given, flow.float)

        results = job(values)
        variables = {n: v.numpy() for n, v in flow.get_all_variables().items()}
        return results, variables

    results, variables = define(dtype)
    exact, wanted = define(flow.float)
    for one, other in zip(results, exact):
        numpy.testing.assert_allclose(one, other, atol=8 * EPSILON[dtype])
    for name in ("shift", *(f"norm-{name}" for name in NORM_VARIABLES)):
        assert variables[name].dtype == numpy.float32
        # The mean of the batch is that of rounded numbers.
        scale = abs(wanted[name]).max()
        numpy.testing.assert_allclose(
            variables[name], wanted[name], atol=8 * EPSILON[dtype] * scale
        )
    assert abs(wanted["shift"]).max() > 0
