"""The older place of assign."""

from jobmlir._src import names as _names
from jobmlir._src.assign_ops import assign as assign

__getattr__ = _names.getter(__name__)
