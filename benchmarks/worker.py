"""What all workers share: the data, the models' sizes and the protocol of
bench.py and memory.py."""

import json
import resource
import sys
import time

import numpy as np

# Batch, and the shape of one input: images, or tokens of a text.
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


def classes(model):
    return CLASSES.get(model, 10)


def batches(model):
    """Random inputs and labels, equal in every worker."""
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
            out.append((inputs, labels.astype(np.int32)))
    return out


def peak():
    """The most bytes that this process has had in memory."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def serve(model, about, make_step):
    """Answers requests; `make_step()` builds the model and returns a function of
    inputs and labels that gives the mean loss.

    A number asks for as many steps and gets their wall times and losses; what
    is called memory is the peak above that of the bare library with its data.
    """
    data = batches(model)
    before = peak()
    step = make_step()
    print(json.dumps(about), flush=True)
    done = 0
    for line in sys.stdin:
        seconds, losses = [], []
        for _ in range(int(line)):
            inputs, labels = data[done % len(data)]
            done += 1
            start = time.perf_counter()
            loss = step(inputs, labels)
            seconds.append(time.perf_counter() - start)
            losses.append(loss)
        answer = {"seconds": seconds, "losses": losses, "memory": peak() - before}
        print(json.dumps(answer), flush=True)
