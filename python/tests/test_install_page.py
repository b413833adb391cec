"""docs/install.md and scripts/check-install.sh, which executes its blocks."""

import pathlib
import re

ROOT = pathlib.Path(__file__).parents[2]
PAGE = (ROOT / "docs/install.md").read_text()
SCRIPT = (ROOT / "scripts/check-install.sh").read_text()


def test_the_script_executes_every_block():
    blocks = re.findall(r"```sh\n.*?```", PAGE, re.DOTALL)
    marked = re.findall(
        r"<!-- not run: scripts/check-install.sh does: ([\w-]+) -->\n```sh\n", PAGE
    )
    assert len(marked) == len(blocks)
    (cases,) = re.findall(r'case \$step in\n(.*?)\n    \*\) usage', SCRIPT, re.DOTALL)
    steps = re.findall(r"^    ([a-z |-]+)\)$", cases, re.MULTILINE)
    # "user" is the block "demo" as an ordinary user.
    names = {name for step in steps for name in step.split(" | ")} - {"user"}
    assert set(marked) == names


def test_the_script_explains_its_steps():
    """Its first lines name all of them, as does the order that it has by itself."""
    head = SCRIPT.partition("\n\n")[0]
    (order,) = re.findall(r"steps=\((demo [^)]*)\)", SCRIPT)
    for name in order.replace('"${optional[@]}"', "").split():
        assert re.search(rf"^# .*\b{name}\b", head, re.MULTILINE), name


def test_the_page_names_the_packages_of_the_c_only_section():
    (packages,) = re.findall(r"On Debian: `([^`]*)`", PAGE)
    (made,) = re.findall(r"make_root c (.*?)\n      install", SCRIPT, re.DOTALL)
    assert set(packages.split()) <= set(made.replace("\\\n", " ").split())
