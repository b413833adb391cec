"""A generative adversarial network (Goodfellow et al. 2014) on Fashion-MNIST: two
training jobs share all variables, and each trains its part of them. Draws both losses
and generated images, and measures how far these are from those of the test set."""

import argparse

import numpy as np
from tqdm import tqdm

import jobmlir as flow
import jobmlir.typing as tp
import loss_curve

BATCH = 100
NOISE = 64

INIT = flow.random_normal_initializer(stddev=0.05)


def norm_relu(x, name):
    return flow.nn.relu(
        flow.layers.batch_normalization(x, axis=1, momentum=0.9, name=name)
    )


def upscale(x, filters, name):
    """A transposed convolution that doubles height and width."""
    batch, channels, height, width = x.shape
    weight = flow.get_variable(name, (channels, filters, 4, 4), initializer=INIT)
    shape = [batch, filters, 2 * height, 2 * width]
    return flow.nn.conv2d_transpose(x, weight, shape, strides=2, padding="SAME")


def generator(noise):
    x = flow.layers.dense(
        noise, 64 * 7 * 7, use_bias=False, kernel_initializer=INIT, name="generator1"
    )
    x = norm_relu(flow.reshape(x, [BATCH, 64, 7, 7]), "generator1-norm")
    x = norm_relu(upscale(x, 32, "generator2"), "generator2-norm")
    return flow.math.sigmoid(upscale(x, 1, "generator3"))


def discriminator(x, reuse=False):
    """Logits of the images being real."""
    for i, filters in enumerate((32, 64)):
        x = flow.layers.conv2d(
            x,
            filters,
            4,
            strides=2,
            padding="SAME",
            activation=flow.nn.leaky_relu,
            kernel_initializer=INIT,
            name=f"discriminator{i + 1}",
            reuse=reuse,
        )
    x = flow.reshape(x, [BATCH, -1])
    return flow.layers.dense(
        x, 1, kernel_initializer=INIT, name="discriminator3", reuse=reuse
    )


def cross_entropy(logits, real):
    labels = flow.constant_like(logits, float(real))
    return flow.nn.sigmoid_cross_entropy_with_logits(labels, logits)


def optimizer():
    rate = flow.optimizer.PiecewiseConstantScheduler([], [1e-3])
    return flow.optimizer.Adam(rate, beta1=0.5, do_bias_correction=True)


@flow.global_function(type="train")
def train_discriminator(images: tp.Numpy.Placeholder((BATCH, 1, 28, 28))) -> tp.Numpy:
    fakes = generator(flow.random.normal([BATCH, NOISE]))
    loss = cross_entropy(discriminator(images), real=True)
    loss += cross_entropy(discriminator(fakes, reuse=True), real=False)
    optimizer().minimize(loss, variables="^discriminator")
    return loss


@flow.global_function(type="train")
def train_generator() -> tp.Numpy:
    fakes = generator(flow.random.normal([BATCH, NOISE]))
    loss = cross_entropy(discriminator(fakes), real=True)
    optimizer().minimize(loss, variables="^generator")
    return loss


@flow.global_function(type="predict")
def generate(noise: tp.Numpy.Placeholder((BATCH, NOISE))) -> tp.Numpy:
    return generator(noise)


def frechet_distance(images, others):
    """The Frechet distance of two sets of images: of the normal distributions with the
    means and covariances of their blocks of 4x4 pixels."""
    means, covariances = [], []
    for each in (images, others):
        blocks = each.reshape(-1, 7, 4, 7, 4).mean(axis=(2, 4)).reshape(-1, 49)
        means.append(blocks.mean(axis=0))
        covariances.append(np.cov(blocks, rowvar=False))
    roots = np.linalg.eigvals(covariances[0] @ covariances[1]).real.clip(min=0) ** 0.5
    traces = np.trace(covariances[0]) + np.trace(covariances[1]) - 2 * roots.sum()
    return np.sum((means[0] - means[1]) ** 2) + traces


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--plot", default="gan-loss.png", help="the loss curves")
    parser.add_argument("--samples", default="gan-images.png", help="generated images")
    args = parser.parse_args()

    (images, _), (test_images, _) = flow.data.load_mnist(BATCH, BATCH)
    random = np.random.default_rng(1)
    noise = random.standard_normal((20, BATCH, NOISE)).astype(np.float32)

    def distance():
        return frechet_distance(np.stack([generate(each) for each in noise]), test_images)

    print(f"distance from test images: {distance():.2f}")
    losses = {"discriminator": [], "generator": []}
    with tqdm(total=args.steps, unit=" steps") as bar:
        for _ in range(args.steps):
            batch = images[random.integers(len(images))]
            losses["discriminator"].append(train_discriminator(batch).mean())
            losses["generator"].append(train_generator().mean())
            bar.set_postfix(
                {name: f"{np.mean(each[-20:]):.3f}" for name, each in losses.items()},
                refresh=False,
            )
            bar.update(1)
    loss_curve.draw(losses, "GAN on Fashion-MNIST", args.plot)
    print(f"loss curves: {args.plot}")
    loss_curve.draw_images(generate(noise[0]), 10, args.samples)
    print(f"generated images: {args.samples}")
    print(f"distance from test images: {distance():.2f}")


if __name__ == "__main__":
    main()
