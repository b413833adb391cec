#!/usr/bin/env python3
"""Tests of the random jobs themselves: that a wrong result is found, and that the
shrinkers find what matters.

    test_shrinking.py     (job-opt and job-run are in the PATH)
"""

import itertools
import pathlib
import random
import re
import tempfile
import unittest
from unittest import mock

import numpy

import check
import generate
import passes
import placements
import shrink


class Shrinker(unittest.TestCase):
    def test_one_op_is_left(self):
        for name in ("matmul", "conv2d", "softmax", "gather", "reduce_sum",
                     "acc", "pack"):
            seed = next(seed for seed in itertools.count(1) if any(
                op.name == name for op in generate.generate(seed).ops))
            job = generate.generate(seed)

            def fails(candidate):
                self.assertTrue(all(map(shrink.is_valid, candidate)))
                return any(op.name == name for job in candidate
                           for op in job.ops)
            small, = shrink.shrink([job], fails, 2000)
            self.assertTrue(fails([small]))
            # Besides what gives it operands.
            left = [op.name for op in small.ops
                    if op.name not in ("constant", "read", "iota",
                                       "broadcast_micro_steps")]
            self.assertEqual(left, [name], f"seed {seed}")
            self.assertLessEqual(max(
                extent for value in small.values.values()
                for extent in value.type.shape), 2 if name == "pack" else 1)

    def test_devices_are_dropped(self):
        job = generate.generate_mixed(7)
        self.assertEqual(len(placements.used(job)), 3)
        there = placements.GPU1
        small, = shrink.shrink([job], lambda jobs_: any(
            op.placement == there for job in jobs_ for op in job.ops), 2000)
        self.assertIn(f"job.placement = #job.placement<{there}>",
                      generate.module([small]))
        self.assertEqual(sum(bool(op.placement) for op in small.ops), 1)
        self.assertLessEqual(len(placements.used(small)), 2)

    def test_other_jobs_are_dropped(self):
        some = [generate.generate(seed, f"job{seed}") for seed in (1, 2, 3)]
        small = shrink.shrink(some, lambda jobs_: any(
            job.name == "job2" for job in jobs_), 100)
        self.assertEqual([job.name for job in small], ["job2"])

    def test_limit(self):
        calls = []
        job = generate.generate(7)
        shrink.shrink([job], lambda jobs_: calls.append(1) or True, 5)
        self.assertLessEqual(len(calls), 5)


class Finding(unittest.TestCase):
    def test_a_wrong_op_is_found_and_shrunk(self):
        """A compiler whose tanh is wrong by a thousandth."""
        run = check.run

        def wrong_run(folder, module, names, owners, has, options):
            results = run(folder, module, names, owners, has, options)
            text = module.read_text()
            for name in names:
                body = text[text.index(f"@{name}("):].split("\n}\n")[0]
                if "job.tanh" in body and "--reference" not in options:
                    for result, value in results[name].items():
                        if value.dtype.kind == "f" and "out" in result:
                            results[name][result] = value * value.dtype.type(
                                1.001)
            return results
        seed = next(seed for seed in itertools.count(1)
                    if self.is_suitable(generate.generate(seed))
                    and any(op.name == "tanh" and op.results[0] in job.outputs
                            for job in [generate.generate(seed)]
                            for op in job.ops))
        some = [generate.generate(other, f"job{other}")
                for other in (seed, seed + 1)]
        with tempfile.TemporaryDirectory() as name, \
                mock.patch.object(check, "run", wrong_run):
            folder = pathlib.Path(name)
            found = check.find_failures(some, folder, 1, only="default")
            of_seed = [item for item in found if item[0] == some[:1]]
            self.assertEqual(len(of_seed), 1, f"seed {seed}")
            check.report(*of_seed[0], folder / "failures", 1, 60)
            text, = [path.read_text() for path
                     in (folder / "failures").glob("*.mlir")
                     if path.stem == f"default-job{seed}"]
        self.assertIn("job.tanh", text)
        self.assertLess(text.count(" = job."), 4, text)
        self.assertIn("job-run THIS --entry=", text)

    def test_a_wrong_pass_is_found_and_shrunk(self):
        """A compiler whose scheduled jobs lose their last bit."""
        results_of_passes = check.Checker.results_of_passes

        def wrong_results(checker, job, subset):
            results = results_of_passes(checker, job, subset)
            if "job-schedule{" in subset.text(job):
                for result, value in results.items():
                    if value.dtype.kind == "f":
                        results[result] = numpy.nextafter(value, numpy.inf)
            return results
        seed = next(seed for seed in itertools.count(1)
                    if self.is_suitable(generate.generate(seed)))
        options = next(options for options in range(100) if self.is_scheduled(
            generate.generate(seed, f"job{seed}"), options))
        some = [generate.generate(seed, f"job{seed}")]
        with tempfile.TemporaryDirectory() as name, mock.patch.object(
                check.Checker, "results_of_passes", wrong_results):
            folder = pathlib.Path(name)
            found = check.find_failures(some, folder, options, only="passes")
            self.assertEqual(len(found), 1, f"seed {seed}, {options}")
            check.report(*found[0], folder / "failures", options, 60)
            text, = [path.read_text() for path
                     in (folder / "failures").glob("*.mlir")]
        pipeline, = re.findall(r"job-opt THIS --pass-pipeline='(.*)' -o",
                               text)
        self.assertIn("job-schedule{", pipeline)
        self.assertNotIn("job-rematerialize", pipeline)
        self.assertNotIn("job-verify", pipeline)

    @staticmethod
    def is_suitable(job):
        """Of floats that the tests above know how to change."""
        return job.kind == "predict" and "bf16" not in generate.module([job])

    @staticmethod
    def is_scheduled(job, options):
        subset = passes.Subset(random.Random(f"passes {options} {job.name}"))
        return subset.bits_of and "job-schedule{" in subset.text(job) \
            and subset.recomputes()


if __name__ == "__main__":
    unittest.main()
