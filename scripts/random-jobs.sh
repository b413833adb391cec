#!/usr/bin/env bash
# Builds and runs random jobs, the slow leg of test/Random: compiled against the
# interpreter, gradients against differences, with all optimisations, with none
# and by a random subset of the passes for each job.
#
#   random-jobs.sh [--count 2000] [--seed N] [--jobs 2] [--failures FOLDER]
#                  [--device cuda|mixed]
#
# With --device cuda they run there in place of the host, with --device mixed
# each op runs on the CPU or one of two GPUs, at random. JOBMLIR_CUDA_LIBRARY
# names the simulated CUDA: <build>/lib/libjobsim_cuda.so.
#
# Without a seed the day is one. Failing jobs are shrunk and written to
# FOLDER (default: <build>/random-jobs) with what reproduces them.

set -euo pipefail
default_failures=random-jobs options=(--device)
source "$(dirname "${BASH_SOURCE[0]}")/seeds.sh"
run_seeds test/Random/check.py
