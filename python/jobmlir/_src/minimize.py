"""How a training job updates its variables: one Minimize for each optimizer of it."""

import re

from . import errors, frames, losses, patterns, scopes, text
from .blob import Blob
from .trace import OpScope, current


class Minimize:
    """An optimizer in a job, and the variables that it updates.

    `rule` gives the update rule for names of variables (optimizer_rules); `step` is
    the name of the blob that is the step of the learning rate, or None; `variables`
    what chooses the variables, or None for all that no other Minimize of the job
    updates. What is computed for all of them, such as the learning rate, is in the
    PlacementScope `scope`, or with None where the loss is."""

    def __init__(
        self,
        rule,
        scheduler,
        policy,
        place,
        clipping=None,
        decay=None,
        step=None,
        variables=None,
        losses=None,
        scope=None,
    ):
        self.rule = rule
        self.scheduler = scheduler
        self.policy = policy
        self.frames = place
        self.clipping = clipping
        self.decay = decay
        self.step = step
        self.variables = variables
        self.losses = losses
        self.scope = scope

    @property
    def where(self):
        return f" at {self.frames[0][0]}:{self.frames[0][1]}" if self.frames else ""


# ===- Choosing variables ---------------------------------------------------===#


def _selectors(trace, variables):
    """A list of blobs, names and compiled patterns."""
    listed = list(variables) if isinstance(variables, (list, tuple)) else [variables]
    if not listed:
        trace.fail("expects at least one variable to update but got none")
    for each in listed:
        if isinstance(each, Blob):
            if each._trace is not trace or each._variable is None:
                trace.fail(
                    "expects variables to be blobs of get_variable in this job but "
                    f"got {each.op_name}"
                )
        elif not isinstance(each, (str, re.Pattern)):
            trace.fail(
                "expects variables to be names, regular expressions or blobs of "
                f"get_variable but got {each!r}"
            )
    return listed


def _chosen(trace, minimize, trained):
    """The names of the variables that a Minimize chooses among those of the job."""

    def fail(message):
        raise errors.TrainConfError(
            errors.located(message, minimize.frames, trace.name)
        )

    names = set()
    for each in minimize.variables:
        name = each._variable if isinstance(each, Blob) else each
        if name in trace.variables:
            if name not in trained:
                fail(
                    f"expects variables that this job trains but got {name}, whose "
                    "trainable is False"
                )
            names.add(name)
            continue
        found = {
            other
            for other in trained
            for pattern in patterns.compile_patterns(each, "variables", fail)
            if pattern.search(other)
        }
        if not found:
            shown = each if isinstance(each, str) else each.pattern
            fail(
                "expects the name of a variable that this job trains, or a pattern of "
                f"one, but got {shown!r}; it trains {', '.join(trained) or 'none'}"
            )
        names |= found
    return [name for name in trained if name in names]


def _groups(trace):
    """Pairs of each Minimize and the names of the variables that it updates."""
    trained = [name for name in trace.variables if trace.trains(name)]
    owners, out = {}, []
    for minimize in trace.minimizes:
        if minimize.variables is None:
            continue
        names = _chosen(trace, minimize, trained)
        for name in names:
            if name in owners:
                raise errors.TrainConfError(
                    errors.located(
                        f"expects one minimize for each variable but got {name} in "
                        f"another{owners[name].where}",
                        minimize.frames,
                        trace.name,
                    )
                )
            owners[name] = minimize
        out.append((minimize, names))
    for minimize in trace.minimizes:
        if minimize.variables is None:
            out.append((minimize, [name for name in trained if name not in owners]))
    return sorted(out, key=lambda group: trace.minimizes.index(group[0]))


# ===- Blobs by name --------------------------------------------------------===#


def _scalar(op, source, what, is_kind, kind, dtype):
    """The blob with one element that `source` names, converted to `dtype`."""
    blob = source if isinstance(source, Blob) else op.trace.find_blob(source)
    if blob is None:
        op.fail(
            f"expects {what} to be the name of a blob of this job but got {source!r}",
            errors.TrainConfError,
        )
    blob = op.blob(blob, what)
    if not is_kind(blob.dtype) or any(extent != 1 for extent in blob.shape):
        op.fail(
            f"expects {what} to be one {kind} but got {blob.op_name} of shape "
            f"{blob.shape} and {blob.dtype.canonical}",
            errors.TrainConfError,
        )
    if blob._micro_steps > 1:
        op.fail(
            f"expects {what} to be a per-step blob but got {blob.op_name}, a "
            "per-micro-step blob",
            errors.TrainConfError,
        )
    if blob.dtype.mlir != dtype:
        blob = op("cast", blob, result=(blob.shape, dtype))
    if blob.shape != (1,):
        blob = op("reshape", blob, result=([1], dtype))
    return blob


# ===- In training jobs -----------------------------------------------------===#


def _emit(trace, minimize, names):
    op = OpScope(trace, "optimizer", "", minimize.frames)
    scheduler = minimize.scheduler
    operands = []
    attributes = {"optimizer": op.text(minimize.rule(names))}
    if scheduler.blob is None:
        attributes["schedule"] = op.text(scheduler.attribute)
    else:
        operands.append(
            _scalar(
                op,
                scheduler.blob,
                "lbn of CustomScheduler",
                lambda dtype: dtype.is_float(),
                "float",
                "f32",
            )
        )
    if scheduler.warmup:
        attributes["warmup"] = op.text(scheduler.warmup.attribute)
    if minimize.step is not None:
        operands.append(
            _scalar(
                op,
                minimize.step,
                "train_step_lbn",
                lambda dtype: not dtype.is_float() and dtype.mlir != "i1",
                "int",
                "i64",
            )
        )
    has_rate, has_step = scheduler.blob is not None, minimize.step is not None
    attributes["operandSegmentSizes"] = op.text(
        f"array<i32: {int(has_rate)}, {int(has_step)}>"
    )
    attributes.update(minimize.policy.attributes(op, minimize.frames))
    decay = minimize.decay.attribute(names) if minimize.decay else None
    if decay:
        attributes["weight_decay"] = op.text(decay)
    if minimize.clipping:
        attributes["clipping"] = op.text(minimize.clipping.attribute)
    if minimize.variables is not None:
        attributes["variables"] = op.text(f"[{', '.join(map(text.symbol, names))}]")
    op("minimize", *operands, **attributes)


def emit(trace):
    """Appends what the optimizers of a training job are."""
    for minimize, names in _groups(trace):
        scope = minimize.scope or trace.losses[0]._scope
        with scopes.placed(scope):
            _emit(trace, minimize, names)


def add(trace, minimize):
    """Adds the Minimize of one optimizer to a training job."""
    for before in trace.minimizes:
        if before.variables is None and minimize.variables is None:
            trace.fail(
                "expects one minimize in a job but got a second after that"
                f"{before.where}; minimize(loss, variables=...) updates a part of the "
                "variables"
            )
        if before.policy != minimize.policy:
            trace.fail(
                "expects one loss scale in a job but got another than that"
                f"{before.where}"
            )
        if {id(blob) for blob in before.losses} != {id(b) for b in minimize.losses}:
            trace.fail(
                "expects the losses of every minimize of a job to be those of the "
                f"first{before.where} but got others; other losses need a job of "
                "their own"
            )
    if not trace.minimizes:
        for blob in minimize.losses:
            losses.mark(trace, blob, minimize.frames)
    trace.minimizes.append(minimize)


def from_optimizer(optimizer, loss, variables):
    """optimizer.minimize."""
    trace = current("optimizer.minimize")
    if trace.kind != "train":
        trace.fail("expects a training job to minimize in but got a predict job")
    blobs = list(loss) if isinstance(loss, (list, tuple)) else [loss]
    if not blobs:
        trace.fail("expects at least one loss but got none")
    if variables is not None:
        variables = _selectors(trace, variables)
    add(
        trace,
        Minimize(
            optimizer._rule,
            optimizer._scheduler,
            optimizer._policy,
            frames.user_frames(),
            optimizer._clipping,
            optimizer._decay,
            optimizer._step,
            variables,
            blobs,
            scopes.current_placement(),
        ),
    )


def check_lbn(fail, value, what):
    """Checks the name of a blob, or a blob."""
    if value is not None and not isinstance(value, (str, Blob)):
        fail(f"expects {what} to be the name of a blob but got {value!r}")
    return value
