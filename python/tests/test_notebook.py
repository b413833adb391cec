"""What notebooks show of jobs and reports, and the notebook of examples/."""

import html
import json
import pathlib
import re
import xml.etree.ElementTree

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from jobmlir import _compiler
from jobmlir._src import notebook
from jobmlir._src.default_session import get_default_session
from models import batch, define_eval, define_train, define_unary

NOTEBOOK = pathlib.Path(__file__).resolve().parents[2] / "examples/notebook.ipynb"
BAD = "<script>&'\""


def parse(page):
    """The elements of the HTML, which has to be well-formed, without anything that
    runs; the pieces of SVG included."""
    style, rest = re.fullmatch(r"(<style>[^<]*</style>)(.*)", page, re.DOTALL).groups()
    for selector in re.findall(r"([^{}]+)\{", style.removeprefix("<style>")):
        assert all(part.strip().startswith(".jobmlir") for part in selector.split(","))
    # HTML has no XML namespaces, and the attribute needs no value.
    rest = rest.replace("xlink:", "").replace("<details open>", '<details open="">')
    root = xml.etree.ElementTree.fromstring(rest)
    for element in root.iter():
        tag = element.tag.rpartition("}")[2]
        assert tag not in ("script", "iframe", "object", "foreignObject", "use")
        for name, value in element.attrib.items():
            assert not name.lower().startswith("on")
            assert "javascript:" not in value.lower()
            assert name.rpartition("}")[2] != "href" or not value
    return root


def text_of(page):
    return " ".join(" ".join(parse(page).itertext()).split())


def artifact_entries():
    return get_default_session()._artifact.entries


def test_a_job_before_its_first_call():
    job = define_train()
    shown = text_of(job._repr_html_())
    assert "train_job train job models.py:" in shown
    assert "train_job(images: float32 (4, 6), labels: int32 (4,)) -> Numpy" in shown
    assert "Not compiled yet: the first call of a job" in shown
    # It was not traced for that: another job may still take its place.
    define_train()


def test_a_job_after_its_first_call():
    job, evaluate = define_train(), define_eval()
    job(*batch())
    totals = flow.memory_totals()
    shown = text_of(job._repr_html_())
    assert "Not compiled" not in shown
    assert f"total {totals['total']:,}" in shown
    assert f"arena: results of ops {totals['arena']:,}" in shown
    assert f"variables, of all jobs {totals['bank']:,}" in shown
    assert "largest results of ops" in shown and "gradient of Dense_1-matmul" in shown
    [entry] = [e for e in artifact_entries() if e["name"] == "train_job"]
    # The products of the layers and of their gradients, and more.
    assert 2 * 240 + 3 * 120 < entry["flops"] < 2000
    assert f"kernels {entry['kernels']} library calls 5" in shown
    assert f"FLOP of a call {_compiler.format_count(entry['flops'])} " in shown
    assert "runs on CPU compiled, or read from the cache, in" in shown
    assert "Variables: 4" in shown and "float32 (5, 6)" in shown
    # Those that one job alone needs.
    other = text_of(evaluate._repr_html_())
    assert "gradient" not in other and "predict job" in other


def test_the_largest_results():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((64, 32))) -> tp.Numpy:
        for width, name in ((128, "wide"), (16, "narrow")):
            x = flow.layers.dense(x, width, name=name)
        return flow.layers.dense(x, 3, name="last")

    job(np.ones((64, 32), np.float32))
    shown = text_of(job._repr_html_())
    wide = shown.index(f"wide-matmul {64 * 128 * 4:,}")
    assert wide < shown.index(f"narrow-matmul {64 * 16 * 4:,}")


def define_hostile():
    """Names of all kinds that are HTML."""

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 3))) -> tp.Numpy:
        w = flow.get_variable(
            f"v{BAD}", (3, 3), initializer=flow.ones_initializer()
        )
        return flow.math.exp(flow.matmul(x, w, name=f"m{BAD}"), name=f"o{BAD}")

    return job


@pytest.mark.parametrize("has_dot", [True, False])
def test_names_are_no_html(has_dot, monkeypatch):
    job = define_hostile()
    job(np.ones((2, 3), np.float32))
    if not has_dot:
        monkeypatch.setenv("PATH", "/nowhere")
    page = job._repr_html_()
    assert "<script" not in page
    shown = text_of(page)
    assert f"v{BAD}" in shown and f"o{BAD}" in shown
    assert ("<svg" in page) == has_dot
    assert ("There is no picture" in shown) == (not has_dot)


def test_a_failing_graphviz(tmp_path, monkeypatch):
    job = define_train()
    job(*batch())
    (tmp_path / "dot").write_text("#!/bin/sh\nexit 3\n")
    (tmp_path / "dot").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "is not on PATH or failed" in text_of(job._repr_html_())


def test_a_graph_of_many_ops():
    def body(x):
        for i in range(200):
            x = flow.math.tanh(x, name=f"t{i}")
        return x

    job = define_unary(body)
    job(np.ones((2, 3), np.float32))
    page = job._repr_html_()
    shown = text_of(page)
    assert "<svg" not in page and len(page) < 20_000
    assert "Graph: 200 ops Pictures here have at most 150 ops" in shown
    assert "flow.graph_svg(entry='job')" in shown
    assert "t39" in shown and "t40" not in shown and "and 160 more" in shown


def test_jobs_of_other_sessions():
    old = define_train()
    old(*batch())
    flow.clear_default_session()
    assert "Not compiled yet" in old._repr_html_()
    new = define_train()
    new(*batch())
    assert "Not compiled yet" in old._repr_html_()
    assert "Not compiled yet" not in new._repr_html_()


def test_reports():
    define_hostile()
    picture = flow.graph_svg()
    assert isinstance(picture, str) and picture.startswith("<?xml")
    page = picture._repr_html_()
    assert "<?xml" not in page and "<!DOCTYPE" not in page
    assert f"o{BAD}" in text_of(page)
    report = flow.memory_report(html=True)
    assert isinstance(report, str) and report.startswith("<!DOCTYPE html>")
    shown = report._repr_html_()
    # A frame that runs no script.
    (frame,) = re.findall(r'<iframe sandbox style="[^"]*" srcdoc="([^"]*)">', shown)
    assert html.unescape(frame) == report
    assert not hasattr(flow.memory_report(), "_repr_html_")


def test_what_ipython_takes():
    formatters = pytest.importorskip("IPython.core.formatters")
    job = define_train()
    assert formatters.HTMLFormatter()(job) == job._repr_html_()
    picture = flow.graph_svg()
    assert formatters.HTMLFormatter()(picture) == picture._repr_html_()


def test_sizes_are_written_as_in_the_memory_report():
    job = define_train()
    job(*batch())
    [entry] = [e for e in artifact_entries() if e["name"] == "train_job"]
    peak = _compiler.format_bytes(entry["arena_lower_bound"])
    assert f"<b>{peak}</b>" in job._repr_html_()
    assert f"<b>{peak}</b>" in flow.memory_report(html=True)


def test_the_file_of_a_cell_has_no_name():
    place = notebook._place("/tmp/ipykernel_42/1234.py", 3)
    assert place == '<span class="soft" title="/tmp/ipykernel_42/1234.py">cell:3</span>'


# ===- The notebook of examples/ ------------------------------------------------===#


def test_the_committed_notebook_has_no_outputs():
    cells = json.loads(NOTEBOOK.read_text())["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert code
    for cell in code:
        assert cell["outputs"] == [] and cell["execution_count"] is None


def test_the_notebook_runs(tmp_path):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    book = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(book)
    resources = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(book, timeout=60, resources=resources).execute()
    nbformat.validate(book)
    code = [cell for cell in book.cells if cell.cell_type == "code"]
    outputs = {cell.source: cell.outputs for cell in code}
    shown = [c.outputs[0].data["text/html"] for c in code if c.source == "train"]
    assert "Not compiled yet" in shown[0] and "Graph: " in shown[1]
    for page in shown:
        assert "cell:" in text_of(page)
    (printed,) = [o for c in code for o in c.outputs if o.output_type == "stream"]
    before, after = map(float, re.findall(r"\d\.\d+", printed.text))
    assert after < before / 3
    pictures = [
        o for c in code for o in c.outputs if "image/png" in o.get("data", {})
    ]
    assert len(pictures) == 2
    picture = outputs['flow.graph_svg("train", "train")'][0].data["text/html"]
    shown = text_of(picture)
    assert "cell:8" in shown and "gradient of Dense-activation" in shown
    assert ".py:" not in re.sub(r"<[^>]*>", "", picture)
    report = outputs["flow.memory_report(html=True)"][0].data["text/html"]
    assert report.startswith("<iframe sandbox")
