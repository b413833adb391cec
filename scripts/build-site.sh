#!/usr/bin/env bash
# Builds the documentation site:
#
#   build-site.sh [OUT]     OUT is build/site if not given; open OUT/index.html
#
# A warning is an error, and so is a link to a page, a heading or a file that does
# not exist. The reference of the Python API comes from the package that is on
# PYTHONPATH, or that of build/. JOBMLIR_BUILD_DIR is the build folder, JOBMLIR_PYTHON a
# Python with the packages of scripts/requirements.txt (default: that of .venv/).

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${JOBMLIR_BUILD_DIR:-$root/build}
out=${1:-$build/site}
python=${JOBMLIR_PYTHON:-$root/.venv/bin/python}
export PYTHONPATH=${PYTHONPATH:-$build/python}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$python" "$root/scripts/site/assemble.py" "$work/source"
rm -rf "$out"
"$python" -m sphinx -b html -q --fail-on-warning -c "$root/scripts/site" \
  -d "$work/doctrees" "$work/source" "$out"
"$python" "$root/scripts/site/check_links.py" "$out"
