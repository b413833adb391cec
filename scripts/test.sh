#!/usr/bin/env bash
# Installs, builds and runs every test; the last line is
# `N passed, N failed, N skipped`.

set -euo pipefail
# an editor that talks to the language server; Node runs what Netron shows
extra_packages=(neovim nodejs)
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

exec "$root/.venv/bin/python" "$root/scripts/test-summary.py" "$build" "$@"
