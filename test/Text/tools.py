"""Running the tools on texts, with limits."""

import io
import json
import os
import re
import shutil
import subprocess

import numpy

TIMEOUT = 60
# A step that reads or writes far outside of its buffers ends quickly, one that
# allocates without a limit does not.
MEMORY_BYTES = 16 << 30
DTYPES = {"F32": "f4", "F64": "f8", "BOOL": "?", "I8": "i1", "U8": "u1",
          "I32": "i4", "I64": "i8"}


class ToolError(Exception):
    """A tool that ended with an error message."""


class Crash(Exception):
    """A tool that crashed, hung or failed without a message."""


def limit(command):
    """The command and the environment that limit its memory."""
    environment = dict(os.environ)
    options = environment.get("ASAN_OPTIONS")
    if options is None:
        return ["prlimit", f"--as={MEMORY_BYTES}", *command], environment
    # AddressSanitizer reserves far more addresses than it uses memory.
    environment["ASAN_OPTIONS"] = (
        f"{options}:hard_rss_limit_mb={MEMORY_BYTES >> 20}")
    return command, environment


def tool(*command, timeout=TIMEOUT):
    """Runs a tool; returns what it prints."""
    command = [*map(str, command)]
    limited, environment = limit(command)
    try:
        process = subprocess.run(limited, capture_output=True, text=True,
                                 errors="replace", timeout=timeout,
                                 env=environment)
    except subprocess.TimeoutExpired:
        raise Crash(f"{' '.join(command)}: still running after "
                    f"{timeout} s") from None
    if process.returncode == 0:
        return process.stdout
    text = process.stderr
    if process.returncode == 1 and "error: " in text \
            and "PLEASE submit a bug report" not in text:
        raise ToolError(text)
    raise Crash(f"{' '.join(command)}: status {process.returncode}: "
                f"{text[:3000]}")


def split(text):
    """The elements of a list of passes, by the commas outside of brackets."""
    elements, depth, element = [], 0, ""
    for character in text:
        depth += (character in "({") - (character in ")}")
        if character == "," and depth == 0:
            elements.append(element)
            element = ""
        else:
            element += character
    return elements + [element]


def pipeline_passes(folder):
    """Every pass of the three pipelines in order, as a pipeline of its own."""
    empty = folder / "empty.mlir"
    empty.write_text("")
    process = subprocess.run(
        ["job-opt", str(empty), "--job-train-pipeline", "--job-plan-pipeline",
         "--job-lower-pipeline", "--dump-pass-pipeline"],
        capture_output=True, text=True, check=True)
    text = re.sub(r"\{\s+", "{", process.stderr)
    text = re.sub(r"\n\s*", "", text[text.index("builtin.module("):])
    passes = []
    for element in split(text[len("builtin.module("):text.rindex(")")]):
        nested = re.fullmatch(r"([\w.]+)\((.*)\)", element)
        if not nested:
            passes.append(f"builtin.module({element})")
            continue
        passes += [f"builtin.module({nested[1]}({inner}))"
                   for inner in split(nested[2])]
    return passes


def pass_name(pipeline):
    """The name of the pass of a pipeline of one pass."""
    return re.sub(r"\{.*|\)*$", "", pipeline[pipeline.rindex("(") + 1:]
                  if "{" not in pipeline
                  else pipeline[:pipeline.index("{")].rpartition("(")[2])


def entries(text):
    """The jobs of a text that can be run."""
    jobs = re.findall(r"^ *job\.func @\"?([^\"(]+)\"?\(.*?\bkind (\w+)", text,
                      re.MULTILINE | re.DOTALL)
    return [name for name, kind in jobs if kind != "init"]


def read_files(folder):
    """The contents of every file of a folder."""
    return {str(path.relative_to(folder)): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.suffix in (".npy", ".safetensors")}


def arrays(data, name):
    """The arrays of a file of results, of types that NumPy has."""
    if name.endswith(".npy"):
        yield numpy.load(io.BytesIO(data))
        return
    end = 8 + int.from_bytes(data[:8], "little")
    for key, tensor in sorted(json.loads(data[8:end]).items()):
        if key != "__metadata__" and tensor["dtype"] in DTYPES:
            first, last = tensor["data_offsets"]
            yield numpy.frombuffer(data[end + first:end + last],
                                   DTYPES[tensor["dtype"]])


def run(path, folder, names, options=(), steps=2):
    """Runs jobs of a text; returns what they print and write: losses, outputs
    and variables, all bits of them."""
    shutil.rmtree(folder, ignore_errors=True)
    # job-run makes folders of the jobs' names if there are several.
    inner = "" if len(names) > 1 else names[0]
    out = tool("job-run", path, f"--entry={','.join(names)}",
               f"--steps={steps}", "--json",
               f"--output={folder / 'outputs' / inner}",
               f"--save={folder / 'variables' / inner}", *options)
    results = read_files(folder)
    for name, line in zip(names, out.splitlines()):
        results[f"losses of {name}"] = json.dumps(
            json.loads(line)["loss"]).encode()
    shutil.rmtree(folder, ignore_errors=True)
    return results
