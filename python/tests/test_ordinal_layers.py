"""layers.categorical_ordinal_encoder: ids and their numbers, against a dictionary."""

import typing

import jobmlir as flow
import jobmlir.typing as tp
import numpy as np
import pytest
from jobmlir import errors

RANDOM = np.random.default_rng(11)


class Encoder:
    """What the layer is to do."""

    def __init__(self, capacity):
        self.capacity = capacity
        self.numbers = {}

    def __call__(self, ids):
        return np.array([self.number(int(i)) for i in ids.ravel()], ids.dtype).reshape(
            ids.shape
        )

    def number(self, id):
        if id and id not in self.numbers and len(self.numbers) < self.capacity:
            self.numbers[id] = len(self.numbers) + 1
        return self.numbers.get(id, 0)


def define(shape, capacity, dtype=flow.int64):
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder(shape, dtype=dtype)) -> tp.Numpy:
        return flow.layers.categorical_ordinal_encoder(x, capacity, name="ids")

    return job


def check_table(encoder, dtype=np.int64):
    """The variables have the numbers, and each id where a search finds it."""
    values = flow.get_all_variables()
    table = values["ids-Table"].numpy().reshape(-1, 2)
    capacity = len(table)
    assert values["ids-Size"].numpy() == [len(encoder.numbers)]
    assert table.dtype == dtype
    assert {int(k): int(v) for k, v in table if k} == encoder.numbers
    for id in encoder.numbers:
        slot = id % 2**64 % capacity
        while table[slot, 0] != id:
            assert table[slot, 0] != 0
            slot = (slot + 1) % capacity


@pytest.mark.parametrize("dtype", [flow.int32, flow.int64])
def test_ids_are_numbered_in_the_order_of_their_first_occurrence(dtype):
    numpy_type = flow.convert_oneflow_dtype_to_numpy_dtype(dtype)
    job, encoder = define((4, 50), 1000, dtype), Encoder(1000)
    limits = np.iinfo(numpy_type)
    tokens = RANDOM.integers(limits.min, limits.max, 600, numpy_type)
    for _ in range(10):
        x = RANDOM.choice(tokens, (4, 50))
        y = job(x)
        assert y.dtype == numpy_type
        np.testing.assert_array_equal(y, encoder(x))
    assert len(encoder.numbers) > 500
    check_table(encoder, numpy_type)


def test_small_ids_and_zero():
    job, encoder = define((6,), 8), Encoder(8)
    for x in ([5, 0, 5, 13, -1, 21], [0, 0, 0, 0, 0, 0], [21, 29, -9, 5, 0, -1]):
        x = np.array(x)
        np.testing.assert_array_equal(job(x), encoder(x))
    check_table(encoder)


@pytest.mark.parametrize("capacity", [1, 2, 3, 7, 100])
def test_ids_that_do_not_fit_have_the_number_zero(capacity):
    job, encoder = define((40,), capacity), Encoder(capacity)
    for _ in range(10):
        x = RANDOM.integers(-60, 60, 40)
        np.testing.assert_array_equal(job(x), encoder(x))
    assert len(encoder.numbers) == capacity
    check_table(encoder)


@pytest.mark.parametrize("threads", [1, 3])
def test_large_tables_on_several_threads(threads):
    flow.config.compute_thread_pool_size(threads)
    job, encoder = define((20000,), 50000), Encoder(50000)
    for _ in range(3):
        x = RANDOM.integers(-40000, 40000, 20000)
        np.testing.assert_array_equal(job(x), encoder(x))
    check_table(encoder)


def test_two_encoders_and_one_that_is_used_again():
    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder((20,), dtype=flow.int64),
        y: tp.Numpy.Placeholder((20,), dtype=flow.int64),
    ) -> typing.Tuple[tp.Numpy, tp.Numpy, tp.Numpy]:
        encode = flow.layers.categorical_ordinal_encoder
        first = encode(x, 100, name="ids")
        again = encode(y, 100, name="ids", reuse=True)
        return first, again, encode(y, 100)

    one, other = Encoder(100), Encoder(100)
    for _ in range(3):
        x, y = RANDOM.integers(0, 50, (2, 20))
        first, again, alone = job(x, y)
        np.testing.assert_array_equal(first, one(x))
        np.testing.assert_array_equal(again, one(y))
        np.testing.assert_array_equal(alone, other(y))
    check_table(one)
    assert "CategoricalOrdinalEncoder-Table" in flow.get_all_variables()


def test_jobs_share_the_table():
    @flow.global_function()
    def few(x: tp.Numpy.Placeholder((3,), dtype=flow.int64)) -> tp.Numpy:
        return flow.layers.categorical_ordinal_encoder(x, 64, name="ids")

    @flow.global_function()
    def many(x: tp.Numpy.Placeholder((30,), dtype=flow.int64)) -> tp.Numpy:
        return flow.layers.categorical_ordinal_encoder(x, 64, name="ids")

    encoder = Encoder(64)
    for job, count in ((few, 3), (many, 30), (few, 3)):
        x = RANDOM.integers(0, 60, count)
        np.testing.assert_array_equal(job(x), encoder(x))


def test_a_checkpoint_has_the_table(tmp_path):
    encoder = Encoder(50)
    job = define((30,), 50)
    x = RANDOM.integers(1, 100, 30)
    np.testing.assert_array_equal(job(x), encoder(x))
    flow.checkpoint.save(str(tmp_path / "snapshot"))

    flow.clear_default_session()
    job = define((30,), 50)
    flow.load_variables(flow.checkpoint.get(str(tmp_path / "snapshot")))
    x = RANDOM.integers(1, 100, 30)
    np.testing.assert_array_equal(job(x), encoder(x))
    check_table(encoder)


def test_training_with_an_embedding():
    @flow.global_function(type="train")
    def train(x: tp.Numpy.Placeholder((16,), dtype=flow.int64)) -> tp.Numpy:
        numbers = flow.layers.categorical_ordinal_encoder(x, 30, name="ids")
        table = flow.get_variable(
            "embedding", (31, 4), initializer=flow.ones_initializer()
        )
        loss = flow.math.reduce_sum(
            flow.math.square(flow.gather(table, numbers)), axis=1
        )
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
        flow.optimizer.SGD(rate).minimize(loss)
        return loss

    tokens = RANDOM.integers(1, 2**60, 20)
    losses = [train(RANDOM.choice(tokens, 16)).mean() for _ in range(60)]
    assert losses[0] == 4 and losses[-1] < 2
    table = flow.get_all_variables()["embedding"].numpy()
    # Rows of ids that have occurred.
    assert (table[1:21] < 1).all() and (table[[0, *range(21, 31)]] == 1).all()


ARGUMENTS = [
    (
        lambda x: flow.layers.categorical_ordinal_encoder(
            flow.cast(x, flow.float), 10
        ),
        "expects input_tensor of int32 or int64 but got float32",
    ),
    (
        lambda x: flow.layers.categorical_ordinal_encoder(x, 0),
        "expects capacity to be a positive int but got 0",
    ),
    (
        lambda x: flow.layers.categorical_ordinal_encoder(x, 2.0),
        "expects capacity to be a positive int but got 2.0",
    ),
    (
        lambda x: flow.layers.categorical_ordinal_encoder(x, 10, False),
        "expects hash_precomputed to be True, for ids that are their own hash, but got "
        "False",
    ),
    (
        lambda x: flow.layers.categorical_ordinal_encoder(flow.unpack(x, 2), 10),
        r"expects a per-step input_tensor but got a per-micro-step blob \(2 "
        r"micro-steps\)",
    ),
]


@pytest.mark.parametrize("function, message", ARGUMENTS)
def test_arguments(function, message):
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((4,), dtype=flow.int64)) -> tp.Numpy:
        return function(x)

    with pytest.raises(errors.JobBuildAndInferError, match=message):
        job(np.zeros(4, np.int64))
