"""IR for the pages of ops: what docs/generated says about each op, modules that have
it, and what the passes make of them."""

import bisect
import collections
import functools
import os
import re
import shutil
import subprocess
import typing

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_OP = re.compile(r"^\s*(?:%[^=]*= )?(job\.\w+)", re.MULTILINE)


def read(*path):
    with open(os.path.join(ROOT, *path)) as file:
        return file.read()


# ===- What docs/generated says ---------------------------------------------===#


class Entry(typing.NamedTuple):
    """An op as the generated pages describe it, with what its operands and results
    are."""

    summary: str
    text: str
    operands: list
    results: list
    kernels: tuple
    precision: str


def entries():
    """The ops of the dialect."""
    text = read("docs", "generated", "JobOps.md")
    text = text.partition("## Operations\n")[2].partition("\n## Attributes\n")[0]
    kernels = {
        op: (cpu, cpu if gpu == "the same" else gpu)
        for op, cpu, gpu in re.findall(
            r"^\| `(job\.\w+)` \| (.*?) \| (.*?) \|$",
            read("docs", "generated", "JobKernels.md"),
            re.MULTILINE,
        )
    }
    lists, current = {}, ""
    for line in read("docs", "generated", "JobPrecision.md").splitlines():
        if line.startswith("## "):
            current = line[3:]
        elif line.startswith("- `"):
            lists[line[3:-1]] = current
    found = {}
    for section in re.split(r"^### ", text, flags=re.MULTILINE)[1:]:
        title, _, body = section.partition("\n")
        op = re.match(r"`(job\.\w+)`", title)[1]
        summary, _, body = body.strip().partition("\n")
        found[op] = Entry(
            summary.strip("_"),
            body.strip(),
            _rows(body, "Operands"),
            _rows(body, "Results"),
            kernels[op],
            lists[op],
        )
    return found


def _rows(body, title):
    """What the table of operands or of results says of each."""
    table = re.search(rf"#### {title}:\n\n.*\n.*\n((?:\|.*\n?)+)", body)
    rows = table[1].splitlines() if table else []
    return [row.strip("| ").partition(" | ")[2] for row in rows]


# ===- Modules --------------------------------------------------------------===#


class Module(typing.NamedTuple):
    """A module with one job: IR, the name of the Python op whose example it is, and
    otherwise the file it is from."""

    ir: str
    python: str = ""
    source: str = ""


@functools.lru_cache(maxsize=None)
def ops_in(ir):
    return frozenset(_OP.findall(ir))


def size(ir):
    return len(_OP.findall(ir))


def of_tests():
    """The jobs of test/Execute/Inputs/ops, each in a module."""
    folder = os.path.join("test", "Execute", "Inputs", "ops")
    for file in sorted(os.listdir(os.path.join(ROOT, folder))):
        named, functions = {}, []
        for piece in re.findall(
            r"^job\.variable .*$|^job\.func (?:.*\n)*?}$|^[#!]\w+ = .*$",
            read(folder, file),
            re.MULTILINE,
        ):
            name = re.match(r'(?:job\.variable )?(@"[^"]*"|[@#!]\w+)', piece)
            if name:
                named[name[1]] = piece
            else:
                functions.append(piece)
        for function in functions:
            used = dict.fromkeys(re.findall(r'@"[^"]*"|[@#!]\w+', function))
            lines = [named[one] for one in sorted(used) if one in named]
            ir = "\n".join([*lines, function]) + "\n"
            yield Module(ir, source=f"{folder}/{file}")


def of_passes():
    """The examples of docs/passes.md, by the pass that they are of."""
    current = ""
    for title, ir in re.findall(
        r"^### (\S+)$|^```mlir\n(.*?)^```$",
        read("docs", "passes.md"),
        re.MULTILINE | re.DOTALL,
    ):
        current = title or current
        if ir and "job.func" in ir:
            yield current, Module(ir, source="docs/passes.md")


# ===- Passes ---------------------------------------------------------------===#


class Results(typing.NamedTuple):
    """What job-opt makes of modules: text for each, or None and a message."""

    irs: list
    messages: list


def _run(text, *options):
    program = shutil.which("job-opt") or os.path.join(ROOT, "build", "bin", "job-opt")
    return subprocess.run(
        [program, *options, "-"],
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )


def job_opt(irs, *options):
    """Runs job-opt on all modules at once."""
    marked = _join(irs)
    run = _run(marked, "--split-input-file", *options)
    results = Results([None] * len(irs), [""] * len(irs))
    for piece in re.split(r"^// -----\n", run.stdout, flags=re.MULTILINE):
        number = re.search(r"^module @page(\d+) ", piece, re.MULTILINE)
        if number:
            text = piece.replace(number[0], "module ", 1)
            results.irs[int(number[1])] = text.strip() + "\n"
    starts = [i for i, line in enumerate(marked.splitlines(), 1) if "@page" in line]
    for line, message in re.findall(
        r"^<stdin>:(\d+):\d+: error: (.*)$", run.stderr, re.MULTILINE
    ):
        results.messages[bisect.bisect(starts, int(line)) - 1] = message
    return results


def _join(irs):
    return "// -----\n".join(_mark(ir, i) for i, ir in enumerate(irs))


def _mark(ir, number):
    """Gives a module a name, by which its result is found."""
    name = f"module @page{number}"
    if re.search(r"^module", ir, re.MULTILINE):
        return re.sub(r"^module(?: @\w+)?", name, ir, count=1, flags=re.MULTILINE)
    aliases, body = re.fullmatch(r"((?:[#!][^\n]*\n)*)(.*)", ir, re.DOTALL).groups()
    return f"{aliases}{name} {{\n{body}}}\n"


# In a location, parentheses are at most two deep.
_LOCATION = re.compile(r" loc\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)")
_MADE = re.compile(
    r"^\s*(?:%[^=]*= )?(job\.\w+).* "
    r'loc\(fused<"(?:gradient|update) of">\[[^\]]*?:(\d+):\d+'
)


def differentiate(irs):
    """What job-autodiff makes of the modules, and for each op the ops that it makes of
    its gradient."""
    made = collections.defaultdict(set)
    lines = _join(irs).splitlines()
    results = job_opt(
        irs, "--job-autodiff", "--mlir-print-debuginfo", "--mlir-print-local-scope"
    )
    for i, text in enumerate(results.irs):
        for line in (text or "").splitlines():
            match = _MADE.match(line)
            origin = match and _OP.match(lines[int(match[2]) - 1])
            if origin:
                made[origin[1]].add(match[1])
        results.irs[i] = text and _LOCATION.sub("", text)
    return results, made


def passes():
    """The passes on the job dialect behind job-autodiff, in their order."""
    pipelines = "--job-train-pipeline", "--job-plan-pipeline"
    run = _run("", *pipelines, "--dump-pass-pipeline")
    listed = re.findall(r"^\s*(job-[\w-]+)", run.stderr, re.MULTILINE)
    return list(dict.fromkeys(listed[listed.index("job-autodiff") + 1 :]))


def trained(ir):
    """The variables that a job updates, after job-autodiff."""
    return re.findall(r'^\s*job\.update @"?([^",]*)"?,', ir, re.MULTILINE)


def result_types(ir):
    """The element types of a job's results."""
    (results,) = re.findall(r"job\.func @\w+\(.*?\) -> \((.*)\) kind", ir)
    return list(dict.fromkeys(re.findall(r"!job\.blob<[^>]*x(\w+)>", results)))


# ===- Training of what is only predicted -----------------------------------===#

_HEADER = re.compile(
    r"^job\.func (@\w+)\((.*)\) -> \((.*)\) kind predict \{$", re.MULTILINE
)
_ARGUMENT = re.compile(r"%(\w+): (!job\.blob<[\dx]*[bf]+\d+>)(?: \{[^}]*\})?")
_CONSTANT = re.compile(
    r"^  %(\w+) = job\.constant .* : tensor<([\dx]*[bf]+\d+)>\n", re.MULTILINE
)


def train(ir, op):
    """A job whose loss is the result of an op, and whose variables are the inputs and
    constants of floats. None for a job that has no such result or operand."""
    header = _HEADER.search(ir)
    returned = re.search(r"^  job\.return (.*) : (.*)$", ir, re.MULTILINE)
    results = re.search(rf"^\s*(%[^=]*) = {re.escape(op)}\b", ir, re.MULTILINE)
    if not header or not returned or not results:
        return None
    own = results[1].replace(" ", "").split(",")
    for value, kind in zip(returned[1].split(", "), returned[2].split(", ")):
        if value in own and re.search(r"x[bf]+\d+>$", kind):
            break
    else:
        return None
    variables = _ARGUMENT.findall(header[2])
    constants = _CONSTANT.findall(ir)
    variables += [(name, f"!job.blob<{type}>") for name, type in constants]
    if not variables and "job.read" not in ir:
        return None
    rest = _ARGUMENT.sub("", header[2]).strip(", ")
    definitions = "".join(
        f"job.variable @{name} : {type} init #job.constant_init<0.5>\n"
        for name, type in variables
    )
    reads = "".join(
        f"\n  %{name} = job.read @{name} : {type}" for name, type in variables
    )
    training = (
        f"  job.loss {value} : {kind}\n"
        "  job.minimize #job.sgd schedule #job.constant_schedule<0.1>\n"
    )
    head = (
        f"{definitions}job.func {header[1]}({rest}) -> ({header[3]}) kind train {{"
        f"{reads}"
    )
    ir = _CONSTANT.sub("", ir)
    return ir.replace(header[0], head).replace(returned[0], training + returned[0])
