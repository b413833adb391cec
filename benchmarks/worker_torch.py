"""A model of the benchmark on PyTorch: MODEL THREADS OPTIONS.

OPTIONS is JSON: `layout` ("nchw" or "nhwc", which PyTorch calls channels_last),
`compile` (whether through torch.compile) and `inductor`, settings of its
compiler.
"""

import json
import sys

import torch
from torch import nn

import models_torch
import worker


def main():
    model, threads = sys.argv[1], int(sys.argv[2])
    options = json.loads(sys.argv[3])
    torch.set_num_threads(threads)
    torch.manual_seed(1)
    channels_last = options["layout"] == "nhwc"
    data = worker.batches(model, options["layout"])

    def make_step():
        module = models_torch.build(model)
        if channels_last:
            module = module.to(memory_format=torch.channels_last)
        optimizer = models_torch.optimizer(model, module.parameters())
        criterion = nn.CrossEntropyLoss()

        def forward(inputs, labels):
            return criterion(module(inputs), labels.flatten())

        if options["compile"]:
            forward = torch.compile(forward, options=options.get("inductor"))

        def train(inputs, labels):
            inputs = torch.from_numpy(inputs)
            if channels_last:  # a view: the memory is NHWC already
                inputs = inputs.permute(0, 3, 1, 2)
            loss = forward(inputs, torch.from_numpy(labels).long())
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            return loss.item()

        return worker.training(data, train)

    worker.serve({"version": f"PyTorch {torch.__version__}"}, make_step)


if __name__ == "__main__":
    main()
