#!/usr/bin/env python3
"""Writes the pages of the Python API: python_pages.py OUT.

A page for each public module, with all of its public names, by the topics of
docs/api-status.md. Sphinx takes signatures and docstrings from the package, which
is the one on PYTHONPATH.
"""

import importlib
import inspect
import pathlib
import pkgutil
import sys

import jobmlir
from jobmlir._src import names

_OTHER = "Other names"

# Members of these and of their bases are Python's.
_NOT_OURS = "object, tuple, Generic, TestCase"


def list_modules():
    """The public modules, the package first."""
    found = pkgutil.iter_modules(jobmlir.__path__, "jobmlir.")
    public = [m.name for m in found if not m.name.split(".")[1].startswith("_")]
    return [importlib.import_module(name) for name in ["jobmlir", *public]]


def topic(path):
    known = names.reference().get(path)
    return known.title if known else _OTHER


def note(path):
    """What the reference says of a name, as a line."""
    known = names.reference().get(path)
    if known is None or not known.note:
        return ""
    kind = {"limits": "Not supported", "no-effect": "No effect"}.get(known.kind)
    return f"*{kind}:* {known.note}." if kind else ""


def document(path, value):
    """The directives for a name of the package, as lines. A module has a page of its
    own."""
    if inspect.ismodule(value):
        return []
    if inspect.isclass(value):
        lines = [f".. autoclass:: {path}", "   :members:", "   :undoc-members:"]
        if issubclass(value, BaseException):
            lines += ["   :show-inheritance:"]
        else:
            lines += [f"   :inherited-members: {_NOT_OURS}"]
    elif callable(value):
        lines = [f".. autofunction:: {path}"]
    else:
        # A group of names, such as keras.activations.
        return [
            line
            for name in dir(value)
            if not name.startswith("_")
            for line in document(f"{path}.{name}", getattr(value, name))
        ]
    text = note(path.removeprefix("jobmlir."))
    return [*lines, *(["", f"   {text}"] if text else []), ""]


def module_page(module):
    """A page as Markdown."""
    order = list(dict.fromkeys(n.title for n in names.reference().values()))
    groups = {}
    for name in sorted(vars(module), key=str.lower):
        if name.startswith("_"):
            continue
        path = f"{module.__name__}.{name}"
        lines = document(path, getattr(module, name))
        if lines:
            groups.setdefault(topic(path.removeprefix("jobmlir.")), []).extend(lines)
    lines = [f"# `{module.__name__}`", "", rst(f".. automodule:: {module.__name__}")]
    for title in [*order, _OTHER]:
        if title not in groups:
            continue
        if len(groups) > 1:
            lines += [f"## {title}", ""]
        lines.append(rst("\n".join(groups[title])))
    return "\n".join(lines)


def objects_page():
    """The classes that have no public name."""
    lines = [
        "# Objects",
        "",
        "Blobs, and what calls return: classes that have no name in the package.",
        "",
    ]
    for module, name in names.OBJECTS.values():
        path = f"jobmlir._src.{module}.{name}"
        value = getattr(importlib.import_module(f"jobmlir._src.{module}"), name)
        lines.append(rst("\n".join(document(path, value))))
    return "\n".join(lines)


def rst(text):
    return f"```{{eval-rst}}\n{text}\n```\n"


def index_page(modules):
    rows = [
        f"| [`{module.__name__}`]({stem(module)}.md) | {summary(module)} |"
        for module in modules
    ]
    return "\n".join(
        [
            "# Python reference",
            "",
            "All public names of the package, with `import jobmlir as flow` in mind:",
            "`flow.nn.relu` is on the page of `jobmlir.nn`.",
            "[The status of the API](../api-status.md) lists what each name of OneFlow",
            "has become.",
            "",
            "| module | contents |",
            "|---|---|",
            *rows,
            "| [objects](objects.md) | blobs, and what calls return |",
            "",
        ]
    )


def summary(module):
    return inspect.getdoc(module).splitlines()[0].rstrip(".")


def stem(module):
    return module.__name__.rpartition(".")[2]


def write(out):
    out.mkdir(parents=True)
    modules = list_modules()
    for module in modules:
        (out / f"{stem(module)}.md").write_text(module_page(module))
    (out / "objects.md").write_text(objects_page())
    (out / "index.md").write_text(index_page(modules))


if __name__ == "__main__":
    write(pathlib.Path(sys.argv[1]))
