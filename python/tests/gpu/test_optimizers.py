"""Optimizers on the simulated CUDA, beside their transcription in NumPy."""

import pytest

import optimizer_table as table

STEPS = 3


@pytest.mark.parametrize("case", table.CASES, ids=lambda case: case.name)
def test_rules(case):
    results, expected = table.run_case(case, STEPS)
    table.check(results, expected, 1e-4)
