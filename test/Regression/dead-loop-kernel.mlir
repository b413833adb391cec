// An op with loops of its own whose result nobody needs, in text that was not
// simplified: its kernel had no result to write to, and the compiler crashed.
//
// RUN: job-opt %s --job-plan-pipeline=simplify=false | FileCheck %s
// RUN: job-opt %s --job-plan-pipeline='simplify=false fuse=false' | FileCheck %s

// CHECK-LABEL: plan.program @f
// CHECK-COUNT-1: plan.dispatch
// CHECK-NOT: plan.dispatch
job.func @f(%x: !job.blob<2x3xf32>, %labels: !job.blob<2xi32>) -> !job.blob<2x3xf32> kind predict {
  %dead = job.sparse_softmax_cross_entropy %x, %labels : !job.blob<2x3xf32>, !job.blob<2xi32>
  %dead_too = job.neg %dead : !job.blob<2xf32>
  %y = job.exp %x : !job.blob<2x3xf32>
  job.return %y : !job.blob<2x3xf32>
}
