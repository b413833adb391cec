"""Makes failing jobs smaller while they fail.

`shrink(jobs, fails, limit)` takes a list of jobs for which `fails` is true and
returns a smaller one for which it is; `fails` is called at most `limit` times.
Candidates are always valid: types are inferred anew after each change.
"""

import copy
import dataclasses
import math

import jobs as data
import microsteps
import optable
import placements
import training
from jobs import Blob, Invalid, Op, Variable


def infer(job):
    """Gives every value the type that its op says; Invalid when one cannot."""
    for op in job.ops:
        types = optable.TABLE[op.name].infer(
            [job.type(value) for value in op.operands], op.attributes)
        if op.name in ("read", "assign"):
            declared = job.variables[op.variable].type
            type = types[0] if types else job.type(op.operands[0])
            optable.require(type == declared)
        for value, type in zip(op.results, types):
            job.values[value].type = type
        if not optable.TABLE[op.name].differentiable:
            optable.require(not any(job.values[value].active
                                    for value in op.operands))
        if op.name == "gradient":
            optable.require(job.kind == "train")
        if op.name == "minimize":
            optable.require([job.type(value) for value in op.operands] == [
                Blob((1,), element) for key, element
                in (("rate", "f32"), ("step", "i64"))
                if op.attributes.get(key)])
    losses = job.losses()
    steps = microsteps.of(job)
    if job.kind == "train":
        optable.require(losses and job.minimizes())
        optable.require(len({steps.elements(job, op.operands[0])
                             for op in losses}) == 1)
        optable.require(any(job.values[op.operands[0]].active
                            for op in losses))
    optable.require(job.outputs or job.dead or losses
                    or any(op.name == "assign" for op in job.ops))


def is_valid(job):
    try:
        infer(job)
    except (Invalid, IndexError, KeyError, ValueError):
        return False
    return True


def _simpler(op):
    """The attributes that can be simpler, as pairs. A number stands for a
    list of it."""
    for key, value in optable.TABLE[op.name].simpler.items():
        if isinstance(op.attributes[key], tuple) and isinstance(value, int):
            value = (value,) * len(op.attributes[key])
        if op.attributes[key] != value:
            yield key, value


def size(job):
    """What the shrinker makes smaller, most important first."""
    elements = sum(value.type.count for value in job.values.values())
    elements += sum(op.attributes.get("count", 0) for op in job.ops)
    attributes = sum(len(list(_simpler(op))) for op in job.ops)
    return (job.kind == "train", len(job.ops),
            len(job.outputs) + len(job.dead),
            len(job.inputs) + len(job.variables), elements,
            sum(len(value.type.shape) for value in job.values.values()),
            attributes, bool(job.precision), len(job.limits),
            sum(len(str(op.attributes)) for op in job.minimizes()),
            len({*placements.used(job)}),
            sum(bool(op.placement) for op in job.ops))


def _replace(job, old, new):
    """Uses `new` for `old` everywhere."""
    for op in job.ops:
        op.operands = [new if value == old else value
                       for value in op.operands]
    for values in (job.outputs, job.dead):
        values[:] = [new if value == old else value for value in values]


def _as_leaf(job, op, index):
    """The job with a leaf of the same range for the results of one op."""
    job = job.copy()
    op = job.ops[index]
    micro = microsteps.of(job)
    leaves = []

    def leaf(*fields):
        leaves.append(Op(*fields, placement=op.placement))
    for result in op.results:
        value, number = job.values[result], result
        if micro.is_inside(result):
            # The leaf is a per-step value, broadcast to the micro-steps.
            number = max(job.values) + 1
            job.values[number] = copy.copy(value)
        type = value.type
        if type.is_float and value.active:
            low, high = max(value.low, -1e3), min(value.high, 1e3)
            if low == high:
                low, high = low - 0.5, high + 0.5
            low, high = (data.format_float(end) for end in (low, high))
            name = f"{job.name}-s{number}"
            job.variables[name] = Variable(
                type, f"#job.random_uniform_init<min = {low}, max = {high}>",
                True, value.low, value.high)
            leaf("read", [], {"to": type}, [number], name)
        elif type.is_float and value.low <= 0 and value.high >= 1:
            # Inputs are drawn between 0 and 1.
            job.inputs.append(number)
        else:
            low, high = max(value.low, -50), min(value.high, 50)
            count = min(type.count, 64)
            if type.count > 64:
                count = 1
            elements = [low + (high - low) * ((i * 7 + 3) % 11) / 11
                        for i in range(count)]
            if not type.is_float:
                elements = [round(element) for element in elements]
            # Constants are as good inside of micro-steps.
            number = result
            leaf("constant", [], {"elements": elements, "to": type},
                 [number])
        if number != result:
            leaf("broadcast_micro_steps", [number], {"count": micro.count},
                 [result])
    job.ops[index:index + 1] = leaves
    return job


def _without_outputs(job):
    """Without all, without all but one, without one."""
    for key in ("dead", "outputs"):
        values = getattr(job, key)
        fewer = [[]] if values else []
        fewer += [[value] for value in values]
        fewer += [values[:index] + values[index + 1:]
                  for index in range(len(values))]
        for rest in fewer:
            smaller = job.copy()
            setattr(smaller, key, list(rest))
            yield smaller


def _with_earlier_outputs(job):
    """The operands of an output's op for the output."""
    made_by = {value: op for op in job.ops for value in op.results}
    for key in ("dead", "outputs"):
        values = getattr(job, key)
        for index, value in enumerate(values):
            for operand in made_by[value].operands if value in made_by else ():
                smaller = job.copy()
                setattr(smaller, key, [*values[:index], operand,
                                       *values[index + 1:]])
                yield smaller


def _without_effects(job):
    for index, op in enumerate(job.ops):
        results = set(op.results)
        if op.name in data.EFFECTS and not any(
                results & set(other.operands) for other in job.ops) \
                and not results & {*job.outputs, *job.dead}:
            smaller = job.copy()
            del smaller.ops[index]
            yield smaller


def _as_prediction(job):
    if job.kind != "train":
        return
    smaller = job.copy()
    smaller.kind, smaller.smooth = "predict", False
    # Its results are still compared.
    smaller.outputs = smaller.outputs or [
        op.operands[0] for op in smaller.losses()]
    smaller.ops = [op for op in smaller.ops
                   if op.name not in ("loss", "minimize")]
    yield smaller


def _with_bypass(job):
    """An operand of the same type for a result."""
    for index in reversed(range(len(job.ops))):
        op = job.ops[index]
        for result in op.results:
            for operand in op.operands:
                if job.type(operand) == job.type(result):
                    smaller = job.copy()
                    _replace(smaller, result, operand)
                    yield smaller


def _with_leaves(job):
    for index in reversed(range(len(job.ops))):
        op = job.ops[index]
        if op.operands and op.results and not any(
                job.type(result).bounded for result in op.results):
            yield _as_leaf(job, op, index)


def _give_shape(job, number, shape):
    """Another shape for an input, a variable or a constant."""
    type = Blob(shape, job.type(number).element)
    job.values[number].type = type
    variables = {op.variable for op in job.ops
                 if op.name == "read" and number in op.results}
    for op in job.ops:
        if op.name == "read" and op.variable in variables:
            op.attributes["to"] = job.variables[op.variable].type = type
        elif op.name == "constant" and number in op.results:
            elements = op.attributes["elements"]
            op.attributes["to"] = type
            if len(elements) > 1:
                op.attributes["elements"] = \
                    (elements * math.ceil(type.count / len(elements)))[
                        :type.count]


def _rows_of_parts(job):
    """The inputs, variables and constants that are cut into parts, with the
    number and the shape of these."""
    leaves = {*job.inputs, *(op.results[0] for op in job.ops
                             if op.name in ("read", "constant"))}
    return {op.operands[0]: (op.attributes["count"],
                             job.type(op.results[0]).shape)
            for op in job.ops
            if op.name == "unpack" and op.operands[0] in leaves}


def _without_micro_steps(job):
    if not microsteps.of(job).count:
        return
    smaller = job.copy()
    for index in reversed(range(len(smaller.ops))):
        if smaller.ops[index].name == "unpack":
            smaller = _as_leaf(smaller, smaller.ops[index], index)
    for op in smaller.ops:
        if op.name in microsteps.ENTRIES + microsteps.EXITS:
            _replace(smaller, op.results[0], op.operands[0])
    yield smaller


def _with_fewer_micro_steps(job):
    smaller = job.copy()
    for number, (_, part) in _rows_of_parts(job).items():
        _give_shape(smaller, number, (2 * part[0], *part[1:]))
    for op in smaller.ops:
        if "count" in op.attributes:
            op.attributes["count"] = 2
    yield smaller


def _resize(job, old, new):
    """`new` for the extent `old`, wherever it is one."""
    def shape(extents):
        return tuple(new if extent == old else extent for extent in extents)

    def blob(type):
        return dataclasses.replace(type, shape=shape(type.shape))
    job = job.copy()
    rows = _rows_of_parts(job)
    for variable in job.variables.values():
        variable.type = blob(variable.type)
    for number in job.inputs:
        job.values[number].type = blob(job.values[number].type)
    for op in job.ops:
        attributes = op.attributes
        if isinstance(attributes.get("to"), Blob):
            attributes["to"] = blob(attributes["to"])
        elif isinstance(attributes.get("to"), tuple):
            attributes["to"] = shape(attributes["to"])
        if "outputs" in attributes:
            attributes["outputs"] = tuple(map(blob, attributes["outputs"]))
        if "sizes" in attributes:
            attributes["sizes"] = shape(attributes["sizes"])
        if "extent" in attributes:
            attributes["extent"], = shape([attributes["extent"]])
        if op.name == "constant":
            count = attributes["to"].count
            elements = attributes["elements"]
            if len(elements) > 1 or count == 1:
                attributes["elements"] = \
                    (elements * math.ceil(count / len(elements)))[:count]
    for number, (count, part) in rows.items():
        _give_shape(job, number, (count * shape(part)[0], *shape(part)[1:]))
    return job


def _with_extents(job):
    extents = {extent for value in job.values.values()
               for extent in value.type.shape if extent > 1}
    for extent in sorted(extents, reverse=True):
        for new in sorted({1, 2, extent // 2, extent - 1}):
            if 0 < new < extent:
                yield _resize(job, extent, new)


def _with_leaf_shapes(job):
    """One dimension of one leaf and of what is computed from it."""
    numbers = [*job.inputs, *(op.results[0] for op in job.ops
                              if op.name in ("read", "constant"))]
    for number in numbers:
        for dim, extent in enumerate(job.type(number).shape):
            for new in sorted({1, extent // 2}):
                if not 0 < new < extent:
                    continue
                smaller = job.copy()
                shape = list(job.type(number).shape)
                shape[dim] = new
                _give_shape(smaller, number, tuple(shape))
                yield smaller


def _with_attributes(job):
    for index, op in enumerate(job.ops):
        for key, value in _simpler(op):
            smaller = job.copy()
            smaller.ops[index].attributes[key] = value
            if key == "groups":
                # One group has the channels of the filter.
                images, filter = op.operands
                batch, _, *size = job.type(images).shape
                _give_shape(smaller, images,
                            (batch, job.type(filter).shape[1], *size))
            yield smaller
    if job.precision:
        smaller = job.copy()
        smaller.precision = ""
        yield smaller
    for limit in job.limits:
        smaller = job.copy()
        smaller.limits.remove(limit)
        yield smaller


def _with_plain_updates(job):
    """One kind of update, or without a part of one. Lists stay, since they say
    what is trained."""
    def plain(op):
        lists = {key: value for key, value in op.attributes.items()
                 if key == "variables"}
        op.attributes, op.operands = {**training.PLAIN, **lists}, []
    smaller = job.copy()
    for op in smaller.minimizes():
        plain(op)
    yield smaller
    for index in range(len(job.minimizes())):
        smaller = job.copy()
        op = smaller.minimizes()[index]
        common = {key: op.attributes[key] for key in training.COMMON
                  if key in op.attributes}
        plain(op)
        op.attributes.update(common)
        yield smaller
        for key in training.OPTIONAL:
            smaller = job.copy()
            if smaller.minimizes()[index].attributes.pop(key, None):
                yield smaller
    for key in training.COMMON:
        smaller = job.copy()
        for op in smaller.minimizes():
            op.attributes.pop(key, None)
        yield smaller


def _with_fewer_placements(job):
    """One device for another one, and that of the job for each op."""
    used = sorted(placements.used(job))
    for old in used:
        for new in used:
            if old != new:
                smaller = job.copy()
                placements.replace(smaller, old, new)
                yield smaller
    for index, op in enumerate(job.ops):
        if op.placement:
            smaller = job.copy()
            smaller.ops[index].placement = ""
            yield smaller


STEPS = [_without_outputs, _without_effects, _as_prediction,
         _without_micro_steps, _with_fewer_micro_steps, _with_earlier_outputs,
         _with_bypass, _with_leaves, _with_attributes, _with_plain_updates,
         _with_extents,
         _with_leaf_shapes, _with_fewer_placements]


def candidates(job):
    """Smaller jobs, valid ones only."""
    for step in STEPS:
        for smaller in step(job):
            data.remove_dead(smaller)
            if is_valid(smaller) and size(smaller) < size(job):
                yield smaller


def shrink(jobs, fails, limit):
    calls = 0

    def still_fails(smaller):
        nonlocal calls
        calls += 1
        return calls <= limit and fails(smaller)

    jobs = [job.copy() for job in jobs]
    for job in jobs:
        data.list_dead(job)
    for job in list(jobs):
        rest = [other for other in jobs if other is not job]
        if rest and still_fails(rest):
            jobs = rest
    changed = True
    while changed and calls < limit:
        changed = False
        for index, job in enumerate(jobs):
            for smaller in candidates(job):
                if calls >= limit:
                    break
                if still_fails(jobs[:index] + [smaller] + jobs[index + 1:]):
                    jobs[index] = smaller
                    changed = True
                    break
    return jobs
