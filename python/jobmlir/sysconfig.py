"""Flags to build C and C++ programs on the runtime."""

from jobmlir._src import names as _names
from jobmlir._src.build_flags import get_compile_flags as get_compile_flags
from jobmlir._src.build_flags import get_include as get_include
from jobmlir._src.build_flags import get_lib as get_lib
from jobmlir._src.build_flags import get_link_flags as get_link_flags

__getattr__ = _names.getter(__name__)
