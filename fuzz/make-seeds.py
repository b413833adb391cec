#!/usr/bin/env python3
"""Writes the seed corpora and dictionaries of the fuzz targets.

A folder of small, good files for each target (OUTPUT/fuzz_npy/...), made from
the tests and the examples, and a dictionary where one helps
(OUTPUT/fuzz_mlir.dict). Needs NumPy.
"""

import argparse
import gzip
import io
import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import zlib

import numpy

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOOTER_BYTES = 64
# The type, class and byte order that the reader looks at are in the header.
ELF_HEADER_BYTES = 64
# What the fuzzer works on is small; it combines what it finds in several.
MAX_TEXT_BYTES = 2000
JOBS_PER_FILE = 8

DTYPES = {"BOOL": "?", "I8": "i1", "I32": "<i4", "I64": "<i8", "F32": "<f4",
          "F64": "<f8"}


class Corpus:
    """The folder of one target's seeds."""

    def __init__(self, output, target):
        self.folder = output / target
        self.folder.mkdir(parents=True, exist_ok=True)

    def add(self, name, contents):
        if isinstance(contents, str):
            contents = contents.encode()
        (self.folder / name).write_bytes(contents)


def write_dictionary(path, words):
    """One word a line, as libFuzzer reads it."""
    lines = []
    for word in sorted(set(words)):
        text = "".join(
            chr(byte) if 32 <= byte < 127 and byte not in b'"\\'
            else f"\\x{byte:02x}" for byte in word.encode())
        lines.append(f'"{text}"\n')
    path.write_text("".join(lines))


# Modules --------------------------------------------------------------------


def module_texts():
    """Modules of the tests and examples: (name, text)."""
    files = sorted((ROOT / "test").rglob("*.mlir"))
    files += sorted((ROOT / "examples").glob("*.mlir"))
    for file in files:
        text = file.read_text()
        for number, part in enumerate(re.split(r"(?m)^// -----.*$", text)):
            # Comments are most of a test.
            part = re.sub(r"(?m)^\s*//.*\n?", "", part).strip()
            if part:
                yield f"{file.stem}-{number}", part + "\n"


def shrink(text):
    """The text with smaller extents, so that a compile is quick."""
    return re.sub(r"\b(\d{2,})(?=x)", lambda m: str(int(m[1]) % 7 + 2), text)


def dialect_words():
    """Names of ops, attributes and keywords, from the generated reference."""
    words = {"module", "loc(", "unknown", "#job.", "!job.blob<", "array<i64: ",
             "dense<", " : ", " -> ", "{", "}", "^bb0(", "%0", "%arg0", "@f",
             "kind train", "kind predict", "kind init", "true", "false",
             "9223372036854775807", "-9223372036854775808", "1.0e+308", "0x7fc00000"}
    for dtype in ("f32", "f64", "i1", "i8", "i32", "i64"):
        words |= {dtype, f"!job.blob<1x{dtype}>", f"!job.blob<2x3x{dtype}>"}
    for page in ("JobOps.md", "PlanOps.md"):
        text = (ROOT / "docs" / "generated" / page).read_text()
        words |= set(re.findall(r"`((?:job|plan)\.\w+)`", text))
        words |= set(re.findall(r"#job\.\w+", text))
        words |= {f"{name} = "
                  for name in re.findall(r"<td><code>(\w+)</code></td>", text)}
        for syntax in re.findall(r"(?s)operation ::= (.*?)```", text):
            words |= set(re.findall(r"`([\w-]{2,})`", syntax))
    return words


def make_mlir(output):
    corpus = Corpus(output, "fuzz_mlir")
    for name, text in module_texts():
        if len(text) > MAX_TEXT_BYTES:
            text = shrink(text)
            # Too long a module still has good parts.
            if len(text) > 3 * MAX_TEXT_BYTES:
                continue
        corpus.add(f"{name}.mlir", text)
    write_dictionary(output / "fuzz_mlir.dict", dialect_words())


# Artifacts ------------------------------------------------------------------


def compiled(bin_folder, source):
    """The bytes of an artifact; None when the module is not for compiling."""
    with tempfile.TemporaryDirectory() as folder:
        text = pathlib.Path(folder) / "module.mlir"
        text.write_text(source)
        path = pathlib.Path(folder) / "module.so"
        process = subprocess.run(
            [bin_folder / "job-compile", text, "-o", path],
            capture_output=True)
        return path.read_bytes() if process.returncode == 0 else None


def single_jobs(stem):
    """Modules of one job each, with its variables: (name, text)."""
    text = (ROOT / "test" / "Execute" / "Inputs" / "ops"
            / f"{stem}.mlir").read_text()
    variables = {
        name: line for line, name in re.findall(
            r'(?m)^(job\.variable (@"[^"]+").*)$', text)}
    jobs = re.findall(r"(?ms)^job\.func @(\w+).*?^}$", text)
    bodies = re.findall(r"(?ms)^job\.func .*?^}$", text)
    for name, body in list(zip(jobs, bodies))[:JOBS_PER_FILE]:
        used = dict.fromkeys(re.findall(r'@"[^"]+"', body))
        lines = [variables[variable] for variable in used]
        yield name, "\n".join(lines + [body]) + "\n"


def mixed_manifest(version):
    """A job on the processor and a GPU, with a variable on each."""
    def copy(source, target, queue):
        return {"op": "copy", "queue": queue, "args": [source, target]}

    rows = ["arena@1", 0, 64, 64]
    entry = {
        "name": "job", "kind": "predict", "result_structure": "0",
        "inputs": [{"name": "x", "shape": [32], "dtype": "f32", "offset": 0}],
        "outputs": [{"name": "y", "shape": [32], "dtype": "f32", "offset": 0}],
        "input_bytes": 128, "output_bytes": 128, "arena_bytes": 128,
        "workspace_bytes": 0, "arena_lower_bound": 128,
        "spaces": [{"device": 1, "arena_bytes": 128, "workspace_bytes": 0,
                    "arena_lower_bound": 128}],
        "commands": [
            copy(["input", 0, 128], ["arena@1", 0, 128], 1),
            {"op": "dispatch", "queue": 1, "kernel": "k0", "threads": 32,
             "flops": 32, "args": [["arena@1", 0, 128], ["bank@1", 0, 128]],
             "reads": [0, 1], "writes": [0]},
            {"op": "repeat", "count": 2, "commands": [
                copy(rows, ["arena", 0, 64, 64], 1),
                {"op": "dispatch", "kernel": 0, "flops": 16,
                 "args": [["arena", 0, 64, 64], ["bank", 0, 64]],
                 "reads": [0, 1], "writes": [0]}]},
            copy(["arena", 0, 128], ["output", 0, 128], 0)]}
    init = dict(entry, name="jobmlir_init", kind="init", outputs=[],
                result_structure="null", commands=[])
    init["inputs"] = [{"name": "seed", "shape": [1], "dtype": "i64", "offset": 0}]
    return {
        "format": version, "compiler": "jobmlir", "interface": "0",
        "target": {"triple": "x86_64-pc-linux-gnu", "cpu": "x", "features": []},
        "devices": [{"name": "cpu0", "kind": "host", "queues": 1},
                    {"name": "gpu0", "kind": "cuda", "queues": 1, "index": 0}],
        "code": [{"target": "sm_90", "symbol": "code", "bytes": 64}],
        "bank_bytes": 64, "banks": [{"device": 1, "bytes": 128}],
        "constants_bytes": 0, "locations": [],
        "variables": [
            {"name": "a", "shape": [16], "dtype": "f32", "offset": 0,
             "trainable": True, "location": -1},
            {"name": "b", "shape": [32], "dtype": "f32", "offset": 0,
             "trainable": True, "location": -1, "device": 1}],
        "entries": [init, entry]}


def make_artifact(elf, manifest, version):
    """A container with these parts."""
    footer = struct.pack(
        "<8sIIQQII20x", b"JOBMLIR\0", version, 0, len(elf), len(manifest),
        zlib.crc32(elf), zlib.crc32(manifest))
    return elf + manifest + footer + struct.pack("<I", zlib.crc32(footer))


def make_artifacts(output, bin_folder):
    containers = Corpus(output, "fuzz_artifact")
    manifests = Corpus(output, "fuzz_manifest")
    words = {'"onednn.matmul"', '"onednn.conv2d"', '"host.attention"',
             '"host.attention_grad"', "-1", "0", "16384", "2147483647",
             "2147483648", "4294967296", "281474976710656",
             "1152921504606846976", "9223372036854775807",
             "18446744073709551615", "1e39", "1e400", "\\u0000", '"arena@1"',
             '"bank@1"', '"constant@1"', '"workspace@1"', '"banks"',
             '"spaces"', '"device"', '"cuda"'}
    sources = [(path.stem, path.read_text())
               for path in sorted((ROOT / "examples").glob("*.mlir"))]
    sources += [(path.stem, path.read_text()) for path in sorted(
        (ROOT / "test" / "Tools" / "Inputs").glob("*.mlir"))]
    # Each library call, and loops of micro-steps, in manifests that are not too long.
    for stem in ("attention", "conv", "matmul", "micro-steps"):
        sources += single_jobs(stem)
    for name, source in sources:
        artifact = compiled(bin_folder, source)
        if artifact is None:
            continue
        version, = struct.unpack_from("<I", artifact, len(artifact) - 56)
        elf_bytes, = struct.unpack_from("<Q", artifact, len(artifact) - 48)
        manifest = artifact[elf_bytes:-FOOTER_BYTES]
        words |= {json.dumps(word) for word in re.findall(
            r'"([\w.]+)"', manifest.decode())}
        if len(manifest) < 8 * MAX_TEXT_BYTES:
            manifests.add(f"{name}.json", manifest)
            containers.add(f"{name}.so", make_artifact(
                artifact[:ELF_HEADER_BYTES], manifest, version))
        containers.add(f"{name}-empty.so", make_artifact(
            artifact[:ELF_HEADER_BYTES], b"{}", version))
    if not any(manifests.folder.iterdir()):
        sys.exit("make-seeds.py: expects some modules that compile but got none")
    manifests.add("mixed.json", json.dumps(mixed_manifest(version)))
    write_dictionary(output / "fuzz_manifest.dict", words)


# Arrays and checkpoints -----------------------------------------------------


def make_npy(output):
    corpus = Corpus(output, "fuzz_npy")
    for name, dtype in DTYPES.items():
        for shape in ((), (0,), (3,), (2, 3)):
            stream = io.BytesIO()
            numpy.save(stream, numpy.ones(shape, dtype))
            rank = len(shape)
            corpus.add(f"{name}-{rank}-{sum(shape)}.npy", stream.getvalue())
    for name, array in (
            ("fortran", numpy.asfortranarray(numpy.ones((2, 3), "<f4"))),
            ("big", numpy.ones(3, ">f4")),
            ("fields", numpy.zeros(2, [("a", "<f4"), ("b", "<i4")]))):
        stream = io.BytesIO()
        numpy.save(stream, array)
        corpus.add(f"{name}.npy", stream.getvalue())
    stream = io.BytesIO()
    numpy.lib.format.write_array(stream, numpy.ones(3, "<f4"), version=(2, 0))
    corpus.add("version2.npy", stream.getvalue())
    write_dictionary(output / "fuzz_npy.dict", [
        "'descr': ", "'fortran_order': ", "'shape': ", "(3, 4)", "True",
        "False", "4L", "'<f4'", "'>f8'", "'|b1'", "9223372036854775807"])


def make_idx(output):
    corpus = Corpus(output, "fuzz_idx")
    for shape in ((3,), (2, 3), (0,), (2, 4, 5)):
        count = int(numpy.prod(shape))
        plain = (struct.pack(f">BBBB{len(shape)}I", 0, 0, 8, len(shape), *shape)
                 + bytes(range(count)))
        name = "x".join(map(str, shape))
        corpus.add(f"{name}.idx", plain)
        corpus.add(f"{name}.idx.gz", gzip.compress(plain, mtime=0))
    # Two members one after the other are one stream.
    corpus.add("members.idx.gz", gzip.compress(plain[:9], mtime=0)
               + gzip.compress(plain[9:], mtime=0))


def safetensors(tensors):
    header, data = {"__metadata__": {"format": "np"}}, b""
    for name, (dtype, shape, contents) in tensors.items():
        header[name] = {"dtype": dtype, "shape": shape,
                        "data_offsets": [len(data), len(data) + len(contents)]}
        data += contents
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def make_checkpoints(output):
    corpus = Corpus(output, "fuzz_safetensors")
    tensors = {
        name.lower(): (name, [2, 3],
                       numpy.ones((2, 3), dtype).tobytes())
        for name, dtype in DTYPES.items()}
    corpus.add("all.safetensors", safetensors(tensors))
    for name, tensor in tensors.items():
        corpus.add(f"{name}.safetensors", safetensors({name: tensor}))
    corpus.add("none.safetensors", safetensors({}))
    corpus.add("other.safetensors", safetensors(
        {"half": ("BF16", [3], bytes(6)), "empty": ("F32", [0, 4], b"")}))
    words = [json.dumps(word) for word in (
        "dtype", "shape", "data_offsets", "__metadata__", "BF16", "U8",
        *DTYPES)] + ["[0,0]", "[2,3]", "9223372036854775807"]
    write_dictionary(output / "fuzz_safetensors.dict", words)

    corpus = Corpus(output, "fuzz_checkpoint")
    # The data that Checkpoint.cpp puts beside the manifest.
    header = json.dumps({
        "mask": {"data_offsets": [0, 7], "dtype": "BOOL", "shape": [7]},
        "weight": {"data_offsets": [7, 31], "dtype": "F32", "shape": [2, 3]}},
        separators=(",", ":")).encode()
    header += b" " * (-(8 + len(header)) % 64)
    data = struct.pack("<Q", len(header)) + header + bytes(31)
    manifest = {"format": 1, "compiler": "jobmlir", "crc32": zlib.crc32(data),
                "file": "variables.safetensors", "bytes": len(data)}
    # The first byte chooses the layout.
    corpus.add("manifest.json", b"\0" + json.dumps(manifest).encode())
    corpus.add("folders", b"\1\7" + bytes([0, 1, 0, 1, 1, 0, 0]) + bytes(24))
    checksums = {"format": 1, "files": {
        f"{name}/out": {"bytes": size, "crc32": zlib.crc32(bytes(size))}
        for name, size in (("mask", 7), ("weight", 24))}}
    corpus.add("checksums.json", b"\2" + json.dumps(checksums).encode())
    write_dictionary(output / "fuzz_checkpoint.dict",
                     [json.dumps(word) for word in (*manifest, "files")]
                     + ['"variables.safetensors"', '"mask/out"', '"weight/out"'])


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path, help="the folder with job-compile")
    parser.add_argument("output", type=pathlib.Path,
                        help="the folder to write into")
    options = parser.parse_args()
    bin_folder, output = options.bin.resolve(), options.output
    output.mkdir(parents=True, exist_ok=True)
    make_npy(output)
    make_idx(output)
    make_checkpoints(output)
    make_mlir(output)
    make_artifacts(output, bin_folder)


if __name__ == "__main__":
    main()
