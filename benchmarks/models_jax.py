"""The benchmark's models on JAX.

A model is a pair of functions: `init(key)` gives the parameters and the moving
averages of the batch normalizations, both trees of arrays, and
`apply(parameters, averages, inputs, key)` the logits and the new averages.
"""

import jax
import jax.numpy as jnp
from jax import lax

import worker

MOMENTUM, EPSILON = 0.9, 1e-5


class Builder:
    """Layers by name. While a model is initialized, a layer makes its arrays
    on first use; afterwards it reads them. Parameters are f32; `dtype` is what
    products compute in, `attention` an implementation of JAX's."""

    def __init__(
        self, layout, key, dtype, attention=None, parameters=None, averages=None
    ):
        self.layout = layout
        self.dtype = dtype
        self.attention = attention
        self.key = key
        self.is_new = parameters is None
        self.parameters = {} if self.is_new else parameters
        self.averages = {} if self.is_new else averages
        self.new_averages = {}
        self.count = 0

    def name(self):
        self.count += 1
        return f"{self.count:03}"

    def next_key(self):
        self.key, key = jax.random.split(self.key)
        return key

    def parameter(self, shape, deviation=None, value=0.0):
        """A parameter: normally distributed, or of one value."""
        name = self.name()
        if self.is_new:
            self.parameters[name] = (
                jnp.full(shape, value, jnp.float32)
                if deviation is None
                else deviation * jax.random.normal(self.next_key(), shape)
            )
        return self.parameters[name]

    @property
    def channel_axis(self):
        return 1 if self.layout == "nchw" else 3

    def conv(self, x, filters, window, stride=1, bias=False):
        channels = x.shape[self.channel_axis]
        deviation = (2 / (channels * window * window)) ** 0.5
        if self.layout == "nchw":
            dims, shape = ("NCHW", "OIHW", "NCHW"), (filters, channels, window, window)
        else:
            dims, shape = ("NHWC", "HWIO", "NHWC"), (window, window, channels, filters)
        pad = (window // 2, window // 2)
        x = lax.conv_general_dilated(
            self.narrow(x),
            self.narrow(self.parameter(shape, deviation)),
            (stride, stride),
            (pad, pad),
            dimension_numbers=dims,
        )
        if not bias:
            return x
        return x + self.by_channel(self.narrow(self.parameter((filters,))))

    def narrow(self, x):
        return x.astype(self.dtype)

    def by_channel(self, vector):
        return vector[:, None, None] if self.layout == "nchw" else vector

    def max_pool(self, x, window, stride, pad=0):
        def sizes(inner, outer):
            spatial = [inner, inner]
            return (
                [outer, outer, *spatial]
                if self.layout == "nchw"
                else [outer, *spatial, outer]
            )

        return lax.reduce_window(
            x,
            -jnp.inf,
            lax.max,
            sizes(window, 1),
            sizes(stride, 1),
            sizes((pad, pad), (0, 0)),
        )

    def batch_norm(self, x):
        channels = x.shape[self.channel_axis]
        gamma = self.parameter((channels,), value=1.0)
        beta = self.parameter((channels,))
        axes = tuple(a for a in range(4) if a != self.channel_axis)
        x = x.astype(jnp.float32)
        mean, variance = jnp.mean(x, axes), jnp.var(x, axes)
        name = self.name()
        if self.is_new:
            self.averages[name] = jnp.zeros(channels), jnp.ones(channels)
        self.new_averages[name] = tuple(
            MOMENTUM * old + (1 - MOMENTUM) * new
            for old, new in zip(self.averages[name], (mean, variance))
        )
        scale = gamma * lax.rsqrt(variance + EPSILON)
        x = x * self.by_channel(scale) + self.by_channel(beta - mean * scale)
        return self.narrow(x)

    def dense(self, x, units, deviation=0.05):
        weight = self.parameter((x.shape[-1], units), deviation)
        x = self.narrow(x) @ self.narrow(weight)
        return x + self.narrow(self.parameter((units,)))

    def layer_norm(self, x):
        gamma = self.parameter((x.shape[-1],), value=1.0)
        beta = self.parameter((x.shape[-1],))
        x = x.astype(jnp.float32)
        mean = jnp.mean(x, -1, keepdims=True)
        variance = jnp.var(x, -1, keepdims=True)
        return self.narrow((x - mean) * lax.rsqrt(variance + EPSILON) * gamma + beta)


def mlp(b, images):
    x = images.reshape(images.shape[0], -1)
    return b.dense(jax.nn.relu(b.dense(x, 512)), 10)


def lenet(b, images):
    x = images
    for filters in (32, 64):
        x = b.max_pool(jax.nn.relu(b.conv(x, filters, 5, bias=True)), 2, 2)
    x = jax.nn.relu(b.dense(x.reshape(x.shape[0], -1), 512))
    x = jnp.where(jax.random.bernoulli(b.next_key(), 0.5, x.shape), x * 2, 0)
    return b.dense(x, 10)


def conv_norm(b, x, filters, window, stride=1):
    return b.batch_norm(b.conv(x, filters, window, stride))


def classify(b, x, count):
    return b.dense(x.mean((2, 3) if b.layout == "nchw" else (1, 2)), count)


def resnet20(b, images):
    x = jax.nn.relu(conv_norm(b, images, 16, 3))
    for stage, filters in enumerate((16, 32, 64)):
        for i in range(3):
            stride = 2 if stage > 0 and i == 0 else 1
            shortcut = x if stride == 1 else conv_norm(b, x, filters, 1, stride)
            x = jax.nn.relu(conv_norm(b, x, filters, 3, stride))
            x = jax.nn.relu(conv_norm(b, x, filters, 3) + shortcut)
    return classify(b, x, 10)


def resnet50(b, images):
    x = jax.nn.relu(conv_norm(b, images, 64, 7, 2))
    x = b.max_pool(x, 3, 2, 1)
    for stage, (filters, blocks) in enumerate(((64, 3), (128, 4), (256, 6), (512, 3))):
        for i in range(blocks):
            stride = 2 if stage > 0 and i == 0 else 1
            shortcut = x if i else conv_norm(b, x, 4 * filters, 1, stride)
            x = jax.nn.relu(conv_norm(b, x, filters, 1))
            x = jax.nn.relu(conv_norm(b, x, filters, 3, stride))
            x = jax.nn.relu(conv_norm(b, x, 4 * filters, 1) + shortcut)
    return classify(b, x, 1000)


def transformer(name):
    width, heads, layers = worker.TRANSFORMERS[name]

    def model(b, tokens):
        batch, length = tokens.shape
        table = b.parameter((worker.classes(name), width), 0.02)
        x = b.narrow(table[tokens] + b.parameter((length, width), 0.02))
        for _ in range(layers):
            parts = b.dense(b.layer_norm(x), 3 * width, 0.02)
            parts = parts.reshape(batch, length, 3 * heads, width // heads)
            mixed = jax.nn.dot_product_attention(
                *jnp.split(parts, 3, axis=2),
                is_causal=True,
                implementation=b.attention,
            )
            x = x + b.dense(mixed.reshape(batch, length, width), width, 0.02)
            # The gelu of GPT-2 is the approximation.
            hidden = jax.nn.gelu(
                b.dense(b.layer_norm(x), 4 * width, 0.02), approximate=True
            )
            x = x + b.dense(hidden, width, 0.02)
        return b.layer_norm(x).reshape(-1, width) @ b.narrow(table).T

    return model


MODELS = {
    "mlp": mlp,
    "lenet": lenet,
    "resnet20": resnet20,
    "resnet50": resnet50,
    "chars": transformer("chars"),
    "gpt2": transformer("gpt2"),
}


def build(name, layout, dtype=jnp.float32, attention=None):
    """`init` and `apply` of a model."""

    def init(key):
        batch, shape = worker.SHAPES[name]
        if name in worker.TRANSFORMERS:
            inputs = jnp.zeros((batch, *shape), jnp.int32)
        else:
            if layout == "nhwc":
                shape = (*shape[1:], shape[0])
            inputs = jnp.zeros((batch, *shape))
        b = Builder(layout, key, dtype)
        MODELS[name](b, inputs)
        return b.parameters, b.averages

    def apply(parameters, averages, inputs, key):
        b = Builder(layout, key, dtype, attention, parameters, averages)
        logits = MODELS[name](b, inputs)
        return logits, b.new_averages

    return jax.jit(init), apply


def optimizer(name):
    """As in models_jobmlir.py: a pair of functions, from parameters to the
    state, and from parameters, gradients, state and the number of the step, from
    1, to new parameters and state."""

    def zeros(parameters):
        return jax.tree.map(jnp.zeros_like, parameters)

    def sgd(parameters, gradients, state, _):
        return jax.tree.map(lambda p, g: p - 0.1 * g, parameters, gradients), state

    def momentum(parameters, gradients, state, _):
        state = jax.tree.map(lambda s, g: 0.9 * s + g, state, gradients)
        return jax.tree.map(lambda p, s: p - 0.01 * s, parameters, state), state

    def adam(parameters, gradients, state, step):
        m, v = state
        m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, gradients)
        v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, v, gradients)
        rate = 0.001 * jnp.sqrt(1 - 0.999**step) / (1 - 0.9**step)
        parameters = jax.tree.map(
            lambda p, m, v: p - rate * m / (jnp.sqrt(v) + 1e-8), parameters, m, v
        )
        return parameters, (m, v)

    if name == "mlp":
        return lambda parameters: (), sgd
    if name.startswith("resnet"):
        return zeros, momentum
    return lambda parameters: (zeros(parameters), zeros(parameters)), adam
