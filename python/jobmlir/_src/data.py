"""Data sets from files on this machine."""

from __future__ import annotations

import hashlib
import os
import re

import numpy

from . import arguments, errors, notices
from .hints import Array, Path

_FOLDERS = ("/usr/share/datasets/fashion-mnist",)
_PARTS = {
    "train": ("train-images-idx3-ubyte", "train-labels-idx1-ubyte"),
    "test": ("t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"),
}


_ARCHIVE = "mnist.npz"
_ARRAYS = {"train": ("x_train", "y_train"), "test": ("x_test", "y_test")}
_SHA256 = re.compile("[0-9a-fA-F]{64}")

_fail = errors.failing(errors.ArgumentError)


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
            place = os.path.abspath(folder)
            if folder in _FOLDERS:
                notices.inform_once(
                    f"load_mnist found no MNIST in {os.path.abspath(out_dir)}: "
                    f"Fashion-MNIST of {place} stands in for it"
                )
            else:
                notices.inform_once(f"load_mnist reads {place}")
            return paths
        if any(paths.values()):
            missing = ", ".join(stem for stem, path in paths.items() if not path)
            _fail(
                f"expects the four files of MNIST, gzipped or not, in {folder} but "
                f"got no {missing}",
                errors.DataNotFoundError,
            )
    _fail(
        f"expects {_ARCHIVE}, or the IDX files of MNIST, such as "
        "train-images-idx3-ubyte or train-images-idx3-ubyte.gz, in "
        f"{os.path.abspath(out_dir)} but got none, and none in "
        f"{', '.join(_FOLDERS)}, where Debian's package dataset-fashion-mnist has them",
        errors.DataNotFoundError,
    )


# ===- The archive of NumPy --------------------------------------------------===#


def _archive_path(url, out_dir):
    """The path of the archive: that of a local `url`, else what its last part is called
    in `out_dir`. None if there is none and other files will do."""
    if url is None:
        path = os.path.join(out_dir, _ARCHIVE)
        return path if os.path.isfile(path) else None
    if not isinstance(url, str) or not url:
        _fail(f"expects url to be None or a str but got {url!r}")
    scheme, colon, rest = url.partition("://")
    if not colon:
        path = arguments.path(_fail, url, "read the archive from")
    elif scheme == "file":
        path = rest
    else:
        path = os.path.join(out_dir, url.rpartition("/")[2] or _ARCHIVE)
        if not os.path.isfile(path):
            _fail(
                f"expects the file of {url} at {os.path.abspath(path)}, because nothing "
                "is downloaded, but got none",
                errors.DataNotFoundError,
            )
    if not os.path.isfile(path):
        _fail(f"expects a file {path} but got none", errors.DataNotFoundError)
    return path


def _check_hash(path, wanted):
    digest = hashlib.sha256()
    try:
        with open(path, "rb") as file:
            while piece := file.read(1 << 20):
                digest.update(piece)
    except OSError as error:
        _fail(f"cannot read {path}: {errors.reason(error)}", errors.DataFormatError)
    if digest.hexdigest() != wanted.lower():
        _fail(
            f"expects {path} with the SHA-256 {wanted.lower()} but got "
            f"{digest.hexdigest()}",
            errors.DataFormatError,
        )


def _read_archive(path):
    """The arrays of an archive, by name."""
    notices.inform_once(f"load_mnist reads {os.path.abspath(path)}")
    arrays = {}
    try:
        with numpy.load(path, allow_pickle=False) as archive:
            for name in sum(_ARRAYS.values(), ()):
                if name not in archive:
                    _fail(
                        f"expects an array {name} in {path} but got "
                        f"{', '.join(archive.files) or 'none'}",
                        errors.DataFormatError,
                    )
                arrays[name] = archive[name]
    except errors.JobMLIRError:
        raise
    except Exception as error:  # a damaged archive raises all kinds
        _fail(
            f"expects an archive of NumPy (npz) but got {path}: {error}",
            errors.DataFormatError,
        )
    for name, array in arrays.items():
        if not numpy.issubdtype(array.dtype, numpy.integer):
            _fail(
                f"expects integers in array {name} of {path} but got {array.dtype}",
                errors.DataFormatError,
            )
    return arrays


def _read(path):
    from jobmlir import _runtime

    try:
        return _runtime.read_idx(path)
    except _runtime.StatusError as error:
        cls = errors.DataFormatError
        if error.code == "not found":
            cls = errors.DataNotFoundError
        _fail(error.message, cls)


def _batches(images, labels, part, places, batch, data_format):
    """Images and labels in batches; `places` is where each of them is from."""
    if images.ndim != 3:
        _fail(
            f"expects images of 3 dimensions in {places[0]} but got shape "
            f"{images.shape}",
            errors.DataFormatError,
        )
    if labels.shape != images.shape[:1]:
        _fail(
            f"expects {images.shape[0]} labels in {places[1]} but got shape "
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
    train_batch_size: int = 100,
    test_batch_size: int = 100,
    data_format: str = "NCHW",
    url: str | None = None,
    hash_check: str | None = None,
    out_dir: Path = ".",
) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    """The images and the labels of MNIST or Fashion-MNIST, in batches.

    The data are those of mnist.npz in out_dir, with the arrays x_train, y_train, x_test
    and y_test, else of the four IDX files there, gzipped or not; else those of
    Fashion-MNIST in the folder of Debian's package dataset-fashion-mnist stand in for
    them, which is said. Nothing is downloaded.

    Args:
        train_batch_size: A number that divides 60000.
        test_batch_size: A number that divides 10000.
        data_format: "NCHW" or "NHWC".
        url: The path of the archive, or an address whose file is in out_dir; None is
            mnist.npz there.
        hash_check: The SHA-256 of the archive as 64 hexadecimal digits, or None for no
            check; with one there has to be an archive.
        out_dir: The folder of the files.

    Returns:
        ((train images, train labels), (test images, test labels)). Images are float32
        in [0, 1] of shape (batches, batch, 1, 28, 28), or with the channels last;
        labels are int32 of shape (batches, batch).

    Raises:
        DataNotFoundError: A file is missing.
        DataFormatError: A file is damaged, or has another checksum.
        ArgumentError: An argument does not fit.
    """
    if hash_check is not None and (
        not isinstance(hash_check, str) or not _SHA256.fullmatch(hash_check)
    ):
        _fail(
            "expects hash_check to be None or 64 hexadecimal digits but got "
            f"{hash_check!r}"
        )
    if data_format not in ("NCHW", "NHWC"):
        _fail(f'expects data_format to be "NCHW" or "NHWC" but got {data_format!r}')
    sizes = {"train": train_batch_size, "test": test_batch_size}
    for part, value in sizes.items():
        if not arguments.is_int(value) or value < 1:
            _fail(f"expects {part}_batch_size to be a positive int but got {value!r}")
    out_dir = arguments.path(_fail, out_dir, "look for the files in")
    archive = _archive_path(url, out_dir)
    if hash_check is not None:
        if archive is None:
            _fail(
                f"expects {os.path.join(out_dir, _ARCHIVE)} to check but got none",
                errors.DataNotFoundError,
            )
        _check_hash(archive, hash_check)
    if archive is not None:
        arrays = _read_archive(archive)
        found = {
            part: (
                arrays[x],
                arrays[y],
                [f"array {x} of {archive}", f"{y} of {archive}"],
            )
            for part, (x, y) in _ARRAYS.items()
        }
    else:
        paths = _find_all(out_dir)
        found = {}
        for part, stems in _PARTS.items():
            places = [paths[stem] for stem in stems]
            found[part] = (*map(_read, places), places)
    return tuple(
        _batches(images, labels, part, places, sizes[part], data_format)
        for part, (images, labels, places) in found.items()
    )
