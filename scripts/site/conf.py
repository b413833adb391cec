"""Sphinx's configuration. scripts/build-site.sh runs it on the folder that
assemble.py writes."""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import docstrings
import navigation
from mlir_lexer import MLIRLexer

_ROOT = pathlib.Path(__file__).resolve().parents[2]

project = "JobMLIR"
version = release = (_ROOT / "runtime" / "VERSION").read_text().strip()
copyright = "the JobMLIR authors, Apache-2.0 WITH LLVM-exception"

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "menu",
    "source_links",
]
# All else in the folder are files that pages link to.
include_patterns = navigation.patterns()
root_doc = "index"
language = "en"

# Anchors as on the host of the repository, for all levels of headings.
myst_heading_anchors = 6
highlight_language = "none"
# Dashes only: quotes and dots are as the pages have them.
smartquotes_action = "D"

autodoc_member_order = "groupwise"
autodoc_typehints = "signature"
python_display_short_literal_types = True
python_maximum_signature_line_length = 80
toc_object_entries_show_parents = "hide"
# A page has one module, which is its title.
add_module_names = False

html_theme = "furo"
html_title = f"JobMLIR {version}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {"top_of_page_buttons": []}
pygments_style = "default"
pygments_dark_style = "github-dark"


def _prepare(app, docname, source):
    """What mlir-tblgen writes for another program, or as headings, of which the
    menu of a page would be full."""
    if docname.startswith("docs/generated/"):
        text = source[0].replace("[TOC]\n", "")
        source[0] = re.sub(r"^#### (\w+:)$", r"**\1**", text, flags=re.MULTILINE)


def setup(app):
    app.add_lexer("mlir", MLIRLexer)
    app.connect("source-read", _prepare)
    # Before napoleon, which reads sections.
    app.connect("autodoc-process-docstring", docstrings.process, priority=400)
