"""An own op in training: sparsemax and its loss (Martins and Astudillo 2016), which NumPy
computes, as the last layer of a classifier of Fashion-MNIST. Checks the gradient by
central differences, trains, draws the loss, and counts the classes that an image may
have: unlike softmax, sparsemax gives most of them the probability 0."""

import argparse

import numpy as np
from tqdm import tqdm

import jobmlir as flow
import jobmlir.typing as tp
import loss_curve

BATCH = 100


def infer(logits, labels):
    """Shapes and dtypes of the outputs: a loss for each row, and the probabilities."""
    return [((logits.shape[0],), logits.dtype), (logits.shape, logits.dtype)]


def forward(logits, labels):
    """Projects each row of logits to the nearest probabilities."""
    falling = -np.sort(-logits, axis=1)
    sums = np.cumsum(falling, axis=1) - 1
    count = np.sum(falling * np.arange(1, logits.shape[1] + 1) > sums, axis=1)
    rows = np.arange(len(logits))
    threshold = (sums[rows, count - 1] / count)[:, None]
    kept = np.where(logits > threshold, logits**2 - threshold**2, 0)
    loss = 0.5 * kept.sum(axis=1) - logits[rows, labels] + 0.5
    return loss, np.maximum(logits - threshold, 0)


def gradient(inputs, outputs, gradients):
    """The gradient of the logits; the labels are integers and have none. Only the loss
    is trained, so that the gradient of the probabilities is not used."""
    _, labels = inputs
    _, probabilities = outputs
    loss_gradient, _ = gradients
    result = probabilities.copy()
    result[np.arange(len(labels)), labels] -= 1
    return result * loss_gradient[:, None]


flow.register_user_op("sparsemax_loss", infer, forward, gradient)


def sparsemax_loss(labels, logits, name=None):
    """The op in a job: (loss, probabilities)."""
    return (
        flow.user_op_builder(name)
        .Op("sparsemax_loss")
        .Input("logits", [logits])
        .Input("labels", [labels])
        .Output("loss")
        .Output("probabilities")
        .Build()
        .InferAndTryRun()
        .RemoteBlobList()
    )


def gradient_error():
    """The largest difference of `gradient` from central differences."""
    random = np.random.default_rng(2)
    logits, labels = random.standard_normal((8, 10)), random.integers(0, 10, 8)
    outputs = forward(logits, labels)
    exact = gradient((logits, labels), outputs, (np.ones(8), None))
    step = 1e-6
    error = 0
    for i in range(10):
        move = step * np.eye(10)[i]
        high, low = (forward(logits + sign * move, labels)[0] for sign in (1, -1))
        error = max(error, np.abs((high - low) / (2 * step) - exact[:, i]).max())
    return error


def network(images):
    init = flow.xavier_uniform_initializer()
    x = flow.reshape(images, [BATCH, -1])
    x = flow.layers.dense(
        x, 256, activation=flow.nn.relu, kernel_initializer=init, name="hidden"
    )
    return flow.layers.dense(x, 10, kernel_initializer=init, name="classes")


@flow.global_function(type="train")
def train_job(
    images: tp.Numpy.Placeholder((BATCH, 1, 28, 28)),
    labels: tp.Numpy.Placeholder((BATCH,), dtype=flow.int32),
) -> tp.Numpy:
    loss, _ = sparsemax_loss(labels, network(images), name="loss")
    rate = flow.optimizer.PiecewiseConstantScheduler([], [1e-3])
    flow.optimizer.Adam(rate, do_bias_correction=True).minimize(loss)
    return loss


@flow.global_function(type="predict")
def eval_job(
    images: tp.Numpy.Placeholder((BATCH, 1, 28, 28)),
    labels: tp.Numpy.Placeholder((BATCH,), dtype=flow.int32),
) -> tp.Numpy:
    _, probabilities = sparsemax_loss(labels, network(images))
    return probabilities


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=1200)
    parser.add_argument("--plot", default="own-op-loss.png", help="the loss curve")
    args = parser.parse_args()

    print(f"error of the gradient: {gradient_error():.1e}")
    train, test = flow.data.load_mnist(BATCH, BATCH)
    random = np.random.default_rng(1)
    losses = []
    with tqdm(total=args.steps * BATCH, unit=" images") as bar:
        for _ in range(args.steps):
            i = random.integers(len(train[0]))
            losses.append(train_job(train[0][i], train[1][i]).mean())
            bar.set_postfix(loss=f"{np.mean(losses[-20:]):.4f}", refresh=False)
            bar.update(BATCH)
    loss_curve.draw(losses, "Sparsemax on Fashion-MNIST", args.plot)
    print(f"loss curve: {args.plot}")
    probabilities = np.stack([eval_job(x, y) for x, y in zip(*test)])
    print(f"possible classes of an image: {(probabilities > 0).sum(-1).mean():.2f}")
    print(f"test accuracy: {np.mean(probabilities.argmax(-1) == test[1]):.3f}")


if __name__ == "__main__":
    main()
