"""docs/api-status.md is true: its names are those of the reference, and their states
those that the package shows."""

import importlib.util
import re

import op_references
import op_samples
import pytest

import jobmlir as flow
from jobmlir._src import function_config, names
from models import raises_here

REFERENCE = names.reference()


@pytest.fixture(scope="module")
def status_script(request):
    path = request.config.rootpath / "scripts" / "api-status.py"
    spec = importlib.util.spec_from_file_location("api_status", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_what_the_package_says(root, status_script):
    page = (root / "docs" / "api-status.md").read_text()
    assert page == status_script.page(), "run scripts/update-docs.sh"


def test_the_page_counts_its_names(root):
    page = (root / "docs" / "api-status.md").read_text()
    rows = re.findall(r"^\| `.+?` \| ([a-z ]+) \|", page, re.MULTILINE)
    assert len(rows) == len(REFERENCE)
    total, works, no_effect, refused, missing = map(
        int,
        re.search(
            r"(\d+) names, of which (\d+) work, (\d+) have no effect, (\d+) are "
            r"refused and (\d+) are missing",
            page,
        ).groups(),
    )
    assert total == len(rows)
    assert works == rows.count("works")
    assert no_effect == rows.count("no effect")
    assert refused == rows.count("refused")
    assert missing == rows.count("missing")


def test_the_list_is_well_formed():
    for name in REFERENCE.values():
        assert re.fullmatch(r"1\.\d+", name.section), name
        assert re.fullmatch(r"[A-Za-z_]\w*(\.\w+)*", name.name), name
        assert name.kind in ("", "no-effect", "refused", "limits"), name
        if name.kind in ("refused", "limits"):
            assert name.note, f"expects a reason for {name.name}"


@pytest.mark.parametrize(
    "name", [n for n in REFERENCE if REFERENCE[n].kind == "refused"]
)
def test_what_is_refused_says_why(name):
    with raises_here(
        flow.errors.UnsupportedError,
        f"expects no jobmlir.{name} in this version: {REFERENCE[name].note}",
    ):
        names.find(name)(3, size=4)


def test_only_settings_have_no_effect():
    """A function without an effect would be a wrong result."""
    for name in REFERENCE.values():
        if name.kind == "no-effect":
            assert name.section in ("1.5", "1.6", "1.16", "1.17"), name


def test_settings_of_jobs_without_effect():
    stored = {
        f"FunctionConfig.{name}"
        for name in function_config._SETTINGS
        if name not in function_config._ACTING
    }
    listed = {
        name
        for name, row in REFERENCE.items()
        if row.kind == "no-effect" and re.fullmatch(r"FunctionConfig\.\w+", name)
    }
    assert stored == listed


def test_every_op_has_a_sample():
    for name in REFERENCE.values():
        is_refused = name.kind == "refused"
        if name.section in ("1.9", "1.10", "1.11", "1.12") and not is_refused:
            if names.find(name.name) is not None and op_samples.is_op(name.name):
                assert name.name in op_samples.SAMPLES, (
                    f"expects a use of {name.name} in op_samples.py"
                )
    assert set(op_samples.SAMPLES) <= set(op_references.public_ops())


@pytest.mark.parametrize("name", op_samples.SAMPLES)
def test_every_sample_compiles(name):
    assert any(op_samples.takes(name, dtype) for dtype in (flow.float32, flow.int32))


def test_states_of_some_ops():
    assert op_samples.describe("math.exp") == ["floats", "yes"]
    assert op_samples.describe("one_hot") == ["ints", "no"]
    assert op_samples.describe("math.floor")[1] == "no"
    assert op_samples.describe("math.later") == ["missing", "missing"]
