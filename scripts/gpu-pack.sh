#!/usr/bin/env bash
# Packs what a machine with a GPU needs to check and measure this checkout: no
# LLVM and no network are there.
#
#   gpu-pack.sh [FOLDER]     (default: build/gpu-pack; what is in it is replaced)
#
# The folder has artifacts for sm_90 and the simulated CUDA with the values that
# each must give, the sources of the runtime, its tests and the benchmarks, and
# the headers and libraries that they need. It has 64 MB at most. On the GPU's
# machine, run its gpu-check.sh.

set -euo pipefail
scripts=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$(realpath -m "${1:-$scripts/../build/gpu-pack}")
source "$scripts/setup.sh"

rm -rf "$folder"
mkdir -p "$folder"/{src,deps/{include,lib,share/cmake}}

# The sources, as they are here.
git ls-files -z LICENSE runtime python/src benchmarks | tar --null -cf - -T - |
  tar -xf - -C "$folder/src"
cp scripts/gpu-check.sh scripts/gpu/{check,probe,run_tests,table}.py "$folder"
git describe --always --dirty >"$folder/version"

# Libraries that the machine may not have. oneDNN is left out: its functions run
# on the host alone.
cp -r /usr/include/nlohmann "$folder/deps/include"
cp /usr/include/zlib.h /usr/include/zconf.h "$folder/deps/include"
# Debian's static zlib is not for shared libraries. The loader looks for the
# second name.
zlib=$(realpath "$(gcc -print-file-name=libz.so)")
cp "$zlib" "$folder/deps/lib/libz.so"
cp "$zlib" "$folder/deps/lib/libz.so.1"
cp -r /usr/share/cmake/nlohmann_json "$folder/deps/share/cmake"
cp -r /usr/src/googletest "$folder/deps"

export PATH="$build/bin:$PATH" PYTHONPATH="$build/python"
"$root/.venv/bin/python" scripts/gpu/pack.py "$folder" --targets sm_90,simulated

size=$(du -sm "$folder" | cut -f1)
echo "$folder: $size MB"
if ((size > 64)); then
  echo "expects 64 MB at most but got $size" >&2
  exit 1
fi
