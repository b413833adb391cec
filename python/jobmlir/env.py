"""The environment of the process."""

from jobmlir._src import names as _names
from jobmlir._src.environment import init as init

__getattr__ = _names.getter(__name__)
