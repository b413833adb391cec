"""Test cases of programs that use jobs, and how many devices and machines they run on,
by environment variables."""

import glob
import importlib.util
import inspect
import os
import unittest

from . import arguments, environment, errors, names, session, switches

_fail = errors.failing(errors.ArgumentError)


def _is_on(variable):
    return os.environ.get(variable) == "1"


def eager_execution_enabled():
    """Whether ONEFLOW_TEST_ENABLE_EAGER is 1."""
    return _is_on("ONEFLOW_TEST_ENABLE_EAGER")


def typing_check_enabled():
    """Whether ONEFLOW_TEST_ENABLE_TYPING_CHECK is 1."""
    return _is_on("ONEFLOW_TEST_ENABLE_TYPING_CHECK")


def has_node_list():
    """Whether ONEFLOW_TEST_NODE_LIST is set."""
    return bool(os.environ.get("ONEFLOW_TEST_NODE_LIST"))


def node_list():
    """The machines of ONEFLOW_TEST_NODE_LIST, which commas separate."""
    return [
        node.strip() for node in os.environ.get("ONEFLOW_TEST_NODE_LIST", "").split(",")
    ]


def node_size():
    """The number of machines."""
    return len(node_list()) if has_node_list() else 1


def device_num():
    """The number of devices of a machine, ONEFLOW_TEST_DEVICE_NUM (default: 1)."""
    text = os.environ.get("ONEFLOW_TEST_DEVICE_NUM", "1")
    if not text.isdecimal() or int(text) < 1:
        _fail(f"expects ONEFLOW_TEST_DEVICE_NUM to be a positive int but got {text!r}")
    return int(text)


env = names.Group(
    "unittest.env",
    eager_execution_enabled=eager_execution_enabled,
    typing_check_enabled=typing_check_enabled,
    has_node_list=has_node_list,
    node_list=node_list,
    node_size=node_size,
    device_num=device_num,
)


class TestCase(unittest.TestCase):
    """A test case with a session of its own for each test."""

    def setUp(self):
        environment.init()
        session.clear_default_session()
        switches.enable_eager_execution(eager_execution_enabled())
        switches.enable_typing_check(typing_check_enabled())


def _skip_unless(nodes, devices):
    def skip():
        if (node_size(), device_num()) == (nodes, devices):
            return lambda test: test
        return unittest.skip(
            f"only runs when node_size is {nodes} and device_num is {devices}"
        )

    skip.__name__ = skip.__qualname__ = f"skip_unless_{nodes}n{devices}d"
    skip.__doc__ = f"Skips a test unless it runs on {nodes} x {devices} devices."
    return skip


skip_unless_1n1d = _skip_unless(1, 1)
skip_unless_1n2d = _skip_unless(1, 2)
skip_unless_1n4d = _skip_unless(1, 4)
skip_unless_2n1d = _skip_unless(2, 1)
skip_unless_2n2d = _skip_unless(2, 2)
skip_unless_2n4d = _skip_unless(2, 4)


def num_nodes_required(num_nodes):
    """Marks a test function with the number of machines that it needs."""
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
    scope, directory, filter_by_num_nodes, base_class=unittest.TestCase
):
    """Makes a test case of each file test_*.py of a folder and puts it into `scope`,
    such as globals(), under the name of the file. Its tests are the file's functions
    test*, which take the test case, if `filter_by_num_nodes` of the number of machines
    that they need is true."""
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
