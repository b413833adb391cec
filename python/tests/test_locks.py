"""The locks of Python packages agree with the lists that they are made from."""

import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).parents[2]
LISTS = [
    ROOT / "scripts/requirements.txt",
    ROOT / "scripts/requirements-ptxas.txt",
    ROOT / "benchmarks/requirements.txt",
]
WRITE = "write the locks again: scripts/lock.sh"


def normalized(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def entries(path):
    """(name, version, hashes) for each requirement of a file."""
    text = re.sub(r"#.*", "", path.read_text()).replace("\\\n", " ")
    for line in filter(None, map(str.strip, text.splitlines())):
        pin, *options = line.split()
        match = re.fullmatch(r"([\w.-]+)==([\w.]+)", pin)
        assert match, f"{path.name} expects name==version but got {line[:80]!r}"
        yield normalized(match[1]), match[2], options


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.parent.name + path.stem)
def test_a_lock_has_all_of_its_list(path):
    listed = {name: version for name, version, _ in entries(path)}
    locked = {name: version for name, version, _ in entries(path.with_suffix(".lock"))}
    assert listed and listed.items() <= locked.items(), WRITE


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.parent.name + path.stem)
def test_each_package_of_a_lock_has_hashes(path):
    for name, _, options in entries(path.with_suffix(".lock")):
        assert options, f"{name} has no hash"
        for option in options:
            assert re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", option), option


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.parent.name + path.stem)
def test_a_lock_names_each_package_once(path):
    names = [name for name, _, _ in entries(path.with_suffix(".lock"))]
    assert names == sorted(set(names))


def test_all_lists_are_tested():
    found = {*ROOT.glob("*/requirements*.txt"), *ROOT.glob("*/requirements*.lock")}
    assert found == {*LISTS, *(path.with_suffix(".lock") for path in LISTS)}
