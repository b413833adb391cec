"""The distributions of all initializers, by the distance of what they draw from the
distribution function."""

import math
import typing

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from jobmlir._src import names

SEED = 11
MATRIX = (96, 160)
# A filter with channels first: 8 * 9 inputs and 64 * 9 outputs of an element.
FILTER, LAST = (64, 8, 3, 3), (64, 3, 3, 8)


class Uniform(typing.NamedTuple):
    low: float
    high: float

    def bounds(self):
        return self.low, self.high

    def share_below(self, x):
        return (x - self.low) / (self.high - self.low)


def normal(x):
    return 0.5 * np.vectorize(math.erfc)(-x / math.sqrt(2))


class Normal(typing.NamedTuple):
    mean: float
    stddev: float

    def bounds(self):
        return -math.inf, math.inf

    def share_below(self, x):
        return normal((x - self.mean) / self.stddev)


class Truncated(typing.NamedTuple):
    """Drawn again beyond two standard deviations."""

    mean: float
    stddev: float

    def bounds(self):
        return self.mean - 2 * self.stddev, self.mean + 2 * self.stddev

    def share_below(self, x):
        least, most = normal(np.array([-2.0, 2.0]))
        return (normal((x - self.mean) / self.stddev) - least) / (most - least)


# The standard deviation of a unit normal distribution that is truncated at 2.
NARROWER = 0.87962566


def of_variance(kind, variance):
    """A distribution with mean 0."""
    if kind == "random_uniform":
        return Uniform(-math.sqrt(3 * variance), math.sqrt(3 * variance))
    if kind == "random_normal":
        return Normal(0, math.sqrt(variance))
    return Truncated(0, math.sqrt(variance) / NARROWER)


# Inputs and outputs of an element, by the shape.
FANS = {
    (MATRIX, ""): (160, 96),
    (FILTER, "NCHW"): (72, 576),
    (LAST, "NHWC"): (72, 576),
    (FILTER, ""): (72, 576),
}
MODES = {
    "fan_in": lambda fans: fans[0],
    "fan_out": lambda fans: fans[1],
    "fan_avg": lambda fans: sum(fans) / 2,
}
CASES = []


def case(name, shape, distribution, *arguments, **settings):
    CASES.append(
        pytest.param(
            name,
            shape,
            distribution,
            arguments,
            settings,
            id=f"{name}{arguments}{settings}{shape}".replace(" ", ""),
        )
    )


case("random_uniform_initializer", MATRIX, Uniform(0, 1))
case("random_uniform_initializer", MATRIX, Uniform(-1, 3), -1, 3)
case("random_uniform_initializer", (20000,), Uniform(-1e-3, 0), minval=-1e-3, maxval=0)
case("random_normal_initializer", MATRIX, Normal(0, 1))
case("random_normal_initializer", MATRIX, Normal(3, 0.5), 3, 0.5)
case("random_normal_initializer", (20000,), Normal(-1, 2), mean=-1, stddev=2)
case("truncated_normal", MATRIX, Truncated(0, 1))
case("truncated_normal", MATRIX, Truncated(0, 0.1), 0.1)
case("truncated_normal_initializer", MATRIX, Truncated(0, 1))
case("truncated_normal_initializer", MATRIX, Truncated(-2, 0.5), -2, 0.5)
for _family, _kind in (
    (("glorot_uniform_initializer", "xavier_uniform_initializer"), "random_uniform"),
    (("glorot_normal_initializer", "xavier_normal_initializer"), "random_normal"),
):
    for _name in _family:
        for (_shape, _format), _fans in FANS.items():
            _distribution = of_variance(_kind, 2 / sum(_fans))
            case(_name, _shape, _distribution, data_format=_format)
case("variance_scaling_initializer", MATRIX, of_variance("truncated_normal", 1 / 160))
for (_shape, _format), _fans in FANS.items():
    for _mode, _of in MODES.items():
        for _kind in ("truncated_normal", "random_normal", "random_uniform"):
            case(
                "variance_scaling_initializer",
                _shape,
                of_variance(_kind, 2.5 / _of(_fans)),
                2.5,
                _mode,
                _kind,
                _format,
            )
GAINS = {
    ("linear", 0.0): 1,
    ("sigmoid", 0.0): 1,
    ("tanh", 0.0): 25 / 9,
    ("relu", 0.0): 2,
    ("leaky_relu", 0.0): 2,
    ("leaky_relu", 0.5): 2 / 1.25,
}
case("kaiming_initializer", MATRIX, of_variance("random_normal", 2 / 160), MATRIX)
for (_activation, _slope), _gain in GAINS.items():
    for _kind in ("random_normal", "random_uniform"):
        case(
            "kaiming_initializer",
            MATRIX,
            of_variance(_kind, _gain / 96),
            MATRIX,
            _kind,
            "fan_out",
            _activation,
            _slope,
        )
for (_shape, _format), _fans in FANS.items():
    for _mode, _of in MODES.items():
        case(
            "kaiming_initializer",
            _shape,
            of_variance("random_normal", 2 / _of(_fans)),
            _shape,
            mode=_mode,
            data_format=_format,
        )


def drawn(make, shape, dtype=flow.float32, count=1):
    """What the initializer draws for some variables."""
    flow.clear_default_session()
    flow.config.random_seed(SEED)

    @flow.global_function()
    def job() -> typing.Tuple[(tp.Numpy,) * count]:
        return tuple(
            flow.get_variable(f"w{i}", shape, dtype, make()) for i in range(count)
        )

    return job()


@pytest.mark.parametrize("name, shape, distribution, arguments, settings", CASES)
def test_distribution(name, shape, distribution, arguments, settings):
    def make():
        return names.find(name)(*arguments, **settings)

    first, second = (values.astype(float) for values in drawn(make, shape, count=2))
    for values in (first, second):
        ordered = np.sort(values, axis=None)
        low, high = distribution.bounds()
        slack = 1e-6 * np.abs(ordered).max()
        assert low - slack <= ordered[0] and ordered[-1] <= high + slack
        # The statistic of Kolmogorov and Smirnov, which is above 1.95 for one in 1000.
        share = distribution.share_below(ordered)
        places = np.arange(len(ordered) + 1) / len(ordered)
        distance = max(
            np.abs(share - places[1:]).max(), np.abs(share - places[:-1]).max()
        )
        assert distance * math.sqrt(len(ordered)) < 1.95, f"seed {SEED}"
        # Equal numbers are as rare as the precision of float32 has them.
        assert len(np.unique(ordered)) > 0.98 * len(ordered)
    # Neither neighbours nor variables depend on each other.
    flat, other = first.ravel(), second.ravel()
    for one, two in ((flat[:-1], flat[1:]), (flat, other)):
        correlation = np.corrcoef(one, two)[0, 1]
        assert abs(correlation) < 5 / math.sqrt(len(one)), f"seed {SEED}"


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "int32", "int8"])
@pytest.mark.parametrize(
    "make, value",
    [
        (lambda: flow.constant_initializer(3), 3),
        (lambda: flow.constant_initializer(-2.0, flow.float64), -2),
        (lambda: flow.constant_initializer(), 0),
        (lambda: flow.zeros_initializer(flow.int32), 0),
        (lambda: flow.ones_initializer(flow.int32), 1),
    ],
)
def test_equal_elements(make, value, dtype):
    (values,) = drawn(make, (3, 5), getattr(flow, dtype))
    np.testing.assert_array_equal(values, np.full((3, 5), value, dtype))


@pytest.mark.parametrize("dtype", ["int32", "int64", "int8"])
def test_uniform_ints(dtype):
    """Each int of the range equally often, the largest one too."""
    kind = getattr(flow, dtype)
    (values,) = drawn(
        lambda: flow.random_uniform_initializer(-2, 3, kind), (30000,), kind
    )
    found, counts = np.unique(values, return_counts=True)
    assert values.dtype == dtype
    assert found.tolist() == [-2, -1, 0, 1, 2, 3]
    # Of a binomial distribution with a deviation of 64.5.
    np.testing.assert_allclose(counts, 5000, atol=4 * 64.5, err_msg=f"seed {SEED}")


# Those whose values another test compares.
EXACT = {
    "constant_initializer": "test_equal_elements",
    "zeros_initializer": "test_equal_elements",
    "ones_initializer": "test_equal_elements",
    "regularizers.l1_l2": "test_regularizers.py",
    "regularizers.l1": "test_regularizers.py",
    "regularizers.l2": "test_regularizers.py",
}


def test_every_initializer_is_compared(request):
    compared = {case.values[0] for case in CASES} | set(EXACT)
    for row in names.reference().values():
        if row.section == "1.13" and names.find(row.name) is not None:
            assert row.name in compared, f"expects a case of {row.name}"
    for name, place in EXACT.items():
        file = place if place.endswith(".py") else request.path.name
        text = (request.path.parent / file).read_text()
        assert f"flow.{name}(" in text or f"flow.{name}," in text, name
