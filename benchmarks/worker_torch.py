"""The benchmark's models on PyTorch, eager or through torch.compile."""

import sys

import torch
from torch import nn

import models_torch
import worker


def main():
    model, mode, threads = sys.argv[1], sys.argv[2], int(sys.argv[3])
    torch.set_num_threads(threads)
    torch.manual_seed(1)

    def make_step():
        module = models_torch.build(model)
        optimizer = models_torch.optimizer(model, module.parameters())
        criterion = nn.CrossEntropyLoss()

        def forward(inputs, labels):
            return criterion(module(inputs), labels.flatten())

        if mode == "compile":
            forward = torch.compile(forward)

        def step(inputs, labels):
            loss = forward(torch.from_numpy(inputs), torch.from_numpy(labels).long())
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            return loss.item()

        return step

    worker.serve(model, {"version": torch.__version__}, make_step)


if __name__ == "__main__":
    main()
