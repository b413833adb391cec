// How kernels walk through what they read at other places.
//
// RUN: job-opt %s --pass-pipeline='builtin.module(job.func(job-form-kernels),convert-job-to-plan)' --mlir-print-local-scope | FileCheck %s

// The slice is one of the argument; nothing is copied.
// CHECK-LABEL: plan.executable @kernel_0 {
// CHECK: %[[PART:.*]] = tensor.extract_slice %arg0[1, 16] [4, 8] [1, 2] : tensor<8x32xf32> to tensor<4x8xf32>
// CHECK-NEXT: linalg.generic {{.*}} ins(%[[PART]] : tensor<4x8xf32>)
job.func @slice(%x: !job.blob<8x32xf32>) -> !job.blob<4x8xf32> kind predict {
  %0 = job.slice %x {offsets = array<i64: 1, 16>, sizes = array<i64: 4, 8>, strides = array<i64: 1, 2>} : !job.blob<8x32xf32>
  %1 = job.neg %0 : !job.blob<4x8xf32>
  job.return %1 : !job.blob<4x8xf32>
}

// Heads and positions change places, channels stay together: three dimensions
// are left of four.
// CHECK-LABEL: plan.executable @kernel_1 {
// CHECK: %[[X:.*]] = tensor.collapse_shape %arg0 {{\[\[}}0, 1], [2], [3, 4]] : tensor<1x4x3x2x5xf32> into tensor<4x3x10xf32>
// CHECK: linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%[[X]] : tensor<4x3x10xf32>) outs(%{{.*}} : tensor<3x4x10xf32>)
job.func @transpose(%x: !job.blob<1x4x3x2x5xf32>) -> !job.blob<1x3x4x2x5xf32> kind predict {
  %0 = job.transpose %x {permutation = array<i64: 0, 2, 1, 3, 4>} : !job.blob<1x4x3x2x5xf32>
  %1 = job.neg %0 : !job.blob<1x3x4x2x5xf32>
  job.return %1 : !job.blob<1x3x4x2x5xf32>
}

// Whole rows from the first on are as dense as the blob: one dimension.
// CHECK-LABEL: plan.executable @kernel_2 {
// CHECK: %[[PART:.*]] = tensor.extract_slice %arg0[0, 0] [4, 32] [1, 1]
// CHECK: %[[X:.*]] = tensor.collapse_shape %[[PART]] {{\[\[}}0, 1]] : tensor<4x32xf32> into tensor<128xf32>
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[X]] : tensor<128xf32>)
job.func @rows(%x: !job.blob<8x32xf32>) -> !job.blob<4x32xf32> kind predict {
  %0 = job.slice %x {offsets = array<i64: 0, 0>, sizes = array<i64: 4, 32>, strides = array<i64: 1, 1>} : !job.blob<8x32xf32>
  %1 = job.neg %0 : !job.blob<4x32xf32>
  job.return %1 : !job.blob<4x32xf32>
}

// A constant is the same wherever it is read.
// CHECK-LABEL: plan.executable @kernel_3 {
// CHECK: linalg.generic
// CHECK: %[[C:.*]] = arith.constant 1.500000e+00 : f32
// CHECK-NEXT: linalg.yield %[[C]]
job.func @constant() -> !job.blob<4x8xf32> kind predict {
  %0 = job.constant dense<1.5> : tensor<8xf32>
  %1 = job.broadcast_in_dim %0 {dims = array<i64: 1>} : !job.blob<8xf32> to !job.blob<4x8xf32>
  job.return %1 : !job.blob<4x8xf32>
}
