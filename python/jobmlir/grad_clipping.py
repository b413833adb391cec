"""Clipping of gradients."""

from jobmlir._src import names as _names
from jobmlir._src.clipping import by_global_norm as by_global_norm

__getattr__ = _names.getter(__name__)
