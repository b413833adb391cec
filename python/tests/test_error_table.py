"""docs/errors.md is true: each of its rows is raised by a reproduction in
error_rows_*.py, with the classes, places and message that it says, and names a
test that is there."""

import pathlib
import re
import subprocess

import pytest

import error_rows_bodies  # noqa: F401 (fills REPRODUCTIONS)
import error_rows_calls  # noqa: F401
import error_rows_files  # noqa: F401
import error_rows_gpu  # noqa: F401
import error_rows_jobs  # noqa: F401
import jobmlir as flow
from error_rows import REPRODUCTIONS, ROOT, ROWS

TESTS = pathlib.Path(__file__).resolve().parent


def find_class(name):
    import builtins

    from jobmlir import _runtime

    for place in (flow.errors, builtins, _runtime, subprocess):
        if hasattr(place, name):
            return getattr(place, name)
    raise AssertionError(f"there is no class {name}")


def message_pattern(row):
    parts = re.split(r"\{[^}= ]*\}", row["message"])
    pattern = ".+".join(map(re.escape, parts))
    names = [name.strip() for name in row["names"].split(",")]
    if "op" in names:
        pattern = r"op \S+: " + pattern
    if "job" in names:
        pattern = r"job \w+" + (", " if "op" in names else ": ") + pattern
    if "line" in names:
        pattern = re.escape(str(TESTS)) + r"/error_rows\w*\.py:\d+: " + pattern
    return pattern


def test_rows_and_reproductions_are_the_same():
    assert set(ROWS) == set(REPRODUCTIONS)


@pytest.mark.parametrize("name", ROWS)
def test_every_row_is_raised(name, tmp_path):
    row = ROWS[name]
    classes = re.findall(r"`(\w+)`", row["raised"])
    assert classes
    with pytest.raises(Exception) as caught:
        REPRODUCTIONS[name](tmp_path)
    for cls in classes:
        assert isinstance(caught.value, find_class(cls)), type(caught.value)
    text = str(caught.value)
    assert re.search(message_pattern(row), text, re.DOTALL), (row["message"], text)


@pytest.mark.parametrize("name", ROWS)
def test_every_row_names_a_test(name):
    test = ROWS[name]["test"].strip("`")
    if "::" in test:
        file, function = test.split("::")
        text = (ROOT / "python" / "tests" / file).read_text()
        assert re.search(rf"^def {function}\(", text, re.MULTILINE), test
    elif ": " in test:
        file, case = test.split(": ")
        suite, _, case = case.partition(".")
        text = (ROOT / file).read_text()
        assert re.search(rf"TEST(_F)?\({suite}, {case}\)", text), test
    else:
        assert (ROOT / test).exists(), test
