"""Convolutions and poolings over one, two and three spatial dimensions, with the
channels first and last, against NumPy."""

import typing

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from models import define_unary, raises_here
from numeric import check, evaluate, gradients, random
from numpy_windows import FORMATS, convolve, first, last, pool, transpose_of

# Strides, pads, dilations and groups of two dimensions more than are used.
CONVOLUTIONS = [
    ((1, 1, 1), ((0, 0), (0, 0), (0, 0)), (1, 1, 1), 1),
    ((2, 1, 2), ((1, 0), (0, 2), (1, 1)), (1, 1, 1), 1),
    ((1, 2, 1), ((0, 1), (1, 1), (2, 0)), (2, 1, 2), 2),
]


@pytest.mark.parametrize("dims", [1, 2, 3])
@pytest.mark.parametrize("is_last", [0, 1])
@pytest.mark.parametrize("strides, pads, dilations, groups", CONVOLUTIONS)
def test_convolution(dims, is_last, strides, pads, dilations, groups):
    data_format = FORMATS[dims][is_last]
    strides, pads, dilations = strides[-dims:], pads[-dims:], dilations[-dims:]
    x = random((2, 4, 5, 4, 6)[: dims + 2], 1)
    w = random((6, 4 // groups, 2, 3, 2)[: dims + 2], 2)
    listed = [(0, 0), (0, 0), *pads]
    if is_last:
        listed = [(0, 0), *pads, (0, 0)]
    function = getattr(flow.nn, f"conv{dims}d")

    def reference(x, w):
        x, w = first(x, data_format), first(w, data_format)
        return last(convolve(x, w, strides, pads, dilations, groups), data_format)

    check(
        lambda x, w: function(
            x, w, list(strides), listed, data_format, list(dilations), groups
        ),
        reference,
        last(x, data_format),
        last(w, data_format),
    )


@pytest.mark.parametrize(
    "padding, pads",
    [
        ("VALID", ((0, 0),) * 3),
        ("SAME", ((2, 1), (1, 0), (1, 1))),
        ("same_upper", ((1, 2), (0, 1), (1, 1))),
    ],
)
@pytest.mark.parametrize("is_last", [0, 1])
def test_padding_of_three_dimensions(padding, pads, is_last):
    data_format = FORMATS[3][is_last]
    x, w = random((1, 2, 4, 4, 5)), random((3, 2, 4, 2, 3), 1)
    job = lambda x, w: flow.nn.conv3d(x, w, 1, padding, data_format)  # noqa: E731
    result = evaluate(job, last(x, data_format), last(w, data_format))
    expected = convolve(x, w, (1,) * 3, pads, (1,) * 3)
    np.testing.assert_allclose(first(result, data_format), expected, 1e-12, 1e-12)


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
@pytest.mark.parametrize("is_last", [0, 1])
def test_convolution_of_narrow_floats(dtype, is_last):
    data_format = FORMATS[3][is_last]
    x = random((2, 3, 4, 5, 5), 3, dtype=dtype)
    w = random((4, 3, 3, 3, 3), 4, dtype=dtype)
    job = lambda x, w: flow.nn.conv3d(x, w, 1, "SAME", data_format)  # noqa: E731
    result = evaluate(job, last(x, data_format), last(w, data_format))
    assert result.dtype == dtype
    expected = convolve(
        x.astype(float), w.astype(float), (1,) * 3, ((1, 1),) * 3, (1,) * 3
    )
    # One rounding of the sum, not one for each cell along the depth.
    unit = np.finfo(dtype).eps * np.abs(expected).max()
    assert np.abs(first(result, data_format) - expected).max() <= 2 * unit


@pytest.mark.parametrize("dims", [1, 2, 3])
@pytest.mark.parametrize("is_last", [0, 1])
@pytest.mark.parametrize(
    "ksize, strides, pads",
    [
        ((2, 2, 2), (2, 2, 2), ((0, 0),) * 3),
        ((3, 2, 3), (1, 2, 2), ((1, 1), (0, 1), (2, 1))),
        ((1, 3, 1), (2, 1, 1), ((0, 0), (1, 0), (0, 0))),
    ],
)
@pytest.mark.parametrize("kind, how", [("max", np.nanmax), ("avg", np.nanmean)])
def test_pool(dims, is_last, ksize, strides, pads, kind, how):
    data_format = FORMATS[dims][is_last]
    ksize, strides, pads = ksize[-dims:], strides[-dims:], pads[-dims:]
    listed = [(0, 0), (0, 0), *pads]
    if is_last:
        listed = [(0, 0), *pads, (0, 0)]
    function = getattr(flow.nn, f"{kind}_pool{dims}d")
    check(
        lambda x: function(x, list(ksize), list(strides), listed, data_format),
        lambda x: last(
            pool(first(x, data_format), how, ksize, strides, pads), data_format
        ),
        last(random((2, 3, 4, 5, 6)[: dims + 2], 5), data_format),
    )


def test_default_formats_of_pools_over_one_dimension():
    x = random((2, 4, 6))
    result = evaluate(lambda x: flow.nn.max_pool1d(x, 2, 2, "VALID"), x)
    np.testing.assert_array_equal(result, x.reshape(2, 2, 2, 6).max(2))
    result = evaluate(lambda x: flow.nn.avg_pool1d(x, 2, 2, "VALID"), x)
    np.testing.assert_allclose(result, x.reshape(2, 4, 3, 2).mean(3))


@pytest.mark.parametrize("data_format", FORMATS[3])
def test_ceil_mode_of_three_dimensions(data_format):
    x = random((1, 2, 5, 4, 5))
    pads = ((0, 1), (0, 0), (0, 1))
    for kind, how in (("max", np.nanmax), ("avg", np.nanmean)):
        function = getattr(flow.nn, f"{kind}_pool3d")
        result = evaluate(
            lambda x, f=function: f(x, 2, 2, "VALID", data_format, True),
            last(x, data_format),
        )
        expected = pool(x, how, (2,) * 3, (2,) * 3, pads)
        np.testing.assert_allclose(first(result, data_format), expected)


@pytest.mark.parametrize("data_format", FORMATS[3])
def test_the_gradient_of_a_tie_goes_to_the_first_place(data_format):
    x = np.zeros((1, 1, 2, 2, 2))
    x[0, 0, 0, 1, 1] = x[0, 0, 1, 0, 0] = 1
    found = gradients(
        lambda x: flow.nn.max_pool3d(x, 2, 2, "VALID", data_format),
        np.ones((1, 1, 1, 1, 1)),
        last(x, data_format),
    )[0]
    expected = np.zeros((1, 1, 2, 2, 2))
    expected[0, 0, 0, 1, 1] = 1
    np.testing.assert_array_equal(first(found, data_format), expected)


@pytest.mark.parametrize("dims", [1, 2, 3])
@pytest.mark.parametrize("is_last", [0, 1])
def test_layer(dims, is_last):
    data_format = FORMATS[dims][is_last]
    shape = last(np.zeros((2, 3, 4, 5, 6)[: dims + 2]), data_format).shape
    function = getattr(flow.layers, f"conv{dims}d")
    init = flow.random_uniform_initializer(-1, 1)

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder(shape)) -> tp.Numpy:
        return function(
            x,
            4,
            3,
            1,
            "SAME",
            data_format,
            bias_initializer=init,
            activation=flow.nn.relu,
            name="layer",
        )

    x = random(shape, 1, dtype=np.float32)
    result = job(x)
    variables = flow.get_all_variables()
    weight, bias = (variables[f"layer-{n}"].numpy() for n in ("weight", "bias"))
    assert first(weight, data_format).shape == (4, 3, *(3,) * dims)
    expected = convolve(
        first(x, data_format),
        first(weight, data_format),
        (1,) * dims,
        ((1, 1),) * dims,
        (1,) * dims,
    ) + bias.reshape(-1, *(1,) * dims)
    np.testing.assert_allclose(
        first(result, data_format), np.maximum(expected, 0), 1e-4, 1e-4
    )


def test_layers_without_names():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((1, 2, 4))) -> tp.Numpy:
        x = flow.layers.conv1d(x, 2)
        x = flow.layers.conv1d(x, 2)
        return flow.layers.conv3d(flow.reshape(x, (1, 2, 1, 2, 2)), 1)

    job(np.ones((1, 2, 4), np.float32))
    assert set(flow.get_all_variables()) == {
        f"{layer}-{part}"
        for layer in ("Conv1d", "Conv1d_1", "Conv3d")
        for part in ("weight", "bias")
    }


# ===- Transposed ----------------------------------------------------------===#


TRANSPOSED = [
    # strides, dilations, padding, pads, space
    ((1, 1), (1, 1), "VALID", ((0, 0), (0, 0)), (6, 5)),
    ((1, 1), (2, 1), "SAME", ((2, 2), (0, 1)), (4, 4)),
    ((2, 2), (1, 1), "SAME", ((0, 1), (0, 0)), (8, 8)),
    ((2, 2), (1, 1), "VALID", ((0, 0), (0, 0)), (10, 9)),
    ((2, 3), (1, 1), [(0, 0), (0, 0), (1, 1), (1, 0)], ((1, 1), (1, 0)), (8, 11)),
    ((2, 3), (2, 2), "SAME", ((1, 2), (0, 0)), (8, 12)),
]


@pytest.mark.parametrize("is_last", [0, 1])
@pytest.mark.parametrize("strides, dilations, padding, pads, space", TRANSPOSED)
def test_conv2d_transpose(is_last, strides, dilations, padding, pads, space):
    data_format = FORMATS[2][is_last]
    x, w = random((2, 3, 4, 4), 1), random((3, 2, 3, 2), 2)
    shape = (2, *space, 2) if is_last else (2, 2, *space)
    if is_last and not isinstance(padding, str):
        padding = [(0, 0), *padding[2:], (0, 0)]

    def reference(x, w):
        x, w = first(x, data_format), first(w, data_format)
        return last(transpose_of(x, w, strides, pads, dilations, space), data_format)

    def function(x, w):
        return flow.nn.conv2d_transpose(
            x, w, shape, list(strides), padding, data_format, dilations=list(dilations)
        )

    check(function, reference, last(x, data_format), last(w, data_format))


@pytest.mark.parametrize("is_last", [0, 1])
@pytest.mark.parametrize(
    "strides, dilations, extra, total, space",
    [
        ((1, 1), (1, 1), None, (0, 0), (6, 5)),
        ((2, 2), (1, 1), (1, 1), (2, 0), (8, 9)),
        ((2, 3), (2, 1), (1, 2), (4, 2), (8, 11)),
    ],
)
def test_torch_conv2d_transpose(is_last, strides, dilations, extra, total, space):
    data_format = FORMATS[2][is_last]
    x, w = random((2, 3, 4, 4), 1), random((3, 2, 3, 2), 2)
    pads = [(pad // 2, pad // 2) for pad in total]

    def reference(x, w):
        x, w = first(x, data_format), first(w, data_format)
        return last(transpose_of(x, w, strides, pads, dilations, space), data_format)

    check(
        lambda x, w: flow.nn.torch_conv2d_transpose(
            None,
            None,
            extra,
            list(strides),
            list(total),
            data_format,
            input=x,
            filters=w,
            dilations=list(dilations),
        ),
        reference,
        last(x, data_format),
        last(w, data_format),
    )


# ===- Errors --------------------------------------------------------------===#

LINE, IMAGE, CUBE = (1, 2, 6), (1, 2, 4, 4), (1, 2, 4, 4, 4)


def ones(shape):
    return flow.get_variable("w", shape, initializer=flow.ones_initializer())


def up(x, shape=(1, 3, 8, 8), weight=(2, 3, 2, 2), **settings):
    return flow.nn.conv2d_transpose(x, ones(weight), shape, 2, **settings)


def torch_up(x, **settings):
    return flow.nn.torch_conv2d_transpose(x, ones((2, 3, 2, 2)), **settings)


@pytest.mark.parametrize(
    "layer",
    [
        lambda x, padding: flow.nn.avg_pool2d(x, 3, 2, padding),
        lambda x, padding: flow.layers.conv2d(
            x, 2, 3, padding=padding, kernel_initializer=flow.ones_initializer()
        ),
    ],
)
def test_an_int_is_the_padding_on_both_sides(layer):
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 3, 7, 6))) -> typing.Tuple[tp.Numpy, tp.Numpy]:
        return layer(x, [0, 0, 1, (2, 1)]), layer(x, [(0, 0), (0, 0), (1, 1), (2, 1)])

    x = np.random.default_rng(7).normal(size=(2, 3, 7, 6)).astype(np.float32)
    np.testing.assert_array_equal(*job(x))


@pytest.mark.parametrize(
    "shape, body, text",
    [
        (
            LINE,
            lambda x: flow.nn.conv1d(x, ones((2, 2, 3)), 1, "SAME", "NCHW"),
            'op Conv1d: expects data_format to be "NCW" or "NWC" but got \'NCHW\'',
        ),
        (
            IMAGE,
            lambda x: flow.nn.conv1d(x, ones((2, 2, 3)), 1, "SAME"),
            "op Conv1d: expects input of 3 dimensions but got shape (1, 2, 4, 4)",
        ),
        (
            CUBE,
            lambda x: flow.nn.conv3d(x, ones((2, 2, 3)), 1, "SAME"),
            "op Conv3d: expects filters of 5 dimensions but got shape (2, 2, 3)",
        ),
        (
            CUBE,
            lambda x: flow.nn.conv3d(x, ones((2, 2, 3, 3, 3)), [1, 2], "SAME"),
            "expects one or three values of strides but got 2",
        ),
        (
            LINE,
            lambda x: flow.nn.max_pool1d(x, [1, 2], 1, "SAME"),
            "op MaxPool1D: expects one value of ksize but got 2",
        ),
        (
            IMAGE,
            lambda x: flow.nn.conv2d(x, ones((2, 2, 3, 3)), 1, "SAME", dilations=0),
            "expects positive dilations but got 0",
        ),
        (
            CUBE,
            lambda x: flow.nn.conv3d(x, ones((2, 2, 5, 1, 1)), 1, "VALID"),
            "expects a window of at most 4 (input and padding) but got 5 in dimension 2",
        ),
        (
            CUBE,
            lambda x: flow.nn.conv3d(x, ones((2, 1, 1, 5, 4)), 1, "VALID", "NDHWC"),
            "expects a window of at most 4 (input and padding) but got 5 in dimension 3",
        ),
        (
            CUBE,
            lambda x: flow.nn.conv3d(x, ones((3, 1, 1, 1, 1)), 1, "SAME", groups=2),
            "expects groups to divide 2 input and 3 output channels but got 2",
        ),
        (
            CUBE,
            lambda x: flow.nn.conv3d(x, ones((2, 3, 1, 1, 1)), 1, "SAME"),
            "expects a filter for 2 channels (2 in 1 groups) but got 3",
        ),
        (
            CUBE,
            lambda x: flow.nn.avg_pool3d(
                x, 2, 2, [(0, 0), (0, 0), (2, 0)] + [(0, 0)] * 2
            ),
            "op AvgPool3D: expects padding below the window of 2 but got 2",
        ),
        (
            CUBE,
            lambda x: flow.nn.avg_pool3d(x, 2, 2, [(0, 0)] * 4 + [(0, -1)]),
            "expects padding that is not negative but got",
        ),
        (
            CUBE,
            lambda x: flow.nn.avg_pool3d(x, 2, 2, [(0, 0)] * 4),
            "a pair of ints for each of 5 dimensions but got",
        ),
        (
            IMAGE,
            lambda x: flow.nn.max_pool2d(x, 0, 2, "SAME"),
            "a positive ksize but got 0",
        ),
        (
            CUBE,
            lambda x: flow.layers.conv3d(x, 2, [1, 2]),
            "op Conv3d: expects kernel_size to be one or three ints but got [1, 2]",
        ),
        (
            LINE,
            lambda x: flow.layers.conv1d(x, 2, data_format="NHWC"),
            'op Conv1d: expects data_format to be "NCW" or "NWC" but got \'NHWC\'',
        ),
        (
            IMAGE,
            lambda x: flow.layers.conv1d(x, 2),
            "op Conv1d: expects inputs of 3 dimensions but got <Blob x",
        ),
        (
            IMAGE,
            lambda x: flow.nn.conv2d_transpose(x, x, input=x),
            "op Deconv2d: expects either value or input but got both",
        ),
        (
            IMAGE,
            lambda x: flow.nn.conv2d_transpose(x),
            "expects either filter or filters but got neither",
        ),
        (IMAGE, lambda x: up(x, weight=(2, 3, 2)), "filters of 4 dimensions but got"),
        (
            IMAGE,
            lambda x: up(x, weight=(3, 3, 2, 2)),
            "expects filters for the 2 channels of the input in dimension 0 but got",
        ),
        (
            IMAGE,
            lambda x: up(flow.cast(x, flow.float16)),
            "expects filters of float16 as the input is but got float32",
        ),
        (
            IMAGE,
            lambda x: up(x, None),
            "expects output_shape to be a list of ints but got None",
        ),
        (
            IMAGE,
            lambda x: up(x, [8, 8]),
            "an output_shape of 4 dimensions but got (8, 8)",
        ),
        (
            IMAGE,
            lambda x: up(x, (1, 2, 8, 8)),
            "expects an output_shape with batch 1 and 3 channels but got (1, 2, 8, 8)",
        ),
        (
            IMAGE,
            lambda x: up(x, (1, 3, 8, 10)),
            "expects an output_shape of which a convolution has (4, 4) outputs but got "
            "(1, 3, 8, 10), of which one has (4, 5)",
        ),
        (
            IMAGE,
            lambda x: torch_up(x),
            "expects strides to be an int or a list of ints but got None",
        ),
        (
            IMAGE,
            lambda x: torch_up(x, strides=2, output_padding=2),
            "expects output_padding in [0, 2) but got 2",
        ),
        (
            IMAGE,
            lambda x: torch_up(x, strides=2, padding_needed=[2, 1]),
            "expects padding_needed to be even and not negative but got 1",
        ),
        (
            IMAGE,
            lambda x: torch_up(x, strides=1, padding_needed=6),
            "expects padding_needed that leaves a result but got 6",
        ),
    ],
)
def test_error(shape, body, text):
    define_unary(body, shape)
    with raises_here(AssertionError, text):
        flow.dump_ir()
