"""Data sets."""

from jobmlir._src.batches import Batches as Batches
from jobmlir._src.data import load_mnist as load_mnist
