"""Policies for the scale of losses."""

from jobmlir._src import names as _names
from jobmlir._src.loss_scale import dynamic_loss_scale as dynamic_loss_scale
from jobmlir._src.loss_scale import static_loss_scale as static_loss_scale

_names.report_unknown(__name__)
