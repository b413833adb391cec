"""Links from pages to files of the repository.

The source folder has the repository's layout, so a link to a file is right here if
it is right there. A file that is not a page becomes a page with its text, and so
does one that a page names in code font, such as `lib/Pipelines/Pipelines.cpp`; a
name of a file that does not exist is a warning.
"""

import os
import posixpath
import re

import tracked
from docutils import nodes
from sphinx import addnodes
from sphinx.transforms import SphinxTransform
from sphinx.util import logging

_LOGGER = logging.getLogger(__name__)
_FOLDERS = sorted(path for path in tracked.folders() if re.fullmatch(r"\w+", path))
# A path below a folder of the repository, without patterns.
_NAMED = re.compile(rf"(?:{'|'.join(_FOLDERS)})(?:/[\w.-]+)+")


def page_of(path):
    """The name of the page with the text of a file."""
    return f"source/{path}"


class SourceLinks(SphinxTransform):
    """Makes the links, and notes which pages they need."""

    # Before Sphinx collects the files to download.
    default_priority = 400

    def apply(self):
        for node in list(self.document.findall(addnodes.download_reference)):
            folder = posixpath.dirname(self.env.docname)
            path = posixpath.normpath(posixpath.join(folder, node["reftarget"]))
            node.replace_self(self._link(path, node.children))
        for node in list(self.document.findall(nodes.literal)):
            path = node.astext()
            if isinstance(node.parent, nodes.reference) or not _NAMED.fullmatch(path):
                continue
            if path.removesuffix(".md") in self.env.found_docs:
                uri = self._uri(path.removesuffix(".md"))
                node.replace_self(self._reference(uri, [node.deepcopy()]))
            elif path in tracked.files():
                node.replace_self(self._link(path, [node.deepcopy()]))
            elif path not in tracked.folders():
                _LOGGER.warning(
                    "expects a file of the repository but got %r", path, location=node
                )

    def _link(self, path, children):
        self.env.app.source_pages.add(path)
        return self._reference(self._uri(page_of(path)), children)

    def _uri(self, page):
        return self.env.app.builder.get_relative_uri(self.env.docname, page)

    def _reference(self, uri, children):
        return nodes.reference("", "", *children, refuri=uri, internal=True)


def make_pages(app):
    """The pages with the texts."""
    for path in sorted(app.source_pages):
        text = (tracked.ROOT / path).read_text(encoding="utf-8")
        code = app.builder.highlighter.highlight_block(
            text, _language(path), linenos="inline", force=True
        )
        body = f"<h1>{path}</h1>\n{code}"
        yield page_of(path), {"title": path, "body": body}, "page.html"


def _language(path):
    from pygments.lexers import get_lexer_for_filename
    from pygments.util import ClassNotFound

    if path.endswith(".mlir"):
        return "mlir"
    try:
        return get_lexer_for_filename(os.path.basename(path)).aliases[0]
    except (ClassNotFound, IndexError):
        return "none"


def setup(app):
    app.source_pages = set()
    app.add_transform(SourceLinks)
    app.connect("html-collect-pages", make_pages)
    return {"parallel_read_safe": False}
