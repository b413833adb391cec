#!/usr/bin/env python3
"""Writes the folder that the site is built from: assemble.py OUT.

It has the layout of the repository, so that links between pages, and from pages to
files, are the same there and here: copies of the pages, README.md as index.md,
generated pages, and links to the files that are not pages. Files that git does not
track are not in it.
"""

import pathlib
import re
import shutil
import subprocess
import sys

import navigation
import tracked

HERE = pathlib.Path(__file__).resolve().parent


def assemble(out):
    shutil.rmtree(out, ignore_errors=True)
    for name in tracked.files():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if name.startswith("docs/") or name.endswith(".md"):
            shutil.copy(tracked.ROOT / name, path)
        else:
            path.symlink_to(tracked.ROOT / name)
    index = out / "README.md"
    (out / "index.md").write_text(index.read_text() + navigation.toctrees())
    index.unlink()
    for folder, script in navigation.GENERATED.items():
        subprocess.run([sys.executable, HERE / script, out / folder], check=True)
        list_pages(out / folder / "index.md", folder in navigation.LISTED)


def list_pages(index, in_menu):
    """Adds the pages of its folder to the menu, in the order of its links, or says of
    them that they are in none: hundreds would make every page long."""
    text = index.read_text()
    linked = dict.fromkeys(re.findall(r"\]\(([\w.-]+)\.md\)", text))
    others = [path for path in index.parent.glob("*.md") if path != index]
    lost = sorted({path.stem for path in others} - set(linked))
    if lost:
        sys.exit(f"expects {index} to link to {', '.join(lost)}")
    if in_menu:
        menu = "".join(f"{page}\n" for page in linked)
        index.write_text(f"{text}\n```{{toctree}}\n:hidden:\n\n{menu}```\n")
    else:
        for path in others:
            path.write_text(f"---\norphan: true\n---\n\n{path.read_text()}")


if __name__ == "__main__":
    assemble(pathlib.Path(sys.argv[1]))
