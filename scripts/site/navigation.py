"""The menu of the site: sections, and their pages in order. A page of docs/ that is
in no section is an error of the build, and so is one that does not exist."""

SECTIONS = {
    "Getting started": [
        "docs/install",
        "docs/supported",
        "docs/coming-from-pytorch",
        "docs/coming-from-keras",
        "docs/coming-from-oneflow",
    ],
    "Using JobMLIR": [
        "docs/data",
        "docs/numerics",
        "docs/errors",
        "docs/looking-inside",
        "docs/tracing",
        "docs/gpu",
        "docs/editors",
        "docs/typing",
        "docs/trust",
        "docs/c-api",
        "examples/c/README",
        "runtime/README",
    ],
    "Reference": [
        "docs/python/index",
        "docs/ops/index",
        "docs/api-status",
    ],
    "Dialects and passes": [
        "docs/passes",
        "docs/generated/JobOps",
        "docs/generated/PlanOps",
        "docs/generated/JobPasses",
        "docs/generated/JobInterfaces",
        "docs/generated/JobKernels",
        "docs/generated/JobPrecision",
    ],
    "Developing the compiler": [
        "docs/architecture",
        "docs/adding-an-op",
        "docs/adding-a-pass",
        "docs/adding-a-library-call",
        "docs/adding-a-driver",
        "docs/adding-a-target",
        "docs/artifact",
        "docs/rationale",
        "docs/performance",
        "docs/gpu-results",
        "CONTRIBUTING",
        "CHANGELOG",
    ],
}

# Folders of pages that a script beside this one writes: SCRIPT FOLDER. Each has an
# index, which is in a section and links to the others. The menu of every page lists
# those of the folders in LISTED.
GENERATED = {"docs/python": "python_pages.py", "docs/ops": "op_pages.py"}
LISTED = ["docs/python"]


def patterns():
    """The files that are pages: Sphinx's include_patterns."""
    pages = [page for section in SECTIONS.values() for page in section]
    return ["index.md", "docs/**", *(f"{page}.md" for page in pages)]


def toctrees():
    """The menu, as text for the index."""
    return "".join(
        f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n"
        + "".join(f"{page}\n" for page in pages)
        + "```\n"
        for caption, pages in SECTIONS.items()
    )
