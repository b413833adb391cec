"""The values of all ops on the CPU, beside the same in NumPy."""

import ast
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


def _words(node):
    """The names, attributes and words of strings of a piece of code."""
    for each in ast.walk(node):
        if isinstance(each, ast.Name):
            yield each.id
        elif isinstance(each, ast.Attribute):
            yield each.attr
        elif isinstance(each, ast.keyword) and each.arg:
            yield each.arg
        elif isinstance(each, (ast.FunctionDef, ast.ClassDef)):
            yield each.name
        elif isinstance(each, ast.Constant) and isinstance(each.value, str):
            yield from re.findall(r"\w+", each.value)


def _pieces(path):
    """The code at the top level of a module, by the names that it defines. A module
    of the tests that is imported stands for all of its code."""
    pieces = {}
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                module = getattr(node, "module", None) or alias.name
                other = path.with_name(f"{module}.py")
                if other.exists():
                    name = alias.asname or alias.name
                    pieces.setdefault(name, []).append(ast.parse(other.read_text()))
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            pieces.setdefault(node.name, []).append(node)
            # A list that it adds to is made by it, too.
            for each in ast.walk(node):
                if isinstance(each, ast.Attribute) and each.attr == "append":
                    for name in _words(each.value):
                        pieces.setdefault(name, []).append(node)
        else:
            for each in ast.walk(node):
                called = isinstance(each, ast.Call) and isinstance(each.func, ast.Name)
                if called:
                    pieces.setdefault(each.func.id, []).append(node)
                elif isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                    pieces.setdefault(each.id, []).append(node)
    return pieces


def _used(pieces, test):
    """The words of a test and of what it refers to in its module."""
    words, waiting = set(), [test]
    while waiting:
        for piece in pieces.pop(waiting.pop(), ()):
            found = set(_words(piece))
            words |= found
            waiting += found
    return words


_COMPARES = re.compile(
    r"\bassert .*(==|!=|<|>)|assert_(allclose|array_equal|array_less)|\bclose\(|"
    r"\bcheck\(|\bmoments\(|\bkstest\(|raises"
)


@pytest.mark.parametrize("name", op_references.ELSEWHERE)
def test_what_is_compared_elsewhere_has_that_test(name, request):
    file, _, test = op_references.ELSEWHERE[name].partition("::")
    path = request.path.parent / file
    pieces = _pieces(path)
    assert test in pieces, f"expects a test {test} in {file}"
    body = pieces[test][0]
    assert _COMPARES.search(ast.unparse(body)), f"expects {test} to compare values"
    assert name.rpartition(".")[2] in _used(pieces, test), (
        f"expects {test} or what it refers to in {file} to use {name}"
    )
