"""Test cases of programs that use jobs, and how many devices and machines they run on,
by environment variables."""

from __future__ import annotations

import glob
import importlib.util
import inspect
import os
import typing
import unittest
from collections.abc import Callable, MutableMapping
from typing import Any

from . import arguments, default_session, environment, errors, names, switches

_F = typing.TypeVar("_F")

_fail = errors.failing(errors.ArgumentError)


def _is_on(variable):
    return os.environ.get(variable) == "1"


def eager_execution_enabled() -> bool:
    """Whether ONEFLOW_TEST_ENABLE_EAGER is 1.

    Returns:
        False without it.
    """
    return _is_on("ONEFLOW_TEST_ENABLE_EAGER")


def typing_check_enabled() -> bool:
    """Whether ONEFLOW_TEST_ENABLE_TYPING_CHECK is 1.

    Returns:
        False without it.
    """
    return _is_on("ONEFLOW_TEST_ENABLE_TYPING_CHECK")


def has_node_list() -> bool:
    """Whether ONEFLOW_TEST_NODE_LIST is set.

    Returns:
        False without it.
    """
    return bool(os.environ.get("ONEFLOW_TEST_NODE_LIST"))


def node_list() -> list[str]:
    """The machines of ONEFLOW_TEST_NODE_LIST, which commas separate.

    Returns:
        Their names.
    """
    return [
        node.strip() for node in os.environ.get("ONEFLOW_TEST_NODE_LIST", "").split(",")
    ]


def node_size() -> int:
    """The number of machines.

    Returns:
        1 without ONEFLOW_TEST_NODE_LIST.
    """
    return len(node_list()) if has_node_list() else 1


def device_num() -> int:
    """The number of devices of a machine, ONEFLOW_TEST_DEVICE_NUM.

    Returns:
        1 without it.

    Raises:
        ArgumentError: It is no positive int.
    """
    text = os.environ.get("ONEFLOW_TEST_DEVICE_NUM", "1")
    if not text.isdecimal() or int(text) < 1:
        _fail(f"expects ONEFLOW_TEST_DEVICE_NUM to be a positive int but got {text!r}")
    return int(text)


class _Environment(names.Group):
    eager_execution_enabled = staticmethod(eager_execution_enabled)
    typing_check_enabled = staticmethod(typing_check_enabled)
    has_node_list = staticmethod(has_node_list)
    node_list = staticmethod(node_list)
    node_size = staticmethod(node_size)
    device_num = staticmethod(device_num)


env = _Environment("unittest.env")


class TestCase(unittest.TestCase):
    """A test case with a session of its own for each test."""

    def setUp(self) -> None:
        """Starts a new session, with the switches of the environment."""
        environment.init()
        default_session.clear_default_session()
        switches.enable_eager_execution(eager_execution_enabled())
        switches.enable_typing_check(typing_check_enabled())


def _skip_unless(nodes: int, devices: int) -> Callable[[], Callable[[_F], _F]]:
    def skip() -> Callable[[_F], _F]:
        if (node_size(), device_num()) == (nodes, devices):
            return lambda test: test
        return unittest.skip(
            f"only runs when node_size is {nodes} and device_num is {devices}"
        )

    skip.__name__ = skip.__qualname__ = f"skip_unless_{nodes}n{devices}d"
    skip.__doc__ = (
        f"Skips a test unless it runs on {nodes} x {devices} devices.\n\n"
        "Returns:\n    A decorator."
    )
    return skip


skip_unless_1n1d = _skip_unless(1, 1)
skip_unless_1n2d = _skip_unless(1, 2)
skip_unless_1n4d = _skip_unless(1, 4)
skip_unless_2n1d = _skip_unless(2, 1)
skip_unless_2n2d = _skip_unless(2, 2)
skip_unless_2n4d = _skip_unless(2, 4)


def num_nodes_required(num_nodes: int) -> Callable[[_F], _F]:
    """Marks a test function with the number of machines that it needs.

    Args:
        num_nodes: The number.

    Returns:
        A decorator.

    Raises:
        ArgumentError: It is no positive int.
    """
    if not arguments.is_int(num_nodes) or num_nodes < 1:
        _fail(f"expects a positive number of machines but got {num_nodes!r}")

    def decorator(function):
        function.__oneflow_test_case_num_nodes_required__ = num_nodes
        return function

    return decorator


def _load(path):
    spec = importlib.util.spec_from_file_location(
        os.path.splitext(os.path.basename(path))[0], path
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def register_test_cases(
    scope: MutableMapping[str, Any],
    directory: str,
    filter_by_num_nodes: Callable[[int], bool],
    base_class: type[unittest.TestCase] = unittest.TestCase,
) -> None:
    """Makes a test case of each file test_*.py of a folder.

    Its tests are the functions test* of the file, which take the test case.

    Args:
        scope: Where the test cases go, under the names of the files, such as globals().
        directory: The folder.
        filter_by_num_nodes: Whether a test runs, by the number of machines that it
            needs.
        base_class: The base class of the test cases.

    Raises:
        ArgumentError: There is no such folder.
    """
    if not os.path.isdir(directory):
        _fail(f"expects a folder of tests but got {directory!r}")
    for path in sorted(glob.glob(os.path.join(glob.escape(directory), "test_*.py"))):
        module = _load(path)
        tests = {
            name: function
            for name, function in vars(module).items()
            if name.startswith("test")
            and inspect.isfunction(function)
            and filter_by_num_nodes(
                getattr(function, "__oneflow_test_case_num_nodes_required__", 1)
            )
        }
        scope[module.__name__] = type(module.__name__, (base_class,), tests)
