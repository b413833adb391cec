"""Settings of the session, read when it starts."""

import sys as _sys

from jobmlir._src.global_config import ConfigModule as _ConfigModule
from jobmlir._src.global_config import check_numerics as check_numerics
from jobmlir._src.global_config import collect_act_event as collect_act_event
from jobmlir._src.global_config import collective_boxing as collective_boxing
from jobmlir._src.global_config import comm_net_worker_num as comm_net_worker_num
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
from jobmlir._src.global_config import enable_legacy_model_io as enable_legacy_model_io
from jobmlir._src.global_config import enable_model_io_v2 as enable_model_io_v2
from jobmlir._src.global_config import (
    enable_numa_aware_cuda_malloc_host as enable_numa_aware_cuda_malloc_host,
)
from jobmlir._src.global_config import (
    enable_tensor_float_32_compute as enable_tensor_float_32_compute,
)
from jobmlir._src.global_config import gpu_device_num as gpu_device_num
from jobmlir._src.global_config import load_library as load_library
from jobmlir._src.global_config import load_library_now as load_library_now
from jobmlir._src.global_config import machine_num as machine_num
from jobmlir._src.global_config import max_mdsave_worker_num as max_mdsave_worker_num
from jobmlir._src.global_config import memory_budget as memory_budget
from jobmlir._src.global_config import persistence_buf_byte as persistence_buf_byte
from jobmlir._src.global_config import random_seed as random_seed
from jobmlir._src.global_config import rdma_mem_block_mbyte as rdma_mem_block_mbyte
from jobmlir._src.global_config import (
    rdma_recv_msg_buf_mbyte as rdma_recv_msg_buf_mbyte,
)
from jobmlir._src.global_config import (
    reserved_device_mem_mbyte as reserved_device_mem_mbyte,
)
from jobmlir._src.global_config import (
    reserved_host_mem_mbyte as reserved_host_mem_mbyte,
)
from jobmlir._src.global_config import (
    save_downloaded_file_to_local_fs as save_downloaded_file_to_local_fs,
)
from jobmlir._src.global_config import (
    thread_enable_local_message_queue as thread_enable_local_message_queue,
)
from jobmlir._src.global_config import use_rdma as use_rdma

# Reports unknown settings and assignments to settings.
_sys.modules[__name__].__class__ = _ConfigModule
