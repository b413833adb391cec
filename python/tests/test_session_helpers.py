"""Small functions of the session: switches, resources, modules, values of variables,
flags for compilers."""

import pathlib
import shutil
import subprocess

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from jobmlir import errors
from models import define_train, define_unary, raises_here

X = np.arange(6, dtype=np.float32).reshape(2, 3)


# ===- Switches and resources ----------------------------------------------===#


def test_eager_execution_is_a_switch_without_effect(capsys):
    assert not flow.eager_execution_enabled()
    flow.enable_eager_execution()
    assert flow.eager_execution_enabled()
    assert "enable_eager_execution: jobs are compiled all the same" in (
        capsys.readouterr().err
    )
    job = define_unary(lambda x: x + x)
    with raises_here(
        NotImplementedError, "expects enable_eager_execution before the first job"
    ):
        flow.enable_eager_execution(False)
    np.testing.assert_array_equal(job(X), 2 * X)
    flow.clear_default_session()
    flow.enable_eager_execution(False)
    assert not flow.eager_execution_enabled()
    with raises_here(AssertionError, "a bool for enable_eager_execution but got 3"):
        flow.enable_eager_execution(3)


def test_machine_and_resource():
    assert flow.current_machine_id() == 0
    flow.config.cpu_device_num(3)
    flow.config.compute_thread_pool_size(2)
    resource = flow.current_resource()
    assert resource == flow.env.current_resource()
    assert (resource.machine_num, resource.gpu_device_num) == (1, 1)
    assert (resource.cpu_device_num, resource.compute_thread_pool_size) == (3, 2)
    assert resource.enable_debug_mode is False
    flow.config.gpu_device_num(2)
    assert flow.current_resource().gpu_device_num == 2


def test_current_scope():
    seen = []
    cpu = flow.scope.placement("cpu", "0:0")

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 3))) -> tp.Numpy:
        with cpu, flow.scope.namespace("a"), flow.scope.mirrored_view():
            seen.append(flow.current_scope())
        return x

    job(X)
    assert seen[0] == (cpu, ("a",), True)
    assert flow.current_scope() == (None, (), False)


def test_memory_strategies(capsys):
    flow.inter_job_reuse_mem_strategy("reuse_mem_priority")
    assert capsys.readouterr().err == ""
    flow.inter_job_reuse_mem_strategy("parallelism_priority")
    assert "parallelism_priority has no effect" in capsys.readouterr().err
    flow.inter_job_reuse_mem_strategy(
        "custom_parallelism", job_name_groups=[["a"], ["b", "c"]]
    )
    assert "custom_parallelism has no effect" in capsys.readouterr().err


@pytest.mark.parametrize(
    "strategy, arguments, text",
    [
        (
            "fast",
            {},
            "expects a strategy of reuse_mem_priority, parallelism_priority, ",
        ),
        ("custom_parallelism", {}, "job_name_groups to be a list of lists of names"),
        ("custom_parallelism", {"job_name_groups": ["a"]}, "but got ['a']"),
        (
            "reuse_mem_priority",
            {"groups": []},
            "expects job_name_groups but got groups",
        ),
        (
            "reuse_mem_priority",
            {"job_name_groups": []},
            "expects job_name_groups with custom_parallelism but got reuse_mem_priority",
        ),
    ],
)
def test_memory_strategies_are_checked(strategy, arguments, text):
    with raises_here(AssertionError, text):
        flow.inter_job_reuse_mem_strategy(strategy, **arguments)


def test_old_names_are_deprecated():
    assert flow.is_deprecated(flow.fixed_placement)
    assert flow.is_deprecated(flow.distribute.mirrored_strategy)
    assert not flow.is_deprecated(flow.scope.placement)
    with pytest.warns(
        DeprecationWarning, match="fixed_placement is deprecated: use scope.placement"
    ) as caught:
        flow.fixed_placement("cpu", "0:0")
    assert caught[0].filename == __file__


# ===- Modules -------------------------------------------------------------===#


class Doubled(flow.nn.Module):
    def __init__(self, name=None):
        super().__init__(name)
        self.names = []

    def forward(self, x):
        self.names.append(f"{self.module_name}-{self.call_seq_no}")
        return flow.math.add(x, x, name=self.names[-1])


def test_a_module_is_made_once_and_counts_its_calls():
    made = []

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 3))) -> tp.Numpy:
        for _ in range(3):
            module = flow.find_or_create_module("twice", Doubled, reuse=True)
            made.append(module)
            x = module(x)
        return x

    np.testing.assert_array_equal(job(X), 8 * X)
    assert made[0] is made[1] is made[2]
    assert made[0].names == ["Module-0", "Module-1", "Module-2"]
    assert made[0].call_seq_no == 3


def test_names_of_modules():
    seen = []

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 3))) -> tp.Numpy:
        seen.extend(Doubled(name).module_name for name in (None, None, "mine"))
        return x

    job(X)
    assert seen == ["Module", "Module_1", "mine"]


@pytest.mark.parametrize(
    "use, text",
    [
        (
            lambda x: [flow.find_or_create_module("m", Doubled) for _ in range(2)],
            "expects a new name because reuse is False but got m, which is a module of "
            "this job already",
        ),
        (
            lambda x: flow.find_or_create_module(3, Doubled),
            "expects the name of a module to be a str but got 3",
        ),
        (
            lambda x: flow.find_or_create_module("m", 3),
            "expects a function that makes a module but got 3",
        ),
        (
            lambda x: flow.find_or_create_module("m", lambda: 3),
            "expects create to give an nn.Module but got 3",
        ),
        (
            lambda x: flow.find_or_create_module("m", Doubled, reuse=1),
            "expects reuse to be a bool but got 1",
        ),
    ],
)
def test_modules_are_checked(use, text):
    with raises_here(AssertionError, "job job", text):
        define_unary(use)(X)


def test_a_module_without_forward():
    with raises_here(
        NotImplementedError, "expects Module to define forward but got none"
    ):
        define_unary(lambda x: flow.nn.Module()(x))(X)
    with raises_here(NotImplementedError, "nn.Module was called outside of a job"):
        flow.nn.Module()


# ===- Values by the names of ops -------------------------------------------===#


def test_interface_values_are_those_of_variables():
    define_train()
    value = flow.experimental.get_interface_blob_value("Dense-bias")
    np.testing.assert_array_equal(value, np.zeros(5, np.float32))
    flow.experimental.set_interface_blob_value("Dense-bias", value + 2)
    np.testing.assert_array_equal(
        flow.get_all_variables()["Dense-bias"].numpy(), value + 2
    )
    with raises_here(
        errors.CheckpointNotFoundError,
        "expects the name of a variable of the session but got Dense",
    ):
        flow.experimental.get_interface_blob_value("Dense")
    with raises_here(
        errors.UnsupportedError,
        "expects the name of a variable in this version but got images, which is an "
        "argument",
    ):
        flow.experimental.set_interface_blob_value("images", value)
    with raises_here(AssertionError, "expects the name of a variable but got 3"):
        flow.experimental.get_interface_blob_value(3)
    with raises_here(AssertionError, "for variable Dense-bias but got"):
        flow.experimental.set_interface_blob_value("Dense-bias", value[:2])


# ===- Flags ---------------------------------------------------------------===#


@pytest.mark.skipif(not shutil.which("cc"), reason="no C compiler here")
def test_flags_build_a_program(tmp_path):
    try:
        flags = flow.sysconfig.get_compile_flags(), flow.sysconfig.get_link_flags()
    except errors.UnsupportedError:
        pytest.skip("no headers or library of the runtime here")
    include = pathlib.Path(flow.sysconfig.get_include())
    assert (include / "jobrt" / "c_api.h").is_file()
    assert pathlib.Path(flow.sysconfig.get_lib()).is_dir()
    source = tmp_path / "main.c"
    source.write_text(
        "#include <jobrt/c_api.h>\n"
        "int main(void) { return jobrt_c_api_version() < 1; }\n"
    )
    command = ["cc", *flags[0], str(source), "-o", str(tmp_path / "main"), *flags[1]]
    subprocess.run(command, check=True)
    subprocess.run([str(tmp_path / "main")], check=True)


def test_flags_without_an_installation(monkeypatch, tmp_path):
    from jobmlir._src import build_flags

    monkeypatch.setattr(build_flags, "_SOURCES", tmp_path / "a" / "b" / "c")
    monkeypatch.setattr(build_flags, "_PACKAGE", tmp_path / "a" / "b" / "c")
    monkeypatch.setattr(build_flags, "_PREFIXES", ())
    with raises_here(errors.UnsupportedError, "expects headers of the runtime beside"):
        flow.sysconfig.get_compile_flags()
    with raises_here(errors.UnsupportedError, "expects the library of the runtime"):
        flow.sysconfig.get_link_flags()


def test_what_the_package_can_do():
    """By which users skip their tests on several machines, or with XLA."""
    assert flow.sysconfig.with_cuda() and flow.sysconfig.has_rpc_backend_local()
    assert not flow.sysconfig.with_xla()
    assert not flow.sysconfig.has_rpc_backend_grpc()
