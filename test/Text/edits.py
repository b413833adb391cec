"""Random edits of a module's text, as a person could make them by mistake."""

import random
import re

TOKEN = re.compile(
    r'"(?:[^"\\]|\\.)*"'                      # strings
    r"|[%@#!^][\w.$-]+(?:[#:]\d+)?"           # values, symbols, aliases, types
    r"|0x[0-9A-Fa-f]+"
    r"|-?\d+\.\d+(?:[eE][+-]?\d+)?"
    r"|\d+(?=x(?:\d|f\d|i\d))"                # extents of a shape
    r"|x(?=\d|f\d|i\d)"
    r"|-?\d+"
    r"|[A-Za-z_][\w.]*"
    r"|\S|\s+")
ELEMENTS = ("f32", "f64", "i1", "i8", "i32", "i64")
# Operations on scalars that a person may write in place of another, by form.
SCALAR_OPS = (
    ("arith.addi", "arith.subi", "arith.muli", "arith.divsi", "arith.divui",
     "arith.remsi", "arith.remui", "arith.ceildivsi", "arith.ceildivui",
     "arith.floordivsi", "arith.andi", "arith.ori", "arith.xori", "arith.shli",
     "arith.shrsi", "arith.shrui", "arith.maxsi", "arith.maxui", "arith.minsi",
     "arith.minui", "math.ipowi"),
    ("arith.addf", "arith.subf", "arith.mulf", "arith.divf", "arith.remf",
     "arith.maximumf", "arith.minimumf", "arith.maxnumf", "arith.minnumf",
     "math.atan2", "math.copysign", "math.powf"),
    ("arith.negf", "math.absf", "math.acos", "math.atan", "math.cbrt",
     "math.ceil", "math.cos", "math.erf", "math.exp", "math.exp2", "math.expm1",
     "math.floor", "math.log", "math.log1p", "math.round", "math.roundeven",
     "math.rsqrt", "math.sin", "math.sqrt", "math.tanh", "math.trunc"),
    ("math.absi", "math.ctlz", "math.ctpop", "math.cttz"),
    ("arith.extsi", "arith.extui", "arith.trunci", "arith.sitofp",
     "arith.uitofp", "arith.fptosi", "arith.fptoui", "arith.extf",
     "arith.truncf", "arith.bitcast"),
)
EFFECTS = ("ins", "inouts", "outs")
COLLECTIVES = (("all_reduce", "reduce_scatter", "all_gather", "broadcast",
                "send", "recv"), ("sum", "prod", "min", "max", "avg"))
SYNCHRONIZATION = ("plan.record", "plan.wait")
COMMANDS = ("plan.dispatch", "plan.call", "plan.host_call", "plan.copy",
            "plan.fill", "plan.collective", *SYNCHRONIZATION)
# What plan-verify-memory and plan-verify answer for: edits of them change no
# result.
SIZES = ("offset", "arena", "variables", "constants", "inputs", "outputs",
         "workspace")


class NoPlace(Exception):
    """A text has no place for an edit."""


def tokens_of(line):
    return TOKEN.findall(line)


def is_integer(token):
    return re.fullmatch(r"-?\d+", token) is not None


def is_float(token):
    return re.fullmatch(r"-?\d+\.\d+(?:[eE][+-]?\d+)?", token) is not None


def has_any(line, names):
    return any(name in tokens_of(line) for name in names)


class Edit:
    """One edit of a list of lines. `touched` says what it changed, if
    that is something whose edits may change no result."""

    def __init__(self, kind, seed):
        self.kind, self.seed = kind, seed
        self.touched = None
        self.has_place = True

    def apply(self, lines):
        """The edited lines."""
        self.rng = random.Random(f"edit {self.seed}")
        self.touched = None
        lines = list(lines)
        getattr(self, self.kind)(lines)
        return lines

    def find(self, lines, matches):
        """The number of a random line, its tokens, and a random one of these
        for which `matches(tokens, index)`."""
        # Half of the edits are of ops of the project's, which a text with
        # kernels has few of.
        ours, all_places = [], []
        for number, line in enumerate(lines):
            tokens = tokens_of(line)
            places = [(number, tokens, index)
                      for index in range(len(tokens))
                      if matches(tokens, index)]
            all_places += places
            if "plan." in line or "job." in line:
                ours += places
        if not all_places:
            raise NoPlace
        return self.rng.choice(ours if ours and self.rng.random() < 0.5
                               else all_places)

    def replace(self, lines, matches, choose):
        number, tokens, index = self.find(lines, matches)
        old = tokens[index]
        tokens[index] = choose(tokens, index)
        if tokens[index] == old:
            raise NoPlace
        lines[number] = "".join(tokens)
        return number, tokens, index

    # The kinds.

    def number(self, lines):
        integers = {token for line in lines for token in tokens_of(line)
                    if is_integer(token)}

        def choose(tokens, index):
            value = int(tokens[index])
            near = [value + 1, value - 1, value * 2, value // 2, 0, 1, -value,
                    int(self.rng.choice(sorted(integers)))]
            if tokens[index + 1:index + 2] == ["x"]:
                # Blobs of a reasonable size.
                return str(self.rng.choice(near))
            return str(self.rng.choice(
                [*near, value + 64, value - 64, 2 ** 31, 2 ** 63 - 1,
                 -2 ** 63]))

        number, tokens, index = self.replace(
            lines, lambda tokens, index: is_integer(tokens[index]), choose)
        before = [token for token in tokens[:index] if token.strip()]
        if before[-1:] == ["="] and before[-2] in SIZES:
            self.touched = before[-2]
        elif before[-1:] == ["above"]:
            self.touched = "above"
        elif before[-2:] == ["chunks", "("]:
            self.touched = "chunks"
        elif before[-2:] == ["queue", "("]:
            self.touched = "queue"
        elif "plan.workspace" in tokens:
            self.touched = "workspace"

    def fraction(self, lines):
        def choose(tokens, index):
            value = float(tokens[index])
            return self.rng.choice(
                ["0.0", "1.0", "-1.0", "1.0e30", "1.0e-30"]
                + [repr(float(number)) for number in
                   (-value, 2 * value, value / 2) if "." in repr(number)])

        self.replace(lines,
                     lambda tokens, index: is_float(tokens[index]), choose)

    def _of_prefix(self, lines, prefix):
        names = sorted({token for line in lines for token in tokens_of(line)
                        if token.startswith(prefix)})
        number, tokens, _ = self.replace(
            lines, lambda tokens, index: tokens[index].startswith(prefix),
            lambda tokens, index: self.rng.choice(names))
        if "plan.wait" in tokens:
            self.touched = "events"

    def operand(self, lines):
        self._of_prefix(lines, "%")

    def symbol(self, lines):
        self._of_prefix(lines, "@")

    def alias(self, lines):
        """Another attribute that has a name: a placement, a space."""
        self._of_prefix(lines, "#")

    def collective(self, lines):
        """Another kind of a collective, or another reduction."""
        words = next((words for words in COLLECTIVES
                      if self.rng.random() < 0.5), COLLECTIVES[0])
        self.replace(lines, lambda tokens, index: tokens[index] in words
                     and "plan.collective" in tokens,
                     lambda tokens, index: self.rng.choice(words))

    def element(self, lines):
        self.replace(lines,
                     lambda tokens, index: tokens[index] in ELEMENTS,
                     lambda tokens, index: self.rng.choice(ELEMENTS))

    def op(self, lines):
        """Another op in place of one."""
        def is_op(tokens, index):
            before = "".join(tokens[:index]).strip()
            return re.fullmatch(r"[a-z]+\.\w+", tokens[index]) is not None \
                and (not before or before.endswith("="))

        names = sorted({tokens[index] for line in lines
                        for tokens in [tokens_of(line)]
                        for index in range(len(tokens))
                        if is_op(tokens, index)})
        def choose(tokens, index):
            old = tokens[index]
            forms = [form for form in SCALAR_OPS if old in form]
            if forms and self.rng.random() < 0.5:
                return self.rng.choice(forms[0])
            return self.rng.choice(
                [name for name in names
                 if name.split(".")[0] == old.split(".")[0]])

        self.replace(lines, is_op, choose)

    def effect(self, lines):
        """ins, inouts and outs of a command."""
        self.replace(lines,
                     lambda tokens, index: tokens[index] in EFFECTS
                     and tokens[index + 1:index + 2] == ["("]
                     and any(token.startswith("plan.") for token in tokens),
                     lambda tokens, index: self.rng.choice(EFFECTS))
        self.touched = "effects"

    def epilogue(self, lines):
        """A dispatch begins or ceases to be an epilogue."""
        places = [number for number, line in enumerate(lines)
                  if "plan.dispatch @" in line]
        if not places:
            raise NoPlace
        number = self.rng.choice(places)
        line = lines[number]
        lines[number] = (
            line.replace(" epilogue ", " ", 1) if " epilogue " in line
            else re.sub(r"(plan\.dispatch @[\w$.]+) ", r"\1 epilogue ", line))
        self.touched = "epilogue"

    def attribute(self, lines):
        """An attribute goes, or takes the value of another one."""
        pattern = re.compile(r"([\w.]+) = ((?:[^,{}<>\[\]()]|<[^<>]*>|"
                             r"\[[^\[\]]*\])+)(?=[,}>])(, )?")
        places = [(number, match) for number, line in enumerate(lines)
                  for match in pattern.finditer(line)]
        if not places:
            raise NoPlace
        number, match = self.rng.choice(places)
        line = lines[number]
        if self.rng.random() < 0.5:
            new = ""
        else:
            _, other = self.rng.choice(places)
            new = f"{match[1]} = {other[2]}{match[3] or ''}"
        line = line[:match.start()] + new + line[match.end():]
        if line == lines[number]:
            raise NoPlace
        if match[1] == "iterator_types" and new:
            # MLIR's parser of linalg.generic crashes on what is no string.
            raise NoPlace
        lines[number] = line.replace("{}", "").replace(", }", "}")
        if match[1] in SIZES:
            self.touched = match[1]

    def _blocks(self, lines):
        """Runs of lines that stand in one block, without what opens or
        closes one: movable statements of one line."""
        run, runs = [], []
        for number, line in enumerate(lines):
            text = line.strip()
            if text and text[0] not in "}^/#" and text[-1:] not in "{(" \
                    and not text.startswith(("job.return", "job.yield",
                                             "plan.return", "linalg.yield",
                                             "return", "scf.yield")):
                run.append(number)
            else:
                runs.append(run)
                run = []
        return [run for run in [*runs, run] if len(run) > 1]

    def order(self, lines):
        blocks = self._blocks(lines)
        if not blocks:
            raise NoPlace
        # Long blocks have more statements.
        block = self.rng.choices(blocks, [len(block) for block in blocks])[0]
        source, target = self.rng.sample(block, 2)
        if self.rng.random() < 0.5:
            target = min(source + 1, block[-1])
        if source == target:
            raise NoPlace
        line = lines.pop(source)
        lines.insert(target, line)
        if has_any(line, SYNCHRONIZATION):
            self.touched = "events"
        elif "plan." in line:
            self.touched = "order"

    def deletion(self, lines):
        places = [number for number, line in enumerate(lines)
                  if line.strip() and line.strip() != "}"]
        if not places:
            raise NoPlace
        number = self.rng.choice(places)
        end = number + 1
        # What opens a block goes with it.
        if lines[number].rstrip().endswith("{"):
            indent = len(lines[number]) - len(lines[number].lstrip())
            while end < len(lines) and not (
                    lines[end].strip().startswith("}")
                    and len(lines[end]) - len(lines[end].lstrip()) == indent):
                end += 1
            end += 1
        if has_any(lines[number], SYNCHRONIZATION):
            self.touched = "events"
        del lines[number:end]

    def duplicate(self, lines):
        blocks = self._blocks(lines)
        if not blocks:
            raise NoPlace
        block = self.rng.choices(blocks, [len(block) for block in blocks])[0]
        source, target = self.rng.choice(block), self.rng.choice(block)
        line = re.sub(r"^(\s*)%[\w$.]+((?::\d+)? =)", r"\1%copy\2",
                      lines[source])
        if has_any(line, SYNCHRONIZATION):
            self.touched = "events"
        lines.insert(target, line)

    def queue(self, lines):
        """A command goes to another queue."""
        places = [number for number, line in enumerate(lines)
                  if has_any(line, COMMANDS)]
        if not places:
            raise NoPlace
        number = self.rng.choice(places)
        line = re.sub(r" queue\(-?\d+\)", "", lines[number])
        queue = self.rng.choice([0, 1, 1, 1, 2])
        if queue:
            # Before the first of the clauses that may follow, or at the end.
            clause = re.search(r" (?:chunks\(|ins\(|inouts\(|outs\(|: )|$", line)
            line = f"{line[:clause.start()]} queue({queue})" \
                   f"{line[clause.start():]}"
        if line == lines[number]:
            raise NoPlace
        lines[number] = line
        self.touched = "queue"

    def event(self, lines):
        """A record or a wait goes, stands twice, or moves."""
        places = [number for number, line in enumerate(lines)
                  if has_any(line, SYNCHRONIZATION)]
        if not places:
            raise NoPlace
        number = self.rng.choice(places)
        change = self.rng.choice(["remove", "repeat", "move", "move"])
        line = lines[number]
        if change == "repeat":
            line = re.sub(r"%[\w$.]+ =", "%copy =", line)
        else:
            del lines[number]
        if change != "remove":
            near = [other for other, text in enumerate(lines)
                    if has_any(text, COMMANDS) and abs(other - number) < 12]
            if not near:
                raise NoPlace
            lines.insert(self.rng.choice(near), line)
        self.touched = "events"


KINDS = {"number": 8, "fraction": 1, "operand": 4, "symbol": 1, "element": 1,
         "op": 2, "effect": 1, "attribute": 2, "order": 3, "deletion": 2,
         "duplicate": 1, "queue": 1, "event": 1, "epilogue": 1}
# Of texts with several queues.
QUEUE_KINDS = {**KINDS, "queue": 12, "event": 12}
# Of texts with several devices, or with collectives.
DEVICE_KINDS = {**KINDS, "alias": 10, "queue": 5, "event": 3, "collective": 5}


def draw(seed, weights=None):
    """The edits of a seed: mostly one."""
    rng = random.Random(f"edits {seed}")
    count = rng.choice([1, 1, 1, 2, 3])
    weights = weights or KINDS
    kinds = rng.choices(list(weights), list(weights.values()), k=count)
    return [Edit(kind, f"{seed}/{number}")
            for number, kind in enumerate(kinds)]


def apply(edits, lines):
    """The text after those of the edits that have a place."""
    for edit in edits:
        try:
            lines = edit.apply(lines)
            edit.has_place = True
        except NoPlace:
            edit.has_place = False
    return lines
