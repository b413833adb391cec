"""The update rules of all optimizers in NumPy, in float64, and the cases in which a
compiled job is compared with them."""

import re
import typing

import numpy as np

import jobmlir as flow
import jobmlir.typing as tp

SHAPES = {"kernel": (3, 5), "bias": (7,), "filter": (2, 3, 2, 2), "gain": (1,)}
CURVATURE = 0.25
RATES = (0.05, 0.02)


def rms(x):
    return np.sqrt(np.mean(x * x))


# ===- The rules as the reference has them ----------------------------------===#
#
# Each is called with the variable, its gradient, the learning rate, the rate of the
# weight decay, the step from 0 and the state, a dictionary by suffix.


def sgd(w, g, lr, wd, step, state):
    return w - lr * (g + wd * w)


def momentum(beta):
    def rule(w, g, lr, wd, step, state):
        m = state["momentum"] = beta * state.get("momentum", 0) - lr * g
        return w + m - lr * wd * w

    return rule


def adam(beta1, beta2, epsilon, corrects):
    def rule(w, g, lr, wd, step, state):
        m = state["m"] = beta1 * state.get("m", 0) + (1 - beta1) * g
        v = state["v"] = beta2 * state.get("v", 0) + (1 - beta2) * g * g
        if corrects:
            t = step + 1
            lr = lr * np.sqrt(1 - beta2**t) / (1 - beta1**t)
            state["beta1_t"], state["beta2_t"] = beta1 ** (t + 1), beta2 ** (t + 1)
        return w - lr * (m / (np.sqrt(v) + epsilon) + wd * w)

    return rule


def rmsprop(rho, epsilon, centered):
    def rule(w, g, lr, wd, step, state):
        s = state["mean_square"] = rho * state.get("mean_square", 0) + (1 - rho) * g * g
        if not centered:
            return w - lr * g / np.sqrt(s + epsilon)
        a = state["mean_gradient"] = rho * state.get("mean_gradient", 0) + (1 - rho) * g
        return w - lr * g / np.sqrt(s - a * a + epsilon)

    return rule


def lars(beta, epsilon, coefficient):
    def rule(w, g, lr, wd, step, state):
        local = epsilon + rms(g) + (wd * rms(w) if step > 0 else 0)
        local = lr * coefficient * rms(w) / local
        m = state["momentum"] = beta * state.get("momentum", 0) - local * (g + wd * w)
        return w + m

    return rule


def lamb(beta1, beta2, epsilon):
    def rule(w, g, lr, wd, step, state):
        t = step + 1
        m = state["m"] = beta1 * state.get("m", 0) + (1 - beta1) * g
        v = state["v"] = beta2 * state.get("v", 0) + (1 - beta2) * g * g
        state["beta1_t"], state["beta2_t"] = beta1 ** (t + 1), beta2 ** (t + 1)
        r = (m / (1 - beta1**t)) / np.sqrt(v / (1 - beta2**t) + epsilon)
        norms = np.linalg.norm(w), np.linalg.norm(r)
        ratio = norms[0] / norms[1] if min(norms) > 0 else 1
        return w - lr * ratio * (r + wd * w)

    return rule


# ===- Cases ----------------------------------------------------------------===#


class Case(typing.NamedTuple):
    """`make` is an optimizer for a scheduler and more arguments."""

    name: str
    make: typing.Callable
    rule: typing.Callable
    # The rate, and which variables decay.
    decay: float = 0.0
    decays: typing.Callable = lambda name: True
    clip_norm: float = None
    legacy: bool = False
    arguments: dict = {}


def _cases():
    o = flow.optimizer
    excludes = {"weight_decay": 0.3, "weight_decay_excludes": ["bias", "^gain"]}
    includes = {"weight_decay": 0.3, "weight_decay_includes": "ker|filter$"}
    not_bias = {"decay": 0.3, "decays": lambda name: name not in ("bias", "gain")}
    adam_rule = adam(0.9, 0.999, 1e-8, False)
    corrected = adam(0.9, 0.999, 1e-8, True)
    yield Case("sgd", o.SGD, sgd, arguments={"momentum": 0})
    yield Case("momentum", o.SGD, momentum(0.9))
    yield Case("momentum-clipped", o.SGD, momentum(0.9), clip_norm=2.0)
    yield Case(
        "sgd-legacy",
        o.SGD,
        momentum(0.5),
        clip_norm=5.0,
        legacy=True,
        arguments={"momentum": 0.5},
    )
    yield Case("sgd-not-clipped", o.SGD, momentum(0.9), clip_norm=1e4)
    yield Case("sgdw", o.SGDW, sgd, 0.3, arguments={"momentum": 0, "weight_decay": 0.3})
    yield Case("sgdw-momentum", o.SGDW, momentum(0.9), arguments=excludes, **not_bias)
    yield Case("adam", o.Adam, adam_rule)
    yield Case(
        "adam-corrected", o.Adam, corrected, arguments={"do_bias_correction": True}
    )
    yield Case(
        "adam-betas",
        o.Adam,
        adam(0.5, 0.75, 1e-3, True),
        clip_norm=1.0,
        arguments={
            "beta1": 0.5,
            "beta2": 0.75,
            "epsilon": 1e-3,
            "do_bias_correction": True,
        },
    )
    yield Case("adamw", o.AdamW, adam_rule, 0.3, arguments={"weight_decay": 0.3})
    yield Case(
        "adamw-corrected",
        o.AdamW,
        corrected,
        clip_norm=3.0,
        arguments={"do_bias_correction": True, **includes},
        **not_bias,
    )
    yield Case("rmsprop", o.RMSProp, rmsprop(0.99, 1e-8, False))
    yield Case(
        "rmsprop-centered",
        o.RMSProp,
        rmsprop(0.9, 1e-4, True),
        clip_norm=2.0,
        arguments={"decay_rate": 0.9, "epsilon": 1e-4, "centered": True},
    )
    yield Case("lars", o.LARS, lars(0.9, 1e-9, 1e-4))
    yield Case(
        "lars-clipped",
        o.LARS,
        lars(0.5, 1e-3, 0.5),
        clip_norm=2.0,
        arguments={"momentum_beta": 0.5, "epsilon": 1e-3, "lars_coefficient": 0.5},
    )
    yield Case("lamb", o.LAMB, lamb(0.9, 0.999, 1e-6))
    yield Case(
        "lamb-decay", o.LAMB, lamb(0.9, 0.999, 1e-6), arguments=excludes, **not_bias
    )
    yield Case("lazy-adam", o.LazyAdam, corrected)


CASES = list(_cases())


def _confs():
    """The same by config.train.model_update_conf: (name, conf, rule, decay, decays,
    clip_norm)."""
    weights = {"weight_decay_conf": {"weight_decay_rate": 0.3}}
    excluded = {
        "weight_decay_conf": {
            "weight_decay_rate": 0.3,
            "excludes": {"pattern": ["bias", "gain"]},
        }
    }
    included = {
        "weight_decay_conf": {"weight_decay_rate": 0.3, "includes": {"pattern": ["e"]}}
    }
    clip = {"clip_conf": {"clip_by_global_norm": {"clip_norm": 2.0}}}

    def all_of(name):
        return True

    def e_in(name):
        return "e" in name

    def not_bias(name):
        return name not in ("bias", "gain")

    yield "naive", {"naive_conf": {}, **weights}, sgd, 0.3, all_of, None
    yield "momentum", {"momentum_conf": {}, **clip}, momentum(0.9), 0, all_of, 2.0
    yield (
        "rmsprop",
        {"rmsprop_conf": {"centered": True, "epsilon": 1e-4}},
        rmsprop(0.99, 1e-4, True),
        0,
        all_of,
        None,
    )
    yield (
        "lars",
        {"lars_conf": {"lars_coefficient": 0.1}, **weights, **clip},
        lars(0.9, 1e-9, 0.1),
        0.3,
        all_of,
        2.0,
    )
    yield (
        "adam",
        {"adam_conf": {"do_bias_correction": True}, **excluded},
        adam(0.9, 0.999, 1e-8, True),
        0.3,
        not_bias,
        None,
    )
    yield (
        "lazy-adam",
        {"lazy_adam_conf": {"beta1": 0.5}, **included},
        adam(0.5, 0.999, 1e-8, True),
        0.3,
        e_in,
        None,
    )
    yield (
        "lamb",
        {"lamb_conf": {}, **excluded},
        lamb(0.9, 0.999, 1e-6),
        0.3,
        not_bias,
        None,
    )


CONFS = list(_confs())


# ===- Running --------------------------------------------------------------===#


def start_values():
    rng = np.random.default_rng(7)
    return {
        name: rng.uniform(0.5, 1.5, shape).astype(np.float32)
        for name, shape in SHAPES.items()
    }


def inputs(step):
    rng = np.random.default_rng(100 + step)
    return [rng.standard_normal(shape).astype(np.float32) for shape in SHAPES.values()]


def define(finish, config=None, model_names=None):
    """A job whose gradient of each variable w is the input x plus CURVATURE * w;
    `finish` is called with its losses. `model_names` are those of some variables."""

    @flow.global_function(type="train", function_config=config)
    def job(
        kernel: tp.Numpy.Placeholder(SHAPES["kernel"]),
        bias: tp.Numpy.Placeholder(SHAPES["bias"]),
        filter: tp.Numpy.Placeholder(SHAPES["filter"]),
        gain: tp.Numpy.Placeholder(SHAPES["gain"]),
    ):
        losses = []
        for x, (name, shape) in zip((kernel, bias, filter, gain), SHAPES.items()):
            w = flow.get_variable(
                name,
                shape,
                initializer=flow.zeros_initializer(),
                model_name=(model_names or {}).get(name),
            )
            losses.append(flow.math.reduce_sum(w * x + w * w * (CURVATURE / 2)))
        finish(losses)

    flow.load_variables(start_values())
    return job


def compiled(job, steps):
    """All variables after some steps, by name."""
    for step in range(steps):
        job(*inputs(step)).get()
    variables = flow.get_all_variables()
    return {name: variable.numpy() for name, variable in variables.items()}


def reference(
    rule, steps, decay=0.0, decays=None, clip_norm=None, legacy=False, factors=None
):
    """The variables and states of the rule after some steps, by name. `factors` are
    those of the learning rate of some variables."""
    values = {name: w.astype(np.float64) for name, w in start_values().items()}
    states = {name: {} for name in values}
    for step in range(steps):
        gradients = {
            name: x + CURVATURE * values[name]
            for name, x in zip(SHAPES, map(np.float64, inputs(step)))
        }
        if clip_norm is not None:
            norm = np.sqrt(sum((g * g).sum() for g in gradients.values()))
            factor = 1 / max(norm, clip_norm) if legacy else min(1, clip_norm / norm)
            gradients = {name: g * factor for name, g in gradients.items()}
        for name, w in values.items():
            wd = decay if decays is None or decays(name) else 0.0
            rate = RATES[0] if step <= 20 else RATES[1]
            rate *= (factors or {}).get(name, 1)
            values[name] = rule(w, gradients[name], rate, wd, step, states[name])
    for name, state in states.items():
        values.update({f"{name}-{suffix}": value for suffix, value in state.items()})
    return values


def scheduler():
    return flow.optimizer.PiecewiseConstantScheduler([20], list(RATES))


def run_case(case, steps, **more):
    """The compiled variables of a Case beside those of its rule."""
    clipping = None
    if case.clip_norm is not None:
        clipping = flow.optimizer.grad_clipping.by_global_norm(
            case.clip_norm, legacy=case.legacy
        )
    optimizer = case.make(
        scheduler(), grad_clipping=clipping, **case.arguments, **more
    )
    return compiled(define(optimizer.minimize), steps), reference(
        case.rule, steps, case.decay, case.decays, case.clip_norm, case.legacy
    )


def check(results, expected, rtol):
    """All variables and states are those of the reference, and no others."""
    system = re.compile("^System-")
    assert {name for name in results if not system.search(name)} == set(expected)
    for name, value in expected.items():
        np.testing.assert_allclose(
            results[name],
            np.broadcast_to(value, results[name].shape),
            rtol=rtol,
            atol=rtol * 0.1,
            err_msg=name,
        )
