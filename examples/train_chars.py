"""A transformer that writes licences, character by character: trains on the texts
in /usr/share/common-licenses, which every Debian has, draws the loss and writes
a sample in a second job that shares the variables."""

import argparse
import math
import pathlib

import numpy as np
from tqdm import tqdm

import jobmlir as flow
import jobmlir.typing as tp
import loss_curve

BATCH = 16
LENGTH = 128
WIDTH = 128
HEADS = 4
LAYERS = 4
TEXTS = pathlib.Path("/usr/share/common-licenses")


def read_text():
    """The licences one after the other, without the links among them."""
    files = sorted(path for path in TEXTS.iterdir() if not path.is_symlink())
    return "\n".join(path.read_text(errors="replace") for path in files)


def dense(x, units, name, activation=None, scale=1.0):
    return flow.layers.dense(
        x,
        units,
        activation=activation,
        kernel_initializer=flow.random_normal_initializer(stddev=0.02 * scale),
        name=name,
    )


def norm(x, name):
    return flow.layers.layer_norm(x, begin_norm_axis=2, name=name)


def block(x, name):
    batch, length, width = x.shape
    # What goes into the residual stream starts smaller (Radford et al. 2019).
    small = 1 / math.sqrt(2 * LAYERS)
    parts = dense(norm(x, f"{name}-norm1"), 3 * width, f"{name}-qkv")
    parts = flow.reshape(parts, [batch, length, 3 * HEADS, width // HEADS])
    query, key, value = flow.split(parts, 3, axis=2)
    mixed = flow.nn.attention(query, key, value, causal=True, name=f"{name}-attention")
    mixed = flow.reshape(mixed, [batch, length, width])
    x = x + dense(mixed, width, f"{name}-project", scale=small)
    hidden = dense(norm(x, f"{name}-norm2"), 4 * width, f"{name}-up", flow.math.gelu)
    return x + dense(hidden, width, f"{name}-down", scale=small)


def transformer(tokens, size):
    init = flow.random_normal_initializer(stddev=0.02)
    table = flow.get_variable("tokens", (size, WIDTH), initializer=init)
    places = flow.get_variable("positions", (LENGTH, WIDTH), initializer=init)
    x = flow.gather(table, tokens) + places
    for i in range(LAYERS):
        x = block(x, f"block{i + 1}")
    return flow.matmul(
        flow.reshape(norm(x, "norm"), [-1, WIDTH]), table, transpose_b=True
    )


def make_jobs(size, steps):
    @flow.global_function(type="train")
    def train_job(
        tokens: tp.Numpy.Placeholder((BATCH, LENGTH), dtype=flow.int32),
        following: tp.Numpy.Placeholder((BATCH, LENGTH), dtype=flow.int32),
    ) -> tp.Numpy:
        logits = transformer(tokens, size)
        loss = flow.nn.sparse_softmax_cross_entropy_with_logits(
            flow.reshape(following, [-1]), logits, name="loss"
        )
        rate = flow.optimizer.CosineScheduler(
            1e-3, steps, warmup=flow.optimizer.warmup.linear(min(100, steps), 0.1)
        )
        flow.optimizer.Adam(rate, do_bias_correction=True).minimize(loss)
        return loss

    @flow.global_function(type="predict")
    def next_job(
        tokens: tp.Numpy.Placeholder((1, LENGTH), dtype=flow.int32),
    ) -> tp.Numpy:
        return transformer(tokens, size)

    return train_job, next_job


def write(next_job, alphabet, prompt, count, random):
    """`prompt` and `count` characters that follow it."""
    place = {character: i for i, character in enumerate(alphabet)}
    tokens = [place[character] for character in prompt]
    for _ in range(count):
        seen = tokens[-LENGTH:]
        padded = np.zeros((1, LENGTH), np.int32)
        padded[0, : len(seen)] = seen
        # Later places cannot be seen from the last one that is filled.
        logits = next_job(padded)[len(seen) - 1] / 0.8
        chances = np.exp(logits - logits.max())
        tokens.append(random.choice(len(alphabet), p=chances / chances.sum()))
    return "".join(alphabet[token] for token in tokens)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--sample", type=int, default=400, help="characters to write")
    parser.add_argument("--plot", default="chars-loss.png", help="the loss curve")
    args = parser.parse_args()

    text = read_text()
    alphabet = sorted(set(text))
    place = {character: i for i, character in enumerate(alphabet)}
    data = np.array([place[character] for character in text], np.int32)
    print(f"{len(data)} characters, {len(alphabet)} different ones")

    train_job, next_job = make_jobs(len(alphabet), args.steps)
    random = np.random.default_rng(1)
    losses = []
    with tqdm(total=args.steps, unit=" steps") as bar:
        for _ in range(args.steps):
            first = random.integers(0, len(data) - LENGTH, BATCH)
            windows = data[first[:, None] + np.arange(LENGTH + 1)]
            loss = train_job(windows[:, :-1].copy(), windows[:, 1:].copy())
            losses.append(float(loss.mean()))
            bar.set_postfix(loss=f"{np.mean(losses[-20:]):.4f}", refresh=False)
            bar.update(1)
    loss_curve.draw(losses, "Characters of licences", args.plot)
    print(f"loss curve: {args.plot}")
    print(write(next_job, alphabet, "The licen", args.sample, random))


if __name__ == "__main__":
    main()
