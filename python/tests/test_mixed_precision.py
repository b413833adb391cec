"""Mixed precision: models train as they do in float32, and loss scales follow the
gradients."""

import importlib
import os
import pathlib
import re

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from models import BATCH, INPUTS, batch, define_train, logits_of, loss_of, raises_here

needs_data = pytest.mark.skipif(
    not os.path.isdir("/usr/share/datasets/fashion-mnist"),
    reason="no Fashion-MNIST here",
)


def make_config(dtype=None):
    """A configuration with mixed precision in `dtype`, or without."""
    config = flow.function_config()
    if dtype is not None:
        config.enable_auto_mixed_precision()
        config.auto_mixed_precision_data_type(dtype)
    return config


def constant_rate(value):
    return flow.optimizer.PiecewiseConstantScheduler([], [value])


@pytest.fixture
def example(root, monkeypatch):
    """Imports a script of examples/ for its model, without its jobs."""
    pytest.importorskip("matplotlib")
    pytest.importorskip("tqdm")
    monkeypatch.syspath_prepend(str(root / "examples"))

    def load(name):
        module = importlib.import_module(name)
        flow.clear_default_session()
        return module

    return load


# ===- The API -------------------------------------------------------------===#


def test_off_by_default():
    define_train()
    assert "bf16" not in flow.dump_ir("train")


@pytest.mark.parametrize(
    "dtype, text", [(flow.bfloat16, "bf16"), (flow.float16, "f16")]
)
def test_products_are_narrow_and_variables_are_not(dtype, text):
    @flow.global_function(type="train", function_config=make_config(dtype))
    def job(
        images: tp.Numpy.Placeholder((BATCH, INPUTS)),
        labels: tp.Numpy.Placeholder((BATCH,), dtype=flow.int32),
    ) -> tp.Numpy:
        loss = loss_of(images, labels)
        flow.optimizer.SGD(constant_rate(0.1)).minimize(loss)
        return loss

    assert f"precision = {text}" in flow.dump_ir("job")
    ir = flow.dump_ir("train")
    products = re.findall(r"job\.matmul .*: <[\dx]+x(\w+)>, <[\dx]+x(\w+)>", ir)
    assert products and set(products) == {(text, text)}
    variables = re.findall(r"job\.variable .*blob<[\dx]+x(\w+)>", ir)
    assert variables and set(variables) <= {"f32", "i64"}


def test_bfloat16_is_the_default():
    config = flow.function_config()
    config.enable_auto_mixed_precision()

    @flow.global_function(function_config=config)
    def job(images: tp.Numpy.Placeholder((BATCH, INPUTS))) -> tp.Numpy:
        return logits_of(images)

    assert "precision = bf16" in flow.dump_ir("job")


def test_the_type_is_checked():
    config = flow.function_config()
    with raises_here(
        flow.errors.ConfigError,
        "expects bfloat16 or float16 for auto_mixed_precision_data_type but got "
        "oneflow.float32",
    ):
        config.auto_mixed_precision_data_type(flow.float32)


def test_jobs_have_their_own_precision():
    """One session trains in bfloat16 and evaluates in float32."""

    @flow.global_function(type="train", function_config=make_config(flow.bfloat16))
    def train(
        images: tp.Numpy.Placeholder((BATCH, INPUTS)),
        labels: tp.Numpy.Placeholder((BATCH,), dtype=flow.int32),
    ) -> tp.Numpy:
        loss = loss_of(images, labels)
        flow.optimizer.SGD(constant_rate(0.1), momentum=0).minimize(loss)
        return loss

    @flow.global_function()
    def evaluate(
        images: tp.Numpy.Placeholder((BATCH, INPUTS)),
        labels: tp.Numpy.Placeholder((BATCH,), dtype=flow.int32),
    ) -> tp.Numpy:
        return loss_of(images, labels)

    before = evaluate(*batch())
    # Products are rounded to 8 bits.
    np.testing.assert_allclose(train(*batch()), before, rtol=0.03)
    assert not np.array_equal(train(*batch()), evaluate(*batch()))
    for _ in range(50):
        train(*batch())
    assert evaluate(*batch()).mean() < 0.7 * before.mean()


# ===- The processor -------------------------------------------------------===#


def has_bf16():
    """Whether the processor has instructions for products of bfloat16."""
    flags = pathlib.Path("/proc/cpuinfo")
    return flags.exists() and "avx512_bf16" in flags.read_text().split()


@pytest.mark.parametrize("check", [False, True])
def test_products_of_bfloat16_use_the_processor(check):
    """With its instructions and without, products and convolutions have nearly the
    same results."""
    rng = np.random.default_rng(3)
    images = rng.standard_normal((4, 3, 12, 12)).astype(np.float32)
    plans, results = [], []
    for features in ("-avx512bf16", ""):
        flow.clear_default_session()
        flow.config.compiler_features(features)
        flow.config.check_numerics(check)

        @flow.global_function(type="train", function_config=make_config(flow.bfloat16))
        def job(images: tp.Numpy.Placeholder((4, 3, 12, 12))) -> tp.Numpy:
            init = flow.truncated_normal(0.1)
            x = flow.layers.conv2d(images, 20, 3, padding="SAME", kernel_initializer=init)
            x = flow.layers.conv2d(x, 16, 3, strides=2, kernel_initializer=init)
            x = flow.layers.dense(
                flow.reshape(x, [4, -1]), 8, kernel_initializer=init
            )
            flow.optimizer.SGD(constant_rate(0.1), momentum=0).minimize(x)
            return x

        results.append([job(images), job(images)])
        plans.append(flow.dump_ir("plan"))
    wide, narrow = plans
    calls = re.compile(r"plan\.call #plan\.onednn\.(\w+)<[^>]*type = bf16")
    assert not calls.search(wide)
    assert set(calls.findall(narrow)) == (
        {"matmul", "conv2d", "conv2d_data_grad", "conv2d_filter_grad"}
        if has_bf16()
        else set()
    )
    for each in zip(*results):
        scale = np.abs(each[0]).max()
        np.testing.assert_allclose(each[1], each[0], rtol=0, atol=0.02 * scale)


def test_a_nan_in_a_product_of_bfloat16_is_found():
    flow.config.check_numerics(True)

    @flow.global_function(function_config=make_config(flow.bfloat16))
    def job(x: tp.Numpy.Placeholder((40, 40))) -> tp.Numpy:
        return flow.matmul(x, x, name="product")

    job(np.ones((40, 40), np.float32))
    # Finite in bfloat16, but its square is not.
    with pytest.raises(
        flow.errors.NumericsError,
        match="'product': expects finite values but got infinity",
    ):
        job(np.full((40, 40), 1e30, np.float32))


# ===- Models --------------------------------------------------------------===#


def static_scale():
    return flow.optimizer.loss_scale.static_loss_scale(2.0**7)


def dynamic_scale():
    return flow.optimizer.loss_scale.dynamic_loss_scale(2.0**4)


def no_scale():
    return None


_wide = {}


def wide_of(model, train):
    """What `train` returns in float32: it runs once for all precisions."""
    if model not in _wide:
        _wide[model] = train()
    return _wide[model]


PRECISIONS = [
    pytest.param(flow.bfloat16, no_scale, id="bfloat16"),
    pytest.param(flow.float16, static_scale, id="float16-static"),
    pytest.param(flow.float16, dynamic_scale, id="float16-dynamic"),
]


def train_classifier(model, optimizer, dtype, steps, size=100, seed=0):
    """The mean losses of `steps` steps on Fashion-MNIST, and the test accuracy on
    2,000 images."""
    flow.clear_default_session()
    flow.config.random_seed(seed)
    config = make_config(dtype)

    @flow.global_function(type="train", function_config=config)
    def train(
        images: tp.Numpy.Placeholder((size, 1, 28, 28)),
        labels: tp.Numpy.Placeholder((size,), dtype=flow.int32),
    ) -> tp.Numpy:
        loss = flow.nn.sparse_softmax_cross_entropy_with_logits(
            labels, model(images, True)
        )
        optimizer().minimize(loss)
        return loss

    @flow.global_function(function_config=config)
    def evaluate(images: tp.Numpy.Placeholder((size, 1, 28, 28))) -> tp.Numpy:
        return model(images, False)

    (images, labels), (test_images, test_labels) = flow.data.load_mnist(size, size)
    losses = [float(train(images[i], labels[i]).mean()) for i in range(steps)]
    count = 2000 // size
    found = sum(
        (evaluate(x).argmax(1) == y).sum()
        for x, y in zip(test_images[:count], test_labels[:count])
    )
    return np.array(losses), found / (count * size)


def adam(policy):
    return flow.optimizer.Adam(
        constant_rate(1e-3), do_bias_correction=True, loss_scale_policy=policy
    )


@needs_data
@pytest.mark.parametrize("dtype, scale", PRECISIONS)
def test_lenet_reaches_the_same_accuracy(example, dtype, scale):
    lenet = example("train_lenet").lenet
    _, wide = wide_of(
        "lenet", lambda: train_classifier(lenet, lambda: adam(None), None, 60)
    )
    _, narrow = train_classifier(lenet, lambda: adam(scale()), dtype, 60)
    # Seeds differ by 0.03.
    assert wide > 0.7 and abs(wide - narrow) < 0.03


@needs_data
@pytest.mark.parametrize("dtype, scale", PRECISIONS)
def test_resnet20_has_the_same_losses(example, dtype, scale):
    resnet20 = example("train_resnet20").resnet20

    def momentum(policy):
        return flow.optimizer.SGD(
            constant_rate(0.01), momentum=0.9, loss_scale_policy=policy
        )

    def model(images, train):
        return resnet20(images)

    wide, _ = wide_of(
        "resnet20",
        lambda: train_classifier(model, lambda: momentum(None), None, 20, size=20),
    )
    narrow, _ = train_classifier(model, lambda: momentum(scale()), dtype, 20, size=20)
    np.testing.assert_allclose(narrow[:3], wide[:3], rtol=0.05)
    np.testing.assert_allclose(narrow[-10:].mean(), wide[-10:].mean(), rtol=0.1)


@pytest.mark.parametrize("dtype, scale", PRECISIONS)
def test_a_transformer_has_the_same_losses(example, dtype, scale):
    chars = example("train_chars")
    rng = np.random.default_rng(0)
    windows = rng.integers(0, 50, (20, chars.BATCH, chars.LENGTH + 1)).astype(np.int32)
    windows[:, :, 1:] = windows[:, :, :1] // 2 + np.arange(chars.LENGTH) % 7

    def train(dtype, policy):
        flow.clear_default_session()

        @flow.global_function(type="train", function_config=make_config(dtype))
        def step(
            tokens: tp.Numpy.Placeholder((chars.BATCH, chars.LENGTH), dtype=flow.int32),
            following: tp.Numpy.Placeholder(
                (chars.BATCH, chars.LENGTH), dtype=flow.int32
            ),
        ) -> tp.Numpy:
            loss = flow.nn.sparse_softmax_cross_entropy_with_logits(
                flow.reshape(following, [-1]), chars.transformer(tokens, 50)
            )
            adam(policy).minimize(loss)
            return loss

        return np.array(
            [
                float(step(each[:, :-1].copy(), each[:, 1:].copy()).mean())
                for each in windows
            ]
        )

    wide = wide_of("chars", lambda: train(None, None))
    narrow = train(dtype, scale())
    assert wide[-1] < 0.8 * wide[0]
    np.testing.assert_allclose(narrow, wide, rtol=0.02)


# ===- Loss scales ---------------------------------------------------------===#


def define_product(policy, dtype=flow.float16):
    """A job whose gradient is the sum of the rows of its input."""

    @flow.global_function(type="train", function_config=make_config(dtype))
    def job(x: tp.Numpy.Placeholder((2, 4))) -> tp.Numpy:
        w = flow.get_variable("w", (4, 1), initializer=flow.ones_initializer())
        loss = flow.matmul(x, w)
        flow.optimizer.Adam(
            constant_rate(0.25), do_bias_correction=True, loss_scale_policy=policy
        ).minimize(loss)
        return loss

    return job


def values(*names):
    variables = flow.get_all_variables()
    return [variables[name].numpy().copy() for name in names]


def test_a_dynamic_loss_scale_skips_steps_and_grows():
    job = define_product(
        flow.optimizer.loss_scale.dynamic_loss_scale(1024, increment_period=3)
    )
    names = ("System-Train-LossScale-job", "System-Train-GoodSteps-job")
    large, small = np.full((2, 4), 100, np.float32), np.ones((2, 4), np.float32)
    state = ("w", "w-m", "w-v", "w-beta1_t", "w-beta2_t")
    job(small)
    (scale, good), before = values(*names), values(*state)
    assert scale == [1024] and good == [1]
    # 2 * 100 * 1024 and half of it are infinite in float16.
    for expected in (512, 256):
        job(large)
        (scale, good), after = values(*names), values(*state)
        assert scale == [expected] and good == [0]
        for old, new in zip(before, after):
            np.testing.assert_array_equal(old, new)
    for step in (1, 2):
        job(large)
        scale, good = values(*names)
        assert scale == [256] and good == [step]
    job(small)
    scale, good = values(*names)
    assert scale == [512] and good == [0]
    assert not np.array_equal(values("w")[0], before[0])
    # Steps are counted whether they update or not.
    assert values("System-Train-TrainStep-job")[0] == [6]


def test_a_nan_skips_a_step():
    job = define_product(flow.optimizer.loss_scale.dynamic_loss_scale(8.0))
    job(np.full((2, 4), np.nan, np.float32))
    scale, w = values("System-Train-LossScale-job", "w")
    assert scale == [4] and (w == 1).all()


def test_the_scale_has_limits():
    job = define_product(
        flow.optimizer.loss_scale.dynamic_loss_scale(
            np.finfo(np.float32).max, increment_period=1, multiplier=4.0
        ),
        dtype=None,
    )
    zeros = np.zeros((2, 4), np.float32)
    job(zeros)
    assert values("System-Train-LossScale-job")[0] == np.finfo(np.float32).max
    for _ in range(130):
        job(np.full((2, 4), np.inf, np.float32))
    assert values("System-Train-LossScale-job")[0] == np.finfo(np.float32).tiny


@pytest.mark.parametrize("factor", [8, 0.5])
def test_a_static_loss_scale_of_a_power_of_two_changes_nothing(factor):
    def run(policy):
        flow.clear_default_session()
        job = define_product(policy, dtype=None)
        for i in range(5):
            job(np.full((2, 4), i + 1, np.float32))
        return values("w")[0]

    np.testing.assert_array_equal(
        run(None), run(flow.optimizer.loss_scale.static_loss_scale(factor))
    )


def test_a_dynamic_loss_scale_in_micro_steps():
    """The seed of the gradients is a value of the step, the loss one of the
    micro-step."""

    @flow.global_function(type="train", function_config=make_config(flow.bfloat16))
    def job(x: tp.Numpy.Placeholder((4, 4))) -> tp.Numpy:
        part = flow.unpack(x, 2)
        w = flow.get_variable("w", (4, 1), initializer=flow.ones_initializer())
        loss = flow.matmul(part, w)
        flow.optimizer.SGD(
            constant_rate(0.5),
            momentum=0,
            loss_scale_policy=flow.optimizer.loss_scale.dynamic_loss_scale(),
        ).minimize(loss)
        return flow.pack(loss, 2)

    job(np.ones((4, 4), np.float32))
    np.testing.assert_array_equal(values("w")[0], np.full((4, 1), 0.5, np.float32))


@pytest.mark.parametrize(
    "make, message",
    [
        (
            lambda: flow.optimizer.loss_scale.static_loss_scale(0),
            "expects loss_scale_factor to be positive but got 0",
        ),
        (
            lambda: flow.optimizer.loss_scale.dynamic_loss_scale(-1),
            "expects initial_loss_scale to be positive but got -1",
        ),
        (
            lambda: flow.optimizer.loss_scale.dynamic_loss_scale(increment_period=0),
            "expects increment_period to be at least 1 but got 0",
        ),
        (
            lambda: flow.optimizer.loss_scale.dynamic_loss_scale(multiplier=1),
            "expects multiplier to be greater than 1 but got 1",
        ),
        (
            lambda: flow.optimizer.SGD(constant_rate(0.1), loss_scale_policy=8),
            "expects loss_scale_policy to be what optimizer.loss_scale makes, such as "
            "dynamic_loss_scale(), but got 8",
        ),
        (
            lambda: flow.optimizer.SGD(
                constant_rate(0.1),
                loss_scale_factor=8,
                loss_scale_policy=flow.optimizer.loss_scale.static_loss_scale(2),
            ),
            "expects loss_scale_factor or loss_scale_policy but got both",
        ),
    ],
)
def test_policies_are_checked(make, message):
    with raises_here(flow.errors.TrainConfError, message):
        make()
