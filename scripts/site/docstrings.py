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
    is indented after an empty line."""
    out, paragraph = [], []
    above = 0  # the indentation of the text before
    in_example = in_doctest = False

    def flush():
        out.extend(_escape_line("\n".join(paragraph)).split("\n") if paragraph else [])
        paragraph.clear()

    for line in lines:
        if not line.strip():
            flush()
            out.append(line)
            in_doctest = False
            continue
        indentation = len(line) - len(line.lstrip())
        if in_example and indentation <= above:
            in_example = False
        elif not in_example and out and not paragraph and indentation >= above + 4:
            in_example = True
            out.extend([" " * above + ".. code-block:: python", ""])
        in_doctest = in_doctest or line.lstrip().startswith(">>>")
        if in_example or in_doctest:
            out.append(line)
        else:
            paragraph.append(line)
            above = indentation
    flush()
    return out


def process(app, what, name, value, options, lines):
    lines[:] = escape(lines)
