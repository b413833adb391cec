"""Convolutions, poolings and transposed convolutions in NumPy, as sums over the cells
of a window."""

import itertools

import numpy as np

FORMATS = {1: ("NCW", "NWC"), 2: ("NCHW", "NHWC"), 3: ("NCDHW", "NDHWC")}


def first(x, data_format):
    """An array with the channels second, where `data_format` has them last."""
    return np.moveaxis(x, -1, 1) if data_format.endswith("C") else x


def last(x, data_format):
    return np.moveaxis(x, 1, -1) if data_format.endswith("C") else x


def convolve(x, w, strides, pads, dilations, groups=1):
    """A convolution with the channels second: a sum over the cells of the filter."""
    x = np.pad(x, [(0, 0), (0, 0), *pads])
    window = [(k - 1) * d + 1 for k, d in zip(w.shape[2:], dilations)]
    space = [(n - k) // s + 1 for n, k, s in zip(x.shape[2:], window, strides)]
    x = x.reshape(x.shape[0], groups, -1, *x.shape[2:])
    w = w.reshape(groups, -1, *w.shape[1:])
    out = np.zeros((x.shape[0], groups, w.shape[1], *space))
    for cell in itertools.product(*map(range, w.shape[3:])):
        part = x[
            (slice(None),) * 3
            + tuple(
                slice(c * d, c * d + (n - 1) * s + 1, s)
                for c, d, n, s in zip(cell, dilations, space, strides)
            )
        ]
        out += np.einsum("ngi...,goi->ngo...", part, w[(slice(None),) * 3 + cell])
    return out.reshape(x.shape[0], -1, *space)


def pool(x, how, ksize, strides, pads):
    """A pooling with the channels second; padding is NaN, which `how` leaves out."""
    x = np.pad(x, [(0, 0), (0, 0), *pads], constant_values=np.nan)
    axes = tuple(range(2, x.ndim))
    view = np.lib.stride_tricks.sliding_window_view(x, ksize, axes)
    view = view[(slice(None),) * 2 + tuple(slice(None, None, s) for s in strides)]
    return how(view, axis=tuple(range(-len(ksize), 0)))


def transpose_of(x, w, strides, pads, dilations, space):
    """The transpose of `convolve`, by scattering the products of each cell."""
    window = [(k - 1) * d + 1 for k, d in zip(w.shape[2:], dilations)]
    padded = [n + sum(p) for n, p in zip(space, pads)]
    padded = [
        max(n, (m - 1) * s + k)
        for n, m, s, k in zip(padded, x.shape[2:], strides, window)
    ]
    out = np.zeros((x.shape[0], w.shape[1], *padded))
    for i, j in itertools.product(*map(range, w.shape[2:])):
        rows, columns = (
            slice(c * d, c * d + (n - 1) * s + 1, s)
            for c, d, n, s in zip((i, j), dilations, x.shape[2:], strides)
        )
        out[:, :, rows, columns] += np.einsum("nchw,co->nohw", x, w[:, :, i, j])
    (top, _), (left, _) = pads
    return out[:, :, top : top + space[0], left : left + space[1]]
