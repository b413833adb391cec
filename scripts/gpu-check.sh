#!/usr/bin/env bash
# Checks and measures on a GPU, in a folder that gpu-pack.sh has made.
#
#   gpu-check.sh [--stage build|check|sanitize|bench]...
#
# Without a stage, all of them. A stage takes 8 minutes at most; one that has not
# ended by then says so and goes on where it was when it is run again. Results
# are in results/, one file for each unit, results/summary.json for all and
# results/gpu-results.md as docs/gpu-results.md; the last lines are a table. The
# status is 1 where something failed, 2 where a stage has not ended.
#
#   build     the runtime, its tests, the package jobmlir_runtime
#   check     conformance, the driver's tests, every table of ops, every model
#   sanitize  the tables of ops under compute-sanitizer: memcheck, racecheck
#   bench     training steps beside PyTorch and JAX (src/benchmarks/bench_gpu.py)
#
# Needs the CUDA toolkit, cmake, ninja, g++, Python with numpy, pybind11 and
# ml_dtypes. cuDNN, NCCL and cuBLASLt are looked for in the packages of that Python
# too (nvidia/cudnn/lib, nvidia/nccl/lib, as PyTorch has them). JOBMLIR_GPU=simulated
# runs the same on the simulated CUDA, which needs Boost.Context and no GPU, with
# peers on the CPU. JOBMLIR_PYTHON is the interpreter (python3), JOBMLIR_PEERS the one
# with PyTorch and JAX (the same).

set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$root"
python=${JOBMLIR_PYTHON:-python3}
build=$root/build results=$root/results
gpu=${JOBMLIR_GPU:-sm_90}
stages=()
while (($#)); do
  case "$1 ${2-}" in
  "--stage build" | "--stage check" | "--stage sanitize" | "--stage bench") stages+=("$2") ;;
  *)
    sed -n '2,/^$/{s/^# \{0,1\}//;p}' "$0" >&2
    exit 2
    ;;
  esac
  shift 2
done
((${#stages[@]})) || stages=(build check sanitize bench)
mkdir -p "$results"

if [ "$gpu" = simulated ]; then
  export JOBMLIR_CUDA_LIBRARY=$build/runtime/simulators/cuda/libjobsim_cuda.so
else
  export JOBMLIR_CUDA_LIBRARY=${JOBMLIR_CUDA_LIBRARY:-libcuda.so.1}
fi
export PYTHONPATH=$build/runtime/python PATH=$PATH:/usr/local/cuda/bin
# The packages of this Python are where libraries are looked for.
export VIRTUAL_ENV=${VIRTUAL_ENV:-$("$python" -c 'import sys; print(sys.prefix)')}
peers=${JOBMLIR_PEERS:-$python}
# Seconds of a stage, and of a unit.
stage_seconds=470 unit_seconds=420

# unit STAGE NAME COMMAND...: runs a unit unless it has passed before. One that the
# end of the stage stops runs again the next time.
unit() {
  local stage=$1 name=$2 file start seconds status=0
  file=$results/$stage/${name//\//-}
  shift 2
  [ ! -e "$file.passed" ] || return 0
  seconds=$((limit - SECONDS))
  if ((seconds <= 0)); then
    unfinished=1
    return 0
  fi
  seconds=$((seconds < unit_seconds ? seconds : unit_seconds))
  mkdir -p "$results/$stage"
  start=$(date +%s.%N)
  timeout --kill-after=10 "$seconds" "$@" >"$file.log" 2>&1 || status=$?
  if ((status == 124 && seconds < unit_seconds)); then
    rm "$file.log"
    unfinished=1
    return 0
  fi
  rm -f "$file.failed"
  if ((status == 0)); then
    mv "$file.log" "$file.passed"
  else
    echo "status $status" >>"$file.log"
    mv "$file.log" "$file.failed"
    echo "$stage $name: failed:"
    tail -n 12 "$file.failed"
  fi
  echo "$start $(date +%s.%N)" >"$file.time"
}

stage_build() {
  local options=(-G Ninja -DCMAKE_BUILD_TYPE=Release
    "-DCMAKE_PREFIX_PATH=$build/googletest/installed;$root/deps")
  unit build googletest bash -c "
    cmake -S deps/googletest -B '$build/googletest' -G Ninja -DBUILD_GMOCK=OFF \
      -DCMAKE_INSTALL_PREFIX='$build/googletest/installed' \
      -DCMAKE_BUILD_TYPE=Release &&
    cmake --build '$build/googletest' --target install"
  [ "$gpu" = simulated ] || options+=(-DJOBRT_TEST_GPU="$gpu" -DJOBRT_SIMULATOR=OFF)
  unit build configure cmake -S src/runtime -B "$build/runtime" "${options[@]}" \
    -DJOBRT_BUILD_TESTS=ON -DJOBRT_BUILD_PYTHON=ON -DJOBRT_ONEDNN=OFF \
    -DPython_EXECUTABLE="$(command -v "$python")"
  unit build runtime cmake --build "$build/runtime"
}

stage_check() {
  unit check conformance "$build/runtime/cts/jobrt_cts" --gtest_filter='*/cuda'
  for program in $(find "$build/runtime/unittests/" -path '*/cuda/jobrt_*_tests'); do
    unit check "$(basename "$program")" "$program"
  done
  for file in ops/*.json models/*.json; do
    [ -e "$file" ] || continue
    unit check "${file%.json}" "$python" check.py "$file"
  done
}

stage_sanitize() {
  if [ "$gpu" = simulated ]; then
    echo "sanitize: the simulated CUDA checks every access by itself"
    return
  fi
  for tool in memcheck racecheck; do
    for file in ops/*.json; do
      unit sanitize "$tool/${file%.json}" compute-sanitizer --tool "$tool" \
        --error-exitcode 9 "$python" check.py "$file"
    done
  done
}

stage_bench() {
  local rounds=(--rounds 10 --seconds 0.5) row peer
  [ "$gpu" != simulated ] || rounds=(--rounds 1 --seconds 0.01)
  for row in bench/"$gpu"/*.so; do
    [ -e "$row" ] || continue
    row=$(basename "$row" .so)
    for peer in eager compiled graph jax; do
      unit bench "$row-$peer" "$python" src/benchmarks/bench_gpu.py "$row" "$peer" \
        --artifacts bench --target "$gpu" --peers "$peers" "${rounds[@]}" \
        --json "$results/bench/$row-$peer.json"
    done
  done
}

unfinished=
for stage in "${stages[@]}"; do
  limit=$((SECONDS + stage_seconds))
  "stage_$stage"
done
status=0
PYTHONPATH=src/benchmarks "$python" table.py "$results" --device "$gpu" \
  --version "$(cat version)" || status=1
if [ -n "$unfinished" ]; then
  echo "not finished: run it again"
  exit 2
fi
exit $status
