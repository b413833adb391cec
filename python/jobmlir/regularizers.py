"""Penalties of variables."""

from jobmlir._src import names as _names
from jobmlir._src.regularizers import l1 as l1
from jobmlir._src.regularizers import l1_l2 as l1_l2
from jobmlir._src.regularizers import l2 as l2

_names.report_unknown(__name__)
