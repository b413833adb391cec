"""A single kernel on numpy: CASE THREADS."""

import sys

import numpy as np

import kernel_cases
import worker


def total(case, x):
    y = np.empty(1, np.float32)

    def step():
        y[0] = x.sum()

    return step, {"y": y}


def transpose(case, x):
    y = np.empty(x.shape[::-1], np.float32)
    return lambda: np.copyto(y, x.T), {"y": y}


def matmul(case, a, b):
    y = np.empty((a.shape[0], b.shape[1]), np.float32)
    return lambda: np.matmul(a, b, out=y), {"y": y}


def softmax(case, x):
    y = np.empty_like(x)

    def step():
        np.subtract(x, x.max(1, keepdims=True), out=y)
        np.exp(y, out=y)
        np.divide(y, y.sum(1, keepdims=True), out=y)

    return step, {"y": y}


def softmax_gradient(case, x, dy):
    forward, results = softmax(case, x)
    y, dx = results["y"], np.empty_like(x)

    def step():
        forward()
        np.multiply(y, dy, out=dx)
        np.subtract(dy, dx.sum(1, keepdims=True), out=dx)
        np.multiply(dx, y, out=dx)

    return step, {"dx": dx}


def gather(case, x, indices):
    y = np.empty((indices.size, x.shape[1]), np.float32)
    return lambda: np.take(x, indices, axis=0, out=y), {"y": y}


def gather_gradient(case, dy, indices):
    dx = np.empty(case.table, np.float32)

    def step():
        dx.fill(0)
        np.add.at(dx, indices, dy)

    return step, {"dx": dx}


def layer_norm(case, x, gamma, beta):
    y = np.empty_like(x)

    def step():
        np.subtract(x, x.mean(1, keepdims=True), out=y)
        variance = np.einsum("ij,ij->i", y, y) / x.shape[1]
        np.multiply(y, (1 / np.sqrt(variance + 1e-5))[:, None], out=y)
        np.multiply(y, gamma, out=y)
        np.add(y, beta, out=y)

    return step, {"y": y}


def layer_norm_gradient(case, x, gamma, beta, dy):
    y, normal, dx = np.empty_like(x), np.empty_like(x), np.empty_like(x)
    dgamma, dbeta = np.empty_like(gamma), np.empty_like(beta)
    width = x.shape[1]

    def step():
        np.subtract(x, x.mean(1, keepdims=True), out=normal)
        variance = np.einsum("ij,ij->i", normal, normal) / width
        rstd = (1 / np.sqrt(variance + 1e-5))[:, None]
        np.multiply(normal, rstd, out=normal)
        np.multiply(normal, gamma, out=y)
        np.add(y, beta, out=y)
        np.einsum("ij,ij->j", dy, normal, out=dgamma)
        np.sum(dy, axis=0, out=dbeta)
        np.multiply(dy, gamma, out=dx)
        products = np.einsum("ij,ij->i", dx, normal)[:, None] / width
        np.subtract(dx, dx.mean(1, keepdims=True), out=dx)
        np.multiply(normal, products, out=normal)
        np.subtract(dx, normal, out=dx)
        np.multiply(dx, rstd, out=dx)

    return step, {"dx": dx, "dgamma": dgamma, "dbeta": dbeta}


def windows(case, x):
    """The padded operand, and views of the elements at each place of a window."""
    size, stride, pad = case.window
    *outer, height, width = x.shape
    padded = np.full((*outer, height + 2 * pad, width + 2 * pad), -np.inf, x.dtype)
    padded[..., pad : pad + height, pad : pad + width] = x
    *_, rows, columns = case.pooled()
    views = [
        (
            ...,
            slice(i, i + stride * rows, stride),
            slice(j, j + stride * columns, stride),
        )
        for i in range(size)
        for j in range(size)
    ]
    return padded, [tuple(view) for view in views]


def max_pool(case, x):
    y = np.empty(case.pooled(), np.float32)
    padded, views = windows(case, x)

    def step():
        np.copyto(y, padded[views[0]])
        for view in views[1:]:
            np.maximum(y, padded[view], out=y)

    return step, {"y": y}


def max_pool_gradient(case, x, dy):
    forward, results = max_pool(case, x)
    y = results["y"]
    padded, views = windows(case, x)
    pad = case.window[2]
    gradient = np.empty_like(padded)
    dx = gradient[..., pad : pad + x.shape[2], pad : pad + x.shape[3]]

    def step():
        forward()
        gradient.fill(0)
        rest = dy
        for view in views:
            here = np.where(padded[view] == y, rest, 0)
            gradient[view] += here
            rest = np.where(padded[view] == y, 0, rest)

    return step, {"dx": dx}


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


def main():
    case = kernel_cases.CASES[sys.argv[1]]
    inputs = case.draw()
    about = {"version": f"numpy {np.__version__}"}

    def make_step():
        run, results = KINDS[case.kind](case, **inputs)

        def step():
            run()

        step()
        about["checksums"] = kernel_cases.checksums(case, results)
        return step

    worker.serve(about, make_step)


if __name__ == "__main__":
    main()
