"""The single kernels that kernels.py measures, and their inputs.

A case has named inputs and named results. The workers `kernels_*.py` have one
function for each `kind`; all compute the same results of the same numbers.
"""

import dataclasses

import numpy as np


@dataclasses.dataclass(frozen=True)
class Case:
    kind: str
    title: str
    # Name to shape; integers are drawn below `table[0]`.
    inputs: dict
    results: tuple
    table: tuple = ()
    window: tuple = ()  # size, stride and padding of a pooling

    def draw(self):
        generator = np.random.default_rng(1)
        return {
            name: (
                generator.integers(0, self.table[0], shape, np.int32)
                if name == "indices"
                else generator.standard_normal(shape, np.float32)
            )
            for name, shape in self.inputs.items()
        }

    def pooled(self):
        """The shape after the pooling of `x`."""
        size, stride, pad = self.window
        *outer, height, width = self.inputs["x"]
        return (
            *outer,
            (height + 2 * pad - size) // stride + 1,
            (width + 2 * pad - size) // stride + 1,
        )


def softmax(rows, columns):
    shape = (rows, columns)
    title = f"{rows} x {columns}"
    yield Case("softmax", f"softmax, {title}", {"x": shape}, ("y",))
    yield Case(
        "softmax_gradient",
        f"softmax and its gradient, {title}",
        {"x": shape, "dy": shape},
        ("dx",),
    )


def pooling(shape, *window):
    title = f"{window[0]} x {window[0]}, stride {window[1]}, of {' x '.join(map(str, shape))}"
    forward = Case(
        "max_pool", f"max pooling {title}", {"x": shape}, ("y",), window=window
    )
    yield forward
    yield Case(
        "max_pool_gradient",
        f"max pooling {title}, and its gradient",
        {"x": shape, "dy": forward.pooled()},
        ("dx",),
        window=window,
    )


TABLE, ROWS = (100_000, 64), 65_536
NORM, WIDTH = (4096, 768), (768,)

CASES = {
    case.title: case
    for case in (
        Case("sum", "sum of 16,777,216 elements", {"x": (4096, 4096)}, ("y",)),
        Case("transpose", "transpose, 4096 x 4096", {"x": (4096, 4096)}, ("y",)),
        Case(
            "matmul",
            "matrix product, 2048 x 2048",
            {"a": (2048, 2048), "b": (2048, 2048)},
            ("y",),
        ),
        *softmax(64, 50_000),
        *softmax(8192, 128),
        Case(
            "gather",
            "gather of 65,536 rows of a 100,000 x 64 table",
            {"x": TABLE, "indices": (ROWS,)},
            ("y",),
            table=TABLE,
        ),
        Case(
            "gather_gradient",
            "gradient of that gather, a scatter-add",
            {"dy": (ROWS, TABLE[1]), "indices": (ROWS,)},
            ("dx",),
            table=TABLE,
        ),
        Case(
            "layer_norm",
            "layer norm, 4096 x 768",
            {"x": NORM, "gamma": WIDTH, "beta": WIDTH},
            ("y",),
        ),
        Case(
            "layer_norm_gradient",
            "layer norm and its gradients, 4096 x 768",
            {"x": NORM, "gamma": WIDTH, "beta": WIDTH, "dy": NORM},
            ("dx", "dgamma", "dbeta"),
        ),
        *pooling((100, 32, 28, 28), 2, 2, 0),
        *pooling((8, 64, 112, 112), 3, 2, 1),
    )
}


def checksums(case, results):
    """A number for each result, to compare workers with: the sum of all
    elements, weighted so that misplaced ones show, and the size to which
    differences of it relate."""
    out = {}
    for name in case.results:
        flat = np.asarray(results[name], np.float64).ravel()
        weights = np.cos(np.arange(flat.size))
        out[name] = float(flat @ weights), float(np.abs(flat).sum())
    return out
