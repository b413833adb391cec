"""Wheels for the tests of scripts."""

import base64
import hashlib
import zipfile

FILES = {
    "package.py": "",
    "package-1.0.dist-info/METADATA": "Metadata-Version: 2.4\nName: package\n"
    "Version: 1.0\nLicense-File: LICENSE\n",
    "package-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: test\n"
    "Root-Is-Purelib: true\nTag: py3-none-any\n",
    "package-1.0.dist-info/licenses/LICENSE": "Do as you like.\n",
}
NAME = "package-1.0-py3-none-any.whl"


def write(folder, more=()):
    """A wheel of a package without code, with `more` files; its path."""
    record = "package-1.0.dist-info/RECORD"
    files = {**FILES, **dict(more)}
    lines = []
    for name, text in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest())
        lines.append(f"{name},sha256={digest.decode().rstrip('=')},{len(text)}\n")
    with zipfile.ZipFile(folder / NAME, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
        archive.writestr(record, "".join(lines) + f"{record},,\n")
    return folder / NAME
