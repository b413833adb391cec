"""Images: decoders, sizes and pixels, compared with Pillow and NumPy."""

import io
import sys
import typing

import numpy as np
import PIL.Image
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from jobmlir._src import image_files
from jobmlir._src.random_bits import Draws
from models import raises_here

RNG = np.random.default_rng(5)


def picture(height, width, channels=3, seed=0):
    rng = np.random.default_rng([height, width, seed])
    return rng.integers(0, 256, (height, width, channels), dtype=np.uint8)


def smooth(height, width):
    """What JPEG keeps."""
    y, x = np.mgrid[:height, :width]
    return np.stack([4 * x % 200, 3 * y % 200, x + y], -1).astype(np.uint8)


def encode(array, form="PNG", **settings):
    file = io.BytesIO()
    image = PIL.Image.fromarray(array[:, :, 0] if array.shape[2] == 1 else array)
    image.save(file, form, **settings)
    return file.getvalue()


def write(folder, images, **features):
    """A part with the bytes of images and int features."""
    flow.data.write_ofrecord(
        folder / "part-0",
        [
            {"image": image, **{name: values[i] for name, values in features.items()}}
            for i, image in enumerate(images)
        ],
    )


def read_images(folder, count, body):
    """What `body` makes of the records of a batch."""
    flow.clear_default_session()

    @flow.global_function()
    def job() -> tp.Bundle[tp.Numpy]:
        return body(flow.data.ofrecord_reader(str(folder), batch_size=count))

    return job()


def run(body, *arrays):
    """What `body` makes of arguments."""
    flow.clear_default_session()
    types = [tp.Numpy.Placeholder(a.shape, dtype=DTYPES[a.dtype.name]) for a in arrays]
    if len(arrays) == 1:

        @flow.global_function()
        def job(x: types[0]) -> tp.Bundle[tp.Numpy]:
            return body(x)

    else:

        @flow.global_function()
        def job(x: types[0], y: types[1]) -> tp.Bundle[tp.Numpy]:
            return body(x, y)

    return job(*arrays)


DTYPES = {
    name: getattr(flow, name) for name in ("float32", "uint8", "int8", "int32", "float16")
}


def tensor(buffer, shape, dtype=flow.uint8):
    return flow.tensor_buffer_to_tensor(buffer, dtype, shape)


# ===- Decoding --------------------------------------------------------------===#


def decoded(folder, files, shape, color_space="RGB"):
    write(folder, files)
    return read_images(
        folder,
        len(files),
        lambda records: tensor(
            flow.data.OFRecordImageDecoder(records, "image", color_space), shape
        ),
    )


@pytest.mark.parametrize("form", ["PNG", "BMP", "TIFF"])
def test_colors(tmp_path, form):
    images = [picture(5, 7, seed=i) for i in range(9)]
    files = [encode(image, form) for image in images]
    expected = np.stack(images)
    np.testing.assert_array_equal(decoded(tmp_path, files, (5, 7, 3)), expected)
    np.testing.assert_array_equal(
        decoded(tmp_path, files, (5, 7, 3), "bgr"), expected[..., ::-1]
    )
    gray = decoded(tmp_path, files, (5, 7, 1), "GRAY")[..., 0]
    luma = expected @ [0.299, 0.587, 0.114]
    assert np.abs(gray - luma).max() <= 1


def test_jpeg(tmp_path):
    image = smooth(40, 60)
    result = decoded(tmp_path, [encode(image, "JPEG", quality=95)], (40, 60, 3))
    assert np.abs(result[0].astype(int) - image).mean() < 3


def test_gray_alpha_palette_and_16_bits(tmp_path):
    gray = picture(4, 6, 1)
    three = np.repeat(gray, 3, axis=2)
    np.testing.assert_array_equal(decoded(tmp_path, [encode(gray)], (4, 6, 3))[0], three)
    alpha = picture(4, 6, 4)
    np.testing.assert_array_equal(
        decoded(tmp_path, [encode(alpha)], (4, 6, 3))[0], alpha[:, :, :3]
    )
    deep = RNG.integers(0, 65536, (4, 6, 1)).astype(np.uint16)
    np.testing.assert_array_equal(
        decoded(tmp_path, [encode(deep)], (4, 6, 1), "GRAY")[0], deep >> 8
    )
    file = io.BytesIO()
    PIL.Image.fromarray(three).quantize(256).save(file, "PNG")
    np.testing.assert_array_equal(
        decoded(tmp_path, [file.getvalue()], (4, 6, 3))[0], three
    )


def test_exif_turns_images_upright(tmp_path):
    image = smooth(16, 24)
    exif = PIL.Image.Exif()
    exif[0x0112] = 6  # to be turned by 90 degrees, clockwise
    data = encode(image, "JPEG", quality=95, exif=exif)
    result = decoded(tmp_path, [data], (24, 16, 3))[0]
    assert np.abs(result.astype(int) - np.rot90(image, -1)).mean() < 5


def test_the_thread_gives_the_images_in_order(tmp_path):
    images = [np.full((3, 3, 3), i, np.uint8) for i in range(40)]
    result = decoded(tmp_path, [encode(image) for image in images], (3, 3, 3))
    assert result[:, 0, 0, 0].tolist() == list(range(40))


def test_bytes_and_image_decode(tmp_path):
    images = [picture(3, 4, seed=i) for i in range(2)]
    write(tmp_path, [encode(image) for image in images])

    def body(records):
        data = flow.data.OFRecordBytesDecoder(records, "image")
        return (
            tensor(flow.image.decode(data, color_space="RGB"), (3, 4, 3)),
            tensor(flow.image.decode(data, flow.float), (3, 4, 3), flow.float),
        )

    rgb, bgr = read_images(tmp_path, 2, body)
    np.testing.assert_array_equal(rgb, images)
    np.testing.assert_array_equal(bgr, np.stack(images)[..., ::-1])
    assert bgr.dtype == np.float32


def test_bytes_as_a_blob(tmp_path):
    write(tmp_path, [b"abc", b"xyz"])
    result = read_images(
        tmp_path,
        2,
        lambda records: tensor(flow.data.OFRecordBytesDecoder(records, "image"), (3,)),
    )
    np.testing.assert_array_equal(result, [list(b"abc"), list(b"xyz")])


def test_encoded_images_as_an_argument():
    data = np.frombuffer(encode(picture(3, 4)), np.uint8)[None]
    result = run(
        lambda x: tensor(
            flow.image.decode(flow.tensor_to_tensor_buffer(x, 1), color_space="RGB"),
            (3, 4, 3),
        ),
        data,
    )
    np.testing.assert_array_equal(result[0], picture(3, 4))


def test_the_classification_reader(tmp_path):
    images = [picture(3, 4, seed=i) for i in range(4)]
    write(tmp_path, [encode(image) for image in images], label=[[3], [1], [4], [1]])
    flow.clear_default_session()

    @flow.global_function()
    def job() -> typing.Tuple[tp.Numpy, tp.Numpy]:
        image, label = flow.data.ofrecord_image_classification_reader(
            str(tmp_path), "image", "label", batch_size=3, color_space="RGB"
        )
        return tensor(image, (3, 4, 3)), tensor(label, (1,), flow.int32)

    result, labels = job()
    np.testing.assert_array_equal(result, images[:3])
    np.testing.assert_array_equal(labels, [[3], [1], [4]])
    result, labels = job()
    np.testing.assert_array_equal(labels, [[1], [3], [1]])
    np.testing.assert_array_equal(result[0], images[3])


# ===- Random crops ------------------------------------------------------------===#


def windows(height, width, count=400, area=(0.08, 1.0), ratio=(0.75, 4 / 3)):
    draws = Draws(1, "test")
    return np.array(
        [
            image_files.random_window(draws.at(i), height, width, 10, area, ratio)
            for i in range(count)
        ]
    )


def test_windows_are_in_the_image_and_in_their_ranges():
    found = windows(100, 120)
    top, left, height, width = found.T
    assert (found >= 0).all() and (height > 0).all() and (width > 0).all()
    assert (top + height <= 100).all() and (left + width <= 120).all()
    assert (width / height >= 0.75).all() and (width / height <= 4 / 3).all()
    shares = height * width / 12000
    # Rounded to pixels.
    assert shares.min() >= 0.07 and shares.max() <= 1
    assert 0.4 < shares.mean() < 0.6  # 0.54, less those that do not fit
    logs = np.log(width / height)
    assert abs(logs.mean()) < 0.05 and len(np.unique(top)) > 40


def test_windows_of_long_images():
    for window in windows(10, 400, 20):
        assert window[2] == 10 and window[3] == 13  # all rows, the widest ratio
    for window in windows(400, 10, 20):
        assert window[3] == 10 and window[2] == 13


def crops(folder, seed=None, **settings):
    def body(records):
        image = flow.data.OFRecordImageDecoderRandomCrop(
            records, "image", "RGB", seed=seed, name="crop", **settings
        )
        return flow.image.Resize(image, (8, 8))[0]

    return read_images(folder, 6, body)


def test_random_crops_depend_on_the_seed_only(tmp_path):
    write(tmp_path, [encode(picture(20, 30))] * 6)
    first = crops(tmp_path)
    np.testing.assert_array_equal(first, crops(tmp_path))
    assert (first != crops(tmp_path, seed=5)).any()
    np.testing.assert_array_equal(first, crops(tmp_path, seed=-1))
    # Each example has its own.
    assert len({image.tobytes() for image in first}) == 6


def test_a_crop_of_all_is_the_image(tmp_path):
    image = picture(8, 8)
    write(tmp_path, [encode(image)] * 6)
    result = crops(tmp_path, random_area=[1, 1], random_aspect_ratio=[1, 1])
    np.testing.assert_array_equal(result, [image] * 6)


def test_image_random_crop_is_a_part():
    images = np.arange(2 * 20 * 20 * 3).reshape(2, 20, 20, 3) % 251
    images = images.astype(np.uint8)

    def body(x):
        part = flow.image.random_crop(
            x, random_area=[0.25, 0.25], random_aspect_ratio=[1, 1], seed=3
        )
        return tensor(part, (10, 10, 3))

    for image, part in zip(images, run(body, images)):
        places = [
            (top, left)
            for top in range(11)
            for left in range(11)
            if (image[top : top + 10, left : left + 10] == part).all()
        ]
        assert len(places) == 1


def test_decode_crop_and_resize(tmp_path):
    image = np.full((30, 40, 3), (10, 20, 30), np.uint8)
    write(tmp_path, [encode(image)] * 3)

    def body(records):
        return flow.data.ImageDecoderRandomCropResize(
            flow.data.OFRecordBytesDecoder(records, "image"), 5, 4
        )

    result = read_images(tmp_path, 3, body)
    assert result.shape == (3, 4, 5, 3) and result.dtype == np.uint8
    np.testing.assert_array_equal(result, np.broadcast_to(image[:4, :5], result.shape))


# ===- Sizes ---------------------------------------------------------------------===#


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
        lambda x: flow.image.Resize(x, "BGR", resize_x=10, resize_y=8, interp_type="Linear"),
        lambda x: flow.image.Resize(
            x, color_space="RGB", resize_x=10, resize_y=8, interp_type="Linear"
        ),
    ):
        np.testing.assert_array_equal(run(old, images)[0], new)
    shorter = run(
        lambda x: tensor(flow.image.Resize(x, resize_shorter=8), (8, 10, 3)), images
    )
    np.testing.assert_array_equal(shorter[0], resized(images[0], 10, 8, "area"))


# ===- Pixels --------------------------------------------------------------------===#


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
    result = run(
        lambda x, y: tensor(flow.image.flip(x, y), (3, 4, 3)), images, codes
    )
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
            image[
                (image.shape[0] - 8) // 2 :, (image.shape[1] - 9) // 2 :
            ][:8, :9]
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


# ===- Errors ---------------------------------------------------------------------===#


def broken(folder, body, message, cls=ValueError):
    with raises_here(cls, message):
        read_images(folder, 1, body)


@pytest.mark.parametrize(
    "data, reason",
    [
        (b"", "0 bytes: no format that Pillow knows"),
        (b"not an image", "12 bytes: no format that Pillow knows"),
        (encode(picture(9, 9))[:60], "60 bytes: "),
        (encode(smooth(64, 64), "JPEG")[:700], "700 bytes: "),
    ],
)
def test_damaged_images(tmp_path, data, reason):
    write(tmp_path, [data])
    for body in (
        lambda r: tensor(flow.data.OFRecordImageDecoder(r, "image"), (9, 9, 3)),
        lambda r: flow.data.ImageDecoderRandomCropResize(
            flow.data.OFRecordBytesDecoder(r, "image"), 3, 3
        ),
    ):
        broken(tmp_path, body, f"expects an encoded image but got {reason}")


def test_random_damage_never_crashes():
    data = encode(smooth(32, 32), "JPEG")
    rng = np.random.default_rng(1)
    for _ in range(200):
        changed = bytearray(data)
        for place in rng.integers(0, len(data), 5):
            changed[place] = rng.integers(256)
        try:
            image_files.decode(bytes(changed), "RGB")
        except image_files.Problem:
            pass


def test_what_does_not_fit(tmp_path):
    write(tmp_path, [encode(picture(5, 6))], label=[[1, 2]])

    def images(records):
        return flow.data.OFRecordImageDecoder(records, "image")

    image, where = flow.image, f": record 0 of {tmp_path}/part-0, at byte 0"
    broken(
        tmp_path,
        lambda r: tensor(images(r), (5, 5, 3)),
        "expects 75 elements of shape (5, 5, 3) but got an array of shape (5, 6, 3)"
        + where,
    )
    broken(
        tmp_path,
        lambda r: tensor(images(r), (5, 6, 3), flow.float),
        "expects an array of float32 but got uint8" + where,
    )
    broken(
        tmp_path,
        lambda r: image.Resize(images(r), (3, 3), channels=1)[0],
        "expects an image of 1 channels but got 3" + where,
    )
    broken(
        tmp_path,
        lambda r: image.CropMirrorNormalize(images(r), crop_h=6, crop_w=6),
        "expects an image of at least (6, 6) to crop but got (5, 6)" + where,
    )
    broken(
        tmp_path,
        lambda r: image.CropMirrorNormalize(
            images(r), color_space="GRAY", crop_h=5, crop_w=5
        ),
        "expects an image of uint8 with 1 channels but got uint8 of shape (5, 6, 3)"
        + where,
    )
    broken(
        tmp_path,
        lambda r: image.batch_align(images(r), (6, 6, 3), flow.uint8, 4),
        "expects an image of at most (6, 6, 3) but got (5, 6, 3), which is (8, 8, 3) "
        "with alignment 4" + where,
    )
    broken(
        tmp_path,
        lambda r: tensor(image.normalize(images(r), [1, 2], 0), (5, 6, 3), flow.float),
        "expects 3 values of std, one per channel, but got 2" + where,
    )
    broken(
        tmp_path,
        lambda r: tensor(
            flow.data.ofrecord_image_classification_reader(
                str(tmp_path), "image", "label"
            )[1],
            (1,),
            flow.int32,
        ),
        "expects one int of feature 'label' but got 2 of int64" + where,
    )
    with raises_here(ValueError, "expects a flip code of 0, 1, 16 or 17 but got 2"):
        run(
            lambda x, y: tensor(image.flip(x, y), (5, 6, 3)),
            picture(5, 6)[None],
            np.int8([2]),
        )
    with raises_here(
        ValueError,
        "expects an image of shape (height, width, channels) but got (6,): example 0",
    ):
        run(lambda x: image.Resize(x, (2, 2))[0], np.zeros((5, 6), np.uint8))


BAD = {
    "expects color_space to be one of 'RGB', 'BGR', 'GRAY' but got 'HSV'": (
        lambda x: flow.image.CropMirrorNormalize(x, color_space="HSV")
    ),
    "expects output_layout to be one of 'NCHW', 'NHWC' but got 'CHW'": (
        lambda x: flow.image.CropMirrorNormalize(x, output_layout="CHW")
    ),
    "expects crop_h to be an int of at least 0 but got -1": (
        lambda x: flow.image.CropMirrorNormalize(x, crop_h=-1)
    ),
    "expects crop_pos_x in [0, 1] but got 2": (
        lambda x: flow.image.CropMirrorNormalize(x, crop_pos_x=2)
    ),
    "expects one or 3 values of mean but got 2": (
        lambda x: flow.image.CropMirrorNormalize(x, mean=[1, 2])
    ),
    "expects std without zeros but got [0.0]": (
        lambda x: flow.image.CropMirrorNormalize(x, std=[0])
    ),
    "expects values of mean that float32 can hold but got [1e+300]": (
        lambda x: flow.image.CropMirrorNormalize(x, mean=1e300)
    ),
    "expects mean to have a number per channel but got none": (
        lambda x: flow.image.CropMirrorNormalize(x, mean=[])
    ),
    "expects each value of std to be a number but got 'a'": (
        lambda x: flow.image.CropMirrorNormalize(x, std=["a"])
    ),
    "expects output_dtype to be a float but got int32": (
        lambda x: flow.image.CropMirrorNormalize(x, output_dtype=flow.int32)
    ),
    "expects a crop of at most (4, 6) but got (5, 6)": (
        lambda x: flow.image.CropMirrorNormalize(x, crop_h=5)
    ),
    "expects 1 channels of input_blob but got 3": (
        lambda x: flow.image.CropMirrorNormalize(x, color_space="gray")
    ),
    "expects input_blob of uint8 and shape (batch, height, width, channels) but got "
    "float32": lambda x: flow.image.CropMirrorNormalize(flow.cast(x, flow.float)),
    "expects input_blob to be images but got 3": (
        lambda x: flow.image.CropMirrorNormalize(3)
    ),
    "expects mirror_blob of int8 and shape (2,) or (2, 1) but got uint8": (
        lambda x: flow.image.CropMirrorNormalize(x, x)
    ),
    "expects crop_h and crop_w of images of any size but got 0 and 3": (
        lambda x: flow.image.CropMirrorNormalize(flow.image.flip(x, 0), crop_w=3)
    ),
    "expects target_size to be (width, height), two positive ints, but got 5": (
        lambda x: flow.image.Resize(x, 5)
    ),
    "expects target_size to be (width, height), two positive ints, but got None": (
        lambda x: flow.image.Resize(x)
    ),
    "expects target_size to be an int of at least 1 but got (5, 5)": (
        lambda x: flow.image.Resize(x, (5, 5), keep_aspect_ratio=True)
    ),
    "expects resize_side to be one of 'shorter', 'longer' but got 'both'": (
        lambda x: flow.image.Resize(x, 5, keep_aspect_ratio=True, resize_side="both")
    ),
    "expects interpolation_type to be one of 'auto', 'bilinear'": (
        lambda x: flow.image.Resize(x, (5, 5), interpolation_type="lanczos")
    ),
    "expects interp_type to be one of 'Linear', 'Cubic', 'NN' but got 'Area'": (
        lambda x: flow.image.Resize(x, (5, 5), interp_type="Area")
    ),
    "expects channels to be 1 or 3 but got 2": (
        lambda x: flow.image.Resize(x, (5, 5), channels=2)
    ),
    "expects dtype to be uint8, float16, float32 or float64 but got int32": (
        lambda x: flow.image.Resize(x, (5, 5), dtype=flow.int32)
    ),
    "expects resize_x to be an int of at least 0 but got -1": (
        lambda x: flow.image.Resize(x, resize_x=-1, resize_y=3)
    ),
    "expects image to be a blob but got int": lambda x: flow.image.Resize(3, (5, 5)),
    "expects image to be an argument of the job, or of a reader or decoder, but got "
    "Add": lambda x: flow.image.Resize(x + 1, (5, 5)),
    "expects num_attempts to be an int of at least 1 but got 0": (
        lambda x: flow.image.random_crop(x, num_attempts=0)
    ),
    "expects seed to be None or an int but got 1.5": (
        lambda x: flow.image.random_crop(x, seed=1.5)
    ),
    "expects random_area to be two numbers but got 3": (
        lambda x: flow.image.random_crop(x, random_area=3)
    ),
    "expects random_area to be (low, high), 0 < low <= high <= 1, but got [0.5, 2]": (
        lambda x: flow.image.random_crop(x, random_area=[0.5, 2])
    ),
    "expects random_aspect_ratio to be (low, high), 0 < low <= high, but got (2, 1)": (
        lambda x: flow.image.random_crop(x, random_aspect_ratio=(2, 1))
    ),
    "expects shape to be three positive ints but got [4]": (
        lambda x: flow.image.batch_align(x, [4], flow.float, 1)
    ),
    "expects alignment to be an int of at least 1 but got 0": (
        lambda x: flow.image.batch_align(x, (4, 6, 3), flow.float, 0)
    ),
    "expects flip_code to be one of 0, 1, 16, 17 but got 2": (
        lambda x: flow.image.flip(x, 2)
    ),
    "expects flip_code of shape (2,) but got (2, 4, 6, 3)": (
        lambda x: flow.image.flip(x, x)
    ),
    "expects x to be a tensor buffer but got x": (
        lambda x: flow.tensor_buffer_to_tensor(x, flow.uint8, (4,))
    ),
    "expects x to be a blob but got a tensor buffer (ImageFlip): use": (
        lambda x: flow.tensor_to_tensor_buffer(flow.image.flip(x, 0), 1)
    ),
    "expects 72 elements of shape (72,) but got an array of shape (6,)": (
        lambda x: flow.tensor_buffer_to_tensor(
            flow.tensor_to_tensor_buffer(flow.reshape(x, (24, 6)), 1), flow.uint8, (72,)
        )
    ),
    "expects an array of float32 but got uint8": (
        lambda x: flow.tensor_buffer_to_tensor(
            flow.tensor_to_tensor_buffer(x, 3), flow.float, (72,)
        )
    ),
    "expects image to be an argument of the job, or of a reader or decoder, but got "
    "TensorToTensorBuffer": lambda x: flow.image.Resize(
        flow.tensor_to_tensor_buffer(x + 1, 3), (5, 5)
    ),
    "expects x to be a tensor buffer but got 3": (
        lambda x: flow.tensor_buffer_to_tensor(3, flow.float, (1,))
    ),
    "expects instance_dims to be less than 4 but got 4": (
        lambda x: flow.tensor_to_tensor_buffer(x, 4)
    ),
    "expects instance_dims to be 3, all but the first, in this version but got 2": (
        lambda x: flow.tensor_to_tensor_buffer(x, 2)
    ),
    "expects num_workers to be an int of at least 1 but got 0": (
        lambda x: flow.data.ImageDecoderRandomCropResize(x, 3, 3, num_workers=0)
    ),
    "expects target_width to be an int of at least 1 but got 0": (
        lambda x: flow.data.ImageDecoderRandomCropResize(x, 0, 3)
    ),
}


@pytest.mark.parametrize("message", BAD)
def test_arguments(message):
    with raises_here(Exception, message):
        run(BAD[message], np.zeros((2, 4, 6, 3), np.uint8))


def test_arguments_of_decoders():
    def reader():
        return flow.data.ofrecord_reader("data")

    for message, body in {
        "expects color_space to be one of": (
            lambda: flow.data.OFRecordImageDecoder(reader(), "image", "CMYK")
        ),
        "expects blob_name to be the name of a feature but got 3": (
            lambda: flow.data.OFRecordImageDecoder(reader(), 3)
        ),
        "expects label_feature_name to be the name of a feature but got None": (
            lambda: flow.data.ofrecord_image_classification_reader("data", "i", None)
        ),
        "expects decode_buffer_size_per_thread to be an int of at least 1 but got 0": (
            lambda: flow.data.ofrecord_image_classification_reader(
                "data", "i", "l", decode_buffer_size_per_thread=0
            )
        ),
        "expects num_decode_threads_per_machine to be an int of at least 1 but": (
            lambda: flow.data.ofrecord_image_classification_reader(
                "data", "i", "l", num_decode_threads_per_machine=0
            )
        ),
        "expects input_blob to be images but got records": (
            lambda: flow.image.CropMirrorNormalize(reader())
        ),
    }.items():
        flow.clear_default_session()

        @flow.global_function()
        def job():
            return body()

        with raises_here(Exception, message):
            job()


def test_without_pillow(monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL.Image", None)

    @flow.global_function()
    def job():
        return flow.data.OFRecordImageDecoder(flow.data.ofrecord_reader("data"), "image")

    with raises_here(
        flow.errors.UnsupportedError,
        "expects the package Pillow to decode images but got none; install it with "
        "'pip install pillow'",
    ):
        job()
