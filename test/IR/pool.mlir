// RUN: job-opt %s | FileCheck %s
// RUN: job-opt %s | job-opt | FileCheck %s
// RUN: job-opt %s --mlir-print-op-generic | job-opt | FileCheck %s
// RUN: job-opt %s --emit-bytecode | job-opt | FileCheck %s

// Height: (8 + 1 + 2 - 3) / 2 + 1 = 5; width: (8 + 0 + 1 - 2) / 1 + 1 = 8.
// CHECK-LABEL: job.func @pool(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<2x4x8x8xf32>)
job.func @pool(%x: !job.blob<2x4x8x8xf32>)
    -> (!job.blob<2x4x4x4xf32>, !job.blob<2x4x8x8xf32>) kind predict {
  // CHECK-NEXT: job.max_pool2d %[[X]] {ksize = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : <2x4x8x8xf32>
  %0 = job.max_pool2d %x {ksize = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : !job.blob<2x4x8x8xf32>
  // CHECK-NEXT: %[[Y:.*]] = job.max_pool2d %[[X]] {ksize = array<i64: 3, 2>, padding = array<i64: 1, 0, 2, 1>, strides = array<i64: 2, 1>} : <2x4x8x8xf32>
  %1 = job.max_pool2d %x {ksize = array<i64: 3, 2>, padding = array<i64: 1, 0, 2, 1>, strides = array<i64: 2, 1>} : !job.blob<2x4x8x8xf32>
  // CHECK-NEXT: job.max_pool2d_grad %[[Y]], %[[X]] {ksize = array<i64: 3, 2>, padding = array<i64: 1, 0, 2, 1>, strides = array<i64: 2, 1>} : <2x4x5x8xf32>, <2x4x8x8xf32>
  %2 = job.max_pool2d_grad %1, %x {ksize = array<i64: 3, 2>, padding = array<i64: 1, 0, 2, 1>, strides = array<i64: 2, 1>} : !job.blob<2x4x5x8xf32>, !job.blob<2x4x8x8xf32>
  // CHECK-NEXT: %[[Z:.*]] = job.avg_pool2d %[[X]] {ksize = array<i64: 3, 2>, padding = array<i64: 1, 0, 2, 1>, strides = array<i64: 2, 1>} : <2x4x8x8xf32>
  %3 = job.avg_pool2d %x {ksize = array<i64: 3, 2>, padding = array<i64: 1, 0, 2, 1>, strides = array<i64: 2, 1>} : !job.blob<2x4x8x8xf32>
  // CHECK-NEXT: job.avg_pool2d_grad %[[Z]] {ksize = array<i64: 3, 2>, padding = array<i64: 1, 0, 2, 1>, strides = array<i64: 2, 1>} : <2x4x5x8xf32> -> <2x4x8x8xf32>
  %4 = job.avg_pool2d_grad %3 {ksize = array<i64: 3, 2>, padding = array<i64: 1, 0, 2, 1>, strides = array<i64: 2, 1>} : !job.blob<2x4x5x8xf32> -> !job.blob<2x4x8x8xf32>
  job.return %0, %2 : !job.blob<2x4x4x4xf32>, !job.blob<2x4x8x8xf32>
}

// CHECK-LABEL: job.func @nhwc(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<2x8x8x4xf32>)
job.func @nhwc(%x: !job.blob<2x8x8x4xf32>)
    -> (!job.blob<2x5x8x4xf32>, !job.blob<2x8x8x4xf32>) kind predict {
  // CHECK-NEXT: %[[Y:.*]] = job.max_pool2d %[[X]] {ksize = array<i64: 3, 2>, layout = #job<layout nhwc>, padding = array<i64: 1, 0, 2, 1>, strides = array<i64: 2, 1>} : <2x8x8x4xf32>
  %0 = job.max_pool2d %x {ksize = array<i64: 3, 2>, layout = #job<layout nhwc>, padding = array<i64: 1, 0, 2, 1>, strides = array<i64: 2, 1>} : !job.blob<2x8x8x4xf32>
  // CHECK-NEXT: job.max_pool2d_grad %[[Y]], %[[X]] {ksize = array<i64: 3, 2>, layout = #job<layout nhwc>, padding = array<i64: 1, 0, 2, 1>, strides = array<i64: 2, 1>} : <2x5x8x4xf32>, <2x8x8x4xf32>
  %1 = job.max_pool2d_grad %0, %x {ksize = array<i64: 3, 2>, layout = #job<layout nhwc>, padding = array<i64: 1, 0, 2, 1>, strides = array<i64: 2, 1>} : !job.blob<2x5x8x4xf32>, !job.blob<2x8x8x4xf32>
  // CHECK-NEXT: job.avg_pool2d_grad %[[Y]] {ksize = array<i64: 3, 2>, layout = #job<layout nhwc>, padding = array<i64: 1, 0, 2, 1>, strides = array<i64: 2, 1>} : <2x5x8x4xf32> -> <2x8x8x4xf32>
  %2 = job.avg_pool2d_grad %0 {ksize = array<i64: 3, 2>, layout = #job<layout nhwc>, padding = array<i64: 1, 0, 2, 1>, strides = array<i64: 2, 1>} : !job.blob<2x5x8x4xf32> -> !job.blob<2x8x8x4xf32>
  job.return %0, %1 : !job.blob<2x5x8x4xf32>, !job.blob<2x8x8x4xf32>
}

// CHECK-LABEL: job.func @argmax(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<2x4x8x8xf32>)
job.func @argmax(%x: !job.blob<2x4x8x8xf32>)
    -> (!job.blob<2x4x5x8xf32>, !job.blob<2x4x8x8xf32>) kind predict {
  // CHECK-NEXT: %[[Y:.*]], %[[A:.*]] = job.max_pool2d_argmax %[[X]] {ksize = array<i64: 3, 2>, padding = array<i64: 1, 0, 2, 1>, positive = true, strides = array<i64: 2, 1>} : <2x4x8x8xf32>
  %0, %1 = job.max_pool2d_argmax %x {ksize = array<i64: 3, 2>, padding = array<i64: 1, 0, 2, 1>, positive = true, strides = array<i64: 2, 1>} : !job.blob<2x4x8x8xf32>
  // CHECK-NEXT: job.max_pool2d_argmax_grad %[[Y]], %[[A]] {ksize = array<i64: 3, 2>, padding = array<i64: 1, 0, 2, 1>, strides = array<i64: 2, 1>} : <2x4x5x8xf32>, <2x4x5x8xi8> -> <2x4x8x8xf32>
  %2 = job.max_pool2d_argmax_grad %0, %1 {ksize = array<i64: 3, 2>, padding = array<i64: 1, 0, 2, 1>, strides = array<i64: 2, 1>} : !job.blob<2x4x5x8xf32>, !job.blob<2x4x5x8xi8> -> !job.blob<2x4x8x8xf32>
  job.return %0, %2 : !job.blob<2x4x5x8xf32>, !job.blob<2x4x8x8xf32>
}
