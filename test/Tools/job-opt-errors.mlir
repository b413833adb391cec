// An error names the user's line; the op that has come of it is shown to those
// who ask.
// RUN: not job-opt %s --job-verify 2>&1 | FileCheck %s --implicit-check-not="see current operation"
// RUN: not job-opt %s --job-verify --explain=memory 2>&1 | FileCheck %s --implicit-check-not="see current operation"
// RUN: not job-opt %s --job-verify --mlir-print-op-on-diagnostic 2>&1 | FileCheck %s --check-prefixes=CHECK,OP

// CHECK: job-opt-errors.mlir:[[#@LINE+2]]:1: error: training job @train expects a loss (job.loss) but got none
// OP: note: see current operation
job.func @train() kind train {
  job.return
}
