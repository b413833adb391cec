"""Which variables a training job trains, by which optimizer: minimize(loss,
variables=...), `trainable` in each job, stop_gradient, layers that share variables."""

import re

import numpy as np
import pytest

import jobmlir as flow
import jobmlir.typing as tp
from models import define_unary, raises_here

ONES = flow.ones_initializer()


def sgd(rate=0.5, **more):
    schedule = flow.optimizer.PiecewiseConstantScheduler([], [rate])
    return flow.optimizer.SGD(schedule, **{"momentum": 0, **more})


def adam(rate):
    schedule = flow.optimizer.PiecewiseConstantScheduler([], [rate])
    return flow.optimizer.Adam(schedule, do_bias_correction=True)


def variables(*names):
    return [flow.get_variable(name, (2,), initializer=ONES) for name in names]


def train(body, steps=1):
    """The variables after steps of a job with this body."""

    @flow.global_function(type="train")
    def job():
        body()

    for _ in range(steps):
        job().get()
    return {
        name: variable.numpy()
        for name, variable in flow.get_all_variables().items()
        if not name.startswith("System-")
    }


def values(**expected):
    return {name: [value] * 2 for name, value in expected.items()}


def check(got, expected):
    assert set(got) == set(expected)
    for name, value in expected.items():
        np.testing.assert_allclose(got[name], value, 1e-5, 1e-5, err_msg=name)


# ===- Several optimizers ---------------------------------------------------===#


@pytest.mark.parametrize(
    "choice, trained",
    [
        ("a", ["a"]),  # A name is that of one variable, not of all that contain it.
        ("^a", ["a", "ab"]),
        (re.compile("b"), ["ab", "b"]),
        (["a", "b"], ["a", "b"]),
        (["^ab?$"], ["a", "ab"]),
        (None, ["a", "ab", "b"]),
    ],
)
def test_variables_are_chosen(choice, trained):
    def body():
        a, ab, b = variables("a", "ab", "b")
        sgd().minimize(a + ab + b, variables=choice)

    got = train(body)
    check(got, values(**{n: 0.75 if n in trained else 1 for n in ("a", "ab", "b")}))


def test_variables_are_chosen_by_blobs():
    def body():
        a, b = variables("a", "b")
        sgd().minimize(a * b, variables=[b])

    check(train(body), values(a=1, b=0.75))


def test_each_group_has_an_optimizer():
    def body():
        a, b, c, d = variables("a", "b", "c", "d")
        loss = a + b + c + d
        sgd(1.0).minimize(loss)
        sgd(0.25).minimize(loss, variables="[bd]")
        adam(0.125).minimize(loss, variables="c")

    got = train(body)
    for name in list(got):
        if name.startswith("c-"):
            del got[name]
    check(got, values(a=0.5, b=0.875, c=0.875, d=0.875))


@pytest.mark.parametrize("choice", [["a"], lambda: ["a"]])
def test_an_optimizer_may_know_its_variables(choice):
    def body():
        a, b, c = variables("a", "b", "c")
        loss = a + b + c
        sgd(1.0, variables=choice).minimize(loss)
        sgd(0.25, variables="b").minimize(loss, variables="c")

    check(train(body), values(a=0.5, b=1, c=0.875))


@pytest.mark.parametrize("scaled", [False, True])
def test_combined_optimizers(scaled):
    policy = flow.optimizer.loss_scale.dynamic_loss_scale(4.0) if scaled else None

    def body():
        a, b, c = variables("a", "b", "c")
        optimizers = [sgd(1.0, variables=["a"]), sgd(0.5, variables=["b"]), sgd(0.25)]
        combined = flow.optimizer.CombinedOptimizer(
            optimizers, loss_scale_policy=policy
        )
        combined.minimize(a + b + c)

    check(train(body), values(a=0.5, b=0.75, c=0.875))


@pytest.mark.parametrize("given", [[], None, [3], flow.optimizer.SGD])
def test_what_is_combined_must_be_optimizers(given):
    with raises_here(AssertionError, "expects a list of optimizers but got "):
        flow.optimizer.CombinedOptimizer(given)


def test_clipping_and_decay_are_of_a_group():
    clip = flow.optimizer.grad_clipping.by_global_norm
    schedule = flow.optimizer.PiecewiseConstantScheduler([], [1.0])

    def body():
        a, b, c = variables("a", "b", "c")
        loss = a * 6 + b * 8 + c * 100
        flow.optimizer.SGDW(
            schedule,
            momentum=0,
            grad_clipping=clip(1.0),
            weight_decay=0.5,
            weight_decay_excludes="a",
        ).minimize(loss, variables=["a", "b"])
        flow.optimizer.SGDW(schedule, momentum=0, weight_decay=0.25).minimize(loss)

    # Each of the two elements of a has the gradient 3, of b 4.
    norm = np.sqrt(2 * (3**2 + 4**2))
    check(
        train(body),
        values(a=1 - 3 / norm, b=1 - 4 / norm - 0.5, c=1 - 50 - 0.25),
    )


@pytest.mark.parametrize("huge", [1.0, 3e38])
def test_groups_share_a_dynamic_loss_scale(huge):
    def body():
        a, b = variables("a", "b")
        loss = a * huge + b
        for choice in ("a", None):
            policy = flow.optimizer.loss_scale.dynamic_loss_scale(4.0)
            sgd(loss_scale_policy=policy).minimize(loss, variables=choice)

    after = 0.75 if huge == 1 else 1
    check(train(body), values(a=after, b=after))


@pytest.mark.parametrize("dtype", [flow.bfloat16, flow.float16])
def test_groups_in_mixed_precision(dtype):
    """With a learning rate that the job computes from a narrow blob."""
    config = flow.function_config()
    config.enable_auto_mixed_precision(True)
    config.auto_mixed_precision_data_type(dtype)

    @flow.global_function(type="train", function_config=config)
    def job(x: tp.Numpy.Placeholder((4, 4))):
        out = flow.layers.dense(x, 4, kernel_initializer=ONES, name="dense")
        rate = flow.math.reduce_mean(out, name="rate")
        sgd(1.0).minimize(out, variables="weight")
        custom = flow.optimizer.CustomScheduler("rate/out")
        flow.optimizer.SGD(custom, momentum=0).minimize(out, variables="bias")

    job(np.full((4, 4), 0.5, np.float32)).get()
    state = flow.get_all_variables()
    np.testing.assert_array_equal(state["dense-weight"].numpy(), np.full((4, 4), 0.875))
    # The results are 4 * 0.5; a bias has a quarter of the mean.
    np.testing.assert_array_equal(state["dense-bias"].numpy(), np.full(4, -0.5))


def test_a_regularizer_of_a_variable_that_is_not_trained():
    def body():
        (a,) = variables("a")
        b = flow.get_variable(
            "b", (2,), initializer=ONES, regularizer=flow.regularizers.l2(1.0)
        )
        sgd().minimize(a * b, variables="a")

    check(train(body), values(a=0.75, b=1))


def _overlap():
    a, b = variables("a", "b")
    sgd().minimize(a + b, variables="a")
    sgd().minimize(a + b, variables="[ab]")


def _two_losses():
    a, b = variables("a", "b")
    sgd().minimize(a + b, variables="a")
    sgd().minimize(a * b, variables="b")


def _two_scales():
    a, b = variables("a", "b")
    loss = a + b
    sgd(loss_scale_factor=2).minimize(loss, variables="a")
    sgd().minimize(loss, variables="b")


def _overlap_of_one_loss():
    a, b = variables("a", "b")
    loss = a + b
    sgd().minimize(loss, variables="a")
    sgd().minimize(loss, variables="[ab]")


def _fixed():
    (a,) = variables("a")
    b = flow.get_variable("b", (2,), initializer=ONES, trainable=False)
    sgd().minimize(a + b, variables=["a", "b"])


def _minimize(choice):
    def body():
        a, b = variables("a", "b")
        sgd().minimize(a + b, variables=choice)

    return body


@pytest.mark.parametrize(
    "body, text",
    [
        (_overlap_of_one_loss, "expects one minimize for each variable but got a in"),
        (_two_losses, "expects the losses of every minimize of a job to be those of"),
        (_two_scales, "expects one loss scale in a job but got another than that at"),
        (_fixed, "expects variables that this job trains but got b, whose trainable"),
        (
            _minimize("c"),
            "expects the name of a variable that this job trains, or a pattern of one, "
            "but got 'c'; it trains a, b",
        ),
        (_minimize("("), "expects variables to be regular expressions but got '('"),
        (_minimize([]), "expects at least one variable to update but got none"),
        (_minimize(3), "expects variables to be names, regular expressions or blobs"),
        (
            lambda: sgd().minimize(
                variables("a")[0],
                variables=flow.math.negative(variables("a")[0], name="minus"),
            ),
            "expects variables to be blobs of get_variable in this job but got minus",
        ),
    ],
)
def test_groups_must_fit(body, text):
    @flow.global_function(type="train")
    def job():
        body()

    with raises_here(AssertionError, "job job", text):
        flow.dump_ir()


def test_a_name_of_a_variable_is_no_pattern():
    """The names are regular expressions that find others, or are none."""

    @flow.global_function(type="train")
    def job():
        for name in ("w+", "ww", "v("):
            w = flow.get_variable(name, (1,), initializer=flow.zeros_initializer())
            loss = w if name == "w+" else loss + w
        sgd(1.0).minimize(loss, variables=["w+", "v("])

    job().get()
    values = {name: v.numpy() for name, v in flow.get_all_variables().items()}
    assert values["w+"] == values["v("] == -1 and values["ww"] == 0


# ===- Several jobs ----------------------------------------------------------===#


def test_jobs_train_different_variables():
    """Each job trains what the other one keeps, whichever is first."""

    def define(name, trains_a):
        def job() -> tp.Numpy:
            a = flow.get_variable("a", (2,), initializer=ONES, trainable=trains_a)
            b = flow.get_variable("b", (2,), initializer=ONES, trainable=not trains_a)
            fixed = flow.get_variable("c", (2,), initializer=ONES, trainable=False)
            loss = a * b * 4 + fixed
            sgd().minimize(loss)
            return loss

        job.__name__ = name
        return flow.global_function(type="train")(job)

    first, second = define("first", False), define("second", True)

    @flow.global_function()
    def read() -> tp.Numpy:
        return flow.get_variable("a", (2,)) + flow.get_variable("b", (2,))

    read()
    np.testing.assert_array_equal(first(), [5, 5])
    state = flow.get_all_variables()
    np.testing.assert_array_equal(state["a"].numpy(), [1, 1])
    np.testing.assert_array_equal(state["b"].numpy(), [0, 0])
    second()
    state = flow.get_all_variables()
    np.testing.assert_array_equal(state["a"].numpy(), [1, 1])
    first()
    np.testing.assert_array_equal(read(), [0, 0])
    assert state["a"].trainable and state["b"].trainable and not state["c"].trainable
    # Only what another job trains needs a mark.
    assert flow.dump_ir().count("job.stop_gradient") == 2
    assert "job.stop_gradient" not in flow.dump_ir("train")


def generator(noise, trainable):
    hidden = flow.layers.dense(
        noise,
        16,
        activation=flow.math.tanh,
        kernel_initializer=flow.truncated_normal(0.5),
        trainable=trainable,
        name="generator1",
    )
    return flow.layers.dense(
        hidden,
        2,
        kernel_initializer=flow.truncated_normal(0.5),
        trainable=trainable,
        name="generator2",
    )


def discriminator(points, trainable, reuse=False):
    hidden = flow.layers.dense(
        points,
        32,
        activation=flow.nn.leaky_relu,
        kernel_initializer=flow.truncated_normal(0.5),
        trainable=trainable,
        name="discriminator1",
        reuse=reuse,
    )
    return flow.layers.dense(
        hidden,
        1,
        kernel_initializer=flow.truncated_normal(0.5),
        trainable=trainable,
        name="discriminator2",
        reuse=reuse,
    )


def cross_entropy(logits, is_real):
    labels = flow.constant_like(logits, float(is_real))
    return flow.nn.sigmoid_cross_entropy_with_logits(labels, logits)


def test_a_generative_adversarial_pair():
    """The generator learns the mean of points around (2, -1)."""
    config = flow.config
    config.random_seed(3)
    size = 64

    @flow.global_function(type="train")
    def train_discriminator(
        noise: tp.Numpy.Placeholder((size, 4)), points: tp.Numpy.Placeholder((size, 2))
    ) -> tp.Numpy:
        fake = generator(noise, trainable=False)
        loss = cross_entropy(discriminator(points, True), True) + cross_entropy(
            discriminator(fake, True, reuse=True), False
        )
        adam(0.01).minimize(loss)
        return loss

    @flow.global_function(type="train")
    def train_generator(noise: tp.Numpy.Placeholder((size, 4))) -> tp.Numpy:
        loss = cross_entropy(discriminator(generator(noise, True), False), True)
        adam(0.01).minimize(loss)
        return loss

    @flow.global_function()
    def generate(noise: tp.Numpy.Placeholder((size, 4))) -> tp.Numpy:
        return generator(noise, True)

    rng = np.random.default_rng(0)

    def noise():
        return rng.standard_normal((size, 4)).astype(np.float32)

    def snapshot(name):
        state = flow.get_all_variables()
        return {
            each: variable.numpy()
            for each, variable in state.items()
            if each.startswith(name) and each.endswith(("weight", "bias"))
        }

    fixed = noise()
    start = generate(fixed)
    for step in range(300):
        before = snapshot("generator") if step == 0 else None
        points = rng.standard_normal((size, 2)) * 0.3 + (2, -1)
        train_discriminator(noise(), points.astype(np.float32))
        if before:
            for name, value in snapshot("generator").items():
                np.testing.assert_array_equal(value, before[name])
            before = snapshot("discriminator")
        train_generator(noise())
        if before:
            for name, value in snapshot("discriminator").items():
                np.testing.assert_array_equal(value, before[name])
    center = np.array([2, -1])
    distance = np.abs(generate(fixed).mean(axis=0) - center).max()
    assert distance < 1 < 1.5 < np.abs(start.mean(axis=0) - center).max()


# ===- stop_gradient ----------------------------------------------------------===#


def test_stop_gradient():
    def body():
        a, b = variables("a", "b")
        stopped = flow.stop_gradient(a * 3, name="stopped")
        sgd().minimize(stopped * b + a)

    check(train(body), values(a=0.75, b=1 - 0.25 * 3))


@pytest.mark.parametrize(
    "dtype",
    [flow.float32, flow.float64, flow.float16, flow.bfloat16, flow.int32, flow.uint8],
)
def test_stop_gradient_is_the_identity(dtype):
    job = define_unary(lambda x: flow.stop_gradient(x), dtype=dtype)
    x = np.array([[1, 2, 3], [4, 5, 6]])
    x = x.astype(flow.convert_oneflow_dtype_to_numpy_dtype(dtype))
    np.testing.assert_array_equal(job(x), x)


def test_stop_gradient_of_all_losses():
    def body():
        (a,) = variables("a")
        sgd().minimize(flow.stop_gradient(a))

    with raises_here(RuntimeError, "expects the losses to depend on a trainable"):
        train(body)


def test_a_regularizer_does_not_pass_stop_gradient():
    def body():
        a = flow.get_variable(
            "a", (2,), initializer=ONES, regularizer=flow.regularizers.l2(1.0)
        )
        (b,) = variables("b")
        sgd().minimize(flow.stop_gradient(a) * b)

    check(train(body), values(a=1, b=0.75))


def test_stop_gradient_of_what_is_no_blob():
    with raises_here(TypeError, "expects x to be a blob but got int"):
        train(lambda: flow.stop_gradient(3))


# ===- Layers that share variables -------------------------------------------===#


def reuse_twice(layer, shape, **settings):
    """The results of one layer on two inputs, and its variables."""

    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder(shape), y: tp.Numpy.Placeholder(shape)
    ) -> tp.Bundle[tp.Numpy]:
        first = layer(x, name="layer", **settings)
        second = layer(y, name="layer", reuse=True, **settings)
        return first, second, layer(x, name="layer", reuse=True, **settings)

    rng = np.random.default_rng(2)
    x, y = (rng.standard_normal(shape).astype(np.float32) for _ in range(2))
    first, second, again = job(x, y)
    np.testing.assert_array_equal(first, again)
    swapped = job(y, x)
    np.testing.assert_array_equal(first, swapped[1])
    np.testing.assert_array_equal(second, swapped[0])
    assert (first != second).any()
    return sorted(flow.get_all_variables())


@pytest.mark.parametrize(
    "layer, shape, settings, names",
    [
        (
            flow.layers.dense,
            (4, 3),
            {"units": 2, "activation": flow.nn.relu},
            ["layer-bias", "layer-weight"],
        ),
        (flow.layers.dense, (4, 5, 3), {"units": 2}, ["layer-bias", "layer-weight"]),
        (
            flow.layers.conv2d,
            (2, 3, 5, 5),
            {"filters": 2, "kernel_size": 3, "activation": flow.nn.relu},
            ["layer-bias", "layer-weight"],
        ),
        (
            flow.layers.conv1d,
            (2, 3, 5),
            {"filters": 2, "kernel_size": 3},
            ["layer-bias", "layer-weight"],
        ),
        (
            flow.layers.conv3d,
            (2, 3, 5, 5, 5),
            {"filters": 2, "kernel_size": 3},
            ["layer-bias", "layer-weight"],
        ),
        (
            flow.layers.prelu,
            (4, 3),
            {"alpha_initializer": flow.truncated_normal(0.5)},
            ["layer-alpha"],
        ),
        (flow.layers.layer_norm, (4, 3), {}, ["layer-beta", "layer-gamma"]),
        (
            flow.layers.batch_normalization,
            (4, 3),
            {},
            ["layer-beta", "layer-gamma", "layer-moving_mean", "layer-moving_variance"],
        ),
        (
            flow.layers.batch_normalization_relu,
            (4, 3),
            {},
            ["layer-beta", "layer-gamma", "layer-moving_mean", "layer-moving_variance"],
        ),
    ],
)
def test_layers_share_variables(layer, shape, settings, names):
    if "units" in settings or "filters" in settings:
        settings = {**settings, "kernel_initializer": flow.truncated_normal(0.5)}
    assert reuse_twice(layer, shape, **settings) == names


def test_a_shared_normalization_averages_over_both_uses():
    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((4, 3)), y: tp.Numpy.Placeholder((4, 3))):
        results = [
            flow.layers.batch_normalization(z, momentum=0.5, name="n", reuse=i > 0)
            for i, z in enumerate((x, y))
        ]
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
        flow.optimizer.SGD(rate).minimize(results[0] + results[1])
        return results[0]

    rng = np.random.default_rng(4)
    x, y = (rng.standard_normal((4, 3)).astype(np.float32) for _ in range(2))
    job(x, y).get()
    values = flow.get_all_variables()
    mean = 0.5 * (0.5 * x.mean(0)) + 0.5 * y.mean(0)
    np.testing.assert_allclose(values["n-moving_mean"].numpy(), mean, rtol=1e-5)
    variance = 0.5 * (0.5 + 0.5 * x.var(0)) + 0.5 * y.var(0)
    np.testing.assert_allclose(values["n-moving_variance"].numpy(), variance, rtol=1e-5)


def test_a_shared_layer_is_trained_by_both_uses():
    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((1, 1)), y: tp.Numpy.Placeholder((1, 1))):
        first = flow.layers.dense(x, 1, use_bias=False, name="d")
        second = flow.layers.dense(y, 1, use_bias=False, name="d", reuse=True)
        sgd(1.0).minimize(first + second * 2)

    job(np.full((1, 1), 3, np.float32), np.full((1, 1), 5, np.float32)).get()
    assert flow.get_all_variables()["d-weight"].numpy() == -13


@pytest.mark.parametrize(
    "body, text",
    [
        (
            lambda x: flow.layers.dense(x, 3, reuse=True),
            "expects the name of the layer to reuse, layers.dense(..., name=\"...\", "
            "reuse=True), but got none",
        ),
        (
            lambda x: flow.layers.dense(x, 3, name="new", reuse=True),
            "expects the name of a layer that this job has to reuse but got 'new'",
        ),
        (
            lambda x: flow.layers.dense(x, 3, name="d", reuse="yes"),
            "expects reuse to be a bool but got 'yes'",
        ),
        (
            lambda x: flow.layers.dense(flow.layers.dense(x, 3, name="d"), 3, name="d"),
            "expects a new name because getting the same variable is not allowed when "
            "param reuse is False but got d-weight, which is a variable of this job "
            "already; reuse=True shares it",
        ),
        (
            lambda x: flow.layers.dense(
                flow.layers.dense(x, 2, name="d"), 3, name="d", reuse=True
            ),
            "expects shape (2, 3) of variable d-weight",
        ),
        (
            lambda x: flow.layers.layer_norm(
                flow.layers.dense(x, 2, name="d"), name="d", reuse=True
            ),
            "expects a name for each kind of layer but got 'd' for a LayerNorm layer "
            "and, before, for a Dense layer",
        ),
        (
            lambda x: flow.layers.layer_norm(flow.layers.dense(x, 2, name="d"), name="d"),
            "expects a name for each kind of layer but got 'd' for a LayerNorm layer",
        ),
    ],
)
def test_reuse_must_fit(body, text):
    define_unary(body)
    with raises_here(AssertionError, "job job", text):
        flow.dump_ir()
