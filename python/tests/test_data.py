"""load_mnist: real files, files of our own, and what may be wrong with them."""

import gzip
import hashlib
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
    assert (
        f"load_mnist found no MNIST in {tmp_path}: Fashion-MNIST of {FASHION} stands in "
        "for it" in capsys.readouterr().err
    )


def test_what_is_read_is_said(folder, capsys):
    flow.data.load_mnist(3, 2, out_dir=folder)
    assert f"load_mnist reads {folder}\n" in capsys.readouterr().err


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
            (3, 2, "NCHW", 7),
            AssertionError,
            "expects url to be None or a str but got 7",
        ),
        (
            (3, 2, "NCHW", None, "63d4"),
            AssertionError,
            "expects hash_check to be None or 64 hexadecimal digits but got '63d4'",
        ),
        (
            (3, 2, "NCHW", None, "0" * 64),
            FileNotFoundError,
            "mnist.npz to check but got none",
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


# ===- The archive of NumPy ---------------------------------------------------===#


@pytest.fixture
def arrays():
    rng = np.random.default_rng(4)
    return {
        name: rng.integers(0, 256 if name[0] == "x" else 10, shape, dtype=np.uint8)
        for name, shape in {
            "x_train": (6, 28, 28),
            "y_train": (6,),
            "x_test": (4, 28, 28),
            "y_test": (4,),
        }.items()
    }


def check(loaded, arrays):
    for (images, labels), part in zip(loaded, ("train", "test")):
        expected = arrays[f"x_{part}"] / np.float32(255)
        np.testing.assert_array_equal(images.reshape(expected.shape), expected)
        np.testing.assert_array_equal(labels.ravel(), arrays[f"y_{part}"])
        assert images.dtype == np.float32 and labels.dtype == np.int32


def test_an_archive(tmp_path, arrays, capsys):
    np.savez(tmp_path / "mnist.npz", **arrays)
    loaded = flow.data.load_mnist(3, 2, out_dir=tmp_path)
    assert loaded[0][0].shape == (2, 3, 1, 28, 28)
    check(loaded, arrays)
    assert f"load_mnist reads {tmp_path}/mnist.npz" in capsys.readouterr().err


def test_an_archive_by_url(tmp_path, arrays):
    path = tmp_path / "other.npz"
    np.savez_compressed(path, **arrays)
    for url in (str(path), f"file://{path}", "https://example.com/a/other.npz"):
        check(flow.data.load_mnist(2, 4, url=url, out_dir=tmp_path), arrays)


def test_the_hash(tmp_path, arrays):
    path = tmp_path / "mnist.npz"
    np.savez(path, **arrays)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    for text in (digest, digest.upper()):
        check(flow.data.load_mnist(3, 2, hash_check=text, out_dir=tmp_path), arrays)
    with raises_here(
        ValueError, f"expects {path} with the SHA-256 {'0' * 64} but got {digest}"
    ):
        flow.data.load_mnist(3, 2, hash_check="0" * 64, out_dir=tmp_path)


def test_files_that_are_not_there(tmp_path):
    with raises_here(
        FileNotFoundError,
        f"expects the file of https://example.com/mnist.npz at {tmp_path}/mnist.npz, "
        "because nothing is downloaded, but got none",
    ):
        flow.data.load_mnist(url="https://example.com/mnist.npz", out_dir=tmp_path)
    with raises_here(FileNotFoundError, "expects a file none.npz but got none"):
        flow.data.load_mnist(url="none.npz")


def test_a_damaged_archive(tmp_path, arrays):
    path = tmp_path / "mnist.npz"

    def fails(message):
        with raises_here(ValueError, message):
            flow.data.load_mnist(3, 2, out_dir=tmp_path)

    path.write_bytes(b"no archive")
    fails(f"expects an archive of NumPy (npz) but got {path}: ")
    np.savez(path, **arrays)
    path.write_bytes(path.read_bytes()[:-200])
    fails(f"expects an archive of NumPy (npz) but got {path}: ")
    np.savez(path, x_train=arrays["x_train"])
    fails(f"expects an array y_train in {path} but got x_train")
    np.savez(path, **{**arrays, "x_test": np.array([{}])})
    fails(f"expects an archive of NumPy (npz) but got {path}: ")
    np.savez(path, **{**arrays, "y_test": np.zeros(4)})
    fails(f"expects integers in array y_test of {path} but got float64")
    np.savez(path, **{**arrays, "y_test": np.zeros(3, np.int64)})
    fails(f"expects 4 labels in y_test of {path} but got shape (3,)")
