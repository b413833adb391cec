"""A variational autoencoder (Kingma and Welling 2013) on Fashion-MNIST: draws the loss,
and pictures that the decoder makes of random numbers, and gives the bound on the test
images in nats."""

import argparse
import math

import numpy as np
from tqdm import tqdm

import jobmlir as flow
import jobmlir.typing as tp
import loss_curve

BATCH = 100
CODE = 20
PIXELS = 28 * 28


def dense(x, units, name, activation=None):
    init = flow.xavier_uniform_initializer()
    return flow.layers.dense(
        x, units, activation=activation, kernel_initializer=init, name=name
    )


def encode(images):
    """Mean and logarithm of the variance of each image's code."""
    hidden = dense(flow.reshape(images, [BATCH, PIXELS]), 400, "encoder1", flow.nn.relu)
    return flow.split(dense(hidden, 2 * CODE, "encoder2"), 2, axis=1)


def decode(code):
    """Logits of the pixels."""
    return dense(dense(code, 400, "decoder1", flow.nn.relu), PIXELS, "decoder2")


def negative_bound(images):
    """For each image, an upper bound of its negative log likelihood."""
    mean, log_variance = encode(images)
    noise = flow.random.normal([BATCH, CODE])
    logits = decode(mean + flow.math.exp(0.5 * log_variance) * noise)
    pixels = flow.reshape(images, [BATCH, PIXELS])
    lost = flow.nn.sigmoid_cross_entropy_with_logits(pixels, logits)
    # The divergence of the code's distribution from the standard normal one.
    surplus = flow.math.square(mean) + flow.math.exp(log_variance) - log_variance - 1.0
    return flow.math.reduce_sum(lost, 1) + 0.5 * flow.math.reduce_sum(surplus, 1)


@flow.global_function(type="train")
def train_job(images: tp.Numpy.Placeholder((BATCH, 1, 28, 28))) -> tp.Numpy:
    loss = negative_bound(images)
    rate = flow.optimizer.PiecewiseConstantScheduler([], [1e-3])
    flow.optimizer.Adam(rate, do_bias_correction=True).minimize(loss)
    return loss


@flow.global_function(type="predict")
def eval_job(images: tp.Numpy.Placeholder((BATCH, 1, 28, 28))) -> tp.Numpy:
    return negative_bound(images)


@flow.global_function(type="predict")
def generate(code: tp.Numpy.Placeholder((BATCH, CODE))) -> tp.Numpy:
    return flow.reshape(flow.math.sigmoid(decode(code)), [BATCH, 1, 28, 28])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--plot", default="vae-loss.png", help="the loss curve")
    parser.add_argument("--samples", default="vae-images.png", help="generated images")
    args = parser.parse_args()

    (images, _), (test_images, _) = flow.data.load_mnist(BATCH, BATCH)
    random = np.random.default_rng(1)
    losses = []
    with tqdm(total=args.steps * BATCH, unit=" images") as bar:
        for _ in range(args.steps):
            losses.append(train_job(images[random.integers(len(images))]).mean())
            bar.set_postfix(loss=f"{np.mean(losses[-20:]):.1f}", refresh=False)
            bar.update(BATCH)
    loss_curve.draw(losses, "Variational autoencoder on Fashion-MNIST", args.plot)
    print(f"loss curve: {args.plot}")
    code = random.standard_normal((BATCH, CODE)).astype(np.float32)
    loss_curve.draw_images(generate(code), 10, args.samples)
    print(f"generated images: {args.samples}")
    bound = np.mean([eval_job(batch) for batch in test_images])
    print(f"test bound: {bound:.1f} nats, of {PIXELS * math.log(2):.1f} with gray pixels")


if __name__ == "__main__":
    main()
