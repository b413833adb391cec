"""Clipping of gradients."""

from jobmlir._src import names as _names
from jobmlir._src.clipping import by_global_norm as by_global_norm

_names.report_unknown(__name__)
