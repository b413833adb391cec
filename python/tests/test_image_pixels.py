"""Sizes and pixels of images, compared with Pillow and NumPy."""

import typing

import numpy as np
import PIL.Image
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from jobmlir._src import image_files
from pictures import encode, picture, read_images, run, tensor, write

RNG = np.random.default_rng(5)


# ===- Sizes -----------------------------------------------------------------===#


def by_pillow(image, width, height):
    """Bilinear interpolation without a filter."""
    rows, columns = image.shape[:2]
    transform = (columns / width, 0, 0, 0, rows / height, 0)
    return np.asarray(
        PIL.Image.fromarray(image).transform(
            (width, height),
            PIL.Image.Transform.AFFINE,
            transform,
            PIL.Image.Resampling.BILINEAR,
        )
    )


def by_areas(image, width, height):
    """The mean of what each pixel covers, by pixels that divide both."""
    fine = image.astype(float).repeat(height, axis=0).repeat(width, axis=1)
    rows, columns, channels = image.shape
    return fine.reshape(height, rows, width, columns, channels).mean((1, 3))


def by_convolution(image, width, height):
    """Bicubic interpolation, pixel by pixel, with a = -0.75."""
    a = -0.75

    def weight(d):
        d = abs(d)
        if d <= 1:
            return (a + 2) * d**3 - (a + 3) * d**2 + 1
        return a * d**3 - 5 * a * d**2 + 8 * a * d - 4 * a if d < 2 else 0

    rows, columns, channels = image.shape
    out = np.zeros((height, width, channels))
    for i in range(height):
        y = (i + 0.5) * rows / height - 0.5
        for j in range(width):
            x = (j + 0.5) * columns / width - 0.5
            for m in range(int(np.floor(y)) - 1, int(np.floor(y)) + 3):
                for n in range(int(np.floor(x)) - 1, int(np.floor(x)) + 3):
                    pixel = image[np.clip(m, 0, rows - 1), np.clip(n, 0, columns - 1)]
                    out[i, j] += pixel * (weight(y - m) * weight(x - n))
    return out


def resized(image, width, height, kind, **settings):
    images = np.stack([image, image[::-1].copy()])
    result, scale, size = run(
        lambda x: [
            *flow.image.Resize(x, (width, height), interpolation_type=kind, **settings)[
                :2
            ],
            x,
        ],
        images,
    )
    np.testing.assert_allclose(
        scale, [[width / image.shape[1], height / image.shape[0]]] * 2, rtol=1e-6
    )
    return result[0]


SIZES = [(12, 9), (7, 11), (40, 30), (13, 40), (5, 60), (20, 16), (1, 1)]


@pytest.mark.parametrize("width, height", SIZES)
def test_interpolation(width, height):
    image = picture(16, 20)
    near = resized(image, width, height, "nearest_neighbor")
    rows = np.arange(height) * 16 // height
    columns = np.arange(width) * 20 // width
    np.testing.assert_array_equal(near, image[rows][:, columns])
    linear = resized(image, width, height, "bilinear")
    assert np.abs(linear.astype(int) - by_pillow(image, width, height)).max() <= 1
    cubic = resized(image, width, height, "bicubic", dtype=flow.float)
    np.testing.assert_allclose(cubic, by_convolution(image, width, height), atol=1e-3)
    if width <= 20 and height <= 16:
        area = resized(image, width, height, "area", dtype=flow.float)
        np.testing.assert_allclose(area, by_areas(image, width, height), atol=1e-3)
    auto = resized(image, width, height, "auto")
    kind = "bilinear" if width * height >= 320 else "area"
    np.testing.assert_array_equal(auto, resized(image, width, height, kind))


def test_an_area_that_grows_along_one_axis():
    image = picture(16, 20)
    rows = by_areas(image, 20, 4)
    result = resized(image, 60, 4, "area", dtype=flow.float)
    x = (np.arange(60) + 0.5) / 3 - 0.5
    low = np.clip(np.floor(x), 0, 19).astype(int)
    high = np.clip(np.floor(x) + 1, 0, 19).astype(int)
    share = (x - np.floor(x))[:, None]
    expected = rows[:, low] * (1 - share) + rows[:, high] * share
    np.testing.assert_allclose(result, expected, atol=1e-3)


def test_ints_are_limited():
    image = np.zeros((4, 4, 1), np.uint8)
    image[:, 2:] = 255
    result = resized(image, 16, 4, "bicubic", channels=1)
    exact = by_convolution(image, 16, 4)
    assert exact.min() < -1 and exact.max() > 256
    np.testing.assert_allclose(result, np.clip(exact, 0, 255), atol=0.51)


@pytest.mark.parametrize(
    "shape, target, settings, expected",
    [
        ((20, 40), 10, {}, (20, 10)),
        ((40, 20), 10, {}, (10, 20)),
        ((20, 40), 10, {"resize_side": "longer"}, (10, 5)),
        ((20, 40), 10, {"max_size": 15}, (15, 8)),
        ((20, 40), 10, {"max_size": 20}, (20, 10)),
        ((20, 40), 10, {"resize_side": "longer", "min_size": 8}, (16, 8)),
        ((30, 30), 7, {}, (7, 7)),
        ((100, 3), 2, {}, (2, 67)),
    ],
)
def test_sizes_with_the_same_ratio(shape, target, settings, expected):
    images = picture(*shape)[None]
    width, height = expected

    def body(x):
        image, scale, size = flow.image.Resize(
            x,
            target,
            keep_aspect_ratio=True,
            interpolation_type="nearest_neighbor",
            **settings,
        )
        other, other_size, other_scale = flow.image.target_resize(
            x, target, interpolation_type="nearest_neighbor", **settings
        )
        return [
            *(tensor(i, (height, width, 3)) for i in (image, other)),
            scale,
            other_scale,
            size,
            other_size,
        ]

    image, other, scale, other_scale, size, other_size = run(body, images)
    rows = np.arange(height) * shape[0] // height
    columns = np.arange(width) * shape[1] // width
    np.testing.assert_array_equal(image[0], images[0][rows][:, columns])
    np.testing.assert_array_equal(image, other)
    np.testing.assert_array_equal(size, [expected])
    np.testing.assert_array_equal(other_size, [expected])
    assert size.dtype == np.int32
    for found in (scale, other_scale):
        np.testing.assert_allclose(
            found, [[width / shape[1], height / shape[0]]], rtol=1e-6
        )


def test_the_arguments_of_2020():
    images = picture(16, 20)[None]
    new = resized(images[0], 10, 8, "bilinear")
    for old in (
        lambda x: flow.image.Resize(
            x, "BGR", resize_x=10, resize_y=8, interp_type="Linear"
        ),
        lambda x: flow.image.Resize(
            x, color_space="RGB", resize_x=10, resize_y=8, interp_type="Linear"
        ),
    ):
        np.testing.assert_array_equal(run(old, images)[0], new)
    shorter = run(
        lambda x: tensor(flow.image.Resize(x, resize_shorter=8), (8, 10, 3)), images
    )
    np.testing.assert_array_equal(shorter[0], resized(images[0], 10, 8, "area"))


# ===- Pixels ----------------------------------------------------------------===#


def test_batch_align(tmp_path):
    images = [picture(3, 4), picture(5, 2)]
    write(tmp_path, [encode(image) for image in images])
    result = read_images(
        tmp_path,
        2,
        lambda records: flow.image.batch_align(
            flow.data.OFRecordImageDecoder(records, "image", "RGB"),
            (8, 6, 3),
            flow.float,
            2,
        ),
    )
    expected = np.zeros((2, 8, 6, 3), np.float32)
    expected[0, :3, :4] = images[0]
    expected[1, :5, :2] = images[1]
    np.testing.assert_array_equal(result, expected)
    assert result.dtype == np.float32


@pytest.mark.parametrize("mean, std", [((1, 2, 3), (2, 4, 8)), ([10], 3.0)])
def test_normalize(mean, std):
    images = picture(3, 4)[None]
    result = run(
        lambda x: tensor(flow.image.normalize(x, std, mean), (3, 4, 3), flow.float),
        images,
    )
    np.testing.assert_allclose(
        result, (images.astype(float) - mean) / std, rtol=1e-6, atol=1e-6
    )


FLIPS = {0: np.s_[:, :], 1: np.s_[:, ::-1], 16: np.s_[::-1], 17: np.s_[::-1, ::-1]}


def test_flip():
    images = np.stack([picture(3, 4, seed=i) for i in range(4)])
    for code, index in FLIPS.items():
        result = run(lambda x: tensor(flow.image.flip(x, code), (3, 4, 3)), images)
        np.testing.assert_array_equal(result, [image[index] for image in images])
    codes = np.int8([17, 0, 16, 1])
    result = run(lambda x, y: tensor(flow.image.flip(x, y), (3, 4, 3)), images, codes)
    expected = [image[FLIPS[code]] for image, code in zip(images, codes)]
    np.testing.assert_array_equal(result, expected)


def normalized(images, mean, std, layout):
    values = (images.astype(float) - mean) / std
    return values.transpose(0, 3, 1, 2) if layout == "NCHW" else values


@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
@pytest.mark.parametrize("mean, std", [((1, 2, 3), (2, 4, 8)), ([10], [3])])
def test_crop_mirror_normalize_of_a_blob(layout, mean, std):
    images = np.stack([picture(7, 9, seed=i) for i in range(3)])
    flags = np.int8([1, 0, 1])

    def body(x, y):
        return flow.image.CropMirrorNormalize(
            x,
            y,
            output_layout=layout,
            crop_h=4,
            crop_w=6,
            crop_pos_y=1,
            crop_pos_x=0.4,
            mean=mean,
            std=std,
        )

    parts = images[:, 3:, 1:7].copy()  # int(3 * 0.4)
    parts[flags == 1] = parts[flags == 1, :, ::-1]
    result = run(body, images, flags)
    np.testing.assert_allclose(
        result, normalized(parts, mean, std, layout), rtol=1e-5, atol=1e-5
    )
    assert result.dtype == np.float32
    np.testing.assert_allclose(run(body, images, flags[:, None]), result)


@pytest.mark.parametrize("resize", [False, True])
def test_crop_mirror_normalize_of_what_a_reader_has(tmp_path, resize):
    images = [picture(12, 10), picture(10, 14)]
    write(tmp_path, [encode(image) for image in images])

    def body(records):
        image = flow.data.OFRecordImageDecoder(records, "image", "RGB")
        if resize:
            image = flow.image.Resize(image, (11, 10))[0]
        normal = flow.image.CropMirrorNormalize(
            image, color_space="RGB", crop_h=8, crop_w=9, mean=[5], std=[7]
        )
        return normal, flow.image.CropMirrorNormalize(
            image, crop_h=8, crop_w=9, output_layout="NHWC", output_dtype=flow.float16
        )

    result, plain = read_images(tmp_path, 2, body)
    if resize:
        images = [image_files.resize(i, 11, 10, "auto", np.uint8) for i in images]
    parts = np.stack(
        [
            image[(image.shape[0] - 8) // 2 :, (image.shape[1] - 9) // 2 :][:8, :9]
            for image in images
        ]
    )
    np.testing.assert_allclose(
        result, normalized(parts, [5], [7], "NCHW"), rtol=1e-5, atol=1e-5
    )
    np.testing.assert_array_equal(plain, parts)
    assert plain.dtype == np.float16


def test_only_the_last_image_is_an_input(tmp_path):
    """What lies between functions of the host is not copied to the job."""
    write(tmp_path, [encode(picture(12, 10))])

    def body(records):
        image = flow.data.OFRecordImageDecoder(records, "image")
        image = flow.image.Resize(image, (11, 10))[0]
        return flow.image.CropMirrorNormalize(image, crop_h=8, crop_w=9)

    read_images(tmp_path, 1, body)
    inputs = flow.dump_ir().split("job.func")[1].split("->")[0]
    assert inputs.count("%arg") == 1 and "blob<1x8x9x3xui8>" in inputs


def test_gray_images_and_computed_ones():
    images = picture(4, 6, 1)[None]

    def body(x):
        computed = flow.cast(flow.cast(x, flow.float) * 2, flow.uint8)
        return flow.image.CropMirrorNormalize(
            computed, color_space="GRAY", crop_h=2, mean=[1]
        )

    np.testing.assert_allclose(
        run(body, images // 2),
        normalized((images // 2 * 2)[:, 1:3], 1, 1, "NCHW"),
    )


def test_buffers_of_blobs():
    array = RNG.standard_normal((3, 2, 4)).astype(np.float32)

    def body(x):
        return [
            flow.tensor_buffer_to_tensor(
                flow.tensor_to_tensor_buffer(y, 2), flow.float, (8,)
            )
            for y in (x, x * 2)
        ]

    plain, doubled = run(body, array)
    np.testing.assert_array_equal(plain, array.reshape(3, 8))
    np.testing.assert_array_equal(doubled, 2 * array.reshape(3, 8))


def test_gradients_pass_through_buffers():
    @flow.global_function(type="train")
    def job() -> tp.Numpy:
        w = flow.get_variable("w", (2, 3), initializer=flow.ones_initializer())
        buffer = flow.tensor_to_tensor_buffer(w, 1)
        loss = flow.tensor_buffer_to_tensor(buffer, flow.float, (3,)) * 2
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.6])
        flow.optimizer.SGD(rate, momentum=0).minimize(loss)
        return loss

    np.testing.assert_allclose(job(), np.full((2, 3), 2))
    # The mean of six losses: each weight moves by 0.6 * 2 / 6.
    np.testing.assert_allclose(job(), np.full((2, 3), 1.6), rtol=1e-6)


# ===- Lists of tensors --------------------------------------------------===#


def mirrored():
    config = flow.function_config()
    config.default_logical_view(flow.scope.mirrored_view())
    return config


def test_tensor_lists():
    images = np.stack([picture(3, 4, seed=i) for i in range(2)])

    @flow.global_function(function_config=mirrored())
    def job(x: tp.ListListNumpy.Placeholder(images.shape, dtype=flow.uint8)):
        buffer = flow.tensor_list_to_tensor_buffer(x)
        flipped = flow.tensor_buffer_to_tensor_list(
            flow.image.flip(buffer, 1), (3, 4, 3), flow.uint8
        )
        doubled = flow.tensor_to_tensor_buffer(flow.cast(x, flow.float) * 2, 3)
        doubled = flow.tensor_buffer_to_tensor_list(doubled, (36,), flow.float)
        return (flipped, doubled, *flow.tensor_list_split(doubled))

    flipped, doubled, *parts = job([[images]]).get()
    # An array for each example.
    np.testing.assert_array_equal(flipped.numpy_lists()[0], images[:, None, :, ::-1])
    expected = 2.0 * images.reshape(2, 36)
    np.testing.assert_array_equal(doubled.numpy_list(), expected[:, None])
    for part, row in zip(parts, expected):
        assert part.shape == (36,)
        np.testing.assert_array_equal(part.numpy(), row)


def test_a_reader_gives_a_tensor_list(tmp_path):
    write(tmp_path, [encode(picture(3, 4, seed=i)) for i in range(2)])

    @flow.global_function(function_config=mirrored())
    def job() -> tp.ListListNumpy:
        records = flow.data.ofrecord_reader(str(tmp_path), batch_size=2)
        image = flow.data.OFRecordImageDecoder(records, "image", "RGB")
        return flow.tensor_buffer_to_tensor_list(image, (3, 4, 3), flow.uint8)

    expected = [[picture(3, 4, seed=i)[None] for i in range(2)]]
    np.testing.assert_array_equal(job(), expected)


SIZES = [(3, 4), (5, 2), (1, 1), (5, 4)]


def ragged_list(shape=(5, 4, 3)):
    records = flow.data.ofrecord_reader("data", batch_size=len(SIZES))
    image = flow.data.OFRecordImageDecoder(records, "image", "RGB")
    return flow.tensor_buffer_to_tensor_list(image, shape, flow.uint8)


@pytest.fixture
def ragged(tmp_path, monkeypatch):
    """The images of records in a folder "data"."""
    images = [picture(*size, seed=i) for i, size in enumerate(SIZES)]
    (tmp_path / "data").mkdir()
    write(tmp_path / "data", [encode(image) for image in images])
    monkeypatch.chdir(tmp_path)
    return images


def same_lists(found, images):
    assert [one.shape for one in found] == [(1, *image.shape) for image in images]
    for one, image in zip(found, images):
        assert one.dtype == np.uint8 and one.flags.c_contiguous
        np.testing.assert_array_equal(one[0], image)


@pytest.mark.parametrize("shape", [(5, 4, 3), (7, 9, 3)])
def test_a_tensor_list_of_arrays_of_different_shapes(ragged, shape):
    @flow.global_function(function_config=mirrored())
    def job(x=flow.FixedTensorDef((1,))):
        listed = ragged_list(shape)
        assert listed.shape == (4, *shape) and listed.is_tensor_list
        return {"list": [listed], "x": x, "again": listed}

    for _ in range(2):
        results = job(np.ones(1, np.float32)).get()
        (found,) = results["list"]
        assert found.parallel_num() == 1
        same_lists(found.numpy_list(), ragged)
        same_lists(results["again"].numpy_lists()[0], ragged)
        assert results["x"].numpy() == 1


def test_a_tensor_list_by_the_annotation_of_a_result(ragged):
    @flow.global_function(function_config=mirrored())
    def lists() -> typing.Tuple[tp.ListListNumpy, tp.Bundle[tp.ListListNumpy]]:
        return ragged_list(), {"a": ragged_list()}

    @flow.global_function(function_config=mirrored())
    def arrays() -> typing.Tuple[tp.Numpy, tp.ListNumpy]:
        return ragged_list(), ragged_list()

    found, bundle = lists()
    for listed in (found, bundle["a"]):
        same_lists(listed[0], ragged)
    padded = np.zeros((4, 5, 4, 3), np.uint8)
    for part, image in zip(padded, ragged):
        part[: image.shape[0], : image.shape[1]] = image
    array, (item,) = arrays()
    np.testing.assert_array_equal(array, padded)
    np.testing.assert_array_equal(item, padded)


def test_a_tensor_list_of_blobs_that_are_smaller():
    seen = []

    @flow.global_function(function_config=mirrored())
    def job(x: tp.Numpy.Placeholder((2, 3))) -> tp.ListListNumpy:
        buffer = flow.tensor_to_tensor_buffer(x * 2, 1)
        listed = flow.tensor_buffer_to_tensor_list(buffer, (5,), flow.float)
        flow.watch(listed, lambda value: seen.append(value.numpy_lists()))
        return listed

    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    np.testing.assert_array_equal(job(x), [[2 * x[:1], 2 * x[1:]]])
    np.testing.assert_array_equal(seen, [[[2 * x[:1], 2 * x[1:]]]])
