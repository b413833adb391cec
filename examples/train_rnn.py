"""A recurrent network on Fashion-MNIST: an LSTM (Hochreiter and Schmidhuber 1997) reads
the rows of an image one after the other. The loop over the rows is unrolled when the job
is traced; all rows share the variables. Draws the loss and evaluates in a second job."""

import argparse

import numpy as np
from tqdm import tqdm

import jobmlir as flow
import jobmlir.typing as tp
import loss_curve

BATCH = 100
ROWS = 28
UNITS = 128


def lstm(rows, units):
    """The last state of an LSTM that reads `rows`, a list of (batch, features)."""
    init = flow.xavier_uniform_initializer()
    state = cell = flow.constant(0.0, flow.float32, [rows[0].shape[0], units])
    for i, row in enumerate(rows):
        gates = flow.layers.dense(
            flow.concat([row, state], axis=1),
            4 * units,
            kernel_initializer=init,
            name="lstm",
            reuse=i > 0,
        )
        write, forget, read, value = flow.split(gates, 4, axis=1)
        # It remembers unless it learns to forget (Gers et al. 1999).
        cell = flow.math.sigmoid(forget + 1.0) * cell
        cell += flow.math.sigmoid(write) * flow.math.tanh(value)
        state = flow.math.sigmoid(read) * flow.math.tanh(cell)
    return state


def network(images):
    rows = [images[:, 0, i] for i in range(ROWS)]
    init = flow.xavier_uniform_initializer()
    return flow.layers.dense(
        lstm(rows, UNITS), 10, kernel_initializer=init, name="classes"
    )


@flow.global_function(type="train")
def train_job(
    images: tp.Numpy.Placeholder((BATCH, 1, ROWS, 28)),
    labels: tp.Numpy.Placeholder((BATCH,), dtype=flow.int32),
) -> tp.Numpy:
    loss = flow.nn.sparse_softmax_cross_entropy_with_logits(
        labels, network(images), name="loss"
    )
    # Gradients of long sequences are large at times.
    clipping = flow.optimizer.grad_clipping.by_global_norm(1.0)
    rate = flow.optimizer.PiecewiseConstantScheduler([], [2e-3])
    flow.optimizer.Adam(
        rate, do_bias_correction=True, grad_clipping=clipping
    ).minimize(loss)
    return loss


@flow.global_function(type="predict")
def eval_job(images: tp.Numpy.Placeholder((BATCH, 1, ROWS, 28))) -> tp.Numpy:
    return network(images)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=1200)
    parser.add_argument("--plot", default="rnn-loss.png", help="the loss curve")
    args = parser.parse_args()

    train, test = flow.data.load_mnist(BATCH, BATCH)
    random = np.random.default_rng(1)
    losses = []
    with tqdm(total=args.steps * BATCH, unit=" images") as bar:
        for _ in range(args.steps):
            i = random.integers(len(train[0]))
            losses.append(train_job(train[0][i], train[1][i]).mean())
            bar.set_postfix(loss=f"{np.mean(losses[-20:]):.4f}", refresh=False)
            bar.update(BATCH)
    loss_curve.draw(losses, "LSTM on the rows of Fashion-MNIST", args.plot)
    print(f"loss curve: {args.plot}")
    found = [np.mean(eval_job(x).argmax(1) == y) for x, y in zip(*test)]
    print(f"test accuracy: {np.mean(found):.3f}")


if __name__ == "__main__":
    main()
