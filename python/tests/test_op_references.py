"""The values of all ops on the CPU, beside the same in NumPy."""

import re

import pytest

import op_references


@pytest.mark.parametrize("case", op_references.CASES, ids=str)
def test_values(case):
    op_references.check("cpu", case)


@pytest.mark.parametrize("name", list(op_references.public_ops()))
def test_every_op_is_compared(name):
    assert op_references.is_compared(name), (
        f"expects a case of {name} in python/tests/reference_*.py"
    )


def test_cases_are_of_public_ops():
    ops = set(op_references.public_ops())
    assert {case.name for case in op_references.CASES} <= ops
    assert set(op_references.ELSEWHERE) <= ops
    assert not {case.name for case in op_references.CASES} & set(
        op_references.ELSEWHERE
    )


@pytest.mark.parametrize("name", op_references.ELSEWHERE)
def test_what_is_compared_elsewhere_has_that_test(name, request):
    file, _, test = op_references.ELSEWHERE[name].partition("::")
    text = (request.path.parent / file).read_text()
    (body,) = re.findall(rf"^def {test}\(.*?(?=^\S|\Z)", text, re.MULTILINE | re.DOTALL)
    word = re.escape(name.rpartition(".")[2])
    assert re.search(rf"\b{word}\b", text), f"expects a use of {name} in {file}"
    assert re.search(r"\bassert|raises", body)
