#!/usr/bin/env python3
"""Runs job-opt on bytecode that is cut off and on bytes that are no IR.

    damage.py BYTECODE WORK-FOLDER [CUTS]

Each must end with status 1 and an error that names the file. A wrong byte in a
file of the right length is not tried: bytecode has no checksum, and MLIR's
reader asks for more memory than there is when a wrong count tells it to.
"""

import pathlib
import random
import subprocess
import sys

SEED = 1


def cases(data, cuts):
    rng = random.Random(SEED)
    yield "the magic number alone", data[:4]
    yield "random bytes", bytes(rng.randrange(256) for _ in range(1000))
    yield "an ELF header", b"\x7fELF" + bytes(60)
    for index in range(cuts):
        # Less than the magic number would be text.
        end = 4 + (len(data) - 4) * index // cuts
        yield f"cut off at byte {end}", data[:end]


def main():
    data = pathlib.Path(sys.argv[1]).read_bytes()
    path = pathlib.Path(sys.argv[2]) / "damaged.mlirbc"
    cuts = int(sys.argv[3]) if len(sys.argv) > 3 else 60
    print(f"seed {SEED}, {len(data)} bytes, {cuts} cuts")
    failed = 0
    for name, content in cases(data, cuts):
        path.write_bytes(content)
        process = subprocess.run(["job-opt", str(path), "-o", "/dev/null"],
                                 capture_output=True, timeout=60)
        message = process.stderr.decode(errors="replace")
        if (process.returncode != 1 or "error:" not in message
                or "damaged.mlirbc" not in message):
            failed += 1
            print(f"{name}: status {process.returncode}: {message[:2000]}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
