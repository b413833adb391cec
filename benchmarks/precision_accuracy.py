#!/usr/bin/env python3
"""How well the models of examples/ train in mixed precision.

    PYTHONPATH=examples .venv/bin/python benchmarks/precision_accuracy.py [MODEL...]

Trains LeNet and ResNet-20 on Fashion-MNIST, and the transformer on the licences of
the system, in float32, bfloat16 and float16 with a dynamic loss scale, for each of
a few seeds of the initial values. Prints the accuracy on 10,000 test images, or the
mean loss of the last tenth of the steps, as the mean over seeds and the difference
between the largest and the smallest.
"""

import argparse
import importlib

import numpy as np

import jobmlir as flow
import jobmlir.typing as tp

BATCH = 100
PRECISIONS = {
    "float32": (None, None),
    "bfloat16": (flow.bfloat16, None),
    "float16": (
        flow.float16,
        flow.optimizer.loss_scale.dynamic_loss_scale(2.0**10, increment_period=100),
    ),
}


def make_config(dtype):
    config = flow.function_config()
    if dtype is not None:
        config.enable_auto_mixed_precision()
        config.auto_mixed_precision_data_type(dtype)
    return config


def adam(policy):
    rate = flow.optimizer.PiecewiseConstantScheduler([], [1e-3])
    return flow.optimizer.Adam(
        rate, do_bias_correction=True, loss_scale_policy=policy
    )


def train_classifier(model, dtype, policy, steps):
    """The accuracy on the test images."""
    config = make_config(dtype)

    @flow.global_function(type="train", function_config=config)
    def train(
        images: tp.Numpy.Placeholder((BATCH, 1, 28, 28)),
        labels: tp.Numpy.Placeholder((BATCH,), dtype=flow.int32),
    ) -> tp.Numpy:
        loss = flow.nn.sparse_softmax_cross_entropy_with_logits(
            labels, model(images, True)
        )
        adam(policy).minimize(loss)
        return loss

    @flow.global_function(function_config=config)
    def evaluate(images: tp.Numpy.Placeholder((BATCH, 1, 28, 28))) -> tp.Numpy:
        return model(images, False)

    (images, labels), (test_images, test_labels) = flow.data.load_mnist(BATCH, BATCH)
    for step in range(steps):
        train(images[step % len(images)], labels[step % len(images)])
    found = [
        (evaluate(x).argmax(1) == y).mean() for x, y in zip(test_images, test_labels)
    ]
    return float(np.mean(found))


def train_lenet(dtype, policy, steps):
    return train_classifier(
        importlib.import_module("train_lenet").lenet, dtype, policy, steps
    )


def train_resnet20(dtype, policy, steps):
    resnet20 = importlib.import_module("train_resnet20").resnet20
    return train_classifier(
        lambda images, train: resnet20(images), dtype, policy, steps
    )


def train_chars(dtype, policy, steps):
    """The mean loss of the last tenth of the steps."""
    chars = importlib.import_module("train_chars")
    text = chars.read_text()
    alphabet = sorted(set(text))
    codes = np.array([alphabet.index(each) for each in text], np.int32)

    @flow.global_function(type="train", function_config=make_config(dtype))
    def train(
        tokens: tp.Numpy.Placeholder((chars.BATCH, chars.LENGTH), dtype=flow.int32),
        following: tp.Numpy.Placeholder((chars.BATCH, chars.LENGTH), dtype=flow.int32),
    ) -> tp.Numpy:
        loss = flow.nn.sparse_softmax_cross_entropy_with_logits(
            flow.reshape(following, [-1]), chars.transformer(tokens, len(alphabet))
        )
        adam(policy).minimize(loss)
        return loss

    random = np.random.default_rng(0)
    losses = []
    for _ in range(steps):
        begins = random.integers(0, len(codes) - chars.LENGTH - 1, chars.BATCH)
        windows = codes[begins[:, None] + np.arange(chars.LENGTH + 1)]
        losses.append(train(windows[:, :-1].copy(), windows[:, 1:].copy()).mean())
    return float(np.mean(losses[-max(1, steps // 10) :]))


MODELS = {"lenet": train_lenet, "resnet20": train_resnet20, "chars": train_chars}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", default=list(MODELS))
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--seeds", type=int, default=3)
    options = parser.parse_args()
    for name in options.models:
        # Defines jobs of its own, which are not of the first session.
        flow.clear_default_session()
        importlib.import_module(f"train_{name}")
        for precision, (dtype, policy) in PRECISIONS.items():
            results = []
            for seed in range(options.seeds):
                flow.clear_default_session()
                flow.config.random_seed(seed)
                results.append(MODELS[name](dtype, policy, options.steps))
            print(
                f"{name}, {precision}: {np.mean(results):.4f}, seeds differ by "
                f"{max(results) - min(results):.4f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
