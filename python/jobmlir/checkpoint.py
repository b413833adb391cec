"""Checkpoints as dictionaries of values, and variables by name."""

from jobmlir._src import names as _names
from jobmlir._src.checkpoint import LoadedVariables as LoadedVariables
from jobmlir._src.checkpoint import get as get
from jobmlir._src.checkpoint import get_all_variables as get_all_variables
from jobmlir._src.checkpoint import load_variables as load_variables
from jobmlir._src.checkpoint import save as save

_names.report_unknown(__name__)
