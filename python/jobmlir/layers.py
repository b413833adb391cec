"""Ops together with their variables."""

from jobmlir._src import names as _names
from jobmlir._src.conv_layers import conv1d as conv1d
from jobmlir._src.conv_layers import conv2d as conv2d
from jobmlir._src.conv_layers import conv3d as conv3d
from jobmlir._src.image_sizes import upsample_2d as upsample_2d
from jobmlir._src.layers import batch_normalization as batch_normalization
from jobmlir._src.layers import (
    batch_normalization_add_relu as batch_normalization_add_relu,
)
from jobmlir._src.layers import batch_normalization_relu as batch_normalization_relu
from jobmlir._src.layers import dense as dense
from jobmlir._src.layers import layer_norm as layer_norm
from jobmlir._src.norm_layers import layer_norm_grad as layer_norm_grad
from jobmlir._src.norm_layers import layer_norm_param_grad as layer_norm_param_grad
from jobmlir._src.norm_layers import prelu as prelu
from jobmlir._src.ordinal_layers import (
    categorical_ordinal_encoder as categorical_ordinal_encoder,
)

_names.report_unknown(__name__)
