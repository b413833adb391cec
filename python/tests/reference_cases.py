"""Cases of op_references.py: how they are described, run and compared.

All cases of one element type are compiled in few jobs, since starting a job takes
longer than most ops.
"""

import functools
import itertools
import typing
import zlib

import ml_dtypes
import numpy as np

from jobmlir._src import names
from numeric import evaluate

SEED = 20

NUMPY = {
    name: np.dtype(getattr(ml_dtypes, name, None) or name)
    for name in ("float64 float32 float16 bfloat16 int64 int32 int8 uint8".split())
}
FLOATS = ("float32", "float64", "float16", "bfloat16")
INTS = ("int32", "int64", "int8", "uint8")
ALL = FLOATS + INTS

# How many cases share a job.
_JOB = 60


class Operand(typing.NamedTuple):
    """An operand: `array` if given, or random numbers. They have the element type of
    the case unless there is a `dtype`. A constant is given to the op as an array."""

    shape: tuple = ()
    low: float = -2.0
    high: float = 2.0
    array: typing.Any = None
    dtype: str = ""
    is_constant: bool = False

    def make(self, dtype, rng):
        kind = NUMPY[self.dtype or dtype]
        is_int = kind.kind in "iu"
        if self.array is not None:
            values = np.asarray(self.array)
        elif is_int:
            # Few numbers, with ties and zeros.
            scale = 1 if self.dtype else 3
            low, high = int(self.low * scale), int(self.high * scale)
            values = rng.integers(
                max(low, 0) if kind.kind == "u" else low, high + 1, self.shape
            )
        else:
            values = rng.uniform(self.low, self.high, self.shape)
        with np.errstate(all="ignore"):
            return values.astype(kind)


def x(*shape, low=-2.0, high=2.0):
    """Random numbers; of an int type three times as large."""
    return Operand(shape, low, high)


def given(array):
    """An array in the element type of the case."""
    return Operand(array=array)


def ints(array, dtype="int32"):
    """An array of ints, such as indices."""
    return Operand(array=np.array(array), dtype=dtype)


def constant(*shape, low=-1.0, high=1.0):
    """Random numbers that the op gets as an array, such as an initializer."""
    return Operand(shape, low, high, is_constant=True)


class Case(typing.NamedTuple):
    """See `case`."""

    name: str
    label: str
    reference: typing.Callable
    operands: tuple
    use: typing.Callable
    dtypes: tuple
    tolerance: float
    scale: float
    result: str
    kind: str
    is_alone: bool

    def arrays(self, dtype):
        rng = np.random.default_rng([SEED, zlib.crc32(str(self).encode())])
        return [operand.make(dtype, rng) for operand in self.operands]

    def __str__(self):
        return f"{self.name} {self.label}".strip().replace(" ", "-")


CASES = []


def case(
    name,
    reference,
    *operands,
    use=None,
    dtypes=FLOATS,
    tolerance=4,
    scale=None,
    result=None,
    kind="predict",
    is_alone=False,
    label="",
    **settings,
):
    """Adds a case for each element type of its operands.

    `reference` is called with the operands in float64 or int64, and returns one array
    or a tuple; bools are int8. The op is called with the operands and the `settings`,
    or by `use`, whose first argument is the op. `result` is the element type of the
    result if it is not that of the case. The largest error is `tolerance` units in the
    last place of the result, or of the number `scale`, which is that of the largest
    result if None. A name that the package does not have yet is left out.
    """
    if names.find(name) is None:
        return
    if settings and not label:
        label = " ".join(f"{key}={value}" for key, value in settings.items())
    label = "".join(label.split()) if settings else label
    if use is None:

        def use(op, *blobs):
            return op(*blobs, **settings)

    taken = {str(other) for other in CASES}
    made = Case(
        name,
        label,
        reference,
        operands,
        use,
        tuple(dtypes),
        tolerance,
        scale,
        result,
        kind,
        is_alone,
    )
    count = itertools.count(2)
    while str(made) in taken:
        made = made._replace(label=f"{label} {next(count)}".strip())
    CASES.append(made)


# ===- Running -------------------------------------------------------------===#


def as_list(results):
    return list(results) if isinstance(results, (list, tuple)) else [results]


def _run(device, cases, dtype):
    """The results of these cases of one kind, from one job on a device."""
    arrays = [one.arrays(dtype) for one in cases]
    blobs_of = [
        [a for a, operand in zip(listed, one.operands) if not operand.is_constant]
        for one, listed in zip(cases, arrays)
    ]
    counts = []

    def body(*blobs):
        assert all(blob.parallel_conf.device_tag == device for blob in blobs)
        left, out = iter(blobs), []
        for one, listed in zip(cases, arrays):
            op, calls = _counted(names.find(one.name))
            arguments = [
                array if operand.is_constant else next(left)
                for array, operand in zip(listed, one.operands)
            ]
            results = as_list(one.use(op, *arguments))
            assert calls, f"expects the case {one} to call {one.name}"
            counts.append(len(results))
            out.extend(results)
        return tuple(out)

    inputs = [array for listed in blobs_of for array in listed]
    found = iter(evaluate(body, *inputs, kind=cases[0].kind))
    return [list(itertools.islice(found, count)) for count in counts[-len(cases) :]]


def _counted(op):
    """A function that calls `op`, and a list that has an element after that."""
    calls = []

    @functools.wraps(op)
    def call(*arguments, **settings):
        calls.append(op)
        return op(*arguments, **settings)

    return call, calls


def _jobs(dtype):
    """Lists of cases that share a job."""
    taken = [one for one in CASES if dtype in one.dtypes]
    together = [one for one in taken if not one.is_alone and one.kind == "predict"]
    jobs = [together[i : i + _JOB] for i in range(0, len(together), _JOB)]
    return jobs + [[one] for one in taken if one not in together]


_results = {}


def _result(device, one, dtype):
    key = device, str(one), dtype
    if key not in _results:
        (job,) = (job for job in _jobs(dtype) if any(str(c) == str(one) for c in job))
        try:
            found = _run(device, job, dtype)
        except Exception:
            # Another case of the job may be the reason.
            job, found = [one], _run(device, [one], dtype)
        for other, results in zip(job, found):
            _results[device, str(other), dtype] = results
    return _results[key]


def widen(array):
    return array.astype(np.float64 if array.dtype.kind not in "iu" else np.int64)


def _finfo(dtype):
    return ml_dtypes.finfo(NUMPY[dtype])


def compare(one, dtype, found, arrays):
    """Compares the results of a case with those of its reference."""
    with np.errstate(all="ignore"):
        wanted = as_list(one.reference(*map(widen, arrays)))
    assert len(found) == len(wanted), (len(found), len(wanted))
    for number, (got, expected) in enumerate(zip(found, wanted)):
        where = f"result {number} of {one} in {dtype}, seed {SEED}"
        expected = np.asarray(expected)
        expected = expected.reshape(expected.shape or (1,))
        kind = "int8" if expected.dtype == bool else one.result or dtype
        assert got.dtype == NUMPY[kind], f"{where}: {got.dtype} is not {kind}"
        assert got.shape == expected.shape, f"{where}: {got.shape}, {expected.shape}"
        with np.errstate(all="ignore"):
            rounded = expected.astype(NUMPY[kind])
        if rounded.dtype.kind in "iu":
            np.testing.assert_array_equal(got, rounded, where)
            continue
        rounded = rounded.astype(np.float64)
        finite = np.abs(rounded[np.isfinite(rounded)])
        scale = finite.max(initial=0) if one.scale is None else one.scale
        info = _finfo(kind)
        unit = one.tolerance * float(info.eps)
        # Numbers below the normal ones may be rounded to zero, except in float16.
        least = info.smallest_subnormal if kind == "float16" else info.tiny
        least = one.tolerance * float(least)
        np.testing.assert_allclose(
            got.astype(np.float64),
            rounded,
            unit,
            max(unit * scale, least),
            err_msg=where,
        )


def check(device, one):
    """Compares a case in all of its element types."""
    for dtype in one.dtypes:
        compare(one, dtype, _result(device, one, dtype), one.arrays(dtype))
