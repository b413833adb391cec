"""Summaries of blobs for TensorBoard."""

from jobmlir._src import names as _names
from jobmlir._src.summaries import create_summary_writer as create_summary_writer
from jobmlir._src.summaries import flush_summary_writer as flush_summary_writer
from jobmlir._src.summaries import histogram as histogram
from jobmlir._src.summaries import image as image
from jobmlir._src.summaries import pb as pb
from jobmlir._src.summaries import scalar as scalar
from jobmlir._src.summary_files import Graph as Graph
from jobmlir._src.summary_files import Projector as Projector
from jobmlir._src.summary_messages import HParam as HParam
from jobmlir._src.summary_messages import IntegerRange as IntegerRange
from jobmlir._src.summary_messages import Metric as Metric
from jobmlir._src.summary_messages import RealRange as RealRange
from jobmlir._src.summary_messages import ValueSet as ValueSet
from jobmlir._src.summary_messages import hparams as hparams
from jobmlir._src.summary_messages import text as text

Hparam = HParam

_names.report_unknown(__name__)
