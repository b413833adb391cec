"""Docstrings are text with code in backticks and the sections of napoleon; what
reStructuredText would take for more, such as `|x|` and `2 * x`, is escaped."""

import re

_CODE = re.compile(r"(``?)([^`]+)\1")
_MARKUP = re.compile(r"[*|\\]|_(?!\w)")


def _escape_line(text):
    """Markup of one paragraph."""
    out = []
    end = 0
    for code in _CODE.finditer(text):
        out.append(_MARKUP.sub(r"\\\g<0>", text[end : code.start()]))
        # An end that letters may follow, as in "`x`s".
        out.append(f"``{code[2]}``" + r"\ " * text[code.end() : code.end() + 1].isalnum())
        end = code.end()
    out.append(_MARKUP.sub(r"\\\g<0>", text[end:]))
    return "".join(out)


def escape(lines):
    """The lines as reStructuredText. Examples stay as they are: doctests, and what
    is indented below a line that ends with two colons."""
    out, paragraph = [], []
    literal = None  # the indentation of the line with two colons

    def flush():
        out.extend(_escape_line("\n".join(paragraph)).split("\n") if paragraph else [])
        paragraph.clear()

    doctest = False
    for line in lines:
        indentation = len(line) - len(line.lstrip())
        if literal is not None and line.strip() and indentation <= literal:
            literal = None
        doctest = line.lstrip().startswith(">>>") or (doctest and bool(line.strip()))
        if literal is not None or doctest or not line.strip():
            flush()
            out.append(line)
            continue
        paragraph.append(line)
        if line.rstrip().endswith("::"):
            flush()
            literal = indentation
    flush()
    return out


def process(app, what, name, value, options, lines):
    lines[:] = escape(lines)
