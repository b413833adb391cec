#!/usr/bin/env python3
"""Tests of the random jobs themselves: that the generator knows every op, that
what it makes is valid, that it knows every pass, and that a result is judged.

    test_random.py DOCS-FOLDER     (job-opt and job-run are in the PATH)
"""

import math
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

import numpy

import check
import generate
import jobs
import microsteps
import optable
import passes
import shrink

SEEDS = range(1, 301)


class Table(unittest.TestCase):
    def test_every_op_of_the_dialect_is_known(self):
        text = (docs / "generated" / "JobOps.md").read_text()
        ops = set(re.findall(r"^### `job\.(\w+)` \(job::\w+Op\)", text,
                             re.MULTILINE))
        self.assertGreater(len(ops), 60)
        known = set(optable.TABLE) | set(optable.EXCEPTIONS)
        self.assertEqual(ops - known, set(),
                         "ops without an entry in optable.py")
        self.assertEqual(known - ops, set(), "entries without an op")

    def test_no_op_is_in_both(self):
        self.assertEqual(set(optable.TABLE) & set(optable.EXCEPTIONS), set())


class Coverage(unittest.TestCase):
    """What the generated reference lists is in the text of some job."""

    @classmethod
    def setUpClass(cls):
        cls.docs = (docs / "generated" / "JobOps.md").read_text()
        cls.text = generate.module(
            [job for seed in SEEDS for job in generate.generate_all(
                seed, f"job{seed}")]
            + [generate.generate_mixed(seed, f"mixed{seed}")
               for seed in range(1, 4)]
            + [generate.generate(seed, f"host{seed}", host_calls=True)
               for seed in range(1, 41)])

    def sections(self, title):
        """{heading: text} of a part of the reference."""
        _, part = self.docs.split(f"\n## {title}\n", 1)
        part = part.split("\n## ")[0]
        pairs = re.findall(r"^### (.*)\n((?:(?!###? ).*\n)*)", part,
                           re.MULTILINE)
        self.assertGreater(len(pairs), 3)
        return dict(pairs)

    def assert_drawn(self, found, what):
        """`found` says of each name whether it is in the text."""
        exempt = set(optable.ATTRIBUTE_EXCEPTIONS)
        self.assertEqual({name for name, is_drawn in found.items()
                          if not is_drawn} - exempt, set(),
                         f"{what} that are never drawn")

    def test_every_attribute(self):
        """All optimizers, schedules, warm-ups, initializers and others, and
        both values of each flag."""
        found, flags, enums = {}, {}, []
        for text in self.sections("Attributes").values():
            mnemonic = re.search(r"#job\.(\w+)", text)[1]
            if "an enum of type" in text and text.count("| `") == 1:
                continue
            uses = re.findall(rf"#job\.{mnemonic}\b[^>]*", self.text)
            found[mnemonic] = bool(uses)
            for flag in re.findall(r"^\| (\w+) \| `bool`", text, re.MULTILINE):
                for value in ("true", "false"):
                    flags[f"{mnemonic} {flag} {value}"] = any(
                        f"{flag} = {value}" in use for use in uses)
        self.assertGreater(len(found), 25)
        self.assertGreater(len(flags), 10)
        self.assert_drawn(found, "attributes")
        self.assert_drawn(flags, "flags")

    def test_every_enumerant(self):
        found = {}
        for text in self.sections("Enums").values():
            for name in re.findall(r"^\| \w+ \| `\d+` \| (\w+) \|", text,
                                   re.MULTILINE):
                found[name] = bool(re.search(rf"\b{name}\b", self.text))
        self.assertGreater(len(found), 15)
        self.assert_drawn(found, "enumerants")

    def test_every_attribute_of_an_op(self):
        found = {}
        parts = re.split(r"^### `job\.(\w+)` .*$", self.docs.split(
            "\n## Attributes\n")[0], flags=re.MULTILINE)
        for op, text in zip(parts[1::2], parts[2::2]):
            if op in optable.EXCEPTIONS:
                continue
            syntax = re.search(r"operation ::= (.*?)```", text, re.DOTALL)[1]
            lines = "\n".join(re.findall(rf".*\bjob\.{op}\b.*", self.text))
            found[op] = bool(lines)
            for name in re.findall(r"^<tr><td><code>(\w+)</code>", text,
                                   re.MULTILINE):
                if name in optable.ATTRIBUTE_EXCEPTIONS:
                    continue
                keyword = re.search(rf"`(\w+)` \${name}\b", syntax)
                if keyword or f"${name}" not in syntax:
                    pattern = rf"\b{keyword[1]}\b" if keyword \
                        else rf"\b{name} = "
                    found[f"{op} {name}"] = bool(re.search(pattern, lines))
        self.assertGreater(len(found), 150)
        self.assert_drawn(found, "attributes of ops")


class Generator(unittest.TestCase):
    def test_a_seed_gives_one_job(self):
        for seed in (1, 2, 3):
            self.assertEqual(generate.module([generate.generate(seed)]),
                             generate.module([generate.generate(seed)]))

    def test_jobs_are_valid_small_and_of_all_ops(self):
        seen, kinds, elements, ranks = set(), set(), set(), set()
        of_micro_steps = accumulating = 0
        for seed in SEEDS:
            job = generate.generate(seed)
            self.assertTrue(shrink.is_valid(job), f"seed {seed}")
            kinds.add(job.kind)
            seen |= {op.name for op in job.ops}
            steps = microsteps.of(job)
            of_micro_steps += steps.count > 0
            accumulating += any(steps.is_inside(op.operands[0])
                                for op in job.losses())
            for value in job.values.values():
                self.assertLessEqual(value.low, value.high, f"seed {seed}")
                if value.type.is_float and value.magnitude < math.inf:
                    self.assertLess(value.magnitude, 1e7, f"seed {seed}")
                elements.add(value.type.element)
                ranks.add(len(value.type.shape))
        self.assertEqual(seen | {"host_call"}, set(optable.TABLE),
                         "ops that are never drawn")
        self.assertEqual(kinds, {"train", "predict"})
        self.assertEqual(elements, set(jobs.BITS))
        self.assertEqual(ranks, {1, 2, 3, 4, 5})
        self.assertGreater(of_micro_steps, len(SEEDS) * 0.3)
        self.assertLess(of_micro_steps, len(SEEDS) * 0.5)
        self.assertGreater(accumulating, len(SEEDS) * 0.12)

    def test_values_are_in_their_ranges(self):
        """By the interpreter: every float of every job is an output."""
        some = [generate.generate(seed, f"job{seed}") for seed in range(1, 25)]
        for job in some:
            steps = microsteps.of(job)
            job.outputs = [number for op in job.ops for number in op.results
                           if not steps.is_inside(number)
                         and not job.type(number).bounded]
        with tempfile.TemporaryDirectory() as folder:
            checker = check.Checker(some, pathlib.Path(folder), 1)
            checker.steps = 1
            for job in some:
                for index, number in enumerate(job.outputs):
                    value = job.values[number]
                    found = checker.exact()[job.name][f"out{index}"]
                    finite = found[numpy.isfinite(found)]
                    self.assertTrue(value.wild or finite.size == found.size,
                                    f"{job.name}: value {number}")
                    room = max(1e-5, jobs.NOISE.get(value.type.element, 0)) * max(
                        1, value.magnitude)
                    self.assertGreaterEqual(finite.min(initial=value.high),
                                            value.low - room,
                                            f"{job.name}: value {number}")
                    self.assertLessEqual(finite.max(initial=value.low),
                                         value.high + room,
                                         f"{job.name}: value {number}")


class MicroSteps(unittest.TestCase):
    """A training job of two micro-steps, and what it may not be."""

    def setUp(self):
        blob = jobs.Blob((2,), "f32")
        self.job = jobs.Job("job", "train")
        self.job.values = {number: jobs.Value(blob, -1, 1, active=True)
                           for number in range(1, 9)}
        self.job.inputs = [1]
        self.steps = microsteps.MicroSteps()
        self.add("unpack", [1], [2], count=2)

    def add(self, name, operands, results, **attributes):
        self.steps.add(self.job, jobs.Op(name, operands, attributes, results))

    def assert_invalid(self, *op, **attributes):
        with self.assertRaises(jobs.Invalid):
            self.add(*op, **attributes)

    def test_kinds_do_not_mix(self):
        self.add("constant", [], [3])
        self.add("add", [2, 3], [4])
        self.assertTrue(self.steps.is_inside(4))
        self.assertEqual(self.steps.elements(self.job, 4), 4)
        self.assert_invalid("add", [2, 1], [5])
        self.assert_invalid("broadcast_micro_steps", [2], [5], count=2)
        self.assert_invalid("broadcast_micro_steps", [1], [5], count=3)
        self.assert_invalid("acc", [1], [5], count=2)
        self.assert_invalid("assign", [2], [])

    def test_nothing_leads_back(self):
        self.add("acc", [2], [3], count=2)
        self.add("neg", [3], [4])
        self.assert_invalid("broadcast_micro_steps", [4], [5], count=2)

    def test_gradients_do_not_lead_back(self):
        self.add("acc", [2], [3], count=2)
        self.add("mul", [3, 1], [4])
        self.add("loss", [4], [])
        self.add("tanh", [3], [5])
        self.assert_invalid("loss", [5], [])
        self.add("mul", [3, 3], [6])
        self.assert_invalid("loss", [6], [])


class Passes(unittest.TestCase):
    def test_every_pass_of_the_pipelines_is_known(self):
        dump = subprocess.run(
            ["job-opt", "--job-train-pipeline", "--job-plan-pipeline",
             "--dump-pass-pipeline", "-"], input="module {}", text=True,
            capture_output=True, check=True).stderr
        names = re.findall(r"^ +([\w-]+)(?:{.*)?,?$", dump, re.MULTILINE)
        self.assertEqual([item.name for item in passes.pipeline()], names,
                         "passes that passes.py does not know")

    def test_each_is_on_and_off(self):
        on, off, bits = set(), set(), set()
        job = next(job for job in map(generate.generate, SEEDS)
                   if not microsteps.of(job).count and not job.precision
                   and all(op.name not in passes.DECOMPOSED for op in job.ops)
                   and {value.type.element for value in job.values.values()}
                   .isdisjoint((*jobs.NARROW, "ui8")))
        for seed in range(100):
            subset = passes.Subset(random.Random(seed))
            names = {item.name for item in subset.of(job, [64, 1024])}
            bits.add(subset.bits_of)
            if subset.bits_of == "default":
                self.assertLessEqual(set(passes.CHANGE_BITS), names)
            on |= names
            off |= {item.name for item in subset.passes} - names
        self.assertEqual(off, {item.name for item in passes.pipeline()
                               if not item.needed})
        self.assertEqual(on, {item.name for item in passes.pipeline()})
        self.assertEqual(bits, {"default", "nothing", None})

    def test_a_budget_leaves_a_part_of_the_arena(self):
        subset = passes.Subset(random.Random(1))
        subset.room, subset.off = 0.25, []
        text = subset.text(generate.generate(1), [640, 1000])
        self.assertIn("job-rematerialize{budget=520 ", text)

    def test_the_shrinker_drops_passes(self):
        job = generate.generate(1)
        subset = next(subset for subset in map(
            lambda seed: passes.Subset(random.Random(seed)), range(100))
            if "job-schedule{" in subset.text(job)
            and len(subset.of(job)) > 15)
        small = passes.shrink(subset, lambda candidate: "job-schedule{"
                              in candidate.text(job))
        # Some jobs cannot do without the others.
        self.assertLessEqual(
            [item.name for item in small.of(job)
             if not item.needed and item.name not in
             ("job-precision", "job-decompose", "job-form-micro-steps",
              "job-widen-types")],
            ["job-schedule"])


class Judgement(unittest.TestCase):
    def setUp(self):
        self.checker = check.Checker.__new__(check.Checker)
        self.checker.counts = {}

    def judge(self, value, exact, copies):
        self.checker.judge("default", "job", "out", numpy.array(value),
                           numpy.array(exact), list(map(numpy.array, copies)))

    def test_as_far_as_noise(self):
        self.judge([1.0, 2.003], [1.0, 2.0], [[1.001, 2.0], [1.0, 1.999]])
        with self.assertRaisesRegex(check.Failure, r"expects .*2\.0\D.* got"):
            self.judge([1.0, 2.1], [1.0, 2.0], [[1.001, 2.0]])

    def test_nan(self):
        with self.assertRaises(check.Failure):
            self.judge([float("nan")], [1.0], [[1.001]])
        self.judge([float("nan")], [1.0], [[float("nan")]])

    def test_jumps(self):
        self.judge([3], [4], [[4], [3]])
        self.assertEqual(self.checker.counts["not judged"], 1)
        with self.assertRaises(check.Failure):
            self.judge([3], [4], [[4], [4]])


if __name__ == "__main__":
    docs = pathlib.Path(sys.argv.pop(1))
    unittest.main()
