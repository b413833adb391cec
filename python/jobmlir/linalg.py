"""Products of matrices."""

from jobmlir._src import names as _names
from jobmlir._src.math_ops import matmul as matmul

_names.report_unknown(__name__)
