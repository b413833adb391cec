#!/usr/bin/env bash
# Edits the texts of all stages at random and runs them, the slow leg of test/Text.
#
#   mutate-texts.sh [--count 2000] [--seed N] [--jobs 2] [--failures FOLDER]
#
# Without a seed the day is one. Texts that fail are written to FOLDER (default:
# <build>/mutated-texts) with the edits that are needed.

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
failures=${failures:-$build/mutated-texts}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export PATH="$build/bin:$PATH" JOBMLIR_CACHE_DIR="$scratch/cache"

echo "seeds $seed to $((seed + count - 1)), $jobs processes"
processes=()
for ((i = 0; i < jobs; ++i)); do
  first=$((seed + count * i / jobs)) next=$((seed + count * (i + 1) / jobs))
  ((next > first)) || continue
  "$root/.venv/bin/python" "$root/test/Text/mutate.py" "$scratch/$i" \
    --seed "$first" --count $((next - first)) --failures "$failures" &
  processes+=($!)
done
status=0
for process in "${processes[@]}"; do
  wait "$process" || status=1
done
exit $status
