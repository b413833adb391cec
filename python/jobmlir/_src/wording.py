"""The compiler's messages in the words of the API."""

import re

from . import dtype as dtypes

_BLOB = re.compile(r"'?!job\.blob<((?:\d+x|\?<=\d+>x)*)(\w+)>'?")
_OPERAND = re.compile(r"operand #(\d+) must be (?:variadic of )?(.*), but got (.*)")
_ORDINALS = ("first", "second", "third", "fourth", "fifth")


def _blob(match):
    extents, element = match.groups()
    try:
        element = dtypes.from_mlir(element).canonical
    except KeyError:
        return match.group()
    listed = re.findall(r"\d+", extents)
    shape = f"({', '.join(listed)}{',' if len(listed) == 1 else ''})"
    return f"{element} of {'at most ' if '?' in extents else ''}shape {shape}"


def of_the_api(message):
    """A message without the syntax of MLIR's types, and of its checks of operands."""
    message = _BLOB.sub(_blob, message)
    match = _OPERAND.fullmatch(message)
    if match is None:
        return message
    index, wanted, given = int(match[1]), match[2], match[3]
    place = _ORDINALS[index] if index < len(_ORDINALS) else f"{index + 1}th"
    article = "a " if wanted.startswith("blob") else ""
    return f"expects its {place} operand to be {article}{wanted} but got {given}"
