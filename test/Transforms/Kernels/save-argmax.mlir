// Poolings of a GPU keep where their maxima are for their gradients.
// RUN: job-opt %s --job-place=device=gpu --job-save-argmax | FileCheck %s
// RUN: job-opt %s --job-place=device=gpu --job-save-argmax | job-opt --job-save-argmax | FileCheck %s
// RUN: job-opt %s --job-check-lowering="pipeline=job-place{device=gpu},job.func(job-save-argmax,canonicalize)" -o /dev/null

// CHECK-LABEL: job.func @plain(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<1x2x4x4xf32>, %[[DY:[^ ]*]]: !job.blob<1x2x2x2xf32>)
// CHECK-NEXT:    %[[Y:.*]], %[[ARGMAX:.*]] = job.max_pool2d_argmax %[[X]] {{.*}} : <1x2x4x4xf32>
// CHECK-NEXT:    %[[DX:.*]] = job.max_pool2d_argmax_grad %[[DY]], %[[ARGMAX]] {{.*}} : <1x2x2x2xf32>, <1x2x2x2xi8> -> <1x2x4x4xf32>
// CHECK-NEXT:    job.return %[[Y]], %[[DX]]
job.func @plain(%x: !job.blob<1x2x4x4xf32>, %dy: !job.blob<1x2x2x2xf32>) -> (!job.blob<1x2x2x2xf32>, !job.blob<1x2x4x4xf32>) kind predict {
  %y = job.max_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x4x4xf32>
  %dx = job.max_pool2d_grad %dy, %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x2x2xf32>, !job.blob<1x2x4x4xf32>
  job.return %y, %dx : !job.blob<1x2x2x2xf32>, !job.blob<1x2x4x4xf32>
}

// Two gradients read one argmax. What masks one of them masks not the other.
// CHECK-LABEL: job.func @twice(
// CHECK:         %{{.*}}, %[[ARGMAX:.*]] = job.max_pool2d_argmax
// CHECK-NOT:     positive
// CHECK:         %[[D:.*]] = job.select
// CHECK-NEXT:    job.max_pool2d_argmax_grad %[[D]], %[[ARGMAX]]
// CHECK-NEXT:    job.max_pool2d_argmax_grad %{{.*}}, %[[ARGMAX]]
job.func @twice(%x: !job.blob<1x2x4x4xf32>, %dy: !job.blob<1x2x2x2xf32>) -> (!job.blob<1x2x4x4xf32>, !job.blob<1x2x4x4xf32>) kind predict {
  %y = job.max_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x4x4xf32>
  %zero = job.constant dense<0.0> : tensor<1x2x2x2xf32>
  %positive = job.compare gt %y, %zero : !job.blob<1x2x2x2xf32>
  %d = job.select %positive, %dy, %zero : !job.blob<1x2x2x2xi1>, !job.blob<1x2x2x2xf32>
  %0 = job.max_pool2d_grad %d, %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x2x2xf32>, !job.blob<1x2x4x4xf32>
  %1 = job.max_pool2d_grad %dy, %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x2x2xf32>, !job.blob<1x2x4x4xf32>
  job.return %0, %1 : !job.blob<1x2x4x4xf32>, !job.blob<1x2x4x4xf32>
}

// The mask of a relu of the maximum; what else reads it still does.
// CHECK-LABEL: job.func @relu(
// CHECK-SAME:    %{{[^ ]*}}: !job.blob<1x2x4x4xf32>, %[[DY:[^ ]*]]: !job.blob<1x2x2x2xf32>)
// CHECK:         %[[Y:.*]], %[[ARGMAX:.*]] = job.max_pool2d_argmax {{.*}}positive
// CHECK:         %[[RELU:.*]] = job.relu %[[Y]]
// CHECK:         %[[D:.*]] = job.select
// CHECK-NEXT:    %[[SUM:.*]] = job.reduce_sum %[[D]]
// CHECK-NEXT:    %[[DX:.*]] = job.max_pool2d_argmax_grad %[[DY]], %[[ARGMAX]]
// CHECK-NEXT:    job.return %[[RELU]], %[[SUM]], %[[DX]]
job.func @relu(%x: !job.blob<1x2x4x4xf32>, %dy: !job.blob<1x2x2x2xf32>) -> (!job.blob<1x2x2x2xf32>, !job.blob<2xf32>, !job.blob<1x2x4x4xf32>) kind predict {
  %y = job.max_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x4x4xf32>
  %relu = job.relu %y : !job.blob<1x2x2x2xf32>
  %zero = job.constant dense<0.0> : tensor<1x2x2x2xf32>
  %positive = job.compare gt %relu, %zero : !job.blob<1x2x2x2xf32>
  %d = job.select %positive, %dy, %zero : !job.blob<1x2x2x2xi1>, !job.blob<1x2x2x2xf32>
  %sum = job.reduce_sum %d {axes = array<i64: 0, 2, 3>} : !job.blob<1x2x2x2xf32>
  %dx = job.max_pool2d_grad %d, %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x2x2xf32>, !job.blob<1x2x4x4xf32>
  job.return %relu, %sum, %dx : !job.blob<1x2x2x2xf32>, !job.blob<2xf32>, !job.blob<1x2x4x4xf32>
}

// Where the mask is of a transpose of the maximum, its transpose has no mask.
// CHECK-LABEL: job.func @transposed(
// CHECK-SAME:    %{{[^ ]*}}: !job.blob<1x4x6x4xf32>, %[[DY:[^ ]*]]: !job.blob<1x4x2x3xf32>)
// CHECK:         %[[Y:.*]], %[[ARGMAX:.*]] = job.max_pool2d_argmax {{.*}}positive
// CHECK:         %[[D:.*]] = job.transpose %[[DY]] {permutation = array<i64: 0, 2, 3, 1>}
// CHECK-NEXT:    job.max_pool2d_argmax_grad %[[D]], %[[ARGMAX]]
job.func @transposed(%x: !job.blob<1x4x6x4xf32>, %dy: !job.blob<1x4x2x3xf32>) -> (!job.blob<1x4x2x3xf32>, !job.blob<1x4x6x4xf32>) kind predict {
  %y = job.max_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<1x4x6x4xf32>
  %t = job.transpose %y {permutation = array<i64: 0, 3, 1, 2>} : !job.blob<1x2x3x4xf32>
  %relu = job.relu %t : !job.blob<1x4x2x3xf32>
  %zero = job.constant dense<0.0> : tensor<1x4x2x3xf32>
  %positive = job.compare gt %relu, %zero : !job.blob<1x4x2x3xf32>
  %d = job.select %positive, %dy, %zero : !job.blob<1x4x2x3xi1>, !job.blob<1x4x2x3xf32>
  %back = job.transpose %d {permutation = array<i64: 0, 2, 3, 1>} : !job.blob<1x4x2x3xf32>
  %dx = job.max_pool2d_grad %back, %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<1x2x3x4xf32>, !job.blob<1x4x6x4xf32>
  job.return %relu, %dx : !job.blob<1x4x2x3xf32>, !job.blob<1x4x6x4xf32>
}

// A mask of other places, of another value, of another comparison or with
// another value than 0 stays, as does a transpose that something else needs.
// CHECK-LABEL: job.func @other_masks(
// CHECK-NOT:     positive
job.func @other_masks(%x: !job.blob<1x4x4x2xf32>, %dy: !job.blob<1x2x2x2xf32>) -> (!job.blob<1x4x4x2xf32>, !job.blob<1x4x4x2xf32>, !job.blob<1x4x4x2xf32>, !job.blob<1x4x4x2xf32>, !job.blob<1x4x4x2xf32>, !job.blob<1x2x2x2xf32>) kind predict {
  %zero = job.constant dense<0.0> : tensor<1x2x2x2xf32>
  %one = job.constant dense<1.0> : tensor<1x2x2x2xf32>
  %c0 = job.constant dense<0.0> : tensor<1x4x4x2xf32>
  %x0 = job.sub %x, %c0 : !job.blob<1x4x4x2xf32>
  %y0 = job.max_pool2d %x0 {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<1x4x4x2xf32>
  %t0 = job.transpose %y0 {permutation = array<i64: 0, 2, 1, 3>} : !job.blob<1x2x2x2xf32>
  %m0 = job.compare gt %t0, %zero : !job.blob<1x2x2x2xf32>
  %d0 = job.select %m0, %dy, %zero : !job.blob<1x2x2x2xi1>, !job.blob<1x2x2x2xf32>
  %dx0 = job.max_pool2d_grad %d0, %x0 {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<1x2x2x2xf32>, !job.blob<1x4x4x2xf32>
  %c1 = job.constant dense<1.0> : tensor<1x4x4x2xf32>
  %x1 = job.sub %x, %c1 : !job.blob<1x4x4x2xf32>
  %y1 = job.max_pool2d %x1 {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<1x4x4x2xf32>
  %m1 = job.compare gt %dy, %zero : !job.blob<1x2x2x2xf32>
  %d1 = job.select %m1, %dy, %zero : !job.blob<1x2x2x2xi1>, !job.blob<1x2x2x2xf32>
  %dx1 = job.max_pool2d_grad %d1, %x1 {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<1x2x2x2xf32>, !job.blob<1x4x4x2xf32>
  %c2 = job.constant dense<2.0> : tensor<1x4x4x2xf32>
  %x2 = job.sub %x, %c2 : !job.blob<1x4x4x2xf32>
  %y2 = job.max_pool2d %x2 {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<1x4x4x2xf32>
  %m2 = job.compare ge %y2, %zero : !job.blob<1x2x2x2xf32>
  %d2 = job.select %m2, %dy, %zero : !job.blob<1x2x2x2xi1>, !job.blob<1x2x2x2xf32>
  %dx2 = job.max_pool2d_grad %d2, %x2 {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<1x2x2x2xf32>, !job.blob<1x4x4x2xf32>
  %c3 = job.constant dense<3.0> : tensor<1x4x4x2xf32>
  %x3 = job.sub %x, %c3 : !job.blob<1x4x4x2xf32>
  %y3 = job.max_pool2d %x3 {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<1x4x4x2xf32>
  %m3 = job.compare gt %y3, %one : !job.blob<1x2x2x2xf32>
  %d3 = job.select %m3, %dy, %zero : !job.blob<1x2x2x2xi1>, !job.blob<1x2x2x2xf32>
  %dx3 = job.max_pool2d_grad %d3, %x3 {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<1x2x2x2xf32>, !job.blob<1x4x4x2xf32>
  %c4 = job.constant dense<4.0> : tensor<1x4x4x2xf32>
  %x4 = job.sub %x, %c4 : !job.blob<1x4x4x2xf32>
  %y4 = job.max_pool2d %x4 {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<1x4x4x2xf32>
  %m4 = job.compare gt %y4, %zero : !job.blob<1x2x2x2xf32>
  %d4 = job.select %m4, %dy, %one : !job.blob<1x2x2x2xi1>, !job.blob<1x2x2x2xf32>
  %dx4 = job.max_pool2d_grad %d4, %x4 {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<1x2x2x2xf32>, !job.blob<1x4x4x2xf32>
  %y5 = job.max_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<1x4x4x2xf32>
  %t5 = job.transpose %y5 {permutation = array<i64: 0, 2, 1, 3>} : !job.blob<1x2x2x2xf32>
  %m5 = job.compare gt %t5, %zero : !job.blob<1x2x2x2xf32>
  %d5 = job.select %m5, %dy, %zero : !job.blob<1x2x2x2xi1>, !job.blob<1x2x2x2xf32>
  %back5 = job.transpose %d5 {permutation = array<i64: 0, 2, 1, 3>} : !job.blob<1x2x2x2xf32>
  %dx5 = job.max_pool2d_grad %back5, %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<1x2x2x2xf32>, !job.blob<1x4x4x2xf32>
  %dx45 = job.add %dx4, %dx5 : !job.blob<1x4x4x2xf32>
  job.return %dx0, %dx1, %dx2, %dx3, %dx45, %back5 : !job.blob<1x4x4x2xf32>, !job.blob<1x4x4x2xf32>, !job.blob<1x4x4x2xf32>, !job.blob<1x4x4x2xf32>, !job.blob<1x4x4x2xf32>, !job.blob<1x2x2x2xf32>
}

// A pooling without a gradient, with one of other windows or before it, and
// windows with too many cells stay as they are.
// CHECK-LABEL: job.func @others(
// CHECK-NOT:     argmax
job.func @others(%x: !job.blob<1x1x16x16xf32>, %dy: !job.blob<1x1x8x8xf32>) -> (!job.blob<1x1x8x8xf32>, !job.blob<1x1x16x16xf32>, !job.blob<1x1x14x14xf32>, !job.blob<1x1x16x16xf32>, !job.blob<1x1x16x16xf32>) kind predict {
  %before = job.max_pool2d_grad %dy, %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x1x8x8xf32>, !job.blob<1x1x16x16xf32>
  %0 = job.max_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x1x16x16xf32>
  %1 = job.max_pool2d_grad %dy, %x {ksize = array<i64: 1, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x1x8x8xf32>, !job.blob<1x1x16x16xf32>
  %2 = job.max_pool2d %x {ksize = array<i64: 3, 43>, strides = array<i64: 1, 1>, padding = array<i64: 0, 20, 0, 20>} : !job.blob<1x1x16x16xf32>
  %3 = job.max_pool2d_grad %2, %x {ksize = array<i64: 3, 43>, strides = array<i64: 1, 1>, padding = array<i64: 0, 20, 0, 20>} : !job.blob<1x1x14x14xf32>, !job.blob<1x1x16x16xf32>
  job.return %0, %1, %2, %3, %before : !job.blob<1x1x8x8xf32>, !job.blob<1x1x16x16xf32>, !job.blob<1x1x14x14xf32>, !job.blob<1x1x16x16xf32>, !job.blob<1x1x16x16xf32>
}
