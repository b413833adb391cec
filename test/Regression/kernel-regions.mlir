// Kernels that a person wrote: a softmax and what comes before or after it was
// dropped, or crashed the compiler. They are one kernel each.
//
// RUN: job-opt %s --job-check-lowering -o /dev/null 2>&1 | FileCheck %s --check-prefix=RIGHT
// RIGHT: 6 kernels and library calls, and the artifact agree with the reference
// RUN: job-opt %s --job-plan-pipeline | FileCheck %s

// CHECK-LABEL: plan.program @softmax_neg
// CHECK-COUNT-1: plan.dispatch
// CHECK-NEXT: plan.return
job.func @softmax_neg(%x: !job.blob<4x8xf32>) -> !job.blob<4x8xf32> kind predict {
  %y = job.kernel(%a = %x : !job.blob<4x8xf32>) -> !job.blob<4x8xf32> {
    %0 = job.softmax %a : !job.blob<4x8xf32>
    %1 = job.neg %0 : !job.blob<4x8xf32>
    job.yield %1 : !job.blob<4x8xf32>
  }
  job.return %y : !job.blob<4x8xf32>
}

// CHECK-LABEL: plan.program @neg_softmax
// CHECK-COUNT-1: plan.dispatch
// CHECK-NEXT: plan.return
job.func @neg_softmax(%x: !job.blob<4x8xf32>) -> !job.blob<4x8xf32> kind predict {
  %y = job.kernel(%a = %x : !job.blob<4x8xf32>) -> !job.blob<4x8xf32> {
    %0 = job.neg %a : !job.blob<4x8xf32>
    %1 = job.softmax %0 : !job.blob<4x8xf32>
    job.yield %1 : !job.blob<4x8xf32>
  }
  job.return %y : !job.blob<4x8xf32>
}

// CHECK-LABEL: plan.program @two_softmax
// CHECK-COUNT-1: plan.dispatch
// CHECK-NEXT: plan.return
job.func @two_softmax(%x: !job.blob<4x8xf32>) -> !job.blob<4x8xf32> kind predict {
  %y = job.kernel(%a = %x : !job.blob<4x8xf32>) -> !job.blob<4x8xf32> {
    %0 = job.softmax %a : !job.blob<4x8xf32>
    %1 = job.softmax %0 : !job.blob<4x8xf32>
    job.yield %1 : !job.blob<4x8xf32>
  }
  job.return %y : !job.blob<4x8xf32>
}

// CHECK-LABEL: plan.program @matmul
// CHECK-COUNT-1: plan.dispatch
// CHECK-NEXT: plan.return
job.func @matmul(%x: !job.blob<4x8xf32>) -> !job.blob<4x4xf32> kind predict {
  %y = job.kernel(%a = %x : !job.blob<4x8xf32>) -> !job.blob<4x4xf32> {
    %0 = job.matmul %a, %a {transpose_rhs = true} : !job.blob<4x8xf32>, !job.blob<4x8xf32>
    job.yield %0 : !job.blob<4x4xf32>
  }
  job.return %y : !job.blob<4x4xf32>
}

// What no result needs is not computed.
// CHECK-LABEL: plan.program @unused
// CHECK-COUNT-1: plan.dispatch
// CHECK-NEXT: plan.return
job.func @unused(%x: !job.blob<4x8xf32>) -> !job.blob<4x8xf32> kind predict {
  %y = job.kernel(%a = %x : !job.blob<4x8xf32>) -> !job.blob<4x8xf32> {
    %0 = job.exp %a : !job.blob<4x8xf32>
    %1 = job.transpose %a {permutation = array<i64: 1, 0>} : !job.blob<4x8xf32>
    job.yield %0 : !job.blob<4x8xf32>
  }
  job.return %y : !job.blob<4x8xf32>
}

// Rows with the reduced dimension and without it, and a value of all elements.
// CHECK-LABEL: plan.program @rows
// CHECK-COUNT-1: plan.dispatch
// CHECK-NEXT: plan.return
job.func @rows(%x: !job.blob<4x8xf32>) -> (!job.blob<4xf32>, !job.blob<4x8xf32>) kind predict {
  %s, %y = job.kernel(%a = %x : !job.blob<4x8xf32>) -> (!job.blob<4xf32>, !job.blob<4x8xf32>) {
    %0 = job.reduce_sum %a {axes = array<i64: 1>, keepdims = false} : !job.blob<4x8xf32>
    %1 = job.exp %0 : !job.blob<4xf32>
    %2 = job.broadcast_in_dim %1 {dims = array<i64: 0>} : !job.blob<4xf32> to !job.blob<4x8xf32>
    %3 = job.add %a, %2 : !job.blob<4x8xf32>
    job.yield %1, %3 : !job.blob<4xf32>, !job.blob<4x8xf32>
  }
  job.return %s, %y : !job.blob<4xf32>, !job.blob<4x8xf32>
}
