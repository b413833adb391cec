#!/usr/bin/env python3
"""Runs a program of GoogleTest, and tells which of its tests have been skipped.

    run_tests.py PROGRAM [--filter PATTERN] [--json FILE]

Prints what the program prints, and one line of counts. Status 1 where a test fails,
or none has been run. FILE gets the names of skipped tests, with the reasons.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--filter", default="*")
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "results.json"
        process = subprocess.Popen(
            [arguments.program, f"--gtest_filter={arguments.filter}",
             f"--gtest_output=json:{path}"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        # The reason of a skipped test is in the lines before it, not in the file.
        reasons, said = {}, []
        for line in process.stdout:
            print(line, end="", flush=True)
            skipped = re.match(r"\[  SKIPPED \] (\S+) \(", line)
            if skipped:
                reasons[skipped[1]] = " ".join(said)
            said = [] if re.match(r"\[|.*: Skipped$", line) else [*said, line.strip()]
        status = process.wait()
        try:
            suites = json.loads(path.read_text())["testsuites"]
        except (OSError, ValueError):
            print(f"ended with status {status} before the end of its tests")
            return 1
    tests = [(f"{suite['name']}.{test['name']}", test)
             for suite in suites for test in suite["testsuite"]
             if test["status"] == "RUN"]
    failed = [name for name, test in tests if "failures" in test]
    skipped = {name: reasons.get(name, "") for name, test in tests
               if test["result"] == "SKIPPED"}
    passed = len(tests) - len(failed) - len(skipped)
    if arguments.json:
        arguments.json.write_text(json.dumps({"skipped": skipped}))
    for name in failed:
        print(f"failed: {name}")
    print(f"{passed} passed, {len(failed)} failed, {len(skipped)} skipped")
    return 1 if failed or status or not tests else 0


if __name__ == "__main__":
    sys.exit(main())
