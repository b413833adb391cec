#!/usr/bin/env bash
# Edits the texts of all stages at random and runs them, the slow leg of test/Text.
#
#   mutate-texts.sh [--count 2000] [--seed N] [--jobs 2] [--failures FOLDER]
#
# Without a seed the day is one. Texts that fail are written to FOLDER (default:
# <build>/mutated-texts) with the edits that are needed.

set -euo pipefail
default_failures=mutated-texts options=()
source "$(dirname "${BASH_SOURCE[0]}")/seeds.sh"
export JOBMLIR_CACHE_DIR="$scratch/cache"
run_seeds test/Text/mutate.py
