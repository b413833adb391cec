"""NumPy arrays as initializers."""

import pathlib
import subprocess

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from models import raises_here
from numeric import random, sgd

W = random((4, 3), dtype=np.float32)


def define(array=W, shape=(4, 3), dtype=flow.float32):
    @flow.global_function()
    def job() -> tp.Numpy:
        return flow.get_variable("w", shape, dtype, array) * 1

    return job


def test_bfloat16_numbers_in_another_dtype():
    narrow = W.astype(flow.convert_oneflow_dtype_to_numpy_dtype(flow.bfloat16))
    np.testing.assert_array_equal(define(narrow)(), narrow.astype(np.float32))


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int8])
def test_a_variable_starts_with_the_array(dtype):
    array = (W * 10).astype(dtype)
    job = define(array, dtype=getattr(flow, array.dtype.name))
    np.testing.assert_array_equal(job(), array)


def test_the_array_is_converted_and_copied():
    array = W.astype(np.float64)
    job = define(array)
    flow.dump_ir()
    array[:] = 0
    result = job()
    assert result.dtype == np.float32
    np.testing.assert_array_equal(result, W)
    flow.clear_default_session()
    np.testing.assert_array_equal(define(np.asfortranarray(W))(), W)


def test_training_and_starting_again():
    @flow.global_function(type="train")
    def job() -> tp.Numpy:
        w = flow.get_variable("w", (4, 3), initializer=W)
        sgd(0.5).minimize(flow.math.reduce_sum(w))
        return w * 1.0

    np.testing.assert_array_equal(job(), W)
    np.testing.assert_allclose(job(), W - 0.5, 1e-6)
    flow.train.CheckPoint().init()
    np.testing.assert_array_equal(job(), W)


@pytest.mark.parametrize("options", [[], ["--reference"]])
def test_without_python(tmp_path, options):
    """The elements are in the module, which the tools compile and interpret."""
    job_run = pathlib.Path(flow.__file__).parents[2] / "bin" / "job-run"
    if not job_run.exists():
        pytest.skip("no job-run here")
    define()
    module, results = tmp_path / "job.mlir", tmp_path / "results"
    module.write_text(flow.dump_ir("job"))
    command = [job_run, module, "--entry=job", "--init=2", "--output", results]
    subprocess.run([*command, *options], check=True)
    (file,) = results.glob("*.npy")
    np.testing.assert_array_equal(np.load(file), W)


def test_layers_take_arrays():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 3))):
        dense = flow.layers.dense(
            x, 4, kernel_initializer=W, bias_initializer=np.arange(4), name="d"
        )
        image = flow.reshape(x, (1, 2, 1, 3))
        conv = flow.layers.conv2d(
            image, 1, kernel_initializer=np.full((1, 2, 1, 1), 2.0), name="c"
        )
        norm = flow.layers.batch_normalization(
            x, gamma_initializer=np.arange(3), name="n"
        )
        return dense, conv, norm

    x = random((2, 3), 1, dtype=np.float32)
    dense, conv, norm = (blob.numpy() for blob in job(x).get())
    np.testing.assert_allclose(dense, x @ W.T + np.arange(4), 1e-5, 1e-5)
    np.testing.assert_allclose(conv.ravel(), 2 * x.sum(0), 1e-5, 1e-5)
    np.testing.assert_allclose(norm, x / np.sqrt(1.001) * np.arange(3), 1e-5)


@pytest.mark.parametrize(
    "array, dtype, text",
    [
        (W.T, flow.float32, "expects an array of shape (4, 3) as the variable has but"),
        (W, flow.int32, "expects an array of ints that int32 can hold but got float32"),
        (W.astype(str), flow.float32, "expects an array of numbers but got <U"),
        (
            np.ma.array(W, mask=W > 0),
            flow.float32,
            "op w: expects an array without a mask but got a masked array",
        ),
        ("zeros", flow.float32, "expects an initializer such as oneflow.zeros"),
        ([1, 2], flow.float32, "expects an initializer such as oneflow.zeros"),
    ],
)
def test_error(array, dtype, text):
    define(array, dtype=dtype)
    with raises_here(AssertionError, text):
        flow.dump_ir()
