"""Warm-ups of learning rates."""

from jobmlir._src import names as _names
from jobmlir._src.schedules import constant_warmup as constant
from jobmlir._src.schedules import linear_warmup as linear

__getattr__ = _names.getter(__name__)
