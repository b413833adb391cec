"""Summaries of blobs for TensorBoard."""

from jobmlir._src import names as _names
from jobmlir._src.summaries import create_summary_writer as create_summary_writer
from jobmlir._src.summaries import flush_summary_writer as flush_summary_writer
from jobmlir._src.summaries import histogram as histogram
from jobmlir._src.summaries import image as image
from jobmlir._src.summaries import pb as pb
from jobmlir._src.summaries import scalar as scalar

__getattr__ = _names.getter(__name__)
