#!/usr/bin/env bash
# Runs the tests and the fuzz targets under sanitizers.
#
#   sanitize.sh [asan|tsan|fuzz|all]... [--minutes N]
#
#   asan   AddressSanitizer and UndefinedBehaviorSanitizer on all of our code:
#          unit, lit and Python tests (build-asan/)
#   tsan   ThreadSanitizer on the runtime: its unit and conformance tests
#          (build-tsan/)
#   fuzz   every fuzz target for N minutes (default 10; build-asan/), as many at
#          a time as JOBMLIR_JOBS says (default: one a core). Inputs that were
#          found to be worth keeping stay in build-asan/fuzz-corpus/, those that
#          end a target in build-asan/fuzz-findings/.
#   all    the three (the default)
#
# LLVM, MLIR, oneDNN, Python and generated kernels have no sanitizer: a wrong
# access inside of them is not seen. What is suppressed, and why, is in
# scripts/sanitizers/. At the end the script says what ran and for how long; the
# exit status is 1 when anything was found.

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
llvm=${JOBMLIR_LLVM_BIN:-/usr/lib/llvm-22/bin}
jobs=${JOBMLIR_JOBS:-$(nproc)}
cd "$root"

usage() {
  sed -n '2,/^$/{s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}" >&2
  exit 2
}

minutes=10
parts=()
while (($#)); do
  case $1 in
    asan | tsan | fuzz) parts+=("$1") ;;
    all) parts+=(asan tsan fuzz) ;;
    --minutes)
      [[ ${2-} =~ ^[0-9]+(\.[0-9]+)?$ ]] || usage
      minutes=$2
      shift
      ;;
    *) usage ;;
  esac
  shift
done
((${#parts[@]})) || parts=(asan tsan fuzz)

if [ ! -x "$root/.venv/bin/python" ]; then
  echo "sanitize.sh: expects what scripts/setup.sh installs" >&2
  exit 2
fi

# What the tools need to name a place in the source. Last, so that CMake finds
# the compilers where every other script finds them: one that moved makes it
# start over without the preset's variables.
export PATH=$PATH:$llvm
supp=$root/scripts/sanitizers
# The tests ask for sizes that no machine has; malloc must say so, not die.
# Poisoning by hand is off: LLVM's headers poison unused parts of its arenas in
# our code, and libLLVM, which is built without, does not take it back.
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1
ASAN_OPTIONS+=:allow_user_poisoning=0:strict_string_checks=1
# LLVM gives threads that link a signal stack of its own, which ASan would unmap
# as if it were its own.
ASAN_OPTIONS+=:use_sigaltstack=0
export LSAN_OPTIONS=suppressions=$supp/lsan.supp:print_suppressions=0
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
UBSAN_OPTIONS+=:suppressions=$supp/ubsan.supp
export TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1
TSAN_OPTIONS+=:suppressions=$supp/tsan.supp

summary=()
status=0

# note SECONDS TEXT: a line of the summary.
note() {
  summary+=("$(printf '%4d:%02d  %s' $(($1 / 60)) $(($1 % 60)) "$2")")
}

# build PRESET TARGET...
build() {
  local preset=$1 folder=$root/build-$1
  shift
  local arguments=(--preset "$preset"
    -DPython3_EXECUTABLE="$root/.venv/bin/python")
  if command -v ccache >/dev/null; then
    arguments+=(-DCMAKE_C_COMPILER_LAUNCHER=ccache
      -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  fi
  mkdir -p "$folder"
  local begin=$SECONDS
  if ! cmake "${arguments[@]}" >"$folder/configure.log" 2>&1; then
    tail -n 40 "$folder/configure.log"
    exit 1
  fi
  if ! ninja -C "$folder" -j "$jobs" "$@" >"$folder/build.log" 2>&1; then
    grep -E 'error|FAILED' -A5 "$folder/build.log" | head -n 100
    exit 1
  fi
  note $((SECONDS - begin)) "$preset: built"
}

# tests NAME BUILD-FOLDER WHAT: the tests that ctest knows there.
tests() {
  local begin=$SECONDS log=$2/tests.log
  "$root/.venv/bin/python" "$root/scripts/test-summary.py" "$2" 2>&1 |
    tee "$log" || status=1
  note $((SECONDS - begin)) "$1: $3: $(tail -n 1 "$log")"
}

run_asan() {
  build asan
  tests asan "$root/build-asan" "unit, lit and Python tests"
}

run_tsan() {
  build tsan jobrt-tests
  tests tsan "$root/build-tsan/runtime" "tests of the runtime"
}

# The fuzz targets that run, and when each was started, by process.
declare -A fuzzing=() fuzzing_since=()

# start_fuzzing TARGET SECONDS
start_fuzzing() {
  local target=$1 seconds=$2 folder=$root/build-asan
  local corpus=$folder/fuzz-corpus/$target findings=$folder/fuzz-findings/$target
  local seeds=$folder/fuzz-seeds log=$folder/fuzz-$target.log
  mkdir -p "$corpus" "$findings" "$seeds/$target"
  local arguments=(-max_total_time="$seconds" -max_len=16384 -timeout=60
    -rss_limit_mb=4096 -print_final_stats=1 -artifact_prefix="$findings/")
  [ ! -f "$seeds/$target.dict" ] || arguments+=(-dict="$seeds/$target.dict")
  "$folder/bin/$target" "${arguments[@]}" "$corpus" "$seeds/$target" \
    >"$log" 2>&1 &
  fuzzing[$!]=$target
  fuzzing_since[$!]=$SECONDS
}

# finish_fuzzing: waits for the next target that ends.
finish_fuzzing() {
  local process result=clean folder=$root/build-asan
  if ! wait -n -p process "${!fuzzing[@]}"; then
    result=found
  fi
  local target=${fuzzing[$process]}
  local log=$folder/fuzz-$target.log runs
  if [ "$result" = found ]; then
    result="FOUND: see $folder/fuzz-findings/$target and $log"
    status=1
    tail -n 60 "$log"
  fi
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  note $((SECONDS - fuzzing_since[$process])) \
    "fuzz: $target: ${runs:-0} executions, $result"
  unset "fuzzing[$process]"
}

# stop_fuzzing: what runs in the background does not hear ^C.
stop_fuzzing() {
  if ((${#fuzzing[@]})); then
    kill "${!fuzzing[@]}" 2>/dev/null || true
    wait "${!fuzzing[@]}" || true
  fi
}

run_fuzz() {
  build asan fuzz-targets job-compile
  rm -rf "$root/build-asan/fuzz-seeds"
  "$root/.venv/bin/python" "$root/fuzz/make-seeds.py" "$root/build-asan/bin" \
    "$root/build-asan/fuzz-seeds"
  local seconds target
  seconds=$(awk "BEGIN {print int($minutes * 60)}")
  trap stop_fuzzing EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  for target in "$root"/build-asan/bin/fuzz_*; do
    ((${#fuzzing[@]} < jobs)) || finish_fuzzing
    start_fuzzing "$(basename "$target")" "$seconds"
  done
  while ((${#fuzzing[@]})); do
    finish_fuzzing
  done
  trap - EXIT INT TERM
}

for part in "${parts[@]}"; do
  "run_$part"
done

echo
echo "minutes"
printf '%s\n' "${summary[@]}"
exit "$status"
