"""Flags to build C and C++ programs on the runtime, and what the package can do."""

from jobmlir._src import names as _names
from jobmlir._src.build_flags import get_compile_flags as get_compile_flags
from jobmlir._src.build_flags import get_include as get_include
from jobmlir._src.build_flags import get_lib as get_lib
from jobmlir._src.build_flags import get_link_flags as get_link_flags
from jobmlir._src.build_flags import has_rpc_backend_grpc as has_rpc_backend_grpc
from jobmlir._src.build_flags import has_rpc_backend_local as has_rpc_backend_local
from jobmlir._src.build_flags import with_cuda as with_cuda
from jobmlir._src.build_flags import with_xla as with_xla

_names.report_unknown(__name__)
