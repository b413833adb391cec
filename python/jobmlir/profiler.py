"""What the steps spend their time on."""

from jobmlir._src.profiler import trace as trace
