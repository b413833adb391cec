"""Neural-network ops."""

from jobmlir._src import names as _names
from jobmlir._src.activations import elu as elu
from jobmlir._src.activations import hardsigmoid as hardsigmoid
from jobmlir._src.activations import hardswish as hardswish
from jobmlir._src.activations import hardtanh as hardtanh
from jobmlir._src.activations import mish as mish
from jobmlir._src.activations import relu6 as relu6
from jobmlir._src.activations import softmax_grad as softmax_grad
from jobmlir._src.activations import swish as swish
from jobmlir._src.conv_ops import compat_conv2d as compat_conv2d
from jobmlir._src.conv_ops import conv1d as conv1d
from jobmlir._src.conv_ops import conv2d as conv2d
from jobmlir._src.conv_ops import conv2d_transpose as conv2d_transpose
from jobmlir._src.conv_ops import conv3d as conv3d
from jobmlir._src.conv_ops import torch_conv2d_transpose as torch_conv2d_transpose
from jobmlir._src.image_sizes import PixelShuffle as PixelShuffle
from jobmlir._src.image_sizes import PixelShufflev2 as PixelShufflev2
from jobmlir._src.index_ops import fused_scale_tril as fused_scale_tril
from jobmlir._src.index_ops import tril as tril
from jobmlir._src.loss_ops import BCELoss as BCELoss
from jobmlir._src.loss_ops import BCEWithLogitsLoss as BCEWithLogitsLoss
from jobmlir._src.loss_ops import KLDivLoss as KLDivLoss
from jobmlir._src.loss_ops import L1Loss as L1Loss
from jobmlir._src.loss_ops import MarginRankingLoss as MarginRankingLoss
from jobmlir._src.loss_ops import MSELoss as MSELoss
from jobmlir._src.loss_ops import TripletMarginLoss as TripletMarginLoss
from jobmlir._src.loss_ops import sparse_cross_entropy as sparse_cross_entropy
from jobmlir._src.math_ops import leaky_relu as leaky_relu
from jobmlir._src.math_ops import relu as relu
from jobmlir._src.modules import Module as Module
from jobmlir._src.nn_ops import bias_add as bias_add
from jobmlir._src.nn_ops import dropout as dropout
from jobmlir._src.nn_ops import (
    sparse_softmax_cross_entropy_with_logits as sparse_softmax_cross_entropy_with_logits,
)
from jobmlir._src.norm_layers import GroupNorm as GroupNorm
from jobmlir._src.norm_layers import InstanceNorm1d as InstanceNorm1d
from jobmlir._src.norm_layers import InstanceNorm2d as InstanceNorm2d
from jobmlir._src.norm_layers import InstanceNorm3d as InstanceNorm3d
from jobmlir._src.norm_ops import attention as attention
from jobmlir._src.norm_ops import batch_normalization as batch_normalization
from jobmlir._src.norm_ops import layer_norm as layer_norm
from jobmlir._src.norm_ops import logsoftmax as logsoftmax
from jobmlir._src.norm_ops import (
    sigmoid_cross_entropy_with_logits as sigmoid_cross_entropy_with_logits,
)
from jobmlir._src.norm_ops import softmax as softmax
from jobmlir._src.norm_ops import (
    softmax_cross_entropy_with_logits as softmax_cross_entropy_with_logits,
)
from jobmlir._src.pool_ops import avg_pool1d as avg_pool1d
from jobmlir._src.pool_ops import avg_pool2d as avg_pool2d
from jobmlir._src.pool_ops import avg_pool3d as avg_pool3d
from jobmlir._src.pool_ops import max_pool1d as max_pool1d
from jobmlir._src.pool_ops import max_pool2d as max_pool2d
from jobmlir._src.pool_ops import max_pool3d as max_pool3d
from jobmlir._src.random_ops import random_mask_like as random_mask_like
from jobmlir._src.reduce_ops import moments as moments

_names.report_unknown(__name__)
