"""What type checkers know of the package: the stubs of the extension modules."""

import os
import pathlib
import subprocess
import sys

import jobmlir

# What pybind11 adds to its classes, and constructors of classes that only the
# module itself makes objects of.
_OF_PYBIND11 = r"""
jobmlir\._(compiler|runtime)\.(AttributeText|Value|Function|Module|Artifact|Future|Session)
jobmlir\._(compiler|runtime)\.(Value|Function|Artifact|Future)\.__init__
jobmlir\._(compiler|runtime)\.\w+\.__pybind11_.*
"""


def _python(folder, *arguments):
    """Runs a module of Python with the package as users have it."""
    package = pathlib.Path(jobmlir.__file__).parents[1]
    return subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(package)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_stubs_agree_with_the_extension_modules(tmp_path):
    allowed = tmp_path / "allowed"
    allowed.write_text(_OF_PYBIND11, encoding="utf-8")
    modules = ("jobmlir._compiler", "jobmlir._runtime")
    out = _python(tmp_path, "mypy.stubtest", *modules, "--allowlist", str(allowed))
    assert out.returncode == 0, out.stdout + out.stderr
    assert "Success: no issues found in 2 modules" in out.stdout
