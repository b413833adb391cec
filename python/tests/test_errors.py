"""Bad input: each error names the job, the op and the user's line, what was
expected and what came, and is of the class that old scripts catch."""

import subprocess
import sys
import typing

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from models import BATCH, INPUTS, batch, define_train, define_unary, raises_here

X = np.zeros((2, 3), np.float32)


def sgd(rate=0.1):
    return flow.optimizer.SGD(
        flow.optimizer.PiecewiseConstantScheduler([], [rate]), momentum=0
    )


# ===- Calls ---------------------------------------------------------------===#


@pytest.mark.parametrize(
    "arguments, cls, expected, got",
    [
        ((X,), AssertionError, "expects 2 arguments (images, labels)", "got 1"),
        ((), AssertionError, "expects 2 arguments", "got 0"),
        (
            (np.zeros((4, 7), np.float32), batch()[1]),
            AssertionError,
            "expects shape (4, 6) for argument images",
            "got (4, 7)",
        ),
        (
            (batch()[0], np.float32(3)),
            TypeError,
            "expects a numpy array for argument labels",
            "got float32",
        ),
        (
            (batch()[0].tolist(), batch()[1]),
            TypeError,
            "expects a numpy array for argument images",
            "got list",
        ),
        (
            (np.ma.array(batch()[0], mask=False), batch()[1]),
            TypeError,
            "expects a numpy array without a mask for argument images",
            "got a masked array",
        ),
        (
            (batch()[0].astype(np.float64), batch()[1]),
            TypeError,
            "expects dtype float32 for argument images",
            "got float64",
        ),
        (
            (batch()[0], batch()[1].astype(np.int64)),
            AssertionError,
            "expects dtype int32 for argument labels",
            "got int64",
        ),
    ],
)
def test_arguments_must_fit(arguments, cls, expected, got):
    job = define_train()
    with raises_here(cls, "job train_job", expected, "but " + got):
        job(*arguments)
    assert job(*batch()).shape == (BATCH,)


def test_keyword_arguments():
    job = define_train()
    images, labels = batch()
    flow.train.CheckPoint().init()
    by_position = job(images, labels)
    flow.train.CheckPoint().init()
    assert (job(labels=labels, images=images) == by_position).all()
    flow.train.CheckPoint().init()
    assert (job(images, labels=labels) == by_position).all()


@pytest.mark.parametrize(
    "arguments, keywords, cls, text",
    [
        (
            (),
            {"images": X, "labels": X, "y": X},
            TypeError,
            "expects arguments out of images, labels but got keyword y",
        ),
        (
            (X,),
            {"images": X},
            TypeError,
            "expects one value for argument images but got one by position and one by "
            "keyword",
        ),
        (
            (),
            {"labels": X},
            AssertionError,
            "expects 2 arguments (images, labels) but got none for images",
        ),
        ((X, X, X), {"labels": X}, TypeError, "one value for argument labels"),
    ],
)
def test_keyword_arguments_must_fit(arguments, keywords, cls, text):
    with raises_here(cls, "job train_job", text):
        define_train()(*arguments, **keywords)


@pytest.mark.parametrize(
    "value, cls, text",
    [
        (3, TypeError, "expects a tuple for argument p but got a int"),
        ((X,), AssertionError, "expects 2 items for argument p but got 1"),
        (
            (X, X[0]),
            AssertionError,
            "expects shape (2, 3) for argument p_1 but got (3,)",
        ),
    ],
)
def test_nested_arguments_must_fit(value, cls, text):
    placeholder = tp.Numpy.Placeholder((2, 3))

    @flow.global_function()
    def job(p: typing.Tuple[placeholder, placeholder]):
        return p[0]

    with raises_here(cls, "job job", text):
        job(value)


def test_dict_arguments_must_have_the_keys():
    @flow.function(flow.function_config())
    def job(x={"a": flow.FixedTensorDef((2, 3))}):
        return x["a"]

    with raises_here(AssertionError, "expects keys ['a'] for argument x but got ['b']"):
        job({"b": X})


def test_a_job_of_an_older_session():
    job = define_unary(lambda x: x)
    flow.clear_default_session()
    # The new session has no job yet.
    with raises_here(
        NotImplementedError, "job job", "expects a job of the running session"
    ):
        job(X)
    define_unary(lambda x: x + 1.0)
    with raises_here(
        NotImplementedError, "job job", "expects a job of the running session"
    ):
        job(X)


# ===- Definitions ---------------------------------------------------------===#


def test_no_job_after_the_session_started():
    define_unary(lambda x: x)(X)
    with raises_here(
        NotImplementedError,
        "job job",
        "no available function found",
        "session is running",
    ):
        define_unary_here()


def define_unary_here():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2,))):
        return x


def define_mixed():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2,)), y=flow.FixedTensorDef((2,))):
        return x


def define_bare():
    @flow.global_function()
    def job(x):
        return x


def define_variadic():
    @flow.global_function()
    def job(*xs):
        return xs


def define_keywords():
    @flow.global_function()
    def job(**xs):
        return xs


def define_bad_default():
    @flow.global_function()
    def job(x=3):
        return x


def define_bad_annotation():
    @flow.global_function()
    def job(x: int):
        return x


def define_bare_tuple():
    @flow.global_function()
    def job(x: typing.Tuple):
        return x


def define_bad_return():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2,))) -> int:
        return x


def define_bare_return():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2,))) -> typing.List:
        return [x]


def define_bare_callback():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2,))) -> tp.Callback:
        return x


def define_tuple_of_results():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2,))) -> (tp.Numpy, tp.Numpy):
        return x, x


def define_list_of_results():
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2,))) -> [tp.Numpy]:
        return [x]


def define_tuple_of_parameters():
    @flow.global_function()
    def job(x: (tp.Numpy.Placeholder((2,)), tp.Numpy.Placeholder((2,)))):
        return x


def define_unknown_name():
    @flow.global_function()
    def job(x: "Missing"):
        return x


def define_no_expression():
    @flow.global_function()
    def job(x: "a b"):
        return x


def define_failing_expression():
    @flow.global_function()
    def job(x: "1 / 0"):
        return x


def define_initializer():
    @flow.global_function()
    def jobmlir_init(x: tp.Numpy.Placeholder((2,))):
        return x


@pytest.mark.parametrize(
    "define, text",
    [
        (
            define_initializer,
            "jobmlir_init: expects another name than jobmlir_init, which is that of",
        ),
        (define_mixed, "All parameters of global function should be annotated, but y"),
        (
            define_bare,
            "parameter x has neither an annotation nor a default: annotate it with",
        ),
        (define_variadic, "no parameters like *args or **kwargs supported, but got xs"),
        (define_keywords, "no parameters like *args or **kwargs supported, but got xs"),
        (
            define_bad_default,
            "expects the default of parameter x to be a tensor definition",
        ),
        (define_bad_annotation, "invalid parameter annotation <class 'int'> found"),
        (define_bare_tuple, "T in typing.Tuple[T, ...] cannot be omitted"),
        (define_bad_return, "invalid return annotation <class 'int'> found"),
        (define_bare_return, "T in typing.List[T] cannot be omitted"),
        (define_bare_callback, "T in oneflow.typing.Callback[T] cannot be omitted"),
        (
            define_tuple_of_results,
            "expects typing.Tuple[...] as the annotation of the results but got a tuple "
            "of annotations: use typing.Tuple[...]",
        ),
        (define_list_of_results, "list of annotations: use typing.List[...]"),
        (
            define_tuple_of_parameters,
            "expects typing.Tuple[...] as the annotation of parameter x but got a tuple",
        ),
        (define_unknown_name, "name 'Missing' is not defined"),
        (
            define_no_expression,
            "expects annotations of job that can be evaluated where it is defined but "
            "got SyntaxError: invalid syntax",
        ),
        (define_failing_expression, "but got ZeroDivisionError: division by zero"),
    ],
)
def test_signatures(define, text):
    with raises_here(NotImplementedError, ": job job", text):
        define()


@pytest.mark.parametrize(
    "arguments, cls, text",
    [
        (([2],), TypeError, "shape should be a tuple. [2] found"),
        (((2.0,),), TypeError, "expects the extents of a shape to be ints"),
        (((0,),), AssertionError, "expects the extents of a shape to be positive"),
        (((),), AssertionError, "expects a shape of at least one dimension"),
        (((2,), flow.char), NotImplementedError, "a placeholder to be float16"),
        (
            ((2,), np.float32),
            TypeError,
            "expects the dtype of a placeholder to be a dtype such as oneflow.float "
            "but got <class 'numpy.float32'>",
        ),
        (
            ((2,), flow.float, 1),
            AssertionError,
            "expects batch_axis in [-1, 1) but got 1",
        ),
        (((2,), flow.float, "a"), TypeError, "expects batch_axis to be None or an int"),
    ],
)
def test_placeholders(arguments, cls, text):
    with pytest.raises(cls) as caught:
        tp.Numpy.Placeholder(*arguments)
    assert text in str(caught.value)


def test_typing_check():
    flow.experimental.enable_typing_check()

    @flow.global_function()
    def annotated(x: tp.Numpy.Placeholder((2, 3))) -> None:
        pass

    with raises_here(
        NotImplementedError, "job job", "parameter x is not annotated, which "
    ):

        @flow.global_function()
        def job(x=flow.FixedTensorDef((2, 3))):
            pass

    with raises_here(NotImplementedError, "job job", "no return annotation found."):

        @flow.global_function()
        def job(x: tp.Numpy.Placeholder((2, 3))):
            pass

    with raises_here(
        NotImplementedError,
        "expects experimental.enable_typing_check before the first job of the session "
        "but got one after it",
    ):
        flow.experimental.enable_typing_check(False)
    flow.clear_default_session()
    flow.experimental.enable_typing_check(False)
    with raises_here(
        AssertionError, "expects a bool for experimental.enable_typing_check but got 1"
    ):
        flow.experimental.enable_typing_check(1)

    @flow.global_function()
    def defaults(x=flow.FixedTensorDef((2, 3))):
        return x

    assert (defaults(X).get().numpy() == X).all()


def test_decorator_arguments():
    with raises_here(AssertionError, 'expects a type of "train" or "predict" but got'):
        flow.global_function("test")
    with raises_here(AssertionError, ">: call the decorator, @global_function()"):

        @flow.global_function
        def job():
            pass

    with raises_here(TypeError, "expects what function_config() gives but got 3"):
        flow.global_function(function_config=3)
    with raises_here(TypeError, "expects what function_config() gives but got 3"):
        flow.function(3)
    with raises_here(TypeError, "expects a function to make a job of but got 3"):
        flow.global_function()(3)


def test_results_are_nested_so_deep():
    def nest(x, levels):
        return x if levels == 0 else (nest(x, levels - 1),)

    @flow.global_function()
    def deepest(x: tp.Numpy.Placeholder((2,))):
        return nest(x, 32)

    result = deepest(np.ones(2, np.float32)).get()
    for _ in range(32):
        (result,) = result
    assert result.numpy().sum() == 2

    flow.clear_default_session()

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2,))):
        endless = []
        endless.append(endless)
        return endless

    with raises_here(
        NotImplementedError,
        "job job",
        "expects results nested at most 32 levels deep but got more",
    ):
        job(np.ones(2, np.float32))


@pytest.mark.parametrize(
    "value, got",
    [(3, "int"), ("x", "str"), ([None], "NoneType"), (np.zeros(2), "ndarray")],
)
def test_results_must_be_blobs(value, got):
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2,))):
        return value

    with raises_here(
        NotImplementedError, "job job", "nested RemoteBlob only", f"but got {got}"
    ):
        job(np.zeros(2, np.float32))


def test_a_result_of_another_job():
    kept = []

    @flow.global_function()
    def first(x: tp.Numpy.Placeholder((2,))):
        kept.append(x)
        return x

    @flow.global_function()
    def second(x: tp.Numpy.Placeholder((2,))):
        return kept[0]

    with raises_here(
        NotImplementedError,
        "job second",
        "expects a result of job second but got x of job first",
    ):
        flow.dump_ir()


def test_no_job_in_a_job():
    inner = define_unary(lambda x: x)

    @flow.global_function()
    def outer(x: tp.Numpy.Placeholder((2, 3))):
        return inner(x)

    with raises_here(
        NotImplementedError, "job job: expects no call of a job inside of job outer"
    ):
        outer(X)


def test_no_definition_in_a_job():
    @flow.global_function()
    def outer(x: tp.Numpy.Placeholder((2, 3))):
        @flow.global_function()
        def inner(y: tp.Numpy.Placeholder((2, 3))):
            return y

        return x

    with raises_here(
        NotImplementedError,
        "job inner: no available function found: a job can be defined before",
        "but got job inner inside of job outer",
    ):
        outer(X)


def test_a_session_needs_a_job():
    with raises_here(NotImplementedError, "expects at least one job function"):
        flow.train.CheckPoint().init()


# ===- Training jobs -------------------------------------------------------===#


def train_with(body):
    @flow.global_function(type="train")
    def job(
        images: tp.Numpy.Placeholder((BATCH, INPUTS)),
        labels: tp.Numpy.Placeholder((BATCH,), dtype=flow.int32),
    ):
        w = flow.get_variable("w", (1,), initializer=flow.ones_initializer())
        return body(images * w)

    return job


def test_a_training_job_needs_a_loss():
    train_with(lambda x: x)
    with raises_here(flow.errors.LossBlobNotFoundError, "job job: Loss blob not found."):
        flow.dump_ir()


def test_a_training_job_needs_an_optimizer():
    train_with(lambda x: flow.losses.add_loss(x))
    with raises_here(AssertionError, "job job: expects an optimizer", "but got none"):
        flow.dump_ir()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(
    "fill, text",
    [
        (lambda t: t.primary_lr(0.1), "expects config.train.model_update_conf beside"),
        (
            lambda t: t.model_update_conf({"naive_conf": {}}),
            "expects config.train.primary_lr",
        ),
    ],
)
def test_config_train_must_be_whole(fill, text):
    config = flow.function_config()
    fill(config.train)

    @flow.function(config)
    def job(x=flow.FixedTensorDef((2, 2))):
        flow.losses.add_loss(flow.layers.dense(x, 1))

    with raises_here(Exception, "job job", text):
        flow.dump_ir()


def test_no_loss_in_a_predict_job():
    define_unary(lambda x: flow.losses.add_loss(x))
    with raises_here(
        AssertionError, "job job", "job has no TrainConf when adding loss logical blob name: expects a training"
    ):
        flow.dump_ir()


def test_no_minimize_in_a_predict_job():
    define_unary(lambda x: sgd().minimize(x))
    with raises_here(
        AssertionError, "job job", "expects a training job to minimize in"
    ):
        flow.dump_ir()


def test_one_minimize_in_a_job():
    train_with(lambda x: (sgd().minimize(x), sgd().minimize(x)))
    with raises_here(
        AssertionError, "job job", "expects one minimize in a job", __file__
    ):
        flow.dump_ir()


@pytest.mark.parametrize(
    "loss, text",
    [
        (lambda x: [], "expects at least one loss"),
        (lambda x: 3, "expects the loss to be a blob but got int"),
        (lambda x: flow.cast(x, flow.int32), "to be a blob of floats"),
        (lambda x: [x, x], "expects losses to be independent but got one twice"),
        (
            lambda x: [x, flow.cast(x * 2.0, flow.double)],
            "expects all losses of a job to be of float32, as the first one is, but "
            "got float64",
        ),
    ],
)
def test_losses_must_be_blobs_of_floats(loss, text):
    train_with(lambda x: sgd().minimize(loss(x)))
    with raises_here(Exception, "job job", text):
        flow.dump_ir()


def test_errors_of_the_compiler_name_the_line():
    job = train_with(lambda x: sgd().minimize([x, flow.math.reduce_sum(x * 2.0)]))
    with raises_here(
        RuntimeError,
        "job job, op ReduceSum: expects all losses of a job to have 24 elements but got 1",
    ):
        job(*batch())


schedule = flow.optimizer.PiecewiseConstantScheduler


@pytest.mark.parametrize(
    "make, text",
    [
        (lambda: schedule([1], [0.1]), "expects 2 values for 1 boundaries but got 1"),
        (
            lambda: schedule([2, 2], [1, 2, 3]),
            "expects boundaries to increase but got [2, 2]",
        ),
        (
            lambda: schedule([1.5], [1, 2]),
            "expects each boundary to be an int but got 1.5",
        ),
        (lambda: schedule([], ["a"]), "expects each value to be a number but got 'a'"),
        (lambda: schedule(3, [1]), "expects two lists but got 3 and [1]"),
        (lambda: schedule([], [1], warmup=3), "expects a warm-up such as"),
        (
            lambda: flow.optimizer.CosineScheduler(0.1, 0),
            "expects steps to be at least 1",
        ),
        (
            lambda: flow.optimizer.ExponentialScheduler(0.1, 5, 0),
            "expects decay_rate to be positive but got 0",
        ),
        (
            lambda: flow.optimizer.ExponentialScheduler(0.1, 5, 0.5, "no"),
            "expects staircase to be a bool but got 'no'",
        ),
        (
            lambda: flow.optimizer.NaturalExpScheduler(0.1, 5, "a"),
            "expects decay_rate to be a number but got 'a'",
        ),
        (
            lambda: flow.optimizer.InverseTimeScheduler(0.1, 5, -1),
            "expects decay_rate to be at least 0 but got -1",
        ),
        (
            lambda: flow.optimizer.PolynomialScheduler(0.1, 5, power=0),
            "expects power to be positive but got 0",
        ),
        (
            lambda: flow.optimizer.LinearCosineScheduler(0.1, 0),
            "expects steps to be at least 1",
        ),
        (
            lambda: flow.optimizer.PiecewiseScalingScheduler(0.1, [1, 2], [0.5]),
            "expects 2 scales for 2 boundaries but got 1",
        ),
        (
            lambda: flow.optimizer.PiecewiseScalingScheduler(0.1, 3, [0.5]),
            "expects a list of boundaries but got 3",
        ),
        (
            lambda: flow.optimizer.warmup.constant(0, 0.5),
            "steps of a warm-up to be at least 1",
        ),
        (
            lambda: flow.optimizer.warmup.constant(1, 2),
            "expects multiplier to be in [0, 1] but got 2",
        ),
        (
            lambda: flow.optimizer.warmup.linear(0, 0.5),
            "steps of a warm-up to be at least 1",
        ),
        (
            lambda: flow.optimizer.warmup.linear(1, 2),
            "expects start_multiplier to be in [0",
        ),
        (lambda: flow.optimizer.SGD(0.1), "expects a learning-rate scheduler such as"),
        (
            lambda: flow.optimizer.SGD(schedule([], [1]), momentum=1),
            "expects momentum to be in",
        ),
        (
            lambda: flow.optimizer.Adam(schedule([], [1]), beta1=-1),
            "expects beta1 to be in",
        ),
        (
            lambda: flow.optimizer.Adam(schedule([], [1]), epsilon=-0.5),
            "expects epsilon to be at least 0 but got -0.5",
        ),
        (
            lambda: flow.optimizer.SGD(schedule([], [1]), -1),
            "expects loss_scale_factor to be",
        ),
        (
            lambda: flow.optimizer.Adam(schedule([], [1]), do_bias_correction="yes"),
            "expects do_bias_correction to be a bool but got 'yes'",
        ),
        (
            lambda: flow.optimizer.SGD(schedule([], [1]), grad_clipping=3),
            "expects grad_clipping to be what optimizer.grad_clipping makes, such as "
            "by_global_norm(1.0), but got 3",
        ),
        (
            lambda: flow.optimizer.grad_clipping.by_global_norm(0),
            "expects clip_norm to be positive but got 0.0",
        ),
        (
            lambda: flow.optimizer.grad_clipping.by_global_norm(1, legacy=3),
            "expects legacy to be a bool but got 3",
        ),
        (
            lambda: flow.optimizer.RMSProp(schedule([], [1]), decay_rate=1),
            "expects decay_rate to be in [0, 1) but got 1.0",
        ),
        (
            lambda: flow.optimizer.RMSProp(schedule([], [1]), centered=3),
            "expects centered to be a bool but got 3",
        ),
        (
            lambda: flow.optimizer.LARS(schedule([], [1]), lars_coefficient=0),
            "expects lars_coefficient to be positive but got 0.0",
        ),
        (
            lambda: flow.optimizer.LARS(schedule([], [1]), momentum_beta=2),
            "expects momentum_beta to be in [0, 1) but got 2.0",
        ),
        (
            lambda: flow.optimizer.LAMB(schedule([], [1]), beta2=1),
            "expects beta2 to be in [0, 1) but got 1.0",
        ),
        (
            lambda: flow.optimizer.LazyAdam(schedule([], [1]), epsilon=-1),
            "expects epsilon to be at least 0 but got -1.0",
        ),
        (
            lambda: flow.optimizer.AdamW(schedule([], [1]), weight_decay=-1),
            "expects weight_decay to be at least 0 but got -1.0",
        ),
        (
            lambda: flow.optimizer.SGDW(
                schedule([], [1]),
                weight_decay_includes="a",
                weight_decay_excludes="b",
            ),
            "expects weight_decay_includes or weight_decay_excludes but got both, 'a' "
            "and 'b'",
        ),
        (
            lambda: flow.optimizer.LAMB(schedule([], [1]), weight_decay_includes="("),
            "expects weight_decay_includes to be regular expressions but got '('",
        ),
        (
            lambda: flow.optimizer.LAMB(schedule([], [1]), weight_decay_excludes=[3]),
            "expects weight_decay_excludes to be a regular expression or a list of "
            "them but got [3]",
        ),
        (
            lambda: flow.optimizer.SGD(schedule([], [1]), train_step_lbn=3),
            "expects train_step_lbn to be the name of a blob but got 3",
        ),
        (
            lambda: flow.optimizer.CustomScheduler(3),
            "expects lbn to be the name of a blob but got 3",
        ),
    ],
)
def test_optimizers_must_fit(make, text):
    with raises_here(AssertionError, text):
        make()


# ===- Where errors come from ----------------------------------------------===#


def test_all_errors_have_one_base():
    for name in dir(flow.errors):
        cls = getattr(flow.errors, name)
        if isinstance(cls, type):
            assert issubclass(cls, flow.errors.JobMLIRError), name


def test_an_error_leaves_the_session_usable():
    define_unary(lambda x: flow.reshape(x, [5]))
    with pytest.raises(AssertionError):
        flow.dump_ir()
    job = define_unary(lambda x: x + 1.0)
    assert (job(X) == 1).all()


def test_a_loss_that_is_computed_from_another():
    train_with(lambda x: sgd().minimize([x, x * 2.0]))
    with raises_here(
        RuntimeError,
        "job job, op Multiply_1: expects losses to be independent but got one that is "
        "computed from another",
    ):
        flow.dump_ir("train")


def test_what_a_callback_raises_is_shown_at_exit(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import numpy as np\n"
        "import jobmlir as flow\n"
        "@flow.function(flow.function_config())\n"
        "def job(x=flow.FixedTensorDef((2,))):\n"
        "    return x\n"
        "def callback(result):\n"
        "    raise KeyError('mine')\n"
        "job(np.zeros(2, np.float32)).async_get(callback)\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True)
    assert done.stderr.startswith("Traceback"), done.stderr
    assert "KeyError: 'mine'" in done.stderr
    assert "raised in the callback given here" in done.stderr


@pytest.mark.parametrize(
    "make, shown",
    [
        (flow.zeros_initializer, "<initializer>"),
        (flow.glorot_uniform_initializer, "<initializer>"),
        (lambda: sgd(0.1), "<SGD>"),
        (lambda: flow.optimizer.SGD, "<class SGD>"),
        (lambda: sgd, "<function sgd"),
        (flow.function_config, "<FunctionConfig>"),
        (flow.train.CheckPoint, "<CheckPoint>"),
        (flow.scope.consistent_view, "<LogicalView>"),
        (lambda: flow.scope.placement("cpu", "0:0"), "<PlacementScope>"),
        (lambda: flow.optimizer.grad_clipping.by_global_norm(1.0), "<Clipping>"),
    ],
)
def test_objects_of_the_package_are_shown_by_their_class(make, shown):
    define_unary(lambda x: flow.reshape(x, make()))
    with raises_here(ValueError, f"expects shape to be a list of ints but got {shown}"):
        flow.dump_ir()
    flow.clear_default_session()
    define_unary(
        lambda x: flow.get_variable(
            "w", (2,), initializer=flow.zeros_initializer(), regularizer=make()
        )
    )
    with raises_here(ValueError, "such as oneflow.regularizers.l2() but got " + shown):
        flow.dump_ir()
