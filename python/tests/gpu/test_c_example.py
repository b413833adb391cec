"""The examples in C train on a GPU, unchanged."""

import os
import pathlib
import subprocess

import numpy as np
import pytest
from c_compiler import CC

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD = pathlib.Path(os.environ.get("JOBMLIR_BUILD_DIR", ROOT / "build"))

pytestmark = [
    pytest.mark.skipif(not CC, reason="no C compiler here"),
    pytest.mark.skipif(
        not os.path.isdir("/usr/share/datasets/fashion-mnist"),
        reason="no Fashion-MNIST here",
    ),
    pytest.mark.skipif(
        not (BUILD / "bin" / "job-compile").exists(), reason="no job-compile here"
    ),
]


def build(name, folder, *options):
    """The artifact of a small model and the example on it."""
    folder.mkdir()
    module = (ROOT / "examples" / f"{name}.mlir").read_text()
    for old, new in (("512x", "16x"), ("100x", "10x")):
        module = module.replace(old, new)
    (folder / f"{name}.mlir").write_text(module)
    subprocess.run(
        [
            BUILD / "bin" / "job-compile",
            folder / f"{name}.mlir",
            "-o",
            folder / f"{name}.so",
            f"--emit-header={folder / f'{name}.h'}",
            *options,
        ],
        check=True,
    )
    example = ROOT / "examples" / "c"
    subprocess.run(
        [
            CC,
            "-std=c99",
            example / f"{name}.c",
            example / "mnist.c",
            f"-I{example}",
            f"-I{ROOT / 'runtime' / 'include'}",
            f"-I{folder}",
            f"-L{BUILD / 'lib'}",
            "-ljobrt",
            f"-Wl,-rpath,{BUILD / 'lib'}",
            "-o",
            folder / name,
        ],
        check=True,
    )


def run(name, folder, library, seed):
    return subprocess.run(
        [folder / name, folder / f"{name}.so", "--steps", "5"]
        + ["--losses", folder / "losses.npy", "--save", folder / "checkpoint"],
        capture_output=True,
        text=True,
        env={
            **os.environ,
            "JOBMLIR_CUDA_LIBRARY": str(library),
            "JOBSIM_SEED": str(seed),
        },
    )


@pytest.mark.parametrize("name", ["mlp", "lenet"])
def test_the_example_trains(tmp_path, simulator, seed, name):
    gpu, cpu = tmp_path / "gpu", tmp_path / "cpu"
    build(name, gpu, "--gpu-target=sm_90,simulated")
    build(name, cpu)
    driver = f"#define {name.upper()}_DRIVER"
    assert f'{driver} "cuda:0"' in (gpu / f"{name}.h").read_text()
    assert f'{driver} "host"' in (cpu / f"{name}.h").read_text()
    for folder in (gpu, cpu):
        done = run(name, folder, simulator, seed)
        assert done.returncode == 0, done.stderr
        assert (folder / "checkpoint" / "variables.safetensors").exists()
    losses = [np.load(folder / "losses.npy") for folder in (gpu, cpu)]
    assert losses[0].shape == (5, 10)
    np.testing.assert_allclose(*losses, rtol=1e-3)

    done = run(name, gpu, "/nowhere/libcuda.so", seed)
    assert done.returncode == 1
    assert "cannot open CUDA's library '/nowhere/libcuda.so'" in done.stderr
