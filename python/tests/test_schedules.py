"""The learning rate of each step, of every schedule and warm-up, beside NumPy."""

import math

import numpy as np

import jobmlir as flow

o = flow.optimizer
STEPS = 27
S = 10


def polynomial(t, base, end, power, cycle=False):
    steps = S * max(1, math.ceil(t / S)) if cycle else S
    return (base - end) * (1 - min(t, steps) / steps) ** power + end


def linear_cosine(t, base, periods, alpha, beta):
    t = min(t, S)
    cosine = (1 + math.cos(2 * math.pi * periods * t / S)) / 2
    return base * ((alpha + (S - t) / S) * cosine + beta)


def cosine(t, base, alpha):
    cosine = (1 + math.cos(math.pi * min(t, S) / S)) / 2
    return base * ((1 - alpha) * cosine + alpha)


def pieces(values):
    return lambda t: values[0] if t <= 4 else values[1] if t <= 15 else values[2]


SCHEDULES = {
    "piecewise_constant": (
        o.PiecewiseConstantScheduler([4, 15], [0.5, 0.25, 0.125]),
        pieces([0.5, 0.25, 0.125]),
    ),
    "piecewise_scaling": (
        o.PiecewiseScalingScheduler(0.5, [4, 15], [0.5, 0.75]),
        pieces([0.5, 0.25, 0.375]),
    ),
    "one_scale": (
        o.PiecewiseScalingScheduler(0.5, [4, 15], 0.5),
        pieces([0.5, 0.25, 0.25]),
    ),
    "exponential": (
        o.ExponentialScheduler(0.5, S, 0.75),
        lambda t: 0.5 * 0.75 ** (t / S),
    ),
    "exponential_stairs": (
        o.ExponentialScheduler(0.5, S, 0.75, staircase=True),
        lambda t: 0.5 * 0.75 ** (t // S),
    ),
    "natural_exp": (
        o.NaturalExpScheduler(0.5, S, 0.75),
        lambda t: 0.5 * math.exp(-0.75 * t / S),
    ),
    "natural_exp_stairs": (
        o.NaturalExpScheduler(0.5, S, 0.75, True),
        lambda t: 0.5 * math.exp(-0.75 * (t // S)),
    ),
    "inverse_time": (
        o.InverseTimeScheduler(0.5, S, 0.75),
        lambda t: 0.5 / (1 + 0.75 * t / S),
    ),
    "inverse_time_stairs": (
        o.InverseTimeScheduler(0.5, S, 0.75, True),
        lambda t: 0.5 / (1 + 0.75 * (t // S)),
    ),
    "polynomial": (
        o.PolynomialScheduler(0.5, S, 0.125, 2.0),
        lambda t: polynomial(t, 0.5, 0.125, 2.0),
    ),
    "polynomial_cycle": (
        o.PolynomialSchduler(0.5, S, 0.125, 0.5, cycle=True),
        lambda t: polynomial(t, 0.5, 0.125, 0.5, True),
    ),
    "cosine": (
        o.CosineScheduler(0.5, S, 0.125),
        lambda t: cosine(t, 0.5, 0.125),
    ),
    "linear_cosine": (
        o.LinearCosineScheduler(0.5, S, 1.5, 0.25, 0.125),
        lambda t: linear_cosine(t, 0.5, 1.5, 0.25, 0.125),
    ),
    "constant_warmup": (
        o.CosineScheduler(0.5, S, 0.125, warmup=o.warmup.constant(3, 0.25)),
        lambda t: 0.125 if t < 3 else cosine(t, 0.5, 0.125),
    ),
    "linear_warmup": (
        o.CosineScheduler(0.5, S, 0.125, warmup=o.warmup.linear(4, 0.25)),
        lambda t: (
            0.5 * (0.25 + 0.75 * t / 4) if t < 4 else cosine(t, 0.5, 0.125)
        ),
    ),
    # The rate of step 0 is another one than the base rate.
    "warmup_of_linear_cosine": (
        o.LinearCosineScheduler(
            0.5, S, 1.5, 0.25, 0.125, warmup=o.warmup.constant(3, 0.25)
        ),
        lambda t: 0.125 if t < 3 else linear_cosine(t, 0.5, 1.5, 0.25, 0.125),
    ),
    "warmup_of_constants": (
        o.PiecewiseConstantScheduler([1], [0.5, 0.25], o.warmup.constant(3, 0.25)),
        lambda t: 0.125 if t < 3 else 0.25,
    ),
}


def test_rates():
    @flow.global_function(type="train")
    def job():
        loss = 0.0
        for name in SCHEDULES:
            zeros = flow.zeros_initializer()
            loss = flow.get_variable(name, (1,), flow.double, zeros) + loss
        for name, (schedule, _) in SCHEDULES.items():
            o.SGD(schedule, momentum=0).minimize(loss, variables=name)

    before = dict.fromkeys(SCHEDULES, 0.0)
    for step in range(STEPS):
        job().get()
        variables = flow.get_all_variables()
        for name, (_, rate) in SCHEDULES.items():
            now = variables[name].numpy()[0]
            np.testing.assert_allclose(
                before[name] - now, rate(step), rtol=2e-5, err_msg=f"{name} at {step}"
            )
            before[name] = now

