"""Data sets."""

from jobmlir._src import names as _names
from jobmlir._src.batches import Batches as Batches
from jobmlir._src.data import load_mnist as load_mnist

__getattr__ = _names.getter(__name__)
