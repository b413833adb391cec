"""Cases of op_references.py: convolutions, poolings and sizes of images."""

import functools
import math

import numpy as np

from numpy_windows import FORMATS, convolve, first, last, pool, transpose_of
from reference_cases import ALL, case, constant, given, x

NAN, INF = np.nan, np.inf

# ===- Convolutions --------------------------------------------------------===#

# Strides, padding, pads, dilations, groups: of each the last `dims` count.
CONVOLUTIONS = (
    ((1, 1, 1), "VALID", ((0, 0),) * 3, (1, 1, 1), 1),
    ((2, 1, 2), "SAME", None, (1, 1, 1), 1),
    ((1, 2, 1), "SAME_UPPER", None, (2, 1, 2), 2),
    ((1, 1, 3), "list", ((1, 0), (0, 2), (1, 1)), (1, 1, 1), 4),
)
SPACE, KERNEL = (5, 1, 7), (2, 1, 4)


def same(sizes, kernel, strides, dilations, is_upper):
    """The definition: as many outputs as size / stride, rounded up."""
    pads = []
    for size, k, stride, dilation in zip(sizes, kernel, strides, dilations):
        needed = (math.ceil(size / stride) - 1) * stride + (k - 1) * dilation + 1 - size
        small, large = max(needed, 0) // 2, -(-max(needed, 0) // 2)
        pads.append((small, large) if is_upper else (large, small))
    return pads


def listed(pads, data_format):
    pairs = [(0, 0), (0, 0), *pads]
    return [(0, 0), *pads, (0, 0)] if data_format.endswith("C") else pairs


def in_format(function, data_format):
    """`function`, of images and filters with the channels second, of those in
    `data_format`."""

    def call(*arrays):
        return last(function(*(first(a, data_format) for a in arrays)), data_format)

    return call


def shaped(batch, channels, space, data_format):
    if data_format.endswith("C"):
        return (batch, *space, channels)
    return (batch, channels, *space)


def convolutions(dims, data_format, name, is_layer, row):
    strides, padding, pads, dilations, groups = row
    strides, dilations = strides[-dims:], dilations[-dims:]
    space, kernel = SPACE[-dims:], KERNEL[-dims:]
    pads = (
        same(space, kernel, strides, dilations, padding == "SAME_UPPER")
        if pads is None
        else pads[-dims:]
    )
    if groups > 1 and data_format.endswith("C"):
        return
    # compat_conv2d means the other SAME.
    if "compat" in name and padding == "SAME":
        pads = same(space, kernel, strides, dilations, True)
    given_padding = listed(pads, data_format) if padding == "list" else padding
    inputs, outputs = 4, 8
    image = x(*shaped(2, inputs, space, data_format))
    shape = shaped(outputs, inputs // groups, kernel, data_format)

    def reference(a, w, b=None):
        out = convolve(a, w, strides, pads, dilations, groups)
        return out if b is None else out + b.reshape(-1, *(1,) * dims)

    settings = {"data_format": data_format, "groups": groups}
    label = f"{data_format} {padding} {strides} {groups}"
    if not is_layer:
        case(
            name,
            in_format(reference, data_format),
            image,
            x(*shape),
            use=lambda op, a, w: op(
                a,
                w,
                list(strides),
                given_padding,
                dilations=list(dilations),
                **settings,
            ),
            label=label,
            tolerance=8,
        )
        return

    def layer(op, a, w, b):
        return op(
            a,
            outputs,
            list(kernel),
            list(strides),
            given_padding,
            dilation_rate=list(dilations),
            kernel_initializer=w,
            bias_initializer=b,
            **settings,
        )

    case(
        name,
        lambda a, w, b: last(
            reference(first(a, data_format), first(w, data_format), b), data_format
        ),
        image,
        constant(*shape),
        constant(outputs),
        use=layer,
        label=label,
        tolerance=8,
    )


for _dims in (1, 2, 3):
    for _format in FORMATS[_dims]:
        for _row in CONVOLUTIONS:
            convolutions(_dims, _format, f"nn.conv{_dims}d", False, _row)
            convolutions(_dims, _format, f"layers.conv{_dims}d", True, _row)
            if _dims == 2:
                convolutions(_dims, _format, "nn.compat_conv2d", False, _row)

TRANSPOSED = (
    # strides, dilations, padding, pads, space of images of 4 x 4 and filters of 3 x 2
    ((1, 1), (1, 1), "VALID", ((0, 0), (0, 0)), (6, 5)),
    ((2, 2), (1, 1), "SAME", ((0, 1), (0, 0)), (8, 8)),
    ((2, 3), (2, 2), "SAME", ((1, 2), (0, 0)), (8, 12)),
)
for _format in FORMATS[2]:
    for _strides, _dilations, _padding, _pads, _space in TRANSPOSED:
        case(
            "nn.conv2d_transpose",
            in_format(
                functools.partial(
                    transpose_of,
                    strides=_strides,
                    pads=_pads,
                    dilations=_dilations,
                    space=_space,
                ),
                _format,
            ),
            x(*shaped(2, 3, (4, 4), _format)),
            x(*shaped(3, 5, (3, 2), _format)),
            output_shape=shaped(2, 5, _space, _format),
            strides=list(_strides),
            padding=_padding,
            data_format=_format,
            dilations=list(_dilations),
            label=f"{_format} {_strides} {_padding}",
            tolerance=8,
        )
    case(
        "nn.torch_conv2d_transpose",
        in_format(
            functools.partial(
                transpose_of,
                strides=(2, 3),
                pads=((2, 2), (1, 1)),
                dilations=(2, 1),
                space=(8, 11),
            ),
            _format,
        ),
        x(*shaped(2, 3, (4, 4), _format)),
        x(*shaped(3, 5, (3, 2), _format)),
        output_padding=(1, 2),
        strides=[2, 3],
        padding_needed=[4, 2],
        data_format=_format,
        dilations=[2, 1],
        label=_format,
        tolerance=8,
    )

# ===- Poolings ------------------------------------------------------------===#


def pools(dims, data_format, kind):
    how = {"max": np.nanmax, "avg": np.nanmean}[kind]
    space = SPACE[-dims:]
    for padding, ksize, strides in (
        ("VALID", (2, 1, 3), (2, 1, 2)),
        ("SAME", (3, 2, 4), (1, 1, 3)),
        ("SAME_UPPER", (3, 2, 2), (2, 1, 1)),
    ):
        ksize, strides = ksize[-dims:], strides[-dims:]
        pads = same(space, ksize, strides, (1,) * dims, padding == "SAME_UPPER")
        if padding == "VALID":
            pads = ((0, 0),) * dims
        case(
            f"nn.{kind}_pool{dims}d",
            in_format(
                functools.partial(
                    pool, how=how, ksize=ksize, strides=strides, pads=pads
                ),
                data_format,
            ),
            x(*shaped(2, 3, space, data_format)),
            ksize=list(ksize),
            strides=list(strides),
            padding=padding,
            data_format=data_format,
            label=f"{data_format} {padding}",
        )


for _dims in (1, 2, 3):
    for _format in FORMATS[_dims]:
        pools(_dims, _format, "max")
        pools(_dims, _format, "avg")
# A NaN is the largest, and takes part in a mean. Padding is neither.
_nan_image = given(np.array([[[[NAN, 1.0, 2.0, -INF], [0.0, 1.0, -INF, -INF]]]]))
case(
    "nn.max_pool2d",
    lambda a: np.array([[[[NAN, 2.0], [1.0, -INF]]]]),
    _nan_image,
    ksize=[1, 2],
    strides=[1, 2],
    padding="VALID",
    label="edges",
)
case(
    "nn.avg_pool2d",
    lambda a: np.array([[[[NAN, -INF], [0.5, -INF]]]]),
    _nan_image,
    ksize=[1, 2],
    strides=[1, 2],
    padding="VALID",
    label="edges",
)

# ===- Sizes of images -----------------------------------------------------===#


def shuffled(a, down, across):
    n, c, h, w = a.shape
    a = a.reshape(n, c // (down * across), down, across, h, w)
    out = np.zeros((n, a.shape[1], h * down, w * across), a.dtype)
    for i in range(down):
        for j in range(across):
            out[:, :, i::down, j::across] = a[:, :, i, j]
    return out


for _factor in (1, 2, 3):
    case(
        "nn.PixelShuffle",
        functools.partial(shuffled, down=_factor, across=_factor),
        x(2, 36, 3, 1),
        upscale_factor=_factor,
        dtypes=ALL,
    )
case(
    "nn.PixelShufflev2",
    functools.partial(shuffled, down=3, across=2),
    x(2, 12, 1, 5),
    h_upscale_factor=3,
    w_upscale_factor=2,
    dtypes=ALL,
)


def bilinear(a, axis, factor):
    """Between the centres of pixels; those at the border are repeated."""
    count = a.shape[axis]
    places = np.clip((np.arange(count * factor) + 0.5) / factor - 0.5, 0, count - 1)
    low = np.floor(places).astype(int)
    high = np.minimum(low + 1, count - 1)
    share = (places - low).reshape([-1 if i == axis else 1 for i in range(a.ndim)])
    return np.take(a, low, axis) * (1 - share) + np.take(a, high, axis) * share


for _format in FORMATS[2]:
    for _size in ((2, 2), (3, 1)):
        case(
            "layers.upsample_2d",
            in_format(lambda a, s=_size: a.repeat(s[0], 2).repeat(s[1], 3), _format),
            x(*shaped(2, 3, (5, 1), _format)),
            size=_size,
            data_format=_format,
            dtypes=ALL,
        )
        case(
            "layers.upsample_2d",
            in_format(
                lambda a, s=_size: bilinear(bilinear(a, 2, s[0]), 3, s[1]), _format
            ),
            x(*shaped(2, 3, (5, 4), _format)),
            size=_size,
            data_format=_format,
            interpolation="bilinear",
        )
