"""Images: what is wrong with files and arguments."""

import sys

import numpy as np
import pytest

import jobmlir as flow
from jobmlir._src import image_files
from models import raises_here
from pictures import encode, picture, read_images, run, smooth, write


# The messages name this file, so that the op is here.
def tensor(buffer, shape, dtype=flow.uint8):
    return flow.tensor_buffer_to_tensor(buffer, dtype, shape)


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


def test_a_tensor_list_of_smaller_arrays(tmp_path):
    write(tmp_path, [encode(picture(5, 6))])

    def listed(records, shape=(8, 8, 3), dtype=flow.uint8):
        image = flow.data.OFRecordImageDecoder(records, "image")
        return flow.tensor_buffer_to_tensor_list(image, shape, dtype)

    broken(
        tmp_path,
        lambda records: listed(records, (4, 8, 3)),
        "expects 96 elements of the largest shape (4, 8, 3) but got an array of shape "
        "(5, 6, 3): record 0 of",
    )
    broken(
        tmp_path,
        lambda records: listed(records, dtype=flow.float),
        "expects an array of float32 but got uint8: record 0 of",
    )
    unsupported = (
        "expects 192 elements of the largest shape (8, 8, 3) but got an array of shape "
        "(5, 6, 3): record 0 of"
    )

    def watched(records):
        blob = listed(records)
        flow.watch(blob)
        return blob

    broken(tmp_path, watched, unsupported, flow.errors.UnsupportedError)
    broken(
        tmp_path,
        lambda records: flow.identity(listed(records)),
        unsupported,
        flow.errors.UnsupportedError,
    )


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
    "expects 36 elements of the largest shape (36,) but got an array of shape (4, 6, "
    "3)": lambda x: flow.tensor_buffer_to_tensor_list(
        flow.tensor_to_tensor_buffer(x, 3), (36,), flow.uint8
    ),
    "expects input to be a tensor list, such as an argument of typing.ListListNumpy, but "
    "got x": lambda x: flow.tensor_list_to_tensor_buffer(x),
    "expects input of at least 2 dimensions but got shape (2,)": (
        lambda x: flow.tensor_list_split(
            flow.tensor_buffer_to_tensor_list(
                flow.tensor_to_tensor_buffer(flow.constant(1.0, flow.float, (2, 1)), 1),
                (),
                flow.float,
            )
        )
    ),
    "expects instance_dims to be less than 4 but got 4": (
        lambda x: flow.tensor_to_tensor_buffer(x, 4)
    ),
    "expects image of one dimension of batches but got shape (2, 4)": (
        lambda x: flow.image.flip(flow.tensor_to_tensor_buffer(x, 2), 1)
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
        return flow.data.OFRecordImageDecoder(
            flow.data.ofrecord_reader("data"), "image"
        )

    with raises_here(
        flow.errors.UnsupportedError,
        "expects the package Pillow to decode images but got none; install it with "
        "'pip install pillow'",
    ):
        job()
