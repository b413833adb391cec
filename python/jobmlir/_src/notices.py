"""What users are told once in a process."""

import sys
import warnings

from . import frames

_said = set()


def inform_once(message):
    """Prints a message on stderr, the first time only."""
    if message not in _said:
        _said.add(message)
        print(f"INFO: {message}", file=sys.stderr)


def warn_once(message, category=UserWarning):
    """Warns at the user's line, the first time only."""
    if message not in _said:
        _said.add(message)
        warnings.warn(message, category, stacklevel=frames.warn_stacklevel())
