"""A use of each op of the API: docs/api-status.md finds the element types and the
gradient of its main operand, `x`, with it, and the page of the op shows it
(scripts/site/op_pages.py)."""

import typing

import numpy as np

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

class Ints(typing.NamedTuple):
    """An operand of ints. The samples themselves take ones, the examples of the
    pages `values`."""

    values: typing.Any
    dtype: str = "int32"


class Sample(typing.NamedTuple):
    """A use of an op: a call of `x` as users write it, and what makes a blob of it.
    Examples that are only for the pages may have no x, or statements with a `return`.

    `others` are further operands by name: the shape of a blob of x's type, or Ints. In
    the examples of the pages, x has `dtype` and numbers from one end of `interval` to
    the other. `setup` is what a script does before the job.
    """

    shape: tuple
    function: typing.Callable
    text: str
    others: dict
    interval: tuple = (0.1, 0.9)
    dtype: str = "float32"
    setup: str = ""
    kind: str = "predict"


class _Call(typing.NamedTuple):
    text: str
    others: dict
    settings: dict


def _with(text, interval=(0.1, 0.9), dtype="float32", setup="", **others):
    """A call with more operands than x."""
    settings = {"interval": interval, "dtype": dtype, "setup": setup}
    return _Call(text, others, settings)


def _operand(x, other):
    """A blob of ones."""
    if isinstance(other, Ints):
        dtype, shape = getattr(flow, other.dtype), np.shape(other.values)
    else:
        dtype, shape = x.dtype, other
    return flow.constant(1, dtype=dtype, shape=shape)


def _function(name, text, others, setup):
    call = compile(text, f"<sample of {name}>", "eval")
    if setup:
        exec(compile(setup, f"<setup of {name}>", "exec"), {"flow": flow})

    def use(x):
        blobs = {name: _operand(x, other) for name, other in others.items()}
        return eval(call, {"flow": flow, "x": x, **blobs})

    return use


SAMPLES = {}
# What only the pages show: ops without a main operand, statements, training.
EXAMPLES = {}


def _name_of(keyword):
    """The name that a keyword stands for; that of a method stays as it is."""
    return keyword if "." in keyword else keyword.replace("__", ".")


def _sample(shape, **calls):
    for name, call in calls.items():
        name = _name_of(name)
        call = call if isinstance(call, _Call) else _with(call)
        function = _function(name, call.text, call.others, call.settings["setup"])
        SAMPLES[name] = Sample(
            shape, function, call.text, call.others, **call.settings
        )


def _example(shape, kind="predict", **calls):
    for name, call in calls.items():
        call = call if isinstance(call, _Call) else _with(call)
        EXAMPLES[_name_of(name)] = Sample(
            shape, None, call.text, call.others, **call.settings, kind=kind
        )


def _elementwise(module, unary="", binary="", **settings):
    for name in unary.split():
        text = f"flow.{module}.{name}(x)"
        _sample((2, 3), **{f"{module}.{name}": _with(text, **settings)})
    for name in binary.split():
        text = f"flow.{module}.{name}(x, y)"
        _sample((2, 3), **{f"{module}.{name}": _with(text, y=(2, 3), **settings)})


# ===- Elementwise ops, reductions ------------------------------------------===#

_elementwise(
    "math",
    "acos asin atanh lgamma log log1p reciprocal rsqrt sqrt",
    "add subtract multiply divide mod floordiv atan2 xdivy xlogy pow maximum "
    "minimum squared_difference equal not_equal less less_equal greater greater_equal",
)
_elementwise("math", "acosh", interval=(1.5, 3.0))
_elementwise(
    "math",
    "abs asinh atan ceil cos cosh erf erfc exp expm1 floor log_sigmoid negative "
    "reciprocal_no_nan rint sinh tan round sigmoid sigmoid_v2 sign sin softplus square "
    "tanh tanh_v2 gelu relu mish reduce_sum reduce_mean reduce_max reduce_min "
    "reduce_prod reduce_std reduce_variance reduce_euclidean_norm reduce_logsumexp "
    "two_stage_reduce_max two_stage_reduce_min l2_normalize argmax cumsum tril "
    "fused_scale_tril reduced_shape_elem_cnt elem_cnt",
    interval=(-2.0, 2.0),
)
_elementwise(
    "math",
    "logical_not reduce_any reduce_all",
    "logical_and logical_or",
    interval=(0.0, 1.0),
)
_elementwise(
    "nn",
    "relu leaky_relu softmax logsoftmax tril elu relu6 hardswish hardsigmoid hardtanh "
    "swish mish",
    interval=(-2.0, 2.0),
)
_elementwise("keras.activations", "relu sigmoid tanh", interval=(-2.0, 2.0))
_sample(
    (2, 3),
    math__gelu_grad=_with("flow.math.gelu_grad(x, dy)", dy=(2, 3)),
    math__tanh_grad=_with("flow.math.tanh_grad(x, dy)", dy=(2, 3)),
    math__sigmoid_grad=_with("flow.math.sigmoid_grad(x, dy)", dy=(2, 3)),
    nn__softmax_grad=_with("flow.nn.softmax_grad(x, dy)", dy=(2, 3)),
    math__add_n=_with("flow.math.add_n([x, y, x])", y=(2, 3)),
    cumsum="flow.cumsum(x, axis=1)",
    math__polyval="flow.math.polyval([1, 2, 3], x)",
    random__bernoulli="flow.random.bernoulli(x * 0.5)",
    count_not_finite="flow.count_not_finite(x)",
    multi_count_not_finite=_with("flow.multi_count_not_finite([x, y])", y=(3,)),
    amp_white_identity="flow.amp_white_identity(x)",
    experimental__square_sum="flow.experimental.square_sum(x)",
    nn__random_mask_like="flow.nn.random_mask_like(x, 0.5)",
    nn__fused_scale_tril="flow.nn.fused_scale_tril(x, scale=2)",
    nn__dropout="flow.nn.dropout(x, 0.5)",
    cast="flow.cast(x, flow.float64)",
    identity="flow.identity(x)",
    identity_n=_with("flow.identity_n([y, x])[1]", y=(3,)),
    stop_gradient="x * flow.stop_gradient(x)",
    elem_cnt="flow.elem_cnt(x)",
)

for _name in ("clip_by_value", "clip", "clamp", "clip_by_scalar"):
    for _path in (_name, f"math.{_name}"):
        _sample((2, 3), **{_path: _with(f"flow.{_path}(x, 0, 1)", (-2.0, 2.0))})

# ===- Products, layers, losses ---------------------------------------------===#

_sample(
    (2, 3, 4, 4),
    layers__batch_normalization="flow.layers.batch_normalization(x, axis=1)",
    layers__batch_normalization_relu="flow.layers.batch_normalization_relu(x, 1)",
    layers__batch_normalization_add_relu=_with(
        "flow.layers.batch_normalization_add_relu(x, y, 1)", y=(2, 3, 4, 4)
    ),
    nn__batch_normalization=_with(
        "flow.nn.batch_normalization(x, mean, variance, axis=1)",
        mean=(3,),
        variance=(3,),
    ),
)
_sample(
    (2, 3),
    matmul=_with("flow.matmul(x, y)", y=(3, 4)),
    linalg__matmul=_with("flow.linalg.matmul(x, y)", y=(3, 4)),
    layers__dense=(
        "flow.layers.dense(x, 4, kernel_initializer=flow.ones_initializer())"
    ),
    layers__layer_norm="flow.layers.layer_norm(x)",
    layers__layer_norm_grad=_with(
        "flow.layers.layer_norm_grad(dy, x, mean, inverse_deviation)",
        dy=(2, 3),
        mean=(2,),
        inverse_deviation=(2,),
    ),
    layers__layer_norm_param_grad=_with(
        "flow.layers.layer_norm_param_grad(x, normalized, gamma)[2]",
        normalized=(2, 3),
        gamma=(3,),
    ),
    nn__bias_add=_with("flow.nn.bias_add(x, bias)", bias=(3,)),
    nn__moments="flow.nn.moments(x, [0])[1]",
    nn__layer_norm="flow.nn.layer_norm(x)",
    nn__L1Loss=_with("flow.nn.L1Loss(x, target)", target=(2, 3)),
    nn__MSELoss=_with("flow.nn.MSELoss(x, target)", target=(2, 3)),
    nn__BCELoss=_with("flow.nn.BCELoss(x, target)", target=(2, 3)),
    nn__BCEWithLogitsLoss=_with(
        "flow.nn.BCEWithLogitsLoss(x, target)", target=(2, 3)
    ),
    nn__KLDivLoss=_with("flow.nn.KLDivLoss(x, target)", target=(2, 3)),
    nn__MarginRankingLoss=_with(
        "flow.nn.MarginRankingLoss(x, y, sign)", y=(2, 3), sign=(2, 3)
    ),
    nn__TripletMarginLoss=_with(
        "flow.nn.TripletMarginLoss(x, positive, negative)",
        positive=(2, 3),
        negative=(2, 3),
    ),
    smooth_l1_loss=_with("flow.smooth_l1_loss(x, target)", target=(2, 3)),
    combined_margin_loss=_with(
        "flow.combined_margin_loss(x, labels, 1, 0.5)", labels=Ints([2, 0])
    ),
    nn__sparse_softmax_cross_entropy_with_logits=_with(
        "flow.nn.sparse_softmax_cross_entropy_with_logits(labels, x)",
        labels=Ints([2, 0]),
    ),
    nn__sparse_cross_entropy=_with(
        "flow.nn.sparse_cross_entropy(labels, x)", labels=Ints([2, 0])
    ),
    nn__softmax_cross_entropy_with_logits=_with(
        "flow.nn.softmax_cross_entropy_with_logits(labels, x)", labels=(2, 3)
    ),
    nn__sigmoid_cross_entropy_with_logits=_with(
        "flow.nn.sigmoid_cross_entropy_with_logits(labels, x)", labels=(2, 3)
    ),
    layers__categorical_ordinal_encoder=_with(
        "flow.layers.categorical_ordinal_encoder(x, 10)", dtype="int32"
    ),
)
_sample(
    (1, 2, 5, 5),
    layers__conv2d="flow.layers.conv2d(x, 4, 3)",
    nn__conv2d=_with('flow.nn.conv2d(x, filters, 1, "SAME")', filters=(4, 2, 3, 3)),
    nn__compat_conv2d=_with(
        'flow.nn.compat_conv2d(x, filters, 1, "SAME")', filters=(4, 2, 3, 3)
    ),
    nn__conv2d_transpose=_with(
        "flow.nn.conv2d_transpose(x, filters, (1, 3, 10, 10), 2)", filters=(2, 3, 2, 2)
    ),
    nn__torch_conv2d_transpose=_with(
        "flow.nn.torch_conv2d_transpose(x, filters, (1, 1), 2, (2, 2))",
        filters=(2, 3, 3, 3),
    ),
    nn__GroupNorm="flow.nn.GroupNorm(x, 2)",
    nn__InstanceNorm2d="flow.nn.InstanceNorm2d(x)",
    nn__PixelShuffle="flow.nn.PixelShuffle(flow.reshape(x, (1, 50, 1, 1)), 5)",
    nn__PixelShufflev2="flow.nn.PixelShufflev2(x, 2, 1)",
    layers__upsample_2d="flow.layers.upsample_2d(x)",
    layers__prelu="flow.layers.prelu(x)",
    nn__max_pool2d='flow.nn.max_pool2d(x, 2, 2, "VALID")',
    nn__avg_pool2d='flow.nn.avg_pool2d(x, 2, 2, "VALID")',
)
_sample(
    (1, 2, 5),
    layers__conv1d="flow.layers.conv1d(x, 4, 3)",
    nn__conv1d=_with('flow.nn.conv1d(x, filters, 1, "SAME")', filters=(4, 2, 3)),
    nn__InstanceNorm1d="flow.nn.InstanceNorm1d(x)",
    same_padding='flow.same_padding(x, "SAME", "NCW", 3, 1, 1)',
    nn__max_pool1d='flow.nn.max_pool1d(x, 2, 2, "VALID")',
    nn__avg_pool1d='flow.nn.avg_pool1d(x, 2, 2, "VALID")',
)
_sample(
    (1, 2, 5, 5, 5),
    layers__conv3d="flow.layers.conv3d(x, 4, 3)",
    nn__conv3d=_with('flow.nn.conv3d(x, filters, 1, "SAME")', filters=(4, 2, 3, 3, 3)),
    nn__InstanceNorm3d="flow.nn.InstanceNorm3d(x)",
    nn__max_pool3d='flow.nn.max_pool3d(x, 2, 2, "VALID")',
    nn__avg_pool3d='flow.nn.avg_pool3d(x, 2, 2, "VALID")',
)
_sample(
    (1, 4, 2, 3),
    nn__attention=_with(
        "flow.nn.attention(x, key, value)", key=(1, 5, 2, 3), value=(1, 5, 2, 3)
    ),
)

# ===- Shapes ---------------------------------------------------------------===#

_sample(
    (2, 3),
    reshape="flow.reshape(x, [3, 2])",
    reshape_like=_with("flow.reshape_like(x, y)", y=(3, 2)),
    dynamic_reshape="flow.dynamic_reshape(x, [3, 2])",
    expand_dims="flow.expand_dims(x, 1)",
    flatten="flow.flatten(x)",
    transpose="flow.transpose(x, [1, 0])",
    concat=_with("flow.concat([x, y], 1)", y=(2, 1)),
    stack=_with("flow.stack([x, y])", y=(2, 3)),
    split="flow.split(x, 3, axis=1)[1]",
    slice="flow.slice(x, [0, 1], [1, 2])",
    slice_v2="flow.slice_v2(x, [(0, 1, 1), (None, None, None)])",
    experimental__logical_slice="flow.experimental.logical_slice(x, [(0, 1, 1)])",
    slice_update=_with("flow.slice_update(x, y, [(0, 1, 1)])", y=(1, 3)),
    reverse="flow.reverse(x, 1)",
    pad="flow.pad(x, [(1, 1), (0, 0)])",
    pad_grad="flow.pad_grad(x, [(0, 1), (0, 0)])",
    constant_like="flow.constant_like(x, 1)",
    zeros_like="flow.zeros_like(x)",
    ones_like="flow.ones_like(x)",
    broadcast_like=_with("flow.broadcast_like(x, y)", y=(4, 2, 3)),
    math__broadcast_to_compatible_with=_with(
        "flow.math.broadcast_to_compatible_with(x, [y])", y=(4, 1, 3)
    ),
    broadcast_to_compatible_with=_with(
        "flow.broadcast_to_compatible_with(x, [y])", y=(4, 1, 3)
    ),
    repeat="flow.acc(flow.repeat(x, 2), 2)",
    acc="flow.acc(flow.repeat(x, 2), 2)",
    unpack="flow.pack(flow.unpack(x, 2), 2)",
    pack="flow.pack(flow.unpack(x, 2), 2)",
)
_sample((2, 1), squeeze="flow.squeeze(x, [1])")

# ===- Indices --------------------------------------------------------------===#

_sample(
    (2, 3),
    gather=_with("flow.gather(x, indices)", indices=Ints([1, 0, 1, 1])),
    gather_nd=_with("flow.gather_nd(x, indices)", indices=Ints([[1], [0], [1], [1]])),
    scatter_nd=_with("flow.scatter_nd(indices, x, [4, 3])", indices=Ints([[3], [0]])),
    tensor_scatter_nd_update=_with(
        "flow.tensor_scatter_nd_update(x, indices, updates)",
        indices=Ints([[1]]),
        updates=(1, 3),
    ),
    tensor_scatter_nd_add=_with(
        "flow.tensor_scatter_nd_add(x, indices, updates)",
        indices=Ints([[1]]),
        updates=(1, 3),
    ),
    dim_gather=_with("flow.dim_gather(x, 0, index)", index=Ints([[1, 0, 1]])),
    where=_with(
        "flow.where(flow.math.greater(x, y), x, z)", y=(2, 3), z=(2, 3)
    ),
    masked_fill=_with("flow.masked_fill(x, flow.math.greater(x, y), 1)", y=(2, 3)),
    argwhere=_with("flow.argwhere(x)", interval=(0.0, 1.0)),
    nonzero=_with("flow.nonzero(x)", interval=(0.0, 1.0)),
    one_hot=_with("flow.one_hot(x, 4)", dtype="int32"),
    sort=_with("flow.sort(x)", interval=(0.9, 0.1)),
    argsort=_with("flow.argsort(x)", interval=(0.9, 0.1)),
    math__top_k="flow.math.top_k(x, 2)",
    math__unsorted_segment_sum=_with(
        "flow.math.unsorted_segment_sum(x, segments, 4)", segments=Ints([3, 0])
    ),
    unsorted_segment_sum=_with(
        "flow.unsorted_segment_sum(x, segments, 4)", segments=Ints([3, 0])
    ),
    math__unsorted_segment_sum_like=_with(
        "flow.math.unsorted_segment_sum_like(x, segments, y)",
        segments=Ints([3, 0]),
        y=(4, 3),
    ),
    math__unsorted_batch_segment_sum=_with(
        "flow.math.unsorted_batch_segment_sum(x, segments, 4)",
        segments=Ints([[3, 0, 0], [1, 2, 1]]),
    ),
)
_sample(
    (3,),
    experimental__unique_with_counts="flow.experimental.unique_with_counts(x)[0]",
)
_sample(
    (3, 2),
    random__shuffle="flow.random.shuffle(x)",
    random__generate_random_batch_permutation_indices=(
        "flow.random.generate_random_batch_permutation_indices(x)"
    ),
    experimental__indexed_slices_reduce_sum=_with(
        "flow.experimental.indexed_slices_reduce_sum(indices, x)[1]",
        indices=Ints([1, 0, 1]),
    ),
)

# ===- Bounded extents, lists -----------------------------------------------===#

_BUFFER = "flow.tensor_to_tensor_buffer(x, 1)"
_LIST = f"""\
flow.tensor_buffer_to_tensor_list(
    {_BUFFER}, (3,), x.dtype
)"""
_OF_LIST = _LIST.replace("\n", "\n    ")
_OF_OF_LIST = _OF_LIST.replace("\n", "\n    ")
_sample(
    (2, 3),
    sync_dynamic_resize=_with(
        "flow.pad_to_static(flow.sync_dynamic_resize(x, size))", size=Ints([1])
    ),
    pad_to_static=_with(
        "flow.pad_to_static(flow.sync_dynamic_resize(x, size))", size=Ints([1])
    ),
    experimental__dynamic_binary_split=(
        "flow.pad_to_static(flow.experimental.dynamic_binary_split(x, 5, 2)[1])"
    ),
    experimental__dynamic_binary_concat="""\
flow.pad_to_static(
    flow.experimental.dynamic_binary_concat(
        flow.experimental.dynamic_binary_split(x, 5, 2), x
    )
)""",
    tensor_buffer_to_tensor_list=_LIST,
    tensor_list_split=f"""\
flow.tensor_list_split(
    {_OF_LIST}
)[1]""",
    tensor_list_to_tensor_buffer=f"""\
flow.tensor_buffer_to_tensor(
    flow.tensor_list_to_tensor_buffer(
        {_OF_OF_LIST}
    ),
    x.dtype,
    (3,),
)""",
    tensor_to_tensor_buffer=f"flow.tensor_buffer_to_tensor({_BUFFER}, x.dtype, (3,))",
    tensor_buffer_to_tensor=(
        f"flow.tensor_buffer_to_tensor({_BUFFER}, x.dtype, (3, 1))"
    ),
)

# ===- Ops of users ---------------------------------------------------------===#

_USER_OP = """\
flow.register_user_op(
    "{name}",
    infer=lambda x: (x.shape, x.dtype),
    forward=lambda x: 2 * x,
    gradient=lambda inputs, outputs, gradients: 2 * gradients[0],
)
"""
_BUILD = """\
(
    flow.{function}()
    .Op("{name}")
    .Input("in", [x])
    .Output("out")
    .Build()
    .SoleOutputBlob()
)"""


def _user_op(name, text):
    return _with(text, setup=_USER_OP.format(name=name))


_sample(
    (2, 3),
    user_op_builder=_user_op(
        "twice",
        _BUILD.format(function="user_op_builder", name="twice"),
    ),
    consistent_user_op_builder=_user_op(
        "double",
        _BUILD.format(function="consistent_user_op_builder", name="double"),
    ),
    user_op_module_builder=_user_op(
        "doubled",
        """\
(
    flow.user_op_module_builder("doubled")
    .InputSize("in", 1)
    .Output("out")
    .Build()(x)[0]
)""",
    ),
)

# ===- Examples of the pages ------------------------------------------------===#

_example(
    None,
    constant="flow.constant([1.0, 2.5, -3.0])",
    constant_scalar="flow.constant_scalar(2.5)",
    range="flow.range(2, 8, 2)",
    random__CoinFlip="flow.random.CoinFlip(batch_size=4)",
    random__coin_flip="flow.random.coin_flip(batch_size=4)",
    random__uniform="flow.random.uniform([2, 3])",
    random__normal="flow.random.normal([2, 3])",
)
_TOTAL = """\
total = flow.get_variable(
    "total", (2, 3), initializer=flow.zeros_initializer(), trainable=False
)
"""
_example(
    (2, 3),
    get_variable="""\
w = flow.get_variable("w", (2, 3), initializer=flow.ones_initializer())
return x * w""",
    assign=_TOTAL + "flow.assign(total, total + x)\nreturn total",
    system__assign=_TOTAL + "flow.system.assign(total, total + x)\nreturn total",
)
_example(
    (1, 3),
    experimental__logical_slice_assign=_TOTAL
    + "flow.experimental.logical_slice_assign(total, x, [(0, 1, 1)])\nreturn total",
)
for _operator, _names in {
    "+": "add radd",
    "-": "sub rsub",
    "*": "mul rmul",
    "/": "truediv rtruediv",
    "%": "mod",
    "==": "eq",
    "!=": "ne",
    "<": "lt",
    "<=": "le",
    ">": "gt",
    ">=": "ge",
}.items():
    for _name in _names.split():
        _call = f"x {_operator} y"
        if _name.startswith("r"):
            _example((2, 3), **{f"Blob.__{_name}__": f"2 {_operator} x"})
        else:
            _example((2, 3), **{f"Blob.__{_name}__": _with(_call, y=(2, 3))})

_FIT = """\
w = flow.get_variable("w", (3,), initializer=flow.ones_initializer())
loss = flow.math.square(x - w)
"""
_RATE = "rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])\n"
_MINIMIZE = _RATE + "flow.optimizer.SGD(rate).minimize(loss)\nreturn loss"
_example(
    (2, 3),
    kind="train",
    optimizer__SGD=_FIT + _MINIMIZE,
    watch_diff=_FIT + "flow.watch_diff(w)\n" + _MINIMIZE,
)
_KERNEL = '''\
flow.register_user_kernel(
    "{name}",
    """
func.func @square(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {{
  %0 = arith.mulf %x, %x : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}}
""",
    gradient="""
func.func @gradient(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>, %dy: tensor<2x3xf32>)
    -> tensor<2x3xf32> {{
  %0 = arith.addf %x, %x : tensor<2x3xf32>
  %1 = arith.mulf %0, %dy : tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}}
""",
)
'''


def _user_call(name):
    return (
        f'op = flow.user_op_builder().Op("{name}").Input("in", [x]).Output("out")\n'
        "return op.Build().SoleOutputBlob()"
    )


_example(
    (2, 3),
    register_user_op=_with(
        _user_call("two_x"), setup=_USER_OP.format(name="two_x")
    ),
    register_user_kernel=_with(
        _user_call("x_squared"), setup=_KERNEL.format(name="x_squared")
    ),
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
    shape, function = SAMPLES[name][:2]
    return _compiles("predict", "plan", lambda: function(_variable(shape, dtype)))


def has_gradient(name):
    """Whether a job can train the operand of the op."""
    shape, function = SAMPLES[name][:2]

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
