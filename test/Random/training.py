"""How a job is minimized: optimizers, schedules, loss scales, and which
variables each job.minimize updates.

The op `minimize` has the operands of the learning rate and the step, where it
has them, and these attributes: `optimizer`, `schedule`, `warmup` and `clipping`
are text, `rate` and `step` say which operands there are, `sparse`, `variables`
and `decayed` are names of variables, `decay` and `loss_scale` are numbers, and
`scale` has the two variables of a dynamic loss scale.
"""

# Rates and their corrections are computed in f32: no measure for the interpreter's
# f64. Updates of variables of f64 have those that do not depend on them.
WIDE_OPTIMIZERS = [
    "#job.sgd", "#job.sgd", "#job.momentum<beta = 0.9>",
    "#job.adam<beta1 = 0.9, beta2 = 0.999, epsilon = 1.0e-03, "
    "bias_correction = false>",
    "#job.rmsprop<decay_rate = 0.9, epsilon = 0.01, centered = false>",
    "#job.rmsprop<decay_rate = 0.9, epsilon = 0.01, centered = true>",
    "#job.lars<beta = 0.9, epsilon = 0.01, coefficient = 0.1>"]
OPTIMIZERS = WIDE_OPTIMIZERS + [
    # Corrected for a decay near 1, the rate would be a difference near 0.
    "#job.adam<beta1 = 0.5, beta2 = 0.75, epsilon = 1.0e-03, "
    "bias_correction = true>",
    "#job.lazy_adam<beta1 = 0.5, beta2 = 0.75, epsilon = 1.0e-03>",
    "#job.lamb<beta1 = 0.5, beta2 = 0.75, epsilon = 1.0e-03>"]
WIDE_SCHEDULES = ["#job.constant_schedule<{rate}>"]
SCHEDULES = WIDE_SCHEDULES + [
    "#job.cosine_schedule<base = {rate}, steps = 10, alpha = 0.1>",
    "#job.exponential_schedule<base = {rate}, steps = 3, rate = 0.5, "
    "staircase = {flag}>",
    "#job.natural_exp_schedule<base = {rate}, steps = 3, rate = 0.5, "
    "staircase = {flag}>",
    "#job.inverse_time_schedule<base = {rate}, steps = 3, rate = 0.5, "
    "staircase = {flag}>",
    "#job.polynomial_schedule<base = {rate}, steps = 4, end = 0.001, "
    "power = 2.0, cycle = {flag}>",
    "#job.linear_cosine_schedule<base = {rate}, steps = 9, periods = 0.5, "
    "alpha = 0.1, beta = 0.1>",
    "#job.piecewise_constant_schedule<boundaries = [0, 5], "
    "values = [{rate}, {rate_2}, {rate_4}]>"]
WARMUPS = ["#job.linear_warmup<steps = 3, start = 0.5>",
           "#job.constant_warmup<steps = 2, multiplier = 0.5>"]
CLIPPING = "#job.clip_by_global_norm<clip_norm = 1.0, legacy = {flag}, " \
    "joint = {joint}>"
# What all job.minimize of a job have alike, and what each can go without.
COMMON = ("loss_scale", "scale")
OPTIONAL = ("warmup", "clipping", "decay", "sparse")
# The simplest one.
PLAIN = {"optimizer": "#job.sgd", "schedule": "#job.constant_schedule<0.01>"}


def _names(job, names):
    """A list of variables, of those that the job still has."""
    return "[" + ", ".join(f"@\"{name}\"" for name in names
                           if name in job.variables) + "]"


def format_minimize(job, op, name):
    has = op.attributes.get
    optimizer = op.attributes["optimizer"]
    if has("sparse"):
        optimizer = f"{optimizer[:-1]}, sparse = {_names(job, has('sparse'))}>"
    text = f"job.minimize {optimizer}"
    operands = [name(value) for value in op.operands]
    if has("schedule"):
        text += f" schedule {has('schedule')}"
    if has("warmup"):
        text += f" warmup {has('warmup')}"
    if has("rate"):
        text += f" rate {operands.pop(0)}"
    if has("step"):
        text += f" step {operands.pop(0)}"
    settings = []
    if has("loss_scale"):
        settings.append(f"loss_scale = {has('loss_scale')}")
    if has("scale"):
        scale, good_steps = has("scale")
        settings.append(
            f"dynamic_loss_scale = #job.dynamic_loss_scale<scale = @\"{scale}\""
            f", good_steps = @\"{good_steps}\", period = {has('period')}, "
            "multiplier = 2.0>")
    if has("decay"):
        decayed = "" if has("decayed") is None else \
            f", variables = {_names(job, has('decayed'))}"
        settings.append("weight_decay = #job.weight_decay<rate = "
                        f"{has('decay')}{decayed}>")
    if has("clipping"):
        settings.append(f"clipping = {has('clipping')}")
    if has("variables") is not None:
        settings.append(f"variables = {_names(job, has('variables'))}")
    return text + (f" {{{', '.join(settings)}}}" if settings else "")


def without_f32(job):
    """The job without what has to be f32, for a module whose f32 is f64."""
    job = job.copy()
    for op in job.minimizes():
        op.operands = []
        attributes = op.attributes
        scale = attributes.pop("scale", None)
        if scale:
            attributes["loss_scale"] = 8.0
        if attributes.pop("rate", False):
            attributes["schedule"] = PLAIN["schedule"]
        attributes.pop("step", None)
    return job


def _rate(b):
    """A learning rate that the job computes."""
    type = b.scalar("f64")
    rate = b.operand(type, 0.001, 0.01)
    if b.value(rate).active:  # The cast would be a jump.
        rate = b.moved(b.constant(type), 0.001, 0.01)
    return b.emit("cast", [rate], to="f32")


def _step(b):
    """Another number of the step."""
    step = b.step()
    type = b.type(step)
    if b.chance(0.5):
        return b.emit("mul", [step, b.filled(type, b.rng.choice([2, 3]))])
    return b.emit("add", [step, b.filled(type, b.rng.choice([1, 4, 9]))])


def _groups(b, names):
    """The variables of each job.minimize; None stands for all others."""
    some = list(names)
    b.rng.shuffle(some)
    has_others = all(variable.listed for variable in b.job.variables.values())
    if len(some) < 2 or not b.chance(0.4):
        return [None if has_others and b.chance(0.8) else tuple(some)]
    count = b.rng.randint(2, min(3, len(some)))
    groups = [tuple(some[index::count]) for index in range(count)]
    if has_others and b.chance(0.5):
        groups[b.rng.randrange(count)] = None
    return groups


def _optimizer(b, attributes, wide, names):
    optimizer = b.rng.choice(WIDE_OPTIMIZERS if wide else OPTIMIZERS)
    attributes["optimizer"] = optimizer
    if "lazy_adam" in optimizer and b.chance(0.8):
        attributes["sparse"] = tuple(name for name in names if b.chance(0.7))
    if b.chance(0.25) and "rmsprop" not in optimizer:
        attributes["decay"] = 0.125
        attributes["decayed"] = None if b.chance(0.5) else tuple(
            name for name in names if b.chance(0.6))
    if b.chance(0.25):
        attributes["clipping"] = CLIPPING.format(flag=_flag(b),
                                                 joint=_flag(b))


def _flag(b):
    return "true" if b.chance(0.5) else "false"


def _rates(b, attributes, wide):
    """The learning rate; returns the operands."""
    operands = []
    if not wide and b.chance(0.15):
        attributes["rate"] = True
        operands.append(_rate(b))
    else:
        rate = b.rng.choice([0.01, 0.001])
        attributes["schedule"] = b.rng.choice(
            WIDE_SCHEDULES if wide else SCHEDULES).format(
                rate=rate, rate_2=rate / 2, rate_4=rate / 4, flag=_flag(b))
        if not wide and b.chance(0.3):
            attributes["warmup"] = b.rng.choice(WARMUPS)
    if b.chance(0.15):
        attributes["step"] = True
        operands.append(_step(b))
    return operands


def _loss_scale(b, wide):
    """What all job.minimize of a job have in common."""
    draw = b.rng.random()
    if draw < 0.2:
        return {"loss_scale": 8.0}
    if draw > 0.4 or wide:
        return {}
    names = b.loss_scale_variables()
    return {"scale": names, "period": b.rng.choice([1, 2, 1000])}


def add_minimize(b):
    """Appends the job.minimize of the job."""
    trained = {name: variable for name, variable in b.job.variables.items()
               if variable.trained}
    b.place = "outside"
    any_wide = any(variable.type.element == "f64"
                   for variable in trained.values())
    scale = _loss_scale(b, any_wide)
    for names in _groups(b, trained):
        updated = trained if names is None else names
        wide = any(trained[name].type.element == "f64" for name in updated)
        attributes = dict(scale)
        _optimizer(b, attributes, wide, updated)
        operands = _rates(b, attributes, wide)
        if names is not None:
            attributes["variables"] = names
        b.append("minimize", operands, attributes, [])
