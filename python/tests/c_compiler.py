"""The C compiler of the tests: the system's, or else the one that builds the project."""

import shutil

CC = shutil.which("cc") or shutil.which("clang-22")
