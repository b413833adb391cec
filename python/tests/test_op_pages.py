"""The pages of ops that scripts/site/op_pages.py writes: complete, and as what ran."""

import pathlib
import re
import sys

import op_references
import op_samples
import pytest

SITE = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "site"
sys.path.insert(0, str(SITE))
import op_docstrings
import op_ir
import op_pages

DIALECT = op_ir.entries()


@pytest.fixture(scope="module")
def written():
    """What the pages show."""
    return op_pages.Pages()


@pytest.fixture(scope="module")
def pages(written, tmp_path_factory):
    """The text of each page by its name."""
    out = tmp_path_factory.mktemp("site") / "ops"
    written.write(out)
    return {path.stem: path.read_text() for path in out.glob("*.md")}


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def section(text, title):
    return text.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def test_each_op_has_a_page(pages):
    listed = set(op_samples.SAMPLES) | set(op_samples.EXAMPLES)
    assert set(pages) == set(DIALECT) | listed | {"index"}
    assert "nn.conv2d" in pages
    assert "job.conv2d" in pages


def test_an_op_without_a_sample_is_an_error(monkeypatch):
    monkeypatch.delitem(op_samples.SAMPLES, "math.exp")
    with pytest.raises(KeyError, match=r"expects a use of math\.exp in op_samples\.py"):
        op_pages.python_ops()


def test_an_op_of_the_dialect_without_a_job_is_an_error():
    module = op_ir.Module("job.exp")
    assert op_pages.choose(["job.exp"], {"job.exp": [module]}) == {"job.exp": module}
    with pytest.raises(KeyError, match=r"expects a job with job\.later in test/"):
        op_pages.choose(["job.exp", "job.later"], {"job.exp": [module]})


@pytest.mark.parametrize("name", DIALECT)
def test_a_page_shows_its_op(pages, name):
    (ir,) = blocks(section(pages[name], "IR"), "mlir")
    assert name in op_ir.ops_in(ir)
    assert DIALECT[name].summary in pages[name]
    assert DIALECT[name].kernels[0] in section(pages[name], "How it is computed")


def test_examples_are_what_ran(pages, written):
    for name, example in written.examples.items():
        assert blocks(pages[name], "python") == [example.script], name
        assert f"{name.rpartition('.')[2]}" in example.script or "Blob." in name
        (printed,) = blocks(section(pages[name], "Example"), "text")
        assert printed.strip() == example.output.strip(), name


def test_gradients(pages, written):
    """A page of a differentiable op has the IR of its gradient, any other says why
    there is none."""
    differentiable = set(written.gradients) | set(written.made)
    for name, text in pages.items():
        if name == "index":
            continue
        found = section(text, "Gradient")
        if name in differentiable:
            (ir,) = blocks(found, "mlir")
            assert "job.update" in op_ir.ops_in(ir) or name == "job.gradient", name
        elif not blocks(found, "mlir"):
            assert found.strip().startswith("No gradient"), name
    for name in op_samples.SAMPLES:
        if op_samples.is_op(name) and name in written.gradients:
            assert "Gradient with respect to it: yes" in pages[name], name
    assert "job.conv2d_filter_grad" in section(pages["nn.conv2d"], "Gradient")
    assert "trainable variable" in section(pages["math.floor"], "Gradient")
    assert "no floats" in section(pages["job.argmax"], "Gradient")


def test_ir_is_read_again(pages):
    """Each block of IR is a whole module, which a reader can give to job-opt."""
    irs = [ir for text in pages.values() for ir in blocks(text, "mlir")]
    assert len(irs) > len(pages)
    results = op_ir.job_opt(irs)
    refused = [message for ir, message in zip(*results) if ir is None]
    assert not refused


def test_links(pages):
    docs = SITE.parents[1] / "docs"
    for name, text in pages.items():
        for target, anchor in re.findall(r"\]\(([^)#]+\.md)(?:#([^)]*))?\)", text):
            if target.startswith("../"):
                other = (docs / target[3:]).read_text()
            else:
                other = pages[target.removesuffix(".md")]
            if anchor:
                heading = rf"^##+ {re.escape(anchor)}$"
                found = re.search(heading, other, re.MULTILINE)
                assert found, (name, target, anchor)
    linked = set(re.findall(r"\]\(([^)]*)\.md\)", pages["index"]))
    assert linked == set(pages) - {"index"}


def test_docstrings_with_sections():
    def function(x, y=1):
        """What it *does*. More.

        Further text, of `x * y`.

        Args:
            x: A blob.
                It goes on.
            y: A number.

        Returns:
            A blob of floats: the sum.

        Raises:
            OpError: If not.
        """

    summary, lines = op_docstrings.of(function)
    assert summary == r"What it \*does\*. More."
    assert op_docstrings.first(summary) == r"What it \*does\*."
    assert [line for line in lines if line] == [
        "Further text, of `x * y`.",
        "**Arguments**",
        "- `x`: A blob.",
        "  It goes on.",
        "- `y`: A number.",
        "**Result**",
        "A blob of floats: the sum.",
        "**Errors**",
        "- `OpError`: If not.",
    ]
    assert op_docstrings.signature("f", function) == "flow.f(x, y=1)"
