"""Ops together with their variables."""

from jobmlir._src.layers import conv2d as conv2d
from jobmlir._src.layers import dense as dense
