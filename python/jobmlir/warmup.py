"""Warm-ups of learning rates."""

from jobmlir._src import names as _names
from jobmlir._src import schedules as _schedules

constant = _schedules.constant_warmup
linear = _schedules.linear_warmup

_names.report_unknown(__name__)
