"""Job functions: training and prediction steps, compiled.

import jobmlir as flow
import jobmlir.typing as tp
"""

import typing as _typing

from jobmlir import advanced as advanced
from jobmlir import checkpoint as checkpoint
from jobmlir import config as config
from jobmlir import data as data
from jobmlir import deprecated as deprecated
from jobmlir import detection as detection
from jobmlir import distribute as distribute
from jobmlir import env as env
from jobmlir import errors as errors
from jobmlir import experimental as experimental
from jobmlir import image as image
from jobmlir import layers as layers
from jobmlir import linalg as linalg
from jobmlir import losses as losses
from jobmlir import math as math
from jobmlir import nn as nn
from jobmlir import onnx as onnx
from jobmlir import optimizer as optimizer
from jobmlir import profiler as profiler
from jobmlir import random as random
from jobmlir import regularizers as regularizers
from jobmlir import scope as scope
from jobmlir import summary as summary
from jobmlir import sysconfig as sysconfig
from jobmlir import system as system
from jobmlir import train as train
from jobmlir import typing as typing
from jobmlir import warmup as warmup
from jobmlir._src import blob_hints as _blob_hints  # installs them
from jobmlir._src import blob_methods as _blob_methods  # installs them
from jobmlir._src import names as _names
from jobmlir._src.annotations import FixedTensorDef as FixedTensorDef
from jobmlir._src.annotations import MirroredTensorDef as MirroredTensorDef
from jobmlir._src.annotations import MirroredTensorListDef as MirroredTensorListDef
from jobmlir._src.array_ops import amp_white_identity as amp_white_identity
from jobmlir._src.array_ops import broadcast_like as broadcast_like
from jobmlir._src.array_ops import cast as cast
from jobmlir._src.array_ops import constant as constant
from jobmlir._src.array_ops import constant_like as constant_like
from jobmlir._src.array_ops import constant_scalar as constant_scalar
from jobmlir._src.array_ops import dynamic_reshape as dynamic_reshape
from jobmlir._src.array_ops import expand_dims as expand_dims
from jobmlir._src.array_ops import flatten as flatten
from jobmlir._src.array_ops import identity as identity
from jobmlir._src.array_ops import identity_n as identity_n
from jobmlir._src.array_ops import ones_like as ones_like
from jobmlir._src.array_ops import reshape as reshape
from jobmlir._src.array_ops import reshape_like as reshape_like
from jobmlir._src.array_ops import squeeze as squeeze
from jobmlir._src.array_ops import where as where
from jobmlir._src.array_ops import zeros_like as zeros_like
from jobmlir._src.assign_ops import assign as assign
from jobmlir._src.blob import BlobDef as BlobDef
from jobmlir._src.buffers import tensor_buffer_to_tensor as tensor_buffer_to_tensor
from jobmlir._src.buffers import (
    tensor_buffer_to_tensor_list as tensor_buffer_to_tensor_list,
)
from jobmlir._src.buffers import tensor_list_split as tensor_list_split
from jobmlir._src.buffers import (
    tensor_list_to_tensor_buffer as tensor_list_to_tensor_buffer,
)
from jobmlir._src.buffers import tensor_to_tensor_buffer as tensor_to_tensor_buffer
from jobmlir._src.checkpoint import get_all_variables as get_all_variables
from jobmlir._src.checkpoint import load_variables as load_variables
from jobmlir._src.default_session import (
    clear_default_session as clear_default_session,
)
from jobmlir._src.default_session import (
    sync_default_session as sync_default_session,
)
from jobmlir._src.deprecation import is_deprecated as is_deprecated
from jobmlir._src.distributions import (
    cast_to_current_logical_view as cast_to_current_logical_view,
)
from jobmlir._src.distributions import parallel_cast as parallel_cast
from jobmlir._src.dtype import bfloat16 as bfloat16
from jobmlir._src.dtype import char as char
from jobmlir._src.dtype import (
    convert_oneflow_dtype_to_numpy_dtype as convert_oneflow_dtype_to_numpy_dtype,
)
from jobmlir._src.dtype import double as double
from jobmlir._src.dtype import dtype as dtype
from jobmlir._src.dtype import float as float
from jobmlir._src.dtype import float16 as float16
from jobmlir._src.dtype import float32 as float32
from jobmlir._src.dtype import float64 as float64
from jobmlir._src.dtype import int8 as int8
from jobmlir._src.dtype import int32 as int32
from jobmlir._src.dtype import int64 as int64
from jobmlir._src.dtype import record as record
from jobmlir._src.dtype import tensor_buffer as tensor_buffer
from jobmlir._src.dtype import uint8 as uint8
from jobmlir._src.function_config import FunctionConfig as FunctionConfig
from jobmlir._src.global_function import function as function
from jobmlir._src.global_function import global_function as global_function
from jobmlir._src.gradients import stop_gradient as stop_gradient
from jobmlir._src.dynamic_ops import nonzero as nonzero
from jobmlir._src.dynamic_ops import pad_to_static as pad_to_static
from jobmlir._src.dynamic_ops import sync_dynamic_resize as sync_dynamic_resize
from jobmlir._src.index_ops import argwhere as argwhere
from jobmlir._src.index_ops import concat as concat
from jobmlir._src.index_ops import gather as gather
from jobmlir._src.index_ops import masked_fill as masked_fill
from jobmlir._src.index_ops import one_hot as one_hot
from jobmlir._src.index_ops import pad as pad
from jobmlir._src.index_ops import range as range
from jobmlir._src.index_ops import slice as slice
from jobmlir._src.index_ops import slice_v2 as slice_v2
from jobmlir._src.index_ops import split as split
from jobmlir._src.index_ops import stack as stack
from jobmlir._src.index_ops import transpose as transpose
from jobmlir._src.initializers import constant_initializer as constant_initializer
from jobmlir._src.initializers import (
    glorot_normal_initializer as glorot_normal_initializer,
)
from jobmlir._src.initializers import (
    glorot_uniform_initializer as glorot_uniform_initializer,
)
from jobmlir._src.initializers import kaiming_initializer as kaiming_initializer
from jobmlir._src.initializers import ones_initializer as ones_initializer
from jobmlir._src.initializers import (
    random_normal_initializer as random_normal_initializer,
)
from jobmlir._src.initializers import (
    random_uniform_initializer as random_uniform_initializer,
)
from jobmlir._src.initializers import truncated_normal as truncated_normal
from jobmlir._src.initializers import (
    truncated_normal_initializer as truncated_normal_initializer,
)
from jobmlir._src.initializers import (
    variance_scaling_initializer as variance_scaling_initializer,
)
from jobmlir._src.initializers import (
    xavier_normal_initializer as xavier_normal_initializer,
)
from jobmlir._src.initializers import (
    xavier_uniform_initializer as xavier_uniform_initializer,
)
from jobmlir._src.initializers import zeros_initializer as zeros_initializer
from jobmlir._src.job import (
    current_global_function_desc as current_global_function_desc,
)
from jobmlir._src.keras_names import keras as keras
from jobmlir._src.loss_ops import combined_margin_loss as combined_margin_loss
from jobmlir._src.loss_ops import smooth_l1_loss as smooth_l1_loss
from jobmlir._src.math_ops import clamp as clamp
from jobmlir._src.math_ops import clip as clip
from jobmlir._src.math_ops import clip_by_scalar as clip_by_scalar
from jobmlir._src.math_ops import clip_by_value as clip_by_value
from jobmlir._src.math_ops import matmul as matmul
from jobmlir._src.micro_steps import acc as acc
from jobmlir._src.micro_steps import pack as pack
from jobmlir._src.micro_steps import repeat as repeat
from jobmlir._src.micro_steps import unpack as unpack
from jobmlir._src.modules import find_or_create_module as find_or_create_module
from jobmlir._src.padding_ops import pad_grad as pad_grad
from jobmlir._src.padding_ops import same_padding as same_padding
from jobmlir._src.reports import dump_ir as dump_ir
from jobmlir._src.reports import explain as explain
from jobmlir._src.reports import graph_svg as graph_svg
from jobmlir._src.reports import memory_report as memory_report
from jobmlir._src.reports import memory_totals as memory_totals
from jobmlir._src.resources import current_machine_id as current_machine_id
from jobmlir._src.resources import current_resource as current_resource
from jobmlir._src.resources import (
    inter_job_reuse_mem_strategy as inter_job_reuse_mem_strategy,
)
from jobmlir._src.scatter_ops import dim_gather as dim_gather
from jobmlir._src.scatter_ops import gather_nd as gather_nd
from jobmlir._src.scatter_ops import reverse as reverse
from jobmlir._src.scatter_ops import scatter_nd as scatter_nd
from jobmlir._src.scatter_ops import slice_update as slice_update
from jobmlir._src.scatter_ops import tensor_scatter_nd_add as tensor_scatter_nd_add
from jobmlir._src.scatter_ops import (
    tensor_scatter_nd_update as tensor_scatter_nd_update,
)
from jobmlir._src.scatter_ops import unsorted_segment_sum as unsorted_segment_sum
from jobmlir._src.scopes import current_scope as current_scope
from jobmlir._src.scopes import device_prior_placement as device_prior_placement
from jobmlir._src.scopes import fixed_placement as fixed_placement
from jobmlir._src.scopes import name_scope as name_scope
from jobmlir._src.sum_ops import elem_cnt as elem_cnt
from jobmlir._src.sum_ops import (
    broadcast_to_compatible_with as broadcast_to_compatible_with,
)
from jobmlir._src.sum_ops import count_not_finite as count_not_finite
from jobmlir._src.sum_ops import cumsum as cumsum
from jobmlir._src.sum_ops import multi_count_not_finite as multi_count_not_finite
from jobmlir._src.sort_ops import argsort as argsort
from jobmlir._src.sort_ops import sort as sort
from jobmlir._src.switches import eager_execution_enabled as eager_execution_enabled
from jobmlir._src.switches import enable_eager_execution as enable_eager_execution
from jobmlir._src.user_kernels import register_user_kernel as register_user_kernel
from jobmlir._src.user_ops import register_user_op as register_user_op
from jobmlir._src.user_ops import user_op_builder as user_op_builder
from jobmlir._src.user_ops import user_op_module_builder as user_op_module_builder
from jobmlir._src.variables import get_variable as get_variable
from jobmlir._src.watching import watch as watch
from jobmlir._src.watching import watch_diff as watch_diff

if _typing.TYPE_CHECKING:
    from jobmlir import unittest as unittest

    __version__: str

consistent_user_op_builder = user_op_builder
function_config = FunctionConfig

# The library that has it is loaded when a job needs it.
_names.report_unknown(__name__, {"__version__": "jobmlir._runtime"})
