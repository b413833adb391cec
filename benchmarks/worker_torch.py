"""The benchmark's models on PyTorch, eager or through torch.compile."""

import sys

import torch
from torch import nn

import worker


def build(name):
    if name == "mlp":
        return nn.Sequential(nn.Flatten(), nn.Linear(784, 512), nn.ReLU(),
                             nn.Linear(512, 10))
    return nn.Sequential(
        nn.Conv2d(1, 32, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(32, 64, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(64 * 7 * 7, 512), nn.ReLU(), nn.Dropout(0.5),
        nn.Linear(512, 10))


def main():
    name, mode, threads = sys.argv[1], sys.argv[2], int(sys.argv[3])
    torch.set_num_threads(threads)
    torch.manual_seed(1)
    model = build(name)
    if name == "mlp":
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1, foreach=True)
    else:
        optimizer = torch.optim.Adam(model.parameters(), lr=0.001, fused=True)
    criterion = nn.CrossEntropyLoss()

    def forward(images, labels):
        return criterion(model(images), labels)

    if mode == "compile":
        forward = torch.compile(forward)

    def step(images, labels):
        loss = forward(torch.from_numpy(images),
                       torch.from_numpy(labels).long())
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        return loss.item()

    worker.serve({"version": torch.__version__}, step)


if __name__ == "__main__":
    main()
