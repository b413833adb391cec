"""A single kernel on PyTorch: CASE THREADS OPTIONS.

Where PyTorch has several ways, or an operand may have another layout in memory,
all are timed at the start, and the fastest is measured. OPTIONS is JSON:
`compile` sends each through torch.compile.
"""

import json
import sys
import time

import torch
from torch.nn import functional

import kernel_cases
import worker

aten = torch.ops.aten
EPSILON = 1e-5


def channels_last(x):
    return x.contiguous(memory_format=torch.channels_last)


def total(case, x):
    yield "sum", lambda x: x.sum().view(1), (x,)


def transpose(case, x):
    out = torch.empty(x.shape[::-1])
    yield "contiguous", lambda x: x.t().contiguous(), (x,)
    yield "copy_", lambda x: out.copy_(x.t()), (x,)


def matmul(case, a, b):
    out = torch.empty(a.shape[0], b.shape[1])
    yield "matmul", torch.matmul, (a, b)
    yield "out", lambda a, b: torch.matmul(a, b, out=out), (a, b)


def softmax(case, x):
    yield "softmax", lambda x: functional.softmax(x, -1), (x,)


def softmax_gradient(case, x, dy):
    def run(x, dy):
        y = functional.softmax(x, -1)
        return aten._softmax_backward_data(dy, y, -1, torch.float32)

    yield "softmax", run, (x, dy)


def gather(case, x, indices):
    out = torch.empty(indices.numel(), x.shape[1])
    yield "embedding", lambda x, i: functional.embedding(i, x), (x, indices)
    yield "index_select", lambda x, i: torch.index_select(x, 0, i), (x, indices)
    yield "out", lambda x, i: torch.index_select(x, 0, i, out=out), (x, indices)


def gather_gradient(case, dy, indices):
    rows = case.table[0]
    yield "embedding_dense_backward", lambda dy, i: aten.embedding_dense_backward(
        dy, i, rows, -1, False
    ), (dy, indices)
    yield "index_add_", lambda dy, i: torch.zeros(case.table).index_add_(0, i, dy), (
        dy,
        indices,
    )


def layer_norm(case, x, gamma, beta):
    yield "layer_norm", lambda x, g, b: functional.layer_norm(
        x, g.shape, g, b, EPSILON
    ), (x, gamma, beta)


def layer_norm_gradient(case, x, gamma, beta, dy):
    def run(x, gamma, beta, dy):
        y, mean, rstd = aten.native_layer_norm(x, gamma.shape, gamma, beta, EPSILON)
        return aten.native_layer_norm_backward(
            dy, x, gamma.shape, mean, rstd, gamma, beta, [True, True, True]
        )

    yield "native_layer_norm", run, (x, gamma, beta, dy)


def max_pool(case, x):
    def run(x):
        return functional.max_pool2d(x, *case.window)

    yield "nchw", run, (x,)
    yield "nhwc", run, (channels_last(x),)


def max_pool_gradient(case, x, dy):
    size, stride, pad = ([n, n] for n in case.window)

    def run(x, dy):
        y, places = aten.max_pool2d_with_indices(x, size, stride, pad)
        return aten.max_pool2d_with_indices_backward(
            dy, x, size, stride, pad, [1, 1], False, places
        )

    yield "nchw", run, (x, dy)
    yield "nhwc", run, (channels_last(x), channels_last(dy))


KINDS = {
    "sum": total,
    "transpose": transpose,
    "matmul": matmul,
    "softmax": softmax,
    "softmax_gradient": softmax_gradient,
    "gather": gather,
    "gather_gradient": gather_gradient,
    "layer_norm": layer_norm,
    "layer_norm_gradient": layer_norm_gradient,
    "max_pool": max_pool,
    "max_pool_gradient": max_pool_gradient,
}


def seconds(function, operands):
    """The least time of a call, of some after a first one."""
    times = []
    for _ in range(6):
        start = time.perf_counter()
        function(*operands)
        times.append(time.perf_counter() - start)
    return min(times[1:])


def main():
    case = kernel_cases.CASES[sys.argv[1]]
    torch.set_num_threads(int(sys.argv[2]))
    is_compiled = json.loads(sys.argv[3])["compile"]
    inputs = {name: torch.from_numpy(array) for name, array in case.draw().items()}
    if "indices" in inputs:
        inputs["indices"] = inputs["indices"].long()
    about = {"version": f"PyTorch {torch.__version__}"}

    def make_step():
        ways = []
        for name, function, operands in KINDS[case.kind](case, **inputs):
            if is_compiled:
                function = torch.compile(function)
            ways.append((seconds(function, operands), name, function, operands))
        _, about["way"], function, operands = min(ways, key=lambda way: way[0])
        results = function(*operands)
        if isinstance(results, torch.Tensor):
            results = (results,)
        results = {
            name: result.contiguous().numpy()
            for name, result in zip(case.results, results)
        }
        about["checksums"] = kernel_cases.checksums(case, results)

        def step():
            function(*operands)

        return step

    with torch.no_grad():
        worker.serve(about, make_step)


if __name__ == "__main__":
    main()
