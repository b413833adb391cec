"""ResNet-20 (He et al. 2015, section 4.2) on Fashion-MNIST: trains with batch
normalisation, draws the loss and evaluates with the moving statistics."""

import argparse

import numpy as np
from tqdm import tqdm

import jobmlir as flow
import jobmlir.typing as tp
import loss_curve

BATCH = 100
BLOCKS = 3  # in each of three stages: 6 * 3 + 2 layers


def conv_norm(x, filters, window, stride, name):
    x = flow.layers.conv2d(
        x,
        filters,
        window,
        strides=stride,
        padding="SAME",
        use_bias=False,
        kernel_initializer=flow.variance_scaling_initializer(
            2.0, "fan_in", "random_normal", "NCHW"
        ),
        name=name,
    )
    return flow.layers.batch_normalization(
        x, axis=1, momentum=0.9, epsilon=1e-5, name=f"{name}-norm"
    )


def block(x, filters, stride, name):
    shortcut = x
    if stride != 1:
        shortcut = conv_norm(x, filters, 1, stride, f"{name}-shortcut")
    x = flow.nn.relu(conv_norm(x, filters, 3, stride, f"{name}-conv1"))
    x = conv_norm(x, filters, 3, 1, f"{name}-conv2")
    return flow.nn.relu(x + shortcut)


def resnet20(images):
    x = flow.nn.relu(conv_norm(images, 16, 3, 1, "conv0"))
    for stage, filters in enumerate((16, 32, 64)):
        for i in range(BLOCKS):
            stride = 2 if stage > 0 and i == 0 else 1
            x = block(x, filters, stride, f"stage{stage + 1}-block{i + 1}")
    x = flow.math.reduce_mean(x, [2, 3])
    return flow.layers.dense(
        x, 10, kernel_initializer=flow.truncated_normal(0.05), name="classes"
    )


def make_train_job(steps):
    @flow.global_function(type="train")
    def train_job(
        images: tp.Numpy.Placeholder((BATCH, 1, 28, 28)),
        labels: tp.Numpy.Placeholder((BATCH,), dtype=flow.int32),
    ) -> tp.Numpy:
        loss = flow.nn.sparse_softmax_cross_entropy_with_logits(
            labels, resnet20(images), name="loss"
        )
        # Half of a short run, so that it ends with small steps as well.
        warmup = flow.optimizer.warmup.linear(min(100, max(1, steps // 2)), 0.1)
        rate = flow.optimizer.CosineScheduler(0.1, steps, warmup=warmup)
        flow.optimizer.SGD(rate, momentum=0.9).minimize(loss)
        return loss

    return train_job


@flow.global_function(type="predict")
def eval_job(images: tp.Numpy.Placeholder((BATCH, 1, 28, 28))) -> tp.Numpy:
    return resnet20(images)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--steps", type=int, help="at most this many steps an epoch")
    parser.add_argument("--plot", default="resnet20-loss.png", help="the loss curve")
    args = parser.parse_args()

    (train_images, train_labels), (test_images, test_labels) = flow.data.load_mnist(
        BATCH
    )
    steps = min(args.steps or len(train_images), len(train_images))
    train_job = make_train_job(args.epochs * steps)
    losses = []
    order = np.random.default_rng(1)
    for epoch in range(args.epochs):
        with tqdm(
            total=steps * BATCH, unit=" images", desc=f"epoch {epoch + 1}"
        ) as bar:
            for i in order.permutation(len(train_images))[:steps]:
                losses.append(float(train_job(train_images[i], train_labels[i]).mean()))
                bar.set_postfix(loss=f"{np.mean(losses[-20:]):.4f}", refresh=False)
                bar.update(BATCH)
    loss_curve.draw(losses, "ResNet-20 on Fashion-MNIST", args.plot)
    print(f"loss curve: {args.plot}")
    found = sum(
        (eval_job(x).argmax(1) == y).sum() for x, y in zip(test_images, test_labels)
    )
    print(f"test accuracy: {found / test_labels.size:.3f}")


if __name__ == "__main__":
    main()
