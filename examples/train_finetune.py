"""Fine-tuning from a part of a checkpoint, on Fashion-MNIST: trains a network on five
classes and saves it; then another network takes the convolutions of that checkpoint and
learns the other five classes from few images in few steps, first with the convolutions
frozen, then as a whole. Draws the losses beside those of a network that starts afresh."""

import argparse
import os

import numpy as np
from tqdm import tqdm

import jobmlir as flow
import jobmlir.typing as tp
import loss_curve

BATCH = 50
CLASSES = 5


def network(x, head, frozen=False):
    """Convolutions, called body, and a layer called `head` for the classes."""
    init = flow.variance_scaling_initializer(2.0, "fan_in", "random_normal", "NCHW")
    for i, filters in enumerate((16, 32, 64)):
        x = flow.layers.conv2d(
            x,
            filters,
            3,
            padding="SAME",
            activation=flow.nn.relu,
            kernel_initializer=init,
            trainable=not frozen,
            name=f"body{i + 1}",
        )
        x = flow.nn.max_pool2d(x, ksize=2, strides=2, padding="SAME")
    return flow.layers.dense(
        flow.reshape(x, [BATCH, -1]),
        CLASSES,
        kernel_initializer=flow.xavier_uniform_initializer(),
        name=head,
    )


def make_train_job(head, name, frozen=False):
    def job(
        images: tp.Numpy.Placeholder((BATCH, 1, 28, 28)),
        labels: tp.Numpy.Placeholder((BATCH,), dtype=flow.int32),
    ) -> tp.Numpy:
        loss = flow.nn.sparse_softmax_cross_entropy_with_logits(
            labels, network(images, head, frozen)
        )
        schedule = flow.optimizer.PiecewiseConstantScheduler([], [1e-2])
        flow.optimizer.SGD(schedule, momentum=0.9).minimize(loss)
        return loss

    job.__name__ = name  # by which the session knows it
    return flow.global_function(type="train")(job)


def make_eval_job(head):
    @flow.global_function(type="predict")
    def eval_job(images: tp.Numpy.Placeholder((BATCH, 1, 28, 28))) -> tp.Numpy:
        return network(images, head)

    return eval_job


def of_classes(data, first, count):
    """Batches of up to `count` images of the classes first to first + 4, called 0 to 4."""
    images, labels = data[0].reshape(-1, 1, 28, 28), data[1].ravel()
    chosen = np.flatnonzero((labels >= first) & (labels < first + CLASSES))
    chosen = chosen[: count // BATCH * BATCH]
    return (
        images[chosen].reshape(-1, BATCH, 1, 28, 28),
        labels[chosen].reshape(-1, BATCH) - first,
    )


def train(job, data, steps, title):
    losses = []
    random = np.random.default_rng(1)
    with tqdm(total=steps * BATCH, unit=" images", desc=title) as bar:
        for _ in range(steps):
            i = random.integers(len(data[0]))
            losses.append(job(data[0][i], data[1][i]).mean())
            bar.set_postfix(loss=f"{np.mean(losses[-20:]):.4f}", refresh=False)
            bar.update(BATCH)
    return losses


def accuracy(job, data):
    return np.mean([job(x).argmax(1) == y for x, y in zip(*data)])


def pretrain(path, data, steps):
    train(make_train_job("head1", "train_job"), data, steps, "five classes")
    # Without the moments of the optimizer.
    weights = flow.checkpoint.get_all_variables(optimizer_state=False)
    flow.checkpoint.save(path, weights)
    flow.clear_default_session()


def learn(data, test, steps, checkpoint=None):
    """Losses and test accuracy of `steps` steps on the other classes, after those of
    the head alone if there is a checkpoint."""
    head_job = make_train_job("head2", "head_job", frozen=True)
    whole_job = make_train_job("head2", "whole_job")
    eval_job = make_eval_job("head2")
    losses = []
    if checkpoint:
        report = flow.checkpoint.load_variables(flow.checkpoint.get(checkpoint))
        print("loaded:", *report.loaded)
        own = flow.checkpoint.get_all_variables(optimizer_state=False)
        print("missing:", *(name for name in report.missing if name in own))
        print("unused:", *report.unused)
        half = steps // 2
        losses += train(head_job, data, half, "frozen")
        losses += train(whole_job, data, steps - half, "fine-tuned")
    else:
        losses += train(whole_job, data, steps, "from scratch")
    found = accuracy(eval_job, test)
    flow.clear_default_session()
    return losses, found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=600, help="on the first classes")
    parser.add_argument("--images", type=int, default=500, help="of the other classes")
    parser.add_argument("--fine-steps", type=int, default=40, help="on those images")
    parser.add_argument("--checkpoint", default="five-classes", help="made if missing")
    parser.add_argument("--plot", default="finetune-loss.png", help="the loss curves")
    args = parser.parse_args()

    all_train, all_test = flow.data.load_mnist(BATCH, BATCH)
    if not os.path.isdir(args.checkpoint):
        pretrain(args.checkpoint, of_classes(all_train, 0, 30000), args.steps)
    few = of_classes(all_train, 5, args.images)
    test = of_classes(all_test, 5, 5000)
    tuned, tuned_accuracy = learn(few, test, args.fine_steps, args.checkpoint)
    fresh, fresh_accuracy = learn(few, test, args.fine_steps)
    curves = {"fine-tuned": tuned, "from scratch": fresh}
    loss_curve.draw(curves, f"Five classes from {args.images} images", args.plot)
    print(f"loss curves: {args.plot}")
    print(f"test accuracy from scratch: {fresh_accuracy:.3f}")
    print(f"test accuracy fine-tuned: {tuned_accuracy:.3f}")


if __name__ == "__main__":
    main()
