// Which kernels are equal was read from their text, as the options of the
// command line print it: with locations none were, and with elided constants
// different ones were.
//
// RUN: job-opt %s --job-plan-pipeline --mlir-print-debuginfo | FileCheck %s
// RUN: job-opt %s --job-plan-pipeline --mlir-print-op-generic | job-opt | FileCheck %s

// CHECK-LABEL: plan.program @f
// CHECK: plan.dispatch @kernel_0
// CHECK-LABEL: plan.program @g
// CHECK: plan.dispatch @kernel_0
// CHECK-LABEL: plan.program @h
// CHECK: plan.dispatch @kernel_2
job.func @f(%x: !job.blob<4xf32>) -> !job.blob<4xf32> kind predict {
  %0 = job.exp %x : !job.blob<4xf32>
  job.return %0 : !job.blob<4xf32>
}
job.func @g(%x: !job.blob<4xf32>) -> !job.blob<4xf32> kind predict {
  %0 = job.exp %x : !job.blob<4xf32>
  job.return %0 : !job.blob<4xf32>
}
job.func @h(%x: !job.blob<4xf32>) -> !job.blob<4xf32> kind predict {
  %0 = job.neg %x : !job.blob<4xf32>
  job.return %0 : !job.blob<4xf32>
}
