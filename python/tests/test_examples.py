"""The scripts of examples/ run."""

import os
import re
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(
    not os.path.isdir("/usr/share/datasets/fashion-mnist"),
    reason="no Fashion-MNIST here",
)


def run(root, name, *arguments, cwd):
    done = subprocess.run(
        [sys.executable, root / "examples" / name, *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_train_mlp(root, tmp_path):
    losses = re.findall(
        r"step \d+: loss ([\d.]+)", run(root, "train_mlp.py", cwd=tmp_path)
    )
    assert len(losses) == 6 and float(losses[-1]) < 0.7 < float(losses[0])


def test_train_lenet(root, tmp_path):
    pytest.importorskip("matplotlib")
    pytest.importorskip("tqdm")
    arguments = ("--epochs", "1", "--steps", "30", "--checkpoint", "model")
    out = run(root, "train_lenet.py", *arguments, cwd=tmp_path)
    accuracy = re.fullmatch(r"test accuracy: (0\.\d{3})", out.splitlines()[-1])
    assert float(accuracy[1]) > 0.6
    assert (tmp_path / "lenet-loss.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "model" / "outlayer-weight" / "out").exists()


def test_train_resnet20(root, tmp_path):
    pytest.importorskip("matplotlib")
    pytest.importorskip("tqdm")
    # 0.72 to 0.77 with other seeds.
    arguments = ("--epochs", "1", "--steps", "100")
    out = run(root, "train_resnet20.py", *arguments, cwd=tmp_path)
    accuracy = re.fullmatch(r"test accuracy: (0\.\d{3})", out.splitlines()[-1])
    assert float(accuracy[1]) > 0.65
    assert (tmp_path / "resnet20-loss.png").read_bytes().startswith(b"\x89PNG")


def test_train_ofrecord(root, tmp_path):
    pytest.importorskip("matplotlib")
    pytest.importorskip("tqdm")
    pytest.importorskip("PIL")
    arguments = ("--images", "3000", "--steps", "40", "--checkpoint", "model")
    run(root, "train_ofrecord.py", *arguments, cwd=tmp_path)
    assert len(list((tmp_path / "fashion-ofrecord").iterdir())) == 5
    assert (tmp_path / "ofrecord-loss.png").read_bytes().startswith(b"\x89PNG")
    out = run(root, "train_ofrecord.py", *arguments, cwd=tmp_path)
    assert "goes on at step 40" in out
    accuracy = re.fullmatch(r"test accuracy: (0\.\d{3})", out.splitlines()[-1])
    assert float(accuracy[1]) > 0.6


def test_train_chars(root, tmp_path):
    pytest.importorskip("matplotlib")
    pytest.importorskip("tqdm")
    arguments = ("--steps", "20", "--sample", "40")
    out = run(root, "train_chars.py", *arguments, cwd=tmp_path)
    assert (tmp_path / "chars-loss.png").read_bytes().startswith(b"\x89PNG")
    # The prompt and forty characters after it.
    assert len(out[out.index("The licen") :].rstrip("\n")) in range(40, 50)


def test_mnist_util(root, tmp_path):
    (tmp_path / "script.py").write_text(
        "from mnist_util import load_data\n"
        "(images, labels), (test_images, _) = load_data(50)\n"
        "print(images.shape, labels.shape, test_images.shape)\n"
    )
    environment = dict(os.environ)
    paths = [str(root / "examples"), environment.get("PYTHONPATH", "")]
    environment["PYTHONPATH"] = os.pathsep.join(paths)
    done = subprocess.run(
        [sys.executable, tmp_path / "script.py"],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "(1200, 50, 1, 28, 28) (1200, 50) (100, 100, 1, 28, 28)\n"
