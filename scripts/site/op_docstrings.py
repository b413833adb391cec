"""Text of the pages of ops: docstrings and signatures of the Python API, the rows of
docs/api-status.md, and definitions of the dialect, as Markdown."""

import inspect
import re

import op_ir
import op_samples

_TITLES = {"Args": "Arguments", "Returns": "Result", "Raises": "Errors"}
# Operators have no docstrings.
_OPERATOR = "An operator of blobs and numbers, with NumPy's broadcasting."
_CODE = re.compile(r"(`+[^`]+`+)")


def escape(text):
    """Text as Markdown; code stays as it is."""
    parts = _CODE.split(text)
    return "".join(
        part if i % 2 else re.sub(r"([\\*<\[\]]|(?<!\w)_|_(?!\w))", r"\\\1", part)
        for i, part in enumerate(parts)
    )


def cell(text):
    """Text for a table."""
    return escape(text).replace("|", r"\|")


def first(text):
    """The first sentence of a summary, for a table."""
    text = " ".join(text.split())
    return re.split(r"(?<=[.:]) (?=[A-Z`])", text)[0].replace("|", r"\|")


def of(function):
    """The docstring as a summary and further lines."""
    doc = inspect.getdoc(function) or _OPERATOR
    summary, _, rest = doc.partition("\n\n")
    lines, section = [], ""
    for line in rest.splitlines():
        text = escape(line.strip())
        is_title = line.endswith(":") and line[:-1] in _TITLES
        if is_title:
            section = line[:-1]
            space = [""] if lines and lines[-1] else []
            lines += [*space, f"**{_TITLES[section]}**", ""]
        elif not section or not text:
            lines.append(text if section else escape(line))
        elif line.startswith("     "):
            lines.append(f"  {text}")
        elif section == "Returns":
            lines.append(text)
        else:
            name, _, rest = line.strip().partition(": ")
            lines.append(f"- `{name}`: {escape(rest)}")
    return escape(summary), lines


def signature(name, function):
    """A call with the parameters and their defaults."""
    parameters = []
    for one in inspect.signature(function).parameters.values():
        text = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
        text += one.name
        annotation = one.annotation
        if annotation is not one.empty:
            shown = annotation if isinstance(annotation, str) else annotation.__name__
            text += f": {shown}"
        if one.default is not one.empty:
            space = " " if annotation is not one.empty else ""
            is_text = isinstance(one.default, str)
            default = f'"{one.default}"' if is_text else repr(one.default)
            text += f"{space}={space}{default}"
        parameters.append(text)
    call = "" if name.startswith("Blob.") else "flow."
    line = f"{call}{name}({', '.join(parameters)})"
    if len(line) <= 88:
        return line
    return f"{call}{name}(\n" + "".join(f"    {one},\n" for one in parameters) + ")"


def status(examples):
    """Lines on the element types and the gradient of each op."""
    rows = {
        name: (types, gradient, note)
        for name, types, gradient, note in re.findall(
            r"^\| `(.*?)` \| works \| (.*?) \| (.*?) \| (.*?) ?\|$",
            op_ir.read("docs", "api-status.md"),
            re.MULTILINE,
        )
    }
    found = {}
    for name in examples:
        if name not in rows and name in op_samples.SAMPLES:
            rows[name] = (*op_samples.describe(name), "")
        types, gradient, note = rows.get(name, ("", "", ""))
        found[name] = []
        if types:
            found[name].append(
                f"Element types of `x` in the example: {types}. "
                f"Gradient with respect to it: {gradient}."
            )
        if note:
            found[name].append(f"Note: {escape(note)}.")
    return found


def definition(text):
    """The text that mlir-tblgen has written for an op. Its examples are parts of
    modules, which the page does not show as IR."""
    text = text.replace("```mlir\n", "```text\n")
    return re.sub(r"^#### (.*?):?$", r"### \1", text, flags=re.MULTILINE)
