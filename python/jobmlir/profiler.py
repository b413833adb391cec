"""Traces of steps: the time of each command."""

from jobmlir._src import names as _names
from jobmlir._src.profiler import trace as trace

__getattr__ = _names.getter(__name__)
