"""The documentation site: scripts/build-site.sh."""

import importlib
import os
import re
import subprocess
import sys
import urllib.error
import urllib.request

import pytest

pytest.importorskip("furo")
pytest.importorskip("myst_parser")
pytestmark = pytest.mark.skipif(
    not os.path.exists(os.path.join(os.path.dirname(__file__), "../../.git")),
    reason="no clone here, whose files git lists",
)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site of this checkout."""
    out = tmp_path_factory.mktemp("site") / "site"
    script = os.path.join(os.path.dirname(__file__), "../../scripts/build-site.sh")
    done = subprocess.run(
        [script, out],
        env={**os.environ, "JOBMLIR_PYTHON": sys.executable},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert not done.stderr, done.stderr
    return out


@pytest.fixture
def scripts(root, monkeypatch):
    """Imports a module of scripts/site."""
    monkeypatch.syspath_prepend(root / "scripts" / "site")
    return importlib.import_module


def test_pages(site, root):
    # A page has one heading of the first level, its title.
    for path in [*root.glob("docs/*.md"), *root.glob("docs/generated/*.md")]:
        page = site / path.relative_to(root).with_suffix(".html")
        assert page.read_text().count("<h1>") == 1, page
    index = (site / "index.html").read_text()
    assert "A first program" in index
    # The menu has the pages of modules, and no headings.
    assert 'href="docs/python/nn.html"' in index
    assert 'href="docs/gpu.html#' not in index
    # Colours of MLIR, and the text of a file that a page names.
    assert 'class="highlight-mlir' in (site / "docs/passes.html").read_text()
    source = (site / "source/lib/Pipelines/Pipelines.cpp.html").read_text()
    assert "buildRemainingPipelines" in source and "<h1>lib/Pipelines/" in source
    assert "source/lib/Pipelines/Pipelines.cpp.html" in (
        site / "docs/architecture.html"
    ).read_text()


def test_files_that_git_does_not_track(scripts, tmp_path, monkeypatch):
    """They are not in the site, nor are those that were deleted."""
    tracked = scripts("tracked")
    monkeypatch.setattr(tracked, "ROOT", tmp_path)
    (tmp_path / "docs" / "deep").mkdir(parents=True)
    for name in ("README.md", "docs/deep/page.md", "gone.txt"):
        (tmp_path / name).touch()
    for command in (["init", "--quiet"], ["add", "."]):
        subprocess.run(["git", "-C", tmp_path, *command], check=True)
    (tmp_path / "docs" / "draft.md").touch()
    (tmp_path / "gone.txt").unlink()
    assert tracked.files.__wrapped__() == {"README.md", "docs/deep/page.md"}
    monkeypatch.setattr(tracked, "files", tracked.files.__wrapped__)
    assert tracked.folders.__wrapped__() == {"docs", "docs/deep"}


def test_python_reference(site, scripts):
    pages = scripts("python_pages")
    count = 0
    for module in pages.list_modules():
        text = (site / "docs" / "python" / f"{pages.stem(module)}.html").read_text()
        for name, value in vars(module).items():
            full = f"{module.__name__}.{name}"
            if not name.startswith("_") and pages.document(full, value):
                assert f'id="{full}' in text, full
                count += 1
    assert count > 500
    assert "relu" in (site / "searchindex.js").read_text()


def test_links(scripts, tmp_path):
    links = scripts("check_links")
    site = tmp_path / "site"
    site.mkdir()
    assert links.check(site) == [f"{site}: expects pages but got none"]
    (site / "index.html").write_text('<a href="https://example.com/y" name="a">x</a>')
    (site / "broken.html").write_text(
        '<a href="index.html#a">x</a><a href="none.html">x</a>'
        '<a href="index.html#none">x</a><a href="#here" id="here">x</a>'
        '<a href="#none">x</a><a href="../../x">x</a><img src="none.png">'
        '<script src="https://example.com/x.js"></script>'
        '<a href="https:///x">x</a><a href="javascript:x">x</a>'
        '<a href="https://example.com/">x</a><img src="data:image/png;base64,x">'
    )
    assert [re.sub(r"^broken.html: ", "", line) for line in links.check(site)] == [
        "none.html: expects a file of the site",
        "index.html#none: expects an id of its target as the fragment",
        "#none: expects an id of its target as the fragment",
        "../../x: expects a file of the site",
        "none.png: expects a file of the site",
        "https://example.com/x.js: expects a file of the site in <script>",
        "https:///x: expects a host",
        "javascript:x: expects a scheme of http, https, mailto",
    ]
    assert links.list_external(site)["https://example.com/y"] == {"index.html"}


@pytest.mark.skipif(
    "JOBMLIR_EXTERNAL_LINKS" not in os.environ,
    reason="JOBMLIR_EXTERNAL_LINKS=1 asks other hosts for the links to them",
)
def test_external_links(site, scripts):
    dead = []
    for url, pages in scripts("check_links").list_external(site).items():
        request = urllib.request.Request(url, headers={"User-Agent": "Mozilla/5.0"})
        try:
            urllib.request.urlopen(request, timeout=30).close()
        except (urllib.error.URLError, OSError) as error:
            dead.append(f"{url}: {error} ({', '.join(sorted(pages))})")
    assert not dead


def test_warnings(root, tmp_path):
    """What the build refuses."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "index.md").write_text(
        "# Index\n\n```{toctree}\ndocs/page\ndocs/none\n```\n"
    )
    (tmp_path / "docs" / "page.md").write_text(
        "# Page\n\n## A heading\n\n[a](#a-heading) [b](#none) [c](none.md)\n"
        "[d](../index.md#none)\n\n"
        "`lib/None.cpp` `lib/IR/CMakeLists.txt` `lib/<Family>.cpp`\n"
    )
    (tmp_path / "docs" / "lost.md").write_text("# Lost\n")
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "--fail-on-warning", "-b", "html"]
        + ["-c", root / "scripts" / "site", tmp_path, tmp_path / "out"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    found = [line.partition("WARNING: ")[2] for line in done.stderr.splitlines()]
    expected = [
        "reference to nonexisting document 'docs/none'",
        "'myst' cross-reference target not found: 'none'",
        "'myst' cross-reference target not found: 'none.md'",
        "local id not found in doc 'index': 'none'",
        "expects a file of the repository but got 'lib/None.cpp'",
        "document isn't included in any toctree",
    ]
    for message in expected:
        assert sum(message in line for line in found) == 1, (message, done.stderr)
    assert len(found) == len(expected), done.stderr


def test_docstrings(scripts):
    escape = scripts("docstrings").escape
    assert escape(["A `x`s of |y| * 2, *args, x_ and a_b \\."]) == [
        "A ``x``\\ s of \\|y\\| \\* 2, \\*args, x\\_ and a_b \\\\."
    ]
    # Code over two lines, and examples.
    assert escape(["A `x", "y` here:", "", "    2 * x", "", "    *", "Then *."]) == [
        *["A ``x", "y`` here:", "", ".. code-block:: python", ""],
        *["    2 * x", "", "    *", "Then \\*."],
    ]
    # A section has no empty line after its title.
    assert escape(["Args:", "    x: *.", "    y: b."])[1:] == ["    x: \\*.", "    y: b."]
    assert escape([">>> 2 * x", "*", "", "*"]) == [">>> 2 * x", "*", "", "\\*"]


def test_lexer(root, scripts):
    """Each character of our own MLIR has a kind."""
    from pygments.token import Error, Keyword

    lexer = scripts("mlir_lexer").MLIRLexer()
    texts = [path.read_text() for path in root.glob("examples/*.mlir")]
    for path in root.glob("docs/**/*.md"):
        texts += re.findall("```mlir\n(.*?)```", path.read_text(), re.DOTALL)
    for text in texts:
        wrong = [token for kind, token in lexer.get_tokens(text) if kind is Error]
        assert not wrong, (wrong[:5], text[:200])
    tokens = lexer.get_tokens("job.add %0 : <4x?xf32>")
    kinds = {token: kind for kind, token in tokens}
    assert kinds["job.add"] is Keyword and kinds["f32"] is Keyword.Type
