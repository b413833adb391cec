"""What a plan computes, as symbols: the same for two texts of which one has the
commands of the other in another order that keeps what each of them reads."""

import re

BUFFER = re.compile(r"%[\w$.]+")
# Buffers that have contents before the first command.
GIVEN = ("plan.input", "plan.get_variable", "plan.get_constant")
EMPTY = ("plan.output", "plan.alloc", "plan.workspace")
ORDERING = ("plan.record", "plan.wait", "plan.return")
PROGRAM = re.compile(r"plan\.program @\"?([^\" ]+)")
DEFINITION = re.compile(r"(%[\w$.]+) = (plan\.\w+)(.*)")
OPERANDS = re.compile(r"\b(ins|inouts|outs|workspace)\(([^:()]*):[^()]*\)")


class Unknown(Exception):
    """A text with views of buffers or loops."""


def _operands(line):
    """What a command reads and what it writes."""
    groups = {}
    for kind, names in OPERANDS.findall(line):
        groups.setdefault(kind, []).extend(BUFFER.findall(names))
    if "plan.copy" in line:
        source, target = BUFFER.findall(line)
        return [source], [target]
    if "plan.fill" in line:
        return [], BUFFER.findall(line)
    inouts = groups.get("inouts", [])
    return groups.get("ins", []) + inouts, inouts + groups.get("outs", [])


def results(text):
    """Symbols of the contents of outputs and variables at the end of each
    program, and the variables in order, which is that of checkpoints; None for
    a text with views or loops."""
    try:
        return _results(text)
    except Unknown:
        return None


def _results(text):
    values, kept, found, program = {}, {}, {"": []}, None
    for line in text.splitlines():
        line = line.strip()
        if line.startswith("plan.variable"):
            found[""].append(line)
        name = PROGRAM.match(line)
        if name:
            program, values, kept = name[1], {}, {}
            continue
        if program is None or not line:
            continue
        op = re.search(r"plan\.\w+", line)
        definition = DEFINITION.match(line)
        if line.startswith("plan.return"):
            found[program] = {key: values[buffer]
                              for key, buffer in kept.items()}
            program = None
        elif op and op[0] in ORDERING:
            continue
        elif definition and definition[2] in GIVEN + EMPTY:
            buffer, kind, rest = definition.groups()
            rest = re.sub(r" \{offset = \d+ : i64\}", "", rest)
            values[buffer] = kind + rest if kind in GIVEN else "nothing"
            if kind in ("plan.output", "plan.get_variable"):
                kept[kind + rest] = buffer
        elif op and op[0] in ("plan.dispatch", "plan.call", "plan.copy",
                              "plan.fill"):
            reads, writes = _operands(line)
            words = BUFFER.sub("", re.sub(r" queue\(\d+\)", "", line))
            symbol = hash((words, *(values[buffer] for buffer in reads)))
            for index, buffer in enumerate(writes):
                values[buffer] = hash((symbol, index))
        else:
            raise Unknown
    return found
