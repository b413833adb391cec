"""Optimizers and learning rates."""

from jobmlir import grad_clipping as grad_clipping
from jobmlir import loss_scale as loss_scale
from jobmlir import warmup as warmup
from jobmlir._src import names as _names
from jobmlir._src.optimizer import LAMB as LAMB
from jobmlir._src.optimizer import LARS as LARS
from jobmlir._src.optimizer import SGD as SGD
from jobmlir._src.optimizer import SGDW as SGDW
from jobmlir._src.optimizer import Adam as Adam
from jobmlir._src.optimizer import AdamW as AdamW
from jobmlir._src.optimizer import CombinedOptimizer as CombinedOptimizer
from jobmlir._src.optimizer import LazyAdam as LazyAdam
from jobmlir._src.optimizer import RMSProp as RMSProp
from jobmlir._src.schedules import CosineScheduler as CosineScheduler
from jobmlir._src.schedules import CustomScheduler as CustomScheduler
from jobmlir._src.schedules import ExponentialScheduler as ExponentialScheduler
from jobmlir._src.schedules import InverseTimeScheduler as InverseTimeScheduler
from jobmlir._src.schedules import LinearCosineScheduler as LinearCosineScheduler
from jobmlir._src.schedules import NaturalExpScheduler as NaturalExpScheduler
from jobmlir._src.schedules import (
    PiecewiseConstantScheduler as PiecewiseConstantScheduler,
)
from jobmlir._src.schedules import (
    PiecewiseScalingScheduler as PiecewiseScalingScheduler,
)
from jobmlir._src.schedules import PolynomialScheduler as PolynomialScheduler

# The name as OneFlow 0.1 to 0.3.3 spelled it.
PolynomialSchduler = PolynomialScheduler

_names.report_unknown(__name__)
