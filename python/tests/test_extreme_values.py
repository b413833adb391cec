"""Values at and beyond the ends: ints of more than 64 bits, NaN and infinities,
numbers that an element type cannot hold, names that UTF-8 cannot encode. All are
errors at the user's line, none ends the process or changes a value."""

import subprocess
import sys

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from jobmlir._src import frames
from models import define_unary, raises_here

IMAGE = (1, 2, 4, 4)
HUGE = 10**400
HUGE_CASE = pytest.param(HUGE, id="huge")
NAN, INF = float("nan"), float("inf")
MANY = "expects at most 2^59 elements but got more"


def trace(body, shape=IMAGE, dtype=flow.float):
    define_unary(body, shape, dtype)
    return flow.dump_ir()


def ones(name, shape):
    return flow.get_variable(name, shape, initializer=flow.ones_initializer())


def weight():
    return ones("weight", (2, 2, 3, 3))


# ===- Large ints ----------------------------------------------------------===#


@pytest.mark.parametrize(
    "shape", [(2**63,), (2**70,), (2**60,), (2**40, 2**40), (np.int64(2**40),) * 2]
)
def test_a_placeholder_of_too_many_elements(shape):
    for make in (tp.Numpy.Placeholder, flow.FixedTensorDef):
        with raises_here(AssertionError, MANY):
            make(shape)


def test_a_placeholder_of_the_most_elements():
    assert str(2**59) in trace(lambda x: x, (2**59,))


@pytest.mark.parametrize(
    "body, op, text",
    [
        (lambda x: flow.constant(1, shape=[2**70]), "Constant", MANY),
        (lambda x: flow.constant(1, shape=[2**40, 2**40]), "Constant", MANY),
        (
            lambda x: flow.constant(1, shape=[2, -1]),
            "Constant",
            "expects positive extents but got -1 in dimension 1",
        ),
        (
            lambda x: flow.constant(1, shape=[0]),
            "Constant",
            "expects positive extents but got 0 in dimension 0",
        ),
        (lambda x: ones("v", (2**70,)), "v", MANY),
        (lambda x: flow.one_hot(flow.math.argmax(x), 2**70), "OneHot", MANY),
        (lambda x: flow.range(2**70), "Range", MANY),
        (lambda x: flow.range(0, 1e308, 1e-300), "Range", MANY),
        (lambda x: flow.range(-(10**308), 10**308), "Range", MANY),
        (lambda x: flow.layers.dense(x, 2**70), "Dense-weight", MANY),
        (
            lambda x: flow.pad(x, [(2**70, 0)] * 4),
            "Pad",
            "expects low in [-2^63, 2^63) but got 1180591620717411303424",
        ),
        (
            lambda x: flow.slice(x, [2**70] * 4, [1] * 4),
            "Slice",
            "expects offsets in [-2^63, 2^63) but got 1180591620717411303424",
        ),
        (
            lambda x: flow.slice(x, [HUGE] * 4, [1] * 4),
            "Slice",
            "expects offsets in [-2^63, 2^63) but got an int of 1329 bits",
        ),
        (
            lambda x: flow.nn.conv2d(
                x, weight(), 1, ((0, 0), (0, 0), (2**63, 0), (0, 0))
            ),
            "Conv2d",
            "expects padding in [-2^63, 2^63) but got 9223372036854775808",
        ),
        (
            lambda x: flow.math.unsorted_segment_sum(x, flow.math.argmax(x), 2**70),
            "UnsortedSegmentSum",
            "expects extent in [-2^63, 2^63) but got 1180591620717411303424",
        ),
    ],
)
def test_ints_beyond_64_bits(body, op, text):
    with raises_here(AssertionError, f"job job, op {op}: ", text):
        trace(body)


def test_the_seed_of_a_dropout():
    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder(IMAGE)):
        return flow.nn.dropout(x, 0.5, seed=2**63, name="drop")

    with raises_here(AssertionError, "op drop: expects seed in [-2^63, 2^63) but got"):
        flow.dump_ir()


# What is wrong here is not what a user can write; it must not end the process.
EXTENSION = """
from jobmlir import _compiler
module = _compiler.Module()
for extent in (1.5, 2**63, "a"):
    try:
        module.function("a", "predict", [("x", ([extent], "f32"))], [])
    except TypeError:
        print("refused")
function = module.function("b", "predict", [("x", ([2], "f32"))], [])
del module
print(function.arguments[0].shape)
"""


def test_the_extension_refuses_other_types():
    done = subprocess.run(
        [sys.executable, "-c", EXTENSION],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["refused"] * 3 + ["(2,)"]


# ===- Settings ------------------------------------------------------------===#


@pytest.mark.parametrize("seed", [2**63, 2**64, -(2**63) - 1, HUGE_CASE])
def test_a_seed_has_64_bits(seed):
    with raises_here(
        AssertionError, "expects an int from -2^63 to 2^63 - 1 for config.random_seed"
    ):
        flow.config.random_seed(seed)


@pytest.mark.parametrize("seed", [2**63 - 1, -(2**63)])
def test_the_first_and_the_last_seed(seed):
    flow.config.random_seed(seed)

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2,))) -> tp.Numpy:
        init = flow.random_uniform_initializer()
        return x + flow.get_variable("w", (2,), initializer=init)

    first = job(np.zeros(2, np.float32))
    assert ((first >= 0) & (first < 1)).all()


@pytest.mark.parametrize("count", [-1, 4097, 2**40, HUGE_CASE])
def test_the_number_of_threads(count):
    with raises_here(
        AssertionError,
        "expects an int from 0 to 4096 for config.compute_thread_pool_size but got",
    ):
        flow.config.compute_thread_pool_size(count)


# ===- Numbers that an element cannot hold -----------------------------------===#


@pytest.mark.parametrize(
    "body, text",
    [
        (
            lambda i: i + NAN,
            "expects an int to combine with a blob of int32 but got nan",
        ),
        (
            lambda i: i * INF,
            "expects an int to combine with a blob of int32 but got inf",
        ),
        (lambda i: i + 2**31, "expects an int that int32 can hold but got 2147483648"),
        (lambda i: i + HUGE, "expects an int that int32 can hold but got an int of"),
        (
            lambda i: flow.constant(NAN, flow.int32),
            "expects an int to combine with a blob of int32 but got nan",
        ),
        (
            lambda i: flow.constant(-129, flow.int8),
            "expects an int that int8 can hold but got -129",
        ),
        (
            lambda i: flow.constant(HUGE, flow.float64),
            "expects a number that float64 can hold but got an int of 1329 bits",
        ),
        (lambda i: flow.one_hot(i, 2, on_value="a"), "expects a number but got 'a'"),
        (
            lambda i: flow.one_hot(i, 2, on_value=1.5),
            "expects an int to combine with a blob of int32 but got 1.5",
        ),
        (
            lambda i: flow.constant(1e300, flow.float32),
            "expects a number that float32 can hold but got 1e+300",
        ),
        (
            lambda i: flow.cast(i, flow.float) * -1e39,
            "expects a number that float32 can hold but got -1e+39",
        ),
        (
            lambda i: flow.range(0, 200, dtype=flow.int8),
            "expects an int that int8 can hold but got 199",
        ),
        (
            lambda i: flow.range(0, -200, -1, dtype=flow.int8),
            "expects an int that int8 can hold but got -199",
        ),
        (lambda i: flow.range(0, NAN), "expects a finite number but got nan"),
        (lambda i: flow.range(INF), "expects a finite number but got inf"),
        (lambda i: flow.range(HUGE, 0, -0.5), "a finite number but got an int of"),
        # Padding keeps its constant as it is, or says that it cannot.
        (
            lambda i: flow.pad(i, [(1, 0)], 1.5),
            "expects an int to combine with a blob of int32 but got 1.5",
        ),
        (
            lambda i: flow.pad(i, [(1, 0)], 2**40),
            "expects an int that int32 can hold but got 1099511627776",
        ),
        (
            lambda i: flow.pad(i, [(1, 0)], NAN),
            "expects an int to combine with a blob of int32 but got nan",
        ),
        (
            lambda i: flow.pad(flow.cast(i, flow.int64), [(1, 0)], 2**53 + 1),
            "expects a constant_value that float64 can hold but got 9007199254740993",
        ),
        (lambda i: flow.pad(i, [(1, 0)], "a"), "expects a number but got 'a'"),
        (lambda i: flow.pad(i, [(1, 0)], None), "expects a number but got None"),
    ],
)
def test_numbers_must_fit_their_element_type(body, text):
    with raises_here(flow.errors.JobMLIRError, "job job, op ", text):
        trace(body, (4,), flow.int32)


def test_numbers_at_the_ends_of_their_element_type():
    i = np.arange(2, dtype=np.int32)

    def body(i):
        low = flow.pad(i + (-(2**31)), [(0, 1)], -(2**31))
        return low + flow.constant(2**31 - 1, flow.int32)

    job = define_unary(body, (2,), flow.int32)
    assert job(i).tolist() == [-1, 0, -1]


def test_constants_at_the_ends_of_their_element_type():
    """What is nearer to the largest float32 than to the next is that one."""
    most = float(np.finfo(np.float32).max)

    def body(x):
        ends = [flow.constant(v, flow.float) for v in (most * (1 + 1e-8), -INF, NAN)]
        return flow.concat(ends)

    np.testing.assert_array_equal(
        define_unary(body)(np.zeros((2, 3), np.float32)),
        np.array([most, -INF, NAN], np.float32),
    )


def test_a_range_of_more_numbers_than_its_type_has_positive_ones():
    job = define_unary(lambda x: flow.range(-100, 100, dtype=flow.int8))
    counted = job(np.zeros((2, 3), np.float32))
    np.testing.assert_array_equal(counted, np.arange(-100, 100, dtype=np.int8))


@pytest.mark.parametrize("scale", [HUGE_CASE, "a", None])
def test_a_slope_is_a_number(scale):
    with raises_here(flow.errors.JobMLIRError, "op LeakyRelu: expects a number"):
        trace(lambda x: flow.nn.leaky_relu(x, scale))


@pytest.mark.parametrize("value", [NAN, INF, HUGE_CASE])
def test_initializers_and_rates_are_finite(value):
    for make, what in (
        (flow.constant_initializer, "value"),
        (lambda v: flow.random_uniform_initializer(0, v), "maxval"),
        (lambda v: flow.random_normal_initializer(stddev=v), "stddev"),
        (flow.variance_scaling_initializer, "scale"),
    ):
        with raises_here(AssertionError, f"expects {what} to be finite but got "):
            make(value)
    schedule = flow.optimizer.PiecewiseConstantScheduler
    for make in (
        lambda: schedule([], [value]),
        lambda: flow.optimizer.CosineScheduler(value, 10),
        lambda: flow.optimizer.SGD(schedule([], [0.1]), loss_scale_factor=value),
    ):
        with raises_here(flow.errors.TrainConfError, "to be finite but got "):
            make()


@pytest.mark.parametrize("value", [INF, HUGE_CASE])
def test_epsilons_and_scales_are_finite(value):
    for body, what in (
        (lambda x: flow.nn.layer_norm(x, epsilon=value), "epsilon"),
        (lambda x: flow.layers.batch_normalization(x, epsilon=value), "epsilon"),
        (lambda x: flow.nn.attention(x, x, x, scale=value), "scale"),
    ):
        define_unary(body, IMAGE)
        with raises_here(AssertionError, f"{what} to be finite but got "):
            flow.dump_ir()


def test_steps_have_64_bits():
    with raises_here(AssertionError, "expects each boundary to be below 2^63 but got"):
        flow.optimizer.PiecewiseConstantScheduler([2**63], [0.1, 0.2])


# ===- Names ---------------------------------------------------------------===#

HALF = "\ud800"
ENCODES = "to be text that UTF-8 can encode but got '\\ud800'"


@pytest.mark.parametrize(
    "body, what",
    [
        (lambda x: flow.nn.relu(x, name=HALF), "an op"),
        (lambda x: ones(HALF, (4,)), "a variable"),
        (lambda x: flow.layers.dense(x, 2, name=HALF), "a layer"),
    ],
)
def test_names_in_a_job_can_be_encoded(body, what):
    with raises_here(AssertionError, f"job job: expects the name of {what} {ENCODES}"):
        trace(body)


def test_other_names_can_be_encoded():
    def job(x: tp.Numpy.Placeholder((2,))):
        return {HALF: x}

    flow.global_function()(job)
    with raises_here(NotImplementedError, f"expects the key of a result {ENCODES}"):
        flow.dump_ir()
    job.__name__ = HALF
    with raises_here(NotImplementedError, f"expects the name of a job {ENCODES}"):
        flow.global_function()(job)
    with raises_here(AssertionError, "expects the name of a namespace but got"):
        flow.scope.namespace(HALF)
    with raises_here(
        AssertionError, "expects text that UTF-8 can encode for config.compiler_cpu"
    ):
        flow.config.compiler_cpu(HALF)

    def keyed(x={HALF: flow.FixedTensorDef((2,))}):
        return x[HALF]

    with raises_here(NotImplementedError, "expects the name of a parameter to be text"):
        flow.function(flow.function_config())(keyed)


def test_paths_can_be_encoded(tmp_path):
    define_unary(lambda x: x)
    path, checkpoint = str(tmp_path / HALF), flow.train.CheckPoint()
    for use, what in ((checkpoint.save, "save to"), (checkpoint.load, "load from")):
        with raises_here(
            AssertionError, f"expects a path that UTF-8 can encode to {what} but got '"
        ):
            use(path)
    with raises_here(flow.errors.TraceError, "expects a path that UTF-8 can encode to"):
        flow.profiler.trace(path)
    for use in (checkpoint.save, checkpoint.load, flow.profiler.trace):
        with raises_here(
            flow.errors.JobMLIRError, "expects a path without null characters to"
        ):
            use(str(tmp_path / "a\0b"))
    assert not list(tmp_path.iterdir())
    for entry in (HALF, 3):
        with raises_here(AssertionError, "expects the name of a job to draw but got"):
            flow.graph_svg(entry=entry)


def test_a_file_whose_name_is_no_utf8():
    """Python has half pairs for the bytes of such a name."""
    code = compile("def body(x): return flow.nn.relu(x)", "a\udcff.py", "exec")
    names = {"flow": flow}
    exec(code, names)
    assert "relu" in trace(names["body"])
    assert frames.function_frames(names["body"])[0][0] == "a\\udcff.py"
