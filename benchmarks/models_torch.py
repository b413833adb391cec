"""The benchmark's models as PyTorch modules."""

import torch
from torch import nn
from torch.nn import functional

import worker


class Block(nn.Module):
    """A residual block: convolutions, each with batch normalisation."""

    def __init__(self, convolutions, shortcut):
        super().__init__()
        self.body = nn.Sequential(*convolutions)
        self.shortcut = shortcut

    def forward(self, x):
        return functional.relu(self.body(x) + self.shortcut(x))


def conv_norm(inputs, filters, window, stride=1):
    return nn.Sequential(
        nn.Conv2d(inputs, filters, window, stride, window // 2, bias=False),
        nn.BatchNorm2d(filters),
    )


def resnet20():
    layers = [conv_norm(1, 16, 3), nn.ReLU()]
    channels = 16
    for stage, filters in enumerate((16, 32, 64)):
        for i in range(3):
            stride = 2 if stage > 0 and i == 0 else 1
            layers.append(
                Block(
                    [
                        conv_norm(channels, filters, 3, stride),
                        nn.ReLU(),
                        conv_norm(filters, filters, 3),
                    ],
                    nn.Identity()
                    if stride == 1
                    else conv_norm(channels, filters, 1, stride),
                )
            )
            channels = filters
    return nn.Sequential(
        *layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 10)
    )


def resnet50():
    layers = [conv_norm(3, 64, 7, 2), nn.ReLU(), nn.MaxPool2d(3, 2, 1)]
    channels = 64
    for stage, (filters, blocks) in enumerate(((64, 3), (128, 4), (256, 6), (512, 3))):
        for i in range(blocks):
            stride = 2 if stage > 0 and i == 0 else 1
            layers.append(
                Block(
                    [
                        conv_norm(channels, filters, 1),
                        nn.ReLU(),
                        conv_norm(filters, filters, 3, stride),
                        nn.ReLU(),
                        conv_norm(filters, 4 * filters, 1),
                    ],
                    nn.Identity() if i else conv_norm(channels, 4 * filters, 1, stride),
                )
            )
            channels = 4 * filters
    return nn.Sequential(
        *layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(2048, 1000)
    )


class Layer(nn.Module):
    """A layer of a transformer with the normalisations in front."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.parts, self.project = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        batch, length, width = x.shape
        parts = self.parts(self.norm1(x)).view(batch, length, 3 * self.heads, -1)
        query, key, value = parts.transpose(1, 2).split(self.heads, 1)
        mixed = functional.scaled_dot_product_attention(
            query, key, value, is_causal=True
        )
        x = x + self.project(mixed.transpose(1, 2).reshape(batch, length, width))
        # The gelu of GPT-2 is the approximation.
        hidden = functional.gelu(self.up(self.norm2(x)), approximate="tanh")
        return x + self.down(hidden)


class Transformer(nn.Module):
    def __init__(self, name):
        super().__init__()
        width, heads, layers = worker.TRANSFORMERS[name]
        (length,) = worker.SHAPES[name][1]
        self.tokens = nn.Embedding(worker.classes(name), width)
        self.places = nn.Parameter(torch.randn(length, width) * 0.02)
        self.layers = nn.Sequential(*(Layer(width, heads) for _ in range(layers)))
        self.norm = nn.LayerNorm(width)
        nn.init.normal_(self.tokens.weight, std=0.02)

    def forward(self, tokens):
        x = self.norm(self.layers(self.tokens(tokens) + self.places))
        return functional.linear(x, self.tokens.weight).flatten(0, 1)


def build(name):
    if name == "mlp":
        return nn.Sequential(
            nn.Flatten(), nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 10)
        )
    if name == "lenet":
        _, height, width = worker.SHAPES[name][1]
        return nn.Sequential(
            nn.Conv2d(1, 32, 5, padding=2),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(32, 64, 5, padding=2),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Flatten(),
            nn.Linear(64 * (height // 4) * (width // 4), 512),
            nn.ReLU(),
            nn.Dropout(0.5),
            nn.Linear(512, 10),
        )
    if name == "resnet20":
        return resnet20()
    if name == "resnet50":
        return resnet50()
    return Transformer(name)


def optimizer(name, parameters, captured=False):
    """As in models_jobmlir.py, each in its fastest form; `captured` says whether a
    CUDA graph has the step, which needs its count on the device."""
    if name == "mlp":
        return torch.optim.SGD(parameters, lr=0.1, fused=True)
    if name.startswith("resnet"):
        return torch.optim.SGD(parameters, lr=0.01, momentum=0.9, fused=True)
    return torch.optim.Adam(parameters, lr=0.001, fused=True, capturable=captured)
