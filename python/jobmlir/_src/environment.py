"""The environment of the process."""


def init():
    """Kept for compatibility with the API; does nothing. Returns True."""
    return True
