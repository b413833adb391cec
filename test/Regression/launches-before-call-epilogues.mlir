// A kernel that a call of a library can compute is in no launch. One that joined
// the bias was left with a call before it, and one that was moved between a
// product and its bias kept them apart.
//
// RUN: job-opt %s --job-plan-pipeline=device=gpu | FileCheck %s

// CHECK-LABEL: plan.program @head
// CHECK-COUNT-1: #plan.cublaslt.matmul<{{.*}}epilogue = bias
// CHECK-NOT: joined
job.func @head(%x: !job.blob<8x8xf32>, %w: !job.blob<8x8xf32>, %b: !job.blob<8xf32>, %q: !job.blob<40xf32>) -> (!job.blob<8x8xf32>, !job.blob<40xf32>) kind predict {
  %0 = job.matmul %x, %w : !job.blob<8x8xf32>, !job.blob<8x8xf32>
  %1 = job.broadcast_in_dim %b {dims = array<i64: 1>} : !job.blob<8xf32> to !job.blob<8x8xf32>
  %2 = job.add %0, %1 : !job.blob<8x8xf32>
  %z = job.exp %q : !job.blob<40xf32>
  %3 = job.matmul %2, %w : !job.blob<8x8xf32>, !job.blob<8x8xf32>
  job.return %3, %z : !job.blob<8x8xf32>, !job.blob<40xf32>
}

// CHECK-LABEL: plan.program @before
// CHECK-COUNT-1: #plan.cublaslt.matmul<{{.*}}epilogue = bias
// CHECK-NOT: joined
job.func @before(%x: !job.blob<8x8xf32>, %w: !job.blob<8x8xf32>, %b: !job.blob<8xf32>, %q: !job.blob<40xf32>) -> (!job.blob<8x8xf32>, !job.blob<40xf32>) kind predict {
  %z = job.exp %q : !job.blob<40xf32>
  %0 = job.matmul %x, %w : !job.blob<8x8xf32>, !job.blob<8x8xf32>
  %1 = job.broadcast_in_dim %b {dims = array<i64: 1>} : !job.blob<8xf32> to !job.blob<8x8xf32>
  %2 = job.add %0, %1 : !job.blob<8x8xf32>
  %3 = job.matmul %2, %w : !job.blob<8x8xf32>, !job.blob<8x8xf32>
  job.return %3, %z : !job.blob<8x8xf32>, !job.blob<40xf32>
}
