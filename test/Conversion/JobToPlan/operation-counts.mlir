// How many operations each command is said to do.
//
// RUN: job-opt %s --pass-pipeline='builtin.module(job.func(job-form-kernels),convert-job-to-plan)' --mlir-print-local-scope | FileCheck %s

// Two scalar ops on 4 x 6 elements and a sum of them; a broadcast and a constant
// are no operations: 3 * 24.
// CHECK-LABEL: plan.program @fused
// CHECK: plan.dispatch {{.*}} {flops = 72 : i64}
job.func @fused(%x: !job.blob<4x6xf32>, %b: !job.blob<6xf32>) -> !job.blob<4xf32> kind predict {
  %0 = job.broadcast_in_dim %b {dims = array<i64: 1>} : !job.blob<6xf32> to !job.blob<4x6xf32>
  %1 = job.add %x, %0 : !job.blob<4x6xf32>
  %2 = job.exp %1 : !job.blob<4x6xf32>
  %3 = job.reduce_sum %2 {axes = array<i64: 1>} : !job.blob<4x6xf32>
  job.return %3 : !job.blob<4xf32>
}

// 2 * 3 * 7 * 5.
// CHECK-LABEL: plan.program @matmul
// CHECK: plan.call #plan.onednn.matmul<{{.*}} {flops = 210 : i64}
job.func @matmul(%a: !job.blob<3x5xf32>, %b: !job.blob<5x7xf32>) -> !job.blob<3x7xf32> kind predict {
  %0 = job.matmul %a, %b : !job.blob<3x5xf32>, !job.blob<5x7xf32>
  job.return %0 : !job.blob<3x7xf32>
}

// In f64 it is a loop, which counts the same.
// CHECK-LABEL: plan.program @matmul_f64
// CHECK: plan.dispatch {{.*}} {flops = 210 : i64}
job.func @matmul_f64(%a: !job.blob<3x5xf64>, %b: !job.blob<5x7xf64>) -> !job.blob<3x7xf64> kind predict {
  %0 = job.matmul %a, %b : !job.blob<3x5xf64>, !job.blob<5x7xf64>
  job.return %0 : !job.blob<3x7xf64>
}

// Each of 2 x 6 x 5 x 6 outputs has 2 x 3 x 3 products: 2 * 360 * 18; the
// gradients have the same products.
// CHECK-LABEL: plan.program @conv
// CHECK: plan.call #plan.onednn.conv2d<{{.*}} {flops = 12960 : i64}
// CHECK: plan.call #plan.onednn.conv2d_data_grad<{{.*}} {flops = 12960 : i64}
job.func @conv(%x: !job.blob<2x4x9x8xf32>, %g: !job.blob<6x2x3x3xf32>) -> !job.blob<2x4x9x8xf32> kind predict {
  %1 = job.conv2d %x, %g {dilations = array<i64: 1, 2>, groups = 2 : i64, padding = array<i64: 1, 2, 2, 0>, strides = array<i64: 2, 1>} : !job.blob<2x4x9x8xf32>, !job.blob<6x2x3x3xf32>
  %2 = job.conv2d_data_grad %1, %g {dilations = array<i64: 1, 2>, groups = 2 : i64, padding = array<i64: 1, 2, 2, 0>, strides = array<i64: 2, 1>} : !job.blob<2x6x5x6xf32>, !job.blob<6x2x3x3xf32> -> !job.blob<2x4x9x8xf32>
  job.return %2 : !job.blob<2x4x9x8xf32>
}

// 2 * 4 * (3 * 7 * 5).
// CHECK-LABEL: plan.program @batched_matmul
// CHECK: plan.call #plan.onednn.matmul<batch = 4, {{.*}} {flops = 840 : i64}
job.func @batched_matmul(%a: !job.blob<2x2x3x5xf32>, %b: !job.blob<2x2x5x7xf32>) -> !job.blob<2x2x3x7xf32> kind predict {
  %0 = job.matmul %a, %b : !job.blob<2x2x3x5xf32>, !job.blob<2x2x5x7xf32>
  job.return %0 : !job.blob<2x2x3x7xf32>
}

// 2 images, 3 heads, 20 pairs of a query and a key, 6 + 8 channels, a product
// and a sum each. The gradient has three products over the channels of keys and
// two over those of values.
// CHECK-LABEL: plan.program @attention
// CHECK: plan.call #plan.host.attention<{{.*}} {flops = 3360 : i64}
// CHECK: plan.call #plan.host.attention_grad<{{.*}} {flops = 8160 : i64}
job.func @attention(%q: !job.blob<2x4x3x6xf32>, %k: !job.blob<2x5x3x6xf32>, %v: !job.blob<2x5x3x8xf32>) -> !job.blob<2x4x3x6xf32> kind predict {
  %y, %l = job.attention %q, %k, %v {scale = 0.5 : f64} : !job.blob<2x4x3x6xf32>, !job.blob<2x5x3x6xf32>, !job.blob<2x5x3x8xf32>
  %dq, %dk, %dv = job.attention_grad %y, %q, %k, %v, %y, %l {scale = 0.5 : f64} : !job.blob<2x4x3x8xf32>, !job.blob<2x4x3x6xf32>, !job.blob<2x5x3x6xf32>, !job.blob<2x5x3x8xf32>, !job.blob<2x3x4xf32>
  job.return %dq : !job.blob<2x4x3x6xf32>
}

// The four queries see 2 + 3 + 4 + 5 keys.
// CHECK-LABEL: plan.program @causal_attention
// CHECK: plan.call #plan.host.attention<{{.*}} {flops = 168 : i64}
job.func @causal_attention(%q: !job.blob<1x4x1x3xf32>, %k: !job.blob<1x5x1x3xf32>) -> !job.blob<1x4x1x3xf32> kind predict {
  %y, %l = job.attention %q, %k, %k {causal = true, scale = 0.5 : f64} : !job.blob<1x4x1x3xf32>, !job.blob<1x5x1x3xf32>, !job.blob<1x5x1x3xf32>
  job.return %y : !job.blob<1x4x1x3xf32>
}
