"""Locations in the user's program.

A frame is (file, line, column), lines and columns counted from 1, a column of
0 unknown. Frames of this package, of the import machinery and of the modules copy
and contextlib are not the user's.
"""

import contextlib
import copy
import functools
import itertools
import os
import re
import sys

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep

# The function that calls a job's body; its callers are not part of an op's
# location. Set by the module that defines it.
_boundary_code = None


def set_boundary(function):
    """Declares the function that calls the bodies of jobs."""
    global _boundary_code
    _boundary_code = function.__code__
    return function


_BETWEEN = (contextlib.__file__, copy.__file__)


def _is_own_file(name):
    return name.startswith((_PACKAGE, "<frozen ")) or name in _BETWEEN


def _is_ours(code):
    return _is_own_file(code.co_filename)


def _column(frame):
    if not hasattr(frame.f_code, "co_positions"):  # before Python 3.11
        return 0
    positions = frame.f_code.co_positions()
    position = next(itertools.islice(positions, frame.f_lasti // 2, None), None)
    if position is None or position[2] is None:
        return 0
    return position[2] + 1


@functools.lru_cache
def _as_text(file_name):
    """A file's name, with bytes that are not UTF-8 escaped."""
    return file_name.encode(errors="backslashreplace").decode()


def user_frames():
    """The user's frames, innermost first, up to the body of the job."""
    frames = []
    frame = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        if code is _boundary_code:
            break
        if not _is_ours(code):
            frames.append((_as_text(code.co_filename), frame.f_lineno, _column(frame)))
        frame = frame.f_back
    return frames


def function_frames(function):
    """Where a function is defined, as frames."""
    code = getattr(function, "__code__", None)
    if code is None:
        return []
    return [(_as_text(code.co_filename), code.co_firstlineno, 1)]


def warn_stacklevel():
    """The stacklevel with which warnings.warn, called by the caller of this function,
    names the user's line."""
    level = 1
    frame = sys._getframe(1)
    while frame is not None and _is_ours(frame.f_code):
        level += 1
        frame = frame.f_back
    return level


_MOST_NOTES = 10
# What the binding appends to the text of an exception: its frames, innermost first.
_LISTED = "\n\nAt:\n"
_LISTED_FRAME = re.compile(r"^  (.*)\((\d+)\): (.*)$", re.MULTILINE)


def without_own_frames(message):
    """The text of an exception of a user's function that the session called, with the
    frames between where it was raised and this package as notes, of which a recursion
    would have a thousand."""
    message, mark, listed = message.rpartition(_LISTED)
    if not mark:
        return listed
    for count, found in enumerate(_LISTED_FRAME.findall(listed)):
        file, line, function = found
        if _is_own_file(file):
            break
        if count == _MOST_NOTES:
            message += "\nnote: and callers of these"
            break
        message += f"\nnote: {file}:{line}: in {function}"
    return message
