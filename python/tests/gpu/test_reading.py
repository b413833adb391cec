"""Jobs on a GPU whose inputs the host reads."""

import io

import numpy as np
import PIL.Image

import jobmlir as flow
import jobmlir.typing as tp


def encode(array):
    file = io.BytesIO()
    PIL.Image.fromarray(array).save(file, "PNG")
    return file.getvalue()


def test_a_reader_fills_the_inputs_of_a_gpu(use, tmp_path):
    rng = np.random.default_rng(2)
    images = rng.integers(0, 256, (12, 8, 9, 3), dtype=np.uint8)
    flow.data.write_ofrecord(
        tmp_path / "part-0",
        [
            {"image": encode(image), "x": np.float32([i])}
            for i, image in enumerate(images)
        ],
    )
    results = []
    for device in ("gpu", "cpu"):
        use(device)

        @flow.global_function()
        def job() -> tp.Bundle[tp.Numpy]:
            records = flow.data.ofrecord_reader(
                str(tmp_path), batch_size=5, random_shuffle=True, shuffle_buffer_size=4
            )
            image = flow.data.OFRecordImageDecoderRandomCrop(records, "image", "RGB")
            image = flow.image.Resize(image, (6, 7))[0]
            mirror = flow.data.OFRecordRawDecoder(records, "x", (), flow.int8)
            return (
                flow.image.CropMirrorNormalize(
                    image, mirror, crop_h=5, crop_w=5, mean=[1, 2, 3], std=[4]
                ),
                mirror,
            )

        results.append([job() for _ in range(6)])
    for (left, order), (right, expected) in zip(*results):
        np.testing.assert_array_equal(order, expected)
        np.testing.assert_allclose(left, right, rtol=1e-6)
