"""Reproductions of errors where jobs are defined and configured."""

import jobmlir as flow
import jobmlir.typing as tp
from error_rows import X, define_mirrored, reproduces, trace
from models import define_unary


@reproduces("late-job")
def _(tmp_path):
    define_unary(lambda x: x)(X)

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 3))):
        return x


@reproduces("mixed-annotations")
def _(tmp_path):
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2,)), y=flow.FixedTensorDef((2,))):
        return x


@reproduces("no-annotation")
def _(tmp_path):
    @flow.global_function()
    def job(x):
        return x


@reproduces("variadic")
def _(tmp_path):
    @flow.global_function()
    def job(*xs):
        return xs


@reproduces("watch-handler")
def _(tmp_path):
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 3))):
        flow.watch(x, lambda value, step: None)

    flow.dump_ir()


@reproduces("placeholder-dtype")
def _(tmp_path):
    tp.Numpy.Placeholder((2,), dtype=flow.char)


@reproduces("too-many-elements")
def _(tmp_path):
    tp.Numpy.Placeholder((2**40, 2**40))


@reproduces("reserved-job")
def _(tmp_path):
    @flow.global_function()
    def jobmlir_init(x: tp.Numpy.Placeholder((2,))):
        return x


@reproduces("bad-type")
def _(tmp_path):
    flow.global_function("test")


@reproduces("unknown-setting")
def _(tmp_path):
    flow.function_config().default_data_typ(flow.float)


@reproduces("setting-type")
def _(tmp_path):
    flow.function_config().enable_inplace(3)


@reproduces("seed")
def _(tmp_path):
    flow.config.random_seed(2**63)


@reproduces("unknown-packing")
def _(tmp_path):
    flow.config.compiler_packing("tight")


@reproduces("assigned-setting")
def _(tmp_path):
    flow.function_config().enable_cudnn = True


@reproduces("container-annotation")
def _(tmp_path):
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2,))) -> (tp.Numpy, tp.Numpy):
        return x, x


@reproduces("typing-check")
def _(tmp_path):
    flow.experimental.enable_typing_check(True)

    @flow.global_function()
    def job(x=flow.FixedTensorDef((2,))):
        return x


@reproduces("machines")
def _(tmp_path):
    flow.env.machine({"addr": "a"}, {"addr": "b"})


@reproduces("strategy")
def _(tmp_path):
    flow.inter_job_reuse_mem_strategy("fast")


@reproduces("module-twice")
def _(tmp_path):
    def body(x):
        flow.find_or_create_module("m", flow.nn.Module)
        flow.find_or_create_module("m", flow.nn.Module)
        return x

    trace(body)


@reproduces("distribution")
def _(tmp_path):
    trace(lambda x: x.with_distribute("split"))


@reproduces("late-switch")
def _(tmp_path):
    define_unary(lambda x: x)
    flow.experimental.enable_typing_check(True)


@reproduces("list-view")
def _(tmp_path):
    config = flow.function_config()
    config.default_logical_view(flow.scope.consistent_view())

    @flow.global_function(function_config=config)
    def job(x: tp.ListNumpy.Placeholder((2,))) -> tp.ListNumpy:
        return x

    job([X])


@reproduces("several-devices")
def _(tmp_path):
    def body(x):
        with flow.scope.placement("cpu", "0:0-1"):
            return x + x

    define_mirrored(body)([X])


@reproduces("bad-annotation")
def _(tmp_path):
    @flow.global_function()
    def job(x: "a b"):
        return x


@reproduces("missing-name")
def _(tmp_path):
    from jobmlir._src import names

    later = names.Name("1.11", "Arithmetic", "math.later", "", "")
    names.reference()["math.later"] = later
    try:
        flow.math.later
    finally:
        del names.reference()["math.later"]


@reproduces("unknown-name")
def _(tmp_path):
    flow.math.multipy


@reproduces("refused-name")
def _(tmp_path):
    flow.data.coco_reader()


@reproduces("no-job")
def _(tmp_path):
    flow.train.CheckPoint().init()


@reproduces("kernel-text")
def _(tmp_path):
    flow.register_user_kernel(
        "fma",
        """func.func @fma(%x: tensor<2xf32>) -> tensor<2xf32> {
             %0 = math.fma %x, %x, %x : tensor<2xf32>
             return %0 : tensor<2xf32>
           }""",
    )
