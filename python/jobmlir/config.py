"""Settings of the session, read when it starts."""

import sys as _sys

from jobmlir._src.global_config import ConfigModule as _ConfigModule
from jobmlir._src.global_config import check_numerics as check_numerics
from jobmlir._src.global_config import compiler_cpu as compiler_cpu
from jobmlir._src.global_config import compiler_features as compiler_features
from jobmlir._src.global_config import compiler_fuse as compiler_fuse
from jobmlir._src.global_config import compiler_packing as compiler_packing
from jobmlir._src.global_config import compiler_simplify as compiler_simplify
from jobmlir._src.global_config import (
    compute_thread_pool_size as compute_thread_pool_size,
)
from jobmlir._src.global_config import cpu_device_num as cpu_device_num
from jobmlir._src.global_config import cuda_library as cuda_library
from jobmlir._src.global_config import enable_debug_mode as enable_debug_mode
from jobmlir._src.global_config import (
    enable_tensor_float_32_compute as enable_tensor_float_32_compute,
)
from jobmlir._src.global_config import gpu_device_num as gpu_device_num
from jobmlir._src.global_config import machine_num as machine_num
from jobmlir._src.global_config import memory_budget as memory_budget
from jobmlir._src.global_config import random_seed as random_seed

# Reports unknown settings and assignments to settings.
_sys.modules[__name__].__class__ = _ConfigModule
