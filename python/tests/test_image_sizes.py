"""Pixel shuffles and enlarged images, against NumPy."""

import numpy as np
import pytest

import jobmlir as flow
from models import define_unary, raises_here
from numeric import check, evaluate, random


def shuffled(x, down, across):
    batch, channels, height, width = x.shape
    out = np.zeros((batch, channels // (down * across), height * down, width * across))
    for c in range(channels):
        target, i, j = c // (down * across), c // across % down, c % across
        out[:, target, i::down, j::across] = x[:, c]
    return out


def test_pixel_shuffle():
    check(
        lambda x: flow.nn.PixelShuffle(x, 2),
        lambda x: shuffled(x, 2, 2),
        random((2, 8, 3, 2)),
    )
    check(
        lambda x: flow.nn.PixelShufflev2(x, 2, 3),
        lambda x: shuffled(x, 2, 3),
        random((1, 6, 3, 2)),
    )


def bilinear(x, axis, factor):
    """By the definition: the distance of each place of the result to each element."""
    extent = x.shape[axis]
    at = np.clip((np.arange(extent * factor) + 0.5) / factor - 0.5, 0, extent - 1)
    weights = np.maximum(1 - np.abs(at[:, None] - np.arange(extent)), 0)
    return np.moveaxis(np.tensordot(weights, x, (1, axis)), 0, axis)


@pytest.mark.parametrize("is_last", [0, 1])
@pytest.mark.parametrize("size", [2, (2, 3), [1, 4], (5, 1)])
@pytest.mark.parametrize("shape", [(2, 3, 4, 5), (1, 2, 1, 2)])
def test_upsample(is_last, size, shape):
    data_format = ("NCHW", "NHWC")[is_last]
    down, across = np.broadcast_to(size, 2)
    rows, columns = (1, 2) if is_last else (2, 3)
    x = random(shape)
    x = np.moveaxis(x, 1, -1) if is_last else x
    check(
        lambda x: flow.layers.upsample_2d(x, size, data_format),
        lambda x: x.repeat(down, rows).repeat(across, columns),
        x,
    )
    check(
        lambda x: flow.layers.upsample_2d(x, size, data_format, "bilinear"),
        lambda x: bilinear(bilinear(x, rows, down), columns, across),
        x,
    )


def test_upsample_of_other_types():
    x = np.arange(8, dtype=np.int8).reshape(1, 2, 2, 2)
    result = evaluate(lambda x: flow.layers.upsample_2d(x), x)
    np.testing.assert_array_equal(result, x.repeat(2, 2).repeat(2, 3))
    half = random((1, 1, 3, 3), dtype=np.float16)
    result = evaluate(
        lambda x: flow.layers.upsample_2d(x, interpolation="bilinear"), half
    )
    assert result.dtype == np.float16
    expected = bilinear(bilinear(half.astype(float), 2, 2), 3, 2)
    np.testing.assert_allclose(result, expected, 1e-3, 1e-3)


@pytest.mark.parametrize(
    "function, message",
    [
        (
            lambda x: flow.nn.PixelShuffle(x, 3),
            "op PixelShuffle: expects a multiple of 9 channels to shuffle but got 4",
        ),
        (
            lambda x: flow.nn.PixelShuffle(x, 0),
            "expects upscale_factor to be a positive int but got 0",
        ),
        (
            lambda x: flow.nn.PixelShufflev2(flow.flatten(x), 2, 2),
            "op PixelShufflev2: expects input of 4 dimensions but got shape (48,)",
        ),
        (
            lambda x: flow.layers.upsample_2d(x, (2, 2, 2)),
            "op Upsample2D: expects one or two values of size but got 3",
        ),
        (
            lambda x: flow.layers.upsample_2d(x, 0),
            "expects each size to be a positive int but got 0",
        ),
        (
            lambda x: flow.layers.upsample_2d(x, interpolation="cubic"),
            "expects interpolation to be one of 'nearest', 'bilinear' but got 'cubic'",
        ),
        (
            lambda x: flow.layers.upsample_2d(x, data_format="CHW"),
            'expects data_format to be "NCHW" or "NHWC" but got \'CHW\'',
        ),
        (
            lambda x: flow.layers.upsample_2d(
                flow.cast(x, flow.int8), interpolation="bilinear"
            ),
            "expects x to be a blob of floats but got int8",
        ),
    ],
)
def test_error(function, message):
    define_unary(function, (2, 4, 3, 2))
    with raises_here(Exception, message):
        flow.dump_ir()
