"""Models train on the simulated CUDA as on the CPU, and resume to the bit."""

import json
import os
import signal
import subprocess
import sys

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp

STEPS = 20
INIT = flow.truncated_normal(0.1)


def mlp(images):
    x = flow.reshape(images, [images.shape[0], -1])
    x = flow.layers.dense(
        x, 32, activation=flow.nn.relu, kernel_initializer=INIT, name="hidden"
    )
    return flow.layers.dense(x, 10, kernel_initializer=INIT, name="output")


def lenet(images):
    x = images
    for name, filters in (("conv1", 4), ("conv2", 6)):
        x = flow.layers.conv2d(
            x,
            filters,
            5,
            padding="SAME",
            activation=flow.nn.relu,
            kernel_initializer=INIT,
            name=name,
        )
        x = flow.nn.max_pool2d(x, 2, 2, padding="SAME")
    x = flow.reshape(x, [images.shape[0], -1])
    x = flow.layers.dense(
        x, 16, activation=flow.nn.relu, kernel_initializer=INIT, name="dense1"
    )
    x = flow.nn.dropout(x, rate=0.5)
    return flow.layers.dense(x, 10, kernel_initializer=INIT, name="dense2")


def sgd(policy=None):
    rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
    return flow.optimizer.SGD(rate, momentum=0, loss_scale_policy=policy)


def adam(policy=None):
    rate = flow.optimizer.PiecewiseConstantScheduler([], [1e-3])
    return flow.optimizer.Adam(
        rate, do_bias_correction=True, loss_scale_policy=policy
    )


MODELS = {"mlp": (mlp, 8, 28, sgd), "lenet": (lenet, 2, 12, adam)}


def losses_of(name, config=None, policy=None, steps=STEPS):
    model, size, side, optimizer = MODELS[name]

    @flow.global_function(type="train", function_config=config)
    def train(
        images: tp.Numpy.Placeholder((size, 1, side, side)),
        labels: tp.Numpy.Placeholder((size,), dtype=flow.int32),
    ) -> tp.Numpy:
        loss = flow.nn.sparse_softmax_cross_entropy_with_logits(labels, model(images))
        optimizer(policy).minimize(loss)
        return loss

    rng = np.random.default_rng(4)
    losses = []
    for _ in range(steps):
        images = rng.random((size, 1, side, side), np.float32)
        labels = rng.integers(0, 10, size).astype(np.int32)
        losses.append(train(images, labels).mean(dtype=np.float64))
    return losses


@pytest.mark.parametrize("name", MODELS)
def test_losses_are_those_of_the_cpu(use, name):
    use("gpu")
    gpu = losses_of(name)
    use("cpu")
    cpu = losses_of(name)
    assert len(set(cpu)) == STEPS
    np.testing.assert_allclose(gpu, cpu, rtol=1e-3)


# Trains up to step 12 from a checkpoint, if there is one, saves one after each
# step, and prints the losses in hexadecimal.
SCRIPT = """
    import os, sys
    import numpy as np
    import jobmlir as flow
    import jobmlir.typing as tp

    folder = sys.argv[1]

    @flow.global_function(type="train")
    def train(x: tp.Numpy.Placeholder((4, 6)),
              labels: tp.Numpy.Placeholder((4,), dtype=flow.int32)) -> tp.Numpy:
        init = flow.truncated_normal(0.5)
        x = flow.layers.dense(x, 8, activation=flow.nn.relu, kernel_initializer=init)
        x = flow.nn.dropout(x, rate=0.5)
        x = flow.layers.dense(x, 3, kernel_initializer=init)
        loss = flow.nn.sparse_softmax_cross_entropy_with_logits(labels, x)
        rate = flow.optimizer.CosineScheduler(0.05, 40)
        flow.optimizer.Adam(rate, do_bias_correction=True).minimize(loss)
        return loss

    checkpoint = flow.train.CheckPoint()
    path = os.path.join(folder, "model")
    if os.path.exists(path):
        checkpoint.load(path)
    for step in range(flow.train.step_count(train), 12):
        random = np.random.default_rng(step)
        x = random.standard_normal((4, 6)).astype(np.float32)
        losses = train(x, random.integers(0, 3, 4).astype(np.int32))
        checkpoint.save(path, layout="native", replace=True)
        print(step, *[float(loss).hex() for loss in losses], flush=True)
        if len(sys.argv) > 2 and step == int(sys.argv[2]):
            os.kill(os.getpid(), 9)
"""


def test_a_killed_run_is_resumed_to_the_bit(run_script, tmp_path):
    whole, _ = run_script(SCRIPT, tmp_path / "whole")
    assert len(whole.splitlines()) == 12
    lines = []
    for last in (3, 8):
        part, _ = run_script(SCRIPT, tmp_path / "parts", last, status=-signal.SIGKILL)
        lines += part.splitlines()
    rest, _ = run_script(SCRIPT, tmp_path / "parts")
    assert lines + rest.splitlines() == whole.splitlines()
