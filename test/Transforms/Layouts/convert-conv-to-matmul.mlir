// RUN: job-opt %s --pass-pipeline="builtin.module(job-place,job.func(job-convert-conv-to-matmul))" | FileCheck %s
// RUN: job-opt %s --pass-pipeline="builtin.module(job.func(job-convert-conv-to-matmul{max-pixels=1000}))" | FileCheck %s --check-prefix=ALL
// RUN: job-opt %s --job-check-lowering="pipeline=job.func(job-convert-conv-to-matmul{max-pixels=1000})" -o /dev/null

// On the CPU, the gradient of a filter of one pixel is a product in bf16, for
// small images.

// CHECK-LABEL: job.func @small(
// CHECK-NEXT:  %[[DY:.*]] = job.reshape %{{.*}} : <2x14x14x6xbf16> to <392x6xbf16>
// CHECK-NEXT:  %[[X:.*]] = job.reshape %{{.*}} : <2x14x14x4xbf16> to <392x4xbf16>
// CHECK-NEXT:  %[[DF:.*]] = job.matmul %[[DY]], %[[X]] {transpose_lhs = true}
// CHECK-NEXT:  job.reshape %[[DF]] : <6x4xbf16> to <6x1x1x4xbf16>
// ALL-LABEL:   job.func @small(
// ALL:         job.matmul
job.func @small(%dy: !job.blob<2x14x14x6xbf16>, %x: !job.blob<2x14x14x4xbf16>) -> !job.blob<6x1x1x4xbf16> kind predict {
  %0 = job.conv2d_filter_grad %dy, %x {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<2x14x14x6xbf16>, !job.blob<2x14x14x4xbf16> -> !job.blob<6x1x1x4xbf16>
  job.return %0 : !job.blob<6x1x1x4xbf16>
}

// CHECK-LABEL: job.func @large(
// CHECK-NEXT:  job.conv2d_filter_grad
// ALL-LABEL:   job.func @large(
// ALL:         job.matmul
job.func @large(%dy: !job.blob<2x15x14x6xbf16>, %x: !job.blob<2x15x14x4xbf16>) -> !job.blob<6x1x1x4xbf16> kind predict {
  %0 = job.conv2d_filter_grad %dy, %x {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<2x15x14x6xbf16>, !job.blob<2x15x14x4xbf16> -> !job.blob<6x1x1x4xbf16>
  job.return %0 : !job.blob<6x1x1x4xbf16>
}

// CHECK-LABEL: job.func @wide(
// CHECK-NEXT:  job.conv2d_filter_grad
// ALL-LABEL:   job.func @wide(
// ALL:         job.matmul
job.func @wide(%dy: !job.blob<2x3x3x6xf32>, %x: !job.blob<2x3x3x4xf32>) -> !job.blob<6x1x1x4xf32> kind predict {
  %0 = job.conv2d_filter_grad %dy, %x {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<2x3x3x6xf32>, !job.blob<2x3x3x4xf32> -> !job.blob<6x1x1x4xf32>
  job.return %0 : !job.blob<6x1x1x4xf32>
}

// CHECK-LABEL: job.func @gpu(
// CHECK-NEXT:  job.conv2d_filter_grad
job.func @gpu(%dy: !job.blob<2x3x3x6xbf16>, %x: !job.blob<2x3x3x4xbf16>) -> !job.blob<6x1x1x4xbf16> kind predict attributes {placement = #job.placement<gpu, "0:0">} {
  %0 = job.conv2d_filter_grad %dy, %x {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<2x3x3x6xbf16>, !job.blob<2x3x3x4xbf16> -> !job.blob<6x1x1x4xbf16>
  job.return %0 : !job.blob<6x1x1x4xbf16>
}

// These are no products: columns of channels, a pixel that is skipped, padding,
// groups, a larger filter. One is chosen in the text.
// CHECK-LABEL: job.func @others(
// CHECK-NOT:   job.matmul
// ALL-LABEL:   job.func @others(
// ALL-COUNT-6: job.conv2d_filter_grad
job.func @others(%a: !job.blob<2x6x3x3xbf16>, %x: !job.blob<2x4x3x3xbf16>, %b: !job.blob<2x3x3x6xbf16>, %y: !job.blob<2x5x5x4xbf16>, %c: !job.blob<2x5x5x6xbf16>, %z: !job.blob<2x3x3x4xbf16>) -> (!job.blob<6x4x1x1xbf16>, !job.blob<6x1x1x4xbf16>, !job.blob<6x1x1x4xbf16>, !job.blob<6x1x1x2xbf16>, !job.blob<6x3x3x4xbf16>, !job.blob<6x1x1x4xbf16>) kind predict {
  %0 = job.conv2d_filter_grad %a, %x {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x6x3x3xbf16>, !job.blob<2x4x3x3xbf16> -> !job.blob<6x4x1x1xbf16>
  %1 = job.conv2d_filter_grad %b, %y {strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<2x3x3x6xbf16>, !job.blob<2x5x5x4xbf16> -> !job.blob<6x1x1x4xbf16>
  %2 = job.conv2d_filter_grad %c, %z {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<2x5x5x6xbf16>, !job.blob<2x3x3x4xbf16> -> !job.blob<6x1x1x4xbf16>
  %3 = job.conv2d_filter_grad %b, %z {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64, layout = #job<layout nhwc>} : !job.blob<2x3x3x6xbf16>, !job.blob<2x3x3x4xbf16> -> !job.blob<6x1x1x2xbf16>
  %4 = job.conv2d_filter_grad %b, %y {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<2x3x3x6xbf16>, !job.blob<2x5x5x4xbf16> -> !job.blob<6x3x3x4xbf16>
  %5 = job.conv2d_filter_grad %b, %z {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>, plan.implementation = #plan.onednn.conv2d_filter_grad<n = 2, c = 4, h = 3, w = 3, oc = 6, kh = 1, kw = 1, oh = 3, ow = 3, layout = nhwc, type = bf16>} : !job.blob<2x3x3x6xbf16>, !job.blob<2x3x3x4xbf16> -> !job.blob<6x1x1x4xbf16>
  job.return %0, %1, %2, %3, %4, %5 : !job.blob<6x4x1x1xbf16>, !job.blob<6x1x1x4xbf16>, !job.blob<6x1x1x4xbf16>, !job.blob<6x1x1x2xbf16>, !job.blob<6x3x3x4xbf16>, !job.blob<6x1x1x4xbf16>
}
