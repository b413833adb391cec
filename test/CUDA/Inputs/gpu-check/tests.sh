#!/usr/bin/env bash
# Stands for a program of GoogleTest: of its two tests, one is skipped.
for argument; do
  case $argument in
  --gtest_output=json:*) output=${argument#*:} ;;
  esac
done
echo '[ RUN      ] Suite.Skipped'
echo 'a file:12: Skipped'
echo 'no such library'
echo '[  SKIPPED ] Suite.Skipped (0 ms)'
cat >"$output" <<'RESULTS'
{"testsuites": [{"name": "Suite", "testsuite": [
  {"name": "Passes", "status": "RUN", "result": "COMPLETED"},
  {"name": "Skipped", "status": "RUN", "result": "SKIPPED"},
  {"name": "Filtered", "status": "NOTRUN", "result": "SUPPRESSED"}]}]}
RESULTS
