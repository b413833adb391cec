#!/usr/bin/env bash
# once.sh MARKER PLANT COMMAND...: runs a worker of check.py, the first time with what
# PLANT asks for: failures of the simulated CUDA, or the end of the process in dies:JOB.
marker=$1 plant=$2
shift 2
if [ ! -e "$marker" ]; then
  touch "$marker"
  if [[ "$plant" = dies:* ]]; then
    echo "\"${plant#dies:}\"" >"${*: -1}"
    kill -KILL $$
  fi
  export JOBSIM_FAIL=$plant
fi
exec "$@"
