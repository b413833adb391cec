// Reductions that differ by an axis of one element were put into one kernel,
// which takes reductions over the same axes only.
//
// RUN: job-opt %s --job-train-pipeline --job-plan-pipeline | FileCheck %s
// CHECK-LABEL: plan.program @job
// CHECK-COUNT-2: plan.dispatch
// CHECK: plan.return

job.func @job(%x: !job.blob<8x1x7xf32>) -> (!job.blob<1xf32>, !job.blob<1xf32>) kind predict {
  %y = job.exp %x : !job.blob<8x1x7xf32>
  %0 = job.reduce_sum %y {axes = array<i64: 0, 1, 2>} : !job.blob<8x1x7xf32>
  %1 = job.reduce_max %y {axes = array<i64: 0, 2>} : !job.blob<8x1x7xf32>
  job.return %0, %1 : !job.blob<1xf32>, !job.blob<1xf32>
}
