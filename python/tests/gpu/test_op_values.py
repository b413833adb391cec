"""The values of all ops on the simulated CUDA, beside the same in NumPy."""

import pytest

import op_references


@pytest.mark.parametrize("case", op_references.CASES, ids=str)
def test_values(case):
    op_references.check("gpu", case)
