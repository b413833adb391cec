"""`python -m jobmlir run`: like python, with `import oneflow`."""

import os
import re
import shutil
import subprocess
import sys

import pytest

SCRIPT = """
import sys
import oneflow as flow
import oneflow.typing as tp
from oneflow.nn import relu
import jobmlir, helper
assert flow is jobmlir and tp is jobmlir.typing and relu is jobmlir.nn.relu
assert sys.modules["__main__"].__dict__ is globals()
print(__name__, sys.argv, helper.VALUE)
"""


def run(*arguments, cwd, expect=0):
    done = subprocess.run(
        [sys.executable, "-m", "jobmlir", *map(str, arguments)],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == expect, done.stderr
    return done


@pytest.fixture
def scripts(tmp_path):
    folder = tmp_path / "scripts"
    (folder / "package").mkdir(parents=True)
    (folder / "helper.py").write_text("VALUE = 42\n")
    (folder / "script.py").write_text(SCRIPT)
    (folder / "package" / "__init__.py").write_text("")
    (folder / "package" / "__main__.py").write_text(SCRIPT)
    return folder


def test_a_script(scripts, tmp_path):
    path = scripts / "script.py"
    done = run("run", path, "a", "--b", cwd=tmp_path)
    assert done.stdout == f"__main__ {[str(path), 'a', '--b']!r} 42\n"


def test_options_after_the_program_are_its_own(scripts, tmp_path):
    own = ["-m", "--", "-h", "--help", "--b=1", "-"]
    path = scripts / "script.py"
    assert run("run", path, *own, cwd=tmp_path).stdout.startswith(
        f"__main__ {[str(path), *own]!r}"
    )
    done = run("run", "-m", "script", *own, cwd=scripts)
    assert done.stdout.startswith(f"__main__ {[str(path), *own]!r}")


def test_a_module(scripts):
    done = run("run", "-m", "script", "a", cwd=scripts)
    assert done.stdout == f"__main__ {[str(scripts / 'script.py'), 'a']!r} 42\n"


def test_a_package(scripts):
    done = run("run", "-m", "package", cwd=scripts)
    main = str(scripts / "package" / "__main__.py")
    assert done.stdout == f"__main__ {[main]!r} 42\n"


def test_a_folder_or_zip_file_with_a_main_module(scripts, tmp_path):
    (scripts / "__main__.py").write_text(SCRIPT)
    shutil.make_archive(str(tmp_path / "scripts"), "zip", scripts)
    for path in (scripts, tmp_path / "scripts.zip"):
        done = run("run", path, "a", cwd=tmp_path)
        assert done.stdout == f"__main__ {[str(path), 'a']!r} 42\n"


def test_exit_status_and_traceback(tmp_path):
    (tmp_path / "exits.py").write_text("import sys\nsys.exit(7)\n")
    run("run", "exits.py", cwd=tmp_path, expect=7)
    (tmp_path / "fails.py").write_text("\nraise KeyError('mine')\n")
    done = run("run", "fails.py", cwd=tmp_path, expect=1)
    assert 'fails.py", line 2, in <module>' in done.stderr
    assert "KeyError: 'mine'" in done.stderr


def test_what_is_not_there(tmp_path):
    done = run("run", "missing.py", cwd=tmp_path, expect=2)
    assert "can't open file" in done.stderr and "missing.py" in done.stderr
    done = run("run", ".", cwd=tmp_path, expect=1)
    assert "can't find '__main__' module in '.'" in done.stderr
    done = run("run", "-m", "missing_module", cwd=tmp_path, expect=1)
    assert "No module named missing_module" in done.stderr
    done = run("run", "-m", "missing.module", cwd=tmp_path, expect=1)
    assert "No module named" in done.stderr


def test_modules_inside_of_oneflow_are_not_there(tmp_path):
    (tmp_path / "script.py").write_text(
        "try:\n"
        "    import oneflow.python.framework.session_context\n"
        "except ImportError:\n"
        "    import oneflow.core.operator.op_conf_pb2\n"
    )
    done = run("run", "script.py", cwd=tmp_path, expect=1)
    assert (
        "script.py:4: expects a module of the API but got oneflow.core, which is inside "
        "of OneFlow: use the functions of oneflow instead"
    ) in done.stderr.splitlines()[-1]


def test_usage(tmp_path):
    assert "run a program as python would" in run("--help", cwd=tmp_path).stdout
    usage = (
        "usage: python -m jobmlir run [-h] (script.py | folder | file.zip | -m module) "
        "[argument ...]"
    )
    assert run("run", "-h", cwd=tmp_path).stdout.startswith(usage)
    for arguments in ((), ("walk", "x"), ("run",), ("run", "-m"), ("run", "-x", "y")):
        assert run(*arguments, cwd=tmp_path, expect=2).stderr.startswith("usage:")


# ===- The scripts of the public documentation -----------------------------===#

MNIST_UTIL = """
import oneflow as flow

def load_data(train_batch, test_batch=100):
    (images, labels), (test_images, test_labels) = flow.data.load_mnist(
        train_batch, test_batch)
    return (images[:{steps}], labels[:{steps}]), (test_images[:40], test_labels[:40])
"""


@pytest.fixture(scope="module")
def documented(tmp_path_factory):
    """The four complete scripts in one folder, run in their order: an
    evaluation loads what the training before it saved."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    path = os.path.join(
        root, "..", "shared", "reference", "user-docs", "004_28219dc6f3c7500a.txt"
    )
    if not os.path.exists(path):
        pytest.skip("the public documentation is not here")
    with open(path, encoding="utf-8") as file:
        blocks = re.findall(r"```python\n(.*?)```", file.read(), re.S)
    scripts = [block for block in blocks if "__main__" in block]
    assert len(scripts) == 4
    folder = tmp_path_factory.mktemp("documented")
    outputs = []
    for index, script in enumerate(scripts):
        (folder / "mnist_util.py").write_text(
            MNIST_UTIL.format(steps=12 if "range(50)" in script else 41)
        )
        (folder / f"script{index}.py").write_text(script)
        # Python takes a compiled module of the same second and size for this one.
        shutil.rmtree(folder / "__pycache__", ignore_errors=True)
        outputs.append(run("run", f"script{index}.py", cwd=folder).stdout.split())
    return folder, outputs


def test_documented_synchronous_training(documented):
    folder, outputs = documented
    losses = [float(word) for word in outputs[0]]
    assert len(losses) == 3 and losses[-1] < losses[0]
    assert (folder / "lenet_models_1" / "conv1-weight" / "out").stat().st_size == 3200


def test_documented_synchronous_evaluation(documented):
    _, outputs = documented
    assert re.fullmatch(r"accuracy: \d+\.\d%", " ".join(outputs[1]))
    assert float(outputs[1][1].rstrip("%")) > 30


def test_documented_asynchronous_training(documented):
    folder, outputs = documented
    losses = [float(word) for word in outputs[2]]
    assert len(losses) == 50 * 12 / 20 and losses[-1] < 0.5
    assert (folder / "mlp_models_1" / "Dense_1-bias" / "out").stat().st_size == 40


def test_documented_asynchronous_evaluation(documented):
    _, outputs = documented
    assert float(outputs[3][1].rstrip("%")) > 60


def test_pytest_runs_tests_that_import_oneflow(tmp_path):
    folder = tmp_path / "some_tests"
    folder.mkdir()
    (folder / "test_mine.py").write_text(
        "import numpy as np\n"
        "import oneflow as flow\n"
        "import oneflow.unittest\n"
        "import oneflow.typing as tp\n"
        "from oneflow.unittest import TestCase\n"
        "import jobmlir.unittest\n"
        "class TestMine(flow.unittest.TestCase):\n"
        "    @flow.unittest.skip_unless_1n1d()\n"
        "    def test_a(self):\n"
        "        @flow.global_function()\n"
        "        def job(x: tp.Numpy.Placeholder((2,))) -> tp.Numpy:\n"
        "            return x + x\n"
        "        self.assertEqual(job(np.ones(2, np.float32)).tolist(), [2, 2])\n"
        "    @flow.unittest.skip_unless_1n4d()\n"
        "    def test_b(self):\n"
        "        raise AssertionError\n"
        "    def test_c(self):\n"
        "        with self.assertRaisesRegex(AttributeError, 'oneflow.math.multiply'):\n"
        "            flow.math.multipy\n"
        "def test_one_module():\n"
        "    assert TestCase is jobmlir.unittest.TestCase\n"
    )
    done = run(
        "run", "-m", "pytest", "-p", "no:cacheprovider", "some_tests/", cwd=tmp_path
    )
    assert "3 passed, 1 skipped" in done.stdout
