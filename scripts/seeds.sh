# Sourced by scripts that try many seeds: reads their options, sets the project
# up, and defines run_seeds. `default_failures` is a folder's name in the build
# folder, and `options` an array of options that the program takes besides.

usage() {
  sed -n '2,/^$/{s/^# \{0,1\}//;p}' "$0" >&2
  exit 2
}

count=2000 seed=$(($(date +%Y%m%d) * 1000)) jobs=2 failures= given=()
while (($#)); do
  [ -n "${2-}" ] || usage
  case $1 in
  --count) count=$2 ;;
  --seed) seed=$2 ;;
  --jobs) jobs=$2 ;;
  --failures) failures=$2 ;;
  *)
    [[ " ${options[*]} " == *" $1 "* ]] || usage
    given+=("$1" "$2")
    ;;
  esac
  shift 2
done

source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
export PATH="$build/bin:$PATH"
failures=${failures:-$build/$default_failures}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Runs a program in `jobs` processes, each with its part of the seeds. Fails when
# one of them does.
run_seeds() {
  local i first next process status=0 processes=()
  echo "seeds $seed to $((seed + count - 1)), $jobs processes"
  for ((i = 0; i < jobs; ++i)); do
    first=$((seed + count * i / jobs)) next=$((seed + count * (i + 1) / jobs))
    ((next > first)) || continue
    "$root/.venv/bin/python" "$root/$1" "$scratch/$i" \
      --seed "$first" --count $((next - first)) --failures "$failures" \
      "${given[@]}" &
    processes+=($!)
  done
  for process in "${processes[@]}"; do
    wait "$process" || status=1
  done
  return $status
}
