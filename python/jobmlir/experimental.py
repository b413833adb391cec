"""Functions that OneFlow had here."""

from jobmlir._src import names as _names
from jobmlir._src.switches import enable_typing_check as enable_typing_check

__getattr__ = _names.getter(__name__)
