"""Images: decoders and random crops, compared with Pillow and NumPy."""

import io
import subprocess
import sys
import typing

import numpy as np
import PIL.Image
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from jobmlir._src import image_files
from jobmlir._src.random_bits import Draws
from pictures import encode, picture, read_images, run, smooth, tensor, write

RNG = np.random.default_rng(5)


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


def test_the_brightness_of_a_jpeg(tmp_path):
    # Colors that cannot be: as RGB they are limited, the brightness is not.
    planes = np.stack(np.broadcast_arrays(np.arange(0, 256, 4)[:, None], 250, 250), -1)
    planes = np.repeat(planes.astype(np.uint8), 64, axis=1)
    file = io.BytesIO()
    PIL.Image.fromarray(planes, "YCbCr").save(file, "JPEG", quality=95)
    gray = decoded(tmp_path, [file.getvalue()], (64, 64, 1), "GRAY")
    assert np.abs(gray[0, :, :, 0].astype(int) - planes[:, :, 0]).max() <= 3


def test_gray_alpha_palette_and_16_bits(tmp_path):
    gray = picture(4, 6, 1)
    three = np.repeat(gray, 3, axis=2)
    np.testing.assert_array_equal(
        decoded(tmp_path, [encode(gray)], (4, 6, 3))[0], three
    )
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


SCRIPT = """
import atexit, sys
import jobmlir as flow
import jobmlir.typing as tp

@flow.global_function()
def job() -> tp.Numpy:
    records = flow.data.ofrecord_reader(sys.argv[1], batch_size=4)
    image = flow.data.OFRecordImageDecoder(records, "image", "GRAY")
    return flow.tensor_buffer_to_tensor(image, flow.uint8, (3, 3, 1))

def at_exit():
    print(sum(int(job()[0, 0, 0, 0]) for _ in range(10)))

job()
atexit.register(at_exit)
"""


def test_a_job_reads_while_its_process_ends(tmp_path):
    write(tmp_path, [encode(np.full((3, 3, 1), i, np.uint8)) for i in range(8)])
    (tmp_path / "script.py").write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, tmp_path / "script.py", tmp_path],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "20\n"


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


# ===- Random crops ----------------------------------------------------------===#


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
