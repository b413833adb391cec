"""data.decode_ofrecord, the older reader, and data.decode_random."""

import io
import math

import numpy as np
import PIL.Image
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from jobmlir._src import initializers
from models import raises_here

pytestmark = pytest.mark.filterwarnings("ignore:data.decode_ofrecord is deprecated")


def png(array):
    file = io.BytesIO()
    PIL.Image.fromarray(array).save(file, "PNG")
    return file.getvalue()


def picture(seed, height=4, width=6):
    rng = np.random.default_rng(seed)
    return rng.integers(0, 256, (height, width, 3), dtype=np.uint8)


def decode(folder, confs, calls=1, **settings):
    flow.clear_default_session()

    @flow.global_function()
    def job() -> tp.Bundle[tp.Numpy]:
        return flow.data.decode_ofrecord(str(folder), confs, **settings)

    results = [job() for _ in range(calls)]
    return results[0] if calls == 1 else results


@pytest.fixture
def folder(tmp_path):
    flow.data.write_ofrecord(
        tmp_path / "part-0",
        [
            {"image": png(picture(i)), "label": [i], "x": np.float32([i] * (1 + i % 2))}
            for i in range(6)
        ],
    )
    return tmp_path


def image_conf(preprocessors=None, shape=(4, 6, 3), dtype=flow.float, after=None):
    codec = flow.data.ImageCodec(preprocessors)
    return flow.data.BlobConf("image", shape, dtype, codec, after)


def label_conf(name="label", shape=(1,), **settings):
    return flow.data.BlobConf(name, shape, flow.int32, flow.data.RawCodec(**settings))


def test_images_and_numbers(folder):
    images, labels = decode(folder, [image_conf(), label_conf()], batch_size=4)
    expected = np.stack([picture(i)[..., ::-1] for i in range(4)])
    np.testing.assert_array_equal(images, expected)
    assert images.dtype == np.float32
    np.testing.assert_array_equal(labels, [[0], [1], [2], [3]])
    assert labels.dtype == np.int32


def test_preprocessors_of_images(folder):
    data = flow.data
    confs = [
        image_conf([data.ImagePreprocessor("BGR2RGB")]),
        image_conf([data.ImageResizePreprocessor(3, 2)], (2, 3, 3), flow.uint8),
        image_conf([data.ImagePreprocessor("mirror")]),
    ]
    rgb, small, mirrored = decode(folder, confs, batch_size=6)
    np.testing.assert_array_equal(rgb, [picture(i) for i in range(6)])
    for i in range(6):
        image = picture(i)[..., ::-1]
        # Half the size: the mean of the pixels around a corner.
        mean = image.reshape(2, 2, 3, 2, 3).astype(float).mean((1, 3))
        assert np.abs(small[i] - mean).max() <= 0.51
        assert (mirrored[i] == image).all() or (mirrored[i] == image[:, ::-1]).all()


def test_half_of_the_images_are_mirrored(tmp_path):
    image = picture(0)
    flow.data.write_ofrecord(tmp_path / "part-0", [{"image": png(image)}])
    conf = image_conf([flow.data.ImagePreprocessor("mirror")])
    results = decode(tmp_path, [conf], 4, batch_size=64)
    plain = [(one == image[..., ::-1]).all() for (batch,) in results for one in batch]
    assert 90 < sum(plain) < 166
    again = decode(tmp_path, [conf], 4, batch_size=64)
    np.testing.assert_array_equal(results, again)


@pytest.mark.parametrize("form", ["channels_last", "channels_first"])
@pytest.mark.parametrize("dtype", [flow.float, flow.double])
def test_normalization(tmp_path, form, dtype):
    shape = (2, 4, 3) if form == "channels_last" else (3, 2, 4)
    x = np.arange(24, dtype=np.float32).reshape(shape)
    flow.data.write_ofrecord(tmp_path / "part-0", [{"x": x}])
    mean, std = [1, 2, 3.5], [2, 4, 0.1]
    norm = flow.data.NormByChannelPreprocessor(mean, std, form)
    conf = flow.data.BlobConf("x", shape, dtype, flow.data.RawCodec(), [norm, norm])
    (result,) = decode(tmp_path, [conf])
    axes = (3,) if form == "channels_last" else (3, 1, 1)
    mean, std = (np.reshape(values, axes) for values in (mean, std))
    expected = ((x - mean) / std - mean) / std
    np.testing.assert_allclose(result[0], expected, rtol=1e-5, atol=1e-5)
    assert result.dtype == dtype.numpy


def test_padding_and_shuffling(folder):
    (padded,) = decode(
        folder, [label_conf("x", (3,), auto_zero_padding=True)], batch_size=2
    )
    np.testing.assert_array_equal(padded, [[0, 0, 0], [1, 1, 0]])
    settings = dict(batch_size=3, shuffle=True, buffer_size=4)
    first = decode(folder, [label_conf()], 4, **settings)
    np.testing.assert_array_equal(first, decode(folder, [label_conf()], 4, **settings))
    flat = [int(label) for (batch,) in first for label in batch.ravel()]
    assert flat != sorted(flat) and set(flat) == set(range(6))


def test_the_deprecation_is_said_with_the_users_line(folder):
    with pytest.warns(DeprecationWarning, match="use data.ofrecord_reader") as caught:
        decode(folder, [label_conf()])
    assert caught[0].filename == __file__


def test_an_image_of_another_shape(folder):
    with raises_here(
        ValueError,
        "expects an image of shape (5, 6, 3) in feature 'image' but got (4, 6, 3): "
        f"record 0 of {folder}/part-0",
    ):
        decode(folder, [image_conf(shape=(5, 6, 3))])


BAD = {
    "expects preprocessor to be 'bgr2rgb' or 'mirror' but got 'flip'": (
        lambda data: data.ImagePreprocessor("flip")
    ),
    "expects height to be a positive int but got 0": (
        lambda data: data.ImageResizePreprocessor(3, 0)
    ),
    "expects image_preprocessors to be a list of ImagePreprocessor and": (
        lambda data: data.ImageCodec([3])
    ),
    "expects auto_zero_padding to be a bool but got 1": lambda data: data.RawCodec(1),
    "expects mean_values to be a list of numbers but got 3": (
        lambda data: data.NormByChannelPreprocessor(3)
    ),
    "expects 2 values of std_values, as many as of mean_values, but got 3": (
        lambda data: data.NormByChannelPreprocessor([1, 2])
    ),
    "expects std_values without zeros but got [0]": (
        lambda data: data.NormByChannelPreprocessor([1], [0])
    ),
    "expects data_format to be 'channels_last' or 'channels_first' but got 'NCHW'": (
        lambda data: data.NormByChannelPreprocessor([1], [1], "NCHW")
    ),
    "expects name to be a str but got 3": (
        lambda data: data.BlobConf(3, (1,), flow.float, data.RawCodec())
    ),
    "expects shape to be a list of positive ints but got 3": (
        lambda data: data.BlobConf("x", 3, flow.float, data.RawCodec())
    ),
    "expects at most 2^59 elements but got more": (
        lambda data: data.BlobConf("x", (2**60,), flow.float, data.RawCodec())
    ),
    "expects codec to be a RawCodec or ImageCodec but got None": (
        lambda data: data.BlobConf("x", (1,), flow.float, None)
    ),
    "expects preprocessors to be a list of NormByChannelPreprocessor but got 3": (
        lambda data: data.BlobConf("x", (1,), flow.float, data.RawCodec(), 3)
    ),
}


@pytest.mark.parametrize("message", BAD)
def test_descriptions(message):
    with raises_here(AssertionError, message):
        BAD[message](flow.data)


def test_what_does_not_fit(folder):
    with raises_here(Exception, "expects blobs to be a list of BlobConf but got []"):
        decode(folder, [])
    with raises_here(Exception, "expects shuffle to be a bool but got 1"):
        decode(folder, [label_conf()], shuffle=1)
    norm = flow.data.NormByChannelPreprocessor([1, 2, 3])
    with raises_here(
        Exception, "expects 3 channels in dimension 2 of the shape of a blob but got"
    ):
        decode(folder, [image_conf(shape=(3, 4, 6), after=[norm])])
    with raises_here(
        Exception, "a blob of float32 or float64 to normalize but got uint8"
    ):
        decode(folder, [image_conf(dtype=flow.uint8, after=[norm])])


# ===- decode_random ----------------------------------------------------------===#


def random(shape, dtype=flow.float, calls=2, kind="predict", seed=None, **settings):
    flow.clear_default_session()
    if seed is not None:
        flow.config.random_seed(seed)

    @flow.global_function(type=kind)
    def job() -> tp.Numpy:
        x = flow.data.decode_random(shape, dtype, **settings)
        if kind == "train":
            w = flow.get_variable("w", (1,), initializer=flow.ones_initializer())
            rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
            flow.optimizer.SGD(rate, momentum=0).minimize(x * w)
        return x

    return [job() for _ in range(calls)]


def check_moments(x, mean, deviation):
    error = deviation / math.sqrt(x.size)
    assert abs(x.mean() - mean) < 5 * error
    assert abs(x.std() - deviation) < 5 * error


@pytest.mark.parametrize("kind", ["predict", "train"])
def test_uniform_numbers_are_new_in_each_step(kind):
    first, second = random((20, 30), batch_size=10, kind=kind)
    assert first.shape == (10, 20, 30) and first.dtype == np.float32
    for x in (first, second):
        assert x.min() > 0 and x.max() < 1
        check_moments(x, 0.5, math.sqrt(1 / 12))
    assert (first != second).mean() > 0.99
    np.testing.assert_array_equal(random((20, 30), batch_size=10, kind=kind)[0], first)
    other, _ = random((20, 30), batch_size=10, kind=kind, seed=7)
    assert (other != first).mean() > 0.99


TRUNCATED = 0.87962566103423978

MAKERS = {
    "normal": (lambda: flow.random_normal_initializer(2, 3), 2, 3, None),
    "truncated": (
        lambda: flow.truncated_normal_initializer(2, 3),
        2,
        3 * TRUNCATED,
        (-4, 8),
    ),
    "uniform": (
        lambda: flow.random_uniform_initializer(-3, 5),
        1,
        8 / math.sqrt(12),
        (-3, 5),
    ),
    "scaled normal": (
        lambda: flow.variance_scaling_initializer(8.0, "fan_in", "random_normal"),
        0,
        math.sqrt(8 / 600),
        None,
    ),
    "scaled truncated": (
        lambda: flow.variance_scaling_initializer(8.0, "fan_in"),
        0,
        math.sqrt(8 / 600),
        None,
    ),
    "scaled uniform": (
        lambda: flow.variance_scaling_initializer(8.0, "fan_in", "random_uniform"),
        0,
        math.sqrt(8 / 600),
        (-0.2, 0.2),
    ),
}


@pytest.mark.parametrize("dtype", [flow.float, flow.double])
@pytest.mark.parametrize("name", MAKERS)
def test_distributions(name, dtype):
    make, mean, deviation, limits = MAKERS[name]
    (x,) = random((20, 30), dtype, 1, batch_size=20, initializer=make())
    assert x.dtype == dtype.numpy
    check_moments(x, mean, deviation)
    if limits:
        assert limits[0] <= x.min() and x.max() <= limits[1]


def test_ints_and_constants():
    uniform = flow.random_uniform_initializer(-2, 3)
    (x,) = random((500,), flow.int32, 1, batch_size=2, initializer=uniform)
    counts = np.unique_counts(x)
    assert counts.values.tolist() == [-2, -1, 0, 1, 2]
    assert counts.counts.min() > 140 and x.dtype == np.int32
    ones = flow.constant_initializer(4)
    (x,) = random((), flow.int64, 1, batch_size=3, initializer=ones)
    assert x.tolist() == [4, 4, 4]


def test_normal_numbers_as_ints():
    normal = flow.random_normal_initializer(10, 4)
    (x,) = random((1000,), flow.int32, 1, batch_size=4, initializer=normal)
    # Rounded down: half of one less.
    check_moments(x, 9.5, math.sqrt(16 + 1 / 12))


INITIALIZERS = {
    "zeros": flow.zeros_initializer,
    "ones": flow.ones_initializer,
    "glorot uniform": flow.glorot_uniform_initializer,
    "glorot normal": flow.glorot_normal_initializer,
    "xavier normal": flow.xavier_normal_initializer,
    "kaiming": lambda: flow.kaiming_initializer((40, 50)),
    "channels last": lambda: flow.variance_scaling_initializer(data_format="NHWC"),
    "array": lambda: np.linspace(-1, 1, 2000).reshape(40, 50),
}


@pytest.mark.parametrize("name", INITIALIZERS)
def test_the_numbers_of_a_variable(name):
    """Of the same distribution as those that a variable begins with."""
    (x,) = random((50,), flow.float, 1, batch_size=40, initializer=INITIALIZERS[name]())
    flow.clear_default_session()

    @flow.global_function()
    def job() -> tp.Numpy:
        return flow.get_variable("w", (40, 50), initializer=INITIALIZERS[name]())

    w = job()
    assert x.shape == w.shape and x.dtype == w.dtype
    if w.std() == 0 or name == "array":
        np.testing.assert_array_equal(x, w)
    else:
        check_moments(x, 0, w.std())


@pytest.mark.parametrize(
    "settings, message",
    [
        ({"batch_size": 0}, "expects batch_size to be an int of at least 1 but got 0"),
        ({"initializer": 3}, "expects an initializer such as oneflow.zeros_initializer() but got 3"),
        ({"tick": 3}, "expects tick to be a blob but got int"),
        (
            {"initializer": np.zeros(3)},
            "expects an array of shape (1, 2) as the variable has but got (3,)",
        ),
    ],
)
def test_arguments_of_decode_random(settings, message):
    with raises_here(Exception, message):
        random((2,), **settings)
