"""Images as arrays of (height, width, channels): decoded by Pillow, cropped and resized
as the API says. Nothing here knows of jobs."""

import functools
import io
import math

import numpy

from .host_graph import Problem

COLOR_SPACES = ("RGB", "BGR", "GRAY")
INTERPOLATIONS = ("auto", "bilinear", "nearest_neighbor", "bicubic", "area")
# The sharpness of bicubic interpolation, as in OpenCV.
_CUBIC = -0.75


def pillow_or_reason():
    """None if Pillow is there, else what to tell the user."""
    try:
        import PIL.Image
    except ImportError:
        return (
            "expects the package Pillow to decode images but got none; install it with "
            "'pip install pillow'"
        )
    PIL.Image.preinit()  # registers its formats before several threads decode
    return None


def channels_of(color_space):
    """The number of channels of a color space."""
    return 1 if color_space == "GRAY" else 3


def decode(data, color_space):
    """An array of uint8 from a file's bytes, upright as the file's EXIF data tell. The
    alpha channel is dropped, and of 16 bits the high half is kept. Raises Problem."""
    import PIL.Image
    import PIL.ImageOps

    try:
        with PIL.Image.open(io.BytesIO(data)) as file:
            if color_space == "GRAY":
                file.draft("L", None)  # of a JPEG, the brightness that it has
            image = PIL.ImageOps.exif_transpose(file)
            if image.mode.startswith("I;16"):
                high = (numpy.asarray(image) >> 8).astype(numpy.uint8)
                image = PIL.Image.fromarray(high)
            mode = "L" if color_space == "GRAY" else "RGB"
            array = numpy.asarray(image.convert(mode))
    except Exception as error:  # broken files raise all kinds
        reason = str(error) or type(error).__name__
        if isinstance(error, PIL.UnidentifiedImageError):
            reason = "no format that Pillow knows"
        raise Problem(f"expects an encoded image but got {len(data)} bytes: {reason}")
    if color_space == "GRAY":
        return array[:, :, None]
    return array[:, :, ::-1] if color_space == "BGR" else array


def check_image(array):
    """Raises Problem if an array is no image."""
    if array.ndim != 3 or 0 in array.shape:
        raise Problem(
            f"expects an image of shape (height, width, channels) but got {array.shape}"
        )


# ===- Random crops -------------------------------------------------------===#


def random_window(draws, height, width, attempts, area, ratio):
    """(top, left, height, width) of a random part: its area is a random share of the
    image's, and its width by its height random with a uniform logarithm. After that
    many attempts that do not fit, the largest part with a ratio in the range."""
    least, most = ratio
    widest = max(1, int(height * most))
    tallest = max(1, int(width / least))
    if height * widest < area[0] * height * width:
        size = (height, widest)
    elif width * tallest < area[0] * height * width:
        size = (tallest, width)
    else:
        size = None
        for _ in range(attempts):
            target = draws.uniform(*area) * height * width
            shape = math.exp(draws.uniform(math.log(least), math.log(most)))
            h = max(1, round(math.sqrt(target / shape)))
            w = max(1, round(math.sqrt(target * shape)))
            if w <= width and h <= height and least <= w / h <= most:
                size = (h, w)
                break
        if size is None:
            size = (height, width)
            if width / height > most:
                size = (height, widest)
            elif width / height < least:
                size = (tallest, width)
            share = min(1.0, area[1] * height * width / (size[0] * size[1]))
            size = tuple(max(1, int(extent * math.sqrt(share))) for extent in size)
    h, w = min(size[0], height), min(size[1], width)
    top = int(draws.uniform(0, height - h + 1))
    left = int(draws.uniform(0, width - w + 1))
    return top, left, h, w


def crop(image, window):
    """A part of an image."""
    top, left, height, width = window
    return image[top : top + height, left : left + width]


# ===- Sizes --------------------------------------------------------------===#


def size_keeping_ratio(width, height, target, longer, least, most):
    """(width, height) such that the longer or the shorter side is `target`, unless the
    other one would be less than `least` or more than `most`; 0 is no limit."""
    ratio = min(width, height) / max(width, height)

    def rounded(value):
        return max(1, math.floor(value + 0.5))

    if longer:
        long, short = target, rounded(target * ratio)
        if least and short < least:
            long, short = rounded(least / ratio), least
    else:
        long, short = rounded(target / ratio), target
        if most and long > most:
            long, short = most, rounded(most * ratio)
    return (short, long) if width < height else (long, short)


# ===- Interpolation ------------------------------------------------------===#


def _cubic_weight(distance):
    d, a = numpy.abs(distance), _CUBIC
    near = ((a + 2) * d - (a + 3)) * d * d + 1
    far = ((a * d - 5 * a) * d + 8 * a) * d - 4 * a
    return numpy.where(d <= 1, near, numpy.where(d < 2, far, 0))


@functools.lru_cache(256)
def _taps(kind, before, after):
    """The indices and weights, (after, taps) each, of the pixels along an axis that
    make each new one. Pixels past an edge are those of the edge."""
    scale = before / after
    places = numpy.arange(after)
    if kind == "area" and before <= after:
        kind = "bilinear"
    if kind == "nearest_neighbor":
        first, count = places * before // after, 1
    elif kind == "area":
        first, count = numpy.floor(places * scale), math.ceil(scale) + 1
    else:
        centers = (places + 0.5) * scale - 0.5
        count = 2 if kind == "bilinear" else 4
        first = numpy.floor(centers) - (count // 2 - 1)
    indices = first.astype(numpy.int64)[:, None] + numpy.arange(count)
    if kind == "nearest_neighbor":
        weights = numpy.ones(indices.shape)
    elif kind == "area":
        low, high = (places * scale)[:, None], ((places + 1) * scale)[:, None]
        covered = numpy.minimum(indices + 1, high) - numpy.maximum(indices, low)
        weights = numpy.clip(covered, 0, 1) / scale
    elif kind == "bilinear":
        weights = 1 - numpy.abs(centers[:, None] - indices)
    else:
        weights = _cubic_weight(centers[:, None] - indices)
    return numpy.clip(indices, 0, before - 1), weights.astype(numpy.float32)


def _along_rows(image, kind, size):
    indices, weights = _taps(kind, image.shape[0], size)
    out = image[indices[:, 0]] * weights[:, 0, None, None]
    for tap in range(1, indices.shape[1]):
        out += image[indices[:, tap]] * weights[:, tap, None, None]
    return out


def resize(image, width, height, kind, dtype):
    """An image of another size. Pixels are squares: centers are at 0.5, 1.5 and so on.

    "nearest_neighbor" takes the pixel at floor(x * old / new), "bilinear" and "bicubic"
    (a = -0.75) interpolate between pixels, "area" is the mean of what a new pixel
    covers, and along an axis that grows "bilinear". "auto" is "area" for fewer pixels,
    else "bilinear". Ints are rounded and limited to their range."""
    if kind == "auto":
        grows = width * height >= image.shape[0] * image.shape[1]
        kind = "bilinear" if grows else "area"
    if image.shape[:2] == (height, width):
        out = image
    elif kind == "nearest_neighbor":
        rows, columns = (
            _taps(kind, before, after)[0][:, 0]
            for before, after in zip(image.shape, (height, width))
        )
        out = image[rows[:, None], columns]
    else:
        out = _along_rows(image.astype(numpy.float32), kind, height)
        out = _along_rows(out.swapaxes(0, 1), kind, width).swapaxes(0, 1)
    if out.dtype != dtype and numpy.issubdtype(dtype, numpy.integer):
        limits = numpy.iinfo(dtype)
        out = numpy.clip(numpy.rint(out), limits.min, limits.max)
    return out.astype(dtype)
