"""LeNet on Fashion-MNIST: trains, saves a checkpoint, draws the loss and
evaluates in a second job that shares the variables."""

import argparse
import time

import numpy as np
from tqdm import tqdm

import jobmlir as flow
import jobmlir.typing as tp
import loss_curve

BATCH = 100


def lenet(images, train=False):
    init = flow.truncated_normal(0.1)
    x = flow.layers.conv2d(
        images,
        32,
        5,
        padding="SAME",
        activation=flow.nn.relu,
        kernel_initializer=init,
        name="conv1",
    )
    x = flow.nn.max_pool2d(x, ksize=2, strides=2, padding="SAME", name="pool1")
    x = flow.layers.conv2d(
        x,
        64,
        5,
        padding="SAME",
        activation=flow.nn.relu,
        kernel_initializer=init,
        name="conv2",
    )
    x = flow.nn.max_pool2d(x, ksize=2, strides=2, padding="SAME", name="pool2")
    x = flow.reshape(x, [x.shape[0], -1])
    x = flow.layers.dense(
        x, 512, activation=flow.nn.relu, kernel_initializer=init, name="hidden"
    )
    if train:
        x = flow.nn.dropout(x, rate=0.5)
    return flow.layers.dense(x, 10, kernel_initializer=init, name="outlayer")


@flow.global_function(type="train")
def train_job(
    images: tp.Numpy.Placeholder((BATCH, 1, 28, 28)),
    labels: tp.Numpy.Placeholder((BATCH,), dtype=flow.int32),
) -> tp.Numpy:
    logits = lenet(images, train=True)
    loss = flow.nn.sparse_softmax_cross_entropy_with_logits(
        labels, logits, name="softmax_loss"
    )
    rate = flow.optimizer.PiecewiseConstantScheduler([], [1e-3])
    flow.optimizer.Adam(rate, do_bias_correction=True).minimize(loss)
    return loss


@flow.global_function(type="predict")
def eval_job(images: tp.Numpy.Placeholder((BATCH, 1, 28, 28))) -> tp.Numpy:
    return lenet(images)


def train(images, labels, epochs, steps):
    """Mean losses of all steps."""
    losses = []
    order = np.random.default_rng(1)
    for epoch in range(epochs):
        shuffled = order.permutation(len(images))[:steps]
        with tqdm(
            total=len(shuffled) * BATCH, unit=" images", desc=f"epoch {epoch + 1}"
        ) as bar:
            for i in shuffled:
                losses.append(float(train_job(images[i], labels[i]).mean()))
                bar.set_postfix(loss=f"{np.mean(losses[-20:]):.4f}", refresh=False)
                bar.update(BATCH)
    return losses


def evaluate(images, labels):
    """The share of images whose class is found."""
    found = sum((eval_job(x).argmax(1) == y).sum() for x, y in zip(images, labels))
    return found / labels.size


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--steps", type=int, help="at most this many steps an epoch")
    parser.add_argument("--checkpoint", help="a folder that is new or empty")
    parser.add_argument(
        "--plot", default="lenet-loss.png", help="where the loss curve goes"
    )
    args = parser.parse_args()

    checkpoint = args.checkpoint or f"lenet-{time.strftime('%Y%m%d-%H%M%S')}"
    (train_images, train_labels), (test_images, test_labels) = flow.data.load_mnist(
        BATCH
    )
    losses = train(train_images, train_labels, args.epochs, args.steps)
    flow.train.CheckPoint().save(checkpoint)
    print(f"checkpoint: {checkpoint}")
    loss_curve.draw(losses, "LeNet on Fashion-MNIST", args.plot)
    print(f"loss curve: {args.plot}")
    print(f"test accuracy: {evaluate(test_images, test_labels):.3f}")


if __name__ == "__main__":
    main()
