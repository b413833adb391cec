"""Compositions of ops in narrow types: near what float64 gives for the same numbers, as
what is computed on the way is not rounded to the narrow type."""

import ml_dtypes
import numpy as np
import op_samples
import pytest

import jobmlir as flow
from numeric import dtype_of, named, random

# Ops that are compositions and have neither variables nor random numbers.
NAMES = """
nn.conv1d nn.conv3d nn.conv2d_transpose nn.torch_conv2d_transpose nn.max_pool1d
nn.avg_pool1d nn.max_pool3d nn.avg_pool3d nn.softmax_grad nn.sparse_cross_entropy
nn.L1Loss nn.MSELoss nn.BCELoss nn.BCEWithLogitsLoss nn.KLDivLoss nn.MarginRankingLoss
nn.TripletMarginLoss smooth_l1_loss combined_margin_loss nn.fused_scale_tril nn.elu
nn.relu6 nn.hardswish nn.hardsigmoid nn.hardtanh nn.swish nn.mish math.gelu_grad
math.tanh_grad math.sigmoid_grad math.l2_normalize math.polyval layers.layer_norm_grad
layers.layer_norm_param_grad layers.upsample_2d nn.PixelShuffle experimental.square_sum
math.two_stage_reduce_max math.broadcast_to_compatible_with same_padding pad_grad
""".split()


def results(arrays):
    """What each op makes of the array of its shape, in one job."""
    flow.clear_default_session()
    shapes = list(arrays)
    specs = {
        f"x{i}": flow.typing.Numpy.Placeholder(shape, dtype_of(arrays[shape]))
        for i, shape in enumerate(shapes)
    }

    def body(*blobs):
        by_shape = dict(zip(shapes, blobs))
        return [
            op_samples.SAMPLES[n][1](by_shape[op_samples.SAMPLES[n][0]]) for n in NAMES
        ]

    job = named(body, specs, "predict")
    return [blob.numpy() for blob in job(*arrays.values()).get()]


@pytest.mark.parametrize("dtype", [np.float32, np.float16, ml_dtypes.bfloat16])
def test_near_float64(dtype):
    arrays = {
        op_samples.SAMPLES[name][0]: random(
            op_samples.SAMPLES[name][0], 1, 0.1, 0.9
        ).astype(dtype)
        for name in NAMES
    }
    found = results(arrays)
    expected = results({s: a.astype(np.float64) for s, a in arrays.items()})
    eps = float(ml_dtypes.finfo(dtype).eps)
    for name, one, other in zip(NAMES, found, expected):
        assert one.dtype == dtype, name
        error = np.abs(one.astype(np.float64) - other).max()
        assert error <= 2 * eps * max(np.abs(other).max(), 1e-3), (name, error)
