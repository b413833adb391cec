"""Runs the examples of docs/passes.md.

Every pass of ours has a section `### name` with one example or more: the module
in a block `mlir`, the command in a block `sh`, and what comes out in a block
`mlir` (the module) or `text` (messages without their places, or standard
output with `-o /dev/null`). A line `...` in the output stands for any lines.

    check_pass_examples.py docs/passes.md           compares
    check_pass_examples.py docs/passes.md --write   writes the outputs anew, but
                                                    for those with a line `...`
"""

import argparse
import difflib
import re
import shlex
import subprocess
import sys

OURS = re.compile(r"^\s+--((?:job|plan|convert-job)-[a-z-]+)\s", re.MULTILINE)
SECTION = re.compile(r"^### (\S+)$", re.MULTILINE)
EXAMPLE = re.compile(
    r"```mlir\n(?P<before>.*?)```\n+```sh\n(?P<command>.*?)```\n+"
    r"```(?P<kind>mlir|text)\n(?P<after>.*?)```",
    re.DOTALL,
)
MESSAGE = re.compile(r"^[^\s:][^:]*(?::\d+:\d+|:0)?: ((?:error|remark|note): .*)$")


def list_passes():
    help_text = subprocess.run(
        ["job-opt", "--list-passes"], capture_output=True, text=True, check=True
    ).stdout
    names = set(OURS.findall(help_text))
    return sorted(name for name in names if not name.endswith("-pipeline"))


def run(before, command, kind):
    """The output as the page shows it."""
    words = shlex.split(command)
    if words[0] != "job-opt":
        raise SystemExit(f"expects a command of job-opt but got {command!r}")
    done = subprocess.run(words, input=before, capture_output=True, text=True)
    if kind == "mlir":
        if done.returncode != 0:
            raise SystemExit(f"{command.strip()}: failed\n{done.stderr}")
        # The module's braces say nothing that the page needs.
        lines = done.stdout.rstrip().splitlines()
        if lines and lines[0] == "module {":
            lines = [line.removeprefix("  ") for line in lines[1:-1]]
        return lines
    if "/dev/null" in words:
        messages = done.stdout.splitlines()
        if not messages:
            # --explain writes beside the module.
            messages = [
                re.sub(r"^<stdin>:\d+:\d+: ", "", line)
                for line in done.stderr.splitlines()
            ]
        return messages
    return [m[1] for line in done.stderr.splitlines() if (m := MESSAGE.match(line))]


def matches(expected, lines):
    """Whether the lines are the expected ones, where `...` is any lines."""
    if not expected:
        return not lines
    if expected[0] == "...":
        return any(matches(expected[1:], lines[i:]) for i in range(len(lines) + 1))
    return bool(lines) and expected[0] == lines[0] and matches(expected[1:], lines[1:])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    with open(arguments.page, encoding="utf-8") as file:
        page = file.read()

    failures = []
    starts = [(m.start(), m[1]) for m in SECTION.finditer(page)]
    ends = [start for start, _ in starts[1:]] + [len(page)]
    sections = {name: page[start:end] for (start, name), end in zip(starts, ends)}
    passes = list_passes()
    for name in passes:
        section = sections.get(name)
        if section is None:
            failures.append(f"expects a section for {name}")
        elif not any(f"--{name}" in m["command"] for m in EXAMPLE.finditer(section)):
            failures.append(f"expects an example of --{name} in its section")
    for name in sections:
        if name not in passes:
            failures.append(f"expects a pass but got the section {name}")

    count = 0

    def check(match):
        nonlocal count
        count += 1
        expected = match["after"].splitlines()
        lines = run(match["before"], match["command"], match["kind"])
        if matches(expected, lines):
            return match[0]
        if arguments.write and "..." not in expected:
            text = "".join(line + "\n" for line in lines)
            return match[0][: match.start("after") - match.start()] + text + "```"
        difference = "\n".join(difflib.unified_diff(expected, lines, lineterm=""))
        failures.append(f"{match['command'].strip()}:\n{difference}")
        return match[0]

    new_page = EXAMPLE.sub(check, page)
    if arguments.write and new_page != page:
        with open(arguments.page, "w", encoding="utf-8") as file:
            file.write(new_page)
    for failure in failures:
        print(failure)
    print(f"{len(passes)} passes, {count} examples, {len(failures)} failures")
    sys.exit(bool(failures))


main()
