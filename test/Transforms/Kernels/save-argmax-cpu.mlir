// RUN: job-opt %s --job-save-argmax | FileCheck %s
// RUN: job-opt %s --job-check-lowering="pipeline=job-place,job.func(job-save-argmax,canonicalize)" -o /dev/null

// On a CPU, a pooling keeps where its maxima are for its gradient with the
// channels last.

// CHECK-LABEL: job.func @channels_last(
// CHECK-NEXT:    %{{.*}}, %[[ARGMAX:.*]] = job.max_pool2d_argmax
// CHECK-NEXT:    job.max_pool2d_argmax_grad %{{.*}}, %[[ARGMAX]]
job.func @channels_last(%x: !job.blob<1x4x4x2xf32>, %dy: !job.blob<1x2x2x2xf32>) -> (!job.blob<1x2x2x2xf32>, !job.blob<1x4x4x2xf32>) kind predict {
  %y = job.max_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<1x4x4x2xf32>
  %dx = job.max_pool2d_grad %dy, %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<1x2x2x2xf32>, !job.blob<1x4x4x2xf32>
  job.return %y, %dx : !job.blob<1x2x2x2xf32>, !job.blob<1x4x4x2xf32>
}

// CHECK-LABEL: job.func @channels_first(
// CHECK-NOT:     argmax
job.func @channels_first(%x: !job.blob<1x2x4x4xf32>, %dy: !job.blob<1x2x2x2xf32>) -> (!job.blob<1x2x2x2xf32>, !job.blob<1x2x4x4xf32>) kind predict {
  %y = job.max_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x4x4xf32>
  %dx = job.max_pool2d_grad %dy, %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x2x2xf32>, !job.blob<1x2x4x4xf32>
  job.return %y, %dx : !job.blob<1x2x2x2xf32>, !job.blob<1x2x4x4xf32>
}
