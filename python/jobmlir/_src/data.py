"""Data sets from files on this machine."""

import os

import numpy

from . import arguments, errors, frames, notices

_FOLDERS = ("/usr/share/datasets/fashion-mnist",)
_PARTS = {
    "train": ("train-images-idx3-ubyte", "train-labels-idx1-ubyte"),
    "test": ("t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"),
}


def _fail(message, cls=errors.ArgumentError):
    raise cls(errors.located(message, frames.user_frames()))


def _find(folder, stem):
    for name in (stem, stem + ".gz"):
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            return path
    return None


def _find_all(out_dir):
    """The four files, all from one folder."""
    stems = [stem for part in _PARTS.values() for stem in part]
    for folder in (out_dir, *_FOLDERS):
        paths = {stem: _find(folder, stem) for stem in stems}
        if all(paths.values()):
            notices.inform_once(f"load_mnist reads {os.path.abspath(folder)}")
            return paths
        if any(paths.values()):
            missing = ", ".join(stem for stem, path in paths.items() if not path)
            _fail(
                f"expects the four files of MNIST, gzipped or not, in {folder} but "
                f"got no {missing}",
                errors.DataNotFoundError,
            )
    _fail(
        "expects the IDX files of MNIST, such as train-images-idx3-ubyte or "
        f"train-images-idx3-ubyte.gz, in {os.path.abspath(out_dir)} but got none, "
        f"and none in {', '.join(_FOLDERS)}, where Debian's package "
        "dataset-fashion-mnist has them",
        errors.DataNotFoundError,
    )


def _read(path):
    from jobmlir import _runtime

    try:
        return _runtime.read_idx(path)
    except _runtime.StatusError as error:
        cls = errors.DataFormatError
        if error.code == "not found":
            cls = errors.DataNotFoundError
        _fail(error.message, cls)


def _load_part(paths, part, batch, data_format):
    images_path, labels_path = (paths[stem] for stem in _PARTS[part])
    images, labels = _read(images_path), _read(labels_path)
    if images.ndim != 3:
        _fail(
            f"expects images of 3 dimensions in {images_path} but got shape "
            f"{images.shape}",
            errors.DataFormatError,
        )
    if labels.shape != images.shape[:1]:
        _fail(
            f"expects {images.shape[0]} labels in {labels_path} but got shape "
            f"{labels.shape}",
            errors.DataFormatError,
        )
    count, height, width = images.shape
    if count % batch:
        _fail(
            f"expects a batch size that divides the {count} images of {part} but got "
            f"{batch}"
        )
    window = (1, height, width) if data_format == "NCHW" else (height, width, 1)
    values = images.astype(numpy.float32) / numpy.float32(255)
    return (
        values.reshape((count // batch, batch, *window)),
        labels.astype(numpy.int32).reshape((count // batch, batch)),
    )


def load_mnist(
    train_batch_size=100,
    test_batch_size=100,
    data_format="NCHW",
    url=None,
    hash_check=None,
    out_dir=".",
):
    """((train images, train labels), (test images, test labels)), in batches.

    Images are float32 in [0, 1] of shape (batches, batch, 1, 28, 28), or with
    the channels last for "NHWC"; labels are int32. The four IDX files of MNIST
    or Fashion-MNIST, gzipped or not, are searched in `out_dir`, then in the
    folder of Debian's package dataset-fashion-mnist. Nothing is downloaded:
    `url` and `hash_check` must be None.
    """
    if url is not None or hash_check is not None:
        _fail(
            "expects url and hash_check to be None, because nothing is downloaded, "
            f"but got {url!r} and {hash_check!r}",
            errors.UnsupportedError,
        )
    if data_format not in ("NCHW", "NHWC"):
        _fail(f'expects data_format to be "NCHW" or "NHWC" but got {data_format!r}')
    for name, value in (
        ("train_batch_size", train_batch_size),
        ("test_batch_size", test_batch_size),
    ):
        if not arguments.is_int(value) or value < 1:
            _fail(f"expects {name} to be a positive int but got {value!r}")
    paths = _find_all(arguments.path(_fail, out_dir, "look for the files in"))
    return (
        _load_part(paths, "train", train_batch_size, data_format),
        _load_part(paths, "test", test_batch_size, data_format),
    )
