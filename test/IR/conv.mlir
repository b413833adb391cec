// RUN: job-opt %s | FileCheck %s
// RUN: job-opt %s | job-opt | FileCheck %s
// RUN: job-opt %s --mlir-print-op-generic | job-opt | FileCheck %s
// RUN: job-opt %s --emit-bytecode | job-opt | FileCheck %s

// A plain one; strides, uneven padding, dilations and groups; the gradients.
// CHECK-LABEL: job.func @conv(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<2x4x9x8xf32>, %[[F:[^ ]*]]: !job.blob<6x4x3x3xf32>,
// CHECK-SAME:    %[[G:[^ ]*]]: !job.blob<6x2x3x3xf32>)
job.func @conv(%x: !job.blob<2x4x9x8xf32>, %f: !job.blob<6x4x3x3xf32>,
               %g: !job.blob<6x2x3x3xf32>)
    -> (!job.blob<2x6x7x6xf32>, !job.blob<2x6x5x6xf32>, !job.blob<2x4x9x8xf32>,
        !job.blob<6x2x3x3xf32>) kind predict {
  // CHECK-NEXT: %[[Y:.*]] = job.conv2d %[[X]], %[[F]] {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : <2x4x9x8xf32>, <6x4x3x3xf32>
  %0 = job.conv2d %x, %f {dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nchw>, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : !job.blob<2x4x9x8xf32>, !job.blob<6x4x3x3xf32>
  // Height: (9 + 1 + 2 - 3) / 2 + 1 = 5; width: (8 + 2 + 0 - 5) / 1 + 1 = 6.
  // CHECK-NEXT: %[[Z:.*]] = job.conv2d %[[X]], %[[G]] {dilations = array<i64: 1, 2>, groups = 2 : i64, padding = array<i64: 1, 2, 2, 0>, strides = array<i64: 2, 1>} : <2x4x9x8xf32>, <6x2x3x3xf32>
  %1 = job.conv2d %x, %g {dilations = array<i64: 1, 2>, groups = 2 : i64, padding = array<i64: 1, 2, 2, 0>, strides = array<i64: 2, 1>} : !job.blob<2x4x9x8xf32>, !job.blob<6x2x3x3xf32>
  // CHECK-NEXT: job.conv2d_data_grad %[[Z]], %[[G]] {dilations = array<i64: 1, 2>, groups = 2 : i64, padding = array<i64: 1, 2, 2, 0>, strides = array<i64: 2, 1>} : <2x6x5x6xf32>, <6x2x3x3xf32> -> <2x4x9x8xf32>
  %2 = job.conv2d_data_grad %1, %g {dilations = array<i64: 1, 2>, groups = 2 : i64, padding = array<i64: 1, 2, 2, 0>, strides = array<i64: 2, 1>} : !job.blob<2x6x5x6xf32>, !job.blob<6x2x3x3xf32> -> !job.blob<2x4x9x8xf32>
  // CHECK-NEXT: job.conv2d_filter_grad %[[Z]], %[[X]] {dilations = array<i64: 1, 2>, groups = 2 : i64, padding = array<i64: 1, 2, 2, 0>, strides = array<i64: 2, 1>} : <2x6x5x6xf32>, <2x4x9x8xf32> -> <6x2x3x3xf32>
  %3 = job.conv2d_filter_grad %1, %x {dilations = array<i64: 1, 2>, groups = 2 : i64, padding = array<i64: 1, 2, 2, 0>, strides = array<i64: 2, 1>} : !job.blob<2x6x5x6xf32>, !job.blob<2x4x9x8xf32> -> !job.blob<6x2x3x3xf32>
  job.return %0, %1, %2, %3 : !job.blob<2x6x7x6xf32>, !job.blob<2x6x5x6xf32>,
    !job.blob<2x4x9x8xf32>, !job.blob<6x2x3x3xf32>
}

// The layout is printed unless it is NCHW.
// CHECK-LABEL: job.func @nhwc(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<2x9x8x4xf32>, %[[F:[^ ]*]]: !job.blob<6x3x3x2xf32>)
job.func @nhwc(%x: !job.blob<2x9x8x4xf32>, %f: !job.blob<6x3x3x2xf32>)
    -> (!job.blob<2x5x6x6xf32>, !job.blob<2x9x8x4xf32>, !job.blob<6x3x3x2xf32>) kind predict {
  // CHECK-NEXT: %[[Y:.*]] = job.conv2d %[[X]], %[[F]] {dilations = array<i64: 1, 2>, groups = 2 : i64, layout = #job<layout nhwc>, padding = array<i64: 1, 2, 2, 0>, strides = array<i64: 2, 1>} : <2x9x8x4xf32>, <6x3x3x2xf32>
  %0 = job.conv2d %x, %f {dilations = array<i64: 1, 2>, groups = 2 : i64, layout = #job<layout nhwc>, padding = array<i64: 1, 2, 2, 0>, strides = array<i64: 2, 1>} : !job.blob<2x9x8x4xf32>, !job.blob<6x3x3x2xf32>
  // CHECK-NEXT: job.conv2d_data_grad %[[Y]], %[[F]] {dilations = array<i64: 1, 2>, groups = 2 : i64, layout = #job<layout nhwc>, padding = array<i64: 1, 2, 2, 0>, strides = array<i64: 2, 1>} : <2x5x6x6xf32>, <6x3x3x2xf32> -> <2x9x8x4xf32>
  %1 = job.conv2d_data_grad %0, %f {dilations = array<i64: 1, 2>, groups = 2 : i64, layout = #job<layout nhwc>, padding = array<i64: 1, 2, 2, 0>, strides = array<i64: 2, 1>} : !job.blob<2x5x6x6xf32>, !job.blob<6x3x3x2xf32> -> !job.blob<2x9x8x4xf32>
  // CHECK-NEXT: job.conv2d_filter_grad %[[Y]], %[[X]] {dilations = array<i64: 1, 2>, groups = 2 : i64, layout = #job<layout nhwc>, padding = array<i64: 1, 2, 2, 0>, strides = array<i64: 2, 1>} : <2x5x6x6xf32>, <2x9x8x4xf32> -> <6x3x3x2xf32>
  %2 = job.conv2d_filter_grad %0, %x {dilations = array<i64: 1, 2>, groups = 2 : i64, layout = #job<layout nhwc>, padding = array<i64: 1, 2, 2, 0>, strides = array<i64: 2, 1>} : !job.blob<2x5x6x6xf32>, !job.blob<2x9x8x4xf32> -> !job.blob<6x3x3x2xf32>
  job.return %0, %1, %2 : !job.blob<2x5x6x6xf32>, !job.blob<2x9x8x4xf32>, !job.blob<6x3x3x2xf32>
}
