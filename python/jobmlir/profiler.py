"""Traces of steps: the time of each command."""

from jobmlir._src import names as _names
from jobmlir._src.profiler import trace as trace

_names.report_unknown(__name__)
