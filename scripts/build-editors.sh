#!/usr/bin/env bash
# Packages the extension for Visual Studio Code and the plugin for Neovim:
# jobmlir-VERSION.vsix and jobmlir-nvim-VERSION.tar.gz.
#
#   build-editors.sh [--node-modules FOLDER] [OUT]
#
# OUT is the folder for both (default: build/editors). The extension carries its
# dependencies, which npm installs as package-lock.json has them; a machine without
# npm's registry takes them from FOLDER, a copy of such a node_modules.

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
modules=
out=$root/build/editors
while (($#)); do
  case $1 in
  --node-modules)
    modules=${2:?--node-modules expects a folder}
    shift 2
    ;;
  -*)
    echo "build-editors.sh: unknown option $1" >&2
    exit 2
    ;;
  *)
    out=$1
    shift
    ;;
  esac
done

version=$(head -n 1 "$root/runtime/VERSION")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
extension=$scratch/extension
cp -r "$root/editors/vscode" "$extension"
cp "$root/LICENSE" "$extension/LICENSE.txt"
rm -rf "$extension/node_modules"
if [ -n "$modules" ]; then
  cp -r "$modules" "$extension/node_modules"
elif ! command -v npm >/dev/null; then
  echo "build-editors.sh: expects npm or --node-modules FOLDER" >&2
  exit 1
else
  (cd "$extension" && npm ci --omit=dev --ignore-scripts --no-audit --no-fund)
fi
rm -f "$extension/node_modules/.package-lock.json" "$extension/package-lock.json"

mkdir -p "$out"
python3 "$root/scripts/editors/make-vsix.py" "$extension" "$version" \
  "$out/jobmlir-$version.vsix"
# The same bytes for the same files.
tar -C "$root/editors" --sort=name --owner=0 --group=0 --numeric-owner \
  --mtime=@0 --mode=u+rw,go=rX -cf - \
  --transform "s,^nvim,jobmlir," nvim | gzip -n >"$out/jobmlir-nvim-$version.tar.gz"
echo "$out/jobmlir-$version.vsix"
echo "$out/jobmlir-nvim-$version.tar.gz"
