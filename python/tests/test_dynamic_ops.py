"""Dynamic blobs that are resized, reshaped, joined and split, against NumPy."""

import typing

import jobmlir as flow
import jobmlir.typing as tp
import numpy as np
import pytest
from jobmlir import errors

RANDOM = np.random.default_rng(7)
INT64 = tp.Numpy.Placeholder((1,), dtype=flow.int64)


def numbers(*shape):
    return RANDOM.normal(size=shape).astype(np.float32)


def resized(function, shape, dtype=flow.float32):
    """A job of an array and of how many of its rows there are."""

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder(shape, dtype=dtype), n: INT64) -> tp.Numpy:
        return function(flow.sync_dynamic_resize(x, n))

    return lambda x, n: job(x, np.array([n]))


# ===- sync_dynamic_resize ----------------------------------------------------------===#


@pytest.mark.parametrize(
    "dtype", [flow.float, flow.double, flow.float16, flow.int8, flow.uint8, flow.int64]
)
def test_resize_of_every_element_type(dtype):
    job = resized(flow.identity, (6, 3), dtype)
    numpy_type = flow.convert_oneflow_dtype_to_numpy_dtype(dtype)
    x = RANDOM.integers(1, 100, (6, 3)).astype(numpy_type)
    for n in (0, 1, 4, 6):
        y = job(x, n)
        assert y.dtype == numpy_type
        np.testing.assert_array_equal(y, x[:n])


@pytest.mark.parametrize("n", [-1, 7, 2**40])
def test_a_size_that_is_too_large_is_an_error(n):
    job = resized(flow.identity, (6, 3))
    with pytest.raises(errors.JobMLIRError, match=f"a count of 0 to 6 but got {n}"):
        job(numbers(6, 3), n)


def test_the_different_elements_alone():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((30,))) -> typing.Tuple[tp.Numpy, tp.Numpy]:
        y, _, counts, size = flow.experimental.unique_with_counts(x)
        return flow.sync_dynamic_resize(y, size), flow.sync_dynamic_resize(counts, size)

    x = np.sort(np.rint(5 * RANDOM.random(30))).astype(np.float32)
    for got, wanted in zip(job(x), np.unique(x, return_counts=True), strict=True):
        np.testing.assert_array_equal(got, wanted)


def test_a_loss_of_the_rows_that_there_are():
    """Gradients are those of the rows before the count."""

    @flow.global_function(type="train")
    def train(x: tp.Numpy.Placeholder((8, 3)), n: INT64) -> tp.Numpy:
        w = flow.get_variable("w", (8, 3), initializer=flow.ones_initializer())
        rows = flow.sync_dynamic_resize(w * x, n)
        loss = flow.math.square(flow.pad_to_static(rows, 5.0))
        rate = flow.optimizer.PiecewiseConstantScheduler([], [24 * 0.1])
        flow.optimizer.SGD(rate).minimize(loss)
        return loss

    x = numbers(8, 3)
    loss = train(x, np.array([5]))
    np.testing.assert_allclose(loss[:5], x[:5] ** 2, rtol=1e-6)
    np.testing.assert_array_equal(loss[5:], 25)
    w = flow.get_all_variables()["w"].numpy()
    np.testing.assert_allclose(w[:5], 1 - 0.2 * x[:5] ** 2, rtol=1e-5)
    np.testing.assert_array_equal(w[5:], 1)


# ===- nonzero ----------------------------------------------------------------------===#


@pytest.mark.parametrize("shape", [(12,), (3, 4), (5, 6, 7), (2, 1, 3, 2)])
def test_nonzero(shape):
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder(shape)) -> tp.Numpy:
        found = flow.nonzero(x)
        bound = (len(shape), np.prod(shape))
        assert (found.shape, found.is_dynamic, found.dtype) == (bound, True, flow.int32)
        return found

    for fraction in (0, 0.1, 0.5, 1):
        x = np.where(RANDOM.random(shape) < fraction, 2, 0).astype(np.float32)
        y = job(x)
        assert y.flags.c_contiguous
        np.testing.assert_array_equal(y, np.stack(np.nonzero(x)))


def test_nonzero_of_steps_in_flight():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((4, 50))) -> tp.Callback[tp.Numpy]:
        return flow.nonzero(x)

    inputs = [
        (RANDOM.random((4, 50)) < part).astype(np.float32)
        for part in np.linspace(0, 1, 12)
    ]
    results = []
    for x in inputs:
        job(x)(results.append)
    flow.sync_default_session()
    for x, y in zip(inputs, results, strict=True):
        np.testing.assert_array_equal(y, np.stack(np.nonzero(x)))


def test_nonzero_is_watched_and_padded():
    seen = []

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((3, 4))) -> tp.Numpy:
        found = flow.nonzero(x)
        flow.watch(found, lambda y: seen.append(y.numpy()))
        return flow.pad_to_static(found, -1)

    x = (RANDOM.random((3, 4)) < 0.4).astype(np.float32)
    wanted = np.stack(np.nonzero(x))
    padded = np.full((2, 12), -1)
    padded[:, : wanted.shape[1]] = wanted
    np.testing.assert_array_equal(job(x), padded)
    np.testing.assert_array_equal(seen[0], wanted)


# ===- Reshape ----------------------------------------------------------------------===#

RESHAPES = [
    (lambda x: flow.dynamic_reshape(x, (-1,)), lambda x: x.reshape(-1)),
    (lambda x: flow.dynamic_reshape(x, (-1, 2)), lambda x: x.reshape(-1, 2)),
    (lambda x: flow.reshape(x, (-1, 3, 2)), lambda x: x.reshape(-1, 3, 2)),
    (lambda x: flow.dynamic_reshape(x, (2, -1)), lambda x: x.reshape(2, -1)),
    (lambda x: flow.dynamic_reshape(x, (3, -1, 2)), lambda x: x.reshape(3, -1, 2)),
    (
        lambda x: flow.reshape(flow.reshape(x, (6, -1)), (2, -1, 3)),
        lambda x: x.reshape(6, -1).reshape(2, -1, 3),
    ),
    (
        lambda x: flow.reshape(flow.reshape(x, (3, -1, 2)), (-1, 6)),
        lambda x: x.reshape(-1, 6),
    ),
]


@pytest.mark.parametrize("function, reference", RESHAPES)
def test_reshape(function, reference):
    job = resized(function, (7, 6))
    x = numbers(7, 6)
    for n in range(1, 8):
        np.testing.assert_array_equal(job(x, n), reference(x[:n]))
    assert job(x, 0).size == 0


def test_elements_must_make_whole_rows():
    job = resized(lambda x: flow.reshape(x, (-1, 4)), (7, 6))
    x = numbers(7, 6)
    np.testing.assert_array_equal(job(x, 6), x[:6].reshape(-1, 4))
    with pytest.raises(errors.JobMLIRError, match="a count of 0 to 10 but got -1"):
        job(x, 5)


def test_static_blobs_are_reshaped_as_well():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((4, 6))) -> tp.Numpy:
        return flow.dynamic_reshape(x, (3, -1))

    x = numbers(4, 6)
    np.testing.assert_array_equal(job(x), x.reshape(3, -1))


# ===- Concat -----------------------------------------------------------------------===#


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_concat(axis):
    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder((12,)), y: tp.Numpy.Placeholder((12,)), n: INT64
    ) -> typing.Tuple[tp.Numpy, tp.Numpy]:
        shape = (-1, 2) if axis == 0 else (2, -1)
        parts = [
            flow.reshape(flow.sync_dynamic_resize(x, n), shape),
            flow.constant(7, flow.float, (1, 2) if axis == 0 else (2, 1)),
            flow.reshape(flow.sync_dynamic_resize(y, 12 - n), shape),
        ]
        joined = flow.concat(parts, axis)
        assert joined.is_dynamic and max(joined.shape) == 13
        limited = flow.concat(parts, axis, max_dim_size=7)
        assert max(limited.shape) == 7
        return joined, limited

    x, y = numbers(12), numbers(12)
    for n in (0, 2, 4, 12):
        if axis == 0:
            parts = x[:n].reshape(-1, 2), np.full((1, 2), 7), y[: 12 - n].reshape(-1, 2)
        else:
            parts = (
                x[:n].reshape(2, n // 2),
                np.full((2, 1), 7),
                y[: 12 - n].reshape(2, -1),
            )
        for got in job(x, y, np.array([n])):
            np.testing.assert_array_equal(got, np.concatenate(parts, axis))


def test_more_rows_than_the_maximum_are_an_error():
    job = resized(lambda x: flow.concat([x, x], max_dim_size=9), (6, 3))
    x = numbers(6, 3)
    np.testing.assert_array_equal(job(x, 4), np.concatenate([x[:4], x[:4]]))
    with pytest.raises(errors.JobMLIRError, match="a count of 0 to 9 but got 10"):
        job(x, 5)


def test_static_blobs_have_a_maximum_too():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 3))) -> tp.Numpy:
        y = flow.concat([x, x], max_dim_size=10)
        assert (y.shape, y.is_dynamic) == ((4, 3), False)
        return y

    x = numbers(2, 3)
    np.testing.assert_array_equal(job(x), np.concatenate([x, x]))


# ===- Binary parts ------------------------------------------------------------------===#


def part_sizes(count, base, number):
    """How many elements each part has."""
    sizes, rest = [], count
    bounds = [base << max(number - 2 - i, 0) for i in range(number)]
    for bound in bounds[:-1]:
        sizes.append(bound if rest >= bound else 0)
        rest -= sizes[-1]
    return [*sizes, rest]


@pytest.mark.parametrize("dtype", [flow.float, flow.int8, flow.int64])
def test_binary_parts(dtype):
    base_shift, number = 4, 6
    numpy_type = flow.convert_oneflow_dtype_to_numpy_dtype(dtype)

    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder((20, 3), dtype=dtype), n: INT64
    ) -> typing.Tuple[typing.List[tp.Numpy], tp.Numpy]:
        rows = flow.sync_dynamic_resize(x, n)
        parts = flow.experimental.dynamic_binary_split(rows, base_shift, number)
        assert all(part.dtype == dtype and part.is_dynamic for part in parts)
        joined = flow.experimental.dynamic_binary_concat(
            [flow.identity(part) for part in parts], rows
        )
        assert (joined.shape, joined.is_dynamic) == ((20, 3), True)
        return parts, joined

    x = RANDOM.integers(1, 100, (20, 3)).astype(numpy_type)
    for n in range(0, 21):
        parts, joined = job(x, np.array([n]))
        base = (1 << base_shift) // np.dtype(numpy_type).itemsize
        assert [len(part) for part in parts] == part_sizes(3 * n, base, number)
        np.testing.assert_array_equal(np.concatenate(parts), x[:n].ravel())
        np.testing.assert_array_equal(joined, x[:n])


def test_binary_parts_of_an_inner_axis():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((4, 5))) -> tp.Numpy:
        found = flow.nonzero(x)
        parts = flow.experimental.dynamic_binary_split(found, 6, 3)
        return flow.experimental.dynamic_binary_concat(parts, found, "B")

    for fraction in (0, 0.4, 1):
        x = (RANDOM.random((4, 5)) < fraction).astype(np.float32)
        np.testing.assert_array_equal(job(x), np.stack(np.nonzero(x)))


# ===- Arguments ---------------------------------------------------------------------===#

split = flow.experimental.dynamic_binary_split
join = flow.experimental.dynamic_binary_concat
ARGUMENTS = [
    (
        lambda x, n: flow.sync_dynamic_resize(x, flow.cast(n, flow.float)),
        r"expects a size of int32 or int64 and shape \(1,\) but got float32 and \(1,\)",
    ),
    (
        lambda x, n: flow.reshape(flow.sync_dynamic_resize(x, n), (6, 4)),
        r"expects -1 for the extent of a dynamic blob but got \(6, 4\)",
    ),
    (
        lambda x, n: flow.reshape(flow.sync_dynamic_resize(x, n), (-1, 30)),
        r"expects extents of at most 24 elements, as a blob of at most \(8, 3\) has, "
        r"but got \(-1, 30\)",
    ),
    (
        lambda x, n: flow.concat([x, flow.sync_dynamic_resize(x, n)], axis=1),
        "expects blobs whose axis 1 may be dynamic but got one with a dynamic axis 0 "
        r"for inputs\[1\]",
    ),
    (
        lambda x, n: flow.concat([x, x], max_dim_size=15),
        "expects max_dim_size to be None or an int of at least 16, the sum of the "
        "extents that are not dynamic, but got 15",
    ),
    (
        lambda x, n: split(x, 1, 3),
        r"expects base_shift to be an int in \[2, 62\] but got 1",
    ),
    (
        lambda x, n: split(x, 4, 1),
        r"expects out_num to be an int in \[2, 62\] but got 1",
    ),
    (
        lambda x, n: split(x, 60, 3),
        "expects base_shift \\+ out_num to be at most 62 but got 63",
    ),
    (
        lambda x, n: split(x, 4, 3),
        "expects x of at most 64 bytes, as 3 blobs with a base_shift of 4 have, but got "
        "96",
    ),
    (
        lambda x, n: join([x], x),
        r"expects a list of at least two blobs but got \[<Blob x",
    ),
    (
        lambda x, n: join(split(x, 4, 4), flow.cast(x, flow.int32)),
        r"expects blobs of one axis and of int32 but got float32 and shape \(16,\) for "
        r"input_blob_list\[0\]",
    ),
    (
        lambda x, n: join(split(x, 4, 4), x, "S"),
        'expects source_sbp to be "S:0", "B" or "P" but got \'S\'',
    ),
]


@pytest.mark.parametrize("function, message", ARGUMENTS)
def test_arguments(function, message):
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((8, 3)), n: INT64) -> tp.Numpy:
        return function(x, n)

    with pytest.raises(errors.JobBuildAndInferError, match=message):
        job(numbers(8, 3), np.array([3]))


@pytest.mark.parametrize("size", [-1, 5])
def test_a_join_with_a_size_that_no_blob_has(size):
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((4,)), n: tp.Numpy.Placeholder((1,), flow.int32)):
        return flow.concat([flow.sync_dynamic_resize(x, n), x], axis=0)

    x = np.arange(4, dtype=np.float32)
    np.testing.assert_array_equal(
        job(x, np.int32([3])).get().numpy(), [0, 1, 2, 0, 1, 2, 3]
    )
    with pytest.raises(errors.JobMLIRError, match="a count of 0 to 8 but got -1"):
        job(x, np.int32([size])).get()


def test_a_size_that_is_one_element_of_a_blob():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((4, 2)), n: tp.Numpy.Placeholder((3,), flow.int64)):
        return flow.sync_dynamic_resize(x, flow.slice(n, [1], [1]))

    x = np.arange(8, dtype=np.float32).reshape(4, 2)
    np.testing.assert_array_equal(job(x, np.array([9, 3, 9])).get().numpy(), x[:3])
