"""Entries of the table: the ops that gradients are made of, by themselves. Their
operands are those that autodiff gives them, with a gradient of any values."""

import math

import ops_compute
from entries import TABLE, Entry, require, same
from jobs import FLOATS, Blob, Invalid


def gradient(name, infer, draw, ranges, form="operands", **more):
    TABLE[name] = Entry(infer, draw, ranges, form, differentiable=False,
                        weight=1.5, **more)


def _both_ways(most):
    return [(-most, most)]


def _draw_gelu_grad(b):
    x = b.pick(FLOATS, -6, 6)
    return None if x is None else \
        b.emit("gelu_grad", [b.operand(b.type(x)), x],
               approximate=b.rng.choice(["none", "tanh"]))


gradient("gelu_grad", same, _draw_gelu_grad,
         lambda values, a, types: _both_ways(1.2 * values[0].magnitude),
         "result", simpler={"approximate": "none"})


# ---------------------------------------------------------------------------
# Windows
# ---------------------------------------------------------------------------


def _infer_pool_grad(types, attributes):
    to = attributes["to"]
    require(ops_compute._infer_pool([to], attributes) == types[:1])
    return [to]


def _draw_pool(b):
    """Of a pooling: its operand, its attributes and its result's type."""
    drawn = ops_compute._draw_pool(b)
    if drawn is None:
        return None
    x, attributes = drawn
    type, = ops_compute._infer_pool([b.type(x)], attributes)
    return x, attributes, type


def _pool_grad_range(values, attributes, types):
    return _both_ways(math.prod(attributes["ksize"]) * values[0].magnitude)


def _draw_avg_pool_grad(b):
    drawn = _draw_pool(b)
    if not drawn:
        return None
    x, attributes, type = drawn
    return b.emit("avg_pool2d_grad", [b.operand(type)], **attributes,
                  to=b.type(x))


gradient("avg_pool2d_grad", _infer_pool_grad, _draw_avg_pool_grad,
         _pool_grad_range, "gradient")


def _draw_max_pool_grad(b):
    drawn = _draw_pool(b)
    if not drawn:
        return None
    x, attributes, type = drawn
    return b.emit("max_pool2d_grad", [b.operand(type), x], **attributes)


gradient("max_pool2d_grad", lambda types, a: _infer_pool_grad(
    types[:1], {**a, "to": types[1]}), _draw_max_pool_grad, _pool_grad_range)


def _draw_argmax_grad(b):
    drawn = _draw_pool(b)
    if not drawn:
        return None
    x, attributes, type = drawn
    # Numbers of no cell among them.
    argmax = b.operand(type.of("i8"), -2, 10)
    return b.emit("max_pool2d_argmax_grad", [b.operand(type), argmax],
                  **attributes, to=b.type(x))


def _infer_argmax_grad(types, attributes):
    require(types[1] == types[0].of("i8"))
    return _infer_pool_grad(types, attributes)


gradient("max_pool2d_argmax_grad", _infer_argmax_grad, _draw_argmax_grad,
         _pool_grad_range, "gradient")


def _draw_conv(b):
    """Of a convolution: its operand, the filter's type, its attributes and its
    result's type."""
    x = b.pick(FLOATS, -8, 8, rank=[4])
    if x is None:
        return None
    batch, channels, height, width = b.type(x).shape
    groups = b.rng.choice([1, channels])
    filter = Blob((groups * b.rng.choice([1, 2]), channels // groups,
                   b.rng.randint(1, min(3, height)),
                   b.rng.randint(1, min(3, width))), b.type(x).element)
    attributes = {
        "strides": (b.rng.choice([1, 1, 2]), b.rng.choice([1, 1, 2])),
        "padding": tuple(b.rng.choice([0, 0, 1]) for _ in range(4)),
        "dilations": (b.rng.choice([1, 1, 2]), 1), "groups": groups}
    try:
        type, = ops_compute._infer_conv([b.type(x), filter], attributes)
    except Invalid:
        return None
    return (x, filter, attributes, type) if b.fits(type.shape) else None


def _draw_data_grad(b):
    drawn = _draw_conv(b)
    if not drawn:
        return None
    x, filter, attributes, type = drawn
    return b.emit("conv2d_data_grad",
                  [b.operand(type, -8, 8), b.operand(filter, -4, 4)],
                  **attributes, to=b.type(x))


def _infer_data_grad(types, attributes):
    to = attributes["to"]
    require(ops_compute._infer_conv([to, types[1]], attributes) == types[:1])
    return [to]


gradient("conv2d_data_grad", _infer_data_grad, _draw_data_grad,
         lambda values, a, types: _both_ways(
             values[1].type.count * values[0].magnitude
             * values[1].magnitude), "gradient")


def _draw_filter_grad(b):
    drawn = _draw_conv(b)
    if not drawn:
        return None
    x, filter, attributes, type = drawn
    return b.emit("conv2d_filter_grad", [b.operand(type, -8, 8), x],
                  **attributes, to=filter)


def _infer_filter_grad(types, attributes):
    to = attributes["to"]
    require(ops_compute._infer_conv([types[1], to], attributes) == types[:1])
    return [to]


gradient("conv2d_filter_grad", _infer_filter_grad, _draw_filter_grad,
         lambda values, a, types: _both_ways(
             values[0].type.count * values[0].magnitude
             * values[1].magnitude), "gradient")

# ---------------------------------------------------------------------------
# Rows
# ---------------------------------------------------------------------------


def _operand_if(condition, types):
    require(condition)
    return [types[1]]


def reduction_grad(name, forwards):
    def draw(b):
        kind = b.rng.choice(forwards)
        before = len(b.job.ops)
        reduced = TABLE[kind].draw(b)
        op = b.job.ops[-1]
        if reduced is None or len(b.job.ops) == before or op.name != kind \
                or not b.type(reduced).is_float:
            return None
        return b.emit(name, [b.operand(b.type(reduced)), op.operands[0],
                             reduced], axes=op.attributes["axes"])

    def infer(types, attributes):
        reduced = [ops_compute._infer_reduce(
            [types[1]], {**attributes, "keepdims": keep})[0]
            for keep in (False, True)]
        return _operand_if(types[0] == types[2] and types[0] in reduced,
                           types)

    def ranges(values, attributes, types):
        terms = values[1].type.count // values[0].type.count
        return _both_ways(values[0].magnitude * (
            1 if "extremum" in name else max(1, values[1].magnitude) ** terms))
    gradient(name, infer, draw, ranges, (0, 1))


reduction_grad("reduce_extremum_grad", ["reduce_max", "reduce_min"])
reduction_grad("reduce_prod_grad", ["reduce_prod"])


def _forward(b, name):
    """The op of this name that its entry draws, or None."""
    before = len(b.job.ops)
    if TABLE[name].draw(b) is None or len(b.job.ops) == before:
        return None
    op = b.job.ops[-1]
    return op if op.name == name else None


def _draw_layer_norm_grad(b):
    op = _forward(b, "layer_norm")
    if op is None:
        return None
    x, gamma, _ = op.operands
    _, mean, rstd = op.results
    return b.emit("layer_norm_grad", [b.operand(b.type(x), -8, 8), x, gamma,
                                      mean, rstd])


def _infer_layer_norm_grad(types, attributes):
    grad, x, gamma, mean, rstd = types
    require(mean == rstd and [x, mean, rstd] == ops_compute._infer_layer_norm(
        [x, gamma, gamma], {}))
    return _operand_if(grad == x, types)


def _layer_norm_grad_range(values, attributes, types):
    grad, x, gamma, _, rstd = values
    return _both_ways(rstd.magnitude * grad.magnitude * gamma.magnitude
                      * (2 + x.type.shape[-1]))


gradient("layer_norm_grad", _infer_layer_norm_grad, _draw_layer_norm_grad,
         _layer_norm_grad_range, (0, 2, 3))


def _draw_cross_entropy_grad(b):
    op = _forward(b, "sparse_softmax_cross_entropy")
    if op is None:
        return None
    return b.emit("sparse_softmax_cross_entropy_grad",
                  [b.operand(b.type(op.results[0])), *op.operands])


def _infer_cross_entropy_grad(types, attributes):
    grad, *forward = types
    return _operand_if(
        [grad] == ops_compute._infer_cross_entropy(forward, attributes), types)


gradient("sparse_softmax_cross_entropy_grad", _infer_cross_entropy_grad,
         _draw_cross_entropy_grad,
         lambda values, a, types: _both_ways(values[0].magnitude))


def _draw_self_attention(b):
    """Of operands of one shape, whose gradients may be one blob."""
    q = b.pick(FLOATS, -3, 3, rank=[4])
    if q is None:
        return None
    k, v = (b.operand(b.type(q), -3, 3) for _ in range(2))
    done = b.emit("attention", [q, k, v], causal=b.chance(0.5), scale=0.5,
                  heads_before=(0, 0, 0), heads_after=(0, 0, 0))
    return done and b.job.ops[-1]


def _draw_attention_grad(b):
    op = _draw_self_attention(b) if b.chance(0.6) \
        else _forward(b, "attention")
    if op is None:
        return None
    result, logsumexp = op.results
    attributes = dict(op.attributes)
    q, k, v = map(b.type, op.operands)
    if q.shape[1] == k.shape[1] and b.chance(0.7):
        attributes["join_query_key"] = True
    if k.shape[3] == v.shape[3] and b.chance(0.5):
        attributes["join_key_value"] = True
    return b.emit("attention_grad",
                  [b.operand(b.type(result), -3, 3), *op.operands, result,
                   logsumexp], **attributes)


def _infer_attention_grad(types, attributes):
    grad, q, k, v, result, logsumexp = types
    require([result, logsumexp] == ops_compute._infer_attention(
        [q, k, v], attributes) and grad == result)
    heads = result.shape[2]
    shapes = [[*type.shape[:2], heads, type.shape[3]] for type in (q, k, v)]
    if attributes.get("join_key_value"):
        require(k.shape[3] == v.shape[3])
        shapes[1][2] += shapes.pop()[2]
    if attributes.get("join_query_key"):
        require(q.shape[1] == k.shape[1])
        shapes[0][2] += shapes.pop(1)[2]
    return [Blob(tuple(shape), q.element) for shape in shapes]


def _attention_grad_ranges(values, attributes, types):
    grad, q, k, v = values[:4]
    # Weights are at most 1, and those of a query add up to 1.
    products = 2 * v.type.shape[3] * grad.magnitude * v.magnitude
    queries = q.type.shape[1]
    most = max(queries * grad.magnitude, abs(attributes["scale"]) * products
               * max(k.magnitude, queries * q.magnitude))
    return [(-most, most) for _ in types]


gradient("attention_grad", _infer_attention_grad, _draw_attention_grad,
         _attention_grad_ranges, (0, 1, 2, 3, 5),
         simpler={"causal": False, "scale": 1.0})
