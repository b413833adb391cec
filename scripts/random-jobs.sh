#!/usr/bin/env bash
# Builds and runs random jobs, the slow leg of test/Random: compiled against the
# interpreter, gradients against differences, with all optimisations, with none
# and by a random subset of the passes for each job.
#
#   random-jobs.sh [--count 2000] [--seed N] [--jobs 2] [--failures FOLDER]
#
# Without a seed the day is one. Failing jobs are shrunk and written to
# FOLDER (default: <build>/random-jobs) with what reproduces them.

set -euo pipefail

usage() {
  sed -n '2,/^$/{s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}" >&2
  exit 2
}

count=2000 seed=$(($(date +%Y%m%d) * 1000)) jobs=2 failures=
while (($#)); do
  [ -n "${2-}" ] || usage
  case $1 in
  --count) count=$2 ;;
  --seed) seed=$2 ;;
  --jobs) jobs=$2 ;;
  --failures) failures=$2 ;;
  *) usage ;;
  esac
  shift 2
done

source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
export PATH="$build/bin:$PATH"
failures=${failures:-$build/random-jobs}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

echo "seeds $seed to $((seed + count - 1)), $jobs processes"
processes=()
for ((i = 0; i < jobs; ++i)); do
  first=$((seed + count * i / jobs)) next=$((seed + count * (i + 1) / jobs))
  ((next > first)) || continue
  "$root/.venv/bin/python" "$root/test/Random/check.py" "$scratch/$i" \
    --seed "$first" --count $((next - first)) --failures "$failures" &
  processes+=($!)
done
status=0
for process in "${processes[@]}"; do
  wait "$process" || status=1
done
exit $status
