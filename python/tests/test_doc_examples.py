"""What the pages show runs: README.md, CONTRIBUTING.md, the pages of docs/ and
those beside examples.

The blocks of a page run from top to bottom, in a process of their own, in a
temporary folder with a copy of examples/ and with build/ of the checkout:

- `python`: in one namespace for the page;
- `sh`: by `bash -e`, with the tools of build/bin on PATH;
- `mlir`: `job-opt` accepts it;
- `c`: the compiler of C accepts it, with the headers of the runtime.

These and `cpp` blocks are not run where the line before is the comment
`<!-- not run: why -->`. A comment

    <!-- python
    code
    -->

runs as a `python` block that no reader sees: what a short example needs before
it, or what is to hold after it. Other kinds of blocks are text.
"""

import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
from markdown_it import MarkdownIt
from c_compiler import CC

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("JOBMLIR_BUILD_DIR", ROOT / "build"))
PAGES = sorted(
    path
    for pattern in ("*.md", "docs/*.md", "examples/**/*.md", "runtime/*.md")
    for path in ROOT.glob(pattern)
    # test/Tools/pass-examples.test runs passes.md and compares the outputs.
    if "```" in path.read_text() and path != ROOT / "docs" / "passes.md"
)
# Blocks of these kinds are to run; nothing runs the last one.
KINDS = ("python", "sh", "mlir", "c", "cpp")
NOT_RUN = re.compile(r"<!-- not run: \S.*-->\s*")
HIDDEN = re.compile(r"<!-- python\n(.*)\n-->\s*", re.DOTALL)


@dataclasses.dataclass
class Block:
    kind: str
    line: int  # of the first line of the text, counted from 0
    text: str


def read_blocks(path):
    """The blocks of a page that run."""
    blocks = []
    skip = False
    for token in MarkdownIt("commonmark").parse(path.read_text()):
        if token.type == "fence":
            kind = token.info.strip()
            if kind == "cpp" and not skip:
                raise ValueError(
                    f"{path}:{token.map[0] + 1}: expects a comment that says why "
                    "this block is not run"
                )
            if kind in KINDS and not skip:
                blocks.append(Block(kind, token.map[0] + 1, token.content))
        elif token.type == "html_block":
            hidden = HIDDEN.fullmatch(token.content)
            if hidden:
                blocks.append(Block("python", token.map[0] + 1, hidden[1]))
        skip = token.type == "html_block" and bool(NOT_RUN.fullmatch(token.content))
    return blocks


def run_command(path, block, command, **options):
    done = subprocess.run(command, text=True, check=False, **options)
    if done.returncode:
        sys.exit(f"{path}:{block.line}: the {block.kind} block failed")


def run_page(path):
    """Runs the blocks of a page in the current folder."""
    headers = ROOT / "runtime" / "include"
    # As in a script: its folder, for modules beside it.
    sys.path[0] = os.getcwd()
    namespace = {"__name__": "__main__"}
    for block in read_blocks(path):
        if block.kind == "python":
            # Locations are those of the page.
            code = compile("\n" * block.line + block.text, str(path), "exec")
            exec(code, namespace)
        elif block.kind == "sh":
            run_command(path, block, ["bash", "-e", "-o", "pipefail", "-c", block.text])
        elif block.kind == "mlir":
            command = ["job-opt", "-", "-o", os.devnull]
            run_command(path, block, command, input=block.text)
        elif block.kind == "c":
            command = [CC, "-fsyntax-only", "-Wall", "-Werror", "-x", "c", "-"]
            run_command(path, block, [*command, f"-I{headers}", "-I."], input=block.text)


def run_in(folder, path):
    """Runs a page in a folder and a process of its own."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    (folder / "build").symlink_to(BUILD)
    environment = dict(os.environ)
    environment["PATH"] = f"{BUILD / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        [sys.executable, __file__, path],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.mark.parametrize(
    "path", PAGES, ids=[str(path.relative_to(ROOT)) for path in PAGES]
)
def test_page(path, tmp_path):
    blocks = read_blocks(path)
    if not (BUILD / "bin" / "job-opt").exists() and any(
        block.kind in ("sh", "mlir") for block in blocks
    ):
        pytest.skip("no job-opt here")
    done = run_in(tmp_path, path)
    assert done.returncode == 0, done.stdout + done.stderr


def run_text(folder, text):
    page = folder / "page.md"
    page.write_text(text)
    (folder / "run").mkdir()
    return run_in(folder / "run", page)


def test_one_namespace_and_folder(tmp_path):
    done = run_text(
        tmp_path,
        "<!-- python\na = 'hidden'\n-->\n\n"
        "- ```python\n  open('f', 'w').write(a)\n  ```\n\n"
        "```sh\ntest \"$(cat f)\" = hidden && test -d examples\njob-opt --version\n```\n\n"
        "```python\nprint(a)\n```\n",
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("hidden\n")


@pytest.mark.parametrize(
    ("kind", "text", "message"),
    [
        ("python", "1 / 0", 'page.md", line 4, in <module>'),
        ("sh", "false\ntrue", "page.md:3: the sh block failed"),
        ("mlir", "job.func", "page.md:3: the mlir block failed"),
        ("c", "int x = y;", "page.md:3: the c block failed"),
        ("cpp", "int x;", "page.md:3: expects a comment"),
    ],
)
def test_failing_block(kind, text, message, tmp_path):
    block = f"```{kind}\n{text}\n```\n"
    done = run_text(tmp_path, f"# Page\n\n{block}")
    assert done.returncode != 0 and message in done.stderr
    # Not with the comment before it.
    assert not read_blocks(write(tmp_path, f"<!-- not run: x -->\n{block}"))
    # The comment belongs to one block, and has a reason.
    if kind != "cpp":
        assert read_blocks(write(tmp_path, f"<!-- not run: x -->\nText.\n\n{block}"))
        assert read_blocks(write(tmp_path, f"<!-- not run: -->\n{block}"))


def write(folder, text):
    path = folder / "other.md"
    path.write_text(text)
    return path


if __name__ == "__main__":
    run_page(pathlib.Path(sys.argv[1]))
