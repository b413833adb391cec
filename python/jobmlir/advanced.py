"""The parts of a blob on each device."""

from jobmlir._src import names as _names
from jobmlir._src.distributions import distribute_add as distribute_add
from jobmlir._src.distributions import distribute_clone as distribute_clone
from jobmlir._src.distributions import distribute_concat as distribute_concat
from jobmlir._src.distributions import distribute_map as distribute_map
from jobmlir._src.distributions import distribute_split as distribute_split

_names.report_unknown(__name__)
