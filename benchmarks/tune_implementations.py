"""Fills the table of implementations, lib/Support/Implementations.inc.

For each op and class of shapes (a power of two of floating-point operations),
some shapes are compiled as a generated kernel and as a library call whose work
is split into 1, 2, 4, ... 64 chunks. The candidates run in turn on one core,
several times; the time of a candidate is its fastest. A class is a generated
kernel where that is faster by a microsecond for every shape. Else a row gets the
most chunks that cost no more than 2 % on one core for each doubling, and that
take long enough to be worth a hand-over to another one: then the op runs on as
many cores as it can without being much slower on a few.

    python benchmarks/tune_implementations.py [--ops matmul,conv2d] [--check]

Rows of other targets and element types stay. The compiler is built before and
after. With --check nothing is written; what would change is printed.
"""

import argparse
import json
import math
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "lib/Support/Implementations.inc"
TARGET, ELEMENT = "cpu", "f32"
CANDIDATES = (1, 2, 4, 8, 16, 32, 64)
# What each doubling of the chunks may cost on one core for the sake of many, and
# the microseconds that are worth a hand-over.
TOLERANCE, LEAST_CHUNK = 1.02, 25
# Microseconds that are worth another row.
LEAST_GAIN = 1
CLASSES = range(12, 35)
# The candidate that is no library call, and the last class that has it: with
# more work it has lost.
GENERATED, MOST_GENERATED = 0, 20
ROW = re.compile(
    r'IMPLEMENTATION\("(\w+)",\s*"(\w+)",\s*"(\w+)",\s*(\d+),\s*(\w+),'
    r"\s*(\d+)\)")


def blob(*extents):
    return f"!job.blob<{'x'.join(map(str, extents))}xf32>"


def job(operands, op, attributes, results):
    """A job that is one op."""
    names = [f"%x{i}" for i in range(len(operands))]
    arguments = ", ".join(map("{}: {}".format, names, operands))
    types = ", ".join(results)
    out = "%0" if len(results) == 1 else f"%0:{len(results)}"
    values = ["%0"] if len(results) == 1 else [
        f"%0#{i}" for i in range(len(results))]
    arrow = "" if op in ("job.matmul", "job.conv2d", "job.attention",
                         "job.attention_grad") else f" -> {types}"
    return f"""job.func @run({arguments}) -> ({types}) kind predict {{
  {out} = {op} {", ".join(names)} {attributes} : {", ".join(operands)}{arrow}
  job.return {", ".join(values)} : {types}
}}
"""


# Shapes of a class. Each is the text of a job with about so many operations.


def matmuls(operations):
    # Products that models have, with weights as they are stored: square ones
    # and those of a batch of 128 images; the gradients of both weights, with
    # short sums; the layers of a transformer, one with rows of 12 KiB, which
    # share the sets of a cache.
    side = (operations / 2) ** (1 / 3)
    wide = (operations / 256) ** 0.5
    for m, n, k, transpose in (
            (side, side, side, "rhs"), (128, wide, wide, "rhs"),
            (wide, wide, 128, "lhs"), (side, side, side, "lhs"),
            (side, 768, operations / side / 1536, "rhs"),
            (operations / 2 / 768 / 3072, 768, 3072, "rhs")):
        m, n, k = (round(x / 16) * 16 for x in (m, n, k))
        if not m * n * k:
            continue
        a, b = (k, m) if transpose == "lhs" else (m, k), (n, k)
        if transpose == "lhs":
            b = k, n
        yield job([blob(*a), blob(*b)], "job.matmul",
                  f"{{transpose_{transpose} = true}}", [blob(m, n)])


def convolutions(op):
    def shapes(operations):
        # Channels, pixels and taps; the batch makes up the work.
        for c, h, k in ((32, 14, 5), (64, 28, 3), (128, 14, 3), (256, 14, 1)):
            n = round(operations / (2 * c * c * h * h * k * k))
            if not 1 <= n <= 256:
                continue
            data, filter = blob(n, c, h, h), blob(c, c, k, k)
            p = k // 2
            attributes = (
                "{strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, "
                f"padding = array<i64: {p}, {p}, {p}, {p}>, groups = 1 : i64}}")
            operands, result = {
                "conv2d": ([data, filter], data),
                "conv2d_data_grad": ([data, filter], data),
                "conv2d_filter_grad": ([data, data], filter)}[op]
            yield job(operands, "job." + op, attributes, [result])

    return shapes


def attentions(op):
    def shapes(operations):
        for heads, positions in ((12, 1024), (8, 256), (4, 64)):
            terms = 128 if op == "attention" else 320
            batch = round(operations / (2 * heads * positions ** 2 * terms))
            if not 1 <= batch <= 64:
                continue
            data = blob(batch, positions, heads, 64)
            rows = blob(batch, heads, positions)
            attributes = "{causal = false, scale = 0.125 : f64}"
            if op == "attention":
                yield job([data] * 3, "job.attention", attributes,
                          [data, rows])
            else:
                yield job([data] * 5 + [rows], "job.attention_grad",
                          attributes, [data] * 3)

    return shapes


OPS = {"matmul": matmuls}
for _op in ("conv2d", "conv2d_data_grad", "conv2d_filter_grad"):
    OPS[_op] = convolutions(_op)
for _op in ("attention", "attention_grad"):
    OPS[_op] = attentions(_op)


class Program:
    """A job compiled for a number of chunks, or as a generated kernel."""

    def __init__(self, tools, folder, text, chunks):
        self.tools, self.folder = tools, folder
        chosen = text
        if chunks != GENERATED:
            chosen = subprocess.run(
                [tools / "job-opt", "--pass-pipeline=builtin.module(job.func("
                 f"job-select-implementations{{max-chunks={chunks}}}))"],
                input=text, capture_output=True, text=True, check=True).stdout
        else:
            chosen = re.sub(
                r"(= job\.\w+ [^{\n]*\{)",
                r"\1plan.implementation = #plan.generated_kernel, ", text)
        self.path = folder / f"{chunks}.so"
        subprocess.run([tools / "job-compile", "-", "-o", self.path],
                       input=chosen, text=True, check=True)
        self.microseconds, self.chunks = math.inf, 0

    def run(self, steps):
        trace = self.folder / "trace.json"
        subprocess.run(
            [self.tools / "job-run", self.path, "--entry=run", "--threads=1",
             f"--steps={steps}", f"--trace={trace}"],
            stdout=subprocess.DEVNULL, check=True)
        for event in json.loads(trace.read_text())["traceEvents"]:
            args = event.get("args", {})
            if "chunks" in args:
                self.microseconds = min(self.microseconds, event["dur"])
                self.chunks = args["chunks"]


def measure(tools, text, candidates, rounds):
    """The programs of a shape by candidate, measured."""
    with tempfile.TemporaryDirectory() as folder:
        programs = {}
        for chunks in candidates:
            programs[chunks] = Program(tools, pathlib.Path(folder), text, chunks)
        programs[1].run(3)
        steps = max(3, min(200, round(100_000 / programs[1].microseconds)))
        for _ in range(rounds):
            for program in programs.values():
                program.run(steps)
    return programs


def choose(shapes):
    """How the shapes of a class are computed best, (kind, chunks). `shapes` has
    the programs of each by candidate."""
    if all(GENERATED in programs and programs[GENERATED].microseconds
           <= programs[1].microseconds - LEAST_GAIN for programs in shapes):
        return "Generated", 1
    best = 1
    for chunks in CANDIDATES[1:]:
        loss = statistics.geometric_mean(
            programs[chunks].microseconds
            / min(p.microseconds for p in programs.values())
            for programs in shapes)
        least = statistics.median(
            programs[chunks].microseconds / programs[chunks].chunks
            for programs in shapes)
        if loss <= TOLERANCE ** math.log2(chunks) and least >= LEAST_CHUNK:
            best = chunks
    return "Library", best


def tune(tools, op, rounds):
    """The rows of an op: (class, kind, chunks)."""
    rows = []
    for work_class in CLASSES:
        candidates = CANDIDATES
        if work_class <= MOST_GENERATED:
            candidates = (GENERATED, *candidates)
        # The middle of the class.
        shapes = [measure(tools, text, candidates, rounds)
                  for text in OPS[op](1.4 * 2 ** work_class)]
        if not shapes:
            continue
        kind, chunks = choose(shapes)
        times = "; ".join(
            (f"{c} chunks: " if c else "generated: ")
            + " ".join(f"{p[c].microseconds:.1f}" for p in shapes)
            for c in candidates)
        print(f"{op} 2^{work_class}: {kind}, {chunks} chunks; microseconds with "
              f"{times}", flush=True)
        if not rows:
            rows.append((0, kind, 1))
        _, last_kind, last_chunks = rows[-1]
        if kind != last_kind or chunks > last_chunks:
            rows.append((work_class, kind, chunks))
    return rows


def read_rows(text):
    return [(op, target, element, int(work_class), kind, int(chunks))
            for op, target, element, work_class, kind, chunks
            in ROW.findall(text)]


def format_rows(rows):
    lines = []
    for i, (op, target, element, work_class, kind, chunks) in enumerate(rows):
        if i and rows[i - 1][:3] != (op, target, element):
            lines.append("")
        name, chunk = f'"{op}",', f"{chunks:2}"
        lines.append(f'IMPLEMENTATION({name:21} "{target}", "{element}", '
                     f"{work_class:2}, {kind}, {chunk})")
    return "\n".join(lines) + "\n"


def replace_rows(text, rows):
    """The text of the table with these rows."""
    begin = text.index("// clang-format off\n") + len("// clang-format off\n")
    end = text.index("// clang-format on\n")
    return text[:begin] + format_rows(rows) + text[end:]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ops", default=",".join(OPS))
    parser.add_argument("--tools", type=pathlib.Path,
                        default=ROOT / "build/bin")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    ops = options.ops.split(",")
    if unknown := set(ops) - set(OPS):
        parser.error(f"expects ops of {', '.join(OPS)} but got "
                     f"{', '.join(sorted(unknown))}")
    before = TABLE.read_text()
    rows = read_rows(before)
    for op in ops:
        tuned = [(op, TARGET, ELEMENT, *row)
                 for row in tune(options.tools, op, options.rounds)]
        place = [i for i, row in enumerate(rows)
                 if row[:3] == (op, TARGET, ELEMENT)]
        at = place[0] if place else len(rows)
        rows = [row for i, row in enumerate(rows) if i not in place]
        rows[at:at] = tuned
    after = replace_rows(before, rows)
    if after == before:
        print("no row changes")
    elif options.check:
        print(format_rows(rows), end="")
    else:
        TABLE.write_text(after)
    return 0


if __name__ == "__main__":
    sys.exit(main())
