"""Traces of steps: the time of each command."""

from jobmlir._src.profiler import trace as trace
