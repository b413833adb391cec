"""Variables by name."""

from jobmlir._src import names as _names
from jobmlir._src.checkpoint import get_all_variables as get_all_variables
from jobmlir._src.checkpoint import load_variables as load_variables

__getattr__ = _names.getter(__name__)
