#!/usr/bin/env bash
# Installs, builds, trains LeNet on Fashion-MNIST for two epochs and evaluates
# it. Arguments go to examples/train_lenet.py.

set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

exec "$root/.venv/bin/python" "$root/examples/train_lenet.py" "$@"
