"""The menu beside each page, from the titles of pages alone.

Sphinx resolves the menu of each page from a copy of the contents of all pages, which
takes longer than all else: references of ops and of modules have thousands of entries,
and the menu shows none of them.
"""

from docutils import nodes
from sphinx import addnodes


def _title(contents):
    """The contents of a page without its headings, but with its menus."""
    out = nodes.bullet_list()
    for item in contents.children:
        if isinstance(item, nodes.list_item):
            entry = nodes.list_item("", item.children[0].deepcopy())
            menus = [node.deepcopy() for node in item.findall(addnodes.toctree)]
            if menus:
                entry += nodes.bullet_list("", *menus)
            out += entry
        else:
            out += item.deepcopy()
    return out


def _prepare(app, page, template, context, doctree):
    if "toctree" not in context:
        return
    resolve = context["toctree"]

    def resolve_titles(**options):
        if not options.get("titles_only"):
            return resolve(**options)
        env = app.builder.env
        contents = env.tocs
        if not hasattr(app, "menu_titles"):
            app.menu_titles = {name: _title(toc) for name, toc in contents.items()}
        env.tocs = app.menu_titles
        try:
            return resolve(**options)
        finally:
            env.tocs = contents

    context["toctree"] = resolve_titles


def setup(app):
    # Before the theme asks for the menu.
    app.connect("html-page-context", _prepare, priority=400)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
