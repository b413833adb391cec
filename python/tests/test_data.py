"""load_mnist: real files, files of our own, and what may be wrong with them."""

import gzip
import os
import struct

import numpy as np
import pytest

import jobmlir as flow
from jobmlir._src import data
from models import raises_here

FASHION = "/usr/share/datasets/fashion-mnist"


def idx(array):
    header = struct.pack(">HBB", 0, 8, array.ndim)
    return header + struct.pack(f">{array.ndim}I", *array.shape) + array.tobytes()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Four small files; no other place is searched."""
    monkeypatch.setattr(data, "_FOLDERS", ())
    rng = np.random.default_rng(3)
    for part, count in (("train", 6), ("t10k", 4)):
        images = rng.integers(0, 256, (count, 28, 28), dtype=np.uint8)
        images[0, 0, 0] = 255
        labels = rng.integers(0, 10, count, dtype=np.uint8)
        (tmp_path / f"{part}-images-idx3-ubyte").write_bytes(idx(images))
        content = gzip.compress(idx(labels))
        (tmp_path / f"{part}-labels-idx1-ubyte.gz").write_bytes(content)
    return tmp_path


def test_shapes_and_values(folder):
    (images, labels), (test_images, test_labels) = flow.data.load_mnist(
        3, 2, out_dir=str(folder)
    )
    assert images.shape == (2, 3, 1, 28, 28) and images.dtype == np.float32
    assert labels.shape == (2, 3) and labels.dtype == np.int32
    assert test_images.shape == (2, 2, 1, 28, 28) and test_labels.shape == (2, 2)
    assert images.max() == 1 and images.min() >= 0 and images[0, 0, 0, 0, 0] == 1


@pytest.mark.parametrize("out_dir", [5, None, b"here", ""])
def test_a_folder_is_a_path(out_dir):
    with raises_here(
        AssertionError, f"expects a path to look for the files in but got {out_dir!r}"
    ):
        flow.data.load_mnist(out_dir=out_dir)


def test_batch_sizes_of_numpy(folder):
    (images, _), _ = flow.data.load_mnist(np.int64(3), np.int32(2), out_dir=folder)
    assert images.shape == (2, 3, 1, 28, 28)


def test_channels_last(folder):
    (images, _), _ = flow.data.load_mnist(3, 2, "NHWC", out_dir=folder)
    assert images.shape == (2, 3, 28, 28, 1)


@pytest.mark.skipif(not os.path.isdir(FASHION), reason="no Fashion-MNIST here")
def test_fashion_mnist_is_found(tmp_path, capsys):
    (images, labels), (test_images, _) = flow.data.load_mnist(out_dir=tmp_path)
    assert images.shape == (600, 100, 1, 28, 28) and test_images.shape[0] == 100
    assert (np.bincount(labels.ravel()) == 6000).all()
    assert f"load_mnist reads {FASHION}" in capsys.readouterr().err


def test_no_files(tmp_path, monkeypatch):
    monkeypatch.setattr(data, "_FOLDERS", ())
    with raises_here(FileNotFoundError, f"in {tmp_path} but got none"):
        flow.data.load_mnist(out_dir=tmp_path)


def test_a_missing_file(folder):
    (folder / "t10k-labels-idx1-ubyte.gz").unlink()
    with raises_here(
        FileNotFoundError,
        f"expects the four files of MNIST, gzipped or not, in {folder} but got no "
        "t10k-labels-idx1-ubyte",
    ):
        flow.data.load_mnist(3, 2, out_dir=folder)


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: content[:-1],
        lambda content: content[:3],
        lambda content: b"",
        lambda content: b"PNG!" + content[4:],
    ],
)
def test_a_damaged_file(folder, damage):
    path = folder / "train-images-idx3-ubyte"
    path.write_bytes(damage(path.read_bytes()))
    with raises_here(ValueError, "train-images-idx3-ubyte"):
        flow.data.load_mnist(3, 2, out_dir=folder)


def test_a_damaged_gzip_file(folder):
    path = folder / "train-labels-idx1-ubyte.gz"
    path.write_bytes(path.read_bytes()[:-10])
    with raises_here(ValueError, "train-labels-idx1-ubyte.gz"):
        flow.data.load_mnist(3, 2, out_dir=folder)


def test_images_that_are_none(folder):
    (folder / "train-images-idx3-ubyte").write_bytes(idx(np.zeros(6, np.uint8)))
    with raises_here(
        ValueError, "expects images of 3 dimensions in", "but got shape (6,)"
    ):
        flow.data.load_mnist(3, 2, out_dir=folder)


def test_labels_that_do_not_fit(folder):
    (folder / "train-labels-idx1-ubyte.gz").unlink()
    (folder / "train-labels-idx1-ubyte").write_bytes(idx(np.zeros(5, np.uint8)))
    with raises_here(ValueError, "expects 6 labels in", "but got shape (5,)"):
        flow.data.load_mnist(3, 2, out_dir=folder)


@pytest.mark.parametrize(
    "arguments, cls, text",
    [
        (
            (4, 2),
            AssertionError,
            "expects a batch size that divides the 6 images of train but got 4",
        ),
        (
            (0, 2),
            AssertionError,
            "expects train_batch_size to be a positive int but got 0",
        ),
        ((3, 2, "CHW"), AssertionError, 'expects data_format to be "NCHW" or "NHWC"'),
        (
            (3, 2, "NCHW", "http"),
            NotImplementedError,
            "expects url and hash_check to be None, because nothing is downloaded, "
            "but got 'http' and None",
        ),
        (
            (3, True),
            AssertionError,
            "expects test_batch_size to be a positive int but got True",
        ),
    ],
)
def test_arguments(folder, arguments, cls, text):
    with raises_here(cls, text):
        flow.data.load_mnist(*arguments, out_dir=folder)
