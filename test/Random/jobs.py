"""A random job as plain data, and its text.

A job is a list of ops over numbered values. Nothing here is random: the
generator makes jobs, the shrinker makes smaller ones, and both ask `optable`
for the types.
"""

import copy
import dataclasses
import math

import training

FLOATS = ("f32", "f64")
# A job has these in place of f32, see `narrow`.
NARROW = ("f16", "bf16")
INTEGERS = ("i8", "ui8", "i32", "i64")
BITS = {"i1": 1, "i8": 8, "ui8": 8, "i32": 32, "i64": 64, "f32": 32, "f64": 64,
        "f16": 16, "bf16": 16}
# How far a value may be moved relatively to see what rounding does to a job:
# 16 units in the last place, and 512 where the interpreter itself rounds: an
# update by one number gives all elements of a variable the same last bits, and
# a sum of thousands of them rounds in one direction. Of the types with few
# digits 2: more would change what the job computes.
NOISE = {"f32": 16 * 2.0 ** -24, "f64": 512 * 2.0 ** -53, "f16": 2 * 2.0 ** -11,
         "bf16": 2 * 2.0 ** -8}


# Ops that are needed though nothing uses their results.
EFFECTS = ("loss", "assign", "minimize", "host_call")


class Invalid(Exception):
    """The job is none: an op does not take its operands."""


@dataclasses.dataclass(frozen=True)
class Blob:
    shape: tuple
    element: str
    # The first extent is a bound, known when the step runs.
    bounded: bool = False

    def __str__(self):
        bound, _, rest = self.extents().partition("x")
        text = f"?<={bound}>x{rest}" if self.bounded else self.extents()
        return f"!job.blob<{text}>"

    def extents(self):
        return "x".join([*map(str, self.shape), self.element])

    @property
    def count(self):
        return math.prod(self.shape)

    @property
    def is_float(self):
        return self.element in FLOATS + NARROW

    def of(self, element):
        return dataclasses.replace(self, element=element)


@dataclasses.dataclass
class Value:
    """What is known of a value: every element is in [low, high]."""
    type: Blob
    low: float
    high: float
    # Floats that are small integers, computed without any rounding.
    exact: bool = False
    # Depends on a trainable variable.
    active: bool = False
    # How many ops made it of inputs and variables; 0 of constants.
    depth: int = 0
    # May be NaN: an index was out of range.
    wild: bool = False

    @property
    def magnitude(self):
        return max(abs(self.low), abs(self.high))


@dataclasses.dataclass
class Variable:
    type: Blob
    init: str
    trainable: bool
    low: float
    high: float
    # In a list of this job's job.minimize, where these have lists.
    listed: bool = True
    # Of the random numbers that it starts with, or None.
    seed: int | None = None
    # Of the loss scale: no op reads or assigns it.
    reserved: bool = False

    @property
    def trained(self):
        return self.trainable and self.listed


@dataclasses.dataclass
class Op:
    name: str
    operands: list
    attributes: dict
    results: list
    # The variable of read and assign.
    variable: str = ""
    # What #job.placement has; empty for that of the job.
    placement: str = ""


@dataclasses.dataclass
class Job:
    name: str
    kind: str
    variables: dict = dataclasses.field(default_factory=dict)
    inputs: list = dataclasses.field(default_factory=list)
    ops: list = dataclasses.field(default_factory=list)
    outputs: list = dataclasses.field(default_factory=list)
    values: dict = dataclasses.field(default_factory=dict)
    # What job-precision computes in; empty for f32.
    precision: str = ""
    # As that of an op; empty for the device of job-run.
    placement: str = ""
    # What passes may not do, as attributes.
    limits: list = dataclasses.field(default_factory=list)
    # Values that nothing needs, whose ops are there all the same.
    dead: list = dataclasses.field(default_factory=list)
    # Central differences see the same function as autodiff.
    smooth: bool = True

    def type(self, value):
        return self.values[value].type

    def losses(self):
        return [op for op in self.ops if op.name == "loss"]

    def minimizes(self):
        return [op for op in self.ops if op.name == "minimize"]

    def copy(self):
        return copy.deepcopy(self)


def narrow(job, element):
    """Gives a job another element type for f32, unless an op uses the logsumexp
    of attention: that stays f32, as do learning rates and loss scales."""
    def change(type):
        return type.of(element) if type.element == "f32" else type
    wide = {op.results[1] for op in job.ops if op.name == "attention"}
    if wide & {*job.outputs, *(value for op in job.ops for value in op.operands
                               if op.name != "attention_grad")}:
        return
    wide |= {value for op in job.minimizes() for value in op.operands}
    for name, value in job.values.items():
        if value.type.element == "f32" and name not in wide:
            value.type = change(value.type)
            value.exact = False
    for variable in job.variables.values():
        if not variable.reserved:
            # The elements of an initializer are representable in all types.
            if variable.type.element == "f32":
                variable.init = variable.init.replace("xf32>>", f"x{element}>>")
            variable.type = change(variable.type)
    for op in job.ops:
        if wide & set(op.results) and op.name != "attention":
            continue
        to = op.attributes.get("to")
        if isinstance(to, Blob):
            op.attributes["to"] = change(to)
        elif to == "f32":
            op.attributes["to"] = element


def set_precision(job, element):
    """Lets the job compute in another type than f32 where that is safe."""
    job.precision = element
    for value in job.values.values():
        if value.type.element == "f32":
            value.exact = False


def list_dead(job):
    """Lists one value of each op whose results nothing needs."""
    used = {*job.outputs, *(value for op in job.ops for value in op.operands)}
    job.dead = [op.results[0] for op in job.ops
                if op.results and not used & set(op.results)]


def remove_dead(job):
    """Removes ops, inputs and variables that nothing needs and that are not
    listed as dead."""
    needed = {*job.outputs, *job.dead}
    kept = []
    for op in reversed(job.ops):
        if op.name in EFFECTS or needed & set(op.results):
            needed |= set(op.operands)
            kept.append(op)
    job.ops = kept[::-1]
    job.inputs = [value for value in job.inputs if value in needed]
    used = {op.variable for op in job.ops}
    for op in job.minimizes():
        used.update(op.attributes.get("scale", ()))
    job.variables = {name: variable for name, variable
                     in job.variables.items() if name in used}
    job.values = {number: value for number, value in job.values.items()
                  if number in needed
                  or any(number in op.results for op in job.ops)}


def format_float(number):
    text = repr(float(number))
    mantissa, _, exponent = text.partition("e")
    if "." not in mantissa:
        mantissa += ".0"
    return f"{mantissa}e{exponent}" if exponent else mantissa


def _format_elements(elements, shape):
    if len(shape) == 1:
        return "[" + ", ".join(elements) + "]"
    step = len(elements) // shape[0]
    return "[" + ", ".join(_format_elements(elements[i * step:(i + 1) * step],
                                            shape[1:])
                           for i in range(shape[0])) + "]"


def format_constant(elements, type):
    """The dense attribute of a list of elements; of one, all are equal."""
    if type.element == "i1":
        texts = ["true" if element else "false" for element in elements]
    elif type.is_float:
        texts = [format_float(element) for element in elements]
    else:
        texts = [str(int(element)) for element in elements]
    body = texts[0] if len(texts) == 1 else _format_elements(texts, type.shape)
    return f"dense<{body}> : tensor<{type.extents()}>"


def format_attribute(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return f"{value} : i64"
    if isinstance(value, float):
        return f"{format_float(value)} : f64"
    return f"array<i64: {', '.join(map(str, value))}>" if value \
        else "array<i64>"


def _format_attributes(op, skip=()):
    texts = [f"{key} = {format_attribute(value)}"
             for key, value in op.attributes.items() if key not in skip]
    if op.placement:
        texts.append(f"job.placement = #job.placement<{op.placement}>")
    return f" {{{', '.join(texts)}}}" if texts else ""


def _format_op(job, op, forms, name):
    types = [job.type(value) for value in op.operands]
    results = ", ".join(name(value) for value in op.results)
    operands = ", ".join(name(value) for value in op.operands)
    own = _format_attributes(op, op.attributes)
    if op.name == "read":
        return f"{results} = job.read @\"{op.variable}\"{own} : " \
               f"{job.type(op.results[0])}"
    if op.name == "assign":
        return f"job.assign @\"{op.variable}\", {operands}{own} : {types[0]}"
    if op.name == "loss":
        return f"job.loss {operands}{own} : {types[0]}"
    if op.name == "constant":
        value = format_constant(op.attributes["elements"],
                                job.type(op.results[0]))
        return f"{results} = job.constant{own} {value}"
    if op.name == "step":
        return f"{results} = job.step{own}"
    if op.name == "custom_gradient":
        # Of a tanh and its operand, both of one type.
        value, operand = map(name, op.operands)
        type = types[0]
        parts = [f"%{part}: {type}" for part in ("x", "y", "dy")]
        lines = [f"{results} = job.custom_gradient values({value} : {type}) "
                 f"inputs({operand} : {type}){own and ' attributes' + own} {{",
                 f"^bb0({', '.join(parts)}):",
                 f"  %yy = job.mul %y, %y : {type}",
                 f"  %less = job.mul %yy, %dy : {type}",
                 f"  %dx = job.sub %dy, %less : {type}",
                 f"  job.yield %dx : {type}", "}"]
        return "\n  ".join(lines)
    if op.name == "minimize":
        return training.format_minimize(job, op, name)
    if op.name == "host_call":
        ends = ", ".join(str(job.type(value)) for value in op.results)
        gradient = op.attributes["gradient"]
        return (f"{results} = " if results else "") \
            + f"job.host_call \"{op.attributes['callee']}\"({operands})" \
            + (f" gradient \"{gradient}\"" if gradient else "") \
            + f"{own} : ({', '.join(map(str, types))}) -> ({ends})"
    if op.name == "merge_runs":
        return _format_merges(op, types[0], operands, results, own)
    if op.name == "slice_to_dynamic":
        padded, extents = name(op.results[0]), list(types[0].shape)
        dim, value = op.attributes["dim"], op.attributes["value"]
        extents[dim] = f"?<={extents[dim]}>"
        bounded = f"!job.blob<{'x'.join(map(str, extents))}x{types[0].element}>"
        return f"{padded}c = job.constant dense<{op.attributes['count']}> : " \
               f"tensor<1xi64>\n  {padded}b = job.slice_to_dynamic {operands}, " \
               f"{padded}c{_format_attributes(op, ('count', 'value'))} : " \
               f"{types[0]}\n" \
               f"  {padded} = job.pad_to_static {padded}b, " \
               f"{padded}c {{value = {value} : i64}} : {bounded}"
    head = f"job.{op.name}"
    if "predicate" in op.attributes:
        head += " " + op.attributes["predicate"]
    result_types = [job.type(value) for value in op.results]
    form = forms[op.name]
    if isinstance(form, tuple):
        end = ", ".join(str(types[index]) for index in form)
    else:
        ends = {"result": result_types[:1], "operands": types,
                "first": types[:1], "two": types[:2], "select": types[:2],
                "gradient": types}
        end = f"{types[0]} to {result_types[0]}" if form == "to" \
            else ", ".join(map(str, ends[form]))
    if form == "gradient":
        end += f" -> {result_types[0]}"
    tail = f" approximate {op.attributes['approximate']}" \
        if "approximate" in op.attributes else ""
    tail += " descending" if op.attributes.get("descending") else ""
    tail += f" as {op.attributes['dtype']}" if "dtype" in op.attributes else ""
    hidden = ("predicate", "approximate", "descending", "dtype", "to")
    return f"{results} = {head}{' ' + operands if operands else ''}{tail}" \
           f"{_format_attributes(op, hidden)} : {end}"


def _format_merges(op, type, operand, result, own):
    """All steps of a sort. They are one op of the job, since an order has to be
    a permutation."""
    order = type.of("i32")
    axis, names = len(type.shape) - 1, [f"{result}r0"]
    lines = [f"{names[0]} = job.iota {{axis = {axis} : i64}} : {order}"]
    descending = " descending" if op.attributes.get("descending") else ""
    run = 1
    for merge in range(op.attributes["merges"]):
        is_last = merge == op.attributes["merges"] - 1
        names.append(result if is_last else f"{result}r{merge + 1}")
        attributes = f"run = {run} : i64"
        if own:
            attributes += ", " + own.strip(" {}")
        lines.append(f"{names[-1]} = job.merge_runs {operand}, {names[-2]}"
                     f"{descending} {{{attributes}}} : {type}, {order}")
        run *= 8
    return "\n  ".join(lines)


def _format_noise(job, op, rounds, name, rename, steps):
    """Ops that move the float results of `op` a little."""
    if not rounds(job, op):
        return
    for value in op.results:
        type = job.type(value)
        if not type.is_float:
            continue
        element = job.precision if job.precision and type.element == "f32" \
            else type.element
        wide, v = NOISE[element], f"%noise{value}"
        tensor = f"tensor<{type.extents()}>"
        step = "%noise_part" if steps.is_inside(value) else "%noise_step"
        yield f"{v}u = job.random_uniform %noise_seed, {step} " \
              f"{{id = {value} : i64}} : {type}"
        yield f"{v}w = job.constant dense<{format_float(2 * wide)}> : {tensor}"
        yield f"{v}b = job.constant dense<{format_float(1 - wide)}> : {tensor}"
        # The interpreter does not round f32: the factor is what it says.
        yield f"{v}m = job.mul {v}u, {v}w : {type}"
        yield f"{v}f = job.add {v}m, {v}b : {type}"
        yield f"{v} = job.mul {name(value)}, {v}f : {type}"
        rename[value] = v


def format_job(job, forms, rounds=None, copy_number=None, steps=None):
    """The text of the job. With a `copy_number` every value that `rounds` is
    moved by noise, another one for each number, and in each of the
    micro-steps that `steps` knows of."""
    rename = {}

    def name(value):
        return rename.get(value, f"%v{value}")

    suffix = "" if copy_number is None else f"_noise{copy_number}"
    inputs = ", ".join(f"%v{value}: {job.type(value)}" for value in job.inputs)
    outputs = ", ".join(f"{job.type(value)} {{job.name = \"out{index}\"}}"
                        for index, value in enumerate(job.outputs))
    attributes = [f"placement = #job.placement<{job.placement}>"] \
        if job.placement else []
    # Noise does in f32 what another precision does.
    if job.precision and copy_number is None:
        attributes.append(f"precision = {job.precision}")
    attributes += job.limits
    lines = [f"job.func @{job.name}{suffix}({inputs})"
             + (f" -> ({outputs})" if outputs else "") + f" kind {job.kind} "
             + (f"attributes {{{', '.join(attributes)}}} "
                if attributes else "") + "{"]
    if copy_number is not None:
        lines.append("  %noise_seed = job.constant "
                     f"dense<{1000 + copy_number}> : tensor<1xi64>")
        lines.append("  %noise_step = job.constant dense<0> : tensor<1xi64>")
        if steps.count:
            index = Blob((steps.count,), "i64")
            lines += ["  %noise_index = job.constant "
                      + format_constant(range(steps.count), index),
                      "  %noise_part = job.unpack %noise_index "
                      f"{{count = {steps.count} : i64}} : {index}"]
        for value in job.inputs:
            lines += ["  " + line for line in _format_noise(
                job, Op("input", [], {}, [value]), rounds, name, rename,
                steps)]
    for op in job.ops:
        lines.append("  " + _format_op(job, op, forms, name))
        if copy_number is not None:
            lines += ["  " + line for line in _format_noise(
                job, op, rounds, name, rename, steps)]
    results = ", ".join(name(value) for value in job.outputs)
    types = ", ".join(str(job.type(value)) for value in job.outputs)
    lines.append(f"  job.return {results} : {types}" if results
                 else "  job.return")
    return "\n".join([*lines, "}"]) + "\n"


def _format_properties(variable):
    parts = []
    if variable.seed is not None:
        parts.append(f"seed = {variable.seed}")
    if not variable.trainable:
        parts.append("trainable = false")
    return f" {{{', '.join(parts)}}}" if parts else ""


def dense_init(elements, type):
    return f"#job.dense_init<{format_constant(elements, type)}>"


def format_variables(jobs):
    """The variables of jobs, which may share some."""
    variables = {name: variable for job in jobs
                 for name, variable in job.variables.items()}
    return "".join(
        f"job.variable @\"{name}\" : {variable.type} init {variable.init}"
        + _format_properties(variable) + "\n"
        for name, variable in variables.items())
