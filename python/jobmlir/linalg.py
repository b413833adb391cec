"""Products of matrices."""

from jobmlir._src import names as _names
from jobmlir._src.math_ops import matmul as matmul

__getattr__ = _names.getter(__name__)
