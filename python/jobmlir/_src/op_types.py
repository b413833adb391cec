"""The types of OneFlow's own ops that scripts build by name: which function of the API
each is, and how its inputs, outputs and attributes are called."""

import functools
import inspect
import typing

from . import arguments, assign_ops, layers, names, norm_ops
from .blob import Blob
from .trace import begin, current

# A row: type, function, inputs -> outputs, attributes. A function of the API is called
# by its dotted name, one of this file as _name. Inputs are its first arguments, or the
# argument behind "="; "*" makes a list of all inputs of this name, "?" means optional.
# Attributes are arguments by their name, or the one behind "=". A function returns its
# outputs in order; one that few scripts read is a function that adds it to the job.
_TABLE = """
acc                 acc                   in -> out                max_acc_num
add_n               math.add_n            in* -> out
amp_white_identity  amp_white_identity    in -> out
arg_sort            argsort               in -> out                direction
argmax              math.argmax           in -> out
argwhere            _argwhere             input -> output output_size dtype
assign              _assign               ref value ->
avg_pool_1d         _pool                 x -> y                   _POOL
avg_pool_2d         _pool                 x -> y                   _POOL
avg_pool_3d         _pool                 x -> y                   _POOL
batch_gather        _batch_gather         in indices -> out
batch_matmul        _matmul               a b -> out               transpose_a transpose_b alpha
bernoulli           _bernoulli            in -> out                seed has_seed dtype
bias_add            _bias_add             a b -> out               axis
broadcast_like      broadcast_like        x like -> y              broadcast_axes
cast                cast                  in -> out                dtype
clip_by_scalar      _clip                 x -> y                   floating_min integral_min floating_max integral_max
clip_by_scalar_max  _clip_max             x -> y                   floating_max integral_max
clip_by_scalar_min  _clip_min             x -> y                   floating_min integral_min
combined_margin_loss _margin_loss         x label -> y theta       m1 m2 m3 depth
concat              concat                in* -> out               axis max_dim_size
constant            _constant             -> out                   floating_value integer_value is_floating_value dtype shape
conv1d              _conv                 in weight bias=bias? -> out _CONV
conv2d              _conv                 in weight bias=bias? -> out _CONV
conv3d              _conv                 in weight bias=bias? -> out _CONV
count_not_finite    count_not_finite      x -> y
deconv2d            _deconv               in weight -> out         _CONV output_padding
dim_gather          dim_gather            input index=index -> output dim
dropout             _dropout              in mask -> out           scale
elem_cnt            math.elem_cnt         x -> y                   dtype
elu                 nn.elu                in -> out                alpha
expand_dims         expand_dims           in -> out                axis
flatten             flatten               in -> out                start_dim end_dim
fused_scale_tril    _fused_scale_tril     in -> out                diagonal floating_fill_value integer_fill_value is_floating_fill_value floating_scale_value integer_scale_value is_floating_scale_value
gather              gather                in indices -> out        axis
gather_nd           gather_nd             params indices -> out
gelu                math.gelu             in -> out
gelu_grad           math.gelu_grad        x dy -> dx
hardsigmoid         nn.hardsigmoid        in -> out
hardswish           nn.hardswish          in -> out
hardtanh            nn.hardtanh           in -> out                min_val max_val
identity            identity              in -> out
indexed_slices_reduce_sum experimental.indexed_slices_reduce_sum x_indices x_values -> y_indices y_values num_unique
l2_normalize        _l2_normalize         x -> y square_x_sum      axis epsilon
layer_norm          _layer_norm           x gamma=gamma? beta=beta? -> y mean inv_variance normalized center scale begin_norm_axis begin_params_axis epsilon
leaky_relu          nn.leaky_relu         x -> y                   alpha
masked_fill         _masked_fill          x mask -> out            float_operand int_operand has_float_operand has_int_operand
matmul              _matmul               a b -> out               transpose_a transpose_b alpha
max_pool_1d         _pool                 x -> y                   _POOL
max_pool_2d         _pool                 x -> y                   _POOL
max_pool_3d         _pool                 x -> y                   _POOL
mish                math.mish             in -> out
multi_count_not_finite multi_count_not_finite x* -> y
multiply            math.multiply         x y -> out
normalization       _normalization        x moving_mean moving_variance gamma beta -> y mean inv_variance axis epsilon training momentum
normalization_add_relu _normalization_add_relu x moving_mean moving_variance gamma beta addend=addend? -> y reserve_space mean inv_variance axis epsilon training momentum
one_hot             _one_hot              indices -> out           depth floating_on_value integer_on_value floating_off_value integer_off_value dtype
ones_like           ones_like             like -> out
pack                pack                  in -> out                pack_num
pad                 _pad                  x -> y                   padding_before padding_after floating_constant_value integral_constant_value
pad_grad            _pad_grad             dy -> dx                 padding_before padding_after floating_constant_value integral_constant_value
prelu               _prelu                x alpha -> y
random_mask_like    nn.random_mask_like   like -> out              rate seed
reduce_all          math.reduce_all       input_tensor -> output_tensor axis keepdims
reduce_any          math.reduce_any       input_tensor -> output_tensor axis keepdims
reduce_max          math.reduce_max       input_tensor -> output_tensor axis keepdims
reduce_min          math.reduce_min       input_tensor -> output_tensor axis keepdims
reduce_prod         math.reduce_prod      input_tensor -> output_tensor axis keepdims
reduce_sum          math.reduce_sum       input_tensor -> output_tensor axis keepdims
relu                math.relu             in -> out
relu6               nn.relu6              in -> out
repeat              repeat                in -> out                repeat_num
reshape             reshape               in -> out                shape
reshape_like        reshape_like          in like -> out
scalar_add          _scalar_add           in -> out                has_int_operand has_float_operand int_operand float_operand
scalar_add_by_tensor math.add             x scalar -> y
scalar_div_by_tensor math.divide          x scalar -> y
scalar_mul          _scalar_mul           in -> out                has_int_operand has_float_operand int_operand float_operand
scalar_mul_by_tensor math.multiply        x scalar -> y
scalar_sub_by_tensor math.subtract        x scalar -> y
scatter_nd          scatter_nd            indices updates -> out   shape
sigmoid             math.sigmoid          in -> out
sigmoid_cross_entropy nn.sigmoid_cross_entropy_with_logits label prediction -> loss
sigmoid_grad        math.sigmoid_grad     y dy -> dx
slice               _slice                x -> y                   start stop step
slice_update        _slice_update         x update -> y            start stop step
smooth_l1_loss      smooth_l1_loss        prediction label -> loss beta
softmax             nn.softmax            in -> out
softmax_cross_entropy _softmax_cross_entropy label prediction -> prob out
softmax_grad        nn.softmax_grad       y dy -> dx
sort                sort                  in -> out                direction
sparse_cross_entropy _sparse_cross_entropy label prediction -> out depth
sparse_softmax_cross_entropy _sparse_softmax_cross_entropy label prediction -> prob out depth
square_sum          experimental.square_sum x -> y
squeeze             squeeze               in -> out                axes=axis
tanh                math.tanh             in -> out
tensor_scatter_nd_add tensor_scatter_nd_add params indices updates -> out
tensor_scatter_nd_update tensor_scatter_nd_update params indices updates -> out
top_k               math.top_k            in -> out                k sorted
transpose           transpose             input -> output          perm
tril                _tril                 in -> out                diagonal floating_fill_value integer_fill_value is_floating_fill_value
unique_with_counts  experimental.unique_with_counts x -> y idx count num_unique out_idx
unpack              unpack                in -> out                unpack_num
unsorted_batch_segment_sum math.unsorted_batch_segment_sum data segment_ids -> out num_segments
unsorted_segment_sum math.unsorted_segment_sum data segment_ids -> out axis num_segments
unsorted_segment_sum_like math.unsorted_segment_sum_like data segment_ids like -> out axis
upsample            _upsample             x -> y                   height_scale width_scale data_format interpolation
where               where                 condition x y -> out
zero_like           zeros_like            like -> out
"""

_SETS = {
    "_POOL": "padding padding_before padding_after data_format pool_size strides ceil_mode",
    "_CONV": "filters padding_before padding_needed data_format kernel_size strides dilation_rate groups",
}

# The types that have the name of their function in the module math.
_UNARY = """
abs acos acosh asin asinh atan atanh ceil cos cosh erf erfc exp expm1 floor lgamma log
log1p log_sigmoid negative reciprocal reciprocal_no_nan rint round rsqrt sigmoid_v2 sign
sin sinh softplus sqrt square tan
"""
_BINARY = "atan2 floordiv pow xdivy xlogy"
_BROADCAST = {
    "broadcast_add": "add",
    "broadcast_sub": "subtract",
    "broadcast_mul": "multiply",
    "broadcast_div": "divide",
    "broadcast_floor_mod": "mod",
    "broadcast_minimum": "minimum",
    "broadcast_maximum": "maximum",
    "broadcast_equal": "equal",
    "broadcast_not_equal": "not_equal",
    "broadcast_less": "less",
    "broadcast_less_equal": "less_equal",
    "broadcast_greater": "greater",
    "broadcast_greater_equal": "greater_equal",
    "broadcast_logical_and": "logical_and",
}

# The functions of types that the table lacks and that have another name.
ELSEWHERE = {
    "OFRecordReader": "ofrecord_reader",
    "ofrecord_raw_decoder": "OFRecordRawDecoder",
    "coin_flip": "CoinFlip",
    "CategoricalOrdinalEncode": "categorical_ordinal_encoder",
}


class _Input(typing.NamedTuple):
    """An input of a type: the argument that it is, if not the next one."""

    argument: str
    is_list: bool
    is_optional: bool


class OpType(typing.NamedTuple):
    """A type of ops of OneFlow."""

    name: str
    function: str
    inputs: dict
    outputs: tuple
    attributes: dict

    def build(self, inputs, outputs, attributes, name):
        """The blobs of the `outputs`, names with a number of blobs each. `inputs` are
        pairs of a name and a list of blobs."""
        trace = current("user_op_builder")
        given = {}
        for key, blobs in inputs:
            for blob in blobs:
                if not isinstance(blob, Blob):
                    got = type(blob).__name__
                    trace.fail(f"expects input {key} to be a blob but got {got}", op=name)
            given.setdefault(key, []).extend(blobs)
        self._check_names("input", given, self.inputs)
        self._check_names("output", dict(outputs), self.outputs)
        self._check_names("attribute", attributes, self.attributes)
        listed, named = [], {"name": name}
        for key, place in self.inputs.items():
            blobs = given.get(key, [])
            if place.is_optional and not blobs:
                continue
            if not place.is_list and len(blobs) != 1:
                self.fail(f"expects 1 blob as input {key} but got {len(blobs)}")
            value = blobs if place.is_list else blobs[0]
            if place.argument:
                named[place.argument] = value
            else:
                listed.append(value)
        function = names.find(self.function)
        if self.function.startswith("_"):
            function = functools.partial(globals()[self.function], self)
        for key, value in attributes.items():
            named[self.attributes[key]] = value
        lacking = self._lacking(function, len(listed), named)
        if lacking:
            self.fail(f"expects attribute {lacking} but got none")
        results = function(*listed, **named)
        if not isinstance(results, (list, tuple)):
            results = [results]
        by_name = dict(zip(self.outputs, results))
        for key, number in outputs:
            if number != 1:
                self.fail(f"expects 1 blob as output {key} but got {number}")
            if by_name.get(key) is None:
                self.fail(f"expects no output {key} in this version")
        found = [by_name[key] for key, _ in outputs]
        return [one() if callable(one) else one for one in found]

    def _check_names(self, what, given, known):
        for key in given:
            if key not in known:
                has = ", ".join(known) or "none"
                self.fail(f"expects an {what} of ({has}) but got {key}")

    def _lacking(self, function, count, named):
        """The attribute of a parameter without a default that has no value, or None."""
        parameters = list(inspect.signature(function).parameters.values())[count:]
        by_argument = {value: key for key, value in self.attributes.items()}
        for parameter in parameters:
            needed = parameter.default is parameter.empty
            if needed and parameter.name in by_argument.keys() - named.keys():
                return by_argument[parameter.name]
        return None

    def fail(self, problem):
        current("user_op_builder").fail(f"op type {self.name}: {problem}")


@functools.lru_cache
def table():
    """All types, by name."""
    rows = _TABLE.strip().splitlines()
    rows += [f"{one} math.{one} x -> y" for one in _UNARY.split()]
    rows += [f"{one} math.{one} x y -> z" for one in _BINARY.split()]
    rows += [f"{one} math.{of} x y -> z" for one, of in _BROADCAST.items()]
    return {one.name: one for one in map(_parse, rows)}


def _parse(row):
    for key, value in _SETS.items():
        row = row.replace(key, value)
    left, _, right = row.partition("->")
    name, function, *inputs = left.split()
    places = {}
    for one in inputs:
        key, _, argument = one.rstrip("*?").partition("=")
        places[key] = _Input(argument, one.endswith("*"), one.endswith("?"))
    # Attributes follow the outputs, whose names no attribute has.
    words = right.split()
    count = next((i for i, one in enumerate(words) if one not in _OUTPUTS), len(words))
    attributes = (one.partition("=") for one in words[count:])
    return OpType(
        name,
        function,
        places,
        tuple(words[:count]),
        {key: argument or key for key, _, argument in attributes},
    )


_OUTPUTS = frozenset(
    "count dx idx inv_variance loss mean normalized num_unique out output output_size "
    "output_tensor prob reserve_space square_x_sum theta y y_indices y_values z".split()
)


# ===- Functions that take other arguments than those of the API ------------===#


def _api(name):
    return names.find(name)


def _number(is_float, floating, integer):
    return float(floating) if is_float else int(integer)


def _number_for(x, floating, integer):
    """The one of two attributes that is in the type of x."""
    return _number(x.dtype.is_float(), floating, integer)


def _scalar(op_name, x, name, is_float, floating, integer):
    return _api(op_name)(x, _number(is_float, floating, integer), name=name)


def _scalar_add(
    op_type,
    x,
    has_int_operand=False,
    has_float_operand=True,
    int_operand=0,
    float_operand=0.0,
    name=None,
):
    return _scalar("math.add", x, name, has_float_operand, float_operand, int_operand)


def _scalar_mul(
    op_type,
    x,
    has_int_operand=False,
    has_float_operand=True,
    int_operand=0,
    float_operand=0.0,
    name=None,
):
    is_float = has_float_operand
    return _scalar("math.multiply", x, name, is_float, float_operand, int_operand)


def _assign(op_type, ref, value, name=None):
    assign_ops.assign(ref, value, name=name)
    return []


def _batch_gather(op_type, x, indices, name=None):
    rank = len(indices.shape)
    return _api("gather")(x, indices, axis=rank - 1, batch_dims=rank - 1, name=name)


def _matmul(op_type, a, b, transpose_a=False, transpose_b=False, alpha=1.0, name=None):
    if alpha == 1:
        return _api("matmul")(a, b, transpose_a, transpose_b, name=name)
    product = _api("matmul")(a, b, transpose_a, transpose_b)
    return _api("math.multiply")(product, alpha, name=name)


def _bernoulli(op_type, x, seed=None, has_seed=True, dtype=None, name=None):
    return _api("random.bernoulli")(x, seed if has_seed else None, dtype, name=name)


def _bias_add(op_type, a, b, axis, name=None):
    rank = len(a.shape)
    if not arguments.is_int(axis) or axis not in (1, rank - 1):
        op_type.fail(f"expects an axis of (1, {rank - 1}) but got {axis!r}")
    data_format = "NC" if axis == 1 else f"N{'.' * (rank - 2)}C"
    return _api("nn.bias_add")(a, b, data_format, name=name)


def _clip(
    op_type, x, floating_min, integral_min, floating_max, integral_max, name=None
):
    return _api("clip_by_scalar")(
        x,
        _number_for(x, floating_min, integral_min),
        _number_for(x, floating_max, integral_max),
        name=name,
    )


def _clip_min(op_type, x, floating_min, integral_min, name=None):
    least = _number_for(x, floating_min, integral_min)
    return _api("clip_by_scalar")(x, least, name=name)


def _clip_max(op_type, x, floating_max, integral_max, name=None):
    most = _number_for(x, floating_max, integral_max)
    return _api("clip_by_scalar")(x, max_value=most, name=name)


def _argwhere(op_type, condition, dtype=None, name=None):
    """The rows behind the found ones are 0: sync_dynamic_resize leaves them out."""
    found = _api("argwhere")(condition, dtype, name=name)
    return [_api("pad_to_static")(found), lambda: _api("cast")(found._count, found.dtype)]


def _margin_loss(op_type, x, label, m1, m2, m3, depth=None, name=None):
    """(y, theta), where theta is the angle at the label of each row."""

    def angle():
        places = _api("reshape")(label, [-1, 1])
        cosine = _api("gather")(x, places, axis=1, batch_dims=1)
        return _api("reshape")(_api("math.acos")(cosine), label.shape)

    return [_api("combined_margin_loss")(x, label, m1, m2, m3, name=name), angle]


def _constant(
    op_type,
    dtype,
    shape,
    floating_value=0.0,
    integer_value=0,
    is_floating_value=True,
    name=None,
):
    value = _number(is_floating_value, floating_value, integer_value)
    return _api("constant")(value, dtype, shape, name=name)


# ===- Windows -------------------------------------------------------------===#

# By the number of spatial dimensions.
_FORMATS = {
    "channels_first": (None, "NCW", "NCHW", "NCDHW"),
    "channels_last": (None, "NWC", "NHWC", "NDHWC"),
}


def _data_format(op_type, data_format, count):
    if data_format not in _FORMATS:
        known = ", ".join(map(repr, _FORMATS))
        op_type.fail(f"expects a data_format of ({known}) but got {data_format!r}")
    return _FORMATS[data_format][count]


def _pairs(op_type, data_format, before, after, count):
    """Padding of all dimensions from that of the spatial ones."""
    for each in (before, after):
        if not isinstance(each, (list, tuple)) or len(each) != count:
            op_type.fail(f"expects a padding of {count} dimensions but got {each!r}")
    pairs = [list(pair) for pair in zip(before, after)]
    none = [0, 0]
    if data_format == "channels_first":
        return [none, none, *pairs]
    return [none, *pairs, none]


def _pool(
    op_type,
    x,
    pool_size,
    strides,
    padding="valid",
    padding_before=None,
    padding_after=None,
    data_format="channels_first",
    ceil_mode=False,
    name=None,
):
    kind, _, count = op_type.name.rpartition("_")
    count = int(count[0])
    layout = _data_format(op_type, data_format, count)
    if padding == "customized":
        padding = _pairs(op_type, data_format, padding_before, padding_after, count)
    settings = {} if count == 1 else {"ceil_mode": ceil_mode}
    return _api(f"nn.{kind}{count}d")(
        x, pool_size, strides, padding, layout, name=name, **settings
    )


def _check_window(op_type, weight, count, is_first, filters, kernel_size, dim):
    """The attributes that the shape of the weight also has. The function itself checks
    the rank."""
    shape = weight.shape
    if len(shape) != count + 2:
        return
    window = shape[2:] if is_first else shape[1:-1]
    if kernel_size is not None and tuple(kernel_size) != window:
        op_type.fail(f"expects a kernel_size of {window} but got {kernel_size!r}")
    if filters is not None and filters != shape[dim]:
        op_type.fail(f"expects {shape[dim]} filters but got {filters!r}")


def _conv(
    op_type,
    x,
    weight,
    strides,
    bias=None,
    filters=None,
    padding_before=None,
    padding_needed=None,
    data_format="channels_first",
    kernel_size=None,
    dilation_rate=None,
    groups=1,
    name=None,
):
    count = int(op_type.name[-2])
    layout = _data_format(op_type, data_format, count)
    is_first = data_format == "channels_first"
    _check_window(op_type, weight, count, is_first, filters, kernel_size, 0)
    if padding_before is None:
        padding_before = [needed // 2 for needed in padding_needed or [0] * count]
    result = _api(f"nn.conv{count}d")(
        x,
        weight,
        strides,
        _pairs(op_type, data_format, padding_before, padding_before, count),
        layout,
        dilation_rate,
        groups,
        name=name,
    )
    if bias is None:
        return result
    return _api("nn.bias_add")(result, bias, layout)


def _deconv(
    op_type,
    x,
    weight,
    strides,
    output_padding=None,
    filters=None,
    padding_before=None,
    padding_needed=None,
    data_format="channels_first",
    kernel_size=None,
    dilation_rate=None,
    groups=1,
    name=None,
):
    layout = _data_format(op_type, data_format, 2)
    is_first = data_format == "channels_first"
    dim = 1 if is_first else 3
    _check_window(op_type, weight, 2, is_first, filters, kernel_size, dim)
    if groups != 1:
        op_type.fail(f"expects groups to be 1 but got {groups!r}")
    if padding_needed is None:
        padding_needed = [2 * before for before in padding_before or [0, 0]]
    return _api("nn.torch_conv2d_transpose")(
        x,
        weight,
        output_padding or [0, 0],
        strides,
        padding_needed,
        layout,
        dilations=dilation_rate,
        name=name,
    )


def _upsample(
    op_type,
    x,
    height_scale,
    width_scale,
    data_format="channels_first",
    interpolation="nearest",
    name=None,
):
    scales = [int(one) if one == int(one) else one for one in (height_scale, width_scale)]
    layout = _data_format(op_type, data_format, 2)
    return _api("layers.upsample_2d")(x, scales, layout, interpolation, name=name)


# ===- Normalisation -------------------------------------------------------===#


def _normalization(
    op_type,
    x,
    moving_mean,
    moving_variance,
    gamma,
    beta,
    axis=-1,
    epsilon=1e-5,
    training=False,
    momentum=0.99,
    name=None,
):
    """(y, mean, inv_variance); without training only y."""
    if not training:
        return [
            norm_ops.batch_normalization(
                x, moving_mean, moving_variance, beta, gamma, epsilon, axis, name=name
            )
        ]
    op = begin("user_op_builder", name, "Normalization")
    x = op.blob(x, "x")
    axis = arguments.axis(op, axis, len(x.shape))
    momentum = arguments.number(op.fail, momentum, "momentum")
    y, mean, variance = layers.normalize_batch(
        op,
        x,
        assign_ops.variable(op, moving_mean, "moving_mean"),
        assign_ops.variable(op, moving_variance, "moving_variance"),
        op.blob(gamma, "gamma"),
        op.blob(beta, "beta"),
        axis,
        epsilon,
        momentum,
    )
    return [y, mean, lambda: _inverse(variance, epsilon)]


def _inverse(variance, epsilon):
    return _api("math.rsqrt")(_api("math.add")(variance, epsilon))


def _normalization_add_relu(
    op_type,
    x,
    moving_mean,
    moving_variance,
    gamma,
    beta,
    addend=None,
    name=None,
    **settings,
):
    parameters = moving_mean, moving_variance, gamma, beta
    y, *statistics = _normalization(op_type, x, *parameters, **settings)
    if addend is not None:
        y = _api("math.add")(y, addend)
    # What the gradient reads again has no blob here.
    return [_api("math.relu")(y, name=name), None, *statistics]


def _layer_norm(
    op_type,
    x,
    gamma=None,
    beta=None,
    center=True,
    scale=True,
    begin_norm_axis=1,
    begin_params_axis=-1,
    epsilon=1e-5,
    name=None,
):
    axes = begin_norm_axis, begin_params_axis
    apply = _api("nn.layer_norm")
    y = apply(
        x, gamma if scale else None, beta if center else None, *axes, epsilon, name=name
    )

    def moment(index):
        over = list(range(begin_norm_axis % len(x.shape), len(x.shape)))
        return _api("nn.moments")(x, over)[index]

    return [
        y,
        lambda: moment(0),
        lambda: _inverse(moment(1), epsilon),
        lambda: apply(x, None, None, *axes, epsilon),
    ]


def _l2_normalize(op_type, x, axis=None, epsilon=1e-12, name=None):
    y = _api("math.l2_normalize")(x, axis, epsilon, name=name)

    def total():
        return _api("math.reduce_sum")(_api("math.square")(x), axis, keepdims=True)

    return [y, total]


# ===- Losses --------------------------------------------------------------===#


def _check_depth(op_type, prediction, depth):
    if depth is not None and depth != prediction.shape[-1]:
        op_type.fail(f"expects a depth of {prediction.shape[-1]} but got {depth!r}")


def _softmax_cross_entropy(op_type, label, prediction, name=None):
    loss = _api("nn.softmax_cross_entropy_with_logits")(label, prediction, name=name)
    return [lambda: _api("nn.softmax")(prediction), loss]


def _sparse_cross_entropy(op_type, label, prediction, depth=None, name=None):
    _check_depth(op_type, prediction, depth)
    return _api("nn.sparse_cross_entropy")(label, prediction, name=name)


def _sparse_softmax_cross_entropy(op_type, label, prediction, depth=None, name=None):
    _check_depth(op_type, prediction, depth)
    loss = _api("nn.sparse_softmax_cross_entropy_with_logits")(
        label, prediction, name=name
    )
    return [lambda: _api("nn.softmax")(prediction), loss]


def _dropout(op_type, x, mask, scale, name=None):
    kept = _api("math.multiply")(x, _api("cast")(mask, x.dtype))
    return _api("math.multiply")(kept, float(scale), name=name)


def _prelu(op_type, x, alpha, name=None):
    below = _api("math.multiply")(x, alpha)
    return _api("where")(_api("math.greater")(x, 0), x, below, name=name)


# ===- Movement of elements ------------------------------------------------===#


def _padding(op_type, function, x, before, after, floating, integral, name):
    if not all(
        isinstance(each, (list, tuple)) and len(each) == len(x.shape)
        for each in (before, after)
    ):
        op_type.fail(
            f"expects a padding of {len(x.shape)} dimensions but got {before!r} and "
            f"{after!r}"
        )
    value = _number_for(x, floating, integral)
    return _api(function)(x, list(zip(before, after)), value, name=name)


def _pad(
    op_type,
    x,
    padding_before,
    padding_after,
    floating_constant_value=0.0,
    integral_constant_value=0,
    name=None,
):
    values = floating_constant_value, integral_constant_value
    return _padding(op_type, "pad", x, padding_before, padding_after, *values, name)


def _pad_grad(
    op_type,
    x,
    padding_before,
    padding_after,
    floating_constant_value=0.0,
    integral_constant_value=0,
    name=None,
):
    values = floating_constant_value, integral_constant_value
    return _padding(op_type, "pad_grad", x, padding_before, padding_after, *values, name)


def _bounds(op_type, start, stop, step):
    lists = start, stop, step
    if not all(isinstance(one, (list, tuple)) for one in lists) or len(
        {len(one) for one in lists}
    ) != 1:
        op_type.fail(f"expects lists of one length but got {start!r}, {stop!r}, {step!r}")
    return list(zip(*lists))


def _slice(op_type, x, start, stop, step, name=None):
    return _api("slice_v2")(x, _bounds(op_type, start, stop, step), name=name)


def _slice_update(op_type, x, update, start, stop, step, name=None):
    bounds = _bounds(op_type, start, stop, step)
    return _api("slice_update")(x, update, bounds, name=name)


def _one_hot(
    op_type,
    indices,
    depth,
    dtype,
    floating_on_value=1.0,
    integer_on_value=1,
    floating_off_value=0.0,
    integer_off_value=0,
    name=None,
):
    on, off = integer_on_value, integer_off_value
    if dtype.is_float():
        on, off = floating_on_value, floating_off_value
    return _api("one_hot")(indices, depth, on, off, dtype=dtype, name=name)


def _masked_fill(
    op_type,
    x,
    mask,
    float_operand=0.0,
    int_operand=0,
    has_float_operand=True,
    has_int_operand=False,
    name=None,
):
    value = _number(has_float_operand, float_operand, int_operand)
    return _api("masked_fill")(x, mask, value, name=name)


def _tril(
    op_type,
    x,
    diagonal=0,
    floating_fill_value=0.0,
    integer_fill_value=0,
    is_floating_fill_value=False,
    name=None,
):
    fill = _number(is_floating_fill_value, floating_fill_value, integer_fill_value)
    return _api("math.tril")(x, diagonal, fill, name=name)


def _fused_scale_tril(
    op_type,
    x,
    diagonal=0,
    floating_fill_value=0.0,
    integer_fill_value=0,
    is_floating_fill_value=False,
    floating_scale_value=1.0,
    integer_scale_value=1,
    is_floating_scale_value=False,
    name=None,
):
    fill = _number(is_floating_fill_value, floating_fill_value, integer_fill_value)
    scale = _number(is_floating_scale_value, floating_scale_value, integer_scale_value)
    return _api("nn.fused_scale_tril")(x, diagonal, fill, scale, name=name)
