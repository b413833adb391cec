"""A convolutional network that reads its own data: writes Fashion-MNIST as OFRecords of
PNG images, trains on random crops of them, mirrored at random, draws the loss and
evaluates in a second job with a reader of its own. A run with --checkpoint can be
repeated to go on, with the data that follow."""

import argparse
import io
import os

import numpy as np
import PIL.Image
from tqdm import tqdm

import jobmlir as flow
import jobmlir.typing as tp
import loss_curve

BATCH = 100
PARTS = 4


def records(images, labels):
    for image, label in zip(images.reshape(-1, 28, 28), labels.ravel()):
        file = io.BytesIO()
        PIL.Image.fromarray(np.uint8(image * 255 + 0.5)).save(file, "PNG")
        yield {"encoded": file.getvalue(), "class/label": np.int32([label])}


def write_data(folder, count):
    """`count` training images in PARTS files, and a tenth of it to test."""
    os.makedirs(folder, exist_ok=True)
    train, test = flow.data.load_mnist(BATCH, BATCH)
    for name, (images, labels), batches in (
        ("train", train, count // BATCH),
        ("test", test, count // BATCH // 10),
    ):
        parts = PARTS if name == "train" else 1
        for part in range(parts):
            path = os.path.join(folder, f"{name}-{part:05d}")
            if not os.path.exists(path):
                chosen = slice(part, batches, parts)
                flow.data.write_ofrecord(path, records(images[chosen], labels[chosen]))


def read(folder, train):
    """Images, float32 of (BATCH, 1, 28, 28), and labels, from the next records."""
    record = flow.data.ofrecord_reader(
        folder,
        batch_size=BATCH,
        data_part_num=PARTS if train else 1,
        part_name_prefix="train-" if train else "test-",
        part_name_suffix_length=5,
        random_shuffle=train,
        shuffle_after_epoch=train,
    )
    label = flow.data.OFRecordRawDecoder(
        record, "class/label", shape=(), dtype=flow.int32
    )
    mirror = None
    if train:
        image = flow.data.OFRecordImageDecoderRandomCrop(
            record, "encoded", color_space="GRAY", random_area=(0.6, 1.0)
        )
        mirror = flow.data.decode_random(
            (), flow.int8, BATCH, flow.random_uniform_initializer(0, 2)
        )
    else:
        image = flow.data.OFRecordImageDecoder(record, "encoded", color_space="GRAY")
    image, _, _ = flow.image.Resize(image, target_size=(28, 28), channels=1)
    normal = flow.image.CropMirrorNormalize(
        image, mirror_blob=mirror, color_space="GRAY", mean=[73.0], std=[90.0]
    )
    return normal, label


def network(x):
    init = flow.variance_scaling_initializer(2.0, "fan_in", "random_normal", "NCHW")
    for i, filters in enumerate((16, 32)):
        x = flow.layers.conv2d(
            x,
            filters,
            3,
            padding="SAME",
            activation=flow.nn.relu,
            kernel_initializer=init,
            name=f"conv{i}",
        )
        x = flow.nn.max_pool2d(x, ksize=2, strides=2, padding="SAME", name=f"pool{i}")
    x = flow.reshape(x, [x.shape[0], -1])
    return flow.layers.dense(x, 10, kernel_initializer=init, name="classes")


def make_jobs(folder):
    @flow.global_function(type="train")
    def train_job() -> tp.Numpy:
        images, labels = read(folder, train=True)
        loss = flow.nn.sparse_softmax_cross_entropy_with_logits(
            labels, network(images), name="loss"
        )
        rate = flow.optimizer.PiecewiseConstantScheduler([], [1e-3])
        flow.optimizer.Adam(rate, do_bias_correction=True).minimize(loss)
        return loss

    @flow.global_function(type="predict")
    def eval_job() -> tp.Bundle[tp.Numpy]:
        images, labels = read(folder, train=False)
        return network(images), labels

    return train_job, eval_job


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default="fashion-ofrecord", help="folder of records")
    parser.add_argument(
        "--images", type=int, default=60000, help="to write and train on"
    )
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--checkpoint", help="loaded if it is there, and saved")
    parser.add_argument("--plot", default="ofrecord-loss.png", help="the loss curve")
    args = parser.parse_args()

    write_data(args.data, args.images)
    train_job, eval_job = make_jobs(args.data)
    check_point = flow.train.CheckPoint()
    if args.checkpoint and os.path.isdir(args.checkpoint):
        check_point.load(args.checkpoint)
        done = flow.train.step_count(train_job)
        flow.data.seek(train_job, done)  # the batches that follow
        print(f"goes on at step {done}")
    losses = []
    with tqdm(total=args.steps * BATCH, unit=" images") as bar:
        for _ in range(args.steps):
            losses.append(float(train_job().mean()))
            bar.set_postfix(loss=f"{np.mean(losses[-20:]):.4f}", refresh=False)
            bar.update(BATCH)
    if args.checkpoint:
        check_point.save(args.checkpoint, replace=True)
    loss_curve.draw(losses, "OFRecords of Fashion-MNIST", args.plot)
    print(f"loss curve: {args.plot}")
    found = [
        np.mean(logits.argmax(1) == labels)
        for logits, labels in (eval_job() for _ in range(args.images // BATCH // 10))
    ]
    print(f"test accuracy: {np.mean(found):.3f}")


if __name__ == "__main__":
    main()
