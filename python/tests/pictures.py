"""Pictures, and jobs that several tests of images use."""

import io

import numpy as np
import PIL.Image

import jobmlir as flow
import jobmlir.typing as tp


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
    name: getattr(flow, name)
    for name in ("float32", "uint8", "int8", "int32", "float16")
}


def tensor(buffer, shape, dtype=flow.uint8):
    return flow.tensor_buffer_to_tensor(buffer, dtype, shape)
