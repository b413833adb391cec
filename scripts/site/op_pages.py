#!/usr/bin/env python3
"""Writes the pages of ops: op_pages.py OUT.

A page for each op of the Python API and each op of the job dialect, with its call, its
IR and its gradient, and an index. What they show comes from running the package,
which is the one on PYTHONPATH, and job-opt, the one on PATH or that of build/; the
samples are those of the tests.
"""

import collections
import os
import pathlib
import re
import sys

# Neither the user's settings of the compiler nor a GPU.
os.environ["CUDA_VISIBLE_DEVICES"] = ""
os.environ.pop("JOBMLIR_CUDA_LIBRARY", None)

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "python" / "tests")]

import op_docstrings
import op_examples
import op_ir
import op_references
import op_samples

from jobmlir._src import names

# So many links are shown of a list of functions or ops.
_SHOWN = 12
# Functions with this share of ops in common are related.
_ALIKE = 0.5
# Kinds of operands and results that may be floats.
_FLOATS = re.compile(r"floats|numbers|blob(?! of|<)")
_SECTIONS = ("1.9", "1.10", "1.11", "1.12")


def python_ops():
    """The samples of all public ops. One without a sample is an error."""
    samples = {**op_samples.SAMPLES, **op_samples.EXAMPLES}
    known = names.reference()
    for name in op_references.public_ops():
        is_operator = name.startswith("Blob.__")
        is_op = name not in known or known[name].section in _SECTIONS
        no_op = name.startswith(("Blob.", "nn.Module.")) or name == "random.gen_seed"
        if (is_operator or is_op and not no_op) and name not in samples:
            raise KeyError(f"expects a use of {name} in op_samples.py")
    return samples


def fence(language, text):
    return [f"```{language}", *text.rstrip("\n").splitlines(), "```", ""]


def listing(items):
    """Items in one line: of many the first ones."""
    if len(items) <= _SHOWN:
        return ", ".join(items)
    return f"{', '.join(items[:_SHOWN])} and {len(items) - _SHOWN} others"


def label(name):
    """How users write an op: operators as such."""
    is_operator = name.startswith("Blob.__")
    return op_samples.EXAMPLES[name].text if is_operator else name


def link(name):
    return f"[`{label(name)}`]({name}.md)"


def link_pass(name):
    return f"[`{name}`](../passes.md#{name})"


def _size(module):
    return op_ir.size(module.ir)


def _rank(op, name, ir):
    """The order of examples of an op: those with its name, then short ones."""
    op = op.removeprefix("job.")
    last = name.rpartition(".")[2]
    is_same = op in (last, name.replace(".", "_"))
    is_similar = last.startswith(op) or last.endswith(op)
    return not is_same, not is_similar, op_ir.size(ir), len(name), name


def _titles():
    """The topics of the API in their order, that of no topic last."""
    known = dict.fromkeys(name.title for name in names.reference().values())
    return [*known, "Beyond the API"]


def choose(ops, modules):
    """The module that shows an op, of those with it: those of Python are in order, one
    of a pass is the only one, those of the tests are the last."""
    for op in ops:
        if not modules.get(op):
            raise KeyError(f"expects a job with {op} in test/Execute/Inputs/ops")
    return {op: modules[op][0] for op in ops}


class Pages:
    """All that the pages show."""

    def __init__(self):
        self.entries = op_ir.entries()
        self.examples = {
            name: op_examples.make(name, sample)
            for name, sample in python_ops().items()
        }
        self.status = op_docstrings.status(self.examples)
        self._differentiate()
        self._find_modules()

    def _differentiate(self):
        """The gradients of the examples."""
        trained = [name for name in self.examples if self.examples[name].gradient]
        results, self.made = op_ir.differentiate(
            [self.examples[name].gradient for name in trained]
        )
        self.gradients = dict(zip(trained, results.irs))
        for name, ir in self.gradients.items():
            if ir is None:
                raise RuntimeError(f"expects job-autodiff to take the job of {name}")

    def _find_modules(self):
        """By op: what makes it, and the smallest module with it; its gradient."""
        self.users = collections.defaultdict(list)
        found = collections.defaultdict(list)
        predict = {name: example.ir for name, example in self.examples.items()}
        train = {name: self.examples[name].gradient for name in self.gradients}
        # What only training computes differently, such as dropout, is second.
        for irs in (predict, train):
            made = collections.defaultdict(list)
            for name, ir in irs.items():
                for op in op_ir.ops_in(ir) - set(self.users):
                    made[op].append((*_rank(op, name, ir), op_ir.Module(ir, name)))
            for op, ranked in made.items():
                found[op] = [one[-1] for one in sorted(ranked)]
                self.users[op] = [one.python for one in found[op]]
        self.passes = {}
        for op, ir in self._after_passes().items():
            found[op].append(ir)
        tests = sorted(op_ir.of_tests(), key=_size)
        for module in tests:
            for op in op_ir.ops_in(module.ir):
                found[op].append(module)
        self.modules = choose(self.entries, found)
        self._find_gradients(tests)

    def _after_passes(self):
        """Modules with the ops that only passes make. Also notes which pass it is."""
        sought = set(self.entries) - set(self.users)
        found = {}

        def note(name, modules):
            for module in sorted(modules, key=_size):
                for op in op_ir.ops_in(module.ir) & sought - set(found):
                    found[op] = module
                    self.passes[op] = name

        note("job-autodiff", [op_ir.Module(ir, n) for n, ir in self.gradients.items()])
        order, before = op_ir.passes(), {}
        for name, module in op_ir.of_passes():
            is_result = before.setdefault(name, module) is not module
            if is_result and name in order:
                note(name, [module])
        modules = [op_ir.Module(one.ir, name) for name, one in self.examples.items()]
        for name in order:
            if sought <= set(found):
                break
            irs = op_ir.job_opt([one.ir for one in modules], f"--{name}").irs
            modules = [
                one._replace(ir=ir) for one, ir in zip(modules, irs) if ir is not None
            ]
            note(name, modules)
        return found

    def _find_gradients(self, tests):
        """By op: a module after job-autodiff, or what refuses its gradient."""
        self.op_gradients, self.refusals = {}, {}
        candidates = collections.defaultdict(list)
        for name, ir in self.gradients.items():
            for op in op_ir.ops_in(self.examples[name].gradient):
                candidates[op].append(op_ir.Module(ir, name))
        other = []
        for op in set(self.entries) - set(self.made):
            modules = [one for one in tests if op in op_ir.ops_in(one.ir)]
            trained = [one._replace(ir=op_ir.train(one.ir, op)) for one in modules]
            other += [(op, one) for one in trained if one.ir][:1]
            other += [(op, one) for one in modules if "kind train" in one.ir][:1]
        results, made = op_ir.differentiate([one.ir for _, one in other])
        for (op, module), ir, message in zip(other, *results):
            if ir is not None and op in made:
                candidates[op].append(module._replace(ir=ir))
                self.made[op] = made[op]
            elif ir is None:
                self.refusals.setdefault(op, message)
        for op, modules in candidates.items():
            mine = [one for one in modules if one.python == self.modules[op].python]
            self.op_gradients[op] = min(mine or modules, key=_size)

    # ===- Pages of the Python API -----------------------------------------===#

    def python_page(self, name):
        example = self.examples[name]
        function = names.find(name)
        summary, text = op_docstrings.of(function)
        lines = [f"# `{label(name)}`", "", summary, ""]
        lines += fence("text", op_docstrings.signature(name, function))
        lines += [*text, ""] if text else []
        same = [
            link(other)
            for other in self.examples
            if other != name and names.find(other) is function
        ]
        if same:
            lines += [f"The same function: {', '.join(same)}.", ""]
        for line in self.status[name]:
            lines += [line, ""]
        lines += ["## Example", "", *fence("python", example.script)]
        lines += ["prints", "", *fence("text", example.output)]
        lines += ["## IR", "", "`flow.dump_ir()` of this job:", ""]
        lines += fence("mlir", example.ir)
        lines += self._gradient_of(name)
        ops = op_ir.ops_in(example.ir) | op_ir.ops_in(self.gradients.get(name, ""))
        # What computes a result from operands.
        ops = {
            op
            for op in ops
            if self.entries[op].operands and self.entries[op].results
        }
        lines += ["## How it is computed", "", *self._kernels(ops), ""]
        near = [link(other) for other in self._near(name)]
        if near:
            lines += ["## See also", "", listing(near), ""]
        return lines

    def _near(self, name):
        """Other functions that are made of the same ops, of which rare ones count more;
        the nearest first."""

        def weight(ops):
            return sum(1 / len(self.users[op]) for op in ops)

        def ops_of(other):
            return op_ir.ops_in(self.examples[other].ir)

        mine, near = ops_of(name), []
        for other in self.examples:
            ops = ops_of(other)
            alike = weight(mine & ops) / weight(mine | ops)
            if other != name and alike >= _ALIKE:
                near.append((-alike, other))
        return [other for _, other in sorted(near)[:_SHOWN]]

    def _gradient_of(self, name):
        example = self.examples[name]
        lines = ["## Gradient", ""]
        if "job.func @job()" in example.ir:
            return [*lines, "No gradient: it has no operands.", ""]
        if name not in self.gradients:
            return [*lines, *self._refused(example.refusal, example.ir)]
        trained = op_ir.trained(self.gradients[name])
        lines += [
            f"A job that trains {listing([f'`{one}`' for one in trained])} with the "
            f"result as its loss, after {link_pass('job-autodiff')}. What follows "
            f"{link('job.minimize')} is the gradient:",
            "",
            *fence("mlir", self.gradients[name]),
        ]
        return lines

    def _refused(self, message, ir):
        kinds = op_ir.result_types(ir)
        if not any(re.match(r"b?f\d", one) for one in kinds):
            why = f"its result is of {listing([f'`{one}`' for one in kinds])}"
        elif "static shape" in message:
            why = "a loss needs a static shape"
        else:
            why = "it passes none on to its operands"
        return [
            f"No gradient: {why}. A job with the result as its loss is refused:",
            "",
            *fence("text", message),
        ]

    def _kernels(self, ops):
        rows = [
            f"| {link(op)} | {' | '.join(entry.kernels)} | {entry.precision} |"
            for op, entry in self.entries.items()
            if op in ops
        ]
        if not rows:
            return ["The result is known when the job is compiled."]
        return [
            "| op | CPU | GPU | list of `job-precision` |",
            "|---|---|---|---|",
            *rows,
            "",
            "See [kernels](../generated/JobKernels.md), [precision]"
            "(../generated/JobPrecision.md) and [numerics](../numerics.md).",
        ]

    # ===- Pages of the dialect --------------------------------------------===#

    def dialect_page(self, op):
        entry = self.entries[op]
        lines = [f"# `{op}`", "", f"{entry.summary}.", "", *self._origin(op)]
        lines += ["## Definition", "", op_docstrings.definition(entry.text), ""]
        module = self.modules[op]
        lines += ["## IR", ""]
        source = self._source(module)
        if op in self.passes:
            lines += [f"{source}, after {link_pass(self.passes[op])}:", ""]
        else:
            lines += [f"{source}:", ""]
        lines += fence("mlir", module.ir)
        lines += ["## Gradient", "", *self._op_gradient(op)]
        lines += ["## How it is computed", "", *self._kernels({op})]
        return lines

    @staticmethod
    def _source(module):
        if module.python:
            is_training = "kind train" in module.ir
            what = "A job that trains" if is_training else "The example of"
            return f"{what} {link(module.python)}"
        return f"A job of `{module.source}`"

    def _origin(self, op):
        lines = []
        if self.users[op]:
            users = [link(name) for name in self.users[op]]
            lines.append(f"- Python: {listing(users)}")
        origins = [link(one) for one in self.entries if op in self.made.get(one, ())]
        if origins and op not in ("job.add", "job.constant"):
            lines.append(f"- In the gradient of {listing(origins)}")
        if op in self.passes and self.passes[op] != "job-autodiff":
            lines.append(f"- Made by {link_pass(self.passes[op])}")
        return [*lines, ""] if lines else []

    def _op_gradient(self, op):
        entry = self.entries[op]
        by_autodiff = "replaced by `job-autodiff`" in entry.kernels
        if op in self.made or by_autodiff and op in self.op_gradients:
            module = self.op_gradients[op]
            return [
                f"{self._source(module)}, after {link_pass('job-autodiff')}. What "
                f"follows {link('job.minimize')} is the gradient:",
                "",
                *fence("mlir", module.ir),
            ]
        if not entry.operands or not entry.results:
            missing = "operands" if not entry.operands else "results"
            return [f"No gradient: it has no {missing}.", ""]
        for what, kinds in (("operands", entry.operands), ("results", entry.results)):
            if not any(_FLOATS.search(one) for one in kinds):
                kinds = ", ".join(dict.fromkeys(kinds))
                return [f"No gradient: its {what} have no floats ({kinds}).", ""]
        users = [one for one in self.users[op] if self.examples[one].refusal]
        if op in self.refusals or users:
            return [
                "No gradient. A job with the result as its loss is refused:",
                "",
                *fence(
                    "text", self.refusals.get(op) or self.examples[users[0]].refusal
                ),
            ]
        return [
            f"No gradient of its own: {link_pass(self.passes[op])} makes it, after "
            f"{link_pass('job-autodiff')}.",
            "",
        ]

    # ===- Index ------------------------------------------------------------===#

    def index(self):
        head = ["| op | what it computes |", "|---|---|"]
        lines = [
            "# Ops",
            "",
            "A page for each op of the Python API and of the `job` dialect: its call, "
            "its IR, its gradient, and what computes it. The examples are run, and the "
            "IR printed, when these pages are written.",
            "",
        ]
        groups = collections.defaultdict(list)
        known = names.reference()
        for name in self.examples:
            title = known[name].title if name in known else "Beyond the API"
            groups[title].append(name)
        for title in sorted(groups, key=_titles().index):
            lines += [f"## {title}", "", *head]
            for name in sorted(groups[title], key=str.lower):
                summary, _ = op_docstrings.of(names.find(name))
                lines.append(f"| {link(name)} | {op_docstrings.first(summary)} |")
            lines.append("")
        lines += ["## The job dialect", "", *head]
        for op, entry in self.entries.items():
            lines.append(f"| {link(op)} | {op_docstrings.cell(entry.summary)} |")
        return lines

    def write(self, out):
        """Writes all pages to a folder."""
        out = pathlib.Path(out)
        out.mkdir(parents=True, exist_ok=True)
        pages = {"index": self.index()}
        pages |= {name: self.python_page(name) for name in self.examples}
        pages |= {op: self.dialect_page(op) for op in self.entries}
        for name, lines in pages.items():
            text = "\n".join(lines).rstrip("\n") + "\n"
            (out / f"{name}.md").write_text(text)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    Pages().write(sys.argv[1])
