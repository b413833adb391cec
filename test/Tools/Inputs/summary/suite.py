"""A suite of tests that ends as its argument says."""

import os
import sys

fate = sys.argv[1]
CASES = {
    "good": '<testcase classname="A" name="x"/><testcase classname="A" name="y">'
            '<skipped message="no reason"/></testcase>',
    "failing": '<testcase classname="A" name="x"/><testcase classname="A" name="y">'
               '<failure message="wrong"/></testcase>',
    "crash_after": '<testcase classname="A" name="x"/>',
    "garbage": '<testcase classname="A" name=',
    "empty": "",
    # A test that fails and whose tear-down fails, too.
    "twice": '<testcase classname="A" name="x"><failure message="wrong"/></testcase>'
             '<testcase classname="A" name="x"><error message="tear-down"/></testcase>',
}
if fate in CASES:
    with open(f"test-results/suite.{fate}.xml", "w") as file:
        file.write(f"<testsuites><testsuite>{CASES[fate]}</testsuite></testsuites>")
if fate.startswith("crash"):
    os.abort()
sys.exit(fate in ("failing", "twice"))
