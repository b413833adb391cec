"""Adds the licences of the third-party code in a wheel to it.

wheel-licenses.py WHEEL OUT PACKAGE...

PACKAGE is a Debian package whose code is linked statically. The libraries that
auditwheel has put into the wheel, and pybind11, are found.
"""

import argparse
import importlib.metadata
import pathlib
import re
import subprocess
import sys
import tempfile

DOCUMENTS = pathlib.Path("/usr/share/doc")
COMMON = pathlib.Path("/usr/share/common-licenses")


def run(*command):
    return subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True
    ).stdout


def package_of(library):
    """The Debian package of a library that auditwheel has renamed."""
    name = re.sub(r"-[0-9a-f]{8}(?=\.so)", "", library.name)
    return run("dpkg-query", "--search", f"*/{name}").split(":")[0]


def licenses(tree, packages):
    """The texts by file name."""
    found = set(packages) | {package_of(file) for file in tree.glob("*.libs/*")}
    texts = {
        package: (DOCUMENTS / package / "copyright").read_text() for package in found
    }
    # Those that Debian's files refer to.
    for text in list(texts.values()):
        for name in re.findall(rf"{COMMON}/([A-Za-z]+(?:-[0-9.]*[0-9])?)", text):
            if (COMMON / name).is_file():
                texts[name] = (COMMON / name).read_text()
    for file in importlib.metadata.files("pybind11"):
        if file.name == "LICENSE" and "licenses" in file.parts:
            texts["pybind11"] = file.read_text()
    return texts


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("wheel", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("packages", nargs="*")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        run(sys.executable, "-m", "wheel", "unpack", options.wheel, "--dest", folder)
        (tree,) = pathlib.Path(folder).iterdir()
        (metadata,) = tree.glob("*.dist-info/METADATA")
        added = metadata.parent / "licenses" / "third-party"
        added.mkdir(parents=True)
        lines = []
        for name, text in sorted(licenses(tree, options.packages).items()):
            (added / name).write_text(text)
            lines.append(f"License-File: third-party/{name}\n")
        head = "License-File: LICENSE\n"
        text = metadata.read_text()
        assert head in text
        metadata.write_text(text.replace(head, head + "".join(lines), 1))
        run(sys.executable, "-m", "wheel", "pack", tree, "--dest-dir", options.out)


if __name__ == "__main__":
    main()
