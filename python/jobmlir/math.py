"""Arithmetic on blobs."""

from jobmlir._src import names as _names
from jobmlir._src.activations import gelu_grad as gelu_grad
from jobmlir._src.activations import mish as mish
from jobmlir._src.activations import sigmoid_grad as sigmoid_grad
from jobmlir._src.activations import tanh_grad as tanh_grad
from jobmlir._src.index_ops import fused_scale_tril as fused_scale_tril
from jobmlir._src.index_ops import tril as tril
from jobmlir._src.scatter_ops import unsorted_segment_sum as unsorted_segment_sum
from jobmlir._src.math_ops import abs as abs
from jobmlir._src.math_ops import add as add
from jobmlir._src.math_ops import add_n as add_n
from jobmlir._src.math_ops import ceil as ceil
from jobmlir._src.math_ops import clamp as clamp
from jobmlir._src.math_ops import clip as clip
from jobmlir._src.math_ops import clip_by_scalar as clip_by_scalar
from jobmlir._src.math_ops import clip_by_value as clip_by_value
from jobmlir._src.math_ops import cos as cos
from jobmlir._src.math_ops import divide as divide
from jobmlir._src.math_ops import equal as equal
from jobmlir._src.math_ops import erf as erf
from jobmlir._src.math_ops import exp as exp
from jobmlir._src.math_ops import expm1 as expm1
from jobmlir._src.math_ops import floor as floor
from jobmlir._src.math_ops import gelu as gelu
from jobmlir._src.math_ops import greater as greater
from jobmlir._src.math_ops import greater_equal as greater_equal
from jobmlir._src.math_ops import less as less
from jobmlir._src.math_ops import less_equal as less_equal
from jobmlir._src.math_ops import log as log
from jobmlir._src.math_ops import log1p as log1p
from jobmlir._src.math_ops import log_sigmoid as log_sigmoid
from jobmlir._src.math_ops import logical_and as logical_and
from jobmlir._src.math_ops import logical_not as logical_not
from jobmlir._src.math_ops import logical_or as logical_or
from jobmlir._src.math_ops import maximum as maximum
from jobmlir._src.math_ops import minimum as minimum
from jobmlir._src.math_ops import multiply as multiply
from jobmlir._src.math_ops import negative as negative
from jobmlir._src.math_ops import not_equal as not_equal
from jobmlir._src.math_ops import pow as pow
from jobmlir._src.math_ops import reciprocal as reciprocal
from jobmlir._src.math_ops import relu as relu
from jobmlir._src.math_ops import rint as rint
from jobmlir._src.math_ops import round as round
from jobmlir._src.math_ops import rsqrt as rsqrt
from jobmlir._src.math_ops import sigmoid as sigmoid
from jobmlir._src.math_ops import sigmoid_v2 as sigmoid_v2
from jobmlir._src.math_ops import sign as sign
from jobmlir._src.math_ops import sin as sin
from jobmlir._src.math_ops import softplus as softplus
from jobmlir._src.math_ops import sqrt as sqrt
from jobmlir._src.math_ops import square as square
from jobmlir._src.math_ops import squared_difference as squared_difference
from jobmlir._src.math_ops import subtract as subtract
from jobmlir._src.math_ops import tanh as tanh
from jobmlir._src.math_ops import tanh_v2 as tanh_v2
from jobmlir._src.reduce_ops import argmax as argmax
from jobmlir._src.reduce_ops import reduce_all as reduce_all
from jobmlir._src.reduce_ops import reduce_any as reduce_any
from jobmlir._src.reduce_ops import reduce_euclidean_norm as reduce_euclidean_norm
from jobmlir._src.reduce_ops import reduce_logsumexp as reduce_logsumexp
from jobmlir._src.reduce_ops import reduce_max as reduce_max
from jobmlir._src.reduce_ops import reduce_mean as reduce_mean
from jobmlir._src.reduce_ops import reduce_min as reduce_min
from jobmlir._src.reduce_ops import reduce_prod as reduce_prod
from jobmlir._src.reduce_ops import reduce_std as reduce_std
from jobmlir._src.reduce_ops import reduce_sum as reduce_sum
from jobmlir._src.reduce_ops import reduce_variance as reduce_variance
from jobmlir._src.sum_ops import (
    broadcast_to_compatible_with as broadcast_to_compatible_with,
)
from jobmlir._src.sum_ops import cumsum as cumsum
from jobmlir._src.sum_ops import elem_cnt as elem_cnt
from jobmlir._src.sum_ops import l2_normalize as l2_normalize
from jobmlir._src.sum_ops import polyval as polyval
from jobmlir._src.sum_ops import reduced_shape_elem_cnt as reduced_shape_elem_cnt
from jobmlir._src.sum_ops import two_stage_reduce_max as two_stage_reduce_max
from jobmlir._src.sum_ops import two_stage_reduce_min as two_stage_reduce_min
from jobmlir._src.scatter_ops import (
    unsorted_batch_segment_sum as unsorted_batch_segment_sum,
)
from jobmlir._src.scatter_ops import (
    unsorted_segment_sum_like as unsorted_segment_sum_like,
)
from jobmlir._src.sort_ops import top_k as top_k
from jobmlir._src.special_ops import acos as acos
from jobmlir._src.special_ops import acosh as acosh
from jobmlir._src.special_ops import asin as asin
from jobmlir._src.special_ops import asinh as asinh
from jobmlir._src.special_ops import atan as atan
from jobmlir._src.special_ops import atan2 as atan2
from jobmlir._src.special_ops import atanh as atanh
from jobmlir._src.special_ops import cosh as cosh
from jobmlir._src.special_ops import erfc as erfc
from jobmlir._src.special_ops import floordiv as floordiv
from jobmlir._src.special_ops import lgamma as lgamma
from jobmlir._src.special_ops import mod as mod
from jobmlir._src.special_ops import reciprocal_no_nan as reciprocal_no_nan
from jobmlir._src.special_ops import sinh as sinh
from jobmlir._src.special_ops import tan as tan
from jobmlir._src.special_ops import xdivy as xdivy
from jobmlir._src.special_ops import xlogy as xlogy

_names.report_unknown(__name__)
