"""A use of each op of the API, by which docs/api-status.md finds the element types and
the gradient of its main operand, `x`."""

from operator import attrgetter

import jobmlir as flow
import jobmlir.typing as tp
from jobmlir import errors

DTYPES = (
    flow.float32,
    flow.float64,
    flow.float16,
    flow.bfloat16,
    flow.int8,
    flow.uint8,
    flow.int32,
    flow.int64,
)
_FLOATS = DTYPES[:4]

# Shape of x, and what makes a blob of it.
SAMPLES = {}


def _sample(shape, **functions):
    for name, function in functions.items():
        SAMPLES[name.replace("__", ".")] = (shape, function)


def _elementwise(module, unary="", binary=""):
    for name in unary.split():
        SAMPLES[f"{module}.{name}"] = ((2, 3), attrgetter(f"{module}.{name}")(flow))
    for name in binary.split():
        function = getattr(getattr(flow, module), name)
        SAMPLES[f"{module}.{name}"] = ((2, 3), lambda x, f=function: f(x, x))


_elementwise(
    "math",
    "abs acos acosh asin asinh atan atanh ceil cos cosh erf erfc exp expm1 floor "
    "lgamma log log1p log_sigmoid negative reciprocal reciprocal_no_nan rint sinh tan "
    "round rsqrt sigmoid sigmoid_v2 sign sin softplus sqrt square tanh tanh_v2 gelu "
    "relu reduce_sum reduce_mean reduce_max reduce_min reduce_prod reduce_any "
    "reduce_all reduce_std reduce_variance reduce_euclidean_norm reduce_logsumexp "
    "argmax",
    "add subtract multiply divide mod floordiv atan2 xdivy xlogy pow maximum "
    "minimum squared_difference equal not_equal less less_equal greater greater_equal "
    "logical_and",
)
_elementwise(
    "math",
    "two_stage_reduce_max two_stage_reduce_min l2_normalize reduced_shape_elem_cnt "
    "elem_cnt",
)
_elementwise("math", "mish", "gelu_grad tanh_grad sigmoid_grad")
_elementwise(
    "nn",
    "relu leaky_relu softmax logsoftmax tril elu relu6 hardswish hardsigmoid hardtanh "
    "swish mish",
    "softmax_grad L1Loss MSELoss BCELoss BCEWithLogitsLoss KLDivLoss",
)
_elementwise("keras.activations", "relu sigmoid tanh")


def _ints(shape):
    return flow.constant(1, dtype=flow.int32, shape=shape)


def _like(x, shape, value=1):
    return flow.constant(value, dtype=x.dtype, shape=shape)


def _tensor_list(x):
    buffer = flow.tensor_to_tensor_buffer(x, 1)
    return flow.tensor_buffer_to_tensor_list(buffer, (3,), x.dtype)


_sample(
    (2, 3),
    tensor_buffer_to_tensor_list=_tensor_list,
    tensor_list_split=lambda x: flow.tensor_list_split(_tensor_list(x))[1],
    tensor_list_to_tensor_buffer=lambda x: flow.tensor_buffer_to_tensor(
        flow.tensor_list_to_tensor_buffer(_tensor_list(x)), x.dtype, (3,)
    ),
    tensor_to_tensor_buffer=lambda x: flow.tensor_buffer_to_tensor(
        flow.tensor_to_tensor_buffer(x, 1), x.dtype, (3,)
    ),
    tensor_buffer_to_tensor=lambda x: flow.tensor_buffer_to_tensor(
        flow.tensor_to_tensor_buffer(x, 1), x.dtype, (3, 1)
    ),
)
_sample(
    (2, 3),
    math__add_n=lambda x: flow.math.add_n([x, x, x]),
    math__unsorted_segment_sum=lambda x: flow.math.unsorted_segment_sum(
        x, _ints((2,)), 4
    ),
    matmul=lambda x: flow.matmul(x, x, transpose_b=True),
    linalg__matmul=lambda x: flow.linalg.matmul(x, x, transpose_b=True),
    layers__dense=lambda x: flow.layers.dense(
        x, 4, kernel_initializer=flow.ones_initializer()
    ),
    layers__batch_normalization=lambda x: flow.layers.batch_normalization(x, axis=1),
    layers__batch_normalization_relu=lambda x: flow.layers.batch_normalization_relu(
        x, 1
    ),
    layers__batch_normalization_add_relu=lambda x: (
        flow.layers.batch_normalization_add_relu(x, x, 1)
    ),
    layers__layer_norm=flow.layers.layer_norm,
    layers__layer_norm_grad=lambda x: flow.layers.layer_norm_grad(
        x, x, _like(x, (2,)), _like(x, (2,))
    ),
    layers__layer_norm_param_grad=lambda x: flow.layers.layer_norm_param_grad(
        x, x, _like(x, (3,))
    )[2],
    nn__bias_add=lambda x: flow.nn.bias_add(x, _like(x, (3,))),
    nn__sparse_softmax_cross_entropy_with_logits=lambda x: (
        flow.nn.sparse_softmax_cross_entropy_with_logits(_ints((2,)), x)
    ),
    nn__random_mask_like=lambda x: flow.nn.random_mask_like(x, 0.5),
    nn__fused_scale_tril=lambda x: flow.nn.fused_scale_tril(x, scale=2),
    math__broadcast_to_compatible_with=lambda x: flow.math.broadcast_to_compatible_with(
        x, [_like(x, (4, 1, 3))]
    ),
    math__polyval=lambda x: flow.math.polyval([1, 2, 3], x),
    dynamic_reshape=lambda x: flow.dynamic_reshape(x, [3, 2]),
    experimental__logical_slice=lambda x: flow.experimental.logical_slice(
        x, [(0, 1, 1)]
    ),
    pad_grad=lambda x: flow.pad_grad(x, [(0, 1), (0, 0)]),
    identity_n=lambda x: flow.identity_n([x, x])[1],
    random__bernoulli=lambda x: flow.random.bernoulli(x * 0.5),
    count_not_finite=flow.count_not_finite,
    amp_white_identity=flow.amp_white_identity,
    experimental__square_sum=flow.experimental.square_sum,
    nn__sparse_cross_entropy=lambda x: flow.nn.sparse_cross_entropy(_ints((2,)), x),
    nn__MarginRankingLoss=lambda x: flow.nn.MarginRankingLoss(x, x, _like(x, (2, 3))),
    nn__TripletMarginLoss=lambda x: flow.nn.TripletMarginLoss(x, x, x),
    smooth_l1_loss=lambda x: flow.smooth_l1_loss(x, _like(x, (2, 3))),
    combined_margin_loss=lambda x: flow.combined_margin_loss(x, _ints((2,)), 1, 0.5),
    nn__softmax_cross_entropy_with_logits=lambda x: (
        flow.nn.softmax_cross_entropy_with_logits(_like(x, (2, 3)), x)
    ),
    nn__sigmoid_cross_entropy_with_logits=lambda x: (
        flow.nn.sigmoid_cross_entropy_with_logits(_like(x, (2, 3)), x)
    ),
    nn__dropout=lambda x: flow.nn.dropout(x, 0.5),
    nn__moments=lambda x: flow.nn.moments(x, [0])[1],
    nn__batch_normalization=lambda x: flow.nn.batch_normalization(
        x, _like(x, (3,)), _like(x, (3,))
    ),
    nn__layer_norm=flow.nn.layer_norm,
    reshape=lambda x: flow.reshape(x, [3, 2]),
    reshape_like=lambda x: flow.reshape_like(x, _like(x, (3, 2))),
    expand_dims=lambda x: flow.expand_dims(x, 1),
    transpose=lambda x: flow.transpose(x, [1, 0]),
    concat=lambda x: flow.concat([x, x], 1),
    stack=lambda x: flow.stack([x, x]),
    slice=lambda x: flow.slice(x, [0, 1], [1, 2]),
    slice_v2=lambda x: flow.slice_v2(x, [(0, 1, 1), (None, None, None)]),
    gather=lambda x: flow.gather(x, _ints((4,))),
    where=lambda x: flow.where(flow.math.greater(x, x), x, x),
    argwhere=flow.argwhere,
    nonzero=flow.nonzero,
    sync_dynamic_resize=lambda x: flow.pad_to_static(
        flow.sync_dynamic_resize(x, _ints((1,)))
    ),
    experimental__dynamic_binary_split=lambda x: flow.pad_to_static(
        flow.experimental.dynamic_binary_split(x, 5, 2)[1]
    ),
    experimental__dynamic_binary_concat=lambda x: flow.pad_to_static(
        flow.experimental.dynamic_binary_concat(
            flow.experimental.dynamic_binary_split(x, 5, 2), x
        )
    ),
    layers__categorical_ordinal_encoder=lambda x: (
        flow.layers.categorical_ordinal_encoder(x, 10)
    ),
    one_hot=lambda x: flow.one_hot(x, 4),
    pad=lambda x: flow.pad(x, [(1, 1), (0, 0)]),
    cast=lambda x: flow.cast(x, flow.float32),
    identity=flow.identity,
    constant_like=lambda x: flow.constant_like(x, 1),
    zeros_like=flow.zeros_like,
    ones_like=flow.ones_like,
    broadcast_like=lambda x: flow.broadcast_like(x, _like(x, (4, 2, 3))),
    masked_fill=lambda x: flow.masked_fill(x, flow.math.greater(x, x), 1),
    repeat=lambda x: flow.acc(flow.repeat(x, 2), 2),
    acc=lambda x: flow.acc(flow.repeat(x, 2), 2),
    unpack=lambda x: flow.pack(flow.unpack(x, 2), 2),
    pack=lambda x: flow.pack(flow.unpack(x, 2), 2),
    flatten=flow.flatten,
)
_sample(
    (2, 3),
    sort=flow.sort,
    argsort=flow.argsort,
    math__top_k=lambda x: flow.math.top_k(x, 2),
    gather_nd=lambda x: flow.gather_nd(x, _ints((4, 1))),
    scatter_nd=lambda x: flow.scatter_nd(_ints((2, 1)), x, [4, 3]),
    tensor_scatter_nd_update=lambda x: flow.tensor_scatter_nd_update(
        x, _ints((1, 1)), _like(x, (1, 3))
    ),
    tensor_scatter_nd_add=lambda x: flow.tensor_scatter_nd_add(
        x, _ints((1, 1)), _like(x, (1, 3))
    ),
    dim_gather=lambda x: flow.dim_gather(x, 0, _ints((1, 3))),
    reverse=lambda x: flow.reverse(x, 1),
    slice_update=lambda x: flow.slice_update(x, _like(x, (1, 3)), [(0, 1, 1)]),
    math__unsorted_segment_sum_like=lambda x: flow.math.unsorted_segment_sum_like(
        x, _ints((2,)), _like(x, (4, 3))
    ),
    math__unsorted_batch_segment_sum=lambda x: flow.math.unsorted_batch_segment_sum(
        x, _ints((2, 3)), 4
    ),
)
_sample(
    (3,),
    experimental__unique_with_counts=lambda x: (
        flow.experimental.unique_with_counts(x)[0]
    ),
)
for _name in ("clip_by_value", "clip", "clamp", "clip_by_scalar"):
    _function = getattr(flow.math, _name)
    SAMPLES[f"math.{_name}"] = ((2, 3), lambda x, f=_function: f(x, 0, 1))
_sample((2, 3), elem_cnt=flow.elem_cnt)
_sample((2, 1), squeeze=lambda x: flow.squeeze(x, [1]))
_sample(
    (1, 2, 5, 5),
    layers__conv2d=lambda x: flow.layers.conv2d(x, 4, 3),
    nn__conv2d=lambda x: flow.nn.conv2d(x, _like(x, (4, 2, 3, 3)), 1, "SAME"),
    nn__compat_conv2d=lambda x: flow.nn.compat_conv2d(
        x, _like(x, (4, 2, 3, 3)), 1, "SAME"
    ),
    nn__conv2d_transpose=lambda x: flow.nn.conv2d_transpose(
        x, _like(x, (2, 3, 2, 2)), (1, 3, 10, 10), 2
    ),
    nn__torch_conv2d_transpose=lambda x: flow.nn.torch_conv2d_transpose(
        x, _like(x, (2, 3, 3, 3)), (1, 1), 2, (2, 2)
    ),
    nn__GroupNorm=lambda x: flow.nn.GroupNorm(x, 2),
    nn__InstanceNorm2d=flow.nn.InstanceNorm2d,
    nn__PixelShuffle=lambda x: flow.nn.PixelShuffle(flow.reshape(x, (1, 50, 1, 1)), 5),
    nn__PixelShufflev2=lambda x: flow.nn.PixelShufflev2(x, 2, 1),
    layers__upsample_2d=flow.layers.upsample_2d,
    layers__prelu=flow.layers.prelu,
    nn__max_pool2d=lambda x: flow.nn.max_pool2d(x, 2, 2, "VALID"),
    nn__avg_pool2d=lambda x: flow.nn.avg_pool2d(x, 2, 2, "VALID"),
)
_sample(
    (1, 2, 5),
    layers__conv1d=lambda x: flow.layers.conv1d(x, 4, 3),
    nn__conv1d=lambda x: flow.nn.conv1d(x, _like(x, (4, 2, 3)), 1, "SAME"),
    nn__InstanceNorm1d=flow.nn.InstanceNorm1d,
    same_padding=lambda x: flow.same_padding(x, "SAME", "NCW", 3, 1, 1),
    nn__max_pool1d=lambda x: flow.nn.max_pool1d(x, 2, 2, "VALID"),
    nn__avg_pool1d=lambda x: flow.nn.avg_pool1d(x, 2, 2, "VALID"),
)
_sample(
    (1, 2, 5, 5, 5),
    layers__conv3d=lambda x: flow.layers.conv3d(x, 4, 3),
    nn__conv3d=lambda x: flow.nn.conv3d(x, _like(x, (4, 2, 3, 3, 3)), 1, "SAME"),
    nn__InstanceNorm3d=flow.nn.InstanceNorm3d,
    nn__max_pool3d=lambda x: flow.nn.max_pool3d(x, 2, 2, "VALID"),
    nn__avg_pool3d=lambda x: flow.nn.avg_pool3d(x, 2, 2, "VALID"),
)

# Names among the ops that are none, or have no operand.
NOT_OPS = (
    "constant",
    "constant_scalar",
    "range",
    "random.CoinFlip",
    "random.gen_seed",
    # These write a variable; they have no result.
    "assign",
    "system.assign",
    "experimental.logical_slice_assign",
)
_NOT_OPS_IN = ("nn.Module.", "Blob.")

_sample(
    (3, 2),
    random__shuffle=lambda x: flow.random.shuffle(x),
    random__generate_random_batch_permutation_indices=lambda x: (
        flow.random.generate_random_batch_permutation_indices(x)
    ),
    experimental__indexed_slices_reduce_sum=lambda x: (
        flow.experimental.indexed_slices_reduce_sum(_ints((3,)), x)[1]
    ),
)
flow.register_user_op(
    "sample",
    infer=lambda x: (x.shape, x.dtype),
    forward=lambda x: x,
    gradient=lambda inputs, outputs, gradients: gradients[0],
)


def _user_op(builder, x):
    op = builder().Op("sample").Input("in", [x]).Output("out")
    return op.Build().SoleOutputBlob()


def _user_module(x):
    module = flow.user_op_module_builder("sample").InputSize("in", 1).Output("out")
    return module.Build()(x)[0]


_sample(
    (2, 3),
    user_op_builder=lambda x: _user_op(flow.user_op_builder, x),
    consistent_user_op_builder=lambda x: _user_op(flow.consistent_user_op_builder, x),
    user_op_module_builder=_user_module,
)


def is_op(name):
    return not name.startswith(_NOT_OPS_IN) and name not in NOT_OPS


def _compiles(kind, stage, body):
    flow.clear_default_session()

    @flow.global_function(type=kind)
    def job(unused: tp.Numpy.Placeholder((1,))):
        return body()

    try:
        flow.dump_ir(stage)
    except errors.JobMLIRError:
        return False
    finally:
        flow.clear_default_session()
    return True


def _variable(shape, dtype):
    return flow.get_variable("x", shape, dtype, flow.random_uniform_initializer(0, 2))


def takes(name, dtype):
    """Whether the op compiles with an operand of this type."""
    shape, function = SAMPLES[name]
    return _compiles("predict", "plan", lambda: function(_variable(shape, dtype)))


def has_gradient(name):
    """Whether a job can train the operand of the op."""
    shape, function = SAMPLES[name]

    def body():
        result = function(_variable(shape, flow.float32))
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
        flow.optimizer.SGD(rate).minimize(result)

    return _compiles("train", "train", body)


def describe(name):
    """The element types and the gradient of an op, as the page says them."""
    if not is_op(name):
        return ["", ""]
    if name not in SAMPLES:
        return ["missing", "missing"]
    taken = [dtype for dtype in DTYPES if takes(name, dtype)]
    ints = DTYPES[len(_FLOATS) :]
    if taken == list(DTYPES):
        listed = "all"
    elif taken == list(_FLOATS):
        listed = "floats"
    elif taken == list(ints):
        listed = "ints"
    else:
        listed = ", ".join(dtype.canonical for dtype in taken)
    return [listed, "yes" if has_gradient(name) else "no"]
