"""Marking losses."""

from jobmlir._src import names as _names
from jobmlir._src.losses import add_loss as add_loss

__getattr__ = _names.getter(__name__)
