"""Trains a job on the host and on the GPU, and compares the losses.

    compare_losses.py MODULE.mlir --steps N --tolerance RELATIVE [options of job-run]

Prints the largest relative difference, and the calls of libraries on the GPU:
how many commands call each function with which algorithm.
"""

import argparse
import collections
import json
import subprocess
import sys


def run(module, steps, device, options):
    command = ["job-run", module, f"--steps={steps}", f"--device={device}",
               "--init=1", "--json", *options]
    return json.loads(subprocess.run(command, check=True,
                                     stdout=subprocess.PIPE).stdout)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("module")
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--tolerance", type=float, required=True)
    arguments, options = parser.parse_known_args()
    host, gpu = (run(arguments.module, arguments.steps, device, options)
                 for device in ("host", "cuda"))
    largest = max(abs(got - expected) / abs(expected)
                  for got, expected in zip(gpu["loss"], host["loss"],
                                           strict=True))
    print(f"largest relative difference of {arguments.steps} losses: "
          f"{largest:.2e}")
    calls = collections.Counter((call["callee"], call["algorithm"])
                                for call in gpu.get("calls", []))
    for (callee, algorithm), count in sorted(calls.items()):
        print(f"{count} calls of {callee}: {algorithm}")
    if not largest <= arguments.tolerance:
        sys.exit(f"expects at most {arguments.tolerance}")


if __name__ == "__main__":
    main()
