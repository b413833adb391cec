"""What all workers share: the data, the sizes of the models, and the protocol
of contender.py."""

import json
import os
import resource
import sys
import time

import numpy as np

# Batch, and the shape of one input: images (NCHW), or tokens of a text.
SHAPES = {
    "mlp": (100, (1, 28, 28)),
    "lenet": (100, (1, 28, 28)),
    "resnet20": (100, (1, 28, 28)),
    "resnet50": (8, (3, 224, 224)),
    "chars": (16, (128,)),
    "gpt2": (1, (1024,)),
}
CLASSES = {"resnet50": 1000, "chars": 96, "gpt2": 50257}
# Width, heads and layers of the transformers.
TRANSFORMERS = {"chars": (128, 4, 4), "gpt2": (768, 12, 12)}
# Models with convolutions: the layout of images matters.
CONVOLUTIONAL = ("lenet", "resnet20", "resnet50")


def classes(model):
    return CLASSES.get(model, 10)


def use_shape(model, options):
    """Takes batch and shape of an input from a worker's options, if they are there."""
    if "shape" in options:
        batch, shape = options["shape"]
        SHAPES[model] = batch, tuple(shape)


def batches(model, layout="nchw"):
    """Random inputs and labels, the same numbers in every worker; images have
    the layout in memory that is asked for, `nchw` or `nhwc`."""
    generator = np.random.default_rng(1)
    batch, shape = SHAPES[model]
    out = []
    for _ in range(4 if model in ("resnet50", "gpt2") else 16):
        if model in TRANSFORMERS:
            inputs = generator.integers(0, classes(model), (batch, *shape))
            labels = generator.integers(0, classes(model), (batch, *shape))
            out.append((inputs.astype(np.int32), labels.astype(np.int32)))
        else:
            inputs = generator.random((batch, *shape), dtype=np.float32)
            labels = generator.integers(0, classes(model), batch)
            if layout == "nhwc":
                inputs = np.ascontiguousarray(inputs.transpose(0, 2, 3, 1))
            out.append((inputs, labels.astype(np.int32)))
    return out


def training(data, train):
    """A step without arguments from `train`, a function of inputs and labels
    that returns the mean loss: each step takes the next batch."""
    done = 0

    def step():
        nonlocal done
        inputs, labels = data[done % len(data)]
        done += 1
        return train(inputs, labels)

    return step


def peak():
    """The most bytes that this process has had in memory."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def serve(about, make_step):
    """Answers requests on stdin, one JSON line each, until stdin ends.

    The first line is `about`, a dictionary, after `make_step`. Then a number of
    steps is answered with their wall times, the results of the steps, and the
    peak of memory above that before `make_step`. An exception is answered with
    its message and ends the worker. What libraries print goes to stderr.
    """
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def answer(**values):
        print(json.dumps(values), file=answers, flush=True)

    before = peak()
    try:
        step = make_step()
        answer(about=about)
        for line in sys.stdin:
            seconds, results = [], []
            for _ in range(int(line)):
                start = time.perf_counter()
                result = step()
                seconds.append(time.perf_counter() - start)
                results.append(result)
            answer(seconds=seconds, results=results, memory=peak() - before)
    except Exception as error:
        message = (str(error).strip() or "no message").splitlines()[0]
        answer(error=f"{type(error).__name__}: {message}")
