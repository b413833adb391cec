"""What config.enable_debug_mode writes: the IR of each stage, pictures of the jobs,
the plan of their memory, and a page with links to all of it."""

import html
import os

STAGES = {
    "job": "The jobs as they were traced.",
    "train": "With gradients, updates and initial values.",
    "plan": "As buffers and commands, with the kernels.",
    "lower": "As code for each target.",
}
_PICTURES = ("job", "train")

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Jobs</title></head>
<body>
<h1>Jobs</h1>
<table>
{rows}
</table>
</body>
</html>
"""


def _write(folder, name, text):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)
    return name


def _row(name, what):
    return f'<tr><td><a href="{html.escape(name)}">{html.escape(name)}</a></td><td>{what}</td></tr>'


def write(module, folder):
    """Writes all files of a compiler's module into a folder, which is made. Raises
    OSError."""
    os.makedirs(folder, exist_ok=True)
    rows = []
    for stage, what in STAGES.items():
        text = module.print_stage(stage, True)
        rows.append(_row(_write(folder, f"{stage}.mlir", text), what))
    for stage in _PICTURES:
        picture, is_drawn = module.draw_stage(stage, "", False)
        name = f"{stage}.svg" if is_drawn else f"{stage}.dot"
        what = f"A picture of {stage}.mlir."
        if not is_drawn:
            what += " Without Graphviz on PATH, its text."
        rows.append(_row(_write(folder, name, picture), what))
    page = module.report_memory(True)
    what = "The memory of the jobs: when each buffer lives and where."
    rows.append(_row(_write(folder, "memory.html", page), what))
    _write(folder, "index.html", _PAGE.format(rows="\n".join(rows)))
