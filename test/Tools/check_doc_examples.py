#!/usr/bin/env python3
"""Checks the generated documentation of the dialects and passes.

    check_doc_examples.py DOCS-FOLDER WORK-FOLDER

Every op, attribute and type has a summary, a description and an example, every
pass and interface a description, every enum a summary. Every example is parsed
and verified by job-opt (from PATH): an op stands in a job or a program, its
operands are defined there out of nothing. Their types are not guessed:
each starts with a type that fits nowhere, and job-opt says which one is wanted.
Examples of kernels are compiled by job-compile (from PATH) to an artifact.
"""

import collections
import pathlib
import re
import subprocess
import sys

Entry = collections.namedtuple("Entry", "file section name summary text examples")

SEPARATOR = "// -----"

# Ops that stand in a module.
MODULE_LEVEL = {"job.func", "job.variable", "plan.communicator", "plan.constant", "plan.device",
                "plan.executable", "plan.program", "plan.variable", "plan.variant"}

# Ops whose examples are compiled as well: they have code.
COMPILED = {"plan.executable", "plan.variant"}
# What they are compiled with: a module without programs has no artifact.
PROGRAM = "plan.program @example kind predict {\nplan.return\n}\n"

# Ops that stand in the body of a kernel: what is around their example.
AROUND = {
    "plan.check": '''#map = affine_map<(d0) -> (d0)>
func.func @example(%values: tensor<4xf32>) {{
linalg.generic {{indexing_maps = [#map], iterator_types = ["parallel"]}}
    ins(%values : tensor<4xf32>) {{
^bb0(%x: f32):
{}linalg.yield
}}
return
}}
''',
}

# What an example refers to by symbol.
CONTEXT = {
    "job.minimize": (
        "job.variable @scale : !job.blob<1xf32> init #job.constant_init<65536.0>"
        " {trainable = false}\n"
        "job.variable @good_steps : !job.blob<1xi64> init #job.constant_init<0.0>"
        " {trainable = false}\n"
        "job.variable @weight : !job.blob<10x512xf32> init #job.constant_init<0.0>"),
    "job.read": "job.variable @weight : !job.blob<10x512xf32> init #job.constant_init<0.0>",
    "job.assign": "job.variable @weight : !job.blob<10x512xf32> init #job.constant_init<0.0>",
    "job.update": "job.variable @weight : !job.blob<10x512xf32> init #job.constant_init<0.0>",
    "plan.get_variable": "plan.variable @weight : memref<10x512xf32, #variables>",
    "plan.get_constant": "plan.constant @table dense<0.0> : tensor<2xf32>",
    "plan.dispatch": "plan.executable @relu {}\nplan.executable @random {}\nplan.executable @negate {}\nplan.executable @count {}\nplan.executable @log {}",
    "plan.repeat": "plan.executable @relu {}",
    "plan.collective": "plan.communicator @world ranks(4)",
}

# The names that printed text gives to spaces.
SPACES = "".join(f"#{role} = #plan.space<{role}>\n" for role in (
    "arena", "variables", "constants", "inputs", "outputs", "workspace"))

# A type for operands that no op takes, by dialect.
UNKNOWN = {"job": "!job.blob<7x7x7x7x7x7x7xi8>",
           "plan": "memref<7x7x7x7x7x7x7xi8, #plan.space<arena>>"}

# The parts of an entry that come after its description.
END_OF_TEXT = re.compile(
    r"^(Traits:|Interfaces:|Effects:|#### |### |Enum cases:|Syntax:)")


def read_entries(path):
    """The entries of one page: each ### below a ##."""
    section, entries, lines = None, [], None
    in_code = False
    for line in path.read_text().splitlines():
        if line.startswith("```"):
            in_code = not in_code
        if not in_code and line.startswith("## "):
            section, lines = line[3:], None
            # The interfaces have no level of their own.
            if path.name == "JobInterfaces.md":
                lines = []
                entries.append((section.split()[0], "Interfaces", lines))
        elif (not in_code and line.startswith("### ")
              and path.name != "JobInterfaces.md"):
            lines = []
            entries.append((line[4:].split()[0].strip("`"), section, lines))
        elif lines is not None:
            lines.append(line)
    return [make_entry(path.name, section, name, lines)
            for name, section, lines in entries]


def make_entry(file, section, name, lines):
    body = "\n".join(lines)
    summary = re.match(r"\s*_(.+)_\n", body + "\n")
    rest = body[summary.end():] if summary else body
    # The syntax block that TableGen writes is not the author's.
    rest = re.sub(r"^\s*Syntax:\n\n```\n.*?\n```\n", "", rest, flags=re.S)
    rest = re.sub(r"^\s*Syntax: `.*`\n", "", rest)
    examples = re.findall(r"^```mlir\n(.*?)^```", rest, flags=re.S | re.M)
    text, in_code = [], False
    for line in rest.splitlines():
        if line.startswith("```"):
            in_code = not in_code
        elif not in_code:
            if END_OF_TEXT.match(line):
                break
            text.append(line)
    text = " ".join(text).replace("Example:", "").strip()
    return Entry(file, section, name, summary and summary.group(1), text, examples)


def complaints(entry):
    """What the entry lacks."""
    where = f"{entry.file}: {entry.name}"
    if entry.section != "Interfaces" and not entry.summary:
        yield f"{where}: no summary"
    if entry.section != "Enums" and not entry.text:
        yield f"{where}: no description"
    if entry.section in ("Operations", "Attributes", "Types") and not entry.examples:
        yield f"{where}: no example"
    if "```mlir" in entry.text or "    Example" in entry.text:
        yield f"{where}: an example that is not recognised (is it indented?)"


def operands(example):
    """The values that the example uses and does not define."""
    code = re.sub(r'"[^"]*"', "", example)
    defined = {name for results in
               re.findall(r"((?:%\w+(?::\d+)?\s*,\s*)*%\w+)(?::\d+)?\s*=", code)
               for name in re.findall(r"%\w+", results)}
    defined |= set(re.findall(r"(%\w+)\s*:\s", code.split("kind")[0])
                   if code.startswith("job.func") else [])
    for arguments in re.findall(r"^\s*\^\w+\((.*)\):$", code, flags=re.M):
        defined |= set(re.findall(r"%\w+", arguments))
    used = dict.fromkeys(re.findall(r"%\w+", code))
    return [name for name in used if name not in defined]


def wrap(entry, example, types):
    """A module with the example, as text."""
    return SPACES + wrap_op(entry, example, types)


def source_of(entry, name, type_):
    """What defines an operand."""
    if not entry.name.startswith("plan."):
        return f"builtin.unrealized_conversion_cast to {type_}"
    # A program holds nothing but commands and buffers.
    role = re.search(r"#plan\.space<(\w+)>", type_)[1]
    if role in ("inputs", "outputs"):
        return f'plan.{role[:-1]} 0 "{name[1:]}" : {type_}'
    return f"plan.alloc : {type_}"


def wrap_op(entry, example, types):
    if entry.section in ("Attributes", "Types"):
        return f"builtin.module attributes {{job.example = {example.strip()}}} {{}}\n"
    if entry.name in MODULE_LEVEL:
        return example
    if entry.name in AROUND:
        return AROUND[entry.name].format(example)
    body = "".join(f"{name} = {source_of(entry, name, types[name])}\n"
                   for name in types)
    body += example
    trailing = example.rsplit(" : ", 1)[-1].strip()
    if entry.name == "job.return":
        return f"job.func @example() -> ({trailing}) kind predict {{\n{body}}}\n"
    if entry.name == "job.yield":
        body = f"%results = job.kernel() -> ({trailing}) {{\n{body}}}\n"
    if entry.name.startswith("plan."):
        end = "" if entry.name == "plan.return" else "plan.return\n"
        text = f"plan.program @example kind train {{\n{body}{end}}}\n"
    else:
        text = f"job.func @example() kind train {{\n{body}job.return\n}}\n"
    return CONTEXT.get(entry.name, "") + "\n" + text


def check_code(entries, work):
    """Complaints about examples of kernels that do not become code."""
    found = []
    path = work / "executable.mlir"
    for entry in entries:
        if entry.name not in COMPILED:
            continue
        for example in entry.examples:
            path.write_text(example + PROGRAM)
            process = subprocess.run(
                ["job-compile", str(path), "-o", str(work / "executable.so")],
                capture_output=True, text=True)
            if process.returncode != 0:
                errors = re.findall("error: (.*)", process.stderr)
                found.append(f"{entry.file}: {entry.name}: the example does not "
                             f"compile: {(errors or [process.stderr])[0]}")
    return found


def run(chunks, path):
    """Runs job-opt on all chunks; gives the errors of each, and the whole
    output when errors could not be placed."""
    text, first_lines = "", []
    for chunk in chunks:
        first_lines.append(text.count("\n") + 1)
        text += chunk.rstrip("\n") + f"\n\n{SEPARATOR}\n\n"
    path.write_text(text)
    process = subprocess.run(
        ["job-opt", str(path), "--split-input-file", "-o", "/dev/null"],
        capture_output=True, text=True)
    errors = [[] for _ in chunks]
    pattern = re.compile(re.escape(str(path)) + r":(\d+):\d+: error: (.*)")
    found = pattern.findall(process.stderr)
    for line, message in found:
        index = max(i for i, first in enumerate(first_lines) if first <= int(line))
        errors[index].append(message)
    broken = process.returncode != 0 and not found
    return errors, process.stderr if broken or process.returncode < 0 else None


def check_examples(entries, work):
    """Complaints about examples that job-opt refuses."""
    cases = [(entry, example, {name: UNKNOWN[entry.name.split(".")[0]]
                               for name in operands(example)}
              if entry.section == "Operations" else {})
             for entry in entries for example in entry.examples
             if entry.section in ("Operations", "Attributes", "Types")]
    print(f"{len(cases)} examples")
    wanted = re.compile(
        r"use of value '(%\w+)' expects different type than prior uses: '(.+)' vs ")
    while True:
        errors, broken = run([wrap(*case) for case in cases], work / "examples.mlir")
        if broken is not None:
            return [f"job-opt failed: {broken}"]
        progress = False
        for (_, _, types), messages in zip(cases, errors):
            for message in messages:
                match = wanted.match(message)
                if match and types.get(match[1]) in UNKNOWN.values():
                    types[match[1]] = match[2]
                    progress = True
        if not progress:
            break
    return [f"{entry.file}: {entry.name}: the example is refused: {message}"
            for (entry, _, _), messages in zip(cases, errors)
            for message in messages]


def main():
    docs, work = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    work.mkdir(parents=True, exist_ok=True)
    entries = [entry for path in sorted(docs.glob("*.md"))
               for entry in read_entries(path)]
    print(f"{len(entries)} entries")
    found = [text for entry in entries for text in complaints(entry)]
    found += check_examples(entries, work)
    found += check_code(entries, work)
    for text in found:
        print(text)
    if not entries:
        print("no entries")
    return 1 if found or not entries else 0


if __name__ == "__main__":
    sys.exit(main())
