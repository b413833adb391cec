// RUN: job-opt %s --job-select-implementations | FileCheck %s
// RUN: job-opt %s --job-select-implementations --job-form-kernels | FileCheck %s --check-prefix=KERNELS
// RUN: job-opt %s --job-select-implementations --job-form-kernels --convert-job-to-plan | FileCheck %s --check-prefix=PLAN
// RUN: job-opt %s --job-form-kernels --convert-job-to-plan | FileCheck %s --check-prefix=PLAN

// Little work is one chunk.
// CHECK-LABEL: job.func @small
// CHECK: job.matmul
// CHECK-SAME: plan.implementation = #plan.onednn.matmul<m = 2, n = 3, k = 4, transpose_b = 1>
// PLAN-LABEL: plan.program @small
// PLAN: plan.call #plan.onednn.matmul<m = 2, n = 3, k = 4, transpose_b = 1>
job.func @small(%a: !job.blob<2x4xf32>, %b: !job.blob<3x4xf32>) -> !job.blob<2x3xf32> kind predict {
  %0 = job.matmul %a, %b {transpose_rhs = true} : !job.blob<2x4xf32>, !job.blob<3x4xf32>
  job.return %0 : !job.blob<2x3xf32>
}

// More work is split for more cores: 4 x 8 parts.
// CHECK-LABEL: job.func @large
// CHECK: #plan.onednn.matmul<m = 1024, n = 3072, k = 768, row_parts = 4, column_parts = 8>
job.func @large(%a: !job.blob<1024x768xf32>, %b: !job.blob<768x3072xf32>) -> !job.blob<1024x3072xf32> kind predict {
  %0 = job.matmul %a, %b : !job.blob<1024x768xf32>, !job.blob<768x3072xf32>
  job.return %0 : !job.blob<1024x3072xf32>
}

// No library has the type: our own loops.
// CHECK-LABEL: job.func @double
// CHECK: job.conv2d
// CHECK-SAME: plan.implementation = #plan.generated_kernel
// KERNELS-LABEL: job.func @double
// KERNELS: job.kernel
// KERNELS: job.conv2d
// PLAN-LABEL: plan.program @double
// PLAN: plan.dispatch
job.func @double(%a: !job.blob<1x1x4x4xf64>, %b: !job.blob<1x1x3x3xf64>) -> !job.blob<1x1x2x2xf64> kind predict {
  %0 = job.conv2d %a, %b {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<1x1x4x4xf64>, !job.blob<1x1x3x3xf64>
  job.return %0 : !job.blob<1x1x2x2xf64>
}

// What is written in the text is obeyed.
// CHECK-LABEL: job.func @by_hand
// CHECK: #plan.onednn.matmul<m = 32, n = 32, k = 4, row_parts = 2, column_parts = 2>
// CHECK: job.matmul
// CHECK-SAME: #plan.generated_kernel
// KERNELS-LABEL: job.func @by_hand
// KERNELS: job.matmul
// KERNELS-NEXT: job.kernel
// PLAN-LABEL: plan.program @by_hand
// PLAN: plan.call #plan.onednn.matmul<m = 32, n = 32, k = 4, row_parts = 2, column_parts = 2>
// PLAN-NEXT: plan.dispatch
job.func @by_hand(%a: !job.blob<32x4xf32>, %b: !job.blob<4x32xf32>) -> !job.blob<32x32xf32> kind predict {
  %0 = job.matmul %a, %b {plan.implementation = #plan.onednn.matmul<m = 32, n = 32, k = 4, row_parts = 2, column_parts = 2>} : !job.blob<32x4xf32>, !job.blob<4x32xf32>
  %1 = job.matmul %0, %0 {plan.implementation = #plan.generated_kernel} : !job.blob<32x32xf32>, !job.blob<32x32xf32>
  job.return %1 : !job.blob<32x32xf32>
}
