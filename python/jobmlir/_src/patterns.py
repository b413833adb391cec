"""Choosing variables by their names."""

import re

from . import errors

_fail = errors.failing(errors.TrainConfError)


def compile_patterns(value, what, fail=_fail):
    """A list of compiled regular expressions from a str, a compiled one, or a list of
    them."""
    listed = list(value) if isinstance(value, (list, tuple)) else [value]
    out = []
    for pattern in listed:
        if isinstance(pattern, str):
            try:
                pattern = re.compile(pattern)
            except re.error as error:
                fail(
                    f"expects {what} to be regular expressions but got {pattern!r}: "
                    f"{error}"
                )
        if not isinstance(pattern, re.Pattern) or not isinstance(pattern.pattern, str):
            fail(
                f"expects {what} to be a regular expression or a list of them but got "
                f"{value!r}"
            )
        out.append(pattern)
    return out


def matches(patterns, name):
    """Whether one of the patterns is found in a name."""
    return any(pattern.search(name) for pattern in patterns)
