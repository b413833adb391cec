#!/usr/bin/env bash
# Installs, builds and runs the benchmarks beside PyTorch and JAX, which get the
# virtual environment .venv-peers. Arguments go to benchmarks/bench.py or, behind
# a first --memory, to benchmarks/memory.py.

set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

peers=$root/.venv-peers
if ! cmp -s "$root/benchmarks/requirements.txt" "$peers/requirements.stamp"; then
  echo "installing PyTorch and JAX into .venv-peers"
  [ -x "$peers/bin/python" ] || /usr/bin/python3 -m venv "$peers"
  "$peers/bin/pip" install --quiet --disable-pip-version-check \
    -r "$root/benchmarks/requirements.txt"
  cp "$root/benchmarks/requirements.txt" "$peers/requirements.stamp"
fi

export PYTHONPATH="$build/python${PYTHONPATH:+:$PYTHONPATH}"
program=bench.py
if [ "${1:-}" = --memory ]; then
  program=memory.py
  shift
fi
exec "$root/.venv/bin/python" "$root/benchmarks/$program" \
  --peers "$peers/bin/python" "$@"
