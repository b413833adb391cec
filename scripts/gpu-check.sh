#!/usr/bin/env bash
# Checks and measures on a GPU, in a folder that gpu-pack.sh has made.
#
#   gpu-check.sh [--stage build|check|sanitize|bench]... [--retry]
#
# Without a stage, all of them. A stage takes 8 minutes at most; one that has not
# ended by then says so and goes on where it was when it is run again. A unit that
# has failed is not run again, unless --retry asks for it: after those that have no
# result. Results are in results/, one file for each unit, results/summary.json for
# all and results/gpu-results.md as docs/gpu-results.md; results.tgz has all of
# these. The last lines are a table. The status is 1 where something failed, 2 where
# a stage has not ended.
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
# with PyTorch and JAX (the same). JOBMLIR_STAGE_SECONDS and JOBMLIR_UNIT_SECONDS are
# what a stage and a unit may take (470, 420).

set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$root"
python=${JOBMLIR_PYTHON:-python3}
build=$root/build results=$root/results
gpu=${JOBMLIR_GPU:-sm_90}
stages=() retry=
while (($#)); do
  case "$1 ${2-}" in
  "--stage build" | "--stage check" | "--stage sanitize" | "--stage bench")
    stages+=("$2")
    shift
    ;;
  --retry\ *) retry=1 ;;
  *)
    sed -n '2,/^$/{s/^# \{0,1\}//;p}' "$0" >&2
    exit 2
    ;;
  esac
  shift
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
stage_seconds=${JOBMLIR_STAGE_SECONDS:-470}
unit_seconds=${JOBMLIR_UNIT_SECONDS:-420}

# unit STAGE NAME COMMAND...: runs a unit that has no result; in the round of failed
# ones, one that failed in an earlier run of this script. One that the end of the
# stage stops has no result. Fails where a stage cannot go on without the unit.
unit() {
  local stage=$1 name=$2 file start seconds status=0
  file=$results/$stage/${name//\//-}
  shift 2
  [ ! -e "$file.passed" ] && [ ! -e "$file.skipped" ] || return 0
  if [ -e "$file.failed" ]; then
    [ "$round" = failed ] && [ "$file.failed" -ot "$results/begun" ] || return 1
  fi
  seconds=$((limit - SECONDS))
  if ((seconds <= 0)); then
    unfinished=1
    return 1
  fi
  seconds=$((seconds < unit_seconds ? seconds : unit_seconds))
  mkdir -p "$results/$stage"
  start=$(date +%s.%N)
  timeout --kill-after=10 "$seconds" "$@" >"$file.log" 2>&1 || status=$?
  local end took
  end=$(date +%s.%N)
  took=$(awk "BEGIN { print int($end - $start) }")
  # What does not end by itself at the limit is killed.
  if ((status == 124 || status == 137 && took >= seconds)); then
    # A build goes on where it was.
    if ((seconds < unit_seconds)) || [ "$stage" = build ]; then
      mv "$file.log" "$file.stopped"
      unfinished=1
      return 1
    fi
    echo "not finished in $seconds s" >>"$file.log"
  elif ((status > 128)); then
    echo "ended with signal $((status - 128))" >>"$file.log"
  elif ((status)); then
    echo "ended with status $status" >>"$file.log"
  fi
  # The result is there when its name is.
  echo "$start $end" >"$file.time"
  rm -f "$file.failed" "$file.stopped"
  if ((status == 0)); then
    mv "$file.log" "$file.passed"
    return
  fi
  mv "$file.log" "$file.failed"
  echo "$stage $name: failed:"
  tail -n 20 "$file.failed"
  return 1
}

# skip STAGE NAME REASON: a unit that this machine cannot run.
skip() {
  local file=$results/$1/${2//\//-}
  mkdir -p "$results/$1"
  echo "$3" >"$file.log"
  echo "0 0" >"$file.time"
  rm -f "$file.failed"
  mv "$file.log" "$file.skipped"
  echo "$1 $2: skipped: $3"
}

stage_build() {
  local options=(-G Ninja -DCMAKE_BUILD_TYPE=Release
    "-DCMAKE_PREFIX_PATH=$build/googletest/installed;$root/deps")
  # What the other stages run.
  local targets=(jobrt_cts jobrt_cuda_device_tests jobmlir_runtime_extension)
  if [ "$gpu" = simulated ]; then
    targets+=(jobrt_cuda_tests jobrt_nccl_tests)
  else
    options+=(-DJOBRT_TEST_GPU="$gpu" -DJOBRT_SIMULATOR=OFF)
  fi
  unit build googletest bash -c "
    cmake -S deps/googletest -B '$build/googletest' -G Ninja -DBUILD_GMOCK=OFF \
      -DCMAKE_INSTALL_PREFIX='$build/googletest/installed' \
      -DCMAKE_BUILD_TYPE=Release &&
    cmake --build '$build/googletest' --target install" || return 0
  unit build configure cmake -S src/runtime -B "$build/runtime" "${options[@]}" \
    -DJOBRT_BUILD_TESTS=ON -DJOBRT_BUILD_PYTHON=ON -DJOBRT_ONEDNN=OFF \
    -DPython_EXECUTABLE="$(command -v "$python")" || return 0
  unit build runtime cmake --build "$build/runtime" --target "${targets[@]}" || true
}

# tests NAME PROGRAM [OPTION]...: a unit of tests, of which some may be skipped.
tests() {
  local name=$1
  shift
  unit check "$name" "$python" run_tests.py "$@" \
    --json "$results/check/$name.json" || true
}

stage_check() {
  local tests=$build/runtime/unittests/cuda file
  tests conformance "$build/runtime/cts/jobrt_cts" --filter '*/cuda'
  tests device-tests "$tests/jobrt_cuda_device_tests"
  # These need what the simulated CUDA alone does.
  if [ "$gpu" = simulated ]; then
    tests driver-tests "$tests/jobrt_cuda_tests"
    tests nccl-tests "$tests/jobrt_nccl_tests"
  fi
  for file in ops/*.json models/*.json; do
    [ ! -e "$file" ] || unit check "${file%.json}" "$python" check.py "$file" || true
  done
}

stage_sanitize() {
  if [ "$gpu" = simulated ]; then
    echo "sanitize: the simulated CUDA checks every access by itself"
    return
  fi
  # Libraries of the vendor try calls that fail, and handle that.
  local tool file options log
  local common=(compute-sanitizer --error-exitcode 9 --launch-timeout 0
    --report-api-errors no)
  if ! command -v compute-sanitizer >/dev/null; then
    skip sanitize probe "no compute-sanitizer on this machine"
    return
  fi
  # A machine may keep it from the device; all units would fail then.
  if ! log=$(timeout --kill-after=10 60 "${common[@]}" "$python" probe.py 2>&1); then
    skip sanitize probe "compute-sanitizer cannot run a program here: $(
      tr '\n' ' ' <<<"$log" | tail -c 300)"
    return
  fi
  rm -f "$results"/sanitize/probe.*
  for tool in memcheck racecheck; do
    options=(--tool "$tool")
    # Races in kernels of the vendor are not ours; to look for them takes long.
    [ "$tool" = memcheck ] || options+=(--kernel-name "regex=^(kernel|launch)_[0-9]+(_[a-z]+(_[0-9]+)?)*$")
    for file in ops/*.json; do
      unit sanitize "$tool/${file%.json}" "$python" check.py "$file" \
        --under "${common[@]}" "${options[@]}" || true
    done
  done
}

stage_bench() {
  local options=(--artifacts bench --target "$gpu" --rounds 10 --seconds 0.5)
  [ "$gpu" != simulated ] ||
    options=(--artifacts bench --target "$gpu" --rounds 1 --seconds 0.01)
  local row contender
  while read -r row contender; do
    unit bench "$row-$contender" "$python" src/benchmarks/bench_gpu.py \
      "$row" "$contender" --peers "$peers" "${options[@]}" \
      --json "$results/bench/$row-$contender.json" || true
  done < <("$python" src/benchmarks/bench_gpu.py --list "${options[@]}")
}

unfinished=
touch "$results/begun"
for stage in "${stages[@]}"; do
  limit=$((SECONDS + stage_seconds))
  for round in new ${retry:+failed}; do
    "stage_$stage"
  done
done
status=0
PYTHONPATH=src/benchmarks "$python" table.py "$results" --device "$gpu" \
  --version "$(cat version)" || status=1
tar -czf results.tgz results
if [ -n "$unfinished" ]; then
  echo "not finished: run it again"
  exit 2
fi
exit $status
