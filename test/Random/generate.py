#!/usr/bin/env python3
"""From a seed to a job: valid, small, and with numbers that stay tame.

    generate.py --seed N [--count N] [--mixed] [--host-calls]

prints the module.

Each value carries the range of its elements. An op that needs another range
(a logarithm, a quotient, an index) gets its operand moved there by ops that
become part of the job; a range that grows is scaled down.

Of two jobs in five a part runs in micro-steps. An op is drawn at a place:
`inside` of them (its per-step operands are broadcast), `outside`, or `before`
them, where nothing needs their results.
"""

import argparse
import dataclasses
import json
import math
import random

import jobs
import microsteps
import optable
import placements
import training
from jobs import FLOATS, Blob, Job, Op, Value, Variable, dense_init

# The elements of one blob: of most, and of the few that are cut into chunks.
SMALL, LARGE = 600, 9000
# Inputs of a step are drawn so by job-run and job-check-gradients.
INPUT_RANGES = {"f32": (-1, 1), "f64": (-1, 1), "i1": (0, 1), "i8": (0, 1),
                "ui8": (0, 1), "i32": (0, 1), "i64": (0, 1)}
NORMAL_RANGE = 6  # Standard deviations.
# Ops with NaN for an index out of range, and the operand that is indexed; the
# indices are the next one.
INDEXED = {"gather": 0, "sparse_softmax_cross_entropy": 0,
           "sparse_softmax_cross_entropy_grad": 1}


class Builder:
    """Appends random ops to a job."""

    def __init__(self, name, seed, host_calls=False):
        # Of a text, since nearby numbers would give nearby streams.
        self.rng = random.Random(f"job {seed}")
        # Of what is chosen beside the ops, so that these stay those of the seed.
        self.more = random.Random(f"more {seed}")
        kind = self.rng.choice(["train", "train", "predict"])
        self.job = Job(name, kind)
        # Calls of host functions, which only a session has.
        self.host_calls = host_calls
        # Whether job.minimize has lists that some variables are not in.
        self.lists = self.more.random() < 0.25
        self.most = LARGE if self.chance(0.08) else SMALL
        # Training jobs that compare with differences have no jumps.
        self.job.smooth = kind == "train" and self.chance(0.75)
        self.main = self.rng.choice(["f32", "f32", "f32", "f32", "f64"])
        self.next = 0
        # How many micro-steps the job has, when it has them.
        self.micro_steps = self.rng.choice([2, 2, 3, 3, 4, 5, 8]) \
            if self.chance(0.4) else 0
        self.steps = microsteps.MicroSteps()
        self.place = "outside"
        # A tangle is of few types and returns little, so that blobs live long
        # in the arena.
        self.tangle = self.tangle_shapes() if self.chance(0.25) else None

    # What the op table asks for.

    def chance(self, probability):
        return self.rng.random() < probability

    def value(self, number):
        return self.job.values[number]

    def type(self, number):
        return self.value(number).type

    def scalar(self, element):
        return Blob((1,), element)

    def number(self):
        self.next += 1
        return self.next

    def fits(self, shape):
        return math.prod(shape) <= self.most

    def extent(self):
        return self.rng.choice([1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9, 13, 17])

    def tangle_shapes(self):
        extent = self.rng.choice([4, 6, 8, 9, 12])
        batch = self.rng.choice([1, 2, 4])
        return [shape for shape in [
            (extent, extent), (batch, extent, extent), (extent,),
            (batch, 2, extent, extent), (batch, extent, 2, 3, 2)]
            if self.fits(shape)]

    def shape(self, rank=None):
        found = [shape for shape in self.tangle or ()
                 if rank in (None, len(shape))]
        if found and self.chance(0.9):
            # The first ones more often.
            return self.rng.choice(found[:self.rng.randint(1, len(found))])
        rank = rank or self.rng.choice([1, 1, 2, 2, 2, 3, 3, 4, 4, 4, 5])
        while True:
            shape = tuple(self.extent() for _ in range(rank))
            if self.most == LARGE and rank > 1 and self.chance(0.5):
                shape = (self.rng.choice([31, 40, 64]),) + shape[1:]
            if self.fits(shape):
                return shape

    def factors(self, count):
        """A random shape of `count` elements."""
        shape = []
        while count > 1 and len(shape) < 4:
            divisors = [d for d in range(2, count + 1) if count % d == 0]
            shape.append(self.rng.choice(divisors))
            count //= shape[-1]
        if count > 1 or not shape:
            shape.append(count)
        while len(shape) < 5 and self.chance(0.2):
            shape.insert(self.rng.randint(0, len(shape)), 1)
        self.rng.shuffle(shape)
        return tuple(shape)

    def is_here(self, number):
        """Whether what is drawn at this place may take the value."""
        if self.place != "outside" and number in self.steps.late:
            return False
        return self.place == "inside" or not self.steps.is_inside(number)

    def is_per_step(self, number):
        return self.steps.count_of(number) == microsteps.PER_STEP

    def pick(self, elements, low=-math.inf, high=math.inf, rank=None,
             accept=lambda number: True):
        """A value of the job, moved into [low, high]; a new one at times."""
        found = [number for number, value in self.job.values.items()
                 if value.type.element in elements and self.is_here(number)
                 and not value.type.bounded
                 and (rank is None or len(value.type.shape) in rank)
                 and accept(number)]
        few = [number for number in found if self.tangle
               and self.type(number).shape in self.tangle[:2]]
        if few and self.chance(0.8):
            found = few
        if not found or self.chance(0.08):
            element = self.main if self.main in elements \
                else self.rng.choice(elements)
            number = self.leaf(Blob(self.shape(
                self.rng.choice(list(rank)) if rank else None), element))
        else:
            # What variables lead to more often: gradients. Late values more
            # often: depth. Not always: fan-out.
            inside = [number for number in found
                      if self.steps.is_inside(number)]
            if inside and self.chance(0.8):
                found = inside
            active = [number for number in found if self.value(number).active]
            if active and self.chance(0.75):
                found = active
            computed = [number for number in found if self.value(number).depth]
            if computed and self.chance(0.7):
                found = computed[-3:] if not self.tangle else computed
            number = self.rng.choice(found)
        return self.moved(number, low, high)

    def operand(self, type, low=-math.inf, high=math.inf):
        """A value of this type in [low, high]."""
        found = [number for number, value in self.job.values.items()
                 if value.type == type and self.is_here(number)]
        if found and self.chance(0.9 if self.tangle else 0.6):
            return self.moved(self.rng.choice(found), low, high)
        if self.chance(0.25):
            smaller = [
                number for number, value in self.job.values.items()
                if value.type.element == type.element and self.is_here(number)
                and not value.type.bounded
                and value.type.count == type.count and value.type != type]
            if smaller:
                number = self.emit("reshape", [self.rng.choice(smaller)],
                                   to=type.shape)
                return self.moved(number, low, high)
        if len(type.shape) > 1 and type.element in FLOATS \
                and self.chance(0.25):
            # A bias.
            dim = self.rng.randrange(len(type.shape))
            number = self.leaf(Blob((type.shape[dim],), type.element))
            number = self.emit("broadcast_in_dim", [number], dims=(dim,),
                               to=type.shape)
            return self.moved(number, low, high)
        return self.moved(self.leaf(type), low, high)

    def index(self, type, extent):
        """Indices into a dimension: now and then one that is outside."""
        number = self.operand(type)
        if not self.job.smooth and self.chance(0.04):
            return number
        return self.moved(number, 0, min(
            extent - 1, optable.limits(type.element)[1]))

    def constant(self, type, elements=None):
        if elements is None:
            if type.is_float:
                draw = lambda: round(self.rng.uniform(-2, 2), 3)
            else:
                low, high = {"i1": (0, 1), "ui8": (0, 9)}.get(type.element,
                                                              (-3, 9))
                draw = lambda: self.rng.randint(low, high)
            count = 1 if self.chance(0.5) or type.count > 64 else type.count
            elements = [draw() for _ in range(count)]
        return self.append("constant", [], {"elements": list(elements),
                                            "to": type},
                           [Value(type, min(elements), max(elements),
                                  exact=all(float(e).is_integer()
                                            for e in elements))])

    def read(self, type):
        found = [name for name, variable in self.job.variables.items()
                 if variable.type == type and not variable.reserved and (
                     self.place == "outside"
                     or name not in self.steps.late_variables)]
        if found and self.chance(0.5):
            name = self.rng.choice(found)
        else:
            name = f"{self.job.name}-w{len(self.job.variables)}"
            self.job.variables[name] = self.variable(type)
        variable = self.job.variables[name]
        return self.append("read", [], {"to": type}, [
            Value(type, variable.low, variable.high,
                  exact=not type.is_float, active=variable.trained,
                  depth=1)], name)

    def step(self):
        number = next((op.results[0] for op in self.job.ops
                       if op.name == "step"), None)
        if number is None:
            number = self.append("step", [], {"to": Blob((1,), "i64")}, [
                Value(Blob((1,), "i64"), 0, 1000, exact=True)])
        if self.place != "inside" or self.chance(0.4):
            return number
        # Other random numbers in each micro-step.
        count = self.micro_steps
        index = self.constant(Blob((count,), "i64"), range(count))
        index = self.emit("unpack", [index], count=count)
        first = self.emit("mul", [number, self.filled(self.type(number),
                                                      count)])
        return self.emit("add", [first, index])

    def assign(self):
        """Gives a variable that is not trained a value it may have."""
        self.place = "outside"
        state = [name for name, variable in self.job.variables.items()
                 if not variable.trainable and not variable.reserved]
        if not state:
            return None
        name = self.rng.choice(state)
        variable = self.job.variables[name]
        value = self.operand(variable.type, variable.low, variable.high)
        if self.value(value).wild:
            return None
        self.append("assign", [value], {}, [], name)
        return True

    def emit(self, name, operands, **attributes):
        """Appends an op and returns its first result."""
        entry = optable.TABLE[name]
        if name not in microsteps.ENTRIES + microsteps.EXITS:
            operands = self.broadcast_operands(operands)
        if not entry.differentiable:
            operands = [self.stopped(number) for number in operands]
            if None in operands:
                return None
        values = [self.value(number) for number in operands]
        if entry.jumps and self.job.smooth and \
                any(value.active for value in values):
            return None
        types = entry.infer([value.type for value in values], attributes)
        ranges = entry.ranges(values, attributes, types)
        results = []
        depth = 1 + max((value.depth for value in values), default=0)
        depends = entry.depends or [range(len(values))] * len(types)
        for type, (low, high), sources in zip(types, ranges, depends):
            exact = not type.is_float or (
                max(abs(low), abs(high)) <= optable.EXACT
                and (entry.keeps_exact or entry.jumps)
                and (all(value.exact for value in values)
                     or name in ("floor", "ceil", "round", "sign")))
            wild = type.is_float and any(value.wild for value in values)
            if name in INDEXED and type.is_float:
                indices = values[INDEXED[name] + 1]
                extent = values[INDEXED[name]].type.shape[
                    attributes.get("axis", -1)]
                wild |= not (indices.low >= 0 and indices.high < extent)
            active = type.is_float and not entry.jumps and \
                any(values[source].active for source in sources)
            results.append(Value(type, low, high, exact, active, depth, wild))
        return self.append(name, operands, attributes, results)

    def stopped(self, number):
        """The value, or one that no gradient flows through; None where the job
        may have none."""
        return self.emit("stop_gradient", [number]) \
            if self.value(number).active else number

    def part(self, type):
        """A part of the rows of a new leaf; of what it can be, when there are
        too many."""
        rows = (type.shape[0] * self.micro_steps, *type.shape[1:])
        if not self.fits(rows):
            return None
        place, self.place = self.place, "before"
        number = self.leaf(Blob(rows, type.element))
        self.place = place
        return self.emit("unpack", [number], count=self.micro_steps)

    def broadcast_micro_steps(self, number):
        for op in self.job.ops:
            if op.name == "broadcast_micro_steps" and \
                    op.operands == [number] and self.chance(0.8):
                return op.results[0]
        return self.emit("broadcast_micro_steps", [number],
                         count=self.micro_steps)

    # The rest is the builder's own.

    def broadcast_operands(self, operands):
        """The operands, per-step values broadcast where others are
        per-micro-step."""
        if not any(map(self.steps.is_inside, operands)):
            return operands
        return [self.broadcast_micro_steps(number)
                if self.is_per_step(number) else number
                for number in operands]

    def append(self, name, operands, attributes, results, variable=""):
        numbers = [self.number() for _ in results]
        self.job.values.update(zip(numbers, results))
        op = Op(name, list(operands), attributes, numbers, variable)
        self.steps.add(self.job, op)
        self.job.ops.append(op)
        return numbers[0] if numbers else True

    def variable(self, type):
        if not type.is_float:
            most = 1 if type.element == "i1" else 5
            if self.chance(0.3):
                elements = [self.rng.randint(0, most)
                            for _ in range(type.count)]
                return Variable(type, dense_init(elements, type), False,
                                0, most)
            value = self.rng.randint(0, most)
            return Variable(type, f"#job.constant_init<{value}.0>", False,
                            value, value)
        trainable = self.job.kind == "train" and (
            self.chance(0.75) or not self.job.variables)
        draw, seed = self.rng.random(), None
        if draw < 0.1 and type.count <= 1000:
            low, high = -2.0, 2.0
            init = dense_init([self.rng.randint(-8, 8) / 4
                               for _ in range(type.count)], type)
        elif draw < 0.7:
            low = self.rng.choice([-1.0, -1.0, 0.25, -2.0])
            high = low + self.rng.choice([1.0, 2.0])
            init = f"#job.random_uniform_init<min = {low}, max = {high}>"
        elif draw < 0.8:
            # Room for the updates and for what is assigned.
            low, high = -1.5, 1.5
            init = f"#job.constant_init<{self.rng.choice([0.0, 0.5, 1.0])}>"
        elif draw < 0.95:
            which = self.rng.choice(["random_normal", "truncated_normal"])
            init = f"#job.{which}_init<mean = 0.0, stddev = 0.5>"
            low, high = -0.5 * NORMAL_RANGE, 0.5 * NORMAL_RANGE
        else:
            mode = self.rng.choice(["fan_in", "fan_out", "fan_avg"])
            distribution = self.rng.choice(
                ["truncated_normal", "random_normal", "random_uniform"])
            init = f"#job.variance_scaling_init<scale = 0.5, mode = {mode}, " \
                   f"distribution = {distribution}>"
            low, high = -NORMAL_RANGE, NORMAL_RANGE
        if self.chance(0.2):
            seed = self.rng.choice([0, 7, -1, (1 << 63) - 1, -(1 << 63)])
        listed = not (trainable and self.lists and self.chance(0.4))
        return Variable(type, init, trainable, low, high, listed, seed)

    def leaf(self, type):
        if self.place == "inside" and self.chance(0.35):
            number = self.part(type)
            if number is not None:
                return number
        draw = self.rng.random()
        if draw < 0.4 and type.is_float:
            return self.read(type)
        if draw < 0.75 and len(self.job.inputs) < 6:
            number = self.number()
            low, high = INPUT_RANGES[type.element]
            self.job.values[number] = Value(
                type, low, high, exact=not type.is_float, depth=1)
            self.job.inputs.append(number)
            return number
        if draw < 0.8:
            return self.read(type)
        if draw < 0.87 and type.element != "i1":
            return self.emit("iota", [], to=type, axis=self.rng.randrange(
                len(type.shape)))
        return self.constant(type)

    def filled(self, type, number):
        return self.constant(type, [number])

    def moved(self, number, low, high):
        """The value, or one made of it whose elements are in [low, high]."""
        value = self.value(number)
        if low <= value.low and value.high <= high:
            return number
        type = value.type
        if not type.is_float:
            if type.element == "i1":
                return number
            if value.low < low:
                number = self.emit("maximum", [
                    number, self.filled(type, math.ceil(low))])
            if value.high > high:
                number = self.emit("minimum", [
                    number, self.filled(type, math.floor(high))])
            return number
        # Squashed where the range is vast, then stretched and shifted, with
        # some room for rounding.
        if value.magnitude > 100:
            number = self.emit("mul", [number, self.filled(
                type, 4 / value.magnitude)])
        if self.value(number).magnitude > 50 or self.chance(0.3):
            most = self.value(number).magnitude
            if most > 2:  # See ops_elementwise.UNSATURATED.
                number = self.emit("mul", [number, self.filled(
                    type, 2 / most)])
            number = self.emit("tanh" if self.chance(0.5) else "sigmoid",
                               [number])
        value = self.value(number)
        low, high = max(low, min(-4, high - 1)), min(high, max(4, low + 1))
        room = 0.05 * (high - low)
        low, high = low + room, high - room
        factor = min((high - low) / max(value.high - value.low, 1e-3), 10)
        if self.chance(0.5):
            factor = min(factor, 1.0)
        middle = (low + high) / 2
        scaled = self.emit("mul", [number, self.filled(type, factor)])
        scaled_value = self.value(scaled)
        shift = middle - (scaled_value.low + scaled_value.high) / 2
        return self.emit("add", [scaled, self.filled(type, shift)])

    def grow(self, count):
        """Appends ops until there are `count` more."""
        names = list(optable.TABLE)
        weights = [optable.TABLE[name].weight for name in names]
        goal = len(self.job.ops) + count
        while len(self.job.ops) < goal:
            name, = self.rng.choices(names, weights)
            self.place = "outside" if not self.micro_steps else \
                self.rng.choices(["inside", "outside", "before"],
                                 [0.65, 0.25, 0.1])[0]
            before = len(self.job.ops)
            number = optable.TABLE[name].draw(self)
            if number is None or name == "assign" or \
                    len(self.job.ops) == before:
                continue
            # The copy that common subexpressions are found by.
            if self.chance(0.04) and self.job.ops[-1].name not in (
                    "dropout", "random_uniform", "step", "read", "host_call"):
                last = self.job.ops[-1]
                self.append(last.name, last.operands, dict(last.attributes), [
                    Value(**vars(self.value(result)))
                    for result in last.results])
            if number is not True and self.type(number).is_float and \
                    self.value(number).magnitude > 500:
                self.moved(number, -3, 3)

    def add_losses(self):
        """One to three losses, of which the first depends on a variable."""
        candidates = [number for number, value in self.job.values.items()
                      if value.active and value.type.is_float
                      and number not in self.steps.bent
                      and not (self.job.smooth and value.wild)]
        inside = list(filter(self.steps.is_inside, candidates))
        if inside and self.chance(0.8):
            candidates = inside
        if not candidates:
            type = Blob(self.shape(), self.main)
            name = f"{self.job.name}-w{len(self.job.variables)}"
            self.job.variables[name] = Variable(
                type, "#job.random_uniform_init<min = -1.0, max = 1.0>", True,
                -1, 1)
            candidates = [self.append(
                "read", [], {"to": type},
                [Value(type, -1, 1, active=True)], name)]
        candidates.sort(key=lambda number: self.value(number).depth)
        first = self.rng.choice(candidates[-2:])
        count = self.steps.elements(self.job, first)
        chosen = [first]
        for _ in range(self.rng.choice([0, 0, 0, 1, 1, 2])):
            equal = [number for number in candidates
                     if self.steps.elements(self.job, number) == count]
            chosen.append(self.rng.choice(equal))
        if self.chance(0.5):
            alike = [number for number in candidates
                     if self.steps.is_inside(number)
                     == self.steps.is_inside(first)]
            chosen = [self.mean(number) for number in
                      [first] + [self.rng.choice(alike[-5:])
                                 for _ in chosen[1:]]]
        for number in chosen:
            # A loss is computed from no other one.
            type = self.type(number)
            weight = self.constant(type, [self.rng.choice(
                [0.5, 1.0, 2.0]) for _ in range(type.count)]
                if type.count <= 32 else [0.5])
            loss = self.emit("mul", [number, weight])
            self.append("loss", [loss], {}, [])
            if self.chance(0.6):
                self.job.outputs.append(self.returned(loss))

    def mean(self, number):
        type = self.type(number)
        total = self.emit("reduce_sum", [number],
                          axes=tuple(range(len(type.shape))))
        return self.emit("mul", [total, self.filled(
            self.type(total), 1 / type.count)])

    def loss_scale_variables(self):
        """The variables of a dynamic loss scale."""
        names = f"{self.job.name}-scale", f"{self.job.name}-good"
        self.job.variables[names[0]] = Variable(
            self.scalar("f32"), "#job.constant_init<8.0>", False, 1, 64,
            reserved=True)
        self.job.variables[names[1]] = Variable(
            self.scalar("i64"), "#job.constant_init<0.0>", False, 0, 9,
            reserved=True)
        return names

    def add_gradients(self):
        """Gradients that the job asks for, and what it makes of them."""
        # That of a value which no variable leads to makes all ops behind it
        # differentiable ones.
        found = [number for number, value in self.job.values.items()
                 if value.type.is_float and not value.type.bounded and (
                     value.active or not self.steps.count and all(
                         optable.TABLE[op.name].differentiable
                         and op.attributes.get("gradient") != ""
                         for op in self.job.ops))
                 and number not in self.steps.bent]
        for number in self.rng.sample(found, min(
                len(found), self.rng.choice([1, 1, 2]))):
            number = self.emit("gradient", [number])
            if self.chance(0.3):
                number = self.emit("tanh", [number])
            if self.chance(0.3):
                number = self.emit("mul", [number, self.filled(
                    self.type(number), 0.5)])
            self.job.outputs.append(self.returned(number))

    def add_outputs(self):
        """What nothing else needs, most of it, and some of the rest."""
        used = {operand for op in self.job.ops for operand in op.operands}
        unused, others = (0.2, 0.01) if self.tangle else (0.85, 0.08)
        for number in list(self.job.values):
            if number in self.job.outputs:
                continue
            if not self.chance(unused if number not in used else others):
                continue
            if self.type(number).bounded:
                if not self.steps.is_inside(number):
                    # With its count.
                    self.job.outputs += [number, number + 1]
                continue
            self.job.outputs.append(self.returned(number))
        if not self.job.outputs and self.job.kind == "predict":
            self.job.outputs.append(self.returned(self.rng.choice(
                [number for number, value in self.job.values.items()
                 if not value.type.bounded])))

    def returned(self, number):
        """The value as one that a job may return."""
        if not self.steps.is_inside(number):
            return number
        exit = "pack" if self.type(number).element == "i1" else \
            self.rng.choice(microsteps.EXITS)
        return self.emit(exit, [number], count=self.micro_steps)


def generate(seed, name="job", host_calls=False):
    """The job of a seed: the same one always."""
    builder = Builder(name, seed, host_calls)
    builder.read(Blob(builder.shape(), builder.main))
    return complete(builder)


def generate_other(job, seed):
    """A second training job of the same variables, which trains those that the
    first one does not."""
    builder = Builder(f"{job.name}b", f"{seed}b")
    builder.job.kind = "train"
    for name, variable in job.variables.items():
        if not variable.reserved:
            other = dataclasses.replace(
                variable, listed=variable.trainable and not variable.listed)
            builder.job.variables[name] = other
            builder.append("read", [], {"to": other.type}, [
                Value(other.type, other.low, other.high,
                      exact=not other.type.is_float, active=other.trained,
                      depth=1)], name)
    # The first job says of which types the variables are.
    return complete(builder, may_narrow=False)


def complete(builder, may_narrow=True):
    """The job of a builder that has its first ops."""
    while builder.micro_steps and not builder.steps.count:
        builder.part(Blob(builder.shape(), builder.main))
    builder.grow(builder.rng.choice([24, 32] if builder.tangle
                                    else [4, 6, 8, 12, 16, 24]))
    if builder.job.kind == "train":
        builder.add_losses()
        training.add_minimize(builder)
        if builder.chance(0.3):
            builder.grow(3)
    builder.add_outputs()
    # An f16 ends at 65504, and gradients are larger than values.
    most = max(value.magnitude for value in builder.job.values.values())
    narrow = "bf16" if most > 30 else builder.rng.choice(jobs.NARROW)
    if builder.job.kind == "train" and builder.chance(0.25):
        builder.add_gradients()
    draw = builder.rng.random()
    if draw < 0.15 and may_narrow:
        jobs.narrow(builder.job, narrow)
    elif draw < 0.3:
        jobs.set_precision(builder.job, narrow)
    builder.job.limits = _limits(builder.rng)
    return builder.job


def _limits(rng):
    """What passes may not do with a job, and its counter: no result changes."""
    if rng.random() < 0.7:
        return []
    packing = rng.sample(["best", "size", "conflicts", "time", "none"],
                         rng.randint(1, 3))
    limits = ["in_place = false", "fuse_updates = false",
              f"packing = {json.dumps(packing)}",
              f"workspace_limit = {rng.choice([0, 1000, 1 << 20])} : i64",
              "step_counter = @steps", "tf32 = false",
              f"excluded_libraries = [\"{rng.choice(['cudnn', 'onednn'])}\"]"]
    return rng.sample(limits, rng.randint(1, len(limits)))


def generate_all(seed, name="job"):
    """The jobs of a seed: one, or two that train different variables."""
    job = generate(seed, name)
    variables = job.variables.values()
    if job.kind != "train" or all(variable.listed for variable in variables) \
            or any(variable.type.element in jobs.NARROW
                   for variable in variables):
        return [job]
    return [job, generate_other(job, seed)]


def place(job, seed):
    """Puts each op of a job on one of three devices."""
    placements.place(job, random.Random(f"placements {seed}"))


def generate_mixed(seed, name="job"):
    """The job of a seed with each op on one of three devices."""
    job = generate(seed, name)
    place(job, seed)
    return job


def module(jobs_, copies=None):
    """The text of a module of jobs; with `copies`, so many with noise of
    each."""
    text = jobs.format_variables(jobs_)
    for job in jobs_:
        text += "\n" + jobs.format_job(job, optable.FORMS)
        for copy in range(copies or 0):
            text += "\n" + jobs.format_job(job, optable.FORMS, optable.rounds,
                                           copy, microsteps.of(job))
    return text


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--mixed", action="store_true",
                        help="each op on one of three devices, at random")
    parser.add_argument("--host-calls", action="store_true",
                        help="with calls of functions that only a session has")
    arguments = parser.parse_args()
    seeds = range(arguments.seed, arguments.seed + arguments.count)
    some = [generate(seed, f"job{seed}", arguments.host_calls)
            for seed in seeds]
    if arguments.mixed:
        for seed, job in zip(seeds, some):
            place(job, seed)
    print(module(some), end="")


if __name__ == "__main__":
    main()
