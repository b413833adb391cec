#!/usr/bin/env bash
# Builds JobMLIR and runs a benchmark beside numpy, PyTorch and JAX, which get the
# virtual environment .venv-peers. What runs depends on the first argument; the
# others go to the program (which has --help).
#
#   scripts/bench.sh                 training steps: benchmarks/bench.py
#   scripts/bench.sh --quick         the same, peers in their best configurations only
#   scripts/bench.sh --against DIR   the same, beside another build of JobMLIR
#   scripts/bench.sh --kernels       single kernels: benchmarks/kernels.py
#   scripts/bench.sh --breakdown     where our time goes: benchmarks/breakdown.py
#   scripts/bench.sh --primitives    oneDNN's part of it: benchmarks/primitives.py
#   scripts/bench.sh --memory        bytes of a step: benchmarks/memory.py
#   scripts/bench.sh --precision     steps in bfloat16: benchmarks/precision.py

set -euo pipefail

program=bench.py
with_peers=1
case "${1:-}" in
  --kernels | --breakdown | --primitives | --memory | --precision)
    program=${1#--}.py
    shift
    ;;
esac
for argument; do
  [[ $argument != --against* ]] || with_peers=
done
[ $program != breakdown.py ] || with_peers=

# g++ compiles what torch.compile generates; the allocators are preloaded.
[ -z "$with_peers" ] ||
  extra_packages=(g++ libtcmalloc-minimal4 libjemalloc2)
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

# All run on the CPU, also where there is a GPU.
export CUDA_VISIBLE_DEVICES=
unset JOBMLIR_CUDA_LIBRARY
export PYTHONPATH="$build/python${PYTHONPATH:+:$PYTHONPATH}"
arguments=()
if [ -n "$with_peers" ]; then
  peers=$root/.venv-peers
  environment "$peers" "$root/benchmarks/requirements.lock"
  arguments+=(--peers "$peers/bin/python")
fi
case $program in
  kernels.py | breakdown.py) arguments+=(--compiler "$build/bin/job-compile") ;;
esac
exec "$root/.venv/bin/python" "$root/benchmarks/$program" "${arguments[@]}" "$@"
