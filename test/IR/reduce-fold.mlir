// RUN: job-opt %s --canonicalize | FileCheck %s

// Reductions over nothing.
// CHECK-LABEL: job.func @no_axes(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<2x6xf32>)
// CHECK-NEXT:    job.return %[[X]], %[[X]], %[[X]], %[[X]], %[[X]] :
job.func @no_axes(%x: !job.blob<2x6xf32>)
    -> (!job.blob<2x6xf32>, !job.blob<2x6xf32>, !job.blob<2x6xf32>, !job.blob<2x6xf32>, !job.blob<2x6xf32>) kind predict {
  %0 = job.reduce_sum %x {axes = array<i64>} : !job.blob<2x6xf32>
  %1 = job.reduce_sum %x {axes = array<i64>, keepdims = true} : !job.blob<2x6xf32>
  %2 = job.reduce_prod %x {axes = array<i64>} : !job.blob<2x6xf32>
  %3 = job.reduce_max %x {axes = array<i64>} : !job.blob<2x6xf32>
  %4 = job.reduce_min %x {axes = array<i64>} : !job.blob<2x6xf32>
  job.return %0, %1, %2, %3, %4 : !job.blob<2x6xf32>, !job.blob<2x6xf32>, !job.blob<2x6xf32>, !job.blob<2x6xf32>, !job.blob<2x6xf32>
}

// A sum over one element: 0 + (-0) is 0 in a kernel that starts from 0, so the
// element itself would be another answer.
// CHECK-LABEL: job.func @one_element
// CHECK:         job.reduce_sum
job.func @one_element(%x: !job.blob<1x6xf32>) -> !job.blob<1x6xf32> kind predict {
  %0 = job.reduce_sum %x {axes = array<i64: 0>, keepdims = true} : !job.blob<1x6xf32>
  job.return %0 : !job.blob<1x6xf32>
}

// The order of a sum's additions belongs to the kernel, so constants are not
// summed.
// CHECK-LABEL: job.func @constant
// CHECK:         job.reduce_sum
job.func @constant() -> !job.blob<1xf32> kind predict {
  %0 = job.constant dense<0.1> : tensor<100xf32>
  %1 = job.reduce_sum %0 {axes = array<i64: 0>} : !job.blob<100xf32>
  job.return %1 : !job.blob<1xf32>
}

// The gradient of a maximum pooling has each element of %g at one place, so a
// sum over images is that of %g.
// CHECK-LABEL: job.func @pool_grad(
// CHECK-SAME: %[[G:[^ ]*]]: !job.blob<2x3x2x2xf32>
// CHECK-DAG: %[[A:.*]] = job.reduce_sum %[[G]] {axes = array<i64: 0, 2, 3>}
// CHECK-DAG: %[[B:.*]] = job.reduce_sum %[[G]] {axes = array<i64: 2, 3>, keepdims = true}
// CHECK: job.return %[[A]], %[[B]]
job.func @pool_grad(%g: !job.blob<2x3x2x2xf32>, %x: !job.blob<2x3x4x4xf32>)
    -> (!job.blob<3xf32>, !job.blob<2x3x1x1xf32>) kind predict {
  %0 = job.max_pool2d_grad %g, %x {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 1, 1>} : !job.blob<2x3x2x2xf32>, !job.blob<2x3x4x4xf32>
  %1 = job.reduce_sum %0 {axes = array<i64: 0, 2, 3>} : !job.blob<2x3x4x4xf32>
  %2 = job.reduce_sum %0 {axes = array<i64: 2, 3>, keepdims = true} : !job.blob<2x3x4x4xf32>
  job.return %1, %2 : !job.blob<3xf32>, !job.blob<2x3x1x1xf32>
}

// With the channels last, in a narrow type.
// CHECK-LABEL: job.func @narrow_pool_grad(
// CHECK-SAME: %[[G:[^ ]*]]: !job.blob<2x2x2x3xbf16>
// CHECK: %[[WIDE:.*]] = job.cast %[[G]] : <2x2x2x3xbf16> to <2x2x2x3xf32>
// CHECK: job.reduce_sum %[[WIDE]] {axes = array<i64: 0, 1, 2>}
job.func @narrow_pool_grad(%g: !job.blob<2x2x2x3xbf16>, %x: !job.blob<2x4x4x3xbf16>) -> !job.blob<3xf32> kind predict {
  %0 = job.max_pool2d_grad %g, %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<2x2x2x3xbf16>, !job.blob<2x4x4x3xbf16>
  %1 = job.cast %0 : !job.blob<2x4x4x3xbf16> to !job.blob<2x4x4x3xf32>
  %2 = job.reduce_sum %1 {axes = array<i64: 0, 1, 2>} : !job.blob<2x4x4x3xf32>
  job.return %2 : !job.blob<3xf32>
}

// A part of the image, and a sum of elements that are rounded.
// CHECK-LABEL: job.func @pool_grad_stays(
// CHECK: %[[D:.*]] = job.max_pool2d_grad
// CHECK: job.reduce_sum %[[D]]
// CHECK: %[[NARROW:.*]] = job.cast %[[D]]
// CHECK: job.reduce_sum %[[NARROW]]
job.func @pool_grad_stays(%g: !job.blob<2x3x2x2xf32>, %x: !job.blob<2x3x4x4xf32>)
    -> (!job.blob<2x4xf32>, !job.blob<3xf16>) kind predict {
  %0 = job.max_pool2d_grad %g, %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<2x3x2x2xf32>, !job.blob<2x3x4x4xf32>
  %1 = job.reduce_sum %0 {axes = array<i64: 1, 3>} : !job.blob<2x3x4x4xf32>
  %2 = job.cast %0 : !job.blob<2x3x4x4xf32> to !job.blob<2x3x4x4xf16>
  %3 = job.reduce_sum %2 {axes = array<i64: 0, 2, 3>} : !job.blob<2x3x4x4xf16>
  job.return %1, %3 : !job.blob<2x4xf32>, !job.blob<3xf16>
}
