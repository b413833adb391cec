"""scripts/wheel-licenses.py, on a wheel that auditwheel has put a library into."""

import pathlib
import subprocess
import sys
import zipfile

import pytest

import tiny_wheel

SCRIPT = pathlib.Path(__file__).parents[2] / "scripts/wheel-licenses.py"
ZSTD = next(iter(pathlib.Path("/usr/lib").glob("*/libzstd.so.1.*")), None)
LICENSES = "package-1.0.dist-info/licenses/"

pytestmark = pytest.mark.skipif(
    not ZSTD or not pathlib.Path("/usr/share/doc/nlohmann-json3-dev/copyright").exists(),
    reason="no Debian packages here",
)


def run(wheel, *packages):
    out = wheel.parent / "out"
    out.mkdir()
    done = subprocess.run(
        [sys.executable, SCRIPT, wheel, out, *packages],
        capture_output=True,
        text=True,
        check=False,
    )
    return done, out / wheel.name


def test_licenses_of_libraries_and_of_static_code(tmp_path):
    stem, _, version = ZSTD.name.partition(".so.")
    grafted = f"package.libs/{stem}-0123abcd.so.{version}"
    wheel = tiny_wheel.write(tmp_path, {grafted: ""})
    done, made = run(wheel, "nlohmann-json3-dev")
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(made) as archive:
        texts = {name: archive.read(name).decode() for name in archive.namelist()}
    added = {
        name.removeprefix(LICENSES + "third-party/")
        for name in texts
        if name.startswith(LICENSES + "third-party/")
    }
    # That of Zstandard is BSD or GPL-2, whose text Debian keeps elsewhere.
    assert {"libzstd1", "GPL-2", "nlohmann-json3-dev", "pybind11"} <= added
    third_party = LICENSES + "third-party/"
    assert "Meta Platforms" in texts[third_party + "libzstd1"] or (
        "Facebook" in texts[third_party + "libzstd1"]
    )
    assert "GNU GENERAL PUBLIC LICENSE" in texts[third_party + "GPL-2"]
    metadata = texts["package-1.0.dist-info/METADATA"].splitlines()
    for name in added:
        assert f"License-File: third-party/{name}" in metadata
    assert texts[LICENSES + "LICENSE"] == "Do as you like.\n"
    # pip checks the record of what it installs.
    record = texts["package-1.0.dist-info/RECORD"]
    assert all(line.split(",")[0] in texts for line in record.splitlines())
    assert f"{third_party}GPL-2,sha256=" in record


def test_a_package_that_is_not_there(tmp_path):
    done, made = run(tiny_wheel.write(tmp_path), "no-such-package")
    assert done.returncode != 0 and "no-such-package" in done.stderr
    assert not made.exists()
