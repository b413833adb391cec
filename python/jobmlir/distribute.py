"""How blobs are distributed over devices."""

from jobmlir._src import names as _names
from jobmlir._src.distributions import (
    assert_is_valid_distribute as assert_is_valid_distribute,
)
from jobmlir._src.distributions import auto as auto
from jobmlir._src.distributions import broadcast as broadcast
from jobmlir._src.distributions import consistent_strategy as consistent_strategy
from jobmlir._src.distributions import (
    consistent_strategy_enabled as consistent_strategy_enabled,
)
from jobmlir._src.distributions import mirrored_strategy as mirrored_strategy
from jobmlir._src.distributions import (
    mirrored_strategy_enabled as mirrored_strategy_enabled,
)
from jobmlir._src.distributions import split as split

_names.report_unknown(__name__)
