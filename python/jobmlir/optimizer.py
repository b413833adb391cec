"""Optimizers and learning rates."""

from jobmlir import loss_scale as loss_scale
from jobmlir import warmup as warmup
from jobmlir._src import names as _names
from jobmlir._src.optimizer import SGD as SGD
from jobmlir._src.optimizer import Adam as Adam
from jobmlir._src.schedules import CosineScheduler as CosineScheduler
from jobmlir._src.schedules import (
    PiecewiseConstantScheduler as PiecewiseConstantScheduler,
)

__getattr__ = _names.getter(__name__)
