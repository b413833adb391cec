#!/usr/bin/env bash
# Builds the wheels of jobmlir and jobmlir-runtime for Debian's Python.
#
#   build-wheels.sh [OUT]     (default: build-wheel/dist; its wheels are replaced)
#
# They carry the libraries that a Linux machine may not have, with their licences,
# and need a glibc of 2.36 or newer (manylinux_2_36). The packages that build them
# are those of .venv, with the versions of the lock.

set -euo pipefail
scripts=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=$(realpath -m "${1:-$scripts/../build-wheel/dist}")
without_build=1
source "$scripts/setup.sh"

# The tools of the environment: ninja and cmake are Debian's.
export PATH="$root/.venv/bin:$PATH"
# The runtime takes any compiler; no other than this one is sure to be there.
export CC=clang-22 CXX=clang++-22 LDFLAGS=-fuse-ld=lld-22
work=$root/build-wheel
rm -rf "$work"/{built,repaired}
mkdir -p "$out" "$work"/{built,repaired}
rm -f "$out"/jobmlir{,_runtime}-*.whl

settings=()
if command -v ccache >/dev/null; then
  settings+=(--config-settings=cmake.define.CMAKE_C_COMPILER_LAUNCHER=ccache
    --config-settings=cmake.define.CMAKE_CXX_COMPILER_LAUNCHER=ccache)
fi
# wheel <source> <package> <build> <Debian packages that are linked statically>...
wheel() {
  local source=$1 package=$2 log=$work/$2.log
  echo "building the wheel of $package"
  if ! { "$python" -m pip wheel --verbose --no-deps --no-build-isolation \
    --disable-pip-version-check --wheel-dir "$work/built" \
    --config-settings=build-dir="$3" "${settings[@]}" "$source" &&
    auditwheel repair --plat "manylinux_2_36_$(uname -m)" --wheel-dir \
      "$work/repaired" "$work/built/${package//-/_}"-[0-9]*.whl; } >"$log" 2>&1; then
    tail -n 40 "$log" >&2
    exit 1
  fi
  "$python" scripts/wheel-licenses.py \
    "$work/repaired/${package//-/_}"-[0-9]*.whl "$out" "${@:4}"
}
# Both builds are as deep as build/, so that ccache has their objects.
wheel . jobmlir "$work" libmlir-22-dev nlohmann-json3-dev
wheel ./runtime jobmlir-runtime "$work-runtime" nlohmann-json3-dev
