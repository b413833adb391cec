"""Small functions of the session: switches, resources, modules, values of variables,
flags for compilers."""

import pathlib
import subprocess
import typing
import weakref

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from jobmlir import errors
from c_compiler import CC
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
        "expects the name of a variable or an argument of the session but got Dense",
    ):
        flow.experimental.get_interface_blob_value("Dense")
    with raises_here(AssertionError, "name of a variable or an argument but got 3"):
        flow.experimental.get_interface_blob_value(3)
    with raises_here(AssertionError, "for variable Dense-bias but got"):
        flow.experimental.set_interface_blob_value("Dense-bias", value[:2])


def double_of(x, shape=(2, 3), name="job"):
    def job(x: tp.Numpy.Placeholder(shape)) -> tp.Numpy:
        return x + x

    job.__name__ = name
    return flow.global_function()(job)


def test_interface_values_of_arguments():
    get = flow.experimental.get_interface_blob_value
    set = flow.experimental.set_interface_blob_value
    job = double_of("x")
    with raises_here(
        errors.SessionStateError,
        "job job: expects a call before the value of argument x is read but got none",
    ):
        get("x")
    given = X.copy()
    job(given)
    found = get("x")
    np.testing.assert_array_equal(found, X)
    found[:] = 0  # A copy.
    np.testing.assert_array_equal(get("x"), X)
    given[:] = 5
    assert (get("x") == 5).all()
    new = np.full((2, 3), 7, np.float32)
    set("x", new)
    new[:] = 0
    assert (get("x") == 7).all()
    # The next call passes its own array.
    np.testing.assert_array_equal(job(X), 2 * X)
    np.testing.assert_array_equal(get("x"), X)
    with raises_here(
        AssertionError, "expects shape (2, 3) for argument x but got (1, 3)"
    ):
        set("x", X[:1])
    with raises_here(TypeError, "expects dtype float32 for argument x but got float64"):
        set("x", np.float64(X))
    with raises_here(AssertionError, "an array for argument x but got list"):
        set("x", [[1], [2, 3]])
    np.testing.assert_array_equal(get("x"), X)


def test_interface_values_of_arguments_that_two_jobs_have():
    get = flow.experimental.get_interface_blob_value
    set = flow.experimental.set_interface_blob_value
    first, second = double_of("x", (1,), "first"), double_of("x", (2,), "second")
    one, two = np.ones(1, np.float32), np.ones(2, np.float32)
    # Before a call: of the first job.
    set("x", 3 * one)
    assert get("x").tolist() == [3]
    second(two)
    assert get("x").tolist() == [1, 1]
    first(one)
    assert get("x").tolist() == [1]
    second(two)
    set("x", 4 * two)
    assert get("x").tolist() == [4, 4]


def test_interface_values_of_lists_of_arguments():
    @flow.global_function()
    def job(
        pair: typing.Tuple[tp.Numpy.Placeholder((1,)), tp.Numpy.Placeholder((2,))],
        last: tp.ListNumpy.Placeholder((4,)),
    ) -> typing.Tuple[tp.Numpy, tp.ListNumpy]:
        return pair[0], last

    get = flow.experimental.get_interface_blob_value
    flow.experimental.set_interface_blob_value("last", np.ones(3, np.float32))
    assert get("last").tolist() == [1, 1, 1]
    with raises_here(errors.SessionStateError, "value of argument pair_1 is read but"):
        get("pair_1")
    for size in (4, 2):
        values = np.arange(size, dtype=np.float32)
        job((values[:1], values[:2]), [values])
        assert get("pair_1").tolist() == [0, 1]
        assert get("last").tolist() == values.tolist()


def test_the_session_keeps_the_arrays_of_the_last_call_only():
    job = double_of("x")
    arrays = [X.copy(), X.copy()]
    kept = [weakref.ref(array) for array in arrays]
    for array in arrays:
        job(array)
    del array, arrays
    assert kept[0]() is None and kept[1]() is not None
    flow.clear_default_session()
    assert kept[1]() is None


# ===- Flags ---------------------------------------------------------------===#


@pytest.mark.skipif(not CC, reason="no C compiler here")
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
    command = [CC, *flags[0], str(source), "-o", str(tmp_path / "main"), *flags[1]]
    subprocess.run(command, check=True)
    subprocess.run([str(tmp_path / "main")], check=True)


def test_flags_of_an_installed_package(monkeypatch, tmp_path):
    """Headers and library are in its folder."""
    from jobmlir._src import build_flags

    (tmp_path / "include" / "jobrt").mkdir(parents=True)
    (tmp_path / "include" / "jobrt" / "c_api.h").touch()
    (tmp_path / "libjobrt.so.0.1").touch()
    monkeypatch.setattr(build_flags, "_PACKAGE", tmp_path)
    assert flow.sysconfig.get_compile_flags() == [f"-I{tmp_path}/include"]
    assert flow.sysconfig.get_link_flags() == [
        f"-L{tmp_path}",
        "-l:libjobrt.so.0.1",
        f"-Wl,-rpath,{tmp_path}",
    ]


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
