"""Checks for NaN and infinity name the op on a GPU as on the CPU: the same tests."""

from test_check_numerics import *  # noqa: F403
