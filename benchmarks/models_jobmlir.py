"""The benchmark's models as job functions."""

import functools
import math

import jobmlir as flow
import jobmlir.typing as tp

import worker

INIT = flow.truncated_normal(0.1)
SMALL = flow.random_normal_initializer(stddev=0.02)
HE = flow.variance_scaling_initializer(2.0, "fan_in", "random_normal", "NCHW")


def mlp(images):
    x = flow.reshape(images, [images.shape[0], -1])
    x = flow.layers.dense(x, 512, activation=flow.nn.relu, kernel_initializer=INIT)
    return flow.layers.dense(x, 10, kernel_initializer=INIT)


def lenet(images):
    x = images
    for filters in (32, 64):
        x = flow.layers.conv2d(
            x,
            filters,
            5,
            padding="SAME",
            activation=flow.nn.relu,
            kernel_initializer=INIT,
        )
        x = flow.nn.max_pool2d(x, 2, 2, padding="SAME")
    x = flow.reshape(x, [x.shape[0], -1])
    x = flow.layers.dense(x, 512, activation=flow.nn.relu, kernel_initializer=INIT)
    x = flow.nn.dropout(x, rate=0.5)
    return flow.layers.dense(x, 10, kernel_initializer=INIT)


def conv_norm(x, filters, window, stride=1):
    pad = window // 2
    x = flow.layers.conv2d(
        x,
        filters,
        window,
        strides=stride,
        padding=[[0, 0], [0, 0], [pad, pad], [pad, pad]],
        use_bias=False,
        kernel_initializer=HE,
    )
    return flow.layers.batch_normalization(x, axis=1, momentum=0.9, epsilon=1e-5)


def classify(x, count):
    x = flow.math.reduce_mean(x, [2, 3])
    return flow.layers.dense(x, count, kernel_initializer=flow.truncated_normal(0.05))


def resnet20(images):
    x = flow.nn.relu(conv_norm(images, 16, 3))
    for stage, filters in enumerate((16, 32, 64)):
        for i in range(3):
            stride = 2 if stage > 0 and i == 0 else 1
            shortcut = x if stride == 1 else conv_norm(x, filters, 1, stride)
            x = flow.nn.relu(conv_norm(x, filters, 3, stride))
            x = flow.nn.relu(conv_norm(x, filters, 3) + shortcut)
    return classify(x, 10)


def resnet50(images):
    x = flow.nn.relu(conv_norm(images, 64, 7, 2))
    pads = [[0, 0], [0, 0], [1, 1], [1, 1]]
    x = flow.nn.max_pool2d(x, 3, 2, padding=pads)
    for stage, (filters, blocks) in enumerate(((64, 3), (128, 4), (256, 6), (512, 3))):
        for i in range(blocks):
            stride = 2 if stage > 0 and i == 0 else 1
            shortcut = x if i else conv_norm(x, 4 * filters, 1, stride)
            x = flow.nn.relu(conv_norm(x, filters, 1))
            x = flow.nn.relu(conv_norm(x, filters, 3, stride))
            x = flow.nn.relu(conv_norm(x, 4 * filters, 1) + shortcut)
    return classify(x, 1000)


def transformer(name):
    width, heads, layers = worker.TRANSFORMERS[name]

    def dense(x, units, activation=None):
        return flow.layers.dense(x, units, activation, kernel_initializer=SMALL)

    def norm(x):
        return flow.layers.layer_norm(x, begin_norm_axis=2)

    # The gelu of GPT-2 is the approximation.
    gelu = functools.partial(flow.math.gelu, approximate="tanh")

    def model(tokens):
        batch, length = tokens.shape
        table = flow.get_variable(
            "tokens", (worker.classes(name), width), initializer=SMALL
        )
        places = flow.get_variable("places", (length, width), initializer=SMALL)
        x = flow.gather(table, tokens) + places
        for _ in range(layers):
            parts = flow.reshape(
                dense(norm(x), 3 * width), [batch, length, 3 * heads, width // heads]
            )
            mixed = flow.nn.attention(*flow.split(parts, 3, axis=2), causal=True)
            x = x + dense(flow.reshape(mixed, [batch, length, width]), width)
            x = x + dense(dense(norm(x), 4 * width, gelu), width)
        rows = flow.reshape(norm(x), [-1, width])
        return flow.matmul(rows, table, transpose_b=True)

    return model


MODELS = {
    "mlp": mlp,
    "lenet": lenet,
    "resnet20": resnet20,
    "resnet50": resnet50,
    "chars": transformer("chars"),
    "gpt2": transformer("gpt2"),
}


def optimizer(name):
    """As in models_torch.py."""

    def rate(value):
        return flow.optimizer.PiecewiseConstantScheduler([], [value])

    if name == "mlp":
        return flow.optimizer.SGD(rate(0.1), momentum=0)
    if name.startswith("resnet"):
        return flow.optimizer.SGD(rate(0.01), momentum=0.9)
    return flow.optimizer.Adam(rate(0.001), do_bias_correction=True)


def define(name, config=None):
    """The training job of a model, with this function_config."""
    batch, shape = worker.SHAPES[name]
    is_text = name in worker.TRANSFORMERS
    count = math.prod((batch, *shape)) if is_text else batch

    @flow.global_function(type="train", function_config=config)
    def train(
        inputs: tp.Numpy.Placeholder(
            (batch, *shape), dtype=flow.int32 if is_text else flow.float
        ),
        labels: tp.Numpy.Placeholder(
            (batch, *shape) if is_text else (batch,), dtype=flow.int32
        ),
    ) -> tp.Numpy:
        loss = flow.nn.sparse_softmax_cross_entropy_with_logits(
            flow.reshape(labels, [count]), MODELS[name](inputs)
        )
        optimizer(name).minimize(loss)
        return loss

    return train
