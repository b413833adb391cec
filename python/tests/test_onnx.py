"""onnx.export: models that ONNX accepts and that compute what their job does."""

import contextlib
import os
import shutil

import numpy as np
import op_samples
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from jobmlir._src import math_ops, onnx_export, onnx_graph, onnx_ops, trace
from models import batch, define_eval, define_train, define_unary, raises_here

onnx = pytest.importorskip("onnx")
onnx_reference = pytest.importorskip("onnx.reference")
runtime = pytest.importorskip("onnxruntime")
runtime.set_default_logger_severity(4)

X = np.arange(6, dtype=np.float32).reshape(2, 3)


def run(path, inputs):
    """The outputs of a model: by ONNX Runtime, or, for types that it has no kernels of,
    by the reference evaluator."""
    onnx.checker.check_model(str(path), full_check=True)
    try:
        session = runtime.InferenceSession(
            str(path), providers=["CPUExecutionProvider"]
        )
        return session.run(None, inputs)
    except Exception as error:
        # Arrays of bfloat16 are no inputs.
        known = ("NOT_IMPLEMENTED", "not supported", "can't be converted")
        assert any(text in str(error) for text in known), error
    return onnx_reference.ReferenceEvaluator(str(path)).run(None, inputs)


def leaves(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [leaf for item in value for leaf in leaves(item)]
    if hasattr(value, "numpy_lists"):
        # A model has one array for all examples.
        return [np.concatenate(arrays) for arrays in value.numpy_lists()]
    return [value.numpy() if hasattr(value, "numpy") else value]


def compare(job, path, *arrays, names=("x",), rtol=1e-5, atol=1e-6, **settings):
    """Exports a job; its results and those of the model are equal within rounding."""
    flow.onnx.export(job, None, str(path), **settings)
    expected = job(*arrays)
    expected = leaves(expected.get() if hasattr(expected, "get") else expected)
    given = run(path, dict(zip(names, arrays)))
    assert len(given) == len(expected)
    for one, other in zip(given, expected):
        assert one.shape == other.shape and one.dtype == other.dtype
        if one.dtype.kind in "iu":
            np.testing.assert_array_equal(one, other)
            continue
        np.testing.assert_allclose(
            np.asarray(one, np.float64), np.asarray(other, np.float64), rtol, atol
        )
    return given


def data_for(shape, dtype):
    random = np.random.default_rng(3)
    if dtype.is_float():
        array = random.random(shape) * 0.8 + 0.1
    else:
        array = random.integers(0, 3, shape)
    return array.astype(flow.convert_oneflow_dtype_to_numpy_dtype(dtype))


# ===- Every op -------------------------------------------------------------===#

REFUSED = "expects what ONNX has in a job to export but got "


def define_sample(name, shape, dtype, function):
    def job(x: tp.Numpy.Placeholder(shape, dtype=dtype)):
        return function(x)

    job.__name__ = name.replace(".", "_")
    return flow.global_function()(job)


def export_samples(dtype, folder):
    """Exports a job for each sample of the API that takes the type, all in one session;
    (job, path, array) of those that ONNX has, by name."""
    taken = []
    for name, (shape, function, *_) in op_samples.SAMPLES.items():
        flow.clear_default_session()
        define_sample(name, shape, dtype, function)
        with contextlib.suppress(flow.errors.JobMLIRError):
            flow.dump_ir("job")
            taken.append(name)
    flow.clear_default_session()
    jobs = {
        name: define_sample(name, op_samples.SAMPLES[name][0], dtype, function)
        for name, function in ((n, op_samples.SAMPLES[n][1]) for n in taken)
    }
    models = {}
    for name, job in jobs.items():
        path = folder / f"{name}.onnx"
        try:
            flow.onnx.export(job, None, path, opset=17)
        except flow.errors.UnsupportedError as error:
            assert REFUSED in str(error), error
            continue
        models[name] = job, path, data_for(op_samples.SAMPLES[name][0], dtype)
    return models


@pytest.mark.parametrize(
    "dtype, tolerance",
    [
        (flow.float32, 1e-5),
        (flow.float16, 4e-3),
        (flow.int32, 0),
        (flow.int8, 0),
    ],
)
def test_samples_of_all_ops(dtype, tolerance, tmp_path, monkeypatch):
    used = set()
    convert = onnx_export._Model._convert

    def noting(self, record):
        convert(self, record)
        used.add(record.op)

    monkeypatch.setattr(onnx_export._Model, "_convert", noting)
    models = export_samples(dtype, tmp_path)
    problems = []
    for name, (job, path, array) in models.items():
        expected = leaves(job(array).get())
        given = run(path, {"x": array})
        for one, other in zip(given, expected, strict=True):
            if one.shape != other.shape or one.dtype != other.dtype:
                problems.append(f"{name}: {one.dtype}{one.shape}, {other.shape}")
            elif not np.allclose(
                one.astype(np.float64),
                other.astype(np.float64),
                tolerance,
                tolerance,
                equal_nan=True,
            ):
                problems.append(f"{name}: {one} for {other}")
    assert not problems, "\n".join(problems)
    if dtype == flow.float32:
        # The others have tests of their own.
        rest = (
            "attention batch_norm digamma iota logical_not logical_or pad_to_static "
            "stop_gradient"
        ).split()
        assert set(onnx_ops.RULES) - used <= {f"job.{name}" for name in rest}


def test_other_types(tmp_path):
    """By the reference evaluator where ONNX Runtime has no kernels."""
    for dtype in (flow.float64, flow.bfloat16, flow.uint8, flow.int64):
        flow.clear_default_session()

        @flow.global_function()
        def job(x: tp.Numpy.Placeholder((2, 3), dtype=dtype)):
            y = flow.math.maximum(x * 2 - x, x)
            rows = flow.argwhere(y)
            return y, rows, flow.math.reduce_sum(y, axis=0), y == x, -y, abs(y)

        compare(job, tmp_path / "m.onnx", data_for((2, 3), dtype))


def test_stop_gradient_is_the_identity(tmp_path):
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 3))):
        return flow.math.tan(flow.stop_gradient(x))

    compare(job, tmp_path / "m.onnx", data_for((2, 3), flow.float32))


def test_truth_values(tmp_path):
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 3)), y: tp.Numpy.Placeholder((2, 3))):
        return (
            math_ops.logical_or(x, y),
            math_ops.logical_and(x, y),
            math_ops.logical_not(x),
            flow.nn.tril(y),
        )

    y = np.array([[0, 1, 0], [2, 0, np.nan]], np.float32)
    compare(job, tmp_path / "m.onnx", X, y, names="xy")


# ===- Models ---------------------------------------------------------------===#


@pytest.mark.parametrize("opset", [None, 13, 14, 15, 16, 17, 18, 19, 20, 21])
def test_sets_of_operators(opset, tmp_path):
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 3, 8, 8))) -> tp.Numpy:
        init = flow.truncated_normal(0.3)
        x = flow.layers.conv2d(
            x, 4, 3, padding="SAME", activation=flow.nn.relu, kernel_initializer=init
        )
        x = flow.layers.batch_normalization(x, axis=1)
        x = flow.nn.max_pool2d(x, 2, 2, "VALID")
        x = flow.nn.avg_pool2d(x, 3, 1, "SAME")
        x = flow.nn.dropout(x, 0.5)
        x = flow.reshape(x, [2, -1])
        x = flow.layers.dense(x, 5, activation=flow.math.gelu, kernel_initializer=init)
        x = flow.layers.layer_norm(x)
        x = x - flow.math.reduce_max(x, axis=1, keepdims=True)
        x = x / flow.math.reduce_mean(flow.math.abs(x), axis=[0, 1], keepdims=True)
        return flow.nn.softmax(flow.pad(x, [(1, 2), (0, 1)], 0.5))

    images = np.random.default_rng(0).standard_normal((2, 3, 8, 8)).astype(np.float32)
    compare(job, tmp_path / "m.onnx", images, opset=opset)
    model = onnx.load(str(tmp_path / "m.onnx"))
    assert model.opset_import[0].version == (opset or 13)
    assert model.ir_version == onnx_graph.IR_VERSIONS[opset or 13]
    helper = onnx.helper.find_min_ir_version_for(model.opset_import)
    assert model.ir_version >= helper
    assert model.producer_name == "jobmlir" and model.graph.name == "job"
    assert model.producer_version == flow.__version__


def test_names_types_and_lines(tmp_path):
    @flow.global_function()
    def job(
        first: tp.Numpy.Placeholder((2, 3)),
        second: tp.Numpy.Placeholder((3,), dtype=flow.int64),
    ):
        total = flow.math.add(first, 1.0, name="total")
        return {"a": total, "b": (second, flow.gather(total, second, axis=1))}

    second = np.array([0, 2, 1])
    compare(job, tmp_path / "m.onnx", X, second, names=("first", "second"))
    graph = onnx.load(str(tmp_path / "m.onnx")).graph
    kinds = {
        value.name: (
            value.type.tensor_type.elem_type,
            [dim.dim_value for dim in value.type.tensor_type.shape.dim],
        )
        for value in (*graph.input, *graph.output)
    }
    assert kinds == {
        "first": (1, [2, 3]),
        "second": (7, [3]),
        "a": (1, [2, 3]),
        "b_second": (7, [3]),
        "b_Gather": (1, [2, 3]),
    }
    (add,) = [node for node in graph.node if node.op_type == "Add"]
    assert add.output == ["total"] and __file__ in add.doc_string


def test_what_a_viewer_shows(tmp_path):
    """A node with the name of each op, types of values between nodes, and lines."""

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((4, 6))):
        x = flow.layers.dense(x, 5, activation=flow.nn.relu, name="hidden")
        x = flow.nn.softmax(flow.layers.dense(x, 3, name="out"), name="probabilities")
        return flow.math.argmax(x, name="best")

    path = tmp_path / "m.onnx"
    flow.onnx.export(job, None, path)
    model = onnx.load(path)
    onnx.checker.check_model(model, full_check=True)
    onnx.shape_inference.infer_shapes(
        model, check_type=True, strict_mode=True, data_prop=True
    )
    line = job.__wrapped__.__code__.co_firstlineno
    assert model.graph.doc_string == f"{__file__}:{line}"
    nodes = {node.name: node for node in model.graph.node}
    assert len(nodes) == len(model.graph.node)
    kinds = {
        "hidden-matmul": "Gemm",
        "hidden-bias_add": "Add",
        "hidden-activation": "Relu",
        "out-matmul": "Gemm",
        "out-bias_add": "Add",
        "probabilities": "Softmax",
    }
    assert {name: nodes[name].op_type for name in kinds} == kinds
    assert all(node.output[0] == name for name, node in nodes.items())
    assert all(__file__ in nodes[name].doc_string for name in kinds)
    names = {value.name for value in model.graph.initializer}
    assert {"hidden-weight", "hidden-bias", "out-weight", "out-bias"} <= names
    shapes = {
        value.name: [dim.dim_value for dim in value.type.tensor_type.shape.dim]
        for value in model.graph.value_info
    }
    assert shapes["hidden-activation"] == [4, 5] and shapes["out-matmul"] == [4, 3]
    assert shapes.keys() <= {name for node in nodes.values() for name in node.output}


def test_results_that_are_arguments_variables_or_constants(tmp_path):
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 3))):
        w = flow.get_variable("w", (2, 3), initializer=flow.ones_initializer())
        c = flow.constant(7, dtype=flow.int32, shape=[100])
        return [x, x, w, w, c, flow.range(5), x.with_split_distribute(0) * 2]

    given = compare(job, tmp_path / "m.onnx", X)
    assert len(given) == 7
    names = [each.name for each in onnx.load(str(tmp_path / "m.onnx")).graph.output]
    assert len(set(names)) == 7


@pytest.mark.parametrize("dtype", [flow.float, flow.float16, flow.int32, flow.int8])
def test_constants_of_arrays(dtype, tmp_path):
    values = np.arange(-20, 20).reshape(5, 8).astype(dtype.numpy)

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((5, 8), dtype=dtype)) -> tp.Bundle[tp.Numpy]:
        given = flow.constant(values, dtype=dtype, shape=(5, 8))
        # The indices of a negative step are an array, too.
        return x + given, x[::-1, 1::-1]

    compare(job, tmp_path / "m.onnx", values * 2)


def test_a_job_without_arguments_or_results(tmp_path):
    @flow.global_function()
    def constant():
        return flow.constant(1.5, dtype=flow.float, shape=[2])

    compare(constant, tmp_path / "m.onnx", names=())


@pytest.mark.parametrize(
    "dtype, atol", [(flow.float, 1e-5), (flow.double, 1e-12), (flow.float16, 2e-2)]
)
def test_products_of_transposed_operands(dtype, atol, tmp_path):
    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder((4, 5), dtype=dtype),
        y: tp.Numpy.Placeholder((5, 4), dtype=dtype),
    ):
        return [
            flow.matmul(x, y),
            flow.matmul(x, x, transpose_b=True),
            flow.matmul(x, x, transpose_a=True),
            flow.matmul(x, y, transpose_a=True, transpose_b=True),
        ]

    random = np.random.default_rng(4)
    arrays = [random.normal(size=s).astype(dtype.numpy) for s in ((4, 5), (5, 4))]
    path = tmp_path / "m.onnx"
    compare(job, path, *arrays, names=("x", "y"), atol=atol, rtol=atol)
    ops = [node.op_type for node in onnx.load(path).graph.node]
    assert ops.count("Gemm") == (0 if dtype == flow.float16 else 3)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("dtype, atol", [(flow.float, 1e-6), (flow.float16, 2e-3)])
def test_attention(causal, dtype, atol, tmp_path):
    @flow.global_function()
    def job(
        q: tp.Numpy.Placeholder((2, 3, 2, 4), dtype=dtype),
        k: tp.Numpy.Placeholder((2, 5, 2, 4), dtype=dtype),
        v: tp.Numpy.Placeholder((2, 5, 2, 4), dtype=dtype),
    ) -> tp.Numpy:
        return flow.nn.attention(q, k, v, causal=causal)

    random = np.random.default_rng(1)
    shapes = [(2, n, 2, 4) for n in (3, 5, 5)]
    arrays = [random.standard_normal(shape).astype(dtype.numpy) for shape in shapes]
    compare(job, tmp_path / "m.onnx", *arrays, names="qkv", atol=atol, rtol=atol)


@pytest.mark.parametrize("count", [0, 3, 6])
def test_dynamic_blobs(count, tmp_path):
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 3))):
        rows = flow.argwhere(x, dtype=flow.int64)
        return rows, flow.pad_to_static(rows, -1)

    x = np.zeros(6, np.float32)
    x[:count] = np.nan
    compare(job, tmp_path / "m.onnx", x.reshape(2, 3))
    (rows, padded) = onnx.load(str(tmp_path / "m.onnx")).graph.output
    assert rows.type.tensor_type.shape.dim[0].dim_param == f"{rows.name}_extent"
    assert padded.type.tensor_type.shape.dim[0].dim_value == 6


def test_gathers_and_sums_by_index(tmp_path):
    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder((2, 3, 4)),
        a: tp.Numpy.Placeholder((2, 5), dtype=flow.int8),
        b: tp.Numpy.Placeholder((2,), dtype=flow.int32),
        c: tp.Numpy.Placeholder((3, 4), dtype=flow.int64),
    ):
        return (
            flow.gather(x, a, batch_dims=1),
            flow.gather(x, a, axis=0),
            flow.math.unsorted_segment_sum(x, b, 4),
            flow.math.unsorted_segment_sum(x, c, 3, axis=1),
        )

    x = np.random.default_rng(2).standard_normal((2, 3, 4)).astype(np.float32)
    a = np.array([[0, 1, 1, 0, 1], [1, 1, 0, 0, 0]], np.int8)
    b, c = np.array([2, 2], np.int32), np.arange(12).reshape(3, 4) % 3
    compare(job, tmp_path / "m.onnx", x, a, b, c, names="xabc", opset=16)


def test_statistics_of_the_batch(tmp_path):
    """No function of the API has this op in a prediction job."""

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((4, 3, 2))):
        op = trace.begin("test", None, "Test")
        ones = flow.constant(1.5, dtype=flow.float, shape=[3])
        return list(op("batch_norm", x, ones, ones, axis=1, epsilon=0.1))

    x = np.random.default_rng(4).standard_normal((4, 3, 2)).astype(np.float32)
    compare(job, tmp_path / "m.onnx", x)


def test_images_with_channels_last(tmp_path):
    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder((2, 6, 7, 3)), w: tp.Numpy.Placeholder((4, 3, 2, 3))
    ):
        op = trace.begin("test", None, "Test")
        nhwc = op.text("#job<layout nhwc>")
        window = {"ksize": [3, 2], "strides": [2, 1], "padding": [1, 0, 1, 1]}
        return (
            op("max_pool2d", x, layout=nhwc, **window),
            op("avg_pool2d", x, layout=nhwc, **window),
            op(
                "conv2d",
                x,
                w,
                layout=nhwc,
                strides=[1, 2],
                padding=[1, 0, 2, 1],
                dilations=[1, 2],
                groups=1,
            ),
        )

    random = np.random.default_rng(5)
    x = random.standard_normal((2, 6, 7, 3)).astype(np.float32)
    w = random.standard_normal((4, 3, 2, 3)).astype(np.float32)
    compare(job, tmp_path / "m.onnx", x, w, names="xw")


@pytest.mark.parametrize("name", ["expm1", "log1p", "gelu", "pow", "rsqrt", "softplus"])
def test_digits_of_small_and_large_numbers(name, tmp_path):
    """Where a plain formula would lose them."""
    small = np.logspace(-30, -1, 60)
    x = np.concatenate([small, -small, np.linspace(0.5, 80, 40), [0.0, 1e30, np.nan]])
    x = np.concatenate([x, [-0.4, -0.6]])
    x = x.astype(np.float32)

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder(x.shape)) -> tp.Numpy:
        if name == "pow":
            return flow.math.pow(x, 1.5)
        return getattr(flow.math, name)(x)

    flow.onnx.export(job, None, tmp_path / "m.onnx")
    (given,) = run(tmp_path / "m.onnx", {"x": x})
    np.testing.assert_allclose(given, job(x), rtol=2e-5, atol=1e-37)


@pytest.mark.parametrize("dtype", [flow.int32, flow.int64])
def test_ints_at_the_ends_of_their_range(dtype, tmp_path):
    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder((3, 4), dtype=dtype),
        y: tp.Numpy.Placeholder((3, 4), dtype=dtype),
    ):
        return (
            flow.math.reduce_sum(x, axis=1),
            flow.math.reduce_sum(x),
            flow.math.reduce_prod(x, axis=0),
            flow.math.floordiv(x, y),
            x % y,
        )

    least, most = np.iinfo(dtype.numpy).min, np.iinfo(dtype.numpy).max
    x = [[most, 1, 0, 0], [least, -1, 7, 2], [most // 2, 2, most, least]]
    y = [[-4, 3, 5, -1], [3, -1, -2, 3], [most, least, least, -1]]
    x, y = np.array(x, dtype.numpy), np.array(y, dtype.numpy)
    compare(job, tmp_path / "m.onnx", x, y, names="xy", rtol=0, atol=0)


# ===- Variables -------------------------------------------------------------===#


def test_variables_of_a_checkpoint(tmp_path):
    train, evaluate = define_train(), define_eval()
    images, labels = batch()
    for _ in range(5):
        train(images, labels)
    flow.train.CheckPoint().save(tmp_path / "model")
    expected = evaluate(images)
    train(images, labels)
    flow.onnx.export(evaluate, str(tmp_path / "model"), str(tmp_path / "m.onnx"))
    (given,) = run(tmp_path / "m.onnx", {"images": images})
    np.testing.assert_allclose(given, expected, 1e-5, 1e-6)
    flow.onnx.export(evaluate, None, tmp_path / "m.onnx")
    (given,) = run(tmp_path / "m.onnx", {"images": images})
    np.testing.assert_allclose(given, evaluate(images), 1e-5, 1e-6)
    assert abs(given - expected).max() > 1e-4
    graph = onnx.load(str(tmp_path / "m.onnx")).graph
    names = {each.name for each in graph.initializer}
    assert {"Dense-weight", "Dense-bias", "Dense_1-weight", "Dense_1-bias"} <= names
    assert not any("momentum" in name for name in names)


def test_a_checkpoint_needs_no_compiled_job(tmp_path):
    define_eval()
    flow.train.CheckPoint().save(tmp_path / "model")
    flow.clear_default_session()
    evaluate = define_eval()
    flow.onnx.export(evaluate, tmp_path / "model", tmp_path / "m.onnx")
    from jobmlir._src.default_session import get_default_session

    assert not get_default_session().is_running


@pytest.mark.parametrize("layout", ["legacy", "native", "old"])
def test_layouts_of_checkpoints(layout, tmp_path):
    evaluate = define_eval()
    if layout == "old":
        flow.config.enable_legacy_model_io(True)
    name = "native" if layout == "native" else "legacy"
    flow.train.CheckPoint().save(tmp_path / "model", layout=name)
    flow.onnx.export(evaluate, tmp_path / "model", tmp_path / "m.onnx")
    (given,) = run(tmp_path / "m.onnx", {"images": batch()[0]})
    np.testing.assert_allclose(given, evaluate(batch()[0]), 1e-5, 1e-6)


def test_checkpoints_that_do_not_fit(tmp_path):
    evaluate = define_eval()

    def export():
        flow.onnx.export(evaluate, tmp_path / "model", tmp_path / "m.onnx")

    with raises_here(FileNotFoundError, "expects a checkpoint folder but there"):
        export()
    arrays = {n: v.numpy() for n, v in flow.get_all_variables().items()}
    arrays["Dense-bias"] = np.zeros(7, np.float32)
    flow.checkpoint.save(tmp_path / "model", arrays)
    with raises_here(ValueError, "for variable Dense-bias but got float32 of sh"):
        export()
    shutil.rmtree(tmp_path / "model")
    del arrays["Dense-bias"]
    flow.checkpoint.save(tmp_path / "model", arrays)
    with raises_here(
        flow.errors.CheckpointNotFoundError,
        "expects variable 'Dense-bias' but there is none of that name",
    ):
        export()
    with raises_here(AssertionError, "folder of a checkpoint but got that of a"):
        flow.onnx.export(
            evaluate, tmp_path / "model" / "Dense-weight", tmp_path / "m.onnx"
        )
    with raises_here(AssertionError, "expects a path to read variables from but got 3"):
        flow.onnx.export(evaluate, 3, tmp_path / "m.onnx")
    assert not (tmp_path / "m.onnx").exists()


def define_large():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 300))) -> tp.Numpy:
        init = flow.truncated_normal(0.1)
        x = flow.layers.dense(x, 200, kernel_initializer=init, name="a")
        return flow.layers.dense(x, 30, kernel_initializer=init, name="b")

    return job


def test_data_outside_of_the_model(tmp_path):
    job = define_large()
    x = np.random.default_rng(6).standard_normal((2, 300)).astype(np.float32)
    compare(job, tmp_path / "m.onnx", x, external_data=True, atol=1e-5)
    sizes = {path.name: path.stat().st_size for path in tmp_path.iterdir()}
    assert sizes.keys() == {"m.onnx", "m.onnx.data"}
    assert sizes["m.onnx"] < 5000 and sizes["m.onnx.data"] > 4 * 66000
    model = onnx.load(str(tmp_path / "m.onnx"), load_external_data=False)
    places = {
        each.name: {entry.key: entry.value for entry in each.external_data}
        for each in model.graph.initializer
    }
    assert places["a-weight"]["location"] == "m.onnx.data"
    assert all(int(p["offset"]) % 4096 == 0 for p in places.values() if p)
    assert not places["b-bias"]


def test_a_model_of_more_than_protobuf_can_hold(tmp_path, monkeypatch):
    monkeypatch.setattr(onnx_graph, "MOST_BYTES", 10000)
    job = define_large()
    with raises_here(
        flow.errors.ExportError,
        "expects external_data for a model of more than 2 GiB but got",
    ):
        flow.onnx.export(job, None, tmp_path / "m.onnx")
    flow.onnx.export(job, None, tmp_path / "m.onnx", external_data=True)


# ===- Files and mistakes ------------------------------------------------------===#


def test_a_file_that_cannot_be_written(tmp_path, monkeypatch):
    job = define_unary(lambda x: x + 1)
    with raises_here(
        flow.errors.ExportError, "none/m.onnx': cannot write the model: no such file"
    ):
        flow.onnx.export(job, None, tmp_path / "none" / "m.onnx")
    (tmp_path / "m.onnx").write_text("before")

    def fails(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fails)
    with raises_here(RuntimeError, "cannot write the model: no space left on device"):
        flow.onnx.export(job, None, tmp_path / "m.onnx")
    assert [p.name for p in tmp_path.iterdir()] == ["m.onnx"]
    assert (tmp_path / "m.onnx").read_text() == "before"


def test_ops_that_onnx_lacks(tmp_path):
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 3))) -> tp.Numpy:
        y = x + 1
        op = trace.begin("test", "first", "Test")
        y = op("erf_inv", y)
        return trace.begin("test", "second", "Test")("erf_inv", y)

    with raises_here(
        flow.errors.UnsupportedError, "job job, op first: " + REFUSED + "job.erf_inv"
    ):
        flow.onnx.export(job, None, tmp_path / "m.onnx")


def emit(op, attributes, shape=(2, 3, 4)):
    def body(x):
        indices = flow.constant(0, dtype=flow.int32, shape=[2, 3])
        operands = [x, indices] if op in ("gather", "scatter_add") else [x]
        return trace.begin("test", None, "Test")(op, *operands, **attributes)

    return define_unary(body, shape)


@pytest.mark.parametrize(
    "op, attributes, opset",
    [
        ("pad", dict(low=[0] * 3, high=[0] * 3, interior=[0, 1, 0], value=0.0), 13),
        (
            "pad",
            dict(low=[1, 0, 2], high=[0, 3, 0], interior=[2, 1, 3], value=0.5),
            13,
        ),
        ("gather", dict(axis=2, batch_dims=1), 13),
        ("scatter_add", dict(axis=0, extent=3), 16),
    ],
)
def test_uses_without_an_operator_of_their_own(op, attributes, opset, tmp_path):
    job = emit(op, attributes)
    x = np.random.default_rng(2).standard_normal((2, 3, 4)).astype(np.float32)
    compare(job, tmp_path / "m.onnx", x)
    model = onnx.load(str(tmp_path / "m.onnx"))
    assert model.opset_import[0].version == opset


def test_a_use_before_its_operator(tmp_path):
    job = emit("scatter_add", dict(axis=0, extent=3))
    what = REFUSED + "job.scatter_add with a sum by index before opset 16"
    with raises_here(flow.errors.UnsupportedError, what):
        flow.onnx.export(job, None, tmp_path / "m.onnx", opset=15)


def test_an_attribute_that_no_rule_knows(tmp_path):
    job = emit("abs", {"job.later": True})
    with raises_here(
        flow.errors.UnsupportedError, REFUSED + "job.abs with attribute job.later"
    ):
        flow.onnx.export(job, None, tmp_path / "m.onnx")


def test_a_watch_or_a_summary(tmp_path):
    def body(x):
        flow.watch(x)
        return x

    job = define_unary(body)
    with raises_here(NotImplementedError, "job job, op Watch: " + REFUSED + "watch"):
        flow.onnx.export(job, None, tmp_path / "m.onnx")
    flow.clear_default_session()

    def other(x):
        flow.summary.histogram(x)
        return x

    job = define_unary(other)
    with raises_here(NotImplementedError, REFUSED + "summary.histogram"):
        flow.onnx.export(job, None, tmp_path / "m.onnx")


@pytest.mark.parametrize(
    "settings, cls, text",
    [
        ({"opset": 12}, AssertionError, "expects an opset from 13 to 21 but got 12"),
        ({"opset": "13"}, AssertionError, "an opset from 13 to 21 but got '13'"),
        ({"opset": True}, AssertionError, "an opset from 13 to 21 but got True"),
        ({"external_data": 1}, AssertionError, "external_data to be a bool but got 1"),
        ({"continue_on_error": 1}, AssertionError, "continue_on_error to be a bool"),
        ({"extra_opset": 1}, AssertionError, "a list of (domain, version) pairs but g"),
        ({"extra_opset": [("a", "1")]}, AssertionError, "pairs but got ('a', '1')"),
        ({"extra_opset": [("", 1)]}, AssertionError, "another domain than ONNX's in e"),
        ({"extra_opset": [("a", 0)]}, AssertionError, "a positive version of 'a' in ex"),
        (
            {"extra_opset": [("a", 1), ("a", 2)]},
            AssertionError,
            "expects each domain once in extra_opset but got 'a' twice",
        ),
        ({"shape_override": 1}, AssertionError, "a dict of shapes by name but got 1"),
        (
            {"shape_override": {"x": [1]}},
            AssertionError,
            "expects 2 positive ints as the shape_override of x but got [1]",
        ),
        (
            {"shape_override": {"y": [1]}},
            AssertionError,
            "expects names of arguments (x) in shape_override but got 'y'",
        ),
    ],
)
def test_settings_that_do_not_fit(settings, cls, text, tmp_path):
    job = define_unary(lambda x: x)
    with raises_here(cls, text):
        flow.onnx.export(job, None, tmp_path / "m.onnx", **settings)


def test_other_shapes(tmp_path):
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((4, 3))) -> tp.Numpy:
        w = flow.get_variable("w", (3, 2), initializer=flow.ones_initializer())
        return flow.matmul(x, w) / x.shape[0]

    x = np.arange(12, dtype=np.float32).reshape(4, 3)
    compare(job, tmp_path / "m.onnx", x)
    flow.onnx.export(job, None, tmp_path / "m.onnx", shape_override={"x": (1, 3)})
    (given,) = run(tmp_path / "m.onnx", {"x": x[1:2]})
    np.testing.assert_allclose(given, x[1:2].sum(axis=1, keepdims=True) * [[1, 1]])
    # The job itself is as it was.
    assert job(x).shape == (4, 2)


def test_models_with_nodes_that_onnx_lacks(tmp_path):
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 3))) -> tp.Numpy:
        flow.watch(x)
        y = trace.begin("test", "inverse", "Test")("erf_inv", x)
        return flow.random.bernoulli(y) + y

    with pytest.warns(UserWarning) as warned:
        flow.onnx.export(
            job,
            None,
            tmp_path / "m.onnx",
            continue_on_error=True,
            opset=13,
            extra_opset=[("mine", 3), ("other", 1)],
        )
    texts = [str(each.message) for each in warned]
    assert [text.split("but got ")[1].split(",")[0] for text in texts] == [
        "watch",
        "job.erf_inv",
        "job.step",
        "job.random_uniform",
    ]
    model = onnx.load(str(tmp_path / "m.onnx"))
    sets = {each.domain: each.version for each in model.opset_import}
    assert sets == {"": 13, "mine": 3, "other": 1}
    kept = [node.op_type for node in model.graph.node if node.domain == "mine"]
    assert kept == ["erf_inv", "step", "random_uniform"]


def test_what_is_no_prediction_job(tmp_path):
    train = define_train()
    for given in (train, len, None):
        with raises_here(TypeError, "expects a prediction job to export but got "):
            flow.onnx.export(given, None, tmp_path / "m.onnx")
    job = define_unary(lambda x: x)
    with raises_here(AssertionError, "expects a path to write the model to but got 3"):
        flow.onnx.export(job, None, 3)
    define_unary(lambda x: x + 1)
    with raises_here(
        NotImplementedError, "expects a job of the running session but got job, which"
    ):
        flow.onnx.export(job, None, tmp_path / "m.onnx")
