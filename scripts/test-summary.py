#!/usr/bin/env python3
"""Runs every test of a build folder and ends with one line of totals.

Counts single tests: the cases of a GoogleTest program, the files of lit, the
items of pytest. A suite (an entry of ctest that runs many tests and leaves
their results in BUILD/test-results/<entry>.xml) counts by its results alone,
and as one failure more when it ended badly without naming a failed test.

The last line is `N passed, N failed, N skipped`; the exit status is 1 when a
test failed or none ran. A line before it counts those on the simulated CUDA:
the entries with the label simulated-gpu.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

PASSED, SKIPPED, FAILED = range(3)


def outcome(case):
    """The outcome of one <testcase> of a JUnit file."""
    if case.find("failure") is not None or case.find("error") is not None:
        return FAILED
    if case.find("skipped") is not None:
        return SKIPPED
    # What ctest says on top: run, fail, notrun, disabled.
    status = case.get("status", "run")
    if status == "fail":
        return FAILED
    return SKIPPED if status in ("notrun", "disabled") else PASSED


def read_cases(path):
    """The worst outcome of each test of a JUnit file, by its full name.

    A test is there twice when it fails and its tear-down does, too.
    """
    cases = {}
    for case in ElementTree.parse(path).iter("testcase"):
        name = "/".join(filter(None, (case.get("classname"), case.get("name"))))
        cases[name] = max(outcome(case), cases.get(name, PASSED))
    return cases


def read_suite(entry, entry_outcome, path):
    """The outcomes of one suite's tests."""
    if entry_outcome == SKIPPED:
        return {entry: SKIPPED}
    try:
        cases = read_cases(path)
    except (OSError, ElementTree.ParseError) as error:
        return {f"{entry}: no results ({error})": FAILED}
    if not cases:
        return {f"{entry}: ran no tests": FAILED}
    outcomes = {f"{entry}: {name}": value for name, value in cases.items()}
    if entry_outcome == FAILED and FAILED not in cases.values():
        outcomes[f"{entry}: ended with an error"] = FAILED
    return outcomes


def ctest_entries(path):
    """Outcomes by entry, from ctest's JUnit file.

    There a skipped test and one whose program is missing are both `notrun`;
    only the first has a reason that ctest knows as one.
    """
    entries = {}
    for case in ElementTree.parse(path).iter("testcase"):
        value = outcome(case)
        skipped = case.find("skipped")
        if (value == SKIPPED and case.get("status") == "notrun"
                and skipped is not None
                and not skipped.get("message", "").startswith("SKIP_")):
            value = FAILED
        name = case.get("name")
        entries[name] = max(value, entries.get(name, PASSED))
    return entries


def labelled(label, build, arguments):
    """The entries of ctest that have the label."""
    listing = subprocess.run(
        ["ctest", "-N", "-L", f"^{label}$", *arguments], cwd=build,
        capture_output=True, text=True, check=True).stdout
    return {line.split(": ", 1)[1].strip() for line in listing.splitlines()
            if line.lstrip().startswith("Test ") and ": " in line}


def describe(outcomes):
    counts = [list(outcomes.values()).count(v)
              for v in (PASSED, FAILED, SKIPPED)]
    return "{} passed, {} failed, {} skipped".format(*counts)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, help="a build folder")
    parser.add_argument("arguments", nargs=argparse.REMAINDER,
                        help="arguments of ctest")
    options = parser.parse_args()
    build, arguments = options.build.resolve(), options.arguments
    results = build / "test-results"
    # Results of an earlier run must not be counted.
    shutil.rmtree(results, ignore_errors=True)
    results.mkdir(parents=True)

    suites = labelled("suite", build, arguments)
    simulated = labelled("simulated-gpu", build, arguments)
    junit = results / "ctest.xml"
    process = subprocess.run(
        ["ctest", "--output-on-failure", "--no-tests=error",
         "--test-output-size-failed", "200000",
         "--test-output-truncation", "head",
         "-j", str(os.cpu_count() or 1), *arguments,
         "--output-junit", str(junit)],
        cwd=build)

    outcomes, simulated_outcomes = {}, {}
    try:
        entries = ctest_entries(junit)
    except (OSError, ElementTree.ParseError) as error:
        entries = {}
        outcomes[f"ctest: no results ({error})"] = FAILED
    for entry, value in entries.items():
        added = {entry: value}
        if entry in suites:
            added = read_suite(entry, value, results / f"{entry}.xml")
        outcomes.update(added)
        if entry in simulated:
            simulated_outcomes.update(added)
    if process.returncode and FAILED not in outcomes.values():
        outcomes[f"ctest: ended with status {process.returncode}"] = FAILED

    failures = sorted(n for n, value in outcomes.items() if value == FAILED)
    if failures:
        print("\nFailed:")
        for name in failures:
            print(f"  {name}")
    if simulated_outcomes:
        print(f"\non the simulated CUDA: {describe(simulated_outcomes)}")
    print(f"\n{describe(outcomes)}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
