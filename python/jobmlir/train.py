"""Checkpoints and resumed runs."""

from jobmlir._src import names as _names
from jobmlir._src.checkpoint import CheckPoint as CheckPoint
from jobmlir._src.checkpoint import SimpleCheckPointManager as SimpleCheckPointManager
from jobmlir._src.checkpoint import step_count as step_count

_names.report_unknown(__name__)
