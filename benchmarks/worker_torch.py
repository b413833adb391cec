"""A model of the benchmark on PyTorch: MODEL THREADS OPTIONS.

OPTIONS is JSON: `layout` ("nchw" or "nhwc", which PyTorch calls channels_last),
`compile` (whether through torch.compile), `inductor`, settings of its compiler, or
`mode`, one of its modes; `device` ("cpu" or "cuda"), `precision` ("f32", "tf32" or
"bf16"), `capture` (whether the whole step is one CUDA graph) and `shape`, the batch
and the shape of an input.
"""

import contextlib
import json
import sys

import torch
from torch import nn

import models_torch
import worker


class Step:
    """A training step of inputs and labels in arrays of numpy."""

    def __init__(self, model, options):
        self.device = torch.device(options.get("device", "cpu"))
        self.precision = options.get("precision", "f32")
        self.channels_last = options["layout"] == "nhwc"
        self.marks_steps = options.get("mode") == "reduce-overhead"
        if self.device.type == "cuda":
            torch.backends.cuda.matmul.allow_tf32 = self.precision == "tf32"
            torch.backends.cudnn.allow_tf32 = self.precision == "tf32"
            torch.backends.cudnn.benchmark = True
        self.module = models_torch.build(model).to(self.device)
        if self.channels_last:
            self.module = self.module.to(memory_format=torch.channels_last)
        self.captured = bool(options.get("capture"))
        self.optimizer = models_torch.optimizer(
            model, self.module.parameters(), self.captured
        )
        self.criterion = nn.CrossEntropyLoss()
        self.forward = self.compute_loss
        if options["compile"]:
            self.forward = torch.compile(
                self.compute_loss,
                options=options.get("inductor"),
                mode=options.get("mode"),
            )
        self.buffers = self.graph = None

    def compute_loss(self, inputs, labels):
        narrow = contextlib.nullcontext()
        if self.precision == "bf16":
            narrow = torch.autocast(self.device.type, dtype=torch.bfloat16)
        with narrow:
            return self.criterion(self.module(inputs), labels.flatten())

    def train(self, inputs, labels):
        if self.marks_steps:
            torch.compiler.cudagraph_mark_step_begin()
        loss = self.forward(inputs, labels)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.optimizer.step()
        return loss

    def place(self, inputs, labels):
        """The arrays as tensors of the device: by pinned memory on a GPU, always in
        the same tensors, which a graph needs."""
        inputs, labels = torch.from_numpy(inputs), torch.from_numpy(labels)
        if self.device.type == "cpu":
            return self.view(inputs), labels.long()
        if self.buffers is None:
            self.buffers = [
                (
                    torch.empty(shape, dtype=dtype, pin_memory=True),
                    torch.empty(shape, dtype=dtype, device=self.device),
                )
                for shape, dtype in (
                    (inputs.shape, inputs.dtype),
                    (labels.shape, torch.int64),
                )
            ]
        for array, (pinned, there) in zip((inputs, labels), self.buffers):
            pinned.copy_(array)
            there.copy_(pinned, non_blocking=True)
        return self.view(self.buffers[0][1]), self.buffers[1][1]

    def view(self, inputs):
        """In channels_last the memory is NHWC already."""
        return inputs.permute(0, 3, 1, 2) if self.channels_last else inputs

    def capture(self, inputs, labels):
        """Captures a step after some that settle allocators and libraries."""
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(3):
                self.train(inputs, labels)
        torch.cuda.current_stream().wait_stream(stream)
        self.optimizer.zero_grad(set_to_none=True)
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            self.loss = self.train(inputs, labels)

    def __call__(self, inputs, labels):
        inputs, labels = self.place(inputs, labels)
        if not self.captured:
            return self.train(inputs, labels).item()
        if self.graph is None:
            self.capture(inputs, labels)
        self.graph.replay()
        return self.loss.item()


def main():
    model, threads = sys.argv[1], int(sys.argv[2])
    options = json.loads(sys.argv[3])
    torch.set_num_threads(threads)
    torch.manual_seed(1)
    worker.use_shape(model, options)
    data = worker.batches(model, options["layout"])
    worker.serve(
        {"version": f"PyTorch {torch.__version__}"},
        lambda: worker.training(data, Step(model, options)),
    )


if __name__ == "__main__":
    main()
