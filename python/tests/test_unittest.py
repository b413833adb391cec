"""jobmlir.unittest: what the tests of programs that use jobs are written with."""

import unittest

import pytest

import jobmlir as flow
from jobmlir import errors
from jobmlir._src.default_session import get_default_session
from models import define_unary, raises_here

VARIABLES = ("DEVICE_NUM", "NODE_LIST", "ENABLE_EAGER", "ENABLE_TYPING_CHECK")


@pytest.fixture(autouse=True)
def variables(monkeypatch):
    """Sets a variable of the environment, of which there is none at first."""
    for name in VARIABLES:
        monkeypatch.delenv(f"ONEFLOW_TEST_{name}", raising=False)
    return lambda name, value: monkeypatch.setenv(f"ONEFLOW_TEST_{name}", value)


def run(cls):
    """The result of the tests of a test case."""
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(cls).run(result)
    return result


def test_environment(variables):
    env = flow.unittest.env
    assert not env.eager_execution_enabled() and not env.typing_check_enabled()
    assert not env.has_node_list()
    assert (env.node_size(), env.device_num()) == (1, 1)
    variables("DEVICE_NUM", "4")
    variables("NODE_LIST", "192.168.1.1, 192.168.1.2")
    variables("ENABLE_EAGER", "1")
    variables("ENABLE_TYPING_CHECK", "1")
    assert env.eager_execution_enabled() and env.typing_check_enabled()
    assert env.has_node_list()
    assert env.node_list() == ["192.168.1.1", "192.168.1.2"]
    assert (env.node_size(), env.device_num()) == (2, 4)


@pytest.mark.parametrize("value", ["0", "many", "-1"])
def test_the_number_of_devices_is_checked(variables, value):
    variables("DEVICE_NUM", value)
    with raises_here(
        errors.ArgumentError,
        f"expects ONEFLOW_TEST_DEVICE_NUM to be a positive int but got {value!r}",
    ):
        flow.unittest.env.device_num()


def test_each_test_has_a_session(variables):
    seen = []

    class Case(flow.unittest.TestCase):
        def test_a(self):
            seen.append(get_default_session())
            self.assertFalse(get_default_session().jobs)
            define_unary(lambda x: x)

        test_b = test_a

    result = run(Case)
    assert result.wasSuccessful(), result.failures + result.errors
    assert seen[0] is not seen[1]


def test_switches_come_from_the_environment(variables):
    class Case(flow.unittest.TestCase):
        def test_eager(self):
            self.assertTrue(flow.eager_execution_enabled())

        def test_typing(self):
            with self.assertRaises(errors.JobDefinitionError):

                @flow.global_function()
                def job(x=flow.FixedTensorDef((2,))):
                    return x

    assert len(run(Case).failures) == 2
    variables("ENABLE_EAGER", "1")
    variables("ENABLE_TYPING_CHECK", "1")
    assert run(Case).wasSuccessful()


SIZES = ("1n1d", "1n2d", "1n4d", "2n1d", "2n2d", "2n4d")


@pytest.mark.parametrize("size", SIZES)
def test_tests_are_skipped_by_the_number_of_devices(variables, size):
    nodes, devices = int(size[0]), int(size[2])
    variables("DEVICE_NUM", str(devices))
    variables("NODE_LIST", ",".join("ab"[:nodes]))

    class Case(flow.unittest.TestCase):
        pass

    for other in SIZES:
        skip = getattr(flow.unittest, f"skip_unless_{other}")
        setattr(Case, f"test_{other}", skip()(lambda self: None))
    result = run(Case)
    assert result.testsRun == len(SIZES) and result.wasSuccessful()
    assert len(result.skipped) == len(SIZES) - 1
    reasons = {reason for _, reason in result.skipped}
    assert f"only runs when node_size is {nodes} and device_num is {devices}" not in (
        reasons
    )


def test_a_class_can_be_skipped():
    @flow.unittest.skip_unless_2n4d()
    class Case(flow.unittest.TestCase):
        def test_a(self):
            raise AssertionError

    assert len(run(Case).skipped) == 1


def test_files_become_test_cases(tmp_path):
    (tmp_path / "test_one.py").write_text(
        "import jobmlir as flow\n"
        "import os\n"
        "def test_a(test_case):\n    test_case.assertEqual(os.sep, '/')\n"
        "@flow.unittest.num_nodes_required(2)\n"
        "def test_b(test_case):\n    test_case.fail('two')\n"
        "def helper(test_case):\n    test_case.fail('none')\n"
    )
    (tmp_path / "other.py").write_text("raise AssertionError\n")
    scope = {}
    flow.unittest.register_test_cases(
        scope, str(tmp_path), lambda nodes: nodes == 1, flow.unittest.TestCase
    )
    assert list(scope) == ["test_one"]
    assert issubclass(scope["test_one"], flow.unittest.TestCase)
    result = run(scope["test_one"])
    assert (result.testsRun, result.wasSuccessful()) == (1, True)
    flow.unittest.register_test_cases(scope, str(tmp_path), lambda nodes: nodes == 2)
    assert [str(test).split()[0] for test, _ in run(scope["test_one"]).failures] == [
        "test_b"
    ]


def test_registration_is_checked(tmp_path):
    with raises_here(AssertionError, "expects a folder of tests but got"):
        flow.unittest.register_test_cases({}, str(tmp_path / "none"), bool)
    with raises_here(AssertionError, "expects a positive number of machines but got 0"):
        flow.unittest.num_nodes_required(0)
