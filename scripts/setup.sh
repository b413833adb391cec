#!/usr/bin/env bash
# Installs what is missing and builds into build/. Sourced by the other scripts
# or run alone; running it again does nothing that is already done.
#
# Debian 12 packages come through apt (as root, or with sudo), Python packages
# through pip into .venv/, as scripts/*.lock has them. Set JOBMLIR_BUILD_DIR to
# build elsewhere. A script that sources this one may set the array extra_packages
# to install more of Debian's packages, and without_build=1 to build nothing.

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${JOBMLIR_BUILD_DIR:-$root/build}
cd "$root"

packages=(
  # LLVM and MLIR, and the compiler that builds us
  libmlir-22-dev mlir-22-tools llvm-22-dev llvm-22-tools clang-22 lld-22
  liblld-22-dev libclang-rt-22-dev clang-format-22
  # what LLVM's package files ask for
  zlib1g-dev libzstd-dev libxml2-dev libedit-dev libcurl4-openssl-dev
  # libraries of the runtime, tests, data
  libdnnl-dev nlohmann-json3-dev libgtest-dev dataset-fashion-mnist
  # the simulated CUDA of the runtime's tests
  libboost-context-dev
  # tools; graphviz draws the pictures of --job-print-graph
  cmake ninja-build ccache git python3-dev python3-venv graphviz
  # what the script that sources this one needs besides
  "${extra_packages[@]}"
)

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  echo "setup.sh: expects Debian's apt and dpkg; elsewhere, install what these" \
    "packages of Debian 12 have, and run cmake --preset release: ${packages[*]}" >&2
  exit 1
fi
missing=()
for package in "${packages[@]}"; do
  [ "$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null)" = \
    'install ok installed' ] || missing+=("$package")
done
# All packages that apt does not know are named at once, before any is installed.
refuse_unknown() {
  local package unknown=()
  for package in "${missing[@]}"; do
    # apt translates what it prints.
    [[ $(LC_ALL=C apt-cache policy "$package") == *"Candidate: "[!\(]* ]] ||
      unknown+=("$package")
  done
  ((${#unknown[@]})) || return 0
  echo "setup.sh: expects a distribution with LLVM 22, such as Debian 12 with" \
    "bookworm-security, but apt has no ${unknown[*]}" >&2
  exit 1
}
if ((${#missing[@]})); then
  # What sudo runs has no variables of its caller's.
  as_root=(env DEBIAN_FRONTEND=noninteractive)
  if [ "$(id -u)" != 0 ]; then
    # Only on a terminal can a password be asked for.
    sudo=(sudo)
    [ -t 0 ] || sudo+=(-n)
    if ! command -v sudo >/dev/null || ! "${sudo[@]}" true; then
      # Before the first update apt knows no package, not even bash.
      [ -z "$(apt-cache madison bash)" ] || refuse_unknown
      echo "setup.sh: expects root, or sudo, to install Debian packages; ask for:" \
        "apt-get install --no-install-recommends ${missing[*]}" >&2
      exit 1
    fi
    as_root=("${sudo[@]}" "${as_root[@]}")
  fi
  log=$(mktemp)
  trap 'rm -f "$log"' EXIT
  if ! "${as_root[@]}" apt-get update >"$log" 2>&1; then
    tail -n 40 "$log" >&2
    exit 1
  fi
  refuse_unknown
  # What an interrupted installation has left. dpkg fails where a package lacks
  # dependencies that were not unpacked yet; apt installs them.
  "${as_root[@]}" dpkg --configure -a >"$log" 2>&1 || true
  if ! "${as_root[@]}" apt-get -y --no-install-recommends --fix-broken install \
    >"$log" 2>&1; then
    tail -n 40 "$log" >&2
    exit 1
  fi
  echo "installing ${missing[*]}"
  if ! "${as_root[@]}" apt-get install -y --no-install-recommends \
    "${missing[@]}" >"$log" 2>&1; then
    tail -n 40 "$log" >&2
    exit 1
  fi
  rm -f "$log"
  trap - EXIT
fi

# environment <folder> <lock>: a virtual environment that has the packages of a
# lock (scripts/lock.sh), made from Debian's Python whatever `python3` is. It is
# made again if it was not finished or has moved: its scripts have paths.
environment() {
  local folder=$1 lock=$2 stamp=$1/requirements.stamp
  if { echo "$root" && cat "$lock"; } | cmp -s - "$stamp"; then
    return
  fi
  echo "installing Python packages into ${folder#"$root/"}"
  [ "$(head -n 1 "$stamp" 2>/dev/null)" = "$root" ] ||
    /usr/bin/python3 -m venv --clear "$folder"
  rm -f "$stamp"
  "$folder/bin/python" -m pip install --quiet --disable-pip-version-check \
    --require-hashes -r "$lock"
  { echo "$root" && cat "$lock"; } >"$stamp"
}
environment "$root/.venv" "$root/scripts/requirements.lock"
python=$root/.venv/bin/python
# The package in build/, for the Python of this environment.
echo "$root/build/python" >"$("$python" -c \
  'import sysconfig; print(sysconfig.get_path("purelib"))')/jobmlir-build.pth"

# ptxas makes the code for GPUs. One that does not start was installed in part.
has_ptxas() {
  local ptxas
  for ptxas in ptxas /usr/local/cuda/bin/ptxas \
    "$root"/.venv/lib/python3*/site-packages/nvidia/cu13/bin/ptxas; do
    ! "$ptxas" --version >/dev/null 2>&1 || return 0
  done
  return 1
}
if ! has_ptxas; then
  echo "installing ptxas into .venv"
  "$python" -m pip install --quiet --disable-pip-version-check \
    --require-hashes --no-deps -r "$root/scripts/requirements-ptxas.lock"
fi

[ -z "${without_build:-}" ] || return 0

# A build of a checkout that has moved begins again; ccache has its objects.
if [ -f "$build/CMakeCache.txt" ] &&
  ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$build/CMakeCache.txt"; then
  rm -rf "$build/CMakeCache.txt" "$build/CMakeFiles"
fi
cmake_args=(
  --preset release -B "$build"
  -DPython3_EXECUTABLE="$python"
)
if command -v ccache >/dev/null; then
  cmake_args+=(-DCMAKE_C_COMPILER_LAUNCHER=ccache
    -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
fi
mkdir -p "$build"
if ! cmake "${cmake_args[@]}" >"$build/configure.log" 2>&1; then
  tail -n 40 "$build/configure.log"
  exit 1
fi
# Ninja's own progress line on a terminal, a quiet log elsewhere.
if [ -t 1 ]; then
  ninja -C "$build"
elif ! ninja -C "$build" >"$build/build.log" 2>&1; then
  grep -E 'error|FAILED' -A5 "$build/build.log" | head -n 100
  exit 1
fi
