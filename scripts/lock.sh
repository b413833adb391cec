#!/usr/bin/env bash
# Writes the locks: each list of Python packages with all that they need in turn,
# in one version and with the hashes of its files. Run it when a list has changed;
# versions that a lock has stay, unless --upgrade is given.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# lock <list> [options]: <list>.lock from <list>.txt, for Debian's Python. No name
# of a registry is written: where packages come from is a setting of the machine.
lock() {
  .venv/bin/uv pip compile --quiet --python-version 3.11 --generate-hashes \
    --no-emit-index-url --no-emit-find-links --no-annotate \
    --custom-compile-command scripts/lock.sh \
    --output-file "$1.lock" "${@:2}" "$1.txt"
}
lock scripts/requirements "$@"
lock scripts/requirements-ptxas --no-deps "$@"
lock benchmarks/requirements "$@"
