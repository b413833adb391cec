"""Random subsets of the compiler's passes, in the order of the pipelines.

Each pass that a job can do without is on or off by itself, each option drawn.
Half of the subsets differ from the default, or from what compiles with all
optimisations off, only in what must not change a bit: the order of commands,
what is computed again, the memory plan.
"""

import copy
import dataclasses
import os
import pathlib

import jobs
import microsteps

STRATEGIES = ("best", "size", "conflicts", "time", "none")
# Larger than any job needs.
PLENTY = 1 << 40


@dataclasses.dataclass
class Pass:
    name: str
    anchor: str = ""
    options: dict = dataclasses.field(default_factory=dict)
    # No job, or not this one, can be compiled without it.
    needed: bool = False

    def __str__(self):
        options = " ".join(f"{key}={str(value).lower()}"
                           for key, value in self.options.items()
                           if value != "")
        text = self.name + (f"{{{options}}}" if options else "")
        return f"{self.anchor}({text})" if self.anchor else text


def _func(name, **more):
    return Pass(name, "job.func", **more)


def _call_features():
    """What job-run lets functions of libraries use of this processor."""
    flags = pathlib.Path("/proc/cpuinfo")
    has_bf16 = flags.exists() and "avx512_bf16" in flags.read_text().split()
    return "avx512bf16" if has_bf16 else ""


def pipeline():
    """All passes of the train and the plan pipeline, as they are by default."""
    return [
        Pass("job-verify"),
        # Another type gives other results than the reference.
        _func("job-precision", options={"type": "f32"}),
        _func("job-move-relus"),
        _func("job-autodiff", needed=True),
        Pass("job-optimizer", needed=True),
        Pass("job-step-counter", needed=True),
        Pass("job-build-initializer", needed=True),
        _func("canonicalize"), _func("cse"),
        Pass("job-verify"),
        Pass("job-place", options={"device": "cpu"}),
        Pass("job-verify-placement"),
        _func("job-widen-types", options={"cpu-features": _call_features()}),
        _func("job-decompose"),
        _func("canonicalize"), _func("cse"),
        # Without a layout, that of a table.
        Pass("job-assign-layouts", options={"layout": ""}),
        _func("job-convert-conv-to-matmul", options={"max-pixels": -1}),
        _func("job-insert-transfers"),
        _func("job-form-micro-steps"),
        _func("job-select-implementations"),
        _func("job-return-relus"),
        _func("job-save-argmax"),
        _func("job-fold-head-slices"),
        _func("job-move-reshapes"),
        _func("job-form-kernels", options={"fuse": True}, needed=True),
        _func("job-schedule", options={"in-place": True}),
        Pass("job-rematerialize",
             options={"budget": 0, "in-place": True, "schedule": True}),
        Pass("convert-job-to-plan", needed=True,
             options={"check-numerics": False, "in-place": True}),
        Pass("plan-stage-transfers"),
        Pass("plan-fuse-call-epilogues"),
        Pass("plan-fuse-rows"),
        Pass("plan-fuse-bias-gradients"),
        Pass("plan-fuse-column-sums"),
        Pass("plan-split-reductions"),
        Pass("plan-merge-kernels"),
        Pass("plan-select-schedules"),
        Pass("plan-join-launches"),
        Pass("plan-assign-queues"),
        Pass("plan-assign-offsets", needed=True),
        Pass("plan-pack-memory", "plan.program", {"strategy": "best"}, True),
        Pass("plan-fuse-epilogues"),
        Pass("plan-check-budget", options={"budget": 0}),
        # Nothing that is compiled goes without the proof.
        Pass("plan-verify-memory", needed=True),
    ]


# May come at other places as well, until there are kernels: whoever lowers
# these relies on what job-form-kernels makes.
SIMPLIFY = ("canonicalize", "cse")
# What --simplify=false and --layouts=false leave out.
LEFT_OUT = (*SIMPLIFY, "job-move-relus", "job-assign-layouts")
# Without them, or with more of them, a result may have other bits.
CHANGE_BITS = (*LEFT_OUT, "job-decompose", "job-convert-conv-to-matmul",
               "job-form-micro-steps", "plan-fuse-call-epilogues", "plan-fuse-rows",
               "plan-fuse-bias-gradients", "plan-fuse-column-sums",
               "plan-split-reductions")


# Ops that are computed by their parts only.
DECOMPOSED = ("argsort", "argwhere", "batch_norm", "custom_gradient", "gather",
              "scatter_add")


class Subset:
    """The passes that one job comes through, and what job-run is told."""

    def __init__(self, rng):
        # Whose bits the results have: "default", "nothing" or nobody's.
        self.bits_of = rng.choice(["default", "nothing", None, None])
        # How much of the arena is left by a budget for recomputation.
        self.room = rng.choice([0, 0.3, rng.random()])
        self.options = [f"--threads={rng.choice([1, 2, 3])}"]
        if os.uname().machine == "x86_64" and not self.bits_of and \
                rng.random() < 0.4:
            self.options.append(rng.choice(["--mcpu=x86-64",
                                            "--mcpu=x86-64-v3"]))
        self.passes = []
        flat = True
        for item in pipeline():
            # Other processors may lack what this one has.
            if "cpu-features" in item.options and len(self.options) > 1:
                item.options["cpu-features"] = ""
            self._draw(item, rng)
            self.passes.append(item)
            flat &= item.name != "job-form-kernels"
            if item.name == "job-verify" or not flat:
                continue
            for name in SIMPLIFY:
                if rng.random() < 0.15 and not self.bits_of:
                    self.passes.append(_func(name))
        keep = 0.6 if rng.random() < 0.7 else 0.1
        self.off = [item for item in self.passes
                    if not (item.needed or self._is_kept(item, keep, rng))]

    def _is_kept(self, item, keep, rng):
        if not self.bits_of or item.name not in CHANGE_BITS:
            return rng.random() < keep
        return self.bits_of == "default" or item.name not in LEFT_OUT

    def _draw(self, item, rng):
        options = item.options
        if "in-place" in options:
            options["in-place"] = rng.random() < 0.6
        if "schedule" in options:
            options["schedule"] = rng.random() < 0.7
        if "fuse" in options:
            options["fuse"] = self.bits_of == "default" or (
                not self.bits_of and rng.random() < 0.5)
        if "layout" in options and not self.bits_of:
            options["layout"] = rng.choice(["", "nhwc", "nhwc"])
        if "check-numerics" in options:
            options["check-numerics"] = rng.random() < 0.25
        if "strategy" in options:
            options["strategy"] = rng.choice(STRATEGIES)
        if "budget" in options:
            options["budget"] = PLENTY

    def copy(self):
        return copy.deepcopy(self)

    def of(self, job, arena=None):
        """The passes that are run on a job. `arena` is a pair, the bytes of
        its arena and all that it needs, when nothing is computed again: without
        them nothing is."""
        names = {op.name for op in job.ops}
        elements = {value.type.element for value in job.values.values()}
        if job.precision:
            elements.add(job.precision)
        wanted = {"job-precision": bool(job.precision),
                  "job-widen-types": not elements.isdisjoint(
                      (*jobs.NARROW, "ui8")),
                  "job-decompose": not names.isdisjoint(DECOMPOSED),
                  "job-form-micro-steps": bool(microsteps.of(job).count)}
        found = []
        # Equal values are merged, and then the gradient is that of all of them.
        may_simplify = "gradient" not in names
        for item in self.passes:
            may_simplify |= item.name == "job-autodiff"
            if item.name in SIMPLIFY and not may_simplify:
                continue
            if any(item is other for other in self.off) and \
                    not wanted.get(item.name):
                continue
            if item.name == "job-rematerialize":
                if not arena:
                    continue
                bytes, total = arena
                item = dataclasses.replace(item, options={
                    **item.options,
                    "budget": total - bytes + int(bytes * self.room)})
            elif item.options.get("check-numerics") and \
                    any(value.wild for value in job.values.values()):
                item = dataclasses.replace(item, options={
                    **item.options, "check-numerics": False})
            found.append(item)
        return found

    def text(self, job, arena=None):
        passes = ",".join(map(str, self.of(job, arena)))
        return f"builtin.module({passes})"

    def recomputes(self):
        return all(item.name != "job-rematerialize" for item in self.off)

    def smaller(self):
        """Subsets of fewer passes, or with the default of an option, each
        with one change."""
        usual = {item.name: item.options for item in pipeline()}
        for index, item in enumerate(self.passes):
            is_off = any(item is other for other in self.off)
            if not item.needed and not is_off:
                fewer = self.copy()
                fewer.off.append(fewer.passes[index])
                if item.name in CHANGE_BITS:
                    fewer.bits_of = None
                yield fewer
            for key, value in usual.get(item.name, {}).items():
                if is_off or key == "budget" or item.options[key] == value:
                    continue
                plainer = self.copy()
                plainer.passes[index].options[key] = value
                if key in ("fuse", "layout"):
                    plainer.bits_of = None
                yield plainer


def shrink(subset, fails):
    """Drops passes one by one while it fails."""
    changed = True
    while changed:
        changed = False
        for smaller in subset.smaller():
            if fails(smaller):
                subset, changed = smaller, True
                break
    return subset
