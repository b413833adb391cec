#!/usr/bin/env python3
"""Lets the vendor's cuDNN prepare the calls of the benchmarks' training steps.

    vendor_plans.py FOLDER ROW...

Compiles rows of benchmarks/gpu_rows.py as they are measured, and asks the
library for each of their calls with jobrt_vendor_plans, which needs no GPU.
Prints the number of calls of each step that it can run, and its errors.
"""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
for folder in ("benchmarks", "scripts/gpu"):
    sys.path.insert(0, str(ROOT / folder))

import gpu_rows
import pack


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    failed = False
    for row in map(gpu_rows.find, sys.argv[2:]):
        module, artifact = folder / f"{row.name}.mlir", folder / f"{row.name}.so"
        pack.write_row(row, "gpu", module)
        # PTX, which takes no assembler: the calls are what counts.
        pack.compile_module(module, artifact, "--gpu-target=compute_90",
                            *pack.PRECISIONS[row.precision])
        done = subprocess.run(["jobrt_vendor_plans", str(artifact)],
                              capture_output=True, text=True)
        lines = done.stdout.splitlines()
        errors = [line for line in lines if ": engine " not in line]
        failed |= done.returncode != 0 or bool(errors)
        print(f"{row.name}: {len(lines) - len(errors)} calls")
        print("\n".join(errors) + done.stderr, end="")
    return failed


if __name__ == "__main__":
    sys.exit(main())
