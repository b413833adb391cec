"""Building the IR of jobs while their bodies run.

A ModuleTrace is the module of one session and the variables in it; a JobTrace
is one job function of it. Every op of the API calls `begin`, which
finds the job that is being traced, the op's name and the user's line.
"""

import contextlib
import copy
import threading
import zlib

from . import arguments, errors, frames, observers, scopes, text, wording
from .blob import Blob, BlobDef
from .blob_attributes import infer as infer_batch_axis


class _Tracing(threading.local):
    """The job that this thread is tracing. Other threads are independent: they may
    call jobs, and wait for the session to start."""

    job = None


_tracing = _Tracing()

# Ops that enter micro-steps, and ops that leave them.
_ENTRIES = ("job.unpack", "job.broadcast_micro_steps")
_EXITS = ("job.acc", "job.pack")
# Ops without operands whose results are per-step, not constant.
_OF_STEP = ("job.read", "job.step")
# Ops whose operand is broadcast in place of their result, which may be larger: each
# micro-step then reads the small blob, and its gradient is small too.
_SPREADS = ("job.broadcast_in_dim", "job.reshape")


def current_or_none():
    """The job that this thread is tracing, or None."""
    return _tracing.job


def current(api):
    """The job that this thread is tracing; an error naming the function `api`
    outside of one."""
    if _tracing.job is None:
        raise errors.OutsideJobError(
            errors.located(
                f"operator {api} was called outside of a job function",
                frames.user_frames(),
            )
        )
    return _tracing.job


@contextlib.contextmanager
def activate(job):
    """Makes `job` the one that this thread is tracing."""
    saved, _tracing.job = _tracing.job, job
    errors.tracing.job_name = job.name
    try:
        yield job
    finally:
        _tracing.job = saved
        errors.tracing.job_name = saved.name if saved else None


def from_diagnostics(error, cls, job=None, jobs_of_places=None):
    """The exception `cls` for a DiagnosticError of the compiler. The job is `job`, or
    that of the diagnostic's location; a diagnostic without a location gets that of
    the call that started the session."""
    lines = []
    for diagnostic in error.diagnostics:
        place = diagnostic["frames"]
        owner = job or (jobs_of_places or {}).get(tuple(place))
        # A diagnostic of the job itself has the job's name, which is not an op name.
        op = diagnostic["name"] if diagnostic["name"] != owner else None
        lines.append(
            errors.located(
                wording.of_the_api(diagnostic["message"]),
                place or frames.user_frames(),
                owner,
                op,
            )
        )
        for note in diagnostic["notes"]:
            message = wording.of_the_api(note["message"])
            lines.append("note: " + errors.located(message, note["frames"], ""))
    return cls("\n".join(lines))


class MlirText(str):
    """An attribute in MLIR's syntax, which becomes an AttributeText of the compiler."""


class Record:
    """One op of a traced job, with the attributes that it was given."""

    def __init__(self, op, operands, attributes, results, name, place):
        self.op = op
        self.operands = operands
        self.attributes = attributes
        self.results = results
        self.name = name
        self.place = place


class Recording:
    """A traced job as its ops, for those who write it in another format."""

    def __init__(self, trace, results, names):
        self.arguments = trace.arguments
        self.ops = trace.records
        self.results = results
        self.names = names
        self.observers = trace.observers


class Variable:
    """A variable of the module, as defined by the first job that uses it."""

    def __init__(
        self, name, shape, dtype, initializer, trainable, job, place, seed=None
    ):
        self.name = name
        self.shape = shape
        self.dtype = dtype
        self.initializer = initializer
        # None for the seed of the session.
        self.seed = seed
        self.trainable = trainable
        self.job = job
        self.frames = place
        # Whether a training job has set `trainable`, which is that of any of them.
        self.settled = job.kind == "train"


def step_counter(job):
    """The variable that counts the steps of a job of this name."""
    return f"System-Train-TrainStep-{job}"


# Where calls of host functions are.
_HOST = scopes.PlacementScope("cpu", "0:0")
# Ops that do not ask for the default device: the step is where the variable with the
# number of steps is, unless the user says otherwise, and a gradient is where the op is
# that it is of.
_WITHOUT_A_DEVICE = {"job.step", "job.gradient"}


class JobPlacement:
    """Where the ops of one job are."""

    def __init__(self):
        # The Device of the job's default_placement_scope.
        self.default = None
        # Those of placements in the body.
        self.devices = []
        # That of the first op in a placement; in a training job, of the optimizer.
        self.home = None
        # The user's frames of the first op that is in none.
        self.unplaced = None


class ModuleTrace:
    """The module of one session. Each job is traced into it once."""

    def __init__(self, compiler, seed, devices, summaries):
        self.compiler = compiler
        # The writer of the session.
        self.summaries = summaries
        self.module = compiler.Module()
        self.seed = seed
        self.devices = devices
        # The JobPlacement of each job that has ops, by name.
        self._placements = {}
        self.variables = {}
        # The results of trace_job, by the job's name.
        self.traced = {}
        # What job.host_call calls, by the names of these functions.
        self.host_functions = {}
        # The job of each location, for the compiler's diagnostics.
        self.jobs_of_places = {}
        # The variables that training jobs read and do not train, by the job's name,
        # and the pairs of both that the module has been told.
        self._untrained = {}
        self._frozen = set()
        self._open_jobs = []

    def add(self, job):
        """Registers a JobTrace, which `transaction` closes."""
        self._open_jobs.append(job)
        self.jobs_of_places[tuple(job.frames)] = job.name

    @contextlib.contextmanager
    def transaction(self):
        """For tracing one job: the module is left as it was when that raises."""
        variables = {name: copy.copy(each) for name, each in self.variables.items()}
        jobs_of_places = dict(self.jobs_of_places)
        placements = dict(self._placements)
        untrained, frozen = dict(self._untrained), set(self._frozen)
        try:
            yield
        except BaseException:
            self.variables = variables
            self._untrained, self._frozen = untrained, frozen
            self._placements = placements
            self.jobs_of_places = jobs_of_places
            for job in self._open_jobs:
                if job.function is not None:
                    job.function.erase()
            raise
        finally:
            # Functions refer to the module, and blobs that the user has kept to
            # their job.
            for job in self._open_jobs:
                job.function = None
            self._open_jobs.clear()

    def release(self):
        """Frees the module, even if the user has kept blobs."""
        self.module = None

    def placement_of(self, job):
        """The JobPlacement of a JobTrace."""
        return self._placements.setdefault(job.name, JobPlacement())

    def device_of(self, scope, fail):
        """The Device of what is in `scope`, or in none."""
        if scope is not None:
            return self.devices.resolve(scope, fail)
        return self.devices.default(fail)

    def place(self):
        """Writes the placements of all jobs into the module, and returns all Devices.
        Ops in no placement are on the default device, which jobs without such ops do
        not ask for. A job without any op is where the first other one is."""
        homes = {name: self._home(name) for name in self.traced}
        others = next(filter(None, homes.values()), None)
        used = []
        for name, device in homes.items():
            device = device or others or self.devices.default(self._failing(name))
            self.module.place(name, device.tag, device.index)
            used.append(device)
            if name in self._placements:
                used += self._placements[name].devices
        return used

    def _home(self, name):
        """The Device of a job; None if no op says it."""
        of_job = self._placements.get(name, JobPlacement())
        if of_job.default is None and of_job.unplaced is not None:
            return self.devices.default(self._failing(name, of_job.unplaced))
        return of_job.default or of_job.home

    def _failing(self, job, place=None):
        """What raises errors about a job, at an op's frames."""

        def fail(message, cls):
            raise cls(errors.located(message, place or frames.user_frames(), job))

        return fail

    def note_untrained(self, job, names):
        """Notes the variables that a training job reads and does not train."""
        self._untrained[job] = names

    def _freeze(self):
        """Keeps gradients away from variables where only other jobs train them."""
        for job, names in self._untrained.items():
            for name in names:
                if self.variables[name].trainable and (job, name) not in self._frozen:
                    self.module.freeze(job, name)
                    self._frozen.add((job, name))

    def emit_variables(self):
        """Writes the variables into the module, in place of those that it had
        before more jobs were traced."""
        self.module.erase_variables()
        self._freeze()
        for variable in self.variables.values():
            if variable.name in self.traced:
                raise errors.JobBuildAndInferError(
                    errors.located(
                        "expects another name of a variable than that of a job but got "
                        f"{variable.name} of both",
                        variable.frames,
                        variable.job.name,
                        variable.name,
                    )
                )
            attributes = [
                ("sym_name", variable.name),
                (
                    "type",
                    self.compiler.AttributeText(
                        text.blob(variable.shape, variable.dtype.mlir)
                    ),
                ),
                ("initializer", self.compiler.AttributeText(variable.initializer)),
                ("trainable", variable.trainable),
            ]
            if variable.seed is not None:
                attributes.append(("seed", variable.seed))
            try:
                self.module.create(
                    "job.variable", attributes, variable.name, variable.frames
                )
            except self.compiler.DiagnosticError as error:
                raise from_diagnostics(
                    error, errors.JobBuildAndInferError, variable.job.name
                ) from None


class JobTrace:
    """One job function while its body runs."""

    def __init__(self, module_trace, name, kind, config, arguments, place):
        self.module_trace = module_trace
        self.compiler = module_trace.compiler
        self.name = name
        self.kind = kind
        self.config = config
        self.variables = {}
        # Whether this job trains each of its variables, by name.
        self.trainable = {}
        # The model_name of those that have one.
        self.model_names = {}
        # Whether a layer shares the variables of an earlier one.
        self.reusing = False
        # The last blob of each op's name.
        self._named = {}
        # (regularizer, blob, user's frames) of the variables that have one, by name.
        self.regularizers = {}
        # Modules of find_or_create_module, by name.
        self.modules = {}
        self.losses = []
        # One for each optimizer of a training job.
        self.minimizes = []
        # What sees blobs at every step; see observers.
        self.observers = []
        # The blobs whose gradients watch_diff shows.
        self.watched_gradients = set()
        self.records = []
        # That of the job, of which this may be the entry for smaller arrays.
        self.job_name = name
        # The number of micro-steps; None while there are none.
        self.micro_steps = None
        self._broadcasts = {}
        # The definitions of results of _SPREADS.
        self._makers = {}
        self.frames = place
        self.function = None
        module_trace.add(self)
        self._op_names = {}
        # The kind of each layer, by its name.
        self._layer_names = {}
        self._counters = {}
        specs = [
            (argument, (list(leaf.shape), leaf.dtype.mlir))
            for argument, leaf in arguments
        ]
        try:
            self.function = module_trace.module.function(name, kind, specs, place)
        except self.compiler.DiagnosticError as error:
            raise from_diagnostics(error, errors.JobBuildAndInferError, name) from None
        self.arguments = [
            Blob(self, value, argument, is_tensor_list=leaf.depth == 2)
            for (argument, leaf), value in zip(arguments, self.function.arguments)
        ]
        self._named.update((blob.op_name, blob) for blob in self.arguments)
        # The inputs that the host computes: (shape, dtype, value), by node, and
        # the nodes of arguments that it computes them from, by index.
        self.sources = {}
        self._source_names = {blob.op_name for blob in self.arguments}
        self.argument_nodes = {}

        for blob, (_, leaf) in zip(self.arguments, arguments):
            blob._batch_axis = leaf.batch_axis

    def _number(self, prefix, taken):
        """`prefix` with the namespaces, with the first number appended that makes
        it unique. Each prefix has its own counter, so that an additional op in
        one job does not change the names of ops with another prefix."""
        count = self._counters.get(prefix, 0)
        while True:
            name = prefix if count == 0 else f"{prefix}_{count}"
            count += 1
            if name not in taken:
                self._counters[prefix] = count
                return name

    def _check_name(self, name, what, place):
        if not isinstance(name, str):
            problem = "a str"
        elif not text.is_unicode(name):
            problem = "text that UTF-8 can encode"
        else:
            return
        raise errors.JobBuildAndInferError(
            errors.located(
                f"expects the name of {what} to be {problem} but got {name!r}",
                place,
                self.name,
            )
        )

    def layer_name(self, name, prefix):
        """The name of a layer, without namespaces; generated from its kind, `prefix`,
        if not given."""
        if name is not None:
            self._check_name(name, "a layer", frames.user_frames())
        namespaces = scopes.qualify("")
        if name is None:
            name = self._number(namespaces + prefix, self._layer_names)
        else:
            name = namespaces + name
            known = self._layer_names.get(name, prefix)
            # A module may have the name of a layer in it.
            if known != prefix and "Module" not in (known, prefix):
                self.fail(
                    f"expects a name for each kind of layer but got {name!r} for a "
                    f"{prefix} layer and, before, for a {known} layer"
                )
        self._layer_names[name] = prefix
        return name[len(namespaces) :]

    def has_layer(self, name):
        """Whether a layer of this name, without namespaces, was made before."""
        return scopes.qualify(str(name)) in self._layer_names

    def trains(self, name):
        """Whether this job trains a variable."""
        return self.kind == "train" and self.trainable.get(name, False)

    def find_blob(self, name):
        """The blob of a logical_blob_name or an op's name, or None."""
        if name not in self._named and "/" in name:
            name = name.rpartition("/")[0]
        return self._named.get(name)

    def op_name(self, name, prefix, place):
        """The full name of an op; generated if not given."""
        if name is None:
            full = self._number(scopes.qualify(prefix), self._op_names)
        else:
            self._check_name(name, "an op", place)
            full = scopes.qualify(name)
            if full in self._op_names and self.reusing:
                full = self._number(full, self._op_names)
            elif full in self._op_names:
                before = self._op_names[full]
                where = f"{before[0][0]}:{before[0][1]}" if before else "this job"
                raise errors.OpNameExistError(
                    errors.located(
                        "expects a name that is new in its job but got one of an "
                        f"op made at {where}",
                        place,
                        self.name,
                        full,
                    )
                )
        self._op_names[full] = place
        return full

    def fail(self, message, cls=errors.JobBuildAndInferError, op=None):
        """Raises `cls` with the user's line and this job's name."""
        raise cls(errors.located(message, frames.user_frames(), self.name, op))

    def random_id(self, op_name):
        """The id that makes an op's random numbers independent of those of other
        ops; it depends neither on the run nor on preceding random ops."""
        return zlib.crc32(f"{self.name}/{op_name}".encode())

    def _check_ints(self, attributes, result, name, place):
        """The dialect's ints have 64 bits, Python's are unbounded."""
        problem = None
        for what, value in attributes.items():
            for item in value if isinstance(value, (list, tuple)) else (value,):
                if arguments.is_int(item) and not arguments.fits_int64(item):
                    problem = (
                        f"expects {what} in [-2^63, 2^63) but got "
                        f"{arguments.show(item)}"
                    )
        if isinstance(result, tuple) and not all(map(arguments.fits_int64, result[0])):
            problem = arguments.too_many_elements(result[0])
        if problem:
            raise errors.JobBuildAndInferError(
                errors.located(problem, place, self.name, name)
            )

    def emit(self, op, operands, attributes, result, name, place):
        """Appends an op to the job. Returns its result, None if it has none, or a
        tuple if it has several."""
        self._check_ints(attributes, result, name, place)
        if op in _ENTRIES:
            micro_steps = attributes["count"]
        elif op in _EXITS or op in _OF_STEP:
            micro_steps = 1
        else:
            micro_steps, operands = self._join_micro_steps(operands, place)
        types = result
        if isinstance(result, tuple):
            types = [(list(result[0]), result[1])]

        def create(values, encoded):
            return self.function.create(op, values, encoded, types, name, place)

        blobs = self._append(create, op, operands, attributes, micro_steps, name, place)
        if op in _SPREADS:
            self._makers[blobs[0]] = (op, operands, self._placed(op, attributes), result)
        return blobs if len(blobs) > 1 else blobs[0] if blobs else None

    def emit_kernel(self, kernel, gradient, operands, name, place):
        """Appends the ops of a user's kernel, and of its gradient if it is not None,
        both as MLIR text. Returns the results as a list."""
        micro_steps, operands = self._join_micro_steps(operands, place)

        def create(values, encoded):
            return self.function.import_kernel(
                kernel, gradient, values, encoded, name, place
            )

        return list(
            self._append(
                create, "job.user_kernel", operands, {}, micro_steps, name, place
            )
        )

    def _join_micro_steps(self, operands, place):
        """The number of micro-steps of a result, and the operands, per-step ones
        broadcast if another one is per-micro-step."""
        micro_steps = max((blob._micro_steps for blob in operands), default=0)
        if micro_steps > 1:
            operands = [
                self._broadcast(blob, micro_steps, place)
                if blob._micro_steps == 1
                else blob
                for blob in operands
            ]
        return micro_steps, operands

    def _append(self, create, op, operands, given, micro_steps, name, place):
        """The blobs of what `create` builds of values and encoded attributes."""
        self.module_trace.jobs_of_places[tuple(place)] = self.name
        attributes = self._placed(op, given)
        encoded = [(key, self._encode(value)) for key, value in attributes.items()]
        try:
            values = create([blob._value for blob in operands], encoded)
        except self.compiler.DiagnosticError as error:
            raise from_diagnostics(
                error, errors.JobBuildAndInferError, self.name
            ) from None
        blobs = tuple(Blob(self, value, name, micro_steps) for value in values)
        self._note_unplaced(op, attributes, blobs, place)
        for blob in blobs:
            blob._operands = operands
            if op == "job.cast":
                blob._cast_at = place
            blob._scope = self._scope_of(op)
            blob._batch_axis = infer_batch_axis(op, attributes, operands, blob.shape)
        if blobs and name:
            self._named[name] = blobs[0]
        self.records.append(Record(op, operands, given, blobs, name, place))
        return blobs

    def _scope_of(self, op):
        """The PlacementScope of an op, or None."""
        return _HOST if op == "job.host_call" else scopes.current_placement()

    def _note_unplaced(self, op, attributes, blobs, place):
        """Notes where the first op is that asks for the default device. Ops without
        results, such as job.loss and job.assign, are where others are."""
        if blobs and op not in _WITHOUT_A_DEVICE and "job.placement" not in attributes:
            of_job = self.module_trace.placement_of(self)
            of_job.unplaced = of_job.unplaced or place

    def _placed(self, op, attributes):
        """The attributes of an op, with its placement if it is in one."""
        devices, of_job = self.module_trace.devices, self.module_trace.placement_of(self)
        default = self.config.get("default_placement_scope")
        if default:
            of_job.default = devices.resolve(default, self.fail)
        scope = self._scope_of(op)
        if scope is None or scope is default:
            return attributes
        device = devices.resolve(scope, self.fail)
        if device not in of_job.devices:
            of_job.devices.append(device)
        if of_job.home is None or op == "job.minimize":
            of_job.home = device
        return {**attributes, "job.placement": self.text(device.attribute)}

    def _broadcast(self, blob, count, place):
        """A per-step blob broadcast to the micro-steps; emitted once per blob."""
        if blob not in self._broadcasts:
            if blob in self._makers:
                op, (operand,), attributes, result = self._makers[blob]
                operand = self._broadcast(operand, count, place)
            else:
                op, operand, result = "job.broadcast_micro_steps", blob, None
                attributes = {"count": count}
            self._broadcasts[blob] = self.emit(
                op, [operand], attributes, result, blob.op_name, place
            )
        return self._broadcasts[blob]

    def add_source(self, node, name, shape, dtype, place):
        """The value of an input that the host computes, after the arguments."""
        if node not in self.sources:
            self.module_trace.jobs_of_places[tuple(place)] = self.name
            while name in self._source_names:
                name += "_input"
            self._source_names.add(name)
            spec = (list(shape), dtype.mlir)
            try:
                value = self.function.add_argument(name, spec, place)
            except self.compiler.DiagnosticError as error:
                raise from_diagnostics(
                    error, errors.JobBuildAndInferError, self.name
                ) from None
            self.sources[node] = (shape, dtype, value)
        return self.sources[node][-1]

    def text(self, mlir):
        """An attribute in MLIR's syntax."""
        return MlirText(mlir)

    def _encode(self, value):
        if isinstance(value, MlirText):
            return self.compiler.AttributeText(str(value))
        return value

    def finish(self, results, names, structure):
        """Ends the function."""
        for blob in results:
            if blob._micro_steps > 1:
                joins = "which pack joins and acc adds"
                if blob.is_dynamic:
                    joins += " after pad_to_static"
                raise errors.JobBuildAndInferError(
                    errors.located(
                        "expects a per-step blob to return but got a "
                        f"per-micro-step blob ({blob._micro_steps} micro-steps), "
                        f"{joins}",
                        self.frames,
                        self.name,
                        blob.op_name,
                    )
                )
        attributes = self.config.attributes(self)
        if self.job_name != self.name:
            counter = text.symbol(step_counter(self.job_name))
            attributes["step_counter"] = MlirText(counter)
        try:
            self.function.finish(
                [blob._value for blob in results],
                names,
                structure,
                [
                    (key, self._encode(value))
                    for key, value in attributes.items()
                ],
                observers.describe(self.observers),
                self.frames,
            )
        except self.compiler.DiagnosticError as error:
            raise from_diagnostics(
                error, errors.JobBuildAndInferError, self.name
            ) from None
        self._named.clear()
        if self.kind == "train":
            self.module_trace.note_untrained(
                self.name, [name for name in self.variables if not self.trains(name)]
            )


class OpScope:
    """One call of the API, which emits any number of ops with one name and location."""

    __slots__ = ("trace", "api", "name", "frames")

    def __init__(self, trace, api, name, place):
        self.trace = trace
        self.api = api
        self.name = name
        self.frames = place

    def __call__(self, op, *operands, result=None, **attributes):
        """Emits job.<op>. `result` is (shape, dialect dtype), or a list of one for
        each result, if it cannot be inferred."""
        return self.trace.emit(
            "job." + op, operands, attributes, result, self.name, self.frames
        )

    def text(self, mlir):
        return self.trace.text(mlir)

    def fail(self, message, cls=errors.JobBuildAndInferError):
        raise cls(errors.located(message, self.frames, self.trace.name, self.name))

    def blob(self, value, what, dynamic=False):
        """`value` if it is a blob of this job, else an error naming `what`. Unless
        `dynamic`, its shape must be static."""
        if not isinstance(value, Blob):
            got = type(value).__name__
            if isinstance(value, BlobDef):
                got = value.not_a_blob()
            self.fail(
                f"expects {what} to be a blob but got {got}", errors.BlobValueError
            )
        if value._trace is not self.trace:
            self.fail(
                f"expects {what} to be a blob of job {self.trace.name} but got "
                f"{value.op_name} of job {value._trace.name}"
            )
        if value.is_dynamic and not dynamic:
            self.fail(
                f"expects {what} to have a static shape but got a blob of at most "
                f"{value.shape}, of which pad_to_static makes one"
            )
        return value

    def float_blob(self, value, what):
        """`blob`, if its elements are floats: the error names the function that was
        called, and not an op that it is composed of."""
        value = self.blob(value, what)
        if not value.dtype.is_float():
            self.fail(
                f"expects {what} to be a blob of floats but got "
                f"{value.dtype.canonical}"
            )
        return value


def begin(api, name, prefix):
    """Starts the call of an op: `api` is the function that the user called, `name` the
    user's name for the op, or None for a name derived from `prefix`."""
    trace = current(api)
    place = frames.user_frames()
    return OpScope(trace, api, trace.op_name(name, prefix, place), place)
