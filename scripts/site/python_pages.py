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


def document(module, name):
    """The directive for a name, or None for one that has a page of its own."""
    value = getattr(module, name)
    if inspect.ismodule(value):
        return None
    full = f"{module.__name__}.{name}"
    if inspect.isclass(value):
        lines = [f".. autoclass:: {full}", "   :members:"]
    elif callable(value):
        lines = [f".. autofunction:: {full}"]
    else:
        lines = [f".. autodata:: {full}", "   :no-value:"]
    text = note(full.removeprefix("jobmlir."))
    if text:
        lines += ["", f"   {text}"]
    return "\n".join([*lines, ""])


def module_page(module):
    """A page as Markdown."""
    order = list(dict.fromkeys(n.title for n in names.reference().values()))
    groups = {}
    for name in sorted(vars(module), key=str.lower):
        if name.startswith("_"):
            continue
        text = document(module, name)
        if text is not None:
            path = f"{module.__name__}.{name}".removeprefix("jobmlir.")
            groups.setdefault(topic(path), []).append(text)
    lines = [f"# `{module.__name__}`", "", rst(f".. automodule:: {module.__name__}")]
    for title in [*order, _OTHER]:
        if title not in groups:
            continue
        if len(groups) > 1:
            lines += [f"## {title}", ""]
        lines.append(rst("\n".join(groups[title])))
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
    (out / "index.md").write_text(index_page(modules))


if __name__ == "__main__":
    write(pathlib.Path(sys.argv[1]))
