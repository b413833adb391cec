"""The rows of docs/errors.md, and what their reproductions have in common."""

import os
import pathlib

import numpy as np

import jobmlir as flow
import jobmlir.typing as tp

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("JOBMLIR_BUILD_DIR", ROOT / "build"))
SIMULATOR = BUILD / "lib" / "libjobsim_cuda.so"
COLUMNS = ("row", "situation", "raised", "names", "message", "what to do", "test")
X = np.zeros((2, 3), np.float32)


def parse_table():
    """The rows of all tables, by name."""
    rows = {}
    for line in (ROOT / "docs" / "errors.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|") or cells[0] in ("row", "---"):
            continue
        assert len(cells) == len(COLUMNS), line
        row = dict(zip(COLUMNS, cells))
        assert row["row"] not in rows, f"two rows {row['row']}"
        rows[row["row"]] = row
    return rows


ROWS = parse_table()
REPRODUCTIONS = {}


def reproduces(name):
    def decorator(function):
        assert name not in REPRODUCTIONS, name
        REPRODUCTIONS[name] = function
        return function

    return decorator


def sgd(**arguments):
    rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
    return flow.optimizer.SGD(rate, **arguments)


def trace_train(body):
    """Traces and compiles a training job of the input that `body` gets."""

    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((2, 3))):
        w = flow.get_variable("w", (3,), initializer=flow.ones_initializer())
        body(x * w)

    job(X)


def trace(body):
    """Traces, compiles and calls a prediction job."""

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 3))) -> tp.Numpy:
        return body(x)

    job(X)


def define_mirrored(body=lambda x: x):
    config = flow.function_config()
    config.default_logical_view(flow.scope.mirrored_view())

    @flow.global_function(function_config=config)
    def job(x: tp.ListNumpy.Placeholder((2, 3))) -> tp.ListNumpy:
        return body(x)

    return job
