"""The older place of assign."""

from jobmlir._src import names as _names
from jobmlir._src.assign_ops import assign as assign

_names.report_unknown(__name__)
