"""Files of records, and jobs that read them, which several tests use."""

import numpy as np

import jobmlir as flow
import jobmlir.typing as tp


def write_parts(folder, sizes, digits=0):
    """Files with the ids 0, 1, ... of their records."""
    first = 0
    for part, size in enumerate(sizes):
        flow.data.write_ofrecord(
            folder / f"part-{part:0{digits}d}",
            [
                {"id": np.int32([i]), "x": np.float32([i, -i])}
                for i in range(first, first + size)
            ],
        )
        first += size


def define_ids(folder, name="job", **settings):
    """A job that returns the ids of its records."""

    def job() -> tp.Numpy:
        records = flow.data.ofrecord_reader(str(folder), name="reader", **settings)
        return flow.data.OFRecordRawDecoder(records, "id", shape=(), dtype=flow.int32)

    job.__name__ = name
    return flow.global_function()(job)


def ids(job, steps):
    return [list(job()) for _ in range(steps)]


def decode(folder, values, shape, dtype, **settings):
    flow.clear_default_session()
    flow.data.write_ofrecord(folder / "part-0", [{"v": value} for value in values])

    @flow.global_function()
    def job() -> tp.Numpy:
        records = flow.data.ofrecord_reader(str(folder), batch_size=len(values))
        return flow.data.OFRecordRawDecoder(records, "v", shape, dtype, **settings)

    return job()
