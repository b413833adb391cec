"""Products of matrices."""

from jobmlir._src.math_ops import matmul as matmul
